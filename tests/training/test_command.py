"""``winterkingdom train`` and ``evaluate``: what the help lists, and what a mistyped command, option or agent is answered with."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")

from training import command, evaluate, ppo
from training.settings import DEFAULT_PRESET, PRESETS, Settings
from winterkingdom_env.cli.options import run_app
from winterkingdom_env.search import weights

PAGE = Path(__file__).parents[2] / "docs" / "training.md"


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")


@pytest.mark.parametrize("word", ["smoke", "reprot"])
def test_train__word_that_is_no_command__lists_the_commands(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(command.app, "winterkingdom train", [word]) == 2
    told = capsys.readouterr().err
    assert f"'{word}' is not a command." in told and "There are: ppo, turn, sb3, report, splits, compare." in told
    assert ("Did you mean report?" in told) == (word == "reprot") and "winterkingdom train --preset smoke" in told


def test_train__lr__suggests_the_learning_rate(capsys: pytest.CaptureFixture[str]) -> None:
    assert ppo.main(["--lr", "1e-3"]) == 2
    assert "--learning-rate" in capsys.readouterr().err


def test_train__help__shows_the_values_of_the_default_preset(capsys: pytest.CaptureFixture[str]) -> None:
    assert ppo.main(["--help"]) == 0
    words = capsys.readouterr().out
    assert f"Settings, with the values of the preset {DEFAULT_PRESET}" in words and "without a preset" not in words
    assert not PRESETS[DEFAULT_PRESET], "the help shows the fields' defaults"


@pytest.mark.parametrize(("name", "agent"), [("policy.safetensors", "policy"), ("model.zip", "sb3")])
def test_evaluate__file_as_agent__names_the_agent_that_loads_it(
    name: str, agent: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(b"")
    assert evaluate.main([str(tmp_path / name)]) == 2
    assert f"{agent}:path={tmp_path / name}" in capsys.readouterr().err


def test_hints__name_the_command() -> None:
    assert weights.HOW == "winterkingdom train writes such files"


def test_docs__table_of_presets__has_their_values() -> None:
    changed = [field.name for field in fields(Settings) if any(field.name in preset for preset in PRESETS.values())]
    wanted: list[list[Any]] = [["setting", *PRESETS]]
    for name in changed:
        wanted.append([name, *(getattr(Settings(), name) if name not in preset else preset[name] for preset in PRESETS.values())])  # fmt: skip
    section = PAGE.read_text(encoding="utf-8").partition("\n## Presets\n")[2].partition("\n## ")[0]
    lines = [line.strip("| ") for line in section.splitlines() if line.startswith("|") and "---" not in line]
    found = [[re.sub("`", "", cell) for cell in line.split(" | ")] for line in lines]
    assert found == [[str(cell) for cell in row] for row in wanted]
