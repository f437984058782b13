"""The Big Money players: their figures are near the known ones (tests/dominion/yardsticks.py prints all of them)."""

from __future__ import annotations

import pytest

from tests.dominion.yardsticks import MIRRORS, PAIRS, Mirror, Pair, main, mirror_figures, pair_figures

pytestmark = pytest.mark.rule("Dominion, yardsticks")
N_GAMES = 2_000
MOST_ERRORS = 4.5  # of a hundred figures none should be so far off


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_pair__is_near_the_known_figures(pair: Pair) -> None:
    assert [figure for figure in pair_figures(pair, N_GAMES) if abs(figure.errors) > MOST_ERRORS] == []


@pytest.mark.parametrize("mirror", MIRRORS, ids=lambda mirror: mirror.name)
def test_mirror__is_near_the_known_figures(mirror: Mirror) -> None:
    assert [figure for figure in mirror_figures(mirror, N_GAMES) if abs(figure.errors) > MOST_ERRORS] == []


def test_figures__of_few_games__are_printed_with_their_errors(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "40"])
    printed = capsys.readouterr().out
    assert "BM : BM+1 Smithy: won" in printed and "standard errors" in printed


def test_figure__that_is_wrong__is_found() -> None:
    wrong = Pair("BM", "BMU", 50.0, 50.0)
    assert all(abs(figure.errors) > MOST_ERRORS for figure in pair_figures(wrong, N_GAMES))
