"""A few games in lock-step, small enough to run with compilation off as well."""

from __future__ import annotations

import pytest

from tests.winter_kingdom.differential.lockstep import play_games


@pytest.mark.parametrize("number", [3, 13, 34, 71, 119, 176])
def test_core_matches_reference__one_game(number: int) -> None:
    assert play_games(range(number, number + 1)).games == 1
