"""Generated quadrants and islands, and our own layouts of those that are not known."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tests.kingdom_builder.layouts import distance, neighbours
from tests.kingdom_builder.unit.test_boards import KNOWN, NAMES, OWN, SPECIALS, TEXT, UNKNOWN, as_map
from winterkingdom_env.games.kingdom_builder import board_hexes, board_maker, tables
from winterkingdom_env.games.kingdom_builder.board_maker import generated_layouts
from winterkingdom_env.games.kingdom_builder.boards import read_layouts, standard_layouts
from winterkingdom_env.games.kingdom_builder.tables import ISLAND_NAMES, QUADRANT_NAMES

SEEDS = (*range(6), -1, 2**63, 10**30)
BASIC = "gftcd"
FAR = {
    "refuge": 6, "temple": 1, "fountain": 2, "canoe": 7, "cathedral": 1, "mountainstation": 2, "bazaar": 6, "university": 3,
}  # fmt: skip


def specials_in(cells: dict[tuple[int, int], str]) -> list[tuple[int, int]]:
    return [place for place, letter in cells.items() if letter in "SLNPO12"]


def area_sizes(cells: dict[tuple[int, int], str], letter: str) -> list[int]:
    """Sizes of the connected areas of a terrain, ascending."""
    left = {place for place, each in cells.items() if each == letter}
    sizes = []
    while left:
        stack, size = [left.pop()], 0
        while stack:
            size += 1
            for near in neighbours(*stack.pop()):
                if near in left:
                    left.remove(near)
                    stack.append(near)
        sizes.append(size)
    return sorted(sizes)


def check_quadrant(name: str, rows: list[str]) -> None:
    """Assert every constraint on a generated quadrant."""
    cells = as_map(rows)
    count = Counter(cells.values())
    places = specials_in(cells)
    assert len(cells) == 100 and [len(row) for row in rows] == [10] * 10
    assert "".join(sorted(cells[place] for place in places)) == SPECIALS[name]
    assert all(1 <= r <= 8 and 1 <= c <= 8 for r, c in places)
    assert all(distance(a, b) >= 3 for i, a in enumerate(places) for b in places[:i])
    assert all(10 <= count[letter] <= 20 for letter in BASIC)
    assert 8 <= count["w"] <= 25 and count["m"] <= 10
    extra = {"marshlands": "p", "harvest": "a"}.get(set_of(name), "")
    assert {letter for letter in "pa" if count[letter]} == set(extra)
    assert all(8 <= count[letter] <= 14 for letter in extra)
    assert all(area_sizes(cells, letter)[0] >= 2 for letter in BASIC + extra)
    if name in FAR:
        mountains = [place for place, letter in cells.items() if letter == "m"]
        assert sum(all(distance(place, other) >= 3 for other in places) for place in mountains) == FAR[name]


def check_island(name: str, rows: list[str]) -> None:
    """Assert every constraint on a generated island."""
    cells = as_map(rows)
    places = specials_in(cells)
    assert [len(row) for row in rows] == [10] * 5 and 34 <= len(cells) <= 38
    assert "".join(sorted(cells[place] for place in places)) == SPECIALS[name]
    assert distance(*places) >= 3
    assert all(near in cells for place in places for near in neighbours(*place))
    assert set(cells.values()) == {*BASIC, *SPECIALS[name]}
    assert area_sizes(dict.fromkeys(cells, "x"), "x") == [len(cells)]
    for corner in (rows[0], rows[0][::-1], rows[4], rows[4][::-1]):
        assert corner.startswith(".")
    assert all(re.fullmatch(r"\.*[^.]+\.*", row) for row in rows)


def set_of(name: str) -> str:
    quadrant = next(each for each in (*tables.QUADRANTS, *tables.ISLANDS) if each.name == name)
    return tables.SETS[quadrant.set.bit_length() - 1] if quadrant.set else "base"


@pytest.mark.rule("section 2.1, neighbours")
def test_board_hexes__same_geometry_as_written_out_in_the_tests() -> None:
    places = [(r, c) for r in range(10) for c in range(10)]
    for index, place in enumerate(places):
        assert {places[near] for near in board_hexes.bits(board_hexes.NEAR[index])} == set(neighbours(*place)) & {
            *places
        }
        assert all(board_hexes.distance(index, i) == distance(place, other) for i, other in enumerate(places))
    assert [places[i] for i in board_hexes.bits(board_hexes.INNER)] == [
        (r, c) for r in range(1, 9) for c in range(1, 9)
    ]
    within = {places[i] for i in board_hexes.bits(board_hexes.within(1 << 44, 2))}
    assert within == {place for place in places if distance(place, (4, 4)) <= 2}


@pytest.mark.rule("section 2.2, quadrants")
def test_own_file__is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    command = re.search(r"^#\s+python -m (\S+) (--seed \d+)$", OWN, re.MULTILINE)
    assert command is not None and command[1] == board_maker.__name__
    board_maker.main(command[2].split())
    assert capsys.readouterr().out == OWN
    board_maker.main([])
    assert capsys.readouterr().out == OWN


@pytest.mark.rule("section 2.2, quadrants that are not known")
def test_own_file__has_the_unknown_ones_and_keeps_the_constraints() -> None:
    own = read_layouts(OWN, "own.txt")
    assert tuple(name for name in NAMES if own.has(name)) == UNKNOWN == board_maker.OWN_NAMES
    for name in UNKNOWN:
        (check_island if name in ISLAND_NAMES else check_quadrant)(name, own.rows(name))
    assert "not the printed ones" in OWN and "An owner of the box" in OWN
    assert not re.search(r"\bours\b", TEXT)


@pytest.mark.rule("section 2.2, quadrants")
@pytest.mark.parametrize("seed", SEEDS)
def test_generated__every_quadrant_and_island_keeps_the_constraints(seed: int) -> None:
    layouts = generated_layouts(seed)
    for name in QUADRANT_NAMES:
        check_quadrant(name, layouts.rows(name))
    for name in ISLAND_NAMES:
        check_island(name, layouts.rows(name))
    assert len({codes.tobytes() for codes in layouts.quadrants}) == 24


@pytest.mark.rule("section 2.2, quadrants")
def test_generated__terrains_lie_as_in_print() -> None:
    def measures(found: Iterator[list[str]]) -> tuple[float, float, float]:
        """Hexes of a basic terrain, areas of one, and share of neighbours on land with the same terrain."""
        sizes, same = [], []
        for rows in found:
            cells = as_map(rows)
            sizes += [area_sizes(cells, letter) for letter in BASIC]
            land = {place: letter for place, letter in cells.items() if letter in BASIC}
            same += [land[place] == land[near] for place in land for near in neighbours(*place) if near in land]
        return sum(map(sum, sizes)) / len(sizes), sum(map(len, sizes)) / len(sizes), sum(same) / len(same)

    printed = measures(standard_layouts().rows(name) for name in KNOWN)
    ours = measures(generated_layouts(seed).rows(name) for seed in SEEDS for name in KNOWN)
    assert abs(printed[0] - ours[0]) < 1.5
    assert abs(printed[1] - ours[1]) < 0.25
    assert abs(printed[2] - ours[2]) < 0.06


@pytest.mark.rule("section 2.2, quadrants")
def test_generated__same_seed_same_layouts__other_seed_others() -> None:
    assert generated_layouts(4) is generated_layouts(4)
    assert generated_layouts(4) == generated_layouts.__wrapped__(4)
    assert generated_layouts(4) == generated_layouts(np.int64(4))
    assert hash(generated_layouts(4)) == hash(generated_layouts.__wrapped__(4))
    one, other = generated_layouts(4), generated_layouts(5)
    assert one != other and all(one.rows(name) != other.rows(name) for name in NAMES)
    assert one != "layouts"


@pytest.mark.rule("section 2.2, quadrants")
def test_generated__a_seed_means_the_same_for_ever() -> None:
    # A changed number means changed boards: that is a new version of the environment.
    layouts = generated_layouts(0)
    assert zlib.crc32(layouts.quadrants.tobytes() + layouts.islands.tobytes()) == 0x5CEC6B9E


@pytest.mark.rule("section 2.2, quadrants")
def test_generated__another_recipe_for_one__the_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    before = generated_layouts(2)
    monkeypatch.setitem(board_maker.FAR_MOUNTAINS, "temple", 5)
    after = generated_layouts.__wrapped__(2)
    assert [name for name in NAMES if before.rows(name) != after.rows(name)] == ["temple"]


@pytest.mark.rule("section 2.2, quadrants")
def test_make_quadrant__impossible__gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(board_maker.FAR_MOUNTAINS, "temple", 90)
    monkeypatch.setattr(board_maker, "MAX_ATTEMPTS", 5)
    with pytest.raises(ValueError, match="temple: no quadrant of seed 1 in 5 attempts; try another seed"):
        board_maker.make_quadrant(1, tables.QUADRANTS[QUADRANT_NAMES.index("temple")])


@pytest.mark.rule("section 2.2, quadrants")
def test_command__prints_a_file_that_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    board_maker.main(["--all", "--seed", "5"])
    assert read_layouts(capsys.readouterr().out) == generated_layouts(5)
    board_maker.main(["--seed", "-5"])
    assert read_layouts(capsys.readouterr().out).rows("canoe") == generated_layouts(-5).rows("canoe")
    with pytest.raises(SystemExit, match="0"):
        board_maker.main(["--help"])
    assert capsys.readouterr().out.count("board_maker") >= 3
    with pytest.raises(SystemExit, match="2"):
        board_maker.main(["--seed", "x"])
