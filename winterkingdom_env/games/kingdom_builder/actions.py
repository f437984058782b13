"""Labels of hexes and actions. What an action on a hex does depends on the phase, and so does its label."""

from __future__ import annotations

from functools import cache

from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.kinds import Phase

EXAMPLES = "'house r07c12', 'lift r07c12', 'use farm', 'outpost' or 'done'"
PUT_WORDS = {Phase.UNIT: "unit", Phase.HALL: "hall", Phase.WALL: "wall", Phase.SCOUT: "scout"}
TAKE_WORDS = {Phase.UNIT: "back", Phase.REMOVE: "remove"}
HOUSE, LIFT = "house", "lift"


@cache
def hex_labels() -> tuple[str, ...]:
    """The labels of all hexes."""
    main = (f"r{r:02}c{c:02}" for r in range(layout.SIDE) for c in range(layout.SIDE))
    island = (f"i{r}c{c:02}" for r in range(layout.ISLAND_ROWS) for c in range(layout.ISLAND_COLUMNS))
    return (*main, *island)


@cache
def hex_numbers() -> dict[str, int]:
    """The number of every hex by its label."""
    return {label: number for number, label in enumerate(hex_labels())}


@cache
def labels(phase: int) -> tuple[str, ...]:
    """The labels of all actions in a phase."""
    put, take = PUT_WORDS.get(Phase(phase), HOUSE), TAKE_WORDS.get(Phase(phase), LIFT)
    return (
        *(f"{put} {label}" for label in hex_labels()),
        *(f"{take} {label}" for label in hex_labels()),
        *(f"use {use.name}" for use in tables.USES),
        *(f"use bazaar {tables.TILE_NAMES[tile]}" for tile in tables.REPEATS),
        "outpost",
        "token",
        "done",
    )


@cache
def numbers(phase: int) -> dict[str, int]:
    """The number of every action in a phase by its label."""
    return {label: number for number, label in enumerate(labels(phase))}
