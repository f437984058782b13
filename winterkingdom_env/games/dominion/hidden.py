"""Resampling of what a seat cannot see: how the hand and the deck of each other seat divide the cards that lie in neither's open part."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import WORDS, add, draw_card, size_of
from winterkingdom_env.core.rng import renew
from winterkingdom_env.games.dominion.layout import N_TREASURES, Phase

I64, U64 = np.int64, np.uint64
TREASURE_BYTES = (1 << 8 * N_TREASURES) - 1  # treasures are the first kinds


@kernel
def deal_hidden(looker, game, board):
    """Resample the hands of the other seats from what everybody knows of them. Decks have no order, so there is nothing else to resample."""
    for seat in range(I64(board["n_players"])):
        if seat != looker:
            deal_hand(game, seat)
    renew(game)


@kernel
def deal_hand(game, seat):
    """Deal the unknown part of a hand again; in the buy phase it has no treasures."""
    hand, deck, known = game["hand"][seat], game["deck"][seat], game["known"][seat]
    n_unknown = size_of(hand) - size_of(known)
    for k in range(WORDS):
        deck[k] += hand[k] - known[k]
        hand[k] = known[k]
    kept = U64(0)
    if game["phase"] == Phase.BUY and game["turn_seat"] == seat:
        kept = deck[0] & U64(TREASURE_BYTES)
        deck[0] -= kept
    is_pending = game["phase"] == Phase.LIBRARY and game["seat"] == seat and game["pending_known"] == 0
    for n in range(n_unknown):
        card = draw_card(game, deck)
        add(hand, card, 1)
        if is_pending and n == 0:
            game["pending"] = card
    deck[0] += kept
