"""The eight twist cards (p. 16), each with the example of the rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from tests.winter_kingdom.position import Table, position
from winterkingdom_env.games import winter_kingdom as wk

TWISTS = ("Wolves", "Impasse", "Mobility", "Innovation", "Boom", "Longer Tunnels", "Archipelago", "Roads")


@pytest.mark.rule("p. 16, one twist at most")
def test_twist__not_asked_for__a_game_without_one() -> None:
    assert {wk.new_game(wk.Config(), seed).setup()["twist"] for seed in range(50)} == {None}
    for name in TWISTS:
        assert wk.new_game(wk.Config(twist=name), seed=1).setup()["twist"] == name


# Wolves


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__example_of_the_rulebook__fifth_house_costs_one_of_choice() -> None:
    table = position("T  T  T  G  W  Sa", twist="Wolves", in_play=("Pasture", "Sawmill"), houses_left=20)
    table.play("house r11c11", "house r11c12", "house r11c13")
    table.play("use Pasture I", "house r11c14", "use Sawmill I", "house r11c15", "done")
    assert (table.phase, table.seat) == ("wolves", 0)
    assert table.legal() == {f"lift r11c{col}" for col in (11, 12, 13, 14, 15, 16)}  # no way around
    table.play("lift r11c16")  # the house on the snowscape, of an earlier turn
    assert table.seat == 1
    assert table.player(0)["houses"] == ["r11c11", "r11c12", "r11c13", "r11c14", "r11c15"]
    assert table.player(0)["houses_left"] == 15  # out of the game, not back in the supply


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__four_houses__stay_away() -> None:
    table = position("T  T  T  G ", twist="Wolves", in_play=("Pasture",))
    table.play("house r11c11", "house r11c12", "house r11c13", "use Pasture I", "house r11c14", "done")
    assert table.seat == 1
    assert len(table.player(0)["houses"]) == 4


@pytest.mark.rule("p. 16, Wolves")
@pytest.mark.parametrize(("pieces", "come"), [(("fort", "house", "house"), False), (("fort", "fort", "house"), True)])
def test_wolves__forts__count_two(pieces: tuple[str, ...], come: bool) -> None:
    table = position("T  T  T ", twist="Wolves")
    table.play(*(f"{piece} r11c1{i + 1}" for i, piece in enumerate(pieces)), "done")
    assert (table.phase == "wolves") == come


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__forts_on_the_board__a_fort_may_be_taken() -> None:
    # p. 4: a fort functions as a house, but for its worth and that it never moves
    table = position("T  T  T  Tb", twist="Wolves", forts_left=4)
    table.play("fort r11c11", "fort r11c12", "house r11c13", "done")
    assert table.legal() == {"lift r11c11", "lift r11c12", "lift r11c13"}
    table.play("lift r11c11")
    assert table.seat == 1
    assert (table.player(0)["houses"], table.player(0)["forts"]) == (["r11c13"], ["r11c12"])
    assert table.player(0)["forts_left"] == 2  # out of the game, not back in the supply


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__only_forts_on_the_board__one_of_them_is_taken() -> None:
    table = position("T  T  T ", twist="Wolves")
    table.play("fort r11c11", "fort r11c12", "fort r11c13", "done")
    assert (table.phase, table.seat) == ("wolves", 0)
    table.play("lift r11c12")
    assert table.player(0)["forts"] == ["r11c11", "r11c13"]


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__all_pieces_salvaged__nothing_to_take() -> None:
    table = position("T  T  T ", twist="Wolves", economy="Salvage")
    table.play("fort r11c11", "fort r11c12", "house r11c13", "lift r11c11", "lift r11c12", "lift r11c13", "done")
    assert table.seat == 1
    assert table.player(0)["houses"] == table.player(0)["forts"] == []


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__purchase__comes_before_them() -> None:
    table = position("T  T  T ", twist="Wolves", hand=("Mule",), coins=1)
    table.play("fort r11c11", "fort r11c12", "house r11c13")
    assert table.phase == "after"
    table.play("acquire Mule")
    assert (table.phase, table.seat) == ("wolves", 0)


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__moved_houses__are_not_built() -> None:
    table = position("T  T  T  .  Ga G ", twist="Wolves", in_play=("Mule", "Toboggan"))
    table.play("house r11c11", "house r11c12", "house r11c13")
    table.play("use Mule I", "lift r11c15", "house r11c16", "use Toboggan I", "lift r11c16", "house r11c15", "done")
    assert table.seat == 1


@pytest.mark.rule("p. 16, Wolves")
def test_wolves__next_turn__counts_from_zero() -> None:
    drawing = """
        T  T  T  T  T  T
          T  T  T  T  T  T
    """
    table = position(drawing, twist="Wolves", next_cards=("tundra",) * 6)
    table.play("house r11c11", "house r11c12", "house r11c13", "done")  # seat 0 built three
    while table.seat == 1 and table.phase != "over":
        table.play(min(table.legal()))
    table.play("house r12c11", "house r12c12", "house r12c13", "done")
    assert table.seat == 1


# Impasse


@pytest.mark.rule("p. 16, Impasse")
def test_impasse__example_of_the_rulebook__adjacency_duty_is_lifted() -> None:
    table = position("Sa S  S  Gb .  S  S ", twist="Impasse", played="snowscape")
    assert table.hexes() == {"r11c12"}
    table.play("house r11c12")
    assert table.hexes() == {"r11c16", "r11c17"}  # r11c13 is adjacent, but it touches the opponent
    assert table.hexes("fort") == {"r11c16", "r11c17"}


@pytest.mark.rule("p. 16, Impasse")
def test_impasse__not_in_play__the_same_hex_must_be_taken() -> None:
    table = position("Sa S  S  Gb .  S  S ", played="snowscape")
    table.play("house r11c12")
    assert table.hexes() == {"r11c13"}


@pytest.mark.rule("p. 16, Impasse")
@pytest.mark.parametrize("other", ["b", "B", "c"])
def test_impasse__any_piece_of_any_opponent__forbids(other: str) -> None:
    table = position(f"S  G{other} S  Sa S ", twist="Impasse", played="snowscape", players=3)
    assert table.hexes() == {"r11c15"}


@pytest.mark.rule("p. 16, Impasse")
@pytest.mark.rule("p. 16, one twist at most")
def test_impasse__moved_houses__are_bound_too() -> None:
    table = position("S  Sa S  Gb", twist="Impasse", phase="after", in_play=("Mule",))
    table.play("use Mule I", "lift r11c12")
    assert table.hexes() == {"r11c11"}


@pytest.mark.rule("p. 16, Impasse")
def test_impasse__house_already_beside_an_opponent__may_leave() -> None:
    table = position("S  Sa Gb S  S ", twist="Impasse", phase="after", in_play=("Mule", "Sleigh"))
    assert table.uses() == {"Mule I", "Sleigh I"}
    table.play("use Mule I", "lift r11c12")
    assert table.hexes() == {"r11c11"}


@pytest.mark.rule("p. 16, Impasse")
@pytest.mark.rule("p. 16, one twist at most")
def test_impasse__ability_builds__are_bound_too() -> None:
    # Tavern II wants the end of an opponent's run: such a hex always touches the opponent.
    table = position("G  Gb Gb Gb G  .  Ga G ", twist="Impasse", phase="after", in_play=("Tavern+", "Pasture"))
    assert table.uses() == {"Pasture I"}
    assert table.play("use Pasture I").hexes() == {"r11c18"}


@pytest.mark.rule("p. 16, Impasse")
@pytest.mark.rule("p. 16, one twist at most")
def test_impasse__tunnel_move__is_bound_too() -> None:
    drawing = "Ga U  .  .  U  G  Gb"
    assert "Tunnel" in position(drawing, phase="after").uses()
    assert "Tunnel" not in position(drawing, phase="after", twist="Impasse").uses()


# Mobility

SPREAD = """
    S  .  Sa .  S  S
      S  S  .  S  .
        S  .  .  S  .
