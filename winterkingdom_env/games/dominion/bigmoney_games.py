"""Whole games between players of the Big Money family inside one kernel."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.games.dominion.bigmoney import choose
from winterkingdom_env.games.dominion.layout import Phase
from winterkingdom_env.games.dominion.scoring import owned
from winterkingdom_env.games.dominion.setup import set_up
from winterkingdom_env.games.dominion.tables import PROVINCE
from winterkingdom_env.games.dominion.turn import answer
from winterkingdom_env.games.dominion.world import World, score

I64 = np.int64
rank = verbs.rank.of(World)


@kernel
def play_games(world, states, players, ranks, rounds, provinces):
    """Play a game per state of the random stream with ``players``, wishes by seat, in one row of the World.

    Writes the ranks (games, seats) and the number of rounds of every game, and the rounds in which seat 0 got its first Provinces:
    ``provinces`` (games, n), 0 where it got fewer.
    """
    game, board, rules = world.games[0], world.boards[0], world.rules[0]
    for i in range(states.shape[0]):
        game["rng"] = states[i]
        set_up(game, board, rules, world.requests[0])
        n_before = I64(0)
        while game["phase"] != Phase.OVER:
            seat = I64(game["seat"])
            answer(game, board, rules, choose(game, board, rules, players[seat]))
            if seat == 0 and provinces.shape[1] > 0:
                n = owned(game, I64(0), I64(PROVINCE))
                if n > n_before and n <= provinces.shape[1]:
                    provinces[i, n - 1] = game["turns"][0]
                n_before = n
        score(world, I64(0))
        rank(world, I64(0), ranks[i])
        rounds[i] = game["turns"][0]
