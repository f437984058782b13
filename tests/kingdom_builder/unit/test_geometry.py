"""The hexes of the reference."""

from __future__ import annotations

import pytest

from tests.kingdom_builder.boards import ISLAND
from tests.kingdom_builder.layouts import distance, every_layout, known, neighbours
from winterkingdom_env.reference.kingdom_builder.grid import EDGE, N_MAIN, SEAM, make_grid, quadrant_of

GRID = make_grid(tuple(ISLAND))


def around(label: str) -> set[str]:
    return {GRID.labels[hex_id] for hex_id in GRID.neighbours[GRID.hex_of[label]]}


@pytest.mark.rule("section 2.1, neighbours")
def test_neighbours__even_and_odd_rows__are_shifted() -> None:
    assert around("r06c05") == {"r06c04", "r06c06", "r05c04", "r05c05", "r07c04", "r07c05"}
    assert around("r07c05") == {"r07c04", "r07c06", "r06c05", "r06c06", "r08c05", "r08c06"}
    assert around("r00c00") == {"r00c01", "r01c00"}
    assert around("r19c19") == {"r19c18", "r18c19"}


@pytest.mark.rule("section 2.1, neighbours")
def test_neighbours__every_hex__touch_each_other() -> None:
    for hex_id in GRID.hexes:
        for direction, other in enumerate(GRID.steps[hex_id]):
            if other is not None:
                assert GRID.steps[other][direction ^ 1 if direction < 2 else 7 - direction] == hex_id
                assert GRID.distance(hex_id, other) == 1 and hex_id in GRID.neighbours[other]


@pytest.mark.rule("section 2.1, distance and straight lines")
def test_distance__along_a_ray__counts_the_steps() -> None:
    start = GRID.hex_of["r10c10"]
    for direction in range(6):
        for n, hex_id in enumerate(GRID.rays[start][direction], 1):
            assert GRID.distance(start, hex_id) == n
    ray = [GRID.labels[hex_id] for hex_id in GRID.rays[start][3][:4]]
    assert ray == ["r09c10", "r08c11", "r07c11", "r06c12"]
    assert GRID.distance(start, GRID.hex_of["i0c03"]) is None


@pytest.mark.rule("section 2.1, edge, seam and quadrants")
def test_masks__of_the_main_board__have_their_sizes() -> None:
    assert len(EDGE) == 76 and len(SEAM) == 76
    assert [sum(quadrant_of(hex_id) == quadrant for hex_id in range(N_MAIN)) for quadrant in range(4)] == [100] * 4
    assert quadrant_of(GRID.hex_of["r09c10"]) == 1 and quadrant_of(GRID.hex_of["r10c09"]) == 2


@pytest.mark.rule("section 2.3, island")
def test_island__labels_and_lines__follow_the_board() -> None:
    assert len(GRID.places) == 400 + 36 and GRID.labels[400] == "i0c01" and quadrant_of(400) is None
    assert around("i0c01") == {"i0c02", "i1c00", "i1c01"}
    assert GRID.line_of(GRID.hex_of["i4c03"]) == 24 and GRID.line_of(GRID.hex_of["r19c03"]) == 19


@pytest.mark.rule("section 2.2, quadrants")
@pytest.mark.parametrize("name", known())
def test_layout__known_quadrants__specials_are_apart(name: str) -> None:
    check_specials(every_layout()[name]["rows"])


@pytest.mark.rule("section 2.2, constraints of the quadrants that are not known")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(set(every_layout()) - set(known())))
def test_layout__generated_quadrants__meet_the_constraints(name: str, seed: int) -> None:
    layout = every_layout(seed)[name]
    check_specials(layout["rows"])
    text = "".join(layout["rows"])
    assert ("p" in text) == (layout["set"] == "marshlands") and ("a" in text) == (layout["set"] == "harvest")
    assert text.count("P") + text.count("O") == 1 and sum(text.count(letter) for letter in layout["kinds"]) == 2
    assert text.count("S") == (name == "mountainstation")
    assert all(10 <= text.count(letter) <= 20 for letter in "gftcd")


def check_specials(rows: list[str]) -> None:
    assert len(rows) == 10 and {len(row) for row in rows} == {10}
    places = [(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in "SLNPO12"]
    assert all(1 <= r <= 8 and 1 <= c <= 8 for r, c in places)
    assert all(distance(a, b) >= 3 for i, a in enumerate(places) for b in places[:i])
    assert all(distance((5, 5), place) == 1 for place in neighbours(5, 5))
