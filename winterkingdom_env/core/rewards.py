"""What a seat is paid: the kinds of reward that every environment offers, computed in one place."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from winterkingdom_env.core._jit import kernel

F32 = np.float32


class Reward(IntEnum):
    """The kinds of reward. All but SCORE are paid at the end and add up to zero over the seats."""

    WIN = 0  # the winners share 1, the others share -1; nothing if all share the first place
    MARGIN = 1  # own score less the mean of the others', divided by the game's score scale
    SCORE = 2  # at every step, the change of the own running score, in points


@kernel
def add_rewards(kind, before, after, ranks, n_players, is_over, scale, rewards):
    """Add to ``rewards`` (float32 per seat) what a step from the scores ``before`` to ``after`` pays.

    ``ranks``: the place of every seat, 1 for the winners; it is read at the end only.
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
