"""Where a settlement may be built and a lifted piece be set down, for every use."""

from __future__ import annotations

from winterkingdom_env.reference.kingdom_builder.cards import card_areas
from winterkingdom_env.reference.kingdom_builder.grid import EDGE
from winterkingdom_env.reference.kingdom_builder.names import (
    CANOE_BONUS,
    CAVE,
    DONATION,
    FARMLAND,
    REFUGE_BONUS,
    RESETTLEMENT,
    terrains_of,
)
from winterkingdom_env.reference.kingdom_builder.places import (
    ADJ,
    NONE,
    TOUCH,
    by_duty,
    free,
    free_land,
    free_on,
    lifted,
    near_terrain,
    reference_set,
    touching_at_least,
)
from winterkingdom_env.reference.kingdom_builder.state import Now, State
from winterkingdom_env.reference.kingdom_builder.uses import BUILD_TERRAIN, FORT, MOVE_TERRAIN, USES, action_of

TAVERN_RUN = 3
VILLAGE_PIECES = 3


# Builds


def mandatory_targets(state: State, outpost: bool) -> set[int]:
    """The hexes of the next mandatory piece; none without a piece."""
    turn, seat = state.turn, state.seats[state.turn.seat]
    if not has_mandatory_piece(state):
        return set()
    is_first = not turn.started
    # p. 18: the temple bonus frees the first piece.
    duty = NONE if outpost or (is_first and seat.has_bonus("temple")) else ADJ
    return by_duty(state, turn.seat, card_areas(state), duty)


def has_mandatory_piece(state: State) -> bool:
    """Whether a piece of the mandatory action is still to be built: from the supply, then those of the temple."""
    turn, seat = state.turn, state.seats[state.turn.seat]
    if turn.ended:
        return False
    due = turn.due_left if turn.started else seat.due
    return is_next_from_supply(state) or due > 0


def is_next_from_supply(state: State) -> bool:
    """Whether the next mandatory piece comes from the supply."""
    turn = state.turn
    return len(turn.placed) < turn.pieces and state.seats[turn.seat].supply > 0


def build_targets(state: State, now: Now, outpost: bool) -> set[int]:
    """The hexes for the next settlement of a use; none without a settlement in the supply."""
    assert now.use is not None
    if state.seats[now.seat].supply == 0:
        return set()
    duty = USES[action_of(now.use)].duty
    return by_duty(state, now.seat, _build_areas(state, now), NONE if outpost and duty == ADJ else duty)


def cathedral_targets(state: State, now: Now, outpost: bool) -> set[int]:
    """The hexes for the next settlement of the cathedral; none without a token."""
    seat = state.seats[now.seat]
    if seat.tokens == 0 or seat.supply == 0:
        return set()
    return by_duty(state, now.seat, card_areas(state), NONE if outpost else ADJ)


def canoe_targets(state: State, p: int) -> set[int]:
    """The hexes for a canoe's reaction; none without a settlement or a ready canoe (section 5.5)."""
    seat = state.seats[p]
    if seat.supply == 0 or seat.ready_tile("canoe") is None:
        return set()
    return by_duty(state, p, _swamp_and_water(state), ADJ)


def silo_targets(state: State, p: int) -> set[int]:
    """The hexes for a piece that a silo builds or moves (p. 21)."""
    return by_duty(state, p, [free_land(state)], TOUCH)


def _swamp_and_water(state: State) -> list[set[int]]:
    return [free_on(state, "swamp"), free_on(state, "water")]


def _build_areas(state: State, now: Now) -> list[set[int]]:
    """The free hexes that a use allows, in parts that are judged each by itself."""
    assert now.use is not None
    kind = action_of(now.use)
    if kind == "oracle":
        return card_areas(state)
    if kind in BUILD_TERRAIN:
        return [free_on(state, BUILD_TERRAIN[kind])]
    if kind.startswith(DONATION):
        return [free_on(state, kind.removeprefix(DONATION))]
    if kind == FORT:
        return [] if now.fort is None else [free_on(state, terrain) for terrain in terrains_of(now.fort)]
    if kind == CANOE_BONUS:
        return _swamp_and_water(state)
    if kind == FARMLAND:
        return [free_on(state, FARMLAND)]
    return [_land_of_all_terrains(state, kind, now.seat)]


def _land_of_all_terrains(state: State, kind: str, p: int) -> set[int]:
    """The free land of the uses that do not care for its terrain."""
    land, around = free_land(state), state.grid.around
    if kind == "tower":
        return land & EDGE
    if kind == "tavern":
        return _tavern(state, p)
    if kind == "village":
        return touching_at_least(state, land, state.pieces_of(p), VILLAGE_PIECES)
    if kind == "fountain":
        return _fountain(state, p)
    if kind == "water mill":
        return land & near_terrain(state, "water")
    if kind == "mountain station":
        return land & near_terrain(state, "mountain")
    if kind == "watchtower":
        return land & around(state.pieces_of_others(p))
    assert kind == "university", kind
    return land & around(state.board.specials)


