"""What the seat to move may do now (docs/turn.md, Phases).

From top to bottom: what the rules ask for about a position, where a piece may be built, which cards may be used and bought, and
all of it by phase. What a card aims at is in effects.py, how houses move in moves.py.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, store_word
from winterkingdom_env.core.grid import clear, copy, has, intersect, is_empty, meets, spread, subtract, unite
from winterkingdom_env.core.sizes import ROWS
from winterkingdom_env.games.winter_kingdom.effects import aim, has_target
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    BUILDABLE,
    DONE,
    EMPTY,
    FIRST_MOVE_OP,
    FORT,
    GOAL,
    HOUSE,
    HOUSE_FIRST,
    LAST_MOVE_OP,
    LIFT,
    MANDATORY_PIECES,
    N_ABILITIES,
    N_ACTIONS,
    N_CARD_TERRAINS,
    N_CARDS,
    N_HEXES,
    NONE,
    OPEN,
    OWN,
    REACH,
    TARGET,
    TRIPLE_COST,
    TRIPLE_FIRST,
    TUNNEL_CARD,
    UPGRADE_FIRST,
    USE_FIRST,
    WHOLE,
    B,
    C,
    Condition,
    D,
    Link,
    Op,
    Phase,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.moves import can_move, move_sources, move_targets
from winterkingdom_env.games.winter_kingdom.pieces import pieces_of

U8 = np.uint8
U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel
U64 = np.uint64
BYTE = U64(255)
ALL_ABILITIES = U32((1 << N_ABILITIES) - 1)  # all cards but the tunnel card


@kernel
def close_impasse(game, board, out):
    """p. 16, Impasse: no piece comes to a hex touching another player's piece."""
    if board["twist"] == Twist.IMPASSE:
        for player in range(board["n_players"]):
            if player != game["seat"]:
                subtract(out, game["near"][player], out)


@kernel
def look(game, board, rules, work):
    """Fill ``work`` with the sets that the rules ask for about the seat to move: own, empty, open, goal."""
    pieces_of(I64(game["seat"]), game, work[OWN])
    subtract(rules["area"][WHOLE], game["taken"][0], work[EMPTY])
    copy(work[EMPTY], work[OPEN])
    close_impasse(game, board, work[OPEN])
    intersect(work[OPEN], board["terrain"][BUILDABLE], work[GOAL])


@kernel
def restrict_to_adjacent(cells, near):
    """p. 6: keep the hexes of ``cells`` next to an own piece if there are any, otherwise all."""
    if meets(cells, near):
        intersect(cells, near, cells)


@kernel
def build_targets(op, arg, game, board, rules, out, work):
    """Write into ``out`` the hexes on which a building half may build now; ``look`` has filled ``work``."""
    aim(op, arg, game, board, rules, out, work)
    # Only a half that names a terrain goes beyond the seven buildable ones (Mine II: mountain).
    free = work[OPEN] if op == Op.BUILD_ON else work[GOAL]
    intersect(out, free, out)
    if op != Op.BUILD_AT_OPPONENT_RUN:  # p. 9: needs no own neighbour
        restrict_to_adjacent(out, game["near"][game["seat"]])


