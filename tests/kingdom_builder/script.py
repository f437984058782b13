"""Examples as scripts of actions and facts, run against any implementation.

    [T3, R 4] FG; card canyon; own r08c07 r08c08 r09c07
    house r16c06 | house r15c06 r16c07; tiles0 oasis r17c05 fresh; phase mandatory

A head has the example's number, the rulebook's page and a position (position.py); a number may have several heads. A line is an action,
then facts that hold after it. The action ``-`` is none; ``house r07c07 r07c08`` is two; ``others`` lets the other seats play until seat 0 is
asked before or after its mandatory action (they pass where they can, and otherwise choose the last label).

Facts about the legal actions. A verb with hexes, ``house r15c06 r16c07``, is the complete list of its hexes; so are ``house none``,
``house all desert`` (the empty hexes of a terrain, with ``+`` and more hexes after it) and ``house all edge`` (empty land on the edge);
``house size 53``, ``house has r00c01``, ``house lacks r00c01`` say less. ``legal use farm, done`` is the complete list of labels, ``offers`` says
which are among them, ``refuses`` which are not, ``never use bazaar`` that no label begins so.

Facts about the state. Of the table: ``phase``, ``seat`` (who is asked), ``turn``, ``round``, ``end yes``, ``terrain``, ``played``, ``need`` (N), ``left r06c07 1``,
``lies r05c02 none``, ``walls``, ``walls_left``, ``scouts``, ``stock`` (tokens), ``discards``, ``out``, ``deck`` (next card first; or ``size``),
``shuffled grass, canyon drawn 1`` (the deck is these discards, shuffled by the position's stream, less one). Of a seat: ``supply0``, ``gold0``,
``held0``, ``due0``, ``tokens0``, ``hand0 grass, desert``, ``tiles0 farm used, tavern r06c07 fresh`` (all of them; or ``has``, ``lacks``), ``nomads0``,
``units0 wagon 1``, ``lines0 0 3``, ``pieces0`` with hexes or ``size``.

Facts about gold: ``score Lords 12, 6`` (one card or task), ``always 3, 0`` (castles, palaces, capitols), ``scores``, ``winners``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.kingdom_builder.facts import FACTS, SEAT_FACTS, VERBS, check_labels, check_verb
from tests.kingdom_builder.position import read_position
from tests.kingdom_builder.table import Make, Table

HEAD = re.compile(r"\[([TBE]\d+), ([^\]]+)\] (.+)")
PATIENCE = 200  # actions of the other seats in one line


class Example(Protocol):
    """Something that can be shown with any implementation."""

    number: str
    page: str

    def run(self, make: Make) -> None:
        """AssertionError at the first fact that does not hold."""


@dataclass
class Case:
    """One head of a script and its lines."""

    number: str
    page: str
    text: str
    lines: list[tuple[str, list[str]]] = field(default_factory=list)

    def run(self, make: Make) -> None:
        table = make.position(read_position(self.text))
        for action, facts in self.lines:
            play(table, action, f"[{self.number}] {self.text}")
            assert table.snapshot()["now"]["phase"] == "over" or table.legal_labels(), f"{self.text}: no legal action"
            for fact in facts:
                check(table, fact, f"[{self.number}] {self.text}: after {action}")


@dataclass
class Shown:
    """An example that no script can say: a function of an implementation."""

    number: str
    page: str
    run: Callable[[Make], None]


def read_script(text: str) -> list[Case]:
    """The cases of a script."""
    cases: list[Case] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        head = HEAD.fullmatch(line)
        if head:
            cases.append(Case(head[1], head[2], head[3]))
            continue
        action, _, facts = line.partition("|")
        cases[-1].lines.append((action.strip(), [fact.strip() for fact in facts.split(";") if fact.strip()]))
    return cases


def play(table: Table, action: str, where: str) -> None:
    """Carry out the action of a line."""
    if action == "others":
        play_others(table)
        return
    for label in labels_of(action):
        legal = table.legal_labels()
        assert label in legal, f"{where}: {label} is not legal; legal are {sorted(legal)}"
        table.apply(label)


def labels_of(action: str) -> list[str]:
    """The labels of an action; a verb may have several hexes."""
    verb, _, rest = action.partition(" ")
    if verb in VERBS:
        return [f"{verb} {place}" for place in rest.split()]
    return [] if action == "-" else [action]


def play_others(table: Table) -> None:
    """Let the other seats play until seat 0 is asked in its own turn."""
    for _ in range(PATIENCE):
        now = table.snapshot()["now"]
        if now["phase"] == "over" or (now["seat"] == 0 and now["phase"] in ("before", "after")):
            return
        labels = sorted(table.legal_labels())
        table.apply("done" if "done" in labels else labels[-1])
    raise AssertionError(f"seat 0 was not asked again in {PATIENCE} actions")


def check(table: Table, fact: str, where: str) -> None:
    """One fact about a table."""
    word, _, rest = fact.partition(" ")
    where = f"{where}: {fact}"
    seat = re.fullmatch(r"(.+)(\d)", word)
    if word in ("legal", "offers", "refuses", "never"):
        check_labels(table.legal_labels(), word, rest, where)
    elif word in VERBS:
        check_verb(table, word, rest, where)
    elif seat:
        owner: dict[str, Any] = table.snapshot()["seats"][int(seat[2])]
        SEAT_FACTS[seat[1]](owner, seat[1], rest, where)
    else:
        FACTS[word](table, word, rest, where)
