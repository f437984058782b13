"""The heuristic value of a position for a seat: its points, what its deck will still buy, and what its hand buys now."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import count_of
from winterkingdom_env.core.verbs import implements
from winterkingdom_env.games.dominion.layout import HAND_SIZE, N_CARDS, N_TREASURES, NONE, Class, Op, Phase
from winterkingdom_env.games.dominion.scoring import money, n_owned, owned
from winterkingdom_env.games.dominion.tables import CURSE, PROVINCE
from winterkingdom_env.games.dominion.world import World
from winterkingdom_env.games.dominion.zones import is_of

I64, U64, F64 = np.int64, np.uint64, np.float64

points = verbs.points.of(World)

# The weights, a float64 array in this order: points that a coin buys; the same for coins beyond a Province; turns of a game; turns per Province
# that the others have left; and the coins that a card is worth when it is played: per card that it trashes, per coin of what it gains, per
# Curse that it deals, for any other attack, for a better hand.
PER_COIN, PER_SPARE_COIN, TURNS, TURNS_PER_PROVINCE, TRASHES, GAINS, CURSES, ATTACKS, SORTS = range(9)
WORTH: tuple[float, ...] = (0.75, 0.25, 18.0, 1.0, 0.4, 0.4, 2.5, 0.7, 0.5)

MOST_COINS = 8  # a Province
MOST_TERMINALS = 1 / 8  # share of a deck's cards that may be actions without a further action before they collide


@kernel
def yield_of(card, mean, game, rules, weights):
    """The coins that a card brings when it is played, if a drawn card brings ``mean``."""
    found = F64(rules["coins"][card]) + mean * rules["cards"][card]
    for k in range(2):
        op, n = rules["op"][card, k], F64(rules["n"][card, k])
        if op == Op.TRASH_FOR_COINS:
            found += n - 1.0 + weights[TRASHES]
        elif op == Op.DIG:
            found += n * max(mean, 1.5)
        elif op == Op.DRAW_TO:
            found += mean * (n - (HAND_SIZE - 1))
        elif op == Op.OTHERS_GAIN:
            found += weights[CURSES] if count_of(game["supply"], CURSE) > 0 else 0.0
        elif op == Op.TRASH_UP_TO:
            found += weights[TRASHES] * n
        elif op == Op.GAIN_UP_TO:
            found += weights[GAINS] * n
        elif op == Op.GAIN_ON_DECK:
            found += weights[GAINS] * 3.0
        elif op == Op.EXCHANGE or op == Op.EXCHANGE_IN_HAND:
            found += weights[TRASHES] + weights[GAINS] * n
        elif op == Op.TRASH_SELF:
            found -= weights[GAINS]
        elif Op.OTHERS_DISCARD_TO <= op <= Op.OTHERS_SHOW:
            found += weights[ATTACKS]
        elif op == Op.REDRAW or op == Op.FLIP_DECK or op == Op.PLAY_TWICE:
            found += weights[SORTS]
    return found


@kernel
def hand_worth(seat, game, rules, weights):
    """The coins that an average hand of the seat's deck brings."""
    n = F64(max(n_owned(game, seat), 1))
    coins = F64(money(game, rules, seat))
    mean = coins / n
    terminals, room, from_terminals = F64(0), MOST_TERMINALS * n, F64(0)
    for card in range(N_TREASURES, N_CARDS):
        if not is_of(rules, Class.ACTION, card):
            continue
        own = F64(owned(game, seat, I64(card)))
        if own == 0.0:
            continue
        found = own * yield_of(I64(card), mean, game, rules, weights)
        if rules["actions"][card] == 0:
            terminals += own
            from_terminals += found
        else:
            coins += found
            room += own * F64(rules["actions"][card] - 1)
    if terminals > 0.0:
        coins += from_terminals * min(1.0, room / terminals)
    return HAND_SIZE * coins / n


@kernel
def coins_at_hand(seat, game, rules):
    """The coins of this turn, with the treasures that are still in hand."""
    coins = I64(game["coins"]) if game["turn_seat"] == seat else I64(0)
    for card in range(N_TREASURES):
        coins += count_of(game["hand"][seat], card) * rules["coins"][card]
    return coins


@kernel
def turns_left(seat, game, board, weights):
    """An estimate of the turns that are left to a seat. Its own Provinces do not count: to buy one must not look like a loss of turns."""
    others = I64(0)
    for other in range(board["n_players"]):
        if other != seat:
            others += owned(game, I64(other), I64(PROVINCE))
    taken = others * F64(board["n_players"]) / F64(board["n_players"] - 1)
    left = 2.0 + weights[TURNS_PER_PROVINCE] * max(board["pile"][PROVINCE] - taken, 0.0)
    return max(min(weights[TURNS] - game["turns"][seat], left), 1.0)


@kernel
def spent(coins, weights):
    """The points that these coins buy in a turn."""
    most = F64(MOST_COINS)
    return weights[PER_COIN] * min(coins, most) + weights[PER_SPARE_COIN] * max(coins - most, 0.0)


@implements(verbs.worth, World)
@kernel
def worth(world, i, seat, weights):
    """See core/verbs.py."""
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    found = F64(points(world, i, seat))
    if game["phase"] == Phase.OVER:
        return found
    found += turns_left(seat, game, board, weights) * spent(hand_worth(seat, game, rules, weights), weights)
    is_asked = game["turn_seat"] == seat or (game["seat"] == seat and game["card"] != NONE)
    if is_asked:  # a hand for the next turn would be luck
        found += spent(F64(coins_at_hand(seat, game, rules)), weights)
    return found
