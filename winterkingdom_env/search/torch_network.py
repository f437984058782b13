"""The trainable networks, in torch, with their inputs and the export of weights for kernels.

moves   a logit per legal action from its features (games/*/features.py); kernels implement the same network without torch
conv    convolutions over the axial grid, with a logit for every cell and every other action
flat    a multilayer perceptron over all planes and fields
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from winterkingdom_env.core.observation import Spec
from winterkingdom_env.games import GameRules
from winterkingdom_env.search.network import count_weights, kinds_of, parts_of


class Decisions(NamedTuple):
    """A batch of D decisions with M legal actions in total."""

    n_players: torch.Tensor
    """(D,): number of seats."""
    moves: torch.Tensor
    """(M,): the legal actions of all decisions, concatenated."""
    rows: torch.Tensor
    """(M,): index of the decision of each action."""
    contexts: torch.Tensor | None = None
    """(D, inputs): contexts, for the "moves" network."""
    features: torch.Tensor | None = None
    """(M, inputs): action features, for the "moves" network."""
    packed: torch.Tensor | None = None
    """(D, words): packed observations, for the other networks."""


class Network(nn.Module):
    """Maps decisions to a logit per legal action (M,) and values (D, seats + 1): the log win probabilities of the seats, own seat first, and
    the own lead.
    """

    needs_planes = True

    def forward(self, given: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values; unused seats have a win probability of zero."""
        logits, values = self.raw_outputs(given)
        n_seats = values.shape[1] - 1
        empty = torch.arange(n_seats, device=values.device) >= given.n_players[:, None]
        log_wins = F.log_softmax(values[:, :-1].masked_fill(empty, -torch.inf), 1)
        return logits, torch.cat([log_wins, values[:, -1:]], 1)

    @abstractmethod
    def raw_outputs(self, given: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """Like ``forward``, but with unnormalized logits of the win probabilities."""


class MovesNet(Network):
    """The network of the kernels (search/network.py), part by part."""

    needs_planes = False

    kinds: torch.Tensor

    def __init__(self, module: GameRules) -> None:
        """Initialize small weights; inputs that identify a card start with zero weights."""
        super().__init__()
        self.n_weights, self._shapes = count_weights(module.World), parts_of(module.World)
        self.register_buffer("kinds", torch.from_numpy(kinds_of(module)), persistent=False)
        self.parts = nn.ParameterDict()
        for name, n_in, n_out, has_bias, _ in self._shapes:
            scale = (2.0 / n_in) ** 0.5
            if name in ("logit", "value", "feature_logit"):
                scale *= 0.1
            self.parts[name] = nn.Parameter(torch.randn(n_in, n_out) * scale)
            if has_bias:
                self.parts[f"{name}_bias"] = nn.Parameter(torch.zeros(n_out))
        with torch.no_grad():
            for name in ("context", "value_context"):
                self.parts[name] *= 3.0  # most inputs are 0
                self.parts[name][names_in(module.OBSERVATION)] = 0.0
            self.parts["kind"].zero_()

    def _layer(self, name: str, given: torch.Tensor) -> torch.Tensor:
        return torch.addmm(self.parts[f"{name}_bias"], given, self.parts[name])

    def raw_outputs(self, given: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """See Network."""
        assert given.contexts is not None and given.features is not None
        seen = F.relu(self._layer("context", given.contexts))
        shared = F.relu(self._layer("shared", seen))
        kinds = self.kinds[given.moves]
        mixed = given.features @ self.parts["feature"] + self.parts["kind"][kinds] + shared[given.rows]
        last = F.relu(self._layer("hidden", F.relu(mixed)))
        logits = self._layer("logit", last) + given.features @ self.parts["feature_logit"]
        thought = F.relu(self._layer("value_hidden", F.relu(self._layer("value_context", given.contexts))))
        return logits[:, 0], self._layer("value", thought)

    def flat_weights(self) -> np.ndarray:
        """All weights in the order of the kernels, float32."""
        found = []
        for name, _, _, has_bias, _ in self._shapes:
            found.append(self.parts[name].detach().cpu().numpy().ravel())
            if has_bias:
                found.append(self.parts[f"{name}_bias"].detach().cpu().numpy().ravel())
        weights: np.ndarray = np.concatenate(found).astype(np.float32)
        assert len(weights) == self.n_weights
        return weights


def names_in(spec: Spec) -> np.ndarray:
    """Entries of the vector that identify cards: a network must not react to one that never occurred in training."""
    entries = [np.arange(spec.n_entries)[spec.entries(field.name)] for field in spec.fields if field.is_name]
    return np.concatenate([np.zeros(0, np.int64), *entries])


class ConvNet(Network):
    """Convolutions over a cell and its six neighbours, with the fields broadcast to every cell; a logit per cell and kind, and per other action."""

    around: torch.Tensor
    cells: torch.Tensor
    on_board: torch.Tensor

    def __init__(self, module: GameRules, channels: int = 16, layers: int = 2) -> None:
        """``channels`` and ``layers`` of the convolution."""
        super().__init__()
        self.spec = module.OBSERVATION
        n_planes, n_rows, n_columns = self.spec.planes_shape
        self.n_places, n_kinds = len(module.PLACES), module.PLACE_KINDS
        if not n_kinds:
            raise ValueError(f"{module.TITLE} has no board to convolve over; its networks are: moves, flat")
        self.fields = nn.Sequential(nn.Linear(self.spec.n_entries, 64), nn.ReLU(), nn.Linear(64, channels), nn.ReLU())
        sizes = [n_planes, *[channels] * layers]
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in pairwise(sizes))
        around = torch.ones(3, 3)
        around[0, 0] = around[2, 2] = 0.0  # axial columns: the row above touches c and c + 1, the row below c - 1 and c
        self.register_buffer("around", around, persistent=False)
        cells = torch.tensor(module.PLACES, dtype=torch.int64)
        on_board = torch.zeros(n_rows, n_columns)
        self.register_buffer("cells", (cells >> 5) * n_columns + (cells & 31), persistent=False)
        on_board.view(-1)[self.cells] = 1.0
        self.register_buffer("on_board", on_board, persistent=False)
        self.hexes = nn.Conv2d(channels, n_kinds, 1)
        self.cards = nn.Linear(2 * channels, module.N_ACTIONS - n_kinds * self.n_places)
        self.ahead = nn.Sequential(nn.Linear(2 * channels, 64), nn.ReLU(), nn.Linear(64, module.MAX_PLAYERS + 1))

    def look(self, packed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """From packed observations: a logit for every kind of action on every cell, and an embedding of board and fields."""
        seen = self.spec.unpack_torch(packed)
        fields, cells = self.fields(seen["vector"]), seen["observation"]
        for i, conv in enumerate(self.convs):
            assert isinstance(conv, nn.Conv2d)
            cells = F.conv2d(cells, conv.weight * self.around, conv.bias, padding=1)
            if i == 0:
                cells = cells + fields[:, :, None, None]
            cells = F.relu(cells) * self.on_board
        hexes = self.hexes(cells).flatten(2)[:, :, self.cells].flatten(1)
        return hexes, torch.cat([cells.sum((2, 3)) / self.n_places, fields], 1)

    def raw_outputs(self, given: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """See Network."""
        assert given.packed is not None
        hexes, pooled = self.look(given.packed)
        logits = torch.cat([hexes, self.cards(pooled)], 1)
        return logits[given.rows, given.moves], self.ahead(pooled)


class FlatNet(Network):
    """A perceptron with two hidden layers over every cell of every plane and every field."""

    def __init__(self, module: GameRules, width: int = 256) -> None:
        """``width`` of the hidden layers."""
        super().__init__()
        self.spec = module.OBSERVATION
        n_planes, n_rows, n_columns = self.spec.planes_shape
        n_inputs = n_planes * n_rows * n_columns + self.spec.n_entries
        self.body = nn.Sequential(nn.Linear(n_inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.logits = nn.Linear(width, module.N_ACTIONS)
        self.ahead = nn.Linear(width, module.MAX_PLAYERS + 1)

    def raw_outputs(self, given: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """See Network."""
        assert given.packed is not None
        seen = self.spec.unpack_torch(given.packed)
        body = self.body(torch.cat([seen["observation"].flatten(1), seen["vector"]], 1))
        return self.logits(body)[given.rows, given.moves], self.ahead(body)


NETWORKS = ("moves", "conv", "flat")


def make_network(name: str, module: GameRules, **sizes: int) -> Network:
    """A newly initialized network. ``sizes``: channels and layers of "conv", width of "flat"."""
    if name == "moves":
        return MovesNet(module, **sizes)
    if name == "conv":
        return ConvNet(module, **sizes)
    if name == "flat":
        return FlatNet(module, **sizes)
    raise ValueError(f"no network is called {name!r}; the networks are: {', '.join(NETWORKS)}")
