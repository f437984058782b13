"""Chromium for the tests of pages, and what a person does on a page. What imports this is skipped without Playwright."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from winterkingdom_env.games import get_game
from winterkingdom_env.records import read_record

sync_api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-web")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")
WIDE, NARROW = {"width": 1400, "height": 1000}, {"width": 420, "height": 900}
PATIENCE = 120_000  # milliseconds until a test gives up
sync_api.expect.set_options(timeout=PATIENCE)
expect = sync_api.expect

# What Chromium itself writes about an answer that a test provokes, and about a server that a test ends.
REFUSED = r"Failed to load resource: the server responded with a status of 4\d\d \([\w ]+\)"
UNREACHABLE = r"WebSocket connection to '[^']+' failed: .*ERR_CONNECTION_(REFUSED|RESET)"
TELL_VIOLATIONS = """addEventListener("securitypolicyviolation",
    ({violatedDirective, blockedURI}) => console.error(`policy: ${violatedDirective} ${blockedURI}`))"""
IS_SETTLED = """() => {
    const one = (selector) => document.querySelector(selector);
    const isAsked = one("#question.mine:not([aria-busy])") && !one("#net:not([hidden])");
    return Boolean(isAsked || one("#over:not([hidden])"));
}"""


class Visitors:
    """Persons, each with a browser of their own. Whatever their consoles say is a problem, unless a test allows it."""

    def __init__(self, browser: Any, address: str) -> None:
        """``address``: of the only server that their pages may ask."""
        self._browser, self._address = browser, address
        self._contexts: list[Any] = []
        self.problems: list[str] = []
        self.allowed: list[str] = []  # regular expressions

    def __call__(self, path: str = "", size: dict[str, int] = WIDE) -> Any:
        """The page of another person, at a path of the server if one is given."""
        context = self._browser.new_context(viewport=size, reduced_motion="reduce")
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TELL_VIOLATIONS)
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        context.on("console", self._listen)
        context.on("request", self._look)
        page = context.new_page()
        if path:
            page.goto(f"{self._address}{path}")
        return page

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def _look(self, request: Any) -> None:
        if not request.url.startswith((f"{self._address}/", "data:")):
            self.problems.append(request.url)

    def leave(self) -> list[str]:
        """Close everything; the problems that no test allows."""
        for context in self._contexts:
            context.close()
        return [text for text in self.problems if not any(re.fullmatch(allowed, text) for allowed in self.allowed)]


def settled(page: Any) -> bool:
    """Wait until a person is asked or the game is over; whether somebody is asked."""
    page.wait_for_function(IS_SETTLED)
    return not page.locator("#over").is_visible()


def move(page: Any, dice: random.Random) -> bool:
    """Click one of the places and buttons that the page offers; False if the game is over."""
    if not settled(page):
        return False
    offered = page.locator("#sheet .spot.legal .area, #actions button")
    offered.nth(dice.randrange(offered.count())).click()
    menu = page.locator("dialog.menu button")
    if n := menu.count():
        menu.nth(dice.randrange(n)).click()
    return True


def made_by_form(
    page: Any, name: str, seats: Sequence[str], options: Mapping[str, str], is_separate: bool = False
) -> None:
    """Make a game with the form of the first page, with seed 7. ``seats``: a name in upper case is a person's, another an agent's."""
    page.get_by_role("radio", name=get_game(name).TITLE, exact=True).check()
    for letter, seat in zip("abcde", seats, strict=False):
        is_person = seat[0].isupper()
        page.get_by_label(f"who sits at {letter}").select_option("" if is_person else seat)
        if is_person:
            page.get_by_label(f"name of the person at {letter}").fill(seat)
    page.click("#more > summary")
    page.get_by_label("seed").fill("7")
    for option, value in options.items():
        page.get_by_label(option.replace("_", " ")).fill(value)
    if is_separate:
        page.get_by_label("each at their own screen").check()
    page.click("#start")
    if is_separate:
        expect(page.locator("#links")).to_be_visible()
    else:
        page.wait_for_url("**/game/*")


def opened(page: Any, path: Path) -> None:
    """Open a record with the first page, and wait until it is there."""
    page.set_input_files("#file", path)
    page.wait_for_url("**/replay/file-*")
    page.wait_for_selector("#sheet svg")


def record_of(server: Any, page: Any) -> Path:
    """The record of the game that a page shows."""
    name = page.url.partition("#")[0].rpartition("/")[2]
    return Path(server.data) / "games" / name / "record.jsonl"


def n_of(server: Any, page: Any) -> int:
    """The number of actions in the record of the game that a page shows."""
    return len(read_record(record_of(server, page)).actions)


def overflow(page: Any) -> int:
    """By how many pixels the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(0, width)
