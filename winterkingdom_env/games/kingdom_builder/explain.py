"""Why an action is illegal: the rule that it breaks, and what would work.

All of this reads a snapshot and the labels of the legal actions, and calls no kernel. Hexes are in explain_hex.py, what the seat to act
sees is in sight.py: nothing hidden from it is told.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.actions import HOUSE, LIFT, PUT_WORDS, TAKE_WORDS, hex_labels, labels
from winterkingdom_env.games.kingdom_builder.explain_hex import (
    NO_SETTLEMENT,
    aim_of,
    why_no_put,
    why_no_take,
    why_not_ready,
    why_nothing_to_put,
)
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Duty, Form, Op, Phase
from winterkingdom_env.games.kingdom_builder.plain import FRESH, PHASE_NAMES
from winterkingdom_env.games.kingdom_builder.sight import UNIT_OF_USE, Sight, the
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_NAMES, TILE_NAMES

ASKED_PUT = {
    "before": "the first mandatory piece on {terrain}",
    "mandatory": "the next mandatory piece on {terrain}",
    "build": "a hex on which {use} builds",
    "move": "a hex for the lifted piece",
    "unit": "a hex for the {unit}",
    "hall": "the centre of the city hall",
    "wall": "a hex for a wall",
    "scout": "a hex for a scout",
    "cathedral": "a hex on which the cathedral builds",
    "react": "a hex on which your canoe builds",
    "silo": "a hex on which the silo builds",
    "silo move": "a hex for the lifted piece",
}
ASKED_TAKE = {
    "lift": "the piece that {use} moves",
    "unit": "the {unit} to take back",
    "remove": "the piece that the sword removes",
    "temple": "the settlement that the temple takes up",
    "silo": "the piece that the silo moves",
}
USING = ("before", "after")
FREEING = ("before", "mandatory", "build", "cathedral")  # phases with an outpost
NO_TOKEN = "no token is left in the stock"


def asked(snapshot: dict[str, Any], legal: Collection[str]) -> str:
    """What the seat to act is asked for. ``legal``: labels of the legal actions."""
    sight = Sight(snapshot)
    phase = Phase(PHASE_NAMES.index(sight.phase))
    put, take = PUT_WORDS.get(phase, HOUSE), TAKE_WORDS.get(phase, LIFT)
    verbs = {label.partition(" ")[0] for label in legal}
    terrains = {sight.terrain[label.partition(" ")[2]] for label in legal if label.startswith(f"{put} ")}
    words = {
        "use": the(sight.use),
        "unit": UNIT_OF_USE.get(sight.use, ""),
        "terrain": " or ".join(terrain for terrain in TERRAIN_NAMES if terrain in terrains),
    }
    texts = {"use": "a special action", put: ASKED_PUT.get(sight.phase, ""), take: ASKED_TAKE.get(sight.phase, "")}
    texts |= {"outpost": "an outpost", "token": "a token", "done": "done"}
    *parts, last = [text.format(**words) for verb, text in texts.items() if verb in verbs] or ["nothing"]
    return f"{', '.join(parts)}, or {last}" if parts else last


def explain(action: int, snapshot: dict[str, Any], legal: Collection[str]) -> str:
    """The rule that an illegal action breaks; empty for a legal one. ``legal``: labels of the legal actions."""
    sight = Sight(snapshot)
    if sight.phase == "over":
        return "the game is over"
    label = labels(PHASE_NAMES.index(sight.phase))[action]
    if label in legal:
        return ""
    if reason := _why_not_now(action, sight):
        return f"{reason}; asked for now: {asked(snapshot, legal)}"
    if action < layout.TAKE_FIRST:
        return why_no_put(hex_labels()[action], sight, legal)
    if action < layout.USE_FIRST:
        return why_no_take(hex_labels()[action - layout.TAKE_FIRST], sight)
    if action < layout.REPEAT_FIRST:
        return _why_no_use(tables.USES[action - layout.USE_FIRST], sight)
    if action < layout.OUTPOST_ACTION:
        return _why_no_repeat(TILE_NAMES[tables.REPEATS[action - layout.REPEAT_FIRST]], sight)
    if action == layout.OUTPOST_ACTION:
        return _why_no_outpost(sight)
    return _why_no_token(sight) if action == layout.TOKEN else _why_not_done(sight)


def _why_not_now(action: int, sight: Sight) -> str:
    """Why the phase has no action of this kind; empty if it has."""
    if action < layout.TAKE_FIRST:
        return "" if sight.phase in ASKED_PUT else "nothing is put on a hex now"
    if action < layout.USE_FIRST:
        return "" if sight.phase in ASKED_TAKE else "no piece is lifted now"
    if action < layout.OUTPOST_ACTION:
        return "" if sight.phase in USING else _why_no_use_now(sight)
    if action == layout.OUTPOST_ACTION:
        return "" if sight.phase in FREEING else "an outpost is for the next settlement to be built"
    if action == layout.TOKEN:
        return "" if sight.phase == "cathedral" else "tokens are taken by the cathedral"
    return ""


def _why_no_use_now(sight: Sight) -> str:
    if sight.phase == "mandatory":
        return "special actions come before the first or after the last mandatory piece"
    if sight.phase == "react":
        return "only a canoe can react"
    if sight.phase in ("silo", "silo move"):
        return "no special action follows the last turn"
    return f"{the(sight.use)} is in use, and no special action begins inside another"


# Special actions --------------------------------------------------------------------------------------------------------


def _why_no_use(use: tables.Use, sight: Sight) -> str:
    reason = _why_no_bonus(use, sight) if isinstance(use.needs, Bonus) else why_not_ready(use.name, sight)
    return reason or _why_no_beginning(use, sight)


def _why_no_bonus(use: tables.Use, sight: Sight) -> str:
    """Why something that needs no tile of its own is not open to the seat."""
    if use.name in sight.own["bonus_used"]:
        return f"{the(use.name)} is used up in this turn"
    if use.needs == Bonus.FARMLAND:
        return "" if "farmland" in sight.terrain.values() else "the board has no farmland"
    if use.needs == Bonus.CAVE:
        return "" if sight.snapshot["caves"] else "the board has no cave"
    kind = use.name.removesuffix(" bonus")
    states = sight.states(kind)
    if len(states) < layout.TILES_PER_HEX:
        return f"{the(use.name)} needs two {kind} tiles, and you hold {len(states) or 'none'}"
    if FRESH in states:
        return f"{the(use.name)} needs two {kind} tiles that are not fresh: it can be used from your next turn on"
    return ""


def _why_no_beginning(use: tables.Use, sight: Sight) -> str:
    """Why the first piece of a special action cannot be placed, lifted or removed."""
    own, form = sight.own, use.form
    if form == Form.BUILD and not own["supply"]:
        return NO_SETTLEMENT
    if use.op == Op.DRAWN_CARD:
        return "no terrain card can be drawn"
    if use.op == Op.CARD_TERRAIN and form != Form.CATHEDRAL and not sight.card_terrains:
        return "you have no terrain card"
    if form == Form.MOVE:
        return f"no piece of yours can be moved by {the(use.name)}: {use.text}"
    if form == Form.UNIT and not own["units"][UNIT_OF_USE[use.name]]:
        return f"you have no {UNIT_OF_USE[use.name]}"
    if form == Form.HALL and not own["units"]["hall"]:
        return "your city hall stands already" if own["hall"] else "you have no city hall"
    if form == Form.WALL and not sight.snapshot["walls_left"]:
        return "no wall is left"
    if form == Form.REMOVE:
        return "no other seat has a piece that the sword can remove"
    if form == Form.TEMPLE:
        return "you have no settlement on the board"
    if form == Form.CATHEDRAL and not (own["tokens"] and own["supply"]):
        return f"{NO_TOKEN}, and you have no {'settlement' if own['tokens'] else 'token'} left to build with"
    more = f"{NO_TOKEN}, and " if form == Form.CATHEDRAL else ""
    near = " next to your pieces" if use.duty == Duty.TOUCH else ""
    return f"{more}there is no free hex{near} for {the(use.name)}: {use.text}"


def _why_no_repeat(kind: str, sight: Sight) -> str:
    """Why the bazaar cannot repeat a kind of tile."""
    if reason := why_not_ready("bazaar", sight):
        return reason
    if kind == "crossroads":
        return why_not_ready(kind, sight)
    if kind not in sight.turn["used"]:
        return f"the bazaar repeats what you used in this turn, and you have not used {the(kind)}"
    if not sight.states(kind):
        return f"you hold no {kind} tile any more"
    return _why_no_beginning(next(use for use in tables.USES if use.name == kind), sight)


# Other actions ----------------------------------------------------------------------------------------------------------


def _why_no_outpost(sight: Sight) -> str:
    if sight.now["outpost"]:
        return "an outpost is declared already"
    if reason := why_not_ready("outpost", sight):
        return reason
    if reason := why_nothing_to_put(sight):
        return reason
    if aim_of(sight).duty != Duty.ADJ:
        who = the(sight.use) if sight.use else "the temple bonus"
        return f"an outpost frees a settlement from going next to your pieces, and {who} does not ask for that"
    return "an outpost would open no further hex"


def _why_no_token(sight: Sight) -> str:
    if sight.count:
        return "a token is taken instead of building, and you have built"
    if sight.now["outpost"]:
        return "a token is taken instead of building, and an outpost is declared"
    return NO_TOKEN


def _why_not_done(sight: Sight) -> str:
    """What cannot be left out."""
    if sight.phase in ("before", "mandatory"):
        if not sight.turn["placed"]:  # how many follow depends on its terrain
            return "a mandatory piece can be built, so it must be"
        n = sight.pieces_left
        return f"the mandatory action must be finished: {n} piece{'' if n == 1 else 's'} left"
    if sight.now["lifted"]:
        return f"the {sight.now['lifted'][0]} lifted from {sight.now['lifted'][1]} must be set down"
    return f"{the(sight.use)} is in use, and its first step cannot be left out"
