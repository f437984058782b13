"""A new game from its options and a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from winterkingdom_env.reference.dominion.cards import (
    ATTACK,
    BASIC,
    BY_LABEL,
    KINGDOM_CARDS,
    NAMED_SETS,
    ROWS,
    START_COPPERS,
    START_ESTATES,
    Card,
    pile_of,
    rows_with,
)
from winterkingdom_env.reference.dominion.rng import RandomStream
from winterkingdom_env.reference.dominion.state import Seat, State, draw_cards
from winterkingdom_env.reference.dominion.turn import HAND_SIZE, start_turn

PLAYERS = (2, 3, 4)
KINGDOM_SIZE = 10
ROUND_LIMIT = 100
RANDOM = "random"
OPTIONS = ("num_players", "kingdom", "attacks", "round_limit", "seed", "cards", "hands", "rng")


def new_state(setup: Mapping[str, Any]) -> State:
    """Deal a game; seat 0's turn has started. Raises ValueError if an option makes no sense."""
    unknown = [option for option in setup if option not in OPTIONS]
    if unknown:
        raise ValueError(f"unknown option {unknown[0]!r}: the options are {', '.join(OPTIONS)}.")
    num_players = setup.get("num_players", 2)
    if num_players not in PLAYERS:
        raise ValueError(f"num_players is {num_players}: it has to be one of 2, 3, 4.")
    random = RandomStream(setup["rng"]) if "rng" in setup else RandomStream.from_seed(setup.get("seed", 0))
    kingdom = choose_kingdom(setup.get("kingdom", "first_game"), setup.get("attacks", True), random)
    rows = rows_with(setup.get("cards", {}))
    start = {Card.COPPER: START_COPPERS, Card.ESTATE: START_ESTATES}
    state = State(
        rows=rows,
        kingdom=kingdom,
        round_limit=setup.get("round_limit", ROUND_LIMIT),
        random=random,
        seats=[Seat(deck=Counter(start)) for _ in range(num_players)],
        supply=Counter({card: pile_of(rows, card, num_players) for card in (*BASIC, *kingdom)}),
        turns=[0] * num_players,
    )
    for p in range(num_players):
        if "hands" in setup:
            state.seats[p].hand = Counter({BY_LABEL[name]: n for name, n in setup["hands"][p].items()})
            state.seats[p].deck -= state.seats[p].hand
        else:
            draw_cards(state, p, HAND_SIZE)
    start_turn(state)
    return state


def choose_kingdom(wanted: str | Sequence[str], attacks: bool, random: RandomStream) -> list[Card]:
    """The ten kingdom cards, ascending: of a named set, drawn by lot, or as named."""
    if wanted == RANDOM:
        candidates = [card for card in KINGDOM_CARDS if attacks or not ROWS[card].is_a(ATTACK)]
        random.shuffle(candidates)
        return sorted(candidates[:KINGDOM_SIZE])
    if isinstance(wanted, str):
        if wanted not in NAMED_SETS:
            raise ValueError(
                f"kingdom {wanted!r}: it has to be {RANDOM!r}, ten names or one of {', '.join(NAMED_SETS)}."
            )
        wanted = NAMED_SETS[wanted].split(", ")
    for name in wanted:
        if BY_LABEL.get(name) not in KINGDOM_CARDS:
            raise ValueError(f"kingdom: {name!r} is no kingdom card; these are {', '.join(_labels(KINGDOM_CARDS))}.")
    kingdom = sorted({BY_LABEL[name] for name in wanted})
    if len(wanted) != KINGDOM_SIZE or len(kingdom) != KINGDOM_SIZE:
        raise ValueError(f"kingdom: {KINGDOM_SIZE} different cards are needed, found {', '.join(wanted)}.")
    return kingdom


def _labels(cards: Sequence[Card]) -> list[str]:
    return [card.label for card in cards]
