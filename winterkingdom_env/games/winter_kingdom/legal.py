"""What the seat to move may do now (docs/turn.md, Phases).

From top to bottom: what the rules ask for about a position, where a piece may be built, which cards may be used and bought, and
all of it by phase. What a card aims at is in effects.py, how houses move in moves.py.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, nth_bit, popcount, store_bits
from winterkingdom_env.core.grid import has, nth_cell, spread
from winterkingdom_env.core.hexset import count, is_empty, load, no_hexes, store
from winterkingdom_env.games.winter_kingdom.effects import free_targets, has_target
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    DONE,
    FIRST_MOVE_OP,
    FORT,
    HOUSE,
    HOUSE_FIRST,
    LAST_MOVE_OP,
    LIFT,
    MANDATORY_PIECES,
    N_ABILITIES,
    N_ACTIONS,
    N_CARD_TERRAINS,
    N_HEXES,
    NONE,
    ROWS,
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

U8 = np.uint8
U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel
U64 = np.uint64
ALL_ABILITIES = U32((1 << N_ABILITIES) - 1)  # all cards but the tunnel card


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
        for _ in range(rules["twist_arg"][Twist.MOBILITY] - 1):
            near = near | spread(near, board["links"])
    return restrict_to_adjacent(load(board["terrain"], terrain) & open_hexes(game, board, rules), near)


@kernel
def has_card(cards, card):
    """Whether a card's bit is set."""
    return (cards >> U32(card)) & U32(1) != 0


@kernel
def may_use_next_terrain(game, rules):
    """Whether an upgraded card lets the seat's mandatory pieces go on the next terrain (Crossroads II, p. 8)."""
    rest = U64(game["upgraded"][game["seat"]])
    while rest:
        if rules["op"][first_bit(rest)][1] == Op.MANDATORY_ON_NEXT_TERRAIN:
            return True
        rest &= rest - U64(1)
    return False


