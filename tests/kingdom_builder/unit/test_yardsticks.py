"""Random play beside a public engine: the table is printed, and each difference changes what it is about."""

from __future__ import annotations

import pytest

from tests.kingdom_builder.yardsticks import DIFFERENCES, TRIPLES, figures, main, play_ours

pytestmark = pytest.mark.rule("p. 4 to 6, random play")


def test_figures__lords_with_pieces__pay_less_and_the_other_triple_the_same() -> None:
    found = dict(figures(2, 6))
    assert list(found) == ["ours", *(difference.name for difference in DIFFERENCES)]
    same, lords = found[DIFFERENCES[0].name], found[DIFFERENCES[1].name]
    assert lords[0] == same[0] and lords[1][0] < same[1][0]


def test_play_ours__same_seed__same_gold() -> None:
    triple = next(iter(TRIPLES))
    assert play_ours(triple, 3) == play_ours(triple, 3) != play_ours(triple, 4)


def test_main__prints_a_row_for_each_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2", "--reference-games", "2"]) == 0
    shown = capsys.readouterr().out
    assert all(difference.name in shown for difference in DIFFERENCES) and "a public engine" in shown


def test_main__one_game__is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--games", "1"])
    assert ended.value.code == 2 and "at least 2 games" in capsys.readouterr().err
