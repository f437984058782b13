"""What cards do when they are played.

Every function that may stop at a question returns whether it did: True while an answer is awaited, False when the card is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from winterkingdom_env.reference.dominion import attacks
from winterkingdom_env.reference.dominion.actions import DONE, YES
from winterkingdom_env.reference.dominion.asking import ask
from winterkingdom_env.reference.dominion.cards import ACTION, ANY, ATTACK, TREASURE, Card
from winterkingdom_env.reference.dominion.knowledge import is_moat_possible, is_possible, show_moat
from winterkingdom_env.reference.dominion.questions import gainable
from winterkingdom_env.reference.dominion.state import State, draw_cards, into_hand, leave_hand, take, take_out

# Playing a card


def begin(state: State, card: Card) -> bool:
    """A card that is in play begins: first the Moats, then what it does."""
    state.card, state.subject = card, state.seat
    state.immune, state.floor, state.count = set(), 0, 0
    return _ask_moats(state, state.others()) if state.is_a(card, ATTACK) else _carry_out(state)


def _ask_moats(state: State, seats: list[int]) -> bool:
    for p in seats:
        if is_moat_possible(state, p):
            return ask(state, "moat", mover=p, subject=p)
    return _carry_out(state)


def _answer_moat(state: State, verb: str, _: Card | None) -> bool:
    if verb == YES:
        state.immune.add(state.mover)
        show_moat(state, state.mover)
    return _ask_moats(state, state.others(after=state.mover))


def _carry_out(state: State) -> bool:
    row = state.row
    state.subject = state.seat
    draw_cards(state, state.seat, row.cards)
    state.actions += row.actions
    state.buys += row.buys
    state.coins += row.coins
    # One verb after the other, up to the one that asks: on every card that is the last.
    return any(EFFECTS[name](state, *arguments) for name, *arguments in row.verbs)


# Throne Room


def _play_twice(state: State) -> bool:
    return is_possible(state, state.seat, ACTION) and ask(state, "throne")


def _answer_throne(state: State, verb: str, card: Card | None) -> bool:
    if verb == DONE:
        return False
    assert card is not None
    leave_hand(state.own, card)
    state.play[card] += 1
    state.again.append(card)
    return begin(state, card)


# Cellar, Chapel


def _redraw(state: State) -> bool:
    if state.own.hand.total():
        return ask(state, "cellar")
    return _draw_again(state)


def _answer_cellar(state: State, verb: str, card: Card | None) -> bool:
    if verb == DONE:
        return _draw_again(state)
    assert card is not None
    leave_hand(state.own, card)
    state.own.discard[card] += 1
    state.count += 1
    state.floor = card
    return _redraw(state)


def _draw_again(state: State) -> bool:
    draw_cards(state, state.seat, state.count)
    return False


def _trash_up_to(state: State, n: int) -> bool:
    return state.own.hand.total() > 0 and state.count < n and ask(state, "chapel")


def _answer_chapel(state: State, verb: str, card: Card | None) -> bool:
    if verb == DONE:
        return False
    _trash_from_hand(state, card)
    assert card is not None
    state.count += 1
    state.floor = card
    return _trash_up_to(state, *state.row.arguments("TRASH_UP_TO"))


def _trash_from_hand(state: State, card: Card | None) -> None:
    assert card is not None
    leave_hand(state.own, card)
    state.trash[card] += 1


# Trashing and gaining


def _exchange(state: State, kind: str, _: int, __: str) -> bool:
    if kind == ANY:
        return state.own.hand.total() > 0 and ask(state, "remodel")
    return is_possible(state, state.seat, kind) and ask(state, "mine")


def _answer_exchange(state: State, verb: str, card: Card | None) -> bool:
    if verb == DONE:
        return False
    assert card is not None
    _trash_from_hand(state, card)
    _, more, _ = state.row.arguments("EXCHANGE")
    return _gain_up_to(state, state.rows[card].cost + more)


def _gain_up_to(state: State, limit: int) -> bool:
    state.limit = limit
    return bool(gainable(state)) and ask(state, "gain")


def _answer_gain(state: State, _: str, card: Card | None) -> bool:
    assert card is not None
    take_out(state.supply, card)
    if any(verb[0] == "EXCHANGE" and verb[3] == "hand" for verb in state.row.verbs):
        into_hand(state.own, card, is_known=True)
    else:
        state.own.discard[card] += 1
    return False


def _trash_self(state: State) -> bool:
    assert state.card is not None
    if state.play[state.card]:  # not if a Throne Room plays it a second time
        take_out(state.play, state.card)
        state.trash[state.card] += 1
    return False


def _trash_for_coins(state: State, card: Card, coins: int) -> bool:
    if state.own.hand[card]:
        _trash_from_hand(state, card)
        state.coins += coins
    return False


def _gain_on_deck(state: State, card: Card) -> bool:
    if state.supply[card]:
        take_out(state.supply, card)
        state.own.top.insert(0, card)
    return False


# The own draw pile


def _flip_deck(state: State) -> bool:
    return bool(state.own.top or state.own.deck.total()) and ask(state, "chancellor")


def _answer_chancellor(state: State, verb: str, _: Card | None) -> bool:
    if verb == YES:
        own = state.own
        own.discard += own.deck + Counter(own.top)
        own.deck, own.top = Counter(), []
    return False


def _dig(state: State, n: int) -> bool:
    found: list[Card] = []
    others: list[Card] = []
    while len(found) < n:
        taken = take(state, state.seat)
        if taken is None:
            break
        (found if state.is_a(taken[0], TREASURE) else others).append(taken[0])
    for card in found:
        into_hand(state.own, card, is_known=True)
    state.own.discard.update(others)
    return False


def _draw_to(state: State, n: int) -> bool:
    while state.own.hand.total() < n:
        taken = take(state, state.seat)
        if taken is None:
            break
        card, is_known = taken
        into_hand(state.own, card, is_known)
        may_set_aside = state.is_a(card, ACTION) if is_known else is_possible(state, state.seat, ACTION)
        if may_set_aside:
            state.pending, state.pending_known = card, is_known
            return ask(state, "library")
    state.own.discard += state.aside
    state.aside = Counter()
    return False


def _answer_library(state: State, verb: str, _: Card | None) -> bool:
    card, is_known = state.pending, state.pending_known
    assert card is not None
    if verb == YES:
        take_out(state.own.hand, card)
        if is_known:  # else it is the card nobody knew that leaves, not a known one of the same kind
            take_out(state.own.known, card)
        state.aside[card] += 1
    state.pending, state.pending_known = None, False
    return _draw_to(state, *state.row.arguments("DRAW_TO"))


# Others


def _others_draw(state: State, n: int) -> bool:
    for p in state.others():
        draw_cards(state, p, n)
    return False


EFFECTS: dict[str, Callable[..., bool]] = {
    "REDRAW": _redraw,
    "TRASH_UP_TO": _trash_up_to,
    "FLIP_DECK": _flip_deck,
    "TRASH_SELF": _trash_self,
    "GAIN_UP_TO": _gain_up_to,
    "TRASH_FOR_COINS": _trash_for_coins,
    "EXCHANGE": _exchange,
    "PLAY_TWICE": _play_twice,
    "DRAW_TO": _draw_to,
    "DIG": _dig,
    "OTHERS_DRAW": _others_draw,
    "GAIN_ON_DECK": _gain_on_deck,
    "OTHERS_GAIN": attacks.others_gain,
    "OTHERS_DISCARD_TO": attacks.others_discard_to,
    "OTHERS_TOPDECK": attacks.others_topdeck,
    "ALL_SHOW_TOP": attacks.all_show_top,
    "OTHERS_SHOW": attacks.others_show,
}

ANSWERS: dict[str, Callable[[State, str, Any], bool]] = {
    "throne": _answer_throne,
    "cellar": _answer_cellar,
    "chapel": _answer_chapel,
    "remodel": _answer_exchange,
    "mine": _answer_exchange,
    "gain": _answer_gain,
    "chancellor": _answer_chancellor,
    "library": _answer_library,
    "moat": _answer_moat,
    "militia": attacks.answer_militia,
    "bureaucrat": attacks.answer_bureaucrat,
    "spy": attacks.answer_spy,
    "thief_trash": attacks.answer_thief_trash,
    "thief_gain": attacks.answer_thief_gain,
}
