"""The eight economy cards (p. 14-15): which pieces earn coins, at once, and which do not."""

from __future__ import annotations

import pytest

from tests.winter_kingdom.position import Table, position


def earned(table: Table, *actions: str) -> list[int]:
    """Coins of the seat to move, gained by each of the actions."""
    seat, gains = table.seat, []
    for action in actions:
        before = table.coins(seat)
        table.play(action)
        gains.append(table.coins(seat) - before)
    return gains


# Agriculture


@pytest.mark.rule("p. 14, Agriculture")
def test_agriculture__example_of_the_rulebook__mandatory_house_and_mine_earn() -> None:
    # Three houses on tundra, one next to the village: 1 coin. Then a house on a mountain next to it: a second coin.
    table = position("T  T  T  V ", economy="Agriculture", in_play=("Mine+",), coins=0)
    assert earned(table, "house r11c11", "house r11c12", "house r11c13") == [0, 0, 1]
    assert earned(table, "use Mine II", "house r12c13") == [0, 1]
    assert table.coins() == 2


@pytest.mark.rule("p. 14, Agriculture")
def test_agriculture__fort__two_coins() -> None:
    table = position("T  T  T  V ", economy="Agriculture", coins=0)
    assert earned(table, "fort r11c11", "house r11c12", "fort r11c13") == [0, 0, 2]


@pytest.mark.rule("p. 14, Agriculture")
def test_agriculture__two_villages__one_coin() -> None:
    table = position("V  T  V ", economy="Agriculture", coins=0)
    assert earned(table, "house r11c12") == [1]
    assert table.coins(1) == 2  # what the second player began with


# Arms


@pytest.mark.rule("p. 14, Arms")
def test_arms__example_of_the_rulebook__two_houses_next_to_an_own_fort() -> None:
    table = position("T  TA T  T ", economy="Arms", coins=0)
    assert earned(table, "house r11c11", "house r11c13", "house r11c14") == [1, 1, 0]


@pytest.mark.rule("p. 14, Arms")
def test_arms__fort__two_next_to_another_and_nothing_alone() -> None:
    table = position("T  T  T  T ", economy="Arms", coins=0)
    assert earned(table, "fort r11c12", "fort r11c13", "house r11c11") == [0, 2, 1]


@pytest.mark.rule("p. 14, Arms")
def test_arms__house_or_opponents_fort_or_two_forts__only_own_forts_pay_and_once() -> None:
    table = position("T  TB T  Ta .  TA T  TA", economy="Arms", coins=0)
    assert earned(table, "house r11c13", "house r11c17", "house r11c11") == [0, 1, 0]


# Furs. r15c14 and r15c15 belong to the centre board, r15c16 and the next ones to board 1.


@pytest.mark.rule("p. 14, Furs")
def test_furs__example_of_the_rulebook__two_houses_on_the_top_board() -> None:
    table = position("T  T  T  T ", at="r15c14", economy="Furs", top=1, coins=0)
    assert earned(table, "house r15c15", "house r15c16", "house r15c17") == [0, 1, 1]


@pytest.mark.rule("p. 14, Furs")
def test_furs__fort__two_coins() -> None:
    table = position("T  T  T  T ", at="r15c14", economy="Furs", top=1, coins=0)
    assert earned(table, "fort r15c16", "house r15c17", "fort r15c15") == [2, 1, 0]


@pytest.mark.rule("p. 14, Furs")
def test_furs__another_top_board__nothing() -> None:
    table = position("T  T  T  T ", at="r15c14", economy="Furs", top=2, bottom=1, coins=0)
    assert earned(table, "house r15c15", "house r15c16", "house r15c17") == [0, 0, 0]


# Exports. Board 3 is the uppermost: row 0 and both ends of row 1 lie on the outer edge.


@pytest.mark.rule("p. 14, Exports")
def test_exports__example_of_the_rulebook__three_houses_on_the_edge() -> None:
    table = position("T  T  T  T  T ", at="r00c18", economy="Exports", coins=0)
    assert earned(table, "house r00c19", "house r00c20", "house r00c21") == [1, 1, 1]


@pytest.mark.rule("p. 14, Exports")
def test_exports__inner_hex_and_fort__nothing_and_two() -> None:
    drawing = """
        .  .  .  .  .
       T  T  .  .  T  T
    """
    table = position(drawing, at="r00c17", land={"r00c18": "tundra"}, economy="Exports", coins=0)
    assert earned(table, "house r01c18", "fort r01c17", "house r00c18") == [0, 2, 1]


