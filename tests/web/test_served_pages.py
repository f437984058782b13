"""The served pages in a real browser: every wrong input is answered with a sentence, and no page needs scrolling to the side."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES
from tests.web.chromium import NARROW, REFUSED, WIDE, expect, move, needs_chromium, opened, overflow, settled
from tests.web.recorded import recorded
from winterkingdom_env.games import GAMES

pytest.importorskip("uvicorn", reason="the extra web is not installed: pip install -e '.[web]'")
pytest.importorskip("websockets")
from tests.web.served import Server

pytestmark = needs_chromium
every_game = pytest.mark.parametrize("name", NAMES)
every_size = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


def home(visit: Any, title: str) -> Any:
    """The first page with a game chosen and its options open."""
    page = visit("/")
    page.get_by_role("radio", name=title, exact=True).check()
    page.click("#more > summary")
    return page


# --- wrong inputs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["-1", "1.5", "9007199254740993", "1e400", "-"])
def test_form__bad_seed__says_which_ones_there_are(visit: Any, site: Server, seed: str) -> None:
    page, n = home(visit, "Dominion"), len(site.get("/api/games")["games"])
    page.locator("#seed").press_sequentially(seed)
    page.click("#more > summary")  # also if the field is out of sight
    page.click("#start")
    expect(page.locator("#problem")).to_have_text("A seed is a whole number from 0 to 9007199254740991.")
    assert page.url == f"{site.address}/" and len(site.get("/api/games")["games"]) == n
    page.click("#more > summary")
    page.fill("#seed", "8")
    page.click("#start")
    page.wait_for_url("**/game/*")


def test_form__options_that_do_not_fit__says_what_would(visit: Any, site: Server) -> None:
    page, n = home(visit, "Winter Kingdom"), len(site.get("/api/games")["games"])
    visit.allowed.append(REFUSED)
    page.get_by_role("checkbox", name="Knights").check()
    page.get_by_role("checkbox", name="Loners").check()
    page.click("#start")
    expect(page.locator("#problem")).to_contain_text("scoring takes 3 values")
    assert len(site.get("/api/games")["games"]) == n
    page.click("#usual")
    page.click("#start")
    page.wait_for_url("**/game/*")


@pytest.mark.parametrize("limit", ["0", "-", "2.5"])
def test_form__number_that_does_not_fit__says_what_would(visit: Any, limit: str) -> None:
    page = home(visit, "Dominion")
    visit.allowed.append(REFUSED)
    page.fill("#seed", "1")
    page.get_by_label("round limit").fill("")
    page.get_by_label("round limit").press_sequentially(limit)
    page.click("#start")
    expect(page.locator("#problem")).to_have_text(re.compile(r"^[A-Z].*round.*\.$"))


def test_file__that_is_no_record__says_so_and_the_page_stays(visit: Any, site: Server, tmp_path: Path) -> None:
    page = visit("/")
    visit.allowed.append(REFUSED)
    rubbish = {"name": "game.jsonl", "mimeType": "text/plain", "buffer": b"rubbish\n"}
    for content, words in ((b"rubbish\n", "This is not a record"), (b"", "empty"), (b"x" * (5 << 20), "kB")):
        page.set_input_files("#file", rubbish | {"buffer": content})
        expect(page.locator("#file-problem")).to_contain_text(words)
    assert page.url == f"{site.address}/"
    opened(page, recorded("dominion", tmp_path).path)


@pytest.mark.parametrize(
    ("path", "place", "words"),
    [
        ("/game/0000000000000000", "#net", "There is no such game here; perhaps its folder was moved."),
        ("/game/x", "#net", "There is no such game here; perhaps its folder was moved."),
        ("/replay/file-0123456789abcdef", "#problem", "No record '0123456789abcdef' was opened here."),
        ("/replay/game-0000000000000000", "#problem", "There is no such game here; perhaps its folder was moved."),
        ("/replay/rubbish", "#problem", "'rubbish' names no record"),
        ("/tournament/none", "#problem", "There is no such tournament here."),
    ],
)
def test_address__of_nothing__says_so(visit: Any, site: Server, path: str, place: str, words: str) -> None:
    visit.allowed.append(REFUSED)
    page = visit(path)
    expect(page.locator(place)).to_contain_text(words)
    expect(page.locator("#main")).to_be_hidden()
    expect(page.locator("#about")).to_be_empty()
    page.get_by_role("link", name="winterkingdom").click()
    page.wait_for_url(f"{site.address}/")


def test_link__with_a_wrong_secret__says_so_and_shows_nothing(visit: Any, site: Server) -> None:
    made = site.new_game("dominion", [None, "greedy"])
    token = made["tokens"]["0"]
    page = visit(f"/game/{made['id']}#0.{token[:-1]}")
    expect(page.locator("#net")).to_contain_text(
        "This link does not fit the game; use the link that was made for the seat."
    )
    assert not page.locator("#sheet svg").count()
    page.evaluate("(right) => { location.hash = right; }", f"0.{token}")
    assert settled(page)
    expect(page.locator("#about")).to_contain_text("You are a")


def test_running_game_of_people__its_replay__is_refused_in_words(visit: Any, site: Server) -> None:
    visit.allowed.append(REFUSED)
    page = visit(f"/replay/game-{site.new_game('dominion', [None, 'greedy'])['id']}")
    expect(page.locator("#problem")).to_contain_text("Hands are hidden while people play")


# --- widths -----------------------------------------------------------------------------------------------------------


@every_size
def test_home__any_width__needs_no_scrolling_to_the_side(visit: Any, site: Server, size: dict[str, int]) -> None:
    page = visit("/", size)
    for title in page.locator("#games label").all_inner_texts():
        page.get_by_role("radio", name=title.strip(), exact=True).check()
        page.locator("#more").evaluate("(more) => { more.open = true; }")
        assert overflow(page) == 0
    page.locator("#players input").last.check()
    for who in page.locator("#seats select").all():
        who.select_option("search")
    assert overflow(page) == 0


@every_game
@every_size
def test_game__any_width__needs_no_scrolling_to_the_side(
    visit: Any, site: Server, size: dict[str, int], name: str
) -> None:
    made, dice = site.new_game(name, [None, "greedy"], seed=7), random.Random(1)
    page = visit(f"/game/{made['id']}#0.{made['tokens']['0']}", size)
    for _ in range(4):
        move(page, dice)
        settled(page)
        assert overflow(page) == 0
        assert all(left >= 0 and right <= size["width"] for left, right in edges(page))
    page.click("#help-button")
    assert overflow(page) == 0


@every_size
def test_study__any_width__needs_no_scrolling_to_the_side(
    visit: Any, site: Server, tmp_path: Path, size: dict[str, int]
) -> None:
    page = visit("/", size)
    opened(page, recorded("winter_kingdom", tmp_path, seed=2).path)
    page.keyboard.press("Home")
    page.locator("#time").fill("0")
    page.click("#think")
    expect(page.locator("#thoughts tbody tr").first).to_be_visible()
    page.click("#on > summary")
    assert overflow(page) == 0
    assert all(left >= 0 and right <= size["width"] for left, right in edges(page))


def edges(page: Any) -> list[list[float]]:
    """Left and right of each part of the board."""
    found: list[list[float]] = page.locator("#sheet svg").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({left, right}) => [left, right])"
    )
    return found


@pytest.mark.parametrize("name", GAMES)
def test_game__narrow__nothing_is_covered_or_left_blank(visit: Any, site: Server, name: str) -> None:
    made = site.new_game(name, [None, "greedy"], seed=7)
    page = visit(f"/game/{made['id']}#0.{made['tokens']['0']}", NARROW)
    settled(page)
    zoom, sheet = page.locator("#zoom").bounding_box(), page.locator("#sheet").bounding_box()
    assert zoom is None or zoom["y"] + zoom["height"] <= sheet["y"]
    below = page.locator("#sheet svg").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom - one.firstChild.getBoundingClientRect().bottom)"
    )
    assert max(below) < 30
    if zoom:
        page.click("#zoom")
        expect(page.locator("#zoom")).to_have_text("Whole board")
        assert overflow(page) == 0 and move(page, random.Random(1))
