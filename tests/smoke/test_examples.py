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


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_example__is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60
