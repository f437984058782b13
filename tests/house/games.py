"""Games to test the house with, in configs that use all of their parts: every registered one, and the example, which only the tests register."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from winterkingdom_env.games import GAMES, GameRules, get_game, register_game

EXAMPLE_ADDRESS = "examples.duels:RULES"
EXAMPLE = register_game(EXAMPLE_ADDRESS).NAME
CONFIGS: dict[str, tuple[dict[str, Any], ...]] = {
    "winter_kingdom": (
        {"num_players": 2, "twist": "random"},
        {"num_players": 3, "twist": "random", "boards": "generated"},
        {"num_players": 4, "twist": "random"},
        {"num_players": 2, "economy": "Salvage", "twist": "Innovation"},
        {"num_players": 3},
    ),
    "dominion": (
        {"num_players": 2, "kingdom": "interaction"},
        {"num_players": 3},
        {"num_players": 4, "kingdom": "size_distortion"},
        {"num_players": 2, "kingdom": "village_square", "round_limit": 30},
        {"num_players": 3, "attacks": False, "house_rules": "random:5"},
    ),
    "kingdom_builder": (
        {"num_players": 2, "sets": ("nomads", "crossroads")},
        {"num_players": 3},
        {"num_players": 4, "sets": ("nomads", "crossroads", "marshlands", "harvest"), "boards": "generated"},
        {"num_players": 5, "sets": ("crossroads",), "house_rules": "random:5"},
        {"num_players": 2, "first_game": True, "round_limit": 9},
        {
            "num_players": 3,
            "sets": ("nomads", "crossroads", "marshlands", "harvest"),
            "boards": "own",
            "island": "random",
            "caves": True,
            "capitol": True,
        },
    ),
    EXAMPLE: (
        {"num_players": 2, "rounds": 5},
        {"num_players": 3},
        {"num_players": 4, "rounds": 2},
        {"num_players": 5, "rounds": 5},
    ),
}
NAMES = (*GAMES, EXAMPLE)
OPEN_POINTS = ("winter_kingdom", "dominion", "kingdom_builder")  # games in which everybody sees everybody's points


def modules() -> Iterator[GameRules]:
    """Every game."""
    return map(get_game, NAMES)


def random_game(module: GameRules, seed: int) -> Iterator[Any]:
    """One game played at random, yielded at every step, also after the end; the config comes round with the seed."""
    game = module.new_game(config_of(module.NAME, seed), seed)
    dice = random.Random(seed)
    while True:
        yield game
        if game.is_over:
            return
        game.apply(dice.choice(game.legal_actions()))


def config_of(name: str, seed: int) -> Any:
    """A config of this game; it comes round with the seed."""
    configs = CONFIGS[name]
    return get_game(name).Config(**configs[seed % len(configs)])


def positions(name: str, seed: int, n: int = 8) -> list[Any]:
    """Up to ``n`` positions of one random game, as copies, evenly spread: the first is its beginning, the last its end."""
    found = [game.clone() for game in random_game(get_game(name), seed)]
    steps = sorted({round(i * (len(found) - 1) / (n - 1)) for i in range(n)})
    return [found[step] for step in steps]
