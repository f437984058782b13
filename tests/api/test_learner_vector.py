"""Many games for one learner: Gymnasium's vector interface, and the rewards that a learner must see."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import winterkingdom_env  # noqa: F401  # registers the environments
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.envs.learner_vector import LearnerVectorEnv
from winterkingdom_env.envs.opponents import OpponentError
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search.agents import GreedyAgent, RandomAgent
from winterkingdom_env.search.view import View

learner_vector_env = winter_kingdom_v1.learner_vector_env


def first_legal(seen: dict[str, Any], masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """An opponent that can be played again by hand."""
    return masks.argmax(axis=1)


def play_by_hand(env: LearnerVectorEnv, n_steps: int, reward: str) -> int:
    """Play, and play every game again with game objects: same observations, masks, rewards and ends; the number of ends."""
    n = env.num_envs
    seen, infos = env.reset(seed=3)
    games: list[wk.Game] = [wk.new_game(env._games.config(i), int(env.seeds[i])) for i in range(n)]
    over = np.zeros(n, bool)
    rng, ended = np.random.default_rng(1), 0
    for _ in range(n_steps):
        for i, game in enumerate(games):
            while game.seat != infos["seat"][i] and not game.is_over:
                game.apply(game.legal_actions()[0])
            expected = game.observe(int(infos["seat"][i]), "packed")
            np.testing.assert_array_equal(seen["observation"][i], expected["observation"])
            if not game.is_over:
                np.testing.assert_array_equal(infos["action_mask"][i], expected["action_mask"])
        before = [game.scores() for game in games]
        actions = env.sample_actions(rng)
        seen, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any() and not infos["illegal"].any()
        for i in range(n):
            seat = int(infos["seat"][i])
            if over[i]:
                assert rewards[i] == 0 and not terminated[i], "the step that begins the next game pays nothing"
                games[i] = wk.new_game(env._games.config(i), int(env.seeds[i]))
                over[i] = False
                continue
            games[i].apply(int(actions[i]))
            while games[i].seat != seat and not games[i].is_over:
                games[i].apply(games[i].legal_actions()[0])
            assert terminated[i] == games[i].is_over
            scores, over[i] = games[i].scores(), games[i].is_over
            if reward == "score":
                assert rewards[i] == scores[seat] - before[i][seat]
            elif over[i]:
                assert np.sign(rewards[i]) == np.sign(scores[seat] - max(s for j, s in enumerate(scores) if j != seat))
            else:
                assert rewards[i] == 0
            if over[i]:
                assert infos["scores"][i, : len(scores)].tolist() == scores and infos["_scores"][i]
                ended += 1
    return ended


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("learner_seat", [0, 1, "random"])
def test_step__opponents_replayed_by_hand__agrees(reward: str, learner_seat: int | str) -> None:
    env = learner_vector_env(
        4, num_players=2, observation="packed", opponents=first_legal, reward=reward, learner_seat=learner_seat
    )
    assert play_by_hand(env, 260, reward) >= 3


def test_make_vec__registered__is_this_environment() -> None:
    env = gymnasium.make_vec("WinterKingdom-v1", 5, vectorization_mode="vector_entry_point", num_players=3)
    assert isinstance(env.unwrapped, LearnerVectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    seen, infos = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    for _ in range(30):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in infos["action_mask"]])
        assert env.action_space.contains(actions)
        seen, rewards, terminated, truncated, infos = env.step(actions)
        assert env.observation_space.contains(seen)
        assert rewards.shape == terminated.shape == truncated.shape == (5,)
    env.close()


def test_wrappers__gymnasiums_own__work() -> None:
    env = RecordEpisodeStatistics(learner_vector_env(3, reward="score"))
    env.reset(seed=1)
    lengths: list[int] = []
    for _ in range(400):
        _, _, terminated, _, infos = env.step(env.unwrapped.sample_actions())
        if terminated.any():
            lengths += infos["episode"]["l"][terminated].tolist()
            returns, scores = infos["episode"]["r"][terminated], infos["scores"][terminated]
            np.testing.assert_allclose(returns, scores[np.arange(len(scores)), infos["seat"][terminated]])
    assert lengths


def test_seat__random__every_seat_occurs_and_the_seed_decides() -> None:
    env = learner_vector_env(64, num_players=4, learner_seat="random")
    seats = env.reset(seed=1)[1]["seat"]
    assert set(seats.tolist()) == {0, 1, 2, 3}
    assert np.array_equal(env.reset(seed=1)[1]["seat"], seats)
    single = winter_kingdom_v1.single_env(num_players=4, learner_seat="random")
    for row in range(4):
        assert single.reset(seed=1 + row)[1]["seat"] == seats[row], "as in the single environment"


def test_masks__never_empty_and_those_of_the_infos() -> None:
    env = learner_vector_env(8, num_players=(2, 3), twist="random")
    _, infos = env.reset(seed=1)
    for _ in range(300):
        masks = env.action_masks()
        assert masks.any(axis=1).all() and masks.dtype == bool
        np.testing.assert_array_equal(masks, infos["action_mask"])
        infos = env.step(env.sample_actions())[4]


def test_illegal_action__costs_the_penalty_and_the_learner_is_asked_again() -> None:
    env = learner_vector_env(2, illegal_reward=-0.5, observation="packed")
    seen, infos = env.reset(seed=1)
    illegal = int(np.flatnonzero(infos["action_mask"][0] == 0)[0])
    legal = int(np.flatnonzero(infos["action_mask"][1])[0])
    after, rewards, terminated, _, infos = env.step(np.array([illegal, legal]))
    assert rewards.tolist() == [-0.5, 0] and infos["illegal"].tolist() == [True, False] and not terminated.any()
    assert np.array_equal(after["observation"][0], seen["observation"][0])


def test_observations__are_copies() -> None:
    env = learner_vector_env(2)
    seen, _ = env.reset(seed=1)
    kept = seen["observation"].copy()
    env.step(env.sample_actions())
    assert np.array_equal(seen["observation"], kept)


class Stubborn:
    """An agent that always takes the first legal action, and in round 3 none."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, view: View) -> int:
        return -5 if view.round == 3 else view.legal_actions()[0]


