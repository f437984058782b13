"""The served pages in a real browser (``make test-web``): games played by clicks and keys, at one screen and at several."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES
from tests.web.chromium import (
    UNREACHABLE,
    Visitors,
    expect,
    made_by_form,
    move,
    n_of,
    needs_chromium,
    record_of,
    settled,
)
from winterkingdom_env.games import GAMES
from winterkingdom_env.records import ReplayReport, read_record, replay

pytest.importorskip("uvicorn", reason="the extra web is not installed: pip install -e '.[web]'")
pytest.importorskip("websockets")
from tests.web.served import Server

pytestmark = needs_chromium
SHORT = {"dominion": {"round_limit": "6"}, "kingdom_builder": {"round_limit": "4"}}  # games that end soon
HIDDEN = re.compile(
    r"cards? in hand(, their turn)?(\d hidden)?draw pile: \d+discards"
)  # a seat in the picture of Dominion
every_game = pytest.mark.parametrize("name", NAMES)


def result_words(report: ReplayReport, names: tuple[str, ...]) -> str:
    """The sentence with which a page ends a game."""
    winners = [f"{names[seat]} ({'abcde'[seat]})" for seat in report.winners]
    points = report.scores[report.winners[0]]
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"{' and '.join(winners)} {verb} with {points} point{'' if points == 1 else 's'}."


def shown_hands(page: Any) -> list[int]:
    """The seats whose cards a page of Dominion shows."""
    seats = [page.locator(f"[data-part='seat {seat}']").text_content() for seat in (0, 1)]
    return [seat for seat, text in enumerate(seats) if not HIDDEN.search(text)]


# --- one person -------------------------------------------------------------------------------------------------------


@every_game
def test_game__made_by_the_form_and_clicked_to_its_end__is_recorded_and_won(
    visit: Any, site: Server, name: str
) -> None:
    page, dice = visit("/"), random.Random(1)
    made_by_form(page, name, ("Ann", "greedy"), SHORT.get(name, {}))
    while move(page, dice):
        pass
    report = replay(record_of(site, page))
    assert report.is_complete and report.is_seed_confirmed and report.record.header.seed == 7
    expect(page.locator("#asked")).to_have_text(result_words(report, ("Ann", "greedy")))
    assert page.locator("#seats tr.total td").all_inner_texts() == [str(score) for score in report.scores]
    states = ["wins" if len(report.winners) == 1 else "shares the win", ""]
    assert page.locator("#seats tr.states td").all_inner_texts() == [
        states[seat not in report.winners] for seat in (0, 1)
    ]
    page.click("#again")
    expect(page.locator("#slider")).to_have_value(str(len(report.record.actions)))


@pytest.mark.parametrize("name", GAMES)
def test_click__on_what_is_not_legal__is_answered_and_changes_nothing(visit: Any, site: Server, name: str) -> None:
    made = site.new_game(name, [None, "greedy"], seed=7)
    page = visit(f"/game/{made['id']}#0.{made['tokens']['0']}")
    settled(page)
    before = page.locator("#asked").inner_text()
    page.locator("#sheet .spot:not(.legal) .area").first.click()
    # The tip of the place comes at once, the reason from the server.
    expect(page.locator("#told")).to_have_text(re.compile(r"^(?:[A-Z]|r\d\dc\d\d ).+\.$"))  # a place keeps its name
    page.fill("#typed", "nonsense")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("nonsense")
    assert page.locator("#asked").inner_text() == before and not page.locator("#log li").count()
    assert not read_record(record_of(site, page)).actions
    move(page, random.Random(1))
    expect(page.locator("#log li").first).to_contain_text("person 0, round 1")


def test_keys__alone__play_undo_and_help(visit: Any, site: Server) -> None:
    made = site.new_game("winter_kingdom", [None, "greedy"], seed=7)
    page = visit(f"/game/{made['id']}#0.{made['tokens']['0']}")
    settled(page)
    for key in ("?", "Escape"):
        page.keyboard.press(key)
        expect(page.locator("#help")).to_be_visible(visible=key == "?")
    page.keyboard.press("u")
    expect(page.locator("#told")).not_to_be_empty()
    expect(page.locator("#told")).to_be_visible()
    pressed = set()
    while n_of(site, page) < 12:
        before = n_of(site, page)
        if page.locator("#actions button").count():
            pressed.add("1")
            page.keyboard.press("1")
        else:
            for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"):
                page.keyboard.press(key)
                expect(page.locator("#sheet .spot.legal:focus")).to_have_count(1)
            page.keyboard.press("Enter")
            if page.locator("dialog.menu").count():
                page.keyboard.press("1")
        assert settled(page) and n_of(site, page) > before
        if page.locator("#undo").is_enabled() and "u" not in pressed:
            pressed.add("u")
            page.keyboard.press("u")
            expect(page.locator("#told")).to_have_text("A move was taken back.")
            assert n_of(site, page) == before
    assert pressed == {"1", "u"}


# --- nothing lost -----------------------------------------------------------------------------------------------------


def test_server_killed__and_started_again__the_open_page_goes_on(browser: Any, tmp_path: Path) -> None:
    server, dice = Server(tmp_path), random.Random(1)
    visit = Visitors(browser, server.address)
    visit.allowed.append(UNREACHABLE)
    page = visit("/")
    made_by_form(page, "kingdom_builder", ("Ann", "greedy"), SHORT["kingdom_builder"])
    for _ in range(9):
        move(page, dice)
    settled(page)
    log = page.locator("#log").inner_text()
    server.kill()
    expect(page.locator("#net")).to_contain_text("The connection is lost. Trying again")
    page.locator("#sheet .spot.legal .area").first.click()
    expect(page.locator("#told")).to_have_text("There is no connection to the server; nothing was done.")
    server = Server(tmp_path, "--port", server.host.rpartition(":")[2])
    expect(page.locator("#net")).to_be_hidden()
    settled(page)
    assert page.locator("#log").inner_text() == log
    while move(page, dice):
        pass
    assert replay(record_of(server, page)).is_complete
    assert visit.leave() == []
    assert "Traceback" not in server.stop()


# --- several persons --------------------------------------------------------------------------------------------------


def test_two_persons__each_with_a_link__see_their_own_hand_and_each_others_moves(visit: Any, site: Server) -> None:
    home = visit("/")
    made_by_form(home, "dominion", ("Ann", "Bob"), {}, is_separate=True)
    links = [
        link.removeprefix(site.address)
        for link in home.locator("#links a").evaluate_all("all => all.map((a) => a.href)")
    ]
    ann, bob, guest = visit(links[0]), visit(links[1]), visit(links[0].partition("#")[0])
    settled(ann)
    expect(bob.locator("#asked")).to_contain_text("Ann is to act")
    expect(guest.locator("#about")).to_contain_text("You are watching.")
    assert [shown_hands(page) for page in (ann, bob, guest)] == [[0], [1], []]
    ann.get_by_role("button", name="done").click()
    for page in (bob, guest):
        expect(page.locator("#log li").first).to_contain_text("Ann, round 1: done")
    expect(bob.locator("#about")).to_contain_text("You are b (Bob).")
    settled(bob)
    bob.get_by_role("button", name="done").click()
    expect(ann.locator("#log li").last).to_contain_text("Bob, round 1: done")
    n = n_of(site, guest)
    guest.locator("#sheet").click(position={"x": 90, "y": 120})  # a card of the supply
    guest.keyboard.press("1")
    guest.keyboard.press("Enter")
    assert not guest.locator("#sheet .spot.legal, #actions button").count()
    expect(guest.locator("#typed")).to_be_hidden()
    assert n_of(site, guest) == n
    assert shown_hands(guest) == []


def test_hot_seat__between_turns__hands_are_hidden_until_the_button(visit: Any, site: Server) -> None:
    page, dice = visit("/"), random.Random(1)
    made_by_form(page, "dominion", ("Ann", "Bob"), {})
    for seat, name in enumerate(("Ann", "Bob")):
        expect(page.locator("#curtain")).to_be_visible()
        expect(page.locator("#curtain-words")).to_contain_text(f"{name} is next. Nobody else should look.")
        assert shown_hands(page) == []
        page.get_by_role("button", name=f"I am {name}").click()
        expect(page.locator("#curtain")).to_be_hidden()
        settled(page)
        assert shown_hands(page) == [seat]
        page.click("#cover")
        expect(page.locator("#curtain")).to_be_visible()
        assert shown_hands(page) == []
        page.click("#show")
        expect(page.locator("#curtain")).to_be_hidden()
        while not page.locator("#curtain").is_visible():
            n = n_of(site, page)
            move(page, dice)
            page.wait_for_function("() => !document.querySelector('#question[aria-busy]')")
            assert n_of(site, page) == n + 1
    expect(page.locator("#curtain-words")).to_contain_text("Ann is next.")
