"""The hexes on which something may be placed. An op is a recipe for a set of hexes; free hexes and the duty to touch an own piece are
applied here to all of them (3.2 of the rules)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import all_around, n_touched, run, spread
from winterkingdom_env.core.hexset import is_empty, load, no_hexes
from winterkingdom_env.games.kingdom_builder.kinds import Area, Duty, Op, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import LAND, NONE
from winterkingdom_env.games.kingdom_builder.pieces import free_hexes, near_others, reference_near
from winterkingdom_env.games.kingdom_builder.terrain_cards import N_OPTIONS, card_terrains, terrains_of
from winterkingdom_env.games.kingdom_builder.tiles import has_bonus

I64 = np.int64


@kernel
def restrict(cells, duty, near):
    """The hexes of ``cells`` that a duty allows; ``near`` are the hexes touching the reference set."""
    if duty == Duty.NONE:
        return cells
    adjacent = cells & near
    if duty == Duty.ADJ and is_empty(adjacent):  # p. 4: the whole terrain is open
        return cells
    return adjacent


@kernel
def on_terrains(terrains, duty, free, near, board):
    """The hexes of these terrains, a bit each, that a duty allows, each terrain judged by itself."""
    found = no_hexes()
    for terrain in range(N_OPTIONS):
        if (terrains >> terrain) & 1:
            found = found | restrict(load(board["terrain"], terrain) & free, duty, near)
    return found


@kernel
def aim(op, arg, seat, game, board, rules):
    """The hexes that a build aims at, free or not, for ops that do not depend on a card."""
    if op == Op.TERRAIN:
        return load(board["terrain"], arg)
    land = load(board["terrain"], LAND)
    if op == Op.EDGE:
        return land & load(rules["area"], Area.EDGE)
    if op == Op.OWN_RUN:
        return land & run(load(game["pieces"], seat), arg, board["links"])
    if op == Op.TOUCHING_OWN:
        ones, twos, fours = n_touched(load(game["pieces"], seat), board["links"])
        return land & (fours | (ones & twos))  # arg is 3
    if op == Op.TOUCHING_ONE:
        ones, twos, fours = n_touched(load(game["pieces"], seat), board["links"])
        if has_bonus(Tile.FOUNTAIN, seat, game, board):  # p. 18
            land = land | load(board["terrain"], Terrain.MOUNTAIN)
        return land & ones & ~twos & ~fours & ~near_others(seat, game, board)
    if op == Op.NEXT_TO:
        return land & load(board["touching"], arg)
    return land & near_others(seat, game, board)  # NEXT_TO_OTHERS


@kernel
def build_targets(op, arg, duty, seat, game, board, rules):
    """The hexes on which a special action may place a piece of the seat now."""
    free, near = free_hexes(game, board), reference_near(seat, game, board)
    if op == Op.CARD_TERRAIN:
        return on_terrains(card_terrains(game), duty, free, near, board)
    if op == Op.DRAWN_CARD:
        if game["drawn"] == NONE:
            return no_hexes()
        return on_terrains(terrains_of(I64(game["drawn"])), duty, free, near, board)
    if op == Op.SWAMP_AND_WATER:
        swamp = restrict(load(board["terrain"], Terrain.SWAMP) & free, duty, near)
        return swamp | restrict(load(board["terrain"], Terrain.WATER) & free, duty, near)
    return restrict(aim(op, arg, seat, game, board, rules) & free, duty, near)


@kernel
def hall_centres(seat, game, board):
    """The hexes around which the city hall may be built (p. 13)."""
    room = free_hexes(game, board) & load(board["terrain"], LAND)
    return room & all_around(room, board["links"]) & spread(reference_near(seat, game, board) & room, board["links"])


@kernel
def wall_targets(seat, game, board):
    """The hexes on which a wall may be laid: scouts do not count as own pieces (p. 11)."""
    return on_terrains(
        card_terrains(game), I64(Duty.NONE), free_hexes(game, board), load(game["near"], seat), board
    ) & load(game["near"], seat)


@kernel
def scout_targets(seat, free, game, board):
    """The hexes to which a scout may be sent: land, water or mountain next to an own piece (p. 22)."""
    ground = (
        load(board["terrain"], LAND) | load(board["terrain"], Terrain.WATER) | load(board["terrain"], Terrain.MOUNTAIN)
    )
    return ground & free & load(game["near"], seat)
