"""The Winter Kingdom cards and the castles (p. 7, 12-13): exact points on drawn positions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.winter_kingdom.position import Table, position

FILLERS = ("Ice Fishermen", "Spelunkers", "Peasants")


def scored(card: str, drawing: str = "", **wish: Any) -> Table:
    """A drawn position in which a card scores; the land around it is grassland."""
    others = tuple(name for name in FILLERS if name != card)[:2]
    wish.setdefault("rest", "grassland")
    return position(drawing, scoring=(card, *others), played=None, **wish)


def points(card: str, drawing: str = "", seat: int = 0, **wish: Any) -> int:
    """What a card gives a seat in a drawn position."""
    return scored(card, drawing, **wish).sheet(seat)[card]


# Row 11 has most houses of all rows (6, with a gap and across a seam), column 11 of all columns (4, a fort in it) and
# the diagonal row + column = 25 of all diagonals (5, a fort in it).
KNIGHTS = {
    "r11c11": "a", "r11c12": "a", "r11c14": "a", "r11c15": "a", "r11c16": "a", "r11c18": "a",
    "r12c11": "A", "r13c11": "a",
    "r12c13": "A", "r13c12": "a", "r15c10": "a",
    "r11c13": "b", "r12c12": "B",
}  # fmt: skip


@pytest.mark.rule("p. 12, Knights")
@pytest.mark.parametrize(("direction", "expected"), [("row", 12), ("column", 8), ("diagonal", 10)])
def test_knights__three_directions__two_per_house_in_the_fullest_row(direction: str, expected: int) -> None:
    assert points("Knights", pieces=KNIGHTS, direction=direction) == expected


@pytest.mark.rule("p. 12, Knights")
@pytest.mark.parametrize(("direction", "expected"), [("row", 4), ("column", 4), ("diagonal", 6)])
def test_knights__opponent__own_houses_only(direction: str, expected: int) -> None:
    # One house on r11c13, one fort on r12c12: only the diagonal 24 holds both.
    assert points("Knights", pieces=KNIGHTS, direction=direction, seat=1) == expected


@pytest.mark.rule("p. 12, Knights")
def test_knights__no_house__nothing() -> None:
    assert points("Knights", pieces={"r13c13": "a"}, seat=1) == 0


# The example on p. 12 shows two groups of 7 and 8 houses, and 4 points.
SEVEN_AND_EIGHT = """
    Ga Ga Ga Ga Ga Ga Ga
      .  .  .  .  .  .
        Ga Ga Ga Ga Ga Ga
          Ga Ga .  .  .
