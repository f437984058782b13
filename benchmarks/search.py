"""Simulations per second of the tree search, by threads, and the time to rate an action and to plan a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from benchmarks import envs
from benchmarks.positions import Source
from benchmarks.timing import Budget, Result, in_threads, measure
from winterkingdom_env.games import Game
from winterkingdom_env.search.thinking import Thinker

PART = "search"
SIMULATIONS = 400  # per tree, the agent's default
WIDTH, PLANS = 16, 16  # the agent's defaults


def searching(games: list[Game], simulations: int, seed: int) -> Callable[[], int]:
    """A function that searches a tree for each position and returns the number of simulations."""
    thinker = Thinker.about(games[0], width=WIDTH, n_plans=PLANS, most_simulations=simulations)

    def call() -> int:
        for game in games:
            thinker.begin(game, seed)
            thinker.simulate(simulations)
        return simulations * len(games)

    return call


def plan(thinker: Thinker, games: list[Game]) -> int:
    """Plan the turn of each position and return their number."""
    for game in games:
        thinker.plan(game)
    return len(games)


def rate(thinker: Thinker, games: list[Game]) -> int:
    """Rate every action of each position and return the number of actions."""
    return sum(len(thinker.rate(game)[0]) for game in games)


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """Simulations in middle-game positions, with one thread and with two (a tree each); rated actions; turn plans."""
    n, simulations = budget.choose(2, 16, 32), budget.choose(20, SIMULATIONS, SIMULATIONS)
    games = [pair.game for pair in source.collect(source.is_middle, n, budget.seed)]
    for threads in envs.usable_threads():
        calls = [searching(games, simulations, budget.seed + i) for i in range(threads)]
        with ThreadPoolExecutor(threads) as pool:

            def together(calls: list[Callable[[], int]] = calls, pool: ThreadPoolExecutor = pool) -> int:
                return sum(pool.map(lambda call: call(), calls))

            name = f"tree search, {in_threads(threads)}"
            yield measure(name, PART, "simulation", together, budget, threads=threads, positions=len(games))
    rating = partial(rate, Thinker.about(games[0]), games)
    yield measure("rated action", PART, "action", rating, budget, positions=len(games))
    planning = partial(plan, Thinker.about(games[0], width=WIDTH), games)
    yield measure("plan of a turn", PART, "plan", planning, budget, width=WIDTH, positions=len(games))
