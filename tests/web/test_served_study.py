"""The served pages in a real browser: agents are watched, records opened, studied and played on from, tournaments followed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES
from tests.web.chromium import (
    NARROW,
    WIDE,
    Visitors,
    expect,
    made_by_form,
    move,
    n_of,
    needs_chromium,
    opened,
    overflow,
    record_of,
    settled,
)
from tests.web.recorded import recorded
from winterkingdom_env.records import read_record, replay

pytest.importorskip("uvicorn", reason="the extra web is not installed: pip install -e '.[web]'")
pytest.importorskip("websockets")
from tests.web.served import Server

pytestmark = needs_chromium
every_game = pytest.mark.parametrize("name", NAMES)
DROP = """([name, text, type]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
}"""


# --- watching ---------------------------------------------------------------------------------------------------------


def test_agents_alone__pause_step_thoughts_and_speed__follow_the_buttons(visit: Any, site: Server) -> None:
    page = visit("/")
    made_by_form(page, "kingdom_builder", ("greedy", "policy"), {"round_limit": "6"})
    expect(page.locator("#about")).to_contain_text("a: greedy; b: policy. You are watching.")
    page.locator("#speed").fill("1")  # slow, so that no agent is about to move when the game is paused
    expect(page.locator("#speed")).to_have_attribute("aria-valuetext", "2000 ms between moves")
    expect(page.locator("#log")).to_contain_text("policy, round 1")
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Play")
    page.get_by_label("show what the agents think").check()
    for press in (lambda: page.click("#step"), lambda: page.keyboard.press("ArrowRight")):
        for _ in range(4):
            before, log = n_of(site, page), page.locator("#log").text_content()
            press()
            expect(page.locator("#log")).not_to_have_text(log)
            assert n_of(site, page) == before + 1
            label = read_record(record_of(site, page)).actions[-1].action
            expect(page.locator("#thoughts .odds")).to_contain_text("Win probability")
            best = page.locator("#thoughts tbody th").all_inner_texts()
            if best:  # not of an action without an alternative
                assert best[0] == label
                assert page.locator("#sheet .weights .mark text").count() > 0 or " r" not in label
        page.locator("#title").click()  # so that keys are not for a button
    page.locator("#speed").fill("6")
    expect(page.locator("#speed")).to_have_attribute("aria-valuetext", "0 ms between moves")
    page.click("#play")
    expect(page.locator("#asked")).to_have_text(re.compile(r"(wins|share the win) with \d+ points?\."))
    assert replay(record_of(site, page)).is_complete
    expect(page.locator("#pace")).to_be_hidden()


def test_watched_game__somebody_else__sees_it_and_has_no_pace(visit: Any, site: Server) -> None:
    made = site.new_game("winter_kingdom", ["greedy", "greedy"], seed=7)
    owner, guest = visit(f"/game/{made['id']}#c.{made['control']}"), visit("/")
    expect(owner.locator("#play")).to_have_text("Pause")
    guest.locator("#running a").first.click()
    guest.wait_for_url("**/game/*")
    expect(guest.locator("#log li").first).to_contain_text("greedy, round 1: ")
    expect(guest.locator("#pace")).to_be_hidden()
    owner.click("#play")
    expect(owner.locator("#play")).to_have_text("Play")
    expect(guest.locator("#log")).to_have_text(owner.locator("#log").text_content())


# --- studying ---------------------------------------------------------------------------------------------------------


@every_game
def test_record__opened_as_a_file__is_gone_through_and_studied(visit: Any, tmp_path: Path, name: str) -> None:
    record, page = recorded(name, tmp_path, seed=1), visit("/")
    opened(page, record.path)
    last = len(record.actions)
    expect(page.locator("#slider")).to_have_value(str(last))
    expect(page.locator("#study-title")).to_have_text("The game is over here")
    for press, n in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.keyboard.press(press)
        expect(page.locator("#slider")).to_have_value(str(n))
    page.locator("#slider").fill("1")
    expect(page.locator("#told")).to_contain_text(f"1 of {last}")
    page.locator("#agent").select_option("search")
    page.locator("#time").fill("0")
    page.click("#think")
    expect(page.locator("#thoughts tbody tr").first).to_be_visible()
    expect(page.locator("#thoughts")).to_contain_text("%")
    spots = page.locator("#sheet .weights .mark").count()
    assert spots > 0 or name == "duels"
    page.click("#next")
    expect(page.locator("#thoughts")).to_be_empty()
    page.keyboard.press("t")
    expect(page.locator("#thoughts")).not_to_be_empty()
    page.click("#back")
    assert page.locator("#sheet .weights .mark").count() == spots


def test_position__played_on_from__is_where_the_new_game_begins(visit: Any, site: Server, tmp_path: Path) -> None:
    record, page = recorded("kingdom_builder", tmp_path, seed=4), visit("/")
    opened(page, record.path)
    at = len(record.actions) // 2
    page.locator("#slider").fill(str(at))
    page.click("#on > summary")
    seats = page.locator("#who .seat").count()
    for letter in "abcde"[:seats]:
        page.get_by_label(f"who sits at {letter}").select_option("greedy")
    asked = page.locator("#seats th.asked .chip").inner_text()
    page.get_by_label(f"who sits at {asked}").select_option("")
    page.get_by_label(f"name of the person at {asked}").fill("Ann")
    page.get_by_role("button", name="Play on").click()
    page.wait_for_url("**/game/*")
    assert settled(page) and n_of(site, page) == at
    expect(page.locator("#about")).to_contain_text(f"You are {asked} (Ann).")
    move(page, random.Random(1))
    settled(page)
    begun = read_record(record_of(site, page))
    assert begun.actions[:at] == record.actions[:at] and len(begun.actions) > at


def test_record__dropped_on_the_first_page__is_opened(visit: Any, tmp_path: Path) -> None:
    record, page = recorded("dominion", tmp_path), visit("/")
    text = record.path.read_text(encoding="utf-8")
    page.evaluate(DROP, [record.path.name, text, "dragover"])
    expect(page.locator("#drop")).to_be_visible()
    page.evaluate(DROP, [record.path.name, text, "drop"])
    page.wait_for_url("**/replay/file-*")
    expect(page.locator("#slider")).to_have_value(str(len(record.actions)))


# --- tournaments ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that shows a small tournament."""
    arena = pytest.importorskip("agents.arena", reason="the extra arena is not installed")
    folder = tmp_path_factory.mktemp("hall")
    settings = ["random", "greedy", "--game", "dominion", "--set", "round_limit=6", "--games", "4", "--seed", "1"]
    assert arena.main([*settings, "--out", str(folder / "cup")]) == 0
    server = Server(folder / "data", "--tournament", str(folder / "cup"))
    yield server
    assert "Traceback" not in server.stop()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_tournament__any_width__needs_no_scrolling_to_the_side(
    browser: Any, hall: Server, size: dict[str, int]
) -> None:
    visit = Visitors(browser, hall.address)
    page = visit("/tournament/cup", size)
    expect(page.locator("#games tbody tr")).to_have_count(4)
    assert overflow(page) == 0
    page.goto(f"{hall.address}/")
    expect(page.locator("#tournaments")).to_contain_text("4 of 4 games")
    assert overflow(page) == 0
    assert visit.leave() == []


def test_tournament__ladder_cross_table_and_games__lead_to_replays(browser: Any, hall: Server) -> None:
    visit = Visitors(browser, hall.address)
    page = visit("/")
    page.get_by_role("link", name="cup").click()
    expect(page.locator("#state")).to_have_text("All 4 games are played.")
    rungs = page.locator("#ladder tbody tr")
    assert sorted(rungs.locator("th").all_inner_texts()) == ["greedy", "random"]
    assert rungs.locator("svg.interval circle").count() == 2
    cells = page.locator("#cross tbody td:not(.none)").all_inner_texts()
    assert len(cells) == 2 and all(re.search(r"\d %\s+\d.*\d %", cell) for cell in cells)
    games = page.locator("#games tbody tr")
    assert games.count() == 4
    scores = games.first.locator("td strong").all_inner_texts()
    games.first.get_by_role("link").click()
    page.wait_for_url("**/replay/arena-cup-*")
    page.wait_for_selector("#sheet svg")
    totals = page.locator("#seats tr.total td").all_inner_texts()
    assert [total.split()[0] for total in totals] == scores
    page.keyboard.press("Home")
    expect(page.locator("#told")).to_contain_text("The game begins.")
    assert visit.leave() == []
