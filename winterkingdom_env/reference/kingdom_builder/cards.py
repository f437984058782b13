"""Terrain cards: drawing, the terrain that is bound, and exhausted cards (section 3.5)."""

from __future__ import annotations

from winterkingdom_env.reference.kingdom_builder.names import terrains_of
from winterkingdom_env.reference.kingdom_builder.places import free_on
from winterkingdom_env.reference.kingdom_builder.state import State


def can_draw(state: State) -> bool:
    """Whether a card is in the deck or among the discards."""
    return bool(state.deck or state.discards)


def draw_card(state: State) -> str | None:
    """The top card; if the deck is empty, the discards are shuffled into a new one first (p. 3). None if there is no card at all."""
    if not state.deck:
        state.deck, state.discards = state.discards, []
        state.random.shuffle(state.deck)
    return state.deck.pop() if state.deck else None


def card_terrains(state: State) -> list[str]:
    """The terrains that an action on card terrain may take: the bound one, or those of the played card, or of the whole hand."""
    turn = state.turn
    if turn.terrain is not None:
        return [turn.terrain]
    cards = state.seats[turn.seat].hand if turn.played is None else [turn.played]
    return [terrain for card in cards for terrain in terrains_of(card)]


def card_areas(state: State) -> list[set[int]]:
    """The free hexes of each card terrain."""
    return [free_on(state, terrain) for terrain in card_terrains(state)]


def bind(state: State, hex_id: int) -> None:
    """The hex chosen on card terrain binds the terrain; the first card of the hand with it is the played card."""
    turn = state.turn
    turn.terrain = state.board.terrain[hex_id]
    if turn.played is None:
        hand = state.seats[turn.seat].hand
        turn.played = next(card for card in hand if turn.terrain in terrains_of(card))


def has_option(state: State, card: str) -> bool:
    """Whether a terrain of the card has a free hex."""
    return any(free_on(state, terrain) for terrain in terrains_of(card))


def check_cards(state: State) -> None:
    """Before the turn seat is asked: exhausted cards leave the game and are replaced (p. 4)."""
    turn = state.turn
    if turn.played is not None:
        is_exhausted = (
            not free_on(state, turn.terrain) if turn.terrain is not None else not has_option(state, turn.played)
        )
        if not is_exhausted:
            return
        hand = state.seats[turn.seat].hand
        turn.played = _replace(state, hand, hand.index(turn.played))
        turn.terrain = None
    if turn.played is None:
        _check_hand(state)


def _check_hand(state: State) -> None:
    """Nothing is bound: every card of the hand without an option is replaced."""
    hand = state.seats[state.turn.seat].hand
    place = 0
    while place < len(hand):
        if has_option(state, hand[place]) or _replace(state, hand, place) is not None:
            place += 1


def _replace(state: State, hand: list[str], place: int) -> str | None:
    """The card at a place of the hand leaves the game; cards are drawn until one has an option. None: no card is left."""
    state.out.append(hand[place])
    while (drawn := draw_card(state)) is not None:
        if has_option(state, drawn):
            hand[place] = drawn
            return drawn
        state.out.append(drawn)
    del hand[place]
    return None