@pytest.mark.rule("p. 14, Exports")
def test_exports__rim_of_a_board_at_a_seam__nothing() -> None:
    table = position("T  T  T ", at="r15c14", economy="Exports", coins=0)
    assert earned(table, "house r15c14", "house r15c15", "house r15c16") == [0, 0, 0]


# Livestock


@pytest.mark.rule("p. 15, Livestock")
def test_livestock__example_of_the_rulebook__last_free_hex_of_the_area_pays() -> None:
    table = position("G  G  .  .  G  G ", played="grassland", economy="Livestock", coins=0)
    assert earned(table, "house r11c11", "house r11c12", "house r11c15") == [0, 1, 0]


@pytest.mark.rule("p. 15, Livestock")
def test_livestock__neighbours_of_other_terrain_or_occupied__do_not_hinder() -> None:
    # r11c12 touches a free forest, an own and an opponent's piece on grassland
    drawing = """
        Ga G  Gb W
          .  W  .
    """
    table = position(drawing, played="grassland", economy="Livestock", coins=0)
    assert earned(table, "fort r11c12") == [2]


@pytest.mark.rule("p. 15, Livestock")
def test_livestock__free_hex_elsewhere_in_the_area__does_not_matter() -> None:
    # r11c12 has only occupied neighbours although the area goes on behind r11c13
    table = position("Ga G  Gb G ", played="grassland", economy="Livestock", coins=0)
    assert earned(table, "house r11c12", "house r11c14") == [1, 1]


# Hunting


@pytest.mark.rule("p. 15, Hunting")
def test_hunting__example_of_the_rulebook__fort_in_a_new_area_earns_two() -> None:
    table = position("Ta T  .  .  T  T ", economy="Hunting", coins=0)
    assert earned(table, "house r11c12", "fort r11c15", "house r11c16") == [0, 2, 0]


@pytest.mark.rule("p. 15, Hunting")
def test_hunting__beside_an_opponent__earns() -> None:
    table = position("Tb T  .  T  T ", economy="Hunting", coins=0)
    assert earned(table, "house r11c12", "house r11c14", "house r11c15") == [1, 1, 0]


# Marble


@pytest.mark.rule("p. 15, Marble")
@pytest.mark.parametrize(
    ("hexes", "coins"),
    [
        pytest.param(("r13c12", "r13c13", "r13c14"), 2, id="row"),
        pytest.param(("r13c14", "r13c13", "r13c12"), 2, id="row backwards"),
        pytest.param(("r13c13", "r13c12", "r13c14"), 2, id="row from the middle"),
        pytest.param(("r12c13", "r13c13", "r14c13"), 2, id="column"),
        pytest.param(("r12c14", "r13c13", "r14c12"), 2, id="diagonal"),
        pytest.param(("r13c12", "r13c13", "r14c13"), 0, id="bent"),
        pytest.param(("r13c12", "r13c13", "r14c12"), 0, id="triangle"),
    ],
)
def test_marble__three_mandatory_houses__two_coins_for_a_line(hexes: tuple[str, ...], coins: int) -> None:
    table = position(rest="tundra", economy="Marble", coins=0)
    assert earned(table, *(f"house {place}" for place in hexes)) == [0, 0, coins]


@pytest.mark.rule("p. 15, Marble")
def test_marble__middle_built_last__still_a_line() -> None:
    pieces = {"r12c10": "a", "r12c13": "a"}
    table = position("T  T  T ", pieces=pieces, economy="Marble", coins=0)
    assert earned(table, "house r11c11", "house r11c13", "house r11c12") == [0, 0, 2]


@pytest.mark.rule("p. 15, Marble")
def test_marble__forts__do_not_double() -> None:
    table = position("T  T  T ", economy="Marble", coins=0)
    assert earned(table, "fort r11c11", "fort r11c12", "fort r11c13") == [0, 0, 2]


@pytest.mark.rule("p. 15, Marble")
def test_marble__gap_closed_by_an_older_house__nothing() -> None:
    table = position("T  T  Ta T ", economy="Marble", coins=0)
    assert earned(table, "house r11c12", "house r11c14", "house r11c11") == [0, 0, 0]


@pytest.mark.rule("p. 15, Marble")
def test_marble__third_house_by_an_ability__nothing() -> None:
    table = position("T  T  G ", economy="Marble", in_play=("Pasture",), coins=0)
    assert earned(table, "house r11c11", "house r11c12", "use Pasture I", "house r11c13") == [0, 0, 0, 0]


