"""Saved games from outside: whatever play reaches is taken, whatever it cannot reach is refused by the name of its field."""

from __future__ import annotations

import pickle
import random
import zlib
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from tests.winter_kingdom.property.test_invariants import ECONOMIES, PLAYERS, TWISTS, begin, choose
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.layout import Phase, Terrain
from winterkingdom_env.games.winter_kingdom.rules import make_rules

GAME_FIELDS = [name for name in layout.GAME.names or () if name != "rng"]  # every 64 bits are a state of the stream
BOARD_FIELDS = list(layout.BOARD.names or ())
CARDS = {card.name: i for i, card in enumerate(tables.CARDS)}
CELLS = make_rules()["cell"][0]


def walk(players: int, economy: str, twist: str | None, seed: int, stop: Callable[[wk.Game], bool]) -> wk.Game:
    """The first position of a random game that ``stop`` wants; a later game if the first has none."""
    for number in range(seed, seed + 40):
        game, dice = begin(players, economy, twist, number)
        while not game.is_over:
            if stop(game):
                return own(game)
            game.apply(choose(game, dice))
        if stop(game):
            return own(game)
    raise AssertionError("no such position")


def own(game: wk.Game) -> wk.Game:
    """A copy, to be changed."""
    return game.clone()


def in_phase(name: str, twist: str | None = None, players: int = 2, economy: str = "Furs") -> wk.Game:
    return walk(players, economy, twist, 1, lambda game: game.phase == name)


def pieces_lost(game: wk.Game) -> int:
    """Pieces of the seat to move that have left the game."""
    player = game.snapshot()["players"][game.seat]
    return 36 - player["houses_left"] - player["forts_left"] - len(player["houses"]) - len(player["forts"])


def assert_refused(game: wk.Game, field: str) -> None:
    """Bytes with a right checksum and pickles of this game are refused, and the field is named."""
    with pytest.raises(ValueError, match=rf"the saved game is refused: {field}\b"):
        wk.from_bytes(game.to_bytes())
    with pytest.raises(ValueError, match=rf"the saved game is refused: {field}\b"):
        pickle.loads(pickle.dumps(game))


# What play reaches


@pytest.mark.parametrize("players", PLAYERS)
def test_every_position_of_whole_games_is_taken_and_so_is_what_a_seat_imagines(players: int) -> None:
    dice = random.Random(players)
    for i, (economy, twist) in enumerate(product(ECONOMIES, TWISTS)):
        if (i + players) % 4:  # each kind of game is played by somebody
            continue
        game, own_dice = begin(players, economy, twist, i)
        while True:
            data = game.to_bytes()
            assert wk.from_bytes(data).to_bytes() == data
            other = game.determinize(dice.randrange(players), i)
            assert wk.from_bytes(other.to_bytes()) == other
            if game.is_over:
                break
            game.apply(choose(game, own_dice))


def test_round_limit__a_game_that_ends_by_it__is_taken() -> None:
    game = walk(2, "Furs", None, 3, lambda game: game.round == 3)
    game.record["round"] = layout.ROUND_LIMIT
    game = wk.from_bytes(game.to_bytes())
    dice = random.Random(1)
    while not game.is_over:
        game.apply(choose(game, dice))
    assert wk.from_bytes(game.to_bytes()).is_over and game.round == layout.ROUND_LIMIT
    game.record["round"] -= 1
    assert_refused(game, "phase")  # nobody's supply is empty


def test_pickle__a_game_in_progress__keeps_its_beginning() -> None:
    game = wk.new_game(wk.Config(num_players=3, economy="Salvage", twist="Boom"), seed=5)
    for _ in range(60):
        game.apply(game.legal_actions()[0])
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game and copy.setup() == game.setup() and copy.seed == game.seed


# One field after the other


@pytest.mark.parametrize("name", GAME_FIELDS)
def test_one_field_of_the_game_beyond_everything__is_refused_by_name(name: str) -> None:
    game = walk(3, "Agriculture", None, 2, lambda game: game.round == 5)
    field = game.record[name][0:1].reshape(-1)
    field[-1 if name in ("houses", "forts", "near", "taken", "spare") else 0] = np.iinfo(field.dtype).max
    assert_refused(game, name)


@pytest.mark.parametrize("name", BOARD_FIELDS)
def test_one_field_of_the_board_beyond_everything__is_refused_by_name(name: str) -> None:
    game = walk(3, "Agriculture", None, 2, lambda game: game.round == 5)
    field = game.board[name].reshape(-1)
    field[-1] = np.iinfo(field.dtype).max
    assert_refused(game, name)


