"""Every rule that docs/rules_dominion.md names has a source and something that shows it, and that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.dominion import examples, more_examples
from winterkingdom_env.games.dominion.tables import CARDS, KINGDOM

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rules_dominion.md").read_text(encoding="utf-8")
READINGS = (ROOT / "docs" / "readings_dominion.md").read_text(encoding="utf-8")
RULE = re.compile(r"^- `([^`]+)`: (.*)\((.*)\)$", re.MULTILINE)
MARK = re.compile(r"mark\.rule\(\s*f?\"([^\"]+)\"")
RULES = RULE.findall(PAGE)

pytestmark = pytest.mark.rule("docs/rules_dominion.md")


def marks() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "dominion").rglob("test_*.py")]
    return {mark for text in texts for mark in MARK.findall(text)}


def test_page__is_read() -> None:
    assert len(RULES) == len(re.findall(r"^- `[^`]+`:", PAGE, re.MULTILINE)) > 80


@pytest.mark.parametrize(("name", "last"), [(name, last) for name, _, last in RULES], ids=[rule[0] for rule in RULES])
def test_rule__is_shown_by_what_it_names(name: str, last: str) -> None:
    known = {example.number for example in (*examples.CASES, *more_examples.CASES)}
    named = {int(n) for listed in re.findall(r"examples ([\d, ]+)", last) for n in listed.split(",") if n.strip()}
    marked = set(re.findall(r"mark `([^`]+)`", last))
    assert named or marked, f"nothing shows {name}"
    assert named <= known and marked <= marks()
    assert all(f"\n| {n} |" in READINGS for n in re.findall(r"reading (\d+)", last))


def test_every_kingdom_card__is_a_rule() -> None:
    names = [name for name, _, _ in RULES]
    missing = [CARDS[card].name for card in KINGDOM if not any(name.startswith(CARDS[card].name) for name in names)]
    assert missing == []


def test_every_example__shows_a_rule() -> None:
    named = {
        int(n)
        for _, _, last in RULES
        for listed in re.findall(r"examples ([\d, ]+)", last)
        for n in listed.split(",")
        if n.strip()
    }
    assert {example.number for example in (*examples.CASES, *more_examples.CASES)} - named == set()
