"""The arrays of search kernels, as named tuples, and the records in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ROOT = 0
NONE = -1  # no node

NODE = np.dtype(
    [
        ("value", np.float64),  # sum over visits, for the seat that chose the action
        ("prior", np.float64),  # prior of the action, 0 to 1; a probability if a network guides the search
        ("plans", np.uint64),  # bit i: plan i goes through here
        ("expected", np.float64),  # the network's value for the seat to act here, 0 to 1
        ("visits", np.int32),
        ("child", np.int32),  # the first child, or NONE
        ("sibling", np.int32),  # the next sibling, or NONE
        ("action", np.int16),
        ("spare", np.int8, (2,)),
    ],
    align=True,
)

# Search parameters; an array of length 1.
PARAMETERS = np.dtype(
    [
        ("rng", np.uint64),
        ("explore", np.float64),  # exploration constant: weight of the prior against the mean value
        ("spread", np.float64),  # temperature of priors: an action that is this many points worse has a prior of 1 / e
        ("scale", np.float64),  # points of lead at which the estimated outcome is close to 1
        ("doubt", np.float64),  # first play urgency reduction: value of an unvisited action relative to its position
        ("widen", np.float64),  # progressive widening: a node considers 1 + this * sqrt(visits) actions
        ("horizon", np.int32),  # turns of a rollout
        ("tries", np.int32),  # random actions that the rollout policy compares
    ],
    align=True,
)

# A candidate for the beam.
CANDIDATE = np.dtype(
    [("value", np.float64), ("key", np.uint64), ("parent", np.int32), ("action", np.int16), ("spare", np.int8, (2,))], align=True
)  # fmt: skip


class Evaluation(NamedTuple):
    """A network, and its inputs and outputs for one position."""

    net: Any  # float32: all weights; empty if there is none
    table: Any  # of the observation's Spec
    words: Any  # uint32: the packed observation
    context: Any  # float32 (N_CONTEXT,)
    layers: Any  # float32 (N_LAYERS, MOST_WIDTH): scratch
    actions: Any  # int16 (2 * actions,): the legal actions, then scratch
    features: Any  # float32 (actions, N_FEATURES)
    probabilities: Any  # float32 (actions,)
    values: Any  # float32 (SEATS + 1,): win probability per seat, own seat first; then the own lead


class SearchArrays(NamedTuple):
    """All arrays of a search. Game 0 of its World is the position, game 1 a simulation, the others are scratch."""

    parameters: Any  # PARAMETERS, length 1
    weights: Any  # float64: weights of the verb ``worth``
    candidates: Any  # CANDIDATE (width,): the beam
    finals: Any  # CANDIDATE (plans,): turn ends, best first
    lines: Any  # int16 (2 * width, MOST_ACTIONS): the actions that led to each position of the beam
    plans: Any  # int16 (plans, MOST_ACTIONS): the actions that led to each turn end
    lengths: Any  # int64 (plans,)
    ratings: Any  # float64 (actions,)
    nodes: Any  # NODE
    path: Any  # int64: the nodes of a simulation
    movers: Any  # int64: the seats that chose them
    outcomes: Any  # float64 (SEATS,): outcome of a simulation per seat, 0 to 1
    evaluation: Evaluation
