"""The example on the command line, in the arena and in training: a game that no package registers, named as module:attribute."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.games import EXAMPLE, EXAMPLE_ADDRESS

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command as a process of its own: the game that is registered in this one is not known there."""
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)


def test_command_line__plays_and_replays__if_the_game_is_named(tmp_path: Path) -> None:
    record, named = tmp_path / "game.jsonl", ("--game", EXAMPLE_ADDRESS)
    played = run("winterkingdom_env", "play", *named, "--players", "5", "--set", "rounds=2", "--seed", "3", "--record", record, "--json")  # fmt: skip
    assert played.returncode == 0, played.stderr
    result = json.loads(played.stdout)
    assert (result["game"], result["players"], result["rounds"], result["steps"]) == (EXAMPLE, 5, 2, 20)
    shown = run("winterkingdom_env", "replay", record, *named)
    assert shown.returncode == 0, shown.stderr
    assert "20 actions verified" in shown.stdout and "Duels, round 2 of 2, over" in shown.stdout
    refused = run("winterkingdom_env", "replay", record)
    assert refused.returncode != 0 and "no game is called 'duels'" in refused.stderr


def test_command_line__options_cards_and_boards(tmp_path: Path) -> None:
    told = json.loads(run("winterkingdom_env", "options", "--game", EXAMPLE_ADDRESS, "--json").stdout)
    assert told["players"] == [2, 3, 4, 5]
    options = {option["name"]: (option["takes"], option["default"]) for option in told["options"]}
    assert options == {"rounds": ("integer", 3), "house_rules": ("text", "")}
    cards = json.loads(run("winterkingdom_env", "cards", "--game", EXAMPLE_ADDRESS, "--json").stdout)
    assert len(cards) == 9 + 13
    mine = tmp_path / "mine.toml"
    mine.write_text('[prize."-5"]\ncopies = 4\n', encoding="utf-8")
    for given, changed in ((mine, 1), ("random:1", 5)):
        cards = json.loads(
            run("winterkingdom_env", "cards", "--game", EXAMPLE_ADDRESS, "--house-rules", given, "--json").stdout
        )
        assert sum(card["house_rules"] != "" for card in cards) == changed
        told = run(
            "winterkingdom_env", "house-rules", "--game", EXAMPLE_ADDRESS, "--house-rules", given, "--changes"
        ).stdout
        assert told.count("copies = ") == changed
    template = run("winterkingdom_env", "house-rules", "--game", EXAMPLE_ADDRESS).stdout
    assert template.count("copies = 2\n") == 13 and "# copies: an integer from 2 to 4\n" in template
    wrong = run("winterkingdom_env", "play", "--game", EXAMPLE_ADDRESS, "--house-rules", tmp_path / "none.toml")
    assert wrong.returncode == 2 and "No such file" in wrong.stderr
    played = run("winterkingdom_env", "play", "--game", EXAMPLE_ADDRESS, "--seed", "3", "--house-rules", mine, "--json")
    assert played.returncode == 0 and json.loads(played.stdout)["seed"] == 3
    boards = run("winterkingdom_env", "boards", "--game", EXAMPLE_ADDRESS)
    assert boards.returncode == 2 and "Duels has no boards" in boards.stderr


def test_arena__two_processes__every_game_is_played(tmp_path: Path) -> None:
    out = tmp_path / "arena"
    done = run("agents.arena", "random", "greedy", "planner", "--game", EXAMPLE_ADDRESS, "--players", "3", "--games", "6", "--seed", "3", "--processes", "2", "--out", out, "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(results) == 6 and all(result["forfeit"] is None for result in results)
    assert all(sorted(result["seats"]) == ["greedy", "planner", "random"] for result in results)
    assert min(min(result["scores"]) for result in results) < 0


def test_training__learns_it_and_its_network_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
    out = tmp_path / "run"
    tiny = ("--preset=smoke", "--minutes=0", "--steps=300", "--games=8", "--horizon=32", "--minibatch=64", "--epochs=1", "--processes=1", "--final-setups=1", "--opponents=random")  # fmt: skip
    done = run("training.ppo", *tiny, "--game", EXAMPLE_ADDRESS, "--out", out)
    assert done.returncode == 0, done.stderr
    told = json.loads((out / "settings.json").read_text(encoding="utf-8"))
    assert told["settings"]["game"] == EXAMPLE and told["env"] == f"{EXAMPLE}_v0"
    agents = (f"policy:path={out / 'policy.safetensors'}", "random")
    played = run("agents.arena", *agents, "--game", EXAMPLE_ADDRESS, "--games", "2", "--seed", "1", "--out", tmp_path / "arena", "--json")  # fmt: skip
    assert played.returncode == 0, played.stderr
