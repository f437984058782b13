"""The ability cards whose first action moves, and the tunnel card (p. 8-11): which house may go where, and where not.

The expected hexes are read off the drawings. Unless a test says otherwise the rest of the land is mountain, the
mandatory action is over, and seat 0 (``a``, forts ``A``) is to move.
"""

from __future__ import annotations

import pytest

from tests.winter_kingdom.position import Table, position

OBSTACLES = ["I", "M", "U", "V", "C", "Tb", "TB", "Ta", "TA"]  # ice, mountain, tunnel, village, castle, pieces


def begin(use: str, drawing: str = "", **wish: object) -> Table:
    """A position after the mandatory action in which the upgraded card's half was just chosen."""
    card = use.removesuffix(" II").removesuffix(" I")
    options = {"phase": "after", "in_play": () if card == "Tunnel" else (f"{card}+",), **wish}
    return position(drawing, **options).play(f"use {use}")  # type: ignore[arg-type]


def unusable(use: str, drawing: str = "", **wish: object) -> bool:
    """Whether the upgraded card's half cannot be chosen."""
    card = use.removesuffix(" II").removesuffix(" I")
    options = {"phase": "after", "in_play": () if card == "Tunnel" else (f"{card}+",), **wish}
    return use not in position(drawing, **options).uses()  # type: ignore[arg-type]


# One hex: Mule I, Toboggan I

ONE = """
    .  I  G  .  .
      T  Ga Fb S  .
        V  W  .  .  .
          .  .  TA L  .
            .  .  .  .  .
              .  .  .  -a .
"""
ONE_HEX = [
    pytest.param("Mule I", marks=pytest.mark.rule("p. 10, Mule I")),
    pytest.param("Toboggan I", marks=pytest.mark.rule("p. 10, Toboggan I")),
]


@pytest.mark.parametrize("use", ONE_HEX)
def test_one_hex__houses_with_and_without_a_free_neighbour__only_the_first_may_be_lifted(use: str) -> None:
    # the fort r14c13 has a free neighbour, the house r16c14 has none
    table = begin(use, ONE)
    assert table.legal() == {"lift r12c12"}


@pytest.mark.parametrize("use", ONE_HEX)
def test_one_hex__house_lifted__any_free_buildable_neighbour(use: str) -> None:
    table = begin(use, ONE).play("lift r12c12")
    assert table.legal() == {"house r11c12", "house r11c13", "house r12c11", "house r13c12"}


@pytest.mark.rule("p. 10, Mule II")
def test_mule_second__house_just_moved__one_more_hex_with_the_same_house() -> None:
    table = begin("Mule I", ONE).play("lift r12c12", "house r12c11")
    assert table.phase == "follow"
    assert table.legal() == {"house r11c12", "house r12c12", "done"}
    table.play("house r11c12")
    assert table.phase == "after"
    assert table.player()["houses"] == ["r11c12", "r16c14"]


@pytest.mark.rule("p. 10, Mule II")
def test_mule_second__not_upgraded_or_done__the_house_stays() -> None:
    assert begin("Mule I", ONE, in_play=("Mule",)).play("lift r12c12", "house r12c11").phase == "after"
    table = begin("Mule I", ONE).play("lift r12c12", "house r12c11", "done")
    assert table.player()["houses"] == ["r12c11", "r16c14"]


# Two hexes straight: Caravan I, Toboggan II, Horse I; two hexes: Horse II

# r13c13 is lifted. Two hexes straight: r11c13, r11c15, r13c15, r15c11 free, r13c11 taken, r15c13 a village. Two hexes
# round a corner: r11c14, r12c15, r14c14, r15c12 free, r14c11 taken, r12c12 mountain. r12c14 is one hex away.
TWO = """
    .  .  G  S  I  .
      .  M  M  G  W  .
        Fb Ib Ga U  L  T
          Tb TB C  F  .  .
            G  L  V  .  .  .
              G  .  S  .  .  .
"""
STRAIGHT = [
    pytest.param("Caravan I", marks=pytest.mark.rule("p. 10, Caravan I")),
    pytest.param("Toboggan II", marks=pytest.mark.rule("p. 10, Toboggan II")),
    pytest.param("Horse I", marks=pytest.mark.rule("p. 10, Horse I")),
]


