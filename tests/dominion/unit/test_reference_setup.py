"""Set-ups of the reference: kingdoms, options, overridden cards, errors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dominion.position import NAMES, read_position
from winterkingdom_env.reference.dominion import ReferenceGame

ATTACKS = {"Bureaucrat", "Militia", "Spy", "Thief", "Witch"}
TEN = ["Witch", "Moat", "Spy", "Chapel", "Gardens", "Village", "Smithy", "Mine", "Library", "Feast"]


def kingdom_of(game: ReferenceGame) -> list[str]:
    return [NAMES[card] for card in game.snapshot()["kingdom"]]


@pytest.mark.rule("Dominion, set-up")
@pytest.mark.parametrize(("players", "total"), [(2, 270), (3, 295), (4, 308)])
def test_setup__without_gardens__all_cards_are_there(players: int, total: int) -> None:
    game = ReferenceGame({"num_players": players, "kingdom": "first_game"})
    assert sum(game.snapshot()["supply"]) + sum(sum(game.owned(p)) for p in range(players)) == total


@pytest.mark.rule("Dominion, set-up")
@pytest.mark.parametrize(("players", "total"), [(2, 268), (3, 297), (4, 310)])
def test_setup__with_gardens__their_pile_is_a_victory_pile(players: int, total: int) -> None:
    game = ReferenceGame({"num_players": players, "kingdom": "size_distortion"})
    assert sum(game.snapshot()["supply"]) + sum(sum(game.owned(p)) for p in range(players)) == total


@pytest.mark.rule("Dominion, set-up")
def test_setup__random_without_attacks__draws_none() -> None:
    games = [ReferenceGame({"kingdom": "random", "attacks": False, "seed": seed}) for seed in range(30)]
    assert not any(ATTACKS & set(kingdom_of(game)) for game in games)
    assert len({card for game in games for card in kingdom_of(game)}) == 20


@pytest.mark.rule("Dominion, set-up")
def test_setup__explicit_set_without_attacks__is_taken_as_it_is() -> None:
    game = ReferenceGame({"kingdom": TEN, "attacks": False})
    assert kingdom_of(game) == sorted(TEN, key=NAMES.index)


@pytest.mark.rule("Dominion, set-up")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"num_players": 5}, "one of 2, 3, 4"),
        ({"kingdom": "second_game"}, "first_game"),
        ({"kingdom": TEN[:9]}, "10 different"),
        ({"kingdom": [*TEN[:9], "Witch"]}, "10 different"),
        ({"kingdom": [*TEN[:9], "Copper"]}, "no kingdom card"),
        ({"players": 2}, "num_players"),
        ({"cards": {"Smithie": {"cost": 3}}}, "unknown card"),
        ({"cards": {"Smithy": {"price": 3}}}, "cost"),
    ],
)
def test_setup__wrong_option__says_what_would_work(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ReferenceGame(wrong)


@pytest.mark.rule("Dominion, overridden cards")
def test_overrides__cost_and_pile__are_used() -> None:
    cards = {"Smithy": {"cost": 0, "pile": 1}, "Province": {"pile": 3}}
    game = ReferenceGame({"cards": cards, "seed": 1})
    supply = game.snapshot()["supply"]
    assert (supply[NAMES.index("Smithy")], supply[NAMES.index("Province")]) == (1, 3)
    coins = game.snapshot()["coins"]
    game.apply("buy Smithy")
    assert "buy Smithy" not in game.legal_labels() and game.empty_piles() == ["Smithy"]
    assert coins and ReferenceGame.restore(game.snapshot()).snapshot() == game.snapshot()


@pytest.mark.rule("Dominion, overridden cards")
def test_overrides__cost__decides_what_is_gained() -> None:
    data = read_position("H0 Workshop").plain(rng=1)
    game = ReferenceGame.position({**data, "cards": {"Province": {"cost": 4}, "Estate": {"cost": 5}}})
    game.apply("play Workshop")
    assert "gain Province" in game.legal_labels() and "gain Estate" not in game.legal_labels()


@pytest.mark.rule("Dominion, illegal actions")
def test_apply__illegal__says_why_and_changes_nothing() -> None:
    game = ReferenceGame({"seed": 1})
    before = game.snapshot()
    with pytest.raises(ValueError, match=r"seat 0 is asked `buy` and may answer"):
        game.apply("buy Province")
    with pytest.raises(ValueError, match="no action has this name"):
        game.apply("buy Platinum")
    assert game.snapshot() == before and "is legal" in game.explain("done")


@pytest.mark.rule("Dominion, end")
def test_apply__game_is_over__nothing_is_legal() -> None:
    game = ReferenceGame({"round_limit": 1})
    game.apply("done")
    game.apply("done")
    assert game.is_over and not game.legal_labels() and "the game is over" in game.explain("done")
    assert (game.snapshot()["seat"], game.mover) == (1, 1)
