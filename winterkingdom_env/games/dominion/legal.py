"""The legal actions, a bit each: two verbs of 32 cards per word, then ``yes`` and ``done``."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import count_of, kinds_of, size_of
from winterkingdom_env.games.dominion.effects import gains
from winterkingdom_env.games.dominion.layout import (
    MOST_COST,
    MOST_REVEALED,
    N_CARDS,
    N_TREASURES,
    NONE,
    Class,
    Phase,
    Verb,
)
from winterkingdom_env.games.dominion.tables import MOAT
from winterkingdom_env.games.dominion.zones import is_of

I64, U64 = np.int64, np.uint64
YES_BIT, DONE_BIT = 1, 2  # of the last word


@kernel(inline=True)
def from_floor(game, bits):
    """The cards that may follow the one chosen last: several cards are chosen in ascending order."""
    return (bits >> U64(game["floor"])) << U64(game["floor"])


@kernel(inline=True)
def put_cards(bits, verb, cards):
    """Allow a verb for a set of cards."""
    bits[verb >> 1] = cards << U64(N_CARDS) if verb & 1 else cards


@kernel
def find_legal(game, board, rules, bits):
    """Write the legal actions of the seat to move."""
    for k in range(4):
        bits[k] = U64(0)
    phase, seat = I64(game["phase"]), I64(game["seat"])
    if phase == Phase.OVER:
        return
    held = kinds_of(game["hand"][seat])
    if phase == Phase.BUY:
        affordable = board["up_to"][min(I64(game["coins"]), MOST_COST)]
        put_cards(bits, Verb.BUY, kinds_of(game["supply"]) & affordable)
        bits[3] = U64(DONE_BIT)
    elif phase == Phase.ACTION:
        put_cards(bits, Verb.PLAY, held & rules["class_bits"][Class.ACTION])
        bits[3] = U64(DONE_BIT)
    elif phase >= Phase.MOAT:
        find_in_attack(game, rules, phase, seat, held, bits)
    else:
        find_in_choice(game, board, rules, phase, held, bits)


@kernel
def find_in_choice(game, board, rules, phase, held, bits):
    """What the seat whose turn it is may answer."""
    if phase == Phase.THRONE:
        must(bits, Verb.PLAY, held & rules["class_bits"][Class.ACTION])
    elif phase == Phase.CELLAR:
        put_cards(bits, Verb.DISCARD, from_floor(game, held))
        bits[3] = U64(DONE_BIT)
    elif phase == Phase.CHAPEL:
        put_cards(bits, Verb.TRASH, from_floor(game, held))
        bits[3] = U64(DONE_BIT)
    elif phase == Phase.REMODEL:
        put_cards(bits, Verb.TRASH, held)
    elif phase == Phase.MINE:
        must(bits, Verb.TRASH, held & rules["class_bits"][Class.TREASURE])
    elif phase == Phase.GAIN:
        put_cards(bits, Verb.GAIN, gains(game, board, rules))
    elif phase == Phase.CHANCELLOR:
        bits[3] = U64(YES_BIT | DONE_BIT)
    else:
        bits[3] = U64(DONE_BIT | YES_BIT) if is_of(rules, Class.ACTION, game["pending"]) else U64(DONE_BIT)


@kernel
def must(bits, verb, cards):
    """Allow a verb for a set of cards, or ``done`` if it is empty."""
    put_cards(bits, verb, cards)
    if cards == U64(0):
        bits[3] = U64(DONE_BIT)


@kernel
def find_in_attack(game, rules, phase, seat, held, bits):
    """What may be answered in an attack."""
    if phase == Phase.MOAT:
        bits[3] = U64(DONE_BIT) | ((held >> U64(MOAT)) & U64(1)) * U64(YES_BIT)
    elif phase == Phase.MILITIA:
        put_cards(bits, Verb.DISCARD, discards(game, rules, seat, held))
    elif phase == Phase.BUREAUCRAT:
        must(bits, Verb.TOPDECK, held & rules["class_bits"][Class.VICTORY])
    elif phase == Phase.SPY:
        bits[3] = U64(YES_BIT | DONE_BIT)
    elif phase == Phase.THIEF_TRASH:
        shown = U64(0)
        for k in range(MOST_REVEALED):
            if game["revealed"][k] != NONE:
                shown |= U64(1) << U64(game["revealed"][k])
        put_cards(bits, Verb.TRASH, shown & rules["class_bits"][Class.TREASURE])
    else:
        stolen = U64(0)
        for card in range(I64(game["floor"]), N_TREASURES):
            if game["stolen"][card] > 0:
                stolen |= U64(1) << U64(card)
        put_cards(bits, Verb.GAIN, stolen)
        bits[3] = U64(DONE_BIT)


@kernel
def discards(game, rules, seat, held):
    """The cards that may be discarded for Militia: ascending, and so that enough cards can still follow."""
    hand = game["hand"][seat]
    needed = size_of(hand) - rules["n"][I64(game["card"])][0]
    found, following = U64(0), I64(0)
    for i in range(N_CARDS - I64(game["floor"])):
        card = N_CARDS - 1 - i
        n = count_of(hand, card)
        following += n
        if n > 0 and following >= needed:
            found |= U64(1) << U64(card)
    return held if found == U64(0) else found
