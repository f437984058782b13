"""Quadrants and islands for tests: the known ones from the package's file, generated ones for the rest.

The layouts of Marshlands, Harvest and the island are not known. ``generated`` makes them from a seed under the constraints that are known:
one palace or silo, two location hexes, all specials inside rows and columns 1 to 8 and three apart, a certain number of mountains far from
them, some swamp or farmland, and about 10 to 20 hexes of each basic terrain.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import winterkingdom_env

QUADRANT_FILE = Path(winterkingdom_env.__file__).parent / "games" / "kingdom_builder" / "boards" / "quadrants.txt"
HEADER = re.compile(r"\[(\w+)\] set=(\w+) (.*?) \|.*")
WORDS = {
    "cityhall": "city hall",
    "watermill": "water mill",
    "mountainstation": "mountain station",
    "scoutcabin": "scout cabin",
}
SIZE = 10
FAR = 3
BASIC = "gftcd"
# name: set, kinds, other specials, mountains far from every special
UNKNOWN: dict[str, tuple[str, dict[str, str], str, int]] = {
    "temple": ("marshlands", {"L": "temple"}, "LLP", 1),
    "refuge": ("marshlands", {"L": "refuge"}, "LLP", 6),
    "canoe": ("marshlands", {"L": "canoe"}, "LLP", 7),
    "fountain": ("marshlands", {"L": "fountain"}, "LLP", 2),
    "bazaar": ("harvest", {"1": "bazaar", "2": "water mill"}, "12O", 6),
    "mountainstation": ("harvest", {"1": "mountain station", "2": "scout cabin"}, "12OS", 2),
    "cathedral": ("harvest", {"1": "cathedral", "2": "watchtower"}, "12O", 1),
    "university": ("harvest", {"1": "university", "2": "palisade"}, "12O", 3),
}
ISLAND_SHAPE = (".xxxxxx.", "xxxxxxxx", "xxxxxxxx", "xxxxxxxx", ".xxxxxx.")


@lru_cache(maxsize=1)
def known() -> dict[str, Any]:
    """The 16 layouts of the package's file."""
    found: dict[str, Any] = {}
    for line in QUADRANT_FILE.read_text(encoding="utf-8").splitlines():
        if header := HEADER.match(line):
            kinds = dict(part.split("=") for part in header[3].split())
            kinds = {letter: WORDS.get(kind, kind) for letter, kind in kinds.items()}
            found[header[1]] = {"rows": [], "kinds": kinds, "set": header[2]}
            rows = found[header[1]]["rows"]
        elif line and not line.startswith("#"):
            rows.append(line)
    return found


def neighbours(row: int, col: int) -> list[tuple[int, int]]:
    """The places next to one, which need not exist."""
    left = col - 1 + row % 2
    return [(row, col - 1), (row, col + 1), *((row + d, left + e) for d in (-1, 1) for e in (0, 1))]


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    d_row = a[0] - b[0]
    d_q = a[1] - a[0] // 2 - b[1] + b[0] // 2
    return max(abs(d_row), abs(d_q), abs(d_row + d_q))


def _apart(dice: random.Random, n: int) -> list[tuple[int, int]]:
    """Places for specials."""
    while True:
        places = [(dice.randint(1, 8), dice.randint(1, 8)) for _ in range(n)]
        if all(distance(a, b) >= FAR for i, a in enumerate(places) for b in places[:i]):
            return places


def _grow(dice: random.Random, empty: set[tuple[int, int]], sizes: dict[str, int]) -> dict[tuple[int, int], str]:
    """The empty places filled with patches, so many hexes of each letter."""
    found: dict[tuple[int, int], str] = {}
    left, sizes = set(empty), dict(sizes)
    while left:
        letter = dice.choice([letter for letter, n in sizes.items() if n > 0])
        place = dice.choice(sorted(left))
        for _ in range(min(sizes[letter], dice.randint(3, 8))):
            found[place] = letter
            left.discard(place)
            sizes[letter] -= 1
            near = sorted({other for here in found if found[here] == letter for other in neighbours(*here)} & left)
            if not near:
                break
            place = dice.choice(near)
    return found


def _quadrant(dice: random.Random, specials: str, n_far: int, extra: str) -> list[str]:
    places = [(row, col) for row in range(SIZE) for col in range(SIZE)]
    cells = dict(zip(_apart(dice, len(specials)), specials, strict=True))
    far = [place for place in places if all(distance(place, special) >= FAR for special in cells)]
    if len(far) < n_far:
        return _quadrant(dice, specials, n_far, extra)
    near = [place for place in places if place not in far and place not in cells]
    cells |= dict.fromkeys(dice.sample(far, n_far) + dice.sample(near, 3), "m")
    empty = {place for place in places if place not in cells}
    sizes = {"w": dice.randint(8, 12), extra: dice.randint(6, 10)}
    n_basic = len(empty) - sum(sizes.values())
    sizes |= {letter: n_basic // 5 + (i < n_basic % 5) for i, letter in enumerate(BASIC)}
    cells |= _grow(dice, empty, sizes)
    return ["".join(cells[row, col] for col in range(SIZE)) for row in range(SIZE)]


def generated(seed: int) -> dict[str, Any]:
    """Layouts for the eight quadrants that are not known."""
    dice = random.Random(seed)
    return {
        name: {
            "rows": _quadrant(dice, specials, n_far, "p" if of_set == "marshlands" else "a"),
            "kinds": dict(kinds),
            "set": of_set,
        }
        for name, (of_set, kinds, specials, n_far) in UNKNOWN.items()
    }


def generated_islands(seed: int) -> dict[str, Any]:
    """Two sides of an island: 36 hexes, one location hex and one castle each."""
    dice = random.Random(seed)
    islands = {}
    for name in ("rope bridge", "tree house"):
        places = {(row, col) for row, line in enumerate(ISLAND_SHAPE) for col, x in enumerate(line) if x == "x"}
        cells = {(dice.randint(1, 3), dice.randint(1, 2)): "L", (dice.randint(1, 3), dice.randint(5, 6)): "S"}
        empty = places - set(cells)
        sizes = {letter: len(empty) // 5 + (i < len(empty) % 5) for i, letter in enumerate(BASIC)}
        cells |= _grow(dice, empty, sizes)
        rows = ["".join(cells.get((row, col), ".") for col in range(len(ISLAND_SHAPE[0]))) for row in range(5)]
        islands[name] = {"rows": rows, "kinds": {"L": name}}
    return islands


@lru_cache(maxsize=8)
def every_layout(seed: int = 1) -> dict[str, Any]:
    """All 24 quadrants, eight of them generated."""
    return known() | generated(seed)


@lru_cache(maxsize=8)
def every_island(seed: int = 1) -> dict[str, Any]:
    """Both sides of the island, generated."""
    return generated_islands(seed)
