"""Sequential halving over plans for a turn: each round simulates all plans that are left equally often, and keeps the better half."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.core.verbs import copy_game
from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search import turn_search
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.turn_network import make_turn_arrays
from winterkingdom_env.search.turn_search import N_SPARE, make_arms

# Turn ends that the network values for a reply; one is the best of the beam without the network. With four, a simulation takes 2.4 times as long.
REPLY_PLANS = 1
PRIOR_VISITS = 2.0  # the value of a plan before any simulation counts as much as this many simulations


ARMS, REPLY = 16, 4  # defaults of a budget
MOST_ARMS, MOST_REPLY, MOST_DEPTH = 1024, 64, 64
MOST_SIMULATIONS, MOST_MILLISECONDS = 10_000_000, 86_400_000  # a day


class Budget(NamedTuple):
    """The budget of a search over turns, and what it is spent on: see ``TurnAgent``."""

    simulations: int
    milliseconds: int
    arms: int = ARMS
    reply: int = REPLY
    depth: int = 0

    @property
    def is_some(self) -> bool:
        """Whether there is anything to spend."""
        return bool(self.simulations or self.milliseconds)

    def check(self) -> None:
        """Raise ValueError if a number is out of range, or if one has no effect."""
        lowest = {"simulations": 0, "milliseconds": 0, "arms": 2, "reply": 1, "depth": 0}
        highest = (MOST_SIMULATIONS, MOST_MILLISECONDS, MOST_ARMS, MOST_REPLY, MOST_DEPTH)
        for (name, least), most, found in zip(lowest.items(), highest, self, strict=True):
            if not least <= found <= most:
                raise ValueError(f"{name}={found}: give {least} to {most:,}")
        if self.simulations and self.milliseconds:
            raise ValueError(
                f"simulations={self.simulations}, milliseconds={self.milliseconds}: a search has one budget; leave one of them at 0"
            )
        if not self.is_some and self != Budget(0, 0):
            raise ValueError("arms, reply and depth belong to a search: give simulations or milliseconds, too")


def round_sizes(n_arms: int) -> list[int]:
    """How many arms each round has: halves, rounded up, down to two."""
    sizes = []
    while n_arms > 1:
        sizes.append(n_arms)
        n_arms = -(-n_arms // 2)
    return sizes


def most_arms(n_plans: int, n_simulations: float) -> int:
    """How many of the plans a budget can compare: each round simulates all that are left at least once."""
    n_arms = n_plans
    while n_arms > 1 and sum(round_sizes(n_arms)) > n_simulations:
        n_arms -= 1
    return n_arms


class TurnSearcher(Thinker):
    """Searches over plans for the turn of the seat to act. ``turn_net``: weights of the network that values turn ends.

    ``n_arms``: how many plans are compared. ``width``: of the beam that finds replies. ``depth``: turns after the plan; 0: as many as there are seats.
    """

    def __init__(self, rules: GameRules, turn_net: np.ndarray, n_arms: int, width: int, depth: int = 0) -> None:
        """Allocate the arrays."""
        super().__init__(rules, width=width, n_plans=REPLY_PLANS, n_spare=N_SPARE)
        self._turns, self._arms = make_turn_arrays(rules.World, turn_net, REPLY_PLANS), make_arms(n_arms)
        self._depth, self._values = depth, np.zeros(n_arms)
        self._pace = 0.0  # seconds per simulation in the last search

    def search(
        self, game: Game, plans: Sequence[Sequence[int]], values: NDArray[np.float64], seed: int, n_simulations: int
    ) -> int:
        """The index of the best plan after up to ``n_simulations``. ``plans``: the best first, with their values before any simulation."""
        stream, left = self._begin(game, plans, values, seed), n_simulations
        sizes = round_sizes(most_arms(len(self._values), n_simulations))
        for k, size in enumerate(sizes):
            n_deals = max(1, left // ((len(sizes) - k) * size))
            left -= n_deals * size
            for _ in range(n_deals):
                self._simulate(stream, size)
            self._sort(size)
        return int(self._arms.order[0])

    def search_until(
        self, game: Game, plans: Sequence[Sequence[int]], values: NDArray[np.float64], seed: int, end: float
    ) -> int:
        """The same until about ``end``, a time of time.perf_counter(). With little time, fewer plans are compared."""
        stream, start = self._begin(game, plans, values, seed), time.perf_counter()
        n_possible = (end - start) / self._pace if self._pace else np.inf
        sizes = round_sizes(most_arms(len(self._values), n_possible))
        for k, size in enumerate(sizes):
            now = time.perf_counter()
            stop = now + (end - now) / (len(sizes) - k)
            while True:
                self._simulate(stream, size)
                if time.perf_counter() >= stop:
                    break
            self._sort(size)
        if sizes:
            self._pace = (time.perf_counter() - start) / int(self._arms.visits.sum())
        return int(self._arms.order[0])

    def results(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """By plan, the visits and the sum of the win probabilities."""
        return self._arms.visits, self._arms.wins

    def _begin(self, game: Game, plans: Sequence[Sequence[int]], values: NDArray[np.float64], seed: int) -> Stream:
        """Make the game the root and the first plans the arms; the stream of the deals."""
        arms = self._arms
        self._show(game)
        copy_game.quick(type(self._world)).call(self._world, 0, len(self._world.games) - N_SPARE)
        arms.order[:] = np.arange(len(arms.order))
        for array in (arms.visits, arms.values, arms.wins):
            array[:] = 0
        self._values = values[: len(arms.order)]
        for k, plan in enumerate(plans[: len(arms.order)]):
            arms.plans[k, : len(plan)], arms.lengths[k] = plan, len(plan)
        return Stream(seed_state(seed))

    def _simulate(self, stream: Stream, n_arms: int) -> None:
        """Simulate the arms that come first in the order once each, all with the same deal."""
        kernel = turn_search.simulate_deal.quick(type(self._world))
        word = np.uint64(stream.next_word())
        kernel.call(self._world, word, n_arms, self._depth, self._arrays, self._turns, self._arms)

    def _sort(self, n_arms: int) -> None:
        """Bring the best of the arms that come first in the order to the front; they have equally many visits."""
        arms = self._arms
        some = arms.order[:n_arms].copy()
        means = (PRIOR_VISITS * self._values[some] + arms.values[some]) / (PRIOR_VISITS + arms.visits[some])
        arms.order[:n_arms] = some[np.argsort(-means, kind="stable")]
