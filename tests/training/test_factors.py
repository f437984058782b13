"""Every registered game says what can differ between its set-ups, and set-ups drawn without a level never have it."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from tests.house.games import NAMES
from training.folds import (
    CONTROL,
    EVERYTHING,
    N_SHORT,
    Fold,
    chosen_folds,
    digest_of,
    folds_of,
    held_out_setups,
    players_of,
    seen_setups,
    short_folds,
)
from training.splits import draw_levels, level_of, split, split_of, training_setups
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games.factors import PLAYERS, Factor, of_members, of_values
from winterkingdom_env.games.splits import Split

every_game = pytest.mark.parametrize("name", NAMES)
every_factor = pytest.mark.parametrize(
    ("name", "factor"), [(name, factor) for name in NAMES for factor in get_game(name).factors()], ids=lambda x: getattr(x, "name", x)
)  # fmt: skip
# Changes only if cards or boards do. Then results of before are about other set-ups: bump the game's env version.
DIGESTS = {"winter_kingdom": "611257ea7c2bcf17", "dominion": "63c5afbae7fcc64f", "kingdom_builder": "ec7d0786f8809b2a"}


def levels_of(factor: Factor, config: object) -> set[str]:
    return {level for level in factor.levels if factor.has(level, config)}


@every_game
def test_factors__have_levels_and_are_fields_of_the_config(name: str) -> None:
    rules, factors = get_game(name), get_game(name).factors()
    assert len({factor.name for factor in factors}) == len(factors)
    for factor in factors:
        assert factor.title and factor.field in rules.Config.__struct_fields__ and len(factor.levels) > 1
        assert all(factor.levels.values())
        for level in factor.levels:
            rest = factor.without(level)
            assert level not in rest and set(rest) == set(factor.levels) - {level}
    assert (PLAYERS in {factor.name for factor in factors}) == (len(rules.PLAYERS) > 1)


@every_factor
def test_draw__without_a_level__no_set_up_has_it_and_all_others_occur(name: str, factor: Factor) -> None:
    if factor.name == PLAYERS:
        return
    players = get_game(name).PLAYERS[0]
    for level in factor.levels:
        drawn = draw_levels(150, players, 3, name, without=f"{factor.name}={level}")
        assert not any(factor.has(level, config) for config in drawn)
        found = set().union(*(levels_of(factor, config) for config in drawn))
        assert found == set(factor.levels) - {level}
        having = draw_levels(20, players, 3, name, having=f"{factor.name}={level}")
        assert all(factor.has(level, config) for config in having)


@every_game
def test_draw__every_level_of_every_factor_occurs_and_lists_begin_alike(name: str) -> None:
    rules = get_game(name)
    drawn = training_setups("every", 200, tuple(rules.PLAYERS), 1, name)
    for factor in rules.factors():
        assert set().union(*(levels_of(factor, config) for config in drawn)) == set(factor.levels)
    players = rules.PLAYERS[-1]
    assert draw_levels(5, players, 1, name) == draw_levels(9, players, 1, name)[:5]
    assert draw_levels(9, players, 1, name) != draw_levels(9, players, 2, name)


@every_game
def test_training_setups__of_a_fold__never_have_its_level(name: str) -> None:
    numbers = tuple(get_game(name).PLAYERS)
    for fold in folds_of(name):
        drawn = training_setups(fold.trains_on, 8, numbers, 1, name)
        assert drawn
        if fold.level:
            factor, level = level_of(fold.name, name)
            assert not any(factor.has(level, config) for config in drawn)
            assert all(factor.has(level, config) for config in held_out_setups(name, fold, 8, 1))
        if fold.factor == EVERYTHING:
            assert {split_of(config, name) for config in drawn} == {Split.SEEN}
            assert {split_of(config, name) for config in held_out_setups(name, fold, 8, 1)} == {Split.HELD_OUT}


@every_game
def test_folds__are_played_on_set_ups_that_were_not_drawn_for_training(name: str) -> None:
    players = get_game(name).PLAYERS[0]
    control = Fold(CONTROL)
    assert held_out_setups(name, control, 9, 1) != training_setups("every", 9, (players,), 1, name)
    assert held_out_setups(name, control, 9, 1) == held_out_setups(name, control, 20, 1)[:9]
    fold = next((fold for fold in folds_of(name) if fold.level and fold.factor != PLAYERS), None)
    if fold is not None:
        assert seen_setups(name, fold, 9, 1) != training_setups(fold.trains_on, 9, (players,), 1, name)
        assert seen_setups(name, fold, 9, 1) != held_out_setups(name, fold, 9, 1)


@every_game
def test_draw__every_set_up_can_be_played(name: str) -> None:
    rules = get_game(name)
    for config in training_setups("every", 4, tuple(rules.PLAYERS), 2, name):
        game = rules.new_game(config, 1)
        game.apply(game.legal_actions()[0])
        assert game.n_players == config.num_players


@every_game
def test_folds__have_names_and_files_of_their_own(name: str) -> None:
    folds, short = folds_of(name), short_folds(name)
    assert len({fold.name for fold in folds}) == len({fold.slug for fold in folds}) == len(folds)
    assert all(fold.slug.replace(".", "").replace("_", "").isalnum() for fold in folds)
    assert (Fold(EVERYTHING) in folds) == bool(split(name).parts) and Fold(CONTROL) in folds
    for factor in get_game(name).factors():
        assert sum(fold.factor == factor.name for fold in short) == min(N_SHORT, len(factor.levels))
    assert chosen_folds(name, (), True) == short and chosen_folds(name, (), False) == folds
    assert {players_of(name, fold) for fold in folds} <= set(get_game(name).PLAYERS)


@pytest.mark.parametrize("name", GAMES)
def test_folds__set_ups__are_those_that_were_published(name: str) -> None:
    digests = [digest_of(held_out_setups(name, fold, 3, 0)) for fold in folds_of(name)]
    assert hashlib.blake2b(msgspec.json.encode(digests), digest_size=8).hexdigest() == DIGESTS[name]


def test_factors__of_the_first_game__are_leave_one_out() -> None:
    sizes = {factor.name: len(factor.levels) for factor in get_game("winter_kingdom").factors()}
    assert sizes == {"economy": 8, "scoring": 18, "twist": 9, "boards": 2, "players": 3, "house_rules": 2}
    assert [fold.name for fold in chosen_folds("winter_kingdom", ["players", "economy=Arms"], False)] == [
        "economy=Arms", "players=2", "players=3", "players=4",
    ]  # fmt: skip


def test_factor__a_value_of_several_names_has_several_levels() -> None:
    factor = of_members("card", "cards", "cards", [("a", "b"), ("b", "c:180"), ("c", "d")], ending=":180")
    assert set(factor.levels) == {"a", "b", "c", "d"} and len(factor.values("c")) == 2
    assert factor.without("b") == {"c": [("c", "d")], "d": [("c", "d")]}
    plain = of_values("sets", "sets", "sets", [None, ("x", "y")])
    assert list(plain.levels) == ["none", "x+y"]


@pytest.mark.parametrize(
    ("which", "numbers", "words"),
    [
        ("without:economy=Gold", (2,), "economy has no level 'Gold'; there are: Agriculture"),
        ("without:weather=Rain", (2,), "no factor is called 'weather'; there are: economy"),
        ("without:players=2", (2,), "no number of players is left"),
        ("most", (2,), "choose from: seen, all, every"),
    ],
)
def test_training_setups__wrong_kind__is_told(which: str, numbers: tuple[int, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        training_setups(which, 4, numbers, 1, "winter_kingdom")


def test_training_setups__of_a_fold__draw_house_rules_themselves() -> None:
    with pytest.raises(ValueError, match="leave out set, house-rules and split"):
        training_setups("every", 4, (2,), 1, "winter_kingdom", house_rules="random")
