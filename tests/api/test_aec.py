"""The AEC environment: PettingZoo's own tests, spaces, rewards, seeds, options, and what every mistake is called."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from numpy.testing import assert_array_equal
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.games import winter_kingdom as wk

MAKERS: dict[str, Callable[..., Any]] = {"raw_env": winter_kingdom_v1.raw_env, "env": winter_kingdom_v1.env}
raw_env = winter_kingdom_v1.raw_env
both_makers = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
all_sizes = pytest.mark.parametrize("num_players", [2, 3, 4])
both_forms = pytest.mark.parametrize("form", ["planes", "packed"])

# PettingZoo keeps a list of its own environments whose observations may be dictionaries; all others get these two.
DICT_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


def walk(env: Any, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Random play from here to the end: every agent and its ``last()``, before it takes its step."""
    for agent in env.agent_iter():
        seen = env.last()
        yield agent, seen
        env.step(None if seen[2] or seen[3] else rng.choice(np.flatnonzero(seen[0]["action_mask"]).tolist()))


def begun(env: Any, seed: int = 7, n_steps: int = 40) -> Any:
    """The environment after some random steps of a game with this seed."""
    env.reset(seed=seed)
    rng = random.Random(seed)
    for _ in range(n_steps):
        env.step(rng.choice(env.legal_actions()))
    return env


def finished(env: Any, seed: int = 7) -> Any:
    """The environment at the end of a game, before the agents leave."""
    begun(env, seed, 0)
    rng = random.Random(seed)
    while not all(env.terminations.values()):
        env.step(rng.choice(env.legal_actions()))
    return env


def picture(env: Any) -> dict[str, Any]:
    """All that can be seen of a running environment, in plain values."""
    names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
    return {"game": env.unwrapped.game.to_bytes()} | {name: repr(getattr(env, name)) for name in names}


