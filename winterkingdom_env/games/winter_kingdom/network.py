"""A small network that plays: for every legal action a number that says how much it is liked, and the chances of all seats.

The *context* is what the seat to move sees in numbers (the observation's vector) and its room; one tower makes of it what all actions of a
position share. Each action then has a few numbers of its own (prospect.py), which the same weights judge whatever the hex or card. A second
tower foresees the end: the chance of every seat to win, and the own lead in points.

The weights are one float32 array: the matrices, row by row, one row per input, each followed by its bias. ``PARTS`` says where they begin.
agents/network.py has the same network for training.
"""

from __future__ import annotations

import math

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.observation import News, unpack_vector
from winterkingdom_env.games.winter_kingdom.layout import MAX_PLAYERS
from winterkingdom_env.games.winter_kingdom.observe import SPEC, observe
from winterkingdom_env.games.winter_kingdom.prospect import N_KINDS, N_PROSPECT, N_ROOM, kind_of, write_room

I64 = np.int64
F32 = np.float32

N_VECTOR = SPEC.n_entries
N_CONTEXT = N_VECTOR + N_ROOM
WIDTH, SHARED, MOVE = (
    64,
    48,
    32,
)  # of the towers' first layer, of what actions share, of the last layer before an action's number
AHEAD = 32  # second layer of the tower that foresees the end
N_FORESEEN = MAX_PLAYERS + 1  # a number for each seat's chance, the looker first; the lead
MOST_WIDTH = max(WIDTH, SHARED, MOVE, AHEAD)
N_BETWEEN = 4  # layers that are kept at a time

# name, inputs, outputs, whether a bias follows
PARTS = (
    ("look", N_CONTEXT, WIDTH, True),
    ("share", WIDTH, SHARED, True),
    ("kind", N_KINDS, SHARED, False),
    ("prospect", N_PROSPECT, SHARED, False),
    ("move", SHARED, MOVE, True),
    ("like", MOVE, 1, True),
    ("direct", N_PROSPECT, 1, False),
    ("look_ahead", N_CONTEXT, WIDTH, True),
    ("think_ahead", WIDTH, AHEAD, True),
    ("foresee", AHEAD, N_FORESEEN, True),
)


def first_of(name: str) -> int:
    """Where a part's weights begin; the length of all for "end"."""
    first = 0
    for part, n_in, n_out, has_bias in PARTS:
        if part == name:
            return first
        first += (n_in + has_bias) * n_out
    assert name == "end", name
    return first


LOOK, SHARE, KIND, PROSPECT, MOVES = (first_of(name) for name in ("look", "share", "kind", "prospect", "move"))
LIKE, DIRECT, LOOK_AHEAD = first_of("like"), first_of("direct"), first_of("look_ahead")
THINK_AHEAD, FORESEE, N_WEIGHTS = first_of("think_ahead"), first_of("foresee"), first_of("end")


@kernel
def write_context(seat, game, board, rules, table, legal, sheet, words, context):
    """Write what the seat to move sees as the network's context (float32); ``words`` (uint32) is for the packed observation."""
    observe(seat, I64(News.GAME), game, board, rules, legal, sheet, words)
    unpack_vector(words, table, context[:N_VECTOR])
    write_room(seat, game, board, rules, context, I64(N_VECTOR))


@kernel
def add_inputs(net, first, n_in, n_out, given, found):
    """Add to ``found`` what a matrix of the network makes of ``given``; most inputs are 0."""
    for i in range(n_in):
        x = given[i]
        if x != F32(0):
            at = first + i * n_out
            for j in range(n_out):
                found[j] += x * net[at + j]


@kernel
def pass_layer(net, first, n_in, n_out, given, found):
    """One layer: ``found`` becomes the rectified sum of bias and inputs."""
    bias = first + n_in * n_out
    for j in range(n_out):
        found[j] = net[bias + j]
    add_inputs(net, first, n_in, n_out, given, found)
    for j in range(n_out):
        found[j] = max(found[j], F32(0))


@kernel
def like_moves(net, context, n, actions, prospects, room, likes):
    """Write how much each of ``n`` actions is liked into ``likes`` (float32). ``room``: float32 (N_BETWEEN, MOST_WIDTH)."""
    seen, shared, mixed, last = room[0], room[1], room[2], room[3]
    pass_layer(net, I64(LOOK), I64(N_CONTEXT), I64(WIDTH), context, seen)
    pass_layer(net, I64(SHARE), I64(WIDTH), I64(SHARED), seen, shared)
    for i in range(n):
        kind = KIND + kind_of(I64(actions[i])) * SHARED
        for j in range(SHARED):
            mixed[j] = shared[j] + net[kind + j]
        add_inputs(net, I64(PROSPECT), I64(N_PROSPECT), I64(SHARED), prospects[i], mixed)
        for j in range(SHARED):
            mixed[j] = max(mixed[j], F32(0))
        pass_layer(net, I64(MOVES), I64(SHARED), I64(MOVE), mixed, last)
        like = net[LIKE + MOVE]
        for j in range(MOVE):
            like += last[j] * net[LIKE + j]
        for j in range(N_PROSPECT):
            like += prospects[i, j] * net[DIRECT + j]
        likes[i] = like


@kernel
def foresee(net, context, n_players, room, foreseen):
    """Write each seat's chance to win, the looker first, and then his lead, in the game's scale of points, into ``foreseen`` (float32)."""
    seen, thought = room[0], room[1]
    pass_layer(net, I64(LOOK_AHEAD), I64(N_CONTEXT), I64(WIDTH), context, seen)
    pass_layer(net, I64(THINK_AHEAD), I64(WIDTH), I64(AHEAD), seen, thought)
    for k in range(N_FORESEEN):
        foreseen[k] = net[FORESEE + AHEAD * N_FORESEEN + k]
    add_inputs(net, I64(FORESEE), I64(AHEAD), I64(N_FORESEEN), thought, foreseen)
    most, total = foreseen[0], F32(0)
    for k in range(1, n_players):
        most = max(most, foreseen[k])
    for k in range(MAX_PLAYERS):
        foreseen[k] = F32(math.exp(foreseen[k] - most)) if k < n_players else F32(0)
        total += foreseen[k]
    for k in range(n_players):
        foreseen[k] /= total


@kernel
def make_chances(n, likes):
    """Turn likes into chances that add up to 1."""
    most, total = likes[0], F32(0)
    for i in range(1, n):
        most = max(most, likes[i])
    for i in range(n):
        likes[i] = F32(math.exp(likes[i] - most))
        total += likes[i]
    for i in range(n):
        likes[i] /= total


@kernel
def draw_from(n, chances, x):
    """The number of the entry on which ``x``, from 0 to 1, falls."""
    passed = 0.0
    for i in range(n - 1):
        passed += chances[i]
        if x < passed:
            return i
    return n - 1


@kernel
def best_of(n, values):
    """The number of the largest entry; of several, the first."""
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best
