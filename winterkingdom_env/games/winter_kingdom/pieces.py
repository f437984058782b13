"""Whose pieces stand where: houses and forts together, as one set of hexes."""

from __future__ import annotations

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import clear
from winterkingdom_env.core.sizes import ROWS


@kernel
def pieces_of(seat, game, out):
    """Write into ``out`` the hexes with a piece of the seat."""
    for r in range(ROWS):
        out[r] = game["houses"][seat][r] | game["forts"][seat][r]


@kernel
def pieces_except(seat, game, board, out):
    """Write into ``out`` the hexes with a piece of any player but the seat; NONE leaves nobody out."""
    clear(out)
    for player in range(board["n_players"]):
        if player != seat:
            for r in range(ROWS):
                out[r] |= game["houses"][player][r] | game["forts"][player][r]
