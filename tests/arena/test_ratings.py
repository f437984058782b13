"""Ratings recover strengths that are known, and intervals cover them."""

from __future__ import annotations

import numpy as np
import pytest

from agents.ratings import Tally, fit, ladder, pairs, wilson
from agents.results import Result, standing
from tests.arena.helpers import made_up, ranks_of

STRENGTHS = (150.0, 40.0, -60.0, -130.0)  # Elo, mean 0
NAMES = ("a", "b", "c", "d")


def gumbel_scores(strengths: np.ndarray, rng: np.random.Generator) -> list[int]:
    """Scores whose order follows the Bradley-Terry model: of two seats, the stronger is ahead with its expected share."""
    return [int(1e9 * x) for x in strengths / 400 * np.log(10) + rng.gumbel(size=len(strengths))]


def synthetic(n_setups: int, seed: int) -> list[Result]:
    """A round robin of four, two players, two rotations."""
    rng = np.random.default_rng(seed)
    results = []
    lineups = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    for setup in range(n_setups):
        for number, (a, b) in enumerate(lineups):
            for rotation, seats in enumerate([(a, b), (b, a)]):
                scores = gumbel_scores(np.array([STRENGTHS[i] for i in seats]), rng)
                results.append(made_up(setup, rotation, seats, scores, number))
    return results


def test_ladder__recovers_known_strengths() -> None:
    found = {rating.agent: rating for rating in ladder(Tally(synthetic(400, 1), NAMES), 200)}
    for name, strength in zip(NAMES, STRENGTHS, strict=True):
        assert found[name].elo == pytest.approx(strength, abs=20)
        assert found[name].games == 400 * 6
    assert sum(rating.elo for rating in found.values()) == pytest.approx(0, abs=1e-6)
    assert [rating.agent for rating in ladder(Tally(synthetic(400, 1), NAMES), 20)] == list(NAMES)


def test_ladder__three_players_recover_known_strengths() -> None:
    rng = np.random.default_rng(3)
    strengths = np.array([150.0, 40.0, -130.0])
    results = []
    for setup in range(700):
        for rotation, seats in enumerate([(0, 1, 2), (1, 2, 0), (2, 0, 1)]):
            results.append(made_up(setup, rotation, seats, gumbel_scores(strengths[list(seats)], rng)))
    found = {rating.agent: rating.elo for rating in ladder(Tally(results, ("a", "b", "c")), 20)}
    assert found["a"] - found["c"] == pytest.approx(280, abs=35)
    assert found["a"] - found["b"] == pytest.approx(110, abs=30)


def test_ladder__intervals_cover_the_truth_about_as_often_as_promised() -> None:
    covered = total = 0
    for seed in range(40):
        for rating in ladder(Tally(synthetic(40, 100 + seed), NAMES), 200):
            truth = STRENGTHS[NAMES.index(rating.agent)]
            assert rating.elo_low is not None and rating.elo_high is not None
            covered += rating.elo_low <= truth <= rating.elo_high
            total += 1
    assert 0.88 <= covered / total <= 0.99


@pytest.mark.parametrize("n_setups", [12, 50])
def test_pairs__interval_of_the_share_covers_and_counts_setups_not_games(n_setups: int) -> None:
    # Both games of a set-up end the same way for agent a: there are only as many independent outcomes as set-ups.
    covered = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        results = []
        for setup in range(n_setups):
            won = rng.random() < 0.6
            for rotation, seats in enumerate([(0, 1), (1, 0)]):
                ahead = won if seats[0] == 0 else not won
                results.append(made_up(setup, rotation, seats, (50, 40) if ahead else (40, 50)))
        pair = pairs(Tally(results, ("a", "b")), 300)[0]
        covered += pair.share_low <= 0.6 <= pair.share_high
    assert 0.9 <= covered / 200 <= 0.99


