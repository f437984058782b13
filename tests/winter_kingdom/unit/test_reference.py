"""The helpers of the plain implementation, and what it says about illegal actions."""

from __future__ import annotations

import json

import pytest

from tests.winter_kingdom.reference_game import hexes, make_game, own, put
from winterkingdom_env.reference.winter_kingdom.deck import Deck, RandomStream
from winterkingdom_env.reference.winter_kingdom.economy import is_mandatory_line
from winterkingdom_env.reference.winter_kingdom.grid import (
    BOARD_OF,
    HEX_OF,
    LABELS,
    N_HEXES,
    OUTER_EDGE,
    areas,
    make_grid,
)
from winterkingdom_env.reference.winter_kingdom.state import terrain_right_of


@pytest.mark.rule("p. 2, seven boards")
def test_grid__seven_boards__have_427_hexes_and_78_on_the_edge() -> None:
    assert N_HEXES == 427
    assert len(OUTER_EDGE) == 78
    assert sorted(BOARD_OF.count(board) for board in range(7)) == [61] * 7
    assert tuple(sorted(LABELS)) == LABELS


@pytest.mark.rule("p. 16, Archipelago")
def test_grid__archipelago__no_neighbour_on_another_board() -> None:
    apart = make_grid(True)
    joined = make_grid(False)
    assert all(BOARD_OF[other] == BOARD_OF[hex_id] for hex_id in range(N_HEXES) for other in apart.neighbours[hex_id])
    assert len(areas(set(range(N_HEXES)), apart)) == 7
    assert len(areas(set(range(N_HEXES)), joined)) == 1


@pytest.mark.rule("p. 10, two hexes away")
def test_grid__inner_hex__has_12_hexes_at_distance_two() -> None:
    assert len(make_grid(False).at_distance_two[HEX_OF["r13c13"]]) == 12


@pytest.mark.rule("p. 10, Crossroads")
def test_terrain_right_of__flower_field__is_grassland() -> None:
    assert terrain_right_of("flower field") == "grassland"
    assert terrain_right_of("forest") == "fell field"


@pytest.mark.rule("p. 5, shuffle the discards")
def test_deck__pile_empty__discards_are_shuffled() -> None:
    stream = RandomStream(0)
    assert [stream.draw(1 << 32) for _ in range(2)] == [0xE220A839, 0x6E789E6A]  # splitmix64 from 0, upper halves
    deck = Deck([], ["tundra", "forest", "forest"], RandomStream(7))
    assert deck.draw(lambda card: card == "tundra") == "tundra"
    assert len(deck.pile) + len(deck.discards) == 2


@pytest.mark.rule("p. 6, terrain completely covered")
def test_deck__no_terrain_free__no_card() -> None:
    deck = Deck(["tundra"], ["forest"], RandomStream(7))
    assert deck.draw(lambda card: False) is None
    assert (deck.pile, deck.discards) == (["tundra"], ["forest"])


@pytest.mark.rule("p. 15, Marble")
def test_marble__middle_piece_last__is_a_line() -> None:
    grid = make_grid(False)
    assert is_mandatory_line([HEX_OF[label] for label in ("r13c12", "r13c14", "r13c13")], grid)
    assert not is_mandatory_line([HEX_OF[label] for label in ("r13c12", "r13c13", "r14c13")], grid)


@pytest.mark.rule("p. 6, build adjacent if possible")
def test_explain__hex_without_own_neighbour__names_a_better_hex() -> None:
    game = make_game({"r13c13": "tundra", "r13c14": "tundra", "r10c13": "tundra"})
    put(game, 0, "r13c13")
    assert game.legal_labels() >= {"house r13c14", "fort r13c14"}
    assert game.explain("house r10c13") == (
        "`house r10c13` is illegal: r10c13 touches no own piece while r13c14 does (p. 6)."
    )


@pytest.mark.rule("p. 9, Sawmill")
def test_explain__wrong_terrain_for_sawmill__names_card_and_terrain() -> None:
    game = make_game({"r13c13": "tundra", "r13c14": "forest"})
    own(game, "Sawmill")
    game.apply("use Sawmill I")
    assert game.explain("house r13c13") == (
        "`house r13c13` is illegal: Sawmill I builds on forest (p. 9), r13c13 is tundra."
    )
    assert game.explain("house r13c14") == "`house r13c14` is legal: Sawmill I builds on forest (p. 9)."


