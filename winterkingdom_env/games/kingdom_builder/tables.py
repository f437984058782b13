"""The tables of Kingdom Builder: quadrants, tiles with what they allow, scoring cards and tasks, one row each.

``page``: of the rulebook. How a row is carried out is elsewhere. The place of a row is its number in
actions, records and observations.
"""

from __future__ import annotations

from typing import NamedTuple

from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Duty, Form, Measure, Op, Task, Terrain, Tile, Unit
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD, LAND, N_BASIC, ROUGH, SITE_STEPS, SPECIAL

TERRAIN_NAMES = tuple(terrain.name.lower() for terrain in Terrain)
TERRAIN_LETTERS = "gftcdpawmSLNPO"
CARD_NAMES = (*TERRAIN_NAMES[:N_BASIC], *(f"swamp/{name}" for name in TERRAIN_NAMES[:N_BASIC]))
TILE_NAMES = tuple(tile.name.lower().replace("_", " ") for tile in Tile)
UNIT_NAMES = tuple(unit.name.lower() for unit in Unit)
SETS = ("nomads", "crossroads", "marshlands", "harvest")  # besides the base game
NOMADS, CROSSROADS, MARSHLANDS, HARVEST = (1 << k for k in range(len(SETS)))
BASE = 0
MANY = 99  # as many as can be


class Quadrant(NamedTuple):
    """A quarter of the board."""

    name: str
    set: int  # BASE, or the bit of its set
    tiles: tuple[Tile, ...]  # on its location hexes: all of one kind, or one of each of two kinds
    page: str


# fmt: off
QUADRANTS = (
    Quadrant("oracle",          BASE,       (Tile.ORACLE,), "p. 1"),
    Quadrant("farm",            BASE,       (Tile.FARM,), "p. 1"),
    Quadrant("oasis",           BASE,       (Tile.OASIS,), "p. 1"),
    Quadrant("tower",           BASE,       (Tile.TOWER,), "p. 1"),
    Quadrant("tavern",          BASE,       (Tile.TAVERN,), "p. 1"),
    Quadrant("barn",            BASE,       (Tile.BARN,), "p. 1"),
    Quadrant("harbor",          BASE,       (Tile.HARBOR,), "p. 1"),
    Quadrant("paddock",         BASE,       (Tile.PADDOCK,), "p. 1"),
    Quadrant("quarry",          NOMADS,     (Tile.QUARRY,), "p. 9"),
    Quadrant("caravan",         NOMADS,     (Tile.CARAVAN,), "p. 9"),
    Quadrant("village",         NOMADS,     (Tile.VILLAGE,), "p. 9"),
    Quadrant("garden",          NOMADS,     (Tile.GARDEN,), "p. 9"),
    Quadrant("lighthouse",      CROSSROADS, (Tile.LIGHTHOUSE, Tile.FORESTER), "p. 12"),
    Quadrant("barracks",        CROSSROADS, (Tile.BARRACKS, Tile.CROSSROADS), "p. 12"),
    Quadrant("cityhall",        CROSSROADS, (Tile.CITY_HALL, Tile.FORT), "p. 12"),
    Quadrant("monastery",       CROSSROADS, (Tile.MONASTERY, Tile.WAGON), "p. 12"),
    Quadrant("temple",          MARSHLANDS, (Tile.TEMPLE,), "p. 16"),
    Quadrant("refuge",          MARSHLANDS, (Tile.REFUGE,), "p. 16"),
    Quadrant("canoe",           MARSHLANDS, (Tile.CANOE,), "p. 16"),
    Quadrant("fountain",        MARSHLANDS, (Tile.FOUNTAIN,), "p. 16"),
    Quadrant("bazaar",          HARVEST,    (Tile.BAZAAR, Tile.WATER_MILL), "p. 20"),
    Quadrant("mountainstation", HARVEST,    (Tile.MOUNTAIN_STATION, Tile.SCOUT_CABIN), "p. 20"),
    Quadrant("cathedral",       HARVEST,    (Tile.CATHEDRAL, Tile.WATCHTOWER), "p. 20"),
    Quadrant("university",      HARVEST,    (Tile.UNIVERSITY, Tile.PALISADE), "p. 20"),
)
ISLANDS = (Quadrant("rope bridge", BASE, (Tile.ROPE_BRIDGE,), "p. 24"), Quadrant("tree house", BASE, (Tile.TREE_HOUSE,), "p. 24"))

NOMAD_TILES = (  # p. 8, in the order in which they are shuffled
    *(Tile(FIRST_NOMAD + k) for k in range(7)),
    Tile.RESETTLEMENT, Tile.RESETTLEMENT, Tile.OUTPOST, Tile.OUTPOST, Tile.SWORD, Tile.SWORD, Tile.TREASURE, Tile.TREASURE,
)


