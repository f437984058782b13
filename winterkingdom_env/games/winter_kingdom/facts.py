"""What reports group games by."""

from __future__ import annotations

from typing import Any

FACTS = {"scoring": "Scoring cards", "economy": "Economy cards", "twist": "Twists"}


def facts(snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
    """The cards that all players share, by kind; None: a game without a twist."""
    return {kind: snapshot[kind] for kind in FACTS}
