"""The cards of Winter Kingdom as tables for people and rows for programs."""

from __future__ import annotations

from typing import Any

from winterkingdom_env.core.picture import CardTable, Column, Table
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import HOUSE_RULES
from winterkingdom_env.games.winter_kingdom.config import RANDOM, Config
from winterkingdom_env.games.winter_kingdom.house import cards_of, changed
from winterkingdom_env.games.winter_kingdom.tables import (
    ECONOMIES,
    SCORINGS,
    TUNNEL,
    TWISTS,
    Ability,
    Economy,
    Scoring,
    TwistCard,
)

SOURCES = "rulebook: stated there; public: a known fact about the printed game; reading: ours, see docs/readings.md"
NAME, TEXT, SOURCE, PAGE = Column("name"), Column("text", wraps=True), Column("source"), Column("page")


def _ability_row(card: Ability, house_rules: str) -> dict[str, Any]:
    return {
        "kind": "ability",
        "name": card.name,
        "text": card.first_text,
        "upgrade_text": card.second_text,
        "link": card.link.name.lower(),
        "cost": card.acquire_cost,
        "upgrade_cost": card.upgrade_cost,
        "source": card.acquire_source.value,
        "upgrade_source": card.upgrade_source.value,
        "order_source": card.order_source.value,
        "page": card.page,
        HOUSE_RULES: changed(house_rules, "ability", card.name),
    }


def _marked(text: str, changed: str) -> str:
    """The printed text of a card, with the changes of house rules."""
    return f"{text} [house rules: {changed}]" if changed else text


def _abilities(house_rules: str) -> CardTable:
    """The ability cards, a line for each half."""
    cards = (*cards_of(house_rules).abilities, TUNNEL)
    rows, lines = tuple(_ability_row(card, house_rules) for card in cards), []
    for row in rows:
        order = row["order_source"] if row["upgrade_text"] else ""
        text = _marked(row["text"], row[HOUSE_RULES])
        lines.append((row["name"], "I", text, str(row["cost"]), row["source"], order, row["page"]))
        if row["upgrade_text"]:
            half = f"{row['link']} II"
            lines.append(("", half, row["upgrade_text"], str(row["upgrade_cost"]), row["upgrade_source"], "", ""))
    columns = (NAME, Column(), TEXT, Column("cost", is_right=True), SOURCE, Column("order"), PAGE)
    return CardTable("ability", Table(columns, tuple(lines), title="ability cards"), rows, SOURCES)


def _others(
    kind: str, found: tuple[Scoring, ...] | tuple[Economy, ...] | tuple[TwistCard, ...], house_rules: str
) -> CardTable:
    rows = tuple(
        {
            "kind": kind,
            "name": card.name,
            "text": card.text,
            "source": card.source.value,
            "note": card.note,
            "page": card.page,
            HOUSE_RULES: changed(house_rules, kind, card.name),
        }
        for card in found
    )
    lines = []
    for row in rows:
        text = f"{row['text']} ({row['note']})" if row["note"] else row["text"]
        lines.append((row["name"], _marked(text, row[HOUSE_RULES]), row["source"], row["page"]))
    return CardTable(kind, Table((NAME, TEXT, SOURCE, PAGE), tuple(lines), title=f"{kind} cards"), rows, SOURCES)


def cards(house_rules: str = "") -> tuple[CardTable, ...]:
    """Every card by kind, in the order of the tables. ``source``: where a card's values come from (rulebook, public, reading).

    ``order``: the same for the order of an ability card's halves. Cards that ``house_rules``, as in a Config, change are marked.
    """
    house_rules = Config(house_rules=house_rules).house_rules
    if house_rules == RANDOM:
        raise ConfigError('house_rules="random" depends on the seed of a game; give a seed, as in "random:5"')
    return (
        _abilities(house_rules),
        _others("scoring", SCORINGS, house_rules),
        _others("economy", ECONOMIES, house_rules),
        _others("twist", TWISTS, house_rules),
    )
