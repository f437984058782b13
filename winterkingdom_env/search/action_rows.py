"""The observation "actions": the numbers of a position, and a row of features for every legal action (docs/environments.md)."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.observation import FORMS as FORMS_OF_GAMES
from winterkingdom_env.core.verbs import N_FEATURES
from winterkingdom_env.games import Game, GameRules, get_game, name_of
from winterkingdom_env.games.base import BaseGame
from winterkingdom_env.search.acting import TRIES
from winterkingdom_env.search.listing import Rows, observe_rows
from winterkingdom_env.search.network import count_context

ACTIONS = "actions"
FORMS = (*FORMS_OF_GAMES, ACTIONS)  # of the observations of environments and views
# Rows of an observation. In a million decisions of random play of the game with the most actions, 59 have more legal actions; the mean is 11. Every row
# costs memory in every stored decision.
MOST_ROWS = 128
PARTS = Rows._fields[:5]


def count_rows(rules: GameRules) -> int:
    """The number of rows in an observation of this game."""
    return min(MOST_ROWS, rules.N_ACTIONS)


class ActionRows:
    """Observations of ``n`` games of a World. The arrays are overwritten by the next ``write``."""

    def __init__(self, rules: GameRules, n: int) -> None:
        """Allocate the arrays."""
        n_rows, n_features = count_rows(rules), N_FEATURES.of(rules.World)
        self._name, self._table = rules.NAME, rules.OBSERVATION.table
        self._n_places = rules.PLACE_KINDS * len(rules.PLACES)
        self._tries, self._every = rules.make_world(TRIES), np.arange(n)
        self._rows = Rows(
            observation=np.zeros((n, count_context(rules.World)), np.float32),
            actions=np.full((n, n_rows), -1, np.int16),
            kinds=np.zeros((n, n_rows), np.int16),
            features=np.zeros((n, n_rows, n_features), np.float32),
            row_mask=np.zeros((n, n_rows), np.int8),
            legal=np.zeros(2 * rules.N_ACTIONS, np.int16),
            found=np.zeros((rules.N_ACTIONS, n_features), np.float32),
        )

    def write(
        self,
        world: Any,
        packed: NDArray[np.uint32],
        seats: NDArray[np.int64],
        which: NDArray[np.int64] | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Write the observations of ``seats``, one per game, in the games ``which`` (None: in all); return those of all games.

        ``packed``: the packed observations of these seats.
        """
        which = self._every if which is None else which
        assert len(world.games) == len(packed) == len(seats) == len(self._every)
        observe_rows(world, which, seats, packed, self._table, self._n_places, self._tries, self._rows)
        return {name: getattr(self._rows, name) for name in PARTS}

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has new arrays: they follow from the games."""
        return _new_rows, (self._name, len(self._every))


def _new_rows(name: str, n: int) -> ActionRows:
    return ActionRows(get_game(name), n)


# Single games -----------------------------------------------------------------------------------------------------------

_scratch = threading.local()  # arrays for one game of each kind, for this thread


def observe_as(game: Game, seat: int, form: str) -> dict[str, NDArray[Any]]:
    """The observation of a seat in one of FORMS, as new arrays, with its action mask."""
    if form != ACTIONS:
        if form not in FORMS:
            raise ValueError(f"form={form!r} is not an observation form; the forms are: {', '.join(FORMS)}")
        return game.observe(seat, form)
    name = name_of(game)
    assert isinstance(game, BaseGame), f"{type(game).__name__} has no World to observe"
    rows: ActionRows | None = getattr(_scratch, name, None)
    if rows is None:
        rows = ActionRows(get_game(name), 1)
        setattr(_scratch, name, rows)
    seen = game.observe(seat, "packed")
    written = rows.write(game._world, seen["observation"][None], np.array([seat]))
    return {**{part: array[0].copy() for part, array in written.items()}, "action_mask": seen["action_mask"]}
