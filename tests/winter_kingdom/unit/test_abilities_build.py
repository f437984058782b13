"""The ability cards whose first action builds (p. 8-11): where each half may build, and where it may not.

The expected hexes are read off the drawings. Unless a test says otherwise the rest of the land cannot be built on, the
mandatory action is over, and seat 0 (``a``, forts ``A``) is to move.
"""

from __future__ import annotations

import pytest

from tests.winter_kingdom.position import Table, position

# A house on ice with all six card terrains around it, and all six again further away.
RING = """
    .  L  T  .  .  .
      G  Ia F  .  .  .
        S  W  .  .  .  .
          .  .  .  .  .  .
            L  T  F  G  S  W
"""
# The same house touches nothing buildable; each card terrain lies twice further away, one hex of each is taken.
APART = """
    .  M  V  .  .  .
      C  Ia U  .  .  .
        Mb V  .  .  .  .
          .  .  .  .  .  .
            L  T  F  G  S  W
              .  .  .  .  .  .
                L  T  F  G  S  W
                  Lb Tb Fb GB Sb Wb
"""


def begin(use: str, drawing: str = "", **wish: object) -> Table:
    """A position after the mandatory action in which the upgraded card's half was just chosen."""
    card = use.rpartition(" ")[0]
    options = {"phase": "after", "in_play": (f"{card}+",), **wish}
    return position(drawing, **options).play(f"use {use}")  # type: ignore[arg-type]


def unusable(use: str, drawing: str = "", **wish: object) -> bool:
    """Whether the upgraded card's half cannot be chosen."""
    card = use.rpartition(" ")[0]
    options = {"phase": "after", "in_play": (f"{card}+",), **wish}
    return use not in position(drawing, **options).uses()  # type: ignore[arg-type]


# Pasture, Sawmill, Hot springs, Garden, Monastery, Hunting Lodge


@pytest.mark.parametrize(
    ("card", "legal"),
    [
        pytest.param("Pasture", "r12c11", marks=pytest.mark.rule("p. 9, Pasture I")),
        pytest.param("Sawmill", "r13c12", marks=pytest.mark.rule("p. 9, Sawmill I")),
        pytest.param("Hot springs", "r11c13", marks=pytest.mark.rule("p. 9, Hot springs I")),
        pytest.param("Garden", "r12c13", marks=pytest.mark.rule("p. 9, Garden I")),
        pytest.param("Monastery", "r11c12", marks=pytest.mark.rule("p. 9, Monastery I")),
        pytest.param("Hunting Lodge", "r13c11", marks=pytest.mark.rule("p. 9, Hunting Lodge I")),
    ],
)
@pytest.mark.parametrize("played", ["tundra", "forest"])
def test_builder__own_neighbour_on_every_terrain__only_its_terrain_there(card: str, legal: str, played: str) -> None:
    table = begin(f"{card} I", RING, played=played)
    assert table.hexes("house") == {legal}
    assert table.hexes("fort") == {legal}


@pytest.mark.parametrize(
    ("card", "legal"),
    [
        pytest.param("Pasture", {"r15c14", "r17c14"}, marks=pytest.mark.rule("p. 9, Pasture I")),
        pytest.param("Sawmill", {"r15c16", "r17c16"}, marks=pytest.mark.rule("p. 9, Sawmill I")),
        pytest.param("Hot springs", {"r15c12", "r17c12"}, marks=pytest.mark.rule("p. 9, Hot springs I")),
        pytest.param("Garden", {"r15c13", "r17c13"}, marks=pytest.mark.rule("p. 9, Garden I")),
        pytest.param("Monastery", {"r15c11", "r17c11"}, marks=pytest.mark.rule("p. 9, Monastery I")),
        pytest.param("Hunting Lodge", {"r15c15", "r17c15"}, marks=pytest.mark.rule("p. 9, Hunting Lodge I")),
    ],
)
def test_builder__no_own_neighbour_possible__its_whole_terrain_is_open(card: str, legal: set[str]) -> None:
    assert begin(f"{card} I", APART).hexes() == legal


