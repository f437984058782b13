"""Where the kernels are that think about a game."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from winterkingdom_env.games import Game, name_of


def thinking_about(game: Game) -> ModuleType:
    """The module with the ``Thinker`` for this game."""
    return import_module(f"winterkingdom_env.games.{name_of(game)}.thinking")
