"""The benchmark of the server runs, and counts what it says; nothing here looks at how fast anything is."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed: pip install -e '.[web]'")
pytest.importorskip("websockets")
pytest.importorskip("psutil")

from benchmarks import markdown, report, web
from benchmarks.timing import Budget, Failure, Level, Result, Timing
from benchmarks.web_client import Heard, core_of_its_own
from winterkingdom_env.core.extras import MissingExtraError
from winterkingdom_env.games import GAMES

TINY = Budget(Level.QUICK, 1, 1)


def told(results: Iterator[Result]) -> report.Report:
    found = report.Report()
    for result in results:
        found.add(result)
    return found


def test_part__with_a_tiny_budget__has_all_figures() -> None:
    found = told(web.measured(web.QUESTIONS, TINY, n_games=3))
    assert not found.failures and report.read(found.write()) == found
    names = {timing.name for timing in found.timings}
    for statistic in ("median", "99 %", "worst"):
        assert f"first byte of the page, {statistic}" in names
        assert {f"click to new board, {game}, {statistic}" for game in GAMES} <= names
        for kind in (*GAMES, "mixed"):
            assert {f"4 games, {kind}: {what}, {statistic}" for what in ("move to message", "page meanwhile")} <= names
    rows = markdown.web_table(found)
    assert rows[0] == "| the server | median | 99 % | worst | target | samples |"
    assert any("first byte of the page" in row and "| 50.0 ms |" in row for row in rows)
    assert any("4 games, mixed: moves" in row and "| 8.0 |" in row for row in rows)
    assert [row.split("|")[1].strip() for row in rows[-4:]] == [f"MB after {n} games" for n in range(4)]
    assert "\n".join(rows) in markdown.render([found])


def test_memory_alone__by_its_own_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert web.main(["memory", "--quick", "--games", "1", "--runs", "1"]) == 0
    assert "| MB after 1 games |" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["speed"], ["--games", "0"], ["--runs", "0"], ["--quick", "--full"]])
def test_wrong_use__exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        web.main(arguments)
    assert ended.value.code == 2 and "error" in capsys.readouterr().err


def test_without_the_extra__says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str, what: str) -> None:
        raise MissingExtraError(f"{what} needs {module}: pip install it")

    monkeypatch.setattr(web, "needed", missing)
    found = list(web.measured(web.QUESTIONS, TINY))
    assert found == [Failure("server", web.PART, "this part needs uvicorn: pip install it")]


@pytest.mark.parametrize(("share", "value"), [(0.5, 50.0), (0.99, 99.0), (1.0, 100.0)])
def test_quantile__is_the_smallest_sample_not_below_the_share(share: float, value: float) -> None:
    assert web.quantile([float(i) for i in range(100, 0, -1)], share) == value
    assert web.quantile([7.0], share) == 7.0


def test_window__counts_moves_that_were_made_in_it() -> None:
    window = web.Window(begin=10.0, end=12.0)
    for n, moved_at, before in ((1, 9.9, 0), (2, 10.5, 1), (2, 10.5, 2), (4, 11.0, 2), (5, 12.0, 4)):
        window.note(Heard("state", n, moved_at), moved_at + 0.25, before)
    assert window.n_moves == 3 and window.delays == [0.25, 0.25]
    assert window.seconds_per_move == 2 / 3


def test_table__of_medians_of_runs_and_the_worst_of_all() -> None:
    found = told(web.timings_of("a", "page", [[0.001, 0.002, 0.003], [0.005], [0.004, 0.009]], "page"))
    assert all(isinstance(timing, Timing) and len(timing.runs) == 3 for timing in found.timings)
    assert markdown.web_table(found)[2] == "| a | 4 ms | 5 ms | 9 ms | 100.0 ms | 6 |"
    assert isinstance(next(web.timings_of("a", "page", [[0.1], []])), Failure)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system has no such call")
def test_core_of_its_own__is_given_back() -> None:
    before = os.sched_getaffinity(0)
    with core_of_its_own() as core:
        assert core == -1 or os.sched_getaffinity(0) == before - {core}
    assert os.sched_getaffinity(0) == before
