"""The tasks of Crossroads (section 6.3): each once per seat."""

from __future__ import annotations

from winterkingdom_env.reference.kingdom_builder.grid import DIRECTIONS, EDGES, HORIZONTAL
from winterkingdom_env.reference.kingdom_builder.names import LAND, SPECIAL
from winterkingdom_env.reference.kingdom_builder.state import State

ROAD_LENGTH = 7
ADVANCE_PIECES = 7


def is_fulfilled(state: State, p: int, task: str) -> bool:
    """Whether a seat fulfils a task on the present board (p. 15)."""
    own = state.pieces_of(p)
    if task == "Home country":
        return _has_home_country(state, own)
    if task == "Fortress":
        return any(_is_surrounded(state, hex_id, own) for hex_id in own)
    if task == "Road":
        return _has_road(state, own)
    if task == "Place of refuge":
        specials = [hex_id for terrain in SPECIAL for hex_id in state.board.hexes_of[terrain]]
        return any(_is_surrounded(state, hex_id, own) for hex_id in specials)
    if task == "Advance":
        return any(len(edge & own) >= ADVANCE_PIECES for edge in EDGES)
    return all(edge & own for edge in EDGES)


def _is_surrounded(state: State, hex_id: int, own: set[int]) -> bool:
    around = state.grid.neighbours[hex_id]
    return len(around) == 6 and around <= own


def _has_home_country(state: State, own: set[int]) -> bool:
    """Every hex of some area holds an own piece; so a wall spoils it."""
    return any(area <= own for terrain in (*LAND, "water", "mountain") for area in state.board.areas[terrain])


def _has_road(state: State, own: set[int]) -> bool:
    """Seven own pieces follow one another on a diagonal."""
    for hex_id in own:
        for direction in DIRECTIONS:
            road = [hex_id, *state.grid.rays[hex_id][direction][: ROAD_LENGTH - 1]]
            if direction not in HORIZONTAL and len(road) == ROAD_LENGTH and own.issuperset(road):
                return True
    return False
