"""The 194 actions: their labels and numbers."""

from __future__ import annotations

from winterkingdom_env.reference.dominion.cards import BY_LABEL, Card

VERBS = ("play", "buy", "gain", "trash", "discard", "topdeck")
YES, DONE = "yes", "done"
LABELS = (*(f"{verb} {card.label}" for verb in VERBS for card in Card), YES, DONE)
NUMBER = {label: number for number, label in enumerate(LABELS)}


def split(label: str) -> tuple[str, Card | None]:
    """Verb and card of a label; ``yes`` and ``done`` name no card."""
    verb, _, name = label.partition(" ")
    return verb, BY_LABEL[name] if name else None
