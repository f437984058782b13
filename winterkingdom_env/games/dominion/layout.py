"""Records, phases, actions and ops of Dominion.

Actions, 194 integers: 32 * verb + card for the six verbs of ``Verb``, then ``yes`` and ``done``. Cards of a kind are interchangeable, so an
action names a kind. ``done`` also means no, keep it, leave it, or nothing to show.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from winterkingdom_env.core.counts import KINDS, WORDS

MAX_PLAYERS = 4
N_CARDS = KINDS  # kinds of cards
N_TREASURES = 3  # the first kinds
KINGDOM_SIZE = 10
HAND_SIZE = 5
NONE = -1
MOST_AGAIN = 10  # second plays that wait: nine Throne Rooms and another card
MOST_TOP = 104  # cards that lie on a deck in a known order: 40 Silvers, 60 victory cards, one card that a Spy showed
MOST_REVEALED = 2
MOST_COST = 15
MOST_ROUNDS = 1000
ENDING_PILES = 3  # empty ones


class Phase(IntEnum):
    """The question that the seat to move is asked."""

    ACTION = 0
    BUY = 1
    THRONE = 2
    CELLAR = 3
    CHAPEL = 4
    REMODEL = 5
    MINE = 6
    GAIN = 7
    CHANCELLOR = 8
    LIBRARY = 9
    MOAT = 10
    MILITIA = 11
    BUREAUCRAT = 12
    SPY = 13
    THIEF_TRASH = 14
    THIEF_GAIN = 15
    OVER = 16


class Verb(IntEnum):
    """What an action does with a card."""

    PLAY = 0
    BUY = 1
    GAIN = 2
    TRASH = 3
    DISCARD = 4
    TOPDECK = 5


YES = N_CARDS * len(Verb)
DONE = YES + 1
N_ACTIONS = DONE + 1


class Class(IntEnum):
    """A class of cards."""

    ANY = 0
    TREASURE = 1
    VICTORY = 2
    ACTION = 3
    ATTACK = 4
    REACTION = 5


class Op(IntEnum):
    """What a card does after its plain bonuses. The ops up to LAST_INSTANT_OP never ask."""

    NOTHING = 0
    TRASH_SELF = 1  # from play
    TRASH_FOR_COINS = 2  # one card ``what``, for n coins
    DIG = 3  # until n treasures are in hand
    OTHERS_DRAW = 4  # n cards
    OTHERS_GAIN = 5  # a card ``what``
    GAIN_ON_DECK = 6  # a card ``what``
    REDRAW = 7  # discard any number of cards, draw as many
    TRASH_UP_TO = 8  # n cards
    FLIP_DECK = 9  # to the discard pile
    GAIN_UP_TO = 10  # a card that costs up to n
    EXCHANGE = 11  # trash a card of class ``what``, gain one of the class that costs up to n more
    EXCHANGE_IN_HAND = 12  # the same, gained into the hand
    PLAY_TWICE = 13
    DRAW_TO = 14  # n cards in hand, action cards may be set aside
    OTHERS_DISCARD_TO = 15  # n cards in hand
    OTHERS_TOPDECK = 16  # a card of class ``what``
    ALL_SHOW_TOP = 17  # the top card
    OTHERS_SHOW = 18  # n cards, of which one treasure is trashed


LAST_INSTANT_OP = Op.GAIN_ON_DECK

# What a network is told of a card beside its cost, in this order.
ABOUT = (
    "points", "cards", "actions", "buys", "coins", "is_treasure", "is_victory", "is_action", "is_attack", "is_reaction", "is_terminal", "trashes",
    "gains", "curses", "makes_discard", "sorts", "doubles", "goes",
)  # fmt: skip

# Everything that changes in a game, the random stream included. A zone is a multiset (core/counts.py). A list is filled up with NONE.
GAME = np.dtype(
    [
        ("rng", np.uint64),
        ("supply", np.uint64, (WORDS,)),
        ("trash", np.uint64, (WORDS,)),
        ("play", np.uint64, (WORDS,)),  # of the seat whose turn it is
        ("aside", np.uint64, (WORDS,)),  # set aside by Library
        ("hand", np.uint64, (MAX_PLAYERS, WORDS)),
        ("deck", np.uint64, (MAX_PLAYERS, WORDS)),  # face down, in an order that does not exist yet
        ("discard", np.uint64, (MAX_PLAYERS, WORDS)),
        ("known", np.uint64, (MAX_PLAYERS, WORDS)),  # the part of a hand that everybody knows
        ("turns", np.int16, (MAX_PLAYERS,)),  # taken so far, the current one included
        ("n_top", np.int16, (MAX_PLAYERS,)),
        ("coins", np.int16),
        ("actions", np.int16),
        ("buys", np.int16),
        (
            "top",
            np.int8,
            (MAX_PLAYERS, MOST_TOP),
        ),  # cards on the deck that everybody has seen there; the next one is the last
        ("again", np.int8, (MOST_AGAIN,)),  # cards that Throne Rooms play a second time; the next one is the last
        ("revealed", np.int8, (MOST_REVEALED,)),  # the cards that a Thief turned over, in this order
        ("stolen", np.int8, (N_TREASURES,)),  # treasures in the trash that a Thief may gain
        ("n_again", np.int8),
        ("turn_seat", np.int8),  # whose turn it is
        ("seat", np.int8),  # who is asked
        ("phase", np.int8),
        ("card", np.int8),  # the card that is carried out
        ("subject", np.int8),  # the seat on which it works
        ("immune", np.int8),  # a bit per seat that showed a Moat
        ("floor", np.int8),  # several cards are chosen in ascending order: the last one
        ("count", np.int8),  # cards discarded for Cellar or trashed for Chapel so far
        ("limit", np.int8),  # cost of the card to gain
        ("pending", np.int8),  # Library's card in question
        ("pending_known", np.int8),  # whether everybody saw it
        ("spare", np.int8, (7,)),
    ],
    align=True,
)

# What is decided at set-up.
BOARD = np.dtype(
    [
        ("up_to", np.uint64, (MOST_COST + 1,)),  # the cards that cost at most this much, a bit each
        ("piles", np.uint64),  # the cards that have a pile, a bit each
        ("round_limit", np.int16),
        ("n_players", np.int8),
        ("cost", np.int8, (N_CARDS,)),
        ("pile", np.int8, (N_CARDS,)),  # cards in each pile at the beginning
        ("spare", np.int8, (5,)),
    ],
    align=True,
)

# The card table as kernels read it.
RULES = np.dtype(
    [
        ("class_bits", np.uint64, (len(Class),)),
        ("cards", np.int64, (N_CARDS,)),
        ("actions", np.int64, (N_CARDS,)),
        ("buys", np.int64, (N_CARDS,)),
        ("coins", np.int64, (N_CARDS,)),
        ("points", np.int64, (N_CARDS,)),
        ("op", np.int64, (N_CARDS, 2)),
        ("n", np.int64, (N_CARDS, 2)),
        ("what", np.int64, (N_CARDS, 2)),
        ("about", np.float32, (N_CARDS, len(ABOUT))),
    ]
)

# A Config for kernels.
REQUEST = np.dtype(
    [
        ("kingdom", np.uint64),  # a bit per card; 0: drawn from the candidates
        ("candidates", np.uint64),
        ("num_players", np.int64),
        ("round_limit", np.int64),
        ("cost", np.int64, (N_CARDS,)),
        ("pile", np.int64, (N_CARDS,)),
    ]
)
