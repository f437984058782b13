"""The state of a game: the land, the players, the turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES
from winterkingdom_env.reference.winter_kingdom.grid import (
    ALL_HEXES,
    BOARD_OF,
    HEX_AT,
    LABELS,
    N_HEXES,
    OUTER_EDGE,
    Grid,
    areas,
    make_grid,
)

N_HOUSES, N_FORTS = 32, 4  # p. 1, per player
# The order in which "the terrain to the right" is found (p. 10); it wraps around.
CARD_TERRAINS = ("fell field", "tundra", "flower field", "grassland", "snowscape", "forest")
BUILDABLE_TERRAINS = (*CARD_TERRAINS, "ice")  # p. 3, p. 6
NOTHING: frozenset[int] = frozenset()


def terrain_right_of(terrain: str, steps: int = 1) -> str:
    """The card terrain ``steps`` places to the right of ``terrain`` (p. 10)."""
    return CARD_TERRAINS[(CARD_TERRAINS.index(terrain) + steps) % len(CARD_TERRAINS)]


def name_place(terrain: str) -> str:
    """A hex of the terrain in words: "a village", "ice"."""
    return terrain if terrain in BUILDABLE_TERRAINS else f"a {terrain}"


@dataclass(frozen=True)
class Land:
    """The boards as laid out, constant during a game."""

    grid: Grid
    terrain: tuple[str, ...]
    of_terrain: dict[str, frozenset[int]]
    next_to: dict[str, frozenset[int]]  # hexes touching a hex of that terrain
    buildable: frozenset[int]
    card_land: frozenset[int]

    @classmethod
    def from_hexes(cls, hexes: Iterable[Mapping[str, Any]], archipelago: bool) -> Land:
        """The land of a set-up. Raises ValueError if its hexes are not the 427 of the game."""
        terrain = [""] * N_HEXES
        for entry in hexes:
            hex_id = HEX_AT.get((entry["row"], entry["col"]))
            if hex_id is None or entry["hex"] != LABELS[hex_id] or entry["board"] != BOARD_OF[hex_id]:
                raise ValueError(f"no such hex on the seven boards: {dict(entry)}.")
            if entry["terrain"] not in TERRAIN_NAMES:
                raise ValueError(f"{entry['hex']}: {entry['terrain']!r} is none of {', '.join(TERRAIN_NAMES)}.")
            terrain[hex_id] = entry["terrain"]
        if "" in terrain:
            raise ValueError(f"the set-up says nothing about {LABELS[terrain.index('')]}.")
        grid = make_grid(archipelago)
        members: dict[str, set[int]] = {name: set() for name in TERRAIN_NAMES}
        for hex_id in ALL_HEXES:
            members[terrain[hex_id]].add(hex_id)
        of_terrain = {name: frozenset(found) for name, found in members.items()}
        return cls(
            grid=grid,
            terrain=tuple(terrain),
            of_terrain=of_terrain,
            next_to={name: frozenset(grid.around(found)) for name, found in of_terrain.items()},
            buildable=frozenset().union(*[of_terrain[name] for name in BUILDABLE_TERRAINS]),
            card_land=frozenset().union(*[of_terrain[name] for name in CARD_TERRAINS]),
        )

    @property
    def edge_land(self) -> frozenset[int]:
        """The hexes of the six card terrains on the outer edge (p. 10, Tower)."""
        return OUTER_EDGE & self.card_land


@dataclass
class CardInPlay:
    """An ability card in front of a player."""

    upgraded: bool = False
    used_halves: set[str] = field(default_factory=set)

    def copy(self) -> CardInPlay:
        """A copy."""
        return CardInPlay(self.upgraded, set(self.used_halves))


@dataclass
class Player:
    """Everything that belongs to one seat."""

    coins: int
    hand: set[str]
    terrain_card: str | None
    houses_left: int = N_HOUSES
    forts_left: int = N_FORTS
    houses: set[int] = field(default_factory=set)
    forts: set[int] = field(default_factory=set)
    in_play: dict[str, CardInPlay] = field(default_factory=dict)
    tunnel_used: bool = False

    @property
    def pieces(self) -> set[int]:
        """Hexes with a house or fort of this seat."""
        return self.houses | self.forts

    @property
    def supply(self) -> int:
        """Houses and forts not yet built."""
        return self.houses_left + self.forts_left

    def strength(self, hexes: set[int] | frozenset[int]) -> int:
        """The seat's houses on ``hexes``; a fort counts as two (p. 4)."""
        return len(self.houses & hexes) + 2 * len(self.forts & hexes)

    def copy(self) -> Player:
        """A copy."""
        return Player(
            self.coins, set(self.hand), self.terrain_card, self.houses_left, self.forts_left,
            set(self.houses), set(self.forts), {name: card.copy() for name, card in self.in_play.items()},
            self.tunnel_used,
        )  # fmt: skip