def _tavern(state: State, p: int) -> set[int]:
    """Free land next after the end of a straight run of three or more own pieces (p. 6)."""
    own = state.pieces_of(p)
    found = set()
    for hex_id in free_land(state):
        runs = [ray[:TAVERN_RUN] for ray in state.grid.rays[hex_id]]
        if any(len(run) == TAVERN_RUN and own.issuperset(run) for run in runs):
            found.add(hex_id)
    return found


def _fountain(state: State, p: int) -> set[int]:
    """Free land (with the bonus also mountains) touching exactly one own piece and nobody else's (p. 18)."""
    own, others = state.pieces_of(p), state.pieces_of_others(p)
    hexes = free_land(state)
    if state.seats[p].has_bonus("fountain"):
        hexes |= free_on(state, "mountain")
    return {
        hex_id
        for hex_id in hexes
        if len(state.grid.neighbours[hex_id] & own) == 1 and not state.grid.neighbours[hex_id] & others
    }


# Moves


def move_targets(state: State, now: Now, left: int) -> set[int]:
    """Where a piece of the acting seat that was lifted from ``left`` may be set down: never on ``left``."""
    if now.use is None:
        return silo_targets(state, now.seat) - {left}
    kind = action_of(now.use)
    if kind == "barn":
        hexes = by_duty(state, now.seat, card_areas(state), ADJ)
    elif kind in MOVE_TERRAIN:
        hexes = by_duty(state, now.seat, [free_on(state, MOVE_TERRAIN[kind])], ADJ)
    else:
        hexes = _free_moves(state, kind, now.seat, left)
    return hexes - {left}


def _free_moves(state: State, kind: str, p: int, left: int) -> set[int]:
    """The moves of duty none."""
    land, grid = free_land(state), state.grid
    rays = grid.rays[left]
    if kind == "paddock":
        return land & {ray[1] for ray in rays if len(ray) > 1}
    if kind == "caravan":
        return {end for ray in rays if (end := _caravan_end(ray, land)) is not None}
    if kind in ("refuge", RESETTLEMENT):
        return land & grid.neighbours[left]
    if kind == REFUGE_BONUS:
        firsts = [next((hex_id for hex_id in ray if hex_id in land), None) for ray in rays]
        return {hex_id for hex_id in firsts if hex_id is not None}
    if kind == "palisade":
        groups = grid.groups(state.pieces_of(p) | {left})
        group = next(group for group in groups if left in group)
        return land & grid.around(group - {left})
    assert kind == CAVE, kind
    return land & grid.around(state.board.caves)


def _caravan_end(ray: list[int], land: set[int]) -> int | None:
    """The last hex before the first one that is no free land (p. 11)."""
    end = None
    for hex_id in ray:
        if hex_id not in land:
            break
        end = hex_id
    return end


def liftable(state: State, now: Now) -> set[int]:
    """The own pieces that can be lifted because they have a target."""
    pieces = sorted(state.seats[now.seat].movable())
    if now.use == CAVE:
        near_caves = state.grid.around(state.board.caves)
        pieces = [hex_id for hex_id in pieces if hex_id in near_caves]
    found = set()
    for hex_id in pieces:
        with lifted(state, now.seat, hex_id):
            if move_targets(state, now, hex_id):
                found.add(hex_id)
    return found


# City hall, walls, scouts


def hall_targets(state: State, p: int) -> set[int]:
    """Centres for the city hall: seven free land hexes that touch the reference set from outside (p. 13)."""
    if state.seats[p].units["hall"] == 0:
        return set()
    land, near = free_land(state), reference_set(state, p)
    found = set()
    for centre in land:
        ring = state.grid.neighbours[centre]
        if len(ring) == 6 and ring <= land and state.grid.around(ring) & near:
            found.add(centre)
    return found


def wall_targets(state: State, p: int) -> set[int]:
    """Free hexes of card terrain that touch an own piece (p. 11)."""
    if state.walls_left == 0:
        return set()
    return set().union(*card_areas(state)) & state.grid.around(state.pieces_of(p))


def scout_targets(state: State, p: int) -> set[int]:
    """Free land, water or mountain that touches an own piece (p. 22)."""
    return (free(state) - state.board.specials) & state.grid.around(state.pieces_of(p))


def removable(state: State, p: int) -> set[int]:
    """The pieces of other seats that a sword may take: no city hall (p. 9)."""
    return set().union(*(seat.movable() for q, seat in enumerate(state.seats) if q != p))
