"""An agent that searches its own process finds games that could be the true one, never the true one."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from agents import referee
from agents.arena import main
from agents.desk import DeskPool
from agents.schedule import Settings
from agents.tournament import play
from tests.arena.digger import MOST_DIGS
from tests.arena.zoo import Spy
from winterkingdom_env.games import GAMES
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.records import read_record
from winterkingdom_env.search.view import View


def test_spy__would_find_the_true_game_if_it_were_there(tmp_path: Path) -> None:
    game = wk.new_game(seed=5)
    Spy(1, str(tmp_path / "found"))(View(game, 0))
    found = json.loads((tmp_path / "found").read_text())["hands"]
    assert [sorted(hand) for hand in game.setup()["hands"]] in found


def test_spy__finds_no_true_hand_but_its_own(tmp_path: Path) -> None:
    spy = f"tests.arena.zoo:Spy:path={tmp_path / 'found'}"
    assert main([spy, spy, "--games", "24", "--seed", "9", "--processes", "2", "--out", str(tmp_path / "out")]) == 0
    headers = [read_record(path).header for path in (tmp_path / "out" / "records").iterdir()]
    truth = {tuple(sorted(header.setup["hands"][0])): sorted(header.setup["hands"][1]) for header in headers}
    assert len(truth) == 12  # a hand on seat 0 tells the set-up
    lines = [json.loads(line) for line in (tmp_path / "found").read_text().splitlines()]
    looks = [line for line in lines if line["seat"] == 0]  # seat 0 begins: nobody has played a card yet
    assert len(looks) == 24
    for line in looks:
        assert line["hands"], "the spy sees at least the game that it is shown"
        for own, other in line["hands"]:
            assert len(other) == 5  # one hand in thousands is the true one by chance
            assert truth[tuple(own)] != other
    assert not any("--seed" in word or word == "9" for line in lines for word in line["argv"])


def test_pool__a_process_meets_no_setup_twice() -> None:
    with DeskPool() as pool:
        first = pool.take("random", "winter_kingdom", 4)
        pool.give_back(first)
        again = pool.take("random", "winter_kingdom", 4)
        assert again is not first
        pool.give_back(again)
        assert pool.take("random", "winter_kingdom", 5) in (first, again)
        other = pool.take("tests.arena.zoo:Slow", "winter_kingdom", 6)
        assert other not in (first, again)  # nor does it serve two agents
        for desk in (first, again, other):
            pool.give_back(desk)
    assert not any(desk.process.poll() is None for desk in (first, again, other))


Finds = dict[tuple[str, int], list[tuple[bytes, dict[str, Any]]]]


def dug_up(game: str, folder: Path, seat: int = 0, hidden: int | None = None) -> Finds:
    """Play a tournament of diggers; for every game and seat what the seat could see, and what it found, move by move.

    ``hidden``: a seed from which everything that ``seat`` cannot see at the beginning is resampled; None: as the set-up has it.
    """
    seen: dict[tuple[str, int], list[bytes]] = defaultdict(list)
    begin, ask, began = referee.Referee._new_game, referee.Referee._answer, []

    def new_game(self: referee.Referee, job: Any) -> Any:
        began.append(job.id)
        true = begin(self, job)
        return true if hidden is None else true.determinize(seat, hidden)

    def answer(self: referee.Referee, true: Any, mover: int, *rest: Any) -> Any:
        looks = seen[began[-1], mover]
        if len(looks) < MOST_DIGS:
            looks.append(true.observe(mover, "packed")["observation"].tobytes())
        return ask(self, true, mover, *rest)

    folder.mkdir()
    notes = folder / "notes"
    digger = f"tests.arena.digger:Digger:path={notes}"
    settings = Settings(agents=(digger, digger), game=game, games=4, seed=11)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(referee.Referee, "_new_game", new_game)
        patch.setattr(referee.Referee, "_answer", answer)
        patch.setattr(
            DeskPool, "give_back", DeskPool.discard
        )  # a process that has played before knows what it saw then
        patch.setattr(referee, "write_record", lambda *_: None)  # a resampled game does not know its set-up
        results = play(settings, folder / "out")
    assert [result.forfeit for result in results] == [None] * 4
    lines = [json.loads(line) for line in notes.read_text().splitlines()]
    found: Finds = {}
    for mover in (0, 1):  # games are played one after the other, and ``seen`` has them in that order
        its = iter([line for line in lines if line["seat"] == mover])
        for name, looks in [(name, looks) for (name, other), looks in seen.items() if other == mover]:
            found[name, mover] = [(look, next(its)) for look in looks]
        assert not list(its)
    return found


@pytest.fixture(scope="module", params=GAMES)  # an example's games are too short for anything to stay hidden
def true_finds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Finds]:
    return request.param, dug_up(request.param, tmp_path_factory.mktemp("true") / "run")


@pytest.mark.parametrize("seat", [0, 1])
def test_messages__tournaments_that_differ_in_what_is_hidden__are_the_same_up_to_what_is_revealed(
    seat: int, true_finds: tuple[str, Finds], tmp_path: Path
) -> None:
    game, true = true_finds
    n_same = n_revealed = 0
    other = dug_up(game, tmp_path / "other", seat, hidden=5 + seat)
    assert other.keys() == true.keys()
    for name in sorted(name for name, mover in true if mover == seat):
        for (look, found), (other_look, other_found) in zip(true[name, seat], other[name, seat], strict=False):
            if look != other_look:
                n_revealed += 1
                break
            assert found == other_found, f"game {name}, move {found['move']}"
            assert all(found["sizes"].values())
            n_same += 1
    assert n_same > 4 and n_revealed > 2, "something hidden was really another, and it took some moves until it showed"
