"""What each half of each ability card does (p. 8-11), by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from winterkingdom_env.reference.winter_kingdom.grid import (
    ALL_HEXES,
    BOARD_OF,
    CENTRE_BOARD,
    DIRECTIONS,
    OFF_BOARD,
    flood,
)
from winterkingdom_env.reference.winter_kingdom.state import NOTHING, Position, next_terrain

Hexes = set[int] | frozenset[int]
Where = Callable[[Position, int], Hexes]
Targets = Callable[[Position, int, int], Iterable[int]]
CENTRE_HEXES = frozenset(hex_id for hex_id in ALL_HEXES if BOARD_OF[hex_id] == CENTRE_BOARD)


@dataclass(frozen=True)
class Build:
    """A half that builds: ``where(position, seat)`` are the hexes it aims at, free or not."""

    where: Where
    words: str
    page: str
    needs_own_neighbour: bool = True  # if possible, p. 6


@dataclass(frozen=True)
class Move:
    """A half that moves a house: ``targets(position, seat, source)``; the caller removes what is no landing."""

    targets: Targets
    words: str
    page: str


@dataclass(frozen=True)
class BuildJustLeft:
    """Caravan II: a piece of the supply on the hex the house came from."""

    words: str = "builds on the hex just left"
    page: str = "p. 10"


@dataclass(frozen=True)
class SecondTerrain:
    """Crossroads II: no action of its own, the mandatory action gets a choice."""

    words: str = "lets the mandatory pieces go on the next terrain"
    page: str = "p. 8"


Half = Build | Move | BuildJustLeft | SecondTerrain


# Building halves


def _on(terrain: str) -> Where:
    def where(position: Position, seat: int) -> Hexes:
        return position.land.of_terrain[terrain]

    return where


def _next_to(terrain: str) -> Where:
    def where(position: Position, seat: int) -> Hexes:
        return position.land.next_to[terrain] & position.land.buildable

    return where


def _next_to_group_at(terrain: str) -> Where:
    """Next to an own group that touches the terrain."""

    def where(position: Position, seat: int) -> Hexes:
        touching_it = position.land.next_to[terrain]
        groups = [group for group in position.groups(seat) if not group.isdisjoint(touching_it)]
        return position.land.grid.around(set().union(*groups)) & position.land.buildable

    return where


def _card_terrain(position: Position, seat: int) -> Hexes:
    card = position.players[seat].terrain_card
    return NOTHING if card is None else position.land.of_terrain[card]


def _next_card_terrain(position: Position, seat: int) -> Hexes:
    card = position.players[seat].terrain_card
    return NOTHING if card is None else position.land.of_terrain[next_terrain(card)]


def _next_to_own_fort(position: Position, seat: int) -> Hexes:
    return position.land.grid.around(position.players[seat].forts) & position.land.buildable


def _next_to_group_with_fort(position: Position, seat: int) -> Hexes:
    # A group that touches an own fort contains it: both are own pieces on adjacent hexes.
    forts = position.players[seat].forts
    groups = [group for group in position.groups(seat) if not group.isdisjoint(forts)]
    return position.land.grid.around(set().union(*groups)) & position.land.buildable


def _run_ends(position: Position, owner: int) -> set[int]:
    """Hexes from which the next three in some direction all hold pieces of ``owner``."""
    steps = position.land.grid.steps
    pieces = position.players[owner].pieces
    ends = set()
    for first in pieces:
        for direction in range(6):
            second = steps[first][direction]
            if second in pieces and steps[second][direction] in pieces:
                ends.add(steps[first][(direction + 3) % 6])
    return ends & position.land.buildable  # drops OFF_BOARD too


def _own_run(position: Position, seat: int) -> Hexes:
    return _run_ends(position, seat)


def _opponents_run(position: Position, seat: int) -> Hexes:
    others = [other for other in range(len(position.players)) if other != seat]
    return set().union(*[_run_ends(position, other) for other in others])


def _touching_exactly_one(position: Position, seat: int) -> Hexes:
    player, neighbours = position.players[seat], position.land.grid.neighbours
    near = position.touching(seat) & position.land.buildable & position.free
    return {hex_id for hex_id in near if player.strength(neighbours[hex_id]) == 1}


def _touching_at_most_three(position: Position, seat: int) -> Hexes:
    player, neighbours = position.players[seat], position.land.grid.neighbours
    near = position.touching(seat) & position.free
    too_many = {hex_id for hex_id in near if player.strength(neighbours[hex_id]) > 3}
    return position.land.buildable - too_many


def _edge(position: Position, seat: int) -> Hexes:
    return position.land.edge_land


def _centre(position: Position, seat: int) -> Hexes:
    return CENTRE_HEXES & position.land.buildable


# Moving halves


def _one(position: Position, seat: int, source: int) -> Iterable[int]:
    return position.land.grid.neighbours[source]


def _two_straight(position: Position, seat: int, source: int) -> Iterator[int]:
    for direction in range(len(DIRECTIONS)):
        line = position.land.grid.line(source, direction, 2)  # jumps over anything
        if len(line) == 2:
            yield line[1]


def _two(position: Position, seat: int, source: int) -> Iterable[int]:
    return position.land.grid.at_distance_two[source]


def _slide(position: Position, source: int, direction: int) -> list[int]:
    """The hexes a house slides over before an obstacle: a piece, ice, any unbuildable terrain, the end (p. 11)."""
    steps, land = position.land.grid.steps, position.land.card_land
    path = []
    here = steps[source][direction]
    while here != OFF_BOARD and here in land and here in position.free:
        path.append(here)
        here = steps[here][direction]
    return path


def _until_blocked(position: Position, seat: int, source: int) -> Iterator[int]:
    for direction in range(len(DIRECTIONS)):
        yield from _slide(position, source, direction)[-1:]


def _straight(position: Position, seat: int, source: int) -> Iterator[int]:
    for direction in range(len(DIRECTIONS)):
        yield from _slide(position, source, direction)


def _passage(position: Position, source: int, terrain: str) -> set[int]:
    """The free hexes of the areas of ``terrain`` on or next to ``source``, itself included if it is of the terrain."""
    area = position.land.of_terrain[terrain]
    seeds = {other for other in position.land.grid.neighbours[source] if other in area and other in position.free}
    if source in area:
        seeds.add(source)
    return flood(seeds, area & position.free, position.land.grid) if seeds else set()


def _across_mountains(position: Position, seat: int, source: int) -> Iterable[int]:
    return position.land.grid.around(_passage(position, source, "mountain"))


def _across_ice(position: Position, seat: int, source: int) -> Iterable[int]:
    return position.land.grid.around(_passage(position, source, "ice")) - position.land.of_terrain["ice"]


def _across_onto_ice(position: Position, seat: int, source: int) -> Iterable[int]:
    return _passage(position, source, "ice")


def _to_tunnel(position: Position, seat: int, source: int) -> Iterable[int]:
    at_tunnels = position.land.next_to["tunnel"]
    return NOTHING if source in at_tunnels else at_tunnels


def _through_tunnel(position: Position, seat: int, source: int) -> Iterator[int]:
    neighbours, tunnels = position.land.grid.neighbours, position.land.of_terrain["tunnel"]
    for entrance in neighbours[source] & tunnels:
        for way_out in tunnels - {entrance}:
            yield from neighbours[way_out]


def _along(position: Position, source: int, members: Hexes) -> set[int]:
    """Hexes touching the rest of the group of ``members`` that the house on ``source`` belongs to."""
    group = flood({source}, members, position.land.grid)
    return position.land.grid.around(group - {source})


def _along_own_group(position: Position, seat: int, source: int) -> Iterable[int]:
    return _along(position, source, position.players[seat].pieces)


def _along_any_group(position: Position, seat: int, source: int) -> Iterable[int]:
    return _along(position, source, set(position.owner))


def _over_same_terrain(position: Position, seat: int, source: int) -> Iterable[int]:
    same = position.land.of_terrain[position.land.terrain[source]]
    return flood({source}, same & position.free, position.land.grid)


def _within_centre(position: Position, seat: int, source: int) -> Iterable[int]:
    if source not in CENTRE_HEXES:
        return NOTHING
    way = CENTRE_HEXES & position.land.buildable & position.free
    return flood({source}, way, position.land.grid)


def _builder(terrain: str) -> Build:
    return Build(_on(terrain), f"builds on {terrain}", "p. 9")


_ONE = Move(_one, "moves a house 1 hex", "p. 10")
_ONE_MORE = Move(_one, "moves that house 1 hex", "p. 11")
_TWO_STRAIGHT = Move(_two_straight, "moves a house 2 hexes straight", "p. 10")

HALVES: dict[tuple[str, str], Half] = {
    ("Pasture", "I"): _builder("grassland"),
    ("Pasture", "II"): _ONE_MORE,
    ("Sawmill", "I"): _builder("forest"),
    ("Sawmill", "II"): _ONE_MORE,
    ("Hot springs", "I"): _builder("tundra"),
    ("Hot springs", "II"): _ONE_MORE,
    ("Garden", "I"): _builder("flower field"),
    ("Garden", "II"): _ONE_MORE,
    ("Monastery", "I"): _builder("fell field"),
    ("Monastery", "II"): _ONE_MORE,
    ("Hunting Lodge", "I"): _builder("snowscape"),
    ("Hunting Lodge", "II"): _ONE_MORE,
    ("Mine", "I"): Build(_next_to("mountain"), "builds next to a mountain", "p. 9"),
    ("Mine", "II"): _builder("mountain"),
    ("Port", "I"): _builder("ice"),
    ("Port", "II"): Build(_card_terrain, "builds on the terrain of the played card", "p. 9"),
    ("Market", "I"): Build(_next_to("castle"), "builds next to a castle", "p. 9"),
    ("Market", "II"): Build(_next_to_group_at("castle"), "builds next to an own group that touches a castle", "p. 9"),
    ("Farm", "I"): Build(_next_to("village"), "builds next to a village", "p. 9"),
    ("Farm", "II"): Build(_next_to_group_at("village"), "builds next to an own group that touches a village", "p. 9"),
    ("Barracks", "I"): Build(_next_to_own_fort, "builds next to an own fort", "p. 9"),
    ("Barracks", "II"): Build(_next_to_group_with_fort, "builds next to an own group with a fort", "p. 9"),
    ("Tavern", "I"): Build(_own_run, "builds at an end of a straight run of 3 or more own pieces", "p. 9"),
    ("Tavern", "II"): Build(_opponents_run, "builds at an end of a run of 3 or more of one opponent", "p. 9", False),
    ("Outpost", "I"): Build(_touching_exactly_one, "builds touching exactly 1 own house", "p. 9"),
    ("Outpost", "II"): Build(_touching_at_most_three, "builds touching at most 3 own houses", "p. 9"),
    ("Tower", "I"): Build(_edge, "builds on the outer edge, on one of the six card terrains", "p. 10"),
    ("Tower", "II"): _ONE_MORE,
    ("Homestead", "I"): Build(_centre, "builds on the centre board", "p. 10"),
    ("Homestead", "II"): Move(
        _within_centre, "moves that house along free buildable hexes of the centre board", "p. 11"
    ),
    ("Crossroads", "I"): Build(_next_card_terrain, "builds on the terrain to the right of the card's", "p. 10"),
    ("Crossroads", "II"): SecondTerrain(),
    ("Caravan", "I"): _TWO_STRAIGHT,
    ("Caravan", "II"): BuildJustLeft(),
    ("Mule", "I"): _ONE,
    ("Mule", "II"): _ONE_MORE,
    ("Toboggan", "I"): _ONE,
    ("Toboggan", "II"): _TWO_STRAIGHT,
    ("Horse", "I"): _TWO_STRAIGHT,
    ("Horse", "II"): Move(_two, "moves a house to a hex at distance 2", "p. 10"),
    ("Guide", "I"): Move(_across_mountains, "moves a house across connected free mountains", "p. 11"),
    ("Guide", "II"): Move(_to_tunnel, "moves a house that touches no tunnel to a hex touching a tunnel", "p. 8"),
    ("Dog sled", "I"): Move(_across_ice, "moves a house across connected free ice, ending off the ice", "p. 11"),
    ("Dog sled", "II"): Move(_across_onto_ice, "moves a house across connected free ice, ending on ice", "p. 11"),
    ("Wagon", "I"): Move(_along_own_group, "moves a house to a hex touching the rest of its own group", "p. 11"),
    ("Wagon", "II"): Move(_along_any_group, "moves a house to a hex touching the rest of anyone's group", "p. 11"),
    ("Sleigh", "I"): Move(_until_blocked, "moves a house straight until it is blocked", "p. 11"),
    ("Sleigh", "II"): Move(_straight, "moves a house straight over free card terrain", "p. 11"),
    ("Carriage", "I"): Move(_over_same_terrain, "moves a house over free hexes of its terrain", "p. 11"),
    ("Carriage", "II"): _ONE_MORE,
    ("Tunnel", "I"): Move(_through_tunnel, "moves a house from one tunnel to another", "p. 10"),
}
LONGER_TUNNELS = Move(_one, "moves that house 1 more hex (Longer Tunnels)", "p. 16")


def moves_first(card: str) -> bool:
    """Whether the first action of a card is a move (p. 16, Roads)."""
    return isinstance(HALVES[card, "I"], Move)
