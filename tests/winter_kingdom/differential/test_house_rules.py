"""The kernels equal the reference under house rules, too: moderate ones, and any that are allowed."""

from __future__ import annotations

import pytest

from tests.house import soak
from tests.house.wild import WILD
from tests.winter_kingdom.differential.lockstep import play_games, things_to_exercise
from winterkingdom_env.games.house_rules import RANDOM


@pytest.mark.parametrize("kind", [RANDOM, WILD])
@pytest.mark.parametrize("first", [0, 100])
def test_core_matches_reference__under_house_rules(first: int, kind: str) -> None:
    tally = play_games(range(first, first + 27), kind)
    assert tally.games == 27 and tally.illegal > 0
    used = [thing for thing in things_to_exercise(kind) if tally.counts[thing]]
    assert len(used) > len(things_to_exercise(kind)) / 2


def test_soak__takes_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--games", "2", "--processes", "1", "--house-rules", WILD]) == 1
    assert "never exercised: BUILD_ON" in capsys.readouterr().out.replace("\n", " ")
