"""Why an action is illegal: the answer names the rule that is broken, and is true."""

# The name of a test is its sentence.
from __future__ import annotations

from typing import Any

import pytest

from tests.kingdom_builder.kernel_table import KernelMake, KernelTable
from tests.kingdom_builder.position import read_position
from tests.kingdom_builder.script import labels_of
from winterkingdom_env.games.kingdom_builder.actions import labels, numbers
from winterkingdom_env.games.kingdom_builder.explain import asked, explain
from winterkingdom_env.games.kingdom_builder.facts import FACTS, facts


def table_of(text: str, *actions: str) -> KernelTable:
    """A position after some actions."""
    table = KernelMake().position(read_position(text))
    for action in actions:
        for label in labels_of(action) or [action]:
            table.apply(label)
    return table


def legal_of(table: KernelTable) -> list[str]:
    """The labels of the legal actions, in the order of the actions."""
    names = labels(int(table.game["phase"]))
    return [names[action] for action in table.legal_actions()]


def why(table: KernelTable, label: str) -> str:
    """The explanation of an action."""
    return explain(numbers(int(table.game["phase"]))[label], table.snapshot(), legal_of(table))


def check(text: str, actions: tuple[str, ...], wanted: dict[str, str]) -> None:
    """The explanations of several actions in a position."""
    table = table_of(text, *actions)
    assert {label: why(table, label) for label in wanted} == wanted


# Hexes


@pytest.mark.rule("Kingdom Builder, R 4, building rules")
def test_explain__mandatory_piece__names_terrain_neighbours_and_what_stands_there() -> None:
    check(
        "(3) NB; card forest; own r06c11; other r05c11; walls r04c10; third r06c10",
        (),
        {
            "house r00c00": "r00c00 is grass; your card is forest",
            "house r03c13": "r03c13 is a nomad hex; your card is forest",
            "house r06c11": "your settlement stands on r06c11",
            "house r05c11": "a settlement of seat 1 (b) stands on r05c11",
            "house r06c10": "a settlement of seat 2 (c) stands on r06c10",
            "house r04c10": "a wall stands on r04c10",
            "house i0c00": "the board has no hex i0c00",
            "lift r06c11": "no piece is lifted now; asked for now: the first mandatory piece on forest",
            "done": "a mandatory piece can be built, so it must be",
        },
    )


@pytest.mark.rule("Kingdom Builder, R 4, build next to own pieces")
def test_explain__right_terrain_far_away__counts_the_hexes_that_are_near() -> None:
    table = table_of("FG; card forest; own r08c07 r08c08 r09c07")
    assert why(table, "house r00c14") == "r00c14 is desert; your card is forest"
    assert why(table, "house r17c12") == "r17c12 is not next to your pieces, and 2 free forest hexes are"
    table.apply("house r08c06")
    assert why(table, "done") == "the mandatory action must be finished: 2 pieces left"
    assert why(table, "use farm") == (
        "special actions come before the first or after the last mandatory piece; asked for now: the next mandatory piece on forest"
    )


@pytest.mark.rule("Kingdom Builder, R 17, swamp cards")
def test_explain__card_with_swamp__names_both_terrains_until_one_binds() -> None:
    table = table_of("MB; card swamp/desert; own r03c01")
    assert why(table, "house r00c00") == "r00c00 is grass; your card is swamp/desert"
    assert (
        why(table, "token")
        == "tokens are taken by the cathedral; asked for now: the first mandatory piece on desert or swamp"
    )
    table.apply("house r02c01")
    assert why(table, "house r04c01") == "r04c01 is desert; your terrain in this turn is swamp"
    assert why(table, "done") == "the mandatory action must be finished: 1 piece left"


@pytest.mark.rule("Kingdom Builder, R 14, warriors")
def test_explain__hex_next_to_a_warrior__is_blocked() -> None:
    check(
        "CB; card desert; own r08c11; warriors1 r09c12",
        (),
        {
            "house r08c12": "a warrior of seat 1 (b) blocks r08c12",
            "house r09c12": "a warrior of seat 1 (b) stands on r09c12",
        },
    )
    check("CB; card desert; warriors0 r09c12", (), {"house r08c12": "your warrior blocks r08c12"})


