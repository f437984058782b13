"""Kernels that check whether untrusted GAME and BOARD records are a valid position. They report the first flaw as numbers.

Every reachable state passes. Every state that passes is safe to play on: numbers are in range, no piece or card is missing or duplicated,
and the phase fits the turn fields (check_turn.py). saves.py turns flaws into messages. It also runs the engine on records that pass here,
to check that there is a decision and that the last step was possible.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, popcount
from winterkingdom_env.core.grid import meets, spread
from winterkingdom_env.core.hexset import count, is_empty, load, no_hexes
from winterkingdom_env.core.sizes import LINKS
from winterkingdom_env.games.winter_kingdom.flaws import FLAW_CODE, FLAW_INDEX, FLAW_VALUE, Flaw
from winterkingdom_env.games.winter_kingdom.layout import (
    BUILDABLE,
    FORT_VALUE,
    FORTS,
    HAND_SIZE,
    HOUSES,
    MANDATORY_PIECES,
    MAX_PLAYERS,
    MOST_COINS,
    N_BOARDS,
    N_CARD_TERRAINS,
    N_ECONOMIES,
    N_HEXES,
    N_SCORING,
    N_TERRAIN_CARDS,
    N_TERRAINS,
    N_TWISTS,
    NONE,
    ROUND_LIMIT,
    SCORING_IN_PLAY,
    TERRAIN_CARD_COPIES,
    TRIPLE_USES,
    TUNNEL_CARD,
    Condition,
    Direction,
    Op,
    Phase,
    Terrain,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.legal import ALL_ABILITIES, has_card
from winterkingdom_env.games.winter_kingdom.setup import furnish
from winterkingdom_env.games.winter_kingdom.turn import has_free_hex

U32 = np.uint32
U64 = np.uint64
I64 = np.int64  # every number that is passed on has this type: one signature per kernel
TUNNEL_BIT = U32(1 << TUNNEL_CARD)
FEWEST_PLAYERS = 2
N_CASTLES, N_TUNNELS, N_VILLAGES = N_BOARDS, N_BOARDS, 2 * N_BOARDS  # p. 2: on every board
# Houses in one turn, if all are forts: mandatory pieces, each with one of a boom, one by each card, the three of a triple.
MOST_PER_TURN = FORT_VALUE * (2 * MANDATORY_PIECES + 2 * HAND_SIZE + 1 + TRIPLE_USES)
ALL_COPIES = U64(sum(TERRAIN_CARD_COPIES << 8 * terrain for terrain in range(N_CARD_TERRAINS)))


@kernel
def refuse(code, index, value, flaw):
    """Write a flaw and return False, as the result of the check."""
    flaw[FLAW_CODE], flaw[FLAW_INDEX], flaw[FLAW_VALUE] = code, index, value
    return False


@kernel
def within(value, least, most, code, index, flaw):
    """Whether a number lies in its range; a flaw otherwise."""
    return least <= value <= most or refuse(code, index, value, flaw)


# The board -----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def check_table(board, flaw):
    """Players, shared cards, top and bottom board, and direction."""
    scoring = board["scoring"]
    for i in range(SCORING_IN_PLAY):
        if not within(I64(scoring[i]), I64(0), I64(N_SCORING - 1), Flaw.SCORING.value, i, flaw):
            return False
        for k in range(i):
            if scoring[k] == scoring[i]:
                return refuse(Flaw.SCORING_TWICE.value, i, I64(scoring[i]), flaw)
    for i in range(board["spare"].shape[0]):
        if board["spare"][i] != 0:
            return refuse(Flaw.BOARD_SPARE.value, i, I64(board["spare"][i]), flaw)
    top, bottom = I64(board["top"]), I64(board["bottom"])
    if top == bottom:
        return refuse(Flaw.TOP.value, I64(0), top, flaw)
    return (
        within(I64(board["n_players"]), I64(FEWEST_PLAYERS), I64(MAX_PLAYERS), Flaw.N_PLAYERS.value, I64(0), flaw)
        and within(I64(board["economy"]), I64(0), I64(N_ECONOMIES - 1), Flaw.ECONOMY.value, I64(0), flaw)
        and within(I64(board["twist"]), I64(0), I64(N_TWISTS), Flaw.TWIST.value, I64(0), flaw)
        and within(top, I64(1), I64(N_BOARDS - 1), Flaw.TOP.value, I64(0), flaw)
        and within(bottom, I64(1), I64(N_BOARDS - 1), Flaw.BOTTOM.value, I64(0), flaw)
        and within(I64(board["direction"]), I64(0), I64(Direction.DIAGONAL.value), Flaw.DIRECTION.value, I64(0), flaw)
    )


@kernel
def check_count(terrain, wanted, board, flaw):
    """Whether the number of hexes of a terrain is right."""
    n = I64(0)
    for hex_id in range(N_HEXES):
        n += I64(board["terrain_at"][hex_id] == terrain)
    return n == wanted or refuse(Flaw.TERRAIN_COUNT.value, I64(terrain), n, flaw)


@kernel
def equal_sets(found, derived, n, code, flaw):
    """Whether the first ``n`` sets of two fields are equal."""
    for i in range(n):
        if not is_empty(load(found, i) ^ load(derived, i)):
            return refuse(code, i, I64(0), flaw)
    return True


@kernel(inline=True)
def check_land(board, rules, derived, flaw):
    """The terrain, and every set derived from it; ``derived`` is scratch, a BOARD."""
    for hex_id in range(N_HEXES):
        terrain = I64(board["terrain_at"][hex_id])
        if not within(terrain, I64(0), I64(N_TERRAINS - 1), Flaw.TERRAIN_AT.value, hex_id, flaw):
            return False
        derived["terrain_at"][hex_id] = terrain
    derived["twist"] = board["twist"]
    furnish(derived, rules)
    return (
        check_count(I64(Terrain.CASTLE.value), I64(N_CASTLES), board, flaw)
        and check_count(I64(Terrain.TUNNEL.value), I64(N_TUNNELS), board, flaw)
        and check_count(I64(Terrain.VILLAGE.value), I64(N_VILLAGES), board, flaw)
        and equal_sets(board["terrain"], derived["terrain"], I64(N_TERRAINS + 2), Flaw.TERRAIN.value, flaw)
        and equal_sets(board["touching"], derived["touching"], I64(N_TERRAINS), Flaw.TOUCHING.value, flaw)
        and equal_sets(board["links"], derived["links"], I64(LINKS), Flaw.LINKS.value, flaw)
        and equal_sets(board["same"], derived["same"], I64(LINKS), Flaw.SAME.value, flaw)
    )


# Players -------------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def check_clock(game, board, flaw):
    """Seat, phase, round, and the unused bytes."""
    for i in range(game["spare"].shape[0]):
        if game["spare"][i] != 0:
            return refuse(Flaw.SPARE.value, i, I64(game["spare"][i]), flaw)
    n_players = I64(board["n_players"])
    for seat in range(n_players, MAX_PLAYERS):
        if not (
            within(I64(game["coins"][seat]), I64(0), I64(0), Flaw.COINS.value, seat, flaw)
            and within(I64(game["houses_left"][seat]), I64(0), I64(0), Flaw.HOUSES_LEFT.value, seat, flaw)
            and within(I64(game["forts_left"][seat]), I64(0), I64(0), Flaw.FORTS_LEFT.value, seat, flaw)
            and within(I64(game["hand"][seat]), I64(0), I64(0), Flaw.HAND.value, seat, flaw)
            and within(I64(game["in_play"][seat]), I64(0), I64(0), Flaw.IN_PLAY.value, seat, flaw)
            and within(I64(game["upgraded"][seat]), I64(0), I64(0), Flaw.UPGRADED.value, seat, flaw)
            and within(I64(game["terrain_card"][seat]), I64(NONE), I64(NONE), Flaw.TERRAIN_CARD.value, seat, flaw)
        ):
            return False
    phase = I64(game["phase"])
    first = n_players - 1 if phase == Phase.OVER else I64(0)
    return (
        within(phase, I64(0), I64(Phase.OVER.value), Flaw.PHASE.value, I64(0), flaw)
        and within(I64(game["seat"]), first, n_players - 1, Flaw.SEAT.value, I64(0), flaw)
        and within(I64(game["round"]), I64(1), I64(ROUND_LIMIT), Flaw.ROUND.value, I64(0), flaw)
    )


@kernel
def main_phase(game):
    """The phase in which a use in progress began, or the phase itself."""
    phase = I64(game["phase"])
    return I64(game["back"]) if Phase.BUILD <= phase <= Phase.FOLLOW else phase


@kernel
def turns_ended(seat, game):
    """The number of turns that a seat has finished."""
    is_past = seat < game["seat"] or game["phase"] == Phase.OVER
    return I64(game["round"]) - 1 + I64(is_past)


@kernel(inline=True)
def check_cards(game, board, flaw):
    """Ability cards: five per player, no duplicates, and at most one purchase per turn."""
    seen, phase = U32(0), main_phase(game)
    for seat in range(board["n_players"]):
        hand, in_play, upgraded = game["hand"][seat], game["in_play"][seat], game["upgraded"][seat]
        bought = in_play & ALL_ABILITIES
        own = hand | bought
        if hand & ~ALL_ABILITIES != 0:
            return refuse(Flaw.HAND.value, seat, I64(hand), flaw)
        if in_play != bought | TUNNEL_BIT:
            return refuse(Flaw.IN_PLAY.value, seat, I64(in_play), flaw)
        if hand & bought != 0:
            return refuse(Flaw.HAND_IN_PLAY.value, seat, first_bit(U64(hand & bought)), flaw)
        if own & seen != 0:
            return refuse(Flaw.HAND_TWICE.value, seat, first_bit(U64(own & seen)), flaw)
        if popcount(U64(own)) != HAND_SIZE:
            return refuse(Flaw.HAND_SIZE.value, seat, popcount(U64(own)), flaw)
        if upgraded & ~bought != 0:
            return refuse(Flaw.UPGRADED.value, seat, first_bit(U64(upgraded & ~bought)), flaw)
        seen |= own
        has_bought = seat == game["seat"] and (phase == Phase.INNOVATE or phase == Phase.WOLVES)
        n_bought = popcount(U64(bought)) + popcount(U64(upgraded))
        if n_bought > turns_ended(seat, game) + I64(has_bought):
            return refuse(Flaw.PURCHASES.value, seat, n_bought, flaw)
    return True


@kernel
def standing_hexes(seat, game, board, rules):
    """The hexes on which a piece of the seat can stand: buildable land, and what a card of the seat builds on (Mine II, p. 9)."""
    cells = load(board["terrain"], BUILDABLE)
    rest = U64(game["in_play"][seat])
    while rest:
        card = first_bit(rest)
        rest &= rest - U64(1)
        for half in range(2 if has_card(game["upgraded"][seat], card) else 1):
            if board["op"][card][half] == Op.BUILD_ON:
                cells = cells | load(board["terrain"], I64(board["arg"][card][half]))
    return cells


@kernel(inline=True)
def check_pieces(game, board, rules, flaw):
    """The pieces, at most one per hex, and the sets derived from them."""
    taken = no_hexes()
    for seat in range(MAX_PLAYERS):
        houses, forts = load(game["houses"], seat), load(game["forts"], seat)
        land = no_hexes()
        if seat < board["n_players"]:
            land = standing_hexes(seat, game, board, rules)
        if not is_empty(houses & ~land):
            return refuse(Flaw.HOUSES.value, seat, I64(0), flaw)
        if not is_empty(forts & ~land):
            return refuse(Flaw.FORTS.value, seat, I64(0), flaw)
        if meets(houses, forts) or meets(houses | forts, taken):
            return refuse(Flaw.TWO_PIECES.value, seat, I64(0), flaw)
        taken = taken | houses | forts
        if not is_empty(load(game["near"], seat) ^ spread(houses | forts, board["links"])):
            return refuse(Flaw.NEAR.value, seat, I64(0), flaw)
    if not is_empty(load(game["taken"], 0) ^ taken):
        return refuse(Flaw.TAKEN.value, I64(0), I64(0), flaw)
    return True


@kernel
def pieces_gone(seat, game):
    """Houses and forts of a seat that have left the game."""
    left = I64(game["houses_left"][seat]) + I64(game["forts_left"][seat])
    return HOUSES + FORTS - left - count(load(game["houses"], seat) | load(game["forts"], seat))


@kernel(inline=True)
def check_supply(seat, game, board, rules, flaw):
    """Houses and forts of a seat: 32 and 4 on the board and in the supply, minus those that Salvage and Wolves removed."""
    houses_left, forts_left = I64(game["houses_left"][seat]), I64(game["forts_left"][seat])
    if not within(houses_left, I64(0), I64(HOUSES), Flaw.HOUSES_LEFT.value, seat, flaw):
        return False
    if not within(forts_left, I64(0), I64(FORTS), Flaw.FORTS_LEFT.value, seat, flaw):
        return False
    has_salvage = board["condition"] == Condition.SALVAGE
    has_wolves = board["twist"] == Twist.WOLVES
    houses_gone = HOUSES - houses_left - count(load(game["houses"], seat))
    forts_gone = FORTS - forts_left - count(load(game["forts"], seat))
    if houses_gone < 0 or (houses_gone > 0 and not has_salvage and not has_wolves):
        return refuse(Flaw.HOUSES_LOST.value, seat, HOUSES - houses_gone, flaw)
    if forts_gone < 0 or (forts_gone > 0 and not has_salvage and not has_wolves):
        return refuse(Flaw.FORTS_LOST.value, seat, FORTS - forts_gone, flaw)
    # In houses: what is left, what stands on the board, and what was built before this turn.
    left = houses_left + FORT_VALUE * forts_left
    standing = HOUSES - houses_left - houses_gone + FORT_VALUE * (FORTS - forts_left - forts_gone)
    is_playing = seat == game["seat"] and game["phase"] != Phase.OVER
    before = HOUSES + FORT_VALUE * FORTS - left
    if is_playing:
        if not within(I64(game["built"]), I64(0), before, Flaw.BUILT.value, I64(0), flaw):
            return False
        before -= I64(game["built"])
    turns = turns_ended(seat, game)
    if before > MOST_PER_TURN * turns:
        return refuse(Flaw.TOO_MANY_BUILT.value, seat, before, flaw)
    # Wolves take one piece in a turn in which more than four houses were built.
    most_gone = min(turns, before // (board["twist_arg"] + 1))
    if houses_gone + forts_gone > most_gone and not has_salvage:
        return refuse(Flaw.PIECES_GONE.value, seat, houses_gone + forts_gone, flaw)
    # A house earns at most the economy's coins when built, and as many when salvaged, so this sum never grows.
    coins, each = I64(game["coins"][seat]), I64(board["coins"])
    if coins < 0 or coins + 2 * each * left + each * standing > MOST_COINS:
        return refuse(Flaw.COINS.value, seat, coins, flaw)
    # Supplies only shrink, and a round that ends with an empty supply is the last: a seat that has not built this round has pieces.
    has_built = seat < game["seat"] or (is_playing and game["built"] > 0) or game["phase"] == Phase.OVER
    if houses_left + forts_left == 0 and not has_built:
        return refuse(Flaw.SUPPLY_EMPTY.value, seat, I64(0), flaw)
    return True


@kernel(inline=True)
def check_end(game, board, flaw):
    """A game that is over must have an empty supply."""
    if game["phase"] != Phase.OVER or game["round"] == ROUND_LIMIT:
        return True
    for seat in range(board["n_players"]):
        if game["houses_left"][seat] + game["forts_left"][seat] == 0:
            return True
    return refuse(Flaw.NOT_OVER.value, I64(0), I64(game["round"]), flaw)


# Terrain cards -------------------------------------------------------------------------------------------------------


@kernel
def check_pile(pile, n, code, flaw):
    """Whether a pile's cards are terrains, and its entries above the top are empty."""
    for i in range(N_TERRAIN_CARDS):
        if not within(I64(pile[i]), I64(0), I64(N_CARD_TERRAINS - 1 if i < n else 0), code, i, flaw):
            return False
    return True


