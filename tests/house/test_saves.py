"""A game in progress can be kept in every way there is, and goes on as if nothing had happened: in every registered game."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.house.games import CONFIGS, NAMES, positions, random_game
from winterkingdom_env.games import get_game, name_of
from winterkingdom_env.games.errors import IllegalActionError, InvalidActionError, SavedGameError

every_game = pytest.mark.parametrize("name", NAMES)
WAYS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda game: game.clone(),
    "bytes": lambda game: get_game(name_of(game)).from_bytes(game.to_bytes()),
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "deepcopy": copy.deepcopy,
    "records": lambda game: get_game(name_of(game)).game_of(game.record.copy(), game.board.copy()),
}


def told(game: Any) -> dict[str, Any]:
    """All that a game says about itself."""
    facts = {"bytes": game.to_bytes(), "snapshot": game.snapshot(), "legal": list(game.legal_actions())}
    facts |= {"sheet": game.score_sheet(), "scores": game.scores(), "ranks": game.ranks()}
    return facts | {"seat": game.seat, "phase": game.phase, "round": game.round, "over": game.is_over}


@every_game
@pytest.mark.parametrize("way", WAYS)
def test_copy__says_the_same_and_goes_on_alike(name: str, way: str) -> None:
    for seed in range(len(CONFIGS[name])):
        for number, game in enumerate(positions(name, seed)):
            kept, before = WAYS[way](game), told(game)
            assert told(kept) == before and kept == game and hash(kept) == hash(game)
            dice = random.Random(number)
            for _ in range(20):
                if game.is_over:
                    break
                action = dice.choice(game.legal_actions())
                game.apply(action)
                assert kept != game
                kept.apply(action)
                assert told(kept) == told(game)
            game.check()


@every_game
def test_clone__goes_its_own_way(name: str) -> None:
    for game in positions(name, 1)[:-1]:
        kept, before = game.clone(), game.to_bytes()
        kept.apply(kept.legal_actions()[-1])
        assert game.to_bytes() == before != kept.to_bytes()


@every_game
def test_setup__begins_the_same_game(name: str) -> None:
    rules = get_game(name)
    for seed in range(len(CONFIGS[name])):
        first, *_, last = positions(name, seed)
        again = rules.from_setup(last.setup())
        assert last.setup() == first.setup() and told(again) == told(first)
        assert told(rules.new_game(first.config, first.seed)) == told(first)


@every_game
def test_apply__what_is_not_legal__is_refused_and_changes_nothing(name: str) -> None:
    rules = get_game(name)
    for game in positions(name, 2):
        before, legal = told(game), set(game.legal_actions())
        illegal = [action for action in range(rules.N_ACTIONS) if action not in legal][:3]
        for action in (*illegal, -1, rules.N_ACTIONS, None, True, "nonsense"):
            with pytest.raises((InvalidActionError, IllegalActionError)):
                game.apply(action)
        assert told(game) == before


@every_game
def test_bytes__damaged_or_of_another_kind__are_refused(name: str) -> None:
    rules = get_game(name)
    data = positions(name, 3)[3].to_bytes()
    damaged = [b"", data[:-1], data + b"\0", b"x" + data[1:], data[:-1] + bytes([data[-1] ^ 1]), "text", None]
    for wrong in damaged:
        with pytest.raises(SavedGameError):
            rules.from_bytes(wrong)


@every_game
def test_labels__every_action_has_its_own_and_can_be_read_back(name: str) -> None:
    rules = get_game(name)
    game = next(random_game(rules, 0))
    labels = [game.label(action) for action in range(rules.N_ACTIONS)]
    assert len(set(labels)) == rules.N_ACTIONS and [game.parse(label) for label in labels] == list(
        range(rules.N_ACTIONS)
    )
    assert 0 <= rules.PASS < rules.N_ACTIONS
