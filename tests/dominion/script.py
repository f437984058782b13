"""Examples as scripts of actions and facts, run against any implementation.

    [26] H0 Feast, 3 Gold
    play Feast | refuses gain Gold, done
    gain Duchy | trash Feast; X0 Duchy

A head has the example's number and a position (position.py); a number may have several heads. A line is an action, then facts that
hold after it. The action ``-`` is none, ``gain Village x2`` is two, ``redeal 0`` deals the hidden part again for a seat, many times.

Facts: ``phase``, ``seat``, ``mover``, ``subject``, ``actions``, ``buys``, ``coins``, ``count`` with a value; ``turns``, ``scores``, ``winners`` with a
list; ``pile Curse 0``; ``legal`` (these answers and no others), ``offers`` (these among others), ``refuses`` (none of these), where a verb is
said once: ``trash Gold, Estate``. Zones are named as in a position, or play, trash, aside, supply, again, revealed, owned0; with a sum,
``H0+D0``, and then the cards themselves, or ``size 5``, ``has Gold``, ``lacks Gold``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.dominion.position import NAMES, SEAT_ZONE, ZONES, Position, read_cards, read_position

VERBS = ("play", "buy", "gain", "trash", "discard", "topdeck")
REDEALS = 20
NUMBERS = ("seat", "mover", "subject", "actions", "buys", "coins", "count")


class Table(Protocol):
    """What an implementation has to offer: a game at some position."""

    def legal_labels(self) -> set[str]:
        """The labels of the legal actions."""

    def apply(self, label: str) -> None:
        """Carry out a legal action."""

    def snapshot(self) -> dict[str, Any]:
        """Every zone and register, in the form of the reference's snapshot."""

    def scores(self) -> list[int]:
        """Points by seat."""

    def ranks(self) -> list[int]:
        """Places by seat, from 1."""

    def redeal(self, looker: int, seed: int) -> None:
        """Deal again what the seat ``looker`` does not know."""


Make = Callable[[Position, int], Table]  # a position and a seed for its random stream


@dataclass
class Case:
    """One head of a script and its lines."""

    number: int
    text: str
    lines: list[tuple[str, list[str]]] = field(default_factory=list)


def read_script(text: str) -> list[Case]:
    """The cases of a script."""
    cases: list[Case] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        head = re.fullmatch(r"\[(\d+)\] (.+)", line)
        if head:
            cases.append(Case(int(head[1]), head[2]))
            continue
        action, _, facts = line.partition("|")
        cases[-1].lines.append((action.strip(), [fact.strip() for fact in facts.split(";") if fact.strip()]))
    return cases


def run(case: Case, make: Make, seed: int) -> None:
    """Play a case; AssertionError at the first fact that does not hold."""
    table = make(read_position(case.text), seed)
    for action, facts in case.lines:
        for _ in play(table, action):
            assert table.snapshot()["phase"] == "over" or table.legal_labels(), f"{case.text}: no legal answer"
            for fact in facts:
                check(table, fact, f"[{case.number}] {case.text}: after {action}")


def play(table: Table, action: str) -> Iterator[None]:
    """Carry out the action of a line; stops every time that the facts have to be checked."""
    if action.startswith("redeal "):
        for seed in range(REDEALS):
            table.redeal(int(action.split()[1]), seed)
            yield
        return
    times = re.fullmatch(r"(.+) x(\d+)", action)
    for label in [times[1]] * int(times[2]) if times else [action] * (action != "-"):
        assert label in table.legal_labels(), f"{label}: legal are {sorted(table.legal_labels())}"
        table.apply(label)
    yield


def check(table: Table, fact: str, where: str) -> None:
    """One fact about a table."""
    word, _, rest = fact.partition(" ")
    data = table.snapshot()
    where = f"{where}: {fact}"
    if word == "phase":
        assert data["phase"] == rest, f"{where}, but it is {data['phase']}"
    elif word in NUMBERS:
        assert data[word] == int(rest), f"{where}, but it is {data[word]}"
    elif word in ("turns", "scores", "winners"):
        ranks = table.ranks()
        found = {
            "turns": data["turns"],
            "scores": table.scores(),
            "winners": [p for p, r in enumerate(ranks) if r == 1],
        }
        assert found[word] == [int(n) for n in rest.split(",")], f"{where}, but it is {found[word]}"
    elif word == "pile":
        name, _, n = rest.rpartition(" ")
        assert data["supply"][NAMES.index(name)] == int(n), where
    elif word in ("legal", "offers", "refuses"):
        check_legal(table.legal_labels(), word, rest, where)
    elif word in SPECIAL:
        assert SPECIAL[word](table), where
    else:
        check_zone(data, word, rest, where)


def check_legal(legal: set[str], word: str, text: str, where: str) -> None:
    """A fact about the legal actions."""
    named: set[str] = set()
    verb = ""
    for part in text.split(", "):
        first, _, rest = part.partition(" ")
        verb, name = (first, rest) if first in VERBS else (verb, part)
        assert name in ("yes", "done", *NAMES), f"{part!r} is no action"
        named.add(f"{verb} {name}" if name in NAMES else name)
    holds = {"legal": legal == named, "offers": named <= legal, "refuses": not named & legal}
    assert holds[word], f"{where}, but legal are {sorted(legal)}"


def check_zone(data: dict[str, Any], names: str, text: str, where: str) -> None:
    """A fact about the cards of a zone, or of several together."""
    cards = [card for name in names.split("+") for card in zone_of(data, name)]
    word, _, rest = text.partition(" ")
    if word == "size":
        assert len(cards) == int(rest), f"{where}, but it is {len(cards)}"
    elif word == "has":
        assert Counter(read_cards(rest)) <= Counter(cards), f"{where}, but it is {cards}"
    elif word == "lacks":
        assert not set(read_cards(rest)) & set(cards), f"{where}, but it is {cards}"
    elif names == "again" or re.fullmatch(r"T\d|revealed", names):
        assert cards == read_cards(text), f"{where}, but it is {cards}"
    else:
        assert Counter(cards) == Counter(read_cards(text)), f"{where}, but it is {cards}"


def zone_of(data: dict[str, Any], name: str) -> list[str]:
    """The cards of one zone; lists in their own order."""
    if name.startswith("owned"):
        p = name.removeprefix("owned")
        parts = [f"{letter}{p}" for letter in "HDTX"] + (["play", "aside"] if data["seat"] == int(p) else [])
        return [card for part in parts for card in zone_of(data, part)]
    found = data[ZONES[name[0]]][int(name[1])] if SEAT_ZONE.fullmatch(name) else data[name]
    if name in ("again", "revealed") or name[0] == "T":
        return [NAMES[card] for card in found]
    return [card for card, n in zip(NAMES, found, strict=False) for _ in range(n)]


# Facts that no other word can say


def _coins_are_coppers(table: Table) -> bool:
    data = table.snapshot()
    return data["coins"] == data["play"][0] == sum(data["play"]) and data["hand"][0][0] == 0


def _yes_is_for_actions(table: Table) -> bool:
    data = table.snapshot()
    return ("yes" in table.legal_labels()) == (data["pending"] == NAMES.index("Village"))


SPECIAL: dict[str, Callable[[Table], bool]] = {
    "coins_are_the_coppers_drawn": _coins_are_coppers,
    "yes_only_for_a_village": _yes_is_for_actions,
}
