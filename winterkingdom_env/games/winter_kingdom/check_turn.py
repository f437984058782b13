"""Checks of the turn fields of a GAME record against its phase; check.py checks the other fields."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import has
from winterkingdom_env.games.winter_kingdom.check import (
    check_cards,
    check_clock,
    check_end,
    check_land,
    check_pieces,
    check_supply,
    check_table,
    check_terrain_cards,
    main_phase,
    pieces_gone,
    refuse,
    within,
)
from winterkingdom_env.games.winter_kingdom.flaws import FLAW_CODE, FLAW_ROW, Flaw
from winterkingdom_env.games.winter_kingdom.layout import (
    FIRST_MOVE_OP,
    FORT_VALUE,
    LAST_MOVE_OP,
    MANDATORY_PIECES,
    N_ABILITIES,
    N_CARD_TERRAINS,
    N_HEXES,
    NONE,
    TRIPLE_USES,
    TUNNEL_CARD,
    Condition,
    Link,
    Op,
    Phase,
    Terrain,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.legal import has_card, may_use_next_terrain

U32 = np.uint32
U64 = np.uint64
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def is_none(value, code, flaw):
    """Whether a field that the phase does not use is empty."""
    return value == NONE or refuse(code, I64(0), value, flaw)


# The mandatory action ------------------------------------------------------------------------------------------------


@kernel(inline=True)
def check_placed(game, board, rules, flaw):
    """The mandatory pieces so far, and the terrain that binds them."""
    phase, main, seat, n_placed = game["phase"], main_phase(game), I64(game["seat"]), I64(game["n_placed"])
    is_between = phase == Phase.MANDATORY or phase == Phase.BOOM
    most = MANDATORY_PIECES
    if main == Phase.BEFORE or main == Phase.OVER:
        most = 0
    elif phase == Phase.MANDATORY:  # it ends automatically after the last piece
        most = MANDATORY_PIECES - 1
    if not within(n_placed, I64(is_between), I64(most), Flaw.N_PLACED.value, I64(0), flaw):
        return False
    terrain, card = I64(game["terrain"]), I64(game["terrain_card"][seat])
    for i in range(MANDATORY_PIECES):
        hex_id = I64(game["placed"][i])
        if i >= n_placed:
            if hex_id != NONE:
                return refuse(Flaw.PLACED.value, i, hex_id, flaw)
            continue
        if not within(hex_id, I64(0), I64(N_HEXES - 1), Flaw.PLACED.value, i, flaw):
            return False
        if board["terrain_at"][hex_id] != terrain:
            return refuse(Flaw.TURN_TERRAIN.value, i, terrain, flaw)
        for k in range(i):
            if game["placed"][k] == hex_id:
                return refuse(Flaw.PLACED.value, i, hex_id, flaw)
        cell = rules["cell"][hex_id]
        # Nothing moves between mandatory pieces: they are still where they were built.
        if is_between and not has(game["houses"], seat, cell) and not has(game["forts"], seat, cell):
            return refuse(Flaw.PLACED_PIECE.value, i, hex_id, flaw)
    if n_placed == 0:
        return is_none(terrain, Flaw.TURN_TERRAIN.value, flaw)
    is_next = terrain == (card + 1) % N_CARD_TERRAINS and may_use_next_terrain(game, board)
    return (card != NONE and (terrain == card or is_next)) or refuse(Flaw.TURN_TERRAIN.value, I64(0), terrain, flaw)


@kernel
def can_build(card, half, board):
    """Whether a half of a card builds; where one use spends both halves, whether one of them does."""
    first, second = board["op"][card][0], board["op"][card][1]
    does_first, does_second = Op.NOTHING < first < FIRST_MOVE_OP, Op.NOTHING < second < FIRST_MOVE_OP
    if board["link"][card] == Link.AND:
        return does_second if half == 1 else does_first
    return does_first or does_second


@kernel(inline=True)
def check_built(game, board, rules, flaw):
    """Houses built this turn: at least the mandatory ones, at most what this turn can have built."""
    phase, main = I64(game["phase"]), main_phase(game)
    n_pieces = I64(game["n_placed"]) * (2 if board["twist"] == Twist.BOOM else 1) - I64(phase == Phase.BOOM)
    for half in range(2):
        rest = U64(game["used"][half])
        while rest:
            card = first_bit(rest)
            rest &= rest - U64(1)
            is_new = half == 0 or board["link"][card] == Link.AND or not has_card(game["used"][0], card)
            n_pieces += I64(is_new and can_build(card, half, board))
    if main == Phase.TRIPLE:
        n_pieces += TRIPLE_USES - I64(game["uses_left"])
    elif main == Phase.WOLVES:
        n_pieces += TRIPLE_USES
    if Phase.BUILD <= phase <= Phase.FOLLOW:
        card = I64(game["card"])
        n_pieces += I64(main == Phase.INNOVATE)
        # The use in progress is counted above. It has built its piece only where a house that it built may move on.
        is_counted = main == Phase.TRIPLE or main == Phase.INNOVATE or can_build(card, I64(game["half"]), board)
        is_move = FIRST_MOVE_OP <= board["op"][card][0] <= LAST_MOVE_OP
        n_pieces -= I64(is_counted and (phase != Phase.FOLLOW or is_move))
    return within(I64(game["built"]), I64(game["n_placed"]), FORT_VALUE * n_pieces, Flaw.BUILT.value, I64(0), flaw)


# Cards ---------------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def check_used(game, board, flaw):
    """The used halves: of cards in play, and of both halves where one use spends both."""
    seat, main = I64(game["seat"]), main_phase(game)
    first, second = game["used"][0], game["used"][1]
    in_play, upgraded = game["in_play"][seat], game["upgraded"][seat]
    is_over = main == Phase.OVER
    if first & ~in_play != 0 or (is_over and first != 0):
        return refuse(Flaw.USED.value, I64(0), first_bit(U64(first if is_over else first & ~in_play)), flaw)
    if second & ~upgraded != 0 or (is_over and second != 0):
        return refuse(Flaw.USED.value, I64(1), first_bit(U64(second if is_over else second & ~upgraded)), flaw)
    just_bought = U32(0)
    if main == Phase.INNOVATE:
        just_bought = U32(1) << U32(game["card"])
    if second & just_bought != 0 or first & just_bought & ~upgraded != 0:
        return refuse(Flaw.USED.value, I64(second & just_bought != 0), I64(game["card"]), flaw)
    n_halved, rest = I64(0), U64(upgraded & ~just_bought)
    while rest:
        card = first_bit(rest)
        rest &= rest - U64(1)
        is_first, is_second = has_card(first, card), has_card(second, card)
        if board["op"][card][1] == Op.MANDATORY_ON_NEXT_TERRAIN and is_second:
            return refuse(Flaw.USED.value, I64(1), card, flaw)
        if board["link"][card] == Link.AND or is_first == is_second:
            continue
        n_halved += 1
        # A card that was used and then upgraded in the same turn: the wolves come after the purchase.
        if is_second or n_halved > I64(main == Phase.WOLVES):
            return refuse(Flaw.USED_HALVES.value, I64(is_second), card, flaw)
    return True


@kernel(inline=True)
def check_use(game, board, rules, flaw):
    """The use in progress: a half of a card in play that can be used, begun in a phase that has uses, and marked there."""
    phase, seat, card, half = game["phase"], I64(game["seat"]), I64(game["card"]), I64(game["half"])
    main = main_phase(game)
    is_upgraded = has_card(game["upgraded"][seat], card)
    begun = I64(0) if phase == Phase.FOLLOW else half  # a follow-up belongs to the first half
    if phase == Phase.FOLLOW:
        if card == TUNNEL_CARD:
            is_possible = half == 0 and board["twist"] == Twist.LONGER_TUNNELS
        else:
            is_possible = half == 1 and is_upgraded and board["link"][card] == Link.THEN
    else:
        is_possible = half == 0 or (half == 1 and is_upgraded and board["link"][card] != Link.THEN)
        if is_possible:
            op = I64(board["op"][card][half])
            is_possible = op != Op.MANDATORY_ON_NEXT_TERRAIN and op != Op.NOTHING
            is_possible = is_possible and (FIRST_MOVE_OP <= op <= LAST_MOVE_OP) == (phase != Phase.BUILD)
    if not is_possible:
        return refuse(Flaw.HALF.value, I64(0), half, flaw)
    if (main == Phase.BEFORE or main == Phase.AFTER) and not has_card(game["used"][begun], card):
        return refuse(Flaw.USED.value, begun, card, flaw)
    return True


@kernel(inline=True)
def check_card(game, board, rules, flaw):
    """Card, half, phase to return to and uses left, for phases that have them."""
    phase, seat, card, uses_left = I64(game["phase"]), I64(game["seat"]), I64(game["card"]), I64(game["uses_left"])
    main, is_use = main_phase(game), Phase.BUILD <= phase <= Phase.FOLLOW
    if not is_use and not (
        is_none(I64(game["half"]), Flaw.HALF.value, flaw) and is_none(I64(game["back"]), Flaw.BACK.value, flaw)
    ):
        return False
    if is_use and main != Phase.BEFORE and main != Phase.AFTER and main != Phase.TRIPLE and main != Phase.INNOVATE:
        return refuse(Flaw.BACK.value, I64(0), main, flaw)
    if main == Phase.TRIPLE:
        least = 0 if is_use else 1
        if not within(uses_left, I64(least), TRIPLE_USES + least - 1, Flaw.USES_LEFT.value, I64(0), flaw):
            return False
    elif uses_left != 0:
        return refuse(Flaw.USES_LEFT.value, I64(0), uses_left, flaw)
    if not is_use and phase != Phase.TRIPLE and phase != Phase.INNOVATE:
        return is_none(card, Flaw.CARD.value, flaw)
    last = N_ABILITIES - 1 if main == Phase.INNOVATE else TUNNEL_CARD
    if not within(card, I64(0), I64(last), Flaw.CARD.value, I64(0), flaw):
        return False
    return has_card(game["in_play"][seat], card) or refuse(Flaw.CARD.value, I64(0), card, flaw)


@kernel
def check_house(hex_id, code, game, rules, flaw):
    """Whether the seat to move has a house on a hex."""
    if not within(hex_id, I64(0), I64(N_HEXES - 1), code, I64(0), flaw):
        return False
    is_there = has(game["houses"], I64(game["seat"]), rules["cell"][hex_id])
    return is_there or refuse(code, I64(0), hex_id, flaw)


@kernel(inline=True)
def check_move(game, board, rules, flaw):
    """The house that moves, and where it came from and to."""
    phase, lifted, came_to, left = game["phase"], I64(game["lifted"]), I64(game["came_to"]), I64(game["left"])
    if phase == Phase.MOVE:
        if not check_house(lifted, Flaw.LIFTED.value, game, rules, flaw):
            return False
    elif not is_none(lifted, Flaw.LIFTED.value, flaw):
        return False
    if phase != Phase.FOLLOW:
        return is_none(came_to, Flaw.CAME_TO.value, flaw) and is_none(left, Flaw.LEFT.value, flaw)
    if not check_house(came_to, Flaw.CAME_TO.value, game, rules, flaw):
        return False
    if not FIRST_MOVE_OP <= board["op"][game["card"]][0] <= LAST_MOVE_OP:
        return is_none(left, Flaw.LEFT.value, flaw)
    if not within(left, I64(0), I64(N_HEXES - 1), Flaw.LEFT.value, I64(0), flaw):
        return False
    return not has(game["taken"], I64(0), rules["cell"][left]) or refuse(Flaw.LEFT.value, I64(0), left, flaw)


@kernel(inline=True)
def check_salvaged(game, board, rules, flaw):
    """Whether a piece can have been salvaged this turn: salvage is part of the purchase, after all special actions (p. 15)."""
    salvaged, seat = I64(game["salvaged"]), I64(game["seat"])
    most = I64(0)
    if board["condition"] == Condition.SALVAGE:
        main, is_use = main_phase(game), Phase.BUILD <= game["phase"] <= Phase.FOLLOW
        is_purchase = main == Phase.TRIPLE or main == Phase.INNOVATE or main == Phase.WOLVES
        is_gone = pieces_gone(seat, game) > 0
        most = I64(is_gone and (is_purchase or (main == Phase.AFTER and not is_use)))
    return within(salvaged, I64(0), most, Flaw.SALVAGED.value, I64(0), flaw)


@kernel(inline=True)
def check_twist(game, board, rules, flaw):
    """Phases that occur only with a twist."""
    phase, main, twist = game["phase"], main_phase(game), I64(board["twist"])
    if (
        (phase == Phase.BOOM and twist != Twist.BOOM)
        or (main == Phase.INNOVATE and twist != Twist.INNOVATION)
        or (phase == Phase.WOLVES and twist != Twist.WOLVES)
    ):
        return refuse(Flaw.PHASE_TWIST.value, main, twist, flaw)
    if phase == Phase.BOOM:
        last = I64(game["placed"][game["n_placed"] - 1])
        if not has(board["touching"], I64(Terrain.VILLAGE.value), rules["cell"][last]):
            return refuse(Flaw.PHASE_BOOM.value, I64(0), last, flaw)
    if phase == Phase.WOLVES and game["built"] <= board["twist_arg"]:
        return refuse(Flaw.PHASE_WOLVES.value, I64(0), I64(game["built"]), flaw)
    return True


@kernel(inline=True)
def check_turn(game, board, rules, flaw):
    """All turn fields."""
    if not (check_card(game, board, rules, flaw) and check_used(game, board, flaw)):
        return False
    if Phase.BUILD <= game["phase"] <= Phase.FOLLOW and not check_use(game, board, rules, flaw):
        return False
    return (
        check_placed(game, board, rules, flaw)
        and check_built(game, board, rules, flaw)
        and check_move(game, board, rules, flaw)
        and check_salvaged(game, board, rules, flaw)
        and check_twist(game, board, rules, flaw)
    )


@kernel
def check_supplies(game, board, rules, flaw):
    """Houses and forts of every seat."""
    for seat in range(board["n_players"]):
        if not check_supply(seat, game, board, rules, flaw):
            return False
    return check_end(game, board, flaw)


@kernel
def find_flaw_all(games, boards, rules, derived, flaw):
    """Write the first flaw of a batch of games into ``flaw``, int64 (N_FLAW,): row, code, index, value; the code is NOTHING if there is none.

    ``derived`` is scratch: one BOARD.
    """
    flaw[FLAW_CODE] = Flaw.NOTHING.value
    for i in range(games.shape[0]):
        game, board = games[i], boards[i]
        flaw[FLAW_ROW] = i
        # Each check relies on the ranges that the earlier ones have checked.
        is_sound = check_table(board, flaw) and check_land(board, rules[0], derived[0], flaw)
        is_sound = is_sound and check_clock(game, board, flaw) and check_cards(game, board, flaw)
        is_sound = is_sound and check_pieces(game, board, rules[0], flaw)
        is_sound = is_sound and check_supplies(game, board, rules[0], flaw)
        is_sound = is_sound and check_terrain_cards(game, board, flaw)
        if not (is_sound and check_turn(game, board, rules[0], flaw)):
            return
