"""One learner against opponents: Gymnasium's checks, seeds, rewards, masks, illegal actions, options."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.wrappers import FlattenObservation

from tests.api.episodes import NAME, Picker, Watched, begun, play
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.envs.common import RENDER_MODES
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search.agents import RandomAgent

ID = "WinterKingdom-v1"


# Gymnasium's own checks


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("observation", ["planes", "packed"])
def test_check_env__every_form_and_number_of_players__passes(observation: str, num_players: int) -> None:
    # Without a registration the check cannot try other render modes, and would warn of it; the next test does.
    check_env(SingleEnv(NAME, observation=observation, num_players=num_players), skip_render_check=True)


@pytest.mark.parametrize("observation", ["planes", "packed"])
def test_check_env__made_by_gymnasium__passes_in_every_render_mode(
    observation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    env = gymnasium.make(ID, observation=observation, learner_seat="random", num_players=3)
    check_env(env.unwrapped)
    assert capsys.readouterr().out, "the human mode prints"


def test_make__whole_game__every_observation_is_in_the_space() -> None:
    env = gymnasium.make(ID, num_players=3, twist="random", reward="score")
    observation, _ = env.reset(seed=3)
    steps = play(env)
    assert steps[-1][2]
    for seen in [observation, *(step[0] for step in steps)]:
        assert seen in env.observation_space


def test_flatten_observation__planes__one_vector_in_its_space() -> None:
    env: gymnasium.Env[Any, Any] = FlattenObservation(SingleEnv(NAME))
    observation, _ = env.reset(seed=1)
    planes, vector = wk.OBSERVATION.planes_shape, wk.OBSERVATION.n_entries
    assert observation.shape == (np.prod(planes) + vector,)
    for step in play(env, 5):
        assert step[0] in env.observation_space


def test_make_vec__two_synchronous_environments__play_through_the_end_of_a_game() -> None:
    envs: Any = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", observation="packed")
    envs.reset(seed=4)
    pick, n_ended = Picker(), 0
    while n_ended < 3:
        actions = np.array([pick(mask) for mask in envs.call("action_masks")])
        _, rewards, terminated, _, infos = envs.step(actions)
        assert not infos["illegal"].any()
        for i in np.flatnonzero(terminated):
            assert infos["won"][i] == (rewards[i] >= 0)
        n_ended += int(terminated.sum())
    envs.close()


# Seeds and seats


def test_reset__same_seed__same_game_and_same_next_games() -> None:
    one, two = SingleEnv(NAME, num_players=3), SingleEnv(NAME, num_players=3)
    assert data_equivalence(one.reset(seed=11), two.reset(seed=11), exact=True)
    assert data_equivalence(play(one), play(two), exact=True)
    assert data_equivalence(one.reset(), two.reset(), exact=True)
    assert data_equivalence(play(one, 20), play(two, 20), exact=True)


def test_reset__other_seeds__other_games_and_other_opponents() -> None:
    assert begun(1).game != begun(2).game
    given: list[int] = []

    class Made(RandomAgent):
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            given.append(seed)

    for seed in (1, 2):
        begun(seed, opponents=Made, num_players=4)
    assert len(set(given)) == 6
    game_draws = Stream(seed_state(1))
    assert not set(given) & {game_draws.next_word() >> 1 for _ in range(100)}


def test_reset__game_seed__repeats_an_unseeded_game() -> None:
    env = SingleEnv(NAME, learner_seat="random")
    observation, info = env.reset()
    seed = env.game_seed
    steps = play(env)
    again = env.reset(seed=seed)
    assert data_equivalence(again, (observation, info), exact=True)
    assert data_equivalence(play(env), steps, exact=True)


def test_reset__setup_in_the_options__repeats_with_the_game_seed() -> None:
    setup = wk.new_game(wk.Config(twist="random"), 77).setup()
    env = SingleEnv(NAME, learner_seat="random")
    begins = env.reset(options={"setup": setup})
    seed = env.game_seed
    steps = play(env)
    assert data_equivalence(env.reset(seed=seed, options={"setup": setup}), begins, exact=True)
    assert data_equivalence(play(env), steps, exact=True)
    assert env.game.setup() == setup
    seeds = set()
    for _ in range(5):
        env.reset(options={"setup": setup})
        seeds.add(env.game_seed)
    assert len(seeds) == 5


def test_reset__config_in_the_options__holds_for_one_game() -> None:
    env = SingleEnv(NAME)
    economy = wk.new_game(wk.Config(), 1).setup()["economy"]
    other = next(card for seed in range(50) if (card := wk.new_game(wk.Config(), seed).setup()["economy"]) != economy)
    env.reset(seed=1, options={"config": {"economy": other}})
    assert env.game.setup()["economy"] == other
    env.reset(seed=1)
    assert env.game.setup()["economy"] == economy


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"settup": {}}, "setup"),
        ({"config": {"num_players": 3}}, "num_players=3"),
        ({"config": {"colour": 1}}, "economy"),
    ],
)
def test_reset__wrong_options__raise_and_leave_the_game(options: dict[str, Any], message: str) -> None:
    env = begun()
    before = env.game.to_bytes()
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)
    assert env.game.to_bytes() == before
    env.step(env.legal_actions()[0])


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_learner_seat__given__is_the_one_that_is_asked(seat: int) -> None:
    env = begun(learner_seat=seat, num_players=3)
    for *_, info, _ in play(env)[:-1]:
        assert info["seat"] == seat
    env.reset(seed=2)
    assert env.game.seat == seat


def test_learner_seat__random__every_seat_occurs_and_follows_from_the_seed() -> None:
    env = SingleEnv(NAME, learner_seat="random", num_players=3)
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(40)]
    assert {seats.count(seat) > 4 for seat in range(3)} == {True}
    assert [env.reset(seed=seed)[1]["seat"] for seed in range(40)] == seats
    for seed in range(10):
        env.reset(seed=seed)
        assert env.game.seat == seats[seed]


# Rewards


def replayed_scores(log: list[tuple[int, int]], lengths: list[int], **choices: Any) -> list[list[int]]:
    """The scores, by the engine alone, after as many actions of the log as ``lengths`` says."""
    game = wk.new_game(wk.Config(**choices), 6)
    scores = []
    for n, (seat, action) in enumerate(log, 1):
        assert game.seat == seat
        game.apply(action)
        scores += [game.scores()] * lengths.count(n)
    assert game.is_over
    return scores


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
@pytest.mark.parametrize("num_players", [2, 4])
def test_step__whole_game__pays_what_a_replay_of_its_actions_pays(num_players: int, reward: str) -> None:
    log: list[tuple[int, int]] = []
    env = begun(6, opponents=Watched(log), learner_seat=1, num_players=num_players, reward=reward)
    pick, rewards, lengths, terminated = Picker(), [], [], False
    while not terminated:
        log.append((1, pick(env.action_masks())))
        _, paid, terminated, truncated, info = env.step(log[-1][1])
        assert not truncated
        rewards.append(paid)
        lengths.append(len(log))
    scores = replayed_scores(log, lengths, num_players=num_players)
    own, final = [score[1] for score in scores], scores[-1]
    if reward == "score":
        assert rewards == [after - before for before, after in pairwise([0, *own])]
        assert sum(rewards) == final[1]
    else:
        assert not any(rewards[:-1])
        others = [score for seat, score in enumerate(final) if seat != 1]
        n_best = final.count(max(final))
        win = 1 / n_best if final[1] == max(final) else -1 / (num_players - n_best)
        margin = (final[1] - sum(others) / len(others)) / wk.SCORE_SCALE
        assert rewards[-1] == pytest.approx(win if reward == "win" else margin, rel=1e-6)
    assert info["scores"] == final
    assert [sum(sheet.values()) for sheet in info["score_sheet"]] == final
    assert info["won"] is (final[1] == max(final))


def test_step__end_of_the_game__the_loser_sees_minus_one() -> None:
    env, last = SingleEnv(NAME, observation="packed", learner_seat="random"), []
    for seed in range(12):
        env.reset(seed=seed)
        _, reward, _, _, info, _ = play(env)[-1]
        scores, seat = info["scores"], info["seat"]
        assert reward == np.sign(scores[seat] - scores[1 - seat])
        last.append(reward)
    assert -1.0 in last
    assert 1.0 in last


# Masks, illegal actions, order of calls


def test_action_masks__whole_game__are_the_legal_actions_and_never_empty() -> None:
    env = begun(3, learner_seat=1)
    pick, terminated = Picker(), False
    while not terminated:
        mask = env.action_masks()
        assert mask.dtype == np.bool_
        assert np.flatnonzero(mask).tolist() == env.game.legal_actions() == list(env.legal_actions())
        assert mask.any()
        _, _, terminated, _, info = env.step(pick(mask))
        assert info["action_mask"].dtype == np.int8
        assert np.array_equal(info["action_mask"], env.action_masks())
    assert env.game.legal_actions() == []
    assert env.action_masks().sum() == 1
    assert env.action_space.sample(mask=info["action_mask"]) == np.flatnonzero(env.action_masks())[0]


def test_action_masks__changed_by_the_caller__the_environment_keeps_its_own() -> None:
    env = begun()
    env.action_masks()[:] = True
    assert env.action_masks().sum() == len(env.legal_actions()) < wk.N_ACTIONS


def test_step__illegal_action__costs_the_penalty_and_changes_nothing() -> None:
    env, twin = begun(illegal_reward=-0.25), begun()
    before, mask = env.reset(seed=1)[0], env.action_masks()
    for action in np.flatnonzero(~mask)[::50]:
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal"]) == (-0.25, False, False, True)
        assert data_equivalence(observation, before, exact=True)
        assert np.array_equal(env.action_masks(), mask)
    assert data_equivalence(play(env), play(twin), exact=True)


@pytest.mark.parametrize("action", [-1, wk.N_ACTIONS, 1.0, "done", None, True, np.array([3])])
def test_step__not_an_action__raises_and_changes_nothing(action: object) -> None:
    env = begun()
    before = env.game.to_bytes()
    with pytest.raises(wk.InvalidActionError, match="is not an action"):
        env.step(action)
    assert env.game.to_bytes() == before


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.array])
def test_step__any_kind_of_integer__is_an_action(kind: Callable[[int], Any]) -> None:
    env = begun()
    assert env.step(kind(env.legal_actions()[0]))[4]["illegal"] is False


@pytest.mark.parametrize("name", ["action_masks", "legal_actions", "get_state", "render"])
def test_before_reset__anything_about_a_game__says_reset(name: str) -> None:
    with pytest.raises(ResetNeeded, match=r"reset\(\)"):
        getattr(SingleEnv(NAME, render_mode="ansi"), name)()
    with pytest.raises(ResetNeeded, match=r"reset\(\)"):
        SingleEnv(NAME).step(0)


def test_step__after_the_end__says_reset_and_the_next_game_is_whole() -> None:
    env = begun(observation="packed")
    steps = play(env)
    with pytest.raises(ResetNeeded, match="over"):
        env.step(steps[0][5])
    env.reset(seed=1)
    assert data_equivalence(play(env), steps, exact=True)


def test_skip_forced__whole_game__asks_for_decisions_only_and_is_the_same_game() -> None:
    short, long = begun(8, skip_forced=True), begun(8)
    pick, terminated, n_forced = Picker(), False, 0
    while not terminated:
        assert short.action_masks().sum() > 1
        action = pick(short.action_masks())
        terminated = short.step(action)[2]
        while len(forced := long.legal_actions()) == 1:
            long.step(forced[0])
            n_forced += 1
        long.step(action)
    while forced := long.legal_actions():
        assert len(forced) == 1
        long.step(forced[0])
    assert n_forced > 0
    assert short.game == long.game


# Options and pictures


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 5}, "2, 3 or 4"),
        ({"learner_seat": 2}, "'random'"),
        ({"observation": "pixels"}, "'packed'"),
        ({"reward": "elo"}, "'margin'"),
        ({"skip_forced": "yes"}, "True"),
        ({"illegal_reward": float("nan")}, "illegal_reward"),
        ({"illegal_reward": "much"}, "illegal_reward"),
        ({"render_mode": "vr"}, "'ansi'"),
        ({"viewer": 2}, "viewer"),
        ({"colour": 1}, "'economy'"),
        ({"economy": "Nomadds"}, "not a card"),
        ({"opponents": "rnadom"}, "'random'"),
        ({"opponents": 3}, "sequence"),
        ({"opponents": ["random", "random"]}, "2 were given; with 2 players, give 1"),
    ],
)
def test_make__wrong_option__raises_at_once_and_names_what_there_is(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SingleEnv(NAME, **options)


def test_make__unknown_game__names_the_known() -> None:
    with pytest.raises(ValueError, match="winter_kingdom"):
        SingleEnv("chess")


@pytest.mark.parametrize("mode", RENDER_MODES)
def test_render__every_mode__shows_the_game(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = begun(render_mode=mode, viewer=0)
    picture = env.render()
    if mode == "rgb_array":
        assert picture.dtype == np.uint8
        assert picture.std() > 0
    elif mode == "human":
        env.step(env.legal_actions()[0])
        assert picture is None
        assert capsys.readouterr().out.count("round 1, seat 0") == 3, "at the reset, when asked, after the step"
    else:
        assert env.game.snapshot()["scoring"][0] in picture


def test_render__no_mode__warns_and_shows_nothing() -> None:
    with pytest.warns(UserWarning, match="render_mode"):
        assert begun().render() is None
