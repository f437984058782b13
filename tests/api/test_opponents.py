"""Opponents: what they are shown and what not, how they are named, and what happens when one fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from tests.api.episodes import NAME, Picker, Watched, begun, play
from tests.digging import games_within
from winterkingdom_env.core.rng import GAMMA, MASK_64, MIX_1, MIX_2, derive, seed_state
from winterkingdom_env.envs.opponents import (
    OpponentError,
    make_opponent,
)
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View

NOT_CALLABLE = 3


def first(view: View) -> int:
    return view.legal_actions()[0]


def make_first(seed: int) -> Callable[[View], int]:
    return first


def make_number(seed: int) -> int:
    return seed


class Fussy:
    def __init__(self, seed: int) -> None:
        raise OSError("weights.pt not found")


# What an opponent is shown


def test_opponent__in_a_game__sees_what_the_engine_shows_its_seat() -> None:
    log: list[tuple[int, int]] = []
    seen: list[dict[str, np.ndarray]] = []
    env = begun(6, opponents=Watched(log, seen), num_players=3)
    pick = Picker()
    for _ in range(30):
        log.append((0, pick(env.action_masks())))
        env.step(log[-1][1])
    game, views = wk.new_game(wk.Config(num_players=3), 6), iter(seen)
    for seat, action in log:
        if seat != 0:
            assert data_equivalence(next(views), game.observe(seat), exact=True)
        game.apply(action)
    assert not list(views)
    assert len({seat for seat, _ in log}) == 3


@pytest.fixture(scope="module")
def middle() -> wk.Game:
    env = begun(9, num_players=3)
    play(env, 25)
    assert isinstance(env.game, wk.Game)
    return env.game


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_view__any_seat__shows_what_the_game_shows_it(middle: wk.Game, seat: int) -> None:
    view = View(middle, seat)
    for form in ("planes", "packed"):
        assert data_equivalence(view.observation(form), middle.observe(seat, form), exact=True)
    assert (view.seat, view.n_players, view.phase, view.round) == (seat, 3, middle.phase, middle.round)
    assert view.legal_actions() == (middle.legal_actions() if seat == middle.seat else [])
    assert np.flatnonzero(view.action_mask).tolist() == view.legal_actions()
    assert view.parse(view.label(7)) == 7


def test_view__every_attribute__leads_to_no_game(middle: wk.Game) -> None:
    view = View(middle, 1)
    for name in ("game", "_game", "env", "_env", "record", "__dict__"):
        with pytest.raises(AttributeError):
            getattr(view, name)
    for name in dir(view):
        value = getattr(view, name)
        assert not isinstance(value, wk.Game), name
        assert not isinstance(getattr(value, "__self__", None), wk.Game), name


def test_opponent__digging_in_its_view__finds_games_but_not_the_true_one() -> None:
    log: list[tuple[int, int]] = []
    found: list[list[bytes]] = []

    class Digger(Watched):
        def __call__(self, view: View) -> int:
            found.append([game.to_bytes() for game in games_within(view, wk.Game)])
            return super().__call__(view)

    env = begun(6, opponents=Digger(log), num_players=3)
    pick = Picker()
    for _ in range(30):
        log.append((0, pick(env.action_masks())))
        env.step(log[-1][1])
    game, looks = wk.new_game(wk.Config(num_players=3), 6), iter(found)
    for seat, action in log:
        if seat != 0:
            look = next(looks)
            assert look and game.to_bytes() not in look
        game.apply(action)
    assert not list(looks) and len(found) > 20


def test_opponents__seeds__do_not_lead_back_to_the_seed_of_the_game() -> None:
    given: dict[int, list[int]] = {}
    for number in (1, 2):
        given[number] = []

        class Made(RandomAgent):
            def __init__(self, seed: int, into: list[int] = given[number]) -> None:
                super().__init__(seed)
                into.append(seed)

        begun(number, opponents=Made, num_players=4)
    assert given[1] == [derive(1, "opponent", place) for place in range(3)]
    # The finaliser of splitmix64 can be undone: no output of it for the game's seed may be what an opponent is given.
    undone = {undo_mix(seed << 1 | low) for seed in given[1] for low in (0, 1)}
    near = {(seed_state(1) + k * GAMMA) & MASK_64 for k in range(-1000, 1000)}
    assert not undone & {state ^ salt for state in near for salt in (0, 0x0990_0990_0990_0990)}


def undo_mix(word: int) -> int:
    """The state of which a word is the output of splitmix64's finaliser."""
    word ^= word >> 31 ^ word >> 62
    word = word * pow(MIX_2, -1, 1 << 64) & MASK_64
    word ^= word >> 27 ^ word >> 54
    word = word * pow(MIX_1, -1, 1 << 64) & MASK_64
    return word ^ word >> 30 ^ word >> 60


