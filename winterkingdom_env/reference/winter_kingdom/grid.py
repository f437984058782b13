"""The 427 hexes: numbers, labels, boards and adjacency. A hex is an int inside this package, and ``r12c07`` outside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

# Each direction and its opposite are three places apart.
DIRECTIONS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
CENTRE = (13, 13)
# Rotations of (5, 4): with these distances hexagons of radius 4 interlock without a gap (p. 2).
BOARD_OFFSETS = ((0, 0), (5, 4), (-4, 9), (-9, 5), (-5, -4), (4, -9), (9, -5))
BOARD_RADIUS = 4
CENTRE_BOARD = 0
OFF_BOARD = -1


def _boards() -> dict[tuple[int, int], int]:
    """The board of every (row, column) that exists."""
    board_of = {}
    for board, (board_row, board_col) in enumerate(BOARD_OFFSETS):
        for row in range(-BOARD_RADIUS, BOARD_RADIUS + 1):
            for col in range(-BOARD_RADIUS, BOARD_RADIUS + 1):
                if abs(row + col) <= BOARD_RADIUS:
                    board_of[CENTRE[0] + board_row + row, CENTRE[1] + board_col + col] = board
    return board_of


_BOARD_AT = _boards()
PLACES = tuple(sorted(_BOARD_AT))  # by row, then column: the number of a hex is its index here
HEX_AT = {place: hex_id for hex_id, place in enumerate(PLACES)}
BOARD_OF = tuple(_BOARD_AT[place] for place in PLACES)
LABELS = tuple(f"r{row:02d}c{col:02d}" for row, col in PLACES)
HEX_OF = {label: hex_id for hex_id, label in enumerate(LABELS)}
N_HEXES = len(PLACES)
ALL_HEXES = range(N_HEXES)


@dataclass(frozen=True)
class Grid:
    """The adjacency of one game: with Archipelago, no step leads to another board (p. 16)."""

    steps: tuple[tuple[int, ...], ...]  # steps[hex][direction] is the next hex there, or OFF_BOARD
    neighbours: tuple[frozenset[int], ...]
    at_distance_two: tuple[frozenset[int], ...]

    def line(self, start: int, direction: int, length: int) -> list[int]:
        """The next ``length`` hexes after ``start``; fewer if the line leaves the board."""
        found: list[int] = []
        here = self.steps[start][direction]
        while here != OFF_BOARD and len(found) < length:
            found.append(here)
            here = self.steps[here][direction]
        return found

    def around(self, hexes: set[int] | frozenset[int]) -> set[int]:
        """Every hex that touches at least one of ``hexes``."""
        return set().union(*[self.neighbours[hex_id] for hex_id in hexes])


@lru_cache(maxsize=2)
def make_grid(archipelago: bool) -> Grid:
    """The adjacency, with or without Archipelago."""
    steps = []
    for hex_id, (row, col) in enumerate(PLACES):
        row_of_steps = []
        for d_row, d_col in DIRECTIONS:
            other = HEX_AT.get((row + d_row, col + d_col), OFF_BOARD)
            if archipelago and other != OFF_BOARD and BOARD_OF[other] != BOARD_OF[hex_id]:
                other = OFF_BOARD
            row_of_steps.append(other)
        steps.append(tuple(row_of_steps))
    neighbours = tuple(frozenset(hexes) - {OFF_BOARD} for hexes in steps)
    at_two = []
    for hex_id in ALL_HEXES:
        reached = {second for first in neighbours[hex_id] for second in neighbours[first]}
        at_two.append(frozenset(reached - neighbours[hex_id] - {hex_id}))
    return Grid(tuple(steps), neighbours, tuple(at_two))


def _outer_edge() -> frozenset[int]:
    """The 78 hexes at the edge of the whole board; Archipelago adds none."""
    grid = make_grid(False)
    return frozenset(hex_id for hex_id in ALL_HEXES if len(grid.neighbours[hex_id]) < len(DIRECTIONS))


OUTER_EDGE = _outer_edge()


def flood(starts: set[int], inside: set[int] | frozenset[int], grid: Grid) -> set[int]:
    """All hexes reached from ``starts`` by steps on hexes of ``inside``, including the starts."""
    reached = set(starts)
    to_visit = list(starts)
    while to_visit:
        for other in grid.neighbours[to_visit.pop()]:
            if other in inside and other not in reached:
                reached.add(other)
                to_visit.append(other)
    return reached


def areas(hexes: set[int] | frozenset[int], grid: Grid) -> list[set[int]]:
    """``hexes`` divided into connected areas."""
    found = []
    left = set(hexes)
    while left:
        area = flood({next(iter(left))}, left, grid)
        left -= area
        found.append(area)
    return found
