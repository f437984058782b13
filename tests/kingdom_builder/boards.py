"""The test boards of Kingdom Builder as plain data: the constant part of a snapshot that a board decides.

FG, HB, NB, CB and MB are the boards of section 9 of the rules, SB has two silos, V is the board of position V. A hex is a label, r07c12 or i2c04.
The test quadrants and the test island are ours; the kinds of their locations are defaults.
"""

from __future__ import annotations

import re
from typing import Any

from tests.kingdom_builder.layouts import known, neighbours

BASE_TILES = ("oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock")
NOMAD_SET_TILES = ("quarry", "caravan", "village", "garden")
CROSSROADS_TILES = ("lighthouse", "forester", "barracks", "crossroads", "city hall", "fort", "monastery", "wagon")
MARSHLANDS_TILES = ("temple", "refuge", "canoe", "fountain")
HARVEST_TILES = (
    "bazaar", "water mill", "mountain station", "scout cabin", "cathedral", "watchtower", "university", "palisade",
)  # fmt: skip
ISLAND_TILES = ("rope bridge", "tree house")
SET_OF = {
    kind: name
    for name, kinds in {
        "nomads": NOMAD_SET_TILES,
        "crossroads": CROSSROADS_TILES,
        "marshlands": MARSHLANDS_TILES,
        "harvest": HARVEST_TILES,
    }.items()
    for kind in kinds
}
SETS = ("nomads", "crossroads", "marshlands", "harvest")
KINDS = (*BASE_TILES, *NOMAD_SET_TILES, *CROSSROADS_TILES, *MARSHLANDS_TILES, *HARVEST_TILES, *ISLAND_TILES)
DONATIONS = tuple(f"donation {name}" for name in ("grass", "flower", "forest", "canyon", "desert", "water", "mountain"))
NOMADS = (*DONATIONS, "resettlement", "outpost", "sword", "treasure")
TERRAINS = {
    "g": "grass", "f": "flower", "t": "forest", "c": "canyon", "d": "desert", "p": "swamp", "a": "farmland", "w": "water",
    "m": "mountain", "S": "castle", "L": "location", "N": "nomad", "P": "palace", "O": "silo",
}  # fmt: skip
LAND = ("grass", "flower", "forest", "canyon", "desert", "swamp", "farmland")
SIZE = 20

BOARDS = {
    "FG": ("tavern", "paddock", "oasis", "farm"),
    "HB": ("oracle", "harbor", "tower", "barn"),
    "NB": ("quarry", "caravan", "village", "garden"),
    "CB": ("lighthouse", "barracks", "cityhall", "monastery"),
    "MB": ("testmarsh", "testharvest", "oracle", "harbor"),
    "SB": ("testharvest", "testharvest", "oracle", "harbor"),  # two silos
    "V": ("v0", "v1", "v2", "v3"),
}


def rows_of(drawing: str) -> list[str]:
    """The lines of a drawing."""
    return drawing.split()


LAYOUTS: dict[str, dict[str, Any]] = known() | {
    "testmarsh": {
        "rows": rows_of("""
            gggggggggg
            gpppgggwwg
            gppggggwwg
            gggLgggggg
            ddddddmggg
            ddddddmmgg
            ddPddtttgg
            ddddttttLg
            ccccttttgg
            cccctttggg
        """),
        "kinds": {"L": "temple"},
        "set": "marshlands",
    },
    "testharvest": {
        "rows": rows_of("""
            gggggggggg
            gaaagggwwg
            gaaggggwgg
            ggg1gggggg
            ddddddmggg
            ddddddmmgg
            ddOddtttgg
            ddddtttt2g
            ccccttttgg
            cccctttggg
        """),
        "kinds": {"1": "cathedral", "2": "watchtower"},
        "set": "harvest",
    },
}
ISLAND = rows_of("""
    .ggdddc.
    ggLdddcc
    ggfffcct
    gttggSct
    .ttggtt.
""")

