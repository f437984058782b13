"""What decisions led to: against the definition, written out for one seat of one game at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from training.rollouts import advantages, leads_of, results, shares_of, value_targets

SCALE = 20.0
MAX_SEATS = 4  # of the game that is written out here


def random_rollout(seed: int, horizon: int = 40, n_games: int = 6) -> Any:
    """Games of 2 to 4 players, seats in any order, ends here and there."""
    rng = np.random.default_rng(seed)
    n_players = np.zeros((horizon, n_games), np.int64)
    ends = rng.random((horizon, n_games)) < 0.1
    for g in range(n_games):
        n = int(rng.integers(2, 5))
        for t in range(horizon):
            n_players[t, g] = n
            if ends[t, g]:
                n = int(rng.integers(2, 5))
    scores = rng.integers(0, 4, size=(horizon, n_games, MAX_SEATS)).astype(np.float32) * 10
    # The ranks say who has won, not the points: here fewer points are better.
    is_seat = np.arange(MAX_SEATS) < n_players[:, :, None]
    ranks = 1 + (scores[:, :, :, None] > np.where(is_seat, scores, np.inf)[:, :, None, :]).sum(3)
    return SimpleNamespace(
        seats=rng.integers(1 << 20, size=n_players.shape) % n_players,
        n_players=n_players,
        ends=ends,
        scores=scores,
        ranks=np.where(is_seat, ranks, 0).astype(np.int8),
        values=rng.random((horizon, n_games, MAX_SEATS + 1)).astype(np.float32),
        n_moves=rng.integers(0, 4, size=n_players.shape),
        is_league=np.zeros((horizon, n_games), bool),
        learner=np.full((horizon, n_games), -1),
    )


def outcome(scores: np.ndarray, n: int, seat: int) -> np.ndarray:
    """The end of a game as a seat would have values it."""
    own = scores[:n]
    shares = (own == own.min()) / (own == own.min()).sum()
    lead = (own[seat] - (own.sum() - own[seat]) / (n - 1)) / SCALE
    turned = [shares[(seat + k) % n] if k < n else 0.0 for k in range(MAX_SEATS)]
    return np.array([*turned, lead])


def by_hand(rollout: Any, t: int, g: int, lam: float) -> np.ndarray | None:
    """The lambda return of one decision, over the same seat's later decisions in the same game; None if there is no later one."""
    seat, n = rollout.seats[t, g], rollout.n_players[t, g]
    if rollout.ends[t, g]:
        return outcome(rollout.scores[t, g], n, seat)
    for later in range(t + 1, len(rollout.seats)):
        if rollout.seats[later, g] == seat:
            rest = by_hand(rollout, later, g, lam)
            now = rollout.values[later, g]
            return now if rest is None else lam * rest + (1 - lam) * now
        if rollout.ends[later, g]:
            return outcome(rollout.scores[later, g], n, seat)
    return None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lam", [0.0, 0.9, 1.0])
def test_value_targets__every_decision__is_the_lambda_return_of_its_own_seat(seed: int, lam: float) -> None:
    rollout = random_rollout(seed)
    targets, found = value_targets(rollout, lam, SCALE)
    n_known = 0
    for t, g in np.ndindex(rollout.seats.shape):
        wanted = by_hand(rollout, t, g, lam)
        assert found[t, g] == (wanted is not None and rollout.n_moves[t, g] > 0)
        if wanted is not None:
            np.testing.assert_allclose(targets[t, g], wanted, atol=1e-5)
            n_known += 1
    assert n_known > 150


def test_shares__ties_and_empty_seats() -> None:
    np.testing.assert_allclose(
        shares_of(np.array([[1, 1, 3, 0], [2, 1, 0, 0]], np.int8)), [[0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]
    )


def test_leads__points_on_the_mean_of_the_others_and_nothing_for_empty_seats() -> None:
    leads = leads_of(np.array([[30.0, 30, 10, 99], [5, 8, 0, 0]]), np.array([3, 2]), 10.0)
    np.testing.assert_allclose(leads, [[1.0, 1.0, -2.0, 0], [-0.3, 0.3, 0, 0]])


def test_advantages__are_rewards_for_winning_and_leads_as_the_share_says() -> None:
    targets, values = np.zeros((2, MAX_SEATS + 1)), np.zeros((2, MAX_SEATS + 1))
    targets[:, 0], values[:, 0] = 1.0, 0.5
    targets[:, MAX_SEATS] = 0.4
    n_players = np.array([2, 3])
    np.testing.assert_allclose(advantages(targets, values, n_players, 0.0), [1.0, 0.75])  # from 0 to 1; from 0.25 to 1
    np.testing.assert_allclose(advantages(targets, values, n_players, 1.0), [0.4, 0.4])


def test_results__rewards_count_games_against_past_selves_only() -> None:
    rollout = random_rollout(1)
    rollout.ends[:] = False
    rollout.ends[3, :3] = True
    rollout.n_players[3, :3] = 2
    rollout.scores[3, :3], rollout.ranks[3, :3] = [9, 5, 0, 0], [1, 2, 0, 0]
    rollout.is_league[3, 1:3], rollout.learner[3, 1:3] = True, [0, 1]
    assert results(rollout) == {"return": 0.0, "score": 7.0}
    rollout.learner[3, 2] = 0
    assert results(rollout)["return"] == 1.0