@kernel
def mandatory_targets(game, board, rules):
    """The hexes on which the next mandatory piece may be built, and whether it must be.

    It must if the card's own terrain, or the one the pieces are bound to, has such a hex.
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
    if game["n_placed"] == 0 and may_use_next_terrain(game, rules):
        # Each terrain is judged by itself: the second one adds hexes and takes none away.
        targets = targets | mandatory_on((card + 1) % N_CARD_TERRAINS, game, board, rules)
    return targets, is_due


@kernel(inline=True)
def is_usable(card, half, reach, game, board, rules):
    """Whether a half can be carried out to its end; ``reach`` are the hexes touching an own house."""
    seat = game["seat"]
    op, arg = I64(rules["op"][card][half]), I64(rules["arg"][card][half])
    if FIRST_MOVE_OP <= op <= LAST_MOVE_OP:
        return can_move(op, arg, reach, game, board, rules)
    if op == Op.MANDATORY_ON_NEXT_TERRAIN or game["houses_left"][seat] + game["forts_left"][seat] == 0:
        return False
    return has_target(op, arg, game, board, rules)


@kernel
def add_uses(game, board, rules, legal):
    """Add the halves that may be used now: of the cards in play once a turn, of the card in use also if used (p. 4, 5)."""
    seat = game["seat"]
    reach = spread(load(game["houses"], seat), board["links"])
    rest = U64(game["in_play"][seat])
    if game["card"] != NONE:
        rest &= U64(1) << U64(game["card"])
    while rest:
        card = first_bit(rest)
        rest &= rest - U64(1)
        is_upgraded = has_card(game["upgraded"][seat], card)
        halves = 2 if is_upgraded and rules["link"][card] != Link.THEN else 1
        for half in range(halves):
            is_spent = game["card"] == NONE and has_card(game["used"][half], card)
            if not is_spent and is_usable(card, half, reach, game, board, rules):
                legal["use"] |= U64(1) << U64(2 * card + half)


@kernel
def price(card, is_upgrade, board, rules):
    """Coins to acquire or to upgrade a card."""
    cost = I64(rules["cost"][card][int(is_upgrade)])
    if board["twist"] == Twist.ROADS and FIRST_MOVE_OP <= rules["op"][card][0] <= LAST_MOVE_OP:
        cost = max(0, cost - rules["twist_arg"][Twist.ROADS])  # p. 16
    return cost


@kernel(inline=True)
def add_purchases(game, board, rules, legal):
    """Add what the seat can pay for (p. 5)."""
    seat = game["seat"]
    coins = game["coins"][seat]
    in_play = game["in_play"][seat]
    rest = U64(game["hand"][seat] | (in_play & ~game["upgraded"][seat] & ALL_ABILITIES))
    while rest:
        card = first_bit(rest)
        rest &= rest - U64(1)
        is_upgrade = has_card(in_play, card)
        if price(card, is_upgrade, board, rules) <= coins:
            bit = U32(1) << U32(card)
            if is_upgrade:
                legal["upgrade"] |= bit
            else:
                legal["acquire"] |= bit
    if coins >= TRIPLE_COST:
        legal["triple"] = game["in_play"][seat]


@kernel(inline=True)
def write_hexes(builds, moves, lifts, game, legal):
    """Write where a piece may be built (a house and a fort, as far as the supply has them, p. 4), moved to and lifted from."""
    seat = game["seat"]
    store(legal["hexes"], HOUSE, builds | moves if game["houses_left"][seat] > 0 else moves)
    store(legal["hexes"], FORT, builds if game["forts_left"][seat] > 0 else no_hexes())
    store(legal["hexes"], LIFT, lifts)


@kernel
def find_legal(game, board, rules, legal):
    """Write into ``legal`` everything the seat to move may do in this phase."""
    phase, seat = game["phase"], I64(game["seat"])
    legal["use"] = U64(0)
    legal["acquire"] = U32(0)
    legal["upgrade"] = U32(0)
    legal["triple"] = U32(0)
    is_done_legal = False
    builds, moves, lifts = no_hexes(), no_hexes(), no_hexes()
    op, arg = I64(0), I64(0)
    if phase >= Phase.BUILD and phase <= Phase.FOLLOW:
        half = I64(game["half"])
        op, arg = I64(rules["op"][game["card"]][half]), I64(rules["arg"][game["card"]][half])
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        builds, is_due = mandatory_targets(game, board, rules)
        if phase == Phase.BEFORE:
            is_done_legal = not is_due
    elif phase == Phase.BOOM:
        builds = goal_hexes(game, board, rules) & load(game["near"], seat)
        is_done_legal = True
    elif phase == Phase.AFTER:
        if rules["condition"][board["economy"]] == Condition.SALVAGE:
            lifts = pieces_of(seat, game)
        add_purchases(game, board, rules, legal)
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
        add_uses(game, board, rules, legal)
    legal["done"] = U8(is_done_legal)
    write_hexes(builds, moves, lifts, game, legal)


@kernel(inline=True)
def is_legal(action, rules, legal):
    """Whether an action's bit is set in ``legal``; numbers that are no action are not."""
    if action < HOUSE_FIRST or action >= N_ACTIONS:
        return False
    if action < USE_FIRST:
        return has(legal["hexes"], action // N_HEXES, rules["cell"][action % N_HEXES])
    if action < ACQUIRE_FIRST:
        return (legal["use"] >> U64(action - USE_FIRST)) & U64(1) != 0
    if action < UPGRADE_FIRST:
        return has_card(legal["acquire"], action - ACQUIRE_FIRST)
    if action < TRIPLE_FIRST:
        return has_card(legal["upgrade"], action - UPGRADE_FIRST)
    if action < DONE:
        return has_card(legal["triple"], action - TRIPLE_FIRST)
    return legal["done"] != 0


@kernel
def expand(rules, legal, mask):
    """Write the legal actions into ``mask``, one byte of 0 or 1 per action; from left to right, as parts overlap."""
    for kind in range(3):
        first, hexes = kind * N_HEXES, legal["hexes"][kind]
        if is_empty(load(legal["hexes"], kind)):
            for i in range(0, N_HEXES, 64):
                store_bits(mask, first + i, U64(0))
            continue
        for r in range(ROWS):
            # The hexes of a row lie side by side. What is written beyond the row is 0, and the next row, or whatever comes
            # behind the last one, writes over it.
            store_bits(mask, first + rules["row_hex"][r], U32(hexes[r] >> U32(rules["row_column"][r])))
    # The 128 actions without a hex are the bits of two words.
    acquire, upgrade, triple = U64(legal["acquire"]), U64(legal["upgrade"]), U64(legal["triple"])
    low = legal["use"] | (acquire << U64(ACQUIRE_FIRST - USE_FIRST))
    high = (
        (acquire >> U64(USE_FIRST + 64 - ACQUIRE_FIRST))
        | (upgrade << U64(UPGRADE_FIRST - USE_FIRST - 64))
        | (triple << U64(TRIPLE_FIRST - USE_FIRST - 64))
        | (U64(legal["done"]) << U64(DONE - USE_FIRST - 64))
    )
    store_bits(mask, USE_FIRST, low)
    store_bits(mask, USE_FIRST + 64, high)


@kernel
def count_kinds(legal):
    """Numbers of legal actions by kind, in the order of the action numbers; ``done`` comes last."""
    return (
        count(load(legal["hexes"], HOUSE)),
        count(load(legal["hexes"], FORT)),
        count(load(legal["hexes"], LIFT)),
        popcount(U64(legal["use"])),
        popcount(U64(legal["acquire"])),
        popcount(U64(legal["upgrade"])),
        popcount(U64(legal["triple"])),
        I64(legal["done"]),
    )


@kernel
def count_legal(legal):
    """Number of legal actions."""
    total = I64(0)
    for n in count_kinds(legal):
        total += n
    return total


@kernel
def nth_legal(n, rules, legal):
    """The legal action that has ``n`` legal actions before it; there must be one."""
    sizes = count_kinds(legal)
    for kind in range(3):
        if n < sizes[kind]:
            cell = nth_cell(legal["hexes"], kind, n)
            return I64(kind * N_HEXES + rules["hex_at"][cell >> 5][cell & 31])
        n -= sizes[kind]
    if n < sizes[3]:
        return I64(USE_FIRST + nth_bit(U64(legal["use"]), n))
    n -= sizes[3]
    if n < sizes[4]:
        return I64(ACQUIRE_FIRST + nth_bit(U64(legal["acquire"]), n))
    n -= sizes[4]
    if n < sizes[5]:
        return I64(UPGRADE_FIRST + nth_bit(U64(legal["upgrade"]), n))
    n -= sizes[5]
    if n < sizes[6]:
        return I64(TRIPLE_FIRST + nth_bit(U64(legal["triple"]), n))
    return I64(DONE)


@kernel
def list_legal(rules, legal, actions):
    """Write the legal actions into ``actions`` (int16), ascending; how many."""
    n = 0
    for kind in range(3):
        for r in range(ROWS):
            rest = U64(legal["hexes"][kind][r])
            while rest:
                actions[n] = kind * N_HEXES + rules["hex_at"][r][first_bit(rest)]
                n += 1
                rest &= rest - U64(1)
    for first, bits in (
        (USE_FIRST, U64(legal["use"])),
        (ACQUIRE_FIRST, U64(legal["acquire"])),
        (UPGRADE_FIRST, U64(legal["upgrade"])),
        (TRIPLE_FIRST, U64(legal["triple"])),
        (DONE, U64(legal["done"])),
    ):
        rest = bits
        while rest:
            actions[n] = first + first_bit(rest)
            n += 1
            rest &= rest - U64(1)
    return n