class Use(NamedTuple):
    """A special action."""

    needs: Tile | Bonus  # a tile, or what may be done once in a turn
    form: Form
    op: Op
    arg: int
    duty: Duty
    most: int  # pieces or steps
    binds: bool  # the hex binds the terrain of the turn
    page: str
    text: str

    @property
    def name(self) -> str:
        """As in the label of its action."""
        if isinstance(self.needs, Tile):
            return TILE_NAMES[self.needs]
        return {Bonus.REFUGE: "refuge bonus", Bonus.CANOE: "canoe bonus", Bonus.FARMLAND: "farmland", Bonus.CAVE: "cave"}[self.needs]


def _build(needs: Tile | Bonus, op: Op, arg: int, duty: Duty, page: str, text: str, most: int = 1, binds: bool = False) -> Use:
    return Use(needs, Form.BUILD, op, arg, duty, most, binds, page, text)


def _move(needs: Tile | Bonus, op: Op, arg: int, duty: Duty, page: str, text: str, most: int = 1, binds: bool = False) -> Use:
    return Use(needs, Form.MOVE, op, arg, duty, most, binds, page, text)


ADJ, TOUCH, FREELY = Duty.ADJ, Duty.TOUCH, Duty.NONE
USES = (
    _build(Tile.ORACLE,           Op.CARD_TERRAIN,    0,                ADJ,    "p. 6", "build on the terrain of your card", binds=True),
    _build(Tile.FARM,             Op.TERRAIN,         Terrain.GRASS,    ADJ,    "p. 6", "build on grass"),
    _build(Tile.OASIS,            Op.TERRAIN,         Terrain.DESERT,   ADJ,    "p. 6", "build on desert"),
    _build(Tile.TOWER,            Op.EDGE,            0,                ADJ,    "p. 6", "build on the edge of the board"),
    _build(Tile.TAVERN,           Op.OWN_RUN,         3,                FREELY, "p. 6", "build at an end of a straight run of 3 own pieces"),
    _move(Tile.BARN,              Op.CARD_TERRAIN,    0,                ADJ,    "p. 6", "move a piece to the terrain of your card", binds=True),
    _move(Tile.HARBOR,            Op.TERRAIN,         Terrain.WATER,    ADJ,    "p. 6", "move a piece to water"),
    _move(Tile.PADDOCK,           Op.TWO_STRAIGHT,    0,                FREELY, "p. 6", "move a piece two hexes straight"),
    Use(Tile.QUARRY,     Form.WALL,  Op.CARD_TERRAIN, 0,                FREELY, 2, True, "p. 11", "lay 1 or 2 walls on the terrain of your card, next to own pieces"),
    _move(Tile.CARAVAN,           Op.UNTIL_BLOCKED,   0,                FREELY, "p. 11", "move a piece straight until something blocks it"),
    _build(Tile.VILLAGE,          Op.TOUCHING_OWN,    3,                FREELY, "p. 11", "build touching 3 own pieces"),
    _build(Tile.GARDEN,           Op.TERRAIN,         Terrain.FLOWER,   ADJ,    "p. 11", "build on flowers"),
    Use(Tile.LIGHTHOUSE, Form.UNIT,  Op.TERRAIN,      Terrain.WATER,    ADJ, 3, False, "p. 14", "place the ship, move it up to 3 hexes or take it back"),
    _build(Tile.FORESTER,         Op.TERRAIN,         Terrain.FOREST,   ADJ,    "p. 13", "build in a forest"),
    Use(Tile.BARRACKS,   Form.UNIT,  Op.TERRAIN,      LAND,             ADJ, 1, False, "p. 14", "place a warrior or take one back"),
    Use(Tile.CITY_HALL,  Form.HALL,  Op.TERRAIN,      LAND,             TOUCH, 1, False, "p. 13", "build the city hall"),
    _build(Tile.FORT,             Op.DRAWN_CARD,      0,                ADJ,    "p. 13", "draw a card and build on its terrain"),
    _build(Tile.MONASTERY,        Op.TERRAIN,         Terrain.CANYON,   ADJ,    "p. 13", "build in a canyon"),
    Use(Tile.WAGON,      Form.UNIT,  Op.TERRAIN,      ROUGH,            ADJ, 3, False, "p. 14", "place the wagon, move it up to 3 hexes or take it back"),
    Use(Tile.TEMPLE,     Form.TEMPLE, Op.NOTHING,     0,                FREELY, 1, False, "p. 18", "take up a settlement, to be built in your next turn"),
    _move(Tile.REFUGE,            Op.ONE_STEP,        0,                FREELY, "p. 18", "move a piece to a neighbouring hex"),
    _build(Tile.FOUNTAIN,         Op.TOUCHING_ONE,    0,                FREELY, "p. 18", "build touching one own piece and none of the others"),
    _build(Tile.WATER_MILL,       Op.NEXT_TO,         Terrain.WATER,    ADJ,    "p. 22", "build next to water"),
    _build(Tile.MOUNTAIN_STATION, Op.NEXT_TO,         Terrain.MOUNTAIN, ADJ,    "p. 22", "build next to a mountain"),
    Use(Tile.SCOUT_CABIN, Form.SCOUT, Op.NOTHING,     0,                TOUCH, 2, False, "p. 22", "send out 1 or 2 scouts"),
    Use(Tile.CATHEDRAL,  Form.CATHEDRAL, Op.CARD_TERRAIN, 0,            ADJ, MANY, True, "p. 22", "take a token, or build a settlement for each"),
    _build(Tile.WATCHTOWER,       Op.NEXT_TO_OTHERS,  0,                ADJ,    "p. 22", "build next to a piece of another player"),
    _build(Tile.UNIVERSITY,       Op.NEXT_TO,         SPECIAL,          ADJ,    "p. 22", "build next to a special hex"),
    _move(Tile.PALISADE,          Op.OWN_GROUP,       0,                FREELY, "p. 22", "move a piece within its group"),
    _move(Tile.ROPE_BRIDGE,       Op.TERRAIN,         Terrain.CANYON,   ADJ,    "p. 24", "move a piece to a canyon"),
    _move(Tile.TREE_HOUSE,        Op.TERRAIN,         Terrain.FOREST,   ADJ,    "p. 24", "move a piece to a forest"),
    *(
        _build(Tile(FIRST_NOMAD + k), Op.TERRAIN,     terrain,          ADJ,    "p. 9", f"build up to 3 settlements on {terrain.name.lower()}", most=3)
        for k, terrain in enumerate((*list(Terrain)[:N_BASIC], Terrain.WATER, Terrain.MOUNTAIN))
    ),
    _move(Tile.RESETTLEMENT,      Op.ONE_STEP,        0,                FREELY, "p. 9", "move pieces, 4 single steps in all", most=SITE_STEPS),
    Use(Tile.SWORD,      Form.REMOVE, Op.NOTHING,     0,                FREELY, 1, False, "p. 9", "remove a piece of another player"),
    _move(Bonus.REFUGE,           Op.FIRST_FREE,      0,                FREELY, "p. 18", "move a piece straight to the first free hex"),
    _build(Bonus.CANOE,           Op.SWAMP_AND_WATER, 0,                ADJ,    "p. 17", "build on swamp or water"),
    _build(Bonus.FARMLAND,        Op.TERRAIN,         Terrain.FARMLAND, TOUCH,  "p. 21", "build on farmland"),
    _move(Bonus.CAVE,             Op.CAVES,           0,                FREELY, "p. 24", "move a piece from a cave to a cave"),
)
NOT_REPEATED = (Tile.CANOE, Tile.CITY_HALL, Tile.BAZAAR)  # p. 21
REPEATS = tuple(tile for tile in list(Tile)[:FIRST_NOMAD] if tile not in NOT_REPEATED)


