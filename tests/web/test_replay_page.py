"""The page of a recorded game: one file, with nothing in it that a record could run."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.house.games import NAMES
from tests.web.recorded import recorded
from winterkingdom_env.cli.commands import main
from winterkingdom_env.web import Replay
from winterkingdom_env.web.film import film_of
from winterkingdom_env.web.replay_page import ENTRY, IMPORT, STATIC, modules_of

EVIL = "</script><script>alert(1)</script>{film}<img src=x onerror=alert(1)>"


def film_in(page: str) -> dict[str, object]:
    """The film inside a page."""
    (packed,) = re.findall(r'<script id="film" type="text/plain">([^<]*)</script>', page)
    found: dict[str, object] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_page__is_one_small_file_that_loads_nothing(name: str, tmp_path: Path) -> None:
    record = recorded(name, tmp_path)
    page = Replay(record).html
    assert len(page) < 1_000_000 and len(film_in(page)["frames"]) == len(record.actions) + 1  # type: ignore[arg-type]
    outside = re.sub(r"http://www\.w3\.org/\S+", "", page)
    assert not re.search(r"https?:|//[a-z]+\.[a-z]|<link|@import|url\(| src=", outside)
    assert "import {" not in page and page.count("<script") == 2


def test_modules__are_each_there_once_and_after_those_that_they_import() -> None:
    found = modules_of(ENTRY)
    assert found == ["board.js", "chart.js", "replay.js", "onefile.js"]
    for name in (path.name for path in STATIC.glob("*.js")):
        text = (STATIC / name).read_text(encoding="utf-8")
        assert len(IMPORT.findall(text)) == len(re.findall(r"^import\b", text, re.MULTILINE)), f"{name}: another form"
        assert not re.search(r"\bimport\(|^export (?!class|function|const|async function)", text, re.MULTILINE)


def test_page__policy__allows_its_own_script_only(tmp_path: Path) -> None:
    page = Replay(recorded("dominion", tmp_path)).html
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'" in page


def test_page__names_in_a_record__are_no_markup(tmp_path: Path) -> None:
    page = Replay(recorded("dominion", tmp_path, agent=EVIL)).html
    assert "alert" not in page and page.count("<script") == 2
    assert film_in(page)["seats"][0]["agent"] == EVIL  # type: ignore[index]


def test_page__same_record__is_the_same(tmp_path: Path) -> None:
    record = recorded("dominion", tmp_path)
    assert Replay(record).html == Replay(record.path).html != Replay(record, viewer=1).html


def test_page__viewer__has_no_hidden_card_in_it(tmp_path: Path) -> None:
    record = recorded("dominion", tmp_path)
    whole, seen = film_of(record), film_of(record, viewer=1)
    assert not any("hidden" in text for text in whole.texts) and any("hidden" in text for text in seen.texts)
    assert whole.seed is not None and seen.seed is None  # from the seed everybody could deal the cards again


def test_page__notebook__shows_it_in_a_frame(tmp_path: Path) -> None:
    replay = Replay(recorded("dominion", tmp_path))
    frame = replay._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and frame.count("<") == 2 and "&lt;script" in frame
    path = replay.save(tmp_path / "game.html")
    assert path.read_text(encoding="utf-8") == replay.html


def test_command__writes_the_page_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, target = recorded("dominion", tmp_path), tmp_path / "game.html"
    told = ["replay", str(record.path), "--html", str(target), "--show", "none"]
    with pytest.raises(SystemExit, match="0"):
        main(told)
    assert target.read_text(encoding="utf-8") == Replay(record).html
    for more, why in (
        ([], f"{target} exists; name a new file or use --overwrite"),
        (["--overwrite", "--svg", str(target)], "--html and --svg both name"),
        (["--overwrite", "--viewer", "7"], "viewer=7: this game has the seats 0 to 1"),
    ):
        capsys.readouterr()
        with pytest.raises(SystemExit, match="2"):
            main([*told, *more])
        assert why in capsys.readouterr().err.replace("\n", " ")
        assert target.read_text(encoding="utf-8") == Replay(record).html, "the old page is still there"
    with pytest.raises(SystemExit, match="2"):
        main(["replay", str(record.path), "--viewer", "1"])
    assert "--viewer goes with --html" in capsys.readouterr().err
