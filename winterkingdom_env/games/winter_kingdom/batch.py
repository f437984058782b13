"""The public kernels: each runs over a batch of games, one record of each array per game.

``games``, ``boards``, ``legals`` and ``works`` are arrays of the records in layout.py and equally long; ``rules`` has length 1.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import nth_bit, popcount
from winterkingdom_env.core.grid import count, nth_cell
from winterkingdom_env.core.rng import GAMMA, mixed, scaled
from winterkingdom_env.games.winter_kingdom.layout import (
    ACQUIRE_FIRST,
    DONE,
    FORT,
    HOUSE,
    LIFT,
    N_HEXES,
    NOTHING,
    TRIPLE_FIRST,
    UPGRADE_FIRST,
    USE_FIRST,
)
from winterkingdom_env.games.winter_kingdom.legal import expand, find_legal
from winterkingdom_env.games.winter_kingdom.scoring import score
from winterkingdom_env.games.winter_kingdom.setup import furnish, set_up
from winterkingdom_env.games.winter_kingdom.turn import advance, begin_turn

I64 = np.int64
U64 = np.uint64


@kernel
def new_games(games, boards, rules, sides, requests, works):
    """Set up every game; ``step_all`` with NOTHING then finds its first legal actions."""
    for i in range(games.shape[0]):
        set_up(games[i], boards[i], rules[0], sides, requests[i], works[i])


@kernel
def begin_games(games, boards, rules, works):
    """Begin games whose records hold a set-up as dealt."""
    for i in range(games.shape[0]):
        furnish(boards[i], rules[0], works[i])
        begin_turn(games[i], boards[i])


@kernel
def legal_all(games, boards, rules, legals, works):
    """Find the legal actions of every game."""
    for i in range(games.shape[0]):
        find_legal(games[i], boards[i], rules[0], legals[i], works[i])


@kernel
def step_all(games, actions, boards, rules, legals, works, statuses):
    """Advance every game by its action; a Status each. A game with an illegal action stays as it was."""
    for i in range(games.shape[0]):
        statuses[i] = advance(games[i], actions[i], boards[i], rules[0], legals[i], works[i])


@kernel
def expand_all(rules, legals, masks):
    """Write every game's legal actions as a row of uint8."""
    for i in range(legals.shape[0]):
        expand(rules[0], legals[i], masks[i])


@kernel
def score_all(games, boards, rules, sheets, works):
    """Score every game as it stands: int16 (n, 4 seats, 3 cards and castles)."""
    for i in range(games.shape[0]):
        score(games[i], boards[i], rules[0], sheets[i], works[i])


@kernel
def pick(word, rules, legal):
    """The legal action that a random word chooses, each with the same chance; NOTHING if there is none."""
    sizes = (
        count(legal["hexes"][HOUSE]),
        count(legal["hexes"][FORT]),
        count(legal["hexes"][LIFT]),
        popcount(U64(legal["use"])),
        popcount(U64(legal["acquire"])),
        popcount(U64(legal["upgrade"])),
        popcount(U64(legal["triple"])),
    )
    total = I64(legal["done"])
    for i in range(7):
        total += sizes[i]
    if total == 0:
        return I64(NOTHING)
    n = scaled(word, total)
    for kind in range(3):
        if n < sizes[kind]:
            cell = nth_cell(legal["hexes"][kind], n)
            return I64(kind * N_HEXES + rules["hex_at"][cell >> 5][cell & 31])
        n -= sizes[kind]
    if n < sizes[3]:
        return I64(USE_FIRST + nth_bit(U64(legal["use"]), n))
    n -= sizes[3]
    if n < sizes[4]:
        return I64(ACQUIRE_FIRST + nth_bit(U64(legal["acquire"]), n))
    n -= sizes[4]
    if n < sizes[5]:
        return I64(UPGRADE_FIRST + nth_bit(U64(legal["upgrade"]), n))
    n -= sizes[5]
    if n < sizes[6]:
        return I64(TRIPLE_FIRST + nth_bit(U64(legal["triple"]), n))
    return I64(DONE)


@kernel
def play_random_all(games, boards, rules, sides, requests, legals, works, streams, n_steps):
    """Play ``n_steps`` random actions in every game; a game that is over begins anew, with a set-up of its own.

    ``streams`` are the uint64 states of the random streams that choose. Returns the number of games that were finished.
    """
    finished = 0
    for i in range(games.shape[0]):
        for _ in range(n_steps):
            streams[i] += U64(GAMMA)
            action = pick(mixed(streams[i]), rules[0], legals[i])
            if action == NOTHING:
                finished += 1
                requests[i]["seed"] += U64(1)
                set_up(games[i], boards[i], rules[0], sides, requests[i], works[i])
            advance(games[i], action, boards[i], rules[0], legals[i], works[i])
    return finished
