"""What the tests of the environment for Stable-Baselines3 share: an environment that has begun, and learners that pick at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from sb3_contrib.common.maskable.utils import get_action_masks

from training.sb3_env import LearnerVecEnv

N_ENVS = 16


def begun(form: str = "bytes", seed: int = 5, **options: Any) -> Any:
    env = LearnerVecEnv(N_ENVS, form=form, **{"num_players": (2, 3, 4), "skip_forced": True, **options})
    env.seed(seed)
    env.reset()
    return env


def pick(env: Any, rng: np.random.Generator) -> Any:
    masks = get_action_masks(env)
    return (rng.random(masks.shape) * masks).argmax(1)


def ends_of(env: Any, n_games: int, seed: int = 0) -> list[tuple[float, dict[str, Any]]]:
    """The last reward and info of the games that end while random learners play."""
    rng = np.random.default_rng(seed)
    found: list[tuple[float, dict[str, Any]]] = []
    while len(found) < n_games:
        _, rewards, dones, infos = env.step(pick(env, rng))
        found += [(float(rewards[row]), infos[row]) for row in np.flatnonzero(dones)]
    return found
