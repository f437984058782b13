"""Planning a turn as a whole: a beam over the sequences of actions that the seat to move can carry out until its turn ends."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.rng import mixed
from winterkingdom_env.games.winter_kingdom.layout import (
    ROWS,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.legal import list_legal
from winterkingdom_env.games.winter_kingdom.worth import carry_on, copy_world, worth

I64 = np.int64
U64 = np.uint64
F64 = np.float64
MOST_ACTIONS = 64  # in one turn of a plan; what would take longer is not planned further

# One candidate for a place in the beam.
CANDIDATE = np.dtype(
    [("value", np.float64), ("key", np.uint64), ("parent", np.int32), ("action", np.int16), ("spare", np.int8, (2,))], align=True
)  # fmt: skip


@kernel
def key_of(seat, game):
    """A number by which to tell positions of one turn apart, whatever the order of the actions that led there."""
    key = U64(game["phase"]) | (U64(game["coins"][seat]) << U64(8)) | (U64(game["n_placed"]) << U64(24))
    key = mixed(key ^ (U64(game["in_play"][seat]) << U64(32)) ^ U64(game["upgraded"][seat]))
    key = mixed(key ^ U64(game["used"][0]) ^ (U64(game["used"][1]) << U64(32)))
    key = mixed(
        key
        ^ U64(game["card"] + 1)
        ^ (U64(game["half"] + 1) << U64(8))
        ^ (U64(game["lifted"] + 1) << U64(16))
        ^ (U64(game["came_to"] + 1) << U64(32))
    )
    for r in range(ROWS):
        key = mixed(key ^ U64(game["houses"][seat][r]) ^ (U64(game["forts"][seat][r]) << U64(32)))
    return key


@kernel
def find_place(value, key, candidates, n, most):
    """Make room among the best for a candidate of this value: its place, or -1 if it is too bad or its position is there already."""
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
    """Put a candidate into its place among the best, unless its position is there already; how many there are now."""
    place = find_place(value, key, candidates, n, most)
    if place < 0:
        return n
    candidates[place]["parent"] = parent
    candidates[place]["action"] = action
    return min(n + 1, most)


@kernel
def plan_turn(board, rules, weights, games, legals, sheets, candidates, finals, actions, lines, plans, lengths):
    """Write into ``plans`` the best sequences of actions by which the seat to move in world 0 can end its turn; how many.

    As many positions are followed at a time as there are ``candidates``, the width of the beam. Worlds: 0 is the position, 1 is for trying, then
    two times the width. ``lines``, int16 (2 * width, MOST_ACTIONS), are the actions that led to each of these. ``finals`` (CANDIDATE) are the ends that were found, best first, in
    the order of ``plans``, int16 (n, MOST_ACTIONS), and ``lengths``; no position stands there twice.
    """
    seat, width, most = I64(games[0]["seat"]), candidates.shape[0], finals.shape[0]
    n_finals = 0
    n_beam, first, depth = 1, 0, 0
    copy_world(0, 2, games, legals, sheets)
    while n_beam > 0 and depth < MOST_ACTIONS:
        n = 0
        for parent in range(first, first + n_beam):
            for a in range(list_legal(rules, legals[2 + parent], actions)):
                action = I64(actions[a])
                copy_world(2 + parent, 1, games, legals, sheets)
                carry_on(1, action, board, rules, games, legals, sheets)
                value = worth(seat, games[1], board, rules, sheets[1], weights)
                if games[1]["seat"] == seat and games[1]["phase"] != Phase.OVER:
                    n = offer(value, key_of(seat, games[1]), parent, action, candidates, n, width)
                elif n_finals < most or value > finals[n_finals - 1]["value"]:
                    place = find_place(value, key_of(seat, games[1]), finals, n_finals, most)
                    if place >= 0:
                        n_finals = min(n_finals + 1, most)
                        for i in range(n_finals - 1, place, -1):
                            lengths[i] = lengths[i - 1]
                            for k in range(lengths[i]):
                                plans[i, k] = plans[i - 1, k]
                        lengths[place] = depth + 1
                        for k in range(depth):
                            plans[place, k] = lines[parent, k]
                        plans[place, depth] = action
        first = width - first
        for i in range(n):
            parent, action = I64(candidates[i]["parent"]), I64(candidates[i]["action"])
            copy_world(2 + parent, 2 + first + i, games, legals, sheets)
            carry_on(2 + first + i, action, board, rules, games, legals, sheets)
            for k in range(depth):
                lines[first + i, k] = lines[parent, k]
            lines[first + i, depth] = action
        n_beam = n
        depth += 1
    return n_finals
