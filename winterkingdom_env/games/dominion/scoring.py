"""Points, and who wins."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import WORDS, sum_bytes
from winterkingdom_env.games.dominion.layout import MAX_PLAYERS, MOST_REVEALED, N_TREASURES, NONE, Phase
from winterkingdom_env.games.dominion.tables import CURSE, DUCHY, ESTATE, GARDENS, PROVINCE

I64, U64 = np.int64, np.uint64
SCORED = (ESTATE, DUCHY, PROVINCE, GARDENS, CURSE)  # the columns of the score sheet
PER_GARDENS = 10  # cards for which a Gardens counts


@kernel
def owned_word(game, seat, k):
    """Word ``k`` of the multiset of all cards of a seat, less those that lie on its draw pile or are turned over."""
    word = game["hand"][seat][k] + game["deck"][seat][k] + game["discard"][seat][k]
    if seat == game["turn_seat"]:
        word += game["play"][k] + game["aside"][k]
    return word


@kernel
def lying(game, seat, card):
    """How many of a card lie on the draw pile of a seat, or are turned over by a Thief."""
    n = I64(0)
    for k in range(I64(game["n_top"][seat])):
        n += game["top"][seat][k] == card
    if game["phase"] == Phase.THIEF_TRASH and game["subject"] == seat:
        for k in range(MOST_REVEALED):
            n += game["revealed"][k] == card
    return n


@kernel
def n_owned(game, seat):
    """How many cards a seat owns."""
    n = I64(game["n_top"][seat])
    for k in range(WORDS):
        n += sum_bytes(owned_word(game, seat, k))
    if game["phase"] == Phase.THIEF_TRASH and game["subject"] == seat:
        for k in range(MOST_REVEALED):
            n += game["revealed"][k] != NONE
    return n


@kernel
def owned(game, seat, card):
    """How many of a card a seat owns."""
    word = owned_word(game, seat, card >> 3)
    return I64((word >> U64((card & 7) << 3)) & U64(255)) + lying(game, seat, card)


@kernel
def money(game, rules, seat):
    """The worth of the treasures that a seat owns."""
    total = I64(0)
    for card in range(N_TREASURES):
        total += owned(game, seat, card) * rules["coins"][card]
    return total


@kernel
def score(game, board, rules, sheet):
    """Write the points of every seat, a column per kind of card in SCORED."""
    for seat in range(MAX_PLAYERS):
        for k in range(len(SCORED)):
            sheet[seat, k] = 0
        if seat < board["n_players"]:
            for k in range(len(SCORED)):
                sheet[seat, k] = owned(game, seat, SCORED[k]) * rules["points"][SCORED[k]]
            sheet[seat, 3] *= n_owned(game, seat) // PER_GARDENS
