"""A game that no registry knows: the rules of Winter Kingdom under another name, found as ``tests.house:cousin``."""

from __future__ import annotations

from typing import Any, ClassVar

from winterkingdom_env.games import winter_kingdom
from winterkingdom_env.games.winter_kingdom import *  # noqa: F403  # everything that makes a game
from winterkingdom_env.games.winter_kingdom import OBSERVATION_NOTES, OBSERVATION_ORDERS  # noqa: F401

NAME, TITLE, ENV_VERSION = "cousin", "Cousin", "v7"


class Config(winter_kingdom.Config, frozen=True, kw_only=True):  # type: ignore[no-redef]  # as all below: it takes its place
    """The same choices."""

    NAME: ClassVar[str] = NAME


class Game(winter_kingdom.Game):  # type: ignore[no-redef]
    """The same game."""

    __slots__ = ()

    NAME, TITLE = NAME, TITLE
    CONFIG = Config


def _cousin_of(game: winter_kingdom.Game) -> Game:
    return Game(game._world, game._begun, game.config, game.seed)


def new_game(config: Any = None, seed: int = 0) -> Game:  # type: ignore[no-redef]
    """A game set up from a seed."""
    return _cousin_of(winter_kingdom.new_game(config or Config(), seed))


def from_setup(setup: dict[str, Any], config: Any = None, seed: int | None = None) -> Game:  # type: ignore[no-redef]
    """A game that begins with this set-up."""
    return _cousin_of(winter_kingdom.from_setup(setup, config, seed))


def game_of(record: Any, board: Any, config: Any = None, seed: int | None = None) -> Game:  # type: ignore[no-redef]
    """A game with these records."""
    return _cousin_of(winter_kingdom.game_of(record, board, config, seed))


from_bytes, label, parse = Game.from_bytes, Game.label, Game.parse
