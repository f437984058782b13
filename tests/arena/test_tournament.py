"""A tournament ends with the same results, however it is played and whatever happens to it."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.arena import main
from agents.results import Store, WriteError, read_results, read_tournament
from tests.arena.helpers import (
    AGENTS,
    OPTIONS,
    Held,
    agents_of,
    is_running,
    made_up,
    n_lines,
    start,
    supervisors,
    timeless,
    wait_for,
)
from winterkingdom_env.records import replay


def ladder_of(printed: str) -> list[dict[str, object]]:
    """The ladder from a line of JSON, without times."""
    rungs = json.loads(printed)["ladder"]
    return [{key: value for key, value in rung.items() if not key.endswith(("ms", "ms_per_move"))} for rung in rungs]


def test_processes__change_neither_results_nor_ladder(
    reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*AGENTS, *OPTIONS, "--out", str(tmp_path / "two"), "--processes", "2", "--json"]) == 0
    two = capsys.readouterr().out
    assert two.count("\n") == 1
    assert main(["report", str(reference), "--json"]) == 0
    assert ladder_of(two) == ladder_of(capsys.readouterr().out)
    assert timeless(tmp_path / "two") == timeless(reference)


def test_results__say_who_played_what_and_how_it_ended(reference: Path) -> None:
    found = read_results(reference)
    assert len(found) == 12 and all(result.forfeit is None and result.restarts == 0 for result in found)
    assert [result.seats for result in found if result.setup == 3] == [list(AGENTS[::-1]), list(AGENTS)]
    for result in found:
        assert result.scores == [sum(sheet.values()) for sheet in result.score_sheet]
        assert sum(result.n_moves) == result.moves and result.rounds > 3
        assert all(0 < slowest <= seconds for slowest, seconds in zip(result.slowest, result.seconds, strict=True))
        assert len(result.cards["scoring"]) == 3 and result.cards["economy"]
    assert len({result.cards["economy"] for result in found}) > 1


def test_times__are_those_of_whoever_took_them(tmp_path: Path) -> None:
    agents = (AGENTS[0], "tests.arena.zoo:Timeless")
    assert main([*agents, "--games", "2", "--seed", "7", "--out", str(tmp_path / "out")]) == 0
    for result in read_results(tmp_path / "out"):
        slow = result.seats.index(agents[0])
        assert result.seconds[slow] >= 0.002 * result.n_moves[slow] and result.slowest[slow] >= 0.002
        assert result.seconds[1 - slow] == result.slowest[1 - slow] == 0.0


def test_records__are_there_for_every_game_and_verify(reference: Path) -> None:
    for result in read_results(reference):
        report = replay(reference / "records" / f"{result.id}.jsonl.gz")
        assert report.is_complete and report.is_seed_confirmed
        assert (report.scores, report.n_actions) == (result.scores, result.moves)
        assert report.record.header.agents == result.seats
    first = [replay(reference / "records" / f"000001-0000-{rotation}.jsonl.gz").record.header for rotation in (0, 1)]
    assert first[0].setup == first[1].setup  # a set-up is shared by its rotations
    assert len(list((reference / "records").iterdir())) == 12


def test_resume__after_the_arena_was_killed(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    arena = Held(folder, 3).start(*AGENTS, *OPTIONS, "--out", str(folder), "--processes", "2")
    seats = supervisors(arena.pid) + agents_of(arena.pid)
    arena.kill()
    arena.wait()
    assert seats
    wait_for(lambda: not any(map(is_running, seats)))  # nobody is left behind
    arena.communicate()
    assert 3 <= n_lines(folder) < 12
    assert main(["--resume", "--out", str(folder)]) == 0
    assert timeless(folder) == timeless(reference)
    assert len(list((folder / "records").iterdir())) == 12


@pytest.mark.parametrize("whom", [agents_of, supervisors])
def test_seat_killed_from_outside__its_game_is_played_again(
    whom: Callable[[int], list[int]], reference: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "seat"
    held = Held(folder, 2)
    arena = held.start(*AGENTS, *OPTIONS, "--out", str(folder))
    seats = supervisors(arena.pid) + agents_of(arena.pid)
    for pid in whom(arena.pid):
        os.kill(pid, signal.SIGKILL)
    held.let_go()
    wait_for(lambda: not any(map(is_running, seats)))
    arena.communicate()
    assert arena.returncode == 0
    assert timeless(folder) == timeless(reference)
    again = [result for result in read_results(folder) if result.restarts]
    assert again and all(len(result.killed) == result.restarts for result in again)
    assert AGENTS[0] in [again[0].seats[seat] for seat in again[0].killed]  # it was its move


def test_interrupt__keeps_what_is_finished_and_says_how_to_go_on(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    arena = Held(folder, 2).start(*AGENTS, *OPTIONS, "--out", str(folder))
    arena.send_signal(signal.SIGINT)
    _, said = arena.communicate()
    assert arena.returncode == 130
    assert "Traceback" not in said and f"--resume --out {folder}" in said
    kept = timeless(folder)
    assert 2 <= len(kept) < 12 and all(row in timeless(reference) for row in kept)


def test_resume__after_the_disk_was_full(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "full"
    largest = max(path.stat().st_size for path in (reference / "records").iterdir())
    limit = largest + 200  # records fit, results.jsonl soon does not
    assert limit < (reference / "results.jsonl").stat().st_size
    program = (
        "import resource, sys; from agents.arena import main; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); sys.exit(main(sys.argv[1:]))"
    )
    command = (sys.executable, "-c", program)
    arena = start(*AGENTS, *OPTIONS, "--out", str(folder), command=command)
    _, said = arena.communicate()
    assert arena.returncode == 1
    assert "cannot be written" in said and "--resume" in said and "Traceback" not in said
    content = (folder / "results.jsonl").read_bytes()
    assert content.endswith(b"\n") and 0 < n_lines(folder) < 12
    assert main(["--resume", "--out", str(folder)]) == 0
    assert timeless(folder) == timeless(reference)


def test_store__a_line_that_does_not_fit_is_cut_off_again(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.create(tmp_path / "new", read_tournament(reference))
    store.add(made_up(0, 0, (0, 1), (3, 4)))
    before = (store.folder / "results.jsonl").read_bytes()
    write = os.write

    def half(file: int, data: bytes) -> int:
        return write(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(WriteError, match="000001-0000-0"):
        store.add(made_up(1, 0, (0, 1), (3, 4)))
    assert (store.folder / "results.jsonl").read_bytes() == before
    monkeypatch.undo()
    store.add(made_up(1, 0, (0, 1), (3, 4)))
    store.close()
    lines = (store.folder / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["setup"] for line in lines] == [0, 1]


def test_resume__a_torn_last_line_is_played_again(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    shutil.copytree(reference, folder)
    path = folder / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    (folder / "records" / "000099-0000-0.part.gz").write_bytes(gzip.compress(b"half a re"))
    assert main(["--resume", "--out", str(folder)]) == 0
    assert timeless(folder) == timeless(reference)
    assert n_lines(folder) == 12
    assert len(list((folder / "records").iterdir())) == 12


def test_resume__agent_that_cannot_be_made_any_more__is_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "my_agent_of_today.py").write_text("from tests.arena.zoo import Slow as Mine\n")
    folder = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(tmp_path / "mine"))
        assert main(["my_agent_of_today:Mine", "random", *OPTIONS, "--out", str(folder)]) == 0
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:3]))
    assert main(["--resume", "--out", str(folder)]) == 2
    assert "my_agent_of_today" in capsys.readouterr().err
    assert (folder / "results.jsonl").read_bytes() == b"".join(lines[:3])


def test_resume__of_a_finished_tournament_plays_nothing(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "done"
    shutil.copytree(reference, folder)
    before = (folder / "results.jsonl").read_bytes()
    assert (
        main(["--resume", "--out", str(folder), *AGENTS, *OPTIONS]) == 0
    )  # the same options again are no contradiction
    assert (folder / "results.jsonl").read_bytes() == before


def test_three_players__and_an_agent_seated_twice(tmp_path: Path) -> None:
    folder = tmp_path / "three"
    options = ["--mode", "gauntlet", "--players", "3", "--games", "3", "--seed", "1", "--out", str(folder)]
    assert main(["random", "random", *options]) == 0
    found = read_results(folder)
    assert [result.numbers for result in found] == [[0, 1, 1], [1, 1, 0], [1, 0, 1]]
    assert all(sum(result.points) == pytest.approx(1.5) for result in found)


def test_sprt__stops_early_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--sprt=-800,-400", "--games", "400", "--seed", "1", "--out", str(tmp_path / "sprt")]
    assert main(["random", "random", *options]) == 0
    printed = capsys.readouterr().out
    assert "SPRT: the first agent is stronger by -400 Elo rather than -800" in printed
    assert "LLR" in printed and "bounds -2.94 and 2.94" in printed
    assert n_lines(tmp_path / "sprt") < 100