@pytest.mark.parametrize("use", STRAIGHT)
def test_two_straight__six_directions__free_buildable_hexes_at_exactly_two(use: str) -> None:
    table = begin(use, TWO)
    assert table.hexes("lift") == {"r13c13"}
    assert table.play("lift r13c13").legal() == {"house r11c13", "house r11c15", "house r13c15", "house r15c11"}


@pytest.mark.parametrize("use", STRAIGHT)
@pytest.mark.parametrize("over", [*OBSTACLES, "G"])
def test_two_straight__anything_in_between__is_jumped_over(use: str, over: str) -> None:
    assert begin(use, f"Ga {over} T  T").play("lift r11c11").hexes() == {"r11c13"}


@pytest.mark.parametrize("use", STRAIGHT)
@pytest.mark.parametrize("target", ["M", "U", "V", "C", "Tb", "TB", "TA"])
def test_two_straight__second_hex_not_free_and_buildable__house_may_not_be_lifted(use: str, target: str) -> None:
    assert unusable(use, f"Ga G  {target} T")


@pytest.mark.parametrize("use", STRAIGHT)
def test_two_straight__at_the_boards_end__only_what_is_on_the_board(use: str) -> None:
    # r00c22 is a corner of the land
    assert begin(use, "T  T  T  Ta", at="r00c19").play("lift r00c22").hexes() == {"r00c20"}


@pytest.mark.rule("p. 10, Horse II")
def test_horse_second__straight_and_round_a_corner__every_free_buildable_hex_at_distance_two() -> None:
    table = begin("Horse II", TWO)
    assert table.hexes("lift") == {"r13c13"}
    assert table.play("lift r13c13").hexes() == {
        "r11c13", "r11c15", "r13c15", "r15c11", "r11c14", "r12c15", "r14c14", "r15c12",
    }  # fmt: skip


@pytest.mark.rule("p. 10, Horse II")
@pytest.mark.parametrize("over", OBSTACLES)
def test_horse_second__corner_hex_behind_obstacles__is_jumped_over(over: str) -> None:
    # from r11c12 the two ways to r12c13 lead over r11c13 and r12c12; r12c14 is three hexes away
    drawing = f"""
        .  Ga {over}
          .  {over} T  T
    """
    assert begin("Horse II", drawing).play("lift r11c12").hexes() == {"r12c13"}


# Caravan II


@pytest.mark.rule("p. 10, Caravan II")
def test_caravan_second__house_moved__house_or_fort_on_the_hex_just_left_only() -> None:
    table = begin("Caravan I", "T  Ga G  T  T").play("lift r11c12", "house r11c14")
    assert table.phase == "follow"
    assert table.legal() == {"house r11c12", "fort r11c12", "done"}
    table.play("house r11c12")
    assert table.phase == "after"
    assert table.player()["houses"] == ["r11c12", "r11c14"]
    assert table.player()["houses_left"] == 30


@pytest.mark.rule("p. 10, Caravan II")
def test_caravan_second__own_pieces_elsewhere__needs_no_own_neighbour() -> None:
    table = begin("Caravan I", "Ga G  T  .  Ta T").play("lift r11c11", "house r11c13")
    assert table.legal() == {"house r11c11", "fort r11c11", "done"}


@pytest.mark.rule("p. 10, Caravan II")
@pytest.mark.parametrize(("piece", "coins"), [("house", 1), ("fort", 2)])
def test_caravan_second__economy_card__the_build_earns_coins_the_move_does_not(piece: str, coins: int) -> None:
    # both the hex left and the hex reached touch a village
    drawing = """
        Ga T  T  .
          V  V  .  .
    """
    table = begin("Caravan I", drawing, economy="Agriculture", coins=0).play("lift r11c11", "house r11c13")
    assert table.coins() == 0
    assert table.play(f"{piece} r11c11").coins() == coins


@pytest.mark.rule("p. 10, Caravan II")
def test_caravan_second__supply_lacks_the_piece__it_cannot_be_built() -> None:
    drawing = "Ga T  T"
    moves = ("lift r11c11", "house r11c13")
    assert begin("Caravan I", drawing, forts_left=0).play(*moves).legal() == {"house r11c11", "done"}
    assert begin("Caravan I", drawing, houses_left=0).play(*moves).legal() == {"fort r11c11", "done"}
    assert begin("Caravan I", drawing, houses_left=0, forts_left=0).play(*moves).phase == "after"


