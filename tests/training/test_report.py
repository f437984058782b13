"""A run becomes a page that needs nothing else; what is no run, or a damaged one, is told by file and line."""

from __future__ import annotations

import base64
import json
import math
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.plot import count_text
from tests.training.fake_run import final_rows, rate_row, write_run
from training.plots import PLOTS
from training.report import duration, main, strength
from training.run_files import RunError, read_run

ALL_PICTURES = {plot.name for plot in PLOTS}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a whole run."""
    folder = write_run(tmp_path_factory.mktemp("runs") / "first", n=80)
    assert main([str(folder)]) == 0
    return folder / "report"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", n=12, players=(2,))


def without(path: Path, *columns: str) -> None:
    """Remove columns from a CSV file."""
    lines = [line.split(",") for line in path.read_text().splitlines()]
    kept = [i for i, name in enumerate(lines[0]) if name not in columns]
    path.write_text("".join(",".join(line[i] for i in kept) + "\n" for line in lines))


def test_report__pictures_are_files_and_in_the_page(report: Path) -> None:
    assert {path.name for path in report.iterdir()} == {"report.html", *(f"{name}.png" for name in ALL_PICTURES)}
    page = (report / "report.html").read_text(encoding="utf-8")
    embedded = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    files = [(report / f"{plot.name}.png").read_bytes() for plot in PLOTS]
    assert [base64.b64decode(data) for data in embedded] == files
    for content in files:
        assert content.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", content[16:24])
        assert width == 1080 and 250 < height < 2500


def test_report__needs_nothing_from_elsewhere(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page and "http" not in page and "@import" not in page
    for link in re.findall(r'href="([^"]+)"', page):
        assert (report / link).is_file()


def test_report__names_and_settings_are_escaped(tmp_path: Path) -> None:
    run = write_run(tmp_path / "<i>run", n=3, players=(2,))
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    settings["settings"]["<script>"] = "<img src=x>"
    (run / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    assert main([str(run)]) == 0
    page = (run / "report" / "report.html").read_text(encoding="utf-8")
    assert "&lt;i&gt;run" in page and "&lt;script&gt;" in page and "&lt;img src=x&gt;" in page
    assert "<i>" not in page and "<script" not in page and "<img src=x" not in page


def test_report__says_how_strong_by_which_command_and_where(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    first = "Win rate against greedy: 92.0 % [89.3, 94.7] in 800 games on 400 set-ups; seen 92.4, held out 91.6."
    assert page.index(first) < page.index("<table")
    assert "in 1200 games of 3 players (chance 33.3 %)" in page
    for words in ("python -m training.ppo --preset small --seed 1", "2,621,440", "processor a processor, cores 2", "7 min",
                  "winter_kingdom_v1", "2026-11-16T15:00:00", "256, 256", "torch 2.8"):  # fmt: skip
        assert words in page, words


def test_strength__without_a_row_for_all_names_the_splits() -> None:
    seen = rate_row("greedy", "seen", 2, "all", 0.9, 100)
    held_out = rate_row("greedy", "held-out", 2, "all", 0.8, 100)
    assert strength([seen, held_out]) == [
        "Win rate against greedy: 90.0 % [84.1, 95.9] in 200 games on 100 seen set-ups and "
        "80.0 % [72.2, 87.8] in 200 games on 100 held-out set-ups."
    ]
    assert len(strength(final_rows((2, 3)))) == 4 and strength([]) == []


def test_report__without_a_final_evaluation_takes_the_last_one(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "final" / "evaluation.csv").unlink()
    assert main([str(run), "--out", str(run / "page"), "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    found = json.loads(printed)
    last = [line.split(",") for line in (run / "evaluations.csv").read_text().splitlines()][-1]
    assert f"{100 * float(last[8]):.1f} %" in found["strength"][-1] and len(found["strength"]) == 3
    assert found["page"] == str(run / "page" / "report.html")
    page = (run / "page" / "report.html").read_text(encoding="utf-8")
    assert "the last evaluation during training" in page
    assert not (run / "page" / "facts.png").exists() and (run / "page" / "held_out.png").exists()


def test_report__unknown_columns_are_ignored_and_missing_ones_noted(run: Path) -> None:
    path = run / "progress.csv"
    without(path, "entropy", "explained_variance", "share_env", "score")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0] + ",mood", *(f"{line},fine" for line in lines[1:])]) + "\n")
    (run / "evaluations.csv").unlink()
    assert main([str(run)]) == 0
    page = (run / "report" / "report.html").read_text(encoding="utf-8")
    assert "no numbers for entropy, explained_variance." in page and "no numbers for score." in page
    pictures = {file.stem for file in (run / "report").glob("*.png")}
    assert pictures == ALL_PICTURES - {"policy", "winrate"}


def test_report__of_a_run_that_has_just_begun(run: Path) -> None:
    path = run / "progress.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[1] + lines[2][:20])  # the second iteration is being written
    (run / "evaluations.csv").unlink()
    (run / "final" / "evaluation.csv").unlink()
    assert len(read_run(run).progress["steps"]) == 1
    assert main([str(run)]) == 0
    assert "Nobody has measured yet" in (run / "report" / "report.html").read_text(encoding="utf-8")


def test_report__is_the_same_again_and_leaves_no_old_picture(run: Path) -> None:
    assert main([str(run)]) == 0
    before = {path.name: path.read_bytes() for path in (run / "report").iterdir()}
    assert main([str(run)]) == 0
    assert {path.name: path.read_bytes() for path in (run / "report").iterdir()} == before
    (run / "evaluations.csv").unlink()
    assert main([str(run)]) == 0
    assert not (run / "report" / "winrate.png").exists()


def cell(path: Path, line: int, column: str, text: str) -> None:
    lines = [each.split(",") for each in path.read_text().splitlines()]
    lines[line - 1][lines[0].index(column)] = text
    path.write_text("".join(",".join(each) + "\n" for each in lines))


Damage = Callable[[Path], object]
DAMAGES: list[tuple[Damage, str]] = [
    (lambda run: (run / "settings.json").unlink(), r"is not a training run: it has no settings\.json"),
    (lambda run: (run / "settings.json").write_text("{"), r"settings\.json is damaged"),
    (lambda run: (run / "settings.json").write_text("{}"), r"settings\.json is damaged.*settings"),
    (lambda run: (run / "progress.csv").unlink(), r"progress\.csv: No such file"),
    (lambda run: (run / "progress.csv").write_text(""), r"progress\.csv is empty"),
    (lambda run: (run / "progress.csv").write_bytes(b"\xff\xfe\x00"), r"progress\.csv is not text"),
    (lambda run: (run / "progress.csv").write_text("iteration,steps,seconds\n"), r"progress\.csv has no row yet"),
    (lambda run: without(run / "progress.csv", "seconds"), r"progress\.csv, line 1: no column seconds"),
    (lambda run: cell(run / "progress.csv", 4, "entropy", "low"), r"progress\.csv, line 4: entropy is 'low'"),
    (lambda run: cell(run / "progress.csv", 4, "steps", "nan"), r"progress\.csv, line 4: steps is 'nan'"),
    (lambda run: cell(run / "progress.csv", 4, "steps", "7"), r"progress\.csv, line 4: steps must ascend"),
    (lambda run: cell(run / "progress.csv", 5, "score", "1,2"), r"progress\.csv, line 5: 20 cells.* names 19"),
    (lambda run: cell(run / "evaluations.csv", 3, "win_rate", ""), r"evaluations\.csv, line 3: win_rate is ''"),
    (lambda run: cell(run / "evaluations.csv", 3, "low", "0.999"), r"evaluations\.csv, line 3: low 0\.999.*ascend"),
    (lambda run: (run / "evaluations.csv").write_text(""), r"evaluations\.csv is empty"),
    (lambda run: without(run / "final" / "evaluation.csv", "fact"), r"final/evaluation\.csv, line 1: no column fact"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "words"), DAMAGES, ids=[words[:40] for _, words in DAMAGES])
def test_run__damage_is_named_by_file_and_line(
    damage: Damage, words: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(run)
    with pytest.raises(RunError, match=words):
        read_run(run)
    assert main([str(run)]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert not (run / "report").exists()


def test_run__empty_cells_are_not_known_yet(run: Path) -> None:
    cell(run / "progress.csv", 2, "return", "")
    cell(run / "progress.csv", 3, "return", "nan")
    assert [not math.isnan(value) for value in read_run(run).progress["return"][:3]] == [False, False, True]
    assert main([str(run)]) == 0


def test_command__prints_the_page_last(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(run / "report" / "report.html")


def test_words() -> None:
    assert [duration(s) for s in (0.2, 59.6, 3600, 3725)] == ["0 s", "1 min", "1 h", "1 h 2 min 5 s"]
    assert [count_text(n) for n in (0, 950, 1500, 2e6, 3e9)] == ["0", "950", "1.5 k", "2 M", "3 G"]
