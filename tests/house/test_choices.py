"""What a form offers for the options of a game, what it refuses, and random set-ups, for every game."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import NAMES
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games import get_game
from winterkingdom_env.games.options import Choice, as_typed, check_choices, make_config, options_of, surprise
from winterkingdom_env.web.offers import offers

every_game = pytest.mark.parametrize("name", NAMES)
# What only some layouts allow: printed ones are not known of every quadrant.
BESIDE = {"kingdom_builder": {name: {"boards": "own"} for name in ("sets", "quadrants", "island")}}
NEVER = (
    "/etc/passwd", "../x", "own.txt", "boards.txt", "[ability.Mine]\nacquire_cost = 2", "standard\n", "standard\0", "\x1b[2J", "standard ",
    "Standard", "random:", "generated:x", "generated:-1", "generated:٣", "generated:5\n", "none,none", "1e3", "0x10", "nan", " 5", "٣", "1" * 50,
)  # fmt: skip


def configs(rules: Any, options: dict[str, str]) -> Any:
    """A Config from what a form sends."""
    return make_config(rules, None, check_choices(rules, options))


@every_game
def test_choices__every_text_option__has_one(name: str) -> None:
    rules = get_game(name)
    options = options_of(rules)
    texts = {option.name for option in options.values() if "text" in option.words or "values" in option.words}
    assert texts <= {*rules.CHOICES} <= {*options}
    for choice in rules.CHOICES.values():
        assert isinstance(choice, Choice) and 1 <= choice.most <= len(choice.values)
        assert len(set(choice.values)) == len(choice.values)
        assert not any(Path(value).exists() for value in choice.values if value), "a value is a file"
        assert all("," not in value and value == value.strip() and value.isprintable() for value in choice.values)


@every_game
def test_offers__no_choice__is_said_in_words_and_no_file_is_spoken_of(name: str) -> None:
    rules = get_game(name)
    for row in offers(rules):
        assert not re.search(r"\bNone\b|\bpath\b|\.toml|\bfile\b", row["meaning"]), row
        assert (
            row["nothing"] == rules.CHOICES[row["name"]].nothing
            if row["kind"] == "values"
            else row["nothing"] == "none"
        )


def test_offers__none_in_winter_kingdom__draws_an_economy_and_leaves_out_a_twist() -> None:
    rows = {row["name"]: row for row in offers(get_game("winter_kingdom"))}
    assert rows["economy"]["nothing"] == "drawn at random" and rows["twist"]["nothing"] == "no twist"


def found_with(rules: Any, field: str, value: str, beside: dict[str, str]) -> bool:
    """Whether the value makes a Config, alone or together with others of its choice."""
    choice, dice = rules.CHOICES[field], random.Random(1)
    for n in (1, choice.most) * 40:
        others = dice.sample([other for other in choice.values if other != value], n - 1)
        texts = check_choices(rules, {**beside, field: ",".join([value, *others])})
        try:
            config = make_config(rules, None, texts)
        except ValueError:
            continue
        assert read_back(config, field) != "" or value == ""
        return True
    return False


def read_back(config: Any, field: str) -> str:
    return as_typed(getattr(config, field))


@every_game
def test_choices__every_value__makes_a_config(name: str) -> None:
    rules = get_game(name)
    for field, choice in rules.CHOICES.items():
        beside = BESIDE.get(name, {}).get(field, {})
        for value in choice.values:
            assert found_with(rules, field, value, beside), f"{field}={value}"


@every_game
def test_check__what_is_not_offered__is_refused(name: str) -> None:
    rules, options = get_game(name), options_of(get_game(name))
    for field in options:
        choice = rules.CHOICES.get(field)
        for text in NEVER:
            with pytest.raises(ValueError, match=field) as error:
                check_choices(rules, {field: text})
            assert text.isprintable() or text not in str(error.value)
        if choice is not None:
            with pytest.raises(ValueError, match=r"not offered|too many"):
                check_choices(rules, {field: ",".join([*choice.values, "x"])})
        with pytest.raises(ValueError, match="a text is needed"):
            check_choices(rules, {field: ["standard"]})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="no option 'num_players'"):
        check_choices(rules, {"num_players": "2"})
    with pytest.raises(ValueError, match="no option"):
        check_choices(rules, {"path": "x"})


@every_game
def test_check__a_file_beside_the_server__is_never_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.txt").write_text("")
    (tmp_path / "random:5x").write_text("")
    rules = get_game(name)
    for field in rules.CHOICES:
        for text in ("own.txt", "./own.txt", "random:5x", str(tmp_path / "own.txt")):
            with pytest.raises(ValueError, match=f"{field}="):
                check_choices(rules, {field: text})


@every_game
def test_check__defaults_numbers_and_flags__pass(name: str) -> None:
    rules = get_game(name)
    defaults = {option.name: as_typed(option.default) for option in options_of(rules).values()}
    assert configs(rules, defaults) == rules.Config()
    assert check_choices(rules, {"house_rules": "random:17"}) == ["house_rules=random:17"]
    if "boards" in rules.CHOICES:
        assert configs(rules, {"boards": "generated:3"}).boards == "generated:3"
        with pytest.raises(ValueError, match="boards='random:3' is not offered; there are: standard"):
            check_choices(rules, {"boards": "random:3"})


def test_check__texts__are_what_make_config_reads() -> None:
    rules = get_game("kingdom_builder")
    texts = check_choices(rules, {"quadrants": "", "sets": "", "caves": "true", "round_limit": "7", "tasks": "none"})
    assert texts == ["quadrants=none", "sets=", "caves=true", "round_limit=7", "tasks=none"]
    with pytest.raises(ValueError, match=r"scoring: 4 values are too many; 3 at most"):
        check_choices(rules, {"scoring": "Lords,Knights,Miners,Workers"})
    with pytest.raises(ValueError, match=f"caves={quoted('yes')} is invalid; caves takes true or false"):
        check_choices(rules, {"caves": "yes"})


@every_game
def test_surprise__two_hundred_draws__make_games(name: str) -> None:
    rules, stream, drawn = get_game(name), Stream(seed_state(1)), list[dict[str, str]]()
    for i in range(200):
        players = rules.PLAYERS[i % len(rules.PLAYERS)]
        texts = surprise(rules, players, stream)
        game = rules.new_game(make_config(rules, players, check_choices(rules, texts)), i)
        assert game.n_players == players and game.legal_actions()
        drawn.append(texts)
    split = rules.splits()
    assert len({str(texts) for texts in drawn}) > 100 or not split.parts
    for part in split.parts:
        for side in (part.seen, part.held_out):
            assert {as_typed(value) for value in side} & {texts.get(part.field, "") for texts in drawn}, part.field
    assert surprise(rules, 2, Stream(seed_state(1))) == surprise(rules, 2, Stream(seed_state(1)))
