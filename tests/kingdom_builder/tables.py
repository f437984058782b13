"""Random set-ups over all options, and random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.kingdom_builder.boards import KINDS, LAND, SETS, neighbours_of, terrain_of
from tests.kingdom_builder.layouts import every_island, every_layout
from winterkingdom_env.reference.kingdom_builder import ReferenceGame

GIVEN = ("canoe", "canoe", "bazaar", "crossroads")  # to every seat of a crowded position
MORE = [kind for kind in KINDS if kind not in GIVEN]
NOMADS = ["donation water", "donation mountain", "donation desert", "resettlement", "outpost", "sword", "outpost"]


def random_setup(seed: int) -> dict[str, Any]:
    """A set-up that mixes all options."""
    dice = random.Random(seed)
    sets = [name for name in SETS if dice.random() < 0.6]
    return {
        "num_players": 2 + seed % 4,
        "sets": sets,
        "swamp_cards": dice.choice(["auto", "auto", True, False]),
        "capitol": dice.random() < 0.5,
        "caves": dice.random() < 0.5,
        "island": dice.choice([None, "rope bridge", "tree house", "random"]),
        "round_limit": dice.choice([100, 100, 8]),
        "seed": seed,
        "layouts": every_layout(seed % 5),
        "islands": every_island(seed % 5),
    }


def mixed_setup(seed: int) -> dict[str, Any]:
    """A set-up with quadrants of expansions only, and cards that pay in play."""
    dice = random.Random(seed)
    layouts = every_layout(seed % 5)
    names = [name for name, layout in layouts.items() if layout["set"] != "base"]
    pays = ["Families", "Shepherds", "Ambassadors", "Mayors", "Rovers", "Scouts", "Noblewomen", "Lords", "Messengers"]
    return random_setup(seed) | {
        "sets": list(SETS),
        "quadrants": [[name, dice.randint(0, 1)] for name in dice.sample(names, 4)],
        "scoring": dice.sample(pays, 3),
        "tasks": None,
    }


def choose(game: ReferenceGame, dice: random.Random) -> str:
    """A random action: the verb first, so that rare actions are played as often as builds, and ``done`` rarely."""
    legal = sorted(game.legal_labels())
    verbs = sorted({label.split()[0] for label in legal})
    weights = [0.25 if verb == "done" else 1.0 for verb in verbs]
    verb = dice.choices(verbs, weights)[0]
    return dice.choice([label for label in legal if label.split()[0] == verb])


def states(game: ReferenceGame, seed: int, n_steps: int = 10_000) -> Iterator[ReferenceGame]:
    """The states of a random game."""
    dice = random.Random(seed)
    for _ in range(n_steps):
        yield game
        if game.is_over:
            return
        game.apply(choose(game, dice))
    yield game


def crowded_setup(seed: int) -> dict[str, Any]:
    """A set-up of quadrants of expansions with the island and caves."""
    return mixed_setup(seed) | {"caves": True, "island": "random", "swamp_cards": True, "round_limit": 12}


def crowded_start(setup: dict[str, Any], seed: int) -> ReferenceGame:
    """A game in which every seat has pieces, tiles of many kinds and a small deck, so that rare things happen early."""
    dice = random.Random(seed)
    data = ReferenceGame(setup).snapshot()
    board = {label: terrain for label, terrain in terrain_of(data).items() if label[0] == "r"}
    land = [label for label, terrain in board.items() if terrain in LAND]
    dice.shuffle(land)
    for one in data["seats"]:
        one["settlements"] = sorted(land.pop() for _ in range(dice.randint(8, 14)))
        one["supply"] -= len(one["settlements"])
        sources = dice.sample(list(board), 16)
        kinds = [*dice.sample(MORE, 12), *GIVEN]
        given = zip(kinds, sorted(sources), strict=True)
        one["tiles"] = [[kind, source, dice.choice(["ready", "ready", "used"])] for kind, source in given]
        one["tiles"] = [tile for tile in one["tiles"] if touches(tile[1], one["settlements"]) or tile[0] == "canoe"]
        one["nomads"] = [[kind, "ready"] for kind in dice.sample(NOMADS, 4)]
        one["due"] = dice.randint(0, 1)
        one["supply"] -= one["due"]
    data["walls"] = sorted(land.pop() for _ in range(15))
    data["walls_left"] = 10
    data["tiles"] = {label: dice.randint(0, 2) for label in data["tiles"]}
    dice.shuffle(data["deck"])
    data["out"], data["deck"] = data["deck"][12:], data["deck"][:12]
    data["now"] = {"phase": "before"}
    return ReferenceGame.position(data)


def touches(source: str, pieces: list[str]) -> bool:
    """Whether a hex touches one of the pieces."""
    return any(label in pieces for label in neighbours_of(source))
