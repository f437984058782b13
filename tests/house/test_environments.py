"""The environments over every registered game: PettingZoo's and Gymnasium's own checks, and every row of a batch beside game objects."""

from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from tests.house.games import CONFIGS, EXAMPLE, NAMES, config_of
from tests.house.twin import play_beside
from winterkingdom_env.core.observation import FORMS
from winterkingdom_env.core.rewards import Reward
from winterkingdom_env.core.rows import Autoreset
from winterkingdom_env.core.threads import usable_cores
from winterkingdom_env.envs.aec import RawEnv, wrap
from winterkingdom_env.envs.learner_vector import LearnerVectorEnv
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import get_game

every_game = pytest.mark.parametrize("name", NAMES)
# PettingZoo keeps a list of its own environments whose observations may be dictionaries; all others get these two.
DICT_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}

NO_PLANES = "Observation numpy array is all zeros."  # said of an array without entries


def configs(name: str) -> list[Any]:
    """The configs of the game, in the form that a batch takes."""
    rules, found = get_game(name), [config_of(name, seed) for seed in range(len(CONFIGS[name]))]
    return [variant for config in found for variant in rules.variants(config, [config.num_players], 2)]


def length(name: str, seed: int) -> int:
    """Actions in a random game."""
    game, dice, n = get_game(name).new_game(config_of(name, seed), seed), random.Random(seed), 0
    while not game.is_over:
        game.apply(dice.choice(game.legal_actions()))
        n += 1
    return n


@every_game
@pytest.mark.parametrize("form", FORMS)
def test_aec__pettingzoos_test__passes_with_the_warnings_for_dictionaries(name: str, form: str) -> None:
    for number, fields in enumerate(CONFIGS[name]):
        env = RawEnv(get_game(name), observation=form, **fields)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            api_test(wrap(env) if number % 2 else env, num_cycles=2 * length(name, number))
        told = {str(warning.message) for warning in caught}
        assert (
            told - ({NO_PLANES} if form == "planes" and not get_game(name).OBSERVATION.planes else set())
            == DICT_WARNINGS
        )


@every_game
def test_aec__pettingzoos_test_of_seeds__passes(name: str) -> None:
    seed_test(lambda: wrap(RawEnv(get_game(name), **CONFIGS[name][0])), num_cycles=100)


@every_game
@pytest.mark.parametrize("reward", [kind.name.lower() for kind in Reward])
def test_aec__a_whole_game__pays_what_the_ranks_and_scores_say(name: str, reward: str) -> None:
    rules = get_game(name)
    for seed, fields in enumerate(CONFIGS[name]):
        env = RawEnv(rules, reward=reward, skip_forced=bool(seed % 2), **fields)
        env.reset(seed=seed)
        first, dice = np.array(rules.new_game(config_of(name, seed), seed).scores()), random.Random(seed)
        paid = np.array(list(env.rewards.values()))
        while not env.game.is_over:
            assert env.agent_selection == f"player_{env.game.seat}"
            env.step(dice.choice(env.legal_actions()))
            paid += list(env.rewards.values())
        assert set(env.terminations.values()) == {True} and len(env.agents) == env.game.n_players
        gained = np.array(env.game.scores()) - first
        if reward == "score":
            np.testing.assert_allclose(paid, gained)
        else:
            assert abs(paid.sum()) < 1e-4 and (reward != "win" or (paid > 0).any() or not paid.any())
        winners = [f"player_{seat}" for seat, rank in enumerate(env.game.ranks()) if rank == 1]
        assert all(info["winners"] == winners for info in env.infos.values())


@every_game
@pytest.mark.parametrize("autoreset", [mode.name for mode in Autoreset])
@pytest.mark.parametrize("form", ["planes", None])
def test_vector__every_row__is_the_games_own_object(name: str, form: str | None, autoreset: str) -> None:
    env = VectorEnv(get_game(name), 5, configs=configs(name), observation=form, autoreset_mode=autoreset)
    n_steps = 3 * max(length(name, seed) for seed in range(len(CONFIGS[name]))) // 2
    assert play_beside(env, form, n_steps, 5, autoreset=autoreset) >= 4


@every_game
@pytest.mark.parametrize(
    ("reward", "skip_forced"), [("win", True), ("margin", False), ("score", False), ("score", True)]
)
def test_vector__rewards__are_those_of_the_scores_and_ranks(name: str, reward: str, skip_forced: bool) -> None:
    env = VectorEnv(get_game(name), 4, configs=configs(name), reward=reward, skip_forced=skip_forced)
    n_steps = 3 * max(length(name, seed) for seed in range(len(CONFIGS[name]))) // 2
    assert play_beside(env, "packed", n_steps, 8, reward=reward, skip_forced=skip_forced) >= 2


@every_game
def test_vector__numbers_of_players__are_drawn_from_those_given(name: str) -> None:
    rules = get_game(name)
    usual = VectorEnv(rules, 3)
    assert (usual.reset(seed=1).n_players == rules.Config().num_players).all()
    env = VectorEnv(rules, 64, num_players=tuple(rules.PLAYERS))
    turns = env.reset(seed=1)
    assert set(turns.n_players.tolist()) == set(rules.PLAYERS) and turns.rewards.shape == (64, rules.MAX_PLAYERS)
    assert max(rules.PLAYERS) == rules.MAX_PLAYERS


