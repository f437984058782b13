"""The fields of any Config as people type them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Literal

import msgspec
import pytest

from tests.house.games import CONFIGS, NAMES
from winterkingdom_env.games import get_game
from winterkingdom_env.games.options import as_typed, make_config, options_of, read_options


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A config of no registered game, with a field of every kind."""

    num_players: int = 3
    piles: tuple[str, ...] = ()
    pair: tuple[int, int] | None = None
    size: int | None = 2
    share: float = 0.5
    is_long: bool = False
    colour: Literal["red", "blue"] = "red"


RULES: Any = SimpleNamespace(Config=Config, TITLE="Made Up", PLAYERS=range(2, 6))


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("piles=Copper, Curse", "piles", ("Copper", "Curse")),
        ("piles=", "piles", ()),
        ("pair=1,-2", "pair", (1, -2)),
        ("pair=none", "pair", None),
        ("size=-7", "size", -7),
        ("size=none", "size", None),
        ("share=0.25", "share", 0.25),
        ("is_long=true", "is_long", True),
        ("colour=blue", "colour", "blue"),
    ],
)
def test_read__a_value__has_the_type_of_its_field(text: str, field: str, value: object) -> None:
    assert read_options(RULES, [text]) == {field: value}
    config = make_config(RULES, 5, [text])
    assert (config.num_players, getattr(config, field)) == (5, value)
    assert read_options(RULES, [f"{field}={as_typed(value)}"]) == {field: value}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size", "is not of the form name=value; the names are: piles, pair, size, share, is_long, colour"),
        ("weight=1", "Made Up has no option 'weight'; its options: piles, pair"),
        ("num_players=2", "use --players to set the number of players"),
        ("size=big", "'size=big' is invalid: .*; size takes integer or none"),
        ("share=none", "share takes number"),
        ("pair=1", "pair takes 2 values separated by commas or none"),
        ("is_long=perhaps", "is_long takes true or false"),
        ("colour=green", "colour takes red or blue"),
    ],
)
def test_read__what_cannot_be__is_refused_with_what_can(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_options(RULES, [text])


def test_make__too_many_players_or_twice_the_same__is_refused() -> None:
    with pytest.raises(ValueError, match="Made Up is not for 6 players; numbers of players: 2, 3, 4, 5"):
        make_config(RULES, 6)
    with pytest.raises(ValueError, match="size was already set; set it once"):
        make_config(RULES, None, ["size=1", "size=2"])
    assert make_config(RULES) == Config()


@pytest.mark.parametrize("name", NAMES)
def test_every_game__configs_can_be_typed(name: str) -> None:
    rules = get_game(name)
    for fields in CONFIGS[name]:
        wanted = rules.Config(**fields)
        typed = [f"{option}={as_typed(getattr(wanted, option))}" for option in options_of(rules)]
        assert make_config(rules, wanted.num_players, typed) == wanted
