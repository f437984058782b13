"""The kernels of search and of the network beside plain arithmetic, in every game: on few positions, so that they run with compilation off, too."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.house.games import NAMES, OPEN_POINTS, positions, random_game
from winterkingdom_env.core import verbs
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import GameRules, get_game
from winterkingdom_env.search import beam, network, rating
from winterkingdom_env.search.actor import Actor
from winterkingdom_env.search.arrays import CANDIDATE, NODE, ROOT
from winterkingdom_env.search.thinking import SEARCH, Thinker

MOST_WAYS = 60  # through a turn that is searched in full
MANY = 400  # simulations
QUICK: dict[str, Any] = {"horizon": 2, "tries": 2}
every_game = pytest.mark.parametrize("name", NAMES)


@cache
def some_positions(name: str) -> tuple[Any, ...]:
    """Positions of one game, in which somebody has a decision; nobody changes them."""
    return tuple(positions(name, 1, 5)[:-1])


def worth(game: Any, seat: int) -> float:
    """What a position is worth to a seat, with the game's own weights."""
    return float(verbs.worth(game._world, 0, seat, np.array(get_game(game.NAME).WORTH, np.float64)))


def after(game: Any, action: int) -> Any:
    """A copy in which the action is carried out."""
    copy = game.clone()
    copy.apply(action)
    return copy


def outcome_of(game: Any, seat: int, scale: float) -> float:
    """How a position is for a seat, from 0 to 1: by its lead before the end, and then its share of the win."""
    if game.is_over:
        return (game.ranks()[seat] == 1) / game.ranks().count(1)
    lead = worth(game, seat) - max(worth(game, other) for other in range(game.n_players) if other != seat)
    return 1 / (1 + math.exp(-lead / scale))


# Rating and planning


@every_game
def test_rate__is_the_worth_of_what_each_action_leads_to(name: str) -> None:
    for game in some_positions(name):
        actions, ratings = Thinker(get_game(name)).rate(game)
        assert sorted(actions.tolist()) == sorted(game.legal_actions())
        for action, found in list(zip(actions.tolist(), ratings.tolist(), strict=True))[::5]:
            assert found == pytest.approx(worth(after(game, action), game.seat))


@every_game
def test_outcomes__before_the_end_by_the_lead_and_then_by_the_ranks(name: str) -> None:
    rules, scale = get_game(name), 6.0
    for game in (*some_positions(name), positions(name, 1, 2)[-1]):
        found = np.zeros(rules.MAX_PLAYERS)
        rating.write_outcomes(game.clone()._world, 0, np.array(rules.WORTH, np.float64), scale, found)
        expected = [outcome_of(game, seat, scale) for seat in range(game.n_players)]
        assert found[: game.n_players].tolist() == pytest.approx(expected)
        assert not found[game.n_players :].any()


def ways(game: Any, seat: int, room: int) -> list[Any]:
    """The positions in which a turn can end, one for each way through it; more than ``room`` of them are not all looked for."""
    if game.is_over or game.seat != seat:
        return [game]
    found: list[Any] = []
    for action in game.legal_actions():
        if len(found) > room:
            break
        found += ways(after(game, action), seat, room - len(found))
    return found


@every_game
def test_plan__wide_beam__finds_the_best_of_all_ways_through_the_turn(name: str) -> None:
    n_checked = 0
    for game in random_game(get_game(name), 2):
        if n_checked == 4:
            break
        if game.is_over or len(game.legal_actions()) < 3:
            continue
        ends = ways(game, game.seat, MOST_WAYS)
        if len(ends) > MOST_WAYS:
            continue
        plans = Thinker(get_game(name), width=MOST_WAYS, n_plans=5).plan(game)
        values = []
        for plan in plans:
            end = game.clone()
            for action in plan:
                assert end.seat == game.seat and not end.is_over, "the turn was over already"
                end.apply(action)
            assert end.is_over or end.seat != game.seat
            values.append(worth(end, game.seat))
        assert values == sorted(values, reverse=True)
        assert values[0] == pytest.approx(max(worth(end, game.seat) for end in ends))
        n_checked += 1
    assert n_checked == 4


@every_game
def test_plan__narrow_beam__gives_ways_that_end_the_turn(name: str) -> None:
    for game in some_positions(name):
        for plan in Thinker(get_game(name), width=2, n_plans=3).plan(game):
            *way, last = plan
            end = game.clone()
            for action in way:
                end.apply(action)
            assert end.seat == game.seat and not end.is_over
            end.apply(last)
            assert end.seat != game.seat or end.is_over


