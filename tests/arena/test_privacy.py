"""An agent that searches its own process finds games that could be the true one, never the true one."""

from __future__ import annotations

import json
from pathlib import Path

from agents.arena import main
from agents.desk import DeskPool
from tests.arena.zoo import Spy
from winterkingdom_env.envs.opponents import View
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.records import read_record


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
    assert not any(desk.process.is_alive() for desk in (first, again, other))