@pytest.mark.parametrize("name", [*GAME_FIELDS, *BOARD_FIELDS])
def test_any_value_in_a_field__is_refused_or_can_be_played_to_the_end(name: str) -> None:
    dice = random.Random(zlib.crc32(name.encode()))
    part = "record" if name in GAME_FIELDS and name != "spare" else "board"
    for players, twist in zip(PLAYERS, ("Wolves", "Innovation", "Boom"), strict=True):
        game = walk(players, "Salvage", twist, 7, lambda game: game.round == 3 and game.phase == "after")
        field = getattr(game, part)[name].reshape(-1)
        info, good = np.iinfo(field.dtype), field.copy()
        for value in (int(info.min), int(info.max), 0, 1, dice.randint(0, int(info.max))):
            field[:] = good
            field[dice.randrange(field.size)] = value
            try:
                loaded = wk.from_bytes(game.to_bytes())
            except ValueError as error:
                assert "the saved game is refused: " in str(error)
                continue
            while not loaded.is_over:
                loaded.apply(dice.choice(loaded.legal_actions()))


# What no single range can show


def swap_hexes(game: wk.Game, seat: int, kind: str, hex_id: int) -> None:
    game.record[kind][0, seat, CELLS[hex_id] >> 5] |= np.uint32(1 << (CELLS[hex_id] & 31))


def a_hex(game: wk.Game, terrain: Terrain, is_free: bool = True) -> int:
    taken = game.record["taken"][0, 0]
    return next(
        h for h in range(layout.N_HEXES)
        if game.board["terrain_at"][0, h] == terrain and (taken[CELLS[h] >> 5] >> (CELLS[h] & 31) & 1 == 0) == is_free
    )  # fmt: skip


def on_a_castle(game: wk.Game) -> None:
    swap_hexes(game, 0, "houses", a_hex(game, Terrain.CASTLE))


def one_house_more(game: wk.Game) -> None:
    game.record["houses_left"][0, 0] += 1


def one_fort_less(game: wk.Game) -> None:
    game.record["forts_left"][0, 0] -= 1


def card_of_another(game: wk.Game) -> None:
    mine, theirs = (int(game.record["hand"][0, seat]) for seat in (0, 1))
    game.record["hand"][0, 0] = (mine & (mine - 1)) | (theirs & -theirs)


def a_card_less(game: wk.Game) -> None:
    game.record["hand"][0, 0] &= game.record["hand"][0, 0] - np.uint32(1)


def bought_too_much(game: wk.Game) -> None:
    game.record["in_play"][0, 0] |= game.record["hand"][0, 0]
    game.record["upgraded"][0, 0] = game.record["in_play"][0, 0] & np.uint32((1 << layout.N_ABILITIES) - 1)
    game.record["hand"][0, 0] = 0


def six_of_a_terrain(game: wk.Game) -> None:
    pile = game.record["draw_pile"][0]
    pile[0] = (pile[0] + 1) % layout.N_CARD_TERRAINS


def longer_pile(game: wk.Game) -> None:
    game.record["n_draw"] += 1


def too_rich(game: wk.Game) -> None:
    game.record["coins"][0, 0] = 32767


def no_castles(game: wk.Game) -> None:
    game.board["terrain_at"][0][game.board["terrain_at"][0] == Terrain.CASTLE] = Terrain.MOUNTAIN


def same_scoring(game: wk.Game) -> None:
    game.board["scoring"][0, 1] = game.board["scoring"][0, 0]


def seams(game: wk.Game) -> None:
    game.board["twist"] = layout.Twist.ARCHIPELAGO


def a_lake(game: wk.Game) -> None:
    game.board["terrain_at"][0, a_hex(game, Terrain.TUNDRA)] = Terrain.ICE


def over_too_early(game: wk.Game) -> None:
    game.record["phase"], game.record["seat"] = Phase.OVER, game.n_players - 1


def to_phase(phase: Phase) -> Callable[[wk.Game], None]:
    def change(game: wk.Game) -> None:
        game.record["phase"] = phase

    return change


FORGERIES: list[tuple[Callable[[wk.Game], None], str]] = [
    (on_a_castle, "houses"), (one_house_more, "houses_left"), (one_fort_less, "forts_left"), (card_of_another, "hand"), (a_card_less, "hand"),
    (bought_too_much, "in_play"), (six_of_a_terrain, "draw_pile"), (longer_pile, "draw_pile"), (too_rich, "coins"), (no_castles, "terrain_at"),
    (same_scoring, "scoring"), (seams, "touching"), (a_lake, "terrain"), (over_too_early, "phase"), (to_phase(Phase.BUILD), "back"),
    (to_phase(Phase.MOVE), "back"), (to_phase(Phase.MANDATORY), "n_placed"), (to_phase(Phase.WOLVES), "phase"), (to_phase(Phase.BOOM), "n_placed"),
    (to_phase(Phase.TRIPLE), "uses_left"), (to_phase(Phase.INNOVATE), "card"), (to_phase(Phase.AFTER), "phase"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "field"), FORGERIES)
