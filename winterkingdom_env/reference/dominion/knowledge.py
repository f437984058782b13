"""What everybody knows, and how the rest is dealt again for a player who does not know it."""

from __future__ import annotations

from collections import Counter

from winterkingdom_env.reference.dominion.cards import TREASURE, Card
from winterkingdom_env.reference.dominion.rng import RandomStream
from winterkingdom_env.reference.dominion.state import Cards, State, draw_from


def is_possible(state: State, p: int, kind: str) -> bool:
    """Whether, for all that is public, the hand of ``p`` may hold a card of a class."""
    seat = state.seats[p]
    return seat.hand.total() > 0 and any(state.is_a(card, kind) for card in (seat.hand + seat.deck))


def is_moat_possible(state: State, p: int) -> bool:
    """Whether, for all that is public, the hand of ``p`` may hold a Moat."""
    seat = state.seats[p]
    return seat.hand.total() > 0 and (seat.hand + seat.deck)[Card.MOAT] > 0


def show_hand(state: State, p: int) -> None:
    """Everybody sees a hand."""
    state.seats[p].known = Counter(state.seats[p].hand)


def show_moat(state: State, p: int) -> None:
    """Everybody sees one Moat of a hand."""
    known = state.seats[p].known
    known[Card.MOAT] = max(1, known[Card.MOAT])


def redeal(state: State, looker: int, seed: int) -> None:
    """Deal again what the seat ``looker`` cannot know: the unknown cards of the other hands, and the random stream."""
    state.random = RandomStream.from_seed(seed)
    for p in range(state.num_players):
        if p != looker:
            _redeal_seat(state, p)


def _redeal_seat(state: State, p: int) -> None:
    seat = state.seats[p]
    n_unknown = seat.hand.total() - seat.known.total()
    pool: Cards = seat.hand - seat.known + seat.deck
    left_out: Cards = Counter()
    if state.phase == "buy" and p == state.seat:  # the treasures of the hand have been played
        left_out = Counter({card: n for card, n in pool.items() if state.is_a(card, TREASURE)})
    pool -= left_out
    drawn = [draw_from(pool, state.random) for _ in range(n_unknown)]
    if state.phase == "library" and p == state.mover and not state.pending_known:
        state.pending = drawn[0]
    seat.hand = seat.known + Counter(drawn)
    seat.deck = pool + left_out
