"""Records from outside: whatever play reaches is taken, whatever it cannot reach is refused by the name of its field, or does no harm."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.kingdom_builder.differential.lockstep import options_of
from tests.kingdom_builder.kernel_table import KernelMake, KernelTable
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.games.kingdom_builder import furnish, hidden, layout, pieces, tables, turn
from winterkingdom_env.games.kingdom_builder.check import flaw
from winterkingdom_env.games.kingdom_builder.kinds import Phase, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import NONE
from winterkingdom_env.games.kingdom_builder.rules import make_rules

GAME_FIELDS = [name for name in layout.GAME.names or () if name != "rng"]  # every 64 bits are a state of the stream
BOARD_FIELDS = list(layout.BOARD.names or ())
GAMES_PER_NUMBER = 4  # of players
QUADRANTS = (
    ("canoe", "cityhall", "cathedral", "quarry"),
    ("temple", "bazaar", "mountainstation", "lighthouse"),
    ("canoe", "barracks", "university", "caravan"),
)
SCORING = (("Mayors", "Rovers", "Lords"), ("Families", "Scouts", "Knights"), ("Shepherds", "Ambassadors", "Hermits"))
RULES = make_rules()[0]
CELLS = RULES["cell"]


def rich_options(number: int) -> dict[str, Any]:
    """A set-up in which rare phases are frequent."""
    chosen = {
        "num_players": 2 + number % 4,
        "quadrants": [(name, number % 2) for name in QUADRANTS[number % 3]],
        "scoring": SCORING[number // 2 % 3],
        "sets": list(tables.SETS),
        "island": "random" if number % 2 else None,
        "caves": True,
        "round_limit": 100,
    }
    return options_of(number) | chosen


def choose(table: KernelTable, dice: random.Random) -> int:
    """A random action, with a liking for special actions and for hexes with tiles."""
    legal = table.legal_actions()
    fresh = ~table.game["took"][table.game["seat"]]
    sites = [action for action in legal if action < layout.N_HEXES and table.board["sites_at"][action] & fresh]
    uses = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
    wanted = sites if sites and dice.random() < 0.6 else uses if uses and dice.random() < 0.5 else legal
    return dice.choice(wanted)


def step(table: KernelTable, action: int) -> None:
    """Apply a legal action."""
    assert not turn.advance(table.game, np.int64(action), table.board, RULES, table.legal)


def play(table: KernelTable, seed: int) -> Iterator[KernelTable]:
    """The table at every step of a random game."""
    dice = random.Random(seed)
    yield table
    while table.game["phase"] != Phase.OVER:
        step(table, choose(table, dice))
        yield table


def copy_of(table: KernelTable) -> KernelTable:
    """A copy, to be changed."""
    other = KernelTable()
    other.games[:], other.boards[:], other.legals[:] = table.games, table.boards, table.legals
    return other


def is_taken(table: KernelTable) -> bool:
    """Whether the records pass as a saved game: without a flaw, and at a decision."""
    if flaw(table.game, table.board):
        return False
    other = copy_of(table)
    other.find()
    is_over = table.game["phase"] == Phase.OVER
    return other.games.tobytes() == table.games.tobytes() and bool(other.legal_actions()) != is_over


@cache
def positions() -> dict[Phase, list[KernelTable]]:
    """Some positions of each phase, from the third round on, each of another game."""
    found: dict[Phase, dict[int, KernelTable]] = {phase: {} for phase in Phase}
    for number in range(60):
        for table in play(KernelMake().setup(rich_options(number)), number):
            here = found[Phase(table.game["phase"])]
            if table.game["round"] > 2 and len(here) < 3 and number not in here:
                here[number] = copy_of(table)
        if all(len(here) > 1 for here in found.values()):
            break
    return {phase: list(here.values()) for phase, here in found.items()}


def position(phase: Phase) -> KernelTable:
    """A position of a phase, to be changed."""
    return copy_of(positions()[phase][0])


def assert_refused(table: KernelTable, field: str) -> None:
    """The position is refused, and the field is named first."""
    words = flaw(table.game, table.board)
    assert words.split(" ")[0] == field, words or "no flaw"


def renew(table: KernelTable) -> None:
    """Derive again what is derived: a forger would do so, too."""
    furnish.furnish(table.board, RULES)
    pieces.find_facts(table.game, table.board, RULES)


# What play reaches


@pytest.mark.parametrize("players", range(2, layout.MAX_PLAYERS + 1))
def test_every_position_of_whole_games__is_taken_and_so_is_what_a_seat_imagines(players: int) -> None:
    numbers = [number for number in range(40) if options_of(number)["num_players"] == players][:GAMES_PER_NUMBER]
    tables_of = [KernelMake().setup(options_of(number)) for number in numbers]
    tables_of += [KernelMake().setup(rich_options(players - 2 + 4 * k)) for k in range(2)]
    dice = random.Random(players)
    for number, first in enumerate(tables_of):
        for table in play(first, number):
            assert flaw(table.game, table.board) == "", f"game {number}, phase {table.game['phase']}"
            if dice.random() < 0.1:
                other = copy_of(table)
                hidden.deal_hidden(np.int64(dice.randrange(players)), other.game, other.board)
                assert flaw(other.game, other.board) == ""


def test_every_phase__has_positions_and_they_are_taken() -> None:
    for phase, found in positions().items():
        assert found, f"no position of phase {phase.name}"
        assert all(is_taken(table) for table in found)


def test_round_limit__a_game_that_ends_by_it__is_taken() -> None:
    options = rich_options(0) | {"round_limit": 2}
    *_, table = play(KernelMake().setup(options), 1)
    assert table.game["round"] == 2 and is_taken(table)
    table.board["round_limit"] = 3
    assert_refused(table, "phase")


# One field after the other


@pytest.mark.parametrize("name", GAME_FIELDS)
def test_one_field_of_the_game_beyond_everything__is_refused_by_name(name: str) -> None:
    table = position(Phase.AFTER)
    field = table.games[name].reshape(-1)
    field[-1] = np.iinfo(field.dtype).max
    assert_refused(table, name)


@pytest.mark.parametrize("name", BOARD_FIELDS)
def test_one_field_of_the_board_beyond_everything__is_refused_by_name(name: str) -> None:
    table = position(Phase.AFTER)
    field = table.boards[name].reshape(-1)
    field[-1] = np.iinfo(field.dtype).max
    assert_refused(table, name)


def assert_harmless(table: KernelTable, dice: random.Random) -> None:
    """Play some steps."""
    for _ in range(200):
        table.find()
        if table.game["phase"] == Phase.OVER:
            break
        step(table, dice.choice(table.legal_actions()))
    assert 0 <= table.game["phase"] <= Phase.OVER
    assert len(table.scores()) == table.board["n_players"]


@pytest.mark.parametrize("name", [*GAME_FIELDS, *BOARD_FIELDS[:-1]])
def test_any_value_in_a_field__is_refused_or_can_be_played(name: str) -> None:
    dice = random.Random(zlib.crc32(name.encode()))
    for phase in dice.sample(list(Phase), 4):
        table = position(phase)
        field = (table.games if name in GAME_FIELDS else table.boards)[name].reshape(-1)
        info, good, size = np.iinfo(field.dtype), table.games.copy(), field.size
        lands = table.boards.copy()
        for value in (int(info.min), int(info.max), NONE, 0, 1, 2, 3, dice.randint(0, int(info.max))):
            table.games[:], table.boards[:] = good, lands
            place = dice.randrange(size)
            field[place] = np.array(value).astype(field.dtype)
            if is_taken(table):
                assert_harmless(table, dice)


# What no single range can show


def mine(table: KernelTable) -> int:
    return int(table.game["turn_seat"])


def add(table: KernelTable, name: str, seat: int, hex_id: int) -> None:
    table.game[name][seat][CELLS[hex_id] >> 5] |= np.uint32(1 << (CELLS[hex_id] & 31))


def a_hex(table: KernelTable, terrain: Terrain, is_free: bool = True) -> int:
    taken = table.game["taken"][0]
    return next(
        hex_id
        for hex_id in range(layout.ISLAND_FIRST)
        if table.board["terrain_at"][hex_id] == terrain
        and (taken[CELLS[hex_id] >> 5] >> (CELLS[hex_id] & 31) & 1 == 0) == is_free
    )


def on_a_location(table: KernelTable) -> None:
    add(table, "pieces", 0, int(table.board["site_hex"][0]))
    table.game["supply"][0] -= 1


def two_pieces_on_a_hex(table: KernelTable) -> None:
    table.game["pieces"][1] = table.game["pieces"][0]


def one_settlement_more(table: KernelTable) -> None:
    table.game["supply"][0] += 1


def one_wagon_more(table: KernelTable) -> None:
    table.game["unit_supply"][0][1] += 1


def a_ship_without_a_piece(table: KernelTable) -> None:
    table.game["ship"][0] = a_hex(table, Terrain.WATER)
    table.game["unit_supply"][0][2] = 0


def a_hall_on_the_edge(table: KernelTable) -> None:
    table.game["hall"][0] = 0
    table.game["unit_supply"][0][3] = 0


def a_wall_more(table: KernelTable) -> None:
    table.game["walls_left"] -= 1


def a_token_more(table: KernelTable) -> None:
    table.game["token_stock"] -= 1


def six_of_a_terrain(table: KernelTable) -> None:
    kinds = [card for card in range(layout.N_BASIC) if card != table.game["hand"][0][0]]
    table.game["hand"][0][0] = kinds[0]


def a_longer_deck(table: KernelTable) -> None:
    table.game["n_deck"] += 1


def a_tile_never_taken(table: KernelTable) -> None:
    site = next(site for site in range(layout.MOST_SITES) if not table.game["took"][0] >> np.uint32(site) & 1)
    table.game["held"][0] |= np.uint32(1 << site)


def a_tile_from_afar(table: KernelTable) -> None:
    site = next(
        site
        for site in range(table.board["n_sites"])
        if table.game["tiles_left"][site] == layout.TILES_PER_HEX and table.board["site_tile"][site] != Tile.CATHEDRAL
    )
    table.game["held"][0] |= np.uint32(1 << site)
    table.game["took"][0] |= np.uint32(1 << site)
    table.game["tiles_left"][site] -= 1


def a_tile_twice(table: KernelTable) -> None:
    site = next(site for site in range(table.board["n_sites"]) if table.game["tiles_left"][site] == 1)
    table.game["tiles_left"][site] += 1


def gold_for_nothing(table: KernelTable) -> None:
    table.game["paid"][0][layout.TREASURE_PAID] += 1


def ended_for_nothing(table: KernelTable) -> None:
    table.game["is_end"] = 1


def another_seat(table: KernelTable) -> None:
    table.game["seat"] = (mine(table) + 1) % table.board["n_players"]


def later_than_the_limit(table: KernelTable) -> None:
    table.game["round"] = table.board["round_limit"] + 1


def a_reaction_to_nothing(table: KernelTable) -> None:
    table.game["n_frames"] = 1


def a_card_that_is_not_in_hand(table: KernelTable) -> None:
    table.game["played"] = table.game["n_hand"][mine(table)]


def a_lake(table: KernelTable) -> None:
    table.board["terrain_at"][a_hex(table, Terrain.DESERT)] = Terrain.WATER


def no_site(table: KernelTable) -> None:
    table.board["terrain_at"][table.board["site_hex"][0]] = Terrain.GRASS


def a_foreign_tile(table: KernelTable) -> None:
    table.board["site_tile"][0] = Tile.PADDOCK


def a_cave_in_a_lake(table: KernelTable) -> None:
    table.board["cave"][0] = a_hex(table, Terrain.WATER)


def a_capitol_in_a_lake(table: KernelTable) -> None:
    table.board["capitol"][0] = a_hex(table, Terrain.WATER)


def the_same_card_twice(table: KernelTable) -> None:
    table.board["scoring"][1] = table.board["scoring"][0]


def the_same_quadrant_twice(table: KernelTable) -> None:
    table.board["quadrant"][1] = table.board["quadrant"][0]


def other_players(table: KernelTable) -> None:
    table.board["n_players"] = 1


FORGERIES: list[tuple[Callable[[KernelTable], None], str]] = [
    (on_a_location, "pieces"), (two_pieces_on_a_hex, "pieces"), (one_settlement_more, "supply"), (one_wagon_more, "unit_supply"),
    (a_ship_without_a_piece, "ship"), (a_hall_on_the_edge, "hall"), (a_wall_more, "walls_left"), (a_token_more, "token_stock"),
    (six_of_a_terrain, "deck,"), (a_longer_deck, "deck,"), (a_tile_never_taken, "held"), (a_tile_from_afar, "held"), (a_tile_twice, "tiles_left"),
    (gold_for_nothing, "paid"), (ended_for_nothing, "is_end"), (another_seat, "seat"),
    (later_than_the_limit, "round"), (a_reaction_to_nothing, "n_frames"), (a_card_that_is_not_in_hand, "played"), (no_site, "n_sites"),
    (a_foreign_tile, "site_tile"), (a_cave_in_a_lake, "cave"), (a_capitol_in_a_lake, "capitol"), (the_same_card_twice, "scoring"),
    (the_same_quadrant_twice, "quadrant"), (other_players, "n_players"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "field"), FORGERIES)
def test_what_does_not_fit_together__is_refused_by_name(change: Callable[[KernelTable], None], field: str) -> None:
    table = position(Phase.AFTER)
    change(table)
    renew(table)
    assert_refused(table, field)


def test_terrain__changed_without_the_sets__is_refused() -> None:
    table = position(Phase.AFTER)
    a_lake(table)
    assert_refused(table, "terrain")


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.AFTER])
def test_another_phase__with_the_registers_of_after__is_refused(phase: Phase) -> None:
    table = position(Phase.AFTER)
    table.game["phase"] = phase
    assert not is_taken(table)


@pytest.mark.parametrize("phase", [Phase.MOVE, Phase.SILO_MOVE])
def test_lifted__where_a_piece_stands__is_refused(phase: Phase) -> None:
    table = position(phase)
    table.game["lifted"] = a_hex(table, Terrain.GRASS, is_free=False)
    assert_refused(table, "lifted")


@pytest.mark.parametrize("phase", [phase for phase in Phase if Phase.BUILD <= phase <= Phase.CATHEDRAL])
def test_use__of_another_form__is_refused(phase: Phase) -> None:
    table = position(phase)
    form = tables.USES[table.game["use"]].form
    for number, use in enumerate(tables.USES):
        if use.form != form:
            table.game["use"] = number
            assert flaw(table.game, table.board)


def test_react__frames_of_another_seat__are_refused() -> None:
    table = position(Phase.REACT)
    table.game["frames"][0][0] = (mine(table) + 1) % table.board["n_players"]
    assert_refused(table, "frames")


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.SILO])
def test_end__although_nobody_has_built_the_last_settlement__is_refused(phase: Phase) -> None:
    table = position(phase)
    table.game["is_end"] = 0
    assert_refused(table, "phase")


def test_silo__more_silos_than_there_are__are_refused() -> None:
    table = position(Phase.SILO)
    table.game["silos"] = 100
    assert_refused(table, "silos")


def test_records__are_not_changed_by_the_check() -> None:
    for found in positions().values():
        games, boards = found[0].games.tobytes(), found[0].boards.tobytes()
        copy = aligned(1, layout.GAME)
        copy[:] = found[0].games
        assert flaw(copy[0], found[0].board) == ""
        assert (found[0].games.tobytes(), found[0].boards.tobytes()) == (games, boards) and copy.tobytes() == games
