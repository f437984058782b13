"""The one-learner environment in the hands of sb3-contrib's MaskablePPO, the trainer that most people try first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
sb3 = pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed: the extra 'train' has it")
contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: the extra 'train' has it")

from stable_baselines3.common.callbacks import BaseCallback  # only if it is installed
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

from tests.api.episodes import NAME, begun
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.games import get_game
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View

ID = "WinterKingdom-v1"
N_STEPS = 512


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    # More threads than free cores make torch many times slower.
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Watch(BaseCallback):
    """Writes down what the trainer's steps gave."""

    def __init__(self) -> None:
        super().__init__()
        self.illegal: list[bool] = []
        self.ends: list[tuple[float, dict[str, Any]]] = []

    def _on_step(self) -> bool:
        for info, reward, done in zip(self.locals["infos"], self.locals["rewards"], self.locals["dones"], strict=True):
            self.illegal.append(info["illegal"])
            if done:
                self.ends.append((float(reward), info))
        return True


def make_model(env: Any, **options: Any) -> Any:
    return contrib.MaskablePPO(
        "MultiInputPolicy",
        env,
        n_steps=128,
        batch_size=64,
        n_epochs=2,
        policy_kwargs={"net_arch": [16]},
        seed=3,
        device="cpu",
        **options,
    )


def parameters(model: Any) -> Any:
    return torch.cat([part.detach().flatten() for part in model.policy.parameters()])


@pytest.fixture(scope="module")
def trained() -> tuple[Any, Watch, Any]:
    env = make_vec_env(ID, n_envs=2, seed=5, env_kwargs={"learner_seat": "random", "skip_forced": True})
    model, watch = make_model(env), Watch()
    before = parameters(model)
    model.learn(N_STEPS, callback=watch)
    return model, watch, before


def test_check_env__packed__passes_without_a_warning() -> None:
    check_env(SingleEnv(NAME, observation="packed"))


@pytest.mark.filterwarnings("ignore:Your observation features has an unconventional shape:UserWarning")
def test_check_env__rows_of_actions__passes() -> None:
    check_env(SingleEnv(NAME, observation="actions"))


# The checker takes whatever has three axes for a picture, and advises 0 to 255, 36 x 36, and colours first. Planes of 0 and 1 are none, and
# the policy does not take them for one: it asks for the bounds, too.
@pytest.mark.filterwarnings("ignore:It seems that your observation space observation is an image:UserWarning")
@pytest.mark.filterwarnings("ignore:The minimal resolution for an image is 36x36:UserWarning")
@pytest.mark.filterwarnings("ignore:Treating image space as channels-last:UserWarning")
def test_check_env__planes__passes() -> None:
    check_env(SingleEnv(NAME, num_players=3))


def test_learn__some_hundred_steps__every_action_is_legal(trained: tuple[Any, Watch, Any]) -> None:
    _, watch, _ = trained
    assert len(watch.illegal) >= N_STEPS
    assert not any(watch.illegal)


def test_learn__games_that_end__pay_the_winner_and_the_loser(trained: tuple[Any, Watch, Any]) -> None:
    _, watch, _ = trained
    assert len(watch.ends) >= 4
    for reward, info in watch.ends:
        scores, seat = info["scores"], info["seat"]
        assert reward == np.sign(scores[seat] - scores[1 - seat])
        assert info["episode"]["r"] == pytest.approx(reward), "the monitor's sum over the episode"


def test_learn__some_hundred_steps__moves_the_network(trained: tuple[Any, Watch, Any]) -> None:
    model, _, before = trained
    after = parameters(model)
    assert torch.isfinite(after).all()
    assert not torch.equal(before, after)


def test_predict__saved_and_loaded__answers_the_same_legal_actions(
    trained: tuple[Any, Watch, Any], tmp_path: Path
) -> None:
    model = trained[0]
    model.save(tmp_path / "model.zip")
    loaded = contrib.MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    env = gymnasium.make(ID, learner_seat=1)
    observation, _ = env.reset(seed=7)
    for _ in range(40):
        masks = env.get_wrapper_attr("action_masks")()
        action, _ = loaded.predict(observation, action_masks=masks, deterministic=True)
        assert action == model.predict(observation, action_masks=masks, deterministic=True)[0]
        assert masks[action]
        observation, _, terminated, _, info = env.step(action)
        assert not info["illegal"]
        assert not terminated


def test_learn__packed_words__every_action_is_legal() -> None:
    watch = Watch()
    make_model(begun(observation="packed", num_players=4)).learn(128, callback=watch)
    assert len(watch.illegal) == 128
    assert not any(watch.illegal)


def test_learn__rows_of_actions__the_model_plays_as_an_agent(tmp_path: Path) -> None:
    model, watch = make_model(begun(observation="actions", num_players=2)), Watch()
    model.learn(128, callback=watch)
    assert not any(watch.illegal)
    model.save(tmp_path / "model.zip")
    agent, game = agent_spec(f"sb3:path={tmp_path / 'model.zip'}").make(1), get_game(NAME).new_game(seed=3)
    for _ in range(10):
        action = agent(View(game, game.seat))
        assert action in game.legal_actions()
        game.apply(action)
