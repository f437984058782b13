"""Which houses may move, and where to. For each moving half two kernels agree: ``move_sources`` finds all houses
with a target at once by going backwards from the hexes where a house may end, ``move_targets`` goes forward from one."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import (
    CLOCKWISE,
    clear,
    copy,
    count,
    flood,
    is_empty,
    leap,
    meets,
    put,
    ray,
    ring,
    spread,
    step,
    take,
    take_group,
)
from winterkingdom_env.core.sizes import DIRECTIONS, ROWS
from winterkingdom_env.games.winter_kingdom.layout import (
    CARD_TERRAINS,
    CENTRE,
    EMPTY,
    FIRST_TUNNEL,
    FIRST_VILLAGE,
    GOAL,
    NONE,
    OPEN,
    OWN,
    REACH,
    TARGET,
    A,
    B,
    C,
    D,
    E,
    Op,
    Terrain,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.pieces import add_around_place, touches_place

U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def reach_of(op, cells, board, out, work):
    """Write into ``out`` the hexes that jumps of this op join with ``cells``: the same from both ends."""
    if op == Op.MOVE_ONE:
        spread(cells, board["links"], out)
    elif op == Op.MOVE_TWO_STRAIGHT:
        leap(cells, board["links"], out, work[B])
    else:  # MOVE_TWO
        ring(cells, board["links"], out, work[B], work[C])


@kernel
def sources_across(area, ends, board, out, work):
    """Write into ``out`` the hexes from which a house could cross free hexes of ``area`` and end next to them in ``ends``."""
    links = board["links"]
    free_area, before, passage, around = work[A], work[B], work[C], work[D]
    for r in range(ROWS):
        free_area[r] = area[r] & work[EMPTY][r]
    spread(ends, links, before)
    flood(before, free_area, links, passage)
    spread(passage, links, around)
    # A house that stands on the area itself need not pass another hex of it.
    for r in range(ROWS):
        out[r] = around[r] | (area[r] & before[r])


@kernel
def passage_from(start, area, board, out, work):
    """Write into ``out`` the connected free hexes of ``area`` on or next to the house at ``start``, its own hex included."""
    free_area, around = work[B], work[C]
    for r in range(ROWS):
        free_area[r] = area[r] & (work[EMPTY][r] | start[r])
    spread(start, board["links"], around)
    for r in range(ROWS):
        around[r] |= start[r]
    flood(around, free_area, board["links"], out)


@kernel
def sources_along_group(pieces, houses, board, out, work):
    """Write into ``out`` the houses whose group among ``pieces`` has, without them, a neighbour hex free to end on."""
    links = board["links"]
    rest, seed, group, around = work[A], work[B], work[C], work[D]
    copy(pieces, rest)
    clear(out)
    while take_group(rest, links, group):
        spread(group, links, around)
        for r in range(ROWS):
            around[r] &= work[GOAL][r]
        # The pieces of the group that a free hex touches: with two of them, every house has one besides itself.
        spread(around, links, seed)
        for r in range(ROWS):
            seed[r] &= group[r]
        touched = count(seed)
        if touched > 0:
            for r in range(ROWS):
                out[r] |= group[r] & houses[r] & (~seed[r] if touched == 1 else group[r])


@kernel
def land_ahead(direction, until_blocked, board, out, work):
    """Write into ``out`` the free hexes without ice that a straight move in ``direction`` may end on."""
    land = work[A]
    for r in range(ROWS):
        land[r] = work[EMPTY][r] & board["terrain"][CARD_TERRAINS][r]
        out[r] = land[r] & work[OPEN][r]
    if until_blocked:
        step(land, direction ^ 1, board["links"], work[B])
        for r in range(ROWS):
            out[r] &= ~(work[B][r] & land[r])


@kernel
def sources_straight(until_blocked, board, out, work):
    """Write into ``out`` the hexes from which a house could move straight over free land to a hex it may end on."""
    links = board["links"]
    land, ends, line = work[A], work[C], work[D]
    clear(out)
    for direction in range(DIRECTIONS):
        land_ahead(direction, until_blocked, board, ends, work)
        ray(ends, direction ^ 1, land, links, line)
        for r in range(ROWS):
            line[r] |= ends[r]
        step(line, direction ^ 1, links, line)
        for r in range(ROWS):
            out[r] |= line[r]


@kernel
def targets_straight(start, until_blocked, board, out, work):
    """Write into ``out`` the hexes to which the house at ``start`` may move straight over free land."""
    land, ends, line = work[A], work[C], work[D]
    clear(out)
    for direction in range(DIRECTIONS):
        land_ahead(direction, until_blocked, board, ends, work)
        ray(start, direction, land, board["links"], line)
        for r in range(ROWS):
            out[r] |= line[r] & ends[r]


@kernel
def sources_over_terrain(board, out, work):
    """Write into ``out`` the hexes next to free hexes of their own terrain that lead to a hex one may end on."""
    flood(work[GOAL], work[EMPTY], board["same"], work[A])
    spread(work[A], board["same"], out)


@kernel
def targets_within(start, ground, board, out, work):
    """Write into ``out`` the free hexes of ``ground`` that the house at ``start`` reaches over free hexes of it."""
    free, around = work[B], work[C]
    for r in range(ROWS):
        free[r] = ground[r] & work[EMPTY][r]
    spread(start, board["links"], around)
    flood(around, free, board["links"], out)


@kernel
def two_open_tunnels(board, work):
    """The first two tunnels with a hex to end on beside them, NONE for one that is missing."""
    first = NONE
    for tunnel in range(FIRST_TUNNEL, FIRST_VILLAGE):
        if touches_place(work[GOAL], tunnel, board):
            if first != NONE:
                return first, tunnel
            first = tunnel
    return first, NONE


@kernel
def sources_through_tunnel(board, out, work):
    """Write into ``out`` the hexes touching a tunnel while another tunnel has a free hex to end on."""
    first, second = two_open_tunnels(board, work)
    clear(out)
    for tunnel in range(FIRST_TUNNEL, FIRST_VILLAGE):
        if second != NONE or (first != NONE and first != tunnel):
            add_around_place(tunnel, board, out)


@kernel
def targets_through_tunnel(start, board, out):
    """Write into ``out`` the hexes touching another tunnel than one that touches ``start``."""
    clear(out)
    for tunnel in range(FIRST_TUNNEL, FIRST_VILLAGE):
        if touches_place(start, tunnel, board):
            for other in range(FIRST_TUNNEL, FIRST_VILLAGE):
                if other != tunnel:
                    add_around_place(other, board, out)


@kernel
def move_sources(op, arg, game, board, rules, out, work):
    """Write into ``out`` the own houses that a moving half may lift now; ``look`` has filled ``work``."""
    houses = game["houses"][game["seat"]]
    goal = work[GOAL]
    if op <= Op.MOVE_TWO:
        reach_of(op, goal, board, out, work)
    elif op == Op.MOVE_ACROSS:
        for r in range(ROWS):
            work[E][r] = goal[r] & ~board["terrain"][arg][r]
        sources_across(board["terrain"][arg], work[E], board, out, work)
    elif op == Op.MOVE_ACROSS_ONTO:
        for r in range(ROWS):
            work[A][r] = board["terrain"][arg][r] & work[EMPTY][r]
        flood(goal, work[A], board["links"], work[B])
        spread(work[B], board["links"], out)
    elif op == Op.MOVE_TO_TUNNEL:
        clear(out)
        if meets(goal, board["touching"][Terrain.TUNNEL]):
            for r in range(ROWS):
                out[r] = ~board["touching"][Terrain.TUNNEL][r]
    elif op == Op.MOVE_THROUGH_TUNNEL:
        sources_through_tunnel(board, out, work)
    elif op == Op.MOVE_ALONG_OWN_GROUP:
        sources_along_group(work[OWN], houses, board, out, work)
    elif op == Op.MOVE_ALONG_ANY_GROUP:
        sources_along_group(game["taken"][0], houses, board, out, work)
    elif op == Op.MOVE_UNTIL_BLOCKED or op == Op.MOVE_STRAIGHT:
        sources_straight(op == Op.MOVE_UNTIL_BLOCKED, board, out, work)
    elif op == Op.MOVE_OVER_SAME_TERRAIN:
        sources_over_terrain(board, out, work)
    else:  # MOVE_WITHIN_CENTRE_BOARD
        for r in range(ROWS):
            work[A][r] = rules["area"][CENTRE][r] & work[EMPTY][r]
        flood(goal, work[A], board["links"], work[B])
        spread(work[B], board["links"], out)
        for r in range(ROWS):
            out[r] &= rules["area"][CENTRE][r]
    for r in range(ROWS):
        out[r] &= houses[r]


@kernel
def move_targets(op, arg, hex_id, game, board, rules, out, work):
    """Write into ``out`` the hexes to which a moving half may bring the house on ``hex_id``; ``look`` has filled ``work``."""
    cell = rules["cell"][hex_id]
    start = work[E]
    clear(start)
    put(start, cell)
    if op <= Op.MOVE_TWO:
        reach_of(op, start, board, out, work)
    elif op == Op.MOVE_ACROSS:
        passage_from(start, board["terrain"][arg], board, work[D], work)
        spread(work[D], board["links"], out)
        for r in range(ROWS):
            out[r] &= ~board["terrain"][arg][r]
    elif op == Op.MOVE_ACROSS_ONTO:
        passage_from(start, board["terrain"][arg], board, out, work)
    elif op == Op.MOVE_TO_TUNNEL:
        copy(board["touching"][Terrain.TUNNEL], out)
    elif op == Op.MOVE_THROUGH_TUNNEL:
        targets_through_tunnel(start, board, out)
    elif op == Op.MOVE_ALONG_OWN_GROUP or op == Op.MOVE_ALONG_ANY_GROUP:
        if op == Op.MOVE_ALONG_OWN_GROUP:
            copy(work[OWN], work[A])
        else:
            copy(game["taken"][0], work[A])
        flood(start, work[A], board["links"], work[B])
        take(work[B], cell)
        spread(work[B], board["links"], out)
    elif op == Op.MOVE_UNTIL_BLOCKED or op == Op.MOVE_STRAIGHT:
        targets_straight(start, op == Op.MOVE_UNTIL_BLOCKED, board, out, work)
    elif op == Op.MOVE_OVER_SAME_TERRAIN:
        targets_within(start, board["terrain"][board["terrain_at"][hex_id]], board, out, work)
    else:  # MOVE_WITHIN_CENTRE_BOARD
        targets_within(start, rules["area"][CENTRE], board, out, work)
    for r in range(ROWS):
        out[r] &= work[GOAL][r]


@kernel
def can_leap(op, houses, board, work):
    """Whether a jump of two hexes brings a house to a hex to end on."""
    line, there = work[A], work[B]
    for direction in range(DIRECTIONS):
        step(houses, direction, board["links"], line)
        step(line, direction, board["links"], there)
        if meets(there, work[GOAL]):
            return True
        if op == Op.MOVE_TWO:  # the corner, one way round and the other
            step(line, CLOCKWISE[direction], board["links"], there)
            if meets(there, work[GOAL]):
                return True
            step(houses, CLOCKWISE[direction], board["links"], line)
            step(line, direction, board["links"], there)
            if meets(there, work[GOAL]):
                return True
    return False


@kernel
def is_near_enough(op, arg, houses, game, board, rules, work):
    """1 if a house can surely be moved, 0 if surely none, -1 if only ``move_sources`` can tell.

    Most positions have a house with a target right beside it; then nothing needs to be flooded.
    """
    goal, reach, beyond = work[GOAL], work[REACH], work[A]
    first_bits, end_bits = U32(0), U32(0)  # any bit: there is a first hex to go to, one to end on
    if op == Op.MOVE_ONE:
        for r in range(ROWS):
            end_bits |= reach[r] & goal[r]
        first_bits = end_bits
    elif op == Op.MOVE_ACROSS:
        for r in range(ROWS):
            beyond[r] = reach[r] & board["terrain"][arg][r] & work[EMPTY][r]
            first_bits |= beyond[r] | (houses[r] & board["terrain"][arg][r])
        if first_bits:
            spread(beyond, board["links"], work[B])
            for r in range(ROWS):
                end_bits |= work[B][r] & goal[r] & ~board["terrain"][arg][r]
    elif op == Op.MOVE_ACROSS_ONTO:
        for r in range(ROWS):
            first_bits |= reach[r] & board["terrain"][arg][r] & work[EMPTY][r]
            end_bits |= reach[r] & board["terrain"][arg][r] & goal[r]
    elif op == Op.MOVE_TO_TUNNEL:
        for r in range(ROWS):
            end_bits |= goal[r] & board["touching"][Terrain.TUNNEL][r]
            first_bits |= houses[r] & ~board["touching"][Terrain.TUNNEL][r]
        end_bits = end_bits if first_bits else U32(0)
        first_bits = end_bits
    elif op == Op.MOVE_THROUGH_TUNNEL:
        for r in range(ROWS):
            first_bits |= houses[r] & board["touching"][Terrain.TUNNEL][r]
        if first_bits and two_open_tunnels(board, work)[1] != NONE:
            end_bits = first_bits
    elif op == Op.MOVE_ALONG_OWN_GROUP or op == Op.MOVE_ALONG_ANY_GROUP:
        pieces = work[OWN] if op == Op.MOVE_ALONG_OWN_GROUP else game["taken"][0]
        spread(goal, board["links"], beyond)
        for r in range(ROWS):
            first_bits |= reach[r] & pieces[r]
            beyond[r] &= pieces[r] & reach[r]  # a piece beside a house that a free hex touches: the house goes there
            end_bits |= beyond[r]
    elif op == Op.MOVE_UNTIL_BLOCKED or op == Op.MOVE_STRAIGHT:
        for r in range(ROWS):
            first_bits |= reach[r] & work[EMPTY][r] & board["terrain"][CARD_TERRAINS][r]
        if op == Op.MOVE_STRAIGHT:
            for r in range(ROWS):
                end_bits |= reach[r] & work[OPEN][r] & board["terrain"][CARD_TERRAINS][r]
        elif board["twist"] != Twist.IMPASSE:
            end_bits = first_bits
    elif op == Op.MOVE_OVER_SAME_TERRAIN:
        spread(houses, board["same"], beyond)
        for r in range(ROWS):
            first_bits |= beyond[r] & work[EMPTY][r]
            end_bits |= beyond[r] & goal[r]
    else:  # MOVE_WITHIN_CENTRE_BOARD
        for r in range(ROWS):
            beyond[r] = houses[r] & rules["area"][CENTRE][r]
        spread(beyond, board["links"], work[B])
        for r in range(ROWS):
            first_bits |= work[B][r] & rules["area"][CENTRE][r] & work[EMPTY][r]
            end_bits |= work[B][r] & rules["area"][CENTRE][r] & goal[r]
    return 1 if end_bits else -1 if first_bits else 0


@kernel
def can_move(op, arg, game, board, rules, work):
    """Whether a moving half has a house to move; ``look`` has filled ``work``, and its REACH is there."""
    houses = game["houses"][game["seat"]]
    if op == Op.MOVE_TWO_STRAIGHT or op == Op.MOVE_TWO:
        return can_leap(op, houses, board, work)
    surely = is_near_enough(op, arg, houses, game, board, rules, work)
    if surely >= 0:
        return surely == 1
    move_sources(op, arg, game, board, rules, work[TARGET], work)
    return not is_empty(work[TARGET])