@pytest.mark.parametrize(
    ("players", "opponents"),
    [(2, "greedy"), (3, ["planner", "greedy"]), (2, "policy"), (3, ["random", GreedyAgent])],
)
def test_agents_by_name__are_those_of_the_single_environment(players: int, opponents: Any) -> None:
    options: dict[str, Any] = {
        "num_players": players,
        "learner_seat": "random",
        "observation": "packed",
        "reward": "score",
    }
    if "random" in opponents:  # in a batch the kernel draws its actions; as a class it is asked like any other
        opponents = [RandomAgent if one == "random" else one for one in opponents]
    env, seeds = learner_vector_env(3, opponents=opponents, **options), [5, 6, 90]
    singles = [winter_kingdom_v1.single_env(opponents=opponents, **options) for _ in seeds]
    seen, infos = env.reset(seed=[*seeds])
    views = [single.reset(seed=seed)[0] for single, seed in zip(singles, seeds, strict=True)]
    is_over = [False] * len(seeds)
    for n in range(400):
        if n == 10:
            env = pickle.loads(pickle.dumps(env))
        for row, view in enumerate(views):
            if not is_over[row]:
                np.testing.assert_array_equal(seen["observation"][row], view["observation"])
        if all(is_over):
            break
        actions = env.sample_actions()
        seen, rewards, terminated, _, infos = env.step(actions)
        for row, single in enumerate(singles):
            if not is_over[row]:
                views[row], paid, is_over[row], _, info = single.step(int(actions[row]))
                assert paid == rewards[row] and is_over[row] == terminated[row]
                assert infos["seat"][row] == info["seat"]
    assert all(is_over), "three games were played to their end"


def test_agent__wrong_answer__is_named_as_in_the_single_environment() -> None:
    env = learner_vector_env(2, opponents=Stubborn)
    env.reset(seed=1)
    with pytest.raises(OpponentError, match=r"opponent Stubborn on seat 1, round 3, .*: returned -5: .*legal_actions"):
        for _ in range(100):
            env.step(env.sample_actions())


def test_make_vec__agent_by_name__plays() -> None:
    env = gymnasium.make_vec("WinterKingdom-v1", 4, opponents="greedy")
    env.reset(seed=1)
    wins = 0
    while wins < 4:
        _, rewards, terminated, _, _ = env.step(env.unwrapped.sample_actions())
        wins += int(terminated.sum())
        assert (rewards[terminated] == -1).all(), "a random learner does not beat greedy"


def test_opponent__illegal_answer__is_named() -> None:
    env = learner_vector_env(2, opponents=lambda seen, masks, seats: masks.argmin(axis=1))
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"opponent's action \d+ is not legal in game .* Opponents: .*<lambda>"):
        for _ in range(30):
            env.step(env.sample_actions())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner_seat": 2}, r"learner_seat=2 is not valid; choose from: 0, 1"),
        (
            {"opponents": "nobody"},
            "opponent 'nobody' is unknown; choose from: 'random', 'greedy', 'planner', 'search', 'policy'",
        ),
        ({"opponents": 7}, "one opponent for all other seats or a sequence"),
        ({"opponents": [7]}, "7 is neither an agent's name or class nor a function of"),
        ({"opponents": ["random", "random"]}, "2 were given; with 2 players, give 1, or one text for all other seats"),
        ({"observation": None}, "observation=None"),
    ],
)
def test_learner_vector_env__wrong_option__says_what_would_work(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learner_vector_env(2, **options)


def test_reset__a_seed_missing_in_the_list__is_refused() -> None:
    with pytest.raises(ValueError, match="one per game"):
        learner_vector_env(2).reset(seed=[1, None])


def test_render__all_games_as_the_learner_sees_them() -> None:
    env = learner_vector_env(2, render_mode="svg")
    env.reset(seed=1)
    pictures = env.render()
    assert pictures is not None and len(pictures) == 2 and all(text.startswith("<svg") for text in pictures)
