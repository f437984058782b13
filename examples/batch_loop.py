"""A thousand games at once in numpy, without a framework: python examples/batch_loop.py

Every row is a game. A step takes one action per row and returns, per row, the observation of the seat to act.
"""

import time

import numpy as np

from winterkingdom_env import winter_kingdom_v1


def choose(action_mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action per row. Put your network here, and sample from its masked logits instead."""
    logits = rng.random(action_mask.shape, np.float32)
    actions: np.ndarray = np.where(action_mask, logits, -np.inf).argmax(axis=1)
    return actions


def main(n_games: int = 1024, n_steps: int = 300) -> float:
    """Step the batch, print steps per second, and return the mean score per seat of finished games."""
    env = winter_kingdom_v1.vector_env(n_games, num_players=(2, 3, 4), twist="random", reward="win")
    turns, rng, finished = env.reset(seed=7), np.random.default_rng(7), 0
    total = n = 0
    start = time.perf_counter()
    for _ in range(n_steps):
        # turns.observation["observation"] has the packed observations; winter_kingdom_v1.unpack converts them to planes.
        turns = env.step(choose(turns.action_mask, rng))
        ended = np.flatnonzero(turns.terminated)  # these rows already show the next game
        finished += len(ended)
        total += int(env.final_scores[ended].sum())
        n += int((env.final_ranks[ended] > 0).sum())
    seconds = time.perf_counter() - start
    print(
        f"{n_games * n_steps / seconds:,.0f} steps/s, {finished} games finished, {total / max(n, 1):.1f} points a seat"
    )
    return total / max(n, 1)


if __name__ == "__main__":
    main()
