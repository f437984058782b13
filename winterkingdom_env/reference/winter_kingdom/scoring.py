"""Victory points at the end (p. 7, 12-13), one function per measure. A fort counts as two houses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES, Scoring
from winterkingdom_env.reference.winter_kingdom.grid import BOARD_OF, OUTER_EDGE, PLACES, areas
from winterkingdom_env.reference.winter_kingdom.state import Player, Position

CASTLE_POINTS = 3  # p. 7


@dataclass(frozen=True)
class Question:
    """The seat to score, and the position."""

    position: Position
    seat: int
    bottom_board: int
    direction: str

    @property
    def player(self) -> Player:
        """The player at the seat."""
        return self.position.players[self.seat]


def _line_key(direction: str, hex_id: int) -> int:
    row, col = PLACES[hex_id]
    return {"row": row, "column": col, "diagonal": row + col}[direction]


def best_row(q: Question, arg: int) -> int:
    """Houses in the fullest row of the agreed direction; the row runs through all boards (p. 12)."""
    rows: Counter[int] = Counter()
    for hex_id in q.player.pieces:
        rows[_line_key(q.direction, hex_id)] += q.player.strength({hex_id})
    return max(rows.values(), default=0)


def _group_sizes(q: Question) -> list[int]:
    """Houses of each own group."""
    return [q.player.strength(group) for group in q.position.groups(q.seat)]


def in_largest_group(q: Question, houses: int) -> int:
    """The number of full sets of ``houses`` houses in the largest own group (p. 12)."""
    return max(_group_sizes(q), default=0) // houses


def outside_largest_group(q: Question, arg: int) -> int:
    """Houses outside the largest own group; of several largest, one is left out (p. 13)."""
    return sum(sorted(_group_sizes(q))[:-1])


def loners(q: Question, arg: int) -> int:
    """Houses without an own piece on a neighbouring hex (p. 12); a fort is not its own neighbour."""
    return sum(q.player.strength(group) for group in q.position.groups(q.seat) if len(group) == 1)


def touching_opponent(q: Question, arg: int) -> int:
    """Houses that touch an opponent's piece (p. 12)."""
    others = {hex_id for hex_id, seat in q.position.owner.items() if seat != q.seat}
    return q.player.strength(q.position.land.grid.around(others))


def _union(hexes_of: dict[str, frozenset[int]], terrains: int) -> frozenset[int]:
    """The hexes of all terrains in a set, given as bits."""
    names = [name for bit, name in enumerate(TERRAIN_NAMES) if terrains >> bit & 1]
    return frozenset().union(*[hexes_of[name] for name in names])


def on(q: Question, terrains: int) -> int:
    """Houses on one of the terrains (p. 13)."""
    return q.player.strength(_union(q.position.land.of_terrain, terrains))


def touching(q: Question, terrains: int) -> int:
    """Houses that touch at least one of the terrains (p. 12, 13)."""
    return q.player.strength(_union(q.position.land.next_to, terrains))


def on_or_touching(q: Question, terrains: int) -> int:
    """Houses on one of the terrains or touching one (p. 12)."""
    land = q.position.land
    return q.player.strength(_union(land.of_terrain, terrains) | _union(land.next_to, terrains))


def boards_with(q: Question, at_least: int) -> int:
    """Terrain boards with at least this many own houses (p. 12)."""
    houses: Counter[int] = Counter()
    for hex_id in q.player.pieces:
        houses[BOARD_OF[hex_id]] += q.player.strength({hex_id})
    return sum(count >= at_least for count in houses.values())


def on_bottom_board(q: Question, arg: int) -> int:
    """Houses on the agreed bottom board (p. 13)."""
    return q.player.strength({hex_id for hex_id in q.player.pieces if BOARD_OF[hex_id] == q.bottom_board})


def on_edge(q: Question, arg: int) -> int:
    """Houses on the outer edge (p. 13)."""
    return q.player.strength(OUTER_EDGE)


def tunnels_touched(q: Question, arg: int) -> int:
    """Tunnels touched by an own piece (p. 13)."""
    return len(q.position.land.of_terrain["tunnel"] & q.position.touching(q.seat))


def _joined(q: Question, terrain: str) -> int:
    """Hexes of a terrain that one own group connects to at least one other such hex."""
    joined: set[int] = set()
    for group in q.position.groups(q.seat):
        touched = q.position.land.grid.around(group) & q.position.land.of_terrain[terrain]
        if len(touched) >= 2:
            joined |= touched
    return len(joined)


def castles_joined(q: Question, arg: int) -> int:
    """Castles joined to another castle (p. 13)."""
    return _joined(q, "castle")


def villages_joined(q: Question, arg: int) -> int:
    """Villages joined to another village (p. 13)."""
    return _joined(q, "village")


def _majorities(q: Question, places: list[set[int]]) -> int:
    """The number of places around which the seat has the most houses, ties included, and at least one."""
    won = 0
    for place in places:
        around = q.position.land.grid.around(place)
        own = q.player.strength(around)
        won += own > 0 and own == max(player.strength(around) for player in q.position.players)
    return won


def mountain_majorities(q: Question, arg: int) -> int:
    """Mountain areas of any size with most houses touching them, ties included (p. 13)."""
    return _majorities(q, areas(q.position.land.of_terrain["mountain"], q.position.land.grid))


def castles(q: Question) -> int:
    """Castles with most houses touching them, ties included (p. 7)."""
    return _majorities(q, [{castle} for castle in q.position.land.of_terrain["castle"]])


MEASURES: dict[str, Callable[[Question, int], int]] = {
    "BEST_ROW": best_row,
    "IN_LARGEST_GROUP": in_largest_group,
    "OUTSIDE_LARGEST_GROUP": outside_largest_group,
    "LONERS": loners,
    "TOUCHING_OPPONENT": touching_opponent,
    "ON_OR_TOUCHING": on_or_touching,
    "TOUCHING": touching,
    "ON": on,
    "BOARDS_WITH": boards_with,
    "ON_BOTTOM_BOARD": on_bottom_board,
    "ON_EDGE": on_edge,
    "TUNNELS_TOUCHED": tunnels_touched,
    "CASTLES_JOINED": castles_joined,
    "VILLAGES_JOINED": villages_joined,
    "MOUNTAIN_MAJORITIES": mountain_majorities,
}


def sheet(question: Question, cards: list[Scoring]) -> dict[str, int]:
    """Points by card, and those for castles."""
    points = {card.name: card.points * MEASURES[card.measure.name](question, card.arg) for card in cards}
    points["Castles"] = CASTLE_POINTS * castles(question)
    return points
