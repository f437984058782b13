"""The observation of a seat: its specification, and the kernel that writes its packed form.

Seats are relative to the observing seat: seat 0 of a plane or field is the seat itself, 1 the next seat, and so on. Hidden are the others'
terrain cards (the seat whose turn it is has laid its hand open), the order of the deck and the random stream. Only the seat to move sees
what is legal.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.hexset import load, no_hexes, one_hex, store_rows
from winterkingdom_env.core.observation import Field, Kind, News, Plane, Spec
from winterkingdom_env.games.kingdom_builder import house, tables
from winterkingdom_env.games.kingdom_builder.hidden import is_hidden
from winterkingdom_env.games.kingdom_builder.layout import (
    CARD_COPIES,
    COLUMNS,
    MANDATORY_PIECES,
    MAX_PLAYERS,
    MOST_CARDS,
    MOST_FRAMES,
    MOST_HAND,
    MOST_ROUNDS,
    MOST_SITES,
    MOST_TASKS,
    N_BASIC,
    N_CARDS,
    N_HEX_KINDS,
    N_PLACES,
    N_SCORING,
    N_SHEET,
    N_TERRAINS,
    N_TILES,
    N_USES,
    NONE,
    ROWS,
    SCORING_IN_PLAY,
    SETTLEMENTS,
    TOKENS,
    WALLS,
    WARRIORS,
    Bonus,
    Phase,
    SiloMode,
    Task,
    Unit,
)
from winterkingdom_env.games.kingdom_builder.pieces import hall_hexes, hex_set, warrior_hexes
from winterkingdom_env.games.kingdom_builder.tables import CROSSROADS
from winterkingdom_env.games.kingdom_builder.tiles import ready_sites

U32 = np.uint32
I64 = np.int64
U64 = np.uint64
SCORE_SCALE: float = 30  # divides gold in rewards; random play of two ends with 20 to 60 gold per seat
MOST_GOLD = 2000  # of one column, under any house rules
MOST_CHANGE = house.MOST_GOLD
N_UNIT_SUPPLIES = 4
TILE_BITS = 6  # of 1 + the kind of tile on a hex
N_TERRAIN_CHOICES = N_BASIC + 1  # terrains on cards

SEATS = ("own", "next seat's", "second next seat's", "third next seat's", "fourth next seat's")
PLACES = ("top left", "top right", "bottom left", "bottom right")


def _planes() -> tuple[Plane, ...]:
    land = News.GAME
    return (
        *(Plane(f"pieces_{i}", f"{whose} pieces") for i, whose in enumerate(SEATS)),
        Plane("warriors", "warriors of all seats"),
        Plane("wagons", "wagons of all seats"),
        Plane("ships", "ships of all seats"),
        Plane("halls", "hexes of city halls of all seats"),
        Plane("walls", "stone walls"),
        Plane("scouts", "scouts"),
        Plane("blocked", "hexes that touch a warrior"),
        Plane("tiles", "hexes with a tile left"),
        Plane("two_tiles", "hexes with two tiles left"),
        Plane("takeable", "hexes with a tile left from which the observer never took one"),
        Plane("legal_put", "hexes on which the observer may put something now"),
        Plane("legal_take", "hexes from which the observer may take something now"),
        Plane("placed", "mandatory pieces of this turn from the supply"),
        Plane("lifted", "the hex that the lifted piece left"),
        Plane("moving", "the unit that takes steps"),
        *(Plane(name, f"hexes of {name}", land) for name in tables.TERRAIN_NAMES),
        *(
            Plane(
                f"tile_kind_{1 << bit}", f"location and nomad hexes: the digit {1 << bit} of 1 + the kind of tile", land
            )
            for bit in range(TILE_BITS)
        ),
        Plane("caves", "mountains with a cave", land),
        Plane("capitols", "castles with a capitol", land),
        *(Plane(f"quadrant_{i}", f"the quadrant {place}", land) for i, place in enumerate(PLACES)),
    )


def _change(name: str, text: str, count: int = 1) -> Field:
    return Field(name, text, Kind.NUMBER, count=count, scale=2, least=-MOST_CHANGE, most=MOST_CHANGE, news=News.GAME)


def _cards(name: str, text: str) -> Field:
    return Field(name, text, Kind.NUMBER, count=N_CARDS, scale=CARD_COPIES, most=CARD_COPIES)


def _seat_fields() -> tuple[Field, ...]:
    bits, number, seats = Kind.BITS, Kind.NUMBER, MAX_PLAYERS
    return (
        Field("supply", "settlements in the supply, per seat", number, count=seats, scale=SETTLEMENTS, most=SETTLEMENTS),
        Field("units", "warriors, wagon, ship and city hall in the supply, per seat", number, count=seats * N_UNIT_SUPPLIES, most=WARRIORS),
        Field("tokens", "cathedral tokens, per seat", number, count=seats, scale=5, most=TOKENS),
        Field("held_pieces", "settlements lifted by the temple in this turn, per seat", number, count=seats, scale=5, most=SETTLEMENTS),
        Field("due", "settlements that the temple gives back, per seat", number, count=seats, scale=5, most=SETTLEMENTS),
        Field("n_hand", "terrain cards in hand, per seat", number, count=seats, most=MOST_HAND),
        Field("bonus_used", "bonuses used in this turn, per seat: refuge, canoe, farmland, cave", bits, len(Bonus), seats),
        Field("rovers", "quadrants for which Rovers has paid in this turn, per seat", bits, N_PLACES, seats),
        Field("lines", "lines with a marker of Mayors, per seat", bits, ROWS, seats),
        Field("took", "location and nomad hexes, in hex order, from which a seat ever took a tile, per seat", bits, MOST_SITES, seats),
        Field("held", "kinds of tile in front of a seat, per seat", bits, N_TILES, seats),
        Field("ready", "kinds of tile that a seat may use, per seat", bits, N_TILES, seats),
        Field("held_twice", "kinds of which the observer has two tiles", bits, N_TILES),
        Field("ready_twice", "kinds of which the observer may use two tiles", bits, N_TILES),
        Field(
            "sheet", "gold if the game ended now, per seat: scoring cards, tasks, castles, palaces, capitols, treasures",
            number, count=seats * N_SHEET, scale=10, least=0, most=MOST_GOLD,
        ),
    )  # fmt: skip


def _turn_fields() -> tuple[Field, ...]:
    bits, choice, number = Kind.BITS, Kind.CHOICE, Kind.NUMBER
    return (
        Field("seat", "own position in the order of the round", choice, MAX_PLAYERS),
        Field("mover", "the seat to move: the observer, the next seat, ...; none after the end", choice, MAX_PLAYERS),
        Field("turn_seat", "the seat whose turn it is: the observer, the next seat, ...", choice, MAX_PLAYERS),
        Field("phase", "phase (turn_kingdom_builder.md)", choice, len(Phase)),
        Field("resumed", "the phase that goes on after reactions", choice, len(Phase)),
        Field("back", "phase to which the use in progress returns", choice, len(Phase)),
        Field("use", "special action in progress", choice, N_USES),
        Field("repeats", "whether the bazaar carries it out", bits),
        Field("count", "pieces or steps of the use in progress", number, scale=3, most=SETTLEMENTS),
        Field("lifted_unit", "kind of the lifted piece", choice, len(Unit)),
        Field("outpost", "whether an outpost is active", bits),
        Field("drawn", "card that the fort drew", choice, N_CARDS),
        Field("silos", "silo actions left", number, most=N_PLACES),
        Field("silo_mode", "what the silo action in progress does: build, move", choice, len(SiloMode) - 1),
        Field("n_placed", "mandatory pieces of this turn from the supply", number, scale=MANDATORY_PIECES, most=MANDATORY_PIECES),
        Field("n_pieces", "mandatory pieces that the turn asks for", number, scale=MANDATORY_PIECES, most=MANDATORY_PIECES),
        Field("terrain", "terrain that binds the turn", choice, N_TERRAIN_CHOICES),
        Field("played", "played card", choice, N_CARDS),
        Field("extra_cards", "cards more at the end of the turn, by the bazaar", number, most=MOST_HAND),
        Field("used_tiles", "kinds of location tile used in this turn", bits, N_TILES),
        Field("n_frames", "reactions in progress", number, most=MOST_FRAMES),
        Field("is_end", "whether the game ends with this round", bits),
        Field("round", "round, from 1", number, scale=20, most=MOST_ROUNDS),
        Field("rounds_left", "rounds until the limit", number, scale=100, most=MOST_ROUNDS),
        _cards("hand", "own terrain cards, per kind of card"),
        _cards("open_hand", "terrain cards of the seat whose turn it is, per kind of card"),
        _cards("discards", "discarded terrain cards, per kind of card"),
        _cards("out", "terrain cards out of the game, per kind of card"),
        Field("n_deck", "cards in the deck", number, scale=MOST_CARDS, most=MOST_CARDS),
        Field("walls_left", "walls in the supply", number, scale=WALLS, most=WALLS),
        Field("token_stock", "cathedral tokens in the stock", number, scale=TOKENS, most=TOKENS),
    )  # fmt: skip


def _table_fields() -> tuple[Field, ...]:
    choice, game = Kind.CHOICE, News.GAME
    return (
        Field("n_players", "number of players: 2, 3, 4, 5", choice, MAX_PLAYERS - 1, news=game),
        Field("scoring", "scoring cards in play, each in the place of its gold in `sheet`", choice, N_SCORING, SCORING_IN_PLAY, is_name=True, news=game),
        Field("task", "tasks in play, each in the place of its gold in `sheet`", choice, len(Task), MOST_TASKS, is_name=True, news=game),
        Field("removed", "terrain that the scoring card Scouts removed", choice, N_BASIC, news=game),
        _change("gold_changes", "gold of each scoring card in play minus the printed gold", SCORING_IN_PLAY),
        _change("task_changes", "gold of each task in play minus the printed gold", MOST_TASKS),
        _change("landmark_changes", "gold of castles and palaces minus the printed gold", len(tables.LANDMARKS)),
    )  # fmt: skip


SPEC = Spec(_planes(), (*_seat_fields(), *_turn_fields(), *_table_fields()), ROWS, COLUMNS)


# First rows and words as plain numbers: kernels freeze them.
def _row(name: str) -> int:
    return SPEC.plane(name) * ROWS


PIECES_ROW, WARRIORS_ROW, WAGONS_ROW, SHIPS_ROW, HALLS_ROW, WALLS_ROW, SCOUTS_ROW, BLOCKED_ROW = (
    _row(name) for name in ("pieces_0", "warriors", "wagons", "ships", "halls", "walls", "scouts", "blocked")
)
TILES_ROW, TWO_TILES_ROW, TAKEABLE_ROW, LEGAL_ROW, PLACED_ROW, LIFTED_ROW, MOVING_ROW = (
    _row(name) for name in ("tiles", "two_tiles", "takeable", "legal_put", "placed", "lifted", "moving")
)
TERRAIN_ROW, KIND_ROW, CAVES_ROW, CAPITOLS_ROW, QUADRANT_ROW = (
    _row(name) for name in ("grass", "tile_kind_1", "caves", "capitols", "quadrant_0")
)
SUPPLY, UNITS, TOKEN_WORDS, HELD_PIECES, DUE, N_HAND, BONUS_USED, ROVERS, LINES, TOOK = (
    SPEC.word(name)
    for name in ("supply", "units", "tokens", "held_pieces", "due", "n_hand", "bonus_used", "rovers", "lines", "took")
)
HELD, READY, HELD_TWICE, READY_TWICE, GOLD = (
    SPEC.word(name) for name in ("held", "ready", "held_twice", "ready_twice", "sheet")
)
SEAT, MOVER, TURN_SEAT, PHASE, RESUMED, BACK, USE, REPEATS, COUNT, LIFTED_UNIT, OUTPOST, DRAWN, SILOS, SILO_MODE = (
    SPEC.word(name)
    for name in (
        "seat", "mover", "turn_seat", "phase", "resumed", "back", "use", "repeats", "count", "lifted_unit", "outpost", "drawn", "silos", "silo_mode",
    )
)  # fmt: skip
N_PLACED, N_PIECES, BOUND_TERRAIN, PLAYED, EXTRA_CARDS, USED_TILES, N_FRAMES, IS_END, ROUND, ROUNDS_LEFT = (
    SPEC.word(name)
    for name in (
        "n_placed", "n_pieces", "terrain", "played", "extra_cards", "used_tiles", "n_frames", "is_end", "round", "rounds_left",
    )
)  # fmt: skip
HAND, OPEN_HAND, DISCARDS, OUT, N_DECK, WALLS_LEFT, TOKEN_STOCK = (
    SPEC.word(name) for name in ("hand", "open_hand", "discards", "out", "n_deck", "walls_left", "token_stock")
)
N_PLAYERS, SCORING, TASK, REMOVED, GOLD_CHANGES, TASK_CHANGES, LANDMARK_CHANGES = (
    SPEC.word(name)
    for name in ("n_players", "scoring", "task", "removed", "gold_changes", "task_changes", "landmark_changes")
)

# The printed values.
PRINTED_GOLD = np.array([card.gold for card in tables.SCORINGS])
PRINTED_TASKS = np.array([card.gold for card in tables.TASKS])
CASTLE_GOLD, PALACE_GOLD = (landmark.gold for landmark in tables.LANDMARKS)


@kernel(inline=True)
def write_land(board, rules, out):
    """Write the planes that are constant during a game."""
    for terrain in range(N_TERRAINS):
        store_rows(out, TERRAIN_ROW + terrain * ROWS, load(board["terrain"], terrain), ROWS)
    for bit in range(TILE_BITS):
        cells = no_hexes()
        for site in range(I64(board["n_sites"])):
            if board["site_hex"][site] != NONE and ((board["site_tile"][site] + 1) >> bit) & 1:
                cells = cells | one_hex(rules["cell"][board["site_hex"][site]])
        store_rows(out, KIND_ROW + bit * ROWS, cells, ROWS)
    store_rows(out, CAVES_ROW, load(board["caves"], 0), ROWS)
    store_rows(out, CAPITOLS_ROW, load(board["capitols"], 0), ROWS)
    for place in range(N_PLACES):
        store_rows(out, QUADRANT_ROW + place * ROWS, load(rules["area"], place), ROWS)


@kernel(inline=True)
def write_table(board, out):
    """Write the fields that are constant during a game."""
    out[N_PLAYERS] = U32(board["n_players"] - 1)
    for k in range(SCORING_IN_PLAY):
        card = I64(board["scoring"][k])
        out[SCORING + k] = U32(card + 1)
        out[GOLD_CHANGES + k] = U32(board["gold"][k] - PRINTED_GOLD[card])
    for k in range(MOST_TASKS):
        task = I64(board["task"][k])
        out[TASK + k] = U32(task + 1)
        out[TASK_CHANGES + k] = U32(0) if task == NONE else U32(board["task_gold"][k] - PRINTED_TASKS[task])
    out[REMOVED] = U32(board["removed"] + 1)
    out[LANDMARK_CHANGES] = U32(board["castle_gold"] - CASTLE_GOLD)
    out[LANDMARK_CHANGES + 1] = U32(board["palace_gold"] - PALACE_GOLD)


@kernel
def write_kinds(first, sites, board, out):
    """Write the kinds of tile of these sites, a bit each, and return those of which there are two."""
    once, twice, rest = U64(0), U64(0), sites
    while rest:
        bit = U64(1) << U64(board["site_tile"][first_bit(rest)])
        rest &= rest - U32(1)
        twice |= once & bit
        once |= bit
    out[first], out[first + 1] = U32(once & U64(0xFFFFFFFF)), U32(once >> U64(32))
    return twice


@kernel(inline=True)
def write_word(first, word, out):
    """Write the 64 bits of a word."""
    out[first], out[first + 1] = U32(word & U64(0xFFFFFFFF)), U32(word >> U64(32))


@kernel
def write_seat(i, player, game, board, out):
    """Write the fields of the i-th seat from the observer on."""
    out[SUPPLY + i] = U32(game["supply"][player])
    for k in range(N_UNIT_SUPPLIES):
        out[UNITS + i * N_UNIT_SUPPLIES + k] = U32(game["unit_supply"][player][k])
    out[TOKEN_WORDS + i] = U32(game["tokens"][player])
    out[HELD_PIECES + i] = U32(game["held_pieces"][player])
    out[DUE + i] = U32(game["due"][player])
    out[N_HAND + i] = U32(game["n_hand"][player])
    out[BONUS_USED + i] = U32(game["bonus_used"][player])
    out[ROVERS + i] = U32(game["rovers"][player])
    out[LINES + i] = game["lines"][player]
    out[TOOK + i] = game["took"][player]
    held_twice = write_kinds(HELD + 2 * i, game["held"][player], board, out)
    ready_twice = write_kinds(READY + 2 * i, ready_sites(player, game), board, out)
    if i == 0:
        write_word(HELD_TWICE, held_twice, out)
        write_word(READY_TWICE, ready_twice, out)


@kernel
def clear_seats(first, out):
    """Write the seats from ``first`` on, which are not in the game."""
    for i in range(first, MAX_PLAYERS):
        store_rows(out, PIECES_ROW + i * ROWS, no_hexes(), ROWS)
        out[SUPPLY + i] = out[TOKEN_WORDS + i] = out[HELD_PIECES + i] = out[DUE + i] = out[N_HAND + i] = U32(0)
        for k in range(N_UNIT_SUPPLIES):
            out[UNITS + i * N_UNIT_SUPPLIES + k] = U32(0)
        out[BONUS_USED + i] = out[ROVERS + i] = out[LINES + i] = out[TOOK + i] = U32(0)
        for k in range(2):
            out[HELD + 2 * i + k] = out[READY + 2 * i + k] = U32(0)
        for k in range(N_SHEET):
            out[GOLD + i * N_SHEET + k] = U32(0)


@kernel(inline=True)
def write_seats(seat, n_seats, game, board, sheet, out):
    """Write pieces and fields of the first ``n_seats`` seats, starting with the observer, and the gold of all of them."""
    n_players = I64(board["n_players"])
    for i in range(n_seats):
        player = (seat + i) % n_players
        store_rows(out, PIECES_ROW + i * ROWS, load(game["pieces"], player), ROWS)
        write_seat(I64(i), player, game, board, out)
    for i in range(n_players):
        for k in range(N_SHEET):
            out[GOLD + i * N_SHEET + k] = U32(sheet[(seat + i) % n_players][k])


@kernel
def write_units(game, board, rules, out):
    """Write the planes of units and city halls."""
    warriors, wagons, ships, halls = no_hexes(), no_hexes(), no_hexes(), no_hexes()
    for player in range(I64(board["n_players"])):
        warriors = warriors | warrior_hexes(player, game, rules)
        wagons = wagons | hex_set(I64(game["wagon"][player]), rules)
        ships = ships | hex_set(I64(game["ship"][player]), rules)
        halls = halls | hall_hexes(player, game, board, rules)
    store_rows(out, WARRIORS_ROW, warriors, ROWS)
    store_rows(out, WAGONS_ROW, wagons, ROWS)
    store_rows(out, SHIPS_ROW, ships, ROWS)
    store_rows(out, HALLS_ROW, halls, ROWS)
    store_rows(out, BLOCKED_ROW, load(game["blocked"], 0), ROWS)


@kernel(inline=True)
def write_tiles(seat, game, board, rules, out):
    """Write the planes of tiles."""
    for first in (TILES_ROW, TWO_TILES_ROW, TAKEABLE_ROW):
        store_rows(out, first, no_hexes(), ROWS)
    for site in range(I64(board["n_sites"])):
        if game["tiles_left"][site] > 0 and board["site_hex"][site] != NONE:
            cell = rules["cell"][board["site_hex"][site]]
            row, bit = cell >> 5, U32(1) << U32(cell & 31)
            out[TILES_ROW + row] |= bit
            if game["tiles_left"][site] > 1:
                out[TWO_TILES_ROW + row] |= bit
            if (game["took"][seat] >> U32(site)) & U32(1) == 0:
                out[TAKEABLE_ROW + row] |= bit


@kernel
def write_hand(first, player, game, out):
    """Write the cards of a hand, per kind; NONE: of nobody."""
    for card in range(N_CARDS):
        out[first + card] = U32(0)
    if player != NONE:
        for k in range(I64(game["n_hand"][player])):
            out[first + I64(game["hand"][player][k])] += U32(1)


@kernel(inline=True)
def write_piles(game, board, out):
    """Write the public information about cards and supplies."""
    for card in range(N_CARDS):
        out[DISCARDS + card] = U32(0)
        out[OUT + card] = U32(game["out"][card])
    for k in range(I64(game["n_discards"])):
        out[DISCARDS + I64(game["discards"][k])] += U32(1)
    out[N_DECK] = U32(game["n_deck"])
    out[WALLS_LEFT] = U32(game["walls_left"])
    out[TOKEN_STOCK] = U32(game["token_stock"])
    out[IS_END] = U32(game["is_end"])
    out[ROUND] = U32(game["round"])
    out[ROUNDS_LEFT] = U32(board["round_limit"] - game["round"])


@kernel(inline=True)
def write_turn(game, rules, out):
    """Write the turn fields."""
    placed = no_hexes()
    for i in range(MANDATORY_PIECES):
        placed = placed | hex_set(I64(game["placed"][i]), rules)
    store_rows(out, PLACED_ROW, placed, ROWS)
    store_rows(out, LIFTED_ROW, hex_set(I64(game["lifted"]), rules), ROWS)
    store_rows(out, MOVING_ROW, hex_set(I64(game["moving"]), rules), ROWS)
    out[PHASE] = U32(game["phase"] + 1)
    out[RESUMED] = U32(game["resumed"] + 1)
    out[BACK] = U32(game["back"] + 1)
    out[USE] = U32(game["use"] + 1)
    out[REPEATS] = U32(game["repeats"])
    out[COUNT] = U32(game["count"])
    out[LIFTED_UNIT] = U32(0) if game["lifted"] == NONE else U32(game["lifted_unit"] + 1)
    out[OUTPOST] = U32(game["outpost"])
    out[DRAWN] = U32(game["drawn"] + 1)
    out[SILOS] = U32(game["silos"])
    out[SILO_MODE] = U32(game["silo_mode"])
    out[N_PLACED] = U32(game["n_placed"])
    out[N_PIECES] = U32(game["n_pieces"])
    out[BOUND_TERRAIN] = U32(game["terrain"] + 1)
    out[PLAYED] = U32(0) if game["played"] == NONE else U32(game["hand"][game["turn_seat"]][game["played"]] + 1)
    out[EXTRA_CARDS] = U32(game["extra_cards"])
    write_word(USED_TILES, game["used_tiles"], out)
    out[N_FRAMES] = U32(game["n_frames"])


@kernel
def observe(seat, news, game, board, rules, legal, sheet, out):
    """Write the packed observation of a seat into ``out`` (uint32); ``sheet`` is the gold if the game ended now.

    ``news``: write only what may have changed, and units, walls and scouts only if the game can have them. The constant planes are half
    of the observation.
    """
    n_players, mover, turn_seat = I64(board["n_players"]), I64(game["seat"]), I64(game["turn_seat"])
    is_over, is_new = game["phase"] == Phase.OVER, news == News.GAME
    if is_new:
        write_land(board, rules, out)
        write_table(board, out)
        clear_seats(n_players, out)
    # Within a turn, only a sword changes another seat. A seat may be asked for its silos after its own last turn.
    is_own = news == News.TURN and not board["has_swords"] and game["phase"] < Phase.SILO
    write_seats(seat, I64(1) if is_own else n_players, game, board, sheet, out)
    if is_new or board["sets"] & CROSSROADS:
        write_units(game, board, rules, out)
    if is_new or board["has_walls"]:
        store_rows(out, WALLS_ROW, load(game["walls"], 0), ROWS)
    if is_new or board["has_scouts"]:
        store_rows(out, SCOUTS_ROW, load(game["scouts"], 0), ROWS)
    write_tiles(seat, game, board, rules, out)
    write_piles(game, board, out)
    write_turn(game, rules, out)
    is_asked = seat == mover and not is_over
    for kind in range(N_HEX_KINDS):
        store_rows(out, LEGAL_ROW + kind * ROWS, load(legal["hexes"], kind) if is_asked else no_hexes(), ROWS)
    write_hand(I64(HAND), seat, game, out)
    is_open = game["phase"] < Phase.SILO and not is_hidden(turn_seat, seat, game)
    write_hand(I64(OPEN_HAND), turn_seat if is_open else I64(NONE), game, out)
    out[SEAT] = U32(seat + 1)
    out[MOVER] = U32(0) if is_over else U32((mover - seat + n_players) % n_players + 1)
    out[TURN_SEAT] = U32((turn_seat - seat + n_players) % n_players + 1)
