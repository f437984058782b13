"""What a seat cannot see, dealt anew: the others' hands and terrain cards, the order of the draw pile, the random stream."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import nth_bit, popcount
from winterkingdom_env.core.rng import draw, shuffle
from winterkingdom_env.games.winter_kingdom.layout import N_ABILITIES, NONE, Phase

U32 = np.uint32
I64 = np.int64
U64 = np.uint64
ALL_ABILITIES = U32((1 << N_ABILITIES) - 1)


@kernel(inline=True)
def deal_abilities(seat, game, n_players):
    """Give every other player as many cards as he has, out of those that the seat sees nowhere: in hands and in the box."""
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
    """Whether a player's terrain card is hidden from the seat: the seat to move has revealed its own."""
    is_revealed = player == game["seat"] and game["phase"] != Phase.OVER
    return player != seat and not is_revealed and game["terrain_card"][player] != NONE


@kernel(inline=True)
def deal_terrain_cards(seat, game, n_players):
    """Mix the hidden terrain cards with the draw pile and give as many back."""
    for player in range(n_players):
        if not is_hidden(player, seat, game):
            continue
        # One of the pile's and of the later players' hidden cards, or his own: all with the same chance.
        n_later = 0
        for other in range(player + 1, n_players):
            n_later += int(is_hidden(other, seat, game))
        place = draw(game, I64(game["n_draw"]) + n_later + 1)
        card = game["terrain_card"][player]
        if place < game["n_draw"]:
            game["terrain_card"][player] = game["draw_pile"][place]
            game["draw_pile"][place] = card
            continue
        place -= game["n_draw"]
        for other in range(player + 1, n_players):
            if is_hidden(other, seat, game):
                if place == 0:
                    game["terrain_card"][player] = game["terrain_card"][other]
                    game["terrain_card"][other] = card
                place -= 1
    shuffle(game, game["draw_pile"], I64(game["n_draw"]))


@kernel
def deal_hidden(seat, game, board):
    """Deal anew everything that the seat cannot see, from the random stream in the record, which goes on from there."""
    n_players = I64(board["n_players"])
    deal_abilities(seat, game, n_players)
    deal_terrain_cards(seat, game, n_players)
