"""Winter Kingdom (Donald X. Vaccarino, 2020) for 2 to 4 players: the engine and a game object for people."""

from winterkingdom_env.games import GAMES
from winterkingdom_env.games.winter_kingdom.actions import (
    IllegalActionError,
    InvalidActionError,
    label,
    parse,
)
from winterkingdom_env.games.winter_kingdom.boards import BoardFileError
from winterkingdom_env.games.winter_kingdom.config import Config, ConfigError
from winterkingdom_env.games.winter_kingdom.game import (
    Game,
    from_bytes,
    from_setup,
    new_game,
    perft,
)
from winterkingdom_env.games.winter_kingdom.game_batch import GameBatch, pool_of
from winterkingdom_env.games.winter_kingdom.layout import MAX_PLAYERS, N_ACTIONS
from winterkingdom_env.games.winter_kingdom.observe import SCORE_SCALE
from winterkingdom_env.games.winter_kingdom.observe import SPEC as OBSERVATION
from winterkingdom_env.games.winter_kingdom.plain import SetupError

NAME = "winter_kingdom"
ENV_VERSION = GAMES[NAME]

__all__ = [
    "ENV_VERSION",
    "MAX_PLAYERS",
    "NAME",
    "N_ACTIONS",
    "OBSERVATION",
    "SCORE_SCALE",
    "BoardFileError",
    "Config",
    "ConfigError",
    "Game",
    "GameBatch",
    "IllegalActionError",
    "InvalidActionError",
    "SetupError",
    "from_bytes",
    "from_setup",
    "label",
    "new_game",
    "parse",
    "perft",
    "pool_of",
]
