"""The legal actions of the seat to move (docs/turn.md, Phases).

In this order: where a piece may be built, which cards may be used and bought, and the legal actions of each phase. The targets of cards are
in effects.py, moves of houses in moves.py.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import spread
from winterkingdom_env.core.hexset import is_empty, load, no_hexes, store
from winterkingdom_env.games.winter_kingdom.effects import free_targets, has_target
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    DONE,
    FIRST_MOVE_OP,
    FORT,
    HOUSE,
    LAST_MOVE_OP,
    LIFT,
    MANDATORY_PIECES,
    N_ABILITIES,
    N_CARD_TERRAINS,
    NONE,
    TRIPLE_COST,
    TRIPLE_FIRST,
    TUNNEL_CARD,
    UPGRADE_FIRST,
    USE_FIRST,
    Condition,
    Link,
    Op,
    Phase,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.moves import can_move, move_sources, move_targets
from winterkingdom_env.games.winter_kingdom.pieces import goal_hexes, open_hexes, pieces_of

U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel
U64 = np.uint64
ALL_ABILITIES = U32((1 << N_ABILITIES) - 1)  # all cards except the tunnel card


@kernel
def restrict_to_adjacent(cells, near):
    """p. 6: the hexes of ``cells`` next to an own piece if there are any, otherwise all."""
    adjacent = cells & near
    return cells if is_empty(adjacent) else adjacent


@kernel
def build_targets(op, arg, game, board, rules):
    """The hexes on which a building half may build now."""
    targets = free_targets(op, arg, game, board, rules)
    if op == Op.BUILD_AT_OPPONENT_RUN:  # p. 9: needs no own neighbour
        return targets
    return restrict_to_adjacent(targets, load(game["near"], game["seat"]))


@kernel
def mandatory_on(terrain, game, board, rules):
    """The hexes of a terrain on which a mandatory piece may be built."""
    near = load(game["near"], game["seat"])
    if board["twist"] == Twist.MOBILITY:  # p. 16: own pieces may be some hexes away
        for _ in range(board["twist_arg"] - 1):
            near = near | spread(near, board["links"])
    return restrict_to_adjacent(load(board["terrain"], terrain) & open_hexes(game, board, rules), near)


@kernel
def has_card(cards, card):
    """Whether a card's bit is set."""
    return (cards >> U32(card)) & U32(1) != 0


@kernel
def may_use_next_terrain(game, board):
    """Whether an upgraded card allows the seat's mandatory pieces on the next terrain (Crossroads II, p. 8)."""
    rest = U64(game["upgraded"][game["seat"]])
    while rest:
        if board["op"][first_bit(rest)][1] == Op.MANDATORY_ON_NEXT_TERRAIN:
            return True
        rest &= rest - U64(1)
    return False


@kernel
def mandatory_targets(game, board, rules):
    """The hexes on which the next mandatory piece may be built, and whether it must be.

    It must if the card's own terrain, or the terrain that binds the pieces, has such a hex.
    """
    seat = game["seat"]
    card = I64(game["terrain_card"][seat])
    if (
        card == NONE
        or game["n_placed"] == MANDATORY_PIECES
        or game["houses_left"][seat] + game["forts_left"][seat] == 0
    ):
        return no_hexes(), False
    targets = mandatory_on(card if game["n_placed"] == 0 else I64(game["terrain"]), game, board, rules)
    is_due = not is_empty(targets)
    if game["n_placed"] == 0 and may_use_next_terrain(game, board):
        # Adjacency is applied per terrain: the second terrain adds hexes and removes none.
        targets = targets | mandatory_on((card + 1) % N_CARD_TERRAINS, game, board, rules)
    return targets, is_due


@kernel(inline=True)
def is_usable(card, half, reach, game, board, rules):
    """Whether a half can be completed; ``reach`` are the hexes touching an own house."""
    seat = game["seat"]
    op, arg = I64(board["op"][card][half]), I64(board["arg"][card][half])
    if FIRST_MOVE_OP <= op <= LAST_MOVE_OP:
        return can_move(op, arg, reach, game, board, rules)
    if op == Op.MANDATORY_ON_NEXT_TERRAIN or game["houses_left"][seat] + game["forts_left"][seat] == 0:
        return False
    return has_target(op, arg, game, board, rules)


@kernel
def usable_halves(game, board, rules):
    """The usable halves, bit 2 * card + half: of cards in play once per turn, and of the card in use again (p. 4, 5)."""
    seat, uses = game["seat"], U64(0)
    reach = spread(load(game["houses"], seat), board["links"])
    rest = U64(game["in_play"][seat])
    if game["card"] != NONE:
        rest &= U64(1) << U64(game["card"])
    while rest:
        card = first_bit(rest)
        rest &= rest - U64(1)
        is_upgraded = has_card(game["upgraded"][seat], card)
        halves = 2 if is_upgraded and board["link"][card] != Link.THEN else 1
        for half in range(halves):
            is_spent = game["card"] == NONE and has_card(game["used"][half], card)
            if not is_spent and is_usable(card, half, reach, game, board, rules):
                uses |= U64(1) << U64(2 * card + half)
    return uses


