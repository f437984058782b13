"""The hexes that a seat likes to build on in random games, chosen so that tasks come to be fulfilled."""

from __future__ import annotations

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.reference.kingdom_builder import ReferenceGame
from winterkingdom_env.reference.kingdom_builder.grid import EDGE, EDGES, Grid

SIDE = 20
LONGEST_DIAGONAL = 12
LARGEST_AREA = 8  # hexes of an area that a seat may want to fill


def wanted_hexes(game: ReferenceGame, stream: Stream) -> frozenset[int]:
    """What one seat likes: an edge, all edges, a diagonal, the hexes around a special one, a small area, or nothing in particular."""
    board, grid = game._state.board, game._state.grid
    match stream.draw(6):
        case 0:
            return EDGES[stream.draw(len(EDGES))]
        case 1:
            return EDGE
        case 2:
            return _diagonal(stream)
        case 3:
            return frozenset(grid.neighbours[_one_of(sorted(board.specials), stream)])
        case 4:
            return _small_area(grid, [board.hexes_of[terrain] for terrain in sorted(board.hexes_of)], stream)
        case _:
            return frozenset()


def beside_specials(game: ReferenceGame) -> frozenset[int]:
    """Every hex beside a special one: a seat that likes them takes many tiles."""
    return frozenset(game._state.grid.around(game._state.board.specials))


def _one_of(hexes: list[int], stream: Stream) -> int:
    return hexes[stream.draw(len(hexes))]


def _diagonal(stream: Stream) -> frozenset[int]:
    """The hexes of a diagonal to the south-west or south-east."""
    row, column, is_east = stream.draw(SIDE // 2), stream.draw(SIDE), stream.draw(2)
    found = set[int]()
    while row < SIDE and 0 <= column < SIDE and len(found) < LONGEST_DIAGONAL:
        found.add(SIDE * row + column)
        column += row % 2 + is_east - 1  # 2.1 of the rules: odd rows are shifted to the right
        row += 1
    return frozenset(found)


def _small_area(grid: Grid, terrains: list[frozenset[int]], stream: Stream) -> frozenset[int]:
    areas = [sorted(area) for hexes in terrains for area in grid.groups(hexes) if len(area) <= LARGEST_AREA]
    return frozenset(areas[stream.draw(len(areas))]) if areas else frozenset()
