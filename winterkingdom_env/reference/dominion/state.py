"""The zones and registers of a game, and the moves of cards between zones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from winterkingdom_env.reference.dominion.cards import Card, Row
from winterkingdom_env.reference.dominion.rng import RandomStream

Cards = Counter[Card]

PHASES = (
    "action", "buy", "throne", "cellar", "chapel", "remodel", "mine", "gain", "chancellor", "library", "moat", "militia",
    "bureaucrat", "spy", "thief_trash", "thief_gain", "over",
)  # fmt: skip


@dataclass
class Seat:
    """The cards of one player that are not in play."""

    hand: Cards = field(default_factory=Counter)
    deck: Cards = field(default_factory=Counter)
    top: list[Card] = field(default_factory=list)  # the next card first
    discard: Cards = field(default_factory=Counter)
    known: Cards = field(default_factory=Counter)  # the part of the hand that everybody knows


@dataclass
class State:
    """Everything that decides how a game goes on."""

    rows: dict[Card, Row]
    kingdom: list[Card]
    round_limit: int
    random: RandomStream
    seats: list[Seat]
    supply: Cards
    trash: Cards = field(default_factory=Counter)
    play: Cards = field(default_factory=Counter)
    aside: Cards = field(default_factory=Counter)
    revealed: list[Card] = field(default_factory=list)
    stolen: Cards = field(default_factory=Counter)
    turns: list[int] = field(default_factory=list)
    seat: int = 0  # whose turn it is
    mover: int = 0  # who is asked
    phase: str = "action"
    actions: int = 0
    buys: int = 0
    coins: int = 0
    again: list[Card] = field(default_factory=list)  # to be played a second time; the last entry comes next
    card: Card | None = None
    subject: int | None = None
    immune: set[int] = field(default_factory=set)
    floor: int = 0
    count: int = 0
    limit: int = 0
    pending: Card | None = None
    pending_known: bool = False

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return len(self.seats)

    @property
    def own(self) -> Seat:
        """The cards of the seat whose turn it is."""
        return self.seats[self.seat]

    @property
    def row(self) -> Row:
        """The row of the card being carried out."""
        assert self.card is not None
        return self.rows[self.card]

    def is_a(self, card: Card, kind: str) -> bool:
        """Whether a card is of a class."""
        return self.rows[card].is_a(kind)

    def others(self, after: int | None = None) -> list[int]:
        """The other seats in turn order, or those of them that come after the seat ``after``."""
        start = 1 if after is None else (after - self.seat) % self.num_players + 1
        return [(self.seat + step) % self.num_players for step in range(start, self.num_players)]

    def victims(self, after: int | None = None) -> list[int]:
        """The other seats without those that showed a Moat."""
        return [p for p in self.others(after) if p not in self.immune]


def ascending(cards: Cards) -> list[Card]:
    """The cards laid out by number."""
    return sorted(cards.elements())


def kinds(cards: Cards) -> list[Card]:
    """The different kinds by number."""
    return sorted(card for card in cards if cards[card] > 0)


def take_out(cards: Cards, card: Card) -> None:
    """One card leaves a zone that holds it."""
    assert cards[card] > 0, f"there is no {card.label}"
    cards[card] -= 1


def leave_hand(seat: Seat, card: Card) -> None:
    """One card leaves a hand; a known one goes first."""
    take_out(seat.hand, card)
    if seat.known[card] > 0:
        seat.known[card] -= 1


def into_hand(seat: Seat, card: Card, is_known: bool) -> None:
    """One card comes into a hand."""
    seat.hand[card] += 1
    if is_known:
        seat.known[card] += 1


def take(state: State, p: int) -> tuple[Card, bool] | None:
    """The next card of a draw pile and whether everybody knew it; None if there is none. Shuffles only if it has to."""
    seat = state.seats[p]
    if seat.top:
        return seat.top.pop(0), True
    if not seat.deck.total():
        if not seat.discard.total():
            return None
        seat.deck, seat.discard = seat.discard, Counter()
        seat.known = Counter(seat.hand)
    return draw_from(seat.deck, state.random), False


def draw_from(cards: Cards, random: RandomStream) -> Card:
    """A random card leaves a zone that is not empty."""
    card = ascending(cards)[random.draw(cards.total())]
    take_out(cards, card)
    return card


def draw_cards(state: State, p: int, n: int) -> None:
    """A seat draws up to ``n`` cards."""
    for _ in range(n):
        found = take(state, p)
        if found is None:
            return
        into_hand(state.seats[p], *found)
