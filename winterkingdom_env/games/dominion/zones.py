"""Cards that move between zones: drawing, reshuffling, and what everybody then knows of a hand."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import (
    add,
    copy_all,
    count_of,
    draw_card,
    is_empty,
    kinds_of,
    put_all,
    remove,
)
from winterkingdom_env.games.dominion.layout import N_CARDS, NONE

I64, U64 = np.int64, np.uint64
KNOWN = N_CARDS  # added to a card that everybody saw when it was taken


@kernel(inline=True)
def is_of(rules, kind, card):
    """Whether a card is of a class."""
    return (rules["class_bits"][kind] >> U64(card)) & U64(1) == U64(1)


@kernel
def push_top(game, seat, card):
    """Lay a card on the draw pile of a seat, for all to see."""
    game["top"][seat][game["n_top"][seat]] = card
    game["n_top"][seat] += 1


@kernel
def pop_top(game, seat):
    """Take the card that lies on the draw pile; one must lie there."""
    game["n_top"][seat] -= 1
    card = I64(game["top"][seat][game["n_top"][seat]])
    game["top"][seat][game["n_top"][seat]] = NONE
    return card


@kernel
def take(game, seat):
    """Take the next card of the draw pile and return it, plus KNOWN if everybody saw it; NONE if there is none.

    Extra spelregels: the discards are shuffled only when a card is needed. The hand is then all that does not lie open, so it is known.
    """
    if game["n_top"][seat] > 0:
        return pop_top(game, seat) + KNOWN
    if is_empty(game["deck"][seat]):
        if is_empty(game["discard"][seat]):
            return I64(NONE)
        put_all(game["discard"][seat], game["deck"][seat])
        copy_all(game["hand"][seat], game["known"][seat])
    return draw_card(game, game["deck"][seat])


@kernel
def draw_cards(game, seat, n):
    """Draw up to ``n`` cards into the hand."""
    for _ in range(n):
        taken = take(game, seat)
        if taken == NONE:
            return
        add(game["hand"][seat], taken & (KNOWN - 1), 1)
        if taken >= KNOWN:
            add(game["known"][seat], taken & (KNOWN - 1), 1)


@kernel
def leave_hand(game, seat, card):
    """Take a card, which everybody sees, out of a hand."""
    remove(game["hand"][seat], card, 1)
    if count_of(game["known"][seat], card) > 0:
        remove(game["known"][seat], card, 1)


@kernel
def show_hand(game, seat):
    """Everybody sees the hand."""
    copy_all(game["hand"][seat], game["known"][seat])


@kernel
def discard_from_hand(game, seat, card):
    """Discard a card."""
    leave_hand(game, seat, card)
    add(game["discard"][seat], card, 1)


@kernel
def trash_from_hand(game, seat, card):
    """Trash a card."""
    leave_hand(game, seat, card)
    add(game["trash"], card, 1)


@kernel
def gain(game, seat, card):
    """Gain a card of the supply, which must have one, into the discard pile."""
    remove(game["supply"], card, 1)
    add(game["discard"][seat], card, 1)


@kernel(inline=True)
def may_hold(game, seat, bits):
    """Whether the hand may have a card of this set, as far as everybody can tell: some card is in hand or deck. Questions depend on it."""
    hand = game["hand"][seat]
    return not is_empty(hand) and ((kinds_of(hand) | kinds_of(game["deck"][seat])) & bits) != U64(0)
