"""States and pickles of environments: those of other environments and forged ones are refused by name, and change nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.winter_kingdom_v1 import learner_vector_env, raw_env, vector_env


def aec(**options: Any) -> Any:
    env = raw_env(**options)
    env.reset(seed=1)
    for _ in range(30):
        env.step(env.legal_actions()[0])
    return env


def single(**options: Any) -> Any:
    env = SingleEnv("winter_kingdom", **options)
    env.reset(seed=1)
    for _ in range(15):
        env.step(env.legal_actions()[0])
    return env


def vector(**options: Any) -> Any:
    env = vector_env(3, **options)
    env.reset(seed=1)
    for _ in range(60):
        env.step(env.sample_actions())
    return env


def picture(env: Any) -> bytes:
    return pickle.dumps(env.get_state())


def assert_refused(env: Any, state: Any, words: str) -> None:
    before = picture(env)
    with pytest.raises(ValueError, match=words):
        env.set_state(state)
    assert picture(env) == before


# Other environments


@pytest.mark.parametrize(
    ("maker", "options", "words"),
    [
        (aec, {"economy": "Furs"}, "economy does not fit: 'Furs' there, None here"),
        (aec, {"twist": "Boom"}, "twist does not fit"),
        (aec, {"boards": "generated:3"}, "boards does not fit: 'generated:3' there"),
        (single, {"economy": "Furs"}, "economy does not fit"),
        (single, {"learner_seat": 1}, "learner_seat does not fit: 1 there, 0 here"),
        (single, {"illegal_reward": -3.0}, "illegal_reward does not fit: -3.0 there, -1.0 here"),
        (single, {"opponents": lambda view: view.legal_actions()[0]}, "opponents does not fit"),
        (vector, {"num_players": 3}, "configs does not fit"),
        (vector, {"twist": "Boom"}, "configs does not fit"),
        (vector, {"reward": "score"}, "reward does not fit"),
        (vector, {"skip_forced": True}, "skip_forced does not fit"),
        (vector, {"illegal_reward": -3.0}, "penalty does not fit"),
        (vector, {"autoreset_mode": "disabled"}, "autoreset does not fit"),
        (vector, {"observation": "planes"}, "form does not fit"),
    ],
)
def test_set_state__of_an_environment_with_other_options__is_refused_by_the_option(
    maker: Callable[..., Any], options: dict[str, Any], words: str
) -> None:
    env = maker()
    assert_refused(env, maker(**options).get_state(), words)
    env.set_state(maker().get_state())


# Something forged


@pytest.mark.parametrize("maker", [aec, single])
@pytest.mark.parametrize(("field", "value"), [("seat", 77), ("phase", 44), ("coins", -1), ("n_draw", 127)])
def test_set_state__an_impossible_game__is_refused_by_its_field(
    maker: Callable[..., Any], field: str, value: int
) -> None:
    env = maker()
    state = env.get_state()
    game = state._values["_game"] if maker is aec else state._values["episode"].game
    game.record[field] = value
    assert_refused(env, state, rf"the saved game is refused: {field}\b")


AEC_FORGERIES: list[tuple[str, Any]] = [
    ("agents", ["player_7"]), ("agents", None), ("agent_selection", "player_7"), ("rewards", {}), ("rewards", {"player_0": float("nan"), "player_1": 0.0}),
    ("_cumulative_rewards", {"player_0": "much", "player_1": 0.0}), ("terminations", {"player_0": 1, "player_1": 0}), ("truncations", None), ("infos", []),
    ("_skip_agent_selection", 5), ("_game", None), ("_purse", None), ("seeds", 7), ("about", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), AEC_FORGERIES)
def test_set_state__aec__something_else_in_a_value__is_refused_by_name(name: str, value: Any) -> None:
    env = aec()
    state = env.get_state()
    state._values[name] = value
    assert_refused(env, state, name.strip("_"))
    del state._values[name]
    assert_refused(env, state, name)


def test_set_state__aec__an_agent_that_is_not_to_move__is_refused() -> None:
    env = aec()
    state = env.get_state()
    other = next(agent for agent in env.possible_agents if agent != env.agent_selection)
    state._values["agent_selection"] = other
    assert_refused(env, state, f"agent_selection is '{other}', which is not to act")


@pytest.mark.parametrize("scores", [np.zeros(0, np.int64), np.zeros(4, np.float64), np.full(4, 1 << 60)])
def test_set_state__a_purse_that_cannot_pay__is_refused(scores: np.ndarray) -> None:
    env = aec(reward="score")
    state = env.get_state()
    state._values["_purse"]._scores = scores
    assert_refused(env, state, "purse")


SINGLE_FORGERIES: list[tuple[str, Any]] = [
    ("game", None), ("seat", 5), ("seat", 1), ("seed", "x"), ("purse", None), ("opponents", []), ("opponents", [3]), ("mask", np.ones(3, bool)),
    ("mask", np.ones(layout.N_ACTIONS, bool)), ("is_over", True),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), SINGLE_FORGERIES)
def test_set_state__single__something_else_in_an_episode__is_refused_by_name(name: str, value: Any) -> None:
    env = single()
    state = env.get_state()
    setattr(state._values["episode"], name, value)
    assert_refused(env, state, name)


VECTOR_FORGERIES: list[tuple[str, str | None, Any]] = [
    ("rows", "config", 99), ("rows", "seat", 3), ("rows", "n_players", 4), ("rows", "is_over", True), ("rows", "n_steps", -1), ("rows", "rewards", np.nan),
    ("rows", "spare", 1), ("games", "seat", 9), ("games", "phase", 77), ("games", "hand", 0), ("boards", "n_players", 9), ("boards", "economy", 70),
    ("legals", "others", 9), ("legals", "others", 1 << 60), ("sheets", None, 30000), ("finals", None, -5), ("masks", None, 1), ("packed", None, 12345),
]  # fmt: skip


@pytest.mark.parametrize(("name", "field", "value"), VECTOR_FORGERIES)
def test_set_state__vector__something_else_in_a_row__is_refused_by_name(
    name: str, field: str | None, value: Any
) -> None:
    env = vector()
    state = env.get_state()
    row = state["batch"][name][1:2]
    (row if field is None else row[field])[...] = value
    named = field if name in ("games", "boards", "rows") else name
    assert_refused(env, state, rf"refused: (\w+\.)?{named}\b")


def test_set_state__vector__a_bool_that_is_neither__is_refused() -> None:
    env = vector()
    state = env.get_state()
    state["batch"]["rows"]["illegal"].view(np.uint8)[1] = 77
    assert_refused(env, state, r"rows.illegal\[1\] is neither True nor False")


@pytest.mark.parametrize("name", ["seeds", "picks", "is_begun", "batch", "about"])
def test_set_state__vector__something_else_beside_the_batch__is_refused_by_name(name: str) -> None:
    env = vector()
    state = env.get_state()
    state[name] = None
    assert_refused(env, state, name if name != "batch" else "games does not fit")
    del state[name]
    assert_refused(env, state, name)


def test_set_state__before_the_first_reset__is_taken_and_begins_nothing() -> None:
    env, other = vector(), vector_env(3)
    env.set_state(other.get_state())
    with pytest.raises(RuntimeError, match="no games have been started"):
        env.step(np.zeros(3, int))
    state = other.get_state()
    state["is_begun"] = True
    assert_refused(env, state, "refused")
    state["is_begun"], state["batch"]["games"]["hand"] = False, 7
    assert_refused(env, state, "no game has been started")


# Pickles


def test_pickle__of_an_impossible_game__is_refused() -> None:
    for env in (aec(), single()):
        env.game.record["seat"] = 9
        with pytest.raises(ValueError, match="refused: seat is 9"):
            pickle.loads(pickle.dumps(env))


def test_pickle__what_belongs_to_the_game_forged__is_refused() -> None:
    env: Any = aec()
    env.agent_selection = "player_8"
    with pytest.raises(ValueError, match="agent_selection"):
        pickle.loads(pickle.dumps(env))
    env = single()
    env._episode.seat = 1
    with pytest.raises(ValueError, match="seat"):
        pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize(("name", "field", "value"), VECTOR_FORGERIES)
def test_pickle__of_a_vector_environment__something_forged__is_refused(
    name: str, field: str | None, value: Any
) -> None:
    env = vector()
    row = getattr(env.batch, name)[1:2]
    (row if field is None else row[field])[...] = value
    with pytest.raises(ValueError, match="refused"):
        pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize(
    ("name", "value"), [("form", 9), ("reward", -1), ("autoreset", 50), ("stride", 7), ("score_scale", np.inf)]
)
def test_pickle__of_a_batch_with_impossible_settings__is_refused(name: str, value: Any) -> None:
    env = vector()
    env.batch.about.settings[name] = value
    with pytest.raises(ValueError, match=rf"refused: {name}"):
        pickle.loads(pickle.dumps(env))


def test_pickle__boards_for_the_next_games_forged__are_refused() -> None:
    env = vector()
    env.batch.world = env.batch.world._replace(sides=env.batch.world.sides.copy())
    env.batch.world.sides[0, 0, 0] = 99
    with pytest.raises(ValueError, match="refused: sides"):
        pickle.loads(pickle.dumps(env))


def test_pickle__of_learners_where_nobody_sits__is_refused() -> None:
    env = learner_vector_env(3, observation="packed")
    env.reset(seed=1)
    assert np.array_equal(pickle.loads(pickle.dumps(env))._seats, env._seats)
    env._seats[1] = 3
    with pytest.raises(ValueError, match="_seats has a learner on a seat that does not exist"):
        pickle.loads(pickle.dumps(env))


def test_copies_and_pickles__of_sound_environments__go_on_alike() -> None:
    for env in (aec(), single()):
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            assert twin.game == env.game
            twin.step(twin.legal_actions()[0])
            assert twin.game != env.game
    for env in (vector(num_players=(2, 3), observation="planes"), vector(observation=None, reward="score")):
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            saved, other = env.batch.save(), twin.batch.save()
            assert all(saved[name].tobytes() == other[name].tobytes() for name in saved)
            twin.step(twin.sample_actions())
            assert twin.batch.games.tobytes() != env.batch.games.tobytes()
