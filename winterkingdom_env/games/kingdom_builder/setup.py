"""Set-up of a game: boards, cards and tiles, drawn from the game's own random stream, in the order of 1.3 of the rules."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import has, spread
from winterkingdom_env.core.hexset import load, no_hexes, store
from winterkingdom_env.core.rng import draw, shuffle
from winterkingdom_env.games.kingdom_builder.boards import LOCATION_CODE
from winterkingdom_env.games.kingdom_builder.furnish import furnish_sites, furnish_terrain
from winterkingdom_env.games.kingdom_builder.kinds import Measure, Terrain
from winterkingdom_env.games.kingdom_builder.layout import (
    CARD_COPIES,
    FIRST_IN_PLAY,
    ISLAND_FIRST,
    MANDATORY_PIECES,
    MAX_PLAYERS,
    MOST_CAPITOLS,
    MOST_CARDS,
    MOST_CAVES,
    MOST_FRAMES,
    MOST_HAND,
    MOST_SITES,
    MOST_TASKS,
    N_BASIC,
    N_CARDS,
    N_HEXES,
    N_ISLANDS,
    N_PLACES,
    N_QUADRANTS,
    N_SCORING,
    NONE,
    QUADRANT_HEXES,
    SCORING_IN_PLAY,
    SETTLEMENTS,
    SPECIAL,
    TILES_PER_HEX,
    TOKENS,
    WALLS,
    WARRIORS,
)
from winterkingdom_env.games.kingdom_builder.tables import BASE, CROSSROADS, NOMAD_TILES, QUADRANT_NAMES
from winterkingdom_env.games.kingdom_builder.turn import begin_turn

I64, U32, U64 = np.int64, np.uint32, np.uint64
N_NOMAD_TILES = len(NOMAD_TILES)
NOMAD_ORDER = np.array([int(tile) for tile in NOMAD_TILES])
ORACLE, HARBOR = QUADRANT_NAMES.index("oracle"), QUADRANT_NAMES.index("harbor")


# Boards --------------------------------------------------------------------------------------------------------------


@kernel
def draw_quadrants(game, board, rules, request):
    """Choose the quadrants and how they are turned."""
    order, n = game["deck"], 0
    if request["quadrant"][0] == NONE:
        for quadrant in range(N_QUADRANTS):
            belongs_to = rules["quadrant_set"][quadrant]
            if belongs_to == BASE or belongs_to & request["sets"]:
                order[n] = quadrant
                n += 1
        shuffle(game, order, n)
        for place in range(N_PLACES):
            board["quadrant"][place] = order[place]
        for place in range(N_PLACES):
            board["is_turned"][place] = draw(game, 2)
        return
    for place in range(N_PLACES):
        board["quadrant"][place] = request["quadrant"][place]
        board["is_turned"][place] = request["is_turned"][place]


@kernel
def lay_hex(hex_id, code, board):
    """Write the terrain of a hex and, for a location hex, remember its kind of tile in ``sites_at``."""
    board["terrain_at"][hex_id] = I64(Terrain.LOCATION.value) if code >= LOCATION_CODE else I64(code)
    board["sites_at"][hex_id] = U32(code - LOCATION_CODE) if code >= LOCATION_CODE else U32(0)


@kernel
def lay_quadrants(board, rules, quadrants):
    """Lay the quadrants."""
    for place in range(N_PLACES):
        codes, hexes = quadrants[board["quadrant"][place]], rules["turned"][board["is_turned"][place]][place]
        for k in range(QUADRANT_HEXES):
            lay_hex(hexes[k], codes[k], board)
    for hex_id in range(ISLAND_FIRST, N_HEXES):
        lay_hex(hex_id, NONE, board)


@kernel
def lay_island(board, islands):
    """Lay the island, if there is one."""
    if board["island"] != NONE:
        for k in range(N_HEXES - ISLAND_FIRST):
            lay_hex(ISLAND_FIRST + k, islands[board["island"]][k], board)


@kernel
def lay_sites(game, board):
    """Lay tiles on all location and nomad hexes, ascending; ``deck`` has the shuffled nomad tiles."""
    n = n_nomads = 0
    for hex_id in range(N_HEXES):
        terrain = board["terrain_at"][hex_id]
        if terrain == Terrain.LOCATION:
            board["site_tile"][n], game["tiles_left"][n] = board["sites_at"][hex_id], TILES_PER_HEX
        elif terrain == Terrain.NOMAD:
            board["site_tile"][n], game["tiles_left"][n] = game["deck"][n_nomads], 1
            n_nomads += 1
        else:
            continue
        board["site_hex"][n] = hex_id
        n += 1
    board["n_sites"] = n


@kernel
def shuffle_nomads(game, board):
    """Shuffle the nomad tiles, if a nomad hex is there for them."""
    for hex_id in range(ISLAND_FIRST):
        if board["terrain_at"][hex_id] == Terrain.NOMAD:
            for k in range(N_NOMAD_TILES):
                game["deck"][k] = NOMAD_ORDER[k]
            shuffle(game, game["deck"], N_NOMAD_TILES)
            return


# Cards ------------------------------------------------------------------------------------------------------------------


@kernel
def draw_scoring(game, board, rules, request):
    """Choose the scoring cards."""
    order, n = game["deck"], 0
    if request["scoring"][0] != NONE:
        for k in range(SCORING_IN_PLAY):
            board["scoring"][k] = request["scoring"][k]
    else:
        for card in range(N_SCORING):
            belongs_to = rules["scoring_set"][card]
            if (belongs_to == BASE or belongs_to & request["sets"]) and (request["excluded"] >> card) & 1 == 0:
                order[n] = card
                n += 1
        shuffle(game, order, n)
        for k in range(SCORING_IN_PLAY):
            board["scoring"][k] = order[k]
    board["in_play"] = 0
    for k in range(SCORING_IN_PLAY):
        board["gold"][k] = request["gold"][board["scoring"][k]]
        if rules["measure"][board["scoring"][k]] >= FIRST_IN_PLAY:
            board["in_play"] |= 1 << k


@kernel
def draw_tasks(game, board, rules, request):
    """Choose the tasks: as many as quadrants of Crossroads lie on the table (p. 12)."""
    order, n = game["deck"], request["n_tasks"]
    for k in range(MOST_TASKS):
        board["task"][k], board["task_gold"][k] = NONE, 0
        order[k] = k if n == NONE else request["task"][k]
    if n == NONE:
        n = 0
        for place in range(N_PLACES):
            n += rules["quadrant_set"][board["quadrant"][place]] == CROSSROADS
        if n > 0:
            shuffle(game, order, MOST_TASKS)
    for k in range(n):
        board["task"][k] = order[k]
        board["task_gold"][k] = request["task_gold"][order[k]]


@kernel
def draw_queenies(game, board, rules, request):
    """Choose the places of capitols and caves, and the island (p. 24)."""
    n = 0
    if request["capitol"]:
        for place in range(N_PLACES):
            if board["quadrant"][place] == ORACLE or board["quadrant"][place] == HARBOR:
                board["capitol"][n] = nth_hex(
                    load(board["terrain"], Terrain.CASTLE) & load(rules["area"], place), draw(game, 2), board, rules
                )
                n += 1
    n = 0
    if request["caves"]:
        specials = load(board["terrain"], SPECIAL)
        around = spread(specials, board["links"])
        mountains = load(board["terrain"], Terrain.MOUNTAIN) & ~around & ~spread(around, board["links"])
        for place in range(N_PLACES):
            here = mountains & load(rules["area"], place)
            n_here = n_hexes(here, board, rules)
            if n_here > 0:
                board["cave"][n] = nth_hex(here, draw(game, n_here), board, rules)
                n += 1
    board["island"] = draw(game, N_ISLANDS) if request["island"] == N_ISLANDS else request["island"]


@kernel
def n_hexes(cells, board, rules):
    """Number of hexes of the main board in a set."""
    store(board["caves"], 0, cells)
    n = I64(0)
    for hex_id in range(ISLAND_FIRST):
        n += has(board["caves"], 0, rules["cell"][hex_id])
    return n


@kernel
def nth_hex(cells, n, board, rules):
    """The n-th hex of the main board in a set, counted from 0."""
    store(board["caves"], 0, cells)
    for hex_id in range(ISLAND_FIRST):
        if has(board["caves"], 0, rules["cell"][hex_id]):
            if n == 0:
                return I64(hex_id)
            n -= 1
    return I64(NONE)


@kernel
def make_deck(game, board, rules, request):
    """Make and shuffle the deck; the card Scouts removes a terrain (p. 19)."""
    deck, n = game["deck"], 0
    for card in range(N_BASIC):
        for _ in range(CARD_COPIES):
            deck[n] = card
            n += 1
    if request["swamp_cards"]:
        for card in range(N_BASIC, N_CARDS):
            deck[n] = card
            n += 1
    for k in range(n, MOST_CARDS):
        deck[k] = 0
    shuffle(game, deck, n)
    board["removed"] = NONE
    for k in range(SCORING_IN_PLAY):
        if rules["measure"][board["scoring"][k]] == Measure.TOUCHING_REMOVED:
            board["removed"] = deck[n - 1] % N_BASIC
    if board["removed"] != NONE:
        n = remove_terrain(game, board, n)
        shuffle(game, deck, n)
    game["n_deck"] = n


@kernel
def remove_terrain(game, board, n):
    """All cards with the removed terrain leave the game; return how many are left."""
    left = 0
    for k in range(n):
        card = game["deck"][k]
        game["deck"][k] = 0
        if card % N_BASIC == board["removed"]:
            game["out"][card] += 1
        else:
            game["deck"][left] = card
            left += 1
    return left


# A game -----------------------------------------------------------------------------------------------------------------


@kernel
def clear_board(board):
    """Reset what set-up fills piece by piece."""
    for site in range(MOST_SITES):
        board["site_hex"][site] = board["site_tile"][site] = NONE
    for k in range(MOST_CAVES):
        board["cave"][k] = NONE
    for k in range(MOST_CAPITOLS):
        board["capitol"][k] = NONE
    board["island"] = NONE


@kernel
def clear_seat(seat, game):
    """Reset a seat."""
    store(game["pieces"], seat, no_hexes())
    store(game["near"], seat, no_hexes())
    game["took"][seat] = game["held"][seat] = game["fresh"][seat] = game["used"][seat] = game["lines"][seat] = U32(0)
    for k in range(SCORING_IN_PLAY + 1):
        game["paid"][seat][k] = 0
    for k in range(WARRIORS):
        game["warriors"][seat][k] = NONE
    game["wagon"][seat] = game["ship"][seat] = game["hall"][seat] = NONE
    for k in range(4):
        game["unit_supply"][seat][k] = 0
    for k in range(MOST_HAND):
        game["hand"][seat][k] = NONE
    game["supply"][seat] = game["tokens"][seat] = game["held_pieces"][seat] = game["due"][seat] = 0
    game["bonus_used"][seat] = game["rovers"][seat] = game["n_hand"][seat] = 0


@kernel
def clear_game(game):
    """Reset every field except the random stream."""
    for seat in range(MAX_PLAYERS):
        clear_seat(seat, game)
    store(game["taken"], 0, no_hexes())
    store(game["blocked"], 0, no_hexes())
    store(game["walls"], 0, no_hexes())
    store(game["scouts"], 0, no_hexes())
    game["used_tiles"] = U64(0)
    for k in range(MANDATORY_PIECES):
        game["placed"][k] = NONE
    for site in range(MOST_SITES):
        game["tiles_left"][site] = 0
    for k in range(MOST_CARDS):
        game["deck"][k] = game["discards"][k] = 0
    for card in range(N_CARDS):
        game["out"][card] = 0
    for k in range(MOST_FRAMES):
        game["frames"][k][0] = game["frames"][k][1] = game["frames"][k][2] = 0
    game["lifted"] = game["moving"] = game["resumed"] = game["terrain"] = game["played"] = NONE
    game["use"] = game["back"] = game["drawn"] = NONE
    game["n_frames"] = game["n_deck"] = game["n_discards"] = game["is_end"] = game["turn_seat"] = game["seat"] = 0
    game["n_placed"] = game["extra_cards"] = game["repeats"] = game["count"] = 0
    game["lifted_unit"] = game["outpost"] = game["silos"] = game["silo_mode"] = game["phase"] = 0
    game["round"], game["n_pieces"] = 1, MANDATORY_PIECES
    game["walls_left"], game["token_stock"] = WALLS, TOKENS


@kernel
def deal(game, board):
    """Give every seat its pieces and a card."""
    for seat in range(board["n_players"]):
        game["supply"][seat] = SETTLEMENTS
        if board["sets"] & CROSSROADS:
            game["unit_supply"][seat][0] = WARRIORS
            for k in range(1, 4):
                game["unit_supply"][seat][k] = 1
        game["n_deck"] -= 1
        game["hand"][seat][0], game["n_hand"][seat] = game["deck"][game["n_deck"]], 1
        game["deck"][game["n_deck"]] = 0


@kernel
def set_up(game, board, rules, quadrants, islands, request):
    """Set up a game from the random stream in its record. The same request, layouts and stream give the same game."""
    clear_game(game)
    clear_board(board)
    board["n_players"], board["round_limit"], board["sets"] = (
        request["num_players"],
        request["round_limit"],
        request["sets"],
    )
    board["castle_gold"], board["palace_gold"] = request["castle_gold"], request["palace_gold"]
    draw_quadrants(game, board, rules, request)
    draw_scoring(game, board, rules, request)
    draw_tasks(game, board, rules, request)
    lay_quadrants(board, rules, quadrants)
    shuffle_nomads(game, board)
    # The location tiles of the main board lie before the island is drawn, but sites are numbered by hex: the island's come last.
    lay_sites(game, board)
    furnish_terrain(board, rules)
    draw_queenies(game, board, rules, request)
    if board["island"] != NONE:
        relay_sites(game, board, rules, islands)
        furnish_terrain(board, rules)
    furnish_sites(board, rules)
    make_deck(game, board, rules, request)
    deal(game, board)
    begin_turn(game, board)


@kernel
def relay_sites(game, board, rules, islands):
    """Add the island's hexes and its sites."""
    lay_island(board, islands)
    n = I64(board["n_sites"])
    for hex_id in range(ISLAND_FIRST, N_HEXES):
        if board["terrain_at"][hex_id] == Terrain.LOCATION:
            board["site_hex"][n], board["site_tile"][n] = hex_id, board["sites_at"][hex_id]
            game["tiles_left"][n] = TILES_PER_HEX
            n += 1
    board["n_sites"] = n
