"""Both trainers and the evaluation take a game that is not in the package; files keep its name, and resuming needs it named again."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")

ROOT = Path(__file__).parents[2]
COUSIN = "tests.house:cousin"
TINY = (
    "--preset=smoke",
    "--minutes=0",
    "--steps=300",
    "--games=8",
    "--horizon=32",
    "--minibatch=64",
    "--epochs=1",
    "--processes=1",
)


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own: a game that was registered in this one would stay known."""
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # fmt: skip


def test_ppo__game_from_elsewhere__is_learnt_evaluated_and_resumed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = run("training.ppo", *TINY, "--game", COUSIN, "--final-setups=1", "--opponents=random", "--out", str(out))
    assert done.returncode == 0, done.stderr
    told = json.loads((out / "settings.json").read_text())
    assert told["settings"]["game"] == "cousin" and told["env"] == "cousin_v7"
    with open(out / "final" / "evaluation.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["num_players"] for row in rows} == {"2", "3", "4"} and {row["fact"] for row in rows} >= {"all", "twist"}
    assert {row["forfeits"] for row in rows} == {"0"}
    refused = run("training.ppo", "--resume", str(out))
    assert refused.returncode == 2 and "no game is called 'cousin'" in refused.stderr
    other = run("training.ppo", "--resume", str(out), "--game", "winter_kingdom")
    assert other.returncode == 2 and "no game is called 'cousin'" in other.stderr
    assert run("training.ppo", "--resume", str(out), "--game", COUSIN).returncode == 0


def test_maskable_ppo__game_from_elsewhere__is_learnt(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: the extra 'train' has it")
    options = ("--steps=128", "--games=8", "--horizon=8", "--minibatch=32", "--epochs=1", "--network=moves")
    done = run("training.maskable_ppo", *options, "--game", COUSIN, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "settings.json").read_text())
    assert told["settings"]["game"] == "cousin" and told["env"] == "cousin_v7"


def test_splits__game_from_elsewhere__has_its_own() -> None:
    done = run("training.splits", "--game", COUSIN, "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["game"] == "cousin"
