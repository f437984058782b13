"""What follows from the hexes, sites, caves and capitols of a board: every set of a BOARD."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import all_around, spread, step
from winterkingdom_env.core.hexset import is_empty, load, no_hexes, one_hex, shift_east, shift_north, shift_west, store
from winterkingdom_env.core.sizes import LINKS
from winterkingdom_env.games.kingdom_builder.kinds import Area, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import (
    LAND,
    MOST_CAPITOLS,
    MOST_CAVES,
    MOST_SITES,
    N_HEXES,
    N_TERRAINS,
    NONE,
    ROUGH,
    ROWS,
    SPECIAL,
    WHOLE,
)

U32 = np.uint32


@kernel
def link(cells, board):
    """Join the neighbours within ``cells``."""
    store(board["links"], 0, load(board["links"], 0) | (cells & shift_west(cells)))
    store(board["links"], 1, load(board["links"], 1) | (cells & shift_north(cells)))
    store(board["links"], 2, load(board["links"], 2) | (cells & shift_north(shift_east(cells))))


@kernel
def furnish(board, rules):
    """Derive every set of a BOARD from ``terrain_at``, the sites, the caves and the capitols."""
    furnish_terrain(board, rules)
    furnish_sites(board, rules)


@kernel
def furnish_terrain(board, rules):
    """Derive the sets that depend on ``terrain_at``, and the adjacency of hexes."""
    for terrain in range(N_TERRAINS):
        store(board["terrain"], terrain, no_hexes())
    for hex_id in range(N_HEXES):
        if board["terrain_at"][hex_id] != NONE:
            cell = rules["cell"][hex_id]
            board["terrain"][board["terrain_at"][hex_id]][cell >> 5] |= U32(1) << U32(cell & 31)
    land, whole = no_hexes(), no_hexes()
    for terrain in range(N_TERRAINS):
        if terrain <= Terrain.FARMLAND:
            land = land | load(board["terrain"], terrain)
        whole = whole | load(board["terrain"], terrain)
    mountains = load(board["terrain"], Terrain.MOUNTAIN)
    store(board["terrain"], LAND, land)
    store(board["terrain"], ROUGH, land | mountains)
    store(board["terrain"], SPECIAL, whole & ~land & ~mountains & ~load(board["terrain"], Terrain.WATER))
    store(board["terrain"], WHOLE, whole)
    for k in range(LINKS):
        store(board["links"], k, no_hexes())
        store(board["same"], k, no_hexes())
    link(whole & load(rules["area"], Area.MAIN), board)
    link(whole & load(rules["area"], Area.ISLAND), board)
    for terrain in range(WHOLE + 1):
        cells = load(board["terrain"], terrain)
        store(board["touching"], terrain, spread(cells, board["links"]))
        if terrain < N_TERRAINS:
            for k in range(LINKS):  # a hex and its neighbour in direction 2 k
                same = cells & step(cells, 2 * k + 1, board["links"])
                store(board["same"], k, load(board["same"], k) | same)
    island = whole & load(rules["area"], Area.ISLAND)
    rim = island & ~all_around(island, board["links"])  # touches water that is no hex (2.3 of the rules)
    store(board["touching"], Terrain.WATER, load(board["touching"], Terrain.WATER) | rim)


@kernel
def furnish_sites(board, rules):
    """Derive what depends on sites, caves and capitols."""
    board["has_canoes"] = board["has_bonuses"] = 0
    board["has_swords"] = board["has_walls"] = board["has_scouts"] = 0
    for hex_id in range(N_HEXES):
        board["sites_at"][hex_id] = U32(0)
    for site in range(MOST_SITES):
        tile = board["site_tile"][site]
        board["has_canoes"] |= tile == Tile.CANOE
        board["has_bonuses"] |= tile == Tile.CANOE
        board["has_bonuses"] |= tile == Tile.REFUGE
        board["has_swords"] |= tile == Tile.SWORD
        board["has_walls"] |= tile == Tile.QUARRY
        board["has_scouts"] |= tile == Tile.SCOUT_CABIN
        if board["site_hex"][site] == NONE:
            continue
        cell = rules["cell"][board["site_hex"][site]]
        store(board["caves"], 0, spread(one_hex(cell), board["links"]))
        row = cell >> 5
        for r in range(max(row - 1, 0), min(row + 2, ROWS)):
            rest = board["caves"][0][r]
            while rest:
                board["sites_at"][rules["hex_at"][r][first_bit(rest)]] |= U32(1) << U32(site)
                rest &= rest - U32(1)
    store(board["caves"], 0, no_hexes())
    for k in range(MOST_CAVES):
        if board["cave"][k] != NONE:
            store(board["caves"], 0, load(board["caves"], 0) | one_hex(rules["cell"][board["cave"][k]]))
            board["has_bonuses"] = 1
    store(board["capitols"], 0, no_hexes())
    for k in range(MOST_CAPITOLS):
        if board["capitol"][k] != NONE:
            store(board["capitols"], 0, load(board["capitols"], 0) | one_hex(rules["cell"][board["capitol"][k]]))
    if not is_empty(load(board["terrain"], Terrain.FARMLAND)):
        board["has_bonuses"] = 1
