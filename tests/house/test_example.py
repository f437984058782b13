"""The example game against its reference, and the house on a game that shares nothing with the others.

2 to 5 players, hidden hands, negative points, no board, a decision out of turn, ties broken by something else than points.
"""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from examples.duels import RULES, Config, Game
from examples.duels.layout import NONE, STRENGTHS, VALUES
from examples.duels.reference import Reference
from tests.house.games import EXAMPLE, random_game
from winterkingdom_env.core.picture import Look
from winterkingdom_env.envs.aec import RawEnv, wrap
from winterkingdom_env.envs.learner_vector import LearnerVectorEnv
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import GAMES, address_of
from winterkingdom_env.games.base import perft
from winterkingdom_env.games.errors import IllegalActionError, InvalidActionError, SavedGameError, SetupError
from winterkingdom_env.records import RecordWriter, replay
from winterkingdom_env.render import picture_of, text
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View

all_sizes = pytest.mark.parametrize("num_players", RULES.PLAYERS)
both_forms = pytest.mark.parametrize("form", ["planes", "packed"])


def pair(seed: int) -> tuple[Game, Reference]:
    """The same game twice; all numbers of players and of rounds come round."""
    n_players, rounds = 2 + seed % 4, 1 + seed % 5
    return Game.new_game(Config(num_players=n_players, rounds=rounds), seed), Reference(n_players, rounds, seed)


def as_told(game: Game) -> dict[str, Any]:
    """A game in the words of the reference."""

    def things(counts: list[int], kinds: Any) -> list[int]:
        return [kind for kind, number in zip(kinds, counts, strict=True) for _ in range(number)]

    found, strengths = game.snapshot(), range(1, STRENGTHS + 1)
    hands = [things(hand, strengths) for hand in found["hand"][: game.n_players]]
    told = {"hands": hands, "deck": things(found["deck"], strengths), "prizes": things(found["prizes"], VALUES)}
    if not game.is_over:
        told |= {"prize": VALUES[found["prize"]], "weapon": found["weapon"] + 1, "attacker": found["attacker"]}
    return told


def test_example__is_not_registered_for_users() -> None:
    assert EXAMPLE not in GAMES and address_of(EXAMPLE) == "examples.duels:RULES"


# --- kernels and reference ----------------------------------------------------------------------------------------------


def test_lock_step__random_games__kernels_and_reference_agree_at_every_step() -> None:
    n_ties = n_negative = n_out_of_turn = n_illegal = 0
    for seed in range(300):
        game, reference = pair(seed)
        dice = random.Random(seed)
        while True:
            legal = game.legal_actions()
            assert [game.label(action) for action in legal] == reference.legal(), f"seed {seed}, {game}"
            assert as_told(game) == reference.snapshot(), f"seed {seed}, {game}"
            assert (game.scores(), game.ranks(), game.is_over) == (
                reference.scores(),
                reference.ranks(),
                reference.is_over,
            )
            for action in dice.sample(sorted(set(range(RULES.N_ACTIONS)) - set(legal)), 2):
                before, n_illegal = game.to_bytes(), n_illegal + 1
                with pytest.raises(IllegalActionError):
                    game.apply(action)
                with pytest.raises(ValueError, match=r"play|top|yield"):
                    reference.apply(game.label(action))
                assert game.to_bytes() == before
            if game.is_over:
                break
            assert (game.seat, game.round) == (reference.seat, reference.round)
            n_out_of_turn += game.seat != reference.attacker
            action = dice.choice(legal)
            game.apply(action)
            reference.apply(game.label(action))
        scores, ranks = game.scores(), game.ranks()
        n_negative += min(scores) < 0
        n_ties += any(scores.count(s) > ranks.count(r) for s, r in zip(scores, ranks, strict=True))
    assert n_ties > 20 and n_negative > 100 and n_out_of_turn > 2000 and n_illegal > 5000


def count_sequences(reference: Reference, depth: int) -> int:
    if depth == 0 or reference.is_over:
        return 1
    total = 0
    for label in reference.legal():
        child = copy.deepcopy(reference)
        child.apply(label)
        total += count_sequences(child, depth - 1)
    return total


@pytest.mark.parametrize("seed", range(8))
def test_perft__equals_the_reference(seed: int) -> None:
    game, reference = pair(seed)
    for depth in range(1, 5):
        expected = count_sequences(reference, depth)
        assert perft(game, depth) == perft(game, depth, is_bulk=False) == expected, f"depth {depth}"


