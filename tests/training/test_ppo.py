"""Our own trainer: learns, writes what it promises, and goes on where it was killed."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")

from training import ppo
from training.report import write_report
from training.run_files import PROGRESS
from training.run_folder import FolderError, RunFolder
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search.registry import agent_spec  # only if torch is installed
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import load_weights

TINY = ["--preset=smoke", "--minutes=0", "--games=32", "--horizon=32", "--minibatch=256", "--final-setups=0", "--league-rollouts=2"]  # fmt: skip
NOT_THE_SAME = ("seconds", "steps_per_second", "share_")  # between two runs of the same seed


@pytest.fixture(autouse=True)
def torch_as_before() -> None:
    # More threads than free cores make torch many times slower.
    torch.set_num_threads(1)


def run(out: Path, *options: str) -> int:
    return ppo.main([*TINY, f"--out={out}", *options])


def rows_of(out: Path) -> list[dict[str, str]]:
    with (out / PROGRESS).open(newline="") as file:
        return list(csv.DictReader(file))


def what_counts(out: Path) -> list[dict[str, str]]:
    return [{k: v for k, v in row.items() if not k.startswith(NOT_THE_SAME)} for row in rows_of(out)]


def is_finite(text: str) -> bool:
    return bool(np.isfinite(float(text)))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that went to its end without a break."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    assert run(out, "--steps=9000", "--seed=5") == 0
    return out


def test_run__whole__leaves_logs_checkpoints_and_a_network_that_plays(finished: Path) -> None:
    rows = rows_of(finished)
    assert int(rows[-1]["steps"]) >= 9000 and len(rows) > 5
    assert all(is_finite(cell) for row in rows for name, cell in row.items() if name not in ("score", "return"))
    assert is_finite(rows[-1]["score"])
    shares = [float(rows[-1][f"share_{name}"]) for name in ("env", "inference", "learning")]
    assert sum(shares) == pytest.approx(1.0, abs=1e-4)
    assert int(rows[-1]["league"]) >= 2
    assert json.loads((finished / "settings.json").read_text())["settings"]["seed"] == 5
    assert list((finished / "tensorboard").iterdir())
    weights = load_weights(finished / "policy.safetensors")
    assert weights.facts["steps"] == int(rows[-1]["steps"]) and weights.facts["settings"]["seed"] == 5
    agent, game = agent_spec(f"policy:path={finished / 'policy.safetensors'}").make(1), wk.new_game(seed=1)
    for _ in range(20):
        game.apply(agent(View(game, game.seat)))


def test_run__whole__can_be_reported(finished: Path, tmp_path: Path) -> None:
    page = write_report(finished, tmp_path / "report")
    steps = int(rows_of(finished)[-1]["steps"])
    assert f"{steps:,}" in page.read_text("utf-8")
    assert {path.name for path in page.parent.glob("*.png")} >= {
        "learning.png",
        "policy.png",
        "updates.png",
        "speed.png",
    }


def test_same_seed_and_steps__come_out_the_same(finished: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "again", "--steps=9000", "--seed=5") == 0
    assert what_counts(tmp_path / "again") == what_counts(finished)
    first, second = (load_weights(out / "policy.safetensors") for out in (finished, tmp_path / "again"))
    np.testing.assert_array_equal(first.flat(), second.flat())


# Is killed when it has written two checkpoints and begins to learn from the third rollout, while the fourth is being played.
KILLED = """
import os, signal, sys
from training import ppo
learn, left = ppo.learn, [None, None]
def learn_or_die(*rest):
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    left.pop()
    return learn(*rest)
