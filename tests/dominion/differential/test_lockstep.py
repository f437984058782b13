"""The kernels equal the reference at every step, illegal actions included. ``make soak GAME=dominion`` does it at length."""

from __future__ import annotations

import pytest

from tests.dominion.differential.lockstep import Lockstep, config_of, play_games, things_to_exercise
from tests.house.lockstep import Difference, Tally
from tests.house.wild import WILD
from winterkingdom_env.games.dominion.tables import KINGDOMS
from winterkingdom_env.games.house_rules import PRINTED, RANDOM

GAMES = 99


def test_configs__33_in_a_row__cover_players_and_named_kingdoms() -> None:
    configs = [config_of(number) for number in range(500, 533)]
    assert {(config.num_players, config.kingdom) for config in configs} >= {
        (n, name) for n in (2, 3, 4) for name in KINGDOMS
    }


@pytest.mark.parametrize("first", range(0, GAMES, 33))
def test_core_matches_reference(first: int) -> None:
    tally = play_games(range(first, first + 33))
    assert tally.games == 33
    assert tally.illegal > 0 and tally.counts["redealt"] > 0
    assert set(tally.counts) <= set(things_to_exercise()), "what is counted is what the soak wants to see exercised"


def test_game_1840__a_thief_played_twice_regains_and_steals_a_silver__points_are_counted_again() -> None:
    # Supply and trash are the same after the action as before, but a player with Gardens has lost the thirtieth card.
    assert play_games(range(1840, 1841)).games == 1


@pytest.mark.parametrize("kind", [RANDOM, WILD])
def test_core_matches_reference__under_house_rules(kind: str) -> None:
    assert play_games(range(1000, 1012), kind).games == 12


@pytest.mark.parametrize("field", ["coins", "rng", "hand"])
def test_a_difference__is_found_and_explained(field: str) -> None:
    game = Lockstep(0, Tally(), PRINTED)
    game.game.record[field] += 1
    game.game.renew()
    with pytest.raises(Difference, match=rf"game 0 .* {field} is"):
        game.play()
