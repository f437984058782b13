"""The check of BOARD records from outside: numbers in range, sites that fit the terrain, cards that fit each other.

Sets of hexes are Python integers here: bit 32 * row + column is a hex. What set-up derives from other fields is compared in check.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.kinds import Measure, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import (
    FIRST_IN_PLAY,
    FIRST_NOMAD,
    ISLAND_FIRST,
    MAX_PLAYERS,
    MOST_FRAMES,
    MOST_ROUNDS,
    MOST_SITES,
    N_BASIC,
    N_HEXES,
    N_ISLANDS,
    N_PLACES,
    N_QUADRANTS,
    N_SCORING,
    N_TERRAINS,
    N_TILES,
    NONE,
    TILES_PER_HEX,
)
from winterkingdom_env.games.kingdom_builder.rules import make_rules

MOST_GOLD = 20  # for each thing that pays
CELLS: list[int] = make_rules()["cell"][0].tolist()
WITH_CAPITOL = (tables.QUADRANT_NAMES.index("oracle"), tables.QUADRANT_NAMES.index("harbor"))
RANGES = {  # first and last value; other fields are derived
    "n_players": (2, MAX_PLAYERS),
    "sets": (0, (1 << len(tables.SETS)) - 1),
    "round_limit": (1, MOST_ROUNDS),
    "quadrant": (0, N_QUADRANTS - 1),
    "is_turned": (0, 1),
    "island": (NONE, N_ISLANDS - 1),
    "terrain_at": (NONE, N_TERRAINS - 1),
    "n_sites": (0, MOST_SITES),
    "site_hex": (NONE, N_HEXES - 1),
    "site_tile": (NONE, N_TILES - 1),
    "cave": (NONE, ISLAND_FIRST - 1),
    "capitol": (NONE, ISLAND_FIRST - 1),
    "scoring": (0, N_SCORING - 1),
    "gold": (-MOST_GOLD, MOST_GOLD),
    "task": (NONE, len(tables.TASKS) - 1),
    "task_gold": (-MOST_GOLD, MOST_GOLD),
    "castle_gold": (0, MOST_GOLD),
    "palace_gold": (0, MOST_GOLD),
    "removed": (NONE, N_BASIC - 1),
    "spare": (0, 0),
}


def range_flaws(record: np.void, ranges: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """The fields with a number out of range."""
    for name, (first, last) in ranges.items():
        if record[name].min() < first or record[name].max() > last:
            yield f"{name} is {record[name].tolist()}; its numbers are {first} to {last}"


def cells_of(rows: np.ndarray) -> int:
    """A set of hexes as an integer."""
    return int.from_bytes(rows.tobytes(), "little")


def place_of(hex_id: int) -> int:
    """The place of the quadrant in which a hex of the main board lies."""
    row, column = divmod(hex_id, 20)
    return 2 * (row // 10) + column // 10


def sites_with(board: np.void, *tiles: Tile) -> int:
    """The sites with tiles of these kinds, a bit each."""
    return sum(1 << site for site, tile in enumerate(board["site_tile"].tolist()) if tile in tiles)


def measures_of(board: np.void) -> list[Measure]:
    """What the scoring cards in play measure."""
    return [tables.SCORINGS[card].measure for card in board["scoring"]]


def board_flaws(board: np.void) -> Iterator[str]:
    """What is wrong with the fields that others are derived from. Each check relies on those before it."""
    yield from range_flaws(board, RANGES)
    yield from _card_flaws(board)
    yield from _terrain_flaws(board)
    yield from _site_flaws(board)
    yield from _cave_flaws(board)
    yield from _capitol_flaws(board)


def _card_flaws(board: np.void) -> Iterator[str]:
    for name in ("quadrant", "scoring"):
        if len(set(board[name].tolist())) < len(board[name]):
            yield f"{name} is {board[name].tolist()}; they must be different"
    tasks = board["task"].tolist()
    n_tasks = len(tasks) - tasks.count(NONE)
    if NONE in tasks[:n_tasks] or len(set(tasks[:n_tasks])) < n_tasks:
        yield f"task is {tasks}; different tasks come first, then {NONE}"
    if board["task_gold"][n_tasks:].any():
        yield f"task_gold is {board['task_gold'].tolist()}, for {n_tasks} tasks"
    measures = measures_of(board)
    in_play = sum(1 << k for k, measure in enumerate(measures) if measure >= FIRST_IN_PLAY)
    if board["in_play"] != in_play:
        yield f"in_play is {board['in_play']}; the scoring cards that pay during the game are {in_play}"
    if (board["removed"] == NONE) == (Measure.TOUCHING_REMOVED in measures):
        yield f"removed is {board['removed']}; only the card Scouts removes a terrain"


def _terrain_flaws(board: np.void) -> Iterator[str]:
    if (board["terrain_at"][:ISLAND_FIRST] == NONE).any():
        yield "terrain_at lacks a hex of the main board"
    has_island = bool((board["terrain_at"][ISLAND_FIRST:] != NONE).any())
    if has_island != (board["island"] != NONE):
        yield f"island is {board['island']}, although terrain_at {'has' if has_island else 'lacks'} hexes of an island"


def _site_flaws(board: np.void) -> Iterator[str]:
    """The sites are the location hexes and the nomad hexes of the main board."""
    terrain, hexes, tiles = (board[name].tolist() for name in ("terrain_at", "site_hex", "site_tile"))
    sites = [
        hex_id
        for hex_id, kind in enumerate(terrain)
        if kind == Terrain.LOCATION or (kind == Terrain.NOMAD and hex_id < ISLAND_FIRST)
    ]
    n_sites = len(sites)
    if board["n_sites"] != n_sites:
        yield f"n_sites is {board['n_sites']}; terrain_at has {n_sites} hexes for tiles"
    if hexes != sites + [NONE] * (MOST_SITES - n_sites):
        yield f"site_hex is {hexes}; the hexes for tiles in terrain_at are {sites}"
    if any(tile != NONE for tile in tiles[n_sites:]):
        yield f"site_tile is {tiles}, for {n_sites} sites"
    for hex_id, tile in zip(sites, tiles, strict=False):
        if tile not in _tiles_for(hex_id, terrain[hex_id], board):
            yield f"site_tile has {tile} on hex {hex_id}, where that tile does not lie"
    nomads = Counter(tile for tile in tiles if tile >= FIRST_NOMAD)
    if not nomads <= Counter(map(int, tables.NOMAD_TILES)):
        yield f"site_tile is {tiles}, with more nomad tiles of a kind than there are"
    if min(n_sites, 1 + TILES_PER_HEX * tiles.count(Tile.CANOE)) > MOST_FRAMES:
        yield f"site_tile is {tiles}, with too many canoes"


def _tiles_for(hex_id: int, terrain: int, board: np.void) -> tuple[Any, ...]:
    """The tiles that may lie on a hex."""
    if terrain == Terrain.NOMAD:
        return tables.NOMAD_TILES
    if hex_id >= ISLAND_FIRST:
        return tables.ISLANDS[board["island"]].tiles
    return tables.QUADRANTS[board["quadrant"][place_of(hex_id)]].tiles


def _cave_flaws(board: np.void) -> Iterator[str]:
    """At most one cave per quadrant, in their order, on mountains far from every special hex of the main board (p. 24)."""
    caves, terrain = board["cave"].tolist(), board["terrain_at"].tolist()
    n_caves = len(caves) - caves.count(NONE)
    places = [place_of(cave) for cave in caves[:n_caves]]
    if NONE in caves[:n_caves] or places != sorted(set(places)):
        yield f"cave is {caves}; there is one per quadrant, in their order, then {NONE}"
    specials = [hex_id for hex_id in range(ISLAND_FIRST) if terrain[hex_id] >= Terrain.CASTLE]
    for cave in caves[:n_caves]:
        if terrain[cave] != Terrain.MOUNTAIN or any(
            _distance(cave, hex_id) < tables.CAVE_DISTANCE for hex_id in specials
        ):
            yield f"cave has hex {cave}, which is not a mountain far from every special hex"


def _distance(one: int, other: int) -> int:
    (row, column), (other_row, other_column) = divmod(CELLS[one], 32), divmod(CELLS[other], 32)
    rows, columns = row - other_row, column - other_column
    return max(abs(rows), abs(columns), abs(rows + columns))


def _capitol_flaws(board: np.void) -> Iterator[str]:
    """A capitol is on a castle of the quadrant oracle or harbor; those come in the order of the places (p. 24)."""
    capitols = [capitol for capitol in board["capitol"].tolist() if capitol != NONE]
    places = [place_of(capitol) for capitol in capitols]
    if places != sorted(set(places)):
        yield f"capitol is {capitols}; there is one per quadrant, in their order"
    for capitol, place in zip(capitols, places, strict=True):
        if board["terrain_at"][capitol] != Terrain.CASTLE or board["quadrant"][place] not in WITH_CAPITOL:
            yield f"capitol has hex {capitol}, which is not a castle of the quadrant oracle or harbor"
    assert place_of(ISLAND_FIRST - 1) == N_PLACES - 1
