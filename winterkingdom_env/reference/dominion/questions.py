"""The legal answers to each question."""

from __future__ import annotations

from collections.abc import Callable

from winterkingdom_env.reference.dominion.actions import DONE, NUMBER, YES
from winterkingdom_env.reference.dominion.cards import ACTION, ANY, TREASURE, VICTORY, Card
from winterkingdom_env.reference.dominion.state import State, kinds


def legal_labels(state: State) -> list[str]:
    """Every legal answer, by ascending action number."""
    return sorted(QUESTIONS[state.phase](state), key=NUMBER.__getitem__)


def _say(verb: str, cards: list[Card]) -> list[str]:
    return [f"{verb} {card.label}" for card in cards]


def _hand_of(state: State, kind: str) -> list[Card]:
    """The kinds of a class in the hand of the seat asked."""
    return [card for card in kinds(state.seats[state.mover].hand) if state.is_a(card, kind)]


def _obliged(verb: str, cards: list[Card]) -> list[str]:
    """One of the cards; nothing only if there are none."""
    return _say(verb, cards) or [DONE]


def affordable(state: State, coins: int) -> list[Card]:
    """The kinds in the supply that cost no more than so many coins."""
    return [card for card in kinds(state.supply) if state.rows[card].cost <= coins]


def gainable(state: State) -> list[Card]:
    """What ``gain`` may take: within the limit, and for Mine a treasure."""
    kind = next((verb[1] for verb in state.row.verbs if verb[0] == "EXCHANGE"), ANY)
    return [card for card in affordable(state, state.limit) if state.is_a(card, kind)]


def stolen_from_floor(state: State) -> list[Card]:
    """The treasures that Thief may still gain."""
    return [card for card in kinds(state.stolen) if card >= state.floor]


def _action(state: State) -> list[str]:
    return [*_say("play", _hand_of(state, ACTION)), DONE]


def _buy(state: State) -> list[str]:
    return [*_say("buy", affordable(state, state.coins)), DONE]


def _throne(state: State) -> list[str]:
    return _obliged("play", _hand_of(state, ACTION))


def _from_floor(state: State) -> list[Card]:
    return [card for card in kinds(state.own.hand) if card >= state.floor]


def _cellar(state: State) -> list[str]:
    return [*_say("discard", _from_floor(state)), DONE]


def _chapel(state: State) -> list[str]:
    return [*_say("trash", _from_floor(state)), DONE]


def _remodel(state: State) -> list[str]:
    return _say("trash", kinds(state.own.hand))


def _mine(state: State) -> list[str]:
    return _obliged("trash", _hand_of(state, TREASURE))


def _gain(state: State) -> list[str]:
    return _say("gain", gainable(state))


def _yes_or_done(_: State) -> list[str]:
    return [YES, DONE]


def _library(state: State) -> list[str]:
    assert state.pending is not None
    return [YES, DONE] if state.is_a(state.pending, ACTION) else [DONE]


def _moat(state: State) -> list[str]:
    return [YES, DONE] if state.seats[state.mover].hand[Card.MOAT] else [DONE]


def _militia(state: State) -> list[str]:
    """Ascending, and only what leaves enough cards that may still follow."""
    hand = state.seats[state.mover].hand
    must_go = hand.total() - state.row.arguments("OTHERS_DISCARD_TO")[0]
    in_order = [
        card
        for card in kinds(hand)
        if card >= state.floor and sum(n for other, n in hand.items() if other >= card) >= must_go
    ]
    return _say("discard", in_order or kinds(hand))


def _bureaucrat(state: State) -> list[str]:
    return _obliged("topdeck", _hand_of(state, VICTORY))


def _thief_trash(state: State) -> list[str]:
    return _say("trash", sorted({card for card in state.revealed if state.is_a(card, TREASURE)}))


def _thief_gain(state: State) -> list[str]:
    return [*_say("gain", stolen_from_floor(state)), DONE]


def _over(_: State) -> list[str]:
    return []


QUESTIONS: dict[str, Callable[[State], list[str]]] = {
    "action": _action,
    "buy": _buy,
    "throne": _throne,
    "cellar": _cellar,
    "chapel": _chapel,
    "remodel": _remodel,
    "mine": _mine,
    "gain": _gain,
    "chancellor": _yes_or_done,
    "library": _library,
    "moat": _moat,
    "militia": _militia,
    "bureaucrat": _bureaucrat,
    "spy": _yes_or_done,
    "thief_trash": _thief_trash,
    "thief_gain": _thief_gain,
    "over": _over,
}
