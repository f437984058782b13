"""``winterkingdom train sb3``: where the model is written, and what the user is told about it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
maskable_ppo = pytest.importorskip(
    "training.maskable_ppo", reason="sb3-contrib is not installed: the extra 'sb3' has it"
)

TINY = ["--steps=64", "--games=8", "--horizon=8", "--minibatch=32", "--setups=all", "--players=2", "--width=8"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_train__without_out__saves_the_model_and_says_where(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--preset=smoke", "--network=flat", "--seed=3", *TINY]
    assert maskable_ppo.main(arguments) == 0
    assert (place / "runs" / "sb3-smoke-3" / "model.zip").is_file()
    told = capsys.readouterr()
    assert told.out.splitlines()[-2:] == [
        "saved: runs/sb3-smoke-3/model.zip",
        "play it: sb3:path=runs/sb3-smoke-3/model.zip",
    ]
    assert "cannot be evaluated" not in told.err
    before = (place / "runs" / "sb3-smoke-3" / "model.zip").read_bytes()
    for again in (arguments, [*arguments, "--out=runs/sb3-smoke-3"]):
        assert maskable_ppo.main(again) == 2
        told = capsys.readouterr()
        assert "runs/sb3-smoke-3 is not empty; choose another folder with --out\n" in told.err
    assert (place / "runs" / "sb3-smoke-3" / "model.zip").read_bytes() == before


def test_train__moves__says_first_that_the_model_cannot_play(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert maskable_ppo.main(["--network=moves", *TINY]) == 0
    told = capsys.readouterr()
    assert told.err.splitlines()[0] == f"network moves: {maskable_ppo.ONLY_HERE}"
    assert told.out.splitlines()[-1] == "saved: runs/sb3-0/model.zip" and "play it" not in told.out


def test_help__says_what_a_model_of_moves_cannot_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert maskable_ppo.main(["--help"]) == 0
    words = capsys.readouterr().out
    assert "cannot be evaluated or play as sb3:path=..." in words and "runs/sb3-PRESET-SEED" in words


def test_docs__say_what_a_model_of_moves_cannot_do() -> None:
    docs = Path(__file__).parents[2] / "docs"
    (row,) = (line for line in (docs / "training_sb3.md").read_text().splitlines() if line.startswith("| `moves` | w"))
    (agent,) = (line for line in (docs / "agents.md").read_text().splitlines() if line.startswith("| `sb3` |"))
    assert "cannot be evaluated" in row and "--network moves" in agent
