"""Questions about the board: what is empty, blocked, free, own; duties; and a piece that is lifted for a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from winterkingdom_env.reference.kingdom_builder.grid import N_MAIN
from winterkingdom_env.reference.kingdom_builder.state import State

ADJ, TOUCH, NONE = "adj", "touch", "none"  # the three duties of section 3.2


def occupied(state: State) -> set[int]:
    """Every hex with a piece, wall or scout."""
    pieces = [state.pieces_of(p) for p in range(len(state.seats))]
    return set().union(*pieces) | state.walls | state.scouts


def blocked(state: State) -> set[int]:
    """Every hex that touches a warrior, of whatever seat (p. 14)."""
    return state.grid.around(hex_id for seat in state.seats for hex_id in seat.warriors)


def free(state: State) -> set[int]:
    """Every hex, of whatever terrain, on which a thing may be put."""
    return set(state.grid.hexes) - occupied(state) - blocked(state)


def free_on(state: State, terrain: str) -> set[int]:
    """The free hexes of a terrain."""
    return free(state) & state.board.hexes_of[terrain]


def free_land(state: State) -> set[int]:
    """The free hexes of all land."""
    return free(state) & state.board.land


def reference_set(state: State, p: int) -> set[int]:
    """What a seat builds next to: its pieces and, in its own turn, the scouts (p. 22)."""
    return state.pieces_of(p) | (state.scouts if p == state.turn.seat else set())


def by_duty(state: State, p: int, areas: Iterable[set[int]], duty: str) -> set[int]:
    """The legal hexes of free areas, each judged by itself."""
    if duty == NONE:
        return set().union(*areas)
    near = state.grid.around(reference_set(state, p))
    legal: set[int] = set()
    for area in areas:
        # p. 4: only without a free adjacent hex the whole terrain is open.
        legal |= (area & near) or (area if duty == ADJ else set())
    return legal


def near_terrain(state: State, terrain: str) -> set[int]:
    """Every hex that touches a terrain. The rim of the island touches water, though that water is no hex (p. 24)."""
    near = state.grid.around(state.board.hexes_of[terrain])
    if terrain == "water":
        near |= {hex_id for hex_id in state.grid.hexes if hex_id >= N_MAIN and len(state.grid.neighbours[hex_id]) < 6}
    return near


def touching_at_least(state: State, hexes: set[int], others: set[int], n: int) -> set[int]:
    """Those of ``hexes`` that touch ``n`` or more of ``others``."""
    return {hex_id for hex_id in hexes if len(state.grid.neighbours[hex_id] & others) >= n}


@contextmanager
def lifted(state: State, p: int, hex_id: int) -> Iterator[str]:
    """For a moment a piece of a seat stands nowhere; its kind."""
    kind = state.seats[p].take_off(hex_id)
    yield kind
    state.seats[p].put(kind, hex_id)


@contextmanager
def scouts_picked_up(state: State) -> Iterator[None]:
    """For a moment no scout is on the board."""
    scouts, state.scouts = state.scouts, set()
    yield
    state.scouts = scouts
