"""Games to test the house with: every registered one, in configs that use all of its parts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from winterkingdom_env.games import GAMES, get_game

CONFIGS: dict[str, tuple[dict[str, Any], ...]] = {
    "winter_kingdom": (
        {"num_players": 2, "twist": "random"},
        {"num_players": 3, "twist": "random", "boards": "generated"},
        {"num_players": 4, "twist": "random"},
        {"num_players": 2, "economy": "Salvage", "twist": "Innovation"},
        {"num_players": 3},
    ),
}
NAMES = tuple(GAMES)


def modules() -> Iterator[ModuleType]:
    """Every registered game."""
    return map(get_game, NAMES)


def random_game(module: ModuleType, seed: int) -> Iterator[Any]:
    """One game played at random, yielded at every step, also after the end; the config comes round with the seed."""
    configs = CONFIGS[module.NAME]
    game = module.new_game(module.Config(**configs[seed % len(configs)]), seed)
    dice = random.Random(seed)
    while True:
        yield game
        if game.is_over:
            return
        game.apply(dice.choice(game.legal_actions()))