BUILDERS_SECOND = [
    pytest.param("Pasture", "G", marks=pytest.mark.rule("p. 9, Pasture II")),
    pytest.param("Sawmill", "W", marks=pytest.mark.rule("p. 9, Sawmill II")),
    pytest.param("Hot springs", "T", marks=pytest.mark.rule("p. 9, Hot springs II")),
    pytest.param("Garden", "F", marks=pytest.mark.rule("p. 9, Garden II")),
    pytest.param("Monastery", "L", marks=pytest.mark.rule("p. 9, Monastery II")),
    pytest.param("Hunting Lodge", "S", marks=pytest.mark.rule("p. 9, Hunting Lodge II")),
]
# The card's terrain is only at r12c12 (written x) and at r12c14, two hexes away; the own piece is far from all of it.
STEP = """
    Gb I  M  .  .
      y  x  V  x  .
        z  Sb .  .  .
          .  .  .  .  .
            .  .  .  .  Ma
"""


def step_drawing(terrain: str) -> str:
    """STEP with two card terrains y, z that are not the card's own."""
    others = [letter for letter in "LTFGW" if letter != terrain][:2]
    return STEP.replace("x", terrain).replace("y", others[0]).replace("z", others[1])


@pytest.mark.parametrize(("card", "terrain"), BUILDERS_SECOND)
def test_builder_second__house_just_built__may_step_to_any_free_buildable_neighbour(card: str, terrain: str) -> None:
    table = begin(f"{card} I", step_drawing(terrain)).play("house r12c12")
    assert table.phase == "follow"
    assert table.legal() == {"house r11c12", "house r12c11", "house r13c11", "done"}
    table.play("house r11c12")
    assert table.phase == "after"
    assert table.player()["houses"] == ["r11c12", "r15c15"]
    assert table.player()["houses_left"] == 30  # 32, one on the board before, one built


@pytest.mark.parametrize(("card", "terrain"), BUILDERS_SECOND)
def test_builder_second__done__house_stays(card: str, terrain: str) -> None:
    table = begin(f"{card} I", step_drawing(terrain)).play("house r12c12", "done")
    assert table.phase == "after"
    assert table.player()["houses"] == ["r12c12", "r15c15"]


@pytest.mark.parametrize(("card", "terrain"), BUILDERS_SECOND)
def test_builder_second__fort_built_or_card_not_upgraded__no_step(card: str, terrain: str) -> None:
    assert begin(f"{card} I", step_drawing(terrain)).play("fort r12c12").phase == "after"
    assert begin(f"{card} I", step_drawing(terrain), in_play=(card,)).play("house r12c12").phase == "after"


# Mine

MINE = """
    .  M  G  .  T
      Ta G  .  M  .
        G  .  I  C  .
"""


@pytest.mark.rule("p. 9, Mine I")
def test_mine_first__own_neighbour_next_to_a_mountain__only_there() -> None:
    # r13c11 touches the house but no mountain; r11c13, r11c15, r13c13 touch a mountain but not the house
    table = begin("Mine I", MINE, rest="tundra")
    assert table.hexes() == table.hexes("fort") == {"r11c11", "r12c12"}


@pytest.mark.rule("p. 9, Mine I")
def test_mine_first__no_own_piece__every_buildable_hex_next_to_a_mountain() -> None:
    table = begin("Mine I", MINE.replace("Ta", "Tb"), rest="tundra")
    assert table.hexes() == {
        "r10c12", "r10c13", "r11c11", "r11c13", "r12c12",
        "r11c14", "r11c15", "r12c13", "r12c15", "r13c13",  # r13c13 is ice
    }  # fmt: skip


MINE_ON = """
    M  M  G  M  .
      Mb Ga I  .  .
        M  M  .  M  .
"""


@pytest.mark.rule("p. 9, Mine II")
def test_mine_second__mountains_next_to_own_house__only_free_ones_there() -> None:
    table = begin("Mine II", MINE_ON, rest="tundra")
    assert table.hexes() == table.hexes("fort") == {"r11c12", "r13c11", "r13c12"}
    table.play("house r13c11")
    assert table.player()["houses"] == ["r12c12", "r13c11"]


