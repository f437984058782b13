"""Dominion's game object: what it adds to ``SimpleGame``."""

from __future__ import annotations

from functools import cache
from typing import Any, Self

import numpy as np

from winterkingdom_env.games import GAMES
from winterkingdom_env.games.base import as_seed, copied
from winterkingdom_env.games.dominion import check, layout, tables
from winterkingdom_env.games.dominion.config import PLAYERS, Config
from winterkingdom_env.games.dominion.explain import explain
from winterkingdom_env.games.dominion.layout import Phase, Verb
from winterkingdom_env.games.dominion.observe import SPEC
from winterkingdom_env.games.dominion.plain import config_of, fill_hands, make_setup, make_snapshot
from winterkingdom_env.games.dominion.scoring import SCORED
from winterkingdom_env.games.dominion.world import World, begin_game, lay_table
from winterkingdom_env.games.errors import SavedGameError
from winterkingdom_env.games.simple import SimpleGame

LABELS = (*(f"{verb.name.lower()} {name}" for verb in Verb for name in tables.NAMES), "yes", "done")


@cache
def _rules() -> np.ndarray:
    return tables.make_rules()


class Game(SimpleGame):
    """A game of Dominion in progress."""

    __slots__ = ()

    NAME, TITLE, VERSION = "dominion", "Dominion", GAMES["dominion"]
    WORLD, CONFIG, SPEC = World, Config, SPEC
    GAME_DTYPE, BOARD_DTYPE = layout.GAME, layout.BOARD
    PLAYERS = PLAYERS
    PHASES = tuple(phase.name.lower() for phase in Phase)
    LABELS, EXAMPLES = LABELS, "'play Throne Room', 'buy Province', 'yes' or 'done'"
    COLUMNS = tuple(tables.NAMES[card] for card in SCORED)

    @classmethod
    def make_rules(cls) -> np.ndarray:
        """The card table."""
        return _rules()

    @classmethod
    def from_setup(cls, setup: Any, config: Any = None, seed: int | None = None) -> Self:
        """A game from a set-up. Raises SetupError, naming the problem, if it is invalid."""
        config, seed = cls._as_config(config), None if seed is None else as_seed(seed)
        world = cls.make_world(1, (config_of(setup),))
        lay_table(world)
        fill_hands(setup, world.games[0])
        begin_game(world)
        return cls(world, copied(world.games), config, seed)

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands."""
        return make_snapshot(self.record[0], self.board[0])

    def setup(self) -> dict[str, Any]:
        """The kingdom, the first hands and the random stream."""
        return make_setup(self._beginning(), self.board[0])

    def explain(self, action: int) -> str:
        """What stands against an action, and what is asked for."""
        return explain(action, self.snapshot())

    @classmethod
    def record_flaw(cls, game: np.void, board: np.void) -> str:
        """What is wrong with untrusted records; an empty text if they are valid."""
        return check.flaw(game, board)

    @classmethod
    def check_begun(cls, begun: np.ndarray) -> None:
        """Raise SavedGameError unless this is the start of a game."""
        if begun["turns"][0].tolist() != [1, 0, 0, 0] or begun["trash"].any() or begun["discard"].any():
            raise SavedGameError("the saved game is refused: begun is not the start of a game")
