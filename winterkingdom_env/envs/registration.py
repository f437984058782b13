"""Registration of the environments with Gymnasium and PettingZoo, and their ids; it runs when the package is imported."""

from __future__ import annotations

import gymnasium
import pettingzoo

from winterkingdom_env.games import GAMES

PACKAGE = "winterkingdom_env"
NAMESPACE = "winterkingdom"


def gymnasium_id(game: str) -> str:
    """The Gymnasium id of a game, such as ``GameName-v0``."""
    return f"{''.join(part.capitalize() for part in game.split('_'))}-{GAMES[game]}"


def pettingzoo_id(game: str) -> str:
    """The id of a game's AEC environment, such as ``winterkingdom/game_name_v0``."""
    return f"{NAMESPACE}/{game}_{GAMES[game]}"


def register_all() -> None:
    """Register every game once, without importing kernels."""
    for game in GAMES:
        module = f"{PACKAGE}.{game}_{GAMES[game]}"
        if gymnasium_id(game) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(game),
                entry_point=f"{module}:single_env",
                vector_entry_point=f"{module}:learner_vector_env",
            )
            pettingzoo.register("aec", pettingzoo_id(game), entry_point=f"{module}:env")