@kernel
def mandatory_on(terrain, game, board, rules, out, work):
    """Write into ``out`` the hexes of a terrain on which a mandatory piece may be built; whether there is one."""
    near, taken, land = game["near"][game["seat"]], game["taken"][0], board["terrain"][terrain]
    if board["twist"] == Twist.MOBILITY:  # p. 16: own pieces may be some hexes away
        for _ in range(rules["twist_arg"][Twist.MOBILITY] - 1):
            spread(near, board["links"], work[C])
            unite(near, work[C], work[B])
            near = work[B]
    subtract(land, taken, out)
    close_impasse(game, board, out)
    restrict_to_adjacent(out, near)
    return not is_empty(out)


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
def mandatory_targets(game, board, rules, out, work):
    """Write into ``out`` the hexes on which the next mandatory piece may be built.

    Returns whether the card's own terrain, or the one the pieces are bound to, has such a hex: then the piece must be built.
    """
    seat = game["seat"]
    clear(out)
    card = I64(game["terrain_card"][seat])
    if (
        card == NONE
        or game["n_placed"] == MANDATORY_PIECES
        or game["houses_left"][seat] + game["forts_left"][seat] == 0
    ):
        return False
    terrain = card if game["n_placed"] == 0 else I64(game["terrain"])
    is_due = mandatory_on(terrain, game, board, rules, out, work)
    if game["n_placed"] == 0 and may_use_next_terrain(game, rules):
        # Each terrain is judged by itself: the second one adds hexes and takes none away.
        mandatory_on(I64((card + 1) % N_CARD_TERRAINS), game, board, rules, work[D], work)
        for r in range(ROWS):
            out[r] |= work[D][r]
    return is_due


@kernel(inline=True)
def is_usable(card, half, game, board, rules, work):
    """Whether a half can be carried out to its end; ``look`` and ``add_uses`` have filled ``work``."""
    seat = game["seat"]
    op, arg = I64(rules["op"][card][half]), I64(rules["arg"][card][half])
    if FIRST_MOVE_OP <= op <= LAST_MOVE_OP:
        return can_move(op, arg, game, board, rules, work)
    if op == Op.MANDATORY_ON_NEXT_TERRAIN or game["houses_left"][seat] + game["forts_left"][seat] == 0:
        return False
    return has_target(op, arg, game, board, rules, work)


@kernel
def add_uses(game, board, rules, legal, work):
    """Add the halves that may be used now: of the cards in play once a turn, of the card in use also if used (p. 4, 5)."""
    seat = game["seat"]
    spread(game["houses"][seat], board["links"], work[REACH])
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
            if not is_spent and is_usable(card, half, game, board, rules, work):
                legal["use"] |= U64(1) << U64(2 * card + half)


@kernel
def add_builds(targets, game, legal):
    """Add a house and a fort on each target, as far as the supply has them (p. 4)."""
    seat = game["seat"]
    if game["houses_left"][seat] > 0:
        copy(targets, legal["hexes"][HOUSE])
    if game["forts_left"][seat] > 0:
        copy(targets, legal["hexes"][FORT])


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
def add_follow(game, board, rules, legal, work):
    """Add what the second half (or Longer Tunnels) lets the house do that has just come to its hex."""
    card = game["card"]
    if card == TUNNEL_CARD:
        op, arg = I64(Op.MOVE_ONE.value), I64(0)
    else:
        op, arg = I64(rules["op"][card][1]), I64(rules["arg"][card][1])
    if FIRST_MOVE_OP <= op <= LAST_MOVE_OP:
        move_targets(op, arg, I64(game["came_to"]), game, board, rules, legal["hexes"][HOUSE], work)
    else:
        build_targets(op, arg, game, board, rules, work[TARGET], work)
        add_builds(work[TARGET], game, legal)


