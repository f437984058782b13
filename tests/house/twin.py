"""What a vector environment of any game must do, played game by game with the game's own objects and plain arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from winterkingdom_env.envs.vector import WAIT, Turns, VectorEnv
from winterkingdom_env.games import Game


def expected_rewards(kind: str, before: list[int], game: Game, scale: float) -> list[float]:
    """What a step pays that led from scores to a position, by the words of docs/environments.md."""
    after, ranks = game.scores(), game.ranks()
    n, winners = len(after), ranks.count(1)
    if kind == "score":
        return [float(now - then) for then, now in zip(before, after, strict=True)]
    if not game.is_over:
        return [0.0] * n
    if kind == "margin":
        return [(own - (sum(after) - own) / (n - 1)) / scale for own in after]
    if winners == n:
        return [0.0] * n
    return [1 / winners if rank == 1 else -1 / (n - winners) for rank in ranks]


@dataclass
class Twin:
    """One row of a vector environment, as a game object."""

    env: VectorEnv
    row: int
    reward: str = "win"
    skip_forced: bool = False
    illegal_reward: float = -1.0
    autoreset: str = "SAME_STEP"

    def __post_init__(self) -> None:
        """Begin the row's first game."""
        self.begin(int(self.env.seeds[self.row]))

    def begin(self, seed: int) -> None:
        """Begin the game with this seed."""
        self.seed = seed
        self.game = self.env.module.new_game(self.env.config(self.row), seed)
        self.rewards, self.terminated, self.illegal = [0.0] * self.game.n_players, False, False
        self._skip()

    def _skip(self) -> None:
        while self.skip_forced and len(self.game.legal_actions()) == 1:
            self.game.apply(self.game.legal_actions()[0])

    def step(self, action: int) -> None:
        """What a step of the environment does to this row."""
        game, n = self.game, self.game.n_players
        self.rewards, self.terminated, self.illegal = [0.0] * n, False, False
        if action == WAIT or (game.is_over and self.autoreset == "DISABLED"):
            return
        if game.is_over:
            self.begin(self.seed + self.env.num_envs)
            return
        if action not in game.legal_actions():
            self.illegal, self.rewards[game.seat] = True, self.illegal_reward
            return
        before = game.scores()
        game.apply(action)
        self._skip()
        self.rewards = expected_rewards(self.reward, before, game, self.env.module.SCORE_SCALE)
        self.terminated = self.game.is_over
        if self.terminated and self.autoreset == "SAME_STEP":
            rewards = self.rewards
            self.begin(self.seed + self.env.num_envs)
            self.rewards, self.terminated = rewards, True

    def check(self, turns: Turns, form: str | None) -> None:
        """The environment shows this row as the game object does."""
        row, game = self.row, self.game
        paid = np.zeros(self.env.module.MAX_PLAYERS)
        paid[: len(self.rewards)] = self.rewards
        np.testing.assert_allclose(turns.rewards[row], paid, atol=1e-6)
        assert (turns.terminated[row], turns.illegal[row]) == (self.terminated, self.illegal)
        assert (turns.seat[row], turns.n_players[row]) == (game.seat, game.n_players)
        assert self.env.game(row).to_bytes() == game.to_bytes()
        assert (int(self.env.seeds[row]), bool(self.env.is_over[row])) == (self.seed, game.is_over)
        mask = np.zeros(self.env.module.N_ACTIONS, np.int8)
        mask[game.legal_actions() or [self.env.module.PASS]] = 1
        np.testing.assert_array_equal(turns.action_mask[row], mask)
        expected: dict[str, Any] = {} if form is None else game.observe(form=form)
        expected.pop("action_mask", None)
        assert set(turns.observation) == set(expected)
        for name, part in expected.items():
            np.testing.assert_array_equal(turns.observation[name][row], part)


def choose(env: VectorEnv, rng: np.random.Generator) -> np.ndarray:
    """Random actions; a few are illegal, no action at all, or none given."""
    actions = env.sample_actions(rng).copy()
    dice = rng.integers(40, size=len(actions))
    actions[dice == 0] = rng.integers(env.module.N_ACTIONS, size=int((dice == 0).sum()))
    actions[dice == 1] = env.module.N_ACTIONS + 5
    actions[dice == 2] = WAIT
    actions[dice == 3] = -7
    return actions


def play_beside(env: VectorEnv, form: str | None, n_steps: int, seed: int, **rules: Any) -> int:
    """Play a begun environment and its twins, compare after every step; the number of games that ended."""
    turns = env.reset(seed=seed)
    twins = [Twin(env, row, **rules) for row in range(env.num_envs)]
    rng, ended = np.random.default_rng(seed), 0
    for twin in twins:
        twin.check(turns, form)
    for _ in range(n_steps):
        actions = choose(env, rng)
        turns = env.step(actions)
        for twin, action in zip(twins, actions, strict=True):
            twin.step(int(action))
            twin.check(turns, form)
            ended += twin.terminated
    return ended
