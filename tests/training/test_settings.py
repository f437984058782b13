"""Settings of runs that nobody can have: one sentence, exit code 2, and nothing written, before anything is made."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
maskable_ppo = pytest.importorskip(
    "training.maskable_ppo", reason="sb3-contrib is not installed: the extra 'sb3' has it"
)

from training import ppo  # only if torch is installed
from training.run_files import SETTINGS
from training.run_folder import LIMITS, SettingsError
from training.settings import Settings

WRONG = [
    ("minibatch", "0"), ("epochs", "0"), ("games", "1000000000"), ("games", "-1"), ("horizon", "1000000000"), ("channels", "1000000"),
    ("threads", "100000"), ("threads", "0"), ("minutes", "nan"), ("minutes", "inf"), ("minutes", "-1"), ("players", ""), ("players", "2,,3"),
    ("seed", "99999999999999999999999"), ("seed", "-1"), ("clip", "nan"), ("gae_lambda", "nan"), ("league", "-1"), ("grad_norm", "-1"),
    ("steps", "-1"), ("device", "zzz"), ("device", "meta"), ("device", ""), ("learning_rate", "inf"),
]  # fmt: skip
WRONG_OF_OURS = [
    ("checkpoints", "0"), ("evaluate_setups", "-1"), ("processes", "100000"), ("league_rollouts", "0"), ("checkpoint_minutes", "nan"),
]  # fmt: skip


def exit_code(main: Any, arguments: Sequence[str]) -> int:
    """Of a command that returns it or exits with it."""
    try:
        return int(main(arguments))
    except SystemExit as end:
        assert isinstance(end.code, int)
        return end.code


def refused(main: Any, arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line that a command leaves, which must have refused its arguments."""
    assert exit_code(main, arguments) == 2
    told = capsys.readouterr()
    assert told.out == "" and "Traceback" not in told.err
    return told.err.splitlines()[-1]


@pytest.mark.parametrize(("name", "value"), [*WRONG, *WRONG_OF_OURS])
def test_ppo__setting_that_cannot_be__is_named_and_nothing_is_written(
    name: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = f"--{name.replace('_', '-')}={value}"
    told = refused(ppo.main, ["--preset=smoke", f"--out={tmp_path / 'new'}", option], capsys)
    assert told.startswith(f"error: {name}=")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_maskable_ppo__setting_that_cannot_be__is_named_and_nothing_is_written(
    name: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = f"--{name.replace('_', '-')}={value}"
    told = refused(maskable_ppo.main, ["--preset=smoke", f"--out={tmp_path / 'new'}", option], capsys)
    assert f"error: {name}=" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has the device that must be missing")
def test_device__that_is_not_there__is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(ppo.main, ["--preset=gpu", f"--out={tmp_path / 'new'}"], capsys)
    assert "device='cuda' cannot be used here" in told and "cpu always works" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", [Settings, maskable_ppo.Settings])
def test_limits__every_number_has_them_and_its_default_keeps_them(kind: Any) -> None:
    numbers = {field.name for field in fields(kind) if type(field.default) in (int, float)}
    assert numbers <= LIMITS.keys()
    for name in numbers - {"minibatch"}:  # which must divide the rollout of SB3
        least, most = LIMITS[name]
        for beyond in (least - 1, most * 2 + 1, float("nan"), True, "1"):
            with pytest.raises(SettingsError, match=f"{name}="):
                kind(**{name: beyond})


def test_rollout__of_too_many_decisions__is_refused_though_each_number_is_right() -> None:
    with pytest.raises(SettingsError, match="games=65536 x horizon=65536"):
        Settings(games=65536, horizon=65536)


@pytest.mark.parametrize("main", [ppo.main, maskable_ppo.main])
@pytest.mark.parametrize("place", ["file", "file/below", "link", "a" * 300, "\x1b[31mfile/x"])
def test_out__that_can_be_no_folder__is_refused(
    main: Any, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("file", "\x1b[31mfile"):
        (tmp_path / name).write_text("mine")
    os.symlink(tmp_path / "nowhere", tmp_path / "link")
    before = sorted(tmp_path.iterdir())
    told = refused(main, ["--preset=smoke", f"--out={tmp_path / place}"], capsys)
    assert "cannot be the folder of a run" in told and "choose another one with --out" in told and told.isprintable()
    assert sorted(tmp_path.iterdir()) == before and (tmp_path / "file").read_text() == "mine"


def test_out__a_device__is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "is not a folder" in refused(ppo.main, ["--preset=smoke", f"--out={os.devnull}/x"], capsys)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (5, "Expected `object`, got `int`"),
        (None, "Expected `object`, got `null`"),
        ([], "Expected `object`, got `array`"),
        ({"zzz": 1}, "'zzz' is not a setting"),
        ({"minutes": "nan", "seed": True}, "Expected `float`, got `str` - at `$.minutes`"),
        ({"seed": True}, "Expected `int`, got `bool` - at `$.seed`"),
        ({"epochs": 0}, "epochs=0: a whole number from 1 to 1,000 is needed"),
        ({"seed": 10**40}, "seed"),
        ({"minutes": 0, "steps": 0}, "the run would never end"),
        ({"device": "zzz"}, "device='zzz' cannot be used here"),
        ({"opponents": "nobody"}, "no agent is called 'nobody'"),
    ],
)
def test_resume__with_settings_that_cannot_be__is_refused(
    settings: Any, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.dumps({"settings": settings})
    (tmp_path / SETTINGS).write_text(content)
    assert words in refused(ppo.main, [f"--resume={tmp_path}"], capsys)
    assert [path.name for path in tmp_path.iterdir()] == [SETTINGS] and (tmp_path / SETTINGS).read_text() == content


def test_league__of_none__keeps_no_past_self(tmp_path: Path) -> None:
    options = ["--minutes=0", "--steps=2000", "--games=32", "--horizon=32", "--minibatch=256", "--final-setups=0"]
    arguments = ["--preset=smoke", f"--out={tmp_path / 'run'}", "--league=0", "--league-rollouts=1", *options]
    assert ppo.main(arguments) == 0
    rows = (tmp_path / "run" / "progress.csv").read_text().splitlines()
    assert len(rows) > 2 and {row.split(",")[rows[0].split(",").index("league")] for row in rows[1:]} == {"0"}
