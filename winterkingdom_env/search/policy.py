"""The agent that plays by a trained network."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.extras import install_command
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games import GameRules, get_game, name_of
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.thoughts import Thoughts, thoughts_by_probability
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import HOW, PARTS, Weights, WeightsError, check_shapes, load_weights, shipped_file

SHIPPED_NAME = "shipped"
UNIT = 1.0 / (1 << 53)
# Actions, their probabilities, and the win probability of each seat, own seat first.
_Evaluated = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


@lru_cache(maxsize=8)
def _read(path: str) -> Weights:
    return load_weights(path)


class NetworkFile:
    """The network of an agent: from a file, or one that is shipped for the game.

    The path "shipped" or "" is the game's first, "shipped-NAME" the one with this name.
    """

    def __init__(self, path: str) -> None:
        """Read the file, once per process. Raises WeightsError if it cannot be used."""
        self._shipped = path.removeprefix(SHIPPED_NAME).removeprefix("-") if _is_shipped(path) else None
        self.weights = _read(path) if self._shipped is None else None  # a shipped one depends on the game

    def weights_for(self, rules: GameRules) -> Weights:
        """The network for this game. Raises WeightsError if it is for another game, or none is shipped for this one."""
        weights = self.weights or _read(str(shipped_file(rules.NAME, self._shipped or "")))
        if weights.game != rules.NAME:
            raise WeightsError(f"{weights.path} was trained on {weights.game}, this is {rules.NAME}; {HOW}")
        return weights


def _is_shipped(path: str) -> bool:
    """Whether a path names a shipped network; one with a folder or a suffix is a file."""
    return path in ("", SHIPPED_NAME) or re.fullmatch(rf"{SHIPPED_NAME}-\w+", path) is not None


def rules_of(view: View) -> GameRules:
    """The rules of a view's game."""
    return get_game(name_of(view.determinize(0)))


class PolicyAgent:
    """Plays with a network: the shipped one of its game, or the one in the file ``path``, as written by winterkingdom train.

    ``path`` can also name a further shipped one, as in "shipped-whole_box". The file contains no code; a damaged file, or one for other
    rules, is rejected.
    """

    def __init__(self, seed: int = 0, path: str = "", sample: bool = False) -> None:
        """``sample``: sample from the network's distribution instead of taking the most probable action."""
        self._file, self._sample, self._stream = NetworkFile(path), sample, Stream(seed_state(seed))
        self._flat: NDArray[np.float32] | None = None
        self._torch: Any = None
        self._thinker: Thinker | None = None
        self._is_ready = False
        self._last: tuple[_Evaluated, int] | None = None  # and the seat
        if self._file.weights is not None:
            self._make(self._file.weights)

    def get_ready(self, rules: GameRules) -> None:
        """Load the network for a game and compile its kernels. Raises ValueError if there is none."""
        weights = self._file.weights_for(rules)
        if self._flat is None and self._torch is None:
            self._make(weights)
        self._is_ready = True
        game = rules.new_game()
        self._evaluate(View(game, game.seat))

    def _make(self, weights: Weights) -> None:
        if weights.network in PARTS:  # kernels know it; flat() refuses one for turn ends
            self._flat = weights.flat()
        else:
            self._torch = _torch_network(weights)

    @property
    def thoughts(self) -> Thoughts | None:
        """The network's probabilities before the last action, also of a sampled one; None if that was forced."""
        return None if self._last is None else thoughts_by_probability(*self._last[0], self._last[1])

    def __call__(self, view: View) -> int:
        """The network's action."""
        legal = view.legal_actions()
        self._last = None
        if len(legal) == 1:
            return legal[0]
        if not self._is_ready:
            self.get_ready(rules_of(view))
        evaluated = actions, probabilities, _ = self._evaluate(view)
        self._last = evaluated, view.seat
        if not self._sample:
            return int(actions[np.argmax(probabilities)])
        x = (self._stream.next_word() >> 11) * UNIT * float(probabilities.sum())
        return int(actions[min(int(np.searchsorted(np.cumsum(probabilities), x, "right")), len(actions) - 1)])

    def _evaluate(self, view: View) -> _Evaluated:
        return self._evaluate_moves(view) if self._torch is None else self._evaluate_board(view, view.legal_actions())

    def _evaluate_moves(self, view: View) -> _Evaluated:
        """The output does not depend on hidden information, so any determinization gives the same."""
        world = view.determinize(0)
        self._thinker = Thinker.about(world, self._thinker, net=self._flat)
        return self._thinker.evaluate(world)

    def _evaluate_board(self, view: View, legal: list[int]) -> _Evaluated:
        import torch

        from winterkingdom_env.search.torch_network import Decisions

        words = torch.from_numpy(view.observation("packed")["observation"].astype(np.int64))[None]
        given = Decisions(
            torch.tensor([view.n_players]),
            torch.tensor(legal),
            torch.zeros(len(legal), dtype=torch.int64),
            packed=words,
        )
        with torch.inference_mode():
            logits, values = self._torch(given)
        wins = torch.exp(values[0, : view.n_players])
        return np.array(legal), torch.softmax(logits, 0).numpy(), wins.numpy()


def _torch_network(weights: Weights) -> Any:
    """The network as a torch module."""
    try:
        import torch

        from winterkingdom_env.search.torch_network import make_network
    except ImportError as error:
        raise ValueError(
            f"{weights.path}: a {weights.network!r} network needs torch: {install_command('torch')}"
        ) from error
    torch.set_num_threads(1)
    with torch.device("meta"):  # allocates no memory before the sizes in the file are checked against its content
        shape = make_network(weights.network, get_game(weights.game), **weights.sizes)
    check_shapes(weights.path, weights.tensors, {name: tuple(part.shape) for name, part in shape.state_dict().items()})
    network = make_network(weights.network, get_game(weights.game), **weights.sizes)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.tensors.items()})
    return network.eval()
