"""What the cards say, how many there are, and the recommended kingdoms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any


class Card(IntEnum):
    """The kinds of cards; "ascending" is by these numbers."""

    COPPER = 0
    SILVER = 1
    GOLD = 2
    ESTATE = 3
    DUCHY = 4
    PROVINCE = 5
    CURSE = 6
    ADVENTURER = 7
    BUREAUCRAT = 8
    CELLAR = 9
    CHANCELLOR = 10
    CHAPEL = 11
    COUNCIL_ROOM = 12
    FEAST = 13
    FESTIVAL = 14
    GARDENS = 15
    LABORATORY = 16
    LIBRARY = 17
    MARKET = 18
    MILITIA = 19
    MINE = 20
    MOAT = 21
    MONEYLENDER = 22
    REMODEL = 23
    SMITHY = 24
    SPY = 25
    THIEF = 26
    THRONE_ROOM = 27
    VILLAGE = 28
    WITCH = 29
    WOODCUTTER = 30
    WORKSHOP = 31

    @property
    def label(self) -> str:
        """The name as printed: "Throne Room"."""
        return self.name.replace("_", " ").title()


N_KINDS = len(Card)
BY_LABEL = {card.label: card for card in Card}
TREASURE, VICTORY, ACTION, ATTACK = "treasure", "victory", "action", "attack"
ANY = "any"  # every card is of this class

BASIC = tuple(Card)[:7]
KINGDOM_CARDS = tuple(Card)[7:]

Verb = tuple[Any, ...]  # a verb of the rules, 4.1, and its arguments


@dataclass(frozen=True)
class Row:
    """One card: what it costs, what it is, what it does."""

    cost: int
    classes: tuple[str, ...] = (ACTION,)
    worth: int = 0  # coins, if it is a treasure
    points: int = 0
    per_cards: int = 0  # if not 0: the points count once for each so many cards owned
    cards: int = 0
    actions: int = 0
    buys: int = 0
    coins: int = 0
    verbs: tuple[Verb, ...] = ()
    pile: int | None = None  # cards in the supply at set-up; None: PILES

    def is_a(self, kind: str) -> bool:
        """Whether the card is of a class."""
        return kind == ANY or kind in self.classes

    def arguments(self, name: str) -> tuple[Any, ...]:
        """The arguments of one of the card's verbs."""
        return next(verb[1:] for verb in self.verbs if verb[0] == name)


_ATTACK = (ACTION, ATTACK)

ROWS: dict[Card, Row] = {
    Card.COPPER: Row(0, (TREASURE,), worth=1),
    Card.SILVER: Row(3, (TREASURE,), worth=2),
    Card.GOLD: Row(6, (TREASURE,), worth=3),
    Card.ESTATE: Row(2, (VICTORY,), points=1),
    Card.DUCHY: Row(5, (VICTORY,), points=3),
    Card.PROVINCE: Row(8, (VICTORY,), points=6),
    Card.CURSE: Row(0, (), points=-1),
    Card.ADVENTURER: Row(6, verbs=(("DIG", 2),)),
    Card.BUREAUCRAT: Row(4, _ATTACK, verbs=(("GAIN_ON_DECK", Card.SILVER), ("OTHERS_TOPDECK", VICTORY))),
    Card.CELLAR: Row(2, actions=1, verbs=(("REDRAW",),)),
    Card.CHANCELLOR: Row(3, coins=2, verbs=(("FLIP_DECK",),)),
    Card.CHAPEL: Row(2, verbs=(("TRASH_UP_TO", 4),)),
    Card.COUNCIL_ROOM: Row(5, cards=4, buys=1, verbs=(("OTHERS_DRAW", 1),)),
    Card.FEAST: Row(4, verbs=(("TRASH_SELF",), ("GAIN_UP_TO", 5))),
    Card.FESTIVAL: Row(5, actions=2, buys=1, coins=2),
    Card.GARDENS: Row(4, (VICTORY,), points=1, per_cards=10),
    Card.LABORATORY: Row(5, cards=2, actions=1),
    Card.LIBRARY: Row(5, verbs=(("DRAW_TO", 7),)),
    Card.MARKET: Row(5, cards=1, actions=1, buys=1, coins=1),
    Card.MILITIA: Row(4, _ATTACK, coins=2, verbs=(("OTHERS_DISCARD_TO", 3),)),
    Card.MINE: Row(5, verbs=(("EXCHANGE", TREASURE, 3, "hand"),)),
    Card.MOAT: Row(2, cards=2),
    Card.MONEYLENDER: Row(4, verbs=(("TRASH_FOR_COINS", Card.COPPER, 3),)),
    Card.REMODEL: Row(4, verbs=(("EXCHANGE", ANY, 2, "discard"),)),
    Card.SMITHY: Row(4, cards=3),
    Card.SPY: Row(4, _ATTACK, cards=1, actions=1, verbs=(("ALL_SHOW_TOP",),)),
    Card.THIEF: Row(4, _ATTACK, verbs=(("OTHERS_SHOW", 2),)),
    Card.THRONE_ROOM: Row(4, verbs=(("PLAY_TWICE",),)),
    Card.VILLAGE: Row(3, cards=1, actions=2),
    Card.WITCH: Row(5, _ATTACK, cards=2, verbs=(("OTHERS_GAIN", Card.CURSE),)),
    Card.WOODCUTTER: Row(3, buys=1, coins=2),
    Card.WORKSHOP: Row(3, verbs=(("GAIN_UP_TO", 4),)),
}

# Cards in the supply with two, three and four players (Voorbereiding); the other kingdom piles have ten.
PILES: dict[Card, tuple[int, int, int]] = {
    Card.COPPER: (46, 39, 32),
    Card.SILVER: (40, 40, 40),
    Card.GOLD: (30, 30, 30),
    Card.ESTATE: (8, 12, 12),
    Card.DUCHY: (8, 12, 12),
    Card.PROVINCE: (8, 12, 12),
    Card.CURSE: (10, 20, 30),
    Card.GARDENS: (8, 12, 12),
}
OTHER_PILE = 10
START_COPPERS, START_ESTATES = 7, 3

# Aanbevolen combinaties
NAMED_SETS: dict[str, str] = {
    "first_game": "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop",
    "big_money": "Adventurer, Bureaucrat, Chancellor, Chapel, Feast, Laboratory, Market, Mine, Moneylender, Throne Room",
    "interaction": "Bureaucrat, Chancellor, Council Room, Festival, Library, Militia, Moat, Spy, Thief, Village",
    "size_distortion": "Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter, Workshop",
    "village_square": "Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, Throne Room, Village, Woodcutter",
}


def rows_with(overrides: Mapping[str, Mapping[str, Any]]) -> dict[Card, Row]:
    """The rows with other values: {"Smithy": {"cost": 3, "pile": 12}}. Raises ValueError if a card or a value is unknown."""
    rows = dict(ROWS)
    for name, values in overrides.items():
        if name not in BY_LABEL:
            raise ValueError(f"unknown card {name!r}: it is none of {', '.join(BY_LABEL)}.")
        unknown = [value for value in values if value not in Row.__dataclass_fields__]
        if unknown:
            raise ValueError(f"{name} has no {unknown[0]!r}: it has {', '.join(Row.__dataclass_fields__)}.")
        rows[BY_LABEL[name]] = replace(rows[BY_LABEL[name]], **values)
    return rows


def pile_of(rows: Mapping[Card, Row], card: Card, num_players: int) -> int:
    """The cards of a pile at set-up."""
    pile = rows[card].pile
    if pile is not None:
        return pile
    return PILES[card][num_players - 2] if card in PILES else OTHER_PILE
