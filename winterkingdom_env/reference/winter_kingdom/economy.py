"""Coins for built pieces (p. 14-15). A fort earns as two houses; moves and Boom's extra piece earn nothing."""

from __future__ import annotations

from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES, Economy
from winterkingdom_env.reference.winter_kingdom.grid import BOARD_OF, OUTER_EDGE, Grid
from winterkingdom_env.reference.winter_kingdom.state import Position


def coins_for_piece(card: Economy, position: Position, seat: int, hex_id: int, top_board: int) -> int:
    """Coins for the piece that ``seat`` has just built on ``hex_id``."""
    player = position.players[seat]
    neighbours = position.land.grid.neighbours[hex_id]
    condition = card.condition.name
    if condition == "NEXT_TO":  # p. 14
        earns = hex_id in position.land.next_to[TERRAIN_NAMES[card.arg]]
    elif condition == "NEXT_TO_OWN_FORT":  # p. 14: another own fort, never the piece itself
        earns = not player.forts.isdisjoint(neighbours)
    elif condition == "ON_TOP_BOARD":  # p. 14
        earns = BOARD_OF[hex_id] == top_board
    elif condition == "ON_EDGE":  # p. 14
        earns = hex_id in OUTER_EDGE
    elif condition == "NO_FREE_SAME_NEIGHBOUR":  # p. 15: no unoccupied neighbour of the same terrain is left
        same = position.land.of_terrain[position.land.terrain[hex_id]]
        earns = not any(other in same and other in position.free for other in neighbours)
    elif condition == "TOUCHING_NO_OWN":  # p. 15: alone, away from all own pieces
        earns = not any(position.owner.get(other) == seat for other in neighbours)
    else:  # a line and salvage do not depend on a single built piece
        assert condition in ("MANDATORY_LINE", "SALVAGE")
        earns = False
    return card.coins * player.strength({hex_id}) if earns else 0


def coins_for_line(card: Economy, placed: list[int], grid: Grid) -> int:
    """Coins for the mandatory pieces built so far; forts do not double them (p. 15, Marble)."""
    return card.coins if card.condition.name == "MANDATORY_LINE" and is_mandatory_line(placed, grid) else 0


def is_mandatory_line(placed: list[int], grid: Grid) -> bool:
    """Whether the mandatory pieces are three hexes in one straight, unbroken line, in any order (p. 15)."""
    if len(placed) != 3:
        return False
    return any(
        set(grid.line(first, direction, 2)) == set(placed) - {first} for first in placed for direction in range(6)
    )