@pytest.mark.rule("p. 4, the mandatory action must be performed")
def test_apply__illegal_label__raises_the_reason_and_changes_nothing() -> None:
    game = make_game({"r13c13": "tundra"})
    before = game.snapshot()
    for label in ("done", "house r99c99", "use Mine I", "acquire Mine", "lift r13c13", "fort r00c00"):
        with pytest.raises(ValueError, match="illegal"):
            game.apply(label)
    assert game.explain("done") == "`done` is illegal: a mandatory piece can be built, so it must be (p. 4)."
    assert game.snapshot() == before
    json.dumps(before)


@pytest.mark.rule("p. 16, Impasse")
def test_explain__impasse__names_the_other_player() -> None:
    game = make_game({"r13c13": "tundra", "r13c15": "tundra"}, twist="Impasse")
    put(game, 1, "r13c12")
    assert hexes(game, "house") == {"r13c15"}
    assert "another player's piece, which Impasse forbids (p. 16)" in game.explain("house r13c13")


@pytest.mark.rule("p. 11, Sleigh")
def test_sleigh__straight_until_blocked__stops_before_ice() -> None:
    row = {f"r13c{col:02d}": "tundra" for col in range(10, 15)}
    game = make_game({**row, "r13c15": "ice"})
    put(game, 0, "r13c11")
    own(game, "Sleigh")
    game.apply("use Sleigh I")
    game.apply("lift r13c11")
    assert hexes(game, "house") == {"r13c10", "r13c14"}
    assert "Sleigh I moves a house straight until it is blocked (p. 11)" in game.explain("house r13c13")


@pytest.mark.rule("p. 11, Guide and Dog sled")
def test_guide__house_next_to_an_area__crosses_its_free_hexes() -> None:
    land = {"r13c10": "tundra", "r13c11": "mountain", "r13c12": "mountain", "r13c13": "ice", "r13c15": "tundra"}
    game = make_game(land, rest="castle")
    put(game, 0, "r13c10")
    own(game, "Guide")
    game.apply("use Guide I")
    game.apply("lift r13c10")
    assert hexes(game, "house") == {"r13c13"}


@pytest.mark.rule("p. 8, the arrow")
def test_follow__fort_built__is_passed_over() -> None:
    for kind, phase in (("house", "follow"), ("fort", "before")):
        game = make_game({"r13c13": "forest", "r13c14": "ice", "r10c10": "tundra"})
        own(game, "Sawmill", upgraded=True)
        assert "the arrow lets Sawmill II only follow" in game.explain("use Sawmill II")
        game.apply("use Sawmill I")
        game.apply(f"{kind} r13c13")
        assert game.phase == phase
        assert game.state()["players"][0]["in_play"][0] == {
            "card": "Sawmill", "upgraded": True, "used": True, "used_halves": ["I", "II"],
        }  # fmt: skip


@pytest.mark.rule("p. 7, castles")
def test_castles__tie__both_score() -> None:
    game = make_game({"r13c13": "castle", "r13c14": "tundra", "r13c12": "tundra", "r12c13": "tundra"}, rest="ice")
    put(game, 0, "r13c14", "r13c12")
    put(game, 1, "r12c13", kind="fort")
    assert [sheet["Castles"] for sheet in game.score_sheet()] == [3, 3]
    put(game, 1, "r14c13")
    assert [sheet["Castles"] for sheet in game.score_sheet()] == [0, 3]
    assert game.scores() == [sum(sheet.values()) for sheet in game.score_sheet()]


@pytest.mark.rule("p. 5, one ability three times")
def test_triple__uses_optional__done_ends_the_turn() -> None:
    game = make_game({f"r13c{col:02d}": "tundra" for col in range(9, 18)})
    own(game, "Mule")
    for label in ("house r13c09", "house r13c10", "house r13c11"):
        game.apply(label)
    assert game.explain("triple Mule") == "`triple Mule` is illegal: triple of Mule costs 5, the seat has 1 (p. 5)."
    game.player.coins = 5
    for label in ("triple Mule", "use Mule I", "lift r13c11", "house r13c12", "use Mule I"):
        game.apply(label)
    assert (game.phase, game.turn.uses_left, game.player.coins) == ("lift", 1, 0)
    for label in ("lift r13c12", "house r13c13", "done"):
        game.apply(label)
    assert (game.seat, game.phase) == (1, "before")


@pytest.mark.rule("p. 4, a turn in detail")
def test_clone__played_on__leaves_the_original_alone() -> None:
    game = make_game({"r13c13": "tundra", "r13c14": "tundra"})
    before = game.state()
    copy = game.clone()
    copy.apply("house r13c13")
    assert game.state() == before != copy.state()