@pytest.mark.rule("p. 10, Caravan II")
def test_caravan_second__not_upgraded_or_a_mountain_was_left__nothing_is_built() -> None:
    assert begin("Caravan I", "Ga T  T", in_play=("Caravan",)).play("lift r11c11", "house r11c13").phase == "after"
    assert begin("Caravan I", "Ma T  T").play("lift r11c11", "house r11c13").phase == "after"


# Guide

# The mountains r11c13 and r12c13 are free; r12c14 is taken and cuts off r12c15; r15c13 is another area.
GUIDE = """
    G  Ga M  V  S  .
      T  Tb M  Mb M  .
        .  W  I  C  F  .
          .  .  .  .  .  .
            .  .  M  .  .  .
"""


@pytest.mark.rule("p. 8, Guide I")
def test_guide_first__house_next_to_a_mountain_area__free_buildable_hexes_around_its_free_part() -> None:
    table = begin("Guide I", GUIDE, rest="flower field").play("lift r11c12")
    assert table.hexes() == {"r10c13", "r10c14", "r13c12", "r13c13"}


@pytest.mark.rule("p. 8, Guide I")
def test_guide_first__house_standing_on_a_mountain__may_step_down_anywhere_around_the_area() -> None:
    drawing = """
        .  G  .  I  .
          T  Ma M  .  M
            V  C  F  U  .
    """
    # around r12c12 and r12c13, the area it stands on; r12c15 is another one
    table = begin("Guide I", drawing, rest="tundra").play("lift r12c12")
    assert table.hexes() == {"r11c12", "r11c13", "r11c14", "r12c11", "r12c14", "r13c13"}


@pytest.mark.rule("p. 8, Guide I")
def test_guide_first__houses_far_from_or_shut_off_the_area__may_not_be_lifted() -> None:
    # r11c11 touches a free mountain; r13c13 touches only a taken one; r15c15 touches none; r11c13 is a fort
    drawing = """
        Ga M  TA .  .
          .  .  Mb .  .
            .  .  Ga .  .
              .  .  .  .  .
                .  .  .  .  Ga
    """
    assert begin("Guide I", drawing, rest="tundra").hexes("lift") == {"r11c11"}
    assert unusable("Guide I", drawing.replace("M  TA", "G  TA"), rest="tundra")


@pytest.mark.rule("p. 8, Guide I")
def test_guide_first__long_area__any_distance_but_not_over_ice() -> None:
    drawing = """
        Ga M  M  M  M  M  W
          .  .  .  .  .  .  .
            Sa I  I  S  .  .  .
    """
    table = begin("Guide I", drawing, rest="tundra")
    assert table.hexes("lift") == {"r11c11"}
    assert table.play("lift r11c11").hexes() == {
        "r10c12", "r10c13", "r10c14", "r10c15", "r10c16", "r10c17", "r11c17",
        "r12c11", "r12c12", "r12c13", "r12c14", "r12c15", "r12c16",
    }  # fmt: skip


# r11c14 and r12c13 touch the tunnel r11c13, r14c13 the tunnel r14c12. r12c12 and the fort r10c13 stand at r11c13.
GUIDE_TUNNELS = """
    .  .  TA .  .
      Ga .  U  G  .
        .  Ta S  Fb .
          .  V  .  .  .
            T  U  I  C  .
              Tb .  .  T  .
"""


@pytest.mark.rule("p. 8, Guide II")
def test_guide_second__houses_at_a_tunnel_and_away_from_it__only_the_second_may_be_lifted() -> None:
    table = begin("Guide II", GUIDE_TUNNELS, at="r10c11")
    assert table.hexes("lift") == {"r11c11"}
    assert table.play("lift r11c11").hexes() == {"r11c14", "r12c13", "r14c11", "r14c13"}


