"""The reference plays what an ability card's row says: every op, on a card that does not have it in print; links and costs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.winter_kingdom.reference_game import drawn, hexes, override, play
from winterkingdom_env.games.winter_kingdom.layout import Link, Op, Terrain
from winterkingdom_env.games.winter_kingdom.tables import PRINTED, Cards
from winterkingdom_env.reference.winter_kingdom.abilities import BUILDS, MOVES

GRASS, FOREST, ICE, MOUNTAIN, TUNNEL = (
    Terrain.GRASSLAND, Terrain.FOREST, Terrain.ICE, Terrain.MOUNTAIN, Terrain.TUNNEL,
)  # fmt: skip
EDGE, SEAM = "r00c18", "r11c14"  # the upper edge of board 3; r11c17 is the last hex of the centre board in its row


def with_half(card: str, half: str, op: Op, arg: int = 0, link: Link = Link.OR) -> Cards:
    """The printed cards with another half on one of them."""
    which = "first" if half == "I" else "second"
    values: dict[str, Any] = {which: op, f"{which}_arg": arg, "link": link}
    return override("abilities", card, **values)


# --- halves that build, on Mule: it moves in print ----------------------------------------------------------------------

BUILDING = [
    (Op.BUILD_ON, MOUNTAIN, "Ta M* T  M", "r11c11"),
    (Op.BUILD_ON, ICE, "Ta I* T  I", "r11c11"),
    (Op.BUILD_ON_CARD_TERRAIN, 0, "Ga T* F  G  L", "r11c11"),  # the card is tundra
    (Op.BUILD_ON_CARD_TERRAIN, 2, "G* T  F  G* L", "r11c11"),
    (Op.BUILD_ON_CARD_TERRAIN, 5, "G  T  F  G  L*", "r11c11"),
    (Op.BUILD_NEXT_TO, GRASS, "T* G  T* T", "r11c11"),
    (Op.BUILD_NEXT_TO, GRASS, "I* G* G* T* T", "r11c11"),
    (Op.BUILD_NEXT_TO, TUNNEL, "T* U  M  T", "r11c11"),
    (Op.BUILD_NEXT_TO_OWN_FORT, 0, "T* TA I* M  T  Ta T", "r11c11"),
    (Op.BUILD_NEXT_TO_GROUP_AT, ICE, "I* Ta Ta T* M  Ta T", "r11c11"),
    (Op.BUILD_NEXT_TO_GROUP_AT, MOUNTAIN, "T  Ta V  T* Ta Ma", "r11c11"),
    (Op.BUILD_NEXT_TO_GROUP_WITH_FORT, 0, "T* Ta TA T* M  Ta T", "r11c11"),
    (Op.BUILD_AT_OWN_RUN, 2, "T* Ta TA T* M  Ta T", "r11c11"),
    (Op.BUILD_AT_OWN_RUN, 4, "T* Ta Ta Ta Ta I*", "r11c11"),
    (Op.BUILD_AT_OWN_RUN, 2, "T* Ta Ta Ta V", "r11c11"),  # the run may be longer
    (Op.BUILD_AT_OPPONENT_RUN, 2, "T* Tb TB T* Ta", "r11c11"),  # one end touches an own piece, the other is open too
    (Op.BUILD_TOUCHING_EXACTLY, 0, "T  Ta T  T* T*", "r11c11"),
    (Op.BUILD_TOUCHING_EXACTLY, 2, "T* TA T* M  Ta T", "r11c11"),
    (Op.BUILD_TOUCHING_EXACTLY, 3, "T  TA T* Ta T", "r11c11"),
    (Op.BUILD_TOUCHING_AT_MOST, 0, "T  Ta T  I* T*", "r11c11"),
    (Op.BUILD_TOUCHING_AT_MOST, 1, "T* Ta T  Ta T* T", "r11c11"),
    (Op.BUILD_TOUCHING_AT_MOST, 2, "T* TA T  Ta T*", "r11c11"),
    (Op.BUILD_ON_EDGE, 0, "T* I  G*\nT  T  T", EDGE),
    (Op.BUILD_ON_CENTRE_BOARD, 0, "M  T* G* I* T", SEAM),
]
UNREACHED = [
    (Op.BUILD_AT_OWN_RUN, 4, "T  Ta Ta Ta T", "r11c11"),
    (Op.BUILD_AT_OPPONENT_RUN, 3, "T  Tb Tb T", "r11c11"),
    (Op.BUILD_AT_OWN_RUN, 6, "T  Ta Ta", "r00c20"),  # the board ends behind it
    (Op.BUILD_TOUCHING_EXACTLY, 2, "T  Ta T  T", "r11c11"),
    (Op.BUILD_NEXT_TO_GROUP_AT, GRASS, "T  Ta T  G", "r11c11"),
    (Op.BUILD_ON, MOUNTAIN, "T  Ta T  G", "r11c11"),
]


@pytest.mark.parametrize("half", ["I", "II"])
@pytest.mark.parametrize(("op", "arg", "drawing", "at"), BUILDING)
def test_building_half__on_a_card_that_moves_in_print__builds_there(
    op: Op, arg: int, drawing: str, at: str, half: str
) -> None:
    game, stars = drawn(drawing, with_half("Mule", half, op, arg), "Mule+", at=at)
    play(game, f"use Mule {half}")
    assert game.phase == "build"
    assert hexes(game, "house") == hexes(game, "fort") == stars
    supply = game.player.supply
    play(game, f"house {min(stars)}")
    assert (game.player.supply, game.phase) == (supply - 1, "before")


@pytest.mark.parametrize(("op", "arg", "drawing", "at"), UNREACHED)
def test_building_half__without_such_a_hex__cannot_be_used(op: Op, arg: int, drawing: str, at: str) -> None:
    game, _ = drawn(drawing, with_half("Mule", "I", op, arg), "Mule+", at=at)
    assert "use Mule I" not in game.legal_labels()
    assert game.explain("use Mule I").endswith("and no such hex is open.")


def test_building_half__on_the_terrain_of_a_card_that_is_not_there__cannot_be_used() -> None:
    game, _ = drawn("T  S  L", with_half("Mule", "I", Op.BUILD_ON_CARD_TERRAIN, 3), "Mule")
    assert "use Mule I" in game.find_legal()
    game.player.terrain_card = None
    assert "use Mule I" not in game.legal_labels()


def test_opponent_run__of_two_opponents__is_none() -> None:
    changes: dict[str, Any] = {
        "num_players": 3, "hands": [["Mule"], ["Farm"], ["Port"]], "terrain_cards": ["tundra"] * 3,
    }  # fmt: skip
    rows = with_half("Mule", "I", Op.BUILD_AT_OPPONENT_RUN, 2)
    game, _ = drawn("T  Tb Tc T", rows, "Mule", **changes)
    assert "use Mule I" not in game.legal_labels()
    game, stars = drawn("T* Tc Tc T*", rows, "Mule", **changes)
    assert hexes(play(game, "use Mule I"), "house") == stars


# --- halves that move, on Farm: it builds in print ----------------------------------------------------------------------

MOVING = [  # the house that moves is the first one in the drawing
    (Op.MOVE_ONE, 0, "T* Ta I* T", "r11c11"),
    (Op.MOVE_TWO_STRAIGHT, 0, "T* M  Ta Tb I*\nM  M  M  T", "r11c11"),
    (Op.MOVE_TWO, 0, "T* M  Ta Tb I*\nM  M  M  T*", "r11c11"),
    (Op.MOVE_ACROSS, GRASS, "Ta G  G  T* T", "r11c11"),
    (Op.MOVE_ACROSS, GRASS, "Ga G  I* T", "r11c11"),
    (Op.MOVE_ACROSS, GRASS, "T* Ga T* M  G  T", "r11c11"),  # its own hex is the passage
    (Op.MOVE_ACROSS, MOUNTAIN, "Ta M  M  T* T", "r11c11"),
    (Op.MOVE_ACROSS_ONTO, FOREST, "Ta W* W* T  W", "r11c11"),
    (Op.MOVE_ACROSS_ONTO, FOREST, "Wa W* Wb W", "r11c11"),
    (Op.MOVE_TO_TUNNEL, 0, "Ta T  M  T* U  I*", "r11c11"),
    (Op.MOVE_THROUGH_TUNNEL, 0, "T  Ta U  T  M  T* U  I*", "r11c11"),
    (Op.MOVE_ALONG_OWN_GROUP, 0, "T  Ta TA T* T", "r11c11"),
    (Op.MOVE_ALONG_OWN_GROUP, 0, "T  Ta TA T* Tb T", "r11c11"),
    (Op.MOVE_ALONG_ANY_GROUP, 0, "T  Ta Tb TA T* T", "r11c11"),
    (Op.MOVE_UNTIL_BLOCKED, 0, "T* T  Ta G  T* I", "r11c11"),
    (Op.MOVE_STRAIGHT, 0, "T* T* Ta G* T* I", "r11c11"),
    (Op.MOVE_OVER_SAME_TERRAIN, 0, "T* T* Ta G  T", "r11c11"),
    (Op.MOVE_WITHIN_CENTRE_BOARD, 0, "T* Ta I* G* T", SEAM),
]
STUCK = [
    (Op.MOVE_ACROSS, GRASS, "Ta G  Gb T"),
    (Op.MOVE_ACROSS, GRASS, "Ta G  G  M"),  # nowhere to end
    (Op.MOVE_ACROSS_ONTO, GRASS, "Ta T  G  T"),
    (Op.MOVE_TO_TUNNEL, 0, "T  Ta U  T"),  # it touches one already
    (Op.MOVE_THROUGH_TUNNEL, 0, "T  Ta T  U  T  U  T"),
    (Op.MOVE_ALONG_OWN_GROUP, 0, "T  Ta Tb T"),
    (Op.MOVE_TWO_STRAIGHT, 0, "Ta T  M  T"),
    (Op.MOVE_UNTIL_BLOCKED, 0, "I  Ta I"),
]


@pytest.mark.parametrize("half", ["I", "II"])
@pytest.mark.parametrize(("op", "arg", "drawing", "at"), MOVING)
def test_moving_half__on_a_card_that_builds_in_print__moves_there(
    op: Op, arg: int, drawing: str, at: str, half: str
) -> None:
    game, stars = drawn(drawing, with_half("Farm", half, op, arg), "Farm+", at=at)
    house = min(game.snapshot()["players"][0]["houses"])
    play(game, f"use Farm {half}", f"lift {house}")
    assert hexes(game, "house") == stars and not hexes(game, "fort")
    supply = game.player.supply
    play(game, f"house {min(stars)}")
    assert game.snapshot()["players"][0]["houses"] == [min(stars)]
    assert (game.player.supply, game.phase) == (supply, "before")


@pytest.mark.parametrize(("op", "arg", "drawing"), STUCK)
def test_moving_half__without_a_target__cannot_be_used(op: Op, arg: int, drawing: str) -> None:
    game, _ = drawn(drawing, with_half("Farm", "I", op, arg), "Farm")
    assert "use Farm I" not in game.legal_labels()
    assert game.explain("use Farm I").endswith("and no own house has such a target.")


def test_every_op__is_in_these_tables() -> None:
    without_a_use = {Op.NOTHING, Op.BUILD_ON_HEX_JUST_LEFT, Op.MANDATORY_ON_NEXT_TERRAIN}
    assert {case[0] for case in (*BUILDING, *MOVING)} == set(Op) - without_a_use
    assert {*BUILDS, *MOVES} == {op.name for op in set(Op) - without_a_use}


# --- links --------------------------------------------------------------------------------------------------------------


def used(cards: Cards, *actions: str, in_play: str, drawing: str) -> tuple[set[str], dict[str, object]]:
    """What may be used after some actions, and the card in play as in the snapshot."""
    game, _ = drawn(drawing, cards, in_play)
    play(game, *actions)
    uses = {label.removeprefix("use ") for label in game.legal_labels() if label.startswith("use ")}
    return uses, game.snapshot()["players"][0]["in_play"][0]


def test_or__on_guide__one_use_spends_both_halves() -> None:
    cards = override("abilities", "Guide", first=Op.MOVE_ONE, link=Link.OR)
    drawing = "T  T  Ta T  T  T  U  T"
    assert used(cards, in_play="Guide+", drawing=drawing)[0] == {"Guide I", "Guide II"}
    uses, card = used(cards, "use Guide I", "lift r11c13", "house r11c12", in_play="Guide+", drawing=drawing)
    assert not uses
    assert card == {"card": "Guide", "upgraded": True, "used": True, "used_halves": ["I", "II"]}


def test_and__on_toboggan__each_half_works_once() -> None:
    cards = override("abilities", "Toboggan", link=Link.AND)
    drawing = "T  T  Ta T  T  T"
    first = ("use Toboggan II", "lift r11c13", "house r11c15")
    uses, card = used(cards, *first, in_play="Toboggan+", drawing=drawing)
    assert uses == {"Toboggan I"}
    assert card == {"card": "Toboggan", "upgraded": True, "used": False, "used_halves": ["II"]}
    second = ("use Toboggan I", "lift r11c15", "house r11c16")
    uses, card = used(cards, *first, *second, in_play="Toboggan+", drawing=drawing)
    assert not uses and card["used"]
    assert used(cards, in_play="Toboggan", drawing=drawing)[0] == {"Toboggan I"}  # not upgraded


def test_then__on_toboggan__the_second_move_only_follows() -> None:
    cards = override("abilities", "Toboggan", link=Link.THEN)
    game, stars = drawn("T  T  Ta T  T  T*", cards, "Toboggan+")
    assert game.explain("use Toboggan II") == (
        "`use Toboggan II` is illegal: the arrow lets Toboggan II only follow Toboggan I (p. 8)."
    )
    play(game, "use Toboggan I", "lift r11c13", "house r11c14")
    assert (game.phase, game.turn.half) == ("follow", "II")
    assert hexes(game, "house") == stars | {"r11c12"} and "done" in game.legal_labels()
    assert game.explain("house r11c16") == (
        "`house r11c16` is legal: Toboggan II moves that house 2 hexes straight (p. 10)."
    )
    play(game, "house r11c16")
    assert game.phase == "before" and game.snapshot()["players"][0]["houses"] == ["r11c16"]
    assert game.snapshot()["players"][0]["in_play"][0]["used_halves"] == ["I", "II"]


def test_then__after_a_building_half__moves_the_house_but_not_a_fort() -> None:
    cards = override("abilities", "Mine", second=Op.MOVE_STRAIGHT, second_arg=0, link=Link.THEN)
    drawing = "M  T  T* T* I  Ta"
    game, stars = drawn(drawing, cards, "Mine+")
    play(game, "use Mine I", "house r11c12")
    assert game.phase == "follow"
    assert hexes(game, "house") == stars and not hexes(game, "fort")
    game, _ = drawn(drawing, cards, "Mine+")
    assert play(game, "use Mine I", "fort r11c12").phase == "before"
    game, _ = drawn(drawing, cards, "Mine")  # not upgraded
    assert play(game, "use Mine I", "house r11c12").phase == "before"


def test_then__second_half_without_a_target__is_passed_over() -> None:
    cards = override("abilities", "Mule", second=Op.MOVE_ACROSS_ONTO, second_arg=ICE)
    for drawing, phase in (("Ta T  I", "follow"), ("Ta T  G  I", "before")):
        game, _ = drawn(drawing, cards, "Mule+")
        assert play(game, "use Mule I", "lift r11c11", "house r11c12").phase == phase


def test_hex_just_left__after_another_move__is_built_on_if_it_is_buildable() -> None:
    cards = override("abilities", "Sleigh", second=Op.BUILD_ON_HEX_JUST_LEFT, second_arg=0, link=Link.THEN)
    for drawing, phase in (("Ia T  T  I", "follow"), ("Ma T  T  I", "before")):
        game, _ = drawn(drawing, cards, "Sleigh+")
        assert play(game, "use Sleigh I", "lift r11c11", "house r11c13").phase == phase
        if phase == "follow":
            assert hexes(game, "house") == hexes(game, "fort") == {"r11c11"}
            assert "Sleigh II builds on the hex just left" in game.explain("house r11c12")
            assert play(game, "fort r11c11").player.forts_left == 3


def test_second_terrain__on_farm__gives_the_choice_once_upgraded() -> None:
    cards = override("abilities", "Farm", second=Op.MANDATORY_ON_NEXT_TERRAIN, second_arg=0, link=Link.AND)
    drawing = "Ta T  F  M  F"
    for in_play, expected in (
        ("Farm", {"r11c12"}),
        ("Farm+", {"r11c12", "r11c13", "r11c15"}),  # no flower field touches an own piece: all of them are open
    ):
        game, _ = drawn(drawing, cards, in_play)
        assert hexes(game, "house") == expected
    assert game.explain("use Farm II") == (
        "`use Farm II` is illegal: Farm II is used by placing the mandatory pieces (p. 8)."
    )
    assert game.snapshot()["players"][0]["in_play"][0]["used"] is False
    play(game, "house r11c13")
    assert hexes(game, "house") == {"r11c15"}  # flower field holds for the other pieces


def test_second_terrain__taken_from_crossroads__the_choice_is_gone() -> None:
    cards = override("abilities", "Crossroads", second=Op.MOVE_ONE, second_arg=0)
    game, _ = drawn("Ta T  F", cards, "Crossroads+")
    assert hexes(game, "house") == {"r11c12"}
    assert game.legal_labels() >= {"use Crossroads I", "use Crossroads II"}  # and, each once


def test_longer_tunnels__a_tunnel_move_on_an_ability_card__does_not_go_on() -> None:
    cards = with_half("Farm", "I", Op.MOVE_THROUGH_TUNNEL)
    drawing = "Ta U  M  U  T  T"
    for use, phase in (("use Farm I", "before"), ("use Tunnel", "follow")):
        game, _ = drawn(drawing, cards, "Farm", twist="Longer Tunnels")
        assert play(game, use, "lift r11c11", "house r11c15").phase == phase


# --- costs and words ----------------------------------------------------------------------------------------------------


def test_costs__overridden__are_paid() -> None:
    cards = override("abilities", "Mule", acquire_cost=4, upgrade_cost=0)
    game, _ = drawn("Ta T", cards, phase="after")
    game.player.coins = 3
    assert game.explain("acquire Mule") == (
        "`acquire Mule` is illegal: acquire of Mule costs 4, the seat has 3 (p. 5)."
    )
    game, _ = drawn("Ta T", cards, "Mule", phase="after")
    game.player.coins = 0
    assert "upgrade Mule" in game.legal_labels()
    game, _ = drawn("Ta T", cards, phase="after")
    game.player.coins = 5
    play(game, "acquire Mule")
    assert game.position.players[0].coins == 1


@pytest.mark.parametrize(
    ("op", "arg", "words"),
    [
        (Op.BUILD_ON, MOUNTAIN, "builds on a mountain (p. 9)"),
        (Op.BUILD_ON, FOREST, "builds on forest (p. 9)"),
        (Op.BUILD_ON_CARD_TERRAIN, 0, "builds on the terrain of the played card (p. 9, 10)"),
        (Op.BUILD_ON_CARD_TERRAIN, 1, "builds on the terrain to the right of the card's (p. 9, 10)"),
        (Op.BUILD_ON_CARD_TERRAIN, 4, "builds on the terrain 4 places to the right of the card's (p. 9, 10)"),
        (Op.BUILD_NEXT_TO, TUNNEL, "builds next to a tunnel (p. 9)"),
        (Op.BUILD_AT_OWN_RUN, 5, "builds at an end of a straight run of 5 or more own pieces (p. 9)"),
        (Op.BUILD_TOUCHING_EXACTLY, 1, "builds touching exactly 1 own house (p. 9)"),
        (Op.BUILD_TOUCHING_AT_MOST, 0, "builds touching at most 0 own houses (p. 9)"),
        (Op.MOVE_ACROSS, GRASS, "moves a house across connected free hexes of grassland, ending off it (p. 11)"),
    ],
)
def test_explain__overridden_row__says_what_the_row_says(op: Op, arg: int, words: str) -> None:
    game, _ = drawn("V  V", with_half("Wagon", "I", op, arg), "Wagon")
    assert f"Wagon I {words}" in game.explain("use Wagon I")
    game, _ = drawn("V  V", PRINTED, "Wagon")
    assert "Wagon I moves a house to a hex touching the rest of its own group (p. 11)" in game.explain("use Wagon I")
