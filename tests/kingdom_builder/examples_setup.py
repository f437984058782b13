"""Worked examples that need a set-up, many seeds or whole games: T66, T80, T85, T86 and bug B7, as functions of an implementation."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.kingdom_builder.boards import LAYOUTS, SETS, TERRAINS, hex_label, place_of, terrain_of
from tests.kingdom_builder.facts import always_of
from tests.kingdom_builder.layouts import distance, every_island, every_layout
from tests.kingdom_builder.position import CARDS
from tests.kingdom_builder.script import Shown
from tests.kingdom_builder.stream import shuffled, stream_of
from tests.kingdom_builder.table import Make, Table

SPECIAL = ("castle", "location", "nomad", "palace", "silo")
SWAMP_CARDS = [f"swamp/{name}" for name in CARDS]


def options(**given: Any) -> dict[str, Any]:
    """All options of a game, with the rules' defaults; the test quadrants can be named."""
    return {
        "num_players": 2, "sets": [], "quadrants": None, "scoring": None, "exclude": [], "tasks": None, "swamp_cards": "auto",
        "capitol": False, "caves": False, "island": None, "first_game": False, "round_limit": 100, "seed": 0,
        "layouts": every_layout() | LAYOUTS, "islands": every_island(), **given,
    }  # fmt: skip


MB_QUADRANTS = [["testmarsh", 0], ["testharvest", 0], ["oracle", 0], ["harbor", 0]]
EVERYTHING: dict[str, Any] = {"sets": list(SETS), "capitol": True, "caves": True, "island": "random"}


def cards_of(data: dict[str, Any]) -> list[str]:
    """Every card of a game, wherever it is."""
    hands = [card for seat in data["seats"] for card in seat["hand"]]
    return [*data["deck"], *data["discards"], *data["out"], *hands]


def step(table: Table, choices: random.Random) -> str:
    """Carry out some legal action; the same choices give the same game."""
    label = choices.choice(sorted(table.legal_labels()))
    table.apply(label)
    return label


def show_removed_terrain(make: Make) -> None:
    """T66: the stream begins with the shuffle of the 30 cards, since all else is given."""
    full = [card for card in CARDS for _ in range(5)] + SWAMP_CARDS
    seeds = [seed for seed in range(300) if shuffled(stream_of(seed), full)[-1] == "swamp/desert"][:3]
    assert seeds
    given = {"sets": ["marshlands", "harvest"], "quadrants": MB_QUADRANTS, "scoring": ["Scouts", "Knights", "Farmers"]}
    for seed in seeds:
        table = make.setup(options(**given, tasks=[], seed=seed))
        data = table.snapshot()
        assert data["removed_terrain"] == "desert"
        assert data["out"] == ["desert"] * 5 + ["swamp/desert"]
        left = data["deck"] + [card for seat in data["seats"] for card in seat["hand"]]
        assert len(left) == 24
        assert not [card for card in left if "desert" in card]
        stream = stream_of(seed)
        first = shuffled(stream, full)
        deck = shuffled(stream, [card for card in first if "desert" not in card])
        assert [seat["hand"] for seat in data["seats"]] == [[deck[-1]], [deck[-2]]]
        assert data["deck"] == deck[:-2]
        # Desert by special actions only: a farm of the desert kind builds on it, the mandatory action does not.
        data["seats"][0]["hand"] = ["grass"]
        data["seats"][0]["tiles"] = [["oasis", None, "ready"]]
        table = make.position(data | {"now": {"phase": "before"}})
        desert = {f"house {place}" for place, name in terrain_of(data).items() if name == "desert"}
        assert not desert & table.legal_labels()
        table.apply("use oasis")
        assert table.legal_labels() == desert