def test_apply__no_action__is_refused() -> None:
    game = Game.new_game(seed=1)
    for action in (-1, RULES.N_ACTIONS, "yield", None):
        with pytest.raises(InvalidActionError, match="play 7 against"):
            game.apply(action)  # type: ignore[arg-type]  # that is the question


# --- positions from outside ---------------------------------------------------------------------------------------------


def games(n_seeds: int) -> Iterator[Game]:
    for seed in range(n_seeds):
        yield from random_game(RULES, seed)


def test_saved_positions__come_back_and_are_checked() -> None:
    for game in games(8):
        game.check()
        for twin in (Game.from_bytes(game.to_bytes()), pickle.loads(pickle.dumps(game)), game.clone()):
            assert twin == game and twin.legal_actions() == game.legal_actions() and twin.scores() == game.scores()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("seat", 7, "seat is 7"),
        ("phase", 9, "phase is 9"),
        ("weapon", 3, "weapon is 3"),
        ("prize", NONE, "prize is -1"),
        ("round", 0, "round is 0"),
        ("gains", 4, "gains do not fit"),
        ("losses", -4, "losses do not fit"),
        ("deck", 9, "weapons in hands and deck"),
        ("hand", -1, "negative count"),
        ("prizes", 0, "prizes left"),
        ("spare", 1, "spare is not 0"),
    ],
)
def test_saved_positions__damaged__name_what_is_wrong(field: str, value: int, words: str) -> None:
    game = Game.new_game(seed=3)
    game.record[field] = value
    with pytest.raises(SavedGameError, match=f"game 0 is refused: .*{words}"):
        Game.from_bytes(game.to_bytes())


def test_setup__begins_the_same_game__and_a_damaged_one_is_refused() -> None:
    wrong: tuple[Any, ...] = ("x", [], None, 1.5, 10**30)
    for seed in range(8):
        game, _ = pair(seed)
        setup = game.setup()
        assert Game.from_setup(setup) == game
        for part in ("game", "board"):
            for name in setup[part]:
                for value in wrong:
                    with pytest.raises(SetupError, match=name):
                        Game.from_setup({**setup, part: {**setup[part], name: value}})
            with pytest.raises(SetupError, match="needs the fields"):
                Game.from_setup({**setup, part: {}})
    with pytest.raises(SetupError, match='"game" and "board"'):
        Game.from_setup({})
    game.apply(game.legal_actions()[0])
    with pytest.raises(SetupError, match="not the start of a game"):
        Game.from_setup({"game": {name: game.snapshot()[name] for name in setup["game"]}, "board": setup["board"]})


@pytest.mark.parametrize(("option", "value"), [("num_players", 6), ("num_players", "2"), ("rounds", 0), ("rounds", True)])  # fmt: skip
def test_config__wrong_option__names_what_is_allowed(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"{option}=.* is not allowed; \d to 5 are"):
        Config(**{option: value})


def test_record__is_written_and_replayed(tmp_path: Path) -> None:
    for seed in range(8):
        game, _ = pair(seed)
        with RecordWriter(tmp_path / f"{seed}.jsonl", game) as writer:
            dice = random.Random(seed)
            while not game.is_over:
                action = dice.choice(game.legal_actions())
                writer.write(game.seat, game.label(action))
                game.apply(action)
            writer.close(game)
        found = replay(tmp_path / f"{seed}.jsonl")
        assert found.is_complete and found.is_seed_confirmed and found.game == game
        assert found.winners == [seat for seat, rank in enumerate(game.ranks()) if rank == 1]


# --- what a seat sees ---------------------------------------------------------------------------------------------------


def test_observe__every_seat__is_within_bounds_and_both_forms_agree() -> None:
    spec = RULES.OBSERVATION
    for game in games(8):
        for seat in range(game.n_players):
            planes, packed = game.observe(seat), game.observe(seat, "packed")
            unpacked = spec.unpack(packed["observation"])
            assert planes["observation"].size == unpacked["observation"].size == 0
            np.testing.assert_array_equal(planes["vector"], unpacked["vector"])
            assert (planes["vector"] >= spec.least).all() and (planes["vector"] <= spec.most).all()
            assert planes["action_mask"].any() == (seat == game.seat and not game.is_over)
            shown = planes["vector"][spec.entries("points")][: game.n_players] * 10
            prizes = [row["gains"] + row["losses"] for row in game.score_sheet()]  # what nines cost is hidden
            expected = prizes[seat:] + prizes[:seat]
            np.testing.assert_allclose(shown, expected, atol=1e-5)


