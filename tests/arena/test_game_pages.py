"""The report has a page for every game, which is made once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from agents import game_pages, report_page
from agents.arena import main
from agents.game_pages import GAMES
from agents.results import RECORDS, read_results, read_tournament
from agents.summary import summarise
from tests.arena.helpers import PATIENT
from tests.full_disk import contents
from tests.web.test_replay_page import film_in
from winterkingdom_env.records import read_record

EVIL = "</td><script>alert(1)</script>"
LINK = re.compile(rf'<a href="({GAMES}/[^"]*)">([^<]*)</a>')


def written(folder: Path, target: Path, *options: str) -> str:
    """The page of the report."""
    assert main(["report", str(folder), "--report", str(target), "--json", *options]) == 0
    return (target / "report.html").read_text(encoding="utf-8")


def refuse(*job: object) -> None:
    pytest.fail(f"made again: {job}")


@pytest.fixture
def copy(reference: Path, tmp_path: Path) -> Path:
    """A copy of a tournament, in which files may be damaged."""
    return Path(shutil.copytree(reference, tmp_path / "copy"))


@pytest.fixture(scope="module")
def target(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    written(reference, folder)
    return folder


def test_report__links_a_page_of_every_game(reference: Path, target: Path) -> None:
    results = read_results(reference)
    page = (target / "report.html").read_text(encoding="utf-8")
    assert LINK.findall(page) == [(f"{GAMES}/{result.id}.html", result.id) for result in results]
    assert {path.name for path in (target / GAMES).iterdir()} == {f"{result.id}.html" for result in results}
    for result in results:
        text = (target / GAMES / f"{result.id}.html").read_text(encoding="utf-8")
        film = film_in(text)
        record = read_record(reference / RECORDS / f"{result.id}.jsonl.gz")
        assert len(film["frames"]) == len(record.actions) + 1 and film["is_complete"]  # type: ignore[arg-type]
        assert [seat["agent"] for seat in film["seats"]] == result.seats  # type: ignore[attr-defined]
        assert len(text) < 1_000_000
        scores, winner = ", ".join(map(str, result.scores)), result.ranks.index(1)
        assert f"<td>{result.rounds}</td>" in page and f'<td class="name">{scores}</td>' in page
        assert f"{result.seats[winner]} (seat {winner})" in page


def test_report__of_forfeited_games__has_their_pages_as_far_as_they_went(tmp_path: Path) -> None:
    agents = ["tests.arena.zoo:Raises", "random"]
    assert main([*agents, "--games", "2", "--seed", "3", *PATIENT, "--out", str(tmp_path / "out")]) == 3
    page = written(tmp_path / "out", tmp_path / "report")
    for result in read_results(tmp_path / "out"):
        assert result.forfeit is not None
        film = film_in((tmp_path / "report" / GAMES / f"{result.id}.html").read_text(encoding="utf-8"))
        assert len(film["frames"]) == result.moves + 1 and not film["is_complete"]  # type: ignore[arg-type]
        assert f'<td class="name">{result.forfeit.agent} (raised)</td>' in page


def test_pages__second_run__makes_none(reference: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(target)
    monkeypatch.setattr(game_pages, "_make", refuse)
    written(reference, target)
    assert contents(target) == before


def cut(page: Path) -> None:
    page.write_bytes(page.read_bytes()[:-100])


def empty(page: Path) -> None:
    page.write_bytes(b"")


@pytest.mark.parametrize("change", [cut, empty, Path.unlink])
def test_pages__damaged_one__is_made_again_alone(
    change: Callable[[Path], None], reference: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, made, make = Path(shutil.copytree(target, tmp_path / "new")), list[game_pages.Job](), game_pages._make
    change(new / GAMES / "000001-0000-0.html")

    def counted(*job: Any) -> None:
        made.append(job)
        make(*job)

    monkeypatch.setattr(game_pages, "_make", counted)
    written(reference, new)
    assert len(made) == 1 and contents(new) == contents(target)


def test_pages__of_another_record__are_made_again(copy: Path, target: Path, tmp_path: Path) -> None:
    """Also if the record is older than the page: another tournament has games of the same name."""
    new = Path(shutil.copytree(target, tmp_path / "new"))
    first, second = (f"000000-0000-{i}" for i in (0, 1))
    shutil.copy(copy / RECORDS / f"{second}.jsonl.gz", copy / RECORDS / f"{first}.jsonl.gz")
    written(copy, new)
    pages = contents(new / GAMES)
    assert pages[f"{first}.html"] == pages[f"{second}.html"]
    assert {name for name, page in pages.items() if page != contents(target / GAMES)[name]} == {f"{first}.html"}


def test_pages__of_games_that_are_gone__are_removed(reference: Path, target: Path, tmp_path: Path) -> None:
    new = Path(shutil.copytree(target, tmp_path / "new"))
    for name in ("000777-0000-0.html", "index.html", "000777-0000-0.txt"):
        (new / GAMES / name).write_text("x")
    written(reference, new)
    assert {path.name for path in (new / GAMES).iterdir()} - {path.name for path in (target / GAMES).iterdir()} == {
        "index.html", "000777-0000-0.txt",
    }  # fmt: skip


def test_pages__by_several_processes__are_the_same(
    reference: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_pages, "FEW", 3)
    written(reference, tmp_path / "new", "--processes", "2")
    assert contents(tmp_path / "new") == contents(target)


@pytest.mark.parametrize("few", [3, 20], ids=["processes", "one"])
def test_pages__a_damaged_record__leaves_nothing(
    few: int,
    copy: Path,
    target: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(game_pages, "FEW", few)
    drawn = {path.stem for path in (target / "boards").iterdir()}
    plain = next(result.id for result in reversed(read_results(copy)) if result.id not in drawn)
    (copy / RECORDS / f"{plain}.jsonl.gz").write_bytes(b"rubbish")
    assert main(["report", str(copy), "--report", str(tmp_path / "new" / "report"), "--processes", "2"]) == 2
    assert f"{plain}.jsonl.gz: damaged or not a gzip file" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_pages__which__as_asked(reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [result.id for result in read_results(reference)]
    for module, name in ((game_pages, "MOST_LISTED"), (report_page, "MOST_GAMES")):
        monkeypatch.setattr(module, name, 5)
    for pages, n_linked, n_made in (("listed", 5, 5), ("all", 5, 12), ("none", 0, 0)):
        page = written(reference, tmp_path / pages, "--pages", pages)
        assert [words for _, words in LINK.findall(page)] == ids[:n_linked]
        assert "12 games, with scores in the order of the seats: the first 5; games.csv has all" in page
        folder = tmp_path / pages / GAMES
        assert (sorted(path.stem for path in folder.iterdir()) if folder.exists() else []) == ids[:n_made]


def test_report__markup_in_names__is_text(reference: Path) -> None:
    results = [replace(result, seats=[EVIL, "random"], id=f"{result.id}<b>") for result in read_results(reference)]
    tournament = read_tournament(reference)
    summary = summarise(tournament, read_results(reference), len(results), None)
    page = report_page.page(summary, [], results, {result.id for result in results})
    assert "<script" not in page and "<b>" not in page
    assert page.count("&lt;/td&gt;&lt;script&gt;alert(1)") >= len(results)