ppo.learn = learn_or_die
sys.exit(ppo.main(sys.argv[1:]))
"""


def test_killed_and_resumed__comes_out_as_if_never_stopped(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed"
    options = [f"--out={out}", "--steps=9000", "--seed=5", "--checkpoint-minutes=0"]
    done = subprocess.run([sys.executable, "-c", KILLED, *TINY, *options], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert len(RunFolder(out).checkpoints()) == 2
    assert 0 < int(RunFolder(out).checkpoints()[-1].stem) < 9000, "it was killed on its way"
    assert ppo.main([f"--resume={out}"]) == 0
    assert what_counts(out) == what_counts(finished)
    np.testing.assert_array_equal(
        load_weights(out / "policy.safetensors").flat(), load_weights(finished / "policy.safetensors").flat()
    )


def test_resume__last_checkpoint_damaged__falls_back_to_the_one_before_and_says_so(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "damaged"
    assert run(out, "--steps=9000", "--seed=5", "--checkpoint-minutes=0") == 0
    *_, before, last = RunFolder(out).checkpoints()
    last.write_bytes(last.read_bytes()[:5000])
    assert ppo.main([f"--resume={out}"]) == 0
    told = capsys.readouterr().err
    assert f"{last.name} cannot be read" in told and f"resumes after {int(before.stem):,} steps" in told
    assert what_counts(out) == what_counts(finished)


def test_resume__all_checkpoints_damaged__refuses_and_loses_nothing(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lost"
    assert run(out, "--steps=2000") == 0
    for path in RunFolder(out).checkpoints():
        path.write_bytes(b"nothing")
    before = (out / PROGRESS).read_bytes()
    assert ppo.main([f"--resume={out}"]) == 2
    assert "start a new run with --out" in capsys.readouterr().err
    assert (out / PROGRESS).read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--steps=0"], "the run would never end"),
        (["--steps=10", "--network=cube"], "the networks are: moves, conv, flat"),
        (["--steps=10", "--setups=none"], "choose from: seen, all"),
        (["--steps=10", "--opponents=nobody"], "no agent is called"),
        (["--steps=10", "--players=7"], "2, 3 or 4 players"),
    ],
)
def test_settings__wrong__say_what_would_work_and_leave_no_folder(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "out", *options) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_folder__of_another_run__is_not_overwritten(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (finished / PROGRESS).read_bytes()
    assert run(finished, "--steps=10") == 2
    assert "is not empty" in capsys.readouterr().err
    assert (finished / PROGRESS).read_bytes() == before


def test_resume__with_settings_or_without_a_run__is_refused(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ppo.main([f"--resume={finished}", "--games=8"]) == 2
    assert "uses the run's own settings; leave out games" in capsys.readouterr().err
    assert ppo.main([f"--resume={tmp_path}"]) == 2
    assert "is not the folder of a run" in capsys.readouterr().err
    with pytest.raises(FolderError):
        RunFolder(tmp_path / "nowhere").reopen()


@pytest.mark.parametrize("network", ["conv", "flat"])
def test_board_networks__train_and_resume(network: str, tmp_path: Path) -> None:
    options = [f"--network={network}", "--channels=4", "--games=8", "--horizon=24", "--minibatch=64", "--setups=all"]
    assert run(tmp_path / "run", "--steps=500", "--checkpoint-minutes=0", *options) == 0
    whole = what_counts(tmp_path / "run")
    RunFolder(tmp_path / "run").checkpoints()[-1].unlink()
    assert ppo.main([f"--resume={tmp_path / 'run'}"]) == 0
    assert what_counts(tmp_path / "run") == whole
    agent, game = agent_spec(f"policy:path={tmp_path / 'run' / 'policy.safetensors'}").make(1), wk.new_game(seed=1)
    for _ in range(5):
        game.apply(agent(View(game, game.seat)))


def test_learning__a_few_seconds__beats_where_it_began(tmp_path: Path) -> None:
    """Points per game rise: the mean of the last rollouts against that of the first ones, far beyond the noise."""
    options = ["--steps=160000", "--games=128", "--horizon=64", "--minibatch=256", "--learning-rate=0.002"]
    assert run(tmp_path / "run", *options) == 0
    scores = [float(row["score"]) for row in rows_of(tmp_path / "run") if is_finite(row["score"])]
    assert np.mean(scores[-3:]) > np.mean(scores[:3]) + 5


def test_help__shows_every_setting_with_its_comment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert ppo.main(["--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "--league-share" in told and "share of games against past selves (0.2)" in told
    assert "winterkingdom train --preset hour" in told