class Scoring(NamedTuple):
    """A scoring card."""

    name: str
    set: int
    measure: Measure
    arg: int
    gold: int  # for each thing that it counts
    page: str
    text: str


SCORINGS = (
    Scoring("Fishermen",    BASE,       Measure.TOUCHING, Terrain.WATER,     1, "p. 5", "piece that touches water and is not on water"),
    Scoring("Miners",       BASE,       Measure.TOUCHING, Terrain.MOUNTAIN,  1, "p. 9", "piece that touches a mountain and is not on one"),
    Scoring("Workers",      BASE,       Measure.TOUCHING_SPECIAL, 0,         1, "p. 17", "piece that touches a special hex"),
    Scoring("Merchants",    BASE,       Measure.SPECIALS_JOINED, 0,          4, "p. 5", "special hex that a group joins to another"),
    Scoring("Discoverers",  BASE,       Measure.LINES, 0,                    1, "p. 5", "line with a piece"),
    Scoring("Knights",      BASE,       Measure.BEST_LINE, 0,                2, "p. 5", "piece in the line with most of them"),
    Scoring("Hermits",      BASE,       Measure.GROUPS, 0,                   1, "p. 5", "group"),
    Scoring("Citizens",     BASE,       Measure.LARGEST_GROUP, 2,            1, "p. 5", "two pieces of the largest group"),
    Scoring("Lords",        BASE,       Measure.QUADRANT_RANKS, 0,          12, "p. 5", "quadrant with most pieces; half of it for the next lower number"),
    Scoring("Farmers",      BASE,       Measure.WEAKEST_QUADRANT, 0,         3, "p. 5", "piece in the quadrant with fewest of them"),
    Scoring("Families",     NOMADS,     Measure.FAMILIES, 0,                 2, "p. 10", "mandatory action with its three pieces in a line"),
    Scoring("Shepherds",    NOMADS,     Measure.SHEPHERDS, 0,                2, "p. 10", "piece built with no free neighbour of its terrain"),
    Scoring("Ambassadors",  NOMADS,     Measure.AMBASSADORS, 0,              1, "p. 10", "piece built next to one of another player"),
    Scoring("Geologists",   MARSHLANDS, Measure.AREAS_JOINED, Terrain.MOUNTAIN, 2, "p. 19", "mountain area that a group joins to another"),
    Scoring("Messengers",   MARSHLANDS, Measure.LONGEST_WAY, 0,              2, "p. 19", "hex of the longest way between two pieces of a group"),
    Scoring("Noblewomen",   MARSHLANDS, Measure.SPECIAL_MAJORITIES, 0,       5, "p. 19", "special hex with most pieces touching it"),
    Scoring("Vassals",      MARSHLANDS, Measure.ON_SEAM, 0,                  1, "p. 19", "piece where quadrants meet"),
    Scoring("Captains",     MARSHLANDS, Measure.TOUCHING_OWN, 3,             1, "p. 19", "piece that touches 3 own pieces or more"),
    Scoring("Scouts",       MARSHLANDS, Measure.TOUCHING_REMOVED, 0,         1, "p. 19", "piece that touches the removed terrain and is not on it"),
    Scoring("Homesteaders", HARVEST,    Measure.STRONGEST_QUADRANT, 0,       1, "p. 23", "piece in the quadrant with most of them"),
    Scoring("Rangers",      HARVEST,    Measure.LONELY_LINES, 0,             2, "p. 23", "line with exactly one piece"),
    Scoring("Chainers",     HARVEST,    Measure.TOUCHING_TWO, 2,             1, "p. 23", "piece that touches exactly 2 own pieces"),
    Scoring("Mayors",       HARVEST,    Measure.MARKED_LINES, 4,             4, "p. 23", "line with a marker, for 4 pieces in it"),
    Scoring("Travellers",   HARVEST,    Measure.ON_EDGE, 0,                  1, "p. 23", "piece on the edge"),
    Scoring("Rovers",       HARVEST,    Measure.ROVERS, 0,                   1, "p. 23", "quadrant in which a turn builds"),
)