@pytest.mark.rule("Kingdom Builder, R 6, paddock")
def test_explain__move__says_why_a_piece_stays_and_where_it_cannot_go() -> None:
    text = "FG; card grass; own r07c14 r07c13; other r08c15; tiles0 paddock"
    check(
        text,
        ("use paddock",),
        {
            "lift r00c00": "there is no piece on r00c00",
            "lift r08c15": "a settlement of seat 1 (b) stands on r08c15; choose a piece of your own",
            "house r07c12": "nothing is put on a hex now; asked for now: the piece that the paddock moves",
            "done": "the paddock is in use, and its first step cannot be left out",
            "use farm": "the paddock is in use, and no special action begins inside another; asked for now: the piece that the paddock moves",
        },
    )
    check(
        text,
        ("use paddock", "lift r07c14"),
        {
            "house r07c14": "the settlement was lifted from r07c14 and must go elsewhere",
            "house r05c13": "r05c13 is water, and the paddock needs land",
            "house r00c10": "the paddock says: move a piece two hexes straight; r00c10 is not such a hex for the settlement of r07c14",
            "house r07c13": "your settlement stands on r07c13",
            "lift r07c13": "no piece is lifted now; asked for now: a hex for the lifted piece",
            "done": "the settlement lifted from r07c14 must be set down",
        },
    )


@pytest.mark.rule("Kingdom Builder, R 6, barn")
def test_explain__only_the_left_hex_binds__is_named() -> None:
    table = table_of("FG; card grass, desert; own r09c12 r09c11; tiles0 barn", "use barn", "lift r09c11")
    assert why(table, "house r07c07") == "r07c07 is not next to your pieces, and r09c11, which the piece left, is"
    assert why(table, "house r09c11") == "the settlement was lifted from r09c11 and must go elsewhere"
    assert why(table, "house r00c05") == ""


@pytest.mark.rule("Kingdom Builder, R 13, city hall")
def test_explain__city_hall__names_the_hex_in_its_way() -> None:
    table = table_of("CB; card grass; own r12c11; other r13c12; tiles0 city hall", "use city hall")
    assert why(table, "hall r00c00") == "the city hall covers seven hexes, and r00c00 has fewer than six neighbours"
    assert why(table, "hall r13c12").startswith("the city hall covers seven free land hexes, and ")
    assert why(table, "hall r14c12") == (
        "the city hall covers seven free land hexes, and a settlement of seat 1 (b) stands on r13c12"
    )
    assert why(table, "lift r12c11") == "no piece is lifted now; asked for now: the centre of the city hall"
    check("CB; card grass; hall0 r14c12; tiles0 city hall", (), {"use city hall": "your city hall stands already"})
    moved = "CB; card grass; own r00c00; hall0 r14c12; tiles0 refuge"
    check(moved, ("use refuge",), {"lift r14c12": "your city hall stands on r14c12, and it never moves"})


@pytest.mark.rule("Kingdom Builder, R 14, units")
def test_explain__units__step_to_neighbours_and_go_back_at_once() -> None:
    table = table_of("CB; card grass; own r06c05; ship0 r05c05; tiles0 lighthouse", "use lighthouse")
    assert asked(table.snapshot(), legal_of(table)) == "a hex for the ship, or the ship to take back"
    assert why(table, "back r06c05") == "your settlement stands on r06c05, and the lighthouse takes back a ship"
    assert why(table, "unit r06c06").endswith(", and the ship needs water")
    far = next(label for label in labels(int(table.game["phase"])) if why(table, label).endswith("your ship on r05c05"))
    assert far.startswith("unit ")
    table.apply("unit r05c04")
    assert why(table, "back r05c04") == "the ship has taken a step and cannot be taken back now"


# Tiles


