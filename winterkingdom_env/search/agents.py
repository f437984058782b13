"""Agents for all games: random, greedy, turn planning by beam search, and tree search."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search.policy import NetworkFile, rules_of
from winterkingdom_env.search.thinking import MOST_PLANS, Thinker
from winterkingdom_env.search.thoughts import Thoughts, thoughts_by_value, thoughts_by_visits
from winterkingdom_env.search.view import View

SAME = 1e-9  # values that differ by less are ties
MOST_WIDTH = 4096  # limit of the beam width, more than any turn needs
BATCH = 16  # simulations between two checks of the clock
SIMULATIONS_IN_TIME = 100_000  # limit with a time budget, so that the tree fits into memory
# A tree has one 48-byte node per simulation, or 16 if a network guides it: less than a gigabyte in both cases.
MOST_SIMULATIONS, MOST_GUIDED = 10_000_000, 1_000_000
MOST_MILLISECONDS = 86_400_000  # a day
MOST_EXPLORE = 100.0


class RandomAgent:
    """Chooses legal actions uniformly at random, reproducibly for a seed."""

    thoughts: Thoughts | None = None

    def __init__(self, seed: int) -> None:
        """Start a random stream from ``seed``."""
        self._stream = Stream(seed_state(seed))

    def __call__(self, view: View) -> int:
        """Choose a legal action."""
        legal = view.legal_actions()
        # A forced action draws nothing, so that a game is the same whether forced actions are asked for or skipped.
        return legal[0] if len(legal) == 1 else legal[self._stream.draw(len(legal))]


def compile_for(rules: GameRules) -> None:
    """Compile the kernel of these agents, before their time is measured."""
    Thinker(rules).rate(rules.new_game())


class GreedyAgent:
    """Chooses the action with the highest heuristic value (the game's ``worth``) after it. Ties are broken at random."""

    def __init__(self, seed: int = 0) -> None:
        """Start a random stream from ``seed``."""
        self._stream = Stream(seed_state(seed))
        self._thinker: Thinker | None = None
        self._last: tuple[np.ndarray, np.ndarray, int] | None = None  # actions, values, and the chosen action

    def get_ready(self, rules: GameRules) -> None:
        """Compile the search kernel."""
        compile_for(rules)

    @property
    def thoughts(self) -> Thoughts | None:
        """The values of the actions before the last choice; None if that was forced."""
        return None if self._last is None or len(self._last[0]) == 1 else thoughts_by_value(*self._last)

    def __call__(self, view: View) -> int:
        """Choose a legal action."""
        world = view.determinize(self._stream.next_word())
        self._thinker = Thinker.about(world, self._thinker)
        actions, values = self._thinker.rate(world)
        best = actions[np.flatnonzero(values >= values.max() - SAME)]
        chosen = int(best[self._stream.draw(len(best))])
        self._last = actions, values, chosen
        return chosen


class PlannerAgent:
    """Plans a complete turn: a beam search over sequences of actions for the highest heuristic value at the end of the turn.

    The agent follows a plan until the turn ends or something unexpected happens, such as a drawn card.
    """

    def __init__(self, seed: int = 0, width: int = 16) -> None:
        """``width``: the beam width."""
        if not 1 <= width <= MOST_WIDTH:
            raise ValueError(f"width={width}: the width of a beam is 1 to {MOST_WIDTH:,}")
        self._stream, self._width = Stream(seed_state(seed)), width
        self._plan: list[int] = []
        self._action: int | None = None  # the last one; None if it was forced
        self._expected: Game | None = None  # the game after the actions of the plan so far
        self._thinker: Thinker | None = None

    def get_ready(self, rules: GameRules) -> None:
        """Compile the search kernel."""
        compile_for(rules)

    @property
    def thoughts(self) -> Thoughts | None:
        """The plan at the last action, from this one on; None if that was forced."""
        return None if self._action is None else Thoughts("", "", (), (self._action, *self._plan))

    def __call__(self, view: View) -> int:
        """The next action of the plan; a new plan at the start of a turn or if the position is not the expected one."""
        legal = view.legal_actions()
        if not self._plan or self._plan[0] not in legal or not self._is_as_expected(view):
            self._expected = view.determinize(self._stream.next_word())
            self._plan = self._plan_turn(self._expected) or legal[:1]
        action = self._plan.pop(0)
        self._action = action if len(legal) > 1 else None
        if self._plan and self._expected is not None:
            self._expected.apply(action)
        return action

    def _plan_turn(self, game: Game) -> list[int]:
        """The best plan; empty if there is none."""
        self._thinker = Thinker.about(game, self._thinker, width=self._width)
        return next(iter(self._thinker.plan(game)), [])

    def _is_as_expected(self, view: View) -> bool:
        """Whether the seat sees what the plan expected it to see."""
        if self._expected is None or self._expected.seat != view.seat or self._expected.n_players != view.n_players:
            return False
        expected, seen = (
            found["observation"] for found in (self._expected.observe(view.seat, "packed"), view.observation("packed"))
        )
        return np.array_equal(expected, seen)


class SearchAgent:
    """Information-set Monte Carlo tree search in a kernel; the budget is simulations or, if given, milliseconds per move.

    With several ``threads``, each searches its own tree (root parallelism) with its share of the simulations, and visits are summed. The same
    seed and number of threads give the same actions, unless the budget is time.
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
        explore: float = 0.0,
    ) -> None:
        """``width``: of the beam that finds ``plans`` (at most 63) for the current turn, with which the tree starts.

        ``policy``: a file of weights, or "shipped": a network that guides the search instead of the beam. ``explore``: the weight of
        exploration (PUCT); 0 is the default of the kind of search.
        """
        most = MOST_GUIDED if policy else MOST_SIMULATIONS
        is_budget = 1 <= simulations <= most and 0 <= milliseconds <= MOST_MILLISECONDS
        if not is_budget or not 1 <= width <= MOST_WIDTH or not 1 <= plans <= MOST_PLANS:
            raise ValueError(
                f"simulations={simulations}, milliseconds={milliseconds}, width={width}, plans={plans}: simulations must be 1 to "
                f"{MOST_SIMULATIONS:,} ({MOST_GUIDED:,} with a policy), milliseconds 0 to {MOST_MILLISECONDS:,}, width 1 to {MOST_WIDTH:,}, "
                f"and plans 1 to {MOST_PLANS}"
            )
        if not 0 <= explore <= MOST_EXPLORE:
            raise ValueError(f"explore={explore}: give 0 (the default) to {MOST_EXPLORE}")
        if not 1 <= threads <= (os.cpu_count() or 1):
            raise ValueError(f"threads={threads}: give 1 to {os.cpu_count()}")
        self._stream = Stream(seed_state(seed))
        self._simulations, self._milliseconds, self._threads = simulations, milliseconds, threads
        self._width, self._plans = width, plans
        self._parameters: dict[str, Any] = {"explore": explore} if explore else {}
        self._file: NetworkFile | None = NetworkFile(policy) if policy else None
        self._weights: np.ndarray | None = None
        self._last: tuple[dict[int, int], dict[int, float]] | None = None  # visits and sums of values
        if self._file is not None and self._file.weights is not None:
            self._file.weights.flat()  # raises for a network that a search cannot use

    def get_ready(self, rules: GameRules) -> None:
        """Load the network, if one guides the search, and compile. Raises ValueError if there is none for this game."""
        if self._file is not None:
            self._weights = self._file.weights_for(rules).flat()
        compile_for(rules)

    @property
    def thoughts(self) -> Thoughts | None:
        """Shares of the visits and mean values in the last search; None if the action was forced."""
        return None if self._last is None else thoughts_by_visits(*self._last)

    def __call__(self, view: View) -> int:
        """The most visited action; among ties, the one with the highest mean value."""
        legal = view.legal_actions()
        self._last = None
        if len(legal) == 1:
            return legal[0]
        if self._file is not None and self._weights is None:
            self.get_ready(rules_of(view))
        world = view.determinize(self._stream.next_word())
        seeds = [self._stream.next_word() for _ in range(self._threads)]
        if self._threads == 1:
            found = [self._search(world, seeds[0])]
        else:
            with ThreadPoolExecutor(self._threads) as pool:  # kernels release the GIL
                found = list(pool.map(lambda seed: self._search(world.clone(), seed), seeds))
        visits, values = dict.fromkeys(legal, 0), dict.fromkeys(legal, 0.0)
        for part in found:
            for action, (n, mean) in part.items():
                visits[action] += n
                values[action] += n * mean
        self._last = visits, values
        return max(legal, key=lambda action: (visits[action], values[action]))

    def _search(self, world: Any, seed: int) -> dict[int, tuple[int, float]]:
        """Search one tree: visits and mean value of each action."""
        n = -(-self._simulations // self._threads)
        most = SIMULATIONS_IN_TIME if self._milliseconds else n
        if self._weights is None:
            options: dict[str, Any] = {"width": self._width, "n_plans": self._plans}
        else:
            options = {"net": self._weights}
        thinker = Thinker.about(world, most_simulations=most, **options, **self._parameters)
        end = time.perf_counter() + self._milliseconds / 1000
        thinker.begin(world, seed)
        if not self._milliseconds:
            thinker.simulate(n)
        for _ in range(most // BATCH if self._milliseconds else 0):
            thinker.simulate(BATCH)
            if time.perf_counter() >= end:
                break
        return thinker.visits()
