"""Generate terrain board sides: random ones from a seed, and the fourteen of ``boards/standard.txt``.

A side is filled region by region. Each region starts in the tightest free corner and grows where it stays compact; the
remaining hexes become ice and mountain. The most compact of several candidates is returned.
Sets of hexes are integers here: bit i is hex i of the side. All arithmetic is on integers and all randomness comes
from ``Stream``, so a seed gives the same boards on every machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games.winter_kingdom.boards import (
    N_SIDES,
    RIM,
    ROW_LENGTHS,
    SIDE_NEIGHBOURS,
    SPECIAL_COUNTS,
    Sides,
    format_sides,
    side_label,
)
from winterkingdom_env.games.winter_kingdom.layout import (
    BOARD_HEXES,
    N_CARD_TERRAINS,
    Terrain,
)
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES

Runs = tuple[tuple[Terrain, int], ...]  # the known beginning of a top row: terrain, number of hexes

FELL, TUNDRA, FLOWER = Terrain.FELL_FIELD, Terrain.TUNDRA, Terrain.FLOWER_FIELD
GRASS, SNOW, FOREST = Terrain.GRASSLAND, Terrain.SNOWSCAPE, Terrain.FOREST
ICE, MOUNTAIN = Terrain.ICE, Terrain.MOUNTAIN

STANDARD_SEED = (
    2025  # GUESS: the printed sides are unknown; any seed works, the boards of this one were inspected by eye
)
# The known top rows, front and back of boards 1 to 7.
STANDARD_ROWS: tuple[Runs, ...] = (
    ((FELL, 3),), ((ICE, 2), (GRASS, 3)),
    ((FOREST, 3),), ((GRASS, 2),),
    ((FELL, 4),), ((MOUNTAIN, 1), (FOREST, 3)),
    ((FLOWER, 3),), ((GRASS, 1),),
    ((TUNDRA, 3),), ((FOREST, 1),),
    ((ICE, 2), (SNOW, 3)), ((SNOW, 1),),
    ((MOUNTAIN, 1), (TUNDRA, 4)), ((FLOWER, 1),),
)  # fmt: skip
# GUESS: one side has no ice and one has no mountain, but which ones is unknown. Here: board 4 front and board 5 back.
STANDARD_WITHOUT = {6: ICE, 9: MOUNTAIN}

SPLITS = {7: ((7,), (3, 4)), 8: ((8,), (3, 5), (4, 4))}  # hexes of a card terrain -> sizes of its regions
BARREN = (ICE, MOUNTAIN)
BARREN_REGION_MAX = 12
CANDIDATES = 8  # per side, of which the best is taken: 7 ms a side; the standard sides used more
STANDARD_CANDIDATES = 64
MAX_ATTEMPTS = 500  # four of five succeed; in 28,000 sides none took more than 20

NEAR = tuple(sum(1 << index for index in near) for near in SIDE_NEIGHBOURS)
ALL_HEXES = (1 << BOARD_HEXES) - 1
INNER = tuple(index for index in range(BOARD_HEXES) if index not in RIM)
TOP_ROW = ROW_LENGTHS[0]
# Adjacent pairs in the most compact region of n hexes, 3n - ceil(sqrt(12n - 3)).
MOST_PAIRS = (0, 0, 1, 3, 5, 7, 9, 12, 14, 16, 19, 21, 24)


class _Region(NamedTuple):
    """A region to grow from the hexes ``begun`` to ``size`` hexes, never onto ``barred``."""

    terrain: Terrain
    size: int
    begun: int = 0
    barred: int = 0


def make_side(
    stream: Stream, first_row: Runs = (), without: Terrain | None = None, candidates: int = CANDIDATES
) -> list[int]:
    """The terrain of the 61 hexes of a new side, the best of several candidates.

    ``first_row``: the runs at the start of its top row, followed by another terrain. ``without``: ice or mountain.
    """
    runs = tuple((Terrain(terrain), int(n)) for terrain, n in first_row)
    if without is not None and (without not in BARREN or any(terrain == without for terrain, _ in runs)):
        raise ValueError(f"without={without!r}: need ice or mountain, and not one that first_row={runs} asks for")
    best: list[int] | None = None
    best_score = n_made = 0
    for _ in range(MAX_ATTEMPTS):
        cells = _attempt(stream, runs, without)
        if cells is None:
            continue
        score = _score(cells)
        if best is None or score > best_score:
            best, best_score = cells, score
        n_made += 1
        if n_made == candidates:
            break
    if best is None:
        raise ValueError(
            f"no side with first_row={runs} and without={without!r} in {MAX_ATTEMPTS} attempts; "
            f"need at most {TOP_ROW} hexes, different terrains next to each other, each at most 5 long"
        )
    return best


def make_sides(seed: int) -> Sides:
    """Fourteen random sides, the same for the same seed; as in print, one has no ice and another no mountain."""
    stream = Stream(seed_state(seed))
    no_ice = stream.draw(N_SIDES)
    no_mountain = (no_ice + 1 + stream.draw(N_SIDES - 1)) % N_SIDES
    without = {no_ice: ICE, no_mountain: MOUNTAIN}
    terrain = [make_side(stream, without=without.get(side)) for side in range(N_SIDES)]
    names = tuple(side_label(side).replace("board", "generated") for side in range(N_SIDES))
    return Sides(names, np.array(terrain, dtype=np.int8))


def make_standard() -> Sides:
    """The sides of ``boards/standard.txt``: known top rows, the rest generated."""
    stream = Stream(seed_state(STANDARD_SEED))
    terrain = [
        make_side(stream, runs, STANDARD_WITHOUT.get(side), STANDARD_CANDIDATES)
        for side, runs in enumerate(STANDARD_ROWS)
    ]
    names = tuple(" ".join(f"{n} {TERRAIN_NAMES[hex_]}" for hex_, n in runs) for runs in STANDARD_ROWS)
    return Sides(names, np.array(terrain, dtype=np.int8))


def standard_text() -> str:
    """The content of ``boards/standard.txt``."""
    return (
        "# Not the printed layouts, which are not known to us: made by board_maker.py. Names and beginnings of the\n"
        "# top rows are those of the printed boards. Whoever owns the game can replace the rows and load the file.\n"
        "#\n"
    ) + format_sides(make_standard())


def _attempt(stream: Stream, runs: Runs, without: Terrain | None) -> list[int] | None:
    """One side that meets every constraint, or None."""
    cells = [-1] * BOARD_HEXES
    free = _place_specials(stream, cells)
    plan = _plan(stream, runs, without)
    if free is None or plan is None:
        return None
    for region in plan:
        free &= ~region.begun  # no other region may take them
    own: dict[Terrain, int] = {}
    for region in plan:
        is_barren = region.terrain in BARREN
        # Two regions of a card terrain do not touch; ice and mountain may.
        apart = 0 if is_barren else _spread(own.get(region.terrain, 0))
        hexes = _grow(stream, region, free & ~apart & ~region.barred)
        if hexes is None:
            if is_barren and not region.begun:
                continue  # its hexes are among the leftovers
            return None
        free &= ~hexes
        own[region.terrain] = own.get(region.terrain, 0) | hexes
    _share_leftovers(stream, free, own, without)
    for terrain, hexes in own.items():
        for index in _bits(hexes):
            cells[index] = terrain
    return cells if _is_sound(cells, own, runs, without) else None


def _place_specials(stream: Stream, cells: list[int]) -> int | None:
    """Put castle, tunnel and villages into ``cells`` and return the free hexes, or None if they do not fit."""
    free = ALL_HEXES
    open_hexes = sum(1 << index for index in INNER)
    for special, count in SPECIAL_COUNTS.items():
        for _ in range(count):
            choice = list(_bits(open_hexes))
            if not choice:
                return None
            index = choice[stream.draw(len(choice))]
            cells[index] = special
            free &= ~(1 << index)
            open_hexes &= ~(NEAR[index] | 1 << index)
    return free


def _plan(stream: Stream, runs: Runs, without: Terrain | None) -> list[_Region] | None:
    """The regions to grow, in order: those of the top row, then large before small, roughly."""
    sizes: list[tuple[Terrain, int]] = []
    n_barren = BOARD_HEXES - sum(SPECIAL_COUNTS.values())
    for terrain in map(Terrain, range(N_CARD_TERRAINS)):
        splits = SPLITS[7 + stream.draw(2)]
        # One region or two, with equal probability.
        split = splits[0] if stream.draw(2) else splits[1 + stream.draw(len(splits) - 1)]
        sizes += [(terrain, size) for size in split]
        n_barren -= sum(split)
    sizes += _plan_barren(stream, n_barren, without)
    begun = _begin_top_row(sizes, runs)
    if begun is None:
        return None
    # Large regions need the room most; the noise lets small ones lie anywhere.
    rest = sorted((-2 * size + stream.draw(8), i) for i, (_, size) in enumerate(sizes))
    return begun + [_Region(*sizes[i]) for _, i in rest]


def _plan_barren(stream: Stream, n_barren: int, without: Terrain | None) -> list[tuple[Terrain, int]]:
    """Two to four regions of ice and mountain, a few hexes fewer than ``n_barren``; the rest fills gaps."""
    n_regions = 2 + stream.draw(3)
    left = n_barren - 1 - stream.draw(3)
    terrains = [ICE, MOUNTAIN] + [BARREN[stream.draw(2)] for _ in range(n_regions - 2)]
    parts = []
    for i, terrain in enumerate(terrains):
        even = left // (n_regions - i)
        size = left if i == n_regions - 1 else max(1, even - 1 + stream.draw(3))
        left -= size
        parts.append((terrain, size))
    if without is not None:
        other = MOUNTAIN if without == ICE else ICE
        parts = [(other, size) for _, size in parts]
    return parts


def _begin_top_row(sizes: list[tuple[Terrain, int]], runs: Runs) -> list[_Region] | None:
    """Take the regions that lie in the known top row out of ``sizes``; None if none is large enough."""
    begun = []
    start = 0
    for terrain, n in runs:
        fitting = [entry for entry in sizes if entry[0] == terrain and entry[1] >= n]
        end = start + n
        if not fitting or end > TOP_ROW:
            return None
        sizes.remove(fitting[-1])
        barred = 1 << end if end < TOP_ROW else 0
        begun.append(_Region(terrain, fitting[-1][1], (1 << end) - (1 << start), barred))
        start = end
    return begun


def _grow(stream: Stream, region: _Region, free: int) -> int | None:
    """The hexes of a region that grows over ``free`` hexes, or None if there is no room."""
    hexes = region.begun
    if not hexes:
        start = _tightest(stream, free, region.size)
        if start is None:
            return None
        hexes = 1 << start
    frontier = _spread(hexes)
    for _ in range(region.size - hexes.bit_count()):
        best, best_value = -1, -1000
        for index in _bits(frontier & free & ~hexes):
            near = NEAR[index]
            # Prefer round (neighbours inside) and tidy (no free neighbours left behind) regions, with some noise.
            inside = (near & hexes).bit_count()
            value = 6 * inside - 2 * (near & free & ~hexes).bit_count() + stream.draw(6)
            if value > best_value:
                best, best_value = index, value
        if best < 0:
            return None
        hexes |= 1 << best
        frontier |= NEAR[best]
    return hexes


def _tightest(stream: Stream, free: int, size: int) -> int | None:
    """A free hex with few free neighbours, in a free area of at least ``size`` hexes."""
    while free:
        best, best_value = -1, 1000
        for index in _bits(free):
            value = 2 * (NEAR[index] & free).bit_count() + stream.draw(5)
            if value < best_value:
                best, best_value = index, value
        area = _area(1 << best, free)
        if area.bit_count() >= size:
            return best
        free &= ~area
    return None


def _share_leftovers(stream: Stream, left: int, own: dict[Terrain, int], without: Terrain | None) -> None:
    """Give each leftover area to ice or mountain, whichever it touches more."""
    while left:
        area = _area(left & -left, left)
        left &= ~area
        around = _spread(area)
        touching = [(around & own.get(terrain, 0)).bit_count() for terrain in BARREN]
        pick = stream.draw(2) if touching[0] == touching[1] else int(touching[1] > touching[0])
        terrain = BARREN[pick]
        if terrain == without:
            terrain = BARREN[1 - pick]
        own[terrain] = own.get(terrain, 0) | area


def _is_sound(cells: list[int], own: dict[Terrain, int], runs: Runs, without: Terrain | None) -> bool:
    """Whether ice, mountain and the top row meet the constraints."""
    for terrain in BARREN:
        hexes = own.get(terrain, 0)
        if (hexes == 0) != (terrain == without):
            return False
        if any(area.bit_count() > BARREN_REGION_MAX for area in _areas(hexes)):
            return False
    found = [(terrain, len(list(run))) for terrain, run in groupby(cells[:TOP_ROW])]
    return found[: len(runs)] == list(runs)


def _score(cells: list[int]) -> int:
    """A penalty, 0 at best, for scattered regions, single hexes, and uniform land around castle, tunnel and villages."""
    score = 0
    for terrain in range(N_CARD_TERRAINS + len(BARREN)):
        hexes = sum(1 << index for index, hex_ in enumerate(cells) if hex_ == terrain)
        for area in _areas(hexes):
            pairs = sum((NEAR[index] & area).bit_count() for index in _bits(area)) // 2
            score -= 2 * (MOST_PAIRS[area.bit_count()] - pairs)
            if area.bit_count() == 1:
                score -= 2
    for index in INNER:
        if cells[index] in SPECIAL_COUNTS:
            around = {cells[near] for near in SIDE_NEIGHBOURS[index]}
            score -= 2 * max(0, 2 - sum(hex_ < N_CARD_TERRAINS for hex_ in around))
    return score


def _bits(hexes: int) -> Iterator[int]:
    """The hexes of a set, in order."""
    while hexes:
        low = hexes & -hexes
        yield low.bit_length() - 1
        hexes ^= low


def _spread(hexes: int) -> int:
    """Every hex that touches a hex of the set."""
    out = 0
    for index in _bits(hexes):
        out |= NEAR[index]
    return out


def _area(start: int, hexes: int) -> int:
    """The connected part of the set that contains ``start``."""
    area = new = start
    while new:
        new = _spread(new) & hexes & ~area
        area |= new
    return area


def _areas(hexes: int) -> Iterator[int]:
    """The separate regions of a set."""
    while hexes:
        area = _area(hexes & -hexes, hexes)
        yield area
        hexes &= ~area


def main(argv: Sequence[str] | None = None) -> None:
    """Print a file of terrain boards."""
    module = "python -m winterkingdom_env.games.winter_kingdom.board_maker"
    parser = argparse.ArgumentParser(
        prog=module,
        description="Print fourteen terrain board sides as text: the project's standard sides, or random ones.",
        epilog=f"examples:\n  {module} > my_boards.txt\n  {module} --seed 7",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, metavar="N", help="print random sides made from this seed (any integer)")
    seed = parser.parse_args(argv).seed
    sys.stdout.write(standard_text() if seed is None else format_sides(make_sides(seed)))


if __name__ == "__main__":
    main()