@pytest.mark.rule("Kingdom Builder, R 3, tiles")
def test_explain__tile__is_missing_fresh_used_or_useless() -> None:
    check(
        "FG; card canyon; own r00c05; nomads0 sword fresh; supply0 3; "
        "tiles0 oracle fresh, farm used, tavern, paddock fresh, paddock used, oasis fresh, oasis fresh, refuge, tower used, tower used",
        (),
        {
            "use harbor": "you hold no harbor tile",
            "use oracle": "your oracle tile is fresh: it can be used from your next turn on",
            "use oasis": "your oasis tiles are fresh: they can be used from your next turn on",
            "use sword": "your sword tile is fresh: it can be used in your next turn",
            "use farm": "your farm tile is used up in this turn",
            "use tower": "your tower tiles are used up in this turn",
            "use paddock": "none of your paddock tiles is ready: 1 used up in this turn, 1 fresh",
            "use tavern": "there is no free hex for the tavern: build at an end of a straight run of 3 own pieces",
            "use refuge bonus": "the refuge bonus needs two refuge tiles, and you hold 1",
            "use farmland": "the board has no farmland",
            "use cave": "the board has no cave",
            "use bazaar farm": "you hold no bazaar tile",
            "outpost": "you hold no outpost tile",
        },
    )
    check(
        "FG; card grass; tiles0 paddock",
        (),
        {"use paddock": "no piece of yours can be moved by the paddock: move a piece two hexes straight"},
    )
    check(
        "FG; card grass; own r07c07; tiles0 farm; supply0 0", (), {"use farm": "you have no settlement left to build"}
    )


@pytest.mark.rule("Kingdom Builder, R 22, water mill; R 24, island")
def test_explain__rim_of_the_island__touches_water() -> None:
    table = table_of("MB; island rope bridge; card grass; own r03c06; tiles0 water mill", "use water mill")
    assert why(table, "house i0c03") == "i0c03 is not next to your pieces, and 2 hexes for the water mill are"
    assert why(table, "house i2c03") == "i2c03 touches no water"
    assert why(table, "house i0c00") == "the board has no hex i0c00"


@pytest.mark.rule("Kingdom Builder, R 11, quarry; R 18, fountain")
def test_explain__walls_and_fountain__look_at_the_pieces_around() -> None:
    text = "NB; card desert; own r01c04 r02c05 r02c06 r02c07 r03c06; other r04c07; tiles0 quarry, fountain"
    check(
        text,
        ("use quarry",),
        {"wall r02c05": "your settlement stands on r02c05", "wall r00c00": "r00c00 is grass; your card is desert"},
    )
    check("NB; card desert; walls_left 0; own r03c06; tiles0 quarry", (), {"use quarry": "no wall is left"})
    near = "MB; card grass; own r04c00 r04c01; other r03c00 r03c01; tiles0 fountain"
    check(
        near, ("use fountain",), {"house r02c01": "r02c01 touches a piece of another seat, which the fountain forbids"}
    )


@pytest.mark.rule("Kingdom Builder, R 21, bazaar")
def test_explain__bazaar__repeats_what_was_used() -> None:
    table = table_of("FG; card canyon; own r07c07; tiles0 farm, bazaar, refuge")
    assert (
        why(table, "use bazaar farm") == "the bazaar repeats what you used in this turn, and you have not used the farm"
    )
    assert why(table, "use bazaar crossroads") == "you hold no crossroads tile"
    table.apply("use farm")
    assert why(table, "house r00c14") == "r00c14 is desert, and the farm needs grass"


@pytest.mark.rule("Kingdom Builder, R 9, outpost")
def test_explain__outpost__frees_only_what_must_be_near() -> None:
    text = "FG; card forest; own r08c07 r08c08 r09c07; nomads0 outpost; tiles0 tavern, farm"
    table = table_of(text, "outpost")
    assert why(table, "outpost") == "an outpost is declared already"
    table.apply("house r17c12")
    assert why(table, "outpost") == "your outpost tile is used up in this turn"
    run = "FG; card grass; own r07c07 r07c08 r07c09; nomads0 outpost; tiles0 tavern"
    assert why(table_of(run, "use tavern"), "outpost") == (
        "an outpost frees a settlement from going next to your pieces, and the tavern does not ask for that"
    )
    assert why(table_of("FG; card grass; nomads0 outpost"), "outpost") == "an outpost would open no further hex"


