"""The Big Money players play legal actions in every phase, and by their wishes."""

from __future__ import annotations

import random

import pytest

from tests.dominion.kernel_table import make_table
from tests.dominion.position import read_position
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.bigmoney import PLAYERS, as_array, choose, wishes_of
from winterkingdom_env.games.dominion.tables import KINGDOM, NAMES

KINGDOM_NAMES = [NAMES[card] for card in KINGDOM]


def chosen(game: Game, **options: str) -> str:
    """The label of what a player does."""
    world = game._world
    return game.label(int(choose(world.games[0], world.boards[0], world.rules[0], as_array(wishes_of(**options)))))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_choose__any_kingdom__is_legal(seed: int) -> None:
    dice = random.Random(seed)
    cards = dice.sample(KINGDOM_NAMES, 10)
    game = Game.new_game(Config(num_players=2 + seed % 3, kingdom=tuple(cards), round_limit=20), seed)
    players = [{"rule": dice.choice(list(PLAYERS)), "cards": "+".join(dice.sample(cards, 3))} for _ in range(4)]
    while not game.is_over:
        game.apply(game.parse(chosen(game, **players[game.seat])))


@pytest.mark.rule("Dominion, yardsticks")
@pytest.mark.parametrize(
    ("position", "options", "label"),
    [
        ("coins 8", {}, "buy Province"),
        ("coins 7", {}, "buy Gold"),
        ("coins 5", {}, "buy Silver"),
        ("coins 2", {}, "done"),
        ("coins 8; pile Province 0", {}, "buy Gold"),
        ("coins 4", {"cards": "Smithy"}, "buy Smithy"),
        ("coins 4; X0 Smithy", {"cards": "Smithy"}, "buy Silver"),
        ("coins 4", {"rule": "BMS"}, "buy Smithy"),
        ("coins 5", {"rule": "BMS"}, "buy Silver"),
        ("coins 8; X0 15 Copper", {"rule": "BMU"}, "buy Gold"),
        ("coins 8; X0 16 Copper", {"rule": "BMU"}, "buy Province"),
        ("coins 5; pile Province 4", {"rule": "BMU"}, "buy Duchy"),
        ("coins 2; pile Province 2", {"rule": "BMU"}, "buy Estate"),
        ("coins 5; X0 12 Copper", {"rule": "BMU"}, "buy Smithy"),
        ("coins 5; X0 Smithy, 11 Copper", {"rule": "BMU"}, "buy Silver"),
        ("coins 8", {"rule": "W1"}, "buy Witch"),
        ("coins 8; X0 Gold", {"rule": "W1"}, "buy Province"),
        ("coins 5; X0 Witch", {"rule": "W2"}, "buy Witch"),
        ("coins 4; X0 Smithy, 14 Copper", {"rule": "BigSmithy"}, "buy Silver"),
        ("coins 4; X0 Smithy, 15 Copper", {"rule": "BigSmithy"}, "buy Smithy"),
        ("coins 5; pile Province 4", {"rule": "WW"}, "buy Duchy"),
        ("coins 5; pile Province 7", {"rule": "BMD"}, "buy Duchy"),
        ("coins 6", {"cards": "Chapel"}, "buy Gold"),
        ("coins 5", {"cards": "Chapel"}, "buy Chapel"),
        ("H0 Smithy, Village", {}, "play Smithy"),
    ],
)
def test_choose__buys_by_its_wishes(position: str, options: dict[str, str], label: str) -> None:
    assert chosen(make_table(read_position(position), 1).game, **options) == label


@pytest.mark.rule("Dominion, yardsticks")
@pytest.mark.parametrize(
    ("position", "actions", "label"),
    [
        ("H0 Militia; H1 Copper, Silver, 2 Gold, Estate", ["play Militia"], "discard Copper"),
        ("H0 Militia; H1 Copper, Silver, 2 Gold, Estate", ["play Militia", "discard Copper"], "discard Estate"),
        ("H0 Militia; H1 2 Gold, Silver, Smithy, Market", ["play Militia"], "discard Silver"),
        ("H0 Library; T0 Village", ["play Library"], "yes"),
        ("actions 2; H0 Library; T0 Village", ["play Library"], "done"),
        ("H0 Mine, Copper, Silver", ["play Mine"], "trash Silver"),
        ("H0 Mine, Copper, Gold", ["play Mine"], "trash Copper"),
        ("H0 Mine, Silver", ["play Mine", "trash Silver"], "gain Gold"),
        ("H0 Chancellor; D0 Copper", ["play Chancellor"], "yes"),
        ("H0 Bureaucrat; H1 Province, Estate", ["play Bureaucrat"], "topdeck Estate"),
        ("H0 Witch; H1 Moat", ["play Witch"], "yes"),
        ("H0 Chapel, Copper, Estate; X0 6 Copper", ["play Chapel"], "trash Copper"),
        ("H0 Chapel, Copper, Estate; X0 5 Copper", ["play Chapel"], "trash Estate"),
        ("H0 Cellar, Copper, Estate", ["play Cellar"], "discard Estate"),
        ("H0 Remodel, Gold, Estate", ["play Remodel"], "trash Estate"),
        ("H0 Workshop", ["play Workshop"], "gain Silver"),
        ("H0 Spy; T0 Copper, Estate", ["play Spy"], "yes"),
        ("H0 Spy; T0 Copper, Gold", ["play Spy"], "done"),
        ("H0 Spy; T0 Copper; T1 Gold", ["play Spy"], "yes"),
        ("H0 Thief; T1 Copper, Gold", ["play Thief"], "trash Gold"),
        ("H0 Thief; T1 2 Gold", ["play Thief"], "gain Gold"),
        ("H0 Thief; T1 2 Copper", ["play Thief"], "done"),
        ("H0 Throne Room; D0 Village", ["play Throne Room"], "done"),
    ],
)
def test_choose__answers(position: str, actions: list[str], label: str) -> None:
    table = make_table(read_position(position), 1)
    for action in actions:
        table.apply(action)
    assert chosen(table.game) == label


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rule": "BMX"}, f"there are: {', '.join(PLAYERS)}"),
        ({"cards": "Smith"}, "'Smith' is not a kingdom card"),
        ({"cards": "Smithy", "n": 11}, "1 to 10 copies"),
        ({"cards": "+".join(["Smithy"] * 10)}, "wishes are too many; 12 at most"),
    ],
)
def test_wishes__of_nobody__say_what_there_is(options: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wishes_of(**options)  # type: ignore[arg-type]  # n is a number
