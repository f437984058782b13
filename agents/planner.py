"""The agent that plans its turn as a whole."""

from __future__ import annotations

from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.envs.opponents import View
from winterkingdom_env.search.thinking import Thinker

MOST_WIDTH = 4096  # of a beam: more positions than any turn has that are worth following


class PlannerAgent:
    """Searches its own turn as a whole, by a beam over sequences of actions, for the position of most worth at its end.

    The plan of a turn is followed to its end: nothing that happens within a turn can surprise its seat.
    """

    def __init__(self, seed: int = 0, width: int = 16) -> None:
        """``width``: how many positions the beam follows at a time."""
        if not 1 <= width <= MOST_WIDTH:
            raise ValueError(f"width={width}: a beam follows at least one position and at most {MOST_WIDTH:,}")
        self._stream, self._width = Stream(seed_state(seed)), width
        self._plan: list[int] = []
        self._thinker: Thinker | None = None

    def __call__(self, view: View) -> int:
        """The next action of the plan; a new plan at the beginning of a turn."""
        legal = view.legal_actions()
        if not self._plan or self._plan[0] not in legal:
            world = view.determinize(self._stream.next_word())
            self._thinker = Thinker.about(world, self._thinker, width=self._width)
            plans = self._thinker.plan(world)
            self._plan = plans[0] if plans else legal[:1]
        return self._plan.pop(0)
