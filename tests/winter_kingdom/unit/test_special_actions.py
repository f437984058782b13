"""Special actions (p. 4-6, 8): when a card may be used, how its halves are linked, forts, moved houses, triple use."""

from __future__ import annotations

import pytest

from tests.winter_kingdom.position import Table, position

# A land in which every half of every card can be carried out: own run of three r12c12 to r12c14 with a fort at r13c12,
# one group that touches mountain, ice, castle, village and tunnel; an opponent's run r15c11 to r15c13; tundra around.
RICH = """
    G  W  F  C  S  L
      M  Ta Ta Ta .  .
        I  TA V  U  .  .
          .  .  .  .  .  .
            Tb Tb Tb .  U  .
              .  .  .  Ta .  .
                G  W  F  L  S  I  M
                  G  W  F  L  S  I  M
"""
THEN_CARDS = [
    "Pasture", "Sawmill", "Hot springs", "Garden", "Monastery", "Hunting Lodge",
    "Tower", "Homestead", "Caravan", "Mule", "Carriage",
]  # fmt: skip
OR_CARDS = [
    "Mine", "Port", "Market", "Farm", "Barracks", "Tavern", "Outpost",
    "Toboggan", "Horse", "Dog sled", "Wagon", "Sleigh",
]  # fmt: skip
AND_CARDS = ["Crossroads", "Guide"]


def rich(*in_play: str, phase: str = "after", coins: int = 0, hand: tuple[str, ...] = ()) -> Table:
    return position(RICH, rest="tundra", phase=phase, in_play=in_play, coins=coins, hand=hand)


def finish(table: Table) -> Table:
    """Carry a chosen half out to its end with the first legal action each time ("done" comes first)."""
    while table.phase in ("build", "lift", "move", "follow"):
        table.play(min(table.legal()))
    return table


def end_turn(table: Table) -> Table:
    """The seat to move does what it must and nothing else."""
    seat = table.seat
    while table.seat == seat:
        must = sorted(label for label in table.legal() if label.startswith("house "))
        table.play(must[0] if must and table.phase in ("before", "mandatory") else "done")
    return table


# When


@pytest.mark.rule("p. 4, special actions")
def test_special_action__around_the_mandatory_action__before_and_after_but_never_between() -> None:
    table = rich("Pasture", "Mule+", phase="before")
    assert table.uses() == {"Pasture I", "Mule I", "Tunnel"}
    for _ in range(2):
        table.play(min(label for label in table.legal() if label.startswith("house ")))
        assert table.phase == "mandatory"
        assert {label.split()[0] for label in table.legal()} == {"house", "fort"}
    table.play(min(label for label in table.legal() if label.startswith("house ")))
    assert table.phase == "after"
    assert table.uses() == {"Pasture I", "Mule I", "Tunnel"}


@pytest.mark.rule("p. 4, special actions")
def test_special_action__used_before_the_mandatory_action__not_again_after_it_but_next_turn() -> None:
    table = rich("Pasture", "Mule", phase="before")
    finish(table.play("use Pasture I"))
    assert table.phase == "before"
    assert table.uses() == {"Mule I", "Tunnel"}
    while table.phase != "after":
        table.play(min(label for label in table.legal() if label.startswith("house ")))
    assert table.uses() == {"Mule I", "Tunnel"}
    finish(table.play("use Tunnel"))
    assert table.uses() == {"Mule I"}
    finish(table.play("use Mule I"))
    assert table.uses() == set()
    end_turn(end_turn(table))
    assert table.seat == 0
    assert table.uses() >= {"Pasture I", "Mule I"}


@pytest.mark.rule("p. 4, special actions")
def test_special_action__optional__the_turn_may_end_without_it_but_not_without_the_mandatory_action() -> None:
    table = rich("Pasture", phase="before")
    assert "done" not in table.legal()
    end_turn(table)
    assert table.seat == 1
    assert len(table.player()["houses"]) == 4 + 3


@pytest.mark.rule("p. 4, special actions")
def test_special_action__cards_in_hand_or_of_the_opponent__cannot_be_used() -> None:
    table = rich("Mule", hand=("Pasture", "Horse"))
    assert table.uses() == {"Mule I", "Tunnel"}
    assert end_turn(table).seat == 1
    assert table.uses() <= {"Tunnel"}