@kernel
def price(card, is_upgrade, board, rules):
    """Coins to acquire or to upgrade a card."""
    cost = I64(board["cost"][card][int(is_upgrade)])
    if board["twist"] == Twist.ROADS and FIRST_MOVE_OP <= board["op"][card][0] <= LAST_MOVE_OP:
        cost = max(0, cost - board["twist_arg"])  # p. 16
    return cost


@kernel(inline=True)
def purchases(game, board, rules):
    """The cards that the seat can afford, one bit each: to acquire, to upgrade, to use three times (p. 5)."""
    seat, acquire, upgrade = game["seat"], U64(0), U64(0)
    coins = game["coins"][seat]
    in_play = game["in_play"][seat]
    rest = U64(game["hand"][seat] | (in_play & ~game["upgraded"][seat] & ALL_ABILITIES))
    while rest:
        card = first_bit(rest)
        rest &= rest - U64(1)
        is_upgrade = has_card(in_play, card)
        if price(card, is_upgrade, board, rules) <= coins:
            bit = U64(1) << U64(card)
            if is_upgrade:
                upgrade |= bit
            else:
                acquire |= bit
    return acquire, upgrade, U64(in_play) if coins >= TRIPLE_COST else U64(0)


@kernel(inline=True)
def write_hexes(builds, moves, lifts, game, legal):
    """Write the hexes to build on (house and fort, if in supply, p. 4), to move to and to lift from."""
    seat = game["seat"]
    store(legal["hexes"], HOUSE, builds | moves if game["houses_left"][seat] > 0 else moves)
    store(legal["hexes"], FORT, builds if game["forts_left"][seat] > 0 else no_hexes())
    store(legal["hexes"], LIFT, lifts)


@kernel
def find_legal(game, board, rules, legal):
    """Write the legal actions of the seat to move into ``legal``."""
    phase, seat = game["phase"], I64(game["seat"])
    uses, acquire, upgrade, triple = U64(0), U64(0), U64(0), U64(0)
    is_done_legal = False
    builds, moves, lifts = no_hexes(), no_hexes(), no_hexes()
    op, arg = I64(0), I64(0)
    if phase >= Phase.BUILD and phase <= Phase.FOLLOW:
        half = I64(game["half"])
        op, arg = I64(board["op"][game["card"]][half]), I64(board["arg"][game["card"]][half])
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        builds, is_due = mandatory_targets(game, board, rules)
        if phase == Phase.BEFORE:
            is_done_legal = not is_due
    elif phase == Phase.BOOM:
        builds = goal_hexes(game, board, rules) & load(game["near"], seat)
        is_done_legal = True
    elif phase == Phase.AFTER:
        if board["condition"] == Condition.SALVAGE:
            lifts = pieces_of(seat, game)
        acquire, upgrade, triple = purchases(game, board, rules)
        is_done_legal = True
    elif phase == Phase.BUILD:
        builds = build_targets(op, arg, game, board, rules)
    elif phase == Phase.LIFT:
        lifts = move_sources(op, arg, game, board, rules)
    elif phase == Phase.MOVE:
        moves = move_targets(op, arg, I64(game["lifted"]), game, board, rules)
    elif phase == Phase.FOLLOW:
        if game["card"] == TUNNEL_CARD:  # p. 16, Longer Tunnels
            op = I64(Op.MOVE_ONE.value)
        if FIRST_MOVE_OP <= op <= LAST_MOVE_OP:
            moves = move_targets(op, arg, I64(game["came_to"]), game, board, rules)
        else:
            builds = build_targets(op, arg, game, board, rules)
        is_done_legal = True
    elif phase == Phase.WOLVES:
        lifts = pieces_of(seat, game)  # p. 4: a fort functions as a house
    elif phase == Phase.TRIPLE or phase == Phase.INNOVATE:
        is_done_legal = True
    # p. 15: salvage belongs to the purchase, no special action comes after it
    has_uses = phase == Phase.BEFORE or (phase == Phase.AFTER and game["salvaged"] == 0)
    if has_uses or phase == Phase.TRIPLE or phase == Phase.INNOVATE:
        uses = usable_halves(game, board, rules)
    legal["others"][0] = uses | (acquire << U64(ACQUIRE_FIRST - USE_FIRST))
    legal["others"][1] = (
        (acquire >> U64(USE_FIRST + 64 - ACQUIRE_FIRST))
        | (upgrade << U64(UPGRADE_FIRST - USE_FIRST - 64))
        | (triple << U64(TRIPLE_FIRST - USE_FIRST - 64))
        | (U64(is_done_legal) << U64(DONE - USE_FIRST - 64))
    )
    write_hexes(builds, moves, lifts, game, legal)
