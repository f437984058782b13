"""Resampling of everything hidden from a seat: other hands and terrain cards, the order of the draw pile, the random stream.

The result depends only on what the seat knows and on the state of the stream: hidden cards are sorted before they are dealt. Otherwise an
agent that knows the stream could invert the shuffle and read the true cards.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import nth_bit, popcount
from winterkingdom_env.core.rng import draw, renew, shuffle
from winterkingdom_env.games.winter_kingdom.layout import N_ABILITIES, N_CARD_TERRAINS, NONE, Phase

U32 = np.uint32
I64 = np.int64
U64 = np.uint64
ALL_ABILITIES = U32((1 << N_ABILITIES) - 1)


@kernel(inline=True)
def deal_abilities(seat, game, n_players):
    """Deal every other player a new hand of the same size, from the cards that the seat cannot see: other hands and the box."""
    seen = game["hand"][seat]
    for player in range(n_players):
        seen |= game["in_play"][player]
    unseen = U64(ALL_ABILITIES & ~seen)
    for player in range(n_players):
        if player == seat:
            continue
        hand = U64(0)
        for _ in range(popcount(U64(game["hand"][player]))):
            bit = U64(1) << U64(nth_bit(unseen, draw(game, popcount(unseen))))
            hand |= bit
            unseen &= ~bit
        game["hand"][player] = U32(hand)


@kernel
def is_hidden(player, seat, game):
    """Whether a player's terrain card is hidden from the seat; that of the seat to move is public."""
    is_revealed = player == game["seat"] and game["phase"] != Phase.OVER
    return player != seat and not is_revealed and game["terrain_card"][player] != NONE


@kernel(inline=True)
def sort_cards(pile, n):
    """Sort the first ``n`` terrain cards of a pile."""
    counts = U64(0)  # eight bits for each terrain: there are 30 cards at most
    for i in range(n):
        counts += U64(1) << U64(8 * pile[i])
    place = 0
    for terrain in range(N_CARD_TERRAINS):
        for _ in range(I64((counts >> U64(8 * terrain)) & U64(255))):
            pile[place] = terrain
            place += 1


@kernel(inline=True)
def deal_terrain_cards(seat, game, n_players):
    """Return the hidden terrain cards to the draw pile, shuffle it, and deal as many."""
    pile = game["draw_pile"]
    n = I64(game["n_draw"])
    for player in range(n_players):
        if is_hidden(player, seat, game):
            pile[n] = game["terrain_card"][player]
            n += 1
    sort_cards(pile, n)
    shuffle(game, pile, n)
    for player in range(n_players):
        if is_hidden(player, seat, game):
            n -= 1
            game["terrain_card"][player] = pile[n]
            pile[n] = 0


@kernel
def deal_hidden(seat, game, board):
    """Resample everything hidden from the seat with the random stream in the record, and store a fresh stream there."""
    n_players = I64(board["n_players"])
    deal_abilities(seat, game, n_players)
    deal_terrain_cards(seat, game, n_players)
    renew(game)
