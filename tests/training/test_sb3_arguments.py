"""What SB3's environment is given from outside: options, and answers of learners and agents that are no actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed: the extra 'train' has it")
pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: the extra 'train' has it")

from tests.fuzz.arguments import N_ROWS, NAN, NOT_FLAGS, NOT_INTEGERS, NOT_PAYABLE, NOT_ROWS
from training.sb3_env import LearnerVecEnv
from winterkingdom_env.envs.vector import WAIT


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        ("n_past", (*NOT_INTEGERS, None, 0, -1)),
        ("shares", ((1.0, NAN, 0.0), (1.0, 0.0), (-1.0, 1.0, 1.0), (0, 0, 0), (True, False, False), "abc", None, 1.0, (1, 1, float("inf")))),
        ("skip_forced", NOT_FLAGS),
        ("illegal_reward", NOT_PAYABLE),
    ],
)  # fmt: skip
def test_make__wrong_option__is_refused(option: str, wrong: tuple[Any, ...]) -> None:
    for value in wrong:
        with pytest.raises(ValueError, match=option):
            LearnerVecEnv(2, **{option: value})


def test_step__no_actions__are_refused_and_change_nothing() -> None:
    env = LearnerVecEnv(N_ROWS)
    env.reset()
    before = env.games.get_state()["batch"]["games"].tobytes()
    for actions in NOT_ROWS:
        with pytest.raises(ValueError, match=r"actions: .*(is needed|is not an action)"):
            env.step(actions)
    assert env.games.get_state()["batch"]["games"].tobytes() == before


def test_step__learner_waits__is_illegal() -> None:
    env = LearnerVecEnv(2)
    env.seed(1)
    env.reset()
    legal = env.action_masks().argmax(axis=1)
    _, rewards, _, infos = env.step(np.array([WAIT, legal[1]]))
    assert infos[0].get("illegal") and not infos[1].get("illegal") and rewards[0] == -1.0


@pytest.mark.parametrize("answer", [WAIT, 0.5, None, np.timedelta64(-1), True])
def test_scripted_agent__answers_with_no_action__is_refused(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    env = LearnerVecEnv(2, shares=(0.0, 1.0, 0.0))
    n_asked = 0

    def agent(view: Any) -> Any:
        nonlocal n_asked
        n_asked += 1
        assert n_asked < 100, "it is asked again and again"
        return answer

    class Spec:
        text = "stubborn"

        def make(self, seed: int) -> Any:
            return agent

    monkeypatch.setattr(env, "_specs", [Spec()])
    with pytest.raises(ValueError, match="is not an action"):
        for seed in range(20):  # in some of these games the learner sits behind
            env.seed(seed)
            env.reset()
