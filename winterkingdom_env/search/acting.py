"""Batched inference: one kernel call evaluates networks and samples actions for all rows of a batch."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.batch import copy_across
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.observation import News, unpack_vector
from winterkingdom_env.core.rng import GAMMA, mixed
from winterkingdom_env.core.verbs import (
    N_ENTRIES,
    count_players,
    generic,
    seat_to_move,
    write_extra,
    write_features,
)
from winterkingdom_env.search.network import apply_softmax, best_of, draw_from, write_logits, write_values

I64 = np.int64
U64 = np.uint64
F32 = np.float32
TRIES = 3  # games: a copy of the row's game, and two for scratch
UNIT = 1.0 / (1 << 53)


class Choices(NamedTuple):
    """Inputs and outputs of ``act_all``, a row per game; the last three arrays are scratch."""

    who: Any  # int64 (n, seats): index of the network that plays each seat
    streams: Any  # uint64 (n,): random streams for sampling
    n_moves: Any  # int64 (n,): number of legal actions
    moves: Any  # int16 (n, actions)
    features: Any  # float32 (n, actions, N_FEATURES)
    contexts: Any  # float32 (n, N_CONTEXT)
    choices: Any  # int64 (n,): index of the chosen move
    actions: Any  # int64 (n,): the chosen action
    log_probs: Any  # float32 (n,): log-probability of the chosen action
    values: Any  # float32 (n, SEATS + 1)
    layers: Any
    listed: Any
    probabilities: Any


@generic
def act_all(world, which, packed, table, nets, is_greedy, tries, made):
    """Choose an action in the games ``which``, with the network that ``made.who`` gives for the seat to act; without networks, write only inputs.

    ``packed``: packed observations of the seats to act, from the vector environment. ``tries``: a World with TRIES games.
    """
    for i in which:
        seat = I64(seat_to_move(world, i))
        copy_across(world, i, tries, I64(0))
        for k in range(1, TRIES):
            copy_record(world.boards, i, tries.boards, k)
        n = write_features(tries, I64(0), made.listed, made.features[i])
        made.n_moves[i] = n
        for k in range(n):
            made.moves[i, k] = made.listed[k]
        context = made.contexts[i]
        unpack_vector(packed[i], table, I64(News.GAME), context[:N_ENTRIES])
        write_extra(world, i, seat, context, I64(N_ENTRIES))
        if nets.shape[0] == 0 or n == 0:
            continue
        net, probabilities = nets[made.who[i, seat]], made.probabilities
        write_logits(world, net, context, n, made.moves[i], made.features[i], made.layers, probabilities)
        apply_softmax(n, probabilities)
        made.streams[i] += U64(GAMMA)
        x = (mixed(made.streams[i]) >> U64(11)) * UNIT
        choice = best_of(n, probabilities) if is_greedy else draw_from(n, probabilities, x)
        made.choices[i], made.actions[i] = choice, made.moves[i, choice]
        made.log_probs[i] = F32(math.log(probabilities[choice]))
        write_values(world, net, context, I64(count_players(world, i)), made.layers, made.values[i])


@kernel
def gather_rows(n_moves, moves, features, first, all_moves, all_features):
    """Append the moves of every row to ``all_moves`` and ``all_features`` from ``first`` on; return the next free index."""
    for i in range(n_moves.shape[0]):
        for k in range(n_moves[i]):
            all_moves[first] = moves[i, k]
            for column in range(features.shape[2]):
                all_features[first, column] = features[i, k, column]
            first += 1
    return first