"""
WITHIN_TWO = {"r11c11", "r11c15", "r12c11", "r12c12", "r12c14", "r13c11"}


@pytest.mark.rule("p. 16, Mobility")
def test_mobility__example_of_the_rulebook__up_to_two_hexes_away() -> None:
    table = position(SPREAD, twist="Mobility", played="snowscape")
    assert table.hexes() == WITHIN_TWO
    assert table.hexes("fort") == WITHIN_TWO
    assert position(SPREAD, played="snowscape").hexes() == {"r12c12"}  # the same without the card


@pytest.mark.rule("p. 16, Mobility")
def test_mobility__every_piece__judged_anew() -> None:
    table = position(SPREAD, twist="Mobility", played="snowscape")
    table.play("house r11c15")
    # new: r11c16 beside it, r13c14 two hexes below it
    assert table.hexes() == WITHIN_TWO - {"r11c15"} | {"r11c16", "r13c14"}


@pytest.mark.rule("p. 16, Mobility")
def test_mobility__nothing_within_two__anywhere() -> None:
    table = position("Sa .  .  S  S  .  S ", twist="Mobility", played="snowscape")
    assert table.hexes() == {"r11c14", "r11c15", "r11c17"}


@pytest.mark.rule("p. 16, Mobility")
def test_mobility__over_an_opponent__two_hexes_all_the_same() -> None:
    table = position("Sa Sb S  .  S ", twist="Mobility", played="snowscape")
    assert table.hexes() == {"r11c13"}


@pytest.mark.rule("p. 16, Mobility")
def test_mobility__ability_builds__next_to_own_pieces_as_ever() -> None:
    table = position(SPREAD, twist="Mobility", phase="after", in_play=("Hunting Lodge",))
    assert table.play("use Hunting Lodge I").hexes() == {"r12c12"}


# Innovation


@pytest.mark.rule("p. 16, Innovation")
def test_innovation__example_of_the_rulebook__mine_is_used_at_once() -> None:
    table = position("Ga G  M  G ", twist="Innovation", phase="after", hand=("Mine",), coins=3)
    table.play("acquire Mine")
    assert (table.phase, table.seat, table.coins()) == ("innovate", 0, 0)
    assert table.legal() == {"use Mine I", "done"}
    table.play("use Mine I")
    assert table.hexes() == {"r11c12"}
    table.play("house r11c12")
    assert table.seat == 1  # once, and the turn is over
    assert table.player(0)["houses"] == ["r11c11", "r11c12"]


@pytest.mark.rule("p. 16, Innovation")
def test_innovation__use_at_once__is_optional() -> None:
    table = position("Ga G  M  G ", twist="Innovation", phase="after", hand=("Mine",), coins=3)
    table.play("acquire Mine", "done")
    assert table.seat == 1
    assert table.player(0)["houses"] == ["r11c11"]


@pytest.mark.rule("p. 16, Innovation")
def test_innovation__upgrade_of_a_used_card__either_half_at_once() -> None:
    table = position("Ga G  M  G ", twist="Innovation", phase="after", in_play=("Mine",), coins=1)
    table.play("use Mine I", "house r11c12")
    assert table.uses() == set()
    table.play("upgrade Mine")
    assert table.legal() == {"use Mine I", "use Mine II", "done"}
    table.play("use Mine II", "fort r11c13")
    assert table.seat == 1
    assert table.player(0)["forts"] == ["r11c13"]


@pytest.mark.rule("p. 16, Innovation")
def test_innovation__only_the_new_card__others_not() -> None:
    cards: dict[str, Any] = {"in_play": ("Mule",), "hand": ("Horse", "Pasture")}
    table = position("Ga G  .  .  Ga G ", twist="Innovation", phase="after", coins=3, **cards)
    table.play("acquire Pasture")
    assert table.legal() == {"use Pasture I", "done"}


@pytest.mark.rule("p. 16, Innovation")
def test_innovation__card_without_a_target__the_turn_ends() -> None:
    table = position("Ga G ", twist="Innovation", phase="after", hand=("Port",), coins=3)
    table.play("acquire Port")  # there is no ice
    assert table.seat == 1


@pytest.mark.rule("p. 16, Innovation")
def test_innovation__not_in_play__the_turn_ends_with_the_purchase() -> None:
    table = position("Ga G  M  G ", phase="after", hand=("Mine",), coins=3)
    assert table.play("acquire Mine").seat == 1


# Boom


@pytest.mark.rule("p. 16, Boom")
def test_boom__example_of_the_rulebook__a_fourth_house_next_to_any_own_one() -> None:
    drawing = """
        W  W  W  V
          .  .  .  I
        S  .  .  .  .
    """
    table = position(drawing, twist="Boom", played="forest", pieces={"r13c13": "a"}, land={"r13c14": "flower field"})
    table.play("house r11c11", "house r11c12")
    assert table.phase == "mandatory"
    table.play("house r11c13")
    assert table.phase == "boom"
    # Nothing free is next to the three but mountains; next to the older house there are ice and a flower field.
    assert table.legal() == {"house r12c14", "fort r12c14", "house r13c14", "fort r13c14", "done"}
    table.play("house r13c14")
    assert (table.phase, table.seat) == ("after", 0)
    assert len(table.player()["houses"]) == 5


BOOM_LAND = """
    G  T  V  T  T
      I  F  .  W  L
        T  .  M  .  .