@pytest.mark.rule("p. 9, Mine II")
def test_mine_second__no_mountain_touches_own_house__every_free_mountain() -> None:
    table = begin("Mine II", MINE_ON.replace("Ga", "G"), rest="tundra", pieces={"r18c18": "a"})
    assert table.hexes() == {"r11c11", "r11c12", "r11c14", "r13c11", "r13c12", "r13c14"}


# Port


@pytest.mark.rule("p. 9, Port I")
def test_port_first__ice_next_to_own_house__only_free_ice_there() -> None:
    table = begin(
        "Port I",
        """
        I  Ta I  .  I
          I  T  Ib .  .
            I  .  .  .  .
        """,
    )
    assert table.hexes() == table.hexes("fort") == {"r11c11", "r11c13", "r12c11"}


@pytest.mark.rule("p. 9, Port I")
def test_port_first__no_ice_touches_own_house__all_ice_is_open() -> None:
    table = begin(
        "Port I",
        """
        T  Ta G  .  I
          W  T  Ib .  .
            I  .  .  .  .
        """,
    )
    assert table.hexes() == {"r11c15", "r13c11"}


@pytest.mark.rule("p. 9, Port II")
@pytest.mark.parametrize(
    ("played", "near", "far"),
    [
        ("fell field", "r11c12", {"r15c11", "r17c11"}),
        ("tundra", "r11c13", {"r15c12", "r17c12"}),
        ("flower field", "r12c13", {"r15c13", "r17c13"}),
        ("grassland", "r12c11", {"r15c14", "r17c14"}),
        ("snowscape", "r13c11", {"r15c15", "r17c15"}),
        ("forest", "r13c12", {"r15c16", "r17c16"}),
    ],
)
def test_port_second__any_card__builds_on_the_played_terrain_adjacent_if_possible(
    played: str, near: str, far: set[str]
) -> None:
    assert begin("Port II", RING, played=played).hexes() == {near}
    assert begin("Port II", APART, played=played).hexes() == far


@pytest.mark.rule("p. 9, Port II")
def test_port_second__no_card_held__cannot_be_used() -> None:
    assert unusable("Port II", RING, played=None)


# Market and Farm: K is the place of the card, Z the other one.

NEXT_TO_PLACE = """
    .  G  I  .  .
      Tb K  S  F  .
        Z  W  .  Ga K
          L  .  .  T  .
"""
PLACES = [
    pytest.param("Market", "C", "V", marks=pytest.mark.rule("p. 9, Market I")),
    pytest.param("Farm", "V", "C", marks=pytest.mark.rule("p. 9, Farm I")),
]


@pytest.mark.parametrize(("card", "place", "other"), PLACES)
def test_place_first__own_neighbour_next_to_the_place__only_there(card: str, place: str, other: str) -> None:
    # r12c14 touches the house but no place of the card; r14c11 touches only the other place
    table = begin(f"{card} I", NEXT_TO_PLACE.replace("K", place).replace("Z", other))
    assert table.hexes() == table.hexes("fort") == {"r14c14"}


@pytest.mark.parametrize(("card", "place", "other"), PLACES)
def test_place_first__no_own_piece__every_free_hex_next_to_the_place(card: str, place: str, other: str) -> None:
    drawing = NEXT_TO_PLACE.replace("K", place).replace("Z", other).replace("Ga", "G")
    assert begin(f"{card} I", drawing).hexes() == {"r11c12", "r11c13", "r12c13", "r13c12", "r13c14", "r14c14"}


# The group r12c12 to r12c14 touches the place r12c15. The house r15c11 touches the other place; r11c16 and r13c15
# touch the place but not the group.
GROUP_AT_PLACE = """
    .  G  .  I  .  W
      S  Ta TA Ga K  Fb
        F  Sb W  .  L  .
          .  .  .  .  .  .
            Ta G  .  .  .  .
              Z  .  .  .  .  .
"""
GROUPS = [
    pytest.param("Market", "C", "V", marks=pytest.mark.rule("p. 9, Market II")),
    pytest.param("Farm", "V", "C", marks=pytest.mark.rule("p. 9, Farm II")),
]


