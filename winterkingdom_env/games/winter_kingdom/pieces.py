"""Pieces on the board, the sets derived from them, and the free hexes.

``near`` (per seat) and ``taken`` are derived from ``houses`` and ``forts``. All changes of pieces go through this module.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import join_others, put, spread, take
from winterkingdom_env.core.hexset import count_double, load, no_hexes, one_hex, store
from winterkingdom_env.games.winter_kingdom.layout import BUILDABLE, MAX_PLAYERS, WHOLE, Twist

I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def pieces_of(seat, game):
    """The hexes with a piece of the seat."""
    return load(game["houses"], seat) | load(game["forts"], seat)


@kernel
def houses_in(cells, seat, game):
    """Houses of the seat in a set of hexes; a fort counts two (p. 4)."""
    return count_double(cells & load(game["houses"], seat), cells & load(game["forts"], seat))


@kernel
def near_others(seat, game, board):
    """The hexes touching a piece of any player but the seat."""
    return join_others(game["near"], board["n_players"], seat)


@kernel
def empty_hexes(game, rules):
    """The hexes without a piece."""
    return load(rules["area"], WHOLE) & ~load(game["taken"], 0)


@kernel
def open_hexes(game, board, rules):
    """The free hexes on which a piece of the seat to move may be placed."""
    empty = empty_hexes(game, rules)
    if board["twist"] == Twist.IMPASSE:  # p. 16: not on a hex touching another player's piece
        return empty & ~near_others(I64(game["seat"]), game, board)
    return empty


@kernel
def goal_hexes(game, board, rules):
    """The open hexes of a buildable terrain: where a moved house may end, and most pieces may be built."""
    return open_hexes(game, board, rules) & load(board["terrain"], BUILDABLE)


@kernel
def find_near(seat, game, board):
    """Recompute ``near`` of a seat."""
    store(game["near"], seat, spread(pieces_of(seat, game), board["links"]))


@kernel
def find_facts(game, board):
    """Recompute everything derived from the pieces."""
    taken = no_hexes()
    for seat in range(MAX_PLAYERS):
        find_near(seat, game, board)
        taken = taken | pieces_of(seat, game)
    store(game["taken"], 0, taken)


@kernel
def add_piece(pieces, seat, cell, game, board):
    """Put a piece of the seat on a hex; ``pieces`` are all players' houses or all players' forts."""
    put(pieces, seat, cell)
    put(game["taken"], 0, cell)
    store(game["near"], seat, load(game["near"], seat) | spread(one_hex(cell), board["links"]))


@kernel
def remove_piece(seat, cell, game, board):
    """Remove the seat's house or fort from a hex."""
    take(game["houses"], seat, cell)
    take(game["forts"], seat, cell)
    take(game["taken"], 0, cell)
    find_near(seat, game, board)
