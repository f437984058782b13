"""Every rule that docs/rules.md names has a test that proves it, and every mark names a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from winterkingdom_env.games.winter_kingdom import tables

ROOT = Path(__file__).parents[3]
RULE = re.compile(r"^- `(p\. [^`]+)`", re.MULTILINE)
MARK = re.compile(r"mark\.rule\(\s*f?\"([^\"]+)\"")


def named_rules() -> set[str]:
    return set(RULE.findall((ROOT / "docs" / "rules.md").read_text(encoding="utf-8")))


def marked_rules() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return {mark for text in texts for mark in MARK.findall(text)}


@pytest.mark.rule("docs/rules.md")
def test_every_rule__has_a_test() -> None:
    missing = named_rules() - marked_rules()
    assert not missing, f"no test carries the mark of: {sorted(missing)}"


@pytest.mark.rule("docs/rules.md")
def test_every_card__is_a_rule() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for card in tables.ABILITIES:
        assert f"{card.name} I`: {card.first_text}" in text
        assert (
            f"{card.name} II`: {card.second_text} ({card.link.name.lower()}, order: {card.order_source.value})" in text
        )
        assert f"{card.name} cost`: {card.acquire_cost} ({card.acquire_source.value}) / {card.upgrade_cost}" in text
    for row in (*tables.SCORINGS, *tables.ECONOMIES, *tables.TWISTS):
        source = f"{row.source.value}; {row.note}" if row.note else row.source.value
        assert f"{row.page}, {row.name}`: {row.text} ({source})" in text
