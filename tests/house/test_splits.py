"""Every registered game says which set-ups are held out, and what reports group its games by."""

from __future__ import annotations

import pytest

from tests.house.games import NAMES, random_game
from training.splits import draw_setups, split, split_of, training_setups
from winterkingdom_env.games import get_game
from winterkingdom_env.games.splits import Split

every_game = pytest.mark.parametrize("name", NAMES)


every_split = pytest.mark.parametrize(
    ("name", "split_name"), [(name, each) for name in NAMES for each in ("", *split(name).others)]
)


@every_split
def test_splits__nothing_is_on_both_sides_and_every_part_is_a_field_of_the_config(name: str, split_name: str) -> None:
    splits = split(name, split_name)
    assert splits == split(name, split_name)
    for part in splits.parts:
        assert part.field in get_game(name).Config.__struct_fields__ and part.title and all(part.texts)
        both = [frozenset(v) if isinstance(v, tuple) else v for v in (*part.seen, *part.held_out)]
        assert part.seen and part.held_out and len(set(both)) == len(both)
        assert part.field not in splits.always


@every_split
@pytest.mark.parametrize("which", Split)
def test_splits__what_is_drawn_is_on_its_side_for_every_number_of_players(
    name: str, split_name: str, which: Split
) -> None:
    splits = split(name, split_name)
    if which not in splits.sides:
        pytest.skip("this game holds nothing out")
    for players in get_game(name).PLAYERS:
        drawn = draw_setups(which, 30, players, 5, name, split_name=split_name)
        assert {config.num_players for config in drawn} == {players}
        assert {split_of(config, name, split_name=split_name) for config in drawn} == {which}
        for field, value in splits.always.items():
            assert all(getattr(config, field) == value for config in drawn)


@pytest.mark.parametrize("name", [name for name in NAMES if split(name).others])
def test_splits__one_of_several__has_set_ups_of_its_own(name: str) -> None:
    for other in split(name).others:
        for config in draw_setups(Split.SEEN, 30, get_game(name).PLAYERS[0], 5, name, split_name=other):
            assert split_of(config, name) is None
        for config in draw_setups(Split.SEEN, 30, get_game(name).PLAYERS[0], 5, name):
            assert split_of(config, name, split_name=other) is None


@every_game
def test_splits__unknown_name__is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(ValueError, match="no split 'nowhere'") as refused:
        split(name, "nowhere")
    assert all(other in str(refused.value) for other in split(name).others)


@every_split
def test_training_setups__are_seen_ones_or_leave_everything_to_the_set_up(name: str, split_name: str) -> None:
    numbers = tuple(get_game(name).PLAYERS)
    seen = training_setups("seen", 10, numbers, 1, name, split_name=split_name)
    assert [config.num_players for config in seen] == [number for number in numbers for _ in range(10)]
    assert {split_of(config, name, split_name=split_name) for config in seen} == {Split.SEEN}
    everything = training_setups("all", 10, numbers, 1, name, split_name=split_name)
    assert [config.num_players for config in everything] == list(numbers)
    for field, value in split(name, split_name).everything.items():
        assert all(getattr(config, field) == value for config in everything)


@every_game
@pytest.mark.parametrize("number", [0, 1, 99])
def test_training_setups__a_number_of_players_that_the_game_does_not_have_is_refused(name: str, number: int) -> None:
    with pytest.raises(ValueError, match=f"num_players={number}"):
        training_setups("all", 10, (number,), 1, name)


@every_game
def test_facts__are_those_that_the_game_names_all_game_long(name: str) -> None:
    rules = get_game(name)
    for seed in range(5):
        found = [rules.facts(game.snapshot()) for game in random_game(rules, seed)]
        assert found[0].keys() == rules.FACTS.keys() and all(facts == found[0] for facts in found)
        for value in found[0].values():
            assert all(
                isinstance(word, str) and word for word in (value if isinstance(value, list) else [value or "none"])
            )
