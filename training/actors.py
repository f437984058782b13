"""Actors, which choose actions for all rows of a batch: in a kernel for networks that kernels support, in torch for the others."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.search.actor import Actor
from winterkingdom_env.search.torch_network import Decisions, MovesNet, Network


class KernelActor:
    """Evaluates networks inside a kernel; it exposes the arrays of ``search.actor.Actor``."""

    def __init__(self, env: VectorEnv, seed: int) -> None:
        """``env``: the games, with packed observations."""
        self.inner = Actor(env.batch, seed)
        self.n_inputs = self.inner.n_context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @staticmethod
    def freeze(network: Network) -> np.ndarray:
        """The network's weights as they are now."""
        assert isinstance(network, MovesNet)
        return network.flat_weights()

    def act(self, players: Sequence[np.ndarray]) -> None:
        """Choose an action in every row; ``players`` are frozen networks, of which ``who`` names one per row and seat."""
        self.inner.act(np.stack(players))

    def get_state(self) -> dict[str, torch.Tensor]:
        """The random streams, and the network of each seat."""
        return {
            "streams": torch.from_numpy(self.streams.view(np.int64).copy()),
            "who": torch.from_numpy(self.who.copy()),
        }

    def set_state(self, state: Mapping[str, torch.Tensor]) -> None:
        """Restore the result of ``get_state``."""
        self.streams[:] = state["streams"].numpy().view(np.uint64)
        self.who[:] = state["who"].numpy()


class TorchActor:
    """Evaluates networks in torch; for networks that take the board as input."""

    n_inputs = n_features = 0

    def __init__(self, env: VectorEnv, network: Network, seed: int, device: str) -> None:
        """``network``: an instance of the architecture that will play; its weights are not used."""
        n, n_seats = env.num_envs, env.module.MAX_PLAYERS
        self.env, self.device = env, device
        self.n_values = n_seats + 1
        self._network = copy.deepcopy(network)
        self._rng = np.random.default_rng(seed)
        self.who = np.zeros((n, n_seats), np.int64)
        self.n_moves, self.choices = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.actions, self.log_probs = np.zeros(n, np.int64), np.zeros(n, np.float32)
        self.values = np.zeros((n, self.n_values), np.float32)
        self._listed = np.zeros(0, np.int16)

    @staticmethod
    def freeze(network: Network) -> dict[str, torch.Tensor]:
        """The network's weights as they are now."""
        return {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}

    def act(self, players: Sequence[Mapping[str, torch.Tensor]]) -> None:
        """Choose an action in every row; ``players`` are frozen networks, of which ``who`` names one per row and seat."""
        rows, moves = np.nonzero(self.env.action_mask)
        self._listed = moves.astype(np.int16)
        self.n_moves[:] = np.bincount(rows, minlength=len(self.n_moves))
        playing = self.who[np.arange(len(self.who)), self.env.batch.rows["seat"]]
        for player in np.unique(playing):
            self._network.load_state_dict(players[player])
            which = np.flatnonzero(playing == player)
            listed = np.flatnonzero(playing[rows] == player)
            self._evaluate(which, rows[listed], moves[listed])

    def _evaluate(self, which: np.ndarray, rows: np.ndarray, moves: np.ndarray) -> None:
        place = np.zeros(len(self.who), np.int64)
        place[which] = np.arange(len(which))
        words = torch.from_numpy(self.env.batch.packed[which].view(np.int32)).to(self.device)
        n_players = torch.from_numpy(self.env.batch.rows["n_players"][which].astype(np.int64)).to(self.device)
        local = torch.from_numpy(place[rows]).to(self.device)
        with torch.no_grad():
            logits, found = self._network(
                Decisions(n_players, torch.from_numpy(moves).to(self.device), local, packed=words)
            )
        noise = self._rng.gumbel(size=len(moves))
        logits_here, n = logits.double().cpu().numpy(), self.n_moves[which]
        ends = np.cumsum(n)
        for i, row in enumerate(which):
            own = slice(ends[i] - n[i], ends[i])
            choice = int(np.argmax(logits_here[own] + noise[own]))
            self.choices[row], self.actions[row] = choice, moves[own][choice]
            most = logits_here[own].max()
            self.log_probs[row] = logits_here[own][choice] - most - np.log(np.exp(logits_here[own] - most).sum())
        values = found.cpu().numpy()
        values[:, :-1] = np.exp(values[:, :-1])
        self.values[which] = values

    def gather(self, n_moves: np.ndarray, first: int, moves: np.ndarray, features: np.ndarray) -> int:
        """Append the legal actions of the rows in which ``n_moves`` is not 0 to ``moves``; return the next free index."""
        kept = self._listed[np.repeat(n_moves > 0, self.n_moves)]
        moves[first : first + len(kept)] = kept
        return first + len(kept)

    def get_state(self) -> dict[str, Any]:
        """The random streams, and the network of each seat."""
        return {"rng": json.dumps(self._rng.bit_generator.state), "who": torch.from_numpy(self.who.copy())}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Restore the result of ``get_state``."""
        self._rng.bit_generator.state = json.loads(state["rng"])
        self.who[:] = state["who"].numpy()


def make_actor(env: VectorEnv, network: Network, seed: int, device: str = "cpu") -> Any:
    """An actor for networks with this architecture."""
    return TorchActor(env, network, seed, device) if network.needs_planes else KernelActor(env, seed)
