"""What the batch of a vector environment keeps per game, beside the game's own records, and how it is run."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import GAMMA, mixed, scaled

CACHE_LINE = 64  # bytes
U64 = np.uint64
CONFIG_SALT = 0xC0F1_6C0F_16C0_F16C  # a row's config must not depend on what its game draws


class Autoreset(IntEnum):
    """When a finished game is followed by the next one (Gymnasium's AutoresetMode)."""

    DISABLED = 0  # never: it stays over until it is reset
    NEXT_STEP = 1  # by the next step, whose action is ignored
    SAME_STEP = 2  # at once: the observation is already the next game's


class Form(IntEnum):
    """What is written for the seat to move, beside the mask."""

    NOTHING = 0
    PLANES = 1
    PACKED = 2


@cache
def row_type(seats: int) -> np.dtype:
    """The record that a batch keeps per game, for games of at most so many seats."""
    told = [
        ("seed", np.uint64),  # of the game in progress
        ("rewards", np.float32, (seats,)),  # of the last step
        ("n_steps", np.int32),  # actions in this game so far, forced ones included
        ("n_steps_final", np.int32),  # actions in the last finished game
        ("config", np.int32),  # which of the configs
        ("seat", np.int8),  # to move
        ("n_players", np.int8),
        ("terminated", np.bool_),  # the last step ended a game
        ("illegal", np.bool_),  # the last action was illegal: nothing happened but the penalty
        ("is_over", np.bool_),  # the game in progress has ended (not with SAME_STEP)
    ]
    size = np.dtype(told).itemsize
    return np.dtype([*told, ("spare", np.int8, (-size % 8 or 8,))], align=True)


# How the batch is run, the same for all its games; an array of length 1.
SETTINGS = np.dtype(
    [
        ("stride", np.uint64),  # from the seed of one game to the seed of the next in the same row
        ("penalty", np.float32),  # reward for an illegal action
        ("score_scale", np.float32),
        ("reward", np.int8),
        ("autoreset", np.int8),
        ("form", np.int8),
        ("skip_forced", np.int8),
        ("spare", np.int8, (4,)),
    ],
    align=True,
)


def aligned(n: int, dtype: np.dtype) -> np.ndarray:
    """``n`` empty records that begin where a line of the processor's cache begins.

    A set of hexes fills two lines. Where records are whole numbers of lines, no set reaches into a third one: a twentieth of a step's time.
    """
    raw = np.zeros(n * dtype.itemsize + CACHE_LINE, np.uint8)
    first = -raw.__array_interface__["data"][0] % CACHE_LINE
    return raw[first : first + n * dtype.itemsize].view(dtype)


@kernel
def draw_config(seed, n_configs):
    """Which of the configs a game with this seed (uint64) has."""
    return scaled(mixed(mixed(seed + U64(GAMMA)) ^ U64(CONFIG_SALT)), n_configs)
