"""The cards of Winter Kingdom as tables for people and rows for programs."""

from __future__ import annotations

from typing import Any

from winterkingdom_env.core.picture import CardTable, Column, Table
from winterkingdom_env.games.winter_kingdom.tables import (
    CARDS,
    ECONOMIES,
    SCORINGS,
    TWISTS,
    Ability,
    Economy,
    Scoring,
    TwistCard,
)

SOURCES = "rulebook: it says so; public: a known fact about the printed game; reading: ours, see docs/readings.md"
NAME, TEXT, SOURCE, PAGE = Column("name"), Column("text", wraps=True), Column("source"), Column("page")


def _ability_row(card: Ability) -> dict[str, Any]:
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
    }


def _abilities() -> CardTable:
    """The ability cards, a line for each half."""
    rows, lines = tuple(map(_ability_row, CARDS)), []
    for row in rows:
        order = row["order_source"] if row["upgrade_text"] else ""
        lines.append((row["name"], "I", row["text"], str(row["cost"]), row["source"], order, row["page"]))
        if row["upgrade_text"]:
            half = f"{row['link']} II"
            lines.append(("", half, row["upgrade_text"], str(row["upgrade_cost"]), row["upgrade_source"], "", ""))
    columns = (NAME, Column(), TEXT, Column("cost", is_right=True), SOURCE, Column("order"), PAGE)
    return CardTable("ability", Table(columns, tuple(lines), title="ability cards"), rows, SOURCES)


def _others(kind: str, found: tuple[Scoring, ...] | tuple[Economy, ...] | tuple[TwistCard, ...]) -> CardTable:
    rows = tuple(
        {
            "kind": kind,
            "name": card.name,
            "text": card.text,
            "source": card.source.value,
            "note": card.note,
            "page": card.page,
        }
        for card in found
    )
    lines = tuple(
        (row["name"], f"{row['text']} ({row['note']})" if row["note"] else row["text"], row["source"], row["page"])
        for row in rows
    )
    return CardTable(kind, Table((NAME, TEXT, SOURCE, PAGE), lines, title=f"{kind} cards"), rows, SOURCES)


def cards() -> tuple[CardTable, ...]:
    """Every card by kind, in the order of the tables. ``source`` tells what the rulebook says from what is our reading.

    ``order`` does the same for which half of an ability card is the upper one.
    """
    return (
        _abilities(),
        _others("scoring", SCORINGS),
        _others("economy", ECONOMIES),
        _others("twist", TWISTS),
    )
