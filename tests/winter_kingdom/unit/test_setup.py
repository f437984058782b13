"""How a game begins (p. 2-3): boards, cards, coins, pieces, and what a user may choose about it."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.boards import (
    format_sides,
    generated_sides,
    standard_sides,
)
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES

CARD_TERRAINS = {"fell field", "tundra", "flower field", "grassland", "snowscape", "forest"}
CENTRES = [(13, 13), (18, 17), (9, 22), (4, 18), (8, 9), (17, 4), (22, 8)]
SCORING = {
    "Knights", "Masses", "Loners", "Followers", "Climbers", "Bureaucrats", "Wanderers", "Travellers", "Socialites",
    "Nature Lovers", "Ice Fishermen", "Pioneers", "Peasants", "Spelunkers", "Royalty", "Merchants", "Scouts", "Miners",
}  # fmt: skip
ECONOMIES = {"Agriculture", "Arms", "Furs", "Exports", "Livestock", "Hunting", "Marble", "Salvage"}
TWISTS = {"Wolves", "Impasse", "Mobility", "Innovation", "Boom", "Longer Tunnels", "Archipelago", "Roads"}
ABILITIES = {
    "Pasture", "Sawmill", "Hot springs", "Garden", "Monastery", "Hunting Lodge", "Mine", "Port", "Market", "Farm",
    "Barracks", "Tavern", "Outpost", "Tower", "Homestead", "Crossroads", "Caravan", "Mule", "Toboggan", "Horse",
    "Guide", "Dog sled", "Wagon", "Sleigh", "Carriage",
}  # fmt: skip
# A side as axial places around its middle, by row, then column.
SIDE = [(r, c) for r in range(-4, 5) for c in range(-4, 5) if abs(r + c) <= 4]
AROUND = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]


def neighbours(place: tuple[int, int]) -> list[tuple[int, int]]:
    """The six places around a place."""
    return [(place[0] + r, place[1] + c) for r, c in AROUND]


def turned(place: tuple[int, int], turns: int) -> tuple[int, int]:
    """A place after so many turns by 60 degrees around (0, 0)."""
    for _ in range(turns):
        place = (place[0] + place[1], -place[0])
    return place


def land_of(setup: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Terrain by row and column."""
    return {(entry["row"], entry["col"]): entry["terrain"] for entry in setup["hexes"]}


@cache
def setups(players: int = 4, twist: str | None = "random", n: int = 600) -> list[dict[str, Any]]:
    """The set-ups of many seeds."""
    return [wk.new_game(wk.Config(num_players=players, twist=twist), seed).setup() for seed in range(n)]


# Boards


@pytest.mark.rule("p. 2, seven boards")
def test_boards__all_hexes__seven_hexagons_of_61() -> None:
    hexes = setups()[0]["hexes"]
    assert len(hexes) == 427
    for board, (row, col) in enumerate(CENTRES):
        places = {(entry["row"], entry["col"]) for entry in hexes if entry["board"] == board}
        assert places == {(row + r, col + c) for r, c in SIDE}
    assert [(entry["row"], entry["col"]) for entry in hexes] == sorted((e["row"], e["col"]) for e in hexes)
    assert all(entry["hex"] == f"r{entry['row']:02d}c{entry['col']:02d}" for entry in hexes)


@pytest.mark.rule("p. 2, seven boards")
def test_boards__interlocked__78_hexes_on_the_outer_edge_and_no_gap() -> None:
    places = set(land_of(setups()[0]))
    edge = {place for place in places if not places.issuperset(neighbours(place))}
    assert len(edge) == 78
    board_of = {(row + r, col + c): board for board, (row, col) in enumerate(CENTRES) for r, c in SIDE}
    assert Counter(board_of[place] for place in edge) == dict.fromkeys(range(1, 7), 13)
    centre = {(13 + r, 13 + c) for r, c in SIDE}
    touched = {board_of[near] for place in centre for near in neighbours(place)}
    assert touched == set(range(7))  # the centre board touches all others


