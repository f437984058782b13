"""Sets of hexes: every operation of core.grid against plain Python sets, on random sets, with and without seams."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from winterkingdom_env.core import bits, grid, hexset
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.hexset import load, store
from winterkingdom_env.core.rng import Stream, draw, seed_state, shuffle
from winterkingdom_env.core.sizes import WORDS
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.rules import NEIGHBOURS, hex_cells, make_rules

ROWS = 27
Cells = set[tuple[int, int]]
BOARD = {(r, c): board for r, c, board in hex_cells()}
CASES = [
    pytest.param(seams, size, id=f"{'seams' if seams else 'whole'}_{size}") for seams in (0, 1) for size in (3, 40, 200)
]


def to_sets(*sets: Cells) -> np.ndarray:
    rows = np.zeros((len(sets), WORDS), np.uint32)
    for i, cells in enumerate(sets):
        for r, c in cells:
            rows[i, r] |= np.uint32(1 << c)
    return rows


def to_cells(rows: np.ndarray) -> Cells:
    return {(r, c) for r in range(WORDS) for c in range(32) if int(rows[r]) >> c & 1}


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


# A set is a value in kernels only: these carry sets from memory to an operation and back.


def of_one_set(operation: Callable[..., object]) -> Callable[..., None]:
    @kernel
    def call(sets, links, out):
        store(out, 0, operation(load(sets, 0), links))

    return call


def with_a_number(operation: Callable[..., object]) -> Callable[..., None]:
    @kernel
    def call(sets, number, links, out):
        store(out, 0, operation(load(sets, 0), number, links))

    return call


@kernel
def ray_into(sets, direction, links, out):
    store(out, 0, grid.ray(load(sets, 0), direction, load(sets, 1), links))


@kernel
def flood_into(sets, links, out):
    store(out, 0, grid.flood(load(sets, 0), load(sets, 1), links))


@kernel
def algebra_into(sets, out):
    a, b = load(sets, 0), load(sets, 1)
    store(out, 0, a & b)
    store(out, 1, a | b)
    store(out, 2, a ^ b)
    store(out, 3, a & ~b)
    store(out, 4, hexset.first_hex(a))
    store(out, 5, hexset.no_hexes())


@kernel
def count_of(sets, i):
    return hexset.count(load(sets, i))


@kernel
def are_empty_and_meet(sets):
    a, b = load(sets, 0), load(sets, 1)
    return hexset.is_empty(a), hexset.is_empty(b), grid.meets(a, b)


@kernel
def one_hex_into(cell, out):
    store(out, 0, hexset.one_hex(cell))


@kernel
def rows_into(sets, array, first):
    hexset.store_rows(array, first, load(sets, 0), ROWS)


@kernel
def bits_into(array, index, word):
    bits.store_bits(array, index, word)


@kernel
def bytes_into(array, index, word):
    bits.store_bytes(array, index, word)


def written(call: Callable[..., None], *arguments: object) -> Cells:
    out = np.zeros((1, WORDS), np.uint32)
    call(*arguments, out)
    return to_cells(out[0])


SPREAD, LEAP, RING, FIRST_GROUP = (of_one_set(f) for f in (grid.spread, grid.leap, grid.ring, grid.first_group))
STEP, RUN = with_a_number(grid.step), with_a_number(grid.run)


@pytest.mark.rule("core/grid.py, spread")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_spread__random_set__is_all_neighbours(seams: int, size: int) -> None:
    cells = random_cells(size, size)
    assert written(SPREAD, to_sets(cells), links(seams)) == around(cells, seams)


@pytest.mark.rule("core/grid.py, step")
@pytest.mark.parametrize(("seams", "size"), CASES)
@pytest.mark.parametrize("direction", range(6))
def test_step__random_set__is_the_neighbours_on_one_side(direction: int, seams: int, size: int) -> None:
    cells = random_cells(size, size)
    expected = steps(cells, direction, seams)
    assert written(STEP, to_sets(cells), direction, links(seams)) == expected


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
    assert written(ray_into, to_sets(start, ground), direction, links(seams)) == expected


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
    assert written(RUN, to_sets(cells), length, links(seams)) == expected


@pytest.mark.rule("core/grid.py, leap and ring")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_leap_and_ring__random_set__are_at_distance_two(seams: int, size: int) -> None:
    cells = random_cells(size, size)
    straight = set().union(*(steps(steps(cells, d, seams), d, seams) for d in range(6)))
    assert written(LEAP, to_sets(cells), links(seams)) == straight
    ring: Cells = set()
    for cell in cells:
        near = around({cell}, seams)
        ring |= around(near, seams) - near - {cell}
    assert written(RING, to_sets(cells), links(seams)) == ring


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
    assert written(flood_into, to_sets(seed, ground), links(seams)) == expected


@pytest.mark.rule("core/grid.py, first_group")
@pytest.mark.parametrize(("seams", "size"), CASES)
def test_first_group__until_nothing_is_left__is_every_group_once(seams: int, size: int) -> None:
    left = random_cells(size, size)
    while left:
        group = written(FIRST_GROUP, to_sets(left), links(seams))
        assert min(left) in group
        assert group <= left
        left -= group
        assert not around(group, seams) & left, "the group is whole"
        start = {min(group)}
        while (grown := (around(start, seams) & group) | start) != start:
            start = grown
        assert start == group, "the group is connected"


@pytest.mark.rule("core/hexset.py")
@pytest.mark.parametrize("size", [0, 1, 50, 427])
def test_set__as_a_value__is_pythons_own(size: int) -> None:
    a, b = random_cells(size, 1), random_cells(100, 2)
    sets, out = to_sets(a, b), np.ones((6, WORDS), np.uint32)
    algebra_into(sets, out)
    assert [to_cells(row) for row in out] == [a & b, a | b, a ^ b, a - b, set(sorted(a)[:1]), set()]
    assert (count_of(sets, 0), count_of(sets, 1)) == (size, 100)
    assert are_empty_and_meet(sets) == (not a, False, bool(a & b))


@pytest.mark.rule("core/hexset.py")
@pytest.mark.parametrize("size", [1, 50])
def test_store_rows__writes_the_rows_of_a_board_and_nothing_else(size: int) -> None:
    array = np.full(60, 7, np.uint32)
    rows_into(to_sets(random_cells(size, 3)), array, 20)
    assert to_cells(np.append(array[20 : 20 + ROWS], np.zeros(WORDS - ROWS, np.uint32))) == random_cells(size, 3)
    assert (array[:20] == 7).all() and (array[20 + ROWS :] == 7).all()


@pytest.mark.rule("core/grid.py, single hexes")
@pytest.mark.parametrize("size", [0, 1, 50, 427])
def test_nth_cell__of_each_number__is_the_hex_in_order(size: int) -> None:
    cells = random_cells(size, 1)
    sets = to_sets(set(), cells)
    order = [32 * r + c for r, c in sorted(cells)]
    assert [grid.nth_cell(sets, 1, n) for n in range(size)] == order
    assert grid.nth_cell(sets, 1, size) == -1


@pytest.mark.rule("core/grid.py, single hexes")
def test_put_has_take__one_hex__and_no_other() -> None:
    sets = to_sets(set(), set())
    grid.put(sets, 1, 32 * 13 + 26)
    assert to_cells(sets[1]) == {(13, 26)}
    assert grid.has(sets, 1, 32 * 13 + 26)
    assert not grid.has(sets, 1, 32 * 13 + 25)
    grid.put(sets, 1, 0)
    grid.take(sets, 1, 32 * 13 + 26)
    assert to_cells(sets[1]) == {(0, 0)} == written(one_hex_into, 0)
    assert written(one_hex_into, 32 * 26 + 31) == {(26, 31)}
    assert not sets[0].any()


@pytest.mark.rule("core/bits.py")
@pytest.mark.parametrize("entries", [np.uint8, np.float32])
@pytest.mark.parametrize("word", [np.uint32(0x8000_0005), np.uint64(1 << 63 | 1 << 33 | 1)])
def test_store_bits__of_a_word__are_noughts_and_ones(entries: type[np.generic], word: np.unsignedinteger) -> None:
    array = np.full(80, 7, entries)
    bits_into(array, 5, word)
    expected = [7] * 5 + [int(word) >> i & 1 for i in range(8 * word.nbytes)]
    assert array.tolist() == expected + [7] * (80 - len(expected))


@pytest.mark.rule("core/bits.py")
@pytest.mark.parametrize("entries", [np.uint8, np.uint32])
def test_store_bytes__of_a_word__the_lowest_comes_first(entries: type[np.generic]) -> None:
    array = np.full(20, 7, entries)
    bytes_into(array, 5, np.uint64(0xFF00_0000_0000_8001))
    assert array.tolist() == [7] * 5 + [0x01, 0x80, 0, 0, 0, 0, 0, 0xFF] + [7] * 7


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