# Salvage


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__example_of_the_rulebook__three_houses_buy_a_card() -> None:
    table = position(
        "Ta Ta Ta Ta", phase="after", economy="Salvage", coins=0, hand=("Mine",), houses_left=20, forts_left=4
    )
    assert "acquire Mine" not in table.legal()
    assert earned(table, "lift r11c11", "lift r11c12", "lift r11c13") == [1, 1, 1]
    assert (table.player()["houses"], table.player()["houses_left"]) == (["r11c14"], 20)  # out of the game
    table.play("acquire Mine")
    assert table.coins(0) == 0
    assert [card["card"] for card in table.player(0)["in_play"]] == ["Mine"]


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__fort__two_coins() -> None:
    table = position("Ta TA Tb", phase="after", economy="Salvage", coins=0, houses_left=9, forts_left=2)
    assert table.hexes("lift") == {"r11c11", "r11c12"}  # own pieces only
    assert earned(table, "lift r11c12") == [2]
    assert (table.player()["forts"], table.player()["forts_left"]) == ([], 2)


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__any_number__none_or_all() -> None:
    table = position("Ta Ta", phase="after", economy="Salvage")
    assert "done" in table.legal()
    table.play("lift r11c11", "lift r11c12")
    assert table.hexes("lift") == set()
    assert table.phase == "after"


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__before_or_between_mandatory_pieces__illegal() -> None:
    table = position("Ta T  T  T ", economy="Salvage", coins=0)
    assert table.hexes("lift") == set()
    assert earned(table, "house r11c12", "house r11c13") == [0, 0]
    assert table.hexes("lift") == set()
    table.play("house r11c14")
    assert table.hexes("lift") == {"r11c11", "r11c12", "r11c13", "r11c14"}


@pytest.mark.rule("p. 15, Salvage")
@pytest.mark.parametrize("economy", ["Agriculture", "Arms", "Furs", "Exports", "Livestock", "Hunting", "Marble"])
def test_salvage__another_economy__nothing_is_taken_off(economy: str) -> None:
    table = position("Ta Ta", phase="after", economy=economy)
    assert table.hexes("lift") == set()


# Both kinds of special action are possible in it: of cards in play and of the tunnel card.
SALVAGE_LAND = """
    Ga U  G  .  Ga Ga G
      .  .  .  .  .  .
        G  U  .  .  .
"""


def salvaging(**wish: object) -> Table:
    """A position after the mandatory action, under Salvage, with special actions left."""
    options: dict[str, object] = {"in_play": ("Mule", "Pasture"), "coins": 0, "houses_left": 20, **wish}
    return position(SALVAGE_LAND, phase="after", economy="Salvage", **options)  # type: ignore[arg-type]


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__piece_taken__no_special_action_follows() -> None:
    table = salvaging(hand=("Toboggan",))
    assert table.uses() == {"Mule I", "Pasture I", "Tunnel"}
    table.play("lift r11c15")
    assert table.uses() == set()
    # p. 15: the coins may be spent at once; further salvage and the purchase are what is left of the turn
    assert table.legal() == {
        "lift r11c11",
        "lift r11c16",
        "acquire Toboggan",
        "upgrade Mule",
        "upgrade Pasture",
        "done",
    }


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__special_action_first__salvage_may_follow() -> None:
    table = salvaging()
    table.play("use Mule I", "lift r11c16", "house r11c17")
    assert table.uses() == {"Pasture I", "Tunnel"}
    table.play("lift r11c17")
    assert table.uses() == set()
    assert table.hexes("lift") == {"r11c11", "r11c15"}


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__triple_bought_afterwards__the_card_is_used() -> None:
    table = salvaging(coins=4)
    assert "triple Mule" not in table.legal()
    table.play("lift r11c15")
    assert {"triple Mule", "triple Pasture", "triple Tunnel"} <= table.legal()
    table.play("triple Mule")
    assert (table.phase, table.uses(), table.coins()) == ("triple", {"Mule I"}, 0)
    table.play("use Mule I", "lift r11c16", "house r11c17")
    assert (table.phase, table.uses()) == ("triple", {"Mule I"})


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__card_bought_under_innovation__is_used_at_once() -> None:
    table = salvaging(twist="Innovation", hand=("Toboggan",))
    table.play("lift r11c15", "acquire Toboggan")
    assert (table.phase, table.uses()) == ("innovate", {"Toboggan I"})


@pytest.mark.rule("p. 15, Salvage")
def test_salvage__next_turn__special_actions_again() -> None:
    table = salvaging(played="tundra", next_cards=("grassland",) * 6)
    table.play("lift r11c15", "done")
    assert (table.seat, table.phase) == (1, "before")
    assert table.game.snapshot()["turn"]["salvaged"] is False
    while table.seat == 1:
        table.play("done" if "done" in table.legal() else min(table.legal()))
    assert (table.phase, table.uses()) == ("before", {"Pasture I", "Tunnel"})


