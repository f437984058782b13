"""Generate quadrants and islands from a seed, with the statistics of the 16 printed quadrants that are known.

Specials come first, then a river, lakes and mountains. The rest is filled area by area: each starts in the tightest free corner and
grows there. The best of several candidates is returned.
Sets of hexes are integers here (board_hexes.py), for an island too. All arithmetic is on integers and all randomness comes from
``Stream``, so a seed gives the same boards on every machine. Each quadrant has a stream of its own.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games.kingdom_builder.board_hexes import (
    ALL_HEXES,
    INNER,
    NEAR,
    RIM,
    any_of,
    areas_of,
    bits,
    distance,
    spread,
    within,
)
from winterkingdom_env.games.kingdom_builder.boards import (
    Layouts,
    format_layouts,
    load_layouts,
    own_layouts,
    specials_of,
    standard_layouts,
)
from winterkingdom_env.games.kingdom_builder.kinds import Terrain
from winterkingdom_env.games.kingdom_builder.layout import ISLAND_COLUMNS, ISLAND_ROWS, N_BASIC, NONE, QUADRANT_HEXES
from winterkingdom_env.games.kingdom_builder.tables import (
    HARVEST,
    ISLAND_NAMES,
    ISLANDS,
    MARSHLANDS,
    QUADRANT_NAMES,
    QUADRANTS,
    Quadrant,
)

STANDARD, OWN, GENERATED = "standard", "own", "generated"  # where quadrants can come from, besides a file
GENERATED_BY = re.compile(r"generated:([0-9]{1,40})")
OWN_SEED = 3  # GUESS: the printed layouts are not known; any seed works, the boards of this one were inspected by eye
OWN_NAMES = (*(quadrant.name for quadrant in QUADRANTS if quadrant.set in (MARSHLANDS, HARVEST)), *ISLAND_NAMES)
MODULE = "python -m winterkingdom_env.games.kingdom_builder.board_maker"
KEPT = 64  # size of the cache
CANDIDATES = 6  # per quadrant, of which the best is taken: 0.3 s for all 26
MAX_ATTEMPTS = 2000  # three of five succeed; in 3,900 boards the six candidates never took more than 37
APART = 3  # distance of two specials, and of a far mountain from every special (2.2 of the rules)

# 2.2 of the rules: mountains that are far from every special
FAR_MOUNTAINS = {
    "temple": 1, "refuge": 6, "canoe": 7, "fountain": 2, "bazaar": 6, "mountainstation": 2, "cathedral": 1, "university": 3,
}  # fmt: skip
WITH_CASTLE = ("mountainstation", *ISLAND_NAMES)  # of those whose layout is not known
EXTRA = {MARSHLANDS: Terrain.SWAMP, HARVEST: Terrain.FARMLAND}
# What boards/quadrants.txt has, without the extremes.
WATER = (8, 9, 10, 10, 11, 13, 13, 15, 17, 18, 19, 21, 24)
MOUNTAINS = (0, 2, 3, 4, 4, 5, 6, 6, 8, 9, 10, 10)
LITTLE_WATER = tuple(n for n in WATER if n <= 15)  # leaves room for swamp or farmland
LAKES = 12  # attempts
RIDGE = 4  # hexes of a mountain area, at most, when it is begun
EXTRA_FEWEST, EXTRA_MOST = 8, 14
FEWEST, MOST = 10, 20  # hexes of a basic terrain
ISLAND_FEWEST, ISLAND_MOST = 4, 10
SAME = 68  # of 100 pairs of neighbours on land that have the same terrain
# GUESS: the printed shapes are not known. First column and number of hexes of each row, symmetric to a vertical line.
ISLAND_SHAPES = (
    ((2, 6), (1, 7), (1, 8), (1, 7), (2, 6)),
    ((2, 6), (1, 7), (0, 10), (1, 7), (2, 6)),
    ((3, 4), (0, 9), (0, 10), (0, 9), (3, 4)),
    ((2, 6), (0, 9), (1, 8), (1, 7), (2, 6)),
    ((2, 5), (0, 8), (0, 9), (0, 8), (2, 5)),
    ((1, 7), (0, 8), (0, 9), (0, 8), (2, 5)),
)
LAND = tuple(range(Terrain.FARMLAND + 1))


class Recipe(NamedTuple):
    """What a quadrant or an island is made of."""

    ground: int  # its hexes
    open: int  # where specials may lie
    specials: tuple[int, ...]  # codes
    n_water: int
    n_mountains: int
    n_far: int  # mountains far from every special; NONE if any number will do
    extra: int  # swamp, farmland or NONE
    n_extra: int
    fewest: int  # hexes of a basic terrain
    most: int


def layouts_of(source: str, seed: int) -> Layouts:
    """The quadrants and islands of "standard", "own", "generated" (from ``seed``), "generated:5", or a file. Raises BoardFileError."""
    if source == STANDARD:
        return standard_layouts()
    if source == OWN:
        return own_layouts()
    if source == GENERATED:
        return generated_layouts(seed)
    own_seed = GENERATED_BY.fullmatch(source)
    return generated_layouts(int(own_seed[1])) if own_seed else load_layouts(source)


@lru_cache(maxsize=KEPT)
def generated_layouts(seed: int) -> Layouts:
    """All quadrants and both islands, the same for the same seed."""
    quadrants = [make_quadrant(seed, quadrant) for quadrant in QUADRANTS]
    islands = [make_quadrant(seed, island)[: ISLAND_ROWS * ISLAND_COLUMNS] for island in ISLANDS]
    return Layouts(np.array(quadrants, np.int8), np.array(islands, np.int8))


def make_quadrant(seed: int, quadrant: Quadrant, candidates: int = CANDIDATES) -> list[int]:
    """The 100 codes of a quadrant, the best of several candidates; those of an island, in its first 50, end with no hexes."""
    stream = Stream(derive(int(seed), "kingdom_builder board", quadrant.name))
    recipe = (_island_recipe if quadrant in ISLANDS else _recipe)(stream, quadrant)
    best: list[int] | None = None
    best_score = n_made = 0
    for _ in range(MAX_ATTEMPTS):
        cells = _attempt(stream, recipe)
        if cells is None:
            continue
        score = _score(cells, recipe)
        if best is None or score > best_score:
            best, best_score = cells, score
        n_made += 1
        if n_made == candidates:
            break
    if best is None:
        raise ValueError(f"{quadrant.name}: no quadrant of seed {seed} in {MAX_ATTEMPTS} attempts; try another seed")
    return best


def _specials(quadrant: Quadrant) -> tuple[int, ...]:
    """The codes of the specials of a quadrant."""
    codes: list[int] = []
    for code, allowed in specials_of(quadrant).items():
        codes += [code] * (allowed[0] if len(allowed) == 1 else int(quadrant.name in WITH_CASTLE))
    return tuple(codes)


def _recipe(stream: Stream, quadrant: Quadrant) -> Recipe:
    """What a quadrant is made of."""
    extra, n_extra, n_far = EXTRA.get(quadrant.set, NONE), 0, FAR_MOUNTAINS.get(quadrant.name, NONE)
    waters = WATER if extra == NONE else LITTLE_WATER
    n_water, n_mountains = waters[stream.draw(len(waters))], MOUNTAINS[stream.draw(len(MOUNTAINS))]
    if extra != NONE:
        n_extra = EXTRA_FEWEST + 1 + stream.draw(EXTRA_MOST - EXTRA_FEWEST - 1)
        n_mountains = n_far + stream.draw(4)
    specials = _specials(quadrant)
    return Recipe(ALL_HEXES, INNER, specials, n_water, n_mountains, n_far, int(extra), n_extra, FEWEST, MOST)


def _island_recipe(stream: Stream, island: Quadrant) -> Recipe:
    """What an island is made of: basic terrains only, since water lies around it."""
    shape = ISLAND_SHAPES[stream.draw(len(ISLAND_SHAPES))]
    ground = sum(((1 << n) - 1) << (ISLAND_COLUMNS * row + first) for row, (first, n) in enumerate(shape))
    inner = sum(1 << index for index in bits(ground) if (NEAR[index] & ground).bit_count() == 6)
    return Recipe(ground, inner, _specials(island), 0, 0, NONE, NONE, 0, ISLAND_FEWEST, ISLAND_MOST)


def _attempt(stream: Stream, recipe: Recipe) -> list[int] | None:
    """One quadrant that meets every constraint, or None."""
    cells = [NONE] * QUADRANT_HEXES
    specials = _place_specials(stream, recipe, cells)
    if specials is None:
        return None
    free = recipe.ground & ~specials
    water = _flood(stream, recipe, free)
    mountains = None if water is None else _raise_mountains(stream, recipe, specials, free & ~water)
    if water is None or mountains is None:
        return None
    land = _settle(stream, recipe, free & ~water & ~mountains)
    if land is None:
        return None
    for terrain, hexes in (land | {Terrain.WATER: water, Terrain.MOUNTAIN: mountains}).items():
        for index in bits(hexes):
            cells[index] = int(terrain)
    return cells


def _place_specials(stream: Stream, recipe: Recipe, cells: list[int]) -> int | None:
    """Put the specials into ``cells`` and return their hexes, or None if they do not fit."""
    places, found = recipe.open, 0
    for code in recipe.specials:
        index = any_of(stream, places)
        if index is None:
            return None
        cells[index] = code
        found |= 1 << index
        places &= ~within(1 << index, APART - 1)
    return found


def _flood(stream: Stream, recipe: Recipe, free: int) -> int | None:
    """The water: a river from edge to edge, and lakes with what is left; None if it does not fit."""
    if not recipe.n_water:
        return 0
    water = _river(stream, recipe.n_water, free)
    for _ in range(LAKES):
        n_left = recipe.n_water - water.bit_count()
        # A lake at an end of the river, or now and then apart from it.
        start = any_of(stream, (free & RIM & ~within(water, 1)) if stream.draw(5) == 0 else (water & RIM or water))
        if start is None or not n_left:
            break
        for _ in range(min(n_left, 2 + stream.draw(6))):
            edge = (spread(water) & free & ~water) if water >> start & 1 else 1 << start
            index = _roundest(stream, edge & within(1 << start, 3), water, 4, 6)
            if index is None:
                break
            water |= 1 << index
    return water if water.bit_count() == recipe.n_water else None


def _river(stream: Stream, most: int, free: int) -> int:
    """A winding line of at most ``most`` hexes from the rim towards a distant hex of the rim."""
    start = any_of(stream, free & RIM)
    if start is None:
        return 0
    goal = any_of(stream, free & RIM & ~within(1 << start, 5))
    river, here = 1 << start, start
    while goal is not None and here != goal and river.bit_count() < most:
        best, best_value = NONE, 1000
        for index in bits(NEAR[here] & free & ~river):
            along = 4 * (RIM >> index & 1 and index != goal)  # not along the edge
            value = 3 * distance(index, goal) + 3 * (NEAR[index] & river).bit_count() + along + stream.draw(8)
            if value < best_value:
                best, best_value = index, value
        if best == NONE:
            break
        river, here = river | 1 << best, best
    return river


def _raise_mountains(stream: Stream, recipe: Recipe, specials: int, free: int) -> int | None:
    """The mountains, in short ridges; None if they do not fit."""
    far = free & ~within(specials, APART - 1)
    if recipe.n_far == NONE:
        return _ridges(stream, recipe.n_mountains, free)
    mountains = _ridges(stream, recipe.n_far, far)
    others = _ridges(stream, recipe.n_mountains - recipe.n_far, free & ~far)
    return None if mountains is None or others is None else mountains | others


def _ridges(stream: Stream, n: int, free: int) -> int | None:
    """Some mountains on free hexes, in areas of one to four that may meet."""
    found = 0
    while n > 0:
        start = any_of(stream, free & ~within(found, 1) or free & ~found)
        if start is None:
            return None
        ridge = 1 << start
        for _ in range(min(n, 1 + stream.draw(RIDGE)) - 1):
            index = any_of(stream, spread(ridge) & free & ~found & ~ridge)
            if index is None:
                break
            ridge |= 1 << index
        found |= ridge
        n -= ridge.bit_count()
    return found


def _settle(stream: Stream, recipe: Recipe, free: int) -> dict[int, int] | None:
    """The hexes of each terrain of the land, which fill ``free``; None if one has too few or too many."""
    own = dict.fromkeys([*range(N_BASIC), *([recipe.extra] if recipe.extra != NONE else [])], 0)
    for terrain, size in _plan(stream, recipe, free.bit_count()):
        hexes = _grow(stream, size, free & ~spread(own[terrain]))
        free &= ~hexes
        own[terrain] |= hexes
    while free:
        index = min(bits(free), key=lambda each: (NEAR[each] & free).bit_count())
        around = [((NEAR[index] & hexes).bit_count(), -hexes.bit_count(), terrain) for terrain, hexes in own.items()]
        touching, _, terrain = max(around)
        if not touching:
            return None  # a single hex between water and specials
        own[terrain] |= 1 << index
        free &= ~(1 << index)
    for terrain, hexes in own.items():
        low, high = (EXTRA_FEWEST, EXTRA_MOST) if terrain == recipe.extra else (recipe.fewest, recipe.most)
        if not low <= hexes.bit_count() <= high or any(area.bit_count() < 2 for area in areas_of(hexes)):
            return None
    return own


def _plan(stream: Stream, recipe: Recipe, n_land: int) -> list[tuple[int, int]]:
    """Terrain and size of the areas to grow, roughly large before small; a few hexes fewer than there are."""
    n_basic = n_land - recipe.n_extra
    sizes = [(terrain, size) for size in _split(stream, recipe.n_extra) for terrain in [recipe.extra]]
    for terrain in range(N_BASIC):
        n = max(recipe.fewest, n_basic // N_BASIC - 2 + stream.draw(4))
        sizes += [(terrain, size) for size in _split(stream, n)]
    rest = sorted((-2 * size + stream.draw(10), i) for i, (_, size) in enumerate(sizes))
    return [sizes[i] for _, i in rest]


def _split(stream: Stream, n: int) -> list[int]:
    """The sizes of the areas of a terrain with ``n`` hexes: of five terrains in print one has one area, three or four have two."""
    kind = stream.draw(10)
    if n < 6 or kind < 2:
        return [n] if n else []
    small = 3 + stream.draw(max(1, n // 2 - 2))
    if kind < 9 or n - small < 8:
        return [n - small, small]
    return [n - small - 3, small, 3]


def _grow(stream: Stream, size: int, free: int) -> int:
    """The hexes of an area that grows over ``free`` hexes; fewer than ``size`` if there is no room."""
    start = _tightest(stream, free, size)
    if start is None:
        return 0
    hexes = 1 << start
    for _ in range(size - 1):
        index = _roundest(stream, spread(hexes) & free & ~hexes, hexes, 5, 9, free)
        if index is None:
            break
        hexes |= 1 << index
    return hexes


def _roundest(stream: Stream, choice: int, hexes: int, weight: int, noise: int, free: int = 0) -> int | None:
    """The hex that keeps a growing area round, and leaves few free neighbours behind, with some noise."""
    best, best_value = None, -1000
    for index in bits(choice):
        inside = (NEAR[index] & hexes).bit_count()
        value = weight * inside - 2 * (NEAR[index] & free & ~hexes).bit_count() + stream.draw(noise)
        if value > best_value:
            best, best_value = index, value
    return best


def _tightest(stream: Stream, free: int, size: int) -> int | None:
    """A hex with few free neighbours, in a free area of at least ``size`` hexes or else in the largest."""
    areas = list(areas_of(free))
    if not areas:
        return None
    roomy = [area for area in areas if area.bit_count() >= size] or [max(areas, key=int.bit_count)]
    best, best_value = None, 1000
    for index in bits(sum(roomy)):
        value = 2 * (NEAR[index] & free).bit_count() + stream.draw(6)
        if value < best_value:
            best, best_value = index, value
    return best


def _score(cells: list[int], recipe: Recipe) -> int:
    """A penalty, 0 at best, for land unlike that in print: too scattered or uniform, small areas, specials hard to reach."""
    same = pairs = score = 0
    for index in bits(recipe.ground):
        near = [cells[other] for other in bits(NEAR[index] & recipe.ground)]
        if cells[index] in LAND:
            beside = [code for code in near if code in LAND]
            pairs += len(beside)
            same += beside.count(cells[index])
        elif cells[index] not in (Terrain.WATER, Terrain.MOUNTAIN):
            score -= 6 * max(0, 4 - sum(code in LAND for code in near)) + 6 * max(0, 2 - len(set(near)))
    for terrain in LAND:
        areas = list(areas_of(sum(1 << index for index in bits(recipe.ground) if cells[index] == terrain)))
        score -= 6 * max(0, len(areas) - 3) + 2 * sum(area.bit_count() == 2 for area in areas)
    return score - abs(100 * same - SAME * pairs) // max(1, pairs)


def own_text(seed: int = OWN_SEED) -> str:
    """The content of ``boards/own.txt``, or the same quadrants and islands from another seed."""
    return (
        "# Our own layouts of the quadrants and islands of Kingdom Builder whose printed layouts are not known to us: four of\n"
        "# Marshlands, four of Harvest, both sides of the island. They are not the printed ones. They were made by\n"
        "#\n"
        f"#   {MODULE} --seed {seed}\n"
        "#\n"
        "# under the constraints that are known: kinds and numbers of special hexes, mountains far from them, terrains.\n"
        "# An owner of the box can copy this file and put the printed rows in. The letters are those of quadrants.txt;\n"
        "# on an island '.' is no hex.\n\n"
    ) + format_layouts(generated_layouts(seed), OWN_NAMES, "ours")


def all_text(seed: int) -> str:
    """Every generated quadrant and island as a file."""
    head = f"# Generated quadrants and islands of Kingdom Builder: {MODULE} --all --seed {seed}\n\n"
    return head + format_layouts(generated_layouts(seed), (*QUADRANT_NAMES, *ISLAND_NAMES), "generated")


def main(argv: Sequence[str] | None = None) -> None:
    """Print a file of quadrants."""
    parser = argparse.ArgumentParser(
        prog=MODULE,
        description="Print generated quadrants and islands as text: those whose printed layout is not known, or all.",
        epilog=f"examples:\n  {MODULE} > own.txt\n  {MODULE} --all --seed 7 > my_boards.txt",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    told = f"any integer; default {OWN_SEED}, that of boards/own.txt"
    parser.add_argument("--seed", type=int, default=OWN_SEED, metavar="N", help=told)
    parser.add_argument("--all", action="store_true", help="print all 24 quadrants and both islands")
    options = parser.parse_args(argv)
    sys.stdout.write(all_text(options.seed) if options.all else own_text(options.seed))


if __name__ == "__main__":
    main()
