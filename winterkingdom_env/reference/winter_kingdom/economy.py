"""Coins for built pieces (p. 14-15). A fort earns as two houses; moves and Boom's extra piece earn nothing."""

from __future__ import annotations

from winterkingdom_env.reference.winter_kingdom.grid import BOARD_OF, OUTER_EDGE, Grid
from winterkingdom_env.reference.winter_kingdom.state import Position

NAMES = ("Agriculture", "Arms", "Furs", "Exports", "Livestock", "Hunting", "Marble", "Salvage")
MARBLE_COINS = 2  # p. 15, for the line; forts do not double it
SALVAGE_COINS = {"house": 1, "fort": 2}  # p. 15


def coins_for_piece(economy: str, position: Position, seat: int, hex_id: int, top_board: int) -> int:
    """Coins for the piece that ``seat`` has just built on ``hex_id``."""
    player = position.players[seat]
    neighbours = position.land.grid.neighbours[hex_id]
    if economy == "Agriculture":  # p. 14
        earns = hex_id in position.land.next_to["village"]
    elif economy == "Arms":  # p. 14: another own fort, never the piece itself
        earns = not player.forts.isdisjoint(neighbours)
    elif economy == "Furs":  # p. 14
        earns = BOARD_OF[hex_id] == top_board
    elif economy == "Exports":  # p. 14
        earns = hex_id in OUTER_EDGE
    elif economy == "Livestock":  # p. 15: no unoccupied neighbour of the same terrain is left
        same = position.land.of_terrain[position.land.terrain[hex_id]]
        earns = not any(other in same and other in position.free for other in neighbours)
    elif economy == "Hunting":  # p. 15: alone, away from all own pieces
        earns = not any(position.owner.get(other) == seat for other in neighbours)
    else:  # Marble and Salvage do not look at single pieces
        earns = False
    if not earns:
        return 0
    return 2 if hex_id in player.forts else 1


def is_marble_line(placed: list[int], grid: Grid) -> bool:
    """Whether the mandatory pieces are three hexes in one straight, unbroken line, in any order (p. 15)."""
    if len(placed) != 3:
        return False
    return any(
        set(grid.line(first, direction, 2)) == set(placed) - {first} for first in placed for direction in range(6)
    )
