"""What happens when a piece comes or goes (3.3 of the rules)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import meets
from winterkingdom_env.core.hexset import is_empty, one_hex
from winterkingdom_env.games.kingdom_builder.gold import mark_line, pay
from winterkingdom_env.games.kingdom_builder.kinds import Unit
from winterkingdom_env.games.kingdom_builder.layout import ISLAND_FIRST, ROWS, SIDE
from winterkingdom_env.games.kingdom_builder.pieces import add_hall, add_piece, hall_hexes, remove_piece
from winterkingdom_env.games.kingdom_builder.reactions import react_later
from winterkingdom_env.games.kingdom_builder.tiles import lose_tiles, take_tiles

I64, U64 = np.int64, np.uint64


@kernel
def note_end(seat, game):
    """The game ends with this round if the seat has built its last settlement (p. 4)."""
    if game["supply"][seat] + game["held_pieces"][seat] + game["due"][seat] == 0:
        game["is_end"] = 1


@kernel
def arrive(seat, unit, hex_id, is_build, game, board, rules):
    """A piece of the seat comes to a hex. Whose supply it comes from is the caller's business."""
    add_piece(seat, unit, hex_id, game, board, rules)
    if not is_build:
        lose_tiles(seat, game, board, rules)
    n_emptied = take_tiles(seat, hex_id, game, board)
    if is_build and board["in_play"]:
        pay(seat, hex_id, game, board, rules)
    is_marked = mark_line(seat, hex_id, game, board, rules)
    if is_marked or (is_build and unit == Unit.SETTLEMENT):
        note_end(seat, game)
    react_later(seat, n_emptied, game, board)


@kernel
def build_settlement(seat, hex_id, game, board, rules):
    """Build a settlement of the supply."""
    game["supply"][seat] -= 1
    arrive(seat, I64(Unit.SETTLEMENT), hex_id, True, game, board, rules)


@kernel
def build_hall(seat, centre, game, board, rules):
    """Build the city hall: all seven hexes stand before anything else happens (p. 13; decision 19)."""
    game["unit_supply"][seat][3] -= 1
    add_hall(seat, centre, game, board, rules)
    hexes, n_emptied, is_marked = hall_hexes(seat, game, board, rules), I64(0), False
    for row in range(ROWS):
        rest = U64(game["pieces"][seat][row]) if not is_empty(hexes) else U64(0)
        while rest:
            column = first_bit(rest)
            rest &= rest - U64(1)
            if meets(one_hex(32 * row + column), hexes):
                hex_id = I64(rules["hex_at"][row][column])
                n_emptied += take_tiles(seat, hex_id, game, board)
                if board["in_play"]:
                    pay(seat, hex_id, game, board, rules)
    width = SIDE if centre < ISLAND_FIRST else I64(10)
    for k in range(-1, 2):  # a hex in each of its three lines
        is_marked = mark_line(seat, centre + k * width, game, board, rules) or is_marked
    if is_marked:
        note_end(seat, game)
    react_later(seat, n_emptied, game, board)


@kernel
def leave(seat, hex_id, game, board, rules):
    """A piece of the seat leaves the board; return its kind."""
    unit = remove_piece(seat, hex_id, game, board, rules)
    lose_tiles(seat, game, board, rules)
    return unit


@kernel
def return_piece(seat, unit, game):
    """A piece of the seat goes back to its supply."""
    if unit == Unit.SETTLEMENT:
        game["supply"][seat] += 1
    else:
        game["unit_supply"][seat][unit - 1] += 1
