"""What a building half aims at, and what building earns. An op is a recipe for a set of hexes; what holds for every
piece (free, twist, own neighbour) is applied once, after it, by legal.py."""

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
    CARD_TERRAINS,
    CENTRE,
    EDGE,
    FORT_VALUE,
    MANDATORY_PIECES,
    N_CARD_TERRAINS,
    NONE,
    OWN,
    A,
    B,
    C,
    Condition,
    D,
    Op,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.pieces import pieces_of

U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


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
                pieces_of(I64(player), game, work[B])
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