@pytest.mark.rule("p. 4, special actions")
def test_special_action__supply_empty__nothing_to_build_but_houses_still_move() -> None:
    cards = ("Pasture", "Mule")
    table = position(RICH, rest="tundra", phase="after", in_play=cards, houses_left=0, forts_left=0)
    assert table.uses() == {"Mule I", "Tunnel"}


@pytest.mark.rule("p. 4, special actions")
def test_special_action__build_before_the_mandatory_action__counts_as_own_neighbour_for_it() -> None:
    # no tundra touches the house; after the house of the Pasture r11c13 does
    table = position("Sa G  T  .  T", in_play=("Pasture",))
    assert table.hexes() == {"r11c13", "r11c15"}
    table.play("use Pasture I", "house r11c12")
    assert table.hexes() == {"r11c13"}


@pytest.mark.rule("p. 4, special actions")
def test_bought_card__acquired_this_turn__usable_from_the_next_turn_on() -> None:
    table = rich("Mule", coins=3, hand=("Pasture",))
    table.play("acquire Pasture")
    assert table.seat == 1  # the purchase ends the turn
    end_turn(table)
    assert table.seat == 0
    assert {"Pasture I", "Mule I"} <= table.uses()


@pytest.mark.rule("p. 4, upgraded card")
def test_upgraded_card__upgraded_this_turn__second_half_from_the_next_turn_on() -> None:
    table = rich("Sleigh", coins=1)
    assert {"Sleigh I"} == table.uses() - {"Tunnel"}
    table.play("upgrade Sleigh")
    assert table.seat == 1
    end_turn(table)
    assert {"Sleigh I", "Sleigh II"} == table.uses() - {"Tunnel"}


# How the halves are linked


@pytest.mark.rule("p. 4, upgraded card")
@pytest.mark.parametrize("card", THEN_CARDS + OR_CARDS + AND_CARDS)
def test_card_not_upgraded__any_card__offers_the_first_half_only_and_once(card: str) -> None:
    table = rich(card)
    assert table.uses() == {f"{card} I", "Tunnel"}
    table.play(f"use {card} I")
    while table.phase in ("build", "lift", "move"):
        table.play(min(table.legal()))
    assert table.phase == "after"  # nothing follows
    assert table.uses() <= {"Tunnel"}
    assert table.player()["in_play"] == [{"card": card, "upgraded": False, "used": True, "used_halves": ["I"]}]


@pytest.mark.rule("p. 4, upgraded card")
@pytest.mark.parametrize("card", OR_CARDS)
@pytest.mark.parametrize("half", ["I", "II"])
def test_upgraded_or_card__one_half_used__the_other_is_spent_too(card: str, half: str) -> None:
    table = rich(f"{card}+")
    assert table.uses() == {f"{card} I", f"{card} II", "Tunnel"}
    finish(table.play(f"use {card} {half}"))
    assert table.phase == "after"
    assert table.uses() <= {"Tunnel"}
    assert table.player()["in_play"][0]["used"]


@pytest.mark.rule("p. 4, upgraded card")
@pytest.mark.parametrize("card", THEN_CARDS)
def test_upgraded_arrow_card__second_half__only_right_after_the_first_and_optional(card: str) -> None:
    table = rich(f"{card}+")
    assert table.uses() == {f"{card} I", "Tunnel"}
    table.play(f"use {card} I")
    while table.phase != "follow":
        table.play(min(label for label in table.legal() if not label.startswith("fort ")))
    assert "done" in table.legal()
    assert len(table.legal()) > 1
    table.play("done")
    assert table.phase == "after"
    assert table.uses() <= {"Tunnel"}
    assert table.player()["in_play"][0]["used"]


@pytest.mark.rule("p. 4, upgraded card")
@pytest.mark.parametrize(("first", "second"), [("I", "II"), ("II", "I")])
def test_upgraded_orange_card__guide__each_half_once_in_any_order(first: str, second: str) -> None:
    drawing = """
        Ga M  G  .  .
          .  .  .  .  .
            .  .  .  .  .
              Sa .  .  U  .
    """
    table = position(drawing, rest="tundra", phase="after", in_play=("Guide+",))
    assert table.uses() == {"Guide I", "Guide II"}
    house = {"I": ("lift r11c11", "house r11c13"), "II": ("lift r14c11", "house r14c15")}
    table.play(f"use Guide {first}", *house[first])
    assert table.uses() == {f"Guide {second}"}
    table.play(f"use Guide {second}", *house[second])
    assert table.uses() == set()