@kernel
def find_legal(game, board, rules, legal, work):
    """Write into ``legal`` everything the seat to move may do in this phase."""
    phase = game["phase"]
    seat = game["seat"]
    clear(legal["hexes"][HOUSE])
    clear(legal["hexes"][FORT])
    clear(legal["hexes"][LIFT])
    legal["use"] = U64(0)
    legal["acquire"] = U32(0)
    legal["upgrade"] = U32(0)
    legal["triple"] = U32(0)
    legal["done"] = U8(0)
    if phase == Phase.OVER:
        return
    if phase != Phase.MANDATORY:
        look(game, board, rules, work)
    op, arg = I64(0), I64(0)
    if phase >= Phase.BUILD and phase <= Phase.MOVE:
        op = I64(rules["op"][game["card"]][game["half"]])
        arg = I64(rules["arg"][game["card"]][game["half"]])
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        is_due = mandatory_targets(game, board, rules, work[TARGET], work)
        add_builds(work[TARGET], game, legal)
        if phase == Phase.BEFORE:
            legal["done"] = U8(not is_due)
            add_uses(game, board, rules, legal, work)
    elif phase == Phase.BOOM:
        for r in range(ROWS):
            work[TARGET][r] = work[GOAL][r] & game["near"][seat][r]
        add_builds(work[TARGET], game, legal)
        legal["done"] = U8(1)
    elif phase == Phase.AFTER:
        add_uses(game, board, rules, legal, work)
        if rules["condition"][board["economy"]] == Condition.SALVAGE:
            copy(work[OWN], legal["hexes"][LIFT])
        add_purchases(game, board, rules, legal)
        legal["done"] = U8(1)
    elif phase == Phase.BUILD:
        build_targets(op, arg, game, board, rules, work[TARGET], work)
        add_builds(work[TARGET], game, legal)
    elif phase == Phase.LIFT:
        move_sources(op, arg, game, board, rules, legal["hexes"][LIFT], work)
    elif phase == Phase.MOVE:
        move_targets(op, arg, I64(game["lifted"]), game, board, rules, legal["hexes"][HOUSE], work)
    elif phase == Phase.FOLLOW:
        add_follow(game, board, rules, legal, work)
        legal["done"] = U8(1)
    elif phase == Phase.WOLVES:
        copy(game["houses"][seat], legal["hexes"][LIFT])
    else:  # TRIPLE, INNOVATE
        add_uses(game, board, rules, legal, work)
        legal["done"] = U8(1)


@kernel(inline=True)
def is_legal(action, rules, legal):
    """Whether an action's bit is set in ``legal``; numbers that are no action are not."""
    if action < HOUSE_FIRST or action >= N_ACTIONS:
        return False
    if action < USE_FIRST:
        return has(legal["hexes"][action // N_HEXES], rules["cell"][action % N_HEXES])
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
def expand_hexes(cells, first, rules, mask):
    """Write a set of hexes into ``mask``, one byte per hex number, from ``first`` on."""
    if is_empty(cells):
        for i in range(0, N_HEXES, 8):
            store_word(mask, first + i, U64(0))
        return
    for r in range(ROWS):
        # The hexes of a row lie side by side, 22 at most: three words of eight. What a word writes beyond the row is 0,
        # and the next row, or whatever comes behind the last one, writes over it.
        bits = U64(cells[r] >> U32(rules["row_column"][r]))
        place = first + rules["row_hex"][r]
        store_word(mask, place, rules["bytes_of"][bits & BYTE])
        store_word(mask, place + 8, rules["bytes_of"][(bits >> U64(8)) & BYTE])
        store_word(mask, place + 16, rules["bytes_of"][(bits >> U64(16)) & BYTE])


@kernel
def expand_bits(bits, n_words, first, rules, mask):
    """Write bits into ``mask``, eight bytes at a time."""
    for i in range(n_words):
        store_word(mask, first + 8 * i, rules["bytes_of"][(bits >> U64(8 * i)) & BYTE])


@kernel
def expand(rules, legal, mask):
    """Write the legal actions into ``mask``, one uint8 of 0 or 1 per action; from left to right, as parts overlap."""
    for kind in range(3):
        expand_hexes(legal["hexes"][kind], I64(kind * N_HEXES), rules, mask)
    expand_bits(U64(legal["use"]), I64(7), I64(USE_FIRST), rules, mask)
    expand_bits(U64(legal["acquire"]), I64(4), I64(ACQUIRE_FIRST), rules, mask)
    expand_bits(U64(legal["upgrade"]), I64(4), I64(UPGRADE_FIRST), rules, mask)
    expand_bits(U64(legal["triple"]), I64(3), I64(TRIPLE_FIRST), rules, mask)
    for card in range(24, N_CARDS):  # the last ones one by one: nothing may be written behind the mask
        mask[TRIPLE_FIRST + card] = (legal["triple"] >> U32(card)) & U32(1)
    mask[DONE] = legal["done"]