def test_pairs__counts_and_margins() -> None:
    games = [(0, 0, (0, 1), (50, 40)), (0, 1, (1, 0), (30, 30)), (1, 0, (0, 1), (20, 40)), (1, 1, (1, 0), (10, 40))]
    pair, back = pairs(Tally([made_up(*game) for game in games], ("a", "b")))
    assert (pair.games, pair.wins, pair.draws, pair.losses) == (4, 2, 1, 1)
    assert pair.share == pytest.approx(2.5 / 4)
    assert pair.margin == pytest.approx((10 + 0 - 20 + 30) / 4)
    assert (back.wins, back.draws, back.losses) == (1, 1, 2)
    assert back.share == pytest.approx(1.5 / 4)
    assert pair.margin is not None and back.margin == -pair.margin


def test_ladder__who_won_everything_has_a_finite_rating_and_an_open_end() -> None:
    results = [made_up(s, r, (0, 1) if r == 0 else (1, 0), (9, 1) if r == 0 else (1, 9)) for s in range(10) for r in range(2)]  # fmt: skip
    best, worst = ladder(Tally(results, ("a", "b")))
    assert (best.agent, best.share, best.elo_high, worst.elo_low) == ("a", 1.0, None, None)
    assert 0 < best.elo < 1000
    assert best.elo_low is not None and 0 < best.elo_low < best.elo
    assert worst.elo_high == pytest.approx(-best.elo_low)
    assert (best.share_low, best.share_high) == pytest.approx(wilson(1.0, 10))


def test_ladder__setups_that_all_end_alike_have_an_interval_all_the_same() -> None:
    results = [made_up(s, r, (0, 1) if r == 0 else (1, 0), (9, 1)) for s in range(10) for r in range(2)]
    for rating in ladder(Tally(results, ("a", "b"))):  # the first seat always won
        assert rating.elo_low is not None and rating.elo_high is not None
        assert rating.elo_low == pytest.approx(-rating.elo_high) and 50 < rating.elo_high < 200


def test_ladder__one_setup_has_no_interval() -> None:
    results = [made_up(0, 0, (0, 1), (9, 1)), made_up(0, 1, (1, 0), (9, 1))]
    assert [(rating.elo_low, rating.elo_high) for rating in ladder(Tally(results, ("a", "b")))] == [(None, None)] * 2
    assert [(pair.margin_low, pair.share_low > 0) for pair in pairs(Tally(results, ("a", "b")))] == [(None, True)] * 2


def test_ladder__the_order_of_results_changes_nothing() -> None:
    results = synthetic(10, 5)
    shuffled = [results[i] for i in np.random.default_rng(0).permutation(len(results))]
    assert ladder(Tally(results, NAMES), 50) == ladder(Tally(shuffled, NAMES), 50)


def test_ladder__an_agent_twice_in_a_game_is_not_compared_with_itself() -> None:
    tally = Tally([made_up(0, 0, (0, 0, 1), (50, 30, 40))], ("a", "b"))
    assert tally.wins[0].tolist() == [[0, 1], [1, 0]]
    assert tally.played.tolist() == [1, 1]


def test_fit__agents_that_never_met_are_compared_through_others() -> None:
    wins = np.array([[0.0, 75, 0], [25, 0, 75], [0, 25, 0]])
    elo = fit(wins)
    assert elo[0] - elo[1] == pytest.approx(elo[1] - elo[2], abs=0.1)
    assert elo[0] - elo[1] == pytest.approx(400 * np.log10(75.5 / 25.5), abs=0.1)


def test_wilson__is_the_textbook_one() -> None:
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


@pytest.mark.parametrize(
    ("scores", "last", "ranks", "points"),
    [
        ((50, 40), None, [1, 2], [1, 0]),
        ((40, 40), None, [1, 1], [0.5, 0.5]),
        ((50, 40), 0, [2, 1], [0, 1]),
        ((50, 50, 20), None, [1, 1, 3], [0.75, 0.75, 0]),
        ((50, 40, 30, 40), 0, [4, 1, 3, 1], [0, 5 / 6, 1 / 3, 5 / 6]),
        ((0, 0), 1, [1, 2], [1, 0]),
    ],
)
def test_standing__ties_share_and_a_forfeit_is_last(scores: tuple[int, ...], last: int | None, ranks: list[int], points: list[float]) -> None:  # fmt: skip
    found_ranks, found_points = standing(ranks_of(scores), last)
    assert found_ranks == ranks
    assert found_points == pytest.approx(points)
