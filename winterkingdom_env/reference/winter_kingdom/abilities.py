"""What each op of a half of an ability card does (p. 8-11), and cards read from their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES, Ability
from winterkingdom_env.reference.winter_kingdom.grid import (
    ALL_HEXES,
    BOARD_OF,
    CENTRE_BOARD,
    DIRECTIONS,
    OFF_BOARD,
    flood,
)
from winterkingdom_env.reference.winter_kingdom.state import NOTHING, Position, name_place, terrain_right_of

Hexes = set[int] | frozenset[int]
Where = Callable[[Position, int, int], Hexes]
Targets = Callable[[Position, int, int, int], Iterable[int]]
CENTRE_HEXES = frozenset(hex_id for hex_id in ALL_HEXES if BOARD_OF[hex_id] == CENTRE_BOARD)


@dataclass(frozen=True)
class Build:
    """A half that builds."""

    where: Where
    arg: int
    words: str
    page: str
    needs_own_neighbour: bool = True  # if possible, p. 6

    def aimed_at(self, position: Position, seat: int) -> Hexes:
        """The target hexes of the half, free or not."""
        return self.where(position, seat, self.arg)


@dataclass(frozen=True)
class Move:
    """A half that moves a house."""

    where: Targets
    arg: int
    words: str
    page: str

    def targets(self, position: Position, seat: int, source: int) -> Iterable[int]:
        """Where the house on ``source`` may go; the caller removes hexes on which it cannot end."""
        return self.where(position, seat, source, self.arg)


@dataclass(frozen=True)
class BuildJustLeft:
    """A piece of the supply on the hex that the house of the first half came from."""

    words: str = "builds on the hex just left"
    page: str = "p. 10"


@dataclass(frozen=True)
class SecondTerrain:
    """Not an action: it gives the mandatory action a choice of terrain."""

    words: str = "lets the mandatory pieces go on the next terrain"
    page: str = "p. 8"


Half = Build | Move | BuildJustLeft | SecondTerrain


# Building halves


def _on(position: Position, seat: int, terrain: int) -> Hexes:
    return position.land.of_terrain[TERRAIN_NAMES[terrain]]


def _on_card_terrain(position: Position, seat: int, steps: int) -> Hexes:
    card = position.players[seat].terrain_card
    return NOTHING if card is None else position.land.of_terrain[terrain_right_of(card, steps)]


def _next_to(position: Position, seat: int, terrain: int) -> Hexes:
    return position.land.next_to[TERRAIN_NAMES[terrain]] & position.land.buildable


def _next_to_groups(position: Position, seat: int, members: Hexes) -> Hexes:
    """Buildable hexes next to an own group that has a piece on one of ``members``."""
    groups = [group for group in position.groups(seat) if not group.isdisjoint(members)]
    return position.land.grid.around(set().union(*groups)) & position.land.buildable


def _next_to_group_at(position: Position, seat: int, terrain: int) -> Hexes:
    return _next_to_groups(position, seat, position.land.next_to[TERRAIN_NAMES[terrain]])


def _next_to_group_with_fort(position: Position, seat: int, arg: int) -> Hexes:
    # A group that touches an own fort contains it: both are own pieces on adjacent hexes.
    return _next_to_groups(position, seat, position.players[seat].forts)


def _next_to_own_fort(position: Position, seat: int, arg: int) -> Hexes:
    return position.land.grid.around(position.players[seat].forts) & position.land.buildable


def _run_ends(position: Position, owner: int, length: int) -> set[int]:
    """Hexes from which the next ``length`` in some direction all hold pieces of ``owner``."""
    grid = position.land.grid
    pieces = position.players[owner].pieces
    ends = set()
    for first in pieces:
        for direction in range(len(DIRECTIONS)):
            others = grid.line(first, direction, length - 1)
            if len(others) == length - 1 and pieces.issuperset(others):
                ends.add(grid.steps[first][(direction + 3) % 6])
    return ends & position.land.buildable  # drops OFF_BOARD too


def _at_own_run(position: Position, seat: int, length: int) -> Hexes:
    return _run_ends(position, seat, length)


def _at_opponent_run(position: Position, seat: int, length: int) -> Hexes:
    others = [other for other in range(len(position.players)) if other != seat]
    return set().union(*[_run_ends(position, other, length) for other in others])


def _houses_touched(position: Position, seat: int) -> Counter[int]:
    """How many own houses each hex touches; a fort counts as two (p. 4)."""
    player, neighbours = position.players[seat], position.land.grid.neighbours
    touched: Counter[int] = Counter()
    for piece in player.pieces:
        for hex_id in neighbours[piece]:
            touched[hex_id] += player.strength({piece})
    return touched


def _touching_exactly(position: Position, seat: int, houses: int) -> Hexes:
    touched = _houses_touched(position, seat)
    return {hex_id for hex_id in position.land.buildable if touched[hex_id] == houses}


def _touching_at_most(position: Position, seat: int, houses: int) -> Hexes:
    touched = _houses_touched(position, seat)
    return {hex_id for hex_id in position.land.buildable if touched[hex_id] <= houses}


def _edge(position: Position, seat: int, arg: int) -> Hexes:
    return position.land.edge_land


def _centre(position: Position, seat: int, arg: int) -> Hexes:
    return CENTRE_HEXES & position.land.buildable


# Moving halves


def _one(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
    return position.land.grid.neighbours[source]


def _two_straight(position: Position, seat: int, source: int, arg: int) -> Iterator[int]:
    for direction in range(len(DIRECTIONS)):
        line = position.land.grid.line(source, direction, 2)  # jumps over anything
        if len(line) == 2:
            yield line[1]


def _two(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
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


def _until_blocked(position: Position, seat: int, source: int, arg: int) -> Iterator[int]:
    for direction in range(len(DIRECTIONS)):
        yield from _slide(position, source, direction)[-1:]


def _straight(position: Position, seat: int, source: int, arg: int) -> Iterator[int]:
    for direction in range(len(DIRECTIONS)):
        yield from _slide(position, source, direction)


def _passage(position: Position, source: int, terrain: str) -> set[int]:
    """The free hexes of the areas of ``terrain`` on or next to ``source``, including itself if it has this terrain."""
    area = position.land.of_terrain[terrain]
    seeds = {other for other in position.land.grid.neighbours[source] if other in area and other in position.free}
    if source in area:
        seeds.add(source)
    return flood(seeds, area & position.free, position.land.grid) if seeds else set()


def _across(position: Position, seat: int, source: int, terrain: int) -> Iterable[int]:
    name = TERRAIN_NAMES[terrain]
    return position.land.grid.around(_passage(position, source, name)) - position.land.of_terrain[name]


def _across_onto(position: Position, seat: int, source: int, terrain: int) -> Iterable[int]:
    return _passage(position, source, TERRAIN_NAMES[terrain])


def _to_tunnel(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
    at_tunnels = position.land.next_to["tunnel"]
    return NOTHING if source in at_tunnels else at_tunnels


def _through_tunnel(position: Position, seat: int, source: int, arg: int) -> Iterator[int]:
    neighbours, tunnels = position.land.grid.neighbours, position.land.of_terrain["tunnel"]
    for entrance in neighbours[source] & tunnels:
        for way_out in tunnels - {entrance}:
            yield from neighbours[way_out]


def _along(position: Position, source: int, members: Hexes) -> set[int]:
    """Hexes touching the rest of the group of ``members`` that the house on ``source`` belongs to."""
    group = flood({source}, members, position.land.grid)
    return position.land.grid.around(group - {source})


def _along_own_group(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
    return _along(position, source, position.players[seat].pieces)


def _along_any_group(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
    return _along(position, source, set(position.owner))


def _over_same_terrain(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
    same = position.land.of_terrain[position.land.terrain[source]]
    return flood({source}, same & position.free, position.land.grid)


def _within_centre(position: Position, seat: int, source: int, arg: int) -> Iterable[int]:
    if source not in CENTRE_HEXES:
        return NOTHING
    way = CENTRE_HEXES & position.land.buildable & position.free
    return flood({source}, way, position.land.grid)


# By op: the function, its description with the row's argument, and the page.
BUILDS: dict[str, tuple[Where, str, str]] = {
    "BUILD_ON": (_on, "builds on {terrain}", "p. 9"),
    "BUILD_ON_CARD_TERRAIN": (_on_card_terrain, "builds on {card_terrain}", "p. 9, 10"),
    "BUILD_NEXT_TO": (_next_to, "builds next to {terrain}", "p. 9"),
    "BUILD_NEXT_TO_OWN_FORT": (_next_to_own_fort, "builds next to an own fort", "p. 9"),
    "BUILD_NEXT_TO_GROUP_AT": (_next_to_group_at, "builds next to an own group that touches {terrain}", "p. 9"),
    "BUILD_NEXT_TO_GROUP_WITH_FORT": (_next_to_group_with_fort, "builds next to an own group with a fort", "p. 9"),
    "BUILD_AT_OWN_RUN": (_at_own_run, "builds at an end of a straight run of {n} or more own pieces", "p. 9"),
    "BUILD_AT_OPPONENT_RUN": (_at_opponent_run, "builds at an end of a run of {n} or more of one opponent", "p. 9"),
    "BUILD_TOUCHING_EXACTLY": (_touching_exactly, "builds touching exactly {houses}", "p. 9"),
    "BUILD_TOUCHING_AT_MOST": (_touching_at_most, "builds touching at most {houses}", "p. 9"),
    "BUILD_ON_EDGE": (_edge, "builds on the outer edge, on one of the six card terrains", "p. 10"),
    "BUILD_ON_CENTRE_BOARD": (_centre, "builds on the centre board", "p. 10"),
}
MOVES: dict[str, tuple[Targets, str, str]] = {
    "MOVE_ONE": (_one, "moves a house 1 hex", "p. 10, 11"),
    "MOVE_TWO_STRAIGHT": (_two_straight, "moves a house 2 hexes straight", "p. 10"),
    "MOVE_TWO": (_two, "moves a house to a hex at distance 2", "p. 10"),
    "MOVE_ACROSS": (_across, "moves a house across connected free hexes of {ground}, ending off it", "p. 11"),
    "MOVE_ACROSS_ONTO": (_across_onto, "moves a house across connected free hexes of {ground}, ending on it", "p. 11"),
    "MOVE_TO_TUNNEL": (_to_tunnel, "moves a house that touches no tunnel to a hex touching a tunnel", "p. 8"),
    "MOVE_THROUGH_TUNNEL": (_through_tunnel, "moves a house from one tunnel to another", "p. 10"),
    "MOVE_ALONG_OWN_GROUP": (_along_own_group, "moves a house to a hex touching the rest of its own group", "p. 11"),
    "MOVE_ALONG_ANY_GROUP": (_along_any_group, "moves a house to a hex touching the rest of anyone's group", "p. 11"),
    "MOVE_UNTIL_BLOCKED": (_until_blocked, "moves a house straight until it is blocked", "p. 11"),
    "MOVE_STRAIGHT": (_straight, "moves a house straight over free card terrain", "p. 11"),
    "MOVE_OVER_SAME_TERRAIN": (_over_same_terrain, "moves a house over free hexes of its terrain", "p. 11"),
    "MOVE_WITHIN_CENTRE_BOARD": (
        _within_centre, "moves a house along free buildable hexes of the centre board", "p. 11",
    ),
}  # fmt: skip
LONGER_TUNNELS = Move(_one, 0, "moves that house 1 more hex (Longer Tunnels)", "p. 16")


@dataclass(frozen=True)
class AbilityCard:
    """An ability card as its row describes it."""

    halves: dict[str, Half]  # by "I", "II"
    link: str
    costs: dict[str, int]  # by "acquire", "upgrade"

    @property
    def moves_first(self) -> bool:
        """Whether the first action of the card is a move (p. 16, Roads)."""
        return isinstance(self.halves["I"], Move)


def read_card(row: Ability) -> AbilityCard:
    """The ability card of a row; the tunnel card has no second half."""
    halves = {"I": read_half(row.first.name, row.first_arg, "a house")}
    if row.second.name != "NOTHING":
        house = "that house" if row.link.name == "THEN" else "a house"  # the arrow, p. 8
        halves["II"] = read_half(row.second.name, row.second_arg, house)
    return AbilityCard(halves, row.link.name, {"acquire": row.acquire_cost, "upgrade": row.upgrade_cost})


def read_half(op: str, arg: int, house: str) -> Half:
    """The half of an op and its argument; ``house``: the words for the moved house."""
    if op == "BUILD_ON_HEX_JUST_LEFT":
        return BuildJustLeft()
    if op == "MANDATORY_ON_NEXT_TERRAIN":
        return SecondTerrain()
    if op in BUILDS:
        where, words, page = BUILDS[op]
        return Build(where, arg, _words(words, arg), page, needs_own_neighbour=op != "BUILD_AT_OPPONENT_RUN")
    targets, words, page = MOVES[op]
    return Move(targets, arg, _words(words, arg).replace("a house", house), page)


def _words(words: str, arg: int) -> str:
    """The description of an op with its argument: a terrain, a number of places to the right, or a number."""
    places = "" if arg == 1 else f"{arg} places "
    return words.format(
        n=arg,
        houses="1 own house" if arg == 1 else f"{arg} own houses",
        terrain=name_place(TERRAIN_NAMES[arg]),
        ground=TERRAIN_NAMES[arg],
        card_terrain=f"the terrain {places}to the right of the card's" if arg else "the terrain of the played card",
    )
