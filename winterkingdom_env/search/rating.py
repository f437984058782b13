"""Heuristic values: to compare actions one step ahead, and to evaluate the end of a simulation."""

from __future__ import annotations

import math

import numpy as np

from winterkingdom_env.core.verbs import (
    carry_on,
    copy_game,
    count_players,
    generic,
    is_over,
    list_legal,
    rank,
    seat_to_move,
    worth,
)

I64 = np.int64
F64 = np.float64


@generic
def rate_actions(world, i, spare, weights, actions, ratings):
    """Write the legal actions of game i and the heuristic value after each, for the seat to act; return their number.

    Game ``spare`` is scratch.
    """
    seat = I64(seat_to_move(world, i))
    n = list_legal(world, i, actions)
    for k in range(n):
        copy_game(world, i, spare)
        carry_on(world, spare, I64(actions[k]))
        ratings[k] = worth(world, spare, seat, weights)
    return n


@generic
def lead(world, i, seat, weights):
    """The heuristic value for a seat minus the highest one of the other seats."""
    best = F64(-1e9)
    for player in range(count_players(world, i)):
        if player != seat:
            best = max(best, worth(world, i, I64(player), weights))
    return worth(world, i, seat, weights) - best


@generic
def write_shares(world, i, outcomes):
    """Write each seat's share of the win at the end of game i."""
    n_players, n_best = count_players(world, i), 0
    rank(world, i, outcomes)
    for seat in range(n_players):
        n_best += int(outcomes[seat] == 1)
    for seat in range(n_players):
        outcomes[seat] = 1.0 / n_best if outcomes[seat] == 1 else 0.0


@generic
def write_outcomes(world, i, weights, scale, outcomes):
    """Write the estimated outcome for each seat, 0 to 1; after the end, its share of the win."""
    if is_over(world, i):
        write_shares(world, i, outcomes)
        return
    for seat in range(count_players(world, i)):
        outcomes[seat] = 1.0 / (1.0 + math.exp(-lead(world, i, I64(seat), weights) / scale))
