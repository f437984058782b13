"""Per-game rows and settings of a batch, in addition to the game's own records."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import GAMMA, mixed, scaled

CACHE_LINE = 64  # bytes
U64 = np.uint64
CONFIG_SALT = 0xC0F1_6C0F_16C0_F16C  # the choice of a config must not correlate with the draws of its game


class Autoreset(IntEnum):
    """When the next game starts after a finished one (Gymnasium's AutoresetMode)."""

    DISABLED = 0  # never: the game stays over until a reset
    NEXT_STEP = 1  # in the next step, whose action is ignored
    SAME_STEP = 2  # in the same step: the observation is that of the next game


class Form(IntEnum):
    """The form of the observation that is written, in addition to the mask."""

    NOTHING = 0
    PLANES = 1
    PACKED = 2


@cache
def row_type(seats: int) -> np.dtype:
    """The row of a batch for one game with at most this number of seats."""
    told = [
        ("seed", np.uint64),  # of the game in progress
        ("rewards", np.float32, (seats,)),  # of the last step
        ("n_steps", np.int32),  # actions in this game so far, including forced ones
        ("n_steps_final", np.int32),  # actions in the last finished game
        ("config", np.int32),  # index of the config
        ("seat", np.int8),  # to move
        ("n_players", np.int8),
        ("terminated", np.bool_),  # the last step ended a game
        ("illegal", np.bool_),  # the last action was illegal: only the penalty was applied
        ("is_over", np.bool_),  # the game in progress has ended (not with SAME_STEP)
    ]
    size = np.dtype(told).itemsize
    return np.dtype([*told, ("spare", np.int8, (-size % 8 or 8,))], align=True)


# The settings of a batch, the same for all its games; an array of length 1.
SETTINGS = np.dtype(
    [
        ("stride", np.uint64),  # difference between the seeds of consecutive games in a row
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
    """``n`` zeroed records, aligned to cache lines.

    A set of hexes fills two cache lines. With aligned records no set spans three lines, which saves a twentieth of a step's time.
    """
    raw = np.zeros(n * dtype.itemsize + CACHE_LINE, np.uint8)
    first = -raw.__array_interface__["data"][0] % CACHE_LINE
    return raw[first : first + n * dtype.itemsize].view(dtype)


@kernel
def draw_config(seed, n_configs):
    """The index of the config of a game with this seed (uint64)."""
    return scaled(mixed(mixed(seed + U64(GAMMA)) ^ U64(CONFIG_SALT)), n_configs)
