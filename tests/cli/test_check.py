"""``winterkingdom check``: what would forfeit is found, whatever the agent does to its process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from winterkingdom_env.cli.commands import app
from winterkingdom_env.cli.options import run_app
from winterkingdom_env.search import check_process
from winterkingdom_env.search.check_process import Output
from winterkingdom_env.search.registry import LONGEST_OUTPUT

ROOT = Path(__file__).parents[2]
BOTS = """
import ctypes, os, subprocess, sys, time

class First:
    def __init__(self, seed, pause=0.0):
        self.pause = pause

    def __call__(self, view):
        time.sleep(self.pause)
        self.do(view)
        return view.legal_actions()[0]

    def do(self, view):
        pass

class Raises(First):
    def do(self, view):
        raise ZeroDivisionError("oops")

class Leaves(First):
    def do(self, view):
        sys.exit(0)

class Half(First):
    def __call__(self, view):
        return 0.5

class Several(First):
    def __call__(self, view):
        import numpy as np
        return np.array(view.legal_actions())

class Dice(First):
    def __call__(self, view):
        import random
        return random.choice(view.legal_actions())

class Ends(First):
    def do(self, view):
        os._exit(0)

class Crashes(First):
    def do(self, view):
        ctypes.string_at(0)

class EndsEarly(First):
    def __init__(self, seed):
        os._exit(7)

class Floods(First):
    def do(self, view):
        print("x" * (2 << 20))

class Talks(First):
    def do(self, view):
        print("round\\x1b[31m", view.round)
        os.system("echo from a child")

class Closes(First):
    def do(self, view):
        sys.stdout.close()  # and with it file 1
        os.chdir("/")

class Forks(First):
    def get_ready(self, rules):
        for _ in range(2):
            if not os.fork():
                os.setpgid(0, 0)
                time.sleep(3600)

class Doubles(First):
    def do(self, view):
        os.fork()

class Refuses(First):
    def __init__(self, seed):
        raise ValueError("there is no file w.bin")

class Unready(First):
    def get_ready(self, rules):
        raise RuntimeError("no weights")

class Lambda(First):
    def __init__(self, seed):
        self.pause, self.why = 0.0, lambda: None

class Cwd(First):
    def do(self, view):
        with open("pid", "w") as file:
            file.write(str(os.getpid()))
        time.sleep(3600)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of agents, which is the current one."""
    (tmp_path / "odd_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Told:
    """What a check printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1
        return json.loads(self.out)


@pytest.fixture
def check(folder: Path, capfd: pytest.CaptureFixture[str]) -> Any:
    def run(agent: str, *options: str, players: str = "2") -> Told:
        capfd.readouterr()
        arguments = ["check", "--code", "odd_bots.py", f"odd_bots:{agent}", "--games", "2", "--players", players]
        code = run_app(app, "winterkingdom", [*arguments, *options])
        return Told(code, *capfd.readouterr())

    return run


def running() -> set[int]:
    """The pids of all processes but zombies."""
    return {pid for pid, state in check_process._processes() if not state.startswith("Z")}


@pytest.mark.parametrize(
    ("agent", "code", "words"),
    [
        ("First", 0, "no forfeits"),
        ("Raises", 1, "it raised ZeroDivisionError: oops in round 1"),
        ("Leaves", 1, "it raised SystemExit: 0 in round 1"),
        ("Half", 1, "its answer 0.5 is a float, not an integer"),
        ("Several", 1, "is a ndarray, not an integer"),
        ("Dice", 0, "the first game was played twice, and the same seed gave other moves"),
        ("Lambda", 0, "it cannot be pickled"),
        ("Nobody", 2, "cannot be imported"),
        ("Ends", 1, "forfeit, game 0, 2 players: its process ended, exit code 0, in round 1"),
        ("EndsEarly", 1, "forfeit, before the first game: its process ended, exit code 7, when it was made"),
        ("Doubles", 1, "a process that it forked answered, too"),
        ("Closes", 0, "2 of 2 games finished"),
    ],
)
def test_check__says_what_would_forfeit(agent: str, code: int, words: str, check: Any) -> None:
    told = check(agent)
    assert told.code == code, told.err
    assert words in told.out + told.err
    assert "check_games.py" not in told.err
    assert ("the agent would forfeit games" in told.out) == (code == 1)


def test_human__cannot_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(app, "winterkingdom", ["check", "human"]) == 2
    assert "a human cannot be checked" in capsys.readouterr().err


def test_exception__traceback_shows_the_agents_frames_only(check: Any) -> None:
    told = check("Raises")
    assert 'raise ZeroDivisionError("oops")' in told.err
    assert told.err.count("Traceback") == 1 and told.err.count('File "') == 2