"""


@pytest.mark.rule("p. 16, Boom")
def test_boom__any_buildable_hex_touching_an_own_piece__and_no_other() -> None:
    table = position(BOOM_LAND, twist="Boom")
    table.play("house r11c12")
    assert table.phase == "boom"
    # around r11c12: grassland, ice and flower field; the village and the two mountains above are not buildable
    assert table.hexes() == {"r11c11", "r12c11", "r12c12"}
    assert table.hexes("fort") == {"r11c11", "r12c11", "r12c12"}


@pytest.mark.rule("p. 16, Boom")
def test_boom__first_piece__at_once_and_then_the_mandatory_action_goes_on() -> None:
    table = position(BOOM_LAND, twist="Boom")
    table.play("house r11c12", "house r12c12")
    assert table.phase == "mandatory"  # r12c12 touches the village too, but it does not trigger again
    # The next mandatory piece: no tundra touches the own pieces but r13c11, which the extra house touches.
    assert table.hexes() == {"r13c11"}
    table.play("house r13c11")
    assert table.phase == "mandatory"
    table.play("house r11c14")
    assert table.phase == "boom"  # every mandatory piece by itself
    table.play("done")
    assert table.phase == "after"
    assert table.player()["houses"] == ["r11c12", "r11c14", "r12c12", "r13c11"]


@pytest.mark.rule("p. 16, Boom")
def test_boom__extra_piece__is_optional() -> None:
    table = position(BOOM_LAND, twist="Boom")
    table.play("house r11c12", "done")
    assert table.phase == "mandatory"
    assert table.player()["houses"] == ["r11c12"]


@pytest.mark.rule("p. 16, Boom")
def test_boom__away_from_villages__nothing() -> None:
    table = position(BOOM_LAND, twist="Boom")
    assert table.play("house r11c15").phase == "mandatory"


@pytest.mark.rule("p. 16, Boom")
def test_boom__no_hex_or_no_piece_for_it__passed_over() -> None:
    table = position("T  V  T ", twist="Boom")
    assert table.play("house r11c11").phase == "mandatory"
    table = position(BOOM_LAND, twist="Boom", houses_left=1, forts_left=0)
    assert table.play("house r11c12").phase == "after"


@pytest.mark.rule("p. 16, Boom")
def test_boom__ability_build_at_a_village__nothing() -> None:
    table = position(BOOM_LAND, twist="Boom", phase="after", in_play=("Farm",))
    table.play("use Farm I", "house r11c12")
    assert table.phase == "after"


@pytest.mark.rule("p. 16, Boom")
def test_boom__not_in_play__nothing() -> None:
    assert position(BOOM_LAND).play("house r11c12").phase == "mandatory"


# Longer Tunnels

TUNNELS = "Ta U  .  U  T  T  C "


@pytest.mark.rule("p. 16, Longer Tunnels")
def test_longer_tunnels__example_of_the_rulebook__one_hex_more_to_the_castle() -> None:
    table = position(TUNNELS, twist="Longer Tunnels", phase="after")
    table.play("use Tunnel", "lift r11c11", "house r11c15")
    assert table.phase == "follow"
    assert table.legal() == {"house r11c16", "done"}
    assert table.sheet()["Castles"] == 0
    table.play("house r11c16")
    assert table.player()["houses"] == ["r11c16"]
    assert table.sheet()["Castles"] == 3
    assert (table.phase, table.seat, table.uses()) == ("after", 0, set())


@pytest.mark.rule("p. 16, Longer Tunnels")
def test_longer_tunnels__one_hex_more__is_optional_and_needs_a_buildable_free_hex() -> None:
    table = position(TUNNELS, twist="Longer Tunnels", phase="after")
    table.play("use Tunnel", "lift r11c11", "house r11c15", "done")
    assert table.player()["houses"] == ["r11c15"]
    table = position(TUNNELS.replace("T  T  C", "T  Tb C"), twist="Longer Tunnels", phase="after")
    table.play("use Tunnel", "lift r11c11", "house r11c15")
    assert table.phase == "after"  # mountains, tunnel and an opponent all around


@pytest.mark.rule("p. 16, Longer Tunnels")
def test_longer_tunnels__not_in_play__the_move_is_over() -> None:
    table = position(TUNNELS, phase="after")
    table.play("use Tunnel", "lift r11c11", "house r11c15")
    assert table.phase == "after"


@pytest.mark.rule("p. 16, Longer Tunnels")
def test_longer_tunnels__another_card_than_the_tunnel__no_longer_move() -> None:
    table = position("Ta T  T ", twist="Longer Tunnels", phase="after", in_play=("Mule",))
    table.play("use Mule I", "lift r11c11", "house r11c12")
    assert table.phase == "after"


# Archipelago. r15c14 and r15c15 belong to the centre board, r15c16 and the next ones to board 1.


def at_the_seam(drawing: str, twist: str | None, **wish: object) -> Table:
    """A row of hexes across the seam: two on the centre board, the rest on board 1."""
    return position(drawing, at="r15c14", twist=twist, **wish)  # type: ignore[arg-type]


@pytest.mark.rule("p. 16, Archipelago")
def test_archipelago__example_of_the_rulebook__hex_beyond_the_seam_is_not_adjacent() -> None:
    assert at_the_seam("S  Sa S ", None, played="snowscape").hexes() == {"r15c14", "r15c16"}
    assert at_the_seam("S  Sa S ", "Archipelago", played="snowscape").hexes() == {"r15c14"}


@pytest.mark.rule("p. 16, Archipelago")
def test_archipelago__only_hexes_beyond_the_seam__whole_terrain_is_open() -> None:
    drawing = ".  Sa S  .  S  S "
    assert at_the_seam(drawing, None, played="snowscape").hexes() == {"r15c16"}
    assert at_the_seam(drawing, "Archipelago", played="snowscape").hexes() == {"r15c16", "r15c18", "r15c19"}


@pytest.mark.rule("p. 16, Archipelago")
@pytest.mark.parametrize(("twist", "coins"), [(None, 2), ("Archipelago", 0)])
def test_archipelago__line_across_a_seam__is_broken(twist: str | None, coins: int) -> None:
    table = at_the_seam("T  T  T ", twist, economy="Marble", coins=0)
    table.play("house r15c14", "house r15c15", "house r15c16")
    assert table.coins() == coins


@pytest.mark.rule("p. 16, Archipelago")
@pytest.mark.parametrize(("economy", "drawing", "coins"), [
    ("Agriculture", "M  T  V ", (1, 0)),
    ("Arms", "M  T  TA", (1, 0)),
    ("Livestock", "M  T  Tb", (1, 1)),
    ("Hunting", "M  T  Ta", (0, 1)),
])  # fmt: skip
def test_archipelago__coins__neighbours_beyond_the_seam_do_not_count(
    economy: str, drawing: str, coins: tuple[int, int]
) -> None:
    for twist, expected in zip((None, "Archipelago"), coins, strict=True):
        table = at_the_seam(drawing, twist, economy=economy, coins=0)
        assert table.play("house r15c15").coins() == expected


@pytest.mark.rule("p. 16, Archipelago")
def test_archipelago__free_hex_of_the_same_terrain_beyond_the_seam__does_not_hinder_livestock() -> None:
    for twist, coins in ((None, 0), ("Archipelago", 1)):
        table = at_the_seam("M  T  T ", twist, economy="Livestock", coins=0)
        assert table.play("house r15c15").coins() == coins


@pytest.mark.rule("p. 16, Archipelago")
@pytest.mark.parametrize(
    ("card", "drawing", "points"),
    [
        ("Pioneers", "Ga Ga Ga Ga", (0, 2)),
        ("Loners", "G  Ga Ga G ", (0, 4)),
        ("Masses", "Ga Ga Ga Ga Ga GA", (3, 2)),
        ("Followers", "G  Ga Gb G ", (1, 0)),
        ("Climbers", "G  Ga M  G ", (1, 0)),
        ("Bureaucrats", "G  Ga C  G ", (2, 0)),
        ("Socialites", "G  Ga V  G ", (1, 0)),
        ("Nature Lovers", "G  Ga I  G ", (1, 0)),
        ("Spelunkers", "G  Ga U  G ", (3, 0)),
        ("Royalty", "C  Ga Ga C ", (10, 0)),
        ("Merchants", "V  Ga Ga V ", (8, 0)),
        ("Miners", "Ga M  M  Ga", (3, 6)),
    ],
)
def test_archipelago__scoring__neighbours_and_groups_end_at_the_seam(
    card: str, drawing: str, points: tuple[int, int]
) -> None:
    others = tuple(name for name in ("Knights", "Peasants", "Scouts") if name != card)[:2]
    for twist, expected in zip((None, "Archipelago"), points, strict=True):
        table = at_the_seam(drawing, twist, rest="grassland", scoring=(card, *others))
        assert table.sheet()[card] == expected


@pytest.mark.rule("p. 16, Archipelago")
def test_archipelago__castle_beyond_the_seam__is_not_touched() -> None:
    assert at_the_seam("G  Ga C ", None).sheet()["Castles"] == 3
    assert at_the_seam("G  Ga C ", "Archipelago").sheet()["Castles"] == 0


@pytest.mark.rule("p. 16, Archipelago")
@pytest.mark.rule("p. 16, one twist at most")
@pytest.mark.parametrize(
    ("card", "drawing", "house"),
    [
        ("Mule", "M  Ga G  M ", "r15c15"),
        ("Horse", "M  Ga M  G ", "r15c15"),
        ("Sleigh", "M  Ga G  G ", "r15c15"),
        ("Carriage", "M  Ga G  G ", "r15c15"),
        ("Wagon", "Ga Ga G  M ", "r15c14"),
        ("Guide", "M  Ga M  G ", "r15c15"),
        ("Dog sled", "M  Ga I  G ", "r15c15"),
    ],
)
def test_archipelago__moves__do_not_cross_the_seam(card: str, drawing: str, house: str) -> None:
    # Everything else around is mountain or (where mountains are a way) tunnel, village and castle: the only way leads
    # over the seam between r15c15 and r15c16.
    land = {}
    if card == "Guide":
        land = {"r14c15": "tunnel", "r14c16": "village", "r16c14": "village", "r16c15": "castle", "r15c14": "tunnel"}
    wish = {"phase": "after", "in_play": (card,), "land": land}
    free = at_the_seam(drawing, None, **wish)
    assert house in free.play(f"use {card} I").hexes("lift")
    assert f"{card} I" not in at_the_seam(drawing, "Archipelago", **wish).uses()


@pytest.mark.rule("p. 16, Archipelago")
def test_archipelago__rims_of_boards__are_no_outer_edge() -> None:
    table = at_the_seam("Ta T  T ", "Archipelago", economy="Exports", scoring=("Scouts", "Knights", "Loners"), coins=0)
    assert table.play("house r15c15").coins() == 0
    assert table.sheet()["Scouts"] == 0


@pytest.mark.rule("p. 16, Archipelago")
def test_archipelago__tunnel_card__tunnels_of_different_boards_are_joined_as_ever() -> None:
    table = at_the_seam("U  Ga G  U  G ", "Archipelago", phase="after")
    # the house touches the tunnel of the centre board; beyond the seam two hexes touch the tunnel of board 1
    assert table.play("use Tunnel", "lift r15c15").hexes() == {"r15c16", "r15c18"}


# Roads. What each card costs to acquire and to upgrade without a twist.

MOVERS = {
    "Caravan": (1, 3), "Mule": (1, 1), "Toboggan": (1, 1), "Horse": (1, 1), "Guide": (1, 1), "Dog sled": (1, 1),
    "Wagon": (2, 1), "Sleigh": (1, 1), "Carriage": (1, 1),
}  # fmt: skip
BUILDERS = {
    "Pasture": (3, 1), "Sawmill": (3, 1), "Hot springs": (3, 1), "Garden": (3, 1), "Monastery": (3, 1),
    "Hunting Lodge": (3, 1), "Mine": (3, 1), "Port": (3, 1), "Market": (2, 2), "Farm": (2, 2), "Barracks": (2, 2),
    "Tavern": (2, 1), "Outpost": (3, 2), "Tower": (3, 1), "Homestead": (3, 1), "Crossroads": (3, 2),
}  # fmt: skip
COSTS = [(card, costs, 1) for card, costs in MOVERS.items()] + [(card, costs, 0) for card, costs in BUILDERS.items()]


def check_price(action: str, price: int, twist: str | None, **wish: object) -> None:
    """The action is legal with exactly this many coins, and takes them; with one coin less it is illegal."""
    if price > 0:
        poor = position(phase="after", twist=twist, coins=price - 1, **wish)  # type: ignore[arg-type]
        assert action not in poor.legal()
    table = position(phase="after", twist=twist, coins=price, **wish)  # type: ignore[arg-type]
    table.play(action)
    assert table.coins(0) == 0


@pytest.mark.rule("p. 16, Roads")
@pytest.mark.parametrize(("card", "costs", "discount"), COSTS, ids=[row[0] for row in COSTS])
def test_roads__cards_that_move_first__cost_one_less(card: str, costs: tuple[int, int], discount: int) -> None:
    check_price(f"acquire {card}", costs[0] - discount, "Roads", hand=(card,))
    check_price(f"upgrade {card}", costs[1] - discount, "Roads", in_play=(card,))


@pytest.mark.rule("p. 16, Roads")
@pytest.mark.parametrize("card", sorted(MOVERS))
def test_roads__not_in_play__full_price(card: str) -> None:
    check_price(f"acquire {card}", MOVERS[card][0], None, hand=(card,))
    check_price(f"upgrade {card}", MOVERS[card][1], None, in_play=(card,))


@pytest.mark.rule("p. 16, Roads")
def test_roads__example_of_the_rulebook__dog_sled_for_nothing_then_caravan_for_two() -> None:
    land = {"r11c11": "tundra", "r11c12": "tundra", "r13c13": "tundra"}
    table = position(
        land=land, twist="Roads", phase="after", hand=("Dog sled",), in_play=("Caravan",), coins=2,
        next_cards=("tundra",) * 4,
    )  # fmt: skip
    table.play("acquire Dog sled")
    assert (table.seat, table.coins(0)) == (1, 2)
    while table.seat == 1:
        table.play("done" if "done" in table.legal() else min(table.legal()))
    while table.phase != "after":
        table.play("done" if "done" in table.legal() else min(table.legal()))
    table.play("upgrade Caravan")
    assert table.coins(0) == 0
    cards = {card["card"]: card["upgraded"] for card in table.player(0)["in_play"]}
    assert cards == {"Caravan": True, "Dog sled": False}


@pytest.mark.rule("p. 16, Roads")
def test_roads__three_uses__cost_five_as_ever() -> None:
    for coins, legal in ((4, False), (5, True)):
        table = position(phase="after", twist="Roads", in_play=("Mule",), coins=coins)
        assert ("triple Mule" in table.legal()) == legal
