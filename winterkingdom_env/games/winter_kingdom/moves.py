"""Legal moves of houses. Two kernels must agree for each moving half: ``move_sources`` finds all houses with a target at
once, backwards from the hexes where a house may end; ``move_targets`` finds the targets of one house, forwards."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import first_group, flood, leap, meets, ray, ring, spread, step
from winterkingdom_env.core.hexset import count, is_empty, load, no_hexes, one_hex
from winterkingdom_env.core.sizes import DIRECTIONS
from winterkingdom_env.games.winter_kingdom.layout import BUILDABLE, CARD_TERRAINS, CENTRE, Op, Terrain
from winterkingdom_env.games.winter_kingdom.pieces import empty_hexes, goal_hexes, open_hexes, pieces_of

I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def jumps(op, cells, links):
    """The hexes that a jump of this op connects with ``cells``; jumps are symmetric."""
    if op == Op.MOVE_ONE:
        return spread(cells, links)
    if op == Op.MOVE_TWO_STRAIGHT:
        return leap(cells, links)
    return ring(cells, links)  # MOVE_TWO


@kernel
def ground_of(op, arg, board, rules):
    """The hexes on which a move of this op must stay."""
    if op == Op.MOVE_UNTIL_BLOCKED or op == Op.MOVE_STRAIGHT:
        return load(board["terrain"], CARD_TERRAINS)  # no ice
    if op == Op.MOVE_WITHIN_CENTRE_BOARD:
        return load(rules["area"], CENTRE) & load(board["terrain"], BUILDABLE)
    return load(board["terrain"], arg)  # MOVE_ACROSS, MOVE_ACROSS_ONTO, MOVE_OVER_SAME_TERRAIN


@kernel
def group_pieces(op, game):
    """The pieces along which a house moves."""
    return pieces_of(I64(game["seat"]), game) if op == Op.MOVE_ALONG_OWN_GROUP else load(game["taken"], 0)


@kernel
def sources_across(area, ends, game, board, rules):
    """The hexes from which a house could cross free hexes of ``area`` and end next to them in ``ends``."""
    links = board["links"]
    before = spread(ends, links)
    passage = flood(before, area & empty_hexes(game, rules), links)
    # A house on the area itself need not cross another hex of it.
    return spread(passage, links) | (area & before)


@kernel
def sources_along_group(pieces, goal, links):
    """The pieces whose group, without the piece itself, touches a hex of ``goal``."""
    found, rest = no_hexes(), pieces
    while not is_empty(rest):
        group = first_group(rest, links)
        rest = rest & ~group
        # The pieces of the group that touch a goal hex: with two of them, every house has one other than itself.
        touched = spread(spread(group, links) & goal, links) & group
        n_touched = count(touched)
        if n_touched > 0:
            found = found | (group & ~touched if n_touched == 1 else group)
    return found


@kernel
def ends_ahead(direction, op, land, game, board, rules):
    """The hexes of ``land``, free and without ice, that a straight move in ``direction`` may end on."""
    ends = land & open_hexes(game, board, rules)
    if op == Op.MOVE_UNTIL_BLOCKED:
        return ends & ~step(land, direction ^ 1, board["links"])
    return ends


@kernel
def sources_straight(op, land, game, board, rules):
    """The hexes from which a house could move straight over ``land`` to a hex it may end on."""
    links, found = board["links"], no_hexes()
    for direction in range(DIRECTIONS):
        ends = ends_ahead(direction, op, land, game, board, rules)
        line = ends | ray(ends, direction ^ 1, land, links)
        found = found | step(line, direction ^ 1, links)
    return found


@kernel
def targets_straight(op, start, land, game, board, rules):
    """The hexes to which the house at ``start`` may move straight over ``land``."""
    found = no_hexes()
    for direction in range(DIRECTIONS):
        ends = ends_ahead(direction, op, land, game, board, rules)
        found = found | (ray(start, direction, land, board["links"]) & ends)
    return found


@kernel
def through_tunnel(cells, board):
    """The hexes touching a different tunnel than ``cells`` do; tunnel moves are symmetric."""
    tunnels = load(board["terrain"], Terrain.TUNNEL)
    entries = spread(cells, board["links"]) & tunnels
    n_entries = count(entries)
    if n_entries == 0:
        return no_hexes()
    # If ``cells`` touch one tunnel, the others are reachable; if they touch two, all are.
    return spread(tunnels & ~entries if n_entries == 1 else tunnels, board["links"])


@kernel
def move_sources(op, arg, game, board, rules):
    """The own houses that a moving half may lift now."""
    links = board["links"]
    goal, empty = goal_hexes(game, board, rules), empty_hexes(game, rules)
    houses = load(game["houses"], game["seat"])
    if op <= Op.MOVE_TWO:
        found = jumps(op, goal, links)
    elif op == Op.MOVE_ACROSS:
        area = ground_of(op, arg, board, rules)
        found = sources_across(area, goal & ~area, game, board, rules)
    elif op == Op.MOVE_ACROSS_ONTO or op == Op.MOVE_WITHIN_CENTRE_BOARD:
        ground = ground_of(op, arg, board, rules)
        found = spread(flood(goal, ground & empty, links), links)
        if op == Op.MOVE_WITHIN_CENTRE_BOARD:
            found = found & load(rules["area"], CENTRE)
    elif op == Op.MOVE_TO_TUNNEL:
        beside = load(board["touching"], Terrain.TUNNEL)
        found = ~beside if meets(goal, beside) else no_hexes()
    elif op == Op.MOVE_THROUGH_TUNNEL:
        found = through_tunnel(goal, board)
    elif op == Op.MOVE_ALONG_OWN_GROUP or op == Op.MOVE_ALONG_ANY_GROUP:
        found = sources_along_group(group_pieces(op, game), goal, links)
    elif op == Op.MOVE_UNTIL_BLOCKED or op == Op.MOVE_STRAIGHT:
        found = sources_straight(op, ground_of(op, arg, board, rules) & empty, game, board, rules)
    else:  # MOVE_OVER_SAME_TERRAIN
        found = spread(flood(goal, empty, board["same"]), board["same"])
    return found & houses


@kernel
def move_targets(op, arg, hex_id, game, board, rules):
    """The hexes to which a moving half may move the house on ``hex_id``."""
    links, cell = board["links"], rules["cell"][hex_id]
    start, empty = one_hex(cell), empty_hexes(game, rules)
    if op <= Op.MOVE_TWO:
        found = jumps(op, start, links)
    elif op == Op.MOVE_ACROSS or op == Op.MOVE_ACROSS_ONTO:
        # The free hexes of the area on or next to the house, including its own hex, and all hexes connected to them.
        area = ground_of(op, arg, board, rules)
        found = flood(spread(start, links) | start, area & (empty | start), links)
        if op == Op.MOVE_ACROSS:
            found = spread(found, links) & ~area
    elif op == Op.MOVE_TO_TUNNEL:
        beside = load(board["touching"], Terrain.TUNNEL)
        found = no_hexes() if meets(start, beside) else beside
    elif op == Op.MOVE_THROUGH_TUNNEL:
        found = through_tunnel(start, board)
    elif op == Op.MOVE_ALONG_OWN_GROUP or op == Op.MOVE_ALONG_ANY_GROUP:
        found = spread(flood(start, group_pieces(op, game), links) & ~start, links)
    elif op == Op.MOVE_UNTIL_BLOCKED or op == Op.MOVE_STRAIGHT:
        found = targets_straight(op, start, ground_of(op, arg, board, rules) & empty, game, board, rules)
    elif op == Op.MOVE_WITHIN_CENTRE_BOARD and not meets(start, load(rules["area"], CENTRE)):
        found = no_hexes()
    else:  # MOVE_OVER_SAME_TERRAIN, MOVE_WITHIN_CENTRE_BOARD
        over = I64(board["terrain_at"][hex_id]) if op == Op.MOVE_OVER_SAME_TERRAIN else arg
        found = flood(spread(start, links), ground_of(op, over, board, rules) & empty, links)
    return found & goal_hexes(game, board, rules)


@kernel
def first_steps(op, arg, reach, game, board, rules):
    """Two sets: where a move over or along something can begin, and where it can end at once or one hex later.

    ``reach`` are the hexes touching an own house. In most positions a house has a target right next to it, so that no path
    needs to be traced to its end.
    """
    links, houses = board["links"], load(game["houses"], game["seat"])
    goal, empty = goal_hexes(game, board, rules), empty_hexes(game, rules)
    if op == Op.MOVE_ALONG_OWN_GROUP or op == Op.MOVE_ALONG_ANY_GROUP:
        begin = reach & group_pieces(op, game)
        end = begin & spread(goal, links)  # a piece next to a house and to a free hex: the house can move to that hex
    elif op == Op.MOVE_OVER_SAME_TERRAIN:
        begin = spread(houses, board["same"]) & empty
        end = begin & goal
    elif op == Op.MOVE_ACROSS:
        area = ground_of(op, arg, board, rules)
        begin = reach & area & empty
        end = spread(begin, links) & goal & ~area
        begin = begin | (houses & area)
    else:  # MOVE_ACROSS_ONTO, MOVE_UNTIL_BLOCKED, MOVE_STRAIGHT
        begin = reach & ground_of(op, arg, board, rules) & empty
        # A straight move until blocked always ends somewhere if every free hex is open.
        is_open = op != Op.MOVE_UNTIL_BLOCKED or is_empty(empty & ~open_hexes(game, board, rules))
        end = begin & goal if is_open else no_hexes()
    return begin, end


@kernel
def can_move(op, arg, reach, game, board, rules):
    """Whether a moving half has a house to move; ``reach`` are the hexes touching an own house."""
    if op == Op.MOVE_ONE:
        return meets(reach, goal_hexes(game, board, rules))
    if op == Op.MOVE_TWO_STRAIGHT or op == Op.MOVE_TWO:
        return meets(jumps(op, load(game["houses"], game["seat"]), board["links"]), goal_hexes(game, board, rules))
    if op != Op.MOVE_TO_TUNNEL and op != Op.MOVE_THROUGH_TUNNEL and op != Op.MOVE_WITHIN_CENTRE_BOARD:
        begin, end = first_steps(op, arg, reach, game, board, rules)
        if is_empty(begin):
            return False
        if not is_empty(end):
            return True
    return not is_empty(move_sources(op, arg, game, board, rules))
