"""What an agent thought before its action, and the win probabilities of a position, for people who watch a game.

action = agent(view)
if agent.thoughts is not None:
    for action, weight, value in agent.thoughts.thoughts[:3]: ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.weights import MOVES, SHIPPED, load_weights, shipped_file

VISITS, PROBABILITY = "visits of the search", "probability of the policy"
WIN_PROBABILITY, POINTS = "win probability", "points"


class Thought(NamedTuple):
    """An action that an agent considered. ``weight``: 0 to 1, the sum of all is 1; None if the agent does not weigh actions."""

    action: int
    weight: float | None
    value: float | None


class Thoughts(NamedTuple):
    """What an agent thought before an action.

    ``words``: what a weight is. ``value_words``: what a value is, "win probability" (of the agent's seat) or "points"; empty without values.
    ``thoughts``: the actions that were considered, best first. ``plan``: the actions of a plan, from this one on. ``odds``: the win probability
    of each seat.
    """

    words: str
    value_words: str
    thoughts: tuple[Thought, ...]
    plan: tuple[int, ...] = ()
    odds: tuple[float, ...] | None = None


def thoughts_by_value(actions: NDArray[Any], values: NDArray[Any], chosen: int) -> Thoughts:
    """The thoughts of an agent that takes an action with the highest value in points; among ties, the chosen one is the first."""
    rated = sorted(zip(actions.tolist(), values.tolist(), strict=True), key=lambda one: (one[0] != chosen, -one[1]))
    return Thoughts("", POINTS, tuple(Thought(action, None, value) for action, value in rated))


def thoughts_by_visits(visits: Mapping[int, int], totals: Mapping[int, float]) -> Thoughts:
    """The thoughts of a search. ``totals``: the sum of the values of all visits."""
    tried = [action for action in visits if visits[action]]
    tried.sort(
        key=lambda action: (visits[action], totals[action]), reverse=True
    )  # stable, so the first of equals stays first
    n = sum(visits.values())
    return Thoughts(
        VISITS,
        WIN_PROBABILITY,
        tuple(Thought(action, visits[action] / n, totals[action] / visits[action]) for action in tried),
    )


def thoughts_by_probability(
    actions: NDArray[Any], probabilities: NDArray[Any], wins: NDArray[Any], seat: int
) -> Thoughts:
    """The thoughts of a network. ``wins``: the win probability of each seat, beginning with ``seat``."""
    order = np.argsort(-probabilities, kind="stable")
    total = float(probabilities.sum(dtype=np.float64))
    weighed = zip(actions[order].tolist(), probabilities[order].tolist(), strict=True)
    thoughts = tuple(Thought(action, probability / total, None) for action, probability in weighed)
    return Thoughts(PROBABILITY, "", thoughts, odds=tuple(by_seat(wins.tolist(), seat)))


def by_seat(values: Sequence[float], seat: int) -> list[float]:
    """Values that begin with those of ``seat``, in the order of the seats."""
    return [float(values[(i - seat) % len(values)]) for i in range(len(values))]


@lru_cache(maxsize=8)
def _shipped_weights(name: str) -> NDArray[np.float32] | None:
    weights = load_weights(shipped_file(name)) if (SHIPPED / f"{name}.safetensors").is_file() else None
    return weights.flat() if weights is not None and weights.network == MOVES else None


def shipped_network(rules: GameRules) -> Thinker | None:
    """The network that is shipped for a game, for ``odds_of``; None if there is none that kernels can evaluate.

    It evaluates one position at a time: give each thread its own.
    """
    weights = _shipped_weights(rules.NAME)
    return None if weights is None else Thinker(rules, net=weights)


def odds_of(game: Game, seat: int, network: Thinker | None) -> list[float] | None:
    """The win probability of each seat, by this network, from what ``seat`` knows; None without a network.

    After the end: 1 for the winner, or equal shares for all winners.
    """
    if network is None:
        return None
    if game.is_over:
        ranks = game.ranks()
        return [(rank == 1) / ranks.count(1) for rank in ranks]
    world = game.determinize(seat, 0)
    return by_seat(network.evaluate(world)[2].tolist(), world.seat)
