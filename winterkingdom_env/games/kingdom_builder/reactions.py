"""Reactions of canoes when the last tile of a hex is taken, in anybody's turn (p. 17; 5.5 of the rules)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.hexset import is_empty
from winterkingdom_env.games.kingdom_builder.effects import build_targets
from winterkingdom_env.games.kingdom_builder.kinds import Duty, Op, Phase, Tile
from winterkingdom_env.games.kingdom_builder.layout import NONE
from winterkingdom_env.games.kingdom_builder.tiles import ready_sites, sites_of

I64 = np.int64


@kernel
def react_later(seat, n_emptied, game, board):
    """Note that the seat took the last tile of so many hexes: canoes may react (p. 17)."""
    if n_emptied == 0 or not board["has_canoes"]:
        return
    if game["n_frames"] == 0:
        game["resumed"] = game["phase"]
    frame = game["frames"][game["n_frames"]]
    frame[0], frame[1], frame[2] = seat, 0, n_emptied
    game["n_frames"] += 1


@kernel
def canoe_targets(seat, game, board, rules):
    """The hexes on which a canoe may build for a seat, in anybody's turn (p. 17)."""
    return build_targets(I64(Op.SWAMP_AND_WATER), I64(0), I64(Duty.ADJ), seat, game, board, rules)


@kernel
def can_react(seat, game, board, rules):
    """Whether a seat has a ready canoe, a settlement and a hex for it."""
    if sites_of(Tile.CANOE, ready_sites(seat, game), board) == 0 or game["supply"][seat] == 0:
        return False
    return not is_empty(canoe_targets(seat, game, board, rules))


@kernel
def ask_reactions(game, board, rules):
    """Ask the next seat that can react; if there is none, the suspended phase goes on (5.5 of the rules)."""
    n_players = I64(board["n_players"])
    while game["n_frames"] > 0:
        frame = game["frames"][game["n_frames"] - 1]
        while frame[1] < n_players:
            seat = (I64(frame[0]) + 1 + I64(frame[1])) % n_players
            if can_react(seat, game, board, rules):
                game["phase"], game["seat"] = Phase.REACT, seat
                return
            frame[1] += 1
        frame[1] = 0
        frame[2] -= 1
        if frame[2] == 0:
            frame[0] = 0
            game["n_frames"] -= 1
    game["phase"], game["seat"] = game["resumed"], game["turn_seat"]
    game["resumed"] = NONE
