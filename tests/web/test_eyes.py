"""What viewers receive: nothing that they may not know, and only what changed."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES, config_of
from winterkingdom_env.core.picture import PUBLIC
from winterkingdom_env.games import GAMES, Game, get_game
from winterkingdom_env.web.eyes import Eye, why_not
from winterkingdom_env.web.host import Host, Seating, Watcher
from winterkingdom_env.web.limits import Refused
from winterkingdom_env.web.store import Plan, SeatPlan, Store
from winterkingdom_env.web.table import Table

every_game = pytest.mark.parametrize("name", NAMES)
MOST_STEPS = 2_000  # more than any game has
SERIAL = "moved_at"  # the time of a move is not about the game


MADE: list[tuple[Store, Table]] = []


@pytest.fixture(autouse=True)
def closed_records() -> Iterator[None]:
    """No record stays open after a test."""
    yield
    while MADE:
        store, table = MADE.pop()
        table.leave()
        store.close()


def new_table(folder: Path, name: str, seed: int = 0, agents: tuple[str, ...] = ()) -> tuple[Store, Table]:
    """A table at which people sit, or agents on the last seats."""
    rules = get_game(name)
    game = rules.new_game(config_of(name, seed), seed)
    n = game.n_players
    seats = [SeatPlan(f"person {seat}") for seat in range(n - len(agents))]
    seats += [SeatPlan(agent, agent) for agent in agents]
    store = Store(folder)
    made = store.create(Plan(game=name, begun=0.0, seats=tuple(seats), secrets={}), game)
    MADE.append((store, Table(made, store.plan(made), store.record_of(made))))
    return MADE[-1]


def seated(table: Table, store: Store) -> Seating:
    """The table in memory, without a task that lets agents move."""
    seating = Seating(table, Host(store))
    seating.task.cancel()
    return seating


def in_a_loop(work: Callable[[], None]) -> None:
    """Run something that needs an event loop."""

    async def run() -> None:
        work()

    asyncio.run(run())


def other(table: Table, game: Game) -> Table:
    """The same table with another game on it."""
    made = object.__new__(Table)
    made.__dict__.update(table.__dict__)
    made.game = game
    return made


def messages(table: Table, store: Store, watcher: Watcher) -> list[dict[str, Any]]:
    """What somebody who comes now receives first."""
    seating = seated(table, store)
    found = [seating.join(watcher), watcher.news(seating) or {}]
    return [without_time(message) for message in found]


def without_time(message: dict[str, Any]) -> dict[str, Any]:
    """A message without the time of the last move."""
    return {key: value for key, value in message.items() if key != SERIAL}


@every_game
def test_messages__same_game_with_other_hidden_cards__are_the_same(name: str, tmp_path: Path) -> None:
    """What a seat, and somebody without a seat, is sent at any time does not change if what is hidden from them does."""

    def work() -> None:
        n_compared = n_differ = 0
        for seed in range(1):
            store, table = new_table(tmp_path / str(seed), name, seed)
            dice = random.Random(seed)
            while not table.game.is_over:
                if dice.random() < 0.06:
                    for seat in range(table.game.n_players):
                        deals = [table.game.determinize(seat, deal) for deal in (1, 2)]
                        n_differ += any(deal.to_bytes() != table.game.to_bytes() for deal in deals)
                        for mine in ({seat}, set[int]()):  # the seat itself, and somebody without one
                            seen = messages(table, store, Watcher(mine, False))
                            for deal in deals:
                                assert messages(other(table, deal), store, Watcher(mine, False)) == seen
                                n_compared += 1
                table.act(dice.choice(table.game.legal_actions()))
        assert n_compared >= 8 and n_differ > 1

    in_a_loop(work)


@every_game
@pytest.mark.parametrize("seats", [{0}, set()], ids=["a seat", "nobody"])
def test_every_message_of_a_game__with_other_hidden_cards__is_the_same(
    name: str, seats: set[int], tmp_path: Path
) -> None:
    """All that a viewer is sent from the first message to the end, beside a table on which everything hidden from seat 0 is resampled before each message."""

    def work() -> None:
        store, table = new_table(tmp_path, name, 2)
        twin, dice, n_differ = other(table, table.game), random.Random(5), 0
        seatings = seated(table, store), seated(twin, store)
        watchers = Watcher(seats, False), Watcher(seats, False)
        for step in range(MOST_STEPS):
            if table.game.is_over:
                break
            twin.__dict__.update({**table.__dict__, "game": table.game.determinize(0, step)})
            n_differ += twin.game.to_bytes() != table.game.to_bytes()
            pairs = list(zip(watchers, seatings, strict=True))
            if step == 0:
                assert len({repr(without_time(seating.join(watcher))) for watcher, seating in pairs}) == 1
            one, two = (without_time(watcher.news(seating) or {}) for watcher, seating in pairs)
            assert one == two, f"step {step}"
            table.act(dice.choice(table.game.legal_actions()))
        assert table.game.is_over and n_differ > 3

    in_a_loop(work)


@every_game
def test_news__are_changes__and_put_together_give_the_whole(name: str, tmp_path: Path) -> None:
    def work() -> None:
        store, table = new_table(tmp_path, name, 1)
        seating, dice = seated(table, store), random.Random(3)
        watcher, parts, spots = Watcher({0}, False), dict[int, str](), dict[str, Any]()
        seating.join(watcher)
        n_shorter, log = 0, list[str]()
        while not table.game.is_over:
            news = watcher.news(seating)
            assert news is not None and watcher.news(seating) is None
            changed = dict(zip(news["parts"][::2], news["parts"][1::2], strict=True))
            parts |= changed
            n_shorter += len(changed) < len(parts)
            log[news["from"] :] = [entry["label"] for entry in news["log"]]
            for key in news.get("gone", ()):
                del spots[key]
            spots |= {spot["name"]: spot for spot in news.get("spots", ())}
            if news["question"]:
                assert {action["spot"] for action in news["question"]["actions"]} - {None} <= set(spots)
            if table.n % 25 == 0:
                whole = Eye(table, 0)
                whole.look()
                assert parts == dict(zip(whole.parts_since(0)[::2], whole.parts_since(0)[1::2], strict=True))
                assert not news["question"] or spots == {row["name"]: row for row in whole.spots().rows}
            table.act(dice.choice(table.game.legal_actions()))
        assert log == [move.label for move in table.moves][:-1]
        assert n_shorter > 5 or len(parts) == 1

    in_a_loop(work)


@pytest.mark.parametrize("name", GAMES)
def test_several_persons_at_one_screen__see_no_hand_until_one_asks(name: str, tmp_path: Path) -> None:
    def work() -> None:
        store, table = new_table(tmp_path, name, 0)
        seating = seated(table, store)
        watcher = Watcher({0, 1}, False)
        seating.join(watcher)
        dice, n_curtains = random.Random(1), 0
        while not table.game.is_over:
            news = watcher.news(seating) or {}
            seat = table.game.seat
            if watcher.shown != seat:
                assert news["curtain"] == seat and news["view"] is None and news["question"] is None
                public = messages(table, store, Watcher(set(), False))[1]
                assert news["sheet"] == public["sheet"] and seating.eye(PUBLIC).parts_since(0) == public["parts"]
                watcher.shown = seat
                news = watcher.news(seating) or {}
                n_curtains += 1
            assert news["view"] == seat and news["curtain"] is None and news["question"]["seat"] == seat
            table.act(dice.choice(table.game.legal_actions()))
        assert n_curtains > 4

    in_a_loop(work)


@every_game
def test_resumed__from_the_record__is_the_same_table(name: str, tmp_path: Path) -> None:
    store, table = new_table(tmp_path, name, 2)
    dice, n_undone = random.Random(5), 0
    path = store.record_of(table.name)
    for i in range(60):
        if table.game.is_over:
            break
        table.act(dice.choice(table.game.legal_actions()))
        if i % 7 == 0 and table.turn.befores:
            before = table.turn.befores[-1].to_bytes()
            table.undo()
            assert table.game.to_bytes() == before
            n_undone += 1
        if i % 10 == 0:
            again = Table(table.name, table.plan, path)
            assert again.game.to_bytes() == table.game.to_bytes()
            assert [move[:3] for move in again.moves] == [move[:3] for move in table.moves]
            assert [game.to_bytes() for game in again.turn.befores] == [game.to_bytes() for game in table.turn.befores]
            again.leave()
    assert n_undone or name == "dominion" or len(table.moves) < 20


@every_game
def test_why_not__of_every_spot__is_a_sentence_about_the_rules(name: str, tmp_path: Path) -> None:
    _, table = new_table(tmp_path, name, 0)
    dice, said = random.Random(2), set[str]()
    for _ in range(40):
        if table.game.is_over:
            break
        eye = Eye(table, table.game.seat)
        spots = eye.spots()
        for row in dice.sample(spots.rows, min(12, len(spots.rows))):
            words = why_not(table, table.game.seat, spots[row["name"]], "")
            assert words.endswith(".") and len(words) > 10 and not re.search(r"\bNone\b(?! of)", words)
            is_legal = any(spots.of(table.game.label(action)) == row["name"] for action in table.game.legal_actions())
            assert (words == "That is legal.") == is_legal
            said.add(words)
        table.act(dice.choice(table.game.legal_actions()))
    assert len(said) > 10 or not eye.spots().rows


def test_undo__nothing_to_take_back__says_why(tmp_path: Path) -> None:
    _, table = new_table(tmp_path, "winter_kingdom", 0)
    with pytest.raises(Refused, match="your turn has just begun"):
        table.undo()
