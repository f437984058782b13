"""The sequential test decides, and errs as seldom as it promises."""

from __future__ import annotations

import numpy as np
import pytest

from agents.schedule import Mode, Settings
from agents.sprt import FEWEST, bounds, decide, evaluate, expected_points
from agents.tournament import judge, outcome_of
from tests.arena.helpers import made_up

ELOS = (0.0, 60.0)


def set_up_means(elo: float, n: int, rng: np.random.Generator) -> list[float]:
    """Pairs of games; half of the pairs are decided by luck that both games share, so their games cancel."""
    games = rng.random((n, 2)) < expected_points(elo)
    return [0.5 if lucky else float(pair.mean()) for pair, lucky in zip(games, rng.random(n) < 0.3, strict=True)]


def test_decide__clear_cases() -> None:
    assert decide([1.0] * 40, ELOS, 0.05, 0.05).decision == "elo1"
    assert decide([0.0] * 40, ELOS, 0.05, 0.05).decision == "elo0"
    assert decide([0.5, 1.0, 0.5, 0.0] * 2, ELOS, 0.05, 0.05).decision == "open"
    assert decide([], ELOS, 0.05, 0.05).decision == "open"


def test_decide__never_before_the_fewest_setups() -> None:
    assert decide([1.0] * (FEWEST - 1), (0.0, 400.0), 0.05, 0.05).decision == "open"
    assert decide([1.0] * 400, (0.0, 400.0), 0.05, 0.05).n_setups == FEWEST


def test_bounds__are_those_of_wald() -> None:
    assert bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert bounds(0.01, 0.1) == pytest.approx((-2.293, 4.500), abs=1e-3)


@pytest.mark.parametrize(("elo", "right"), [(0.0, "elo0"), (60.0, "elo1")])
def test_decide__errs_about_as_seldom_as_promised(elo: float, right: str) -> None:
    # Luck shared by the games of a set-up pulls the share towards a half; the truth is measured, not assumed.
    rng = np.random.default_rng(11)
    share = float(np.mean(set_up_means(elo, 200_000, rng)))
    true_elo = 400 * np.log10(share / (1 - share))
    elos = (true_elo, true_elo + 60) if right == "elo0" else (true_elo - 60, true_elo)
    verdicts = [decide(set_up_means(elo, 1500, rng), elos, 0.05, 0.05).decision for _ in range(400)]
    wrong = sum(verdict != right for verdict in verdicts)
    assert "open" not in verdicts
    assert wrong / 400 < 0.08  # 0.05 and three standard errors


def test_evaluate__counts_setups_not_games() -> None:
    results = [made_up(setup, rotation, (0, 1) if rotation == 0 else (1, 0), (50, 40)) for setup in range(12) for rotation in range(2)]  # fmt: skip
    verdict = evaluate(results, ELOS, 0.05, 0.05)  # the first seat always wins: every set-up mean is a half
    assert verdict.n_setups == 12
    assert verdict.llr == pytest.approx(decide([0.5] * 12, ELOS, 0.05, 0.05).llr)


def test_judge__looks_at_whole_setups_from_the_first_on() -> None:
    settings = Settings(agents=("a", "b"), game="winter_kingdom", games=400, mode=Mode.HEAD_TO_HEAD, sprt=ELOS)
    results = [made_up(s, r, (0, 1) if r == 0 else (1, 0), (50, 40) if r == 0 else (40, 50)) for s in range(60) for r in range(2)]  # fmt: skip
    decided = judge(settings, results)
    assert decided is not None and decided.decision == "elo1" and decided.n_setups < 60
    gap = [result for result in results if result.id != "000003-0000-1"]
    waiting = judge(settings, gap)
    assert waiting is not None and waiting.n_setups == 3 and waiting.decision == "open"
    counted = outcome_of(settings, results[::-1]).results
    assert [result.setup for result in counted] == sorted(list(range(decided.n_setups)) * 2)