def test_what_does_not_fit_together__is_refused_by_name(change: Callable[[wk.Game], None], field: str) -> None:
    game = walk(2, "Furs", None, 3, lambda g: g.round == 2 and g.phase == "before" and len(g.legal_actions()) > 3)
    change(game)
    assert_refused(game, field)


def test_two_pieces_on_a_hex__are_refused() -> None:
    game = walk(2, "Furs", None, 3, lambda game: game.round == 3)
    game.record["houses"][0, 1] |= game.record["houses"][0, 0]
    game.record["houses_left"][0, 1] -= np.int8(np.bitwise_count(game.record["houses"][0, 0]).sum())
    assert_refused(game, "houses")


def test_move__without_a_house_there__is_refused() -> None:
    game = in_phase("move")
    game.record["lifted"] = a_hex(game, Terrain.TUNDRA)
    assert_refused(game, "lifted")


def test_follow__a_house_that_cannot_have_come_there__is_refused() -> None:
    game = walk(2, "Furs", None, 1, lambda g: g.phase == "follow" and g.record["left"][0] != -1 and g.round > 3)
    houses = game.record["houses"][0, game.seat]
    others = [
        h
        for h in range(layout.N_HEXES)
        if houses[CELLS[h] >> 5] >> (CELLS[h] & 31) & 1 and h != game.record["came_to"][0]
    ]
    refused = 0
    for hex_id in others:  # it may be a neighbour
        game.record["came_to"] = hex_id
        try:
            wk.from_bytes(game.to_bytes())
        except ValueError as error:
            assert "refused: came_to" in str(error) or "refused: phase" in str(error)
            refused += 1
    assert refused >= len(others) / 2 > 0


def test_triple__more_uses_than_were_paid_for__are_refused() -> None:
    game = in_phase("triple")
    game.record["uses_left"] = 4
    assert_refused(game, "uses_left")


def test_half_of_a_card_that_is_not_upgraded__is_refused() -> None:
    game = walk(2, "Furs", None, 1, lambda g: g.phase == "build" and not g.record["upgraded"].any())
    game.record["half"] = 1
    assert_refused(game, "half")


def test_crossroads__second_half_as_a_use__is_refused() -> None:
    game = walk(
        3, "Furs", None, 1, lambda g: g.phase == "before" and bool(int(g.record["upgraded"][0, g.seat]) >> CARDS["Crossroads"] & 1)
    )  # fmt: skip
    game.record["used"][0, 1] |= np.uint32(1 << CARDS["Crossroads"])
    assert_refused(game, "used")


def test_empty_supply__but_the_game_goes_on__is_refused() -> None:
    game = walk(2, "Salvage", None, 3, lambda g: g.round == 9 and g.phase == "before" and g.seat == 0)
    game.record["houses_left"][0, 1] = game.record["forts_left"][0, 1] = 0
    assert_refused(game, "houses_left")


def test_wolves__more_houses_gone_than_turns__are_refused() -> None:
    game = walk(2, "Furs", "Wolves", 3, lambda g: g.round == 2)
    game.record["houses_left"][0, 0] -= 3
    assert_refused(game, "houses_left")


def test_wolves__a_fort_gone__is_taken_and_more_than_turns_are_refused() -> None:
    def forts_gone(game: wk.Game) -> int:
        player = game.snapshot()["players"][game.seat]
        return 4 - player["forts_left"] - len(player["forts"])

    game = walk(2, "Furs", "Wolves", 3, lambda g: g.phase == "before" and forts_gone(g) == 1)
    wk.from_bytes(game.to_bytes())
    game.record["houses_left"][0, game.seat] -= game.round
    with pytest.raises(ValueError, match=r"lack [0-9]+ pieces, more than wolves can have taken"):
        wk.from_bytes(game.to_bytes())


def test_forts_lost__without_salvage_and_wolves__are_refused() -> None:
    game = walk(2, "Furs", None, 3, lambda g: g.round == 3 and g.record["forts_left"][0, 0] > 1)
    game.record["forts_left"][0, 0] -= 1
    assert_refused(game, "forts_left")