@pytest.mark.rule("p. 8, Guide II")
def test_guide_second__one_tunnel_only__is_enough() -> None:
    assert begin("Guide II", "Ga .  G  U  .  T").play("lift r11c11").hexes() == {"r11c13"}
    assert unusable("Guide II", "Ga .  Gb U  .  T")
    assert unusable("Guide II", "Ga U  T")


@pytest.mark.rule("p. 8, Guide I")
@pytest.mark.rule("p. 8, Guide II")
def test_guide_both__example_p8__one_house_over_mountain_and_one_to_a_tunnel() -> None:
    table = position(
        """
        Ga M  M  F  .
          .  .  .  .  .
            Fa .  U  F  .
        """,
        rest="ice",
        phase="after",
        in_play=("Guide+",),
    )
    table.play("use Guide I", "lift r11c11", "house r11c14")
    assert table.uses() == {"Guide II"}
    table.play("use Guide II", "lift r13c11", "house r13c14")
    assert table.player()["houses"] == ["r11c14", "r13c14"]
    assert table.uses() == set()


# Dog sled

# The ice r11c13 and r12c13 is free; r12c14 is taken and cuts off r12c15. r15c13 is another area of ice.
ICE = """
    G  Ga I  T  S  .
      T  Tb I  Ib I  F
        .  W  M  L  F  .
          .  .  .  .  .  .
            .  .  I  G  .  .
"""


@pytest.mark.rule("p. 11, Dog sled I")
def test_dog_sled_first__house_next_to_ice__free_land_around_the_free_ice_and_no_ice() -> None:
    table = begin("Dog sled I", ICE)
    assert table.hexes("lift") == {"r11c12"}
    assert table.play("lift r11c12").hexes() == {"r11c14", "r13c12"}


@pytest.mark.rule("p. 11, Dog sled II")
def test_dog_sled_second__house_next_to_ice__free_hexes_of_that_ice_up_to_a_piece() -> None:
    table = begin("Dog sled II", ICE)
    assert table.hexes("lift") == {"r11c12"}
    assert table.play("lift r11c12").hexes() == {"r11c13", "r12c13"}


# Own houses: r11c12 on ice, r15c11 on land. The fort r13c14 stands at ice. M cannot be sledged over.
ON_ICE = """
    G  Ia I  V  .
      T  C  I  M  I
        .  .  W  TA I
          .  .  .  .  .
            Ga M  I  G  .
"""


@pytest.mark.rule("p. 11, Dog sled I")
@pytest.mark.rule("p. 11, Dog sled II")
def test_dog_sled__house_standing_on_ice__off_the_ice_or_elsewhere_on_it() -> None:
    first = begin("Dog sled I", ON_ICE)
    assert first.hexes("lift") == {"r11c12"}
    assert first.play("lift r11c12").hexes() == {"r11c11", "r12c11", "r13c13"}
    second = begin("Dog sled II", ON_ICE)
    assert second.hexes("lift") == {"r11c12"}
    assert second.play("lift r11c12").hexes() == {"r11c13", "r12c13"}


@pytest.mark.rule("p. 11, Dog sled I")
@pytest.mark.rule("p. 11, Dog sled II")
def test_dog_sled__mountains_instead_of_ice_or_all_ice_taken__cannot_be_used() -> None:
    for drawing in ("Ga M  G", "Ga Ib G  I"):
        assert unusable("Dog sled I", drawing)
        assert unusable("Dog sled II", drawing)
    assert unusable("Dog sled I", "Ga I  M")  # nowhere to get off but where it stands
    assert begin("Dog sled II", "Ga I  M").play("lift r11c11").hexes() == {"r11c12"}


# Wagon

WAGON = """
    .  G  T  .  S  W
      W  Ta TA Gb F  .
        L  .  I  T  V  G
          .  .  .  .  .  .
            Sa G  .  .  .  .
"""


@pytest.mark.rule("p. 11, Wagon I")
def test_wagon_first__house_and_fort_in_a_group__hexes_touching_the_rest_of_the_own_group() -> None:
    # r11c12, r12c11 and r13c11 touch the moved house only; r15c11 has no group but itself
    table = begin("Wagon I", WAGON)
    assert table.hexes("lift") == {"r12c12"}
    assert table.play("lift r12c12").hexes() == {"r11c13", "r13c13"}


