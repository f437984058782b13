"""The kernels equal the reference at every step, illegal actions included, with all sets mixed."""

from __future__ import annotations

import pytest

from tests.house.lockstep import Difference, Tally
from tests.kingdom_builder.differential.lockstep import Lockstep, options_of, play_games, things_to_exercise

GAMES = 32


def test_options__16_in_a_row__cover_players_sets_and_queenies() -> None:
    options = [options_of(number) for number in range(16)]
    assert {given["num_players"] for given in options} == {2, 3, 4, 5}
    assert {name for given in options for name in given["sets"]} == {"nomads", "crossroads", "marshlands", "harvest"}
    assert any(given["capitol"] for given in options) and any(given["caves"] for given in options)
    assert any(given["island"] for given in options)


@pytest.mark.parametrize("first", range(0, GAMES, 16))
def test_core_matches_reference(first: int) -> None:
    tally = play_games(range(first, first + 16))
    assert tally.games == 16 and tally.illegal > 0
    assert set(tally.counts) <= set(things_to_exercise()), "what is counted is what a long run wants to see exercised"


@pytest.mark.parametrize(
    "number",
    [1789],  # a settlement that the temple owes is the first piece, on swamp, with an empty supply
)
def test_core_matches_reference__in_games_that_once_differed(number: int) -> None:
    assert play_games(range(number, number + 1)).games == 1


@pytest.mark.parametrize("field", ["supply", "rng", "walls_left"])
def test_a_difference__is_found_and_explained(field: str) -> None:
    game = Lockstep(0, Tally())
    game.table.games[field] += 1
    with pytest.raises(Difference, match=rf"game 0, step 0, .*{field}.* is"):
        game.play()