@pytest.mark.rule("p. 4, upgraded card")
def test_upgraded_orange_card__crossroads__first_half_in_addition_to_the_second_and_never_a_use_of_it() -> None:
    table = position("Ta F  F  F  F  F", played="tundra", in_play=("Crossroads+",))
    assert table.uses() == {"Crossroads I"}
    table.play("house r11c12", "house r11c13", "house r11c14")
    assert table.uses() == {"Crossroads I"}
    table.play("use Crossroads I", "house r11c15")
    assert table.uses() == set()


# Forts


@pytest.mark.rule("p. 4, forts")
@pytest.mark.parametrize("card", [card for card in THEN_CARDS if card not in ("Caravan", "Mule", "Carriage")])
def test_fort__built_by_the_first_half__cannot_take_the_move_that_follows(card: str) -> None:
    built = rich(f"{card}+").play(f"use {card} I")
    place = min(built.hexes("fort"))
    assert built.play(f"fort {place}").phase == "after"
    assert place in built.player()["forts"]
    assert rich(f"{card}+").play(f"use {card} I", f"house {place}").phase == "follow"


# A house and a fort both touch the mountain r12c14 and the ice r14c13; the Tunnel card gets a tunnel at r12c14.
BOTH_TOUCH = {"r12c14": "mountain", "r14c13": "ice", "r18c17": "tunnel"}


@pytest.mark.rule("p. 4, forts")
@pytest.mark.parametrize(
    "use",
    [
        "Caravan I", "Mule I", "Toboggan I", "Toboggan II", "Horse I", "Horse II", "Guide I", "Guide II", "Dog sled I",
        "Dog sled II", "Wagon I", "Wagon II", "Sleigh I", "Sleigh II", "Carriage I", "Tunnel",
    ],
)  # fmt: skip
def test_fort__next_to_a_house_that_may_move__is_never_lifted(use: str) -> None:
    land = {**BOTH_TOUCH, "r12c14": "tunnel"} if use == "Tunnel" else BOTH_TOUCH
    cards = () if use == "Tunnel" else (f"{use.removesuffix(' II').removesuffix(' I')}+",)
    places = {"r13c13": "A", "r13c14": "a", "r13c15": "b"}
    table = position(rest="tundra", land=land, pieces=places, phase="after", in_play=cards)
    assert table.play(f"use {use}").legal() == {"lift r13c14"}
    places["r13c14"] = "A"
    assert use not in position(rest="tundra", land=land, pieces=places, phase="after", in_play=cards).uses()


@pytest.mark.rule("p. 4, forts")
def test_fort__every_build__may_be_a_fort_as_long_as_the_supply_has_one() -> None:
    table = position("Ta T  T  T  G  G", in_play=("Pasture",), forts_left=1)
    assert table.hexes("fort") == table.hexes("house") == {"r11c12"}
    table.play("fort r11c12")
    assert table.player()["forts"] == ["r11c12"]
    assert table.player()["forts_left"] == 0
    assert table.hexes("fort") == set()
    table.play("house r11c13", "house r11c14", "use Pasture I")
    assert table.legal() == {"house r11c15"}
    assert position("Ta T  T", houses_left=0).legal() == {"fort r11c12"}


# The moved house


@pytest.mark.rule("p. 6, moved house")
def test_moved_house__leaves_its_group__needs_no_own_neighbour() -> None:
    # building on tundra must touch an own piece, moving need not
    drawing = "Ta Ta T  T  T"
    assert position(drawing).hexes() == {"r11c13"}
    table = position(drawing, phase="after", in_play=("Horse",)).play("use Horse I", "lift r11c12")
    assert table.hexes() == {"r11c14"}


@pytest.mark.rule("p. 6, moved house")
@pytest.mark.parametrize(
    ("word", "legal"),
    [
        ("L", True), ("T", True), ("F", True), ("G", True), ("S", True), ("W", True), ("I", True),
        ("M", False), ("U", False), ("V", False), ("C", False), ("Tb", False), ("TB", False), ("TA", False),
    ],
)  # fmt: skip
def test_moved_house__every_kind_of_hex__only_free_ones_of_the_seven_buildable_terrains(word: str, legal: bool) -> None:
    table = position(f"T  Ta {word}", phase="after", in_play=("Mule",)).play("use Mule I", "lift r11c12")
    assert table.hexes() == ({"r11c11", "r11c13"} if legal else {"r11c11"})