@pytest.mark.parametrize(("card", "place", "other"), GROUPS)
def test_place_second__one_group_touches_the_place__next_to_that_group(card: str, place: str, other: str) -> None:
    table = begin(f"{card} II", GROUP_AT_PLACE.replace("K", place).replace("Z", other))
    assert table.hexes() == table.hexes("fort") == {"r11c12", "r11c14", "r12c11", "r13c11", "r13c13"}


@pytest.mark.parametrize(("card", "place", "other"), GROUPS)
def test_place_second__only_an_opponent_touches_the_place__cannot_be_used(card: str, place: str, other: str) -> None:
    # the own group ends one hex before the place
    drawing = GROUP_AT_PLACE.replace("K", place).replace("Z", other).replace("Ga", "Gb")
    assert unusable(f"{card} II", drawing)
    assert f"{card} I" in position(drawing, phase="after", in_play=(f"{card}+",)).uses()


# Barracks

FORTS = """
    .  G  .  .  T  .
      S  TA Ta W  TB .
        Fb I  L  .  G  .
          .  .  .  .  .  .
            Ta G  .  .  .  .
"""


@pytest.mark.rule("p. 9, Barracks I")
def test_barracks_first__own_and_opposing_fort__free_hexes_next_to_the_own_fort() -> None:
    # r12c14, r13c13, r15c12 touch own houses only; r11c15, r13c15 the opponent's fort
    table = begin("Barracks I", FORTS)
    assert table.hexes() == table.hexes("fort") == {"r11c12", "r12c11", "r13c12"}


@pytest.mark.rule("p. 9, Barracks II")
def test_barracks_second__group_with_fort_and_group_without__next_to_the_first() -> None:
    table = begin("Barracks II", FORTS)
    assert table.hexes() == table.hexes("fort") == {"r11c12", "r12c11", "r12c14", "r13c12", "r13c13"}


@pytest.mark.rule("p. 9, Barracks I")
@pytest.mark.rule("p. 9, Barracks II")
def test_barracks__only_the_opponent_has_a_fort__cannot_be_used() -> None:
    drawing = FORTS.replace("TA", "Ta")
    assert unusable("Barracks I", drawing)
    assert unusable("Barracks II", drawing)


# Tavern

DIRECTIONS = [
    (("r12c12", "r12c13", "r12c14"), {"r12c11", "r12c15"}),
    (("r11c13", "r12c13", "r13c13"), {"r10c13", "r14c13"}),
    (("r11c14", "r12c13", "r13c12"), {"r10c15", "r14c11"}),
]
# Two in a row, a row with a gap, and a row with an opponent in it: no runs of three.
NO_RUNS = {
    "a": ("r16c10", "r16c11", "r18c10", "r18c11", "r18c13"),
    "b": ("r18c17", "r18c18", "r20c16", "r20c17", "r20c19"),
}
MIXED_RUN = {"r16c15": "a", "r16c16": "b", "r16c17": "a", "r16c18": "b"}


def stones(piece: str, places: tuple[str, ...]) -> dict[str, str]:
    return dict.fromkeys(places, piece)


@pytest.mark.rule("p. 9, Tavern I")
@pytest.mark.parametrize(("run", "ends"), DIRECTIONS)
@pytest.mark.parametrize("middle", ["a", "A"])
def test_tavern_first__own_run_of_three_in_open_land__only_its_two_ends(
    run: tuple[str, ...], ends: set[str], middle: str
) -> None:
    pieces = {
        **stones("a", run), run[1]: middle, **stones("a", NO_RUNS["a"]), **MIXED_RUN,
        **stones("b", ("r08c12", "r08c13", "r08c14")),
    }  # fmt: skip
    table = begin("Tavern I", rest="tundra", pieces=pieces)
    assert table.hexes() == table.hexes("fort") == ends