# Position V: any land is grass here; the pieces of seats 0 to 3 are written 1 to 4.
V_TERRAIN = rows_of("""
ggwgggggggggwggggggg
gmwwgggggggwggSggggg
gmggwgggLggwgggggggg
mmgwgggggggwgggggggg
ggmgwwggggwwgggggLgg
gggggwwwwwggSggggggg
gLgggggggggggggggmmm
ggwggSgggggggggmmmmm
ggwwggggmggwgwggggmm
gggggggmmggwwgggggmg
gggggggggggggggggggg
mggggggggggggLgggggg
mmgSgggggggggggggggg
mgggggggggmmgggggggg
gggwgggggggggggggwww
ggggwgLgggggLgggwggg
gggwggggggggggggwgSg
Sgggggggggggggggwggm
gggggmggggggggggwggg
gggggmmgggggggggwwgg
""")
V_PIECES = rows_of("""
33....4.4..2..4..4.4
3....11..42..3.44..4
3.22.111.32.43.14.4.
....22...22.3.111...
.4....2222..3.14....
...........3.1..2222
..1111..2..4...22...
4..4..44......2.....
.4.....4.......222..
.................2..
...333333333333332.1
.33........4..2.241.
.....4.4.....124211.
...1.4......12..21..
....11411...12..2...
..11.1..1111...2..4.
.11..33........2.4.3
.1333.3.4.4.4..2.11.
4334..43.......2....
...4...3..44.4.2....
""")


def hex_label(row: int, column: int) -> str:
    return f"r{row:02d}c{column:02d}"


def place_of(label: str) -> tuple[int, int]:
    """Row and column of a hex."""
    found = re.fullmatch(r"[ri](\d+)c(\d\d)", label)
    assert found, f"{label!r} is no hex"
    return int(found[1]), int(found[2])


def number_of(label: str) -> int:
    """The number of a hex, for the order of lists."""
    row, column = place_of(label)
    number = SIZE * row + column
    return number if label[0] == "r" else SIZE * SIZE + number  # the island's own numbers rise in the same order


def neighbours_of(label: str) -> list[str]:
    """The labels around a hex, whether they are on a board or not."""
    letter, width = (label[0], 2 if label[0] == "r" else 1)
    return [f"{letter}{r:0{width}d}c{c:02d}" for r, c in neighbours(*place_of(label)) if r >= 0 and c >= 0]


def board(name: str, kinds: list[str], island: str = "") -> dict[str, Any]:
    """Quadrants, terrain, locations and island; ``kinds`` are those of the test locations L, 1 and 2 of MB."""
    assert name == "MB" or not kinds, f"{name}: only MB has locations of any kind"
    named = dict(zip("L12", kinds, strict=False))
    terrain: list[str] = []
    locations: dict[str, str] = {}
    for row in range(SIZE):
        line = ""
        for column in range(SIZE):
            if name == "V":
                letter, kind = V_TERRAIN[row][column], BASE_TILES[2 * (row // 10) + column // 10]
            else:
                quadrant = BOARDS[name][2 * (row // 10) + column // 10]
                letter = LAYOUTS[quadrant]["rows"][row % 10][column % 10]
                kind = LAYOUTS[quadrant]["kinds"].get(letter, "")
                if quadrant.startswith("test"):
                    kind = named.get(letter, kind)
            if letter in "L12":
                locations[hex_label(row, column)] = kind
                letter = "L"
            line += letter
        terrain.append(line)
    if island:
        locations["i1c02"] = island
    return {
        "quadrants": [[quadrant, 0] for quadrant in BOARDS[name]],
        "terrain": terrain,
        "island": list(ISLAND) if island else None,
        "locations": locations,
    }


def terrain_of(data: dict[str, Any]) -> dict[str, str]:
    """The terrain of every hex of a snapshot by label, in the order of the hexes."""
    found = {
        hex_label(row, column): TERRAINS[letter]
        for row, line in enumerate(data["terrain"])
        for column, letter in enumerate(line)
    }
    for row, line in enumerate(data["island"] or []):
        found |= {f"i{row}c{column:02d}": TERRAINS[letter] for column, letter in enumerate(line) if letter != "."}
    return found
