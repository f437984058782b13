"""The target hexes of building halves, and the coins that building earns. An op is a recipe for a set of hexes; legal.py
then applies the rules that hold for every piece (free hex, twist, own neighbour)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import flood, has, has_run, meets, run, spread, step
from winterkingdom_env.core.hexset import is_empty, load, no_hexes, one_hex
from winterkingdom_env.core.sizes import DIRECTIONS
from winterkingdom_env.games.winter_kingdom.layout import (
    CARD_TERRAINS,
    CENTRE,
    EDGE,
    FORT_VALUE,
    MANDATORY_PIECES,
    N_CARD_TERRAINS,
    NONE,
    Condition,
    Op,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.pieces import add_piece, empty_hexes, goal_hexes, open_hexes, pieces_of

I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def touching_count(least, most, game, board):
    """The hexes touching ``least`` to ``most`` own houses, at most 3; a fort counts two.

    Neighbours are counted for all hexes at once, in binary: ``ones`` and ``twos`` are the digits, ``more`` means 4 or more.
    """
    houses, forts = load(game["houses"], game["seat"]), load(game["forts"], game["seat"])
    ones, twos, more = no_hexes(), no_hexes(), no_hexes()
    for direction in range(DIRECTIONS):
        line = step(houses, direction, board["links"])
        carry = ones & line
        ones = ones ^ line
        more = more | (twos & carry)
        twos = twos ^ carry
        line = step(forts, direction, board["links"])
        more = more | (twos & line)
        twos = twos ^ line
    found = no_hexes()
    for n in range(least, most + 1):
        first = ones if n & 1 else ~ones
        second = twos if n & 2 else ~twos
        found = found | (first & second & ~more)
    return found


@kernel
def aim(op, arg, game, board, rules):
    """The hexes that a building half aims at, occupied or not."""
    seat, links = I64(game["seat"]), board["links"]
    if op == Op.BUILD_ON:
        return load(board["terrain"], arg)
    if op == Op.BUILD_ON_CARD_TERRAIN:
        card = game["terrain_card"][seat]
        return no_hexes() if card == NONE else load(board["terrain"], (card + arg) % N_CARD_TERRAINS)
    if op == Op.BUILD_NEXT_TO:
        return load(board["touching"], arg)
    if op == Op.BUILD_NEXT_TO_OWN_FORT:
        return spread(load(game["forts"], seat), links)
    if op == Op.BUILD_NEXT_TO_GROUP_AT or op == Op.BUILD_NEXT_TO_GROUP_WITH_FORT:
        seed = load(board["touching"], arg) if op == Op.BUILD_NEXT_TO_GROUP_AT else load(game["forts"], seat)
        return spread(flood(seed, pieces_of(seat, game), links), links)
    if op == Op.BUILD_AT_OWN_RUN:
        return run(pieces_of(seat, game), arg, links)
    if op == Op.BUILD_AT_OPPONENT_RUN:
        found = no_hexes()
        for player in range(board["n_players"]):
            if player != seat:
                found = found | run(pieces_of(player, game), arg, links)
        return found
    if op == Op.BUILD_TOUCHING_EXACTLY or op == Op.BUILD_TOUCHING_AT_MOST:
        return touching_count(arg if op == Op.BUILD_TOUCHING_EXACTLY else I64(0), arg, game, board)
    if op == Op.BUILD_ON_EDGE:
        return load(rules["area"], EDGE) & load(board["terrain"], CARD_TERRAINS)  # p. 10: the six terrains, so no ice
    if op == Op.BUILD_ON_CENTRE_BOARD:
        return load(rules["area"], CENTRE)
    return one_hex(rules["cell"][game["left"]])  # BUILD_ON_HEX_JUST_LEFT


@kernel
def free_targets(op, arg, game, board, rules):
    """The free target hexes of a building half, before the rule about own neighbours."""
    # Only a half that names a terrain goes beyond the seven buildable ones (Mine II: mountain).
    free = open_hexes(game, board, rules) if op == Op.BUILD_ON else goal_hexes(game, board, rules)
    return aim(op, arg, game, board, rules) & free


@kernel
def has_target(op, arg, game, board, rules):
    """Whether a building half has a hex to build on. The rule about own neighbours never removes all of them."""
    seat = I64(game["seat"])
    if op == Op.BUILD_NEXT_TO_GROUP_AT or op == Op.BUILD_NEXT_TO_GROUP_WITH_FORT:
        # Usually there is room next to the first piece of the group, so that the group need not be traced.
        seed = load(board["touching"], arg) if op == Op.BUILD_NEXT_TO_GROUP_AT else load(game["forts"], seat)
        seed = seed & pieces_of(seat, game)
        if is_empty(seed):
            return False
        if meets(spread(seed, board["links"]), goal_hexes(game, board, rules)):
            return True
    elif op == Op.BUILD_TOUCHING_AT_MOST:
        if not is_empty(goal_hexes(game, board, rules) & ~load(game["near"], seat)):  # touches none
            return True
    return not is_empty(free_targets(op, arg, game, board, rules))


@kernel
def coins_for_building(hex_id, game, board, rules):
    """Coins for one house on this hex, before the piece stands there (p. 14-15)."""
    seat, condition, cell = game["seat"], board["condition"], rules["cell"][hex_id]
    earns = False
    if condition == Condition.NEXT_TO:
        earns = has(board["touching"], board["condition_arg"], cell)
    elif condition == Condition.NEXT_TO_OWN_FORT:
        earns = meets(spread(one_hex(cell), board["links"]), load(game["forts"], seat))
    elif condition == Condition.ON_TOP_BOARD:
        earns = rules["board"][hex_id] == board["top"]
    elif condition == Condition.ON_EDGE:
        earns = has(rules["area"], EDGE, cell)
    elif condition == Condition.NO_FREE_SAME_NEIGHBOUR:
        earns = not meets(spread(one_hex(cell), board["same"]), empty_hexes(game, rules))
    elif condition == Condition.TOUCHING_NO_OWN:
        earns = not has(game["near"], seat, cell)
    return I64(board["coins"]) if earns else I64(0)


@kernel
def is_line(game, board, rules):
    """Whether the three mandatory pieces lie side by side on one straight line, in any order (p. 15)."""
    pieces = no_hexes()
    for i in range(MANDATORY_PIECES):
        pieces = pieces | one_hex(rules["cell"][game["placed"][i]])
    return has_run(pieces, MANDATORY_PIECES, board["links"])


@kernel
def build(hex_id, is_fort, game, board, rules):
    """Put a piece of the seat's supply on a hex and pay its coins; the extra piece of a boom earns nothing."""
    seat = I64(game["seat"])
    value = FORT_VALUE if is_fort else 1
    if game["phase"] != Phase.BOOM:
        game["coins"][seat] += value * coins_for_building(hex_id, game, board, rules)
    if is_fort:
        add_piece(game["forts"], seat, rules["cell"][hex_id], game, board)
        game["forts_left"][seat] -= 1
    else:
        add_piece(game["houses"], seat, rules["cell"][hex_id], game, board)
        game["houses_left"][seat] -= 1
    game["built"] += value
