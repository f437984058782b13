"""The worked examples of the rules by number, T1 to T86; the known bugs of public engines, B1 to B9; some of our own, E1 to E25.

They know no implementation.
"""

from __future__ import annotations

from tests.kingdom_builder import (
    examples_base,
    examples_bugs,
    examples_crossroads,
    examples_harvest,
    examples_marshlands,
    examples_more,
    examples_nomads,
    examples_queenies,
    examples_setup,
)
from tests.kingdom_builder.script import Case, Example

LAST = 86
LAST_BUG = 9
LAST_OWN = 25
NUMBERS = [
    f"{letter}{n}" for letter, last in (("T", LAST), ("B", LAST_BUG), ("E", LAST_OWN)) for n in range(1, last + 1)
]

CASES: list[Case] = [
    *examples_base.CASES,
    *examples_nomads.CASES,
    *examples_crossroads.CASES,
    *examples_marshlands.CASES,
    *examples_harvest.CASES,
    *examples_queenies.CASES,
    *examples_bugs.CASES,
    *examples_more.CASES,
]
EXAMPLES: list[Example] = [*CASES, *examples_setup.SHOWN]


def examples_of(number: str) -> list[Example]:
    """The examples under a number."""
    return [example for example in EXAMPLES if example.number == number]


def pages_of(number: str) -> str:
    """The pages that the examples of a number name: R is the rulebook; F, C, D and O are as in the rules."""
    return ", ".join(dict.fromkeys(example.page for example in examples_of(number)))
