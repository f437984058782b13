"""What a seat cannot see, dealt again.

Hidden from a seat are the cards in the other hands until the turn of their owner begins, and the order of the deck (section 1.4). Both are
one pool: its cards are sorted in the order of the box, shuffled with a new stream, and dealt from the top: to each hidden hand, in
ascending order of seats, as many cards as it had; the rest is the deck. The game goes on with the new stream. How often the stream was
used depends on the size of the pool alone, which everybody knows.
"""

from __future__ import annotations

from winterkingdom_env.reference.kingdom_builder.names import CARDS
from winterkingdom_env.reference.kingdom_builder.rng import RandomStream
from winterkingdom_env.reference.kingdom_builder.state import State


def is_hand_open(state: State, p: int) -> bool:
    """Whether everybody sees the hand of a seat: in its own turn, till the hand is discarded."""
    return p == state.turn.seat and state.now.phase not in ("silo", "silo move", "over")


def redeal(state: State, looker: int, seed: int) -> None:
    """Deal again what the seat ``looker`` cannot see."""
    state.random = RandomStream.from_seed(seed)
    hidden = [p for p in range(len(state.seats)) if p != looker and not is_hand_open(state, p)]
    pool = state.deck + [card for p in hidden for card in state.seats[p].hand]
    pool.sort(key=CARDS.index)
    state.random.shuffle(pool)
    for p in hidden:
        state.seats[p].hand = [pool.pop() for _ in state.seats[p].hand]
    state.deck = pool
