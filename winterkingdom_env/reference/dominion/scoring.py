"""Points, and who is ahead of whom."""

from __future__ import annotations

from collections import Counter

from winterkingdom_env.reference.dominion.state import Cards, State


def owned(state: State, p: int) -> Cards:
    """All cards of a player, wherever they lie."""
    seat = state.seats[p]
    cards: Cards = seat.hand + seat.deck + Counter(seat.top) + seat.discard
    if p == state.seat:
        cards += state.play + state.aside
    if state.phase == "thief_trash" and p == state.subject:
        cards += Counter(state.revealed)
    return cards


def score(state: State, p: int) -> int:
    """The points of a player."""
    cards = owned(state, p)
    points = 0
    for card, n in cards.items():
        row = state.rows[card]
        times = cards.total() // row.per_cards if row.per_cards else 1
        points += n * row.points * times
    return points


def ranks(state: State) -> list[int]:
    """Places by seat: most points, then fewest turns; equals share the better place."""
    results = [(-score(state, p), state.turns[p]) for p in range(state.num_players)]
    return [1 + sum(other < result for other in results) for result in results]
