"""A snapshot as the seat to act sees it: the board by labels, and words for what lies there. Nothing hidden from the seat is read."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from winterkingdom_env.core.drawing import seat_name
from winterkingdom_env.games.kingdom_builder import kinds, layout, tables
from winterkingdom_env.games.kingdom_builder.actions import hex_labels
from winterkingdom_env.games.kingdom_builder.plain import FRESH
from winterkingdom_env.games.kingdom_builder.rules import hex_cells
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_LETTERS, TERRAIN_NAMES, TILE_NAMES

LAND_NAMES = TERRAIN_NAMES[: kinds.Terrain.WATER]
SPECIAL_NAMES = TERRAIN_NAMES[kinds.Terrain.CASTLE :]
WALL, SCOUT, SETTLEMENT, HALL = "wall", "scout", "settlement", "city hall"
UNIT_OF_USE = {"barracks": "warrior", "wagon": "wagon", "lighthouse": "ship"}
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))  # axial
PREFIX = "bazaar "
DONATION = "donation "
FARMLAND = "farmland"
USE_ROWS = {use.name: use for use in tables.USES}


@cache
def neighbours() -> dict[str, tuple[str, ...]]:
    """The labels around every hex; the island does not touch the board."""
    names = dict(zip(hex_cells(), hex_labels(), strict=True))
    found = {}
    for (row, column), label in names.items():
        near = (names.get((row + down, column + right), "") for down, right in STEPS)
        found[label] = tuple(other for other in near if other[:1] == label[0])
    return found


def the(name: str) -> str:
    """A special action as a subject."""
    if name == FARMLAND:
        return "the farmland action"
    return "the donation" if name.startswith(DONATION) else f"the {name}"


def terrain_words(terrain: str) -> str:
    """A terrain after "is"."""
    if terrain == "nomad":
        return "a nomad hex"
    return f"a {terrain}" if terrain in (*SPECIAL_NAMES, "mountain") else terrain


class Sight:
    """What the seat to act sees."""

    def __init__(self, snapshot: dict[str, Any]) -> None:
        """``snapshot``: of plain.make_snapshot."""
        self.snapshot, self.now, self.turn = snapshot, snapshot["now"], snapshot["turn"]
        self.phase, self.seat = str(self.now["phase"]), int(self.now["seat"])
        self.own: dict[str, Any] = snapshot["seats"][self.seat]
        self.count = int(self.now["count"])
        self.use = str(self.now["use"] or "").removeprefix(PREFIX)

    # The board

    @cached_property
    def terrain(self) -> dict[str, str]:
        """The terrain of every hex of this game."""
        rows = {f"r{row:02}": line for row, line in enumerate(self.snapshot["terrain"])}
        rows |= {f"i{row}": line for row, line in enumerate(self.snapshot["island"] or ())}
        return {
            f"{row}c{column:02}": TERRAIN_NAMES[TERRAIN_LETTERS.index(letter)]
            for row, line in rows.items()
            for column, letter in enumerate(line)
            if letter != "."
        }

    @cached_property
    def things(self) -> dict[str, tuple[str, int]]:
        """What stands on the hexes: its kind and its seat; walls and scouts are nobody's."""
        found = dict.fromkeys(self.snapshot["walls"], (WALL, layout.NONE))
        found |= dict.fromkeys(self.snapshot["scouts"], (SCOUT, layout.NONE))
        for seat, given in enumerate(self.snapshot["seats"]):
            found |= dict.fromkeys(given["settlements"], (SETTLEMENT, seat))
            found |= dict.fromkeys(given["warriors"], ("warrior", seat))
            for unit in ("wagon", "ship"):
                if given[unit] is not None:
                    found[given[unit]] = (unit, seat)
            if given["hall"] is not None:
                found |= dict.fromkeys((given["hall"], *neighbours()[given["hall"]]), (HALL, seat))
        return found

    def around(self, place: str) -> list[str]:
        """The hexes that touch this one."""
        return [other for other in neighbours()[place] if other in self.terrain]

    def is_on_edge(self, place: str) -> bool:
        """Whether a hex lies on the edge of the main board."""
        row, _, column = place[1:].partition("c")
        return place[0] == "r" and bool({int(row), int(column)} & {0, layout.SIDE - 1})

    def touches(self, place: str, terrains: tuple[str, ...]) -> bool:
        """Whether a hex touches one of these terrains; the rim of the island touches water."""
        near = self.around(place)
        is_rim = place[0] == "i" and len(near) < layout.NEIGHBOURS
        return (is_rim and "water" in terrains) or any(self.terrain[other] in terrains for other in near)

    def seats_near(self, place: str) -> list[int]:
        """The seats of the pieces around a hex, one entry for each piece."""
        owners = (self.things.get(other, ("", layout.NONE))[1] for other in self.around(place))
        return [owner for owner in owners if owner != layout.NONE]

    def n_own_near(self, place: str) -> int:
        """The number of own pieces around a hex."""
        return self.seats_near(place).count(self.seat)

    def has_others_near(self, place: str) -> bool:
        """Whether a piece of another seat is around a hex."""
        return any(owner != self.seat for owner in self.seats_near(place))

    # Words for the board

    def whose(self, kind: str, owner: int) -> str:
        """A thing with its owner."""
        if owner == layout.NONE:
            return f"a {kind}"
        if owner == self.seat:
            return f"your {kind}"
        return f"{'the' if kind == HALL else 'a'} {kind} of seat {seat_name(owner)}"

    def why_not_empty(self, place: str) -> str:
        """What stands on a hex."""
        return f"{self.whose(*self.things[place])} stands on {place}" if place in self.things else ""

    def why_blocked(self, place: str) -> str:
        """The warrior that blocks a hex."""
        kinds = [self.things[other] for other in self.around(place) if other in self.things]
        return next((f"{self.whose(*thing)} blocks {place}" for thing in kinds if thing[0] == "warrior"), "")

    @property
    def own_words(self) -> str:
        """The pieces that a new one must touch."""
        has_scouts = self.snapshot["scouts"] and self.seat == self.turn["seat"]
        return "your pieces or the scouts" if has_scouts else "your pieces"

    # Cards and tiles

    @property
    def cards(self) -> list[str]:
        """The terrain cards of the turn's seat that may be meant: they lie open."""
        return [self.turn["played"]] if self.turn["played"] else self.snapshot["seats"][self.turn["seat"]]["hand"]

    @property
    def card_terrains(self) -> list[str]:
        """What card terrain means now."""
        if self.turn["terrain"]:
            return [self.turn["terrain"]]
        return list(dict.fromkeys(terrain for card in self.cards for terrain in card.split("/")))

    @property
    def card_words(self) -> str:
        """The terrain cards in a sentence."""
        if self.turn["terrain"] and self.cards != [self.turn["terrain"]]:
            return f"your terrain in this turn is {self.turn['terrain']}"
        if not self.cards:
            return "you have no terrain card"
        return f"your {'card is' if len(self.cards) == 1 else 'cards are'} {' and '.join(self.cards)}"

    @property
    def pieces_left(self) -> int:
        """The mandatory pieces still to be built: of the supply, then of the temple."""
        rest = int(self.turn["pieces"]) - len(self.turn["placed"])
        return min(rest, int(self.own["supply"])) + int(self.own["due"])

    def states(self, kind: str) -> list[str]:
        """The states of the own tiles of a kind."""
        named = [(tile[0], tile[-1]) for tile in (*self.own["tiles"], *self.own["nomads"])]
        return [state for name, state in named if name == kind]

    def has_bonus(self, kind: str) -> bool:
        """Whether the seat has two tiles of a kind, neither fresh."""
        return len(self.states(kind)) > 1 and FRESH not in self.states(kind)

    def is_nomad(self, kind: str) -> bool:
        """Whether a kind of tile lies on nomad hexes."""
        return TILE_NAMES.index(kind) >= layout.FIRST_NOMAD