def show_caves(make: Make) -> None:
    """T80: one of two mountains of the farm quadrant, none in the oasis quadrant; all are far from specials."""
    found: dict[int, set[str]] = {quadrant: set() for quadrant in range(4)}
    for seed in range(40):
        data = make.setup(options(first_game=True, caves=True, seed=seed)).snapshot()
        terrain = terrain_of(data)
        specials = [place for place, name in terrain.items() if name in SPECIAL]
        quadrants = [2 * (int(cave[1:3]) // 10) + int(cave[4:6]) // 10 for cave in data["caves"]]
        assert len(set(quadrants)) == len(quadrants)
        for cave, quadrant in zip(data["caves"], quadrants, strict=True):
            assert terrain[cave] == "mountain"
            assert min(distance(place_of(cave), place_of(place)) for place in specials) >= 3
            found[quadrant].add(cave)
    assert found[3] == {"r17c14", "r18c11"}
    assert found[2] == set()


def show_rotation(make: Make) -> None:
    """T85: farm, turned, at the top left; its locations were r01c07 and r05c02, its castle r01c01."""
    turned: list[list[Any]] = [["farm", 1], ["oracle", 0], ["harbor", 1], ["lighthouse", 1]]
    data = make.setup(options(quadrants=turned, scoring=["Knights", "Lords", "Miners"], tasks=[])).snapshot()
    terrain = terrain_of(data)
    assert data["quadrants"] == turned
    for place, (name, is_turned) in enumerate(turned):
        rows = LAYOUTS[name]["rows"]
        for row in range(10):
            for column in range(10):
                letter = rows[9 - row][9 - column] if is_turned else rows[row][column]
                here = hex_label(10 * (place // 2) + row, 10 * (place % 2) + column)
                assert terrain[here] == TERRAINS["L" if letter in "12" else letter], here
    assert data["locations"] == {
        "r04c07": "farm", "r08c02": "farm", "r03c17": "oracle", "r12c03": "harbor", "r13c13": "lighthouse", "r16c17": "forester",
    }  # fmt: skip
    assert terrain["r08c08"] == "castle"
    data["seats"][0]["hand"] = ["grass"]
    table = make.position(data | {"now": {"phase": "before"}})
    table.apply("house r04c08")
    assert table.snapshot()["seats"][0]["tiles"] == [["farm", "r04c07", "fresh"]]
    data["seats"][0]["settlements"] = ["r07c07"]
    assert always_of(make.position(data | {"now": {"phase": "before"}})) == [3, 0]
    data["seats"][0]["settlements"] = ["r07c06"]
    assert always_of(make.position(data | {"now": {"phase": "before"}})) == [0, 0]


def show_equal_seeds(make: Make) -> None:
    """T86: equal seeds, the same game, move by move; with every set, Queenies and 2 to 5 players."""
    many: list[dict[str, Any]] = [{}, {"first_game": True}, *({**EVERYTHING, "num_players": n} for n in range(2, 6))]
    for seed, given in enumerate(many):
        one, two = (make.setup(options(**given, seed=seed, round_limit=4)) for _ in range(2))
        choices = [random.Random(seed), random.Random(seed)]
        while one.snapshot()["now"]["phase"] != "over":
            assert one.snapshot() == two.snapshot()
            assert one.legal_labels() == two.legal_labels() != set()
            assert step(one, choices[0]) == step(two, choices[1])
        assert one.snapshot() == two.snapshot()
        assert one.scores() == two.scores()


def show_no_replacement(make: Make) -> None:
    """B7: every card is in one place at any time; a swamp card keeps its name where no hex is swamp."""
    many: list[dict[str, Any]] = [{}, EVERYTHING, {"swamp_cards": True}]
    for seed, given in enumerate(many):
        table = make.setup(options(**given, seed=seed, round_limit=6))
        choices = random.Random(seed)
        full = Counter(dict.fromkeys(CARDS, 5))
        if given:
            full += Counter(SWAMP_CARDS)
        while table.snapshot()["now"]["phase"] != "over":
            assert Counter(cards_of(table.snapshot())) == full
            step(table, choices)


SHOWN: list[Shown] = [
    Shown("T66", "R 19", show_removed_terrain),
    Shown("T80", "R 24", show_caves),
    Shown("T85", "C", show_rotation),
    Shown("T86", "O 41", show_equal_seeds),
    Shown("B7", "R 3", show_no_replacement),
]
