"""The rewards of all environments."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from winterkingdom_env.core._jit import kernel

F32 = np.float32


class Reward(IntEnum):
    """The kinds of reward. All but SCORE are given at the end and sum to zero over the seats."""

    WIN = 0  # the winners share 1, the others share -1; 0 if all seats tie for the first place
    MARGIN = 1  # own score minus the mean score of the others, divided by the game's SCORE_SCALE
    SCORE = 2  # at every step, the change of the own score in points


@kernel
def add_rewards(kind, before, after, ranks, n_players, is_over, scale, rewards):
    """Add the rewards of a step from the scores ``before`` to ``after`` to ``rewards`` (float32 per seat).

    ``ranks``: the rank of every seat, 1 for the winners; only used when the game is over.
    """
    if kind == Reward.SCORE:
        for seat in range(n_players):
            rewards[seat] += F32(after[seat] - before[seat])
        return
    if not is_over:
        return
    total, n_best = 0, 0
    for seat in range(n_players):
        total += after[seat]
        n_best += int(ranks[seat] == 1)
    for seat in range(n_players):
        if kind == Reward.MARGIN:
            others = (total - after[seat]) / (n_players - 1)
            rewards[seat] += F32((after[seat] - others) / scale)
        elif n_best < n_players:
            rewards[seat] += F32(1 / n_best) if ranks[seat] == 1 else F32(-1 / (n_players - n_best))