@pytest.mark.rule("p. 9, Tavern I")
def test_tavern_first__run_of_four_and_ends_not_free__only_free_buildable_ends() -> None:
    row_of_four = ("r12c11", "r12c12", "r12c13", "r12c14")
    pieces = stones("a", row_of_four)
    assert begin("Tavern I", rest="tundra", pieces=pieces).hexes() == {"r12c10", "r12c15"}
    assert begin("Tavern I", rest="tundra", pieces={**pieces, "r12c10": "b"}).hexes() == {"r12c15"}
    iced = begin("Tavern I", rest="tundra", pieces=pieces, land={"r12c10": "castle", "r12c15": "ice"})
    assert iced.hexes() == {"r12c15"}
    assert unusable("Tavern I", rest="tundra", pieces={**pieces, "r12c10": "b"}, land={"r12c15": "mountain"})


@pytest.mark.rule("p. 9, Tavern I")
def test_tavern_first__no_own_run_of_three__cannot_be_used() -> None:
    pieces = {**stones("a", NO_RUNS["a"]), **MIXED_RUN, **stones("b", ("r08c12", "r08c13", "r08c14"))}
    assert unusable("Tavern I", rest="tundra", pieces=pieces)


@pytest.mark.rule("p. 9, Tavern II")
@pytest.mark.parametrize(("run", "ends"), DIRECTIONS)
@pytest.mark.parametrize("middle", ["b", "B"])
def test_tavern_second__opponents_run__its_two_ends_though_one_touches_an_own_piece(
    run: tuple[str, ...], ends: set[str], middle: str
) -> None:
    # r15c11 touches one end of one of the runs; the run r08c12 to r08c14 is an own one
    pieces = {
        **stones("b", run), run[1]: middle, **stones("b", NO_RUNS["b"]), **MIXED_RUN,
        **stones("a", ("r08c12", "r08c13", "r08c14", "r15c11", "r12c16", "r09c15")),
    }  # fmt: skip
    table = begin("Tavern II", rest="tundra", pieces=pieces)
    assert table.hexes() == table.hexes("fort") == ends


@pytest.mark.rule("p. 9, Tavern II")
def test_tavern_second__two_opponents__runs_of_each_count_but_not_a_run_of_both() -> None:
    pieces = {
        **stones("b", ("r12c12", "r12c13", "r12c14")),
        **stones("c", ("r16c12", "r16c13", "r16c14")),
        **{"r18c12": "b", "r18c13": "c", "r18c14": "b", "r18c15": "c"},
    }
    table = begin("Tavern II", rest="tundra", pieces=pieces, players=3)
    assert table.hexes() == {"r12c11", "r12c15", "r16c11", "r16c15"}
    mixed_only = {"r18c12": "b", "r18c13": "c", "r18c14": "b", "r18c15": "c"}
    assert unusable("Tavern II", rest="tundra", pieces=mixed_only, players=3)


# Outpost

OUTPOST = """
    .  G  S  T  .  .
      W  Ta Ta F  TA I
        L  I  G  .  S  T
          .  .  .  .  .  .
            G  Tb G  .  .  .
"""


@pytest.mark.rule("p. 9, Outpost I")
def test_outpost_first__hexes_touching_none_one_and_two__exactly_one_with_forts_as_two() -> None:
    # two houses: r11c13, r13c12; the fort, two: r12c16, r13c15; house and fort: r12c14; none: r13c16, r15c11, r15c13
    table = begin("Outpost I", OUTPOST)
    assert table.hexes() == table.hexes("fort") == {"r11c12", "r11c14", "r12c11", "r13c11", "r13c13"}


@pytest.mark.rule("p. 9, Outpost I")
def test_outpost_first__only_an_own_fort_on_the_board__cannot_be_used() -> None:
    assert unusable("Outpost I", "T  TA T")
    assert unusable("Outpost I", "T  Tb T")
    assert begin("Outpost I", "T  Ta T").hexes() == {"r11c11", "r11c13"}


@pytest.mark.rule("p. 9, Outpost II")
def test_outpost_second__hexes_touching_none_to_three__one_to_three_if_possible() -> None:
    assert begin("Outpost II", OUTPOST).hexes() == {
        "r11c12", "r11c13", "r11c14", "r12c11", "r12c14", "r12c16", "r13c11", "r13c12", "r13c13", "r13c15",
    }  # fmt: skip


