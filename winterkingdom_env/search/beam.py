"""Planning of a complete turn: a beam search over sequences of actions until another seat is to act."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.verbs import (
    carry_on,
    copy_game,
    generic,
    is_over,
    key_of,
    list_legal,
    seat_to_move,
    worth,
)

I64 = np.int64
MOST_ACTIONS = 64  # limit of actions in a plan; longer sequences are dropped


@kernel
def find_place(value, key, candidates, n, most):
    """Make room for a candidate of this value among the best, and return its index; -1 if it is too low or a duplicate position."""
    if n == most and value <= candidates[n - 1]["value"]:
        return -1
    for i in range(n):
        if candidates[i]["key"] == key:
            return -1
    i = n if n < most else n - 1
    while i > 0 and candidates[i - 1]["value"] < value:
        copy_record(candidates, i - 1, candidates, i)
        i -= 1
    candidates[i]["value"] = value
    candidates[i]["key"] = key
    return i


@kernel
def offer(value, key, parent, action, candidates, n, most):
    """Insert a candidate among the best unless its position is a duplicate; return the new number of candidates."""
    place = find_place(value, key, candidates, n, most)
    if place < 0:
        return n
    candidates[place]["parent"] = parent
    candidates[place]["action"] = action
    return min(n + 1, most)


@kernel
def keep_plan(place, n, line, depth, action, plans, lengths):
    """Insert a plan, the actions of ``line`` and then ``action``, at index ``place`` of ``n`` plans; later ones move up."""
    for i in range(n - 1, place, -1):
        lengths[i] = lengths[i - 1]
        for k in range(lengths[i]):
            plans[i, k] = plans[i - 1, k]
    lengths[place] = depth + 1
    for k in range(depth):
        plans[place, k] = line[k]
    plans[place, depth] = action


@generic
def extend_beam(world, arrays, seat, first, n_beam, depth, n_finals):
    """Expand all positions of the beam; return the numbers of candidates and of turn ends."""
    candidates, finals, actions = arrays.candidates, arrays.finals, arrays.evaluation.actions
    width, most, n = candidates.shape[0], finals.shape[0], 0
    for parent in range(first, first + n_beam):
        for a in range(list_legal(world, 2 + parent, actions)):
            action = I64(actions[a])
            copy_game(world, 2 + parent, I64(1))
            carry_on(world, I64(1), action)
            value = worth(world, I64(1), seat, arrays.weights)
            if seat_to_move(world, I64(1)) == seat and not is_over(world, I64(1)):
                n = offer(value, key_of(world, I64(1), seat), parent, action, candidates, n, width)
            elif n_finals < most or value > finals[n_finals - 1]["value"]:
                place = find_place(value, key_of(world, I64(1), seat), finals, n_finals, most)
                if place >= 0:
                    n_finals = min(n_finals + 1, most)
                    keep_plan(place, n_finals, arrays.lines[parent], depth, action, arrays.plans, arrays.lengths)
    return n, n_finals


@generic
def plan_turn(world, arrays):
    """Write the best sequences of actions that end the turn of the seat to act in game 0 into ``arrays.plans``; return their number.

    The beam width is the length of ``arrays.candidates``. Game 0 is the position, game 1 is scratch; two times the width of games follow for the
    beam. Turn ends are distinct positions.
    """
    seat, width = I64(seat_to_move(world, I64(0))), arrays.candidates.shape[0]
    n_finals, n_beam, first, depth = I64(0), I64(1), I64(0), I64(0)
    copy_game(world, I64(0), I64(2))
    while n_beam > 0 and depth < MOST_ACTIONS:
        n, n_finals = extend_beam(world, arrays, seat, first, n_beam, depth, n_finals)
        first = width - first
        for i in range(n):
            parent, action = I64(arrays.candidates[i]["parent"]), I64(arrays.candidates[i]["action"])
            copy_game(world, 2 + parent, 2 + first + i)
            carry_on(world, 2 + first + i, action)
            for k in range(depth):
                arrays.lines[first + i, k] = arrays.lines[parent, k]
            arrays.lines[first + i, depth] = action
        n_beam = n
        depth += 1
    return n_finals
