"""The page of a game in progress, from the actions that a game remembers."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES, config_of, random_game
from tests.web.recorded import recorded
from tests.web.test_replay_page import film_in
from winterkingdom_env.games import get_game
from winterkingdom_env.records import RecordError, read_record
from winterkingdom_env.web import Replay
from winterkingdom_env.web.film import film_of
from winterkingdom_env.web.source import record_from

every_game = pytest.mark.parametrize("name", NAMES)
UNKNOWN = "the actions of this game since its beginning are not known: .* write a record"


def played(name: str, seed: int = 1, n: int = 9) -> Any:
    """A game after some random actions."""
    found = random_game(get_game(name), seed)
    for _ in range(n):
        game = next(found)
    return game


@every_game
def test_page__of_a_finished_game__is_that_of_its_record(name: str, tmp_path: Path) -> None:
    record = recorded(name, tmp_path, seed=1)
    game = get_game(name).new_game(config_of(name, 1), 1)
    for step in record.actions:
        game.apply(game.parse(step.action))
    names = record.header.agents
    assert film_of(record_from(game, names)) == film_of(record)
    assert game.replay_html(names) == Replay(record).html
    assert game.replay_html(names, viewer=1) == Replay(record, viewer=1).html


@every_game
def test_page__in_mid_game__ends_where_the_game_is(name: str) -> None:
    game = played(name)
    before = game.to_bytes()
    film: Any = film_in(game.replay_html(["<b>"] * game.n_players))
    assert len(film["frames"]) == len(game.history()) + 1 and not film["is_complete"]
    assert film["frames"][-1]["asked"] == game.seat and film["seats"][0]["agent"] == "<b>"
    assert game.to_bytes() == before
    fresh: Any = film_in(get_game(name).new_game().replay_html())
    assert len(fresh["frames"]) == 1


@every_game
def test_history__clones_share_it_and_go_on_alone(name: str) -> None:
    game = played(name)
    known = game.history()
    assert len(known) == 8
    copy, action = game.clone(), game.legal_actions()[-1]
    copy.apply(action)
    assert copy.history() == [*known, action] and game.history() == known
    with pytest.raises(ValueError, match=r"illegal|not an action"):
        game.apply(next(i for i in range(10_000) if i not in game.legal_actions()))
    assert game.history() == known


@every_game
def test_history__not_known__the_error_says_what_works(name: str) -> None:
    game = played(name)
    for other in (
        game.determinize(game.seat, 0),
        get_game(name).from_bytes(game.to_bytes()),
        pickle.loads(pickle.dumps(game)),
        pickle.loads(pickle.dumps(game)).clone(),
    ):
        other.apply(other.legal_actions()[0])
        with pytest.raises(ValueError, match=UNKNOWN):
            other.history()
        with pytest.raises(ValueError, match=UNKNOWN):
            other.replay_html()


@every_game
def test_history__pickled_before_the_first_action__is_known(name: str) -> None:
    game = pickle.loads(pickle.dumps(get_game(name).new_game(seed=3)))
    action = game.legal_actions()[0]
    game.apply(action)
    assert game.history() == [action] and len(film_in(game.replay_html())["frames"]) == 2  # type: ignore[arg-type]


def test_page__edited_game__is_refused() -> None:
    game = played("winter_kingdom")
    game.record["coins"][0, 0] += 1
    game.renew()
    with pytest.raises(ValueError, match="do not lead to its position"):
        game.replay_html()


def test_page__names_and_seats_that_do_not_fit__are_refused(tmp_path: Path) -> None:
    game = played("dominion")
    with pytest.raises(RecordError, match="1 agent names for 3 seats"):
        game.replay_html(["only one"])
    with pytest.raises(ValueError, match="viewer=9"):
        game.replay_html(viewer=9)
    with pytest.raises(ValueError, match="a record has its own names"):
        Replay(read_record(recorded("dominion", tmp_path).path), agents=["a", "b"])
