"""Pieces on the board: whose stand where, and what follows from it and is kept in the record.

``near`` (per seat) and ``taken`` follow from ``houses`` and ``forts``. Whoever sets, moves or takes a piece does it here.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import clear, put, put_around, spread, take, unite
from winterkingdom_env.core.sizes import ROWS
from winterkingdom_env.games.winter_kingdom.layout import FORT_VALUE, MAX_PLAYERS, PLACE_ROWS, A

I64 = np.int64
U32 = np.uint32
U64 = np.uint64


@kernel
def pieces_of(seat, game, out):
    """Write into ``out`` the hexes with a piece of the seat."""
    unite(game["houses"][seat], game["forts"][seat], out)


@kernel
def find_near(seat, game, board, work):
    """Renew ``near`` of a seat."""
    pieces_of(seat, game, work[A])
    spread(work[A], board["links"], game["near"][seat])


@kernel
def find_facts(game, board, work):
    """Renew everything that follows from the pieces."""
    clear(game["taken"][0])
    for seat in range(MAX_PLAYERS):
        find_near(I64(seat), game, board, work)
        for r in range(ROWS):
            game["taken"][0][r] |= game["houses"][seat][r] | game["forts"][seat][r]


@kernel
def add_piece(pieces, seat, cell, game, board):
    """Set a piece of the seat on a hex; ``pieces`` are its houses or its forts."""
    put(pieces, cell)
    put(game["taken"][0], cell)
    put_around(cell, board["links"], game["near"][seat])


@kernel
def remove_piece(seat, cell, game, board, work):
    """Take the seat's house or fort from a hex."""
    take(game["houses"][seat], cell)
    take(game["forts"][seat], cell)
    take(game["taken"][0], cell)
    find_near(seat, game, board, work)


@kernel
def touches_place(cells, place, board):
    """Whether a hex of ``cells`` touches a castle, tunnel or village."""
    first, found = I64(board["around_row"][place]), U32(0)
    for i in range(PLACE_ROWS):
        found |= board["around"][place][i] & cells[first + i]
    return found != 0


@kernel
def add_around_place(place, board, out):
    """Add to ``out`` the hexes that touch a castle, tunnel or village."""
    first = I64(board["around_row"][place])
    for i in range(PLACE_ROWS):
        out[first + i] |= board["around"][place][i]


@kernel
def houses_at_place(place, seat, game, board):
    """The seat's houses touching a castle, tunnel or village; a fort counts two."""
    first, n = I64(board["around_row"][place]), 0
    for i in range(PLACE_ROWS):
        around = board["around"][place][i]
        n += popcount(U64(game["houses"][seat][first + i] & around))
        n += FORT_VALUE * popcount(U64(game["forts"][seat][first + i] & around))
    return n
