"""The trainer of the agent turn: targets, the network beside the kernels', runs that reproduce and resume."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")

from tests.house.games import NAMES
from training import trainer, turn_value
from training.run_files import PROGRESS
from training.run_folder import RunFolder
from winterkingdom_env.core.verbs import N_STANDING
from winterkingdom_env.games import get_game
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.turn_network import POINTS_SCALE, evaluate_turn_end, make_turn_arrays
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import TURN, load_weights

TINY = [
    "--preset=smoke", "--minutes=0", "--steps=120", "--games=3", "--width=2", "--plans=2", "--updates=4", "--minibatch=32", "--final-setups=0",
    "--checkpoint-minutes=0",
]  # fmt: skip


def run(out: Path, *options: str) -> int:
    return turn_value.main([*TINY, f"--out={out}", *options])


def weights_of(out: Path) -> Any:
    return load_weights(out / "policy.safetensors").flat(TURN)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that went to its end."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    assert run(out, "--seed=5", "--threads=2") == 0
    return out


def test_run__learns_and_writes_what_an_agent_plays_by(finished: Path) -> None:
    with (finished / PROGRESS).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert int(rows[-1]["steps"]) >= 120 and all(np.isfinite(float(row["win_loss"])) for row in rows)
    facts = load_weights(finished / "policy.safetensors").facts
    assert facts["settings"]["width"] == 2 and facts["games"] == int(rows[-1]["games"])
    game = get_game("winter_kingdom").new_game(seed=3)
    agent = agent_spec(f"turn:path={finished / 'policy.safetensors'},width=2,plans=2").make(1)
    for _ in range(10):
        game.apply(agent(View(game, game.seat)))


def test_run__same_seed__is_the_same_with_any_number_of_threads(finished: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "again", "--seed=5", "--threads=1") == 0
    np.testing.assert_array_equal(weights_of(tmp_path / "again"), weights_of(finished))
    assert run(tmp_path / "other", "--seed=6", "--threads=1") == 0
    assert (weights_of(tmp_path / "other") != weights_of(finished)).any()


def test_resume__goes_on_from_the_last_checkpoint(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert run(out, "--seed=5") == 0
    settings = (out / "settings.json").read_text().replace('"steps": 120', '"steps": 200')
    (out / "settings.json").write_text(settings)
    before = int(RunFolder(out).checkpoints()[-1].stem)
    assert turn_value.main([f"--resume={out}"]) == 0
    assert f"resumes after {before:,} turn ends" in capsys.readouterr().err
    assert int(RunFolder(out).checkpoints()[-1].stem) >= 200
    assert turn_value.main([f"--resume={out}", "--games=2"]) == 2
    assert "leave out games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda state: state["settings"].update(seed=9), "settings.seed"),
        (lambda state: state.update(games=-1), "games is -1"),
        (lambda state: state["network"].update({"parts.own": torch.zeros(2, 2)}), "network.parts.own has the shape"),
        (lambda state: state.pop("optimizer"), "lacks optimizer"),
    ],
)
def test_checkpoint__that_does_not_fit__is_refused_by_field(
    finished: Path, tmp_path: Path, change: Any, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert run(out, "--seed=5", "--checkpoints=1") == 0
    (path,) = RunFolder(out).checkpoints()
    state = torch.load(path, weights_only=True)
    change(state)
    torch.save(state, path)
    assert turn_value.main([f"--resume={out}"]) == 2
    assert words in capsys.readouterr().err


def test_targets__are_between_the_next_estimate_and_the_result() -> None:
    odds, shares = np.array([[0.5, 0.5], [0.8, 0.2], [0.4, 0.6]], np.float32), np.array([0.0, 1.0])
    np.testing.assert_allclose(turn_value.targets_of(odds, shares, 1.0), [shares] * 3)
    np.testing.assert_allclose(turn_value.targets_of(odds, shares, 0.0), [odds[1], odds[2], shares])
    found = turn_value.targets_of(odds, shares, 0.5)
    np.testing.assert_allclose(found[2], shares)
    np.testing.assert_allclose(found[1], 0.5 * odds[2] + 0.5 * shares, atol=1e-6)
    np.testing.assert_allclose(found[0], 0.5 * odds[1] + 0.5 * found[1], atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_network__in_torch_and_in_kernels__is_the_same(name: str) -> None:
    rules = get_game(name)
    torch.manual_seed(1)
    network = turn_value.TurnNet(rules)
    with torch.no_grad():
        for part in network.parameters():
            part.add_(0.2 * torch.randn_like(part))
    arrays, world, dice = (
        make_turn_arrays(rules.World, network.flat(), 1),
        rules.make_world(1),
        np.random.default_rng(0),
    )
    for n in rules.PLAYERS:
        for mover in range(n):
            standings = np.zeros(arrays.standings.shape, np.float32)
            standings[:n] = dice.normal(size=(n, N_STANDING.of(rules.World)))
            arrays.standings[:] = standings
            evaluate_turn_end(world, n, mover, arrays)
            logs, points = network(torch.from_numpy(standings)[None], torch.tensor([mover]), torch.tensor([n]))
            np.testing.assert_allclose(arrays.outputs[:n, 0], logs.exp().detach()[0, :n], atol=1e-4)
            ours = arrays.outputs[:n, 1] / POINTS_SCALE
            np.testing.assert_allclose(ours - ours.mean(), points.detach()[0, :n], atol=1e-3)
            assert not points[0, n:].detach().any()


def test_setups__without_a_level__are_those_of_the_fold() -> None:
    settings = turn_value.TurnSettings(setups="without:economy=Salvage", players="2,3")
    drawn = trainer.setups_of(settings, 60)
    assert {config.num_players for config in drawn} == {2, 3}
    assert "Salvage" not in {config.economy for config in drawn} and len({config.economy for config in drawn}) == 7


def test_wrong_settings__are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option, words in (("--plans=0", "plans=0"), ("--explore=2", "explore=2"), ("--players=9", "9")):
        assert run(tmp_path / "new", option) == 2
        assert words in capsys.readouterr().err and not (tmp_path / "new").exists()


def test_help__names_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert turn_value.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert "--worth-share" in said and "winterkingdom train turn --preset smoke" in said