"""


@pytest.mark.rule("p. 12, Masses")
def test_masses__example_of_the_rulebook__groups_of_seven_and_eight_make_four() -> None:
    assert points("Masses", SEVEN_AND_EIGHT) == 4


@pytest.mark.rule("p. 12, Masses")
@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        pytest.param("Ga", 0, id="one house"),
        pytest.param("Ga Ga", 1, id="two houses"),
        pytest.param("Ga Ga Ga", 1, id="three houses, rounded down"),
        pytest.param("Ga Ga Ga Ga Ga Ga Ga", 3, id="seven houses"),
        pytest.param("GA", 1, id="a fort makes two"),
        pytest.param("Ga Ga Ga Ga Ga GA", 3, id="five houses and a fort make seven"),
        pytest.param("GA Ga GA GA", 3, id="three forts and a house make seven"),
        pytest.param("Ga Ga Ga Gb Ga Ga Ga Ga", 2, id="an opponent between them"),
        pytest.param("Ga Ga .  Ga Ga .  Ga Ga", 1, id="three equal groups count once"),
        pytest.param("Ga Ga Ga .  GA GA", 2, id="the largest by houses, not by hexes"),
        pytest.param(SEVEN_AND_EIGHT.replace(".  .  .  .  .  .", ".  Ga .  .  .  ."), 8, id="joined by one house"),
    ],
)
def test_masses__groups__one_per_two_houses_of_the_largest(drawing: str, expected: int) -> None:
    assert points("Masses", drawing) == expected


@pytest.mark.rule("p. 12, Masses")
def test_masses__other_seat__its_own_group() -> None:
    table = scored("Masses", "Ga Ga Ga Gb Gb Gb GB")
    assert [table.sheet(seat)["Masses"] for seat in range(2)] == [1, 2]


@pytest.mark.rule("p. 12, Loners")
def test_loners__neighbours__only_own_pieces_matter() -> None:
    drawing = """
        Ga Gb .  GA .  Ga Ga
          .  .  .  .  .  .
            .  Gb GB .  Ga
    """
    table = scored("Loners", drawing)
    # a: one alone beside an opponent (2), one fort alone (4), two beside each other (0), one alone (2)
    assert table.sheet(0)["Loners"] == 8
    assert table.sheet(1)["Loners"] == 2  # the house beside the own fort counts as little as the fort


@pytest.mark.rule("p. 12, Followers")
def test_followers__touching_an_opponent__one_per_house() -> None:
    drawing = """
        Ga GB GA .  Ga Ga
          .  .  .  .  .
            .  Gc Ga .
    """
    table = scored("Followers", drawing, players=3)
    assert table.sheet(0)["Followers"] == 1 + 2 + 1
    assert table.sheet(1)["Followers"] == 2
    assert table.sheet(2)["Followers"] == 1


@pytest.mark.rule("p. 12, Followers")
def test_followers__touching_two_opponents__counts_once() -> None:
    assert points("Followers", "Gb Ga Gc", players=3) == 1


@pytest.mark.rule("p. 12, Climbers")
def test_climbers__on_or_touching_a_mountain__one_per_house() -> None:
    drawing = """
        M  Ga .  GA M  .  Ga
          .  .  .  .  .  .
            Ma .  .  M  MA
    """
    # touching 1, fort touching 2, not touching 0, alone on a mountain 1, fort on a mountain 2
    assert points("Climbers", drawing) == 6


@pytest.mark.rule("p. 12, Bureaucrats")
def test_bureaucrats__touching_a_castle__two_per_house() -> None:
    assert points("Bureaucrats", "Ga C  GA Ga") == 2 + 4
    assert points("Bureaucrats", "C  Ga C ") == 2  # two castles, one house


@pytest.mark.rule("p. 12, Wanderers")
def test_wanderers__boards_with_a_piece__two_each() -> None:
    # two houses on the centre, a fort on board 3, a house on board 5, the opponent on boards 1 and 3
    pieces = {"r13c13": "a", "r13c14": "a", "r04c18": "A", "r17c04": "a", "r18c17": "b", "r04c19": "b"}
    table = scored("Wanderers", pieces=pieces)
    assert [table.sheet(seat)["Wanderers"] for seat in (0, 1)] == [6, 4]


@pytest.mark.rule("p. 12, Travellers")
@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param({"r13c13": "a", "r13c15": "a"}, 0, id="two houses"),
        pytest.param({"r13c13": "A"}, 0, id="a fort"),
        pytest.param({"r13c13": "A", "r13c15": "a"}, 4, id="a fort and a house"),
        pytest.param({"r13c13": "a", "r13c15": "a", "r10c14": "a"}, 4, id="three houses"),
        pytest.param({"r13c13": "a", "r13c15": "a", "r04c18": "a"}, 0, id="three on two boards"),
        pytest.param({"r13c13": "a", "r13c15": "a", "r10c14": "b"}, 0, id="an opponent's third"),
        pytest.param({"r13c13": "A", "r13c15": "A", "r04c18": "A", "r04c19": "a"}, 8, id="two boards"),
    ],
)
def test_travellers__boards_with_three_houses__four_each(pieces: dict[str, str], expected: int) -> None:
    assert points("Travellers", pieces=pieces) == expected


@pytest.mark.rule("p. 13, Socialites")
def test_socialites__touching_a_village__one_per_house() -> None:
    assert points("Socialites", "Ga V  GA Ga") == 1 + 2
    assert points("Socialites", "V  Ga V ") == 1


@pytest.mark.rule("p. 13, Nature Lovers")
def test_nature_lovers__touching_mountain_or_ice__one_per_house() -> None:
    drawing = """
        M  Ga I  GA .  Ga
          .  .  .  .  .
            Ia .  Ia I  .
              .  .  .  .
                Ma .  .
    """
    # between mountain and ice 1, fort at the ice 2, on ice touching ice 1; alone on ice or on a mountain: touching none
    assert points("Nature Lovers", drawing) == 4


@pytest.mark.rule("p. 13, Ice Fishermen")
def test_ice_fishermen__on_ice__two_per_house() -> None:
    assert points("Ice Fishermen", "Ia I  Ga .  IA Ib") == 2 + 4


# The example on p. 13 shows groups of 8, 4, 3, 2 and 1 houses, and 10 points.
EIGHT_TO_ONE = """
    Ga Ga Ga Ga .  Ga Ga
      Ga Ga Ga Ga .  .
        .  .  .  .  .  Ga
          Ga Ga Ga Ga .  .
            .  .  .  .  Ga
              .  .  .  Ga
                .  .  Ga
