"""The set-up of a game: kingdom, supply, first hands."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import add, clear
from winterkingdom_env.core.rng import shuffle
from winterkingdom_env.games.dominion.layout import (
    HAND_SIZE,
    KINGDOM_SIZE,
    MAX_PLAYERS,
    MOST_AGAIN,
    MOST_COST,
    MOST_REVEALED,
    MOST_TOP,
    N_CARDS,
    N_TREASURES,
    NONE,
)
from winterkingdom_env.games.dominion.tables import COPPER, ESTATE, N_BASIC, START
from winterkingdom_env.games.dominion.turn import begin_turn
from winterkingdom_env.games.dominion.zones import draw_cards

I64, U64 = np.int64, np.uint64
COPPERS, ESTATES = START[COPPER], START[ESTATE]
BASIC_BITS = (1 << N_BASIC) - 1


@kernel
def set_up(game, board, rules, request):
    """Set up a game from the stream in its record, and begin the first turn."""
    lay_table(game, board, request)
    for seat in range(I64(board["n_players"])):
        add(game["deck"][seat], COPPER, COPPERS)
        add(game["deck"][seat], ESTATE, ESTATES)
        draw_cards(game, seat, HAND_SIZE)
    begin_turn(game, rules, I64(0))


@kernel
def lay_table(game, board, request):
    """Lay out the supply; nobody has cards yet."""
    clear_table(game)
    lay_board(board, request)
    board["piles"] = U64(BASIC_BITS) | choose_kingdom(game, request)
    for card in range(N_CARDS):
        if (board["piles"] >> U64(card)) & U64(1) == U64(1):
            add(game["supply"], card, I64(board["pile"][card]))


@kernel
def lay_board(board, request):
    """Write the numbers of the request."""
    board["n_players"], board["round_limit"] = request["num_players"], request["round_limit"]
    for cost in range(MOST_COST + 1):
        board["up_to"][cost] = U64(0)
    for card in range(N_CARDS):
        board["cost"][card], board["pile"][card] = request["cost"][card], request["pile"][card]
        for cost in range(I64(request["cost"][card]), MOST_COST + 1):
            board["up_to"][cost] |= U64(1) << U64(card)


@kernel
def clear_table(game):
    """Remove all cards, and put every register to rest; the stream stays."""
    clear(game["supply"])
    clear(game["trash"])
    clear(game["play"])
    clear(game["aside"])
    for seat in range(MAX_PLAYERS):
        clear(game["hand"][seat])
        clear(game["deck"][seat])
        clear(game["discard"][seat])
        clear(game["known"][seat])
        game["turns"][seat] = game["n_top"][seat] = 0
        for k in range(MOST_TOP):
            game["top"][seat][k] = NONE
    for k in range(MOST_AGAIN):
        game["again"][k] = NONE
    for k in range(MOST_REVEALED):
        game["revealed"][k] = NONE
    for card in range(N_TREASURES):
        game["stolen"][card] = 0
    game["n_again"] = game["immune"] = game["floor"] = game["count"] = game["limit"] = game["pending_known"] = 0
    game["card"] = game["subject"] = game["pending"] = NONE


@kernel
def choose_kingdom(game, request):
    """The kingdom of the request, or ten of its candidates, a bit per card."""
    if request["kingdom"] != U64(0):
        return request["kingdom"]
    cards = game["top"][0]  # still empty: room to shuffle in
    n = I64(0)
    for card in range(N_CARDS):
        if (request["candidates"] >> U64(card)) & U64(1) == U64(1):
            cards[n] = card
            n += 1
    shuffle(game, cards, n)
    bits = U64(0)
    for k in range(n):
        if k < KINGDOM_SIZE:
            bits |= U64(1) << U64(cards[k])
        cards[k] = NONE
    return bits
