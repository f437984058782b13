"""``winterkingdom`` is one command: from any folder, from the wheel, and with agents from a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from winterkingdom_env.cli import rooms
from winterkingdom_env.cli.commands import app
from winterkingdom_env.cli.options import new_app, run_app

BOTS = """
import time

class First:
    def __init__(self, seed: int, pause: float = 0.0) -> None:
        self.pause = pause

    def __call__(self, view):
        time.sleep(self.pause)
        return view.legal_actions()[0]

class Raises(First):
    def __call__(self, view):
        raise ZeroDivisionError("oops")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of agents, and with packages that have nothing to do with ours."""
    (tmp_path / "house_bots.py").write_text(BOTS)
    for name in rooms.FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('not ours')")
    return tmp_path


def call(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command as a process that starts in ``cwd``."""
    command = [sys.executable, "-m", "winterkingdom_env", *arguments]
    return subprocess.run(
        command, check=False, cwd=cwd, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}
    )


@pytest.mark.parametrize("arguments", [["arena"], ["train"], ["train", "splits"], ["evaluate"], ["bench"]])
def test_help__from_a_folder_with_an_agents_of_its_own__is_ours(arguments: list[str], folder: Path) -> None:
    done = call(*arguments, "--help", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert f"Usage: winterkingdom {' '.join(arguments)}" in done.stdout


def test_arena__agents_of_a_file__play_in_processes_of_their_own(folder: Path) -> None:
    agents = ("house_bots:First", "house_bots:Raises", "random")
    done = call("arena", "--code", "house_bots.py", *agents, "--games", "2", "--seed", "1", "--out", "t", cwd=folder)
    assert done.returncode == 3, done.stderr
    kept = json.loads((folder / "t" / "tournament.json").read_text())
    assert kept["settings"]["agents"] == list(agents)
    assert kept["command"].startswith("winterkingdom arena --code house_bots.py house_bots:First")
    other = call("arena", *agents, "--games", "2", "--out", "other", cwd=folder / "t")  # where no such module is found
    assert other.returncode == 2 and "--code my_bots.py" in other.stderr


def test_defaults__arena_and_play__set_up_the_same_game(folder: Path) -> None:
    done = call("arena", "random", "random", "--games", "2", "--seed", "1", "--out", "t", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    (line, *_) = (folder / "t" / "results.jsonl").read_text().splitlines()
    assert json.loads(line)["cards"]["twist"] is None


def test_wheel__commands_of_the_checkout__say_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rooms, "checkout", lambda: None)
    for name in rooms.ROOMS:
        assert run_app(app, "winterkingdom", [name, "anything", "--help"]) == 2
        told = capsys.readouterr().err
        assert f"winterkingdom {name} is part of the checkout" in told and "pip install -e" in told
        assert told.count("\n") == 1


def test_missing_package__names_the_extra(capsys: pytest.CaptureFixture[str]) -> None:
    broken = new_app()

    @broken.command()
    def train() -> None:
        raise ModuleNotFoundError("No module named 'torch.nn'", name="torch.nn")

    assert run_app(broken, "winterkingdom train", []) == 1
    assert (
        'needs torch, which is not installed; run: pip install -c constraints.txt -e ".[train]"'
        in capsys.readouterr().err
    )
