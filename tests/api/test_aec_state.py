"""The AEC environment in the middle of a game: copies, saved states, forced actions, illegal ones, and every mistake."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.api.test_aec import (
    MAKERS,
    all_sizes,
    assert_same,
    begun,
    both_makers,
    expected_totals,
    finished,
    picture,
    raw_env,
    walk,
)
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.envs.aec import NoGameError, RawEnv
from winterkingdom_env.envs.common import State
from winterkingdom_env.games import winter_kingdom as wk

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
}
both_copies = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def assert_go_on_alike(one: Any, other: Any, n_games: int = 2) -> None:
    """To the end and through the next games, which no seed begins, both show and pay the same."""
    for i in range(n_games):
        if i:
            one.reset()
            other.reset()
        walks = (walk(env, random.Random(i)) for env in (one, other))
        for (agent, seen), (other_agent, other_seen) in zip(*walks, strict=True):
            assert agent == other_agent and seen[1:] == other_seen[1:]
            assert_same(seen[0], other_seen[0])
        assert picture(one) == picture(other)


# Copies


@both_makers
@both_copies
@pytest.mark.parametrize("n_steps", [0, 1, 40, 90])
def test_copy__mid_game__goes_on_alike_and_alone(
    maker: Callable[..., Any], copied: Callable[[Any], Any], n_steps: int
) -> None:
    env = begun(maker(num_players=3, reward="score", twist="random"), n_steps=n_steps)
    env.action_space("player_0").seed(3)
    twin = copied(env)
    before = picture(env)
    assert picture(twin) == before
    draws = [[int(e.action_space("player_0").sample()) for _ in range(5)] for e in (env, twin)]
    assert draws[0] == draws[1], "the copy draws on as the original does"
    begun(twin, seed=99, n_steps=20)
    assert picture(env) == before
    assert_go_on_alike(env, copied(env))


@both_makers
@both_copies
def test_copy__before_reset_and_after_the_end__works_too(
    maker: Callable[..., Any], copied: Callable[[Any], Any]
) -> None:
    fresh = copied(maker(economy="Furs"))
    fresh.reset(seed=4)
    assert fresh.unwrapped.game == wk.new_game(wk.Config(economy="Furs"), 4)
    env = finished(maker(num_players=3))
    env.step(None)
    twin = copied(env)
    assert twin.agents == ["player_1", "player_2"] and twin.last()[1] == env.last()[1] != 0
    assert_go_on_alike(env, twin)


def test_clone__mid_game__is_the_same_game_and_independent() -> None:
    env = begun(raw_env(reward="score"))
    twin = env.clone()
    before = picture(env)
    assert picture(twin) == before and twin.game is not env.game
    assert_go_on_alike(twin, env.clone())
    assert picture(env) == before
    assert twin.action_space("player_0") is not env.action_space("player_0")


@all_sizes
def test_clone__reseeded__the_mover_sees_the_same_and_the_rest_is_dealt_anew(num_players: int) -> None:
    env = begun(raw_env(num_players=num_players, twist="random"), n_steps=25)
    mover = env.agent_selection
    seat = env.possible_agents.index(mover)
    others = [other for other in range(num_players) if other != seat]
    dealt = set()
    for reseed in range(5):
        twin = env.clone(reseed=reseed)
        assert twin.agent_selection == mover and twin.legal_actions() == env.legal_actions()
        assert_same(twin.observe(mover), env.observe(mover))
        assert all((twin.state()[other] != env.state()[other]).any() for other in others)
        assert twin.game == env.clone(reseed=reseed).game == env.game.determinize(seat, reseed)
        dealt.add(twin.game.to_bytes())
    assert len(dealt) == 5 and env.game.to_bytes() not in dealt


def test_clone__reseeded__does_not_tell_the_seed_nor_the_next_game() -> None:
    env = begun(raw_env())
    twin = env.clone(reseed=1)
    assert env.game_seed == 7 and twin.game_seed is None
    for _, seen in walk(twin, random.Random(1)):
        assert "seed" not in seen[4]
    twin.reset()
    env.reset()
    assert twin.game_seed != env.game_seed


# Saved states


@both_makers
@pytest.mark.parametrize("n_steps", [0, 30])
def test_set_state__earlier_state__everything_is_as_it_was(maker: Callable[..., Any], n_steps: int) -> None:
    env = begun(maker(num_players=4, reward="score"), n_steps=n_steps)
    state, before = env.get_state(), picture(env)
    for _ in range(2):  # the second time shows that going on from the state has not touched it
        for agent in env.agents:
            env.infos[agent]["round"] = 77
        for _ in range(5):
            env.step(env.legal_actions()[0])
        env.reset()
        env.set_state(state)
        assert picture(env) == before
    other = begun(maker(num_players=4, reward="score"), seed=60, n_steps=3)
    other.set_state(pickle.loads(pickle.dumps(state)))
    assert_go_on_alike(env, other)


def test_set_state__into_a_new_environment_of_another_form__needs_no_reset() -> None:
    env, other = finished(raw_env()), raw_env(observation="packed")
    other.set_state(env.get_state())
    assert picture(other) == picture(env) and other.last()[0]["observation"].dtype == np.uint32
    env.step(None)
    other.set_state(env.get_state())
    assert other.agents == ["player_1"] and other.last()[1] == env.last()[1] != 0


def test_set_state__wrapped__actions_are_judged_by_the_new_position() -> None:
    env = begun(winter_kingdom_v1.env(), n_steps=0)
    state, legal = env.get_state(), set(env.legal_actions())
    while not (only_there := legal - set(env.legal_actions())):
        env.step(env.legal_actions()[0])
    env.last()
    env.set_state(state)
    env.step(only_there.pop())
    assert not any(env.terminations.values())


def test_set_state__foreign_state__is_refused_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    env = begun(raw_env())
    before = picture(env)
    options: list[dict[str, Any]] = [{"num_players": 3}, {"reward": "score"}, {"skip_forced": True}]
    others = [begun(raw_env(**option), n_steps=1) for option in options]
    for name, value in (("NAME", "other_kingdom"), ("ENV_VERSION", "v9")):
        with monkeypatch.context() as patch:
            patch.setattr(wk, name, value)
            others.append(begun(raw_env(), n_steps=1))
    parts = ("3 players", "reward='score'", "skip_forced=True", "other_kingdom_v1", "winter_kingdom_v9")
    for other, part in zip(others, parts, strict=True):
        with pytest.raises(ValueError, match=f"{part}.*; this is winter_kingdom_v1 for 2 players"):
            env.set_state(other.get_state())
    things: list[Any] = [None, {}, env.game, pickle.dumps(env.get_state())]
    for thing in things:
        with pytest.raises(ValueError, match=rf"a {type(thing).__name__} is not a state.*get_state\(\)"):
            env.set_state(thing)
    assert picture(env) == before
    assert isinstance(env.get_state(), State) and len(repr(env.get_state())) < 120


# The common state


@all_sizes
def test_state__whole_game__is_every_seats_packed_observation(num_players: int) -> None:
    env = raw_env(num_players=num_players)
    env.reset(seed=9)
    n_seen = 0
    for _ in walk(env, random.Random(9)):
        state = env.state()
        assert env.state_space.contains(state) and state.dtype == np.uint32
        expected = [env.game.observe(seat, "packed")["observation"] for seat in range(num_players)]
        np.testing.assert_array_equal(state, expected)
        n_seen += 1
    assert n_seen > 100


# Forced actions


@all_sizes
@pytest.mark.parametrize("reward", ["win", "score"])
def test_skip_forced__random_games__nobody_is_asked_and_the_game_is_the_engines(num_players: int, reward: str) -> None:
    n_forced, n_forced_ends = 0, 0
    for seed in range(8):
        env = raw_env(num_players=num_players, skip_forced=True, reward=reward, twist="random")
        game, rng = wk.new_game(wk.Config(num_players=num_players, twist="random"), seed), random.Random(seed)
        env.reset(seed=seed)
        told = dict.fromkeys(env.agents, 0.0)
        while not game.is_over:
            assert len(env.legal_actions()) > 1 and env.game == game
            told[env.agent_selection] += env.last()[1]
            action = rng.choice(game.legal_actions())
            env.step(action)
            game.apply(action)
            while len(game.legal_actions()) == 1:
                game.apply(game.legal_actions()[0])
                n_forced += 1
                n_forced_ends += game.is_over
        assert env.game == game and all(env.terminations.values())
        for agent, (_, paid, _, _, _) in walk(env, rng):
            told[agent] += paid
        assert list(told.values()) == pytest.approx(expected_totals(reward, game.scores()))
    assert n_forced > 20 and n_forced_ends > 0


# Illegal actions


@pytest.mark.parametrize("is_left", [False, True], ids=["all_step", "left_at_once"])
@all_sizes
def test_illegal_action__wrapped__costs_its_agent_and_the_next_game_is_untouched(
    num_players: int, is_left: bool
) -> None:
    env = winter_kingdom_v1.env(num_players=num_players, illegal_reward=-2.5)
    fresh = winter_kingdom_v1.env(num_players=num_players)
    for seed in (1, 2):
        begun(env, seed, n_steps=30)
        mover = env.agent_selection
        env.step(next(action for action in range(wk.N_ACTIONS) if action not in env.legal_actions()))
        assert all(env.terminations.values()) and all(env.truncations.values())
        assert env.rewards == {agent: -2.5 if agent == mover else 0 for agent in env.possible_agents}
        paid = {} if is_left else {agent: seen[1] for agent, seen in walk(env, random.Random(1))}
        assert is_left or paid == {agent: -2.5 if agent == mover else 0 for agent in env.possible_agents}
        env.reset(seed=seed + 10)
        fresh.reset(seed=seed + 10)
        assert_go_on_alike(env, fresh, 1)


def test_step__illegal_action__raises_and_changes_nothing() -> None:
    env = begun(raw_env())
    before, seen = picture(env), env.last()
    illegal = [action for action in range(wk.N_ACTIONS) if action not in env.legal_actions()]
    for action in illegal[:: len(illegal) // 50]:
        with pytest.raises(wk.IllegalActionError, match=rf"{wk.label(action)} \(action {action}\)"):
            env.step(action)
    assert picture(env) == before
    assert_same(env.last()[0], seen[0])


@pytest.mark.parametrize("thing", [None, "done", 1.5, -1, wk.N_ACTIONS, True, [3], np.float32(3)], ids=repr)
def test_step__not_an_action__raises_and_changes_nothing(thing: Any) -> None:
    env = begun(raw_env())
    before = picture(env)
    with pytest.raises(wk.InvalidActionError, match="is not an action: actions are the integers 0 to 1408"):
        env.step(thing)
    assert picture(env) == before


def test_step__after_the_end__only_none_and_then_a_reset() -> None:
    env = finished(raw_env())
    before = picture(env)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    assert picture(env) == before
    env.step(None)
    env.step(None)
    with pytest.raises(NoGameError, match=r"all agents have left it; call reset\(\)"):
        env.step(None)
    env.reset(seed=1)
    assert env.agents == env.possible_agents and not any(env.terminations.values())


# Mistakes


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0), lambda env: env.last(), lambda env: env.observe("player_0"), lambda env: env.state(),
        lambda env: env.legal_actions(), lambda env: env.get_state(), lambda env: env.clone(reseed=1), lambda env: env.game,
        lambda env: env.agents, lambda env: env.num_agents, lambda env: env.rewards, lambda env: next(iter(env.agent_iter())),
    ],
)  # fmt: skip
def test_raw_env__before_reset__says_that_reset_is_needed(use: Callable[[Any], Any]) -> None:
    with pytest.raises(NoGameError, match=r"there is no game yet; call reset\(\) first"):
        use(raw_env())


def test_attributes__unknown__are_unknown() -> None:
    assert not hasattr(raw_env(), "agents") and hasattr(begun(raw_env()), "agents")
    with pytest.raises(AttributeError, match="RawEnv has no attribute 'colour'"):
        _ = begun(raw_env()).colour


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "points"}, "reward='points' is not valid; choose from: 'win', 'margin', 'score'"),
        ({"observation": "pixels"}, "observation='pixels' is not valid; choose from: 'planes', 'packed'"),
        (
            {"render_mode": "gif"},
            "render_mode='gif' is not valid; choose from: None, 'human', 'ansi', 'rgb_array', 'svg'",
        ),
        ({"viewer": 2}, "viewer=2 is not valid; choose from: None, 0, 1"),
        ({"skip_forced": "no"}, "skip_forced='no' is not valid; choose from: False, True"),
        ({"num_players": 5}, "2, 3 or 4 players"),
        ({"economy": "Alms"}, "economy='Alms' is not a card of this game; there are: Agriculture"),
        ({"colour": "red"}, "option='colour' is not valid; choose from: 'num_players'.*'reward'"),
    ],
    ids=str,
)
def test_make__bad_option__is_refused_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RawEnv(wk, **options)


@pytest.mark.parametrize("reward", ["much", None, True, 1j, float("nan")])
def test_env__bad_illegal_reward__is_refused_at_once(reward: Any) -> None:
    with pytest.raises(ValueError, match=r"illegal_reward=.* is not a valid reward"):
        winter_kingdom_v1.env(illegal_reward=reward)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed=-1: a seed is an integer from 0"),
        ({"seed": "x"}, "seed='x': a seed is an integer from 0"),
        ({"options": {"colour": "red"}}, "'colour' is not valid; choose from: 'config', 'setup'"),
        ({"options": {"options": 2}}, "'options' is not valid; choose from: 'config', 'setup'"),
        ({"options": {"config": {"colour": "red"}}}, "'colour' is not valid; choose from: 'num_players'"),
        ({"options": {"config": {"economy": "Alms"}}}, "economy='Alms' is not a card"),
        ({"options": {"config": {"num_players": 3}}}, "3 players in an environment for 2"),
        ({"options": {"config": 5}}, "neither a Config nor a dictionary"),
        ({"options": {"setup": wk.new_game(wk.Config(num_players=4), 1).setup()}}, "4 players in an environment for 2"),
        ({"options": {"setup": {"hexes": []}}}, "set-up"),
        ({"options": {"config": {}, "setup": {}}}, "either a config or a set-up"),
    ],
    ids=lambda value: str(value)[:50],
)  # fmt: skip
def test_reset__bad_argument__is_refused_and_the_game_goes_on(arguments: dict[str, Any], message: str) -> None:
    env = begun(raw_env())
    before = picture(env)
    with pytest.raises(ValueError, match=message):
        env.reset(**arguments)
    assert picture(env) == before


@pytest.mark.parametrize("name", ["observe", "observation_space", "action_space"])
@pytest.mark.parametrize("agent", ["player_2", 0, None])
def test_agent__unknown__is_named_with_those_that_there_are(name: str, agent: Any) -> None:
    with pytest.raises(ValueError, match=f"agent={agent!r} is not valid; choose from: 'player_0', 'player_1'"):
        getattr(begun(raw_env()), name)(agent)


# Pictures


def test_render__without_a_mode__warns_and_shows_nothing() -> None:
    with pytest.warns(UserWarning, match="render_mode= one of"):
        assert begun(raw_env(), n_steps=1).render() is None


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_render__human__shows_the_reset_and_every_step(
    maker: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    for n_steps in (0, 3):
        begun(maker(render_mode="human"), n_steps=n_steps)
        assert capsys.readouterr().out.count("Castles") == n_steps + 1


def test_render__viewer__sees_its_own_hand_only() -> None:
    hands = [player["hand"] for player in begun(raw_env()).game.snapshot()["players"]]
    for viewer, seen in ((None, {0, 1}), (0, {0}), (1, {1})):
        text = " ".join(begun(raw_env(render_mode="ansi", viewer=viewer)).render().split())
        for seat, hand in enumerate(hands):
            assert hand and {re.search(rf"\b{card}\b", text) is not None for card in hand} == {seat in seen}


def test_reset__refused__leaves_the_next_games_as_they_were() -> None:
    seeds = []
    options: tuple[Any, ...] = (None, {"setup": {}}, {"config": {"num_players": 3}}, 5)
    for wrong in options:
        env = winter_kingdom_v1.raw_env()
        env.reset(seed=1)
        if wrong is not None:
            with pytest.raises(ValueError, match=r"set-up lacks|num_players=3|not a dictionary"):
                env.reset(seed=2, options=wrong)
        env.reset()
        seeds.append(env.game.seed)
    assert len(set(seeds)) == 1
