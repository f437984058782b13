"""The observation of a seat: the kernel that writes its packed form, as observe_spec.py specifies it.

Seats are relative to the observing seat: seat 0 of a plane or field is the seat itself, 1 the next seat, and so on. Hidden are the others'
terrain cards (the seat whose turn it is has laid its hand open), the order of the deck and the random stream. Only the seat to move sees
what is legal.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.hexset import load, no_hexes, one_hex, store_rows
from winterkingdom_env.core.observation import News
from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.hidden import is_hidden
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import (
    MANDATORY_PIECES,
    MAX_PLAYERS,
    MOST_TASKS,
    N_CARDS,
    N_HEX_KINDS,
    N_PLACES,
    N_SHEET,
    N_TERRAINS,
    NONE,
    ROWS,
    SCORING_IN_PLAY,
)
from winterkingdom_env.games.kingdom_builder.observe_spec import N_UNIT_SUPPLIES, SPEC, TILE_BITS
from winterkingdom_env.games.kingdom_builder.pieces import hall_hexes, hex_set, warrior_hexes
from winterkingdom_env.games.kingdom_builder.tables import CROSSROADS
from winterkingdom_env.games.kingdom_builder.tiles import ready_sites

U32 = np.uint32
I64 = np.int64
U64 = np.uint64


# First rows and words as plain numbers: kernels freeze them.
def _row(name: str) -> int:
    return SPEC.plane(name) * ROWS


PIECES_ROW, WARRIORS_ROW, WAGONS_ROW, SHIPS_ROW, HALLS_ROW, WALLS_ROW, SCOUTS_ROW, BLOCKED_ROW = (
    _row(name) for name in ("pieces_0", "warriors", "wagons", "ships", "halls", "walls", "scouts", "blocked")
)
TILES_ROW, TWO_TILES_ROW, TAKEABLE_ROW, LEGAL_ROW, PLACED_ROW, LIFTED_ROW, MOVING_ROW = (
    _row(name) for name in ("tiles", "two_tiles", "takeable", "legal_put", "placed", "lifted", "moving")
)
TERRAIN_ROW, KIND_ROW, CAVES_ROW, CAPITOLS_ROW, QUADRANT_ROW = (
    _row(name) for name in ("grass", "tile_kind_1", "caves", "capitols", "quadrant_0")
)
SUPPLY, UNITS, TOKEN_WORDS, HELD_PIECES, DUE, N_HAND, BONUS_USED, ROVERS, LINES, TOOK = (
    SPEC.word(name)
    for name in ("supply", "units", "tokens", "held_pieces", "due", "n_hand", "bonus_used", "rovers", "lines", "took")
)
HELD, READY, HELD_TWICE, READY_TWICE, GOLD = (
    SPEC.word(name) for name in ("held", "ready", "held_twice", "ready_twice", "sheet")
)
SEAT, MOVER, TURN_SEAT, PHASE, RESUMED, BACK, USE, REPEATS, COUNT, LIFTED_UNIT, OUTPOST, DRAWN, SILOS, SILO_MODE = (
    SPEC.word(name)
    for name in (
        "seat", "mover", "turn_seat", "phase", "resumed", "back", "use", "repeats", "count", "lifted_unit", "outpost", "drawn", "silos", "silo_mode",
    )
)  # fmt: skip
N_PLACED, N_PIECES, BOUND_TERRAIN, PLAYED, EXTRA_CARDS, USED_TILES, N_FRAMES, IS_END, ROUND, ROUNDS_LEFT = (
    SPEC.word(name)
    for name in (
        "n_placed", "n_pieces", "terrain", "played", "extra_cards", "used_tiles", "n_frames", "is_end", "round", "rounds_left",
    )
)  # fmt: skip
HAND, OPEN_HAND, DISCARDS, OUT, N_DECK, WALLS_LEFT, TOKEN_STOCK = (
    SPEC.word(name) for name in ("hand", "open_hand", "discards", "out", "n_deck", "walls_left", "token_stock")
)
N_PLAYERS, SCORING, TASK, REMOVED, GOLD_CHANGES, TASK_CHANGES, LANDMARK_CHANGES = (
    SPEC.word(name)
    for name in ("n_players", "scoring", "task", "removed", "gold_changes", "task_changes", "landmark_changes")
)

# The printed values.
PRINTED_GOLD = np.array([card.gold for card in tables.SCORINGS])
PRINTED_TASKS = np.array([card.gold for card in tables.TASKS])
CASTLE_GOLD, PALACE_GOLD = (landmark.gold for landmark in tables.LANDMARKS)


@kernel(inline=True)
def write_land(board, rules, out):
    """Write the planes that are constant during a game."""
    for terrain in range(N_TERRAINS):
        store_rows(out, TERRAIN_ROW + terrain * ROWS, load(board["terrain"], terrain), ROWS)
    for bit in range(TILE_BITS):
        cells = no_hexes()
        for site in range(I64(board["n_sites"])):
            if board["site_hex"][site] != NONE and ((board["site_tile"][site] + 1) >> bit) & 1:
                cells = cells | one_hex(rules["cell"][board["site_hex"][site]])
        store_rows(out, KIND_ROW + bit * ROWS, cells, ROWS)
    store_rows(out, CAVES_ROW, load(board["caves"], 0), ROWS)
    store_rows(out, CAPITOLS_ROW, load(board["capitols"], 0), ROWS)
    for place in range(N_PLACES):
        store_rows(out, QUADRANT_ROW + place * ROWS, load(rules["area"], place), ROWS)


@kernel(inline=True)
def write_table(board, out):
    """Write the fields that are constant during a game."""
    out[N_PLAYERS] = U32(board["n_players"] - 1)
    for k in range(SCORING_IN_PLAY):
        card = I64(board["scoring"][k])
        out[SCORING + k] = U32(card + 1)
        out[GOLD_CHANGES + k] = U32(board["gold"][k] - PRINTED_GOLD[card])
    for k in range(MOST_TASKS):
        task = I64(board["task"][k])
        out[TASK + k] = U32(task + 1)
        out[TASK_CHANGES + k] = U32(0) if task == NONE else U32(board["task_gold"][k] - PRINTED_TASKS[task])
    out[REMOVED] = U32(board["removed"] + 1)
    out[LANDMARK_CHANGES] = U32(board["castle_gold"] - CASTLE_GOLD)
    out[LANDMARK_CHANGES + 1] = U32(board["palace_gold"] - PALACE_GOLD)


@kernel
def write_kinds(first, sites, board, out):
    """Write the kinds of tile of these sites, a bit each, and return those of which there are two."""
    once, twice, rest = U64(0), U64(0), sites
    while rest:
        bit = U64(1) << U64(board["site_tile"][first_bit(rest)])
        rest &= rest - U32(1)
        twice |= once & bit
        once |= bit
    out[first], out[first + 1] = U32(once & U64(0xFFFFFFFF)), U32(once >> U64(32))
    return twice


@kernel(inline=True)
def write_word(first, word, out):
    """Write the 64 bits of a word."""
    out[first], out[first + 1] = U32(word & U64(0xFFFFFFFF)), U32(word >> U64(32))


@kernel
def write_seat(i, player, game, board, out):
    """Write the fields of the i-th seat from the observer on."""
    out[SUPPLY + i] = U32(game["supply"][player])
    for k in range(N_UNIT_SUPPLIES):
        out[UNITS + i * N_UNIT_SUPPLIES + k] = U32(game["unit_supply"][player][k])
    out[TOKEN_WORDS + i] = U32(game["tokens"][player])
    out[HELD_PIECES + i] = U32(game["held_pieces"][player])
    out[DUE + i] = U32(game["due"][player])
    out[N_HAND + i] = U32(game["n_hand"][player])
    out[BONUS_USED + i] = U32(game["bonus_used"][player])
    out[ROVERS + i] = U32(game["rovers"][player])
    out[LINES + i] = game["lines"][player]
    out[TOOK + i] = game["took"][player]
    held_twice = write_kinds(HELD + 2 * i, game["held"][player], board, out)
    ready_twice = write_kinds(READY + 2 * i, ready_sites(player, game), board, out)
    if i == 0:
        write_word(HELD_TWICE, held_twice, out)
        write_word(READY_TWICE, ready_twice, out)


@kernel
def clear_seats(first, out):
    """Write the seats from ``first`` on, which are not in the game."""
    for i in range(first, MAX_PLAYERS):
        store_rows(out, PIECES_ROW + i * ROWS, no_hexes(), ROWS)
        out[SUPPLY + i] = out[TOKEN_WORDS + i] = out[HELD_PIECES + i] = out[DUE + i] = out[N_HAND + i] = U32(0)
        for k in range(N_UNIT_SUPPLIES):
            out[UNITS + i * N_UNIT_SUPPLIES + k] = U32(0)
        out[BONUS_USED + i] = out[ROVERS + i] = out[LINES + i] = out[TOOK + i] = U32(0)
        for k in range(2):
            out[HELD + 2 * i + k] = out[READY + 2 * i + k] = U32(0)
        for k in range(N_SHEET):
            out[GOLD + i * N_SHEET + k] = U32(0)


@kernel(inline=True)
def write_seats(seat, n_seats, game, board, sheet, out):
    """Write pieces and fields of the first ``n_seats`` seats, starting with the observer, and the gold of all of them."""
    n_players = I64(board["n_players"])
    for i in range(n_seats):
        player = (seat + i) % n_players
        store_rows(out, PIECES_ROW + i * ROWS, load(game["pieces"], player), ROWS)
        write_seat(I64(i), player, game, board, out)
    for i in range(n_players):
        for k in range(N_SHEET):
            out[GOLD + i * N_SHEET + k] = U32(sheet[(seat + i) % n_players][k])


@kernel
def write_units(game, board, rules, out):
    """Write the planes of units and city halls."""
    warriors, wagons, ships, halls = no_hexes(), no_hexes(), no_hexes(), no_hexes()
    for player in range(I64(board["n_players"])):
        warriors = warriors | warrior_hexes(player, game, rules)
        wagons = wagons | hex_set(I64(game["wagon"][player]), rules)
        ships = ships | hex_set(I64(game["ship"][player]), rules)
        halls = halls | hall_hexes(player, game, board, rules)
    store_rows(out, WARRIORS_ROW, warriors, ROWS)
    store_rows(out, WAGONS_ROW, wagons, ROWS)
    store_rows(out, SHIPS_ROW, ships, ROWS)
    store_rows(out, HALLS_ROW, halls, ROWS)
    store_rows(out, BLOCKED_ROW, load(game["blocked"], 0), ROWS)


@kernel(inline=True)
def write_tiles(seat, game, board, rules, out):
    """Write the planes of tiles."""
    for first in (TILES_ROW, TWO_TILES_ROW, TAKEABLE_ROW):
        store_rows(out, first, no_hexes(), ROWS)
    for site in range(I64(board["n_sites"])):
        if game["tiles_left"][site] > 0 and board["site_hex"][site] != NONE:
            cell = rules["cell"][board["site_hex"][site]]
            row, bit = cell >> 5, U32(1) << U32(cell & 31)
            out[TILES_ROW + row] |= bit
            if game["tiles_left"][site] > 1:
                out[TWO_TILES_ROW + row] |= bit
            if (game["took"][seat] >> U32(site)) & U32(1) == 0:
                out[TAKEABLE_ROW + row] |= bit


@kernel
def write_hand(first, player, game, out):
    """Write the cards of a hand, per kind; NONE: of nobody."""
    for card in range(N_CARDS):
        out[first + card] = U32(0)
    if player != NONE:
        for k in range(I64(game["n_hand"][player])):
            out[first + I64(game["hand"][player][k])] += U32(1)


@kernel(inline=True)
def write_piles(game, board, out):
    """Write the public information about cards and supplies."""
    for card in range(N_CARDS):
        out[DISCARDS + card] = U32(0)
        out[OUT + card] = U32(game["out"][card])
    for k in range(I64(game["n_discards"])):
        out[DISCARDS + I64(game["discards"][k])] += U32(1)
    out[N_DECK] = U32(game["n_deck"])
    out[WALLS_LEFT] = U32(game["walls_left"])
    out[TOKEN_STOCK] = U32(game["token_stock"])
    out[IS_END] = U32(game["is_end"])
    out[ROUND] = U32(game["round"])
    out[ROUNDS_LEFT] = U32(board["round_limit"] - game["round"])


@kernel(inline=True)
def write_turn(game, rules, out):
    """Write the turn fields."""
    placed = no_hexes()
    for i in range(MANDATORY_PIECES):
        placed = placed | hex_set(I64(game["placed"][i]), rules)
    store_rows(out, PLACED_ROW, placed, ROWS)
    store_rows(out, LIFTED_ROW, hex_set(I64(game["lifted"]), rules), ROWS)
    store_rows(out, MOVING_ROW, hex_set(I64(game["moving"]), rules), ROWS)
    out[PHASE] = U32(game["phase"] + 1)
    out[RESUMED] = U32(game["resumed"] + 1)
    out[BACK] = U32(game["back"] + 1)
    out[USE] = U32(game["use"] + 1)
    out[REPEATS] = U32(game["repeats"])
    out[COUNT] = U32(game["count"])
    out[LIFTED_UNIT] = U32(0) if game["lifted"] == NONE else U32(game["lifted_unit"] + 1)
    out[OUTPOST] = U32(game["outpost"])
    out[DRAWN] = U32(game["drawn"] + 1)
    out[SILOS] = U32(game["silos"])
    out[SILO_MODE] = U32(game["silo_mode"])
    out[N_PLACED] = U32(game["n_placed"])
    out[N_PIECES] = U32(game["n_pieces"])
    out[BOUND_TERRAIN] = U32(game["terrain"] + 1)
    out[PLAYED] = U32(0) if game["played"] == NONE else U32(game["hand"][game["turn_seat"]][game["played"]] + 1)
    out[EXTRA_CARDS] = U32(game["extra_cards"])
    write_word(USED_TILES, game["used_tiles"], out)
    out[N_FRAMES] = U32(game["n_frames"])


@kernel
def observe(seat, news, game, board, rules, legal, sheet, out):
    """Write the packed observation of a seat into ``out`` (uint32); ``sheet`` is the gold if the game ended now.

    ``news``: write only what may have changed, and units, walls and scouts only if the game can have them. The constant planes are half
    of the observation.
    """
    n_players, mover, turn_seat = I64(board["n_players"]), I64(game["seat"]), I64(game["turn_seat"])
    is_over, is_new = game["phase"] == Phase.OVER, news == News.GAME
    if is_new:
        write_land(board, rules, out)
        write_table(board, out)
        clear_seats(n_players, out)
    # Within a turn, only a sword changes another seat. A seat may be asked for its silos after its own last turn.
    is_own = news == News.TURN and not board["has_swords"] and game["phase"] < Phase.SILO
    write_seats(seat, I64(1) if is_own else n_players, game, board, sheet, out)
    if is_new or board["sets"] & CROSSROADS:
        write_units(game, board, rules, out)
    if is_new or board["has_walls"]:
        store_rows(out, WALLS_ROW, load(game["walls"], 0), ROWS)
    if is_new or board["has_scouts"]:
        store_rows(out, SCOUTS_ROW, load(game["scouts"], 0), ROWS)
    write_tiles(seat, game, board, rules, out)
    write_piles(game, board, out)
    write_turn(game, rules, out)
    is_asked = seat == mover and not is_over
    for kind in range(N_HEX_KINDS):
        store_rows(out, LEGAL_ROW + kind * ROWS, load(legal["hexes"], kind) if is_asked else no_hexes(), ROWS)
    write_hand(I64(HAND), seat, game, out)
    is_open = game["phase"] < Phase.SILO and not is_hidden(turn_seat, seat, game)
    write_hand(I64(OPEN_HAND), turn_seat if is_open else I64(NONE), game, out)
    out[SEAT] = U32(seat + 1)
    out[MOVER] = U32(0) if is_over else U32((mover - seat + n_players) % n_players + 1)
    out[TURN_SEAT] = U32((turn_seat - seat + n_players) % n_players + 1)
