"""What attacks do to the other seats, one seat after the other."""

from __future__ import annotations

from collections import Counter

from winterkingdom_env.reference.dominion.actions import DONE, YES
from winterkingdom_env.reference.dominion.asking import ask
from winterkingdom_env.reference.dominion.cards import TREASURE, Card
from winterkingdom_env.reference.dominion.knowledge import is_possible, show_hand
from winterkingdom_env.reference.dominion.questions import stolen_from_floor
from winterkingdom_env.reference.dominion.state import State, leave_hand, take, take_out

# Witch


def others_gain(state: State, card: Card) -> bool:
    """Each victim gains a card, while there are any."""
    for p in state.victims():
        if state.supply[card]:
            take_out(state.supply, card)
            state.seats[p].discard[card] += 1
    return False


# Militia


def others_discard_to(state: State, _: int) -> bool:
    """Each victim discards down to so many cards."""
    return _discard(state, state.victims())


def _discard(state: State, seats: list[int]) -> bool:
    (size,) = state.row.arguments("OTHERS_DISCARD_TO")
    state.floor = 0
    for p in seats:
        if state.seats[p].hand.total() > size:
            return ask(state, "militia", mover=p, subject=p)
    return False


def answer_militia(state: State, _: str, card: Card) -> bool:
    """One more card is discarded; then the same seat goes on, or the next."""
    p = state.mover
    leave_hand(state.seats[p], card)
    state.seats[p].discard[card] += 1
    state.floor = card
    (size,) = state.row.arguments("OTHERS_DISCARD_TO")
    if state.seats[p].hand.total() > size:
        return True
    return _discard(state, state.victims(after=p))


# Bureaucrat


def others_topdeck(state: State, _: str) -> bool:
    """Each victim puts a card of a class on its draw pile or shows its hand."""
    return _topdeck(state, state.victims())


def _topdeck(state: State, seats: list[int]) -> bool:
    (kind,) = state.row.arguments("OTHERS_TOPDECK")
    for p in seats:
        if is_possible(state, p, kind):
            return ask(state, "bureaucrat", mover=p, subject=p)
        show_hand(state, p)
    return False


def answer_bureaucrat(state: State, verb: str, card: Card) -> bool:
    """A card is put back, or there was none."""
    p = state.mover
    if verb == DONE:
        show_hand(state, p)
    else:
        leave_hand(state.seats[p], card)
        state.seats[p].top.insert(0, card)
    return _topdeck(state, state.victims(after=p))


# Spy


def all_show_top(state: State) -> bool:
    """Everybody shows a card, the turn seat first."""
    return _show_top(state, [state.seat, *state.victims()])


def _show_top(state: State, seats: list[int]) -> bool:
    for p in seats:
        top = state.seats[p].top
        if not top:
            taken = take(state, p)
            if taken is not None:
                top.append(taken[0])
        if top:
            return ask(state, "spy", subject=p)
    return False


def answer_spy(state: State, verb: str, _: Card | None) -> bool:
    """The card shown is discarded or stays where it is."""
    assert state.subject is not None
    if verb == YES:
        seat = state.seats[state.subject]
        seat.discard[seat.top.pop(0)] += 1
    return _show_top(state, state.victims(after=state.subject))


# Thief


def others_show(state: State, _: int) -> bool:
    """Each victim shows cards and loses one treasure; then the turn seat gains what it likes."""
    return _rob(state, state.victims())


def _rob(state: State, seats: list[int]) -> bool:
    (n,) = state.row.arguments("OTHERS_SHOW")
    for p in seats:
        while len(state.revealed) < n and (taken := take(state, p)) is not None:
            state.revealed.append(taken[0])
        treasures = {card for card in state.revealed if state.is_a(card, TREASURE)}
        if len(treasures) > 1:
            return ask(state, "thief_trash", subject=p)
        for card in treasures:
            _steal(state, card)
        _discard_revealed(state, p)
    return _offer_stolen(state)


def _steal(state: State, card: Card) -> None:
    state.revealed.remove(card)
    state.trash[card] += 1
    state.stolen[card] += 1


def _discard_revealed(state: State, p: int) -> None:
    state.seats[p].discard.update(state.revealed)
    state.revealed = []


def answer_thief_trash(state: State, _: str, card: Card) -> bool:
    """The treasure chosen is trashed, the other card discarded."""
    assert state.subject is not None
    p = state.subject
    _steal(state, card)
    _discard_revealed(state, p)
    return _rob(state, state.victims(after=p))


def _offer_stolen(state: State) -> bool:
    if stolen_from_floor(state):
        return ask(state, "thief_gain")
    state.stolen = Counter()
    return False


def answer_thief_gain(state: State, verb: str, card: Card) -> bool:
    """A stolen treasure is gained, or the rest stays in the trash."""
    if verb == DONE:
        state.stolen = Counter()
        return False
    take_out(state.trash, card)
    take_out(state.stolen, card)
    state.own.discard[card] += 1
    state.floor = card
    return _offer_stolen(state)
