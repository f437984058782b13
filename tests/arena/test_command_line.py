"""Wrong use is told in a sentence that says what would work; exit code 2, and nothing is left behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.arena import main
from tests.arena.helpers import ROOT
from tests.house.games import EXAMPLE, EXAMPLE_ADDRESS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "at least two are needed"),
        (["random"], "at least two are needed"),
        (["random", "human"], "use 'winterkingdom play --agents human,search'"),
        (["random", "nobody"], "no agent is called 'nobody'; an agent is one of random"),
        (["random", "no_such_module:Agent"], "cannot be imported"),
        (["random", "tests.arena.zoo:Slow:speed=3"], "options and their defaults: pause=0.002"),
        (["random", "tests.arena.zoo:Picky:level=3"], "only 7 will do"),
        (["random", "random", "--players", "7"], "2, 3 or 4 players"),
        (["random", "random", "--set", "twist=Sunshine"], "twist='Sunshine' is not a card of this game; there are: "),
        (["random", "random", "--set", "colour=red"], "has no option 'colour'; its options: scoring, economy"),
        (["random", "random", "--game", "chess"], "known games: winter_kingdom"),
        (["random", "random", "--game", "no_such_module:game"], "cannot be imported"),
        (["random", "random", "--processes", "0"], "--processes 0: 1 or more is needed"),
        (["random", "random", "random", "--sprt", "0,20"], "--mode head-to-head"),
        (["random", "random", "--sprt", "20"], "two Elo differences separated by a comma"),
        (["--resume"], "--resume needs --out DIR"),
        (["report", "no-such-folder"], "start a tournament with --out"),
    ],
)
def test_wrong_use__is_told_and_leaves_nothing(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert words in printed.err and printed.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["a", "b", "--mode", "duel"], ["a", "--games", "x"]])
def test_options_that_cannot_be_read__exit_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "Usage:" in capsys.readouterr().err


def test_out__a_folder_with_something_in_it_is_not_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    assert main(["random", "random", "--out", str(tmp_path)]) == 2
    assert "--resume" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "20"], "--games 20 contradicts"),
        (["--seed", "8"], "which was started with 7"),
        (["random", "random"], "random random contradicts"),
        (["--time-limit", "5"], "--time-limit 5.0 contradicts"),
    ],
)
def test_resume__contradicting_options_are_named(
    reference: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (reference / "results.jsonl").read_bytes()
    assert main(["--resume", "--out", str(reference), *arguments]) == 2
    assert words in capsys.readouterr().err
    assert (reference / "results.jsonl").read_bytes() == before


def test_help__has_examples_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert "Examples" in printed and "3  finished, but an agent forfeited a game" in printed


def test_import__is_cheap_for_the_seats_processes() -> None:
    program = "import sys, agents.arena, agents.desk, agents.seat; print([m for m in ('numpy', 'numba', 'rich', 'winterkingdom_env') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_arena__without_psutil__says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert main(["random", "random", "--out", str(tmp_path / "out")]) == 2
    assert 'needs psutil: pip install -c constraints.txt -e ".[arena]"' in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_resume_hint__repeats_files_of_agents_and_a_game_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from agents import arena_command

    monkeypatch.setattr(arena_command, "CODE", ["my bots.py"])
    assert arena_command._further("winter_kingdom") == ["--code", "my bots.py"]
    assert arena_command._further(EXAMPLE) == ["--code", "my bots.py", "--game", EXAMPLE_ADDRESS]