def test_view__seat_changed_by_the_agent__still_shows_the_own_seat(middle: wk.Game) -> None:
    view = View(middle, 1)
    view.seat = 2
    assert data_equivalence(view.observation(), middle.observe(1), exact=True)


def test_view__determinize__keeps_what_the_seat_sees_and_deals_the_rest(middle: wk.Game) -> None:
    view = View(middle, 1)
    deals = [view.determinize(seed) for seed in range(5)]
    for deal in deals:
        assert data_equivalence(deal.observe(1)["vector"], middle.observe(1)["vector"], exact=True)
    hands = [[tuple(player["hand"]) for player in game.snapshot()["players"]] for game in [middle, *deals]]
    assert len({hand[1] for hand in hands}) == 1
    assert len({hand[2] for hand in hands}) > 1


def test_view__determinize__does_not_tell_how_the_true_game_was_dealt(middle: wk.Game) -> None:
    deal = View(middle, 1).determinize(4)
    assert deal.seed is None
    with pytest.raises(ValueError, match="not known"):
        deal.setup()


# Names


@pytest.mark.parametrize("spec", [first, f"{__name__}:make_first"])
def test_opponents__function_or_path__play_the_same_game(spec: Any) -> None:
    assert data_equivalence(play(begun(opponents=spec), 30), play(begun(opponents=[first]), 30), exact=True)


@pytest.mark.parametrize("spec", ["random", RandomAgent, "winterkingdom_env.search.agents:RandomAgent"])
def test_opponents__name_class_or_path__are_made_from_the_same_seed(spec: Any) -> None:
    assert data_equivalence(play(begun(opponents=spec), 30), play(begun(), 30), exact=True)


def test_random__many_answers__take_every_legal_action_equally_often(middle: wk.Game) -> None:
    legal, opponent = middle.legal_actions(), RandomAgent(3)
    assert len(legal) > 1
    n = 60 * len(legal)
    answers = [opponent(View(middle, middle.seat)) for _ in range(n)]
    counts = [answers.count(action) for action in legal]
    assert sum(counts) == n
    # 60 are expected of each; six standard deviations are 46.
    assert min(counts) > 14
    assert max(counts) < 106


def test_opponents__sequence__sit_behind_the_learner_one_after_the_other() -> None:
    logs: list[list[tuple[int, int]]] = [[], [], []]
    env = begun(opponents=[Watched(log) for log in logs], learner_seat=1, num_players=4)
    play(env, 30)
    assert [{seat for seat, _ in log} for log in logs] == [{2}, {3}, {0}]