@pytest.mark.rule("p. 9, Outpost II")
def test_outpost_second__hexes_touching_three_and_four__four_is_too_many() -> None:
    # r12c11 touches three houses, r12c16 one fort; r12c14 touches two forts, r15c13 four houses
    table = begin(
        "Outpost II",
        """
        Ta Ta .  TA .  .
          G  Ta .  S  TA W
            .  .  .  .  .  .
              .  .  Ta Ta .  .
                .  Ta F  .  .  .
                  .  Ta .  .  .  .
        """,
    )
    assert table.hexes() == table.hexes("fort") == {"r12c11", "r12c16"}


@pytest.mark.rule("p. 9, Outpost II")
def test_outpost_second__every_neighbour_touches_four__hexes_touching_none_are_open() -> None:
    table = begin(
        "Outpost II",
        """
        .  .  .  TA .  .
          .  .  .  S  TA .
            .  .  .  .  .  .
              L  .  .  I  Tb .
        """,
    )
    assert table.hexes() == {"r14c11", "r14c14"}


# Tower. Board 3 is at the top of the land: r00c18 to r00c22, r01c17 and r01c22 lie on the outer edge; r05c21 lies on
# the rim of its board, but next to another board.

TOWER = """
    .  W  Ga I  S  G
      L  I  F  .  .  T
"""
SEAM = {"r05c21": "grassland"}


@pytest.mark.rule("p. 10, Tower I")
def test_tower_first__own_house_on_the_edge__edge_hexes_next_to_it_but_not_ice() -> None:
    table = begin("Tower I", TOWER, at="r00c17", land=SEAM)
    assert table.hexes() == table.hexes("fort") == {"r00c18"}


@pytest.mark.rule("p. 10, Tower I")
def test_tower_first__no_own_neighbour_possible__whole_edge_but_not_ice_nor_inner_hexes() -> None:
    drawing = TOWER.replace("Ga", "Gb")
    table = begin("Tower I", drawing, at="r00c17", land=SEAM, pieces={"r13c13": "a"})
    assert table.hexes() == {"r00c18", "r00c21", "r00c22", "r01c17", "r01c22"}


@pytest.mark.rule("p. 10, Tower I")
def test_tower_first__open_land__seventy_eight_edge_hexes() -> None:
    table = begin("Tower I", rest="snowscape")
    assert len(table.hexes()) == 78
    assert unusable("Tower I", rest="ice")


@pytest.mark.rule("p. 10, Tower II")
def test_tower_second__house_just_built__may_step_inland_or_on_ice() -> None:
    table = begin("Tower I", TOWER, at="r00c17").play("house r00c18")
    assert table.legal() == {"house r01c17", "house r01c18", "done"}
    assert begin("Tower I", TOWER, at="r00c17").play("fort r00c18").phase == "after"


# Homestead. r12c17, r13c17 and r14c16 lie on the rim of the centre board; r12c18, r13c18 and r14c17 on other boards.

CENTRE_RIM = """
    .  I  F  .
      G  Ga S  .
        W  T  .  .
"""


@pytest.mark.rule("p. 10, Homestead I")
def test_homestead_first__own_house_on_the_rim__only_neighbours_on_the_centre_board() -> None:
    table = begin("Homestead I", CENTRE_RIM, at="r12c16", land={"r09c13": "tundra"})
    assert table.hexes() == table.hexes("fort") == {"r12c17", "r13c16", "r14c16"}


@pytest.mark.rule("p. 10, Homestead I")
def test_homestead_first__no_own_neighbour_possible__all_of_the_centre_board() -> None:
    drawing = CENTRE_RIM.replace("Ga", "Gb")
    table = begin("Homestead I", drawing, at="r12c16", land={"r09c13": "tundra"}, pieces={"r20c17": "a"})
    assert table.hexes() == {"r09c13", "r12c17", "r13c16", "r14c16"}
    assert len(begin("Homestead I", rest="forest").hexes()) == 61


