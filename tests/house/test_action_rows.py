"""The observation "actions" in every registered game: rows of the legal actions, in every environment, and nothing that a seat may not see."""

from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from tests.house.games import CONFIGS, NAMES, positions
from tests.house.test_environments import DICT_WARNINGS, configs, length
from tests.house.test_hidden import features_of, twins
from winterkingdom_env.envs.aec import RawEnv, wrap
from winterkingdom_env.envs.common import observation_space
from winterkingdom_env.envs.learner_vector import LearnerVectorEnv
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.envs.vector import WAIT, VectorEnv
from winterkingdom_env.games import Game, get_game
from winterkingdom_env.search.action_rows import ACTIONS, PARTS, ActionRows, count_rows, observe_as
from winterkingdom_env.search.listing import kept_index
from winterkingdom_env.search.network import kinds_of
from winterkingdom_env.search.view import View

every_game = pytest.mark.parametrize("name", NAMES)


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Assert that two observations are equal in all parts of the form."""
    for part in PARTS:
        np.testing.assert_array_equal(one[part], other[part], part)


def expected_actions(game: Game, seat: int) -> list[int]:
    """The actions that a seat's rows hold, if there is room for all."""
    if game.is_over:
        return [get_game(game.NAME).PASS]  # type: ignore[attr-defined]  # games have names
    return list(game.legal_actions()) if seat == game.seat else []


# The observation --------------------------------------------------------------------------------------------------------


@every_game
def test_rows__every_seat__are_its_legal_actions_with_their_features(name: str) -> None:
    rules, n_full = get_game(name), 0
    space, kinds = observation_space(rules, ACTIONS, has_mask=True), kinds_of(rules)
    for seed in range(len(CONFIGS[name])):
        for game in positions(name, seed):
            for seat in range(game.n_players):
                seen, legal = observe_as(game, seat, ACTIONS), expected_actions(game, seat)
                assert space.contains(seen), f"seed {seed}, seat {seat} of {game}"
                np.testing.assert_array_equal(seen["action_mask"], game.observe(seat, "packed")["action_mask"])
                np.testing.assert_array_equal(
                    seen["observation"][: rules.OBSERVATION.n_entries], game.observe(seat)["vector"]
                )
                n = int(seen["row_mask"].sum())
                assert n == min(len(legal), count_rows(rules)) and seen["row_mask"][:n].all()
                assert (seen["actions"][n:] == -1).all()
                assert not seen["features"][n:].any() and not seen["kinds"][n:].any()
                np.testing.assert_array_equal(seen["kinds"][:n], kinds[seen["actions"][:n]])
                if n == len(legal) and not game.is_over and seat == game.seat:
                    actions, features = features_of(game)
                    assert seen["actions"][:n].tobytes() == actions and seen["features"][:n].tobytes() == features
                    n_full += 1
                assert set(seen["actions"][:n].tolist()) <= set(legal)
    assert n_full > 10


@every_game
def test_rows__games_that_look_the_same__have_the_same(name: str) -> None:
    seen = set()
    for seed in range(len(CONFIGS[name])):
        dice = random.Random(seed)
        for game in positions(name, seed, 12):
            for seat in range(game.n_players):
                told = [
                    b"".join(observe_as(each, seat, ACTIONS)[part].tobytes() for part in PARTS)
                    for each in (game, *twins(game, seat, dice))
                ]
                assert told[0] == told[1] == told[2], f"seed {seed}, seat {seat} of {game}"
                seen.add(told[0])
    assert len(seen) > 50


@every_game
def test_view__rows__are_those_of_the_environments(name: str) -> None:
    for game in positions(name, 1):
        same(View(game, game.seat).observation(ACTIONS), observe_as(game, game.seat, ACTIONS))
    with pytest.raises(ValueError, match="the forms are: planes, packed, actions"):
        View(game, game.seat).observation("pixels")


@pytest.mark.parametrize("n_apart", [0, 1, 5, 19, 20, 40, 60])
def test_long_list__keeps_what_is_not_on_the_board_and_spreads_the_rest(n_apart: int) -> None:
    n, n_rows = 60, 20
    kept = [int(kept_index(row, n_rows, n, n_apart)) for row in range(n_rows)]
    first = n - n_apart
    on_board = [k for k in kept if k < first]
    assert kept == sorted(set(kept)) and len(kept) - len(on_board) == min(n_apart, n_rows)
    for part, least, most in ((on_board, 0, first - 1), ([k for k in kept if k >= first], first, n - 1)):
        if len(part) > 1:
            assert (part[0], part[-1]) == (least, most) and np.ptp(np.diff(part)) <= 1
    assert [int(kept_index(row, 60, n, n_apart)) for row in range(n)] == list(range(n))


