"""The standing of a seat between two turns: what a network values at the end of a turn (core/verbs.py).

No number says which card it comes from. What a card on the table does for a seat shows in what three pieces would gain if its next turn began
now, for each terrain.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import hex_actions, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.grid import meets
from winterkingdom_env.core.hexset import count, load
from winterkingdom_env.core.verbs import PER_POINT, implements
from winterkingdom_env.games.winter_kingdom.layout import (
    FORTS,
    HOUSES,
    MANDATORY_PIECES,
    N_CARD_TERRAINS,
    NONE,
    SCORING_IN_PLAY,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.pieces import goal_hexes
from winterkingdom_env.games.winter_kingdom.turn import has_free_hex
from winterkingdom_env.games.winter_kingdom.world import World, find_legal

copy_game, points = verbs.copy_game.of(World), verbs.points.of(World)
place_greedily = hex_actions.place_greedily.of(World)
I64, U32, U64 = np.int64, np.uint32, np.uint64
F32, F64 = np.float32, np.float64

# The numbers, in this order. "left": the share of the pieces that is left to build.
STANDING: tuple[str, ...] = (
    "points", "best_card_left", "middle_card_left", "worst_card_left", "castles_left",  # points of the scoring cards, sorted, times left
    "coins_left", "few_coins_left", "coins_left_left",  # few: up to 5
    "cards_left", "cards_left_left", "upgrades_left", "upgrades_cards_left", "forts",
    "left", "left_left", "room_left", "free_terrains_left",  # terrains that no own piece touches: such a card may be built anywhere
    "gain", "gain_left", "best_gain_left", "worst_gain_left",  # points of three greedy pieces, mean over the terrains
    "income", "income_left",  # coins of the same pieces
)  # fmt: skip
N_STANDING = len(STANDING)
FEW_COINS = 5

verbs.N_STANDING.set(World, N_STANDING)


@kernel
def begin_as(world, i, seat, terrain):
    """Make game i one in which the seat begins its turn with a card of this terrain."""
    game = world.games[i]
    game["seat"], game["phase"], game["terrain_card"][seat] = seat, Phase.BEFORE, terrain
    game["used"][0] = game["used"][1] = U32(0)
    game["n_placed"] = game["built"] = game["salvaged"] = 0
    game["terrain"] = NONE
    find_legal(world, i)


@kernel
def write_cards(seat, left, sheet, out):
    """Write the points of the scoring cards, the highest first."""
    for k in range(SCORING_IN_PLAY):
        found, place = F32(2.0 * PER_POINT * left * sheet[seat][k]), 1 + k
        while place > 1 and out[place - 1] < found:
            out[place] = out[place - 1]
            place -= 1
        out[place] = found
    out[1 + SCORING_IN_PLAY] = F32(2.0 * PER_POINT * left * sheet[seat][SCORING_IN_PLAY])


@kernel
def write_gains(world, i, seat, spare, left, actions, out, first):
    """Write what three greedy pieces would gain, over the terrains: points, then coins."""
    total, best, worst, coins, n = F64(0), F64(-1e9), F64(1e9), F64(0), 0
    for terrain in range(N_CARD_TERRAINS):
        if not has_free_hex(terrain, world.games[i], world.boards[i]):
            continue
        copy_game(world, i, spare)
        begin_as(world, spare, seat, terrain)
        gain = F64(place_greedily(world, spare, seat, I64(MANDATORY_PIECES), spare + 1, actions))
        coins += world.games[spare]["coins"][seat] - world.games[i]["coins"][seat]
        total, best, worst, n = total + gain, max(best, gain), min(worst, gain), n + 1
    if n == 0:
        best = worst = 0.0
    mean, income = total / max(n, 1), coins / max(n, 1)
    out[first], out[first + 1] = F32(0.2 * mean), F32(0.2 * mean * left)
    out[first + 2], out[first + 3] = F32(0.2 * best * left), F32(0.2 * worst * left)
    out[first + 4], out[first + 5] = F32(0.3 * income), F32(0.3 * income * left)


@implements(verbs.write_standing, World)
@kernel
def write_standing(world, i, seat, spare, weights, actions, out):
    """See core/verbs.py."""
    game, board, sheet = world.games[i], world.boards[i], world.sheets[i]
    left = F64(game["houses_left"][seat] + game["forts_left"][seat]) / F64(HOUSES + FORTS)
    coins, cards = F64(game["coins"][seat]), F64(popcount(U64(game["in_play"][seat])))
    upgraded = F64(popcount(U64(game["upgraded"][seat])))
    out[0] = F32(PER_POINT * points(world, i, seat))
    write_cards(seat, left, sheet, out)
    out[5], out[6] = F32(0.2 * coins * left), F32(0.2 * min(coins, F64(FEW_COINS)) * left)
    out[7] = F32(0.2 * coins * left * left)
    out[8], out[9] = F32(0.3 * cards * left), F32(0.3 * cards * left * left)
    out[10], out[11] = F32(0.3 * upgraded * left), F32(0.1 * upgraded * cards * left)
    out[12] = F32(0.25 * game["forts_left"][seat])
    out[13], out[14] = F32(left), F32(left * left)
    room, free = goal_hexes(game, board, world.rules[0]) & load(game["near"], seat), 0
    for terrain in range(N_CARD_TERRAINS):
        free += not meets(room, load(board["terrain"], terrain))
    out[15], out[16] = F32(0.05 * count(room) * left), F32(0.3 * free * left)
    write_gains(world, i, seat, spare, left, actions, out, I64(17))
