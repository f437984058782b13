"""Geometry and tables (RULES) in the form that kernels read."""

from __future__ import annotations

from functools import cache

import numpy as np

from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.kinds import Area, Bonus, Tile

SHIFT = layout.SIDE // 2 - 1  # columns of the first row begin here, so that no column is negative


def axial(row: int, column: int, shift: int) -> int:
    """The axial column of a hex; odd rows are shifted right by half a hex."""
    return column - (row - row % 2) // 2 + shift


@cache
def hex_cells() -> tuple[tuple[int, int], ...]:
    """Row and axial column of every hex, in the order of the hex numbers; the island's rows come last."""
    main = [(r, axial(r, c, SHIFT)) for r in range(layout.SIDE) for c in range(layout.SIDE)]
    shift = layout.ISLAND_ROWS // 2
    island = [
        (layout.SIDE + r, axial(r, c, shift)) for r in range(layout.ISLAND_ROWS) for c in range(layout.ISLAND_COLUMNS)
    ]
    return (*main, *island)


def areas_of(row: int, column: int) -> list[Area]:
    """The parts of the board that a hex of the main board belongs to."""
    last, half = layout.SIDE - 1, layout.QUADRANT_SIDE
    edges = {Area.NORTH: row == 0, Area.SOUTH: row == last, Area.WEST: column == 0, Area.EAST: column == last}
    found = [Area(2 * (row // half) + column // half), Area.MAIN, *(edge for edge, is_on in edges.items() if is_on)]
    if any(edges.values()):
        found.append(Area.EDGE)
    if {row, column} & {half - 1, half}:
        found.append(Area.SEAM)
    return found


def _fill_geometry(rules: np.void) -> None:
    cells = hex_cells()
    rules["hex_at"] = layout.NONE
    rules["row_hex"] = layout.NONE
    for hex_id, (row, column) in enumerate(cells):
        rules["cell"][hex_id], rules["hex_at"][row, column] = 32 * row + column, hex_id
        if rules["row_hex"][row] == layout.NONE:
            rules["row_hex"][row], rules["row_column"][row] = hex_id, column
        for axis, level in enumerate((row, column, row + column)):
            rules["level"][axis, level, row] |= np.uint32(1 << column)
        is_main = hex_id < layout.ISLAND_FIRST
        for area in areas_of(*divmod(hex_id, layout.SIDE)) if is_main else [Area.ISLAND]:
            rules["area"][area, row] |= np.uint32(1 << column)
    side = layout.QUADRANT_SIDE
    for place in range(layout.N_PLACES):
        for number in range(layout.QUADRANT_HEXES):
            row, column = divmod(number, side)
            top, left = side * (place // 2), side * (place % 2)
            rules["turned"][0, place, number] = layout.SIDE * (top + row) + left + column
            rules["turned"][1, place, number] = layout.SIDE * (top + side - 1 - row) + left + side - 1 - column


def _fill_tables(rules: np.void) -> None:
    for i, card in enumerate(tables.SCORINGS):
        rules["measure"][i], rules["measure_arg"][i], rules["scoring_set"][i] = card.measure, card.arg, card.set
    rules["quadrant_set"] = [quadrant.set for quadrant in tables.QUADRANTS]
    rules["use_of"] = layout.NONE
    for i, use in enumerate(tables.USES):
        rules["use_tile"][i] = use.needs if isinstance(use.needs, Tile) else layout.NONE
        rules["use_bonus"][i] = use.needs if isinstance(use.needs, Bonus) else layout.NONE
        rules["form"][i], rules["op"][i], rules["arg"][i], rules["duty"][i] = use.form, use.op, use.arg, use.duty
        rules["most"][i], rules["binds"][i] = use.most, use.binds
        if isinstance(use.needs, Tile):
            rules["use_of"][use.needs] = i
    rules["repeat_use"] = [rules["use_of"][tile] for tile in tables.REPEATS]


@cache
def make_rules() -> np.ndarray:
    """The one RULES record, as an array of length 1."""
    rules = np.zeros(1, layout.RULES)
    _fill_geometry(rules[0])
    _fill_tables(rules[0])
    return rules
