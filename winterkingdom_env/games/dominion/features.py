"""Inputs of a network: what an action is about, card by card, and a summary of each seat's deck.

A card is described by what it does, not by its name, so that a network can play with a card that it never saw.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import count_of, size_of
from winterkingdom_env.core.verbs import implements
from winterkingdom_env.games.dominion.layout import (
    ABOUT,
    DONE,
    ENDING_PILES,
    MAX_PLAYERS,
    N_CARDS,
    N_TREASURES,
    NONE,
    YES,
    Class,
    Phase,
    Verb,
)
from winterkingdom_env.games.dominion.observe import n_empty
from winterkingdom_env.games.dominion.scoring import PER_GARDENS, money, n_owned, owned
from winterkingdom_env.games.dominion.tables import GARDENS, MOAT, N_BASIC, PROVINCE
from winterkingdom_env.games.dominion.world import World
from winterkingdom_env.games.dominion.worth import WORTH, coins_at_hand, hand_worth
from winterkingdom_env.games.dominion.zones import is_of

I64, U64, F32, F64 = np.int64, np.uint64, np.float32, np.float64
N_VERBS, N_ABOUT = len(Verb), len(ABOUT)

list_legal = verbs.list_legal.of(World)
points = verbs.points.of(World)

# The columns of the features, in this order.
VERB = 0  # one per verb, then yes and done
COST = VERB + N_VERBS + 2
CARD = COST + 1  # what the card does
OWN = CARD + N_ABOUT  # cards of this kind: own, in the hand, of the seat that has most of the others, in the supply
HELD = OWN + 1
OTHERS = HELD + 1
SUPPLY = OTHERS + 1
GAIN = SUPPLY + 1  # points of the card if it is bought or gained
COINS = GAIN + 1  # coins after it is bought, or now
ACTIONS = COINS + 1  # actions after it is played
AGAIN = ACTIONS + 1  # another buy follows
LAST = AGAIN + 1  # the last card of its pile
ENDS = LAST + 1  # ends the game
LEAD = ENDS + 1  # the lead in points that the game ends with
ANOTHERS = LEAD + 1  # the card is another seat's
N_FEATURES = ANOTHERS + 1

FEATURES: tuple[str, ...] = (
    *(verb.name.lower() for verb in Verb), "yes", "done", "cost", *ABOUT, "own", "held", "others", "supply", "gain", "coins_left", "actions_left",
    "buys_again", "last", "ends", "lead", "anothers",
)  # fmt: skip
assert len(FEATURES) == N_FEATURES

# The columns of a seat's deck in the network's input, then those of the own hand.
SIZE, MONEY, STRENGTH, JUNK, N_ACTION_CARDS, N_TERMINALS, MORE_ACTIONS, MORE_CARDS, N_ATTACKS = range(9)
N_DECK = 9
HAND = (
    MAX_PLAYERS * N_DECK
)  # coins at hand, action cards and terminals in hand, cards and actions that they bring, coins per card of the deck
N_EXTRA = HAND + 6

N_KINDS = N_VERBS * (N_BASIC + 1) + 2  # each verb with each basic card and with any kingdom card; yes; done

verbs.N_FEATURES.set(World, N_FEATURES)
verbs.N_EXTRA.set(World, N_EXTRA)
verbs.N_KINDS.set(World, N_KINDS)


@implements(verbs.kind_of, World)
@kernel(inline=True)
def kind_of(world, action):
    """See core/verbs.py."""
    if action >= YES:
        return N_KINDS - 2 + action - YES
    return (action // N_CARDS) * (N_BASIC + 1) + min(action % N_CARDS, N_BASIC)


# The input about a position ---------------------------------------------------------------------------------------------


@kernel
def write_deck(seat, game, rules, out, first):
    """Write what all cards of a seat amount to."""
    n = F64(max(n_owned(game, seat), 1))
    junk = actions = terminals = more_actions = more_cards = attacks = F64(0)
    for card in range(N_CARDS):
        own = F64(owned(game, seat, I64(card)))
        if own == 0.0:
            continue
        if is_of(rules, Class.ACTION, card):
            actions += own
            terminals += own if rules["actions"][card] == 0 else 0.0
            more_actions += own * rules["actions"][card]
            more_cards += own * rules["cards"][card]
            attacks += own if is_of(rules, Class.ATTACK, card) else 0.0
        elif not is_of(rules, Class.TREASURE, card):
            junk += own
    out[first + SIZE] = F32(n / 20)
    out[first + MONEY] = F32(money(game, rules, seat) / n)
    out[first + STRENGTH] = F32(hand_worth(seat, game, rules, WORTH) / 5)
    out[first + JUNK] = F32(junk / n)
    out[first + N_ACTION_CARDS] = F32(actions / 5)
    out[first + N_TERMINALS] = F32(terminals / 5)
    out[first + MORE_ACTIONS] = F32(more_actions / 5)
    out[first + MORE_CARDS] = F32(more_cards / 5)
    out[first + N_ATTACKS] = F32(attacks / 3)


@kernel
def write_hand(seat, game, rules, out, first):
    """Write what the hand of the seat amounts to, and the coins per card of its deck."""
    hand, deck = game["hand"][seat], game["deck"][seat]
    n = terminals = more_cards = more_actions = in_deck = I64(0)
    for card in range(N_CARDS):
        held = count_of(hand, card)
        if held > 0 and is_of(rules, Class.ACTION, card):
            n += held
            terminals += held if rules["actions"][card] == 0 else I64(0)
            more_cards += held * rules["cards"][card]
            more_actions += held * rules["actions"][card]
    for card in range(N_TREASURES):
        in_deck += count_of(deck, card) * rules["coins"][card]
    out[first] = F32(coins_at_hand(seat, game, rules) / 8)
    out[first + 1] = F32(n / 3)
    out[first + 2] = F32(terminals / 3)
    out[first + 3] = F32(more_cards / 4)
    out[first + 4] = F32(more_actions / 3)
    out[first + 5] = F32(in_deck / max(size_of(deck), 1))


@implements(verbs.write_extra, World)
@kernel
def write_extra(world, i, seat, out, first):
    """Write a summary of each seat's deck, the own first, and of the own hand."""
    game, rules, n_players = world.games[i], world.rules[0], I64(world.boards[i]["n_players"])
    for k in range(MAX_PLAYERS):
        if k < n_players:
            write_deck((seat + k) % n_players, game, rules, out, first + k * N_DECK)
        else:
            for column in range(N_DECK):
                out[first + k * N_DECK + column] = F32(0)
    write_hand(seat, game, rules, out, first + HAND)