"""


@pytest.mark.rule("p. 13, Pioneers")
def test_pioneers__example_of_the_rulebook__groups_of_eight_to_one_make_ten() -> None:
    assert points("Pioneers", EIGHT_TO_ONE) == 10


@pytest.mark.rule("p. 13, Pioneers")
@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        pytest.param("Ga", 0, id="one house is the largest group"),
        pytest.param("Ga Ga Ga Ga", 0, id="one group"),
        pytest.param("Ga Ga Ga .  Ga", 1, id="one house outside"),
        pytest.param("Ga Ga .  Ga Ga", 2, id="of two equal groups one is left out"),
        pytest.param("Ga .  Ga .  Ga .  Ga", 3, id="of four equal groups one is left out"),
        pytest.param("Ga Ga Ga .  GA", 2, id="a fort outside counts two"),
        pytest.param("Ga Ga .  GA Ga", 2, id="a fort makes a group the largest"),
        pytest.param("GA .  Ga", 1, id="a fort alone is larger than a house"),
        pytest.param("Ga Ga Gb Ga", 1, id="an opponent between them"),
    ],
)
def test_pioneers__groups__one_per_house_outside_the_largest(drawing: str, expected: int) -> None:
    assert points("Pioneers", drawing) == expected


@pytest.mark.rule("p. 13, Pioneers")
def test_pioneers__other_seat__its_own_groups() -> None:
    table = scored("Pioneers", "Ga Gb Ga Gb GB .  Gb")
    assert [table.sheet(seat)["Pioneers"] for seat in range(2)] == [1, 2]


@pytest.mark.rule("p. 13, Peasants")
@pytest.mark.parametrize(("bottom", "expected"), [(4, 3), (2, 0), (3, 1)])
def test_peasants__bottom_board__one_per_house(bottom: int, expected: int) -> None:
    pieces = {"r08c09": "a", "r08c11": "A", "r13c13": "a", "r04c18": "a", "r08c10": "b"}  # boards 4, 4, 0, 3
    assert points("Peasants", pieces=pieces, bottom=bottom) == expected


@pytest.mark.rule("p. 13, Spelunkers")
@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        pytest.param("Ga U  GA", 3, id="one tunnel, touched twice"),
        pytest.param("U  Ga U ", 6, id="one house, two tunnels"),
        pytest.param("U  .  Ga", 0, id="not touching"),
        pytest.param("U  Gb .  Ga U  Gb", 3, id="an opponent touching it too"),
    ],
)
def test_spelunkers__tunnels_touched__three_each(drawing: str, expected: int) -> None:
    assert points("Spelunkers", drawing) == expected


JOINED = [
    pytest.param("P  Ga Ga P ", 2, id="one group, two places"),
    pytest.param("P  Ga P ", 2, id="one house between two places"),
    pytest.param("P  GA P ", 2, id="one fort between two places"),
    pytest.param("P  Ga .  Ga P ", 0, id="two groups with a gap"),
    pytest.param("P  Ga Gb P ", 0, id="an opponent in the chain"),
    pytest.param("P  Ga P  Ga P ", 3, id="three places joined by two groups"),
    pytest.param("P  Ga P  Gb P  Ga P ", 4, id="two pairs"),
    pytest.param("P  Ga Ga .  P  Ga Ga", 0, id="one place each"),
    pytest.param(
        """
        .  Ga .
          P  P  .
            Ga .  .
        """,
        2,
        id="two groups joining the same two places",
    ),
    pytest.param(
        """
        P  .  .  P
          Ga Ga Ga .
            .  P  .
        """,
        3,
        id="three places joined by one group",
    ),
]


@pytest.mark.rule("p. 13, Royalty")
@pytest.mark.parametrize(("drawing", "joined"), JOINED)
def test_royalty__castles_joined_by_one_group__five_each(drawing: str, joined: int) -> None:
    assert points("Royalty", drawing.replace("P", "C")) == 5 * joined


@pytest.mark.rule("p. 13, Merchants")
@pytest.mark.parametrize(("drawing", "joined"), JOINED)
def test_merchants__villages_joined_by_one_group__four_each(drawing: str, joined: int) -> None:
    assert points("Merchants", drawing.replace("P", "V")) == 4 * joined


@pytest.mark.rule("p. 13, Royalty")
@pytest.mark.rule("p. 13, Merchants")
def test_royalty_and_merchants__a_castle_and_a_village__are_not_joined() -> None:
    table = position("C  Ga V ", scoring=("Royalty", "Merchants", "Loners"), rest="grassland", played=None)
    assert table.sheet(0) == {"Royalty": 0, "Merchants": 0, "Loners": 2, "Castles": 3}


@pytest.mark.rule("p. 13, Scouts")
def test_scouts__outer_edge__one_per_house() -> None:
    # Board 3 is the uppermost: all of row 0 and both ends of row 1 are edge. r15c15 and r15c16 lie at a seam.
    pieces = {"r00c18": "a", "r00c22": "A", "r01c17": "a", "r01c22": "a", "r01c18": "a", "r15c15": "a", "r15c16": "a"}
    assert points("Scouts", pieces=pieces) == 1 + 2 + 1 + 1


MOUNTAINS = """
    Ga M  M  GA .  .
      .  Gb .  .  .
        .  .  .  .  .
    Ga M  Gb .  .  .
      .  .  .  .
        .  .  M
