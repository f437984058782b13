"""One learner against opponents: copies of a running game, and states to go back to."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from tests.api.episodes import NAME, begun, play
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.search.view import View


def first(view: View) -> int:
    return view.legal_actions()[0]


def by_state(env: SingleEnv) -> SingleEnv:
    twin = begun(99, num_players=3, learner_seat="random", reward="score", observation="packed")
    twin.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return twin


COPIES: dict[str, Callable[[SingleEnv], SingleEnv]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
    "clone": SingleEnv.clone,
    "state": by_state,
}


@pytest.mark.parametrize("way", COPIES)
def test_copy__in_the_middle_of_a_game__goes_on_like_the_original_and_apart(way: str) -> None:
    env = begun(5, num_players=3, learner_seat="random", reward="score", observation="packed")
    play(env, 15)
    before = env.game.to_bytes()
    twin = COPIES[way](env)
    ahead = play(twin), twin.reset()
    assert env.game.to_bytes() == before
    assert data_equivalence((play(env), env.reset()), ahead, exact=True)


def test_copy__before_the_first_reset__begins_the_same_game() -> None:
    twin = pickle.loads(pickle.dumps(SingleEnv(NAME, opponents=first)))
    assert data_equivalence(twin.reset(seed=2), SingleEnv(NAME, opponents=first).reset(seed=2), exact=True)


def test_set_state__twice__the_state_is_not_used_up() -> None:
    env = begun()
    play(env, 10)
    state = env.get_state()
    ahead = play(env, 10)
    for _ in range(2):
        env.set_state(state)
        assert data_equivalence(play(env, 10), ahead, exact=True)


@pytest.mark.parametrize("other", [{"num_players": 3}, {"reward": "score"}, {"skip_forced": True}])
def test_set_state__of_another_environment__raises_and_changes_nothing(other: dict[str, Any]) -> None:
    env = begun()
    before = env.game.to_bytes()
    wrong: tuple[Any, ...] = (begun(**other).get_state(), {"game": 1})
    for state in wrong:
        with pytest.raises(ValueError, match="state"):
            env.set_state(state)
    assert env.game.to_bytes() == before


def opponent_of(env: SingleEnv) -> Any:
    """The opponent that sits in the game."""
    assert env._episode is not None
    return env._episode.opponents[0]


def test_clone__reseeded__looks_the_same_to_the_learner_and_hides_what_comes() -> None:
    env = begun(5)
    play(env, 20)
    twins = [env.clone(reseed=seed) for seed in (1, 1, 2)]
    for twin in twins:
        assert data_equivalence(twin._observation(), env._observation(), exact=True)
        assert np.array_equal(twin.action_masks(), env.action_masks())
        assert twin.game_seed is None and "seed" not in twin._info()
        assert twin.np_random_seed != env.np_random_seed == 5
        assert twin.np_random.bit_generator.state != env.np_random.bit_generator.state
    same, again, other = [twin.game.to_bytes() for twin in twins]
    assert same == again != other
    assert env.game.to_bytes() not in (same, other)
    streams = [opponent_of(twin)._stream.state for twin in (env, *twins)]
    assert streams[1] == streams[2]
    assert len(set(streams)) == 3
    assert data_equivalence(play(twins[0]), play(twins[1]), exact=True)
    seeds = []
    for twin in (env, *twins):
        twin.reset()
        seeds.append(twin.game_seed)
    assert seeds[1] == seeds[2]
    assert len(set(seeds)) == 3


class Counting:
    """An opponent that is an object and counts its moves."""

    def __init__(self) -> None:
        self.n = 0

    def __call__(self, view: View) -> int:
        self.n += 1
        return view.legal_actions()[0]


def test_clone__reseeded__opponent_that_is_an_object__is_a_copy() -> None:
    opponent = Counting()
    env = begun(5, opponents=opponent)
    play(env, 5)
    asked = opponent.n
    twin = env.clone(reseed=1)
    play(twin, 5)
    assert opponent.n == asked > 0
    assert opponent_of(twin).n > asked
