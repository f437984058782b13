"""The sizes of the game, its records and its actions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

MAX_PLAYERS = 5
STRENGTHS = 9  # strength s is kind s - 1
COPIES = 5
VALUES = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8)
PRIZES = len(VALUES)
PRIZE_COPIES, MOST_COPIES = 2, 4  # as printed, and under house rules
DEALT = 4
MOST_ROUNDS = 5
NONE = -1


class Phase(IntEnum):
    """The kind of decision to make."""

    ATTACK = 0
    ANSWER = 1
    OVER = 2


# Everything that decides the future. No hidden bytes, and a multiple of eight: the defaults of the search hash it in words.
GAME = np.dtype(
    [
        ("rng", np.uint64),
        ("gains", np.int16, (MAX_PLAYERS,)),
        ("losses", np.int16, (MAX_PLAYERS,)),  # 0 or less
        ("hand", np.int8, (MAX_PLAYERS, STRENGTHS)),  # weapons of each kind
        ("deck", np.int8, (STRENGTHS,)),
        ("prizes", np.int8, (PRIZES,)),  # not yet turned up
        ("round", np.int8),  # from 1
        ("attacker", np.int8),  # whose turn it is
        ("seat", np.int8),  # who is asked
        ("phase", np.int8),
        ("prize", np.int8),  # turned up
        ("weapon", np.int8),  # played against the seat that is asked, or NONE
        ("spare", np.int8, (3,)),
    ],
    align=True,
)
BOARD = np.dtype(
    [
        ("n_players", np.int8),
        ("rounds", np.int8),
        ("copies", np.int8, (PRIZES,)),  # of each prize
        ("spare", np.int8, (1,)),
    ],
    align=True,
)

# Actions: play each weapon against each of the next seats, top with each weapon, yield.
OTHERS = MAX_PLAYERS - 1
TOP_FIRST = STRENGTHS * OTHERS
YIELD = TOP_FIRST + STRENGTHS
N_ACTIONS = YIELD + 1
LABELS = (
    *(f"play {kind + 1} against +{other + 1}" for kind in range(STRENGTHS) for other in range(OTHERS)),
    *(f"top with {kind + 1}" for kind in range(STRENGTHS)),
    "yield",
)
