"""What the seat to move may do now (docs/turn.md, Phases).

From top to bottom: what the rules ask for about a position, where a piece may be built, which cards may be used and bought, and
all of it by phase. What a card aims at is in effects.py, how houses move in moves.py.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import clear, copy, has, is_empty, meets, spread
from winterkingdom_env.core.sizes import ROWS
from winterkingdom_env.games.winter_kingdom.effects import aim
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
    N_USES,
    NEAR,
    NONE,
    OPEN,
    OWN,
    TARGET,
    TRIPLE_COST,
    TRIPLE_FIRST,
    TUNNEL_CARD,
    UPGRADE_FIRST,
    USE_FIRST,
    WHOLE,
    A,
    B,
    C,
    Condition,
    D,
    Link,
    Op,
    Phase,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.moves import move_sources, move_targets
from winterkingdom_env.games.winter_kingdom.pieces import pieces_except, pieces_of

U8 = np.uint8
U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel
U64 = np.uint64


@kernel
def look(game, board, rules, work):
    """Fill ``work`` with the sets that the rules ask for about the seat to move: own, near, empty, open, goal."""
    seat = I64(game["seat"])
    own, empty, free, others = work[OWN], work[EMPTY], work[OPEN], work[A]
    pieces_of(seat, game, own)
    pieces_except(seat, game, board, others)
    for r in range(ROWS):
        empty[r] = rules["area"][WHOLE][r] & ~(own[r] | others[r])
        free[r] = empty[r]
    if board["twist"] == Twist.IMPASSE:  # p. 16: no piece comes to a hex touching another player's piece
        spread(others, board["links"], work[B])
        for r in range(ROWS):
            free[r] &= ~work[B][r]
    for r in range(ROWS):
        work[GOAL][r] = free[r] & board["terrain"][BUILDABLE][r]
    spread(own, board["links"], work[NEAR])


@kernel
def restrict_to_adjacent(cells, near):
    """p. 6: keep the hexes of ``cells`` next to an own piece if there are any, otherwise all."""
    if meets(cells, near):
        for r in range(ROWS):
            cells[r] &= near[r]


@kernel
def build_targets(op, arg, game, board, rules, out, work):
    """Write into ``out`` the hexes on which a building half may build now; ``look`` has filled ``work``."""
    aim(op, arg, game, board, rules, out, work)
    # Only a half that names a terrain goes beyond the seven buildable ones (Mine II: mountain).
    free = work[OPEN] if op == Op.BUILD_ON else work[GOAL]
    for r in range(ROWS):
        out[r] &= free[r]
    if op != Op.BUILD_AT_OPPONENT_RUN:  # p. 9: needs no own neighbour
        restrict_to_adjacent(out, work[NEAR])


@kernel
def mandatory_on(terrain, board, rules, out, work):
    """Write into ``out`` the hexes of a terrain on which a mandatory piece may be built."""
    for r in range(ROWS):
        out[r] = board["terrain"][terrain][r] & work[OPEN][r]
    within = work[NEAR]
    if board["twist"] == Twist.MOBILITY:  # p. 16: own pieces may be some hexes away
        within = work[B]
        copy(work[NEAR], within)
        for _ in range(rules["twist_arg"][Twist.MOBILITY] - 1):
            spread(within, board["links"], work[C])
            for r in range(ROWS):
                within[r] |= work[C][r]
    restrict_to_adjacent(out, within)


@kernel
def has_card(cards, card):
    """Whether a card's bit is set."""
    return (cards >> U32(card)) & U32(1) != 0


@kernel
def may_use_next_terrain(game, rules):
    """Whether an upgraded card lets the seat's mandatory pieces go on the next terrain (Crossroads II, p. 8)."""
    cards = game["upgraded"][game["seat"]]
    for card in range(rules["op"].shape[0]):
        if has_card(cards, card) and rules["op"][card][1] == Op.MANDATORY_ON_NEXT_TERRAIN:
            return True
    return False


@kernel
def mandatory_targets(game, board, rules, out, work):
    """Write into ``out`` the hexes on which the next mandatory piece may be built; ``look`` has filled ``work``.

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
    mandatory_on(terrain, board, rules, out, work)
    is_due = not is_empty(out)
    if game["n_placed"] == 0 and may_use_next_terrain(game, rules):
        # Each terrain is judged by itself: the second one adds hexes and takes none away.
        mandatory_on(I64((card + 1) % N_CARD_TERRAINS), board, rules, work[D], work)
        for r in range(ROWS):
            out[r] |= work[D][r]
    return is_due


@kernel(inline=True)
def is_usable(card, half, game, board, rules, work):
    """Whether a half can be carried out to its end; ``look`` has filled ``work``."""
    seat = game["seat"]
    op, arg = I64(rules["op"][card][half]), I64(rules["arg"][card][half])
    if FIRST_MOVE_OP <= op <= LAST_MOVE_OP:
        move_sources(op, arg, game, board, rules, work[TARGET], work)
        return not is_empty(work[TARGET])
    if op == Op.MANDATORY_ON_NEXT_TERRAIN or game["houses_left"][seat] + game["forts_left"][seat] == 0:
        return False
    build_targets(op, arg, game, board, rules, work[TARGET], work)
    return not is_empty(work[TARGET])


@kernel
def add_uses(game, board, rules, legal, work):
    """Add the halves that may be used now: of the cards in play once a turn, of the card in use also if used (p. 4, 5)."""
    seat = game["seat"]
    for card in range(N_CARDS):
        if has_card(game["in_play"][seat], card) and (game["card"] == NONE or game["card"] == card):
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
    for card in range(N_ABILITIES):
        is_upgrade = has_card(game["in_play"][seat], card)
        if (is_upgrade or has_card(game["hand"][seat], card)) and price(card, is_upgrade, board, rules) <= coins:
            bit = U32(1) << U32(card)
            if not is_upgrade:
                legal["acquire"] |= bit
            elif not has_card(game["upgraded"][seat], card):
                legal["upgrade"] |= bit
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
            work[TARGET][r] = work[GOAL][r] & work[NEAR][r]
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
def expand(rules, legal, mask):
    """Write the legal actions into ``mask``, one uint8 of 0 or 1 per action."""
    for hex_id in range(N_HEXES):
        cell = rules["cell"][hex_id]
        for kind in range(3):
            mask[kind * N_HEXES + hex_id] = (legal["hexes"][kind][cell >> 5] >> U32(cell & 31)) & U32(1)
    for i in range(N_USES):
        mask[USE_FIRST + i] = (legal["use"] >> U64(i)) & U64(1)
    for card in range(N_CARDS):
        if card < N_ABILITIES:
            mask[ACQUIRE_FIRST + card] = (legal["acquire"] >> U32(card)) & U32(1)
            mask[UPGRADE_FIRST + card] = (legal["upgrade"] >> U32(card)) & U32(1)
        mask[TRIPLE_FIRST + card] = (legal["triple"] >> U32(card)) & U32(1)
    mask[DONE] = legal["done"]
