"""Why just these actions are legal, in words. explain.py says why one is not.

All of this reads a snapshot and the labels of the legal actions. Of the hands, only that of the seat that is asked is looked at.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from winterkingdom_env.games.dominion.tables import CARDS, NAMES

WAYS = {
    "action": "each action card costs an action, and you have {actions} left",
    "buy": "with {coins} you can buy what costs {coins_number} or less; {buys} left",
    "throne": "Throne Room plays an action card of your hand twice",
    "cellar": "{text}; one by one, in the order of the card table",
    "chapel": "{text}, {count} so far; one by one, in the order of the card table",
    "remodel": "{text}; this must be a card of your hand",
    "mine": "{text}; this must be a treasure of your hand",
    "gain": "{card} gains you a{kind} card of the supply that costs {limit} or less",
    "chancellor": "{text}",
    "library": "{text}; this is one",
    "moat": "{card} attacks you, and a Moat in your hand would keep you from it",
    "militia": "{text}, and you hold {hand}; one by one, in the order of the card table",
    "bureaucrat": "{text}; this must be a card of your hand",
    "spy": "{text}",
    "thief_trash": "{text}; these are the treasures among the cards of seat {subject}",
    "thief_gain": "{text}; one by one, in the order of the card table",
}
NOTHING_TO_PLAY = "you have {actions} left, and no action card in hand"
NO_MOAT = "; whoever may hold one is asked, and you hold none"
NO_CHOICE = "no card of your hand can be chosen; the others do not know that, so you are asked"
KEPT = "{text}; this is none, but the others do not know that, so you are asked"


def why(snapshot: dict[str, Any], legal: Collection[str]) -> str:
    """Why just these actions are legal; empty without any. ``legal``: their labels."""
    phase = snapshot["phase"]
    if not legal or phase == "over":
        return ""
    hand = snapshot["players"][snapshot["seat"]]["hand"]
    card = snapshot["card"] or ""
    words = {
        "actions": _number(snapshot["actions"], "action"),
        "coins": _number(snapshot["coins"], "coin"),
        "coins_number": snapshot["coins"],
        "buys": _number(snapshot["buys"], "buy"),
        "count": snapshot["count"],
        "limit": snapshot["limit"],
        "hand": sum(hand.values()),
        "subject": snapshot["subject"],
        "card": card,
        "kind": " treasure" if card == "Mine" else "",
        "text": f"{card}: {CARDS[NAMES.index(card)].text}" if card else "",
    }
    if phase == "moat":
        return WAYS[phase].format(**words) + ("" if "Moat" in hand else NO_MOAT)
    if list(legal) == ["done"]:
        if phase == "action":
            return NOTHING_TO_PLAY.format(**words)
        if phase == "library":
            return KEPT.format(**words)
        if phase in ("bureaucrat", "mine"):
            return NO_CHOICE
    return WAYS[phase].format(**words)


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
