"""Set-up of a game: boards, cards and coins, drawn from the game's own random stream (p. 2-3)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import spread, step
from winterkingdom_env.core.hexset import load, no_hexes, store
from winterkingdom_env.core.rng import draw, shuffle
from winterkingdom_env.core.sizes import LINKS
from winterkingdom_env.games.winter_kingdom.layout import (
    BOARD_HEXES,
    BUILDABLE,
    CARD_TERRAINS,
    FORTS,
    HAND_SIZE,
    HOUSES,
    MANDATORY_PIECES,
    MAX_PLAYERS,
    N_ABILITIES,
    N_BOARDS,
    N_CARD_TERRAINS,
    N_CARDS,
    N_ECONOMIES,
    N_HEXES,
    N_SCORING,
    N_TERRAIN_CARDS,
    N_TERRAINS,
    N_TWISTS,
    NONE,
    SCORING_IN_PLAY,
    TERRAIN_CARD_COPIES,
    TUNNEL_CARD,
    Terrain,
    Twist,
)
from winterkingdom_env.games.winter_kingdom.turn import begin_turn

U32 = np.uint32
I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def furnish(board, rules):
    """Derive every set of a BOARD from ``terrain_at`` and ``twist``."""
    seams = I64(board["twist"] == Twist.ARCHIPELAGO)  # p. 16: boards do not touch
    for k in range(LINKS):
        store(board["links"], k, load(rules["links"][seams], k))
        store(board["same"], k, no_hexes())
    for terrain in range(N_TERRAINS):
        store(board["terrain"], terrain, no_hexes())
    for hex_id in range(N_HEXES):
        cell = rules["cell"][hex_id]
        board["terrain"][board["terrain_at"][hex_id]][cell >> 5] |= U32(1) << U32(cell & 31)
    card_terrains = no_hexes()
    for terrain in range(N_TERRAINS):
        cells = load(board["terrain"], terrain)
        store(board["touching"], terrain, spread(cells, board["links"]))
        for k in range(LINKS):  # a hex and its neighbour in direction 2 k
            same = cells & step(cells, 2 * k + 1, board["links"])
            store(board["same"], k, load(board["same"], k) | same)
        if terrain < N_CARD_TERRAINS:
            card_terrains = card_terrains | cells
    store(board["terrain"], CARD_TERRAINS, card_terrains)
    store(board["terrain"], BUILDABLE, card_terrains | load(board["terrain"], Terrain.ICE))


@kernel(inline=True)
def lay_boards(game, board, rules, sides):
    """Lay out the seven boards with random order, sides and rotations; ``sides`` is int8 (14, 61), fronts and backs alternating."""
    order = game["draw_pile"]
    for i in range(N_BOARDS):
        order[i] = i
    shuffle(game, order, N_BOARDS)
    for i in range(N_BOARDS):
        side = 2 * order[i] + draw(game, 2)
        turn = draw(game, 6)
        for place in range(BOARD_HEXES):
            board["terrain_at"][rules["side_hex"][i][turn][place]] = sides[side][place]


@kernel(inline=True)
def draw_table_cards(game, board, request):
    """Draw scoring, economy, twist, top and bottom board, and direction; fixed values of the request replace drawn ones.

    Everything is drawn in any case, so that fixing one card does not change the rest of the set-up.
    """
    order = game["draw_pile"]
    for i in range(N_SCORING):
        order[i] = i
    shuffle(game, order, N_SCORING)
    economy = draw(game, N_ECONOMIES)
    twist = 1 + draw(game, N_TWISTS)
    for i in range(SCORING_IN_PLAY):
        board["scoring"][i] = order[i] if request["scoring"][0] == NONE else request["scoring"][i]
    board["economy"] = economy if request["economy"] == NONE else request["economy"]
    board["twist"] = twist if request["twist"] == NONE else request["twist"]
    top = 1 + draw(game, N_BOARDS - 1)
    board["top"] = top
    board["bottom"] = 1 + (top + draw(game, N_BOARDS - 2)) % (N_BOARDS - 1)  # another outer board
    board["direction"] = draw(game, 3)
    board["n_players"] = request["n_players"]


@kernel
def lay_cards(board, request):
    """Write the card values of this game: of all ability cards, and of the other cards in play."""
    for card in range(N_CARDS):
        for half in range(2):
            board["op"][card][half] = request["op"][card][half]
            board["arg"][card][half] = request["arg"][card][half]
            board["cost"][card][half] = request["cost"][card][half]
        board["link"][card] = request["link"][card]
    for i in range(SCORING_IN_PLAY):
        scoring = board["scoring"][i]
        board["measure"][i] = request["measure"][scoring]
        board["measure_arg"][i] = request["measure_arg"][scoring]
        board["points"][i] = request["points"][scoring]
    economy = board["economy"]
    board["condition"] = request["condition"][economy]
    board["condition_arg"] = request["condition_arg"][economy]
    board["coins"] = request["coins"][economy]
    board["twist_arg"] = request["twist_arg"][board["twist"]]


@kernel(inline=True)
def reset_game(game):
    """Reset every field except the random stream to its value before the deal."""
    for player in range(MAX_PLAYERS):
        store(game["houses"], player, no_hexes())
        store(game["forts"], player, no_hexes())
        store(game["near"], player, no_hexes())
        game["hand"][player] = U32(0)
        game["in_play"][player] = U32(0)
        game["upgraded"][player] = U32(0)
        game["coins"][player] = 0
        game["houses_left"][player] = 0
        game["forts_left"][player] = 0
        game["terrain_card"][player] = NONE
    store(game["taken"], 0, no_hexes())
    game["used"][0] = U32(0)
    game["used"][1] = U32(0)
    for i in range(MANDATORY_PIECES):
        game["placed"][i] = NONE
    for i in range(N_TERRAIN_CARDS):
        game["draw_pile"][i] = 0
        game["discard_pile"][i] = 0
    game["n_draw"] = 0
    game["n_discard"] = 0
    game["lifted"] = NONE
    game["came_to"] = NONE
    game["left"] = NONE
    game["round"] = 1
    game["seat"] = 0
    game["n_placed"] = 0
    game["terrain"] = NONE
    game["built"] = 0
    game["card"] = NONE
    game["half"] = NONE
    game["back"] = NONE
    game["uses_left"] = 0


@kernel(inline=True)
def deal(game, board, rules):
    """Deal hands, terrain cards, pieces and coins."""
    n_players = I64(board["n_players"])
    order = game["draw_pile"]
    for i in range(N_ABILITIES):
        order[i] = i
    shuffle(game, order, N_ABILITIES)
    for i in range(n_players * HAND_SIZE):
        game["hand"][i // HAND_SIZE] |= U32(1) << U32(order[i])
    for i in range(N_TERRAIN_CARDS):
        game["draw_pile"][i] = i // TERRAIN_CARD_COPIES
    shuffle(game, game["draw_pile"], N_TERRAIN_CARDS)
    game["n_draw"] = N_TERRAIN_CARDS
    for player in range(n_players):
        game["n_draw"] -= 1
        game["terrain_card"][player] = game["draw_pile"][game["n_draw"]]
        game["draw_pile"][game["n_draw"]] = 0
        game["in_play"][player] = U32(1) << U32(TUNNEL_CARD)
        game["houses_left"][player] = HOUSES
        game["forts_left"][player] = FORTS
        game["coins"][player] = rules["start_coins"][n_players][player]


@kernel
def set_up(game, board, rules, sides, request):
    """Set up a game from the random stream in its record. The same request, sides and stream give the same game."""
    reset_game(game)
    lay_boards(game, board, rules, sides)
    draw_table_cards(game, board, request)
    lay_cards(board, request)
    furnish(board, rules)
    deal(game, board, rules)
    begin_turn(game, board)