def test_offer__keeps_the_best_in_order_and_no_position_twice() -> None:
    stream, most = Stream(5), 6
    candidates, n = np.zeros(most, CANDIDATE), 0
    kept: list[tuple[float, int, int, int]] = []
    for number in range(200):
        value, key = float(stream.draw(25)), stream.draw(40)
        n = beam.offer(value, np.uint64(key), number, number % 7, candidates, n, most)
        is_full = len(kept) == most and value <= kept[-1][0]
        if not is_full and key not in [other[1] for other in kept]:
            kept = [*(kept if len(kept) < most else kept[:-1]), (value, key, number, number % 7)]
            kept.sort(key=lambda one: -one[0])  # of equal ones, the older first
        assert [tuple(row)[:4] for row in candidates[:n].tolist()] == kept


def test_keep_plan__moves_those_behind_it_on() -> None:
    stream, most = Stream(8), 4
    plans, lengths = np.zeros((most, 6), np.int16), np.zeros(most, np.int64)
    kept: list[list[int]] = []
    for number in range(30):
        n = min(len(kept) + 1, most)
        place, depth = stream.draw(n), stream.draw(6)
        line = np.array([100 * number + k for k in range(6)], np.int16)
        beam.keep_plan(place, n, line, depth, number, plans, lengths)
        kept = [*kept[:place], [*line[:depth].tolist(), number], *kept[place:]][:most]
        assert [plans[i, : lengths[i]].tolist() for i in range(n)] == kept


# The tree


@every_game
def test_tree__counts_every_simulation_and_repeats_with_the_seed(name: str) -> None:
    rules = get_game(name)
    for game in some_positions(name)[1:3]:
        found = []
        for _ in range(2):
            thinker = Thinker(rules, width=2, n_plans=3, most_simulations=8, **QUICK)
            thinker.begin(game, 7)
            thinker.simulate(3)
            thinker.simulate(5)
            found.append(thinker.visits())
        assert found[0] == found[1]
        assert sum(n for n, _ in found[0].values()) == 8
        assert set(found[0]) <= set(game.legal_actions())
        assert all(0 <= mean <= 1 for _, mean in found[0].values())


@every_game
def test_tree__in_the_last_decision__knows_who_wins(name: str) -> None:
    rules, n_checked = get_game(name), 0
    for seed in range(3):
        *_, game, _ = (game.clone() for game in random_game(rules, seed))
        thinker = Thinker(rules, width=2, most_simulations=MANY, **QUICK)
        thinker.begin(game, seed)
        thinker.simulate(MANY)  # so that actions are visited that look bad and end the game
        for action, (_, mean) in thinker.visits().items():
            end = after(game, action)
            assert 0 <= mean <= 1
            if end.is_over and name in OPEN_POINTS:
                assert mean == pytest.approx((end.ranks()[game.seat] == 1) / end.ranks().count(1))
            n_checked += end.is_over
    assert n_checked >= 3


def simulated(thinker: Thinker, rules: GameRules) -> Any:
    """The game in which the last simulation ended."""
    return rules.game_of(thinker._world.games[1:2].copy(), thinker._world.boards[1:2].copy())


@every_game
def test_tree__first_simulation__tells_the_mover_how_it_came_out(name: str) -> None:
    rules = get_game(name)
    for seed, game in enumerate(some_positions(name)):
        thinker = Thinker(rules, width=2, n_plans=2, most_simulations=1, **QUICK)
        thinker.begin(game, seed)
        thinker.simulate(1)
        ((n, mean),) = thinker.visits().values()
        assert n == 1
        assert mean == pytest.approx(outcome_of(simulated(thinker, rules), game.seat, SEARCH["scale"]))


