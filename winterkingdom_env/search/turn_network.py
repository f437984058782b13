"""A small network that values the position between two turns, for every seat at once. It runs inside kernels; its architecture is the same for every game.

The input is the standing of each seat (``write_standing``). One tower, with the same weights for all seats, sees the standing of a seat, that of its
strongest rival and the mean of all others, the number of players and how soon the seat's turn comes; so one network serves every number of
players. It gives two numbers per seat: a logit, whose softmax over the seats is the win probability, and the final points, up to a constant.

The weights are one float32 array, as in network.py. training/turn_value.py has the same network in torch.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core.verbs import N_STANDING, SEATS, generic
from winterkingdom_env.search.network import Part, add_inputs, placed

I64 = np.int64
F32 = np.float32
TOWER, LAST = 64, 32  # widths of the layers
N_OUT = 2  # logit and points
POINTS_SCALE = 20.0  # points per unit of the second output


class TurnArrays(NamedTuple):
    """A network for turn ends, and its inputs and outputs."""

    net: Any  # float32: all weights
    standings: Any  # float32 (SEATS, N_STANDING)
    tables: Any  # float32 (2, N_STANDING): the sum of all standings, and the mean of a seat's others
    layers: Any  # float32 (2, TOWER): scratch
    outputs: Any  # float32 (SEATS, N_OUT): win probability and final points, up to a constant
    values: Any  # float64 (plans,): what plans are chosen by
    odds: Any  # float64 (plans,): the win probability after each


def turn_parts(world: type) -> tuple[Part, ...]:
    """The matrices of the network for the game with this World."""
    n, seats = N_STANDING.of(world), SEATS.of(world)
    return placed(
        (
            ("own", n, TOWER, False),
            ("rival", n, TOWER, False),
            ("others", n, TOWER, False),
            ("table", seats, TOWER, True),  # how many players, and how soon the seat's turn comes
            ("last", TOWER, LAST, True),
            ("out", LAST, N_OUT, True),
            ("lead", n, N_OUT, False),  # linear in the difference between the own standing and the mean of the others
        )
    )


def count_turn_weights(world: type) -> int:
    """The number of weights of the network for this World."""
    last = turn_parts(world)[-1]
    return last.first + (last.n_in + last.has_bias) * last.n_out


def make_turn_arrays(world: type, net: np.ndarray, n_plans: int) -> TurnArrays:
    """Arrays for a network. Raises ValueError if it is not one for the game with this World."""
    n, seats = N_STANDING.of(world), SEATS.of(world)
    if net.shape != (count_turn_weights(world),) or net.dtype != np.float32:
        raise ValueError(
            f"a network for turn ends has {count_turn_weights(world)} weights here, float32; found {net.dtype} {net.shape}"
        )
    return TurnArrays(
        net=net,
        standings=np.zeros((seats, n), np.float32),
        tables=np.zeros((2, n), np.float32),
        layers=np.zeros((2, TOWER), np.float32),
        outputs=np.zeros((seats, N_OUT), np.float32),
        values=np.zeros(n_plans),
        odds=np.zeros(n_plans),
    )


@generic
def write_seat(world, seat, n_players, mover, turns):
    """Write the two outputs for a seat, before the softmax."""
    net, standings, n = turns.net, turns.standings, I64(N_STANDING)
    hidden, last, others = turns.layers[0], turns.layers[1], turns.tables[1]
    rival = I64(-1)
    for other in range(n_players):
        if other != seat and (rival < 0 or standings[other, 0] > standings[rival, 0]):
            rival = I64(other)
    for k in range(n):
        others[k] = (turns.tables[0, k] - standings[seat, k]) / F32(n_players - 1)
    first = 3 * n * TOWER
    bias = first + SEATS * TOWER
    wait = F32((seat - mover - 1 + n_players) % n_players) / F32(n_players - 1)
    for j in range(TOWER):
        hidden[j] = net[bias + j] + net[first + (n_players - 2) * TOWER + j] + wait * net[bias - TOWER + j]
    add_inputs(net, I64(0), n, I64(TOWER), standings[seat], hidden)
    add_inputs(net, n * TOWER, n, I64(TOWER), standings[rival], hidden)
    add_inputs(net, 2 * n * TOWER, n, I64(TOWER), others, hidden)
    for j in range(TOWER):
        hidden[j] = max(hidden[j], F32(0))
    first = bias + TOWER
    for j in range(LAST):
        last[j] = net[first + TOWER * LAST + j]
    add_inputs(net, first, I64(TOWER), I64(LAST), hidden, last)
    for j in range(LAST):
        last[j] = max(last[j], F32(0))
    first += (TOWER + 1) * LAST
    out = turns.outputs[seat]
    for j in range(N_OUT):
        out[j] = net[first + LAST * N_OUT + j]
    add_inputs(net, first, I64(LAST), I64(N_OUT), last, out)
    for k in range(n):
        others[k] = standings[seat, k] - others[k]
    add_inputs(net, first + (LAST + 1) * N_OUT, n, I64(N_OUT), others, out)


@generic
def evaluate_turn_end(world, n_players, mover, turns):
    """Write the win probability and the final points, up to a constant, of every seat into ``turns.outputs``; ``mover``: whose turn has ended."""
    total = turns.tables[0]
    for k in range(N_STANDING):
        total[k] = F32(0)
        for seat in range(n_players):
            total[k] += turns.standings[seat, k]
    for seat in range(n_players):
        write_seat(world, I64(seat), n_players, mover, turns)
    most, total_odds = turns.outputs[0, 0], F32(0)
    for seat in range(1, n_players):
        most = max(most, turns.outputs[seat, 0])
    for seat in range(n_players):
        turns.outputs[seat, 0] = F32(math.exp(turns.outputs[seat, 0] - most))
        total_odds += turns.outputs[seat, 0]
    for seat in range(n_players):
        turns.outputs[seat, 0] /= total_odds
        turns.outputs[seat, 1] *= F32(POINTS_SCALE)
