"""Resampling of everything hidden from a seat: other hands until their owner's turn begins, the order of the deck, the random stream.

The result depends only on what the seat knows and on the state of the stream: hidden cards are sorted before they are dealt.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import renew, shuffle
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import N_CARDS

I64, U64 = np.int64, np.uint64
COUNT_BITS = 6  # for the number of cards of a kind: at most five


@kernel
def is_hidden(player, seat, game):
    """Whether a player's hand is hidden from the seat; that of the turn's seat lies open (p. 2; decision 2)."""
    is_open = player == game["turn_seat"] and game["phase"] < Phase.SILO
    return player != seat and not is_open


@kernel
def sort_cards(pile, n):
    """Sort the first ``n`` cards of a pile."""
    counts = U64(0)
    for k in range(n):
        counts += U64(1) << U64(COUNT_BITS * pile[k])
    place = 0
    for card in range(N_CARDS):
        for _ in range(I64((counts >> U64(COUNT_BITS * card)) & U64((1 << COUNT_BITS) - 1))):
            pile[place] = card
            place += 1


@kernel
def deal_hidden(seat, game, board):
    """Resample everything hidden from the seat with the random stream in the record, and store a fresh stream there."""
    deck, n = game["deck"], I64(game["n_deck"])
    for player in range(board["n_players"]):
        if is_hidden(player, seat, game):
            for k in range(game["n_hand"][player]):
                deck[n] = game["hand"][player][k]
                n += 1
    sort_cards(deck, n)
    shuffle(game, deck, n)
    for player in range(board["n_players"]):
        if is_hidden(player, seat, game):
            for k in range(game["n_hand"][player]):
                n -= 1
                game["hand"][player][k] = deck[n]
                deck[n] = 0
    renew(game)
