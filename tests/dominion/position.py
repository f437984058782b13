"""Positions of Dominion written as text, for any implementation.

A text is parts with semicolons between them:

    (3) H0 Market, 2 Estate; T0 Silver, Copper; X1 Gold; pile Curse 0; trash Gold; coins 8; turns 10, 9, 9

``(3)``: players, 2 if not said. H, D, T, X, K with a seat: hand, deck, top (the next card first), discard, known. ``pile``: cards left
of a kind. ``trash``; ``actions``, ``buys``, ``coins``, ``turns``, ``round_limit``: as in the rules. Seat 0's turn begins, with 1 action
and 1 buy. All 25 kingdom piles are there, and what is not named is empty.

``set-up first_game; round_limit 3`` is a game dealt from a seed instead.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

NAMES = (
    "Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", "Adventurer", "Bureaucrat", "Cellar", "Chancellor", "Chapel",
    "Council Room", "Feast", "Festival", "Gardens", "Laboratory", "Library", "Market", "Militia", "Mine", "Moat", "Moneylender",
    "Remodel", "Smithy", "Spy", "Thief", "Throne Room", "Village", "Witch", "Woodcutter", "Workshop",
)  # fmt: skip
N_BASIC = 7
ZONES = {"H": "hand", "D": "deck", "T": "top", "X": "discard", "K": "known"}
SEAT_ZONE = re.compile(r"([HDTXK])([0-3])")
PILES = {  # with two, three and four players; the others have ten
    "Copper": (46, 39, 32),
    "Silver": (40, 40, 40),
    "Gold": (30, 30, 30),
    "Estate": (8, 12, 12),
    "Duchy": (8, 12, 12),
    "Province": (8, 12, 12),
    "Curse": (10, 20, 30),
    "Gardens": (8, 12, 12),
}
NOTHING = "-"


def read_cards(text: str) -> list[str]:
    """The cards of "Market, 2 Estate" one by one, in the order written; "-" is none."""
    cards: list[str] = []
    for part in [] if text.strip() == NOTHING else text.split(","):
        found = re.fullmatch(r"(?:(\d+) )?(.+)", part.strip())
        assert found and found[2] in NAMES, f"{part!r} is no card"
        cards += [found[2]] * int(found[1] or 1)
    return cards


def counts_of(cards: list[str]) -> list[int]:
    """How many there are of each kind."""
    counter = Counter(cards)
    return [counter[name] for name in NAMES]


@dataclass
class Position:
    """A position as plain words; a zone of a seat is found under "H0"."""

    num_players: int = 2
    setup: str = ""  # a kingdom: deal a game instead
    round_limit: int = 100
    zones: dict[str, list[str]] = field(default_factory=dict)
    trash: list[str] = field(default_factory=list)
    piles: dict[str, int] = field(default_factory=dict)
    turns: list[int] = field(default_factory=list)
    actions: int = 1
    buys: int = 1
    coins: int = 0

    def zone(self, letter: str) -> list[list[str]]:
        """A zone of every seat."""
        return [self.zones.get(f"{letter}{p}", []) for p in range(self.num_players)]

    def supply(self) -> list[int]:
        """Cards left of each kind."""
        full = {name: PILES[name][self.num_players - 2] if name in PILES else 10 for name in NAMES}
        return list((full | self.piles).values())

    def plain(self, rng: int) -> dict[str, Any]:
        """The position as a snapshot, before the turn seat is asked anything."""
        nobody: list[int] = [0] * len(NAMES)
        return {
            "num_players": self.num_players,
            "kingdom": list(range(N_BASIC, len(NAMES))),
            "round_limit": self.round_limit,
            **{name: [counts_of(cards) for cards in self.zone(letter)] for letter, name in ZONES.items()},
            "top": [[NAMES.index(card) for card in cards] for cards in self.zone("T")],
            "supply": self.supply(),
            "trash": counts_of(self.trash),
            "play": nobody,
            "aside": nobody,
            "revealed": [],
            "stolen": [0] * 3,
            "turns": self.turns or [1, *[0] * (self.num_players - 1)],
            "seat": 0, "mover": 0, "phase": "action", "actions": self.actions, "buys": self.buys, "coins": self.coins,
            "again": [], "card": -1, "subject": -1, "immune": 0, "floor": 0, "count": 0, "limit": 0,
            "pending": -1, "pending_known": 0, "rng": rng,
        }  # fmt: skip


def read_position(text: str) -> Position:
    """The position of a text."""
    players = re.match(r"\((\d)\)\s*", text)
    position = Position(num_players=int(players[1]) if players else 2)
    for part in text[players.end() if players else 0 :].split(";"):
        word, _, rest = part.strip().partition(" ")
        if SEAT_ZONE.fullmatch(word):
            position.zones[word] = read_cards(rest)
        elif word == "pile":
            name, _, n = rest.rpartition(" ")
            assert name in NAMES, f"{name!r} is no card"
            position.piles[name] = int(n)
        elif word == "trash":
            position.trash = read_cards(rest)
        elif word == "set-up":
            position.setup = rest
        elif word == "turns":
            position.turns = [int(n) for n in rest.split(",")]
        elif word:
            assert word in ("actions", "buys", "coins", "round_limit"), f"{part!r} says nothing about a position"
            setattr(position, word, int(rest))
    return position
