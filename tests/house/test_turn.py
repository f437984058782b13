"""Whole turns valued by a network, in every game: kernels beside plain arithmetic, on few positions, so that they run with compilation off, too."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.house.games import NAMES, config_of, positions
from winterkingdom_env.core import verbs
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.core.verbs import N_STANDING, PER_POINT, SEATS
from winterkingdom_env.games import get_game
from winterkingdom_env.search import turn
from winterkingdom_env.search.registry import AgentError, agent_spec, get_ready
from winterkingdom_env.search.turn_agent import TurnThinker
from winterkingdom_env.search.turn_network import (
    POINTS_SCALE,
    count_turn_weights,
    evaluate_turn_end,
    make_turn_arrays,
    turn_parts,
)
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import MOVES, TURN, WeightsError, load_weights, save_weights

WIDTH, PLANS = 3, 4
every_game = pytest.mark.parametrize("name", NAMES)


@cache
def some_positions(name: str) -> tuple[Any, ...]:
    """Positions of one game, in which somebody has a decision; nobody changes them."""
    return tuple(positions(name, 2, 4)[:-1])


@cache
def some_net(name: str, seed: int = 1) -> np.ndarray:
    """Random weights."""
    n = count_turn_weights(get_game(name).World)
    return (0.3 * np.random.default_rng(seed).normal(size=n)).astype(np.float32)


def parts(name: str, net: np.ndarray) -> dict[str, np.ndarray]:
    """The matrices and biases by name."""
    found = {}
    for part in turn_parts(get_game(name).World):
        end = part.first + part.n_in * part.n_out
        found[part.name] = net[part.first : end].reshape(part.n_in, part.n_out).astype(np.float64)
        if part.has_bias:
            found[f"{part.name}_bias"] = net[end : end + part.n_out].astype(np.float64)
    return found


def plain_outputs(name: str, net: np.ndarray, standings: np.ndarray, mover: int) -> tuple[np.ndarray, np.ndarray]:
    """What the network says of these standings: win probabilities, and final points up to a constant."""
    found, n = parts(name, net), len(standings)
    seats = SEATS.of(get_game(name).World)
    logits, points = np.zeros(n), np.zeros(n)
    for seat, own in enumerate(standings):
        rest = [other for other in range(n) if other != seat]
        rival = max(rest, key=lambda other: (standings[other, 0], -other))
        others = standings[rest].mean(axis=0)
        table = np.zeros(seats)
        table[n - 2], table[seats - 1] = 1, (seat - mover - 1) % n / (n - 1)
        hidden = own @ found["own"] + standings[rival] @ found["rival"] + others @ found["others"]
        hidden = np.maximum(hidden + table @ found["table"] + found["table_bias"], 0)
        hidden = np.maximum(hidden @ found["last"] + found["last_bias"], 0)
        logits[seat], points[seat] = hidden @ found["out"] + found["out_bias"] + (own - others) @ found["lead"]
    odds = np.exp(logits - logits.max())
    return odds / odds.sum(), points * POINTS_SCALE


def standing_of(game: Any, seat: int) -> np.ndarray:
    """The standing of a seat, in a World of its own."""
    rules = get_game(game.NAME)
    world, out = rules.make_world(3), np.full(N_STANDING.of(rules.World), 7, np.float32)
    for k in range(3):
        world.boards[k : k + 1].view(np.uint8)[:] = game._world.boards.view(np.uint8)
    world.games[:1], world.legals[:1], world.sheets[:1] = game._world.games, game._world.legals, game._world.sheets
    before = world.games[:1].tobytes(), world.legals[:1].tobytes(), world.sheets[:1].tobytes()
    scratch = np.zeros(2 * rules.N_ACTIONS, np.int16)
    verbs.write_standing(world, 0, seat, 1, np.array(rules.WORTH, np.float64), scratch, out)
    assert before == (world.games[:1].tobytes(), world.legals[:1].tobytes(), world.sheets[:1].tobytes())
    return out


@every_game
def test_standing__begins_with_the_points__and_has_a_name_for_every_number(name: str) -> None:
    assert len(get_game(name).STANDING) == N_STANDING.of(get_game(name).World)
    for game in some_positions(name):
        game.scores()  # brings the sheet up to date
        for seat in range(game.n_players):
            standing = standing_of(game, seat)
            assert np.isfinite(standing).all() and (standing[1:] != 7).all()
            assert standing[0] == pytest.approx(PER_POINT * game.scores()[seat], abs=1e-5)


@every_game
def test_standing__does_not_depend_on_what_the_seat_cannot_see(name: str) -> None:
    n_told_apart = 0
    for game in some_positions(name):
        dealt = [game.determinize(game.seat, seed) for seed in (1, 2, 3)]
        n_told_apart += len({one.to_bytes() for one in dealt}) > 1
        for one in dealt:
            one.scores()
        standings = [standing_of(one, game.seat) for one in dealt]
        for standing in standings[1:]:
            np.testing.assert_array_equal(standing, standings[0])
    assert n_told_apart


@every_game
def test_network__kernel__is_the_plain_arithmetic(name: str) -> None:
    rules, net = get_game(name), some_net(name)
    arrays, world, dice = make_turn_arrays(rules.World, net, 1), rules.make_world(1), np.random.default_rng(0)
    for n_players in rules.PLAYERS:
        for mover in range(n_players):
            standings = dice.normal(size=(n_players, N_STANDING.of(rules.World))).astype(np.float32)
            arrays.standings[:n_players] = standings
            evaluate_turn_end(world, n_players, mover, arrays)
            odds, points = plain_outputs(name, net, standings.astype(np.float64), mover)
            np.testing.assert_allclose(arrays.outputs[:n_players, 0], odds, atol=1e-4)
            np.testing.assert_allclose(arrays.outputs[:n_players, 1], points, rtol=1e-3, atol=1e-2)


def value_of(game: Any, seat: int, standings: dict[int, np.ndarray], net: np.ndarray) -> float:
    """The value of the end of a turn of the seat, by plain arithmetic."""
    if game.is_over:
        odds = np.array([(rank == 1) / game.ranks().count(1) for rank in game.ranks()])
        points = np.array(game.scores(), np.float64)
    else:
        found = np.array([standings[other] for other in range(game.n_players)], np.float64)
        found[seat] = standing_of(game, seat)
        found[:, 0] = PER_POINT * np.array(game.scores())
        odds, points = plain_outputs(game.NAME, net, found, seat)
    return float(odds[seat] + turn.PER_LEAD * (points[seat] - np.delete(points, seat).max()))


@every_game
def test_choose__values_are_those_of_where_the_plans_lead(name: str) -> None:
    net, n_plans = some_net(name), 0
    thinker = TurnThinker(get_game(name), net, WIDTH, PLANS)
    for game in some_positions(name):
        seat = game.seat
        game.scores()
        before = {other: standing_of(game, other) for other in range(game.n_players)}
        plans, values, odds = thinker.choose(game)
        assert (
            ((odds >= 0) & (odds <= 1)).all() and sorted(values, reverse=True) == list(values) and len(plans) <= PLANS
        )
        for plan, value in zip(plans, values, strict=True):
            end = game.clone()
            for action in plan:
                assert end.seat == seat
                end.apply(action)
            assert end.is_over or end.seat != seat
            assert value == pytest.approx(value_of(end, seat, before, net), abs=2e-3)
            n_plans += 1
    assert n_plans > len(some_positions(name))


def ends_of(name: str) -> turn.TurnEnds:
    """Room for the turn ends of a game."""
    world = get_game(name).World
    n, seats = N_STANDING.of(world), SEATS.of(world)
    return turn.TurnEnds(
        np.zeros((200, seats, n), np.float32), np.zeros(200, np.int64), np.zeros((200, seats), np.float32),
        np.zeros(seats), np.zeros(seats), np.full(seats, 0.5), np.arange(seats) % 2 == 1,
    )  # fmt: skip


@every_game
def test_play_game__every_turn_end_is_kept__and_the_same_seed_gives_the_same(name: str) -> None:
    rules = get_game(name)
    config, played = config_of(name, 3), []
    for _ in range(2):
        thinker, ends = TurnThinker(rules, some_net(name), 2, 2), ends_of(name)
        world = rules.make_world(2 + 2 * 2 + 1, [config])
        thinker._arrays.parameters["rng"] = np.uint64(5)
        n = turn.play_game(world, 0, np.uint64(seed_state(8)), thinker._arrays, thinker._turns, ends)
        played.append((n, ends.standings.tobytes(), ends.odds.tobytes(), ends.points.tobytes()))
        players = int(world.boards[-1]["n_players"])
        assert n > players and set(ends.movers[:n]) == set(range(players))
        assert ends.shares[:players].sum() == pytest.approx(1) and not ends.shares[players:].any()
        np.testing.assert_allclose(ends.odds[:n, :players].sum(axis=1), 1, atol=1e-5)
        assert (ends.points[:players] == world.sheets[-1, :players].sum(axis=1)).all()
    assert played[0] == played[1]


def saved(name: str, folder: Path, network: str = TURN, change: str = "") -> Path:
    """A file of random weights; ``change``: an array whose shape is wrong."""
    found = {f"parts.{key}": array.astype(np.float32) for key, array in parts(name, some_net(name)).items()}
    if change:
        found[change] = found[change][:-1]
    save_weights(folder / "net.safetensors", get_game(name).NAME, network, {}, found, {})
    return folder / "net.safetensors"


@every_game
def test_agent__plays_a_game_to_its_end__reproducibly(name: str, tmp_path: Path) -> None:
    path, histories = saved(name, tmp_path), []
    assert (load_weights(path).flat(TURN) == some_net(name)).all()
    for _ in range(2):
        game = get_game(name).new_game(config_of(name, 1), 4)
        agents = [agent_spec(f"turn:path={path},width=2,plans={2 + seat}").make(seat) for seat in range(game.n_players)]
        actions: list[int] = []
        while not game.is_over and len(actions) < 60:
            agent: Any = agents[game.seat]
            actions.append(agent(View(game, game.seat)))
            assert actions[-1] in game.legal_actions()
            if agent.thoughts is not None:
                assert agent.thoughts.plan[0] == actions[-1]
            game.apply(actions[-1])
        histories.append(actions)
    assert histories[0] == histories[1]


@every_game
def test_agent__wrong_options_and_files__are_refused_in_words(name: str, tmp_path: Path) -> None:
    for options, words in (
        ("plans=0", "plans=0"),
        ("width=0", "width=0"),
        (f"path={tmp_path / 'none'}", "is not a file"),
    ):
        with pytest.raises(AgentError, match=words):
            agent_spec(f"turn:{options}").make(0)
    with pytest.raises(WeightsError, match="train one with 'winterkingdom train turn --game"):
        get_ready(agent_spec("turn").make(0), get_game(name))  # none is shipped yet
    wrong = saved(name, tmp_path, change="parts.own")
    with pytest.raises(WeightsError, match=r"parts\.own has the shape"):
        load_weights(wrong)
    path = saved(name, tmp_path)
    with pytest.raises(WeightsError, match=f"needs a '{MOVES}' network"):
        load_weights(path).flat()
    with pytest.raises(AgentError, match=f"needs a '{MOVES}' network"):
        agent_spec(f"policy:path={path}").make(0)