@pytest.mark.rule("p. 11, Wagon II")
def test_wagon_second__an_opponent_continues_the_group__hexes_touching_that_too() -> None:
    table = begin("Wagon II", WAGON)
    assert table.hexes("lift") == {"r12c12"}
    assert table.play("lift r12c12").hexes() == {"r11c13", "r11c15", "r12c15", "r13c13", "r13c14"}


@pytest.mark.rule("p. 11, Wagon I")
@pytest.mark.rule("p. 11, Wagon II")
def test_wagon__house_in_the_middle__the_group_is_taken_before_it_is_lifted() -> None:
    drawing = """
        T  Ta Ta Ta T  T
          .  .  .  .  .  .
    """
    for use in ("Wagon I", "Wagon II"):
        assert begin(use, drawing).play("lift r11c13").hexes() == {"r11c11", "r11c15"}
        assert begin(use, drawing).play("lift r11c12").hexes() == {"r11c15"}


@pytest.mark.rule("p. 11, Wagon I")
@pytest.mark.rule("p. 11, Wagon II")
def test_wagon__house_touches_opponents_only__first_half_not_usable_second_is() -> None:
    drawing = "T  Ta Tb Tb T  T"
    assert unusable("Wagon I", drawing)
    assert begin("Wagon II", drawing).play("lift r11c12").hexes() == {"r11c15"}
    assert unusable("Wagon II", "T  Ta T  Tb Tb T")


# Sleigh

# r13c13 slides: up to r11c13 (then mountain), right to r13c15 (then a village), down to r14c13 (then mountain), down
# left to r15c11 (then a tunnel); up right is ice, left an opponent. r16c14 cannot move, r11c11 is a fort.
SLEIGH = """
    TA T  G  .  S  .
      .  G  T  I  .  .
        T  Lb Ga F  W  V
          .  G  S  .  .  .
            T  .  .  .  .  .
              .  .  .  -a .  .
"""


@pytest.mark.rule("p. 11, Sleigh I")
def test_sleigh_first__six_directions__last_free_hex_before_the_obstacle() -> None:
    table = begin("Sleigh I", SLEIGH, land={"r16c10": "tunnel"})
    assert table.hexes("lift") == {"r13c13"}
    assert table.play("lift r13c13").hexes() == {"r11c13", "r13c15", "r14c13", "r15c11"}


@pytest.mark.rule("p. 11, Sleigh II")
def test_sleigh_second__six_directions__every_hex_before_the_obstacle() -> None:
    table = begin("Sleigh II", SLEIGH, land={"r16c10": "tunnel"})
    assert table.hexes("lift") == {"r13c13"}
    assert table.play("lift r13c13").hexes() == {
        "r11c13", "r12c13", "r13c14", "r13c15", "r14c13", "r14c12", "r15c11",
    }  # fmt: skip


@pytest.mark.rule("p. 11, Sleigh I")
@pytest.mark.rule("p. 11, Sleigh II")
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_sleigh__each_kind_of_obstacle__stops_the_house(obstacle: str) -> None:
    drawing = f"Ga T  W  {obstacle} S  S"
    assert begin("Sleigh I", drawing).play("lift r11c11").hexes() == {"r11c13"}
    assert begin("Sleigh II", drawing).play("lift r11c11").hexes() == {"r11c12", "r11c13"}


@pytest.mark.rule("p. 11, Sleigh I")
@pytest.mark.rule("p. 11, Sleigh II")
@pytest.mark.parametrize("obstacle", ["I", "M", "U", "V", "C", "Tb", "TB", "TA"])
def test_sleigh__obstacle_right_next_to_the_house__may_not_be_lifted(obstacle: str) -> None:
    drawing = f"Ga {obstacle} S  S"
    assert unusable("Sleigh I", drawing)
    assert unusable("Sleigh II", drawing)


@pytest.mark.rule("p. 11, Sleigh I")
@pytest.mark.rule("p. 11, Sleigh II")
def test_sleigh__the_boards_end__stops_the_house() -> None:
    # r00c18 to r00c22 is the first row of the land
    drawing = "Ga T  W  F  S"
    assert begin("Sleigh I", drawing, at="r00c18").play("lift r00c18").hexes() == {"r00c22"}
    second = begin("Sleigh II", drawing, at="r00c18").play("lift r00c18")
    assert second.hexes() == {"r00c19", "r00c20", "r00c21", "r00c22"}


