"""Every rule that docs/rules_kingdom_builder.md names has a source and something that shows it, and that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kingdom_builder.examples import LAST, LAST_BUG, LAST_OWN, NUMBERS
from winterkingdom_env.games.kingdom_builder.tables import SCORING_NAMES, TASK_NAMES, TILE_NAMES, USES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules_kingdom_builder.md").read_text(encoding="utf-8")
READINGS = (ROOT / "docs" / "readings_kingdom_builder.md").read_text(encoding="utf-8")
RULE = re.compile(r"^- `([^`]+)`: (.*)\((.*)\)$", re.MULTILINE)
MARK = re.compile(r"mark\.rule\(\s*f?\"([^\"]+)\"")
SOURCE = re.compile(r"p\. \d|FAQ|public engines|layouts|reading \d|our interface")
RULES = RULE.findall(PAGE)
LAST_PAGE = 24

pytestmark = pytest.mark.rule("docs/rules_kingdom_builder.md")


def marks() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "kingdom_builder").rglob("test_*.py")]
    return {mark for text in texts for mark in MARK.findall(text)}


def examples_in(last: str) -> set[str]:
    """The examples that the parentheses at the end of a rule name."""
    listed = re.findall(r"examples ([TBE\d, ]+)", last)
    return {number for numbers in listed for number in re.findall(r"[TBE]\d+", numbers)}


def test_page__is_read() -> None:
    assert len(RULES) == len(re.findall(r"^- `[^`]+`:", PAGE, re.MULTILINE)) > 120
    names = [name for name, _, _ in RULES]
    assert len(names) == len(set(names))


def test_page__counts_the_examples() -> None:
    for letter, last in (("T", LAST), ("B", LAST_BUG), ("E", LAST_OWN)):
        assert f"{letter}1 to {letter}{last} are" in PAGE


@pytest.mark.parametrize(("name", "last"), [(name, last) for name, _, last in RULES], ids=[rule[0] for rule in RULES])
def test_rule__is_shown_by_what_it_names(name: str, last: str) -> None:
    shown, marked = examples_in(last), set(re.findall(r"mark `([^`]+)`", last))
    assert shown or marked, f"nothing shows {name}"
    assert shown <= set(NUMBERS) and marked <= marks()
    source = re.split(r"examples|mark `", last)[0]
    assert SOURCE.search(source), f"{name} has no source"
    assert all(int(page) <= LAST_PAGE for page in re.findall(r"p\. (\d+)", source))
    assert all(f"\n| {n} |" in READINGS for n in re.findall(r"reading (\d+)", source))


@pytest.mark.parametrize("name", [*SCORING_NAMES, *TASK_NAMES, *TILE_NAMES, *(use.name for use in USES)])
def test_every_card_tile_and_use__is_a_rule(name: str) -> None:
    names = {rule for rule, _, _ in RULES}
    kind = "donation" if name.startswith("donation") else name
    assert kind in names


def test_every_example__shows_a_rule() -> None:
    shown = {number for _, _, last in RULES for number in examples_in(last)}
    assert set(NUMBERS) - shown == set()
