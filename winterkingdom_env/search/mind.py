"""The arrays with which kernels think about a game, as named tuples, and the records in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ROOT = 0
NONE = -1  # no node

NODE = np.dtype(
    [
        ("value", np.float64),  # sum over visits, for the seat that chose the action
        ("prior", np.float64),  # from 0 to 1: how good the action looked
        ("plans", np.uint64),  # bit i: plan i goes through here
        ("expected", np.float64),  # the network's value for the seat to move here, from 0 to 1
        ("visits", np.int32),
        ("child", np.int32),  # the first one; NONE
        ("sibling", np.int32),  # the next one
        ("action", np.int16),
        ("spare", np.int8, (2,)),
    ],
    align=True,
)

# How to search; an array of length 1.
HOW = np.dtype(
    [
        ("rng", np.uint64),
        ("explore", np.float64),  # weight of the prior against the mean value
        ("spread", np.float64),  # points by which an action may look worse and still have a prior of 1 / e
        ("scale", np.float64),  # points of lead that make the outcome nearly sure
        ("doubt", np.float64),  # by how much an action that was never tried is thought worse than its position
        ("widen", np.float64),  # actions that a node considers: this times the root of its visits, and one
        ("horizon", np.int32),  # turns after the tree
        ("tries", np.int32),  # actions that the quick policy compares
    ],
    align=True,
)

# One candidate for a place in a beam.
CANDIDATE = np.dtype(
    [("value", np.float64), ("key", np.uint64), ("parent", np.int32), ("action", np.int16), ("spare", np.int8, (2,))], align=True
)  # fmt: skip


class Judge(NamedTuple):
    """A network, and where it writes what it says about one position."""

    net: Any  # float32: all weights; empty if there is none
    table: Any  # of the observation's Spec
    words: Any  # uint32: the packed observation
    context: Any  # float32 (N_CONTEXT,)
    layers: Any  # float32 (N_LAYERS, MOST_WIDTH): scratch
    actions: Any  # int16, twice as long as there are actions: the legal ones
    features: Any  # float32 (actions, N_FEATURES)
    probabilities: Any  # float32 (actions,)
    values: Any  # float32 (SEATS + 1,): each seat's probability to win, the own one first; the own lead


class Mind(NamedTuple):
    """What a search works with. Game 0 of its world is the position, game 1 a simulation, those behind are for trying."""

    how: Any  # HOW, one
    weights: Any  # float64: of the game's worth
    candidates: Any  # CANDIDATE (width,): the beam
    finals: Any  # CANDIDATE (plans,): the ends of a turn that were found, best first
    lines: Any  # int16 (2 * width, MOST_ACTIONS): the actions that led to each position of the beam
    plans: Any  # int16 (plans, MOST_ACTIONS): the same for the ends
    lengths: Any  # int64 (plans,)
    ratings: Any  # float64 (actions,)
    nodes: Any  # NODE
    path: Any  # int64: nodes of a simulation
    movers: Any  # int64: the seats that chose them
    outcomes: Any  # float64 (SEATS,): how a simulation came out for each seat, from 0 to 1
    judge: Judge