def test_segmentation_fault__is_named_with_its_place(check: Any) -> None:
    told = check("Crashes")
    assert told.code == 1 and "exit code -11 (SIGSEGV), in round 1" in told.out
    assert "ctypes.string_at(0)" in told.err


def test_hang__shows_where_and_ends_the_process(check: Any, folder: Path) -> None:
    told = check("Cwd", "--time-limit", "0.5")
    assert told.code == 1 and "no answer within 0.5 s in round 1" in told.out
    assert "time.sleep(3600)" in told.err and told.err.count('File "') == 2
    assert int((folder / "pid").read_text()) not in running()


def test_late_answer__forfeits_the_game_but_not_the_check(check: Any) -> None:
    told = check("First:pause=0.1", "--time-limit", "0.05", "--json").json
    assert told["games"] == 2 and len(told["faults"]) == 2
    assert all("no answer within 0.05 s" in fault["words"] for fault in told["faults"])


def test_flood__is_a_forfeit_as_in_the_arena(check: Any) -> None:
    told = check("Floods")
    assert told.code == 1 and "it printed more than 1024 KB before it answered in round 1" in told.out
    assert len(told.err) < LONGEST_OUTPUT / 8 and "[...]" in told.err  # the terminal is spared


def test_output__goes_to_stderr_printable(check: Any) -> None:
    told = check("Talks")
    assert told.code == 0
    assert "round\\x1b[31m 1\n" in told.err and "\nfrom a child\n" in told.err
    assert "first line: round\\x1b[31m 1" in told.out and "from a child" not in told.out


def test_json__is_one_line_whatever_the_agent_prints(check: Any) -> None:
    told = check("Talks", "--json")
    assert told.err == "" and told.json["ok"]
    (note,) = [note for note in told.json["notes"] if "first line: round" in note]
    assert note.startswith("it printed ")


def test_json__names_every_fault(check: Any, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--code", "odd_bots.py", "odd_bots:Raises", "--games", "3", "--json"]
    assert run_app(app, "winterkingdom", arguments) == 1
    out, err = capfd.readouterr()
    told = json.loads(out)
    assert err == "" and not told["ok"] and told["games"] == 3 and told["finished"] == 0
    assert [fault["game"] for fault in told["faults"]] == [f"game {i}, {i + 2} players" for i in range(3)]


def test_processes_left_running__are_ended_and_noted(check: Any, folder: Path) -> None:
    told = check("Forks")
    assert told.code == 0
    # Made once before the first game, for each of two games, and for the first one again.
    assert "it left 8 processes running, ended with the check" in told.out
    assert not [pid for pid in running() if str(folder) in _command(pid)]


def _command(pid: int) -> str:
    """The command line of a process, which has the path of the agents' file; "" where there is no /proc."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@pytest.mark.parametrize(
    ("agent", "words"),
    [("Refuses", "cannot be created: there is no file w.bin"), ("Unready", "no weights in get_ready")],
)
def test_agent_that_cannot_be_made__one_sentence_and_no_statistics(agent: str, words: str, check: Any) -> None:
    told = check(agent)
    assert told.code == 1 and words in told.out
    assert "games finished" not in told.out and " ms " not in told.out
    assert told.err.count("Traceback") == (agent == "Unready")


def test_times__are_those_of_the_agent_alone(check: Any) -> None:
    told = check("First:pause=0.01", "--json").json
    assert told["mean_seconds"] >= 0.01 and told["moves"] > 0
    assert told["slowest_seconds"] >= told["mean_seconds"]


def test_game_of_another_package__is_found_by_its_address(folder: Path) -> None:
    command = [sys.executable, "-m", "winterkingdom_env", "check", "--code", "odd_bots.py", "odd_bots:First"]
    command += ["--game", "tests.house:cousin", "--games", "2", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["ok"] and told["game"] == "cousin" and told["finished"] == 2


def test_sigterm__ends_the_agent_too(folder: Path) -> None:
    command = [sys.executable, "-m", "winterkingdom_env", "check", "--code", "odd_bots.py", "odd_bots:Cwd"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        written, deadline = folder / "pid", time.monotonic() + 300
        while not (written.exists() and written.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    assert int(written.read_text()) not in running()


def test_output__long_line__is_passed_on_in_bounded_pieces() -> None:
    passed_on: list[str] = []
    read, write = os.pipe()
    try:
        output = Output(read, passed_on.append)
        for _ in range(8):
            os.write(write, b"\xc3\xa4" * 10_000)
            output.drain()
            output.begin("anywhere")
        assert output.n_characters == 80_000 and sum(map(len, passed_on)) < 70_000
    finally:
        os.close(read)
        os.close(write)


def test_help__says_what_is_played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run_app(app, "winterkingdom", ["check", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "every number that the game allows, in turn" in told and "played a second time" in told
