"""Edited checkpoints: refused by the name of the field, and the one before is taken."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")

from training import ppo  # only if torch is installed
from training.run_folder import RunFolder
from training.trainer import reopen_run
from winterkingdom_env.games.winter_kingdom import layout

TINY = [
    "--preset=smoke", "--minutes=0", "--steps=1500", "--games=8", "--horizon=48", "--minibatch=64", "--final-setups=0", "--league-rollouts=1",
    "--league=2", "--league-share=0.5", "--setups=all", "--checkpoint-minutes=0",
]  # fmt: skip
State = dict[str, Any]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    assert ppo.main([*TINY, f"--out={out}"]) == 0
    assert len(RunFolder(out).checkpoints()) >= 2
    return out


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def edit(path: Path, change: Callable[[State], None]) -> None:
    state = torch.load(path, weights_only=True)
    change(state)
    torch.save(state, path)


def game_field(name: str, value: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        state["before"]["batch"]["games"].numpy().view(layout.GAME)[name][3] = value

    return change


def entry(*path: Any, value: Any) -> Callable[[State], None]:
    def change(state: State) -> None:
        at = state
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value(at[path[-1]]) if callable(value) else value

    return change


def first(number: float) -> Callable[[Any], Any]:
    def change(tensor: Any) -> Any:
        changed = tensor.clone()
        changed.view(-1)[0] = number
        return changed

    return change


def rename(state: State) -> None:
    state["network"]["other"] = state["network"].pop(next(iter(state["network"])))


def first_weight(number: float) -> Callable[[State], None]:
    return lambda state: entry("network", next(iter(state["network"])), value=first(number))(state)


EDITS: dict[str, tuple[Callable[[State], None], str]] = {
    "a seat that nobody has": (game_field("seat", 99), "seat is 99"),
    "a card in use that there is not": (game_field("card", 120), "card is 120"),
    "a longer pile": (game_field("n_draw", 127), "n_draw is 127"),
    "a shorter batch": (entry("before", "batch", "games", value=lambda t: t[:100].clone()), "before.batch.games has the shape"),
    "no boards": (lambda state: state["before"]["batch"].pop("boards"), "before.batch lacks boards"),
    "rows of another number of players": (entry("before", "batch", "rows", value=lambda t: t ^ 255), "rows"),
    "a network that is not there": (entry("before", "actor", "who", value=first(1 << 40)), "before.actor.who names a network"),
    "streams of another kind": (entry("before", "actor", "streams", value=lambda t: t.float()), "before.actor.streams is not a plain tensor"),
    "a learner where nobody sits": (entry("before", "learner", value=first(3)), "before.learner names a seat"),
    "weights that are not finite": (first_weight(float("nan")), "network.* not finite"),
    "a short network in the league": (entry("league", 0, value=lambda t: t[:5].clone()), "league.0. has the shape"),
    "who played": (entry("before", "acting", value=lambda t: t.double()), "before.acting is not a plain tensor"),
    "another optimizer": (entry("optimizer", "state", 0, "exp_avg", value=lambda t: t[:0].clone()), "optimizer.state.0.exp_avg has the shape"),
    "a learning rate": (entry("optimizer", "param_groups", 0, "lr", value=float("inf")), "param_groups.lr is inf"),
    "a parameter's name": (rename, "network lacks"),
    "steps": (entry("steps", value=-5), "steps is -5"),
    "seconds": (entry("seconds", "run", value="long"), "seconds.run is 'long'"),
    "a random stream": (entry("before", "rng", value="{}"), "before.rng cannot be used"),
    "a generator": (entry("shuffle", value=lambda t: t * 0), "shuffle cannot be used"),
    "another run's settings": (entry("settings", "games", value=9), "settings.games is 9; this run has 8"),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_resume__edited_checkpoint__is_refused_by_name_and_the_one_before_is_taken(
    what: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, words = EDITS[what]
    *_, before, last = RunFolder(run).checkpoints()
    edit(last, change)
    trainer = reopen_run(ppo.Trainer, run, None, Console(stderr=True))
    told = capsys.readouterr().err
    assert trainer.steps == int(before.stem)
    assert "trying the one before" in told and re.search(words, " ".join(told.split())), told
    trainer.players.play([trainer.acting, *trainer.league], trainer.rollouts[0])


def test_resume__every_checkpoint_edited__is_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in RunFolder(run).checkpoints():
        edit(path, game_field("phase", 77))
    assert ppo.main([f"--resume={run}"]) == 2
    assert "phase is 77" in (told := capsys.readouterr().err) and "none of the" in told


def test_resume__settings_edited__are_refused_by_name(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "settings.json"
    path.write_text(path.read_text().replace('"games": 8', '"games": "eight"'))
    assert ppo.main([f"--resume={run}"]) == 2
    assert "games" in capsys.readouterr().err


def test_load__a_checkpoint_of_the_run_itself__goes_on(run: Path) -> None:
    trainer = reopen_run(ppo.Trainer, run, None, Console(stderr=True))
    state = copy.deepcopy(trainer.state())
    trainer.load(state)
    assert trainer.steps == state["steps"]