@every_game
def test_guided_tree__second_simulation__tries_the_likeliest_action_and_asks_the_network_there(name: str) -> None:
    rules = get_game(name)
    net, lookers = net_of(rules), set()
    for seed, game in enumerate(some_positions(name)):
        thinker = Thinker(rules, net, most_simulations=2)
        actions, probabilities, _ = thinker.evaluate(game)
        thinker.begin(game, seed)
        thinker.simulate(2)
        ((action, (n, mean)),) = thinker.visits().items()
        assert n == 1 and probabilities[actions.tolist().index(action)] == probabilities.max()
        end = simulated(thinker, rules)
        assert not end.is_over
        _, _, values = thinker.evaluate(end)
        assert mean == pytest.approx(values[(game.seat - end.seat) % game.n_players])
        lookers.add((game.seat - end.seat) % game.n_players)
    assert len(lookers) > 1, "the values are told from the seat to move, who was always the same"


def with_room(thinker: Thinker, n_nodes: int) -> Thinker:
    """The same with a tree of so many nodes."""
    thinker._arrays = thinker._arrays._replace(nodes=np.zeros(n_nodes, NODE))
    return thinker


@every_game
def test_tree__that_is_full__goes_on_without_growing(name: str) -> None:
    rules, game, room = get_game(name), some_positions(name)[1], 8
    thinker = with_room(Thinker(rules, width=2, n_plans=3, **QUICK), room)
    thinker.begin(game, 3)
    thinker.simulate(15)
    assert sum(n for n, _ in thinker.visits().values()) == 15 and thinker._n_nodes <= room
    thinker = with_room(Thinker(rules, net_of(rules), **QUICK), 1)
    thinker.begin(game, 3)
    thinker.simulate(3)
    assert thinker.visits() == {} and thinker._arrays.nodes[ROOT]["visits"] == 3


@every_game
def test_guided_tree__spends_its_first_simulation_on_the_root(name: str) -> None:
    rules = get_game(name)
    for game in some_positions(name)[1:]:
        thinker = Thinker(rules, net_of(rules), most_simulations=6)
        thinker.begin(game, 7)
        thinker.simulate(6)
        visits = thinker.visits()
        assert sum(n for n, _ in visits.values()) == 5
        assert set(visits) <= set(game.legal_actions())
        _, probabilities, _ = thinker.evaluate(game)
        nodes = thinker._arrays.nodes[1 : 1 + len(probabilities)]
        np.testing.assert_allclose(np.sort(nodes["prior"]), np.sort(probabilities), atol=1e-6)


# The network


def net_of(rules: GameRules, seed: int = 0) -> np.ndarray:
    """A network in which every weight counts."""
    rng, net = np.random.default_rng(seed), np.zeros(network.count_weights(rules.World), np.float32)
    for part in network.parts_of(rules.World):
        n = (part.n_in + part.has_bias) * part.n_out
        net[part.first : part.first + n] = rng.normal(size=n) / math.sqrt(part.n_in)
    return net


def layer(rules: GameRules, net: np.ndarray, name: str, given: np.ndarray) -> np.ndarray:
    """What a matrix of the network makes of its inputs, with its bias."""
    part = next(part for part in network.parts_of(rules.World) if part.name == name)
    end = part.first + part.n_in * part.n_out
    found: np.ndarray = given @ net[part.first : end].reshape(part.n_in, part.n_out)
    return found + net[end : end + part.n_out] if part.has_bias else found


def softmax(logits: np.ndarray) -> np.ndarray:
    powers: np.ndarray = np.exp(logits - logits.max())
    return powers / powers.sum()


def probabilities_of(rules: GameRules, net: np.ndarray, context: np.ndarray, actions: Any, features: Any) -> np.ndarray:
    """The probabilities of actions, by matrices."""
    shared = layer(rules, net, "context", context).clip(0)
    shared = layer(rules, net, "shared", shared).clip(0)
    kinds = np.eye(verbs.N_KINDS.of(rules.World))[network.kinds_of(rules)[actions]]
    mixed = (shared + layer(rules, net, "kind", kinds) + layer(rules, net, "feature", features)).clip(0)
    last = layer(rules, net, "hidden", mixed).clip(0)
    return softmax((layer(rules, net, "logit", last) + layer(rules, net, "feature_logit", features))[:, 0])


def values_of(rules: GameRules, net: np.ndarray, context: np.ndarray, n_players: int) -> np.ndarray:
    """Each seat's probability to win and the own lead, by matrices."""
    found = layer(rules, net, "value_context", context).clip(0)
    found = layer(rules, net, "value", layer(rules, net, "value_hidden", found).clip(0))
    return np.array([*softmax(found[:n_players]), *[0.0] * (len(found) - 1 - n_players), found[-1]])


