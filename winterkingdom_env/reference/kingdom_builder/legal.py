"""Which actions are legal: the table of section 4.2, phase by phase."""

from __future__ import annotations

from collections.abc import Iterable

from winterkingdom_env.reference.kingdom_builder.cards import can_draw
from winterkingdom_env.reference.kingdom_builder.names import (
    CANOE_BONUS,
    CAVE,
    FARMLAND,
    FRESH,
    KINDS,
    N_SCOUTS,
    NOMAD_KINDS,
    OUTPOST,
    REFUGE_BONUS,
    SHIP,
    TREASURE,
    WAGON,
    WARRIOR,
)
from winterkingdom_env.reference.kingdom_builder.places import ADJ, by_duty, free, scouts_picked_up
from winterkingdom_env.reference.kingdom_builder.state import Now, State
from winterkingdom_env.reference.kingdom_builder.targets import (
    build_targets,
    canoe_targets,
    cathedral_targets,
    hall_targets,
    liftable,
    mandatory_targets,
    move_targets,
    removable,
    scout_targets,
    silo_targets,
    wall_targets,
)
from winterkingdom_env.reference.kingdom_builder.uses import (
    BAZAAR,
    CROSSROADS,
    FORT,
    NEVER_USED,
    NOT_REPEATED,
    SCOUT_CABIN,
    UNIT_OF,
    USES,
    action_of,
)

DONE = "done"
SILO_PIECES = 3


def legal_labels(state: State) -> set[str]:
    """Every action that is legal now."""
    now = state.now
    labels = steps(state, now)
    if _is_outpost_legal(state, now):
        labels.add(OUTPOST)
    if _is_done_legal(now, labels):
        labels.add(DONE)
    return labels


def steps(state: State, now: Now) -> set[str]:
    """The legal actions that do something: all but ``outpost`` and ``done``."""
    if now.phase in ("before", "mandatory", "after"):
        labels = _on(state, "house", _house_targets(state, now, now.outpost))
        return labels if now.phase == "mandatory" else labels | {f"use {use}" for use in usable(state)}
    if now.use is not None and now.phase != "move" and now.count >= USES[action_of(now.use)].limit:
        return set()
    if now.phase in ("build", "cathedral", "react", "move", "silo move"):
        labels = _on(state, "house", _house_targets(state, now, now.outpost))
        return labels | ({"token"} if _is_token_legal(state, now) else set())
    if now.phase == "lift":
        return _on(state, "lift", liftable(state, now))
    if now.phase == "temple":
        return _on(state, "lift", state.seats[now.seat].settlements)
    if now.phase == "unit":
        return _unit_steps(state, now)
    if now.phase == "hall":
        return _on(state, "hall", hall_targets(state, now.seat))
    if now.phase == "wall":
        return _on(state, "wall", wall_targets(state, now.seat))
    if now.phase == "scout":
        return _on(state, "scout", scout_targets(state, now.seat)) if len(state.scouts) < N_SCOUTS else set()
    if now.phase == "remove":
        return _on(state, "remove", removable(state, now.seat))
    return _silo_steps(state, now) if now.phase == "silo" else set()


def _on(state: State, verb: str, hexes: Iterable[int]) -> set[str]:
    return {f"{verb} {state.grid.labels[hex_id]}" for hex_id in hexes}


def _house_targets(state: State, now: Now, outpost: bool) -> set[int]:
    """The hexes of ``house`` in a phase, with or without an active outpost."""
    if now.phase in ("before", "mandatory"):
        return mandatory_targets(state, outpost)
    if now.phase == "build":
        return build_targets(state, now, outpost)
    if now.phase == "cathedral":
        return cathedral_targets(state, now, outpost)
    if now.phase == "react":
        return canoe_targets(state, now.seat)
    if now.phase in ("move", "silo move"):
        assert now.lifted is not None
        return move_targets(state, now, now.lifted[1])
    return set()


def _is_outpost_legal(state: State, now: Now) -> bool:
    """Whether a ready outpost would open more hexes to the next settlement (section 4.2)."""
    if now.outpost or now.phase not in ("before", "mandatory", "build", "cathedral"):
        return False
    if state.seats[now.seat].ready_nomad(OUTPOST) is None:
        return False
    return len(_house_targets(state, now, True)) > len(_house_targets(state, now, False))


