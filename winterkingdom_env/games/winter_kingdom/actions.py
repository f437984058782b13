"""The one table of actions: numbers, labels, and labels parsed back (docs/turn.md, Actions)."""

from __future__ import annotations

from functools import cache
from operator import index

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.rules import hex_cells

HALVES = ("I", "II")


class InvalidActionError(ValueError):
    """Not an action at all."""


class IllegalActionError(ValueError):
    """An action, but not now."""


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


@cache
def _numbers() -> dict[str, int]:
    return {text.casefold(): number for number, text in enumerate(labels())}


def label(action: int) -> str:
    """The label of an action's number."""
    number = as_action(action)
    return labels()[number]


def as_action(action: object) -> int:
    """The action's number as a plain int; InvalidActionError if it is none."""
    try:
        number = layout.NOTHING if isinstance(action, bool) else index(action)  # type: ignore[arg-type]  # that is the question
    except Exception:  # an agent may answer with anything, and what that says of itself is its own code
        number = layout.NOTHING
    if not 0 <= number < layout.N_ACTIONS:
        raise InvalidActionError(
            f"{quoted(action)} is not an action: actions are the integers 0 to {layout.N_ACTIONS - 1}; "
            f"parse(text) makes one from a label such as {labels()[0]!r}, {labels()[layout.USE_FIRST]!r} or 'done'"
        )
    return number


def parse(text: str) -> int:
    """The number of the action with this label; upper and lower case and spaces do not matter."""
    if isinstance(text, str):
        number = _numbers().get(" ".join(text.split()).casefold())
        if number is not None:
            return number
    raise InvalidActionError(
        f"{quoted(text)} is not the label of an action; labels look like 'house r12c07', 'fort r12c07', 'lift r12c07', "
        "'use Sleigh I', 'use Tunnel', 'acquire Mine', 'upgrade Mine', 'triple Mine', 'done'"
    )