@cache
def sides_by_look() -> dict[tuple[str, ...], tuple[int, int, int]]:
    """(board, side, turn) by the 61 terrains seen on the table."""
    found = {}
    for number, side in enumerate(standard_sides().terrain):
        for turn in range(6):
            look = {turned(place, turn): TERRAIN_NAMES[terrain] for place, terrain in zip(SIDE, side, strict=True)}
            found[tuple(look[place] for place in SIDE)] = (number // 2, number % 2, turn)
    return found


def laid(setup: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Which board lies at each of the seven places, on which side, in which turn."""
    land = land_of(setup)
    return [sides_by_look()[tuple(land[row + r, col + c] for r, c in SIDE)] for row, col in CENTRES]


@pytest.mark.rule("p. 2, any side and turn")
def test_boards__every_set_up__each_board_once() -> None:
    assert len(sides_by_look()) == 14 * 6
    for setup in setups():
        assert sorted(board for board, _, _ in laid(setup)) == list(range(7))


@pytest.mark.rule("p. 2, any side and turn")
def test_boards__many_set_ups__every_board_in_every_place_side_and_turn() -> None:
    seen = [laid(setup) for setup in setups()]
    for place in range(7):
        assert {lay[place][0] for lay in seen} == set(range(7))
        assert {lay[place][1:] for lay in seen} == {(side, turn) for side in range(2) for turn in range(6)}
    for board in range(7):
        ways = {way[1:] for lay in seen for way in lay if way[0] == board}
        assert ways == {(side, turn) for side in range(2) for turn in range(6)}


@pytest.mark.rule("p. 2, any side and turn")
def test_boards__side_and_turn__drawn_for_each_board_by_itself() -> None:
    pairs = {(lay[0][1:], lay[1][1:]) for lay in map(laid, setups())}
    assert len({first for first, second in pairs if first == second}) > 6
    assert len(pairs) > 100  # of 144


@pytest.mark.rule("p. 3, places")
@pytest.mark.parametrize("boards", ["standard", "generated"])
def test_places__each_board__one_castle_one_tunnel_two_villages_apart_from_rim_and_each_other(boards: str) -> None:
    special = {"castle", "tunnel", "village"}
    for seed in range(10):
        land = land_of(wk.new_game(wk.Config(boards=boards), seed).setup())
        for row, col in CENTRES:
            side = {(r, c): land[row + r, col + c] for r, c in SIDE}
            places = {place for place, terrain in side.items() if terrain in special}
            assert sorted(side[place] for place in places) == ["castle", "tunnel", "village", "village"]
            for place in places:
                assert set(neighbours(place)) <= set(side), "on the rim"
                assert not places.intersection(neighbours(place)), "two of them adjacent"
            assert set(side.values()) >= CARD_TERRAINS


@pytest.mark.rule("p. 3, buildable terrain")
def test_terrain__first_turn__only_hexes_of_the_card_are_open() -> None:
    for seed in range(60):
        game = wk.new_game(wk.Config(), seed)
        setup = game.setup()
        card = setup["terrain_cards"][0]
        expected = {entry["hex"] for entry in setup["hexes"] if entry["terrain"] == card}
        labels = {game.label(action) for action in game.legal_actions()}
        assert labels == {f"{verb} {place}" for verb in ("house", "fort") for place in expected}


# Cards


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands__every_set_up__five_different_ability_cards_each(players: int) -> None:
    for setup in setups(players, n=100):
        hands = setup["hands"]
        assert [len(hand) for hand in hands] == [5] * players
        dealt = {name for hand in hands for name in hand}
        assert len(dealt) == 5 * players  # no card twice
        assert dealt <= ABILITIES


@pytest.mark.rule("p. 2, cards dealt")
def test_hands__many_set_ups__every_card_at_every_seat() -> None:
    for seat in range(4):
        assert {name for setup in setups() for name in setup["hands"][seat]} == ABILITIES


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_terrain_cards__every_set_up__five_of_each_of_six_one_per_seat(players: int) -> None:
    for setup in setups(players, n=100):
        assert len(setup["terrain_cards"]) == players
        assert len(setup["draw_pile"]) == 30 - players
        assert setup["discard_pile"] == []
        assert Counter(setup["terrain_cards"] + setup["draw_pile"]) == dict.fromkeys(CARD_TERRAINS, 5)


@pytest.mark.rule("p. 2, cards dealt")
def test_terrain_cards__many_set_ups__every_terrain_at_every_seat_and_on_top() -> None:
    for seat in range(4):
        assert {setup["terrain_cards"][seat] for setup in setups()} == CARD_TERRAINS
    assert {setup["draw_pile"][0] for setup in setups()} == CARD_TERRAINS


@pytest.mark.rule("p. 2, cards dealt")
def test_scoring_cards__many_set_ups__three_different_of_eighteen() -> None:
    assert all(len(set(setup["scoring"])) == 3 for setup in setups())
    for place in range(3):
        assert {setup["scoring"][place] for setup in setups()} == SCORING


@pytest.mark.rule("p. 2, cards dealt")
def test_economy_and_twist__many_set_ups__every_card_occurs() -> None:
    assert {setup["economy"] for setup in setups()} == ECONOMIES
    assert {setup["twist"] for setup in setups()} == TWISTS
    assert {setup["twist"] for setup in setups(twist=None, n=60)} == {None}


@pytest.mark.rule("p. 2, starting coins")
@pytest.mark.parametrize(("players", "coins"), [(2, [1, 2]), (3, [1, 1, 2]), (4, [1, 1, 2, 2])])
def test_coins__at_the_start__by_seat(players: int, coins: list[int]) -> None:
    snapshot = wk.new_game(wk.Config(num_players=players), seed=1).snapshot()
    assert [player["coins"] for player in snapshot["players"]] == coins


@pytest.mark.rule("p. 2, pieces")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pieces__at_the_start__32_houses_and_4_forts_each(players: int) -> None:
    snapshot = wk.new_game(wk.Config(num_players=players), seed=1).snapshot()
    assert len(snapshot["players"]) == players
    for player in snapshot["players"]:
        assert (player["houses_left"], player["forts_left"]) == (32, 4)
        assert (player["houses"], player["forts"], player["in_play"]) == ([], [], [])
    assert (snapshot["seat"], snapshot["round"], snapshot["phase"]) == (0, 1, "before")


@pytest.mark.rule("p. 12, agreed at set-up")
def test_agreed__many_set_ups__outer_boards_and_three_directions() -> None:
    for key in ("top_board", "bottom_board"):
        assert {setup[key] for setup in setups()} == set(range(1, 7))  # never the centre, 0
    assert {setup["direction"] for setup in setups()} == {"row", "column", "diagonal"}


@pytest.mark.rule("p. 12, agreed at set-up")
def test_agreed__during_the_game__stays_as_it_was() -> None:
    game = wk.new_game(wk.Config(num_players=3), seed=4)
    setup = game.setup()
    for _ in range(60):
        game.apply(game.legal_actions()[-1])
    snapshot = game.snapshot()
    for key in ("top_board", "bottom_board", "direction", "scoring", "economy", "twist", "hexes"):
        assert snapshot[key] == setup[key]
    assert game.setup() == setup


# What a user may choose


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"num_players": 1}, "2, 3 or 4 players"),
        ({"num_players": 5}, "2, 3 or 4 players"),
        ({"num_players": 2.0}, "2, 3 or 4 players"),
        ({"num_players": "2"}, "2, 3 or 4 players"),
        ({"num_players": True}, "2, 3 or 4 players"),
        ({"num_players": None}, "2, 3 or 4 players"),
        ({"scoring": ("Knights", "Masses")}, "three different"),
        ({"scoring": ()}, "three different"),
        ({"scoring": ("Knights", "Masses", "Loners", "Miners")}, "three different"),
        ({"scoring": ("Knights", "Masses", "knights")}, "three different"),
        ({"scoring": "Knights"}, "three different"),
        ({"scoring": ("Knights", "Masses", "Kings")}, "'Kings' is not a card of this game; there are: Knights, "),
        ({"scoring": ("Knights", "Masses", 3)}, "3 is not a card"),
        ({"scoring": 5}, "scoring=5"),
        ({"economy": "Fishing"}, "'Fishing' is not a card of this game; there are: Agriculture, "),
        ({"economy": ""}, "is not a card"),
        ({"economy": "random"}, "is not a card"),
        ({"economy": 3}, "is not a card"),
        ({"twist": "Plague"}, "'Plague' is not a card of this game; there are: Wolves, "),
        ({"twist": ""}, "is not a card"),
        ({"twist": 1}, "is not a card"),
        ({"boards": "nowhere.txt"}, "'nowhere.txt' is not an existing file"),
        ({"boards": ""}, "is not an existing file"),
        ({"boards": 3}, "path of a board file"),
        ({"boards": None}, "path of a board file"),
    ],
)
def test_config__wrong_choice__error_says_what_there_is(choice: dict[str, Any], words: str) -> None:
    with pytest.raises(wk.ConfigError) as caught:
        wk.Config(**choice)
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize("seed", [1.5, "1", None, True])
def test_new_game__seed_is_no_integer__error(seed: Any) -> None:
    with pytest.raises(ValueError, match="a seed is an integer"):
        wk.new_game(wk.Config(), seed)


@pytest.mark.rule("p. 2, cards dealt")
def test_config__names__in_any_case() -> None:
    config = wk.Config(scoring=("nature lovers", "ICE FISHERMEN", "Miners"), economy="furs", twist="longer tunnels")
    assert config == wk.Config(
        scoring=("Nature Lovers", "Ice Fishermen", "Miners"), economy="Furs", twist="Longer Tunnels"
    )
    setup = wk.new_game(config, seed=2).setup()
    assert setup["scoring"] == ["Nature Lovers", "Ice Fishermen", "Miners"]
    assert (setup["economy"], setup["twist"]) == ("Furs", "Longer Tunnels")


FIXED = [
    ({"economy": name}, {"economy"}) for name in sorted(ECONOMIES)
] + [
    ({"twist": name}, {"twist"}) for name in sorted(TWISTS)
] + [
    ({"scoring": ("Miners", "Knights", "Royalty")}, {"scoring"}),
    ({"scoring": ("Miners", "Scouts", "Royalty"), "economy": "Arms", "twist": "Boom"}, {"scoring", "economy", "twist"}),
    ({"twist": "random"}, {"twist"}),
]  # fmt: skip


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize(("choice", "changed"), FIXED, ids=[str(row[0]) for row in FIXED])
def test_config__one_card_fixed__rest_of_the_set_up_stays(choice: dict[str, Any], changed: set[str]) -> None:
    for seed in (0, 1, 7):
        plain = wk.new_game(wk.Config(num_players=3), seed).setup()
        fixed = wk.new_game(wk.Config(num_players=3, **choice), seed).setup()
        for key, value in choice.items():
            if value != "random":
                assert fixed[key] == (list(value) if key == "scoring" else value)
        assert {key for key in plain if key not in changed and plain[key] != fixed[key]} == set()


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize("boards", ["standard", "generated"])
def test_new_game__same_seed__same_game_and_another_seed_another(boards: str) -> None:
    config = wk.Config(num_players=3, twist="random", boards=boards)
    for seed in (0, -5, 2**80):
        assert wk.new_game(config, seed).to_bytes() == wk.new_game(config, seed).to_bytes()
    games = [wk.new_game(config, seed) for seed in range(12)]
    assert len({game.to_bytes() for game in games}) == 12
    assert len({int(game.record["rng"][0]) for game in games}) == 12


@pytest.mark.rule("p. 2, seven boards")
def test_generated_boards__land_of_the_seed__not_the_standard_one() -> None:
    made = wk.new_game(wk.Config(boards="generated"), seed=3)
    land = land_of(made.setup())
    looks = {
        tuple(TERRAIN_NAMES[dict(zip((turned(p, turn) for p in SIDE), side, strict=True))[place]] for place in SIDE)
        for side in generated_sides(3).terrain
        for turn in range(6)
    }
    for row, col in CENTRES:
        seen = tuple(land[row + r, col + c] for r, c in SIDE)
        assert seen in looks
        assert seen not in sides_by_look()


@pytest.mark.rule("p. 2, seven boards")
def test_board_file__path_given__its_sides_are_used(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(format_sides(generated_sides(3)), encoding="utf-8")
    from_file = wk.new_game(wk.Config(boards=str(path)), seed=3)
    assert from_file.to_bytes() == wk.new_game(wk.Config(boards="generated"), seed=3).to_bytes()
    assert wk.new_game(wk.Config(boards=path), seed=3) == from_file  # type: ignore[arg-type]  # a Path will do
    assert wk.new_game(wk.Config(boards=str(path)), seed=4) != from_file
    path.write_text(format_sides(standard_sides()), encoding="utf-8")
    assert wk.new_game(wk.Config(boards=str(path)), seed=3) == wk.new_game(wk.Config(), seed=3)


@pytest.mark.rule("p. 3, places")
def test_board_file__castle_missing__error_when_the_game_is_made(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    text = format_sides(standard_sides())
    header, sides = text[: text.index("board 1")], text[text.index("board 1") :]
    path.write_text(header + sides.replace("C", "L", 1), encoding="utf-8")
    with pytest.raises(wk.BoardFileError, match="expected 1 castle"):
        wk.new_game(wk.Config(boards=str(path)), seed=1)


# Set-ups as plain data


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_from_setup__own_set_up__same_game(players: int) -> None:
    for seed in range(10):
        game = wk.new_game(wk.Config(num_players=players, twist="random"), seed)
        again = wk.from_setup(game.setup())
        assert again == game
        assert again.legal_actions() == game.legal_actions()
        assert again.setup() == game.setup()


def damaged(key: str, value: Any) -> dict[str, Any]:
    """A good set-up with one thing changed; a value that is a function gets the old value to change."""
    setup = deepcopy(wk.new_game(wk.Config(), seed=1).setup())
    setup[key] = value(setup[key]) if callable(value) else value
    return setup


@pytest.mark.rule("p. 2, cards dealt")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("num_players", 5),
        ("num_players", 3),
        ("hexes", lambda hexes: hexes[1:]),
        ("hexes", lambda hexes: hexes[::-1]),
        ("hexes", lambda hexes: [{**entry, "terrain": "sand"} for entry in hexes]),
        ("hexes", lambda hexes: [{**entry, "terrain": "forest"} for entry in hexes]),
        ("scoring", ["Knights", "Knights", "Miners"]),
        ("scoring", ["Knights", "Miners"]),
        ("economy", "Fishing"),
        ("twist", "Plague"),
        ("top_board", 0),
        ("bottom_board", 7),
        ("direction", "up"),
        ("hands", lambda hands: [hands[0], hands[0]]),
        ("hands", lambda hands: [hands[0], hands[1][1:]]),
        ("terrain_cards", ["tundra"]),
        ("terrain_cards", ["ice", "tundra"]),
        ("draw_pile", lambda pile: pile[1:]),
        ("discard_pile", ["tundra"]),
        ("rng", -1),
        ("rng", None),
        ("hands", None),
    ],
)
def test_from_setup__damaged__refused(key: str, value: Any) -> None:
    with pytest.raises(wk.SetupError):
        wk.from_setup(damaged(key, value))
    whole = damaged("economy", "Arms")
    del whole[key]
    with pytest.raises(wk.SetupError, match=key):
        wk.from_setup(whole)
