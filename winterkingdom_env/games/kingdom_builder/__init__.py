"""Kingdom Builder (Donald X. Vaccarino, 2011) with its expansions, for 2 to 5 players, an implementation of ``games/contract.py``."""

from winterkingdom_env.games.kingdom_builder.boards import BoardFileError
from winterkingdom_env.games.kingdom_builder.config import Config
from winterkingdom_env.games.kingdom_builder.game import Game
from winterkingdom_env.games.kingdom_builder.game_rules import RULES, Rules

__all__ = ["RULES", "BoardFileError", "Config", "Game", "Rules"]
