"""Comparing two reports: noise is no change, a change is found, and what speaks against the figures is said."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks import compare, report, turns
from benchmarks.__main__ import main
from benchmarks.load import Load
from benchmarks.timing import Timing
from tests.smoke.test_benchmarks import MACHINE, ROOT, report_of, timing

UNCLEAR = compare.UNCLEAR


def rounds(name: str, *bests: float) -> Timing:
    """A timing of one round for each of these figures, with a slower run in each."""
    found = report_of()
    for best in bests:
        found.add(timing(name, best, best * 1.1))
    return found.timings[0]


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ((100, 101, 102, 103, 104), (50, 51, 52, 53, 54), "faster"),
        ((50, 51, 52, 53, 54), (100, 101, 102, 103, 104), "slower"),
        ((100, 101, 102, 103, 104), (101, 102, 103, 104, 105), UNCLEAR),
        ((100, 100, 100, 100, 100), (102, 102, 102, 102, 102), UNCLEAR),  # shown, but below the threshold
        ((100, 130, 140, 150, 160), (90, 120, 130, 140, 150), UNCLEAR),  # noisy
        ((100, 101), (200, 201), UNCLEAR),  # too few
    ],
)  # fmt: skip
def test_judge__without_turns__shows_what_the_spread_cannot_explain(
    old: tuple[float, ...], new: tuple[float, ...], word: str
) -> None:
    assert compare.judge(timing("x", *old), timing("x", *new)).word == word


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        # A machine that gets slower and slower slows both down: what is left is the ratio of each round.
        ((100, 150, 225, 340, 500), (110, 165, 247, 375, 551), "slower"),
        ((100, 150, 225, 340, 500), (90, 136, 202, 306, 451), "faster"),
        ((100, 150, 225, 340, 500), (101, 149, 226, 337, 503), UNCLEAR),
        ((100, 100, 100, 100, 100), (110, 90, 140, 80, 150), UNCLEAR),
        ((100, 100), (200, 200), UNCLEAR),
    ],
)  # fmt: skip
def test_judge__in_turns__compares_round_by_round(old: tuple[float, ...], new: tuple[float, ...], word: str) -> None:
    assert compare.judge(rounds("x", *old), rounds("x", *new), paired=True).word == word


def test_judge__the_more_lines_the_wider_the_interval() -> None:
    old, new = rounds("x", 100, 102, 98, 101), rounds("x", 112, 111, 110, 115)
    one, many = (compare.judge(old, new, n_lines, paired=True) for n_lines in (1, 200))
    assert one.word == "slower" and many.word == UNCLEAR and one.ratio == many.ratio
    assert one.low is not None and many.low is not None and many.low < one.low


def test_compare__identical_code_under_a_changing_load__almost_nothing_is_called_a_change() -> None:
    stream, n_lines, called = np.random.default_rng(1), 60, 0
    for _ in range(50):
        old, new = report_of(), report_of()
        old.session = new.session = "turns"
        for _ in range(5):
            minute = np.exp(stream.normal(0, 0.3))  # what the machine does to both in a round
            for line in range(n_lines):
                for side in (old, new):
                    side.add(timing(f"line {line}", *(100 * minute * np.exp(np.abs(stream.normal(0, 0.05, 3))))))
        called += any(verdict.word != UNCLEAR for verdict in compare.compare(old, new))
    assert called <= 7  # 5 % of 50, and some luck; every one of them has 60 lines


def test_compare__says_what_is_missing_and_exits_1_if_something_is_slower(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same, gone, fresh = timing("same", 10, 11, 12), timing("gone", 10, 11), timing("fresh", 10, 11)
    (tmp_path / "a.json").write_text(report_of(same, gone, timing("x", 10, 10.1, 10.2)).write())
    (tmp_path / "b.json").write_text(report_of(same, fresh, timing("x", 30, 30.1, 30.2)).write())
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert main(["compare", *files]) == 1
    words = capsys.readouterr().out
    assert "0 faster, 1 slower, 1 no difference shown, 1 only before, 1 only after" in words
    assert main(["compare", *reversed(files)]) == 0
    assert main(["compare", *files, "--threshold", "5"]) == 0


def test_compare__only_some_lines__have_narrower_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["a, kernel", *(f"{i}, reference" for i in range(80))]
    old = report_of(*(timing(name, *[100, 104, 108] * 2) for name in names))
    new = report_of(*(timing(name, *[140, 144, 148] * 2) for name in names))
    everything, some = compare.compare(old, new), compare.compare(old, new, only=("KERNEL",))
    assert [verdict.name for verdict in some] == ["a, kernel"]
    assert some[0].low is not None and everything[0].low is not None and some[0].low > everything[0].low
    (tmp_path / "a.json").write_text(old.write())
    (tmp_path / "b.json").write_text(new.write())
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert main(["compare", *files, "--only", "kernel"]) == 1
    assert "would have been shown in half of the lines" in capsys.readouterr().out
    assert main(["compare", *files, "--only", "nothing"]) == 2
    assert "no line contains 'nothing'" in capsys.readouterr().err


def test_plot__nothing_to_draw__says_what_plots_need(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(report_of(timing("x", 1.0)).write())
    assert main(["plot", str(tmp_path / "pictures"), str(tmp_path / "a.json")]) == 2
    assert "plots need the parts legal_moves, envs or peers" in capsys.readouterr().err


def test_compare__without_turns__only_large_differences_are_shown() -> None:
    old, new = report_of(timing("x", *[100, 101, 102] * 5)), report_of(timing("x", *[115, 116, 117] * 5))
    assert [verdict.word for verdict in compare.compare(old, new)] == [UNCLEAR]
    assert any("not measured alternately" in words for words in compare.differences(old, new))


def test_compare__warns_of_another_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = report_of(timing("x", 1.0)), report_of(timing("x", 1.0))
    new.machine = {**MACHINE, "processor": "q"}
    (tmp_path / "a.json").write_text(old.write())
    (tmp_path / "b.json").write_text(new.write())
    assert main(["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 0
    told = capsys.readouterr().err
    assert "processor: p before, q after" in told and "the load before was not recorded" in told


def test_compare__warns_of_a_busy_machine_and_of_another_load() -> None:
    idle, busy = Load(0.1, 0.2, 2600), Load(1.9, 7.5, 2000)
    old, new = report_of(timing("x", 1.0)), report_of(timing("x", 1.0))
    old.machine = new.machine = {**MACHINE, "cores": 2}
    old.session = new.session = "turns"
    old.note_load(idle)
    assert not list(compare.differences(old, old))
    new.note_load(busy)
    assert list(compare.differences(old, new)) == [
        "the machine was busy after: other programs used 1.9 of 2 cores; load average 7.5",
        "different load: other programs used 0.1 cores before, 1.9 after",
        "different clock rate: 2600 MHz before, 2000 MHz after",
    ]


def test_load__stands_beside_every_figure_and_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--quick", "--rounds", "2", "--json"]) == 0
    found = report.read(capsys.readouterr().out)
    for each in found.timings:
        assert len(each.loads) == len(each.rounds) == len(each.bests) == 2 and sum(each.rounds) == len(each.runs)
        assert all(0 <= load.others <= (os.cpu_count() or 1) and load.average >= 0 for load in each.loads)


def test_load__without_psutil__is_left_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert main(["perft", "--quick", "--json"]) == 0
    found = report.read(capsys.readouterr().out)
    assert found.timings and not found.loads


def test_results__of_older_versions_can_be_read_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    old = str(ROOT / "benchmarks" / "results" / "short.json")
    assert not report.read_file(old).loads and all(len(each.bests) == 1 for each in report.read_file(old).timings)
    assert main(["compare", old, old]) == 0
    assert "0 faster, 0 slower" in capsys.readouterr().out


def test_rounds__that_do_not_fit_the_runs__are_refused() -> None:
    text = report_of(timing("x", 1.0, 2.0)).write().replace('"rounds": []', '"rounds": [3]')
    with pytest.raises(report.ReportError, match="'x' has 2 runs, but its rounds have 3"):
        report.read(text)


class Clock:
    """Checkouts that are measured in no time: what each of them takes is known."""

    def __init__(self, **costs: float) -> None:
        self.costs, self.order = costs, list[str]()

    def measured(self, side: turns.Side, part: str, options: Sequence[str]) -> report.Report:
        self.order.append(side.folder.name)
        drift = 1.0 + 0.3 * (len(self.order) // 2)  # the machine gets slower all the time
        return report_of(timing("x", drift * self.costs[side.folder.name] * (1 + 0.001 * (len(self.order) % 3))))


def test_turns__alternate_and_find_a_slower_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "benchmarks").mkdir(parents=True)
        (tmp_path / name / "benchmarks" / "__init__.py").touch()
    clock = Clock(a=100.0, b=150.0)
    monkeypatch.setattr(turns, "_measured", clock.measured)
    sides = ["--before", str(tmp_path / "a"), "--after", str(tmp_path / "b"), "--rounds", "4"]
    assert main(["compare", *sides, "stepping", "--out", str(tmp_path / "out")]) == 1
    assert clock.order == ["a", "b", "b", "a", "a", "b", "b", "a"]
    assert "0 faster, 1 slower" in capsys.readouterr().out
    files = [str(tmp_path / "out" / f"{name}.json") for name in ("before", "after")]
    assert main(["compare", *files]) == 1  # still known to be measured in turns
    clock.costs["b"] = 100.0
    assert main(["compare", *sides, "stepping"]) == 0


def test_turns__a_checkout_that_fails__is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()
    (tmp_path / "benchmarks" / "__main__.py").write_text("raise SystemExit('it is broken')")
    assert main(["compare", "--before", str(tmp_path), "stepping", "--quick"]) == 2
    assert "stepping ended with exit code 1: it is broken" in capsys.readouterr().err
