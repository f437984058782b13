"""Why nothing may be put on a hex, or taken from it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from winterkingdom_env.games.kingdom_builder import layout
from winterkingdom_env.games.kingdom_builder.kinds import Duty, Op
from winterkingdom_env.games.kingdom_builder.plain import FRESH, READY
from winterkingdom_env.games.kingdom_builder.sight import (
    HALL,
    LAND_NAMES,
    SCOUT,
    SETTLEMENT,
    SPECIAL_NAMES,
    UNIT_OF_USE,
    USE_ROWS,
    WALL,
    Sight,
    terrain_words,
    the,
)
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_NAMES

ROUGH_NAMES = (*LAND_NAMES, "mountain")
SWAMP_AND_WATER = ("swamp", "water")
GROUNDS = {LAND_NAMES: "land", ROUGH_NAMES: "land or a mountain", SWAMP_AND_WATER: "swamp or water"}
TERRAIN_OPS = (Op.CARD_TERRAIN, Op.TERRAIN, Op.DRAWN_CARD, Op.SWAMP_AND_WATER)  # each terrain is judged by itself
NO_SETTLEMENT = "you have no settlement left to build"


class Aim(NamedTuple):
    """What is to be placed, and where."""

    who: str  # the special action, or the piece
    op: Op
    arg: int
    duty: Duty
    is_move: bool = False


def aim_of(sight: Sight) -> Aim:
    """What the phase places."""
    if sight.phase in ("before", "mandatory"):
        is_free = sight.now["outpost"] or (sight.phase == "before" and sight.has_bonus("temple"))
        return Aim("", Op.CARD_TERRAIN, 0, Duty.NONE if is_free else Duty.ADJ)
    if sight.phase == "react":
        return Aim("the canoe", Op.SWAMP_AND_WATER, 0, Duty.ADJ)
    if sight.phase in ("silo", "silo move"):
        return Aim("the silo", Op.TERRAIN, layout.LAND, Duty.TOUCH, sight.phase == "silo move")
    row = USE_ROWS[sight.use]
    if sight.phase == "wall":
        return Aim("a wall", Op.CARD_TERRAIN, 0, Duty.TOUCH)
    if sight.phase == "scout":
        return Aim("a scout", Op.TERRAIN, layout.WHOLE, Duty.TOUCH)
    who = f"the {UNIT_OF_USE[sight.use]}" if sight.phase == "unit" else the(sight.use)
    return Aim(who, row.op, row.arg, Duty.NONE if sight.now["outpost"] else row.duty, sight.phase == "move")


# Things that are put on a hex -------------------------------------------------------------------------------------------


def why_no_put(place: str, sight: Sight, legal: Collection[str]) -> str:
    """Why nothing may be put on a hex in a phase that puts something somewhere."""
    if place not in sight.terrain:
        return f"the board has no hex {place}"
    if reason := why_nothing_to_put(sight):
        return reason
    if sight.phase == "hall":
        return _why_no_hall(place, sight)
    if sight.now["lifted"] and place == sight.now["lifted"][1]:
        return f"the {sight.now['lifted'][0]} was lifted from {place} and must go elsewhere"
    aim = aim_of(sight)
    return (
        sight.why_not_empty(place)
        or _why_wrong_ground(place, aim, sight)
        or sight.why_blocked(place)
        or _why_not_such(place, aim, sight)
        or _why_not_near(place, aim, sight, legal)
    )


def why_nothing_to_put(sight: Sight) -> str:
    """What is missing to put anything anywhere."""
    own, phase = sight.own, sight.phase
    if phase in ("before", "mandatory"):
        if not sight.pieces_left:
            return NO_SETTLEMENT
        return "" if sight.card_terrains else "you have no terrain card"
    if phase == "cathedral" and not own["tokens"]:
        return "you have no token to build with"
    if phase == "silo" and sight.now["silo_mode"] == "move":
        return "this silo action moves pieces, and does not build"
    if phase in ("build", "cathedral", "react", "silo") and not own["supply"]:
        return NO_SETTLEMENT
    if phase == "unit" and sight.use == "barracks" and not own["units"]["warrior"]:
        return "no warrior is left in your supply, so that one must be taken back"
    return ""


def _why_no_hall(place: str, sight: Sight) -> str:
    """Why the city hall may not stand around a hex."""
    around = sight.around(place)
    if len(around) < layout.NEIGHBOURS:
        return f"the city hall covers seven hexes, and {place} has fewer than six neighbours"
    for covered in (place, *around):
        reason = sight.why_not_empty(covered) or sight.why_blocked(covered)
        if sight.terrain[covered] not in LAND_NAMES:
            reason = f"{covered} is {terrain_words(sight.terrain[covered])}"
        if reason:
            return f"the city hall covers seven free land hexes, and {reason}"
    return f"the city hall must touch {sight.own_words}, and around {place} it would not"


def ground_of(aim: Aim, sight: Sight) -> tuple[str, ...]:
    """The terrains on which something may be placed."""
    if aim.op == Op.CARD_TERRAIN:
        return tuple(sight.card_terrains)
    if aim.op == Op.DRAWN_CARD:
        return tuple(str(sight.now["fort"]).split("/"))
    if aim.op == Op.SWAMP_AND_WATER:
        return SWAMP_AND_WATER
    if aim.op == Op.TOUCHING_ONE and sight.has_bonus("fountain"):
        return ROUGH_NAMES
    if aim.op == Op.TERRAIN and aim.arg < layout.N_TERRAINS:
        return (TERRAIN_NAMES[aim.arg],)
    if aim.op == Op.TERRAIN and aim.arg == layout.WHOLE:
        return (*ROUGH_NAMES, "water")
    return ROUGH_NAMES if aim.op == Op.TERRAIN and aim.arg == layout.ROUGH else LAND_NAMES


def _why_wrong_ground(place: str, aim: Aim, sight: Sight) -> str:
    """Why the terrain of a hex is wrong."""
    terrain, ground = sight.terrain[place], ground_of(aim, sight)
    if terrain in ground:
        return ""
    head = f"{place} is {terrain_words(terrain)}"
    if aim.op == Op.CARD_TERRAIN:
        return f"{head}; {sight.card_words}"
    if aim.op == Op.DRAWN_CARD:
        return f"{head}; the fort drew {sight.now['fort']}"
    if terrain in SPECIAL_NAMES and aim.arg == layout.WHOLE:
        return f"{head}, and {aim.who} goes on land, water or a mountain"
    return f"{head}, and {aim.who} needs {GROUNDS.get(ground, ground[0])}"


def _why_not_such(place: str, aim: Aim, sight: Sight) -> str:
    """Why a special action does not aim at a free hex on the right ground."""
    if aim.op in TERRAIN_OPS:
        return ""
    if aim.is_move:
        unit, start = sight.now["lifted"]
        return f"{aim.who} says: {USE_ROWS[sight.use].text}; {place} is not such a hex for the {unit} of {start}"
    n_own = sight.n_own_near(place)
    if aim.op == Op.EDGE:
        return "" if sight.is_on_edge(place) else f"{place} is not on the edge of the board"
    if aim.op == Op.NEXT_TO:
        is_special = aim.arg == layout.SPECIAL
        if sight.touches(place, SPECIAL_NAMES if is_special else (TERRAIN_NAMES[aim.arg],)):
            return ""
        return f"{place} touches no {'special hex' if is_special else TERRAIN_NAMES[aim.arg]}"
    if aim.op == Op.NEXT_TO_OTHERS:
        return "" if sight.has_others_near(place) else f"{place} touches no piece of another seat"
    if aim.op == Op.TOUCHING_OWN:
        return f"{place} touches {n_own or 'none'} of your pieces, and {aim.who} needs {USE_ROWS[sight.use].arg}"
    if aim.op == Op.TOUCHING_ONE:
        if sight.has_others_near(place):
            return f"{place} touches a piece of another seat, which {aim.who} forbids"
        return f"{place} touches {n_own or 'none'} of your pieces, and {aim.who} needs exactly 1"
    return f"{place} is at no end of a straight run of {aim.arg} of your pieces"


def _why_not_near(place: str, aim: Aim, sight: Sight, legal: Collection[str]) -> str:
    """The duty to touch own pieces, which is all that is left."""
    unit = UNIT_OF_USE.get(sight.use, "")
    if sight.phase == "unit" and sight.own.get(unit):  # warriors take no steps
        return f"{place} is not next to your {unit} on {sight.own[unit]}"
    if aim.duty == Duty.TOUCH:
        other = "other " if aim.is_move else ""
        words = "your pieces" if sight.phase in ("wall", "scout") else sight.own_words
        return f"{place} is not next to {words.replace('your ', f'your {other}')}"
    kind = sight.terrain[place] if aim.op in TERRAIN_OPS and aim.arg < layout.N_TERRAINS else ""
    hexes = [label.rpartition(" ")[2] for label in legal if label.startswith(("house ", "unit "))]
    n = sum(not kind or sight.terrain[hex_label] == kind for hex_label in hexes)
    head = f"{place} is not next to {sight.own_words}"
    if not n and sight.now["lifted"]:
        return f"{head}, and {sight.now['lifted'][1]}, which the piece left, is"
    hexes_words = "hex" if n == 1 else "hexes"
    what = f"free {kind} {hexes_words}" if kind else f"{hexes_words} for {aim.who}"
    return f"{head}, and {n} {what} {'is' if n == 1 else 'are'}"


# Things that are taken from a hex ---------------------------------------------------------------------------------------


def why_no_take(place: str, sight: Sight) -> str:
    """Why nothing may be taken from a hex in a phase that takes something from somewhere."""
    if place not in sight.terrain:
        return f"the board has no hex {place}"
    if sight.phase == "silo" and sight.now["silo_mode"] == "build":
        return "this silo action builds, and does not move pieces"
    if sight.phase == "unit" and sight.count:
        return f"the {UNIT_OF_USE[sight.use]} has taken a step and cannot be taken back now"
    kind, owner = sight.things.get(place, ("", layout.NONE))
    if not kind:
        return f"there is no piece on {place}"
    if kind in (WALL, SCOUT):
        return f"a {kind} stands on {place}, and it is no piece"
    if sight.phase == "remove":
        if owner == sight.seat:
            return f"your {kind} stands on {place}, and the sword removes a piece of another seat"
        return f"{sight.whose(kind, owner)} stands on {place}, and the sword does not remove it"
    if owner != sight.seat:
        return f"{sight.whose(kind, owner)} stands on {place}; choose a piece of your own"
    return _why_stays(place, kind, sight)


def _why_stays(place: str, kind: str, sight: Sight) -> str:
    """Why an own piece may not be taken from its hex."""
    if sight.phase == "unit":
        return f"your {kind} stands on {place}, and {the(sight.use)} takes back a {UNIT_OF_USE[sight.use]}"
    if kind == HALL:
        return f"your city hall stands on {place}, and it never moves"
    if sight.phase == "temple" and kind != SETTLEMENT:
        return f"your {kind} stands on {place}, and the temple takes up a settlement"
    if sight.phase == "silo":
        return f"your {kind} on {place} finds no free land next to your other pieces"
    row = USE_ROWS[sight.use]
    if row.op == Op.CAVES and not set(sight.around(place)) & set(sight.snapshot["caves"]):
        return f"your {kind} on {place} touches no cave"
    return f"{the(sight.use)} says: {row.text}; your {kind} on {place} finds no such hex"


# Tiles ------------------------------------------------------------------------------------------------------------------


def why_not_ready(kind: str, sight: Sight) -> str:
    """Why no tile of a kind can be used; empty if one is ready."""
    states = sight.states(kind)
    if not states:
        return f"you hold no {kind} tile"
    if READY in states:
        return ""
    is_one = len(states) == 1
    subject = f"your {kind} tile is" if is_one else f"your {kind} tiles are"
    if states.count(FRESH) == len(states):
        when = "in your next turn" if sight.is_nomad(kind) else "from your next turn on"
        return f"{subject} fresh: {'it' if is_one else 'they'} can be used {when}"
    n_fresh = states.count(FRESH)
    if n_fresh:
        return f"none of your {kind} tiles is ready: {len(states) - n_fresh} used up in this turn, {n_fresh} fresh"
    return f"{subject} used up in this turn"
