"""The building rules (p. 4, 6): where a piece may be built."""

from __future__ import annotations

import pytest

from tests.winter_kingdom.position import position


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__adjacent_hexes_free__others_are_illegal() -> None:
    table = position(
        """
        T  Ta T  .  .
          G  T  .  T
            .  .  .  T
        """,
        played="tundra",
    )
    assert table.hexes("house") == {"r11c11", "r11c13", "r12c12"}
    assert table.hexes("fort") == table.hexes("house")


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__no_adjacent_hex_free__whole_terrain_is_open() -> None:
    table = position(
        """
        G  Ta Gb .  T
          F  L  .  .
            .  .  .  T
        """,
        played="tundra",
    )
    assert table.hexes() == {"r11c15", "r13c14"}


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__no_own_piece_yet__whole_terrain_is_open() -> None:
    table = position("T  .  Tb T  .  T ")
    assert table.hexes() == {"r11c11", "r11c14", "r11c16"}


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__beside_an_own_fort_or_an_opponent__only_own_pieces_bind() -> None:
    table = position("T  TA .  T  Tb T ")
    assert table.hexes() == {"r11c11"}


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__all_six_neighbours__are_adjacent_and_no_other() -> None:
    table = position(rest="tundra", pieces={"r13c13": "a"})
    assert table.hexes() == {"r13c12", "r13c14", "r12c13", "r12c14", "r14c12", "r14c13"}


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__every_piece__judged_anew() -> None:
    table = position("T  .  T  T  .  T  T ")
    assert table.hexes() == {"r11c11", "r11c13", "r11c14", "r11c16", "r11c17"}
    table.play("house r11c13")
    assert table.hexes() == {"r11c14"}  # now there is an own neighbour
    table.play("house r11c14")
    assert table.hexes() == {"r11c11", "r11c16", "r11c17"}  # and now none any more


@pytest.mark.rule("p. 6, adjacent if possible")
def test_mandatory__adjacent_across_a_seam__counts() -> None:
    table = position("Ta T  .  T ", at="r15c15")  # r15c15 lies on the centre board, r15c16 on board 1
    assert table.hexes() == {"r15c16"}


@pytest.mark.rule("p. 6, adjacent if possible")
def test_ability_build__adjacent_hex_free__others_are_illegal() -> None:
    table = position("Ga G  .  G ", in_play=("Pasture",), phase="after")
    assert table.play("use Pasture I").hexes() == {"r11c12"}
    table = position("Ga .  G  .  G ", in_play=("Pasture",), phase="after")
    assert table.play("use Pasture I").hexes() == {"r11c13", "r11c15"}


@pytest.mark.rule("p. 4, mandatory action")
@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ("fell field", "r11c11"),
        ("tundra", "r11c13"),
        ("flower field", "r11c15"),
        ("grassland", "r11c17"),
        ("snowscape", "r13c11"),
        ("forest", "r13c13"),
    ],
)
def test_mandatory__terrain_of_the_card__no_other(played: str, expected: str) -> None:
    drawing = """
        L  .  T  .  F  .  G
          .  .  .  .  .  .
            S  .  W  .  I
    """
    assert position(drawing, played=played).hexes() == {expected}


@pytest.mark.rule("p. 4, mandatory action")
def test_mandatory__three_pieces__one_after_the_other() -> None:
    table = position("T  T  T  T  T ")
    assert table.phase == "before"
    table.play("house r11c11")
    assert (table.phase, table.seat) == ("mandatory", 0)
    table.play("fort r11c12")
    assert (table.phase, table.seat) == ("mandatory", 0)
    table.play("house r11c13")
    assert (table.phase, table.seat) == ("after", 0)
    assert table.hexes() == set()
    assert (table.player()["houses"], table.player()["forts"]) == (["r11c11", "r11c13"], ["r11c12"])
    assert (table.player()["houses_left"], table.player()["forts_left"]) == (30, 3)


@pytest.mark.rule("p. 4, mandatory action")
def test_mandatory__piece_possible__cannot_be_skipped() -> None:
    table = position("T  T  T  T ")
    assert "done" not in table.legal()
    table.play("house r11c11")
    assert table.legal() == {"house r11c12", "fort r11c12"}
    table.play("house r11c12")
    assert table.legal() == {"house r11c13", "fort r11c13"}


@pytest.mark.rule("p. 4, mandatory action")
def test_mandatory__only_special_actions_done_first__still_to_do() -> None:
    table = position("Ta T  T  G ", in_play=("Mule",))
    table.play("use Mule I", "lift r11c11", "house r11c12")
    assert "done" not in table.legal()
    assert table.hexes() == {"r11c11", "r11c13"}


@pytest.mark.rule("p. 4, fewer pieces")
def test_mandatory__two_pieces_left_in_supply__two_are_built() -> None:
    table = position("T  T  T  T ", houses_left=1, forts_left=1)
    table.play("house r11c11")
    assert table.legal() == {"fort r11c12"}
    table.play("fort r11c12")
    assert table.phase == "after"
    assert table.player()["houses_left"] + table.player()["forts_left"] == 0