@dataclass
class Turn:
    """The state of the turn in progress."""

    placed: list[int] = field(default_factory=list)  # the mandatory pieces, in order
    terrain: str | None = None  # the terrain that binds the mandatory pieces
    built: int = 0  # houses built, forts counting two
    card: str | None = None
    half: str | None = None
    lifted: int | None = None
    uses_left: int = 0
    origin: str = "before"  # the phase to return to after the use
    follower: int | None = None  # the house that may continue
    just_left: int | None = None  # the hex it came from
    salvaged: bool = False  # a piece was taken off the board for coins

    def copy(self) -> Turn:
        """A copy."""
        return Turn(
            list(self.placed), self.terrain, self.built, self.card, self.half, self.lifted, self.uses_left,
            self.origin, self.follower, self.just_left, self.salvaged,
        )  # fmt: skip


@dataclass
class Position:
    """The land with the pieces on it: neighbours, groups and free hexes."""

    land: Land
    players: list[Player]
    twist: str | None
    owner: dict[int, int] = field(default_factory=dict)  # hex -> seat
    free: set[int] = field(default_factory=lambda: set(ALL_HEXES))

    def put(self, seat: int, hex_id: int, kind: str) -> None:
        """Put a piece of the supply on the board."""
        player = self.players[seat]
        if kind == "fort":
            player.forts_left -= 1
            player.forts.add(hex_id)
        else:
            player.houses_left -= 1
            player.houses.add(hex_id)
        self.owner[hex_id] = seat
        self.free.remove(hex_id)

    def take(self, seat: int, hex_id: int) -> None:
        """Remove a piece from the game; it does not return to the supply."""
        player = self.players[seat]
        player.houses.discard(hex_id)
        player.forts.discard(hex_id)
        del self.owner[hex_id]
        self.free.add(hex_id)

    def move(self, seat: int, source: int, target: int) -> None:
        """Move a house of ``seat``."""
        self.take(seat, source)
        self.players[seat].houses.add(target)
        self.owner[target] = seat
        self.free.remove(target)

    def has_free(self, terrain: str) -> bool:
        """Whether any hex of ``terrain`` is unoccupied."""
        return not self.land.of_terrain[terrain].isdisjoint(self.free)

    def touching(self, seat: int) -> set[int]:
        """Hexes that touch a piece of ``seat``."""
        return self.land.grid.around(self.players[seat].pieces)

    def within(self, seat: int, distance: int) -> set[int]:
        """Hexes at most ``distance`` steps away from a piece of ``seat`` (p. 16, Mobility)."""
        near = self.players[seat].pieces
        for _ in range(distance):
            near = near | self.land.grid.around(near)
        return near

    def forbidden(self, seat: int) -> set[int] | frozenset[int]:
        """With Impasse, the hexes touching another player's piece (p. 16); otherwise none."""
        if self.twist != "Impasse":
            return NOTHING
        return self.land.grid.around({hex_id for hex_id, other in self.owner.items() if other != seat})

    def landing(self, seat: int) -> set[int]:
        """Where a moved house of ``seat`` may end: free, one of the seven terrains (p. 6), not forbidden."""
        return (self.free & self.land.buildable) - self.forbidden(seat)

    def groups(self, seat: int) -> list[set[int]]:
        """The connected groups of the seat's houses and forts."""
        return areas(self.players[seat].pieces, self.land.grid)

    def copy(self) -> Position:
        """A copy that shares the land."""
        players = [player.copy() for player in self.players]
        return Position(self.land, players, self.twist, dict(self.owner), set(self.free))
