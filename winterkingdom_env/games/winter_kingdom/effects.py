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
    put_around,
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
    GOAL,
    MANDATORY_PIECES,
    N_CARD_TERRAINS,
    NONE,
    OPEN,
    OWN,
    TARGET,
    A,
    B,
    C,
    Condition,
    D,
    Op,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.pieces import add_piece, pieces_of

U32 = np.uint32
ONE = U32(1)
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel(inline=True)
def count_row(least, most, houses, above, below, forts, fort_above, fort_below, e, s, sw, s_above, sw_above):
    """The hexes of one row that touch ``least`` to ``most`` houses; arguments as in core.grid's ``beside``.

    The six neighbours are added up for all hexes of the row at once, in binary: ``ones`` and ``twos`` are the digits, ``more`` is 4 or more.
    """
    ones, twos, more = U32(0), U32(0), U32(0)
    for line in (
        (houses & e) << ONE, (houses >> ONE) & e, above & s_above, (above & sw_above) >> ONE, below & s, (below << ONE) & sw,
    ):  # fmt: skip
        carry = ones & line
        ones ^= line
        more |= twos & carry
        twos ^= carry
    for line in (
        (forts & e) << ONE, (forts >> ONE) & e, fort_above & s_above, (fort_above & sw_above) >> ONE,
        fort_below & s, (fort_below << ONE) & sw,
    ):  # fmt: skip
        more |= twos & line
        twos ^= line
    found = U32(0)
    for n in range(4):
        first = ones if n & 1 else ~ones
        second = twos if n & 2 else ~twos
        if least <= n <= most:
            found |= first & second & ~more
    return found


@kernel
def touching_count(least, most, game, board, out):
    """Write into ``out`` the hexes touching ``least`` to ``most`` own houses, at most 3; a fort counts two."""
    seat = game["seat"]
    houses, forts, zero = game["houses"][seat], game["forts"][seat], U32(0)
    e, s, sw = board["links"][0], board["links"][1], board["links"][2]
    last = ROWS - 1
    for r in range(1, last):
        out[r] = count_row(
            least, most, houses[r], houses[r - 1], houses[r + 1], forts[r], forts[r - 1], forts[r + 1],
            e[r], s[r], sw[r], s[r - 1], sw[r - 1],
        )  # fmt: skip
    out[0] = count_row(
        least, most, houses[0], zero, houses[1], forts[0], zero, forts[1], e[0], s[0], sw[0], zero, zero
    )  # fmt: skip
    out[last] = count_row(
        least, most, houses[last], houses[last - 1], zero, forts[last], forts[last - 1], zero,
        e[last], zero, zero, s[last - 1], sw[last - 1],
    )  # fmt: skip


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
        run(work[OWN], arg, links, out, work[A], work[B])
    elif op == Op.BUILD_AT_OPPONENT_RUN:
        clear(out)
        for player in range(board["n_players"]):
            if player != seat:
                pieces_of(I64(player), game, work[B])
                run(work[B], arg, links, work[C], work[A], work[D])
                for r in range(ROWS):
                    out[r] |= work[C][r]
    elif op == Op.BUILD_TOUCHING_EXACTLY:
        touching_count(arg, arg, game, board, out)
    elif op == Op.BUILD_TOUCHING_AT_MOST:
        touching_count(I64(0), arg, game, board, out)
    elif op == Op.BUILD_ON_EDGE:
        for r in range(ROWS):
            out[r] = rules["area"][EDGE][r] & board["terrain"][CARD_TERRAINS][r]  # p. 10: the six terrains, so no ice
    elif op == Op.BUILD_ON_CENTRE_BOARD:
        copy(rules["area"][CENTRE], out)
    else:  # BUILD_ON_HEX_JUST_LEFT
        clear(out)
        put(out, rules["cell"][game["left"]])


@kernel
def has_target(op, arg, game, board, rules, work):
    """Whether a building half has a hex to build on; ``look`` has filled ``work``. That an own neighbour goes first closes nothing."""
    seat = game["seat"]
    goal = work[GOAL]
    if op == Op.BUILD_ON:
        return meets(board["terrain"][arg], work[OPEN])
    if op == Op.BUILD_NEXT_TO:
        return meets(board["touching"][arg], goal)
    if op == Op.BUILD_ON_CENTRE_BOARD:
        return meets(rules["area"][CENTRE], goal)
    if op == Op.BUILD_NEXT_TO_OWN_FORT or op == Op.BUILD_NEXT_TO_GROUP_WITH_FORT:
        if is_empty(game["forts"][seat]):
            return False
    elif op == Op.BUILD_NEXT_TO_GROUP_AT:
        if not meets(board["touching"][arg], work[OWN]):
            return False
    elif op == Op.BUILD_TOUCHING_AT_MOST:
        for r in range(ROWS):
            if goal[r] & ~game["near"][seat][r]:  # touches none
                return True
    aim(op, arg, game, board, rules, work[TARGET], work)
    return meets(work[TARGET], goal)


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
        around = work[B]
        clear(around)
        put_around(cell, board["links"], around)
        if condition == Condition.NEXT_TO_OWN_FORT:
            earns = meets(around, game["forts"][seat])
        elif condition == Condition.TOUCHING_NO_OWN:
            earns = not has(game["near"][seat], cell)
        else:  # NO_FREE_SAME_NEIGHBOUR
            clear(around)
            put_around(cell, board["same"], around)
            earns = True
            for r in range(ROWS):
                earns &= around[r] & ~game["taken"][0][r] == 0
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
        add_piece(game["forts"][seat], I64(seat), rules["cell"][hex_id], game, board)
        game["forts_left"][seat] -= 1
    else:
        add_piece(game["houses"][seat], I64(seat), rules["cell"][hex_id], game, board)
        game["houses_left"][seat] -= 1
    game["built"] += value