@pytest.mark.rule("p. 11, Sleigh I")
def test_sleigh_first__house_standing_on_ice__slides_off_but_not_along_the_ice() -> None:
    assert begin("Sleigh I", "I  Ia T  S  I").play("lift r11c12").hexes() == {"r11c14"}


# Carriage

# Tundra r11c11, r11c13, r12c12, r13c11 joins r11c12; the opponent at r11c14 cuts off the rest of it.
CARRIAGE = """
    T  Ta T  Tb T  .
      G  T  .  T  T  .
        T  .  T  T  .  .
          .  .  .  .  .  .
            TA T  .  Sa G  .
"""


@pytest.mark.rule("p. 11, Carriage I")
def test_carriage_first__own_terrain_open_and_cut_off__any_distance_over_the_open_part() -> None:
    table = begin("Carriage I", CARRIAGE)
    assert table.hexes("lift") == {"r11c12"}  # r15c14 has no snowscape to ride on, r15c11 is a fort
    assert table.play("lift r11c12").hexes() == {"r11c11", "r11c13", "r12c12", "r13c11"}


@pytest.mark.rule("p. 11, Carriage I")
def test_carriage_first__on_ice_or_on_a_mountain__rides_the_ice_but_never_the_mountains() -> None:
    assert begin("Carriage I", "G  Ia I  I  T  I").play("lift r11c12").hexes() == {"r11c13", "r11c14"}
    assert unusable("Carriage I", "G  Ma M  M  T")


@pytest.mark.rule("p. 11, Carriage II")
def test_carriage_second__house_just_moved__one_more_hex_on_any_buildable_terrain() -> None:
    table = begin("Carriage I", CARRIAGE).play("lift r11c12", "house r12c12")
    assert table.phase == "follow"
    assert table.legal() == {"house r11c12", "house r11c13", "house r12c11", "house r13c11", "done"}
    table.play("house r12c11")
    assert table.player()["houses"] == ["r12c11", "r15c14"]
    assert begin("Carriage I", CARRIAGE, in_play=("Carriage",)).play("lift r11c12", "house r12c12").phase == "after"


# The tunnel card

TUNNELS = """
    Ga U  G  .  .
      Tb S  .  .  .
        .  .  .  .  .
          I  U  Wb T  .
            V  L  .  Sa .
"""


@pytest.mark.rule("p. 10, Tunnel I")
def test_tunnel__two_tunnels__from_one_to_free_buildable_hexes_at_the_other() -> None:
    # r11c13 and r12c12 touch the tunnel the house is at, r14c14 none; the house r15c14 touches none
    table = begin("Tunnel", TUNNELS)
    assert table.hexes("lift") == {"r11c11"}
    assert table.play("lift r11c11").legal() == {"house r14c11", "house r15c12"}


@pytest.mark.rule("p. 10, Tunnel I")
def test_tunnel__one_tunnel_or_a_fort__cannot_be_used() -> None:
    assert unusable("Tunnel", "Ga U  G  .  T")
    assert unusable("Tunnel", "GA U  .  U  G")
    assert unusable("Tunnel", "Gb U  .  U  G")
    assert not unusable("Tunnel", "Ga U  .  U  G")


@pytest.mark.rule("p. 10, Tunnel I")
def test_tunnel__house_touches_both_tunnels__hexes_at_either() -> None:
    # in by one and out by the other, so both ends are open
    assert begin("Tunnel", "T  U  Ga U  S  T").play("lift r11c13").hexes() == {"r11c11", "r11c15"}


@pytest.mark.rule("p. 10, Tunnel I")
def test_tunnel__three_tunnels__hexes_at_any_other_also_if_they_touch_the_first_too() -> None:
    # r11c13 lies between the tunnels r11c12 and r11c14
    table = begin("Tunnel", "Ga U  S  U  T  .  .", land={"r18c17": "tunnel", "r18c18": "ice", "r18c19": "forest"})
    assert table.play("lift r11c11").hexes() == {"r11c13", "r11c15", "r18c18"}