# The top right corner of the centre board (r09c13 to r09c17 is its first row), walled in by pieces of both seats; the
# hexes of row 8 lie on another board. r11c13 and r09c13 are outside the wall.
WALLED = """
    .  .  T  T  T  T
      T  Tb I  M  G  T
        .  TB Mb -a -b .
          S  .  .  .  .  .
"""


@pytest.mark.rule("p. 10, Homestead II")
@pytest.mark.parametrize("letter", "LTFGSWI")
def test_homestead_second__buildable_terrain_in_the_way__is_passed(letter: str) -> None:
    table = begin("Homestead I", WALLED.replace("M  G", f"{letter}  G"), at="r08c13").play("house r09c17")
    assert table.phase == "follow"
    assert table.legal() == {"house r09c15", "house r09c16", "done"}
    table.play("house r09c15")
    assert table.player()["houses"] == ["r09c15", "r10c16"]


@pytest.mark.rule("p. 10, Homestead II")
@pytest.mark.parametrize("letter", "MUVC")
def test_homestead_second__terrain_not_suitable_for_building_in_the_way__is_not_passed(letter: str) -> None:
    # p. 6: a house is moved onto the seven buildable terrains only; r09c15 lies behind the hex between
    table = begin("Homestead I", WALLED.replace("M  G", f"{letter}  G"), at="r08c13").play("house r09c17")
    assert table.phase == "after"


@pytest.mark.rule("p. 10, Homestead II")
def test_homestead_second__a_gap_in_the_wall__any_distance_on_the_centre_board() -> None:
    drawing = WALLED.replace("-b", "T ")
    way = ("r11c17", "r12c17", "r13c17", "r14c16", "r15c15", "r16c14", "r17c13")  # along the rim to the next corner
    beyond = ("r18c12", "r13c13")  # another board, and a hex of the centre board with mountains around it
    land = dict.fromkeys((*way, *beyond), "forest")
    table = begin("Homestead I", drawing, at="r08c13", land=land).play("house r09c17")
    assert table.legal() == {"house r10c17", *(f"house {place}" for place in way), "done"}


@pytest.mark.rule("p. 10, Homestead II")
def test_homestead_second__fort_built__no_move() -> None:
    assert begin("Homestead I", WALLED, at="r08c13").play("fort r09c17").phase == "after"


# Crossroads


@pytest.mark.rule("p. 8, Crossroads I")
@pytest.mark.parametrize(
    ("played", "near", "far"),
    [
        ("fell field", "r11c13", {"r15c12", "r17c12"}),  # tundra
        ("tundra", "r12c13", {"r15c13", "r17c13"}),  # flower field
        ("flower field", "r12c11", {"r15c14", "r17c14"}),  # grassland
        ("grassland", "r13c11", {"r15c15", "r17c15"}),  # snowscape
        ("snowscape", "r13c12", {"r15c16", "r17c16"}),  # forest
        ("forest", "r11c12", {"r15c11", "r17c11"}),  # round again: fell field
    ],
)
def test_crossroads_first__any_card__builds_on_the_next_terrain_adjacent_if_possible(
    played: str, near: str, far: set[str]
) -> None:
    table = begin("Crossroads I", RING, played=played)
    assert table.hexes("house") == table.hexes("fort") == {near}
    assert begin("Crossroads I", APART, played=played).hexes() == far


@pytest.mark.rule("p. 8, Crossroads I")
def test_crossroads_first__no_card_held__cannot_be_used() -> None:
    assert unusable("Crossroads I", RING, played=None)


@pytest.mark.rule("p. 8, Crossroads I")
def test_crossroads_first__example_flower_field_p10__builds_on_adjacent_grassland() -> None:
    table = begin(
        "Crossroads I",
        """
        F  G  T  .  G
          Fa G  S  .  .
            F  L  .  G  .
        """,
        played="flower field",
        in_play=("Crossroads",),
    )
    assert table.hexes() == {"r11c12", "r12c12"}


