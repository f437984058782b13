"""Geometry (RULES) and card tables (in a REQUEST) in the form that kernels read."""

from __future__ import annotations

from functools import cache

import numpy as np

from winterkingdom_env.core.sizes import LINKS
from winterkingdom_env.games.winter_kingdom import layout, tables

NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))  # in the order of core.grid's directions


def side_cells() -> list[tuple[int, int]]:
    """The 61 places of a board side relative to its middle, row by row."""
    radius = layout.BOARD_RADIUS
    return [
        (r, c)
        for r in range(-radius, radius + 1)
        for c in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    ]


def turned(cell: tuple[int, int], times: int) -> tuple[int, int]:
    """The place after ``times`` rotations of the board by 60 degrees."""
    r, c = cell
    for _ in range(times):
        r, c = -c, r + c
    return r, c


@cache
def hex_cells() -> tuple[tuple[int, int, int], ...]:
    """(row, column, board) of every hex, in the order of the hex numbers."""
    cells = [
        (row + r, col + c, board) for board, (row, col) in enumerate(layout.BOARD_CENTRES) for r, c in side_cells()
    ]
    return tuple(sorted(cells))


def _fill_geometry(rules: np.void) -> None:
    cells = hex_cells()
    board_at = {(r, c): board for r, c, board in cells}
    rules["hex_at"] = layout.NONE
    for hex_id, (r, c, board) in enumerate(cells):
        bit = np.uint32(1 << c)
        rules["cell"][hex_id], rules["board"][hex_id] = 32 * r + c, board
        rules["hex_at"][r, c] = hex_id
        rules["area"][layout.WHOLE, r] |= bit
        rules["area"][board, r] |= bit
        around = [board_at.get((r + dr, c + dc)) for dr, dc in NEIGHBOURS]
        if None in around:
            rules["area"][layout.EDGE, r] |= bit
        for k in range(LINKS):
            other = around[2 * k]
            if other is not None:
                rules["links"][0, k, r] |= bit
            if other == board:
                rules["links"][1, k, r] |= bit
    for r in range(layout.ROWS):
        hexes = [hex_id for hex_id, cell in enumerate(cells) if cell[0] == r]
        columns = [cells[hex_id][1] for hex_id in hexes]
        assert columns == list(range(columns[0], columns[-1] + 1)), "legal.expand needs rows without gaps"
        rules["row_hex"][r], rules["row_column"][r] = hexes[0], columns[0]
    for board, (row, col) in enumerate(layout.BOARD_CENTRES):
        for times in range(6):
            for place, cell in enumerate(side_cells()):
                r, c = turned(cell, times)
                rules["side_hex"][board, times, place] = rules["hex_at"][row + r, col + c]


@cache
def make_rules() -> np.ndarray:
    """The one RULES record, as an array of length 1."""
    rules = np.zeros(1, layout.RULES)
    _fill_geometry(rules[0])
    for n_players, coins in tables.START_COINS.items():
        rules["start_coins"][0, n_players, :n_players] = coins
    return rules


def fill_cards(request: np.void, cards: tables.Cards) -> None:
    """Write the card values into a REQUEST."""
    for i, card in enumerate((*cards.abilities, tables.TUNNEL)):
        request["op"][i] = card.first, card.second
        request["arg"][i] = card.first_arg, card.second_arg
        request["cost"][i] = card.acquire_cost, card.upgrade_cost
        request["link"][i] = card.link
    for i, scoring in enumerate(cards.scorings):
        request["measure"][i], request["measure_arg"][i], request["points"][i] = (
            scoring.measure,
            scoring.arg,
            scoring.points,
        )
    for i, economy in enumerate(cards.economies):
        request["condition"][i], request["condition_arg"][i] = economy.condition, economy.arg
        request["coins"][i] = economy.coins
    for twist in cards.twists:
        request["twist_arg"][twist.twist] = twist.arg