def test_text_picture__shows_hands_to_their_owners_only() -> None:
    game = Game.new_game(Config(num_players=5), 2)
    shown = text.render(picture_of(game, Look(viewer=1)), colour=False)
    hand = " ".join(str(strength) for strength in as_told(game)["hands"][1])
    assert f"1 (b): {hand}" in shown and "3 (d): 4 weapons" in shown and "0 (a): 5 weapons" in shown


# --- environments -------------------------------------------------------------------------------------------------------


@all_sizes
@both_forms
def test_aec__passes_pettingzoos_tests(num_players: int, form: str) -> None:
    def make() -> Any:
        return wrap(RawEnv(RULES, num_players=num_players, observation=form, reward="score"), -1.0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # observations are dictionaries, and their planes are empty
        api_test(make(), num_cycles=200)
        seed_test(make, num_cycles=50)


@all_sizes
def test_aec__rewards__win_goes_by_ranks(num_players: int) -> None:
    for seed in range(30):
        env = RawEnv(RULES, num_players=num_players, observation="packed")
        env.reset(seed=seed)
        dice = random.Random(seed)
        while not all(env.terminations.values()):
            env.step(dice.choice(env.game.legal_actions()))
        winners = {f"player_{seat}" for seat, rank in enumerate(env.game.ranks()) if rank == 1}
        assert {agent for agent, reward in env.rewards.items() if reward > 0} == winners or len(winners) == num_players


@pytest.mark.parametrize("form", ["planes", "packed", None])
@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_vector__steps_saves_and_equals_single_games(form: str | None, mode: str) -> None:
    env = VectorEnv(RULES, 40, num_players=(2, 3, 4, 5), observation=form, autoreset_mode=mode, rounds=2)
    env.reset(seed=5)
    n_ends = 0
    for step in range(80):
        mirror = [env.batch.game(row) for row in range(env.num_envs)]
        actions = env.sample_actions().copy()
        twin = pickle.loads(pickle.dumps(env)) if step % 20 == 0 else None
        turns = env.step(actions).copy()
        if twin is not None:
            for mine, other in zip(turns, twin.step(actions), strict=True):
                np.testing.assert_equal(mine, other)
        for row, game in enumerate(mirror):
            if game.is_over:
                continue
            game.apply(int(actions[row]))
            assert turns.terminated[row] == game.is_over
            n_ends += game.is_over
            if not game.is_over:
                assert turns.action_mask[row].nonzero()[0].tolist() == game.legal_actions()
                assert turns.seat[row] == game.seat
    assert n_ends >= 40


def test_one_learner__single_and_vector() -> None:
    check_env(SingleEnv(EXAMPLE, num_players=5), skip_render_check=True)
    env = LearnerVectorEnv(RULES, 8, num_players=4)
    env.reset(seed=1)
    for _ in range(60):
        _, _, ended, _, _ = env.step(env.sample_actions())
    assert ended.shape == (8,)


# --- agents -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["greedy", "planner", "search:simulations=48"])
def test_agents__play_legally_and_beat_random(agent: str) -> None:
    points = 0.0
    for seed in range(100):
        game, own = Game.new_game(Config(num_players=2), seed), seed % 2
        agents = [agent_spec(agent if seat == own else "random").make(seed) for seat in range(2)]
        while not game.is_over:
            action = agents[game.seat](View(game, game.seat))
            assert action in game.legal_actions()
            game.apply(action)
        ranks = game.ranks()
        points += (ranks[own] == 1) / ranks.count(1)
    assert points > 60  # of 100; seeds are fixed, random play has 50


@all_sizes
def test_agents__of_all_kinds_at_one_table(num_players: int) -> None:
    names = ("search:simulations=16", "planner", "greedy", "search:simulations=16,threads=2", "random")
    for seed in range(3):
        game = Game.new_game(Config(num_players=num_players), seed)
        agents = [agent_spec(names[(seat + seed) % 5]).make(seed) for seat in range(num_players)]
        while not game.is_over:
            game.apply(agents[game.seat](View(game, game.seat)))
        game.check()
