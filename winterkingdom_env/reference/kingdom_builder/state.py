"""The state of a game: what set-up fixes (``Board``), and what changes (``State`` with its seats, the turn and the question asked)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from winterkingdom_env.reference.kingdom_builder.grid import Grid
from winterkingdom_env.reference.kingdom_builder.names import (
    FRESH,
    GOLD,
    HALL,
    LAND,
    N_SETTLEMENTS,
    N_TOKENS,
    N_WALLS,
    READY,
    SETTLEMENT,
    SHIP,
    SPECIAL,
    WAGON,
    WARRIOR,
)
from winterkingdom_env.reference.kingdom_builder.rng import RandomStream


@dataclass(frozen=True)
class Board:
    """What set-up fixes."""

    num_players: int
    sets: list[str]
    quadrants: list[tuple[str, int]]
    rows: list[str]
    island: list[str] | None
    grid: Grid
    terrain: list[str]  # by hex
    hexes_of: dict[str, frozenset[int]]  # by terrain
    locations: dict[int, str]
    scoring: list[str]
    tasks: list[str]
    removed_terrain: str | None
    caves: list[int]
    capitols: list[int]
    round_limit: int
    gold: dict[str, int] = field(default_factory=dict)  # changed by house rules

    def gold_for(self, name: str) -> int:
        """The gold that a card, a task, a castle or a palace pays for each thing."""
        return self.gold.get(name, GOLD.get(name, 1))

    @cached_property
    def land(self) -> frozenset[int]:
        """Every hex on which settlements are built in general."""
        return frozenset().union(*(self.hexes_of[terrain] for terrain in LAND))

    @cached_property
    def specials(self) -> frozenset[int]:
        """Castles, locations, nomad hexes, palaces, silos."""
        return frozenset().union(*(self.hexes_of[terrain] for terrain in SPECIAL))

    @cached_property
    def areas(self) -> dict[str, list[set[int]]]:
        """The connected areas of every terrain."""
        return {terrain: self.grid.groups(hexes) for terrain, hexes in self.hexes_of.items()}


@dataclass
class Tile:
    """A location tile in front of a player, and the hex it came from; None in a given position: a hex that is never left."""

    kind: str
    source: int | None
    state: str = FRESH

    @property
    def source_order(self) -> int:
        """Tiles stand in the order of their source hexes; without one, first."""
        return -1 if self.source is None else self.source


@dataclass
class NomadTile:
    """A nomad tile in front of a player."""

    kind: str
    state: str = FRESH


@dataclass
class Seat:
    """One player."""

    supply: int = N_SETTLEMENTS
    settlements: set[int] = field(default_factory=set)
    warriors: set[int] = field(default_factory=set)
    wagon: int | None = None
    ship: int | None = None
    hall: int | None = None  # the centre of the city hall
    units: dict[str, int] = field(default_factory=lambda: {WARRIOR: 0, WAGON: 0, SHIP: 0, HALL: 0})  # in supply
    tiles: list[Tile] = field(default_factory=list)
    nomads: list[NomadTile] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)  # the hexes ever taken from
    bonus_used: set[str] = field(default_factory=set)
    hand: list[str] = field(default_factory=list)
    tokens: int = 0
    held: int = 0  # settlements lifted by the temple in this turn
    due: int = 0  # settlements lifted by the temple in an earlier turn
    paid: dict[str, int] = field(default_factory=dict)  # gold during play, by its source
    rovers: set[int] = field(default_factory=set)  # quadrants paid in this turn
    lines: set[int] = field(default_factory=set)  # with an own marker (Mayors)

    @property
    def gold(self) -> int:
        """All gold paid during play."""
        return sum(self.paid.values())

    def pay(self, source: str, gold: int) -> None:
        """Gold during play."""
        self.paid[source] = self.paid.get(source, 0) + gold

    def tiles_of(self, kind: str) -> list[Tile]:
        """The location tiles of a kind."""
        return [tile for tile in self.tiles if tile.kind == kind]

    def ready_tile(self, kind: str) -> Tile | None:
        """The tile of a kind that is used next: of equals, the one with the lowest source hex."""
        ready = [tile for tile in self.tiles_of(kind) if tile.state == READY]
        return min(ready, key=lambda tile: tile.source_order) if ready else None

    def ready_nomad(self, kind: str) -> NomadTile | None:
        """A nomad tile of a kind that can be used."""
        return next((tile for tile in self.nomads if tile.kind == kind and tile.state == READY), None)

    def has_bonus(self, kind: str) -> bool:
        """Whether two tiles of a kind are held and none of them is fresh (p. 17)."""
        tiles = self.tiles_of(kind)
        return len(tiles) >= 2 and all(tile.state != FRESH for tile in tiles)

    def hall_hexes(self, grid: Grid) -> set[int]:
        """The seven hexes of the city hall, if it is built."""
        return set() if self.hall is None else {self.hall, *grid.neighbours[self.hall]}

    def movable(self) -> dict[int, str]:
        """The pieces that can be moved, by hex: settlements and units, not the city hall."""
        kinds = dict.fromkeys(self.settlements, SETTLEMENT) | dict.fromkeys(self.warriors, WARRIOR)
        if self.wagon is not None:
            kinds[self.wagon] = WAGON
        if self.ship is not None:
            kinds[self.ship] = SHIP
        return kinds

    def pieces(self, grid: Grid) -> set[int]:
        """Every hex with a piece of this seat."""
        return set(self.movable()) | self.hall_hexes(grid)

    def put(self, kind: str, hex_id: int) -> None:
        """A settlement or unit stands on a hex."""
        if kind == SETTLEMENT:
            self.settlements.add(hex_id)
        elif kind == WARRIOR:
            self.warriors.add(hex_id)
        elif kind == WAGON:
            self.wagon = hex_id
        else:
            self.ship = hex_id

    def take_off(self, hex_id: int) -> str:
        """The settlement or unit of a hex leaves it; its kind."""
        kind = self.movable()[hex_id]
        self.settlements.discard(hex_id)
        self.warriors.discard(hex_id)
        if kind == WAGON:
            self.wagon = None
        if kind == SHIP:
            self.ship = None
        return kind


@dataclass
class Turn:
    """The turn of a seat."""

    seat: int = 0
    played: str | None = None  # the card whose terrain is bound, or that replaced an exhausted one
    terrain: str | None = None  # bound for the rest of the turn
    placed: list[int] = field(default_factory=list)  # mandatory pieces from the supply
    pieces: int = 3
    due_left: int = 0
    started: bool = False
    ended: bool = False
    used: set[str] = field(default_factory=set)  # location kinds used in this turn
    extra_cards: int = 0


@dataclass
class Now:
    """The question that is asked, and what it remembers."""

    phase: str
    seat: int
    use: str | None = None
    count: int = 0
    lifted: tuple[str, int] | None = None
    moving: int | None = None
    outpost: bool = False
    back_to: str | None = None
    fort: str | None = None
    ask: list[int] = field(default_factory=list)
    silos: int = 0
    silo_mode: str | None = None


@dataclass
class State:
    """A game: the board, and everything that changes."""

    board: Board
    random: RandomStream
    seats: list[Seat]
    tiles: dict[int, int]  # left on every location hex
    nomads: dict[int, str]  # still on their hex
    walls: set[int] = field(default_factory=set)
    walls_left: int = N_WALLS
    scouts: set[int] = field(default_factory=set)
    tokens: int = N_TOKENS
    deck: list[str] = field(default_factory=list)  # the last one is the top
    discards: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    end: bool = False
    round: int = 1
    turn: Turn = field(default_factory=Turn)
    now: Now = field(default_factory=lambda: Now("before", 0))
    stack: list[Now] = field(default_factory=list)  # suspended questions, the oldest first

    @property
    def grid(self) -> Grid:
        """The hexes."""
        return self.board.grid

    @property
    def own(self) -> Seat:
        """The seat that is asked."""
        return self.seats[self.now.seat]

    def pieces_of(self, p: int) -> set[int]:
        """Every hex with a piece of a seat."""
        return self.seats[p].pieces(self.grid)

    def pieces_of_others(self, p: int) -> set[int]:
        """Every hex with a piece of another seat."""
        return set().union(*(self.pieces_of(q) for q in range(len(self.seats)) if q != p))
