"""Winter Kingdom's game object: what it adds to ``BaseGame``."""

from __future__ import annotations

from typing import Any

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games import GAMES
from winterkingdom_env.games.base import BaseGame, as_seed, copied
from winterkingdom_env.games.errors import ConfigError, SavedGameError
from winterkingdom_env.games.house_rules import drawn
from winterkingdom_env.games.winter_kingdom import actions, layout, saves, tables
from winterkingdom_env.games.winter_kingdom.config import Config
from winterkingdom_env.games.winter_kingdom.explain import explain
from winterkingdom_env.games.winter_kingdom.house import SHEETS
from winterkingdom_env.games.winter_kingdom.observe import SPEC
from winterkingdom_env.games.winter_kingdom.plain import fill_from_setup, house_rules_in, make_setup, make_snapshot
from winterkingdom_env.games.winter_kingdom.world import (
    World,
    begin_games,
    make_world,
    make_world_of_one,
    world_from_records,
)

SET_UP = batch.set_up_all.quick(World)


class Game(BaseGame):
    """A game of Winter Kingdom in progress."""

    __slots__ = ()

    NAME, TITLE = "winter_kingdom", "Winter Kingdom"
    VERSION = GAMES[NAME]
    WORLD = World
    SPEC = SPEC
    CONFIG = Config
    PHASES = tuple(phase.name.lower() for phase in layout.Phase)
    LABELS = actions.labels()
    EXAMPLES = actions.EXAMPLES
    GAME_DTYPE, BOARD_DTYPE = layout.GAME, layout.BOARD

    def renew(self) -> None:
        """Recompute legal actions and scores: call it after editing the records."""
        saves.REFRESH.call(self.record, self.board)
        super().renew()

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands, as plain data (docs/turn.md)."""
        return make_snapshot(self.record[0], self.board[0])

    def setup(self) -> dict[str, Any]:
        """The initial set-up as plain data (docs/turn.md)."""
        return make_setup(self._beginning(), self.board[0])

    def score_columns(self) -> list[str]:
        """The Winter Kingdom cards in play and the castles."""
        return [*(tables.SCORINGS[i].name for i in self.board["scoring"][0]), "Castles"]

    def explain(self, action: int) -> str:
        """The rule that an illegal action breaks, without a full stop."""
        return explain(action, self.snapshot(), [self.label(legal) for legal in self.legal_actions()])

    @classmethod
    def world_of(cls, record: np.ndarray, board: np.ndarray) -> World:
        """A World of one game with these records."""
        return world_from_records(record, board)

    @classmethod
    def check_records(cls, games: Any, boards: Any) -> np.ndarray:
        """The LEGAL records of these games. Raises SavedGameError, naming the first invalid field."""
        return saves.check_records(games, boards)

    @classmethod
    def check_begun(cls, begun: np.ndarray) -> None:
        """Raise SavedGameError unless this is the start of a game."""
        is_begin = begun["round"][0] == 1 and begun["seat"][0] == 0 and begun["phase"][0] == layout.Phase.BEFORE
        if not is_begin or begun["used"].any():
            raise SavedGameError("the saved game is refused: begun is not the start of a game")


def _as_config(config: Any) -> Config | None:
    if config is not None and not isinstance(config, Config):
        raise ConfigError(f"config={config!r} is not a Config; give one, such as Config(num_players=3), or None")
    return config


def new_game(config: Config | None = None, seed: int = 0) -> Game:
    """A new game. The same config and seed give the same game on every machine."""
    config, seed = _as_config(config) or Config(), as_seed(seed)
    world = make_world_of_one(drawn(config, SHEETS, seed), seed)
    SET_UP.call(world, np.array([seed_state(seed)], np.uint64))
    return Game(world, copied(world.games), config, seed)


def from_setup(setup: dict[str, Any], config: Config | None = None, seed: int | None = None) -> Game:
    """A game from a set-up (docs/turn.md). Raises SetupError, naming the problem, if it is invalid."""
    config, seed = _as_config(config), None if seed is None else as_seed(seed)
    world = make_world(1, (Config(house_rules=house_rules_in(setup)),))
    fill_from_setup(setup, world.games[0], world.boards[0])
    begin_games(world)
    return Game(world, copied(world.games), config, seed)


def game_of(record: np.ndarray, board: np.ndarray, config: Config | None = None, seed: int | None = None) -> Game:
    """A game that uses these records, arrays of length 1, without a copy or a check."""
    return Game(Game.world_of(record, board), None, config, seed)


from_bytes = Game.from_bytes