# The features of actions ------------------------------------------------------------------------------------------------


@kernel
def card_in_question(game):
    """The card that yes and done are about; NONE if they are about none."""
    phase = game["phase"]
    if phase == Phase.LIBRARY:
        return I64(game["pending"])
    if phase == Phase.MOAT:
        return I64(MOAT)
    if phase == Phase.SPY:
        other = I64(game["subject"])
        return I64(game["top"][other][game["n_top"][other] - 1])
    return I64(NONE)


@kernel
def most_of_others(seat, n_players, game, card):
    """The largest number of a card that another seat owns."""
    most = I64(0)
    for other in range(n_players):
        if other != seat:
            most = max(most, owned(game, I64(other), card))
    return most


@kernel
def lead_of(world, i, seat, n_players):
    """The points of a seat less the most of another one."""
    best = I64(-(1 << 30))
    for other in range(n_players):
        if other != seat:
            best = max(best, points(world, i, I64(other)))
    return points(world, i, seat) - best


@kernel
def write_card(seat, n_players, card, game, board, rules, row):
    """Write what a card does, and how many of it there are."""
    row[COST] = F32(board["cost"][card] / 10)
    for k in range(N_ABOUT):
        row[CARD + k] = F32(rules["about"][card, k])
    row[OWN] = F32(owned(game, seat, card) / 5)
    row[HELD] = F32(count_of(game["hand"][seat], card) / 3)
    row[OTHERS] = F32(most_of_others(seat, n_players, game, card) / 5)
    row[SUPPLY] = F32(count_of(game["supply"], card) / 10)


@kernel
def write_gain(world, i, seat, n_players, card, row):
    """Write what it means to take a card of the supply."""
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    gain = rules["points"][card]
    if card == GARDENS:
        gain *= (n_owned(game, seat) + 1) // PER_GARDENS
    is_last = count_of(game["supply"], card) == 1
    ends = is_last and (card == PROVINCE or n_empty(game, board) + 1 >= ENDING_PILES)
    row[GAIN] = F32(gain / 6)
    row[LAST] = F32(is_last)
    row[ENDS] = F32(ends)
    if ends:
        row[LEAD] = F32((lead_of(world, i, seat, n_players) + gain) / 10)


@implements(verbs.write_features, World)
@kernel
def write_features(world, i, actions, features):
    """See core/verbs.py; nothing is tried out, so nothing hidden can show."""
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    seat, n_players, phase = I64(game["seat"]), I64(board["n_players"]), I64(game["phase"])
    is_anothers = (phase == Phase.SPY or phase == Phase.THIEF_TRASH) and game["subject"] != seat
    n = list_legal(world, i, actions)
    for k in range(n):
        row, action = features[k], I64(actions[k])
        for column in range(N_FEATURES):
            row[column] = F32(0)
        verb = action // N_CARDS if action < YES else N_VERBS + action - YES
        card = action % N_CARDS if action < YES else card_in_question(game)
        row[VERB + verb] = F32(1)
        row[COINS] = F32(game["coins"] / 5)
        row[ANOTHERS] = F32(is_anothers)
        if card != NONE:
            write_card(seat, n_players, card, game, board, rules, row)
        if verb == Verb.BUY:
            row[COINS] = F32((game["coins"] - board["cost"][card]) / 5)
            row[AGAIN] = F32(game["buys"] > 1)
        if verb == Verb.BUY or (verb == Verb.GAIN and phase == Phase.GAIN):
            write_gain(world, i, seat, n_players, card, row)
        if verb == Verb.PLAY:
            row[ACTIONS] = F32((game["actions"] - 1 + rules["actions"][card]) / 2)
        if action == DONE and phase == Phase.BUY:
            row[AGAIN] = F32(game["buys"] > 1)
    return n
