"""The programs in examples/ run, and do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples import batch_loop, first_program, own_agent, tournament
from winterkingdom_env.games import get_game
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View

pytestmark = pytest.mark.rule("examples")
FOLDER = Path(first_program.__file__).parent


def test_first_program__gives_every_seat_its_reward(capsys: pytest.CaptureFixture[str]) -> None:
    rewards = first_program.main()
    assert sorted(rewards) == ["player_0", "player_1", "player_2"] and sum(rewards.values()) == 0
    assert capsys.readouterr().out.count("points {") == 3


def test_own_agent__beats_random() -> None:
    assert own_agent.main(n_games=4) >= 0.75


def test_batch_loop__plays_games_to_their_end() -> None:
    assert 15 < batch_loop.main(n_games=64, n_steps=400) < 60


def test_tournament__planner_before_random(tmp_path: Path) -> None:
    ranked = tournament.main(n=6, folder=tmp_path / "kept")
    assert sorted(ranked) == ["greedy", "planner", "random"] and ranked[-1] == "random"
    assert tournament.main(n=6, folder=tmp_path / "kept") == ranked, "what is played is not played again"


def test_self_play__trains_and_saves_a_model_that_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    from examples import self_play_sb3

    path = tmp_path / "model.zip"
    assert self_play_sb3.main(rounds=2, steps=256, path=str(path)) == 512
    assert f"sb3:path={path}" in capsys.readouterr().out
    game = get_game("winter_kingdom").new_game(seed=1)
    assert agent_spec(f"sb3:path={path}").make(1)(View(game, 0)) in game.legal_actions()


def test_ppo_actions__a_tiny_run__learns_and_is_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch = pytest.importorskip("torch")
    from examples import ppo_actions

    tiny = ppo_actions.Args(
        minutes=0.02, num_envs=8, num_steps=8, minibatch=32, epochs=1, width=8, games=4, save=str(tmp_path / "weights.pt")
    )  # fmt: skip
    assert 0 <= ppo_actions.main(tiny) <= 1
    assert "against greedy: " in capsys.readouterr().out
    assert all(torch.isfinite(part).all() for part in torch.load(tiny.save).values())


def test_ppo_actions__points_of_the_other_seat__count_against() -> None:
    torch = pytest.importorskip("torch")
    from examples import ppo_actions

    torch.manual_seed(1)
    rollout = ppo_actions.Rollout(ppo_actions.Args(num_envs=12, num_steps=220, width=8, gae_lambda=1.0))
    network = ppo_actions.Network(rollout.env.single_observation_space, 8)
    with torch.no_grad():
        rollout.play(network)
    n_ended, scores = (rollout.goes_on == 0).sum(dim=0), rollout.env.final_scores
    rows = [row for row in range(12) if n_ended[row] == 1]
    assert rows
    for row in rows:  # with lambda 1, the first return is the margin of the first game, as the first seat sees it
        margin = (scores[row, 0] - scores[row, 1]) / rollout.env.module.SCORE_SCALE
        assert abs(float(rollout.advantages[0, row] + rollout.values[0, row])) == pytest.approx(abs(margin), abs=1e-4)


LINES = {"ppo_actions": 200}  # a trainer is one file


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_example__is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES.get(path.stem, 60)