@pytest.mark.rule("p. 8, Crossroads II")
@pytest.mark.rule("p. 8, Crossroads I")
def test_crossroads_both__example_fell_field_p8__three_mandatory_and_one_more_on_tundra() -> None:
    table = position(
        """
        La T  T  .
          T  T  L  .
            L  .  .  .
        """,
        played="fell field",
        in_play=("Crossroads+",),
    )
    table.play("house r11c12", "house r11c13", "house r12c11", "use Crossroads I")
    assert table.hexes() == {"r12c12"}
    table.play("house r12c12")
    assert table.player()["houses"] == ["r11c11", "r11c12", "r11c13", "r12c11", "r12c12"]


# Tundra was drawn, so flower field is the second choice.
CHOICE = """
    T  Ga F  .  F
      T  .  Fb .  .
        F  .  T  T  G
"""


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_second__upgraded_or_not__flower_field_too_or_tundra_only() -> None:
    assert position(CHOICE, in_play=("Crossroads",)).hexes() == {"r11c11", "r12c11"}
    table = position(CHOICE, in_play=("Crossroads+",))
    assert table.hexes() == table.hexes("fort") == {"r11c11", "r12c11", "r11c13"}
    assert "Crossroads II" not in table.uses()


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_second__first_piece_on_the_next_terrain__the_others_are_bound_to_it() -> None:
    table = position(CHOICE, in_play=("Crossroads+",)).play("house r11c13")
    assert table.phase == "mandatory"
    assert table.hexes() == {"r11c15", "r13c11"}  # no flower field touches an own piece; tundra r11c11 does
    table.play("fort r11c15")
    assert table.hexes() == {"r13c11"}
    assert table.play("house r13c11").phase == "after"


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_second__first_piece_on_the_card_terrain__the_others_are_bound_to_it() -> None:
    table = position(CHOICE, in_play=("Crossroads+",)).play("house r11c11")
    assert table.hexes() == {"r12c11"}
    table.play("house r12c11")
    assert table.hexes() == {"r13c13", "r13c14"}  # flower field r11c13 and r13c11 touch own pieces, but are not open


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_second__only_one_terrain_has_an_own_neighbour__each_is_judged_by_itself() -> None:
    table = position(
        """
        T  Ga .  .  F
          .  .  .  .  .
            F  .  T  T  .
        """,
        in_play=("Crossroads+",),
    )
    assert table.hexes() == {"r11c11", "r11c15", "r13c11"}


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_second__wrap_around__forest_drawn_fell_field_open() -> None:
    table = position("W  Wa L  T  F  G  S", played="forest", in_play=("Crossroads+",))
    assert table.hexes() == {"r11c11", "r11c13"}


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_second__chosen_terrain_is_used_up__mandatory_action_ends() -> None:
    table = position("T  T  Ga F  T  T", in_play=("Crossroads+",)).play("house r11c14")
    assert table.phase == "after"
    assert table.player()["houses"] == ["r11c13", "r11c14"]


@pytest.mark.rule("p. 8, Crossroads II")
@pytest.mark.rule("p. 9, Port II")
def test_crossroads_second__mandatory_pieces_on_the_next_terrain__other_halves_still_look_at_the_card() -> None:
    table = position(
        """
        T  Ga F  F  F
          .  .  .  .  G
        """,
        in_play=("Crossroads+", "Port+"),
    )
    table.play("house r11c13", "house r11c14", "house r11c15")
    assert table.play("use Port II").hexes() == {"r11c11"}
    table.play("house r11c11")
    assert "Crossroads I" not in table.uses()  # flower field is full; grassland is not the next terrain of tundra


@pytest.mark.rule("p. 8, Crossroads II")
def test_crossroads_ii__only_the_next_terrain_is_open__may_be_used_but_need_not() -> None:
    # Tundra is shut by Impasse; flower field, the next terrain, is open.
    table = position("F  .  T  Tb .  .  F", played="tundra", twist="Impasse", in_play=("Crossroads+",))
    assert table.hexes() == {"r11c11", "r11c17"}
    assert "done" in table.legal()
    table.play("done")
    assert table.phase == "after"
    table = position("F  .  T  Tb .  T  F", played="tundra", twist="Impasse", in_play=("Crossroads+",))
    assert "done" not in table.legal()