@kernel(inline=True)
def check_terrain_cards(game, board, flaw):
    """Thirty terrain cards, five of each terrain, in the piles and with the players."""
    n_draw, n_discard = I64(game["n_draw"]), I64(game["n_discard"])
    if not (
        within(n_draw, I64(0), I64(N_TERRAIN_CARDS), Flaw.N_DRAW.value, I64(0), flaw)
        and within(n_discard, I64(0), I64(N_TERRAIN_CARDS), Flaw.N_DISCARD.value, I64(0), flaw)
        and check_pile(game["draw_pile"], n_draw, Flaw.DRAW_PILE.value, flaw)
        and check_pile(game["discard_pile"], n_discard, Flaw.DISCARD_PILE.value, flaw)
    ):
        return False
    copies = U64(0)  # a byte for each terrain
    for i in range(n_draw):
        copies += U64(1) << U64(8 * game["draw_pile"][i])
    for i in range(n_discard):
        copies += U64(1) << U64(8 * game["discard_pile"][i])
    for seat in range(board["n_players"]):
        card = I64(game["terrain_card"][seat])
        if not within(card, I64(NONE), I64(N_CARD_TERRAINS - 1), Flaw.TERRAIN_CARD.value, seat, flaw):
            return False
        if card != NONE:
            copies += U64(1) << U64(8 * card)
    if copies != ALL_COPIES:
        for terrain in range(N_CARD_TERRAINS):
            n = I64((copies >> U64(8 * terrain)) & U64(255))
            if n != TERRAIN_CARD_COPIES:
                return refuse(Flaw.TERRAIN_CARDS.value, terrain, n, flaw)
    seat = I64(game["seat"])
    card, is_fresh = I64(game["terrain_card"][seat]), game["used"][0] == 0 and game["used"][1] == 0
    if is_fresh and game["phase"] == Phase.BEFORE and card != NONE and not has_free_hex(card, game, board):
        return refuse(Flaw.TERRAIN_CARD_FULL.value, seat, card, flaw)
    return True
