"""Dominion (Donald X. Vaccarino, 2008), the base game in its first edition, for 2 to 4 players, an implementation of ``games/contract.py``."""

from winterkingdom_env.games.dominion.config import Config
from winterkingdom_env.games.dominion.game import Game
from winterkingdom_env.games.dominion.rules import RULES, Rules

__all__ = ["RULES", "Config", "Game", "Rules"]