@every_game
def test_judge__is_the_network_by_matrices(name: str) -> None:
    rules = get_game(name)
    net = net_of(rules)
    thinker = Thinker(rules, net)
    for game in some_positions(name):
        actions, probabilities, values = thinker.evaluate(game)
        assert sorted(actions.tolist()) == sorted(game.legal_actions())
        context, features = thinker._arrays.evaluation.context, thinker.features[: len(actions)]
        np.testing.assert_array_equal(context[: rules.OBSERVATION.n_entries], game.observe(form="planes")["vector"])
        np.testing.assert_allclose(
            probabilities, probabilities_of(rules, net, context, actions, features), rtol=1e-3, atol=1e-6
        )
        np.testing.assert_allclose(
            values, values_of(rules, net, context, game.n_players)[: game.n_players], rtol=1e-3, atol=1e-6
        )


@every_game
def test_judge__what_is_hidden_dealt_again__says_the_same(name: str) -> None:
    rules = get_game(name)
    thinker = Thinker(rules, net_of(rules))
    for game in some_positions(name)[1:]:
        told = [part.tolist() for part in thinker.evaluate(game)]
        assert [part.tolist() for part in thinker.evaluate(game.determinize(game.seat, 3))] == told


def test_draw_from__follows_the_probabilities() -> None:
    probabilities = np.array([0.25, 0.0, 0.5, 0.25, 9.0], np.float32)
    found = [network.draw_from(4, probabilities, x) for x in (0.0, 0.24, 0.26, 0.74, 0.76, 1.0)]
    assert found == [0, 0, 2, 2, 3, 3]


def test_best_of__is_the_first_of_the_largest() -> None:
    assert network.best_of(4, np.array([1, 5, 2, 5, 9], np.float32)) == 1


def test_softmax__of_large_logits__adds_up_to_1() -> None:
    logits = np.array([900.0, 899.0, -900.0, 7.0], np.float32)
    network.apply_softmax(3, logits)
    np.testing.assert_allclose(logits, [*softmax(np.array([900.0, 899.0, -900.0])), 7.0], rtol=1e-5)


# Many games at once


@every_game
def test_actor__rows_of_a_batch__are_judged_like_single_games(name: str) -> None:
    rules = get_game(name)
    nets = np.stack([net_of(rules, seed) for seed in range(2)])
    env = VectorEnv(rules, 3, 1, num_players=(2, 3))
    env.reset(seed=4)
    for _ in range(12):
        env.step(env.sample_actions())
    actor = Actor(env.batch, 5)
    actor.who[:] = [[row % 2] * rules.MAX_PLAYERS for row in range(3)]
    drawn = actor.act(nets).copy()
    actor.act(nets, is_greedy=True, which=np.array([0, 2]))
    assert actor.actions[1] == drawn[1], "only some rows were asked"
    for row in range(3):
        game, net = env.game(row), nets[row % 2]
        actions, probabilities, _ = Thinker(rules, net).evaluate(game)
        n, choice = int(actor.n_moves[row]), int(actor.choices[row])
        assert actor.moves[row, :n].tolist() == actions.tolist() and drawn[row] in game.legal_actions()
        assert actor.actions[row] == actions[choice]
        assert actor.log_probs[row] == pytest.approx(math.log(probabilities[choice]), abs=1e-4)
        assert row == 1 or probabilities[choice] == probabilities.max()
        expected = values_of(rules, net, actor.contexts[row], game.n_players)
        np.testing.assert_allclose(actor.values[row], expected, rtol=1e-3, atol=1e-5)


@every_game
def test_gather__appends_the_moves_of_all_rows(name: str) -> None:
    rules = get_game(name)
    env = VectorEnv(rules, 2, 1)
    env.reset(seed=4)
    actor = Actor(env.batch, 5)
    actor.look()
    n, first = int(actor.n_moves.sum()), 2
    moves, features = np.full(n + first, -7, np.int16), np.zeros((n + first, actor.n_features), np.float32)
    assert actor.gather(actor.n_moves, first, moves, features) == n + first
    listed = [actor.moves[row, : actor.n_moves[row]].tolist() for row in range(2)]
    assert moves.tolist() == [-7, -7, *listed[0], *listed[1]]
    np.testing.assert_array_equal(features[first], actor.features[0, 0])
    np.testing.assert_array_equal(features[-1], actor.features[1, actor.n_moves[1] - 1])