def assert_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Equal observations: the same parts, types and numbers."""
    assert one.keys() == other.keys()
    for name, part in one.items():
        assert part.dtype == other[name].dtype
        assert_array_equal(part, other[name], name)


# PettingZoo's own tests. Not used: max_cycles_test (no game here is cut off, and there is no parallel_env; see
# test_game__plays_to_its_end), save_obs_test (it is for images) and state_test as a whole (it needs a parallel_env).


@both_makers
@all_sizes
@both_forms
def test_api__pettingzoos_test__passes_with_the_warnings_for_dictionaries(
    maker: Callable[..., Any], num_players: int, form: str
) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(maker(num_players=num_players, observation=form, twist="random"), num_cycles=1000)
    assert {str(warning.message) for warning in caught} == DICT_WARNINGS


@both_makers
@pytest.mark.parametrize("options", [{}, {"num_players": 4, "reward": "score", "skip_forced": True}], ids=str)
def test_seeds__pettingzoos_test__passes(maker: Callable[..., Any], options: dict[str, Any]) -> None:
    seed_test(lambda: maker(**options), num_cycles=500)


@both_makers
def test_render__pettingzoos_test__passes_in_all_modes(
    maker: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert maker().metadata["render_modes"] == ["human", "ansi", "rgb_array", "svg"]
    custom = {
        "svg": lambda text: text.startswith("<svg") and text.rstrip().endswith("</svg>"),
        "ansi": lambda text: "Castles" in text,
        "rgb_array": lambda pixels: pixels.min() != pixels.max(),
    }
    render_test(maker, custom_tests=custom)
    assert "Castles" in capsys.readouterr().out


@both_makers
def test_state__pettingzoos_tests__pass(maker: Callable[..., Any]) -> None:
    check_state_space(maker())
    if maker is not raw_env:  # it draws actions without the mask
        check_state(maker(num_players=3), num_cycles=5)


def test_performance__pettingzoos_benchmark__runs_through_many_games(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(raw_env())
    rate = float(capsys.readouterr().out.split(" turns per second")[0].split()[-1])
    assert rate > 0  # how many is benchmarks/'s business: here every machine is fast enough


@all_sizes
def test_game__plays_to_its_end__every_agent_leaves_once_and_nobody_is_cut_off(num_players: int) -> None:
    env = winter_kingdom_v1.env(num_players=num_players)
    env.reset(seed=1)
    left, n_rounds = [], 0
    for agent, (_, _, terminated, truncated, info) in walk(env, random.Random(1)):
        assert not truncated
        n_rounds = max(n_rounds, info["round"])
        if terminated:
            left.append(agent)
    assert left == env.possible_agents == [f"player_{seat}" for seat in range(num_players)]
    assert env.agents == [] and env.rewards == env.terminations == env.truncations == env.infos == {}
    assert 5 < n_rounds <= 100


# Spaces and types


@both_makers
@both_forms
def test_spaces__asked_again__are_the_same_objects_and_differ_between_agents(
    maker: Callable[..., Any], form: str
) -> None:
    env = maker(observation=form)
    for name in ("observation_space", "action_space"):
        first = [getattr(env, name)(agent) for agent in env.possible_agents]
        env.reset(seed=1)
        assert [id(getattr(env, name)(agent)) for agent in env.agents] == [id(space) for space in first]
        assert first[0] is not first[1] and first[0] == first[1]


@both_forms
@all_sizes
def test_types__whole_game__are_those_of_the_spaces(form: str, num_players: int) -> None:
    env = raw_env(num_players=num_players, observation=form, reward="score", twist="random")
    env.reset(seed=2)
    words = wk.OBSERVATION.n_words
    shapes = {"packed": ((words,), np.uint32), "planes": (wk.OBSERVATION.planes_shape, np.uint8)}
    for agent, (seen, reward, terminated, truncated, info) in walk(env, random.Random(2)):
        assert env.observation_space(agent).contains(seen)
        assert seen["observation"].shape == shapes[form][0] and seen["observation"].dtype == shapes[form][1]
        assert ("vector" in seen) == (form == "planes")
        assert seen["action_mask"].dtype == np.int8 and seen["action_mask"].any() != terminated
        assert type(reward) is float and type(terminated) is type(truncated) is bool
        assert {type(value) for name in ("terminations", "truncations") for value in getattr(env, name).values()} == {
            bool
        }
        assert type(info["phase"]) is str and type(info["round"]) is int
        assert env.rewards.keys() == env.terminations.keys() == env.truncations.keys() == env.infos.keys()
        assert list(env.rewards) == env.agents
    assert type(env.action_space("player_0")) is spaces.Discrete
    assert env.metadata["name"] == str(env) == "winter_kingdom_v1"


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint16, np.array])
def test_step__any_kind_of_integer__is_an_action(kind: Callable[[int], Any]) -> None:
    env, plain = begun(raw_env()), begun(raw_env())
    action = env.legal_actions()[-1]
    env.step(kind(action))
    plain.step(action)
    assert picture(env) == picture(plain)


def test_observe__other_agents__have_an_empty_mask_and_sampling_takes_the_movers() -> None:
    env = begun(raw_env(num_players=3))
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert np.flatnonzero(mask).tolist() == (env.legal_actions() if agent == env.agent_selection else [])
    mask = env.last()[0]["action_mask"]
    drawn = {int(env.action_space(env.agent_selection).sample(mask)) for _ in range(200)}
    assert drawn <= set(env.legal_actions()) and len(drawn) > 1


def test_observation_and_infos__changed_by_the_caller__leave_the_environment_alone() -> None:
    env = begun(raw_env())
    before = env.last()[0]
    for part in env.last()[0].values():
        part[...] = 0
    env.infos["player_0"]["note"] = "mine"
    assert_same(env.last()[0], before)
    assert "note" not in env.infos["player_1"]


# Rewards


def expected_totals(kind: str, scores: list[int]) -> list[float]:
    if kind == "score":
        return [float(score) for score in scores]
    if kind == "margin":
        means = [(sum(scores) - score) / (len(scores) - 1) for score in scores]
        return [(score - mean) / wk.SCORE_SCALE for score, mean in zip(scores, means, strict=True)]
    won = [score == max(scores) for score in scores]
    if all(won):
        return [0.0] * len(scores)
    return [1 / sum(won) if has_won else -1 / (len(won) - sum(won)) for has_won in won]


@both_makers
@all_sizes
@pytest.mark.parametrize("kind", ["win", "margin", "score"])
def test_rewards__random_games__what_last_told_adds_up(maker: Callable[..., Any], kind: str, num_players: int) -> None:
    env = maker(num_players=num_players, reward=kind)
    for seed in (3, 4):
        env.reset(seed=seed)
        told = dict.fromkeys(env.possible_agents, 0.0)
        for agent, (_, reward, terminated, _, _) in walk(env, random.Random(seed)):
            told[agent] += reward
            if kind != "score" and not terminated:
                assert not any(env.rewards.values()) and reward == 0
        scores = env.unwrapped.game.scores()
        assert list(told.values()) == pytest.approx(expected_totals(kind, scores))
        if kind != "score":
            assert sum(told.values()) == pytest.approx(0, abs=1e-6)
            assert any(told.values())


@all_sizes
def test_rewards__score__every_step_pays_all_seats_the_change(num_players: int) -> None:
    env = begun(raw_env(num_players=num_players, reward="score"), n_steps=0)
    before, n_paid = [0] * num_players, 0
    for _ in walk(env, random.Random(6)):
        if len(env.agents) == num_players:
            after = env.game.scores()
            assert list(env.rewards.values()) == [now - then for then, now in zip(before, after, strict=True)]
            before, n_paid = after, n_paid + any(env.rewards.values())
    assert n_paid > 10


@pytest.mark.parametrize(
    ("scores", "win"),
    [
        ([7, 7], [0, 0]),
        ([7, 7, 3], [0.5, 0.5, -1]),
        ([2, 7, 3], [-0.5, 1, -0.5]),
        ([9, 1, 9, 1], [0.5, -0.5, 0.5, -0.5]),
        ([9, 9, 9, 9], [0, 0, 0, 0]),
        ([0, 9, 9, 9], [-1, 1 / 3, 1 / 3, 1 / 3]),
    ],
    ids=str,
)
def test_rewards__ties__are_shared(scores: list[int], win: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wk.Game, "scores", lambda self: scores)
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    monkeypatch.setattr(wk.Game, "ranks", lambda self: ranks)
    env = finished(raw_env(num_players=len(scores)))
    assert list(env.rewards.values()) == pytest.approx(win)
    best = [f"player_{seat}" for seat, score in enumerate(scores) if score == max(scores)]
    assert all(info["winners"] == best and info["scores"] == scores for info in env.infos.values())
    env = finished(raw_env(num_players=len(scores), reward="margin"))
    assert list(env.rewards.values()) == pytest.approx(expected_totals("margin", scores))


def test_rewards__game_lost__the_loser_sees_it_in_its_last_step() -> None:
    env = winter_kingdom_v1.env()
    env.reset(seed=7)
    ends = {agent: seen for agent, seen in walk(env, random.Random(7)) if seen[2]}
    scores = env.unwrapped.game.scores()
    assert scores[0] != scores[1]
    loser = f"player_{scores.index(min(scores))}"
    assert {agent: seen[1] for agent, seen in ends.items()} == {a: -1.0 if a == loser else 1.0 for a in ends}
    for seat, (_, _, _, _, info) in enumerate(ends.values()):
        assert info["phase"] == "over" and info["scores"] == scores and info["winners"] == [*(ends.keys() - {loser})]
        assert sum(info["score_sheet"].values()) == scores[seat] and "Castles" in info["score_sheet"]


# Seeds and set-ups


@both_makers
def test_reset__same_seed__same_games_observation_by_observation(maker: Callable[..., Any]) -> None:
    one, other = maker(), maker()
    starts = []
    for seed in (11, None, None):  # without a seed the next games follow, the same again
        for env in (one, other):
            env.reset(seed=seed)
        starts.append(one.unwrapped.game.to_bytes())
        walks = (walk(env, random.Random(5)) for env in (one, other))
        for (agent, seen), (other_agent, other_seen) in zip(*walks, strict=True):
            assert agent == other_agent and seen[1:] == other_seen[1:]
            assert_same(seen[0], other_seen[0])
    assert len(set(starts)) == 3
    one.reset()
    fresh = maker()
    fresh.reset()
    assert one.game_seed != fresh.game_seed, "without any seed, chance decides"
    one.reset(seed=np.int64(11))
    assert one.unwrapped.game.to_bytes() == starts[0] and one.game_seed == 11


@both_makers
@both_forms
@all_sizes
def test_step__same_actions_as_the_engine__same_everything(
    maker: Callable[..., Any], form: str, num_players: int
) -> None:
    env = maker(num_players=num_players, observation=form, twist="random")
    game = wk.new_game(wk.Config(num_players=num_players, twist="random"), 21)
    env.reset(seed=21)
    rng = random.Random(21)
    while not game.is_over:
        assert env.agent_selection == f"player_{game.seat}"
        assert env.legal_actions() == game.legal_actions()
        for seat, agent in enumerate(env.agents):
            assert_same(env.observe(agent), game.observe(seat, form))
            assert env.infos[agent] == {"phase": game.phase, "round": game.round}
        action = rng.choice(game.legal_actions())
        env.step(action)
        game.apply(action)
    assert all(env.terminations.values()) and env.unwrapped.game == game
    assert env.infos["player_1"]["scores"] == game.scores()
    assert env.infos["player_1"]["score_sheet"] == game.score_sheet()[1]


def test_reset__config_for_one_game__holds_for_that_game_only() -> None:
    env = raw_env(economy="Salvage")
    env.reset(seed=1, options={"config": {"economy": "Furs", "twist": "Boom"}})
    assert env.game == wk.new_game(wk.Config(economy="Furs", twist="Boom"), 1)
    env.reset(seed=1, options={"config": wk.Config(twist="Boom")})
    assert env.game == wk.new_game(wk.Config(twist="Boom"), 1)
    env.reset(seed=1)
    assert env.game == wk.new_game(wk.Config(economy="Salvage"), 1)


def test_reset__whole_set_up__is_the_game_it_came_from() -> None:
    env, game = raw_env(num_players=3), wk.new_game(wk.Config(num_players=3), 5)
    env.reset(options={"setup": game.setup()})
    assert env.game == game and env.game_seed is None
