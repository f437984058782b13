"""The kernels equal the reference at every step, illegal actions included. ``make soak`` does it at length."""

from __future__ import annotations

import pytest

from tests.house import soak
from tests.winter_kingdom.differential.lockstep import (
    Difference,
    Lockstep,
    Tally,
    config_of,
    play_games,
    things_to_exercise,
)

GAMES = 216  # every player count with every economy and every twist


def test_configs__216_in_a_row__cover_all_combinations() -> None:
    found = {(c.num_players, c.economy, c.twist) for c in map(config_of, range(500, 500 + GAMES))}
    assert len(found) == GAMES


@pytest.mark.parametrize("first", range(0, GAMES, 27))
def test_core_matches_reference(first: int) -> None:
    tally = play_games(range(first, first + 27))
    assert tally.games == 27
    assert tally.illegal > 0
    assert set(tally.counts) <= set(things_to_exercise()), "what is counted is what the soak wants to see exercised"
    assert tally.counts["Tunnel"], "no board is without tunnels"


def test_a_difference__is_found_and_explained() -> None:
    game = Lockstep(0, Tally())
    game.game.record["coins"][0, 0] += 1
    with pytest.raises(Difference, match=r"game 0 .* players is"):
        game.play()


def test_a_wrong_rule__is_named_in_a_sentence() -> None:
    game = Lockstep(0, Tally())
    legal = game.game._world.legals["hexes"]
    legal[0, 0] |= 1 << 31  # nowhere
    legal[0, 0, :] = ~legal[0, 0, :]
    with pytest.raises(
        Difference, match=r"(the kernel allows|the kernel forbids) .* `house r\d\dc\d\d` is (il)?legal.*p\. \d"
    ):
        game.play()


def test_soak__too_few_games__says_what_was_never_exercised(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--games", "2", "--processes", "1"]) == 1
    printed = capsys.readouterr().out
    assert "2 games" in printed
    assert "never exercised" in printed


def test_soak__wrong_use__exits_with_two() -> None:
    with pytest.raises(SystemExit) as stop:
        soak.main(["--games", "0"])
    assert stop.value.code == 2


def test_things_to_exercise__are_all_cards() -> None:
    assert len(things_to_exercise()) == 50 + 1 + 8 + 8 + 18 + 5