def _is_done_legal(now: Now, labels: set[str]) -> bool:
    if now.phase == "before":
        return not any(label.startswith("house") for label in labels)
    if now.phase in ("after", "react", "silo"):
        return True
    return now.count > 0 and now.phase in ("build", "lift", "unit", "wall", "scout", "cathedral")


def _is_token_legal(state: State, now: Now) -> bool:
    return now.phase == "cathedral" and now.count == 0 and not now.outpost and state.tokens > 0


# Units and silos


def _unit_steps(state: State, now: Now) -> set[str]:
    """Ship and wagon: placed, or taken back, or up to three steps. Warriors: placed or taken back (p. 14)."""
    assert now.use is not None
    seat, unit = state.seats[now.seat], UNIT_OF[action_of(now.use)]
    hexes = free(state) & unit_terrain(state, unit)
    standing = [hex_id for hex_id, kind in seat.movable().items() if kind == unit]
    if now.count > 0 and now.moving is None:
        return set()  # a unit was placed
    labels = set()
    if now.count == 0:
        labels |= _on(state, "back", standing)
        if seat.units[unit] > 0:
            labels |= _on(state, "unit", by_duty(state, now.seat, [hexes], ADJ))
    if unit != WARRIOR:
        labels |= _on(state, "unit", hexes & state.grid.around(standing))
    return labels


def unit_terrain(state: State, unit: str) -> frozenset[int]:
    """The hexes on which a unit can be placed by its own tile."""
    hexes_of = state.board.hexes_of
    if unit == SHIP:
        return hexes_of["water"]
    return state.board.land | hexes_of["mountain"] if unit == WAGON else state.board.land


def _silo_steps(state: State, now: Now) -> set[str]:
    labels: set[str] = set()
    if now.count < SILO_PIECES and now.silos > 0:
        if now.silo_mode != "move" and state.seats[now.seat].supply > 0:
            labels |= _on(state, "house", silo_targets(state, now.seat))
        if now.silo_mode != "build":
            labels |= _on(state, "lift", liftable(state, now))
    return labels


# Uses


def usable(state: State) -> list[str]:
    """The uses that the turn seat can begin: what is ready, and whose first piece has a place."""
    return [use for use in _ready_uses(state) if _can_begin(state, use)]


def _ready_uses(state: State) -> list[str]:
    seat = state.seats[state.turn.seat]
    uses = [kind for kind in KINDS if kind not in NEVER_USED and seat.ready_tile(kind)]
    uses += [kind for kind in NOMAD_KINDS if kind not in (OUTPOST, TREASURE) and seat.ready_nomad(kind)]
    once = [FARMLAND, CAVE]
    once += [bonus for bonus, kind in ((REFUGE_BONUS, "refuge"), (CANOE_BONUS, "canoe")) if seat.has_bonus(kind)]
    uses += [name for name in once if name not in seat.bonus_used]
    if seat.ready_tile("bazaar"):
        uses += [BAZAAR + kind for kind in _bazaar_kinds(state)]
    return uses


def _bazaar_kinds(state: State) -> list[str]:
    """What a bazaar may repeat: tile kinds used earlier in this turn and still held (p. 21)."""
    seat = state.seats[state.turn.seat]
    kinds = [kind for kind in KINDS if kind in state.turn.used and kind not in NOT_REPEATED and seat.tiles_of(kind)]
    if any(tile.state != FRESH for tile in seat.tiles_of(CROSSROADS)):
        kinds.append(CROSSROADS)
    return kinds


def _can_begin(state: State, use: str) -> bool:
    """Whether the first piece of a use can be placed, lifted or removed."""
    action = action_of(use)
    if action == CROSSROADS:
        return True
    if action == FORT:
        return state.seats[state.turn.seat].supply > 0 and can_draw(state)
    opening = Now(USES[action].phase, state.turn.seat, use=use)
    if use == BAZAAR + SCOUT_CABIN:
        with scouts_picked_up(state):
            return bool(steps(state, opening))
    return bool(steps(state, opening))