def test_begun__not_a_beginning__is_refused() -> None:
    game = walk(2, "Furs", None, 3, lambda g: g.round == 2)
    game._begun = game.record.copy()
    with pytest.raises(ValueError, match="begun is not the start"):
        pickle.loads(pickle.dumps(game))


def test_card_in_hand_and_in_play__says_which() -> None:
    game = walk(2, "Furs", None, 3, lambda g: g.round == 6 and int(g.record["in_play"][0, 1]).bit_count() > 1)
    card = (int(game.record["in_play"][0, 1]) & -int(game.record["in_play"][0, 1])).bit_length() - 1
    game.record["hand"][0, 1] |= np.uint32(1 << card)
    with pytest.raises(ValueError, match=rf"hand\[1\] holds {tables.CARDS[card].name}, which is in in_play\[1\]"):
        wk.from_bytes(game.to_bytes())


def test_from_setup__top_and_bottom_the_same__is_refused_like_a_saved_game() -> None:
    setup = wk.new_game(seed=1).setup()
    setup["bottom_board"] = setup["top_board"]
    with pytest.raises(ValueError, match="two different"):
        wk.from_setup(setup)
    game = own(wk.new_game(seed=1))
    game.board["bottom"] = game.board["top"]
    assert_refused(game, "top")


# The frame around the records


def test_bytes_of_another_layout__are_refused() -> None:
    data = wk.new_game(seed=1).to_bytes()
    size = layout.GAME.itemsize + layout.BOARD.itemsize + 8
    for head in (
        b"winter_kingdom_v1_01234567\0",
        b"winter_kingdom_\0",
        b"winter_kingdom_v1\0",
        b"kingdom_builder_v0\0",
        b"",
    ):
        with pytest.raises(ValueError, match="not a saved Winter Kingdom game of this version"):
            wk.from_bytes(head + data[-size:])


@pytest.mark.parametrize("head", ["winter_kingdom_v0", "winter_kingdom_daa78f5a"], ids=["0.4.0", "0.5.0"])
def test_bytes_of_version_0__are_refused_with_what_to_do(head: str) -> None:
    data = wk.new_game(seed=1).to_bytes()
    for body in (data[-layout.GAME.itemsize :], b""):
        message = "played under the rules of winter_kingdom v0, this is v1; install the winterkingdom_env that saved it"
        with pytest.raises(ValueError, match=message):
            wk.from_bytes(head.encode() + b"\0" + body)


def test_salvaged__where_no_piece_can_have_been_salvaged__is_refused() -> None:
    game = walk(2, "Salvage", None, 7, lambda g: g.phase == "after" and pieces_lost(g) == 0)
    wk.from_bytes(game.to_bytes())
    for value in (1, 2, -1):
        game.record["salvaged"][0] = value
        assert_refused(game, "salvaged")


@pytest.mark.parametrize("phase", ["before", "mandatory", "build", "lift", "move"])
def test_salvaged__before_the_purchase__is_refused(phase: str) -> None:
    game = walk(2, "Salvage", None, 7, lambda g: g.phase == phase and g.round > 3 and pieces_lost(g) > 0)
    wk.from_bytes(game.to_bytes())
    game.record["salvaged"][0] = 1
    assert_refused(game, "salvaged")


@pytest.mark.parametrize(("economy", "twist"), [("Furs", "Wolves"), ("Marble", None)])
def test_salvaged__in_another_economy__is_refused(economy: str, twist: str | None) -> None:
    game = walk(2, economy, twist, 7, lambda g: g.phase == "after" and g.round > 3)
    game.record["salvaged"][0] = 1
    assert_refused(game, "salvaged")


def test_salvaged__in_play__is_taken_and_decides_what_is_legal() -> None:
    def unsalvaged(game: wk.Game) -> wk.Game:  # the same table, had the pieces gone in an earlier turn
        other = own(game)
        other.record["salvaged"][0] = 0
        return wk.from_bytes(other.to_bytes())

    def uses(game: wk.Game) -> bool:
        return any(game.label(action).startswith("use ") for action in game.legal_actions())

    game = walk(2, "Salvage", None, 7, lambda g: g.snapshot()["turn"]["salvaged"] and uses(unsalvaged(g)))
    loaded = wk.from_bytes(game.to_bytes())
    assert loaded.phase == "after" and loaded == game and not uses(loaded)


def test_check__a_record_changed_in_place__is_refused() -> None:
    game = wk.new_game(seed=1)
    game.check()
    game.record["seat"] = 5
    with pytest.raises(ValueError, match="refused: seat is 5"):
        game.check()
