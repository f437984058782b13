"""Tiles: taking, losing, and which ones a seat may use (3.3 and 3.4 of the rules). A site is a hex with tiles; sets of sites are bits."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import has
from winterkingdom_env.games.kingdom_builder.kinds import Tile
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD, NONE, TREASURE_GOLD, TREASURE_PAID

I64, U32, U64 = np.int64, np.uint32, np.uint64


@kernel
def ready_sites(seat, game):
    """The sites whose tile the seat may use now."""
    return game["held"][seat] & ~game["fresh"][seat] & ~game["used"][seat]


@kernel
def sites_of(tile, sites, board):
    """Those of these sites that have tiles of a kind."""
    found, rest = U32(0), sites
    while rest:
        site = first_bit(rest)
        rest &= rest - U32(1)
        if board["site_tile"][site] == tile:
            found |= U32(1) << U32(site)
    return found


@kernel
def tile_kinds(sites, board):
    """The kinds of the tiles of these sites, a bit each."""
    kinds, rest = U64(0), sites
    while rest:
        kinds |= U64(1) << U64(board["site_tile"][first_bit(rest)])
        rest &= rest - U32(1)
    return kinds


@kernel
def has_tile(tile, seat, game, board):
    """Whether the seat holds a tile of a kind, in whatever state."""
    return sites_of(tile, game["held"][seat], board) != 0


@kernel
def has_bonus(tile, seat, game, board):
    """Whether the seat holds two tiles of a kind, neither fresh (p. 17)."""
    sites = sites_of(tile, game["held"][seat], board)
    is_two = sites & (sites - U32(1)) != 0
    return is_two and sites & game["fresh"][seat] == 0


@kernel
def use_tile(tile, seat, game, board):
    """Mark the ready tile of a kind with the lowest source hex as used."""
    sites = sites_of(tile, ready_sites(seat, game), board)
    game["used"][seat] |= sites & (~sites + U32(1))


@kernel
def note_used(tile, game):
    """Remember that the turn's seat has used a kind of location tile: the bazaar may repeat it (p. 21)."""
    if tile < FIRST_NOMAD:
        game["used_tiles"] |= U64(1) << U64(tile)


@kernel
def take_tiles(seat, hex_id, game, board):
    """The seat, whose piece arrived on a hex, takes a tile from each site that it touches (p. 3); return how many sites are empty now."""
    rest, n_emptied = board["sites_at"][hex_id] & ~game["took"][seat], I64(0)
    while rest:
        site = first_bit(rest)
        bit = U32(1) << U32(site)
        rest &= ~bit
        if game["tiles_left"][site] == 0:
            continue
        game["tiles_left"][site] -= 1
        game["took"][seat] |= bit
        tile = board["site_tile"][site]
        if tile == Tile.TREASURE:  # p. 9
            game["paid"][seat][TREASURE_PAID] += TREASURE_GOLD
        else:
            game["held"][seat] |= bit
            game["fresh"][seat] |= bit
        if tile == Tile.CATHEDRAL and game["token_stock"] > 0:  # p. 22
            game["token_stock"] -= 1
            game["tokens"][seat] += 1
        n_emptied += game["tiles_left"][site] == 0
    return n_emptied


@kernel
def lose_tile(seat, site, game, board):
    """A tile leaves the game. Another one of its kind is ready if either was (p. 3; decision 12)."""
    bit = U32(1) << U32(site)
    is_ready = ready_sites(seat, game) & bit != 0
    tile = board["site_tile"][site]
    game["held"][seat] &= ~bit
    game["fresh"][seat] &= ~bit
    game["used"][seat] &= ~bit
    others = sites_of(tile, game["held"][seat], board)
    if is_ready and others != 0 and sites_of(tile, ready_sites(seat, game), board) == 0:
        other = others & (~others + U32(1))
        game["fresh"][seat] &= ~other
        game["used"][seat] &= ~other
    if tile == Tile.CATHEDRAL and others == 0:  # decision 13
        game["token_stock"] += game["tokens"][seat]
        game["tokens"][seat] = 0


@kernel
def lose_tiles(seat, game, board, rules):
    """The seat loses every location tile whose source hex touches none of its pieces any more (p. 3)."""
    rest = game["held"][seat]
    while rest:
        site = first_bit(rest)
        rest &= rest - U32(1)
        hex_id = board["site_hex"][site]
        if (
            board["site_tile"][site] < FIRST_NOMAD
            and hex_id != NONE
            and not has(game["near"], seat, rules["cell"][hex_id])
        ):
            lose_tile(seat, site, game, board)


@kernel
def refresh_tiles(game, board):
    """The end of a turn: old nomad tiles of the turn's seat leave, its used tiles and all fresh tiles become ready (3.4 of the rules)."""
    seat = I64(game["turn_seat"])
    rest = game["held"][seat] & ~game["fresh"][seat]
    while rest:
        site = first_bit(rest)
        bit = U32(1) << U32(site)
        rest &= ~bit
        if board["site_tile"][site] >= FIRST_NOMAD:
            game["held"][seat] &= ~bit
    game["used"][seat] = U32(0)
    for player in range(board["n_players"]):
        game["fresh"][player] = U32(0)
    game["bonus_used"][seat] = 0
    game["used_tiles"] = U64(0)
