"""From quadrants to the board: turning, laying out, and where caves and capitols may lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winterkingdom_env.reference.kingdom_builder.grid import (
    HALF,
    ISLAND_ROWS,
    N_MAIN,
    Grid,
    make_grid,
    quadrant_of,
)
from winterkingdom_env.reference.kingdom_builder.names import KINDS, NO_HEX, SPECIAL, TERRAIN_OF_LETTER

LOCATION_LETTER = "L"
CAVE_DISTANCE = 3  # from every special hex (p. 24, decision 36)


@dataclass(frozen=True)
class Surface:
    """The terrain of a game."""

    rows: list[str]
    island: list[str] | None
    grid: Grid
    terrain: list[str]  # by hex
    hexes_of: dict[str, frozenset[int]]  # by terrain


def read_surface(rows: Sequence[str], island: Sequence[str] | None) -> Surface:
    """The terrain of 20 rows and of the rows of an island, if there is one. Location hexes are ``L``."""
    grid = make_grid(None if island is None else tuple(island))
    letters = [letter for row in [*rows, *(island or ())] for letter in row if letter != NO_HEX]
    terrain = [TERRAIN_OF_LETTER[letter] for letter in letters]
    hexes_of = {
        name: frozenset(hex_id for hex_id in grid.hexes if terrain[hex_id] == name)
        for name in TERRAIN_OF_LETTER.values()
    }
    return Surface(list(rows), None if island is None else list(island), grid, terrain, hexes_of)


def lay_out(
    quadrants: Sequence[tuple[str, int]],
    layouts: Mapping[str, Any],
    island: str | None,
    islands: Mapping[str, Any],
) -> tuple[Surface, dict[int, str]]:
    """The terrain of four quadrants and an island, and the kind of every location hex."""
    quarters = [_turned(layouts[name]["rows"], turned) for name, turned in quadrants]
    rows = [left + right for left, right in zip(quarters[0], quarters[1], strict=True)]
    rows += [left + right for left, right in zip(quarters[2], quarters[3], strict=True)]
    island_rows = None if island is None else list(islands[island]["rows"])
    kinds = [layouts[name]["kinds"] for name, _ in quadrants]
    island_kinds = {} if island is None else islands[island]["kinds"]
    letters = [letter for row in [*rows, *(island_rows or ())] for letter in row if letter != NO_HEX]
    locations = {}
    for hex_id, letter in enumerate(letters):
        quarter = quadrant_of(hex_id)
        own = island_kinds if quarter is None else kinds[quarter]
        if letter in own:
            locations[hex_id] = own[letter]
    plain = [_without_digits(row) for row in rows]
    plain_island = None if island_rows is None else [_without_digits(row) for row in island_rows]
    return read_surface(plain, plain_island), locations


def check_layout(name: str, layout: Mapping[str, Any], is_island: bool) -> None:
    """Raise ValueError if rows or kinds make no sense."""
    rows, kinds = layout["rows"], layout["kinds"]
    n_rows = ISLAND_ROWS if is_island else HALF
    if len(rows) != n_rows or len({len(row) for row in rows}) != 1 or (not is_island and len(rows[0]) != HALF):
        raise ValueError(
            f"layout {name!r}: {n_rows} rows of one length are needed{'' if is_island else ', ten letters each'}."
        )
    allowed = {*TERRAIN_OF_LETTER} - {LOCATION_LETTER} | {*kinds} | ({NO_HEX} if is_island else set())
    unknown = sorted({letter for row in rows for letter in row} - allowed)
    if unknown:
        raise ValueError(f"layout {name!r}: letter {unknown[0]!r} is no terrain and not among its kinds.")
    for kind in kinds.values():
        if kind not in KINDS:
            raise ValueError(f"layout {name!r}: {kind!r} is no location kind; these are {', '.join(KINDS)}.")


def cave_hexes(surface: Surface, quarter: int) -> list[int]:
    """The mountains of a quadrant that may hold its cave, ascending."""
    specials = [hex_id for name in SPECIAL for hex_id in surface.hexes_of[name] if hex_id < N_MAIN]
    return [
        hex_id
        for hex_id in sorted(surface.hexes_of["mountain"])
        if quadrant_of(hex_id) == quarter and all(_far(surface.grid, hex_id, special) for special in specials)
    ]


def castles_of(surface: Surface, quarter: int) -> list[int]:
    """The castles of a quadrant, ascending."""
    return [hex_id for hex_id in sorted(surface.hexes_of["castle"]) if quadrant_of(hex_id) == quarter]


def _far(grid: Grid, hex_id: int, special: int) -> bool:
    distance = grid.distance(hex_id, special)
    return distance is not None and distance >= CAVE_DISTANCE


def _turned(rows: Sequence[str], turned: int) -> list[str]:
    return [row[::-1] for row in reversed(rows)] if turned else list(rows)


def _without_digits(row: str) -> str:
    return "".join(LOCATION_LETTER if letter in "12" else letter for letter in row)
