"""Decisions of a seat whose turn it is not, and after the last turn: a canoe's reaction (p. 17) and silos (p. 21), in every interface."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.schedule import Settings
from agents.tournament import play
from winterkingdom_env import kingdom_builder_v0
from winterkingdom_env.games import Game as GameOfAnyKind
from winterkingdom_env.games.kingdom_builder import Config, Game
from winterkingdom_env.records import RecordWriter, read_record, replay, replay_steps
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View

CANOE: dict[str, Any] = {
    "num_players": 3, "sets": ("marshlands",), "boards": "own", "quadrants": ("canoe", "temple", "oracle", "farm"),
}  # fmt: skip
SILO: dict[str, Any] = {**CANOE, "sets": ("harvest",), "quadrants": ("bazaar", "university", "oracle", "farm")}
SEEDS = (14, 28, 38)  # of random games with several reactions
PAUSE = 0.2  # seconds that a reacting agent takes


class Hesitant(RandomAgent):
    """Plays at random, and takes its time when it is asked in the turn of another seat."""

    def __call__(self, view: View) -> int:
        if view.phase == "react":
            time.sleep(PAUSE)
        return super().__call__(view)


def played(options: dict[str, Any], seed: int) -> Iterator[tuple[Game, int]]:
    """A random game, at each of its positions, with the action that is taken there."""
    game, dice = Game.new_game(Config(**options), seed), random.Random(seed)
    while not game.is_over:
        action = dice.choice(game.legal_actions())
        yield game, action
        game.apply(action)


def is_reaction(game: GameOfAnyKind) -> bool:
    """Whether a seat is asked in the turn of another one."""
    return game.phase == "react" and game.snapshot()["turn"]["seat"] != game.seat


def reactions_of(record: Path) -> list[tuple[int, str]]:
    """Seat and action of every answer in the turn of another seat."""
    found, is_asked = [], False
    for step, game in replay_steps(read_record(record)):
        if is_asked:
            found.append((step.seat, step.action))
        is_asked = is_reaction(game)
    return found


@pytest.mark.rule("section 5.5, canoe")
def test_reaction__aec__selects_the_agent_that_reacts_and_ends_nobodys_game() -> None:
    env, n_reactions = kingdom_builder_v0.raw_env(**CANOE), 0
    for seed in SEEDS:
        env.reset(seed=seed)
        for game, action in played(CANOE, seed):
            assert env.agent_selection == f"player_{game.seat}" and env.legal_actions() == game.legal_actions()
            assert not any(env.terminations.values()) and not any(env.truncations.values())
            n_reactions += is_reaction(game)
            env.step(action)
        assert all(env.terminations.values())
    assert n_reactions > len(SEEDS)


@pytest.mark.rule("section 5.5, canoe")
def test_reaction__vector__asks_the_seat_that_reacts() -> None:
    env, n_reactions = kingdom_builder_v0.vector_env(num_envs=1, **CANOE), 0
    for seed in SEEDS:
        turns = env.reset(seed=[seed])
        for game, action in played(CANOE, seed):
            assert turns.seat[0] == game.seat
            assert (turns.action_mask[0] == game.legal_mask()).all()
            n_reactions += is_reaction(game)
            turns = env.step([action])
        assert turns.terminated[0]
    assert n_reactions > len(SEEDS)


@pytest.mark.rule("section 5.5, canoe")
def test_reaction__record__has_the_seat_that_reacts_and_verifies(tmp_path: Path) -> None:
    game, dice = Game.new_game(Config(**CANOE), SEEDS[0]), random.Random(SEEDS[0])
    record = RecordWriter(tmp_path / "game.jsonl", game)
    reacted = []
    while not game.is_over:
        action = dice.choice(game.legal_actions())
        if is_reaction(game):
            reacted.append((game.seat, game.label(action)))
        record.write(game.seat, game.label(action))
        game.apply(action)
    record.close(game)
    assert replay(record.path).scores == game.scores() and reacted
    assert reactions_of(record.path) == reacted


@pytest.mark.rule("section 5.5, canoe")
@pytest.mark.parametrize("agent", ["greedy", "planner", "search:simulations=40", "policy"])
def test_reaction__every_agent__answers_with_a_legal_action(agent: str) -> None:
    spec = agent_spec(agent)
    for seed in SEEDS:
        for game, _ in played(CANOE, seed):
            if is_reaction(game):
                assert spec.make(seed=seed)(View(game, game.seat)) in game.legal_actions()
                others = [seat for seat in range(game.n_players) if seat != game.seat]
                assert all(View(game, seat).legal_actions() == [] for seat in others)


@pytest.mark.rule("section 5.5, canoe")
def test_reaction__arena__counts_the_time_of_the_seat_that_reacts(tmp_path: Path) -> None:
    settings = Settings(
        agents=(f"{__name__}:Hesitant",) * 3, game="kingdom_builder", players=3, games=6, seed=3, time_limit=60.0,
        choices={name: value for name, value in CANOE.items() if name != "num_players"},
    )  # fmt: skip
    n_reacting = 0
    for result in play(settings, tmp_path, 1):
        assert result.forfeit is None
        asked = Counter(seat for seat, _ in reactions_of(tmp_path / "records" / f"{result.id}.jsonl.gz"))
        for seat, n in asked.items():
            assert result.seconds[seat] >= n * PAUSE
        n_reacting += len(asked)
    assert n_reacting


@pytest.mark.rule("section 5.6, silo")
def test_silo__after_the_last_turn__nobody_is_done_before_all_were_asked() -> None:
    env, asked = kingdom_builder_v0.raw_env(**SILO), set()
    for seed in range(6):
        env.reset(seed=seed)
        for game, action in played(SILO, seed):
            if game.phase.startswith("silo"):
                asked.add(game.seat)
                assert env.agent_selection == f"player_{game.seat}"
            assert not any(env.terminations.values())
            env.step(action)
        assert all(env.terminations.values())
    assert asked == {0, 1, 2}
