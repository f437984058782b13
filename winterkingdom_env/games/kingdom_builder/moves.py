"""Moves of pieces. A moved piece is lifted first (3.2 of the rules): it stands nowhere while its target is looked for.

``targets_from`` finds the targets of one piece, forwards. ``move_sources`` finds all pieces that have a target; where that is simple, for all
pieces at once.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import flood, leap, meets, ray, spread, step
from winterkingdom_env.core.hexset import count, first_hex, is_empty, load, no_hexes
from winterkingdom_env.core.sizes import DIRECTIONS
from winterkingdom_env.games.kingdom_builder.effects import on_terrains, restrict
from winterkingdom_env.games.kingdom_builder.kinds import Op
from winterkingdom_env.games.kingdom_builder.layout import LAND, MAX_PLAYERS, NEIGHBOURS, WHOLE
from winterkingdom_env.games.kingdom_builder.pieces import (
    free_hexes,
    movable_pieces,
    near_scouts,
    warrior_hexes,
)
from winterkingdom_env.games.kingdom_builder.terrain_cards import N_OPTIONS, card_terrains

I64 = np.int64


@kernel
def first_free(start, land, links):
    """The first hex of ``land`` in each direction from ``start``, over anything."""
    found = no_hexes()
    for direction in range(DIRECTIONS):
        front = step(start, direction, links)
        while not is_empty(front) and not meets(front, land):
            front = step(front, direction, links)
        found = found | front
    return found


@kernel
def until_blocked(start, land, links):
    """The last hex of ``land`` in each direction from ``start``."""
    found = no_hexes()
    for direction in range(DIRECTIONS):
        line = ray(start, direction, land, links)
        found = found | (line & ~step(line, direction ^ 1, links))
    return found


@kernel
def straight_targets(op, start, pieces, land, board):
    """The targets of a lifted piece for ops that do not look at a terrain; ``land`` is the free land, ``pieces`` are the seat's others."""
    links = board["links"]
    if op == Op.TWO_STRAIGHT:
        return leap(start, links) & land
    if op == Op.UNTIL_BLOCKED:
        return until_blocked(start, land, links)
    if op == Op.ONE_STEP:
        return spread(start, links) & land
    if op == Op.FIRST_FREE:
        return first_free(start, land, links)
    if op == Op.OWN_GROUP:  # decision 26
        group = flood(start, pieces | start, links) & ~start
        return spread(group, links) & land
    beside = spread(load(board["caves"], 0), links)  # CAVES
    return beside & land if meets(start, beside) else no_hexes()


@kernel
def targets_from(op, arg, duty, start, pieces, free, near, game, board):
    """The targets of a piece that was lifted from ``start``.

    ``pieces``: the seat's other pieces. ``free``: the free hexes, the one it left among them. ``near``: what touches the reference set.
    The hex that it left can bind, but is no target (decision 5).
    """
    if op == Op.CARD_TERRAIN or op == Op.TERRAIN:
        found = no_hexes()
        if op == Op.TERRAIN:
            found = restrict(load(board["terrain"], arg) & free, duty, near)
        else:
            found = on_terrains(card_terrains(game), duty, free, near, board)
        return found & ~start
    return straight_targets(op, start, pieces, free & load(board["terrain"], LAND), board) & ~start


@kernel
def blocked_without(start, game, board, rules):
    """The hexes that warriors touch if a warrior on ``start`` is lifted."""
    found = no_hexes()
    for player in range(MAX_PLAYERS):
        found = found | warrior_hexes(player, game, rules)
    return spread(found & ~start, board["links"])


@kernel
def free_without(start, seat, game, board, rules):
    """The free hexes if the piece of the seat on ``start`` is lifted."""
    blocked = load(game["blocked"], 0)
    if meets(start, warrior_hexes(seat, game, rules)):
        blocked = blocked_without(start, game, board, rules)
    return load(board["terrain"], WHOLE) & ~(load(game["taken"], 0) & ~start) & ~blocked


@kernel
def can_lift(op, arg, duty, start, seat, game, board, rules):
    """Whether the piece on ``start`` has a target."""
    pieces = load(game["pieces"], seat) & ~start
    near = spread(pieces, board["links"]) | near_scouts(seat, game, board)
    free = free_without(start, seat, game, board, rules)
    return not is_empty(targets_from(op, arg, duty, start, pieces, free, near, game, board))


@kernel
def lift_each(op, arg, duty, candidates, seat, game, board, rules):
    """Those of these pieces that have a target."""
    found, rest = no_hexes(), candidates
    while not is_empty(rest):
        start = first_hex(rest)
        rest = rest & ~start
        if can_lift(op, arg, duty, start, seat, game, board, rules):
            found = found | start
    return found


@kernel
def terrain_sources(op, arg, duty, terrain, candidates, seat, game, board, rules):
    """The candidates, no warriors among them, that can move to a terrain with the duty ADJ."""
    free, near = free_hexes(game, board), load(game["near"], seat) | near_scouts(seat, game, board)
    ground = load(board["terrain"], terrain)
    goal = ground & free
    if is_empty(goal):
        return no_hexes()
    # A piece that stands elsewhere, or on a blocked hex, always has a target: the hex that it leaves does not bind.
    inside = candidates & ground & ~load(game["blocked"], 0)
    found = candidates & ~inside
    beside = goal & near
    if is_empty(beside):
        return found | (inside & ~near)
    if count(beside) > NEIGHBOURS:  # one of them touches another piece
        return candidates
    return found | lift_each(op, arg, duty, inside, seat, game, board, rules)


@kernel
def quick_sources(op, candidates, seat, game, board):
    """The candidates, no warriors among them, that can move straight."""
    land = free_hexes(game, board) & load(board["terrain"], LAND)
    if op == Op.TWO_STRAIGHT:
        return candidates & leap(land, board["links"])
    return candidates & spread(land, board["links"])  # UNTIL_BLOCKED, ONE_STEP


@kernel
def move_sources(op, arg, duty, seat, game, board, rules):
    """The pieces of the seat that a moving action may lift now."""
    movable = movable_pieces(seat, game, board, rules)
    warriors = movable & warrior_hexes(seat, game, rules)  # lifting one frees hexes
    others = movable & ~warriors
    if op == Op.TERRAIN:
        found = terrain_sources(op, arg, duty, arg, others, seat, game, board, rules)
    elif op == Op.CARD_TERRAIN:
        found, terrains = no_hexes(), card_terrains(game)
        for terrain in range(N_OPTIONS):
            if (terrains >> terrain) & 1:
                found = found | terrain_sources(
                    I64(Op.TERRAIN), I64(terrain), duty, I64(terrain), others, seat, game, board, rules
                )
    elif op == Op.TWO_STRAIGHT or op == Op.UNTIL_BLOCKED or op == Op.ONE_STEP:
        found = quick_sources(op, others, seat, game, board)
    elif op == Op.CAVES:
        beside = spread(load(board["caves"], 0), board["links"])
        found = lift_each(op, arg, duty, others & beside, seat, game, board, rules)
    else:
        found = lift_each(op, arg, duty, others, seat, game, board, rules)
    return found | lift_each(op, arg, duty, warriors, seat, game, board, rules)
