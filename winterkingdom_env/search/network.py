"""A small policy and value network that runs inside kernels, without torch. Its architecture is the same for every game.

The input of a position is its *context*: the observation's vector of the seat to act, and some numbers of the game (``write_extra``). The
policy tower turns it into an embedding that all actions share. The logit of each action then depends on this embedding and on the action's
features, with the same weights for all actions. The value tower predicts each seat's win probability, and the own lead in points.

The weights are one float32 array: the matrices, row by row, one row per input, each followed by its bias. ``parts_of`` returns their offsets.
winterkingdom_env/search/torch_network.py has the same network in torch.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.observation import News, unpack_vector
from winterkingdom_env.core.verbs import (
    N_ENTRIES,
    N_EXTRA,
    N_FEATURES,
    N_KINDS,
    SEATS,
    count_players,
    generic,
    kind_of,
    observe,
    seat_to_move,
    write_extra,
    write_features,
)

if TYPE_CHECKING:
    from winterkingdom_env.games import GameRules

I64 = np.int64
F32 = np.float32

# Widths: first layer of both towers, embedding that actions share, last layer before a logit, second layer of the value tower.
WIDTH, SHARED, HIDDEN, VALUE_HIDDEN = 64, 48, 32, 32
MOST_WIDTH = max(WIDTH, SHARED, HIDDEN, VALUE_HIDDEN)
N_LAYERS = 4  # layers in memory at a time


class Part(NamedTuple):
    """A matrix of the network; ``first``: offset of its weights."""

    name: str
    n_in: int
    n_out: int
    has_bias: bool
    first: int


def placed(shapes: tuple[tuple[str, int, int, bool], ...]) -> tuple[Part, ...]:
    """Matrices of these names, inputs, outputs and biases, one after the other."""
    found, first = [], 0
    for name, n_in, n_out, has_bias in shapes:
        found.append(Part(name, n_in, n_out, has_bias, first))
        first += (n_in + has_bias) * n_out
    return tuple(found)


def parts_of(world: type) -> tuple[Part, ...]:
    """The matrices of the network for the game with this World."""
    n_context, n_features = N_ENTRIES.of(world) + N_EXTRA.of(world), N_FEATURES.of(world)
    shapes = (
        ("context", n_context, WIDTH, True),
        ("shared", WIDTH, SHARED, True),
        ("kind", N_KINDS.of(world), SHARED, False),
        ("feature", n_features, SHARED, False),
        ("hidden", SHARED, HIDDEN, True),
        ("logit", HIDDEN, 1, True),
        ("feature_logit", n_features, 1, False),
        ("value_context", n_context, WIDTH, True),
        ("value_hidden", WIDTH, VALUE_HIDDEN, True),
        ("value", VALUE_HIDDEN, SEATS.of(world) + 1, True),
    )
    return placed(shapes)


def count_weights(world: type) -> int:
    """The number of weights of the network for this World."""
    last = parts_of(world)[-1]
    return last.first + (last.n_in + last.has_bias) * last.n_out


def count_context(world: type) -> int:
    """The size of a context."""
    return N_ENTRIES.of(world) + N_EXTRA.of(world)


@kernel
def add_inputs(net, first, n_in, n_out, given, found):
    """Add the product of a matrix and ``given`` to ``found``, skipping zero inputs, which are the majority."""
    for i in range(n_in):
        x = given[i]
        if x != F32(0):
            at = first + i * n_out
            for j in range(n_out):
                found[j] += x * net[at + j]


@kernel
def pass_layer(net, first, n_in, n_out, given, found):
    """One dense layer with ReLU, from ``given`` to ``found``."""
    bias = first + n_in * n_out
    for j in range(n_out):
        found[j] = net[bias + j]
    add_inputs(net, first, n_in, n_out, given, found)
    for j in range(n_out):
        found[j] = max(found[j], F32(0))


@generic
def write_context(world, i, evaluation):
    """Write the network's context for the seat to act in game i."""
    seat = I64(seat_to_move(world, i))
    observe(world, i, seat, I64(News.GAME), evaluation.words)
    unpack_vector(evaluation.words, evaluation.table, I64(News.GAME), evaluation.context[:N_ENTRIES])
    write_extra(world, i, seat, evaluation.context, I64(N_ENTRIES))


