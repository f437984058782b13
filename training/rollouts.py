"""Rollouts of many games, played by the learner and its past selves; value targets and advantages."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from winterkingdom_env.envs.vector import VectorEnv

LEARNER = 0  # index of the learner in an actor's ``who``; its past selves follow


class Rollout:
    """Observations, actions and outcomes of ``horizon`` steps of all games.

    Arrays are (horizon, games, ...). ``moves`` and ``features`` hold the legal actions of all the learner's decisions, concatenated: ``n_moves``
    per decision, and 0 where a past self acted.
    """

    def __init__(self, horizon: int, env: VectorEnv, actor: Any) -> None:
        """Allocate the arrays for the games of ``env``: contexts if ``actor`` has them, else packed observations."""
        shape, spec, n_seats = (horizon, env.num_envs), env.module.OBSERVATION, env.module.MAX_PLAYERS
        self.contexts = np.zeros((*shape, actor.n_inputs), np.float32)
        self.packed = np.zeros((*shape, 0 if actor.n_inputs else spec.n_words), np.uint32)
        self.n_moves, self.choices = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.seats, self.n_players = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.log_probs, self.values = np.zeros(shape, np.float32), np.zeros((*shape, actor.n_values), np.float32)
        self.ends = np.zeros(shape, bool)
        self.scores, self.ranks = np.zeros((*shape, n_seats), np.float32), np.zeros((*shape, n_seats), np.int8)
        self.is_league = np.zeros(shape, bool)  # a game against past selves ended here
        self.learner = np.zeros(shape, np.int64)  # the learner's seat in such a game
        self.moves = np.zeros(24 * horizon * env.num_envs, np.int16)
        self.features = np.zeros((len(self.moves), actor.n_features), np.float32)
        self.n_listed = 0

    def make_room(self, n: int) -> None:
        """Make room for ``n`` more legal actions."""
        if self.n_listed + n > len(self.moves):
            self.moves = np.concatenate([self.moves, np.zeros_like(self.moves)])
            self.features = np.concatenate([self.features, np.zeros_like(self.features)])


class Players:
    """All games and their players: the learner against itself or, in a share of the games, against past selves."""

    def __init__(self, env: VectorEnv, actor: Any, league_share: float, seed: int) -> None:
        """``actor``: chooses actions for all rows of ``env``. ``league_share``: share of games against past selves."""
        self.env, self.actor, self.league_share = env, actor, league_share
        self.rng = np.random.default_rng(seed)
        self.seconds = {"env": 0.0, "inference": 0.0}
        self.learner = np.full(env.num_envs, -1)  # the learner's seat in games against past selves

    def seat_players(self, rows: np.ndarray, n_league: int) -> None:
        """Draw the players of the games that start in these rows."""
        share = self.league_share if n_league else 0.0
        against = rows[self.rng.random(len(rows)) < share]
        self.actor.who[rows], self.learner[rows] = LEARNER, -1
        if len(against):
            seats = self.rng.integers(1 << 30, size=len(against)) % self.env.batch.rows["n_players"][against]
            self.actor.who[against] = 1 + self.rng.integers(n_league, size=(len(against), self.actor.who.shape[1]))
            self.actor.who[against, seats] = LEARNER
            self.learner[against] = seats

    def play(self, players: Sequence[Any], rollout: Rollout) -> None:
        """Fill a rollout. ``players``: the frozen networks of the learner, then of its past selves."""
        env, actor, every = self.env, self.actor, np.arange(self.env.num_envs)
        rows = env.batch.rows
        rollout.n_listed = 0
        for t in range(len(rollout.seats)):
            began = time.thread_time()
            actor.act(players)
            seats = rows["seat"].astype(np.int64)
            is_learnt = actor.who[every, seats] == LEARNER
            rollout.seats[t], rollout.n_players[t] = seats, rows["n_players"]
            rollout.n_moves[t] = np.where(is_learnt, actor.n_moves, 0)
            rollout.choices[t], rollout.log_probs[t], rollout.values[t] = actor.choices, actor.log_probs, actor.values
            if rollout.packed.shape[2]:
                rollout.packed[t] = env.batch.packed
            else:
                rollout.contexts[t] = actor.contexts
            rollout.make_room(int(rollout.n_moves[t].sum()))
            rollout.n_listed = actor.gather(rollout.n_moves[t], rollout.n_listed, rollout.moves, rollout.features)
            acted = time.thread_time()
            turns = env.step(actor.actions)
            self.seconds["inference"] += acted - began
            self.seconds["env"] += time.thread_time() - acted
            rollout.ends[t] = turns.terminated
            ended = np.flatnonzero(turns.terminated)
            if len(ended):
                rollout.scores[t, ended], rollout.ranks[t, ended] = env.final_scores[ended], env.final_ranks[ended]
                rollout.is_league[t, ended] = self.learner[ended] >= 0
                rollout.learner[t, ended] = self.learner[ended]
                self.seat_players(ended, len(players) - 1)


def shares_of(ranks: np.ndarray) -> np.ndarray:
    """Each seat's share of the win in finished games (n, seats), from ranks: 1 for winners, 0 for unused seats."""
    wins = ranks == 1
    shares: np.ndarray = wins / wins.sum(1, keepdims=True)
    return shares


