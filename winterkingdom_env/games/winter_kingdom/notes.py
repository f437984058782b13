"""What the page about the observation says beside the Spec: who looks and what is hidden, and the orders of entries."""

from __future__ import annotations

from inspect import cleandoc

from winterkingdom_env.games.winter_kingdom import layout, observe, tables

# All of the words at the head of observe.py but its first paragraph.
OBSERVATION_NOTES = cleandoc(observe.__doc__ or "").partition("\n\n")[2]

# Names in whose order the entries of fields and planes are numbered.
OBSERVATION_ORDERS: dict[str, tuple[str, ...]] = {
    "phases": tuple(phase.name.lower() for phase in layout.Phase),
    "terrains": tables.TERRAIN_NAMES,
    "cards": tuple(card.name for card in tables.CARDS),
    "scoring cards": tuple(card.name for card in tables.SCORINGS),
    "economies": tuple(card.name for card in tables.ECONOMIES),
    "twists": tuple(card.name for card in tables.TWISTS),
    "directions": tables.DIRECTION_NAMES,
}
