"""The vector environment: every row is the engine's game, whatever the settings and the number of threads."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.house.twin import Twin, choose, play_beside
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.core.threads import usable_cores
from winterkingdom_env.envs.vector import WAIT, Turns, VectorEnv
from winterkingdom_env.games import winter_kingdom as wk

vector_env = winter_kingdom_v1.vector_env


def buffers(env: VectorEnv) -> bytes:
    return b"".join(part.tobytes() for part in env.batch.save().values())


def play(env: VectorEnv, n_steps: int, seed: int = 1) -> Turns:
    turns = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(n_steps):
        turns = env.step(choose(env, rng))
    return turns


@pytest.mark.parametrize("form", ["packed", "planes", None])
@pytest.mark.parametrize("autoreset", ["SAME_STEP", "NEXT_STEP", "DISABLED"])
def test_step__random_set_ups_and_players__rows_are_the_engines_games(form: str | None, autoreset: str) -> None:
    env = vector_env(6, num_players=(2, 3, 4), twist="random", observation=form, autoreset_mode=autoreset)
    assert env.metadata["autoreset_mode"] == AutoresetMode[autoreset]
    assert play_beside(env, form, 450, 5, autoreset=autoreset) >= 4


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
@pytest.mark.parametrize("skip_forced", [False, True])
def test_rewards__every_kind__are_the_engines_scores(reward: str, skip_forced: bool) -> None:
    env = vector_env(4, num_players=(2, 4), reward=reward, skip_forced=skip_forced, observation=None)
    assert play_beside(env, None, 450, 8, reward=reward, skip_forced=skip_forced) >= 2


def test_skip_forced__nobody_is_asked_with_one_legal_action() -> None:
    env = vector_env(8, twist="random", skip_forced=True)
    turns = env.reset(seed=2)
    for _ in range(400):
        assert (turns.action_mask.sum(axis=1) > 1).all()
        turns = env.step(env.sample_actions())


@pytest.mark.skipif(usable_cores() < 2, reason="this machine has one core")
@pytest.mark.parametrize("form", ["packed", "planes", None])
def test_threads__one_or_two__give_the_same_bytes(form: str | None) -> None:
    one, two = (vector_env(96, n, num_players=(2, 3, 4), twist="random", observation=form) for n in (1, 2))
    assert two.batch.n_threads == 2, "the batch is large enough for threads"
    for env in (one, two):
        env.reset(seed=3)
    job, rng = None, np.random.default_rng(3)
    for _ in range(300):
        assert one.sample_actions().tobytes() == two.sample_actions().tobytes()
        actions = choose(one, rng)
        for env in (one, two):
            env.step(actions)
        saved, other = one.batch.save(), two.batch.save()
        for name in saved:
            if name != "packed" or form == "packed":  # for planes the packed rows are scratch, one per chunk
                np.testing.assert_array_equal(saved[name], other[name], name)
        job = job or two.batch._team._job
        assert job is not None and two.batch._team._job is job, "helpers need not be told of new arrays"
    assert (one.final_n_steps > 0).mean() > 0.5, "most rows have finished a game"


def test_same_seed__aec_vector_and_engine__are_the_same_game_step_by_step() -> None:
    options: dict[str, Any] = {"num_players": 3, "twist": "random"}
    for seed in (0, 9, 123456789):
        aec = winter_kingdom_v1.raw_env(observation="packed", reward="score", **options)
        vector = vector_env(1, reward="score", autoreset_mode="disabled", **options)
        game = wk.new_game(wk.Config(**options), seed)
        aec.reset(seed=seed)
        turns = vector.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not game.is_over:
            seen = aec.observe(aec.agent_selection)
            for form in ("observation", "action_mask"):
                np.testing.assert_array_equal(seen[form], game.observe(form="packed")[form])
            np.testing.assert_array_equal(turns.observation["observation"][0], seen["observation"])
            np.testing.assert_array_equal(turns.action_mask[0], seen["action_mask"])
            assert turns.seat[0] == game.seat == aec.possible_agents.index(aec.agent_selection)
            action = int(rng.choice(game.legal_actions()))
            game.apply(action)
            aec.step(action)
            turns = vector.step([action])
            assert turns.rewards[0, :3].tolist() == list(aec.rewards.values())
        assert turns.terminated[0] and all(aec.terminations.values())
        assert vector.final_scores[0, :3].tolist() == game.scores()


def test_seeds__one_number__counts_up_by_row_and_by_num_envs() -> None:
    env = vector_env(3)
    env.reset(seed=40)
    assert env.seeds.tolist() == [40, 41, 42]
    ended = np.zeros(3, int)
    for _ in range(400):
        ended += env.step(env.sample_actions()).terminated
        assert env.seeds.tolist() == (40 + np.arange(3) + 3 * ended).tolist()
    assert ended.all()


def test_seeds__a_list__one_per_row() -> None:
    env = vector_env(3)
    turns = env.reset(seed=[7, 7, 8])
    assert env.seeds.tolist() == [7, 7, 8]
    packed = turns.observation["observation"]
    assert np.array_equal(packed[0], packed[1]) and not np.array_equal(packed[0], packed[2])


def test_reset__without_a_seed__differs_but_repeats_after_a_seeded_one() -> None:
    env, other = vector_env(2), vector_env(2)
    assert env.reset() and other.reset()
    assert not np.array_equal(env.seeds, other.seeds)
    second = []
    for one in (env, other):
        one.reset(seed=5)
        one.reset()
        second.append(one.seeds.tolist())
    assert second[0] == second[1] != [5, 6]


def test_configs__every_game_draws_one_by_its_seed() -> None:
    configs = [wk.Config(num_players=n, economy=name) for n in (2, 4) for name in ("Furs", "Marble", "Salvage")]
    env = vector_env(60, configs=configs)
    turns = env.reset(seed=1)
    drawn = [env.config(row) for row in range(60)]
    assert set(drawn) == set(configs)
    assert turns.n_players.tolist() == [config.num_players for config in drawn]
    again = vector_env(60, configs=configs)
    again.reset(seed=1)
    assert [again.config(row) for row in range(60)] == drawn


def test_generated_boards__are_the_engines() -> None:
    env = vector_env(12, boards="generated", n_generated=3)
    env.reset(seed=1)
    assert {env.config(row).boards for row in range(12)} == {"generated:0", "generated:1", "generated:2"}
    for row in range(12):
        assert env.game(row).to_bytes() == wk.new_game(env.config(row), int(env.seeds[row])).to_bytes()


def test_next_step__after_the_end__ignores_the_action_and_begins_anew() -> None:
    env = vector_env(1, autoreset_mode="next_step")
    turns = env.reset(seed=4)
    while not turns.terminated[0]:
        turns = env.step(env.sample_actions())
    assert env.is_over[0] and turns.rewards.any()
    assert np.flatnonzero(turns.action_mask[0]).tolist() == [wk.N_ACTIONS - 1]
    turns = env.step([123456])
    assert not env.is_over[0] and not turns.terminated[0] and not turns.illegal[0] and not turns.rewards.any()
    assert env.game(0).to_bytes() == wk.new_game(seed=5).to_bytes()


def test_disabled__reset_mask__begins_those_rows_only() -> None:
    env = vector_env(3, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=4)
    while not env.is_over.all():
        env.step(env.sample_actions())
    over = env.game(0).to_bytes()
    turns = env.reset(options={"reset_mask": np.array([False, True, True])})
    assert env.is_over.tolist() == [True, False, False]
    assert env.seeds.tolist() == [4, 5 + 3, 6 + 3]
    assert env.game(0).to_bytes() == over and not turns.terminated.any()
    env.reset(seed=[1, 2, 3], options={"reset_mask": np.array([True, False, False])})
    assert env.seeds.tolist() == [1, 8, 9]


def test_illegal_action__is_marked_costs_the_penalty_and_changes_nothing() -> None:
    env = vector_env(3, illegal_reward=-0.25)
    turns = env.reset(seed=1)
    legal = env.sample_actions().copy()
    illegal = int(np.flatnonzero(turns.action_mask[1] == 0)[0])
    before, seat = env.game(1).to_bytes(), turns.seat[1]
    turns = env.step([legal[0], illegal, legal[2]])
    assert turns.illegal.tolist() == [False, True, False]
    assert turns.rewards[1, seat] == np.float32(-0.25) and np.count_nonzero(turns.rewards) == 1
    assert env.game(1).to_bytes() == before
    assert env.n_steps.tolist() == [1, 0, 1]
    turns = env.step(env.sample_actions())
    assert not turns.illegal.any(), "the game goes on"


def test_wait__leaves_the_row_as_it_is() -> None:
    env = vector_env(2)
    turns = env.reset(seed=1)
    before, seen = env.game(0).to_bytes(), turns.observation["observation"][0].copy()
    turns = env.step([WAIT, env.sample_actions()[1]])
    assert env.game(0).to_bytes() == before and np.array_equal(turns.observation["observation"][0], seen)
    assert env.n_steps.tolist() == [0, 1]


def test_sample_actions__same_generator__same_actions_all_of_them_legal() -> None:
    env = vector_env(50)
    turns = env.reset(seed=1)
    drawn = [env.sample_actions(np.random.default_rng(4)).copy() for _ in range(2)]
    assert np.array_equal(drawn[0], drawn[1])
    assert turns.action_mask[np.arange(50), drawn[0]].all()
    assert len(np.unique(drawn[0])) > 10
    first = env.sample_actions().copy()
    assert not np.array_equal(first, env.sample_actions()), "the own stream goes on"
    env.reset(seed=1)
    assert np.array_equal(env.sample_actions(), first), "and repeats with the seed"


def test_buffers__are_the_environments_own_and_a_copy_is_not() -> None:
    env = vector_env(2, observation="planes")
    first = env.reset(seed=1)
    kept, rewards = first.copy(), first.rewards
    second = env.step(env.sample_actions())
    for old, new in ((first.action_mask, second.action_mask), (rewards, second.rewards)):
        assert np.shares_memory(old, new)
    for name in ("observation", "vector"):
        assert np.shares_memory(first.observation[name], second.observation[name])
        assert not np.array_equal(kept.observation[name], second.observation[name])


def test_spaces__hold_what_is_shown() -> None:
    for form in ("planes", "packed"):
        env = vector_env(2, observation=form)
        turns = play(env, 60)
        for row in range(2):
            assert env.single_observation_space.contains({k: v[row] for k, v in turns.observation.items()})
        assert turns.action_mask.dtype == np.int8 and turns.rewards.dtype == np.float32
        assert turns.terminated.dtype == turns.illegal.dtype == bool
        action = env.single_action_space.sample(mask=turns.action_mask[0])
        assert turns.action_mask[0, action]


@pytest.mark.parametrize("form", ["planes", "packed", None])
def test_copies__in_the_middle__go_on_alike(form: str | None) -> None:
    env = vector_env(4, num_players=(2, 3), observation=form, autoreset_mode="next_step")
    play(env, 150)
    state = env.get_state()
    twins = [env.clone(), pickle.loads(pickle.dumps(env))]
    later = vector_env(4, num_players=(2, 3), observation=form, autoreset_mode="next_step")
    later.set_state(pickle.loads(pickle.dumps(state)))
    twins.append(later)
    at_once = buffers(env)
    for _ in range(120):
        actions = env.sample_actions().copy()
        env.step(actions)
        for twin in twins:
            assert np.array_equal(twin.sample_actions(), actions)
            twin.step(actions)
    assert buffers(env) != at_once
    assert all(buffers(twin) == buffers(env) for twin in twins)
    env.set_state(state)
    assert buffers(env) == at_once, "the state is not touched by playing on"


def test_set_state__of_another_kind__is_refused_and_changes_nothing() -> None:
    env = vector_env(4)
    env.reset(seed=1)
    before = buffers(env)
    other = vector_env(3)
    other.reset(seed=1)
    planes = vector_env(4, observation="planes")
    planes.reset(seed=1)
    for wrong in (other.get_state(), planes.get_state(), {}, None, {"name": "winter_kingdom_v1", "batch": {}}):
        with pytest.raises(ValueError, match=r"does not fit|get_state\(\)"):
            env.set_state(wrong)  # type: ignore[arg-type]
    assert buffers(env) == before


def test_render__a_row__in_every_mode() -> None:
    for mode, kind in (("ansi", str), ("svg", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = vector_env(2, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(1), kind)
    with pytest.raises(ValueError, match="render_mode: human"):
        vector_env(1).render()


def test_twin__a_wrong_game__is_noticed() -> None:
    env = vector_env(2)
    turns = env.reset(seed=1)
    twin = Twin(env, 0)
    twin.step(int(env.sample_actions()[0]))
    with pytest.raises(AssertionError):
        twin.check(turns, "packed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, r"num_envs=0: an integer from 1 to"),
        ({"num_threads": 999}, r"num_threads=999: this process may use \d+ cores; give 1 to \d+"),
        ({"num_threads": 0}, "num_threads=0"),
        ({"observation": "pixels"}, r"observation='pixels' is not valid; choose from: 'planes', 'packed'"),
        ({"reward": "fun"}, r"reward='fun' is not valid; choose from: 'win', 'margin', 'score'"),
        ({"autoreset_mode": "later"}, r"autoreset_mode='LATER' is not valid; choose from: 'DISABLED'"),
        ({"render_mode": "film"}, r"render_mode='film' is not valid"),
        ({"num_players": 5}, "for 2, 3 or 4 players"),
        ({"num_players": ()}, "give a number of players"),
        ({"economy": "Gold"}, "economy='Gold' is not a card"),
        ({"configs": []}, "at least one winter_kingdom Config"),
        ({"configs": [wk.Config()], "economy": "Furs"}, "they determine everything"),
        ({"configs": [wk.Config(boards="generated")]}, "generated:5"),
        ({"n_generated": 0, "boards": "generated"}, "n_generated=0"),
    ],
)
def test_vector_env__wrong_option__says_what_would_work(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        vector_env(**{"num_envs": 2, **options})


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([1], "for each of the 2 rows"),
        ([0.5, 1.0], "found float64"),
        ([[1, 2]], r"shape \(1, 2\)"),
        (None, "found object"),
    ],
)
def test_step__wrong_actions__are_refused(actions: Any, message: str) -> None:
    env = vector_env(2)
    env.reset(seed=1)
    before = buffers(env)
    with pytest.raises(ValueError, match=message):
        env.step(actions)
    assert buffers(env) == before


def test_reset__wrong_arguments__are_refused() -> None:
    env = vector_env(2)
    for call in (lambda: env.step([0, 0]), env.sample_actions, lambda: env.game(0)):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    for seed in (-1, 1 << 63, True, [1, 2, 3], ["a", 1]):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="first reset starts all games"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    for options in ({"mask": 1}, {"reset_mask": np.array([0, 1])}, {"reset_mask": np.zeros(2, bool)}):
        with pytest.raises(ValueError, match="options"):
            env.reset(options=options)
