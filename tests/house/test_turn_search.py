"""Search over whole turns, in every game, on few positions, so that it runs with compilation off, too."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.house.games import NAMES, positions
from tests.house.test_turn import saved, some_net, some_positions
from winterkingdom_env.core.verbs import copy_game, seat_to_move
from winterkingdom_env.games import get_game
from winterkingdom_env.search import turn_halving, turn_search
from winterkingdom_env.search.registry import AgentError, agent_spec
from winterkingdom_env.search.thoughts import VISITS, WIN_PROBABILITY
from winterkingdom_env.search.turn import PER_LEAD
from winterkingdom_env.search.turn_agent import TurnAgent, TurnThinker, count_decisions
from winterkingdom_env.search.turn_halving import TurnSearcher, most_arms, round_sizes
from winterkingdom_env.search.view import View

WIDTH, PLANS, ARMS, REPLY = 3, 4, 3, 2
QUICK = f"width={WIDTH},plans={PLANS},arms={ARMS},reply={REPLY},depth=1"
every_game = pytest.mark.parametrize("name", NAMES)


def searcher_of(name: str, depth: int = 1, arms: int = ARMS) -> TurnSearcher:
    """A searcher with random weights."""
    return TurnSearcher(get_game(name), some_net(name), arms, REPLY, depth)


@cache
def planned(name: str) -> list[tuple[Any, list[list[int]], np.ndarray]]:
    """Positions with at least two plans, the plans, and their values; nobody changes them."""
    thinker = TurnThinker(get_game(name), some_net(name), WIDTH, PLANS)
    found = []
    for game in some_positions(name):
        shown = game.determinize(game.seat, 0)
        plans, values, _ = thinker.choose(shown)
        if len(plans) > 1:
            found.append((shown, plans, values))
    assert found
    return found


def test_rounds__halve_the_arms__and_a_small_budget_compares_fewer() -> None:
    assert round_sizes(16) == [16, 8, 4, 2] and round_sizes(5) == [5, 3, 2] and round_sizes(1) == []
    assert most_arms(16, 30) == 16 and most_arms(16, 29) == 15 and most_arms(16, 2) == 2 and most_arms(16, 1.9) == 1
    assert most_arms(3, 1e9) == 3 and most_arms(1, 0) == 1


@every_game
def test_search__the_same_seed_gives_the_same__within_the_budget(name: str) -> None:
    for game, plans, values in planned(name)[:1]:
        for budget in (1, 5):
            before, found = game.to_bytes(), []
            for searcher in (searcher_of(name), searcher_of(name)):
                best = searcher.search(game, plans, values, 5, budget)
                visits, wins = searcher.results()
                found.append((best, visits.tolist(), wins.tolist()))
            assert found[0] == found[1] and game.to_bytes() == before
            n_arms = most_arms(min(ARMS, len(plans)), budget)
            assert np.count_nonzero(visits) == (n_arms if n_arms > 1 else 0)
            assert budget - 2 < visits.sum() <= budget or n_arms == 1
            assert (wins >= 0).all() and (wins <= visits + 1e-9).all()
            assert 0 <= best < len(plans) and visits[best] == visits.max()


@every_game
def test_search__arms_are_distinct_turn_ends(name: str) -> None:
    for game, plans, _ in planned(name):
        ends = set()
        for plan in plans[:ARMS]:
            end = game.clone()
            for action in plan:
                end.apply(action)
            ends.add(end.to_bytes())
        assert len(ends) == len(plans[:ARMS])


@every_game
def test_search__without_time__the_plan_of_the_network_is_the_best(name: str) -> None:
    game, plans, values = planned(name)[0]
    searcher = searcher_of(name)
    searcher.search_until(game, plans, values, 1, time.perf_counter())  # measures how long a simulation takes
    assert searcher.results()[0].sum() == sum(round_sizes(min(ARMS, len(plans))))
    assert searcher.search_until(game, plans, values, 1, time.perf_counter() - 1) == 0
    assert not searcher.results()[0].any()
    searcher._pace = 1e-9  # as if all of them fitted into the time
    searcher.search_until(game, plans, values, 1, time.perf_counter() + 1e-3)
    assert searcher.results()[0].any()


@every_game
def test_search__with_much_evidence__the_order_is_that_of_the_means(name: str) -> None:
    game, plans, values = planned(name)[0]
    searcher = searcher_of(name, arms=2)
    best = searcher.search(game, plans, values, 3, 4)
    arms = searcher._arms
    means = [(2 * values[k] + arms.values[k]) / (2 + arms.visits[k]) for k in range(2)]
    assert best == int(np.argmax(means)) and arms.visits.tolist() == [2, 2]


@every_game
@pytest.mark.parametrize("n_plans", [1, 2])  # of a reply: one is the best of the beam, two are valued by the network
def test_simulation__plays_as_many_turns_as_told(name: str, n_plans: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_halving, "REPLY_PLANS", n_plans)
    for players in get_game(name).PLAYERS if n_plans == 1 else get_game(name).PLAYERS[:1]:
        game = get_game(name).new_game(get_game(name).Config(num_players=players), 1)
        searcher = searcher_of(name)
        searcher._show(game.determinize(game.seat, 0))
        world, arrays, turns = searcher._world, searcher._arrays, searcher._turns
        table, seats = len(world.games) - 1, []
        for depth in (0, 1):
            copy_game(world, 0, len(world.games) - 2)
            copy_game(world, 0, table)
            first = seat_to_move(world, table)
            seats.append(int(turn_search.play_turns(world, table, first, depth, arrays, turns)))
            copy_game(world, len(world.games) - 2, 0)
            assert seat_to_move(world, table) != seats[-1]
        assert seats[0] == first and seats[1] != first


@every_game
def test_simulation__at_the_end_of_the_game__is_the_result(name: str) -> None:
    last = positions(name, 3, 2000)[-2]  # before the last action
    shown = last.determinize(last.seat, 0)
    thinker, searcher = TurnThinker(get_game(name), some_net(name), WIDTH, PLANS), searcher_of(name)
    plans, values, _ = thinker.choose(shown)
    n_over = 0
    for k, plan in enumerate(plans[:ARMS]):
        end = shown.clone()
        for action in plan:
            end.apply(action)
        if end.is_over:
            n_over += 1
            searcher._simulate(searcher._begin(shown, plans, values, 1), k + 1)
            share = (end.ranks()[shown.seat] == 1) / end.ranks().count(1)
            lead = end.scores()[shown.seat] - max(np.delete(end.scores(), shown.seat))
            assert searcher._arms.wins[k] == pytest.approx(share)
            assert searcher._arms.values[k] == pytest.approx(share + PER_LEAD * lead, abs=1e-4)
    assert n_over


def agent_of(name: str, folder: Path, options: str, seed: int = 0) -> TurnAgent:
    """The agent with random weights and these options."""
    agent = agent_spec(f"turn:path={saved(name, folder)},{QUICK},{options}").make(seed)
    assert isinstance(agent, TurnAgent)
    return agent


def forced_and_free(name: str) -> tuple[Any, Any]:
    """A position with one legal action, if there is one, and one with several plans."""
    some = positions(name, 2, 200)[:-1]
    return next((game for game in some if len(game.legal_actions()) == 1), None), planned(name)[0][0]


@every_game
def test_agent__plays_for_every_number_of_players__and_tells_its_thoughts(name: str, tmp_path: Path) -> None:
    rules, n_searched = get_game(name), 0
    for players in rules.PLAYERS:
        histories = []
        for _ in range(2):
            game = rules.new_game(rules.Config(num_players=players), 4)
            agents = [agent_of(name, tmp_path, "simulations=3", seat) for seat in range(players)]
            for _ in range(4):
                if game.is_over:
                    break
                agent = agents[game.seat]
                action = agent(View(game, game.seat))
                assert action in game.legal_actions()
                thoughts = agent.thoughts
                if thoughts is not None and thoughts.words:
                    n_searched += 1
                    assert (thoughts.words, thoughts.value_words) == (VISITS, WIN_PROBABILITY)
                    assert thoughts.thoughts[0].action == action == thoughts.plan[0]
                    assert sum(one.weight or 0 for one in thoughts.thoughts) == pytest.approx(1)
                    assert all(one.value is not None and 0 <= one.value <= 1 for one in thoughts.thoughts)
                game.apply(action)
            histories.append(game.to_bytes())
        assert histories[0] == histories[1]
    assert n_searched


@every_game
def test_agent__does_not_depend_on_what_the_seat_cannot_see(name: str, tmp_path: Path) -> None:
    n_told_apart = 0
    for game, _, _ in planned(name)[:2]:
        dealt, found = [game.determinize(game.seat, seed) for seed in (1, 2)], []
        n_told_apart += len({one.to_bytes() for one in dealt}) > 1
        for one in dealt:
            agent = agent_of(name, tmp_path, "simulations=3")
            found.append((agent(View(one, one.seat)), agent.thoughts))
        assert found[0] == found[1]
    assert n_told_apart


@every_game
def test_agent__a_forced_action__costs_nothing(name: str, tmp_path: Path) -> None:
    forced, free = forced_and_free(name)
    agent = agent_of(name, tmp_path, "simulations=3")
    if forced is not None:
        agent._net = some_net(name)  # ready, with nothing planned
        assert [agent(View(forced, forced.seat))] == forced.legal_actions()
        assert agent.thoughts is None and agent._thinker is None and agent._searcher is None
    action = agent(View(free, free.seat))
    assert agent.thoughts is not None and agent.thoughts.plan[0] == action


@every_game
def test_agent__a_forced_action_of_the_plan__keeps_it(name: str, tmp_path: Path) -> None:
    agent = agent_of(name, tmp_path, "simulations=5")
    agent._plan = [4, 5]
    assert agent._forced(4) == 4 and agent._plan == [5]
    assert agent._forced(3) == 3 and agent._plan == []


@every_game
def test_agent__milliseconds__are_counted_per_decision(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def search_until(self: TurnSearcher, game: Any, plans: Any, values: Any, seed: int, end: float) -> int:
        asked.append(end)
        return 0

    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(TurnSearcher, "search_until", search_until)
    agent = agent_of(name, tmp_path, "milliseconds=50")
    agent._net = some_net(name)
    for game, plans, _ in planned(name)[:1]:
        n = count_decisions(game, plans[0])
        assert 1 <= n <= len(plans[0])
        for ahead, paid in ((0, n), (1, n - 1), (n + 2, 0), (-1, n + 1)):
            agent._ahead = ahead
            agent._choose(game, 0)
            assert asked.pop() == pytest.approx(0.05 * paid) and agent._ahead == max(ahead, n)


@every_game
def test_agent__wrong_budgets__are_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    for options, words in (
        ("simulations=-1", "simulations=-1: give 0 to 10,000,000"),
        ("milliseconds=100000000", "milliseconds=100000000: give 0 to 86,400,000"),
        ("simulations=5,arms=1", "arms=1: give 2 to 1,024"),
        ("simulations=5,reply=0", "reply=0: give 1 to 64"),
        ("simulations=5,depth=65", "depth=65: give 0 to 64"),
        ("simulations=5,milliseconds=5", "a search has one budget"),
        ("arms=8", "give simulations or milliseconds, too"),
    ):
        with pytest.raises(AgentError, match=words):
            agent_spec(f"turn:path={saved(name, tmp_path)},{options}").make(0)
