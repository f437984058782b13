"""Many games at once played by networks: kernels that choose in every game of a batch, and gather what a trainer learns from."""

from __future__ import annotations

import math

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.observation import unpack_vector
from winterkingdom_env.core.rng import GAMMA, mixed
from winterkingdom_env.games.winter_kingdom.layout import MAX_PLAYERS, SCORING_IN_PLAY
from winterkingdom_env.games.winter_kingdom.network import (
    N_VECTOR,
    best_of,
    draw_from,
    foresee,
    like_moves,
    make_chances,
)
from winterkingdom_env.games.winter_kingdom.prospect import N_PROSPECT, write_prospects, write_room

I64 = np.int64
U64 = np.uint64
F32 = np.float32
WORLDS = 3  # the game, and two for trying
UNIT = 1.0 / (1 << 53)


@kernel
def act_all(
    which, games, boards, rules, table, legals, sheets, packed, nets, who, streams, is_greedy, worlds, world_legals, world_sheets, room, listed,
    chances, n_moves, moves, prospects, contexts, choices, actions, logs, foreseen,
):  # fmt: skip
    """Choose an action in the games with these numbers, by the network that ``who`` names for its seat to move; without networks only what the seats see is written.

    ``packed`` is what the seats to move see, as the vector environment writes it.
    """
    for i in which:
        game, board, seat = games[i], boards[i], I64(games[i]["seat"])
        copy_record(games, i, worlds, 0)
        copy_record(legals, i, world_legals, 0)
        for player in range(MAX_PLAYERS):
            for k in range(SCORING_IN_PLAY + 1):
                world_sheets[0][player][k] = sheets[i][player][k]
        n = write_prospects(I64(0), board, rules[0], worlds, world_legals, world_sheets, listed, prospects[i])
        n_moves[i] = n
        for k in range(n):
            moves[i, k] = listed[k]
        unpack_vector(packed[i], table, contexts[i, :N_VECTOR])
        write_room(seat, game, board, rules[0], contexts[i], I64(N_VECTOR))
        if nets.shape[0] == 0 or n == 0:
            continue
        net = nets[who[i, seat]]
        like_moves(net, contexts[i], n, moves[i], prospects[i], room, chances)
        make_chances(n, chances)
        streams[i] += U64(GAMMA)
        choice = best_of(n, chances) if is_greedy else draw_from(n, chances, (mixed(streams[i]) >> U64(11)) * UNIT)
        choices[i], actions[i], logs[i] = choice, moves[i, choice], F32(math.log(chances[choice]))
        foresee(net, contexts[i], I64(board["n_players"]), room, foreseen[i])


@kernel
def gather_rows(n_moves, moves, prospects, first, all_moves, all_prospects):
    """Append the listed moves of every row to ``all_moves`` and ``all_prospects`` from ``first`` on; where the next would stand."""
    for i in range(n_moves.shape[0]):
        for k in range(n_moves[i]):
            all_moves[first] = moves[i, k]
            for column in range(N_PROSPECT):
                all_prospects[first, column] = prospects[i, k, column]
            first += 1
    return first
