"""The view of a game that an agent gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.games import Game, GameRules

SHOWN = 0  # arbitrary seed of the determinized game in a view; nothing in a view depends on it


class View:
    """Everything that an agent may know about a game. A view is valid for one decision and does not follow the game.

    It holds a determinized game, in which everything hidden from the seat is resampled, and never the true one.

    ``seat``: the agent's seat. ``n_players``. ``phase``: the kind of decision to make now. ``round``: counted from 1.
    """

    __slots__ = ("_deal", "_label", "_legal", "_look", "_parse", "n_players", "phase", "round", "seat")
    _look: Callable[[str], dict[str, NDArray[Any]]]
    _legal: Callable[[], list[int]]
    _label: Callable[[int], str]
    _parse: Callable[[str], int]
    _deal: Callable[[int], Game]

    def __init__(self, game: Game, seat: int) -> None:
        """The view of ``game`` for ``seat``."""
        self.seat = seat
        self.n_players = game.n_players
        self.phase = game.phase
        self.round = game.round
        shown = game.determinize(seat, SHOWN)
        # The game is in closures and not in an attribute, so that agents use the view's interface, which is stable. It is not a secret: the
        # determinized game contains no hidden information.
        self._look = lambda form: _observe(shown, seat, form)
        self._legal = lambda: list(shown.legal_actions()) if shown.seat == seat else []
        self._label = lambda action: shown.label(action)
        self._parse = lambda text: shown.parse(text)
        self._deal = lambda seed: shown.determinize(seat, seed)

    def observation(self, form: str = "planes") -> dict[str, NDArray[Any]]:
        """The observation of the seat in the form "planes", "packed" or "actions", as in the environments, with "action_mask"."""
        return self._look(form)

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 (actions,): 1 for every legal action; all zeros if the seat is not to act."""
        mask: NDArray[np.int8] = self._look("packed")["action_mask"]
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; empty if the seat is not to act."""
        return self._legal()

    def label(self, action: int) -> str:
        """The label of an action."""
        return self._label(action)

    def parse(self, text: str) -> int:
        """The action with this label."""
        return self._parse(text)

    def determinize(self, seed: int) -> Game:
        """A game in which everything hidden from the seat is resampled from ``seed``."""
        return self._deal(seed)


def practise(rules: GameRules) -> None:
    """Load all kernels that a game and a View use, so that this does not count as the agent's time."""
    from winterkingdom_env.games.base import perft

    game = rules.from_bytes(rules.new_game(seed=0).to_bytes())
    view = View(game, game.seat)
    legal = view.legal_actions()
    view.parse(view.label(legal[0]))
    for form in ("planes", "packed"):
        view.observation(form)
    world = view.determinize(0)
    perft(world.clone(), 2)
    world.apply(legal[0])
    world.scores()


def _observe(game: Game, seat: int, form: str) -> dict[str, NDArray[Any]]:
    from winterkingdom_env.search.action_rows import observe_as  # imports kernels, which --help would wait for

    return observe_as(game, seat, form)
