"""Where pieces may be built, and what building earns. An op is a recipe for a set of hexes; what holds for every
piece (free, twist, own neighbour) is applied once, after it."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import (
    clear,
    copy,
    flood,
    has,
    is_empty,
    meets,
    put,
    run,
    spread,
    step,
)
from winterkingdom_env.core.sizes import DIRECTIONS, ROWS
from winterkingdom_env.games.winter_kingdom.layout import (
    BUILDABLE,
    CARD_TERRAINS,
    CENTRE,
    EDGE,
    EMPTY,
    FORT_VALUE,
    GOAL,
    MANDATORY_PIECES,
    N_CARD_TERRAINS,
    NEAR,
    NONE,
    OPEN,
    OWN,
    WHOLE,
    A,
    B,
    C,
    Condition,
    D,
    Op,
    Phase,
    Twist,
)

U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def look(game, board, rules, work):
    """Fill ``work`` with the sets that the rules ask for about the seat to move: own, near, empty, open, goal."""
    seat = game["seat"]
    own, empty, free = work[OWN], work[EMPTY], work[OPEN]
    others = work[A]
    clear(others)
    for player in range(board["n_players"]):
        if player != seat:
            for r in range(ROWS):
                others[r] |= game["houses"][player][r] | game["forts"][player][r]
    for r in range(ROWS):
        own[r] = game["houses"][seat][r] | game["forts"][seat][r]
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
def touching_count(least, most, game, board, out, work):
    """Write into ``out`` the hexes touching ``least`` to ``most`` own houses, at most 3; a fort counts two.

    The six neighbours are added up for all hexes at once, in binary: ``ones`` and ``twos`` are the digits, ``more`` is 4 or more.
    """
    seat = game["seat"]
    ones, twos, more, line = work[A], work[B], work[C], work[D]
    clear(ones)
    clear(twos)
    clear(more)
    for direction in range(DIRECTIONS):
        step(game["houses"][seat], direction, board["links"], line)
        for r in range(ROWS):
            carry = ones[r] & line[r]
            ones[r] ^= line[r]
            more[r] |= twos[r] & carry
            twos[r] ^= carry
        step(game["forts"][seat], direction, board["links"], line)
        for r in range(ROWS):
            more[r] |= twos[r] & line[r]
            twos[r] ^= line[r]
    clear(out)
    for n in range(least, most + 1):
        for r in range(ROWS):
            first = ones[r] if n & 1 else ~ones[r]
            second = twos[r] if n & 2 else ~twos[r]
            out[r] |= first & second & ~more[r]


@kernel
def aim(op, arg, game, board, rules, out, work):
    """Write into ``out`` the hexes that a building half aims at, occupied or not."""
    seat = game["seat"]
    links = board["links"]
    if op == Op.BUILD_ON:
        copy(board["terrain"][arg], out)
    elif op == Op.BUILD_ON_CARD_TERRAIN:
        card = game["terrain_card"][seat]
        if card == NONE:
            clear(out)
        else:
            copy(board["terrain"][(card + arg) % N_CARD_TERRAINS], out)
    elif op == Op.BUILD_NEXT_TO:
        copy(board["touching"][arg], out)
    elif op == Op.BUILD_NEXT_TO_OWN_FORT:
        spread(game["forts"][seat], links, out)
    elif op == Op.BUILD_NEXT_TO_GROUP_AT:
        flood(board["touching"][arg], work[OWN], links, work[A])
        spread(work[A], links, out)
    elif op == Op.BUILD_NEXT_TO_GROUP_WITH_FORT:
        flood(game["forts"][seat], work[OWN], links, work[A])
        spread(work[A], links, out)
    elif op == Op.BUILD_AT_OWN_RUN:
        run(work[OWN], arg, links, out, work[A])
    elif op == Op.BUILD_AT_OPPONENT_RUN:
        clear(out)
        for player in range(board["n_players"]):
            if player != seat:
                for r in range(ROWS):
                    work[B][r] = game["houses"][player][r] | game["forts"][player][r]
                run(work[B], arg, links, work[C], work[A])
                for r in range(ROWS):
                    out[r] |= work[C][r]
    elif op == Op.BUILD_TOUCHING_EXACTLY:
        touching_count(arg, arg, game, board, out, work)
    elif op == Op.BUILD_TOUCHING_AT_MOST:
        touching_count(I64(0), arg, game, board, out, work)
    elif op == Op.BUILD_ON_EDGE:
        for r in range(ROWS):
            out[r] = rules["area"][EDGE][r] & board["terrain"][CARD_TERRAINS][r]  # p. 10: the six terrains, so no ice
    elif op == Op.BUILD_ON_CENTRE_BOARD:
        copy(rules["area"][CENTRE], out)
    else:  # BUILD_ON_HEX_JUST_LEFT
        clear(out)
        put(out, rules["cell"][game["left"]])


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
def may_use_next_terrain(game, rules):
    """Whether an upgraded card lets the seat's mandatory pieces go on the next terrain (Crossroads II, p. 8)."""
    cards = game["upgraded"][game["seat"]]
    for card in range(rules["op"].shape[0]):
        if (cards >> U32(card)) & U32(1) and rules["op"][card][1] == Op.MANDATORY_ON_NEXT_TERRAIN:
            return True
    return False


