"""The report stands alone, is well-formed, and says the same as the ladder in every form."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from agents.arena import main
from agents.charts import histogram, intervals, shade, ticks
from agents.report import game_rows
from agents.results import Forfeit, read_results
from tests.arena.helpers import ROOT, made_up
from tests.full_disk import contents, small_disk

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Checker(HTMLParser):
    """Notes tags that are not closed, and every address."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.addresses: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "action", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(scope="module")
def report(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "new" / "folder"
    assert main(["report", str(reference), "--report", str(folder), "--json"]) == 0
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_page__stands_alone_and_is_well_formed(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.wrong == [] and checker.open == []
    assert not checker.seen & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"https?:|//[a-z]|@import|url\(|src=", page)
    assert checker.addresses and all((report / address).is_file() for address in checker.addresses)


def test_page__has_every_part(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == ["Ladder", "Cross table", "Mean scores", "Length of the games", "Time per move", "Forfeits",
                        "Games", "Final boards", "How this was made"]  # fmt: skip
    for card in ("Scoring cards", "Economy cards", "Twists", "Seats"):
        assert f"<h3>{card}</h3>" in page
    assert "python -m agents.arena tests.arena.zoo:Slow random --games 12 --seed 7" in page


def test_boards__of_the_closest_and_the_most_lopsided_games(report: Path, reference: Path) -> None:
    margins = sorted(abs(result.scores[0] - result.scores[1]) for result in read_results(reference))
    drawn = {path.stem for path in (report / "boards").iterdir()}
    found = sorted(abs(r.scores[0] - r.scores[1]) for r in read_results(reference) if r.id in drawn)
    assert found == margins[:3] + margins[-3:]
    assert all((report / "boards" / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg") for name in drawn)


def test_csv_and_json__agree(report: Path, reference: Path) -> None:
    content = json.loads((report / "report.json").read_text(encoding="utf-8"))
    page = (report / "report.html").read_text(encoding="utf-8")
    for line, rung in zip(rows(report / "ladder.csv"), content["ladder"], strict=True):
        rating = rung["rating"]
        assert line["agent"] == rating["agent"]
        for key in ("elo", "elo_low", "elo_high", "share", "share_low", "share_high", "games"):
            assert float(line[key]) == rating[key]
        assert float(line["mean_score"]) == rung["mean_score"] and f"{rating['elo']:+.0f}" in page
    for line, pair in zip(rows(report / "pairs.csv"), content["pairs"], strict=True):
        assert {key: str(value) for key, value in pair.items()} == line
        assert f"{100 * pair['share']:.1f} %" in page
    seats = rows(report / "games.csv")
    assert [(row["game"], row["agent"], int(row["score"]), int(row["rank"])) for row in seats] == [
        (r.id, *told) for r in read_results(reference) for told in zip(r.seats, r.scores, r.ranks, strict=True)
    ]
    assert 2 * sum(content["rounds"].values()) == len(seats) == 2 * content["games"]


def test_games_csv__a_row_per_game_and_seat(report: Path, reference: Path) -> None:
    seats, facts = rows(report / "games.csv"), list(read_results(reference)[0].cards)
    assert list(seats[0]) == [
        "game", "setup", "lineup", "rotation", "seat", "agent", "score", "rank", "win_share", "points", "moves", "seconds",
        "slowest", "restarted", "forfeit", "forfeit_reason", "is_finished", "rounds", *facts,
    ]  # fmt: skip
    for result in read_results(reference):
        mine = [row for row in seats if row["game"] == result.id]
        assert [int(row["seat"]) for row in mine] == list(range(len(result.seats)))
        assert sum(float(row["win_share"]) for row in mine) == 1
        assert {(row["economy"], row["scoring"]) for row in mine} == {
            (result.cards["economy"], " | ".join(result.cards["scoring"]))
        }
    columns = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in columns for name in seats[0] if name not in facts)


def test_games_csv__ties_forfeits_and_names_that_are_taken() -> None:
    tied = replace(made_up(0, 0, (0, 1, 2), (5, 5, 3)), cards={"score": "a card", "kind": ["b", "c"]})
    first, second, third = game_rows(tied)
    assert [row["win_share"] for row in (first, second, third)] == [0.5, 0.5, 0.0]
    assert (first["score"], first["fact_score"], first["kind"]) == (5, "a card", "b | c")
    lost = replace(made_up(0, 0, (0, 1), (5, 3)), forfeit=Forfeit(1, "b", "raised", "boom"), killed=[1], restarts=1)
    told = [(row["forfeit"], row["forfeit_reason"], row["is_finished"], row["restarted"]) for row in game_rows(lost)]
    assert told == [(None, None, 0, 0), ("raised", "boom", 0, 1)]


def test_report__can_be_written_again_over_itself(report: Path, reference: Path) -> None:
    before = (report / "report.html").read_bytes()
    assert main(["report", str(reference), "--report", str(report)]) == 0
    assert (report / "report.html").read_bytes() == before


def test_charts__survive_the_odd_case() -> None:
    assert "polygon" in intervals([("a", 3.0, None, None, "tip"), ("b", 3.0, 3.0, 3.0, "tip")])
    assert "&lt;i&gt;" in intervals([("<i>", 0.0, -1.0, 1.0, "<i>")])
    assert histogram({9: 4}, "words", "rounds").count("<rect") == 1
    assert (shade(0.5), shade(0.0), shade(1.0)) == ("#ffffff", "#efbeaa", "#a0c4e2")
    assert ticks(-130, 140) == [-100, -50, 0, 50, 100]


def test_report__disk_is_full__the_old_one_stays_and_nothing_else(
    report: Path, reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(report)
    for target in (report, tmp_path / "new" / "report"):
        with small_disk():
            assert main(["report", str(reference), "--report", str(target)]) == 1
        told = capsys.readouterr().err
        assert f"error: the report cannot be written to {target}: File too large" in told and told.count("\n") == 1
    assert contents(report) == before and list(tmp_path.iterdir()) == []


def test_report__a_damaged_record__is_refused_and_nothing_is_written(
    reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(reference, folder)
    for record in (folder / "records").iterdir():
        record.write_bytes(b"rubbish")
    assert main(["report", str(folder), "--report", str(tmp_path / "report")]) == 2
    assert "damaged or not a gzip file" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_report__unfinished__the_page_says_so(n: int, reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(reference, folder)
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:n]))
    assert main(["report", str(folder), "--report", str(tmp_path / "report")]) == 0
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert f"unfinished: {n} of 12 games, the ladder will change" in page
    assert len(rows(tmp_path / "report" / "games.csv")) == 2 * n


def test_page__without_jinja2__is_missed_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    folders = ["--out", str(tmp_path / "out"), "--report", str(tmp_path / "report")]
    assert main(["random", "random", "--games", "2", *folders]) == 2
    assert 'an HTML report needs jinja2: pip install -c constraints.txt -e ".[arena]"' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
