"""The reference plays what the rows of economy, scoring and twist cards say, and takes house rules with the set-up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.winter_kingdom.reference_game import drawn, hexes, make_game, override, play
from winterkingdom_env.games.winter_kingdom.layout import Condition, Link, Measure, Op, Terrain
from winterkingdom_env.games.winter_kingdom.tables import PRINTED
from winterkingdom_env.reference.winter_kingdom.scoring import MEASURES

EDGE = "r00c18"  # the upper edge of board 3
BESIDE_BOARD_1 = "r18c12"  # of board 6; r18c13 is of board 1

# --- economies ----------------------------------------------------------------------------------------------------------

EARNING = [  # on which of the legal hexes a mandatory piece earns
    (Condition.NEXT_TO, Terrain.ICE, "T* I  M  T", "r11c11"),
    (Condition.NEXT_TO, Terrain.TUNDRA, "T* T* M  T", "r11c11"),
    (Condition.NEXT_TO_OWN_FORT, 0, "T* TA M  T  Ta T", "r11c11"),
    (Condition.ON_TOP_BOARD, 0, "T  T* T*", BESIDE_BOARD_1),
    (Condition.ON_EDGE, 0, "T* T*\nT  T", EDGE),
    (Condition.NO_FREE_SAME_NEIGHBOUR, 0, "T* G  T  T", "r11c11"),
    (Condition.TOUCHING_NO_OWN, 0, "T* M  T*", "r11c11"),
    (Condition.TOUCHING_NO_OWN, 0, "T  Ta T  T", "r11c11"),
    (Condition.MANDATORY_LINE, 0, "T  T  T", "r11c11"),
    (Condition.SALVAGE, 0, "T  T  T", "r11c11"),
]


@pytest.mark.parametrize(("condition", "arg", "drawing", "at"), EARNING)
def test_condition__on_another_economy_card__pays_its_coins_per_house(
    condition: Condition, arg: int, drawing: str, at: str
) -> None:
    card = "Hunting" if condition is Condition.MANDATORY_LINE else "Marble"
    cards = override("economies", card, condition=condition, arg=arg, coins=3)
    game, stars = drawn(drawing, cards, at=at, economy=card)
    before = game.player.coins
    earned = {}
    for label in game.legal_labels() - {"done"}:
        earned[label] = play(game.clone(), label).position.players[0].coins - before
    assert earned
    for label, coins in earned.items():
        kind, hex_id = label.split()
        assert coins == (0 if hex_id not in stars else 6 if kind == "fort" else 3), label


def test_condition__built_by_an_ability_card__pays_too() -> None:
    cards = override("economies", "Furs", condition=Condition.NEXT_TO, arg=Terrain.VILLAGE, coins=9)
    game, _ = drawn("V  W  T", cards, "Sawmill", economy="Furs")
    coins = game.player.coins
    assert play(game, "use Sawmill I", "fort r11c12").player.coins == coins + 18


def test_mandatory_line__on_another_card__pays_once_and_forts_do_not_double_it() -> None:
    cards = override("economies", "Agriculture", condition=Condition.MANDATORY_LINE, coins=4)
    for drawing, last, coins in (("T  T  T", "r11c13", 4), ("T  T  M\nT  M  M", "r12c11", 0)):
        game, _ = drawn(drawing, cards, economy="Agriculture")
        before = game.player.coins
        play(game, "fort r11c11", "house r11c12")
        assert game.player.coins == before
        assert play(game, f"fort {last}").player.coins == before + coins


def test_salvage__on_another_card__takes_its_special_rules_along() -> None:
    cards = override("economies", "Furs", condition=Condition.SALVAGE, coins=2)
    game, _ = drawn("Ta TA Ta T", cards, "Mule", economy="Furs", phase="after")
    assert hexes(game, "lift") == {"r11c11", "r11c12", "r11c13"} and "use Mule I" in game.legal_labels()
    assert (
        game.explain("lift r11c11") == "`lift r11c11` is legal: Furs pays for own pieces taken off the board (p. 15)."
    )
    coins = game.player.coins
    assert play(game, "lift r11c11").player.coins == coins + 2
    assert play(game, "lift r11c12").player.coins == coins + 6
    assert "use Mule I" not in game.legal_labels() and game.state()["turn"]["salvaged"]
    assert "lift r11c13" in game.legal_labels()


def test_salvage__taken_from_the_card__no_piece_leaves_the_board() -> None:
    cards = override("economies", "Salvage", condition=Condition.ON_EDGE, coins=1)
    game, _ = drawn("Ta T", cards, economy="Salvage", phase="after")
    assert not hexes(game, "lift")
    assert game.explain("lift r11c11") == (
        "`lift r11c11` is illegal: Salvage pays for no piece taken off the board (p. 15)."
    )


def test_coins__none__salvage_still_takes_pieces() -> None:
    cards = override("economies", "Salvage", coins=0)
    game, _ = drawn("Ta T", cards, economy="Salvage", phase="after")
    coins = game.player.coins
    assert play(game, "lift r11c11").player.coins == coins


def test_every_condition__is_in_this_table() -> None:
    assert {case[0] for case in EARNING} == set(Condition)


# --- scorings -----------------------------------------------------------------------------------------------------------


def terrains(*names: Terrain) -> int:
    return sum(1 << name for name in names)


COUNTED = [  # how many the first seat has
    (Measure.BEST_ROW, 0, "Ta .  TA\nTa Ta", "r11c11", 3),
    (Measure.IN_LARGEST_GROUP, 1, "TA TA TA Ta .  Ta", "r11c11", 7),
    (Measure.IN_LARGEST_GROUP, 3, "TA TA TA Ta .  Ta", "r11c11", 2),
    (Measure.IN_LARGEST_GROUP, 8, "TA TA TA Ta .  Ta", "r11c11", 0),
    (Measure.OUTSIDE_LARGEST_GROUP, 0, "TA TA .  Ta .  TA", "r11c11", 3),
    (Measure.LONERS, 0, "TA .  Ta .  Ta Ta", "r11c11", 3),
    (Measure.TOUCHING_OPPONENT, 0, "TA Tb Ta .  Ta", "r11c11", 3),
    (Measure.ON_OR_TOUCHING, terrains(Terrain.VILLAGE, Terrain.GRASSLAND), "GA Ta V  Ta .  Ta", "r11c11", 4),
    (Measure.TOUCHING, terrains(Terrain.TUNNEL, Terrain.GRASSLAND), "GA Ta U  Ta .  TA", "r11c11", 2),
    (Measure.TOUCHING, terrains(Terrain.GRASSLAND), "GA Ga .  GA", "r11c11", 3),
    (Measure.ON, terrains(Terrain.MOUNTAIN, Terrain.TUNDRA), "MA Ta Ga .  Wa", "r11c11", 3),
    (Measure.BOARDS_WITH, 1, "TA .  Ta", "r11c16", 2),
    (Measure.BOARDS_WITH, 2, "TA .  Ta", "r11c16", 1),
    (Measure.BOARDS_WITH, 3, "TA .  Ta", "r11c16", 0),
    (Measure.ON_BOTTOM_BOARD, 0, "Ta TA Ta", BESIDE_BOARD_1, 3),
    (Measure.ON_EDGE, 0, "TA T\nTa T", EDGE, 2),
    (Measure.TUNNELS_TOUCHED, 0, "U  TA U  .  Ta", "r11c11", 2),
    (Measure.CASTLES_JOINED, 0, "C  Ta TA C  .  C  Ta", "r11c11", 2),
    (Measure.VILLAGES_JOINED, 0, "V  Ta TA V  .  V  Ta", "r11c11", 2),
    (Measure.MOUNTAIN_MAJORITIES, 0, "M  Ta .  M  TB .  M  Ta", "r11c11", 2),
]


@pytest.mark.parametrize("points", [7, -10])
@pytest.mark.parametrize(("measure", "arg", "drawing", "at", "count"), COUNTED)
def test_measure__on_another_card__is_counted_and_multiplied(
    measure: Measure, arg: int, drawing: str, at: str, count: int, points: int
) -> None:
    card = "Miners" if measure is Measure.BEST_ROW else "Knights"
    cards = override("scorings", card, measure=measure, arg=arg, points=points)
    game, _ = drawn(drawing, cards, at=at, rest="ice", bottom_board=1, top_board=4)
    assert game.score_sheet()[0][card] == points * count
    assert game.scores()[0] == sum(game.score_sheet()[0].values())


def test_measure__of_two_cards__counts_for_both() -> None:
    cards = override("scorings", "Knights", measure=Measure.LONERS, points=5)
    game, _ = drawn("Ta .  TA", cards, rest="ice")
    assert game.score_sheet()[0] == {"Knights": 15, "Loners": 6, "Miners": 0, "Castles": 0}


def test_every_measure__is_in_this_table() -> None:
    assert {case[0] for case in COUNTED} == set(Measure)
    assert set(MEASURES) == {measure.name for measure in Measure}


# --- twists -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "kind", "is_due"),
    [(0, "house", True), (2, "house", True), (3, "house", False), (5, "fort", True), (6, "fort", False)],
)
def test_wolves__more_houses_than_the_row_says__come(limit: int, kind: str, is_due: bool) -> None:
    game, _ = drawn("T  T  T  T", override("twists", "Wolves", arg=limit), twist="Wolves")
    play(game, *(f"{kind} r11c{col}" for col in (11, 12, 13)), "done")
    assert (game.phase == "wolves") == is_due
    if is_due:
        assert f"built more than {limit} houses (p. 16)" in game.explain("lift r11c11")


@pytest.mark.parametrize(
    ("reach", "drawing"),
    [(1, "Ta T* T  T  M  T"), (3, "Ta T* T* T* T  T"), (3, "Ta M  M  T* T"), (2, "Ta M  M  T* T*"), (6, "Ta M  M  M  M  M  T* T")],
)  # fmt: skip
def test_mobility__row_with_another_distance__opens_hexes_up_to_it(reach: int, drawing: str) -> None:
    game, stars = drawn(drawing, override("twists", "Mobility", arg=reach), twist="Mobility")
    assert hexes(game, "house") == stars


def test_mobility__words__name_the_distance() -> None:
    game, _ = drawn("Ta M  M  T  T", override("twists", "Mobility", arg=3), twist="Mobility")
    assert "at most 3 hexes away from an own piece (p. 16)" in game.explain("house r11c14")
    assert "r11c15 is more than 3 hexes away from own pieces while r11c14 is not" in game.explain("house r11c15")


def test_roads__row_with_another_discount__is_for_cards_that_move_first() -> None:
    cards = override("twists", "Roads", arg=2)
    cards = override("abilities", "Mule", cards, first=Op.BUILD_ON_EDGE, acquire_cost=3)
    cards = override("abilities", "Port", cards, first=Op.MOVE_TWO, second=Op.BUILD_ON, acquire_cost=3, link=Link.AND)
    game, _ = drawn("Ta T", cards, phase="after", twist="Roads")
    costs = {name: game.cost("acquire", name) for name in ("Mule", "Port", "Sleigh", "Mine")}
    assert costs == {"Mule": 3, "Port": 1, "Sleigh": 0, "Mine": 3}
    assert (game.cost("upgrade", "Sleigh"), game.cost("triple", "Sleigh")) == (0, 5)
    game.player.coins = 1
    assert {label for label in game.legal_labels() if label.startswith("acquire")} == {"acquire Port", "acquire Sleigh"}


# --- the set-up ---------------------------------------------------------------------------------------------------------


def test_house_rules__in_the_set_up__are_in_the_snapshot() -> None:
    text = "[twists.Wolves]\narg = 6\n"
    assert make_game(cards=PRINTED, house_rules=text).snapshot()["house_rules"] == text
    for game in (make_game(house_rules=""), make_game()):
        assert "house_rules" not in game.snapshot()
    assert "house_rules" not in make_game(cards=PRINTED, house_rules=text).state()


def test_house_rules__of_a_set_up__are_played() -> None:
    game = make_game(twist="Wolves", house_rules="[twist.Wolves]\narg = 6\n")
    assert game.twist_arg == 6
    with pytest.raises(ValueError, match="is not a kind of card"):
        make_game(house_rules="[twists.Wolves]\narg = 6\n")


@pytest.mark.parametrize("change", [{"economy": "Fur"}, {"twist": "Wolf"}, {"scoring": ["Knights", "Loners", "Miner"]}])
def test_set_up__unknown_card__is_refused_by_name(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"unknown card '(Fur|Wolf|Miner)': it is none of"):
        make_game(**change)


def test_cards__overridden__leave_the_printed_game_alone() -> None:
    cards = override("abilities", "Mule", first=Op.BUILD_ON, first_arg=Terrain.ICE, link=Link.OR)
    for rows, is_building in ((cards, True), (PRINTED, False), (None, False)):
        game, _ = drawn("Ta T  I", rows or PRINTED, "Mule")
        assert (play(game, "use Mule I").clone().phase == "build") == is_building
