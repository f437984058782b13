"""From action to action and from turn to turn."""

from __future__ import annotations

from collections import Counter

from winterkingdom_env.reference.dominion.actions import DONE
from winterkingdom_env.reference.dominion.cards import ACTION, BASIC, TREASURE, Card
from winterkingdom_env.reference.dominion.effects import begin
from winterkingdom_env.reference.dominion.knowledge import is_possible
from winterkingdom_env.reference.dominion.state import State, draw_cards, kinds, leave_hand, take_out

HAND_SIZE = 5
EMPTY_PILES = 3  # Einde van het spel


def start_turn(state: State) -> None:
    """The turn of ``state.seat`` begins."""
    state.turns[state.seat] += 1
    state.actions, state.buys, state.coins = 1, 1, 0
    next_action(state)


def next_action(state: State) -> None:
    """Ask for an action card if one can be played, else go on to the buy phase."""
    if state.actions > 0 and is_possible(state, state.seat, ACTION):
        state.phase, state.mover = "action", state.seat
    else:
        _start_buy(state)


def answer_action(state: State, verb: str, card: Card | None) -> None:
    """Play a card, or play no more."""
    if verb == DONE:
        _start_buy(state)
        return
    assert card is not None
    state.actions -= 1
    leave_hand(state.own, card)
    state.play[card] += 1
    if not begin(state, card):
        finish(state)


def finish(state: State) -> None:
    """A card is done: a Throne Room may play one again, else the next action follows."""
    state.card = state.subject = None
    state.immune, state.floor, state.count, state.limit = set(), 0, 0, 0
    if not state.again:
        next_action(state)
    elif not begin(state, state.again.pop()):
        finish(state)


def _start_buy(state: State) -> None:
    for card in kinds(state.own.hand):
        while state.is_a(card, TREASURE) and state.own.hand[card]:
            leave_hand(state.own, card)
            state.play[card] += 1
            state.coins += state.rows[card].worth
    state.phase, state.mover = "buy", state.seat


def answer_buy(state: State, verb: str, card: Card | None) -> None:
    """Buy a card, or buy no more."""
    if verb == DONE:
        _clean_up(state)
        return
    assert card is not None
    take_out(state.supply, card)
    state.own.discard[card] += 1
    state.coins -= state.rows[card].cost
    state.buys -= 1
    if state.buys == 0:
        _clean_up(state)


def _clean_up(state: State) -> None:
    own = state.own
    own.discard += own.hand + state.play
    own.hand, own.known, state.play = Counter(), Counter(), Counter()
    state.actions = state.buys = state.coins = 0
    draw_cards(state, state.seat, HAND_SIZE)
    if _is_at_end(state):
        state.phase = "over"
        return
    state.seat = (state.seat + 1) % state.num_players
    start_turn(state)


def empty_piles(state: State) -> list[Card]:
    """The piles of this game that have run out."""
    return [card for card in (*BASIC, *state.kingdom) if not state.supply[card]]


def _is_at_end(state: State) -> bool:
    empty = empty_piles(state)
    is_last_turn = state.seat == state.num_players - 1 and state.turns[state.seat] >= state.round_limit
    return Card.PROVINCE in empty or len(empty) >= EMPTY_PILES or is_last_turn
