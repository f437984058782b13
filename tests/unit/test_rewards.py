"""What a step pays, and which config a seed draws."""

from __future__ import annotations

import numpy as np
import pytest

from winterkingdom_env.core.rewards import Reward, add_rewards
from winterkingdom_env.core.rng import GAMMA, Stream
from winterkingdom_env.core.rows import draw_config

MAX_SEATS = 5
SALT = 0xC0F1_6C0F_16C0_F16C  # written out: another salt deals other games for the same seeds
THIRD = 1 / 3


def pay(
    kind: Reward, after: list[int], before: list[int] | None = None, is_over: bool = True, scale: float = 50
) -> list[float]:
    """What each seat is paid for a step that ends with these scores; the seats that nobody sits on must get nothing."""
    n_players = len(after)
    scores = np.zeros((2, MAX_SEATS), np.int64)
    scores[0, :n_players] = before or [0] * n_players
    scores[1, :n_players] = after
    scores[:, n_players:] = 99  # nobody's points count for nobody
    rewards = np.zeros(MAX_SEATS, np.float32)
    ranks = np.array([1 + sum(other > own for other in after) for own in after] + [1] * (MAX_SEATS - n_players))
    add_rewards(int(kind), scores[0], scores[1], ranks, n_players, is_over, np.float32(scale), rewards)
    assert not rewards[n_players:].any()
    return [float(reward) for reward in rewards[:n_players]]


@pytest.mark.rule("docs/environments.md, rewards")
@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ([31, 40], [-1, 1]),
        ([40, 31], [1, -1]),
        ([40, 40], [0, 0]),
        ([0, 0], [0, 0]),
        ([10, 30, 20], [-0.5, 1, -0.5]),
        ([30, 10, 30], [0.5, -1, 0.5]),
        ([20, 20, 20], [0, 0, 0]),
        ([50, 60, 10, 0], [-THIRD, 1, -THIRD, -THIRD]),
        ([60, 50, 10, 60], [0.5, -0.5, -0.5, 0.5]),
        ([60, 60, 10, 60], [THIRD, THIRD, -1, THIRD]),
        ([45, 45, 45, 45], [0, 0, 0, 0]),
    ],
    ids=str,
)
def test_win__scores_at_the_end__winners_share_one_and_losers_minus_one(
    scores: list[int], rewards: list[float]
) -> None:
    assert pay(Reward.WIN, scores) == pytest.approx(rewards, abs=1e-6)


@pytest.mark.rule("docs/environments.md, rewards")
@pytest.mark.parametrize(
    ("scores", "scale", "rewards"),
    [
        ([60, 35], 50, [0.5, -0.5]),
        ([35, 35], 50, [0, 0]),
        ([60, 35], 25, [1, -1]),
        ([30, 60, 40], 50, [-0.4, 0.5, -0.1]),
        ([40, 20, 40], 10, [1, -2, 1]),
        ([40, 40, 40], 50, [0, 0, 0]),
        ([70, 10, 40, 40], 50, [0.8, -0.8, 0, 0]),
        ([40, 40, 40, 10], 20, [0.5, 0.5, 0.5, -1.5]),
    ],
    ids=str,
)
def test_margin__scores_at_the_end__own_less_the_mean_of_the_others(
    scores: list[int], scale: float, rewards: list[float]
) -> None:
    assert pay(Reward.MARGIN, scores, scale=scale) == pytest.approx(rewards, abs=1e-6)


@pytest.mark.rule("docs/environments.md, rewards")
@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize(
    ("before", "after", "rewards"),
    [([3, 0], [5, 0], [2, 0]), ([8, 7, 3], [8, 4, 9], [0, -3, 6]), ([1, 2, 3, 4], [2, 2, 0, 40], [1, 0, -3, 36])],
    ids=str,
)
def test_score__any_step__is_the_change_of_the_own_score(
    before: list[int], after: list[int], rewards: list[float], is_over: bool
) -> None:
    assert pay(Reward.SCORE, after, before, is_over) == rewards


@pytest.mark.rule("docs/environments.md, rewards")
@pytest.mark.parametrize("kind", [Reward.WIN, Reward.MARGIN])
def test_win_and_margin__the_game_goes_on__pay_nothing(kind: Reward) -> None:
    assert pay(kind, [10, 40, 0], is_over=False) == [0, 0, 0]
    assert any(pay(kind, [10, 40, 0], is_over=True))


@pytest.mark.rule("docs/environments.md, rewards")
@pytest.mark.parametrize("kind", [Reward.WIN, Reward.MARGIN])
@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_win_and_margin__any_scores__add_up_to_zero(kind: Reward, n_players: int) -> None:
    stream = Stream(n_players)
    highest = 0.0
    for _ in range(200):
        rewards = pay(kind, [stream.draw(6) for _ in range(n_players)], [stream.draw(6) for _ in range(n_players)])
        assert sum(rewards) == pytest.approx(0, abs=1e-6)
        highest = max(highest, *rewards)
    assert highest == pytest.approx(1 if kind == Reward.WIN else 0.1)  # 5 points more than the others, of 50


@pytest.mark.rule("docs/environments.md, rewards")
@pytest.mark.parametrize(
    ("kind", "paid"), [(Reward.WIN, [-1, 1]), (Reward.MARGIN, [-0.1, 0.1]), (Reward.SCORE, [0, 5])]
)
def test_add_rewards__something_is_there__adds_to_it(kind: Reward, paid: list[float]) -> None:
    rewards = np.array([0.5, -0.25, 0, 0], np.float32)
    before, after = np.array([5, 5, 0, 0]), np.array([5, 10, 0, 0])
    add_rewards(int(kind), before, after, np.array([2, 1, 1, 1]), 2, True, np.float32(50), rewards)
    assert rewards.tolist() == pytest.approx([0.5 + paid[0], -0.25 + paid[1], 0, 0], abs=1e-6)


def drawn(seed: int, n_configs: int) -> int:
    with np.errstate(over="ignore"):
        return int(draw_config(np.uint64(seed), n_configs))


@pytest.mark.rule("docs/environments.md, seeds")
def test_draw_config__any_seed__is_what_the_plain_stream_draws() -> None:
    seeds = Stream(5)
    for seed in (0, 1, 2**63, 2**64 - 1, *(seeds.next_word() for _ in range(300))):
        word = Stream(seed).next_word() ^ SALT
        for n_configs in (1, 2, 3, 7, 48):
            assert drawn(seed, n_configs) == Stream(word - GAMMA).draw(n_configs)


@pytest.mark.rule("docs/environments.md, seeds")
@pytest.mark.parametrize("stride", [1, 1000, GAMMA], ids=["next", "thousand", "gamma"])
def test_draw_config__seeds_in_steps__come_about_equally_often(stride: int) -> None:
    n, n_configs = 2000, 5
    counts = np.bincount([drawn(i * stride % 2**64, n_configs) for i in range(n)], minlength=n_configs)
    assert len(counts) == n_configs
    unevenness = ((counts - n / n_configs) ** 2).sum() / (n / n_configs)
    assert unevenness < 18.5, f"chi-squared with 4 degrees of freedom passes this once in a thousand: {counts}"
    assert unevenness > 0
