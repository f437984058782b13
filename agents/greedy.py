"""The agent that takes what is worth most right now."""

from __future__ import annotations

import numpy as np

from agents.thinking import thinking_about
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.envs.opponents import View

SAME = 1e-9  # worths that differ by less are the same


class GreedyAgent:
    """Takes the action after which its position is worth most: points now, coins, cards, room. Ties are broken by the seed."""

    def __init__(self, seed: int = 0) -> None:
        """Begin a random stream of its own."""
        self._stream = Stream(seed_state(seed))

    def __call__(self, view: View) -> int:
        """A legal action."""
        world = view.determinize(self._stream.next_word())
        actions, values = thinking_about(world).Thinker().rate(world)
        best = actions[np.flatnonzero(values >= values.max() - SAME)]
        return int(best[self._stream.draw(len(best))])
