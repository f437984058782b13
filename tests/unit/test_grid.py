"""Sets of hexes: every operation of core.grid against plain Python sets, on random sets, with and without seams."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from winterkingdom_env.core import bits, grid
from winterkingdom_env.core.rng import Stream, draw, seed_state, shuffle
from winterkingdom_env.core.sizes import ROWS
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.rules import NEIGHBOURS, hex_cells, make_rules

Cells = set[tuple[int, int]]
BOARD = {(r, c): board for r, c, board in hex_cells()}
CASES = [
    pytest.param(seams, size, id=f"{'seams' if seams else 'whole'}_{size}") for seams in (0, 1) for size in (3, 40, 200)
]


def to_rows(cells: Cells) -> np.ndarray:
    rows = np.zeros(ROWS, np.uint32)
    for r, c in cells:
        rows[r] |= np.uint32(1 << c)
    return rows


def to_cells(rows: np.ndarray) -> Cells:
    return {(r, c) for r in range(ROWS) for c in range(32) if int(rows[r]) >> c & 1}


def one_step(cell: tuple[int, int], direction: int, seams: int) -> Cells:
    other = (cell[0] + NEIGHBOURS[direction][0], cell[1] + NEIGHBOURS[direction][1])
    return {other} if other in BOARD and not (seams and BOARD[other] != BOARD[cell]) else set()


def steps(cells: Cells, direction: int, seams: int) -> Cells:
    return set().union(*(one_step(cell, direction, seams) for cell in cells))


def around(cells: Cells, seams: int) -> Cells:
    return set().union(*(steps(cells, direction, seams) for direction in range(6)))


def random_cells(size: int, seed: int) -> Cells:
    stream = Stream(seed)
    cells = list(BOARD)
    stream.shuffle(cells)
    return set(cells[:size])


def links(seams: int) -> np.ndarray:
    return make_rules()["links"][0, seams]


def written(kernel: Callable[..., None], *arguments: object, scratch: int = 0) -> Cells:
    out = np.zeros(ROWS, np.uint32)
    kernel(*arguments, out, *(np.zeros(ROWS, np.uint32) for _ in range(scratch)))
    return to_cells(out)


@pytest.mark.rule("core/grid.py, spread")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_spread__random_set__is_all_neighbours(seams: int, size: int) -> None:
    cells = random_cells(size, size)
    assert written(grid.spread, to_rows(cells), links(seams)) == around(cells, seams)


@pytest.mark.rule("core/grid.py, step")
@pytest.mark.parametrize(("seams", "size"), CASES)
@pytest.mark.parametrize("direction", range(6))
def test_step__random_set__is_the_neighbours_on_one_side(direction: int, seams: int, size: int) -> None:
    cells = random_cells(size, size)
    expected = steps(cells, direction, seams)
    assert written(grid.step, to_rows(cells), direction, links(seams)) == expected
    rows = to_rows(cells)
    grid.step(rows, direction, links(seams), rows)
    assert to_cells(rows) == expected, "in place"


@pytest.mark.rule("core/grid.py, ray")
@pytest.mark.parametrize(("seams", "size"), CASES)
@pytest.mark.parametrize("direction", range(6))
def test_ray__random_ground__is_reached_straight_on(direction: int, seams: int, size: int) -> None:
    ground, start = random_cells(300, size), random_cells(size // 3 + 1, 7)
    expected: Cells = set()
    front = steps(start, direction, seams) & ground
    while front - expected:
        expected |= front
        front = steps(front, direction, seams) & ground
    assert written(grid.ray, to_rows(start), direction, to_rows(ground), links(seams)) == expected


@pytest.mark.rule("core/grid.py, run")
@pytest.mark.parametrize(("seams", "size"), CASES)
@pytest.mark.parametrize("length", [1, 3])
def test_run__random_set__is_the_ends_of_runs(length: int, seams: int, size: int) -> None:
    cells = random_cells(size, size)
    expected: Cells = set()
    for cell in BOARD:
        for direction in range(6):
            line, here = [], {cell}
            for _ in range(length):
                here = steps(here, direction, seams)
                line.append(here)
            if all(here and here <= cells for here in line):
                expected.add(cell)
    assert written(grid.run, to_rows(cells), length, links(seams), scratch=2) == expected


@pytest.mark.rule("core/grid.py, leap and ring")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_leap_and_ring__random_set__are_at_distance_two(seams: int, size: int) -> None:
    cells = random_cells(size, size)
    straight = set().union(*(steps(steps(cells, d, seams), d, seams) for d in range(6)))
    assert written(grid.leap, to_rows(cells), links(seams), scratch=1) == straight
    ring: Cells = set()
    for cell in cells:
        near = around({cell}, seams)
        ring |= around(near, seams) - near - {cell}
    assert written(grid.ring, to_rows(cells), links(seams), scratch=2) == ring


@pytest.mark.rule("core/grid.py, flood")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_flood__random_ground__is_the_connected_part(seams: int, size: int) -> None:
    ground, seed = random_cells(250, size), random_cells(size // 3 + 1, 5)
    expected = seed & ground
    while True:
        more = (around(expected, seams) & ground) | expected
        if more == expected:
            break
        expected = more
    assert written(grid.flood, to_rows(seed), to_rows(ground), links(seams)) == expected


@pytest.mark.rule("core/grid.py, take_group")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_take_group__until_nothing_is_left__is_every_group_once(seams: int, size: int) -> None:
    cells = random_cells(size, size)
    rest, group = to_rows(cells), np.zeros(ROWS, np.uint32)
    left = set(cells)
    while grid.take_group(rest, links(seams), group):
        taken = to_cells(group)
        assert min(left) in taken
        assert taken <= left
        left -= taken
        assert to_cells(rest) == left
        assert not around(taken, seams) & left, "the group is whole"
        start = {min(taken)}
        while (grown := (around(start, seams) & taken) | start) != start:
            start = grown
        assert start == taken, "the group is connected"
    assert not left


@pytest.mark.rule("core/grid.py, counting")
@pytest.mark.parametrize("size", [0, 1, 50, 427])
def test_counting__random_set__is_the_sets_own(size: int) -> None:
    cells, others = random_cells(size, 1), random_cells(100, 2)
    rows, other_rows = to_rows(cells), to_rows(others)
    assert grid.count(rows) == size
    assert grid.is_empty(rows) == (size == 0)
    assert grid.meets(rows, other_rows) == bool(cells & others)
    assert grid.count_common(rows, other_rows) == len(cells & others)
    order = [32 * r + c for r, c in sorted(cells)]
    assert [grid.nth_cell(rows, n) for n in range(size)] == order
    assert grid.nth_cell(rows, size) == -1
    assert grid.first_cell(rows) == (order[0] if order else -1)


@pytest.mark.rule("core/grid.py, single hexes")
def test_put_has_take__one_hex__and_no_other() -> None:
    rows = np.zeros(ROWS, np.uint32)
    grid.put(rows, 32 * 13 + 26)
    assert to_cells(rows) == {(13, 26)}
    assert grid.has(rows, 32 * 13 + 26)
    assert not grid.has(rows, 32 * 13 + 25)
    grid.put(rows, 0)
    grid.take(rows, 32 * 13 + 26)
    assert to_cells(rows) == {(0, 0)}


@pytest.mark.rule("core/bits.py")
@pytest.mark.parametrize("word", [1, 0b1011000, 0x8000_0001, 0xFFFF_FFFF, 1 << 63 | 1 << 40])
def test_bits__of_a_word__are_counted_and_found(word: int) -> None:
    places = [i for i in range(64) if word >> i & 1]
    assert bits.popcount(np.uint64(word)) == len(places)
    assert bits.first_bit(np.uint64(word)) == places[0]
    assert [bits.nth_bit(np.uint64(word), n) for n in range(len(places))] == places


@pytest.mark.rule("docs/turn.md, random stream")
def test_stream__kernel_and_python__are_the_same() -> None:
    record = np.zeros(1, layout.GAME)
    record["rng"] = seed_state(5)
    stream = Stream(seed_state(5))
    with np.errstate(over="ignore"):
        assert [draw(record[0], n) for n in range(1, 200)] == [stream.draw(n) for n in range(1, 200)]
        cards, plain = np.arange(30, dtype=np.int8), list(range(30))
        shuffle(record[0], cards, 30)
    stream.shuffle(plain)
    assert cards.tolist() == plain
    assert sorted(plain) == list(range(30)) != plain


@pytest.mark.rule("docs/turn.md, random stream")
def test_stream__first_words__are_splitmix64() -> None:
    # The published test vector of splitmix64 with seed 1234567.
    stream = Stream(1234567)
    assert [stream.next_word() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.rule("docs/turn.md, random stream")
def test_draw__many__is_even() -> None:
    stream = Stream(1)
    counts = np.bincount([stream.draw(7) for _ in range(70_000)], minlength=7)
    assert counts.min() > 9_600
    assert counts.max() < 10_400