@pytest.mark.rule("p. 6, moved house")
@pytest.mark.parametrize(
    ("use", "drawing", "legal"),
    [
        ("Wagon I", "T  Ta Ta T", {"r11c14"}),  # r11c12 touches the rest of the group, but the house stands there
        ("Dog sled II", "G  Ia I  I", {"r11c13", "r11c14"}),
        ("Dog sled I", "G  Ta I  T", {"r11c14"}),
        ("Guide I", "W  Ta M  T", {"r11c11", "r11c14"}),
        ("Carriage I", "G  Ta T  T", {"r11c13", "r11c14"}),
        ("Tunnel", "W  Ta U  .", {"r13c13"}),
    ],
)
def test_moved_house__own_hex_would_qualify__a_move_changes_the_hex(use: str, drawing: str, legal: set[str]) -> None:
    cards = () if use == "Tunnel" else (f"{use.removesuffix(' II').removesuffix(' I')}+",)
    tunnels = {"r12c12": "tunnel", "r13c13": "tundra", "r14c12": "tunnel"} if use == "Tunnel" else {}
    table = position(drawing, phase="after", in_play=cards, land=tunnels)
    assert table.play(f"use {use}", "lift r11c12").hexes() == legal


@pytest.mark.rule("p. 6, moved house")
def test_moved_house__supply_is_not_touched_and_the_old_hex_is_free() -> None:
    table = position("Ta T  T", phase="after", in_play=("Mule",), houses_left=0, forts_left=2)
    table.play("use Mule I", "lift r11c11", "house r11c12")
    player = table.player()
    assert (player["houses"], player["houses_left"], player["forts_left"]) == (["r11c12"], 0, 2)


# The tunnel card

TWO_TUNNELS = "Ga U  T  .  T  U  S"


@pytest.mark.rule("p. 4, tunnel card")
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_tunnel_card__first_turn_of_any_seat__usable_once_before_or_after(seat: int) -> None:
    drawing = TWO_TUNNELS.replace("a", "abcd"[seat])
    for phase in ("before", "after"):
        table = position(drawing, players=4, seat=seat, phase=phase)
        assert table.uses() == {"Tunnel"}
        table.play("use Tunnel", "lift r11c11", "house r11c17")
        assert table.phase == phase
        assert table.uses() == set()
        assert table.player(seat)["tunnel_used"]


@pytest.mark.rule("p. 4, tunnel card")
def test_tunnel_card__many_coins__cannot_be_bought_or_upgraded_only_tripled() -> None:
    legal = position(TWO_TUNNELS, phase="after", hand=("Mine",), in_play=("Mule",), coins=20).legal()
    purchases = {label for label in legal if label.split()[0] in ("acquire", "upgrade", "triple")}
    assert purchases == {"acquire Mine", "upgrade Mule", "triple Mule", "triple Tunnel"}


# Triple


@pytest.mark.rule("p. 5, triple")
def test_triple__five_coins_or_four__any_card_in_play_and_the_tunnel_card_or_nothing() -> None:
    table = rich("Mule", "Sleigh+", coins=5, hand=("Mine",))
    assert {label for label in table.legal() if label.startswith("triple")} == {
        "triple Mule", "triple Sleigh", "triple Tunnel",
    }  # fmt: skip
    assert table.play("triple Mule").coins() == 0
    poor = rich("Mule", "Sleigh+", coins=4, hand=("Mine",))
    assert not any(label.startswith("triple") for label in poor.legal())
    early = rich("Mule", coins=5, hand=("Mine",), phase="before")
    assert not any(label.startswith("triple") for label in early.legal())


@pytest.mark.rule("p. 5, triple")
def test_triple__upgraded_card_used_already__three_uses_with_the_half_chosen_anew_each_time() -> None:
    table = position("Ta T  T  T  T  T", phase="after", in_play=("Toboggan+",), coins=6)
    table.play("use Toboggan I", "lift r11c11", "house r11c12")
    assert table.uses() == set()
    table.play("triple Toboggan")
    assert table.coins() == 1
    assert table.legal() == {"use Toboggan I", "use Toboggan II", "done"}
    table.play("use Toboggan I", "lift r11c12", "house r11c13")
    assert table.legal() == {"use Toboggan I", "use Toboggan II", "done"}
    table.play("use Toboggan II", "lift r11c13", "house r11c15")
    assert table.legal() == {"use Toboggan I", "use Toboggan II", "done"}
    table.play("use Toboggan I", "lift r11c15", "house r11c16")
    assert table.seat == 1  # three uses, and the purchase ends the turn
    assert table.player()["houses"] == ["r11c16"]


