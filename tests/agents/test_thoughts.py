"""What agents thought, in every game: the chosen action is the best thought, shares add up, and nothing in it is hidden from the seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.house.games import NAMES, positions
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.thoughts import PROBABILITY, VISITS, Thoughts, by_seat, odds_of, shipped_network
from winterkingdom_env.search.view import View

every_game = pytest.mark.parametrize("name", NAMES)
EVERY_AGENT = ("greedy", "planner:width=4", "search:simulations=40,width=4", "policy", "policy:sample=true")
SEEDS = (1, 3)


def decisions(name: str) -> Iterator[Any]:
    """Positions in which a seat has a choice, in games of several configs."""
    for seed in SEEDS:
        yield from (game for game in positions(name, seed, 12) if len(game.legal_actions()) > 1)


def agents_for(name: str) -> tuple[str, ...]:
    """The agents that play this game."""
    return tuple(text for text in EVERY_AGENT if name in GAMES or not text.startswith("policy"))


def thought_of(text: str, game: Any, seat: int, seed: int = 4) -> tuple[int, Thoughts]:
    """The action of a new agent, and what it thought."""
    agent: Any = agent_spec(text).make(seed)
    before, action = agent.thoughts, agent(View(game, seat))
    assert before is None and agent.thoughts is not None
    return action, agent.thoughts


@every_game
def test_thoughts__the_chosen_action_is_the_best(name: str) -> None:
    n_seen = 0
    for game in decisions(name):
        legal = game.legal_actions()
        for text in agents_for(name):
            action, found = thought_of(text, game, game.seat)
            actions = [thought.action for thought in found.thoughts]
            assert set(actions) <= set(legal) and len(set(actions)) == len(actions)
            if text.startswith("planner"):
                assert found.plan[0] == action and not actions
            elif text == "policy:sample=true":
                assert action in actions
            else:
                assert actions[0] == action and not found.plan
            if not text.startswith(("planner", "search")):
                assert sorted(actions) == legal
            n_seen += 1
    assert n_seen > 40


@every_game
def test_thoughts__shares_and_probabilities_add_up_to_one_and_fall(name: str) -> None:
    for game in decisions(name):
        for text in agents_for(name):
            _, found = thought_of(text, game, game.seat)
            weights = [thought.weight for thought in found.thoughts]
            assert ({VISITS, PROBABILITY} >= {found.words}) == (None not in weights and bool(weights))
            if found.words:
                assert sum(filter(None, weights)) == pytest.approx(1) and weights == sorted(weights, reverse=True)  # type: ignore[type-var]
            values = [thought.value for thought in found.thoughts]
            if found.value_words == "win probability":
                assert all(value is not None and 0 <= value <= 1 for value in values)
            elif found.value_words == "points":
                best, *others = values
                assert best is not None and all(value is not None and value <= best + 1e-9 for value in others)
            else:
                assert set(values) <= {None}


@pytest.mark.parametrize("name", list(GAMES))
def test_thoughts__of_a_policy__are_those_of_its_network(name: str) -> None:
    network = shipped_network(get_game(name))
    assert network is not None
    for game in decisions(name):
        _, found = thought_of("policy", game, game.seat)
        actions, probabilities, wins = network.evaluate(game.determinize(game.seat, 9))
        expected = dict(zip(actions.tolist(), probabilities.tolist(), strict=True))
        assert {thought.action: thought.weight for thought in found.thoughts} == pytest.approx(expected)
        assert found.odds is not None and sum(found.odds) == pytest.approx(1, abs=1e-5)
        assert found.odds[game.seat] == pytest.approx(wins[0]) and len(found.odds) == game.n_players
        assert list(found.odds) == pytest.approx(odds_of(game, game.seat, network))


@every_game
def test_thoughts__depend_on_what_the_seat_knows_and_nothing_else(name: str) -> None:
    network = shipped_network(get_game(name))
    for game in decisions(name):
        other = game.determinize(game.seat, 77)
        for text in agents_for(name):
            assert thought_of(text, game, game.seat) == thought_of(text, other, game.seat)
        for seat in range(game.n_players):
            same = game.determinize(seat, 5)
            assert odds_of(game, seat, network) == odds_of(same, seat, network)


@every_game
def test_thoughts__forced_and_random_actions__have_none(name: str) -> None:
    *_, free = decisions(name)
    forced = [game for seed in range(8) for game in positions(name, seed, 30) if len(game.legal_actions()) == 1]
    for text in agents_for(name):
        agent: Any = agent_spec(text).make(1)
        for game in forced[:3]:
            agent(View(free, free.seat))
            assert agent.thoughts is not None
            assert agent(View(game, game.seat)) == game.legal_actions()[0]
            assert agent.thoughts is None
    assert forced or name not in GAMES
    random: Any = agent_spec("random").make(1)
    random(View(free, free.seat))
    assert random.thoughts is None


def test_thoughts__planner__goes_along_its_plan() -> None:
    game = positions("winter_kingdom", 3)[2]
    agent: Any = agent_spec("planner").make(0)
    plan: tuple[int, ...] = ()
    while not plan or len(plan) > 1:
        action = agent(View(game, game.seat))
        if agent.thoughts is not None:
            plan = plan[1:] or agent.thoughts.plan
            assert agent.thoughts.plan == plan and plan[0] == action
        game.apply(action)


def test_thoughts__search_by_a_network__has_values_of_the_network() -> None:
    game = positions("dominion", 0)[3]
    _, found = thought_of("search:simulations=50,policy=shipped", game, game.seat)
    assert found.words == VISITS and sum(thought.weight or 0 for thought in found.thoughts) == pytest.approx(1)


@every_game
def test_odds__after_the_end__are_the_shares_of_the_win(name: str) -> None:
    game, network = positions(name, 2)[-1], shipped_network(get_game(name))
    odds = odds_of(game, 0, network)
    assert game.is_over and (odds is None) == (name not in GAMES)
    if odds is not None:
        ranks = np.array(game.ranks())
        assert odds == ((ranks == 1) / (ranks == 1).sum()).tolist()


def test_odds__are_counted_from_seat_0() -> None:
    assert by_seat([0.5, 0.3, 0.2], 0) == [0.5, 0.3, 0.2]
    assert by_seat([0.5, 0.3, 0.2], 2) == [0.3, 0.2, 0.5]  # seat 2 comes first, then seats 0 and 1


def test_odds__without_a_network__are_none() -> None:
    game = positions(NAMES[-1], 0)[2]
    assert shipped_network(get_game(NAMES[-1])) is None and odds_of(game, 0, None) is None


def test_odds__of_a_network_that_kernels_do_not_know__are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    from winterkingdom_env.search import thoughts

    class Other:
        network = "conv"

    with monkeypatch.context() as patch:
        patch.setattr(thoughts, "load_weights", lambda path: Other())
        thoughts._shipped_weights.cache_clear()
        assert shipped_network(get_game("dominion")) is None
    thoughts._shipped_weights.cache_clear()
    assert isinstance(shipped_network(get_game("dominion")), Thinker)
