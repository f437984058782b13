"""Set-up of the reference: what is drawn, in which order, and which options are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kingdom_builder.examples_setup import EVERYTHING, SWAMP_CARDS
from tests.kingdom_builder.layouts import every_island, every_layout, known
from tests.kingdom_builder.position import CARDS
from tests.kingdom_builder.stream import shuffled, stream_of
from winterkingdom_env.reference.kingdom_builder import ReferenceGame
from winterkingdom_env.reference.kingdom_builder.names import ALL_SCORING, NOMAD_TILES, QUADRANTS, SCORING, TASKS

DECK = [card for card in CARDS for _ in range(5)]
FG = [["tavern", 0], ["paddock", 0], ["oasis", 0], ["farm", 0]]


def setup(**options: Any) -> dict[str, Any]:
    return {"layouts": every_layout(), "islands": every_island(), **options}


def snapshot(**options: Any) -> dict[str, Any]:
    return ReferenceGame(setup(**options)).snapshot()


@pytest.mark.rule("section 1.3, order of the draws")
@pytest.mark.parametrize("seed", range(5))
def test_setup__base_game__draws_in_order(seed: int) -> None:
    stream = stream_of(seed)
    names = shuffled(stream, QUADRANTS["base"])[:4]
    quadrants = [[name, stream.draw(2)] for name in names]
    scoring = shuffled(stream, SCORING["base"])[:3]
    deck = shuffled(stream, DECK)
    data = snapshot(seed=seed, num_players=3)
    assert data["quadrants"] == quadrants and data["scoring"] == scoring and data["tasks"] == []
    assert [one["hand"] for one in data["seats"]] == [[deck.pop()], [deck.pop()], [deck.pop()]]
    assert data["deck"] == deck and data["rng"] == stream.state
    assert all(one["units"] == dict.fromkeys(("warrior", "wagon", "ship", "hall"), 0) for one in data["seats"])


@pytest.mark.rule("section 1.3, order of the draws")
@pytest.mark.parametrize("seed", range(8))
def test_setup__everything__draws_in_order(seed: int) -> None:
    data = snapshot(seed=seed, **EVERYTHING, exclude=["Scouts", "Lords"])
    stream = stream_of(seed)
    names = shuffled(stream, [name for pool in QUADRANTS.values() for name in pool])[:4]
    assert data["quadrants"] == [[name, stream.draw(2)] for name in names]
    cards = [card for card in ALL_SCORING if card not in ("Scouts", "Lords")]
    assert data["scoring"] == shuffled(stream, cards)[:3]
    n_tasks = sum(name in QUADRANTS["crossroads"] for name in names)
    assert data["tasks"] == (shuffled(stream, TASKS)[:n_tasks] if n_tasks else [])
    nomad_hexes = [f"r{r:02d}c{c:02d}" for r, row in enumerate(data["terrain"]) for c, x in enumerate(row) if x == "N"]
    tiles = shuffled(stream, NOMAD_TILES) if nomad_hexes else []
    assert list(data["nomads"].items()) == list(zip(nomad_hexes, tiles, strict=False))
    castles = [stream.draw(2) for name in names if name in ("oracle", "harbor")]
    assert len(data["capitols"]) == len(castles)
    for _ in data["caves"]:
        stream.draw(1)  # one word for each quadrant with a legal mountain
    side = ("rope bridge", "tree house")[stream.draw(2)]
    assert (
        side in data["locations"].values()
        and data["locations"][next(h for h in data["locations"] if h[0] == "i")] == side
    )
    deck = shuffled(stream, DECK + SWAMP_CARDS)
    assert [one["hand"] for one in data["seats"]] == [[deck.pop()], [deck.pop()]]
    assert data["deck"] == deck and data["rng"] == stream.state
    assert data["seats"][0]["units"] == {"warrior": 2, "wagon": 1, "ship": 1, "hall": 1}


@pytest.mark.rule("section 1.2, values that are given use no random number")
def test_setup__values_given__only_the_deck_is_shuffled() -> None:
    stream = stream_of(9)
    deck = shuffled(stream, DECK)
    data = snapshot(seed=9, quadrants=FG, scoring=["Lords", "Knights", "Miners"], tasks=["Road"], island="tree house")
    assert data["rng"] == stream.state and data["deck"] == deck[:-2]
    assert data["scoring"] == ["Lords", "Knights", "Miners"] and data["tasks"] == ["Road"]
    first = snapshot(seed=9, first_game=True)
    assert first["quadrants"] == FG and first["scoring"] == ["Fishermen", "Knights", "Merchants"]
    assert first["rng"] == stream.state


@pytest.mark.rule("p. 19, Scouts remove a terrain")
@pytest.mark.parametrize("seed", range(6))
def test_setup__scouts_card__a_terrain_leaves_the_deck(seed: int) -> None:
    stream = stream_of(seed)
    deck = shuffled(stream, DECK + SWAMP_CARDS)
    removed = deck[-1].split("/")[-1]
    kept = shuffled(stream, [card for card in deck if removed not in card.split("/")])
    data = snapshot(seed=seed, quadrants=FG, scoring=["Scouts", "Lords", "Knights"], swamp_cards=True)
    assert data["removed_terrain"] == removed and data["out"] == [removed] * 5 + [f"swamp/{removed}"]
    assert data["deck"] + data["seats"][1]["hand"] + data["seats"][0]["hand"] == kept and len(kept) == 24


@pytest.mark.rule("p. 24, caves, example with two possibilities")
def test_setup__caves_of_the_first_game__legal_mountains_only() -> None:
    found = {hex_id for seed in range(40) for hex_id in snapshot(seed=seed, first_game=True, caves=True)["caves"]}
    assert {label for label in found if label > "r10" and label[4:] >= "10"} == {"r17c14", "r18c11"}
    assert not {label for label in found if label > "r10" and label[4:] < "10"}, "oasis has no mountain"


@pytest.mark.rule("p. 24, capitol")
def test_setup__capitols__on_castles_of_oracle_and_harbor() -> None:
    quadrants = [["oracle", 0], ["harbor", 1], ["tower", 0], ["barn", 1]]
    found = {tuple(snapshot(seed=seed, quadrants=quadrants, capitol=True)["capitols"]) for seed in range(40)}
    assert len(found) == 4 and {label for pair in found for label in pair} == {"r01c03", "r07c02", "r05c17", "r01c17"}
    assert snapshot(quadrants=FG, capitol=True)["capitols"] == []


@pytest.mark.rule("p. 9, one nomad tile on each nomad hex; p. 2, two tiles on each location hex")
def test_setup__nomads__tiles_on_their_hexes() -> None:
    data = snapshot(quadrants=[["quarry", 0], ["caravan", 0], ["village", 0], ["garden", 0]])
    assert list(data["nomads"]) == ["r03c13", "r05c02", "r05c07", "r07c05", "r13c04", "r17c16"]
    assert set(data["tiles"].values()) == {2} and list(data["tiles"]) == list(data["locations"])
    assert data["locations"]["r02c04"] == "quarry" and data["walls_left"] == 25 and data["tokens"] == 18


@pytest.mark.rule("p. 12, a task for each quadrant of Crossroads")
def test_setup__crossroads_quadrants__as_many_tasks() -> None:
    quadrants = [["lighthouse", 0], ["barracks", 1], ["cityhall", 0], ["oracle", 0]]
    data = snapshot(quadrants=quadrants)
    assert len(data["tasks"]) == 3 and data["locations"]["r12c05"] == "city hall"


@pytest.mark.rule("section 1.2, options")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"num_players": 6}, "one of 2, 3, 4, 5"),
        ({"sets": ["nomad"]}, "no set"),
        ({"quadrants": FG[:3]}, "four different"),
        ({"quadrants": [["nowhere", 0], *FG[1:]]}, "no layout of 'nowhere'"),
        ({"quadrants": [["tavern", 2], *FG[1:]]}, "turned"),
        ({"scoring": ["Lords", "Lords", "Knights"]}, "three different"),
        ({"scoring": ["Lords", "Lairds", "Knights"]}, "'Lairds' is unknown"),
        ({"tasks": ["Road", "Road"]}, "twice"),
        ({"exclude": list(SCORING["base"][:8])}, "leaves 2"),
        ({"island": "bridge"}, "rope bridge"),
        ({"swamp_cards": "never"}, "swamp_cards"),
        ({"round_limit": 0}, "round_limit"),
        ({"first_game": True, "quadrants": FG}, "first_game"),
        ({"players": 3}, "unknown option 'players'"),
        ({"layouts": known(), "sets": ["harvest"]}, "no layout of bazaar"),
    ],
)
def test_setup__wrong_option__is_refused_with_a_reason(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ReferenceGame(setup(**wrong))
