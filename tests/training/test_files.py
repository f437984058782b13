"""What trainers read and write: whole or not at all, and refused in one sentence if it cannot be right."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from benchmarks.report import ReportError, read_file
from tests.full_disk import contents, in_its_place, small_disk
from tests.training.fake_run import final_rows, write_run
from training.report import main
from training.run_files import RunError, read_rows, read_run
from training.run_folder import FolderError, RunFolder
from training.splits import main as splits
from training.winrates import write_rows


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", n=12, players=(2,))


def test_report__disk_is_full__the_old_one_stays(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run)]) == 0
    before = contents(run)
    with small_disk():
        assert main([str(run)]) == 1
        assert main([str(run), "--out", str(run.parent / "new")]) == 1
    assert "File too large" in capsys.readouterr().err
    assert contents(run) == before and list(run.parent.iterdir()) == [run]


def test_rows__disk_is_full__the_old_ones_stay(tmp_path: Path) -> None:
    path = tmp_path / "evaluation.csv"
    rows = final_rows((2,))
    write_rows(path, rows)
    before = path.read_bytes()
    with small_disk(100), pytest.raises(OSError, match="File too large"):
        write_rows(path, rows * 10)
    assert contents(tmp_path) == {"evaluation.csv": before} and len(read_rows(path)) == len(rows)


def test_splits__disk_is_full__nothing_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--seen", "100", "--out", str(tmp_path / "new" / "setups.json")]
    with small_disk():
        assert splits(options) == 1
    assert "File too large" in capsys.readouterr().err and list(tmp_path.iterdir()) == []
    assert splits(["--seen", "1000000000", "--out", str(tmp_path / "setups.json")]) == 2
    assert "0 to 100,000 are needed" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_logs__resumed__keep_texts_with_commas(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    rows = [{"steps": steps, "agent": 'search:simulations=4,threads=2 "x"'} for steps in (5, 9, 20)]
    folder.log_all(rows, "evaluations.csv")
    folder.forget_after(9)
    with (tmp_path / "evaluations.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == [{**row, "steps": str(row["steps"])} for row in rows[:2]]


@pytest.mark.parametrize("content", [b"steps,a\n\xff,1\n", b"steps\n" + b'"' + b"x" * 200_000])
def test_logs__damaged__are_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "progress.csv").write_bytes(content)
    with pytest.raises(FolderError, match=r"progress\.csv cannot be read"):
        RunFolder(tmp_path).forget_after(9)


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"settings": {}, "settings": {}}', b"3", b"\xff", b'"settings"'])
def test_settings__that_are_none__are_refused(content: bytes, run: Path) -> None:
    (run / "settings.json").write_bytes(content)
    with pytest.raises(RunError, match=r"settings\.json is damaged"):
        read_run(run)
    with pytest.raises(FolderError, match=r"its settings\.json cannot be read"):
        RunFolder(run).reopen()


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    ("fifo", lambda path: in_its_place(path, os.mkfifo), "it is a FIFO, not a regular file"),
    ("without end", lambda path: os.truncate(path, 65 << 20), "larger than 64 MB"),
    ("long cell", lambda path: path.write_text(path.read_text() + '"' + "x" * 200_000 + '"\n'), "field larger than"),
    ("long word", lambda path: path.write_text(path.read_text().replace("\n1,", f"\n{'y' * 9999},", 1)), "a number is needed"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "words"), [case[1:] for case in DAMAGES], ids=[case[0] for case in DAMAGES])
def test_progress__damaged__is_refused_in_one_line(damage: Callable[[Path], object], words: str, run: Path) -> None:
    damage(run / "progress.csv")
    with pytest.raises(RunError, match=words) as caught:
        read_run(run)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 600


def test_evaluation__names_are_no_formulas_and_can_be_printed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_text() for path in (run / "final" / "evaluation.csv", run / "evaluations.csv")}
    for path, text in before.items():
        path.write_text(text.replace("greedy", "$\\frac{$"))
    assert main([str(run)]) == 0
    for path, text in before.items():
        path.write_text(text.replace("greedy", "\x1b[2J"))
    capsys.readouterr()
    assert main([str(run)]) == 2
    assert "opponent is '\\x1b[2J', which cannot be printed" in capsys.readouterr().err


@pytest.mark.parametrize("players", ["0", "-2", "2.5", "1e300"])
def test_evaluation__of_a_game_for_nobody__is_refused(players: str, run: Path) -> None:
    path = run / "final" / "evaluation.csv"
    rows = list(csv.DictReader(path.read_text().splitlines()))
    rows[0]["num_players"] = players
    path.write_text("\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n")
    with pytest.raises(RunError, match=r"line 2: num_players is .*, a whole number from 1"):
        read_run(run)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[" * 100_000, "nested more than 64 deep"),
        (b'{"schema": NaN}', "NaN is not a JSON number"),
        (b"\xff", "not a report|decode"),
    ],
)
def test_benchmarks__what_is_no_report__is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(ReportError, match=words):
        read_file(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ReportError, match="it is a FIFO"):
        read_file(path)


def test_benchmarks__pictures_on_a_full_disk__the_old_ones_stay(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from benchmarks import plot
    from benchmarks.report import Report
    from benchmarks.timing import Timing

    timings = [Timing("peer: steps", "peers", "step", (10.0,), {}, 0.0)]
    machine = {"processor": "x", "cores": 2, "python": "3", "numba": "1", "date": "d"}
    report = Report(machine, "quick", timings, [])
    drawn = plot.draw([report], tmp_path)
    assert [path.name for path in drawn] == ["peers.png", "peers.svg"]
    before = contents(tmp_path)
    with small_disk(), pytest.raises(OSError, match="File too large"):
        plot.draw([report], tmp_path)
    assert contents(tmp_path) == before
