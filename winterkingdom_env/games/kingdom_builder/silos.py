"""Silos: builds and moves after the last turn, for seats that touch one (p. 21)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import spread
from winterkingdom_env.core.hexset import count, first_hex, is_empty, load, no_hexes
from winterkingdom_env.games.kingdom_builder.effects import restrict
from winterkingdom_env.games.kingdom_builder.gold import mark_line
from winterkingdom_env.games.kingdom_builder.kinds import Duty, Phase, SiloMode, Terrain, Unit
from winterkingdom_env.games.kingdom_builder.layout import LAND, MANDATORY_PIECES, NONE
from winterkingdom_env.games.kingdom_builder.moves import free_without
from winterkingdom_env.games.kingdom_builder.pieces import add_piece, free_hexes, movable_pieces

I64 = np.int64


@kernel
def silo_targets(near, game, board):
    """The land on which a silo action may set a piece down."""
    return restrict(free_hexes(game, board) & load(board["terrain"], LAND), I64(Duty.TOUCH), near)


@kernel
def silo_sources(seat, game, board, rules):
    """The pieces that a silo action may move."""
    found, rest = no_hexes(), movable_pieces(seat, game, board, rules)
    while not is_empty(rest):
        start = first_hex(rest)
        rest = rest & ~start
        near = spread(load(game["pieces"], seat) & ~start, board["links"])
        if not is_empty(free_without(start, seat, game, board, rules) & near & load(board["terrain"], LAND) & ~start):
            found = found | start
    return found


@kernel
def begin_silos(first, game, board):
    """Ask the next seat that touches a silo, from ``first`` on; none: the game is over (p. 21)."""
    silos = load(board["terrain"], Terrain.SILO)
    for seat in range(first, I64(board["n_players"])):
        n = count(silos & load(game["near"], seat))
        if n > 0:
            game["seat"], game["phase"], game["silos"] = seat, Phase.SILO, n
            return
    game["phase"], game["seat"] = Phase.OVER, 0


@kernel
def end_silo(game, board):
    """End one of the seat's silo actions."""
    game["silos"] -= 1
    game["silo_mode"], game["count"] = SiloMode.NONE, 0
    if game["silos"] == 0:
        begin_silos(I64(game["seat"]) + 1, game, board)


@kernel
def place_in_silo(hex_id, game, board, rules):
    """A build or the end of a move in a silo action: no tiles and no gold, but Mayors."""
    seat = I64(game["seat"])
    unit = I64(Unit.SETTLEMENT)
    if game["phase"] == Phase.SILO_MOVE:
        unit = I64(game["lifted_unit"])
        game["lifted"], game["lifted_unit"] = NONE, 0
        game["phase"] = Phase.SILO
    else:
        game["supply"][seat] -= 1
        game["silo_mode"] = SiloMode.BUILD
    add_piece(seat, unit, hex_id, game, board, rules)
    mark_line(seat, hex_id, game, board, rules)
    game["count"] += 1
    if game["count"] == MANDATORY_PIECES:
        end_silo(game, board)
