"""Win rates, their intervals and their groups, from games that nobody played."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import numpy as np
import pytest

from agents.results import Forfeit
from tests.arena.helpers import made_up
from training.winrates import (
    HELD_OUT,
    SEEN,
    Played,
    Row,
    by_fact,
    by_players,
    by_split,
    gap_of,
    gaps,
    independent_gap,
    overall,
    paired_gap,
    played,
    rate_of,
    rows_of,
    wins_by_setup,
    write_rows,
)


def games(split: str, twist: str, wins: list[tuple[float, float]], first: int = 0, opponent: str = "b") -> list[Played]:
    """Two games of two for every set-up."""
    return [
        Played("a", opponent, split, 2, {"twist": twist}, first + i, win, False)
        for i, pair in enumerate(wins)
        for win in pair
    ]


def test_played__wins_are_shared_among_the_first() -> None:
    def win(*scores: int) -> float:
        return played(made_up(0, 0, (1, 0, 1), scores), "b", SEEN).win

    assert [win(3, 5, 4), win(5, 5, 4), win(5, 5, 5), win(6, 5, 4)] == [1.0, 0.5, pytest.approx(1 / 3), 0.0]


def test_played__a_forfeit_is_lost_whatever_the_scores() -> None:
    result = made_up(0, 0, (0, 1), (9, 1))
    lost = msgspec.structs.replace(result, ranks=[2, 1], forfeit=Forfeit(0, "a", "timeout", "no answer"))
    found = played(lost, "b", SEEN)
    assert found.win == 0 and found.is_forfeit
    (row, *_) = rows_of([found])
    assert row.forfeits == 1 and row.wins == 0


def test_rows__groups_add_up() -> None:
    found = rows_of(
        games(SEEN, "none", [(1, 1), (1, 0)])
        + games(SEEN, "Boom", [(0.5, 1), (0, 0), (1, 1)], 2)
        + games(HELD_OUT, "Wolves", [(1, 0)], 5)
        + games(SEEN, "Boom", [(1, 0)], opponent="c")
    )
    (against_b, against_c) = overall(found)
    assert (against_b.setups, against_b.games, against_b.wins) == (6, 12, 7.5)
    assert against_b.win_rate == pytest.approx(7.5 / 12, abs=1e-6) and against_c.games == 2
    assert [(row.opponent, row.split, row.games) for row in by_split(found)] == [
        ("b", "seen", 10),
        ("b", "held-out", 2),
        ("c", "seen", 2),
    ]
    assert [(row.value, row.split, row.wins) for row in by_fact(found) if row.opponent == "b"] == [
        ("none", SEEN, 3.0),
        ("Boom", SEEN, 3.5),
        ("Wolves", HELD_OUT, 1.0),
    ]
    assert list(by_players(found)) == [2] and against_b.chance == 0.5


def test_rows__the_setup_is_the_unit_not_the_game() -> None:
    rng = np.random.default_rng(1)
    alike = [(float(win), float(win)) for win in rng.integers(0, 2, 60)]  # both games of a set-up end alike
    mirrored = [(float(win), 1.0 - win) for win in rng.integers(0, 2, 60)]  # the seat decides: nothing is uncertain
    wide, narrow = overall(rows_of(games(SEEN, "none", alike)))[0], overall(rows_of(games(SEEN, "none", mirrored)))[0]
    half = 1.96 * np.sqrt(wide.win_rate * (1 - wide.win_rate) / 60)
    assert wide.high - wide.low == pytest.approx(2 * half, rel=0.15)  # of 60 units, not of 120
    assert narrow.win_rate == 0.5


@pytest.mark.parametrize("n_setups", [12, 60])
def test_rows__intervals_cover_the_truth_about_19_times_of_20(n_setups: int) -> None:
    rng, hits = np.random.default_rng(2), 0
    for _ in range(200):
        skill = np.clip(rng.normal(0.7, 0.2, n_setups), 0, 1)
        wins = [(float(rng.random() < p), float(rng.random() < p)) for p in skill]
        row = overall(rows_of(games(SEEN, "none", wins)))[0]
        hits += row.low <= 0.69 <= row.high  # the mean of the clipped skill
    assert 0.90 <= hits / 200 <= 0.99


def test_rows__that_all_ended_alike_have_an_interval_nevertheless() -> None:
    row = overall(rows_of(games(SEEN, "none", [(1, 1)] * 30)))[0]
    assert row.win_rate == row.high == 1.0 and 0.85 < row.low < 0.95


def row(split: str, rate: float, low: float, high: float) -> Row:
    return Row(agent="a", opponent="b", split=split, num_players=2, fact="all", value="all", setups=9, games=18, wins=18 * rate,
               win_rate=rate, low=low, high=high)  # fmt: skip


def test_gap__has_the_wider_interval_of_both() -> None:
    gap = gap_of(row(SEEN, 0.9, 0.87, 0.93), row(HELD_OUT, 0.8, 0.76, 0.84))
    assert [gap.gap, gap.low, gap.high] == pytest.approx([0.1, 0.05, 0.15])
    assert gaps([row(SEEN, 0.9, 0.8, 1.0)]) == []  # nothing to compare with


def test_write__is_one_line_per_row(tmp_path: Path) -> None:
    found = rows_of(games(SEEN, "none", [(1, 0.5)]))
    write_rows(tmp_path / "new" / "evaluation.csv", found)
    with open(tmp_path / "new" / "evaluation.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["split"], line["value"], line["wins"]) for line in lines] == [
        ("all", "all", "1.5"),
        ("seen", "all", "1.5"),
        ("seen", "none", "1.5"),
    ]


def test_paired_gap__is_narrower_than_that_of_independent_samples() -> None:
    dice = np.random.default_rng(1)
    hard = dice.random(400)  # how hard each set-up is for both
    first, second = ([2.0 * won for won in dice.random(400) < hard] for _ in range(2))
    luck = [0.0] * 40 + second[40:]
    gap, low, high = paired_gap(second, luck, 2)
    assert gap == pytest.approx((np.mean(second) - np.mean(luck)) / 2) and low < gap < high and low > 0
    alone = independent_gap(rate_of(second, 2), rate_of(luck, 2))
    assert alone[0] == pytest.approx(gap) and alone[2] - alone[1] > 2 * (high - low)
    other, below, above = paired_gap(second, first, 2)
    assert below < other < above and paired_gap(first, second, 2)[0] == pytest.approx(-other)


@pytest.mark.parametrize("wins", [[2.0] * 50, [0.0, 2.0] * 25, [1.0]])
def test_paired_gap__of_equal_results__has_a_width(wins: list[float]) -> None:
    gap, low, high = paired_gap(wins, wins, 2)
    assert gap == 0 and -1 <= low < 0 < high <= 1
    assert (low, high) == pytest.approx((-high, -low))


def test_rate_of__is_that_of_the_rows() -> None:
    found = games(SEEN, "none", [(1, 1), (1, 0), (0, 0), (0.5, 1)])
    won, counts = wins_by_setup(found)
    assert counts.tolist() == [2, 2, 2, 2] and won.tolist() == [2, 1, 0, 1.5]
    (row, *_) = rows_of(found)
    assert rate_of(won.tolist(), 2) == pytest.approx((row.win_rate, row.low, row.high), abs=1e-6)