@pytest.mark.rule("p. 4, fewer pieces")
def test_mandatory__supply_empty__none_is_built() -> None:
    table = position("T  T  T  T ", houses_left=0, forts_left=0)
    assert table.legal() == {"done"}
    assert table.play("done").phase == "after"


@pytest.mark.rule("p. 4, fewer pieces")
@pytest.mark.parametrize(("houses", "forts", "verbs"), [(0, 2, {"fort"}), (2, 0, {"house"}), (1, 1, {"fort", "house"})])
def test_mandatory__one_kind_is_used_up__the_other_must_do(houses: int, forts: int, verbs: set[str]) -> None:
    table = position("T  T  T  T ", houses_left=houses, forts_left=forts)
    assert {label.split()[0] for label in table.legal()} == verbs


@pytest.mark.rule("p. 4, fewer pieces")
def test_mandatory__no_hex_left_after_two__the_action_is_over() -> None:
    table = position("T  .  T  .  G ")
    table.play("house r11c11", "house r11c13")
    assert (table.phase, table.seat) == ("after", 0)


@pytest.mark.rule("p. 4, fewer pieces")
def test_mandatory__no_hex_at_all__done_is_legal() -> None:
    # A free tundra there is, but Impasse forbids it.
    table = position("T  Gb", twist="Impasse")
    assert table.legal() == {"done"}
    table.play("done")
    assert (table.phase, table.seat) == ("after", 0)


@pytest.mark.rule("p. 6, one piece per hex")
def test_mandatory__occupied_hexes__illegal() -> None:
    table = position("Ta TA Tb TB T ")
    assert table.hexes() == {"r11c15"}
    assert table.hexes("fort") == {"r11c15"}
    table = position("Ta T  Ta")
    table.play("house r11c12")
    assert table.hexes() == set()


@pytest.mark.rule("p. 6, one piece per hex")
def test_ability_build_and_move__occupied_hexes__illegal() -> None:
    table = position("GA Ga G  Gb G ", in_play=("Pasture", "Mule"), phase="after")
    assert table.play("use Pasture I").hexes() == {"r11c13"}
    table = position("GA Ga G  Gb G ", in_play=("Pasture", "Mule"), phase="after")
    assert table.play("use Mule I", "lift r11c12").hexes() == {"r11c13"}


# All six card terrains, and the five others, around two houses.
ALL_TERRAINS = """
    .  L  T  .  I  M
      F  Ga G  V  Ga U
        S  W  .  C  .
"""


@pytest.mark.rule("p. 3, buildable terrain")
def test_move__eleven_terrains__the_seven_buildable() -> None:
    table = position(ALL_TERRAINS, in_play=("Mule",), phase="after")
    table.play("use Mule I", "lift r12c12")
    assert table.hexes() == {"r11c12", "r11c13", "r12c11", "r12c13", "r13c11", "r13c12"}
    table = position(ALL_TERRAINS, in_play=("Mule",), phase="after")
    assert table.play("use Mule I", "lift r12c15").hexes() == {"r11c15"}  # the ice only


@pytest.mark.rule("p. 3, buildable terrain")
def test_build__eleven_terrains__the_seven_buildable() -> None:
    table = position(ALL_TERRAINS, in_play=("Outpost",), phase="after")
    table.play("use Outpost I")  # any buildable hex that touches one own house
    assert table.hexes() == {"r11c12", "r11c13", "r12c11", "r12c13", "r13c11", "r13c12", "r11c15"}


@pytest.mark.rule("p. 3, buildable terrain")
def test_build__on_a_mountain__by_mine_second_half_only() -> None:
    table = position("Ga M  G  M  G ", rest="grassland", in_play=("Mine+",), phase="after")
    table.play("use Mine II")
    assert table.hexes() == {"r11c12"}
    table = position("Ga M  G  M  G ", rest="grassland", in_play=("Mine+",), phase="after")
    table.play("use Mine I")  # next to a mountain, never on one
    assert table.hexes() == {"r10c12", "r12c11"}


@pytest.mark.rule("p. 10, next terrain")
@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ("fell field", "r11c13"),  # tundra
        ("tundra", "r11c15"),  # flower field
        ("flower field", "r11c17"),  # grassland, the example of p. 10
        ("grassland", "r13c11"),  # snowscape
        ("snowscape", "r13c13"),  # forest
        ("forest", "r11c11"),  # round again: fell field
    ],
)
def test_crossroads__played_card__the_terrain_to_its_right(played: str, expected: str) -> None:
    drawing = """
        L  .  T  .  F  .  G
          .  .  .  .  .  .
            S  .  W  .  I
    """
    table = position(drawing, played=played, in_play=("Crossroads",))
    assert table.play("use Crossroads I").hexes() == {expected}
