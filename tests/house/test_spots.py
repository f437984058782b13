"""What can be clicked in a picture, and what nobody's seat sees, for every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.house.games import NAMES, positions
from winterkingdom_env.core.picture import PUBLIC, Look, Picture, Region, Spot, is_seat
from winterkingdom_env.games import get_game
from winterkingdom_env.render import picture_of

every_game = pytest.mark.parametrize("name", NAMES)
# Special actions that no tile stands for, and so have no place in the picture.
PLACELESS = ("use farmland", "use cave")


def asked_games(name: str, seeds: int, n: int) -> Iterator[tuple[Any, list[str]]]:
    """Positions of random games before their end, with the labels of the legal actions."""
    for seed in range(seeds):
        for game in positions(name, seed, n):
            if not game.is_over:
                yield game, [game.label(action) for action in game.legal_actions()]


def spots_of(game: Any, look: Look | None = None) -> list[Spot]:
    return list(picture_of(game, look or Look()).spots())


def on_places(game: Any) -> set[str]:
    """The labels of the legal actions on places of the board."""
    rules = get_game(game.NAME)
    n = rules.PLACE_KINDS * len(rules.PLACES)
    return {game.label(action) for action in game.legal_actions() if action < n}


# --- spots ------------------------------------------------------------------------------------------------------------


def test_spot__label__is_its_name_or_begins_with_it() -> None:
    card, place = Spot("Mine", (), ("use", "triple")), Spot("r12c06", ())
    for label, is_on in {
        "use Mine": 1,
        "use Mine II": 1,
        "triple Mine": 1,
        "acquire Mine": 0,
        "use Miner": 0,
        "use": 0,
    }.items():
        assert card.has(label) == bool(is_on), label
    assert (
        place.has("house r12c06")
        and place.has("lift r12c06")
        and not place.has("house r12c07")
        and not place.has("done")
    )
    assert Spot("Hot springs", ()).has("use Hot springs I") and not Spot("Hot", ()).has("use Hotter springs")


@every_game
def test_spots__legal_actions__have_one_spot_each(name: str) -> None:
    n = n_named = n_missed = 0
    for game, legal in asked_games(name, 12, 24):
        spots, places = spots_of(game), on_places(game)
        for label in legal:
            found = [spot for spot in spots if spot.has(label)]
            assert len(found) <= 1, f"{label} of {game}: {found}"
            assert found or label not in places, f"{label} of {game}"
            if " " in label:
                assert found or label in PLACELESS or name not in ("winter_kingdom", "kingdom_builder"), (
                    f"{label} of {game}"
                )
                n_named += 1
                n_missed += not found
        n += 1
    assert n > 60 and n_named > 100 and n_missed <= 0.05 * n_named


def region_of(spot: Spot, picture: Picture) -> Region:
    """The region of a spot: the sheet if it names none."""
    whole = Region("", 0, 0, picture.width, picture.height)
    return next((region for region in picture.regions if region.name == spot.region), whole) if spot.region else whole


@every_game
def test_spots__every_one__is_alone_with_its_name_and_lies_in_its_region(name: str) -> None:
    n = 0
    for game, legal in asked_games(name, 6, 12):
        picture = picture_of(game, Look(legal=legal))
        spots = list(picture.spots())
        actions = [(verb, spot.name) for spot in spots for verb in spot.verbs or ("",)]
        assert len(set(actions)) == len(actions)
        for spot in spots:
            at = region_of(spot, picture)
            assert spot.region in ("", at.name)
            assert len(spot.points) > 2 and all(
                at.x <= x <= at.x + at.width and at.y <= y <= at.y + at.height for x, y in spot.points
            ), spot
            n += 1
        drawn = {getattr(shape, "points", None) for shape in picture.shapes}
        assert {spot.points for spot in spots} <= drawn, "a spot lies where nothing is drawn"
    assert n > 50


@every_game
def test_spots__after_the_end__there_are_none(name: str) -> None:
    for seed in range(3):
        game = positions(name, seed)[-1]
        assert game.is_over and not spots_of(game)


@every_game
def test_spots__other_viewers__are_given_no_hidden_card(name: str) -> None:
    for game, _ in asked_games(name, 6, 8):
        for viewer in (PUBLIC, *range(game.n_players)):
            seen = spots_of(game, Look(viewer))
            assert {(spot.name, spot.verbs) for spot in seen} <= {(spot.name, spot.verbs) for spot in spots_of(game)}


# --- viewers ----------------------------------------------------------------------------------------------------------


def told(game: Any, look: Look) -> tuple[Any, ...]:
    """All that a picture and a screen tell."""
    picture = picture_of(game, look)
    screen = get_game(game.NAME).screen(game.snapshot(), look)
    return picture.title, picture.parts and picture.shapes, picture.blocks, tuple(picture.spots()), screen


@every_game
def test_viewers__what_they_may_see__is_the_same_whatever_is_hidden_from_them(name: str) -> None:
    n = n_open = 0
    for seed in range(6):
        dice = random.Random(seed)
        for game in positions(name, seed, 5):
            public, seats = told(game, Look(PUBLIC)), range(game.n_players)
            for seat in seats:
                own = told(game, Look(seat))
                for _ in range(2):
                    twin = game.determinize(seat, dice.getrandbits(60))
                    assert told(twin, Look(seat)) == own, f"seed {seed}, seat {seat} of {game}"
                    assert told(twin, Look(PUBLIC)) == public, f"seed {seed}, seat {seat} of {game}"
                    n_open += told(twin, Look()) != told(game, Look())
                    n += 1
    assert n > 100 and n_open > n / 2, "nothing was hidden, so nothing was tested"


@every_game
def test_viewers__everybody__is_no_seat(name: str) -> None:
    assert is_seat(0) and not is_seat(PUBLIC) and not is_seat(None)
    for game in positions(name, 1, 10)[:-1]:
        screens = [get_game(name).screen(game.snapshot(), Look(viewer)) for viewer in (PUBLIC, *range(game.n_players))]
        assert all(screens[0] != other for other in screens[1:])
        words = str(picture_of(game, Look(PUBLIC)).blocks)
        assert "(f)" not in words and "seat -1" not in words and "-1 (" not in words