"""


@pytest.mark.rule("p. 13, Miners")
def test_miners__areas_of_different_size__three_each_ties_included() -> None:
    # Two hexes: 3 against 1. One hex: 1 against 1. The last one: nobody.
    table = scored("Miners", MOUNTAINS, players=3)
    assert [table.sheet(seat)["Miners"] for seat in range(3)] == [6, 3, 0]


@pytest.mark.rule("p. 13, Miners")
def test_miners__a_house_touching_two_hexes_of_an_area__counts_once() -> None:
    drawing = """
        Gb M  M  Gb
          .  Ga .
    """
    table = scored("Miners", drawing)
    assert [table.sheet(seat)["Miners"] for seat in range(2)] == [0, 3]


@pytest.mark.rule("p. 13, Miners")
def test_miners__all_the_land_is_one_area__three_in_all() -> None:
    table = scored("Miners", "Ga .  .  Ga", rest="mountain")
    assert [table.sheet(seat)["Miners"] for seat in range(2)] == [3, 0]


@pytest.mark.rule("p. 13, Miners")
def test_miners__joined_areas__are_one() -> None:
    apart = scored("Miners", "Ga M  .  M  Ga")
    together = scored("Miners", "Ga M  M  M  Ga")
    assert (apart.sheet(0)["Miners"], together.sheet(0)["Miners"]) == (6, 3)


@pytest.mark.rule("p. 7, castles")
def test_castle__three_against_four__most_houses_score() -> None:
    # three hexes each; the fort makes it four
    drawing = """
        .  Ga Gb
          Ga C  Ga
            Gb GB .
    """
    table = scored("Pioneers", drawing)
    assert [table.sheet(seat)["Castles"] for seat in range(2)] == [0, 3]


@pytest.mark.rule("p. 7, castles")
def test_castle__tie__all_who_tie_score() -> None:
    drawing = """
        .  Ga Gb
          Gc C  GA
            Gb Gb .
    """
    table = scored("Pioneers", drawing, players=4)
    assert [table.sheet(seat)["Castles"] for seat in range(4)] == [3, 3, 0, 0]


@pytest.mark.rule("p. 7, castles")
def test_castle__nobody_touches_it__nobody_scores() -> None:
    table = scored("Pioneers", "C  .  Ga")
    assert [table.sheet(seat)["Castles"] for seat in range(2)] == [0, 0]


@pytest.mark.rule("p. 7, castles")
def test_castle__several__each_by_itself() -> None:
    table = scored("Pioneers", "Ga C  .  Gb C  Ga C  Gb")
    # the first: a; the second: tie; the third: tie
    assert [table.sheet(seat)["Castles"] for seat in range(2)] == [9, 6]


@pytest.mark.rule("p. 7, castles")
def test_scores__cards_and_castles__added_up() -> None:
    table = position(
        """
        Ga C  .  Ia
          .  .  .
            .  Gb .
        """,
        scoring=("Loners", "Ice Fishermen", "Bureaucrats"),
        rest="grassland",
        played=None,
    )
    assert table.sheet(0) == {"Loners": 4, "Ice Fishermen": 2, "Bureaucrats": 2, "Castles": 3}
    assert table.game.scores() == [11, 2]


# (a position with one house of seat 0, points with the house, points with a fort instead)
FORTS = [
    ("Knights", "Ga", 2, 4),
    ("Loners", "Ga", 2, 4),
    ("Followers", "Ga Gb", 1, 2),
    ("Climbers", "Ga M", 1, 2),
    ("Bureaucrats", "Ga C", 2, 4),
    ("Wanderers", "Ga", 2, 2),
    ("Socialites", "Ga V", 1, 2),
    ("Nature Lovers", "Ga I", 1, 2),
    ("Ice Fishermen", "Ia", 2, 4),
    ("Pioneers", "Ga .  Ga Ga Ga", 1, 2),
    ("Spelunkers", "Ga U", 3, 3),
    ("Royalty", "C Ga C", 10, 10),
    ("Merchants", "V Ga V", 8, 8),
    ("Miners", "Ga M", 3, 3),
    ("Masses", "Ga Ga Ga", 1, 2),
    ("Travellers", "Ga Ga", 0, 4),
]


@pytest.mark.rule("p. 4, forts count two")
@pytest.mark.parametrize(("card", "drawing", "with_house", "with_fort"), FORTS, ids=[row[0] for row in FORTS])
def test_fort__instead_of_a_house__double_for_houses_single_for_hexes_and_groups(
    card: str, drawing: str, with_house: int, with_fort: int
) -> None:
    assert points(card, drawing) == with_house
    assert points(card, drawing.replace("Ga", "GA", 1).replace("Ia", "IA", 1)) == with_fort


@pytest.mark.rule("p. 4, forts count two")
@pytest.mark.parametrize(("card", "at", "bottom"), [("Scouts", "r00c20", 4), ("Peasants", "r08c09", 4)])
def test_fort__on_edge_or_bottom_board__double(card: str, at: str, bottom: int) -> None:
    assert points(card, "Ga", at=at, bottom=bottom) == 1
    assert points(card, "GA", at=at, bottom=bottom) == 2


ALL_CARDS = (
    "Knights", "Masses", "Loners", "Followers", "Climbers", "Bureaucrats", "Wanderers", "Travellers", "Socialites",
    "Nature Lovers", "Ice Fishermen", "Pioneers", "Peasants", "Spelunkers", "Royalty", "Merchants", "Scouts", "Miners",
)  # fmt: skip


@pytest.mark.rule("p. 12, agreed at set-up")
@pytest.mark.parametrize("card", ALL_CARDS)
def test_every_card__empty_board__nothing(card: str) -> None:
    assert points(card) == 0