@every_game
@pytest.mark.skipif(usable_cores() < 2, reason="this machine has one core")
def test_vector__threads_and_pickles__give_the_same_bytes(name: str) -> None:
    envs = [VectorEnv(get_game(name), 96, threads, configs=configs(name)) for threads in (1, 2)]
    for env in envs:
        env.reset(seed=3)
        for _ in range(40):
            env.step(env.sample_actions())
    envs += [pickle.loads(pickle.dumps(envs[0])), envs[0].clone()]
    for _ in range(10):
        saved = []
        for env in envs:
            env.step(env.sample_actions())
            saved.append(b"".join(part.tobytes() for part in env.batch.save().values()))
        assert len(set(saved)) == 1


@every_game
@pytest.mark.parametrize("form", FORMS)
def test_single__gymnasiums_check__passes(name: str, form: str) -> None:
    for fields in (CONFIGS[name][0], CONFIGS[name][-1]):
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # about observations that are not between 0 and 1, and actions drawn without a mask
            check_env(SingleEnv(name, observation=form, **fields), skip_render_check=True)


@every_game
def test_single__a_whole_game__ends_with_the_learners_result(name: str) -> None:
    for seed, fields in enumerate(CONFIGS[name]):
        env, dice = SingleEnv(name, learner_seat="random", **fields), random.Random(seed)
        _, info = env.reset(seed=seed)
        reward, is_over = 0.0, False
        while not is_over:
            assert env.game.seat == info["seat"]
            _, reward, is_over, _, info = env.step(dice.choice(env.legal_actions()))
        assert info["won"] == (env.game.ranks()[info["seat"]] == 1) and (reward > 0) <= info["won"]
        assert np.flatnonzero(env.action_masks()).tolist() == [get_game(name).PASS]


def first_points(env: LearnerVectorEnv, row: int) -> int:
    """The points with which the learner of this row began its game: not 0 in every game."""
    games = env._games
    game = games.module.new_game(games.config(row), int(games.seeds[row]))
    return int(game.scores()[env._seats[row]])


@every_game
@pytest.mark.parametrize("skip_forced", [False, True])
def test_learner_vector__rewards_of_a_game__add_up_to_its_score(name: str, skip_forced: bool) -> None:
    rules, n = get_game(name), 48
    env = LearnerVectorEnv(
        rules, n, configs=configs(name), observation="packed", learner_seat="random", reward="score", skip_forced=skip_forced
    )  # fmt: skip
    env.reset(seed=1)
    returns, begins, seen = np.zeros(n), np.zeros(n, bool), 0
    for _ in range(2 * max(length(name, seed) for seed in range(len(CONFIGS[name])))):
        _, rewards, terminated, _, infos = env.step(env.sample_actions())
        assert not rewards[begins & ~terminated].any(), "a step that begins a game pays nothing"
        returns = np.where(begins, rewards, returns + rewards)
        ended = np.flatnonzero(terminated)
        if len(ended):
            first = [first_points(env, row) for row in ended.tolist()]
            np.testing.assert_allclose(returns[ended], infos["scores"][ended, infos["seat"][ended]] - first)
        begins, seen = terminated, seen + len(ended)
    assert seen > n, "most rows have played more than one game"


def test_learner_vector__paid_before_the_first_action__comes_with_it() -> None:
    # A learner who can only yield is not asked: it has lost points before its first action.
    env = LearnerVectorEnv(
        get_game(EXAMPLE), 64, num_players=3, rounds=5, learner_seat=2, reward="score", skip_forced=True
    )
    _, infos = env.reset(seed=1)
    first = np.array([first_points(env, row) for row in range(64)])
    paid = np.array([env._games.game(row).scores()[2] for row in range(64)]) - first
    copy = pickle.loads(pickle.dumps(env))
    assert (paid < 0).any()
    env.reset(options={"reset_mask": paid == 0})  # the others are as they were
    assert (env._owed[paid < 0] == paid[paid < 0]).all()
    env.reset(seed=1)
    rewards = env.step(infos["action_mask"].argmax(axis=1))[1]
    after = np.array([env._games.game(row).scores()[2] for row in range(64)])
    np.testing.assert_array_equal(rewards, after - first)
    np.testing.assert_array_equal(copy.step(infos["action_mask"].argmax(axis=1))[1], rewards)


@every_game
def test_learner_vector__every_row__asks_the_learner_until_its_game_ends(name: str) -> None:
    rules = get_game(name)
    env = LearnerVectorEnv(rules, 6, configs=configs(name), observation="packed", learner_seat="random")
    _, infos = env.reset(seed=1)
    ended = 0
    for _ in range(2 * max(length(name, seed) for seed in range(len(CONFIGS[name])))):
        assert infos["action_mask"].any(axis=1).all()
        seen, rewards, terminated, _, infos = env.step(env.sample_actions())
        assert env.observation_space.contains(seen) and np.isfinite(rewards).all()
        ended += int(terminated.sum())
    assert ended >= 6
