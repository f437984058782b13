"""Pages in a real browser (``make test-web``): every game's replay by buttons, slider, keys and clicks, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES
from tests.web.chromium import NARROW, WIDE, expect, needs_chromium
from tests.web.recorded import recorded
from winterkingdom_env.web import Replay

pytestmark = needs_chromium
EVIL = "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page on which every error and warning of the console fails the test."""
    page, problems = browser.new_page(viewport=WIDE), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda request: problems.append(request.url) if not request.url.startswith("file:") else None)
    yield page
    page.close()
    assert not problems


def opened(page: Any, name: str, folder: Path, at: str = "", agent: str = "random") -> Replay:
    """Open the page of a recorded game, and wait until it is there."""
    replay = Replay(recorded(name, folder, agent=agent))
    page.goto(f"{replay.save(folder / 'game.html').as_uri()}{at}")
    page.wait_for_selector("#sheet svg")
    return replay


def shown_at(page: Any) -> int:
    """The number of the frame that the page shows: by the slider, the address, and the mark in the log."""
    n = int(page.locator("#slider").input_value())
    assert page.evaluate("location.hash") == f"#{n}"
    marked = page.locator("#log button").evaluate_all("all => all.findIndex((one) => one.hasAttribute('aria-current'))")
    assert marked == n
    return n


def is_frame(page: Any, replay: Replay, n: int) -> bool:
    """Whether board and table are those of a frame."""
    frame, expected = replay.film.frames[n], dict[int, int]()
    for earlier in replay.film.frames[: n + 1]:
        expected |= dict(zip(earlier.parts[::2], earlier.parts[1::2], strict=True))
    # The browser writes markup in its own way, so both texts go through it.
    same = page.evaluate(
        """(texts) => Object.entries(texts).every(([part, text]) => {
            const found = document.querySelector(`[data-part="${part}"]`), made = found.cloneNode(false);
            made.innerHTML = text;
            return made.innerHTML === found.innerHTML;
        })""",
        {replay.film.parts[part].name: replay.film.texts[text] for part, text in expected.items()},
    )
    rows = page.locator("#seats tbody tr")
    total = [cell.split()[0] for cell in rows.nth(len(replay.film.columns)).locator("td").all_inner_texts()]
    return bool(same) and total == [str(sum(row)) for row in frame.sheet]


@pytest.mark.parametrize("name", NAMES)
def test_replay__buttons_slider_and_keys__go_through_the_game(page: Any, name: str, tmp_path: Path) -> None:
    replay = opened(page, name, tmp_path)
    last = len(replay.film.frames) - 1
    assert shown_at(page) == last and is_frame(page, replay, last)
    for button, n in (("first", 0), ("next", 1), ("next", 2), ("back", 1), ("last", last), ("back", last - 1)):
        page.click(f"#{button}")
        assert shown_at(page) == n
    for key, n in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.keyboard.press(key)
        assert shown_at(page) == n
    page.locator("#slider").fill(str(last // 2))
    assert shown_at(page) == last // 2 and is_frame(page, replay, last // 2)
    page.click("#turn-next")
    assert last // 2 < shown_at(page) <= last and is_frame(page, replay, shown_at(page))
    page.locator("#log button").nth(last // 3).click()
    assert shown_at(page) == last // 3 and is_frame(page, replay, last // 3)
    page.locator("#chart svg").click(position={"x": 12, "y": 40})
    assert shown_at(page) == 0 and is_frame(page, replay, 0)


def test_replay__play__goes_on_by_itself_and_pauses(page: Any, tmp_path: Path) -> None:
    opened(page, "dominion", tmp_path, at="#3")
    assert shown_at(page) == 3
    page.select_option("#pace", "fast")
    page.keyboard.press("Escape")
    page.click("#play")
    expect(page.locator("#log button").nth(3)).not_to_have_attribute("aria-current", "")
    page.click("#play")
    assert page.locator("#play").inner_text() == "Play" and shown_at(page) > 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_replay__any_width__needs_no_scrolling_to_the_side(
    page: Any, name: str, size: dict[str, int], tmp_path: Path
) -> None:
    page.set_viewport_size(size)
    opened(page, name, tmp_path)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    for box in page.locator("#sheet svg").evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())"):
        assert box["left"] >= 0 and box["right"] <= size["width"] and box["width"] > 90


def test_replay__narrow__what_happened_stays_in_sight(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size(NARROW)
    opened(page, "winter_kingdom", tmp_path, at="#5")
    page.click("#next")
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#told").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= NARROW["height"]
    assert page.locator("#told").inner_text().startswith("6 of ")


@pytest.mark.parametrize("name", NAMES)
def test_replay__odds__are_drawn_and_told(page: Any, name: str, tmp_path: Path) -> None:
    replay = opened(page, name, tmp_path, at="#4")
    odds, rows = replay.film.odds, page.locator("#seats tbody tr")
    if odds is None:
        assert not page.locator("#odds").is_visible() and rows.count() == len(replay.film.columns) + 2
        return
    assert page.locator("#odds path").count() == 2 * len(replay.film.seats)
    page.locator("#odds svg").click(position={"x": 320, "y": 30})
    n = shown_at(page)
    assert n > 4 and rows.last.locator("th").inner_text() == "win probability"
    told = [int(cell.removesuffix(" %")) for cell in rows.last.locator("td").all_inner_texts()]
    assert told == pytest.approx([100 * share for share in odds[n]], abs=0.51)


def test_replay__click_on_a_place__says_what_it_is(page: Any, tmp_path: Path) -> None:
    opened(page, "winter_kingdom", tmp_path, at="#0")
    page.locator("[data-part='hex r13c13'] polygon").first.click()
    assert page.locator("#tip").inner_text().startswith("r13c13 ")


def test_replay__markup_in_names__is_shown_as_text(page: Any, tmp_path: Path) -> None:
    opened(page, "dominion", tmp_path, agent=EVIL)
    assert page.locator("#seats th small").first.inner_text() == EVIL
    assert page.title() != "run" and page.locator("img").count() == 0


def test_replay__damaged_page__says_so(browser: Any, tmp_path: Path) -> None:
    replay = Replay(recorded("dominion", tmp_path))
    target = tmp_path / "game.html"
    target.write_text(replay.html.replace('type="text/plain">H4sI', 'type="text/plain">H4sJ'), encoding="utf-8")
    page = browser.new_page()
    page.goto(target.as_uri())
    expect(page.locator("#about")).to_contain_text("or is damaged")
    page.close()
