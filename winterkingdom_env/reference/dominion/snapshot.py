"""The state as plain data, and back: counts are lists of 32, cards are numbers, -1 is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from winterkingdom_env.reference.dominion.actions import NUMBER
from winterkingdom_env.reference.dominion.cards import Card, rows_with
from winterkingdom_env.reference.dominion.questions import legal_labels
from winterkingdom_env.reference.dominion.rng import RandomStream
from winterkingdom_env.reference.dominion.state import Cards, Seat, State

N_TREASURES = 3
COUNTS = ("supply", "trash", "play", "aside")  # of the game
SEAT_COUNTS = ("hand", "deck", "discard", "known")
LISTS = ("revealed", "again")
PLAIN = ("phase", "seat", "mover", "actions", "buys", "coins", "floor", "count", "limit")


def changing(state: State) -> dict[str, Any]:
    """Every zone and register, and the legal actions; seats in order, ``top`` with the next card first."""
    return {
        **{name: getattr(state, name) for name in PLAIN},
        **{name: _counts(getattr(state, name)) for name in COUNTS},
        **{name: [_counts(getattr(seat, name)) for seat in state.seats] for name in SEAT_COUNTS},
        **{name: _numbers(getattr(state, name)) for name in LISTS},
        "top": [_numbers(seat.top) for seat in state.seats],
        "stolen": _counts(state.stolen)[:N_TREASURES],
        "turns": list(state.turns),
        "card": -1 if state.card is None else int(state.card),
        "subject": -1 if state.subject is None else state.subject,
        "immune": sum(1 << p for p in state.immune),
        "pending": -1 if state.pending is None else int(state.pending),
        "pending_known": int(state.pending_known),
        "rng": state.random.state,
        "legal": [NUMBER[label] for label in legal_labels(state)],
    }


def restore(data: Mapping[str, Any]) -> State:
    """The state of a snapshot, the fixed part included. ``legal`` is not needed."""
    zones: dict[str, Any] = {name: _cards(data[name]) for name in COUNTS}
    zones |= {name: [Card(number) for number in data[name]] for name in LISTS}
    return State(
        **zones,
        **{name: data[name] for name in PLAIN},
        rows=rows_with(data.get("cards", {})),
        kingdom=[Card(number) for number in data["kingdom"]],
        round_limit=data["round_limit"],
        random=RandomStream(data["rng"]),
        seats=[_seat(data, p) for p in range(data["num_players"])],
        stolen=_cards(data["stolen"]),
        turns=list(data["turns"]),
        card=None if data["card"] < 0 else Card(data["card"]),
        subject=None if data["subject"] < 0 else data["subject"],
        immune={p for p in range(data["num_players"]) if data["immune"] >> p & 1},
        pending=None if data["pending"] < 0 else Card(data["pending"]),
        pending_known=bool(data["pending_known"]),
    )


def _seat(data: Mapping[str, Any], p: int) -> Seat:
    cards = {name: _cards(data[name][p]) for name in SEAT_COUNTS}
    return Seat(**cards, top=[Card(number) for number in data["top"][p]])


def _counts(cards: Cards) -> list[int]:
    return [cards[card] for card in Card]


def _cards(counts: Iterable[int]) -> Cards:
    return Counter({Card(number): n for number, n in enumerate(counts)})


def _numbers(cards: Iterable[Card]) -> list[int]:
    return [int(card) for card in cards]
