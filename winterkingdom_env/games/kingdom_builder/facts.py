"""The properties by which reports group games."""

from __future__ import annotations

from typing import Any

FACTS = {"scoring": "Scoring cards", "tasks": "Tasks", "quadrants": "Quadrants", "sets": "Sets"}


def facts(snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
    """The cards, quadrants and sets of a game. Rotations of quadrants are left out."""
    return {
        "scoring": list(snapshot["scoring"]),
        "tasks": list(snapshot["tasks"]),
        "quadrants": [name for name, _ in snapshot["quadrants"]],
        "sets": list(snapshot["sets"]),
    }