def test_rows__written_for_other_games__leave_nothing_behind() -> None:
    rules = get_game(NAMES[0])
    games = sorted(positions(NAMES[0], 0), key=lambda game: -len(game.legal_actions()))
    rows: Any = ActionRows(rules, 1)
    for game in games:
        packed = game.observe(game.seat, "packed")["observation"][None]
        seen = {part: array[0] for part, array in rows.write(game._world, packed, np.array([game.seat])).items()}
        same(seen, observe_as(game, game.seat, ACTIONS))


# The environments -------------------------------------------------------------------------------------------------------


@every_game
def test_aec__pettingzoos_tests__pass(name: str) -> None:
    env = RawEnv(get_game(name), observation=ACTIONS, **CONFIGS[name][0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=2 * length(name, 0))
    told = {str(warning.message) for warning in caught}
    assert told == DICT_WARNINGS
    seed_test(lambda: wrap(RawEnv(get_game(name), observation=ACTIONS, **CONFIGS[name][0])), num_cycles=30)


@every_game
def test_aec__a_game_by_rows__ends(name: str) -> None:
    env, dice = RawEnv(get_game(name), observation=ACTIONS, **CONFIGS[name][-1]), random.Random(1)
    env.reset(seed=1)
    spaces = {agent: env.observation_space(agent) for agent in env.agents}
    while not env.game.is_over:
        agent = env.agent_selection
        seen = env.observe(agent)
        assert spaces[agent] is env.observation_space(agent) and spaces[agent].contains(seen)
        env.step(int(dice.choice(seen["actions"][seen["row_mask"] == 1])))


@every_game
def test_single__gymnasiums_check__passes(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about unbounded numbers, and actions drawn without a mask
        check_env(SingleEnv(name, observation=ACTIONS, **CONFIGS[name][0]), skip_render_check=True)


@every_game
@pytest.mark.parametrize("autoreset", ["SAME_STEP", "NEXT_STEP"])
def test_vector__every_row__is_that_of_the_game(name: str, autoreset: str) -> None:
    env = VectorEnv(get_game(name), 4, configs=configs(name), observation=ACTIONS, autoreset_mode=autoreset)
    turns, n_over = env.reset(seed=3), 0
    for step in range(3 * max(length(name, seed) for seed in range(len(CONFIGS[name]))) // 2):
        assert env.single_observation_space.contains({part: array[2] for part, array in turns.observation.items()})
        for row in range(4):
            game = env.game(row)
            same({part: array[row] for part, array in turns.observation.items()}, observe_as(game, game.seat, ACTIONS))
            n_over += game.is_over
        actions = env.sample_actions().copy()
        actions[step % 9 :: 9] = WAIT
        turns = env.step(actions)
    assert n_over or autoreset == "SAME_STEP"


@every_game
def test_vector__copies_and_states__go_on_alike(name: str) -> None:
    env = VectorEnv(get_game(name), 5, configs=configs(name), observation=ACTIONS)
    env.reset(seed=4)
    for _ in range(12):
        env.step(env.sample_actions())
    other = VectorEnv(get_game(name), 5, configs=configs(name), observation=ACTIONS)
    other.set_state(env.get_state())
    envs = [env, other, env.clone(), pickle.loads(pickle.dumps(env))]
    for _ in range(6):
        first, *others = [each.step(each.sample_actions()).observation for each in envs]
        for seen in others:
            same(first, seen)
            assert not any(np.shares_memory(first[part], seen[part]) for part in PARTS)


@every_game
def test_learner_vector__learner_and_opponents__see_their_own_rows(name: str) -> None:
    n_asked, ended = 0, 0

    def first_row(seen: dict[str, Any], masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        nonlocal n_asked
        n_asked += len(seats)
        actions: np.ndarray = seen["actions"][:, 0]
        assert masks[np.arange(len(seats)), actions].all()
        return actions

    env = LearnerVectorEnv(
        get_game(name), 4, num_players=CONFIGS[name][0]["num_players"], observation=ACTIONS, learner_seat="random", opponents=first_row
    )  # fmt: skip
    seen, infos = env.reset(seed=1)
    for _ in range(120):
        assert env.observation_space.contains(seen) and seen["row_mask"][:, 0].all()
        for row in range(4):
            game = env._games.game(row)
            same({part: array[row] for part, array in seen.items()}, observe_as(game, int(infos["seat"][row]), ACTIONS))
        before = {part: array.copy() for part, array in seen.items()}
        later, _, terminated, _, infos = env.step(seen["actions"][:, 0])
        same(seen, before)
        assert not infos["illegal"].any()
        seen, ended = later, ended + int(terminated.sum())
    assert n_asked > 40
