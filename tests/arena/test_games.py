"""The arena plays a game that is not in the package, in all its processes; a file never makes it import one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agents.schedule import Settings
from tests.arena.helpers import ROOT
from winterkingdom_env.games import UnknownGameError, known_games, named_game

COUSIN = "tests.house:cousin"
FIXED = ("--set", "economy=Furs", "--set", "scoring=Knights,Loners,Scouts")


def run(*arguments: str, module: str = "agents.arena") -> subprocess.CompletedProcess[str]:
    """A command as a process of its own: a game that was registered in this one would stay known."""
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cousin") / "out"
    done = run("random", "greedy", "--game", COUSIN, *FIXED, "--games", "2", "--seed", "3", "--out", str(folder))  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_game_from_elsewhere__is_played_and_files_keep_its_name(played: Path) -> None:
    told = json.loads((played / "tournament.json").read_text())
    assert told["settings"]["game"] == "cousin" and told["env_version"] == "v7"
    scoring = ["Knights", "Loners", "Scouts"]
    assert told["settings"]["choices"] == {"economy": "Furs", "scoring": scoring}
    results = [json.loads(line) for line in (played / "results.jsonl").read_text().splitlines()]
    assert len(results) == 2
    for result in results:
        assert result["forfeit"] is None and result["moves"] > 20
        assert result["cards"].keys() == {"scoring", "economy", "twist"} and result["cards"]["economy"] == "Furs"


@pytest.mark.parametrize("command", [["report"], ["--resume", "--out"]], ids=["report", "resume"])
def test_game_from_elsewhere__must_be_named_again(played: Path, command: list[str]) -> None:
    refused = run(*command, str(played))
    assert refused.returncode == 2 and "no game is called 'cousin'" in refused.stderr
    done = run(*command, str(played), "--game", COUSIN)
    assert done.returncode == 0, done.stderr


def test_resume__options_that_say_the_same_are_no_contradiction_others_are(played: Path) -> None:
    done = run("--resume", "--out", str(played), "--game", COUSIN, *FIXED)
    assert done.returncode == 0, done.stderr
    refused = run("--resume", "--out", str(played), "--game", COUSIN, "--set", "economy=Marble")
    assert refused.returncode == 2 and "--set {'economy': 'Marble'} contradicts" in refused.stderr


def test_policy__for_a_game_that_has_none__is_refused_before_the_first_game(tmp_path: Path) -> None:
    for text in ("policy", "search:policy=shipped"):
        done = run("random", text, "--game", COUSIN, "--games", "2", "--out", str(tmp_path / "out"))
        assert done.returncode == 2 and "no network is shipped for cousin" in done.stderr
        assert not (tmp_path / "out").exists()
    done = run("random", "policy", "--game", COUSIN, module="agents.play")
    assert done.returncode == 2 and "no network is shipped for cousin" in done.stderr


def test_play__one_game_from_elsewhere_with_an_option_fixed() -> None:
    done = run("random", "random", "--game", COUSIN, "--seed", "5", "--set", "twist=none", module="agents.play")
    assert done.returncode == 0 and "wins" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["tests.house:cousin", "cousin", "", "os:getcwd"])
def test_named_game__a_name_from_a_file__imports_nothing(name: str) -> None:
    with pytest.raises(UnknownGameError, match="before you read the file"):
        named_game(name)
    assert "cousin" not in known_games() and "tests.house.cousin" not in sys.modules


def test_settings__without_choices__the_config_has_its_defaults() -> None:
    settings = Settings(agents=("a", "b"), game="winter_kingdom", players=3)
    assert settings.config(0) == {"num_players": 3}
