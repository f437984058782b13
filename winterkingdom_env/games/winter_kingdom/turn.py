"""The turn machine: the effect of an action, and the next decision (docs/turn.md)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import has
from winterkingdom_env.core.hex_actions import allows
from winterkingdom_env.core.hexset import is_empty, load
from winterkingdom_env.core.rng import shuffle
from winterkingdom_env.games.winter_kingdom.effects import build, is_line
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    DONE,
    FIRST_MOVE_OP,
    FORT,
    FORT_FIRST,
    FORT_VALUE,
    HOUSE,
    LAST_MOVE_OP,
    LIFT,
    LIFT_FIRST,
    MANDATORY_PIECES,
    N_ABILITIES,
    N_ACTIONS,
    N_HEX_KINDS,
    N_HEXES,
    NONE,
    NOTHING,
    ROUND_LIMIT,
    TRIPLE_COST,
    TRIPLE_FIRST,
    TRIPLE_USES,
    TUNNEL_CARD,
    UPGRADE_FIRST,
    USE_BITS,
    USE_FIRST,
    Condition,
    Link,
    Op,
    Phase,
    Status,
    Terrain,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.legal import (
    find_legal,
    has_card,
    price,
)
from winterkingdom_env.games.winter_kingdom.pieces import add_piece, remove_piece

U32 = np.uint32
U64 = np.uint64
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


# Terrain cards -------------------------------------------------------------------------------------------------------


@kernel
def has_free_hex(terrain, game, board):
    """Whether a hex of this terrain is without a piece."""
    return not is_empty(load(board["terrain"], terrain) & ~load(game["taken"], 0))


@kernel
def discard(game, card):
    """Put a terrain card on the discard pile."""
    game["discard_pile"][game["n_discard"]] = card
    game["n_discard"] += 1


@kernel
def is_any_card_playable(game, board):
    """Whether a card in the piles shows a terrain with a free hex."""
    for i in range(game["n_draw"]):
        if has_free_hex(game["draw_pile"][i], game, board):
            return True
    for i in range(game["n_discard"]):
        if has_free_hex(game["discard_pile"][i], game, board):
            return True
    return False


@kernel
def draw_terrain_card(game, board):
    """Give the seat to move a card whose terrain has a free hex, or none if there is no such card (p. 5, 6)."""
    seat = game["seat"]
    game["terrain_card"][seat] = NONE
    if not is_any_card_playable(game, board):
        return
    while game["terrain_card"][seat] == NONE:
        if game["n_draw"] == 0:
            n = game["n_discard"]
            for i in range(n):
                game["draw_pile"][i] = game["discard_pile"][i]
                game["discard_pile"][i] = 0
            shuffle(game, game["draw_pile"], n)
            game["n_draw"] = n
            game["n_discard"] = 0
        game["n_draw"] -= 1
        card = game["draw_pile"][game["n_draw"]]
        game["draw_pile"][game["n_draw"]] = 0
        if has_free_hex(card, game, board):
            game["terrain_card"][seat] = card
        else:
            discard(game, card)


@kernel
def begin_turn(game, board):
    """Reveal the terrain card of the seat to move."""
    game["phase"] = Phase.BEFORE
    card = game["terrain_card"][game["seat"]]
    if card == NONE:
        draw_terrain_card(game, board)
    elif not has_free_hex(card, game, board):
        discard(game, card)
        draw_terrain_card(game, board)


@kernel
def clean_up(game, board):
    """Discard and draw, refresh the tokens, pass the turn on; end the game after a round with an empty supply (p. 5, 7)."""
    seat = game["seat"]
    if game["terrain_card"][seat] != NONE:
        discard(game, game["terrain_card"][seat])
    draw_terrain_card(game, board)
    game["used"][0] = U32(0)
    game["used"][1] = U32(0)
    game["n_placed"] = 0
    game["built"] = 0
    game["salvaged"] = 0
    game["terrain"] = NONE
    for i in range(MANDATORY_PIECES):
        game["placed"][i] = NONE
    if seat + 1 < board["n_players"]:
        game["seat"] = seat + 1
        begin_turn(game, board)
        return
    is_last = game["round"] >= ROUND_LIMIT
    for player in range(board["n_players"]):
        if game["houses_left"][player] + game["forts_left"][player] == 0:
            is_last = True
    if is_last:
        game["phase"] = Phase.OVER
    else:
        game["round"] += 1
        game["seat"] = 0
        begin_turn(game, board)


@kernel
def finish_turn(game, board, rules):
    """After the purchase: the wolves come (p. 16), or the turn is over."""
    game["card"] = NONE
    game["half"] = NONE
    game["uses_left"] = 0
    if board["twist"] == Twist.WOLVES and game["built"] > board["twist_arg"]:
        game["phase"] = Phase.WOLVES
    else:
        clean_up(game, board)


# Special actions -----------------------------------------------------------------------------------------------------


@kernel(inline=True)
def begin_use(card, half, game, board):
    """Begin to use a half; in the main phases it is marked as used (p. 4)."""
    seat = game["seat"]
    phase = game["phase"]
    bit = U32(1) << U32(card)
    if phase == Phase.BEFORE or phase == Phase.AFTER:
        is_upgraded = has_card(game["upgraded"][seat], card)
        if is_upgraded and board["link"][card] != Link.AND:
            game["used"][0] |= bit
            game["used"][1] |= bit
        else:
            game["used"][half] |= bit
    elif phase == Phase.TRIPLE:
        game["uses_left"] -= 1
    game["back"] = phase
    game["card"] = card
    game["half"] = half
    op = board["op"][card][half]
    game["phase"] = Phase.LIFT if FIRST_MOVE_OP <= op <= LAST_MOVE_OP else Phase.BUILD


@kernel
def finish_use(game, board, rules):
    """Return to the phase in which the use began."""
    back = game["back"]
    game["back"] = NONE
    game["half"] = NONE
    game["came_to"] = NONE
    game["left"] = NONE
    if back == Phase.INNOVATE or (back == Phase.TRIPLE and game["uses_left"] == 0):
        finish_turn(game, board, rules)
        return
    game["phase"] = back
    if back != Phase.TRIPLE:
        game["card"] = NONE


@kernel(inline=True)
def offer_follow(hex_id, game, board, rules):
    """After a first half put a house on a hex: offer the second half if an arrow or a twist allows it."""
    game["came_to"] = hex_id
    card = I64(game["card"])
    if card == TUNNEL_CARD:
        if board["twist"] == Twist.LONGER_TUNNELS:
            game["phase"] = Phase.FOLLOW
            return
    elif board["link"][card] == Link.THEN and has_card(game["upgraded"][game["seat"]], card):
        game["phase"] = Phase.FOLLOW
        game["half"] = 1
        return
    finish_use(game, board, rules)


@kernel
def move_house(source, target, game, board, rules):
    """Move a house of the seat to move from one hex to another."""
    seat = I64(game["seat"])
    remove_piece(seat, rules["cell"][source], game, board)
    add_piece(game["houses"], seat, rules["cell"][target], game, board)


# Actions -------------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def build_mandatory(hex_id, is_fort, game, board, rules):
    """Build a mandatory piece; a straight line of three pays (p. 15), a village may allow a boom (p. 16)."""
    build(hex_id, is_fort, game, board, rules)
    game["placed"][game["n_placed"]] = hex_id
    game["n_placed"] += 1
    game["terrain"] = board["terrain_at"][hex_id]
    if game["n_placed"] == MANDATORY_PIECES and board["condition"] == Condition.MANDATORY_LINE:
        if is_line(game, board, rules):
            game["coins"][game["seat"]] += board["coins"]
    game["phase"] = Phase.MANDATORY
    if board["twist"] == Twist.BOOM and has(board["touching"], Terrain.VILLAGE, rules["cell"][hex_id]):
        game["phase"] = Phase.BOOM


@kernel(inline=True)
def follow(hex_id, is_fort, game, board, rules):
    """Apply the second half after an arrow: the house moves on, or a piece is built on the hex just left."""
    card = game["card"]
    if card != TUNNEL_CARD and board["op"][card][1] == Op.BUILD_ON_HEX_JUST_LEFT:
        build(hex_id, is_fort, game, board, rules)
    else:
        move_house(I64(game["came_to"]), hex_id, game, board, rules)
    finish_use(game, board, rules)


@kernel
def place(hex_id, is_fort, game, board, rules):
    """Put a house or fort on a hex."""
    phase = game["phase"]
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        build_mandatory(hex_id, is_fort, game, board, rules)
    elif phase == Phase.BOOM:
        build(hex_id, is_fort, game, board, rules)
        game["phase"] = Phase.MANDATORY
    elif phase == Phase.BUILD:
        build(hex_id, is_fort, game, board, rules)
        if is_fort:  # p. 4: a fort never moves
            finish_use(game, board, rules)
        else:
            offer_follow(hex_id, game, board, rules)
    elif phase == Phase.MOVE:
        source = I64(game["lifted"])
        move_house(source, hex_id, game, board, rules)
        game["lifted"] = NONE
        game["left"] = source
        offer_follow(hex_id, game, board, rules)
    else:  # FOLLOW
        follow(hex_id, is_fort, game, board, rules)


@kernel(inline=True)
def lift(hex_id, game, board, rules):
    """Choose a house to move, or remove a piece from the game."""
    phase = game["phase"]
    if phase == Phase.LIFT:
        game["lifted"] = hex_id
        game["phase"] = Phase.MOVE
        return
    seat = game["seat"]
    cell = rules["cell"][hex_id]
    value = FORT_VALUE if has(game["forts"], seat, cell) else 1
    remove_piece(I64(seat), cell, game, board)
    if phase == Phase.WOLVES:
        clean_up(game, board)
    else:  # Salvage, p. 15
        game["coins"][seat] += value * board["coins"]
        game["salvaged"] = 1


@kernel(inline=True)
def purchase(card, is_upgrade, game, board, rules):
    """Acquire a card from the hand, or upgrade one in play (p. 5)."""
    seat = game["seat"]
    bit = U32(1) << U32(card)
    game["coins"][seat] -= price(card, is_upgrade, board, rules)
    if is_upgrade:
        game["upgraded"][seat] |= bit
    else:
        game["hand"][seat] &= ~bit
        game["in_play"][seat] |= bit
    if board["twist"] == Twist.INNOVATION:  # p. 16: usable at once
        game["card"] = card
        game["phase"] = Phase.INNOVATE
    else:
        finish_turn(game, board, rules)


@kernel
def finish_phase(game, board, rules):
    """Apply ``done``: end the phase, or skip an optional part."""
    phase = game["phase"]
    if phase == Phase.BEFORE or phase == Phase.MANDATORY:
        game["phase"] = Phase.AFTER
    elif phase == Phase.BOOM:
        game["phase"] = Phase.MANDATORY
    elif phase == Phase.FOLLOW:
        finish_use(game, board, rules)
    elif phase == Phase.WOLVES:
        clean_up(game, board)
    else:  # AFTER, TRIPLE, INNOVATE
        finish_turn(game, board, rules)


@kernel(inline=True)
def carry_out(action, game, board, rules):
    """Apply a legal action."""
    if action < LIFT_FIRST:
        place(action % N_HEXES, action >= FORT_FIRST, game, board, rules)
    elif action < USE_FIRST:
        lift(action - LIFT_FIRST, game, board, rules)
    elif action < ACQUIRE_FIRST:
        begin_use((action - USE_FIRST) >> 1, (action - USE_FIRST) & 1, game, board)
    elif action < TRIPLE_FIRST:
        purchase((action - ACQUIRE_FIRST) % N_ABILITIES, action >= UPGRADE_FIRST, game, board, rules)
    elif action < DONE:
        game["coins"][game["seat"]] -= TRIPLE_COST
        game["card"] = action - TRIPLE_FIRST
        game["uses_left"] = TRIPLE_USES
        game["phase"] = Phase.TRIPLE
    else:
        finish_phase(game, board, rules)


@kernel(inline=True)
def is_passed_over(game, legal):
    """Whether a phase has no decision and ends automatically (docs/turn.md)."""
    phase = game["phase"]
    if phase == Phase.MANDATORY or phase == Phase.BOOM or phase == Phase.FOLLOW:
        return is_empty(load(legal["hexes"], HOUSE) | load(legal["hexes"], FORT))
    if phase == Phase.TRIPLE or phase == Phase.INNOVATE:
        return legal["others"][0] & U64(USE_BITS) == 0
    if phase == Phase.WOLVES:
        return is_empty(load(legal["hexes"], LIFT))
    return False


@kernel
def advance(game, action, board, rules, legal):
    """Apply an action if it is in ``legal``, skip phases without a decision, and update ``legal``.

    Return ILLEGAL and change nothing otherwise. The action NOTHING only updates ``legal``.
    """
    if action != NOTHING:
        if not allows(action, N_HEX_KINDS, N_HEXES, N_ACTIONS, rules, legal):
            return Status.ILLEGAL.value
        carry_out(action, game, board, rules)
    while True:
        find_legal(game, board, rules, legal)
        if not is_passed_over(game, legal):
            return Status.OK.value
        finish_phase(game, board, rules)
