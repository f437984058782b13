"""What an agent needs is made, loaded and compiled before its clock runs; an error on the way is a forfeit."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import desk as desk_module
from agents.arena import main
from agents.results import read_results
from winterkingdom_env.search.registry import GETTING_READY

ZOO = "tests.arena.zoo:"


def play(folder: Path, *agents: str) -> int:
    return main([*agents, "--games", "2", "--seed", "3", "--time-limit", "4", "--out", str(folder)])


@pytest.mark.parametrize("name", ["ListensGreedy", "ListensPlanner", "ListensSearch", "ListensPolicy", "ListensReady"])
def test_clock__nothing_is_compiled_or_loaded_while_it_runs(name: str, tmp_path: Path) -> None:
    assert play(tmp_path / "out", "random", ZOO + name) == 0


def test_clock__kernel_of_an_agent_without_get_ready__is_on_its_time(tmp_path: Path) -> None:
    assert play(tmp_path / "out", "random", ZOO + "ListensLate") == 3
    assert all("kernels came while the clock ran" in result.forfeit.reason for result in read_results(tmp_path / "out") if result.forfeit)  # fmt: skip


def test_limits__of_getting_ready_and_of_every_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = []
    wait = desk_module.Desk.wait

    def watched(desk: desk_module.Desk, seconds: float, *rest: object) -> object:
        allowed.append(seconds)
        return wait(desk, seconds, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(desk_module.Desk, "wait", watched)
    assert play(tmp_path / "out", "random", "random") == 0
    results = read_results(tmp_path / "out")
    # One check for the one kind of agent, and each of two seats gets ready in each game.
    assert allowed.count(GETTING_READY) == 1 + 2 * len(results)
    assert allowed.count(4.0) == sum(result.moves for result in results)
    assert len(allowed) == allowed.count(GETTING_READY) + allowed.count(4.0)


def test_agent_that_cannot_be_made_for_a_game__forfeits_with_its_traceback(tmp_path: Path) -> None:
    assert play(tmp_path / "out", "random", ZOO + "Unready") == 3
    for result in read_results(tmp_path / "out"):
        lost = result.forfeit
        assert lost is not None and (lost.kind, lost.agent, result.moves) == ("raised", ZOO + "Unready", 0)
        assert lost.reason.startswith("RuntimeError: not today (zoo.py, line")
        assert lost.traceback is not None and 'raise RuntimeError("not today")' in lost.traceback
