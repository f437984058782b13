"""The one table of actions: a label for every number (docs/turn.md, Actions)."""

from __future__ import annotations

from functools import cache

from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.rules import hex_cells

HALVES = ("I", "II")


EXAMPLES = "'house r12c07', 'fort r12c07', 'lift r12c07', 'use Sleigh I', 'use Tunnel', 'acquire Mine', 'upgrade Mine', 'triple Mine', 'done'"


def hex_label(hex_id: int) -> str:
    """``r12c07`` for the hex in axial row 12 and column 7."""
    row, col, _ = hex_cells()[hex_id]
    return f"r{row:02d}c{col:02d}"


@cache
def hex_labels() -> tuple[str, ...]:
    """Labels of all hexes, by number."""
    return tuple(hex_label(i) for i in range(layout.N_HEXES))


@cache
def labels() -> tuple[str, ...]:
    """Labels of all actions, by number."""
    names = [card.name for card in tables.ABILITIES]
    tunnel = tables.TUNNEL.name
    return (
        *(f"{verb} {place}" for verb in ("house", "fort", "lift") for place in hex_labels()),
        *(f"use {name} {half}" for name in names for half in HALVES),
        f"use {tunnel}",
        *(f"acquire {name}" for name in names),
        *(f"upgrade {name}" for name in names),
        *(f"triple {name}" for name in (*names, tunnel)),
        "done",
    )
