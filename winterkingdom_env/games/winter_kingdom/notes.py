"""Text for the page about the observation, in addition to the Spec: the point of view, hidden information, orders of entries."""

from __future__ import annotations

from inspect import cleandoc

from winterkingdom_env.games.winter_kingdom import layout, observe, tables

# The docstring of observe.py without its first paragraph.
OBSERVATION_NOTES = cleandoc(observe.__doc__ or "").partition("\n\n")[2]

# Names of entries of fields and planes, in order.
OBSERVATION_ORDERS: dict[str, tuple[str, ...]] = {
    "phases": tuple(phase.name.lower() for phase in layout.Phase),
    "terrains": tables.TERRAIN_NAMES,
    "cards": tuple(card.name for card in tables.CARDS),
    "scoring cards": tuple(card.name for card in tables.SCORINGS),
    "economies": tuple(card.name for card in tables.ECONOMIES),
    "twists": tuple(card.name for card in tables.TWISTS),
    "directions": tables.DIRECTION_NAMES,
}
