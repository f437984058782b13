"""What reports group games by."""

from __future__ import annotations

from typing import Any

FACTS = {"kingdom": "Kingdom cards"}


def facts(snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
    """The kingdom cards of a game."""
    return {"kingdom": list(snapshot["kingdom"])}