# What earns at all. The hex r00c18 meets every condition: next to a village and (for Arms) an own fort, on the top
# board and the outer edge, without a neighbour of its terrain and (but for Arms) without an own one.

PAYING = ["Agriculture", "Arms", "Furs", "Exports", "Livestock", "Hunting"]
GOOD_HEX = {"r00c18": "tundra", "r00c19": "village", "r01c18": "grassland"}


@pytest.mark.rule("p. 14, coins only from building")
@pytest.mark.parametrize(("piece", "coins"), [("house", 1), ("fort", 2)])
@pytest.mark.parametrize("economy", PAYING)
def test_ability_build__every_economy__earns_at_once(economy: str, piece: str, coins: int) -> None:
    fort = {"r01c17": "A"} if economy == "Arms" else {}
    table = position(
        land=GOOD_HEX, pieces=fort, phase="after", economy=economy, top=3, in_play=("Hot springs",), coins=0
    )
    assert earned(table, "use Hot springs I", f"{piece} r00c18") == [0, coins]


@pytest.mark.rule("p. 14, coins only from building")
@pytest.mark.parametrize("economy", PAYING)
def test_move__every_economy__earns_nothing(economy: str) -> None:
    pieces = {"r01c18": "a"} | ({"r01c17": "A"} if economy == "Arms" else {})
    table = position(land=GOOD_HEX, pieces=pieces, phase="after", economy=economy, top=3, in_play=("Mule",), coins=0)
    assert earned(table, "use Mule I", "lift r01c18", "house r00c18") == [0, 0, 0]


@pytest.mark.rule("p. 14, coins only from building")
def test_following_move__from_a_poor_hex_to_a_good_one__earns_nothing() -> None:
    # Built away from the village, then moved next to it; the fort of the same half could not move.
    table = position("G  G  V ", phase="after", economy="Agriculture", in_play=("Pasture+",), coins=0)
    assert earned(table, "use Pasture I", "house r11c11", "house r11c12") == [0, 0, 0]


@pytest.mark.rule("p. 14, coins only from building")
def test_building_after_a_move__on_the_hex_just_left__earns() -> None:
    table = position("Ga V  G ", phase="after", economy="Agriculture", in_play=("Caravan+",), coins=0)
    actions = ("use Caravan I", "lift r11c11", "house r11c13", "fort r11c11")
    assert earned(table, *actions) == [0, 0, 0, 2]


@pytest.mark.rule("p. 14, coins only from building")
def test_move__into_a_line_with_mandatory_pieces__no_marble_coins() -> None:
    drawing = """
        T  T  T
          Ta .  .
            .  T
    """
    table = position(drawing, economy="Marble", in_play=("Mule",), coins=0)
    assert earned(table, "house r11c11", "house r11c12", "house r11c13") == [0, 0, 2]
    drawing = drawing.replace("T  T  T", "T  T  G")
    table = position(drawing, pieces={"r12c13": "a"}, economy="Marble", in_play=("Mule",), coins=0)
    assert earned(table, "house r11c11", "house r11c12", "house r13c12") == [0, 0, 0]
    assert earned(table, "use Mule I", "lift r12c13", "house r11c13") == [0, 0, 0]


@pytest.mark.rule("p. 14, coins only from building")
def test_boom__extra_piece__earns_nothing() -> None:
    drawing = """
        T  V  T
          G  G  .
    """
    table = position(drawing, economy="Agriculture", twist="Boom", coins=0)
    assert earned(table, "house r11c11") == [1]
    assert table.phase == "boom"
    assert earned(table, "fort r12c11") == [0]


@pytest.mark.rule("p. 14, coins only from building")
def test_opponents_turn__my_pieces__earn_me_nothing() -> None:
    table = position("V  T  T  T  Ta", economy="Agriculture", seat=1, coins=0)
    assert earned(table, "house r11c12") == [1]
    assert table.coins(0) == 1  # what the first player began with


@pytest.mark.rule("p. 4, forts count two")
@pytest.mark.parametrize(
    ("economy", "drawing", "at"),
    [
        ("Agriculture", "T  V ", "r11c11"),
        ("Arms", "T  GA", "r11c11"),
        ("Furs", "T ", "r04c18"),
        ("Exports", "T ", "r00c18"),
        ("Livestock", "T ", "r11c11"),
        ("Hunting", "T ", "r11c11"),
    ],
)
def test_fort__every_economy__two_coins_where_a_house_earns_one(economy: str, drawing: str, at: str) -> None:
    for piece, coins in (("house", 1), ("fort", 2)):
        table = position(drawing, at=at, economy=economy, top=3, coins=0)
        assert earned(table, f"{piece} {at}") == [coins]