def leads_of(scores: np.ndarray, n_players: np.ndarray, scale: float) -> np.ndarray:
    """Each seat's lead in finished games (n, seats): its score minus the mean score of the others, divided by ``scale``."""
    is_seat = np.arange(scores.shape[1]) < n_players[:, None]
    total = np.where(is_seat, scores, 0).sum(1, keepdims=True)
    leads = (scores - (total - scores) / (n_players[:, None] - 1)) / scale
    return np.where(is_seat, leads, 0.0)


def value_targets(rollout: Rollout, lam: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Value targets of all decisions (win probabilities of all seats, own seat first, and the own lead), and a mask of where they exist.

    Targets are lambda-returns over each seat's own decisions: the values at the seat's next decision in the same game, mixed with the target
    there; at the end of the game, the outcome itself. A seat's last decision in an unfinished game of the rollout has no target.
    """
    horizon, n_games, n_seats = rollout.ranks.shape
    every, seats = np.arange(n_games), np.arange(n_seats)
    later = np.zeros((n_games, n_seats, rollout.values.shape[2]), np.float32)  # targets of each seat's next decision
    is_known = np.zeros((n_games, n_seats), bool)
    targets, found = np.zeros_like(rollout.values), np.zeros((horizon, n_games), bool)
    for t in reversed(range(horizon)):
        ended = np.flatnonzero(rollout.ends[t])
        if len(ended):
            n_players = rollout.n_players[t, ended]
            shares = shares_of(rollout.ranks[t, ended])
            leads = leads_of(rollout.scores[t, ended], n_players, scale)
            for seat in seats:
                turned = (seat + seats) % n_players[:, None]
                is_seat = seats < n_players[:, None]
                later[ended, seat, :-1] = np.where(is_seat, np.take_along_axis(shares, turned, 1), 0.0)
                later[ended, seat, -1] = leads[:, seat]
            is_known[ended] = True
        seat = rollout.seats[t]
        targets[t], found[t] = later[every, seat], is_known[every, seat]
        now = rollout.values[t]
        later[every, seat] = np.where(found[t][:, None], lam * targets[t] + (1 - lam) * now, now)
        is_known[every, seat] = True
    return targets, found & (rollout.n_moves > 0)


def advantages(targets: np.ndarray, values: np.ndarray, n_players: np.ndarray, margin: float) -> np.ndarray:
    """Advantages: targets minus values, as the reward for winning (core.rewards) mixed with the lead."""
    wins = (targets[:, 0] - values[:, 0]) * n_players / (n_players - 1)
    good: np.ndarray = (1 - margin) * wins + margin * (targets[:, -1] - values[:, -1])
    return good


def results(rollout: Rollout) -> dict[str, float]:
    """Statistics of the games that ended in a rollout: points, and win reward against past selves; nan if there were none."""
    n_players, scores = rollout.n_players[rollout.ends], rollout.scores[rollout.ends]
    is_seat = np.arange(scores.shape[1]) < n_players[:, None]
    against, learner = rollout.is_league[rollout.ends], rollout.learner[rollout.ends]
    shares = shares_of(rollout.ranks[rollout.ends])
    own = np.take_along_axis(shares, np.maximum(learner, 0)[:, None], 1)[:, 0]
    rewards = (n_players * own - 1) / (n_players - 1)
    return {
        "return": float(rewards[against].mean()) if against.any() else math.nan,
        "score": float(scores[is_seat].mean()) if len(scores) else math.nan,
    }
