"""The properties by which reports group games."""

from __future__ import annotations

from typing import Any

FACTS = {"scoring": "Scoring cards", "economy": "Economy cards", "twist": "Twists"}


def facts(snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
    """The shared cards of a game by kind; None for a game without a twist."""
    return {kind: snapshot[kind] for kind in FACTS}
