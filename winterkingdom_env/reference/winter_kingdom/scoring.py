"""Victory points at the end (p. 7, 12-13), each card by its own few lines. A fort counts as two houses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from winterkingdom_env.games.winter_kingdom.tables import SCORINGS
from winterkingdom_env.reference.winter_kingdom.grid import BOARD_OF, OUTER_EDGE, PLACES, areas
from winterkingdom_env.reference.winter_kingdom.state import Player, Position

CASTLE_POINTS = 3  # p. 7
_POINTS = {card.name: card.points for card in SCORINGS}
_THRESHOLD = {card.name: card.arg for card in SCORINGS if card.name in ("Wanderers", "Travellers")}
HOUSES_PER_POINT = 2  # Masses


@dataclass(frozen=True)
class Question:
    """Whose points are asked for, and where."""

    position: Position
    seat: int
    bottom_board: int
    direction: str

    @property
    def player(self) -> Player:
        """The player at the seat."""
        return self.position.players[self.seat]

    def near(self, *terrains: str) -> int:
        """Own houses that touch at least one of the terrains."""
        return self.player.strength(frozenset().union(*[self.position.land.next_to[name] for name in terrains]))


def _line_key(direction: str, hex_id: int) -> int:
    row, col = PLACES[hex_id]
    return {"row": row, "column": col, "diagonal": row + col}[direction]


def knights(q: Question) -> int:
    """Houses in the fullest row of the agreed direction; the row runs through all boards (p. 12)."""
    rows: Counter[int] = Counter()
    for hex_id in q.player.pieces:
        rows[_line_key(q.direction, hex_id)] += q.player.strength({hex_id})
    return max(rows.values(), default=0)


def _group_sizes(q: Question) -> list[int]:
    """Houses of each own group."""
    return [q.player.strength(group) for group in q.position.groups(q.seat)]


def masses(q: Question) -> int:
    """Pairs of houses in the largest own group (p. 12)."""
    return max(_group_sizes(q), default=0) // HOUSES_PER_POINT


def loners(q: Question) -> int:
    """Houses without an own piece on a neighbouring hex (p. 12); a fort is not its own neighbour."""
    return sum(q.player.strength(group) for group in q.position.groups(q.seat) if len(group) == 1)


def followers(q: Question) -> int:
    """Houses that touch an opponent's piece (p. 12)."""
    others = {hex_id for hex_id, seat in q.position.owner.items() if seat != q.seat}
    return q.player.strength(q.position.land.grid.around(others))


def climbers(q: Question) -> int:
    """Houses on a mountain or touching one (p. 12)."""
    return q.player.strength(q.position.land.next_to["mountain"] | q.position.land.of_terrain["mountain"])


def bureaucrats(q: Question) -> int:
    """Houses that touch a castle (p. 12)."""
    return q.near("castle")


def _boards_with(q: Question, threshold: int) -> int:
    houses: Counter[int] = Counter()
    for hex_id in q.player.pieces:
        houses[BOARD_OF[hex_id]] += q.player.strength({hex_id})
    return sum(count >= threshold for count in houses.values())


def wanderers(q: Question) -> int:
    """Terrain boards with at least one own house (p. 12)."""
    return _boards_with(q, _THRESHOLD["Wanderers"])


def travellers(q: Question) -> int:
    """Terrain boards with at least three own houses (p. 12)."""
    return _boards_with(q, _THRESHOLD["Travellers"])


def socialites(q: Question) -> int:
    """Houses that touch a village (p. 13)."""
    return q.near("village")


def nature_lovers(q: Question) -> int:
    """Houses that touch a mountain or ice (p. 13)."""
    return q.near("mountain", "ice")


def ice_fishermen(q: Question) -> int:
    """Houses on ice (p. 13)."""
    return q.player.strength(q.position.land.of_terrain["ice"])


def pioneers(q: Question) -> int:
    """Houses outside the largest own group; of several largest, one is left out (p. 13)."""
    return sum(sorted(_group_sizes(q))[:-1])


def peasants(q: Question) -> int:
    """Houses on the agreed bottom board (p. 13)."""
    return q.player.strength({hex_id for hex_id in q.player.pieces if BOARD_OF[hex_id] == q.bottom_board})


def spelunkers(q: Question) -> int:
    """Tunnels touched by an own piece (p. 13)."""
    return len(q.position.land.of_terrain["tunnel"] & q.position.touching(q.seat))


def _joined(q: Question, terrain: str) -> int:
    """Places of a terrain that one own group joins to at least one other such place."""
    joined: set[int] = set()
    for group in q.position.groups(q.seat):
        touched = q.position.land.grid.around(group) & q.position.land.of_terrain[terrain]
        if len(touched) >= 2:
            joined |= touched
    return len(joined)


def royalty(q: Question) -> int:
    """Castles joined to another castle (p. 13)."""
    return _joined(q, "castle")


def merchants(q: Question) -> int:
    """Villages joined to another village (p. 13)."""
    return _joined(q, "village")


def scouts(q: Question) -> int:
    """Houses on the outer edge (p. 13)."""
    return q.player.strength(OUTER_EDGE)


def _majorities(q: Question, places: list[set[int]]) -> int:
    """Places around which nobody has more houses than the seat, and the seat has some."""
    won = 0
    for place in places:
        around = q.position.land.grid.around(place)
        own = q.player.strength(around)
        won += own > 0 and own == max(player.strength(around) for player in q.position.players)
    return won


def miners(q: Question) -> int:
    """Mountain areas of any size with most houses touching them, ties included (p. 13)."""
    return _majorities(q, areas(q.position.land.of_terrain["mountain"], q.position.land.grid))


def castles(q: Question) -> int:
    """Castles with most houses touching them, ties included (p. 7)."""
    return _majorities(q, [{castle} for castle in q.position.land.of_terrain["castle"]])


_MEASURES: dict[str, Callable[[Question], int]] = {
    "Knights": knights,
    "Masses": masses,
    "Loners": loners,
    "Followers": followers,
    "Climbers": climbers,
    "Bureaucrats": bureaucrats,
    "Wanderers": wanderers,
    "Travellers": travellers,
    "Socialites": socialites,
    "Nature Lovers": nature_lovers,
    "Ice Fishermen": ice_fishermen,
    "Pioneers": pioneers,
    "Peasants": peasants,
    "Spelunkers": spelunkers,
    "Royalty": royalty,
    "Merchants": merchants,
    "Scouts": scouts,
    "Miners": miners,
}
NAMES = tuple(_MEASURES)


def sheet(question: Question, cards: list[str]) -> dict[str, int]:
    """Points by card, and those for castles."""
    points = {name: _POINTS[name] * _MEASURES[name](question) for name in cards}
    points["Castles"] = CASTLE_POINTS * castles(question)
    return points
