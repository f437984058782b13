"""The cards of Winter Kingdom as rows and tables."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.table import Table

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
PLAIN: dict[str, tuple[Scoring, ...] | tuple[Economy, ...] | tuple[TwistCard, ...]] = {
    "scoring": SCORINGS,
    "economy": ECONOMIES,
    "twist": TWISTS,
}


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
        "page": card.page,
    }


def card_rows(kind: str) -> list[dict[str, Any]]:
    """Every card of a kind (ability, scoring, economy, twist) as plain data, in the order of the table."""
    if kind == "ability":
        return [_ability_row(card) for card in CARDS]
    return [
        {"kind": kind, "name": card.name, "text": card.text, "source": card.source.value, "page": card.page}
        for card in PLAIN[kind]
    ]


def card_table(kind: str) -> Table:
    """Every card of a kind for a rich console. ``source`` tells what the rulebook says from what is our reading."""
    table = Table(
        title=f"{kind} cards", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    table.add_column("name", no_wrap=True)
    if kind != "ability":
        for name in ("text", "source", "page"):
            table.add_column(name, no_wrap=name != "text")
        for row in card_rows(kind):
            table.add_row(row["name"], row["text"], row["source"], row["page"])
        return table
    for name in ("", "text", "cost", "source", "page"):
        table.add_column(name, no_wrap=name != "text", justify="right" if name == "cost" else "left")
    for row in card_rows(kind):
        table.add_row(row["name"], "I", row["text"], str(row["cost"]), row["source"], row["page"])
        if row["upgrade_text"]:
            half = f"{row['link']} II"
            table.add_row("", half, row["upgrade_text"], str(row["upgrade_cost"]), row["upgrade_source"], "")
    return table
