"""Agents that know any game: random, greedy, one that plans its turn, and one that searches a tree."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games import GameRules
from winterkingdom_env.search.policy import NetworkFile, rules_of
from winterkingdom_env.search.thinking import MOST_PLANS, Thinker
from winterkingdom_env.search.view import View

SAME = 1e-9  # worths that differ by less are the same
MOST_WIDTH = 4096  # of a beam: more positions than any turn has that are worth following
BATCH = 16  # simulations between two looks at the clock
SIMULATIONS_IN_TIME = 100_000  # within a budget of time: the tree must fit into memory
# A tree has a place of 48 bytes for each simulation, and 16 of them if a network guides it: less than a gigabyte either way.
MOST_SIMULATIONS, MOST_GUIDED = 10_000_000, 1_000_000
MOST_MILLISECONDS = 86_400_000  # a day


class RandomAgent:
    """Takes each legal action with the same probability; the same seed answers the same."""

    def __init__(self, seed: int) -> None:
        """Begin a random stream of its own."""
        self._stream = Stream(seed_state(seed))

    def __call__(self, view: View) -> int:
        """A legal action."""
        legal = view.legal_actions()
        # A forced action draws nothing, so that a game is the same whether forced actions are asked for or skipped.
        return legal[0] if len(legal) == 1 else legal[self._stream.draw(len(legal))]


def compile_for(rules: GameRules) -> None:
    """Compile what these agents think with, before a clock runs: one kernel does all their jobs."""
    Thinker(rules).rate(rules.new_game())


class GreedyAgent:
    """Takes the action after which its position is worth most, as the game's ``worth`` says. Ties are broken by the seed."""

    def __init__(self, seed: int = 0) -> None:
        """Begin a random stream of its own."""
        self._stream = Stream(seed_state(seed))
        self._thinker: Thinker | None = None

    def get_ready(self, rules: GameRules) -> None:
        """Compile what it thinks with."""
        compile_for(rules)

    def __call__(self, view: View) -> int:
        """A legal action."""
        world = view.determinize(self._stream.next_word())
        self._thinker = Thinker.about(world, self._thinker)
        actions, values = self._thinker.rate(world)
        best = actions[np.flatnonzero(values >= values.max() - SAME)]
        return int(best[self._stream.draw(len(best))])


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

    def get_ready(self, rules: GameRules) -> None:
        """Compile what it thinks with."""
        compile_for(rules)

    def __call__(self, view: View) -> int:
        """The next action of the plan; a new plan at the beginning of a turn."""
        legal = view.legal_actions()
        if not self._plan or self._plan[0] not in legal:
            world = view.determinize(self._stream.next_word())
            self._thinker = Thinker.about(world, self._thinker, width=self._width)
            plans = self._thinker.plan(world)
            self._plan = plans[0] if plans else legal[:1]
        return self._plan.pop(0)


class SearchAgent:
    """Information-set Monte-Carlo tree search in a kernel; the budget is simulations or, if given, milliseconds per move.

    With ``threads`` each searches a tree of its own (root parallelism) with its share of the simulations, and visits are added up. The same
    seed and number of threads give the same answers, unless the budget is time.
    """

    def __init__(
        self,
        seed: int = 0,
        simulations: int = 400,
        milliseconds: int = 0,
        threads: int = 1,
        width: int = 16,
        plans: int = 8,
        policy: str = "",
    ) -> None:
        """``width`` of the beam that finds the ``plans`` for the turn with which a tree begins (63 at most).

        ``policy``: a file of weights, or "shipped": its network guides the search instead, and there is no beam.
        """
        most = MOST_GUIDED if policy else MOST_SIMULATIONS
        is_budget = 1 <= simulations <= most and 0 <= milliseconds <= MOST_MILLISECONDS
        if not is_budget or not 1 <= width <= MOST_WIDTH or not 1 <= plans <= MOST_PLANS:
            raise ValueError(
                f"simulations={simulations}, milliseconds={milliseconds}, width={width}, plans={plans}: simulations, width and plans begin "
                f"at 1, milliseconds at 0, and there are {MOST_PLANS} plans at most, a width of {MOST_WIDTH:,}, {MOST_MILLISECONDS:,} "
                f"milliseconds, and {MOST_SIMULATIONS:,} simulations ({MOST_GUIDED:,} with a policy)"
            )
        if not 1 <= threads <= (os.cpu_count() or 1):
            raise ValueError(f"threads={threads}: give 1 to {os.cpu_count()}")
        self._stream = Stream(seed_state(seed))
        self._simulations, self._milliseconds, self._threads = simulations, milliseconds, threads
        self._width, self._plans = width, plans
        self._file: NetworkFile | None = NetworkFile(policy) if policy else None
        self._weights: np.ndarray | None = None
        if self._file is not None and self._file.weights is not None:
            self._file.weights.flat()  # refuses a network that no search can ask

    def get_ready(self, rules: GameRules) -> None:
        """Read the network for a game, if one guides the search, and compile; ValueError if there is none for it."""
        if self._file is not None:
            self._weights = self._file.weights_for(rules).flat()
        compile_for(rules)

    def __call__(self, view: View) -> int:
        """The action that was visited most often; of several, the one that came out best."""
        legal = view.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if self._file is not None and self._weights is None:
            self.get_ready(rules_of(view))
        world = view.determinize(self._stream.next_word())
        seeds = [self._stream.next_word() for _ in range(self._threads)]
        if self._threads == 1:
            found = [self._search(world, seeds[0])]
        else:
            with ThreadPoolExecutor(self._threads) as pool:  # kernels run without Python's lock
                found = list(pool.map(lambda seed: self._search(world.clone(), seed), seeds))
        visits, values = dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)
        for part in found:
            for action, (n, mean) in part.items():
                visits[action] += n
                values[action] += n * mean
        return max(legal, key=lambda action: (visits[action], values[action]))

    def _search(self, world: Any, seed: int) -> dict[int, tuple[int, float]]:
        """One tree: for each action how often it was visited and how it came out."""
        n = -(-self._simulations // self._threads)
        most = SIMULATIONS_IN_TIME if self._milliseconds else n
        if self._weights is None:
            thinker = Thinker.about(world, width=self._width, n_plans=self._plans, most_simulations=most)
        else:
            thinker = Thinker.about(world, net=self._weights, most_simulations=most)
        end = time.perf_counter() + self._milliseconds / 1000
        thinker.begin(world, seed)
        if not self._milliseconds:
            thinker.simulate(n)
        for _ in range(most // BATCH if self._milliseconds else 0):
            thinker.simulate(BATCH)
            if time.perf_counter() >= end:
                break
        return thinker.visits()