@pytest.mark.rule("p. 5, triple")
def test_triple__card_not_used_and_not_upgraded__three_uses_besides_the_one_of_the_turn() -> None:
    table = position("Ga G  G  G  G  G  G", phase="after", in_play=("Pasture",), coins=5)
    table.play("use Pasture I", "house r11c12", "triple Pasture")
    for place in ("r11c13", "r11c14", "r11c15"):
        assert table.legal() == {"use Pasture I", "done"}
        table.play("use Pasture I", f"house {place}")
    assert table.seat == 1
    assert table.player()["houses"] == ["r11c11", "r11c12", "r11c13", "r11c14", "r11c15"]


@pytest.mark.rule("p. 5, triple")
@pytest.mark.parametrize("used", [0, 1, 2])
def test_triple__done__gives_up_the_remaining_uses(used: int) -> None:
    table = position("Ga G  G  G  G  G", phase="after", in_play=("Pasture",), coins=5).play("triple Pasture")
    for place in ("r11c12", "r11c13")[:used]:
        table.play("use Pasture I", f"house {place}")
    table.play("done")
    assert table.seat == 1
    assert len(table.player()["houses"]) == 1 + used
    assert table.coins() == 0


@pytest.mark.rule("p. 5, triple")
def test_triple__arrow_card__the_second_half_may_follow_each_use() -> None:
    table = position("Ga G  G  S  G  G  .", phase="after", in_play=("Pasture+",), coins=5).play("triple Pasture")
    table.play("use Pasture I", "house r11c12")
    assert table.legal() == {"house r11c13", "done"}
    table.play("house r11c13")
    assert table.phase == "triple"
    table.play("use Pasture I", "house r11c12", "use Pasture I")
    assert table.hexes() == {"r11c15", "r11c16"}
    table.play("house r11c15", "done")
    assert table.seat == 1
    assert table.player()["houses"] == ["r11c11", "r11c12", "r11c13", "r11c15"]


@pytest.mark.rule("p. 5, triple")
def test_triple__orange_card__one_half_per_use() -> None:
    drawing = """
        Ga M  G  .  .
          .  .  .  .  .
            .  .  .  .  .
              Sa .  .  U  .
    """
    table = position(drawing, rest="tundra", phase="after", in_play=("Guide+",), coins=5).play("triple Guide")
    table.play("use Guide I", "lift r11c11", "house r11c13")
    assert table.legal() == {"use Guide I", "use Guide II", "done"}
    table.play("use Guide II", "lift r14c11", "house r14c15")
    assert table.legal() == {"use Guide I", "use Guide II", "done"}
    table.play("use Guide I", "lift r11c13", "house r11c11")
    assert table.seat == 1


@pytest.mark.rule("p. 5, triple")
@pytest.mark.rule("p. 4, tunnel card")
def test_triple__tunnel_card_used_already__three_more_moves() -> None:
    table = position(TWO_TUNNELS, phase="after", coins=5)
    table.play("use Tunnel", "lift r11c11", "house r11c17", "triple Tunnel")
    assert table.legal() == {"use Tunnel", "done"}
    table.play("use Tunnel", "lift r11c17", "house r11c11")
    table.play("use Tunnel", "lift r11c11", "house r11c15")
    table.play("use Tunnel", "lift r11c15", "house r11c13")
    assert table.seat == 1
    assert table.player()["houses"] == ["r11c13"]


@pytest.mark.rule("p. 5, triple")
def test_triple__builds__earn_coins_that_cannot_be_spent_this_turn() -> None:
    drawing = """
        Ga G  G  G  G
          V  V  .  .  .
    """
    table = position(drawing, phase="after", in_play=("Pasture",), hand=("Mule",), economy="Agriculture", coins=5)
    table.play("triple Pasture", "use Pasture I", "house r11c12")
    assert table.coins() == 1
    assert table.legal() == {"use Pasture I", "done"}
    assert table.play("done").seat == 1