@pytest.mark.rule("Kingdom Builder, R 22, cathedral")
def test_explain__cathedral__takes_a_token_or_builds() -> None:
    table = table_of("MB; card grass; own r04c15; tiles0 cathedral", "use cathedral")
    assert asked(table.snapshot(), legal_of(table)) == "a token"
    assert why(table, "house r03c14") == "you have no token to build with"
    table = table_of("MB; card grass; own r04c15; tiles0 cathedral; tokens0 3", "use cathedral", "house r03c14")
    assert why(table, "token") == "a token is taken instead of building, and you have built"
    assert why(table, "house r00c00").startswith("r00c00 is not next to your pieces, and ")


@pytest.mark.rule("Kingdom Builder, R 22, scout cabin")
def test_explain__scouts__bind_like_pieces_but_send_no_scouts() -> None:
    table = table_of("MB; card grass; own r04c15; tiles0 scout cabin", "use scout cabin", "scout r04c16")
    assert why(table, "scout r04c17") == "r04c17 is not next to your pieces"
    assert why(table, "scout r06c12") == "r06c12 is a silo, and a scout goes on land, water or a mountain"
    table.apply("done")
    assert why(table, "house r00c00") == "r00c00 is not next to your pieces or the scouts, and 4 free grass hexes are"


@pytest.mark.rule("Kingdom Builder, R 9, sword; R 18, temple")
def test_explain__sword_and_temple__choose_among_the_right_pieces() -> None:
    text = "CB; card grass; own r12c11; other r10c05; hall1 r14c12; nomads0 sword; tiles0 temple; wagon0 r12c13"
    check(
        text,
        ("use sword",),
        {
            "remove r12c11": "your settlement stands on r12c11, and the sword removes a piece of another seat",
            "remove r14c12": "the city hall of seat 1 (b) stands on r14c12, and the sword does not remove it",
        },
    )
    check(text, ("use temple",), {"lift r12c13": "your wagon stands on r12c13, and the temple takes up a settlement"})


@pytest.mark.rule("Kingdom Builder, R 21, silo")
def test_explain__silo__builds_or_moves() -> None:
    table = table_of("MB; card grass; own r05c13 r06c13 r09c09; turn 1; phase after; end; hand1 grass", "done")
    assert asked(table.snapshot(), legal_of(table)) == (
        "a hex on which the silo builds, the piece that the silo moves, or done"
    )
    assert why(table, "use farm").startswith("no special action follows the last turn; asked for now: ")
    assert why(table, "house r00c00") == "r00c00 is not next to your pieces"
    table.apply("house r04c13")
    assert why(table, "lift r05c13") == "this silo action builds, and does not move pieces"
    table.apply("done")
    assert why(table, "done") == "the game is over"


@pytest.mark.rule("Kingdom Builder, explanations")
def test_explain__legal_action__has_nothing_against_it() -> None:
    assert why(table_of("FG; card grass"), "house r07c07") == ""


# Facts


@pytest.mark.rule("Kingdom Builder, facts of a game")
def test_facts__name_cards_quadrants_and_sets() -> None:
    data: dict[str, Any] = {**table_of("NB; card grass; tasks Road, Fortress").snapshot(), "sets": ["nomads"]}
    data["quadrants"] = [["quarry", 1], ["caravan", 0], ["village", 0], ["garden", 1]]
    found = facts(data)
    assert list(found) == list(FACTS)
    assert found == {
        "scoring": ["Fishermen", "Knights", "Merchants"],
        "tasks": ["Road", "Fortress"],
        "quadrants": ["quarry", "caravan", "village", "garden"],
        "sets": ["nomads"],
    }
