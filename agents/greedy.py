"""The agent that takes what is worth most right now."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.envs.opponents import View
from winterkingdom_env.search.thinking import Thinker

SAME = 1e-9  # worths that differ by less are the same


class GreedyAgent:
    """Takes the action after which its position is worth most: points now, coins, cards, room. Ties are broken by the seed."""

    def __init__(self, seed: int = 0) -> None:
        """Begin a random stream of its own."""
        self._stream = Stream(seed_state(seed))
        self._thinker: Thinker | None = None

    def __call__(self, view: View) -> int:
        """A legal action."""
        world = view.determinize(self._stream.next_word())
        self._thinker = Thinker.about(world, self._thinker)
        actions, values = self._thinker.rate(world)
        best = actions[np.flatnonzero(values >= values.max() - SAME)]
        return int(best[self._stream.draw(len(best))])
