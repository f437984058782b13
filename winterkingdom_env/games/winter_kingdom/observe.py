"""The observation of a seat: its specification, and the kernel that writes its packed form.

Seats are relative to the observing seat: seat 0 of a plane or field is the seat itself, 1 the next seat, and so on. Hidden are the others'
hands and terrain cards (the seat to move has revealed its own), the order of the piles and the random stream. Only the seat to move
sees what is legal: what another seat can buy would reveal its hand.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.hexset import load, no_hexes, one_hex, store_rows
from winterkingdom_env.core.observation import Field, Kind, News, Plane, Spec
from winterkingdom_env.games.winter_kingdom import tables
from winterkingdom_env.games.winter_kingdom.layout import (
    FORTS,
    HAND_SIZE,
    HOUSES,
    MANDATORY_PIECES,
    MAX_PLAYERS,
    MOST_COINS,
    N_ABILITIES,
    N_BOARDS,
    N_CARD_TERRAINS,
    N_CARDS,
    N_ECONOMIES,
    N_SCORING,
    N_TERRAIN_CARDS,
    N_TERRAINS,
    N_TWISTS,
    NONE,
    ROUND_LIMIT,
    ROWS,
    SCORING_IN_PLAY,
    TERRAIN_CARD_COPIES,
    TRIPLE_USES,
    Measure,
    Phase,
)

U32 = np.uint32
I64 = np.int64
U64 = np.uint64
COLUMNS = ROWS
# House rules allow -10 to 20 points for each thing that a card counts. Mountain areas give the highest count: a piece touches at most three.
MOST_THINGS = 3 * (HOUSES + FORTS)
MOST_CHANGE = 30  # of a number that a card says, under any house rules
SCORE_SCALE: float = 50  # divides points in rewards; random play ends with 30 to 60 points per seat

SEATS = ("own", "next seat's", "second next seat's", "third next seat's")
SHEET = SCORING_IN_PLAY + 1


def _planes() -> tuple[Plane, ...]:
    land, others = News.GAME, News.SEAT
    return (
        *(Plane(f"houses_{i}", f"{whose} houses", others if i else News.TURN) for i, whose in enumerate(SEATS)),
        *(Plane(f"forts_{i}", f"{whose} forts", others if i else News.TURN) for i, whose in enumerate(SEATS)),
        *(Plane(name.replace(" ", "_"), f"hexes of {name}", land) for name in tables.TERRAIN_NAMES),
        *(Plane(f"board_{i}", "the centre board" if i == 0 else f"outer board {i}", land) for i in range(N_BOARDS)),
        Plane("edge", "hexes on the outer edge", land),
        Plane("top_board", "the board agreed to be on top", land),
        Plane("bottom_board", "the board agreed to be at the bottom", land),
        Plane("legal_house", "hexes where `house` is legal now for the observer"),
        Plane("legal_fort", "hexes where `fort` is legal now for the observer"),
        Plane("legal_lift", "hexes where `lift` is legal now for the observer"),
        Plane("placed", "mandatory pieces built this turn"),
        Plane("lifted", "the house being moved"),
        Plane("came_to", "the hex to which the use in progress last moved a house"),
        Plane("left", "the hex from which it moved that house"),
    )


def _change(name: str, text: str, count: int = 1) -> Field:
    return Field(name, text, Kind.NUMBER, count=count, scale=2, least=-MOST_CHANGE, most=MOST_CHANGE, news=News.GAME)


def _fields() -> tuple[Field, ...]:
    bits, choice, number, seats = Kind.BITS, Kind.CHOICE, Kind.NUMBER, MAX_PLAYERS
    return (
        Field("coins", "coins, per seat", number, count=seats, scale=10, most=MOST_COINS),
        Field("houses_left", "houses in the supply, per seat", number, count=seats, scale=HOUSES, most=HOUSES),
        Field("forts_left", "forts in the supply, per seat", number, count=seats, scale=FORTS, most=FORTS),
        Field("n_hand", "cards in hand, per seat", number, count=seats, scale=HAND_SIZE, most=HAND_SIZE),
        Field("in_play", "cards in play, per seat; the last one is the tunnel card", bits, N_CARDS, seats),
        Field("upgraded", "cards upgraded, per seat", bits, N_ABILITIES, seats),
        Field("hand", "own hand", bits, N_ABILITIES),
        Field("used", "halves I, then halves II, that the seat to move has used this turn", bits, N_CARDS, 2),
        Field(
            "sheet", "points if the game ended now, per seat: each Winter Kingdom card in play, then castles",
            number, count=seats * SHEET, scale=20, least=-10 * MOST_THINGS, most=20 * MOST_THINGS,
        ),
        Field("n_players", "number of players: 2, 3, 4", choice, MAX_PLAYERS - 1),
        Field("seat", "own position in the order of the round", choice, MAX_PLAYERS),
        Field("mover", "the seat to move: the observer, the next seat, ...; none after the end", choice, MAX_PLAYERS),
        Field("phase", "phase (turn.md)", choice, len(Phase)),
        Field("back", "phase to which the use in progress returns", choice, len(Phase)),
        Field("card", "card in use", choice, N_CARDS),
        Field("half", "half in use", choice, 2),
        Field("uses_left", "uses of `triple` left", number, scale=TRIPLE_USES, most=TRIPLE_USES),
        Field("n_placed", "mandatory pieces built this turn", number, scale=MANDATORY_PIECES, most=MANDATORY_PIECES),
        Field("built", "houses built this turn, forts counting two", number, scale=10, most=127),
        Field("salvaged", "whether the seat to move has salvaged a piece this turn", bits),
        Field("round", "round, from 1", number, scale=20, most=ROUND_LIMIT),
        Field("bound_terrain", "terrain that binds the mandatory pieces", choice, N_CARD_TERRAINS),
        Field("own_terrain_card", "own terrain card", choice, N_CARD_TERRAINS),
        Field("mover_terrain_card", "terrain card of the seat to move", choice, N_CARD_TERRAINS),
        Field(
            "discards", "discarded terrain cards, per terrain",
            number, count=N_CARD_TERRAINS, scale=TERRAIN_CARD_COPIES, most=TERRAIN_CARD_COPIES,
        ),
        Field("n_draw", "cards in the draw pile", number, scale=N_TERRAIN_CARDS, most=N_TERRAIN_CARDS),
        Field("scoring", "Winter Kingdom cards in play, each in the place of its points in `sheet`", choice, N_SCORING, SCORING_IN_PLAY, is_name=True, news=News.GAME),
        Field("economy", "economy in play", choice, N_ECONOMIES, is_name=True, news=News.GAME),
        Field("twist", "twist in play", choice, N_TWISTS, is_name=True, news=News.GAME),
        Field("direction", "direction in which Knights counts: row, column, diagonal", choice, 3, news=News.GAME),
        # Changes by house rules; all 0 without house rules.
        _change("cost_changes", "cost of each ability card minus the printed cost: to acquire, then to upgrade", 2 * N_ABILITIES),
        _change("points_changes", "points per counted thing minus the printed points, for each card in play, in the order of `scoring`", SCORING_IN_PLAY),
        _change("threshold_changes", "number of houses that a counted thing needs minus the printed number, for cards with such a number", SCORING_IN_PLAY),
        _change("coins_change", "coins that the economy in play pays minus the printed coins"),
        _change("twist_change", "number of the twist in play minus the printed number"),
    )  # fmt: skip


SPEC = Spec(_planes(), _fields(), ROWS, COLUMNS)

# First rows and words as plain numbers: kernels freeze them.
OWN_HOUSES, OWN_FORTS = SPEC.plane("houses_0"), SPEC.plane("forts_0")  # the other seats' follow
HOUSES_ROW, FORTS_ROW = OWN_HOUSES * ROWS, OWN_FORTS * ROWS
TERRAIN_ROW = SPEC.plane("fell_field") * ROWS
AREA_ROW = SPEC.plane("board_0") * ROWS
TOP_ROW = SPEC.plane("top_board") * ROWS
BOTTOM_ROW = SPEC.plane("bottom_board") * ROWS
LEGAL_ROW = SPEC.plane("legal_house") * ROWS
TURN_ROW = SPEC.plane("placed") * ROWS
LIFTED_ROW = SPEC.plane("lifted") * ROWS
CAME_TO_ROW = SPEC.plane("came_to") * ROWS
LEFT_ROW = SPEC.plane("left") * ROWS
COINS, HOUSES_LEFT, FORTS_LEFT = SPEC.word("coins"), SPEC.word("houses_left"), SPEC.word("forts_left")
IN_PLAY, UPGRADED, N_HAND = SPEC.word("in_play"), SPEC.word("upgraded"), SPEC.word("n_hand")
HAND, USED, POINTS = SPEC.word("hand"), SPEC.word("used"), SPEC.word("sheet")
N_PLAYERS, SEAT, MOVER = SPEC.word("n_players"), SPEC.word("seat"), SPEC.word("mover")
PHASE, BACK, CARD, HALF = SPEC.word("phase"), SPEC.word("back"), SPEC.word("card"), SPEC.word("half")
USES_LEFT, N_PLACED, BUILT, SALVAGED = (SPEC.word(name) for name in ("uses_left", "n_placed", "built", "salvaged"))
ROUND = SPEC.word("round")
BOUND_TERRAIN, OWN_TERRAIN = SPEC.word("bound_terrain"), SPEC.word("own_terrain_card")
MOVER_TERRAIN, DISCARDS, N_DRAW = SPEC.word("mover_terrain_card"), SPEC.word("discards"), SPEC.word("n_draw")
SCORING, ECONOMY, TWIST, DIRECTION = (SPEC.word(name) for name in ("scoring", "economy", "twist", "direction"))
COST_CHANGES, POINTS_CHANGES, THRESHOLD_CHANGES, COINS_CHANGE, TWIST_CHANGE = (
    SPEC.word(name) for name in ("cost_changes", "points_changes", "threshold_changes", "coins_change", "twist_change")
)

# The printed values.
PRINTED_COSTS = np.array([(card.acquire_cost, card.upgrade_cost) for card in tables.ABILITIES])
PRINTED_POINTS = np.array([card.points for card in tables.SCORINGS])
PRINTED_MEASURES = np.array([int(card.measure) for card in tables.SCORINGS])
PRINTED_ARGS = np.array([card.arg for card in tables.SCORINGS])
PRINTED_COINS = np.array([card.coins for card in tables.ECONOMIES])
PRINTED_TWIST_ARGS = np.array([0, *(card.arg for card in tables.TWISTS)])


@kernel(inline=True)
def write_land(board, rules, out):
    """Write the planes that are constant during a game: terrains and boards."""
    for terrain in range(N_TERRAINS):
        store_rows(out, TERRAIN_ROW + terrain * ROWS, load(board["terrain"], terrain), ROWS)
    for area in range(N_BOARDS + 1):  # the boards, then the edge
        store_rows(out, AREA_ROW + area * ROWS, load(rules["area"], area), ROWS)
    store_rows(out, TOP_ROW, load(rules["area"], board["top"]), ROWS)
    store_rows(out, BOTTOM_ROW, load(rules["area"], board["bottom"]), ROWS)


@kernel(inline=True)
def write_table_cards(board, out):
    """Write the shared cards."""
    for i in range(SCORING_IN_PLAY):
        out[SCORING + i] = U32(board["scoring"][i] + 1)
    out[ECONOMY] = U32(board["economy"] + 1)
    out[TWIST] = U32(board["twist"])  # 0 is none
    out[DIRECTION] = U32(board["direction"] + 1)
    out[N_PLAYERS] = U32(board["n_players"] - 1)  # 1, 2, 3 for two, three, four


@kernel(inline=True)
def write_changes(board, out):
    """Write the differences between the cards in play and the printed ones."""
    for card in range(N_ABILITIES):
        for half in range(2):
            out[COST_CHANGES + half * N_ABILITIES + card] = U32(board["cost"][card][half] - PRINTED_COSTS[card, half])
    for i in range(SCORING_IN_PLAY):
        card, measure = I64(board["scoring"][i]), board["measure"][i]
        counts_houses = measure == Measure.IN_LARGEST_GROUP or measure == Measure.BOARDS_WITH
        out[POINTS_CHANGES + i] = U32(board["points"][i] - PRINTED_POINTS[card])
        is_other = counts_houses and measure == PRINTED_MEASURES[card]
        out[THRESHOLD_CHANGES + i] = U32(board["measure_arg"][i] - PRINTED_ARGS[card]) if is_other else U32(0)
    out[COINS_CHANGE] = U32(board["coins"] - PRINTED_COINS[board["economy"]])
    out[TWIST_CHANGE] = U32(board["twist_arg"] - PRINTED_TWIST_ARGS[board["twist"]])


@kernel(inline=True)
def write_seats(seat, n_seats, n_players, game, out):
    """Write the pieces, cards and supplies of the first ``n_seats`` seats, starting with the observer; unused seats stay empty."""
    for i in range(n_seats):
        player = (seat + i) % n_players
        if i >= n_players:
            store_rows(out, HOUSES_ROW + i * ROWS, no_hexes(), ROWS)
            store_rows(out, FORTS_ROW + i * ROWS, no_hexes(), ROWS)
            out[COINS + i] = out[HOUSES_LEFT + i] = out[FORTS_LEFT + i] = U32(0)
            out[N_HAND + i] = out[IN_PLAY + i] = out[UPGRADED + i] = U32(0)
            continue
        store_rows(out, HOUSES_ROW + i * ROWS, load(game["houses"], player), ROWS)
        store_rows(out, FORTS_ROW + i * ROWS, load(game["forts"], player), ROWS)
        out[COINS + i] = U32(game["coins"][player])
        out[HOUSES_LEFT + i] = U32(game["houses_left"][player])
        out[FORTS_LEFT + i] = U32(game["forts_left"][player])
        out[N_HAND + i] = U32(popcount(U64(game["hand"][player])))
        out[IN_PLAY + i] = game["in_play"][player]
        out[UPGRADED + i] = game["upgraded"][player]


@kernel(inline=True)
def write_sheet(seat, n_players, sheet, out):
    """Write the points of each seat, starting with the observer."""
    for i in range(MAX_PLAYERS):
        player = (seat + i) % n_players
        for k in range(SHEET):
            out[POINTS + i * SHEET + k] = U32(sheet[player][k]) if i < n_players else U32(0)


@kernel(inline=True)
def write_piles(game, out):
    """Write the public information about the terrain cards."""
    for terrain in range(N_CARD_TERRAINS):
        out[DISCARDS + terrain] = U32(0)
    for i in range(I64(game["n_discard"])):
        out[DISCARDS + I64(game["discard_pile"][i])] += U32(1)
    out[N_DRAW] = U32(game["n_draw"])


@kernel
def write_hex(row, hex_id, rules, out):
    """Write a plane with one hex in it, or none."""
    store_rows(out, row, no_hexes() if hex_id == NONE else one_hex(rules["cell"][hex_id]), ROWS)


@kernel(inline=True)
def write_turn(game, rules, out):
    """Write the turn fields."""
    placed = no_hexes()
    for i in range(I64(game["n_placed"])):
        placed = placed | one_hex(rules["cell"][game["placed"][i]])
    store_rows(out, TURN_ROW, placed, ROWS)
    write_hex(I64(LIFTED_ROW), I64(game["lifted"]), rules, out)
    write_hex(I64(CAME_TO_ROW), I64(game["came_to"]), rules, out)
    write_hex(I64(LEFT_ROW), I64(game["left"]), rules, out)
    out[USED] = game["used"][0]
    out[USED + 1] = game["used"][1]
    out[PHASE] = U32(game["phase"] + 1)
    out[BACK] = U32(game["back"] + 1)
    out[CARD] = U32(game["card"] + 1)
    out[HALF] = U32(game["half"] + 1)
    out[USES_LEFT] = U32(game["uses_left"])
    out[N_PLACED] = U32(game["n_placed"])
    out[BUILT] = U32(game["built"])
    out[SALVAGED] = U32(game["salvaged"])
    out[ROUND] = U32(game["round"])
    out[BOUND_TERRAIN] = U32(game["terrain"] + 1)


@kernel
def observe(seat, news, game, board, rules, legal, sheet, out):
    """Write the packed observation of a seat into ``out`` (uint32); ``sheet`` are the points if the game ended now.

    ``news``: write only what may have changed. The constant planes are half of the observation.
    """
    n_players, mover = I64(board["n_players"]), I64(game["seat"])
    is_over = game["phase"] == Phase.OVER
    if news == News.GAME:
        write_land(board, rules, out)
        write_table_cards(board, out)
        write_changes(board, out)
    write_seats(seat, 1 if news == News.TURN else MAX_PLAYERS, n_players, game, out)
    if news != News.TURN:
        write_piles(game, out)
    write_sheet(seat, n_players, sheet, out)
    write_turn(game, rules, out)
    is_asked = seat == mover and not is_over
    for kind in range(3):
        store_rows(out, LEGAL_ROW + kind * ROWS, load(legal["hexes"], kind) if is_asked else no_hexes(), ROWS)
    out[HAND] = game["hand"][seat]
    out[SEAT] = U32(seat + 1)
    out[MOVER] = U32(0) if is_over else U32((mover - seat + n_players) % n_players + 1)
    out[OWN_TERRAIN] = U32(game["terrain_card"][seat] + 1)
    out[MOVER_TERRAIN] = U32(0) if is_over else U32(game["terrain_card"][mover] + 1)