class TaskCard(NamedTuple):
    """A task of Crossroads."""

    name: str
    task: Task
    gold: int
    page: str
    text: str


TASKS = (
    TaskCard("Home country",    Task.HOME_COUNTRY,    5,  "p. 15", "every hex of an area has an own piece"),
    TaskCard("Fortress",        Task.FORTRESS,        6,  "p. 15", "an own piece with six own neighbours"),
    TaskCard("Road",            Task.ROAD,            7,  "p. 15", "7 own pieces in a row on a diagonal"),
    TaskCard("Place of refuge", Task.PLACE_OF_REFUGE, 8,  "p. 15", "a special hex with six own neighbours"),
    TaskCard("Advance",         Task.ADVANCE,         9,  "p. 15", "7 own pieces on one edge"),
    TaskCard("Compass points",  Task.COMPASS_POINTS,  10, "p. 15", "an own piece on each of the four edges"),
)


class Landmark(NamedTuple):
    """A special hex that always pays at the end."""

    name: str
    gold: int
    page: str
    text: str


LANDMARKS = (
    Landmark("Castle", 3, "p. 3",  "castle that an own piece touches"),
    Landmark("Palace", 5, "p. 17", "palace with most pieces touching it"),
)
# fmt: on
LONG = 7  # pieces of Road and Advance
MAYORS_PIECES = 4
CAPITOL_DISTANCE = 2  # p. 24
CAVE_DISTANCE = 3  # p. 24: from every special hex; decision 36

SCORING_NAMES = tuple(card.name for card in SCORINGS)
TASK_NAMES = tuple(card.name for card in TASKS)
QUADRANT_NAMES = tuple(quadrant.name for quadrant in QUADRANTS)
ISLAND_NAMES = tuple(island.name for island in ISLANDS)
FIRST_GAME = (("tavern", 0), ("paddock", 0), ("oasis", 0), ("farm", 0))  # p. 7; places: decision 40
FIRST_GAME_SCORING = ("Fishermen", "Knights", "Merchants")