@generic
def write_logits(world, net, context, n, actions, features, layers, logits):
    """Write a logit for each of ``n`` actions into ``logits`` (float32). ``layers``: float32 (N_LAYERS, MOST_WIDTH)."""
    n_context, n_features = I64(N_ENTRIES + N_EXTRA), I64(N_FEATURES)
    seen, shared, mixed, last = layers[0], layers[1], layers[2], layers[3]
    share = (n_context + 1) * WIDTH
    kinds = share + (WIDTH + 1) * SHARED
    feature = kinds + N_KINDS * SHARED
    hidden = feature + n_features * SHARED
    out = hidden + (SHARED + 1) * HIDDEN
    feature_out = out + HIDDEN + 1
    pass_layer(net, I64(0), n_context, I64(WIDTH), context, seen)
    pass_layer(net, share, I64(WIDTH), I64(SHARED), seen, shared)
    for i in range(n):
        kind = kinds + kind_of(world, I64(actions[i])) * SHARED
        for j in range(SHARED):
            mixed[j] = shared[j] + net[kind + j]
        add_inputs(net, feature, n_features, I64(SHARED), features[i], mixed)
        for j in range(SHARED):
            mixed[j] = max(mixed[j], F32(0))
        pass_layer(net, hidden, I64(SHARED), I64(HIDDEN), mixed, last)
        logit = net[out + HIDDEN]
        for j in range(HIDDEN):
            logit += last[j] * net[out + j]
        for j in range(n_features):
            logit += features[i, j] * net[feature_out + j]
        logits[i] = logit


@generic
def write_values(world, net, context, n_players, layers, values):
    """Write the win probability of each seat, own seat first, then the own lead divided by the score scale (float32)."""
    n_context, n_values = I64(N_ENTRIES + N_EXTRA), I64(SEATS + 1)
    first = (n_context + 1) * WIDTH + (WIDTH + 1) * SHARED + (N_KINDS + N_FEATURES) * SHARED
    first += (SHARED + 1) * HIDDEN + HIDDEN + 1 + N_FEATURES
    seen, hidden = layers[0], layers[1]
    pass_layer(net, first, n_context, I64(WIDTH), context, seen)
    first += (n_context + 1) * WIDTH
    pass_layer(net, first, I64(WIDTH), I64(VALUE_HIDDEN), seen, hidden)
    first += (WIDTH + 1) * VALUE_HIDDEN
    for k in range(n_values):
        values[k] = net[first + VALUE_HIDDEN * n_values + k]
    add_inputs(net, first, I64(VALUE_HIDDEN), n_values, hidden, values)
    most, total = values[0], F32(0)
    for k in range(1, n_players):
        most = max(most, values[k])
    for k in range(SEATS):
        values[k] = F32(math.exp(values[k] - most)) if k < n_players else F32(0)
        total += values[k]
    for k in range(n_players):
        values[k] /= total


@kernel
def apply_softmax(n, logits):
    """Replace logits by probabilities, in place."""
    most, total = logits[0], F32(0)
    for i in range(1, n):
        most = max(most, logits[i])
    for i in range(n):
        logits[i] = F32(math.exp(logits[i] - most))
        total += logits[i]
    for i in range(n):
        logits[i] /= total


@kernel
def draw_from(n, probabilities, x):
    """Sample an index from probabilities, with a uniform random number ``x`` in [0, 1)."""
    passed = 0.0
    for i in range(n - 1):
        passed += probabilities[i]
        if x < passed:
            return i
    return n - 1


@kernel
def best_of(n, values):
    """The index of the largest entry; the first one of ties."""
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


@generic
def evaluate_position(world, i, evaluation):
    """Write the legal actions of game i, their probabilities and the values; return the number of actions.

    Games i + 1 and i + 2 are scratch.
    """
    n = write_features(world, i, evaluation.actions, evaluation.features)
    write_context(world, i, evaluation)
    write_logits(
        world,
        evaluation.net,
        evaluation.context,
        n,
        evaluation.actions,
        evaluation.features,
        evaluation.layers,
        evaluation.probabilities,
    )
    apply_softmax(n, evaluation.probabilities)
    write_values(
        world, evaluation.net, evaluation.context, I64(count_players(world, i)), evaluation.layers, evaluation.values
    )
    return n


@generic
def write_kinds(world, kinds):
    """Write the kind of every action, int64."""
    for action in range(kinds.shape[0]):
        kinds[action] = kind_of(world, I64(action))


def kinds_of(rules: GameRules) -> np.ndarray:
    """The kind of every action, int64 (actions,)."""
    kinds = np.zeros(rules.N_ACTIONS, np.int64)
    write_kinds(rules.make_world(1), kinds)
    return kinds