@pytest.mark.parametrize("text", ["greedy", "planner:width=2", "search:simulations=4", "policy"])
def test_opponents__agents_by_name__play_as_the_registry_makes_them(text: str) -> None:
    env = begun(opponents=[text], learner_seat=0, num_players=2, skip_forced=True)
    play(env, 3)
    game = wk.new_game(seed=3)
    answer = agent_spec(text).make(11)(View(game, game.seat))
    assert make_opponent(text, 11)(View(game, game.seat)) == answer


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rnadom", "choose from: 'random', 'greedy', 'planner'"),
        ("search:simulatoins=3", "'simulatoins=3' is not an option; options and their defaults: simulations=400"),
        (None, "choose from: 'random'"),
        ("no_such_module:Agent", "No module named 'no_such_module'"),
        (f"{__name__}:Missing", "no attribute 'Missing'"),
        (f"{__name__}:NOT_CALLABLE", "your own class, as in 'package.module:Class'"),
        (":", "no agent is called ':'"),
    ],
)
def test_make__unknown_opponent__says_what_there_is(spec: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SingleEnv(NAME, opponents=[spec])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (Fussy, "Fussy could not be created: OSError.*weights.pt"),
        (f"{__name__}:make_number", "takes a View"),
        (f"{__name__}:first", "unexpected keyword argument 'seed'; an agent's class takes seed=<integer>"),
    ],
)
def test_make_opponent__factory_that_makes_none__says_why(spec: Any, message: str) -> None:
    with pytest.raises(OpponentError, match=message):
        make_opponent(spec, 7)


class Deep:
    """A class of one's own with an option."""

    def __init__(self, seed: int, depth: int = 1) -> None:
        self.made = seed, depth

    def __call__(self, view: View) -> int:
        return view.legal_actions()[0]


def test_make_opponent__own_class_with_options__as_everywhere() -> None:
    assert getattr(make_opponent(f"{__name__}:Deep:depth=3", 7), "made", None) == (7, 3)
    with pytest.raises(ValueError, match="depth='x' is not of type int"):
        make_opponent(f"{__name__}:Deep:depth=x", 7)


# Failures


class Moody:
    """Answers what the test says, else the first legal action."""

    def __init__(self) -> None:
        self.mood: Callable[[View], Any] = first

    def __call__(self, view: View) -> int:
        return self.mood(view)


def no_idea(view: View) -> int:
    raise KeyError("no idea")


def illegal(view: View) -> int:
    return int(np.flatnonzero(view.action_mask == 0)[0])


@pytest.mark.parametrize(
    ("mood", "message"),
    [
        (no_idea, r"raised KeyError\('no idea'\); \d+ actions were legal, first: \w+"),
        (
            illegal,
            r"returned \d+: .*house r\d\dc\d\d \(action \d+\) is illegal.*legal actions, first: .*view.legal_actions",
        ),
        (lambda view: "done", "returned 'done': 'done' is not an action.*view.legal_actions"),
        (lambda view: None, "returned None: None is not an action"),
    ],
    ids=["raises", "illegal", "a label", "nothing"],
)
def test_step__opponent_fails__says_who_and_leaves_the_game_before_the_step(
    mood: Callable[[View], Any], message: str
) -> None:
    moody = Moody()
    env, twin = begun(opponents=moody, observation="packed"), begun(opponents=first, observation="packed")
    assert data_equivalence(play(env, 10), play(twin, 10), exact=True)
    moody.mood = mood
    before, pick = env.game.to_bytes(), Picker()
    with pytest.raises(OpponentError, match=rf"opponent Moody on seat 1, round \d+, phase \w+: {message}"):
        while True:
            before = env.game.to_bytes()
            action = pick(env.action_masks())
            env.step(action)
            twin.step(action)
    assert env.game.to_bytes() == before == twin.game.to_bytes()
    moody.mood = first
    assert data_equivalence(env.step(action), twin.step(action), exact=True)


def test_reset__opponent_fails__the_game_before_goes_on() -> None:
    moody = Moody()
    env = begun(opponents=moody, learner_seat=1)
    before = env.game.to_bytes()
    moody.mood = no_idea
    with pytest.raises(OpponentError, match="seat 0"):
        env.reset(seed=2)
    assert env.game.to_bytes() == before