@kernel
def mandatory_targets(game, board, rules, out, work):
    """Write into ``out`` the hexes on which the next mandatory piece may be built; ``look`` has filled ``work``."""
    seat = game["seat"]
    clear(out)
    card = I64(game["terrain_card"][seat])
    if (
        card == NONE
        or game["n_placed"] == MANDATORY_PIECES
        or game["houses_left"][seat] + game["forts_left"][seat] == 0
    ):
        return
    if game["n_placed"] > 0:
        mandatory_on(I64(game["terrain"]), board, rules, out, work)
        return
    mandatory_on(card, board, rules, out, work)
    if may_use_next_terrain(game, rules):
        # Each terrain is judged by itself: the second one adds hexes and takes none away.
        mandatory_on(I64((card + 1) % N_CARD_TERRAINS), board, rules, work[D], work)
        for r in range(ROWS):
            out[r] |= work[D][r]


@kernel
def coins_for_building(hex_id, game, board, rules, work):
    """Coins for one house on this hex, before the piece stands there (p. 14-15)."""
    seat = game["seat"]
    economy = board["economy"]
    condition = rules["condition"][economy]
    cell = rules["cell"][hex_id]
    earns = False
    if condition == Condition.NEXT_TO:
        earns = has(board["touching"][rules["condition_arg"][economy]], cell)
    elif condition == Condition.ON_TOP_BOARD:
        earns = rules["board"][hex_id] == board["top"]
    elif condition == Condition.ON_EDGE:
        earns = has(rules["area"][EDGE], cell)
    elif condition <= Condition.TOUCHING_NO_OWN:
        clear(work[A])
        put(work[A], cell)
        around = work[B]
        spread(work[A], board["links"], around)
        if condition == Condition.NEXT_TO_OWN_FORT:
            earns = meets(around, game["forts"][seat])
        elif condition == Condition.TOUCHING_NO_OWN:
            earns = not meets(around, game["forts"][seat]) and not meets(around, game["houses"][seat])
        else:  # NO_FREE_SAME_NEIGHBOUR
            same = board["terrain"][board["terrain_at"][hex_id]]
            for player in range(board["n_players"]):
                for row in range(ROWS):
                    around[row] &= ~(game["houses"][player][row] | game["forts"][player][row])
            earns = not meets(around, same)
    return I64(rules["coins"][economy]) if earns else I64(0)


@kernel
def is_line(game, board, rules, work):
    """Whether the three mandatory pieces lie side by side on one straight line, in any order (p. 15)."""
    pieces, line = work[A], work[B]
    clear(pieces)
    for i in range(MANDATORY_PIECES):
        put(pieces, rules["cell"][game["placed"][i]])
    for direction in range(0, DIRECTIONS, 2):
        copy(pieces, line)
        for _ in range(MANDATORY_PIECES - 1):
            step(line, direction, board["links"], line)
            for r in range(ROWS):
                line[r] &= pieces[r]
        if not is_empty(line):
            return True
    return False


@kernel
def build(hex_id, is_fort, game, board, rules, work):
    """Set a piece of the seat's supply on a hex and pay what it earns; the extra piece of a boom earns nothing."""
    seat = game["seat"]
    value = FORT_VALUE if is_fort else 1
    if game["phase"] != Phase.BOOM:
        game["coins"][seat] += value * coins_for_building(hex_id, game, board, rules, work)
    if is_fort:
        put(game["forts"][seat], rules["cell"][hex_id])
        game["forts_left"][seat] -= 1
    else:
        put(game["houses"][seat], rules["cell"][hex_id])
        game["houses_left"][seat] -= 1
    game["built"] += value
