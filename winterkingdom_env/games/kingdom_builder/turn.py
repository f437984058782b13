"""The turn machine: the effect of an action, and the next decision (section 4 of the rules)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import meets, put
from winterkingdom_env.core.hex_actions import allows
from winterkingdom_env.core.hexset import is_empty, load, one_hex
from winterkingdom_env.games.kingdom_builder.arrive import arrive, build_hall, build_settlement, leave, return_piece
from winterkingdom_env.games.kingdom_builder.gold import pay_families
from winterkingdom_env.games.kingdom_builder.kinds import Form, Op, Phase, SiloMode, Terrain, Tile, Unit
from winterkingdom_env.games.kingdom_builder.layout import (
    MANDATORY_PIECES,
    MOST_HAND,
    N_ACTIONS,
    N_HEX_KINDS,
    N_HEXES,
    NONE,
    NOTHING,
    OUTPOST_ACTION,
    PUT,
    REPEAT_FIRST,
    SWAMP_PIECES,
    TAKE,
    TAKE_FIRST,
    TOKEN,
    USE_FIRST,
)
from winterkingdom_env.games.kingdom_builder.legal import find_legal, unit_index
from winterkingdom_env.games.kingdom_builder.pieces import (
    clear_scouts,
    remove_piece,
)
from winterkingdom_env.games.kingdom_builder.reactions import ask_reactions
from winterkingdom_env.games.kingdom_builder.silos import begin_silos, end_silo, place_in_silo
from winterkingdom_env.games.kingdom_builder.terrain_cards import bind, check_cards, discard, draw_card
from winterkingdom_env.games.kingdom_builder.tiles import (
    has_tile,
    note_used,
    refresh_tiles,
    use_tile,
)

I64, U32, U64 = np.int64, np.uint32, np.uint64
OK, ILLEGAL = 0, 1
FIRST_PHASES = {
    Form.BUILD: Phase.BUILD, Form.MOVE: Phase.LIFT, Form.UNIT: Phase.UNIT, Form.HALL: Phase.HALL, Form.WALL: Phase.WALL,
    Form.SCOUT: Phase.SCOUT, Form.REMOVE: Phase.REMOVE, Form.TEMPLE: Phase.TEMPLE, Form.CATHEDRAL: Phase.CATHEDRAL,
}  # fmt: skip
PHASE_OF_FORM = tuple(int(FIRST_PHASES[form]) for form in list(Form)[: len(FIRST_PHASES)])


# Turns ------------------------------------------------------------------------------------------------------------------


@kernel
def begin_turn(game, board):
    """Begin the turn of ``turn_seat``."""
    seat = I64(game["turn_seat"])
    game["seat"] = seat
    game["phase"] = Phase.BEFORE
    if game["n_hand"][seat] == 0:
        draw_to_hand(seat, game)


@kernel
def draw_to_hand(seat, game):
    """Draw a card into a hand, if there is one."""
    card = draw_card(game)
    if card != NONE:
        game["hand"][seat][game["n_hand"][seat]] = card
        game["n_hand"][seat] += 1


@kernel
def end_turn(game, board, rules):
    """The end of a turn, in the order of 4.4 of the rules."""
    seat = I64(game["turn_seat"])
    clear_scouts(game)
    for k in range(game["n_hand"][seat]):
        discard(game["hand"][seat][k], game)
        game["hand"][seat][k] = NONE
    game["n_hand"][seat] = 0
    refresh_tiles(game, board)
    game["due"][seat] += game["held_pieces"][seat]
    game["held_pieces"][seat] = 0
    for player in range(board["n_players"]):
        game["rovers"][player] = 0
    n = 1 + game["extra_cards"]
    if has_tile(Tile.CROSSROADS, seat, game, board):  # p. 13
        n += 1
    for _ in range(min(n, MOST_HAND)):
        draw_to_hand(seat, game)
    game["extra_cards"] = game["n_placed"] = 0
    game["n_pieces"] = MANDATORY_PIECES
    game["terrain"] = game["played"] = NONE
    for k in range(MANDATORY_PIECES):
        game["placed"][k] = NONE
    if seat + 1 < board["n_players"]:
        game["turn_seat"] = seat + 1
        begin_turn(game, board)
    elif game["is_end"] or game["round"] >= board["round_limit"]:
        begin_silos(I64(0), game, board)
    else:
        game["turn_seat"] = 0
        game["round"] += 1
        begin_turn(game, board)


# Special actions --------------------------------------------------------------------------------------------------------


@kernel
def begin_use(use, is_repeated, game, board, rules):
    """Begin a special action: mark what it needs as used, and go on to its phase."""
    seat = I64(game["turn_seat"])
    game["back"], game["use"], game["repeats"], game["count"] = game["phase"], use, is_repeated, 0
    tile = I64(Tile.BAZAAR.value) if is_repeated else rules["use_tile"][use]
    if tile != NONE:
        use_tile(tile, seat, game, board)
        note_used(tile, game)
    else:
        game["bonus_used"][seat] |= 1 << rules["use_bonus"][use]
    game["phase"] = PHASE_OF_FORM[rules["form"][use]]
    if rules["op"][use] == Op.DRAWN_CARD:  # p. 13
        game["drawn"] = draw_card(game)
        discard(game["drawn"], game)
    if rules["form"][use] == Form.SCOUT and is_repeated:  # p. 21
        clear_scouts(game)


@kernel
def repeat(k, game, board, rules):
    """Use the bazaar (p. 21)."""
    use = rules["repeat_use"][k]
    if use != NONE:
        begin_use(use, True, game, board, rules)
        return
    use_tile(I64(Tile.BAZAAR.value), I64(game["turn_seat"]), game, board)
    note_used(I64(Tile.BAZAAR.value), game)
    game["extra_cards"] += 1


@kernel
def finish_use(game):
    """Return to the phase in which the use began."""
    game["phase"] = game["back"]
    game["back"] = game["use"] = game["drawn"] = game["moving"] = NONE
    game["repeats"] = game["count"] = game["outpost"] = 0


# Actions ----------------------------------------------------------------------------------------------------------------


@kernel
def build_mandatory(hex_id, game, board, rules):
    """Build a mandatory piece: of the supply, or one that the temple owes (4.3 of the rules)."""
    seat = I64(game["turn_seat"])
    bind(I64(board["terrain_at"][hex_id]), game)
    is_supply = game["n_placed"] < game["n_pieces"] and game["supply"][seat] > 0
    if is_supply and game["n_placed"] == 0 and game["terrain"] == Terrain.SWAMP:  # p. 17
        game["n_pieces"] = SWAMP_PIECES
    game["phase"] = Phase.MANDATORY
    game["outpost"] = 0
    if is_supply:
        game["placed"][game["n_placed"]] = hex_id
        game["n_placed"] += 1
        game["supply"][seat] -= 1
    else:
        game["due"][seat] -= 1
    arrive(seat, I64(Unit.SETTLEMENT), hex_id, True, game, board, rules)
    if is_supply and game["n_placed"] == MANDATORY_PIECES and board["in_play"]:
        pay_families(seat, game, board, rules)


@kernel
def place_unit(hex_id, game, board, rules):
    """Place a unit of the supply, or take a step with the one on the board."""
    seat, use = I64(game["turn_seat"]), I64(game["use"])
    index = unit_index(use, rules)
    if game["count"] == 0 and game["unit_supply"][seat][index] > 0:
        game["unit_supply"][seat][index] -= 1
        finish_use(game)
        arrive(seat, index + 1, hex_id, True, game, board, rules)
        return
    start = I64(game["wagon"][seat]) if index == 1 else I64(game["ship"][seat])
    unit = remove_piece(seat, start, game, board, rules)
    game["count"] += 1
    game["moving"] = hex_id
    arrive(seat, unit, hex_id, False, game, board, rules)


@kernel
def put_in_use(phase, hex_id, game, board, rules):
    """Put something on a hex in a special action."""
    seat, use = I64(game["turn_seat"]), I64(game["use"])
    if phase == Phase.BUILD or phase == Phase.CATHEDRAL:
        if rules["binds"][use]:
            bind(I64(board["terrain_at"][hex_id]), game)
        game["count"] += 1
        game["outpost"] = 0
        if phase == Phase.CATHEDRAL:
            game["tokens"][seat] -= 1
            game["token_stock"] += 1
        build_settlement(seat, hex_id, game, board, rules)
    elif phase == Phase.MOVE:
        if rules["binds"][use]:
            bind(I64(board["terrain_at"][hex_id]), game)
        unit = I64(game["lifted_unit"])
        game["lifted"], game["lifted_unit"] = NONE, 0
        game["phase"] = Phase.LIFT
        game["count"] += 1
        arrive(seat, unit, hex_id, False, game, board, rules)
    elif phase == Phase.UNIT:
        place_unit(hex_id, game, board, rules)
    elif phase == Phase.HALL:
        finish_use(game)
        build_hall(seat, hex_id, game, board, rules)
    elif phase == Phase.WALL:
        bind(I64(board["terrain_at"][hex_id]), game)
        put(game["walls"], 0, rules["cell"][hex_id])
        put(game["taken"], 0, rules["cell"][hex_id])
        game["walls_left"] -= 1
        game["count"] += 1
    else:  # SCOUT
        put(game["scouts"], 0, rules["cell"][hex_id])
        put(game["taken"], 0, rules["cell"][hex_id])
        game["count"] += 1


@kernel
def put_on(hex_id, game, board, rules):
    """Put something on a hex."""
    phase = game["phase"]
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        build_mandatory(hex_id, game, board, rules)
    elif phase == Phase.REACT:
        seat = I64(game["seat"])
        use_tile(I64(Tile.CANOE.value), seat, game, board)
        build_settlement(seat, hex_id, game, board, rules)
    elif phase == Phase.SILO or phase == Phase.SILO_MOVE:
        place_in_silo(hex_id, game, board, rules)
    else:
        put_in_use(phase, hex_id, game, board, rules)


@kernel
def take_from(hex_id, game, board, rules):
    """Take something from a hex."""
    phase, seat = game["phase"], I64(game["seat"])
    if phase == Phase.LIFT or phase == Phase.SILO:
        game["lifted"] = hex_id
        game["lifted_unit"] = remove_piece(seat, hex_id, game, board, rules)
        if phase == Phase.SILO:
            game["phase"], game["silo_mode"] = Phase.SILO_MOVE, SiloMode.MOVE
        else:
            game["phase"] = Phase.MOVE
        return
    finish_use(game)
    if phase == Phase.UNIT:
        return_piece(seat, leave(seat, hex_id, game, board, rules), game)
    elif phase == Phase.TEMPLE:
        leave(seat, hex_id, game, board, rules)
        game["held_pieces"][seat] += 1
    else:  # REMOVE
        for player in range(board["n_players"]):
            if meets(one_hex(rules["cell"][hex_id]), load(game["pieces"], player)):
                return_piece(player, leave(I64(player), hex_id, game, board, rules), game)


@kernel
def finish_phase(game, board, rules):
    """Apply ``done``: end the phase, or skip an optional part."""
    phase = game["phase"]
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        game["phase"] = Phase.AFTER
        game["outpost"] = 0
    elif phase == Phase.AFTER:
        end_turn(game, board, rules)
    elif phase == Phase.REACT:
        game["frames"][game["n_frames"] - 1][1] += 1
    elif phase == Phase.SILO:
        end_silo(game, board)
    else:
        finish_use(game)


@kernel
def carry_out(action, game, board, rules):
    """Apply a legal action."""
    if action < TAKE_FIRST:
        put_on(action, game, board, rules)
    elif action < USE_FIRST:
        take_from(action - TAKE_FIRST, game, board, rules)
    elif action < REPEAT_FIRST:
        begin_use(action - USE_FIRST, False, game, board, rules)
    elif action < OUTPOST_ACTION:
        repeat(action - REPEAT_FIRST, game, board, rules)
    elif action == OUTPOST_ACTION:
        use_tile(I64(Tile.OUTPOST.value), I64(game["turn_seat"]), game, board)
        game["outpost"] = 1
        if game["phase"] == Phase.BEFORE:
            game["phase"] = Phase.MANDATORY
    elif action == TOKEN:
        game["token_stock"] -= 1
        game["tokens"][game["turn_seat"]] += 1
        finish_use(game)
    else:
        finish_phase(game, board, rules)


@kernel
def is_passed_over(game, legal):
    """Whether a phase has no decision and ends automatically."""
    phase = game["phase"]
    if phase == Phase.BEFORE or phase == Phase.AFTER or phase >= Phase.REACT:
        if phase != Phase.SILO:
            return False
    if not is_empty(load(legal["hexes"], PUT) | load(legal["hexes"], TAKE)):
        return False
    bit = TOKEN - USE_FIRST
    return (legal["others"][bit >> 6] >> U64(bit & 63)) & U64(1) == 0


@kernel
def advance(game, action, board, rules, legal):
    """Apply an action if it is in ``legal``, skip phases without a decision, and update ``legal``.

    Return ILLEGAL and change nothing otherwise. The action NOTHING only updates ``legal``.
    """
    if action != NOTHING:
        if not allows(action, N_HEX_KINDS, N_HEXES, N_ACTIONS, rules, legal):
            return ILLEGAL
        carry_out(action, game, board, rules)
    while True:
        if game["n_frames"] > 0:
            ask_reactions(game, board, rules)
        if game["phase"] <= Phase.AFTER:
            check_cards(game, board)
        find_legal(game, board, rules, legal)
        if not is_passed_over(game, legal):
            return OK
        finish_phase(game, board, rules)
