"""What an agent is shown of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.games import Game

SHOWN = 0  # seed of the game in a view; any will do, for nothing in a view depends on what is hidden


class View:
    """What an agent is shown of a game, and no more. It is for this move: once answered, the game goes on without notice.

    A view holds a game in which everything hidden from the seat is resampled, never the true one.

    ``seat`` the agent's seat, ``n_players``, ``phase`` where in its turn the seat to move stands, ``round`` from 1
    """

    __slots__ = ("_deal", "_label", "_legal", "_look", "_parse", "n_players", "phase", "round", "seat")
    _look: Callable[[str], dict[str, NDArray[Any]]]
    _legal: Callable[[], list[int]]
    _label: Callable[[int], str]
    _parse: Callable[[str], int]
    _deal: Callable[[int], Game]

    def __init__(self, game: Game, seat: int) -> None:
        """Show ``game`` as ``seat`` sees it."""
        self.seat = seat
        self.n_players = game.n_players
        self.phase = game.phase
        self.round = game.round
        shown = game.determinize(seat, SHOWN)
        # The game is in the closures of these functions and in no attribute: agents ask the view, which keeps its word when the
        # game's own interface changes. There is nothing to find in it: it depends on what the seat may know and on nothing else.
        self._look = lambda form: shown.observe(seat, form)
        self._legal = lambda: list(shown.legal_actions()) if shown.seat == seat else []
        self._label = lambda action: shown.label(action)
        self._parse = lambda text: shown.parse(text)
        self._deal = lambda seed: shown.determinize(seat, seed)

    def observation(self, form: str = "planes") -> dict[str, NDArray[Any]]:
        """What the seat sees, as the game's ``observe`` gives it: "observation", for planes "vector", and "action_mask"."""
        return self._look(form)

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 (actions,): 1 for every legal action; empty if the seat is not to move."""
        mask: NDArray[np.int8] = self._look("packed")["action_mask"]
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; none if the seat is not to move."""
        return self._legal()

    def label(self, action: int) -> str:
        """What people call an action."""
        return self._label(action)

    def parse(self, text: str) -> int:
        """The action that people call so."""
        return self._parse(text)

    def determinize(self, seed: int) -> Game:
        """A game of one's own that could be this one: everything hidden from the seat is resampled from ``seed``."""
        return self._deal(seed)
