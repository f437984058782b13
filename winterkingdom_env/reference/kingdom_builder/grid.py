"""The hexes: numbers, labels, neighbours, distances and straight lines. A hex is an int inside this package, ``r07c12`` outside.

The main board has 400 hexes, number 20 r + c. The hexes of the island follow from 400 on, in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from winterkingdom_env.reference.kingdom_builder.names import NO_HEX

SIZE = 20  # rows and columns of the main board
HALF = SIZE // 2
N_MAIN = SIZE * SIZE
MAIN, ISLAND = 0, 1
ISLAND_ROWS = 5

# Steps in the order W, E, NW, NE, SW, SE; odd rows are shifted right by half a hex.
STEPS_OF_EVEN_ROWS = ((0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0))
STEPS_OF_ODD_ROWS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1))
DIRECTIONS = range(6)
HORIZONTAL = (0, 1)  # W and E


@dataclass(frozen=True)
class Place:
    """Where a hex lies: which board, row and column."""

    board: int
    row: int
    col: int

    @property
    def label(self) -> str:
        """``r07c12`` on the main board, ``i2c04`` on the island."""
        return f"r{self.row:02d}c{self.col:02d}" if self.board == MAIN else f"i{self.row}c{self.col:02d}"

    def step(self, direction: int) -> Place:
        """The place next to this one, which need not exist."""
        steps = STEPS_OF_ODD_ROWS if self.row % 2 else STEPS_OF_EVEN_ROWS
        d_row, d_col = steps[direction]
        return Place(self.board, self.row + d_row, self.col + d_col)


@dataclass(frozen=True)
class Grid:
    """All hexes of a game."""

    places: tuple[Place, ...]
    labels: tuple[str, ...]
    hex_of: dict[str, int]  # by label
    steps: tuple[tuple[int | None, ...], ...]  # steps[hex][direction] is the next hex there
    neighbours: tuple[frozenset[int], ...]
    rays: tuple[
        tuple[list[int], ...], ...
    ]  # rays[hex][direction] are the hexes after it in a straight line, to the end of the board

    @property
    def hexes(self) -> range:
        """Every hex."""
        return range(len(self.places))

    def around(self, hexes: Iterable[int]) -> set[int]:
        """Every hex that touches at least one of ``hexes``."""
        return set().union(*(self.neighbours[hex_id] for hex_id in hexes))

    def distance(self, a: int, b: int) -> int | None:
        """The number of steps between two hexes; None if they lie on two boards."""
        one, other = self.places[a], self.places[b]
        if one.board != other.board:
            return None
        d_row = one.row - other.row
        d_q = _axial(one) - _axial(other)
        return max(abs(d_q), abs(d_row), abs(d_q + d_row))

    def line_of(self, hex_id: int) -> int:
        """The horizontal line: 0 to 19, on the island 20 to 24."""
        place = self.places[hex_id]
        return place.row + (SIZE if place.board == ISLAND else 0)

    def groups(self, hexes: Iterable[int]) -> list[set[int]]:
        """``hexes`` divided into connected groups."""
        found = []
        left = set(hexes)
        while left:
            group, edge = set[int](), {min(left)}
            while edge:
                group |= edge
                edge = self.around(edge) & left - group
            left -= group
            found.append(group)
        return found


def _axial(place: Place) -> int:
    return place.col - (place.row - place.row % 2) // 2


@lru_cache(maxsize=64)
def make_grid(island: tuple[str, ...] | None = None) -> Grid:
    """The hexes of the main board and, if its rows are given, of an island."""
    places = [Place(MAIN, row, col) for row in range(SIZE) for col in range(SIZE)]
    for row, letters in enumerate(island or ()):
        places += [Place(ISLAND, row, col) for col, letter in enumerate(letters) if letter != NO_HEX]
    number = {place: hex_id for hex_id, place in enumerate(places)}
    steps = tuple(tuple(number.get(place.step(direction)) for direction in DIRECTIONS) for place in places)
    labels = tuple(place.label for place in places)
    return Grid(
        places=tuple(places),
        labels=labels,
        hex_of={label: hex_id for hex_id, label in enumerate(labels)},
        steps=steps,
        neighbours=tuple(frozenset(other for other in row if other is not None) for row in steps),
        rays=tuple(tuple(_ray(steps, start, direction) for direction in DIRECTIONS) for start in range(len(places))),
    )


def _ray(steps: tuple[tuple[int | None, ...], ...], start: int, direction: int) -> list[int]:
    found = []
    here = steps[start][direction]
    while here is not None:
        found.append(here)
        here = steps[here][direction]
    return found


def quadrant_of(hex_id: int) -> int | None:
    """0 top left, 1 top right, 2 bottom left, 3 bottom right; None on the island, which is no quadrant (p. 24)."""
    return None if hex_id >= N_MAIN else 2 * (hex_id // SIZE // HALF) + hex_id % SIZE // HALF


# The four edges of the main board; a corner belongs to two of them.
EDGES = (
    frozenset(range(SIZE)),
    frozenset(range(N_MAIN - SIZE, N_MAIN)),
    frozenset(range(0, N_MAIN, SIZE)),
    frozenset(range(SIZE - 1, N_MAIN, SIZE)),
)
EDGE = EDGES[0] | EDGES[1] | EDGES[2] | EDGES[3]
SEAM = frozenset(
    hex_id for hex_id in range(N_MAIN) if hex_id // SIZE in (HALF - 1, HALF) or hex_id % SIZE in (HALF - 1, HALF)
)
