"""What the tests of the one-learner environment share: a learner that picks at random, and an opponent that takes notes."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.view import View

NAME = "winter_kingdom"


class Watched:
    """Plays like random and writes down what it saw and did into a list that the test shares."""

    def __init__(self, log: list[tuple[int, int]], seen: list[dict[str, np.ndarray]] | None = None) -> None:
        self.log, self.seen, self.random = log, seen, RandomAgent(5)

    def __call__(self, view: View) -> int:
        action = self.random(view)
        self.log.append((view.seat, action))
        if self.seen is not None:
            self.seen.append(view.observation())
        return action


class Picker:
    """Random legal actions for the learner, from masks."""

    def __init__(self, seed: int = 0) -> None:
        self.stream = Stream(seed)

    def __call__(self, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[self.stream.draw(len(legal))])


def play(env: gymnasium.Env[Any, Any], n: int | None = None, seed: int = 0) -> list[tuple[Any, ...]]:
    """What the next n steps give, or all until the end, and the actions taken."""
    pick, masks = Picker(seed), env.get_wrapper_attr("action_masks")
    steps: list[tuple[Any, ...]] = []
    while n is None or len(steps) < n:
        action = pick(masks())
        steps.append((*env.step(action), action))
        if steps[-1][2]:
            break
    return steps


def begun(seed: int = 1, **options: Any) -> SingleEnv:
    env = SingleEnv(NAME, **options)
    env.reset(seed=seed)
    return env
