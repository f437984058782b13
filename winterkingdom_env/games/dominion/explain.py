"""Why an action is illegal, in words."""

from __future__ import annotations

from typing import Any

from winterkingdom_env.games.dominion import tables
from winterkingdom_env.games.dominion.layout import N_CARDS, YES, Class, Verb

ASKED = {
    "action": "play an action card, or end the action phase",
    "buy": "buy a card, or end the turn",
    "throne": "choose the action card that Throne Room plays twice",
    "cellar": "discard a card for Cellar, or done",
    "chapel": "trash a card for Chapel, or done",
    "remodel": "choose the card to trash for Remodel",
    "mine": "choose the treasure to trash for Mine",
    "gain": "choose the card to gain",
    "chancellor": "choose whether the deck goes to the discard pile",
    "library": "choose whether the card just drawn is set aside",
    "moat": "choose whether a Moat is shown",
    "militia": "discard a card for Militia",
    "bureaucrat": "choose the victory card to put on the deck for Bureaucrat",
    "spy": "choose whether the shown card is discarded",
    "thief_trash": "choose which of the treasures is trashed",
    "thief_gain": "gain a stolen treasure, or done",
    "over": "nothing",
}
VERBS = {
    "action": Verb.PLAY, "buy": Verb.BUY, "throne": Verb.PLAY, "cellar": Verb.DISCARD, "chapel": Verb.TRASH, "remodel": Verb.TRASH,
    "mine": Verb.TRASH, "gain": Verb.GAIN, "militia": Verb.DISCARD, "bureaucrat": Verb.TOPDECK, "thief_trash": Verb.TRASH, "thief_gain": Verb.GAIN,
}  # fmt: skip
CLASSES = {"action": Class.ACTION, "throne": Class.ACTION, "mine": Class.TREASURE, "bureaucrat": Class.VICTORY}
FROM_HAND = ("action", "throne", "cellar", "chapel", "remodel", "mine", "militia", "bureaucrat")
IN_ORDER = ("cellar", "chapel", "militia", "thief_gain")


def explain(action: int, snapshot: dict[str, Any]) -> str:
    """What stands against an illegal action, and what is asked for now."""
    reason = _reason(action, snapshot)
    asked = f"asked for now: {ASKED[snapshot['phase']]}"
    return f"{reason}; {asked}" if reason else asked


def _reason(action: int, snapshot: dict[str, Any]) -> str:
    phase, verb = snapshot["phase"], VERBS.get(snapshot["phase"])
    if action >= YES or verb != action // N_CARDS:
        return ""
    card = action % N_CARDS
    name = tables.NAMES[card]
    if phase in ("buy", "gain"):
        return _why_not_gained(card, snapshot)
    if phase in FROM_HAND:
        if not snapshot["players"][snapshot["seat"]]["hand"].get(name):
            return f"{name} is not in hand"
        if phase in CLASSES and CLASSES[phase] not in tables.CARDS[card].classes:
            kind = CLASSES[phase].name.lower()
            return f"{name} is not {'an action' if kind == 'action' else f'a {kind}'} card"
    if phase in IN_ORDER and card < snapshot["floor"]:
        return f"cards are chosen in the order of the table, and {tables.NAMES[snapshot['floor']]} was chosen before"
    return f"after {name} too few cards can follow in the order of the table" if phase == "militia" else ""


def _why_not_gained(card: int, snapshot: dict[str, Any]) -> str:
    name = tables.NAMES[card]
    if name not in snapshot["supply"]:
        return f"{name} is not in this game"
    if not snapshot["supply"][name]:
        return f"the pile of {name} is empty"
    most = snapshot["coins"] if snapshot["phase"] == "buy" else snapshot["limit"]
    if snapshot["costs"][name] > most:
        return f"{name} costs {snapshot['costs'][name]}, and {most} is the most now"
    return f"{name} is not a treasure card"
