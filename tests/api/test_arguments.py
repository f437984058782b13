"""Arguments from outside: what only looks like a number, a truth value or an action is refused in one sentence; nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.perft import count_by_reference
from tests.fuzz.arguments import DOORS, Arguments
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.envs.vector import WAIT
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.base import BaseGame
from winterkingdom_env.reference.winter_kingdom.game import ReferenceGame

N_ACTIONS = wk.N_ACTIONS


@pytest.mark.parametrize("where", DOORS)
def test_every_door__wrong_argument__is_refused_in_one_sentence_and_changes_nothing(where: str) -> None:
    complaints, n_values = [], 0
    for door in DOORS[where]():
        for value in door.wrong:
            n_values += 1
            try:
                door.refuses(value)
            except AssertionError as complaint:
                complaints.append(str(complaint))
    assert not complaints, f"{len(complaints)} of {n_values}:\n" + "\n".join(complaints)
    assert n_values > 500


def test_fuzz__wrong_arguments__some_attempts(tmp_path: Path) -> None:
    part = Arguments(tmp_path)
    assert {part.attempt(seed) for seed in range(300)} == {"refused"}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: winter_kingdom_v1.vector_env(2, illegal_reward=float("nan")), "illegal_reward=nan is not a valid reward"),
        (lambda: winter_kingdom_v1.vector_env(2, illegal_reward=None), "illegal_reward=None is not a valid reward"),  # type: ignore[arg-type]
        (lambda: winter_kingdom_v1.vector_env(2, skip_forced="no"), "skip_forced='no' is not valid; choose from: False, True"),  # type: ignore[arg-type]
        (lambda: winter_kingdom_v1.raw_env(skip_forced=1), "skip_forced=1 is not valid; choose from: False, True"),  # type: ignore[arg-type]
        (lambda: winter_kingdom_v1.vector_env(2.0), "num_envs=2.0: an integer from 1 to "),  # type: ignore[arg-type]
        (lambda: winter_kingdom_v1.vector_env(2, num_players=None), "num_players=None: Winter Kingdom is for 2, 3 or 4"),  # type: ignore[arg-type]
        (lambda: winter_kingdom_v1.raw_env(viewer=True), "viewer=True is not valid; choose from: None, 0, 1"),
        (lambda: wk.perft(wk.new_game(), 1.5), "depth=1.5: an integer from 0 on is needed"),  # type: ignore[arg-type]
        (lambda: wk.perft(wk.new_game(), -1), "depth=-1: an integer from 0 on is needed"),
        (lambda: wk.new_game().observe(1.0), "seat=1.0: this game has the seats 0 to 1"),  # type: ignore[arg-type]
        (lambda: wk.new_game({"num_players": 3}), r"is not a Config; give one, such as Config\(num_players=3\)"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_wrong_argument__the_sentence_says_what_would_work(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.rule("p. 2, set-up")
def test_from_setup__one_board_at_the_top_and_at_the_bottom__is_refused_by_both_engines() -> None:
    setup = wk.new_game(seed=1).setup()
    setup["bottom_board"] = setup["top_board"]
    with pytest.raises(wk.SetupError, match=r"two different outer boards are needed, found . twice"):
        wk.from_setup(setup)
    with pytest.raises(ValueError, match=r"two different boards are needed, found . twice"):
        ReferenceGame(setup)


def test_count_by_reference__of_a_fraction__is_refused() -> None:
    reference = ReferenceGame(wk.new_game(seed=1).setup())
    with pytest.raises(ValueError, match=r"depth=1\.5: an integer from 0 on"):
        count_by_reference(reference, 1.5)  # type: ignore[arg-type]


def test_numpy_numbers__where_numbers_are_asked_for__are_taken() -> None:
    two: Any = np.int64(2)
    one: Any = np.uint8(1)
    seven: Any = np.int64(7)
    no: Any = np.False_
    env = winter_kingdom_v1.vector_env(
        two, np.int32(1), num_players=two, skip_forced=np.True_, illegal_reward=np.float32(-0.5), n_generated=one  # type: ignore[arg-type]
    )  # fmt: skip
    env.reset(seed=seven)
    assert env.game(one).n_players == 2 and env.config(two - 2).num_players == 2
    env.step(env.sample_actions().astype(np.uint64))
    env.step(env.sample_actions().astype(np.int16))
    env.step(env.sample_actions().astype(">i8"))
    assert not env._rows("illegal").any()
    single = winter_kingdom_v1.single_env(num_players=two, learner_seat=one, viewer=one, skip_forced=no)
    single.reset(seed=int(two))
    single.step(np.array(single.legal_actions()[0]))
    game = wk.new_game(wk.Config(num_players=two), np.uint64(3))  # type: ignore[arg-type]
    assert type(game.config.num_players) is int and type(game.seed) is int
    game.determinize(one, two)
    assert wk.perft(game, one) == len(game.legal_actions())
    env = winter_kingdom_v1.vector_env(2, num_players=np.array([2, 3]))  # type: ignore[arg-type]
    assert {config.num_players for config in env.configs} == {2, 3}


def test_vector_step__numbers_that_are_no_actions__are_illegal_and_wait_waits() -> None:
    env = winter_kingdom_v1.vector_env(4)
    env.reset(seed=1)
    turns = env.step([N_ACTIONS, -2, np.iinfo(np.int64).max, WAIT])
    assert turns.illegal.tolist() == [True, True, True, False]
    turns = env.step(np.full(4, np.iinfo(np.int64).max, np.uint64))
    assert turns.illegal.all()


def test_learner__waits__is_illegal() -> None:
    env = winter_kingdom_v1.learner_vector_env(2, illegal_reward=-0.5)
    env.reset(seed=1)
    legal = env.sample_actions()
    _, rewards, _, _, infos = env.step(np.array([WAIT, legal[1]]))
    assert infos["illegal"].tolist() == [True, False] and rewards[0] == -0.5


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda n: np.full(n, WAIT), r"an opponent's action -?\d+ is not legal"),
        (lambda n: np.full(n, -1, "m8[s]"), "an integer for each of the . rows is needed, found timedelta64"),
        (lambda n: np.full(n, (1 << 64) - 1, np.uint64), "18446744073709551615 in row 0 is not an action"),
        (lambda n: np.full(n, 0.5), "found float64"),
        (lambda n: np.zeros(n + 1, int), "found int64 of shape"),
        (lambda n: None, "found object"),
    ],
)
def test_opponent__answers_with_no_action__is_refused_and_not_asked_for_ever(answer: Any, sentence: str) -> None:
    n_asked = 0

    def opponent(seen: Any, masks: np.ndarray, seats: Any) -> Any:
        nonlocal n_asked
        n_asked += 1
        assert n_asked < 100, "it is asked again and again"
        return answer(len(masks))

    env = winter_kingdom_v1.learner_vector_env(2, opponents=opponent, learner_seat=1)
    with pytest.raises(ValueError, match=sentence):
        env.reset(seed=1)
    assert n_asked == 1


def test_game__says_that_it_is_for_one_thread() -> None:
    assert "one thread at a time" in (BaseGame.__doc__ or "")
