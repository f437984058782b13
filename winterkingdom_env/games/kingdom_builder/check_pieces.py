"""The check of what stands on the board and lies in the supplies of untrusted GAME records: no piece is lost, doubled or misplaced."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from winterkingdom_env.games.kingdom_builder.check_board import CELLS, cells_of, measures_of, range_flaws, sites_with
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Measure, Phase, SiloMode, Terrain, Tile, Unit
from winterkingdom_env.games.kingdom_builder.layout import (
    ISLAND_FIRST,
    LAND,
    MAX_PLAYERS,
    MOST_CARDS,
    MOST_FRAMES,
    MOST_HAND,
    MOST_ROUNDS,
    MOST_SITES,
    N_BASIC,
    N_CARDS,
    N_HEXES,
    N_USES,
    NONE,
    ROWS,
    SCOUTS,
    SETTLEMENTS,
    SIDE,
    SPECIAL,
    TILES_PER_HEX,
    TOKENS,
    WALLS,
    WARRIORS,
    WHOLE,
)
from winterkingdom_env.games.kingdom_builder.rules import make_rules
from winterkingdom_env.games.kingdom_builder.tables import CROSSROADS

HEX = (NONE, N_HEXES - 1)
RANGES = {  # first and last value; the other fields are sets of hexes, sites or tiles, and gold
    **dict.fromkeys(("warriors", "wagon", "ship", "hall", "placed", "lifted", "moving"), HEX),
    **dict.fromkeys(("supply", "held_pieces", "due", "count"), (0, SETTLEMENTS)),
    **dict.fromkeys(("deck", "discards"), (0, N_CARDS - 1)),
    **dict.fromkeys(("hand", "drawn"), (NONE, N_CARDS - 1)),
    **dict.fromkeys(("n_deck", "n_discards", "out"), (0, MOST_CARDS)),
    **dict.fromkeys(("is_end", "repeats", "outpost"), (0, 1)),
    **dict.fromkeys(("tokens", "token_stock"), (0, TOKENS)),
    **dict.fromkeys(("seat", "turn_seat"), (0, MAX_PLAYERS - 1)),
    "lines": (0, (1 << ROWS) - 1),
    "round": (1, MOST_ROUNDS),
    "unit_supply": (0, WARRIORS),
    "bonus_used": (0, (1 << len(Bonus)) - 1),
    "rovers": (0, 15),
    "n_hand": (0, MOST_HAND),
    "tiles_left": (0, TILES_PER_HEX),
    "frames": (0, MOST_SITES),
    "n_frames": (0, MOST_FRAMES),
    "walls_left": (0, WALLS),
    "phase": (0, len(Phase) - 1),
    "resumed": (NONE, Phase.CATHEDRAL),
    "n_placed": (0, 3),
    "n_pieces": (2, 3),
    "terrain": (NONE, Terrain.SWAMP),
    "played": (NONE, MOST_HAND - 1),
    "extra_cards": (0, MOST_SITES),
    "use": (NONE, N_USES - 1),
    "lifted_unit": (0, Unit.SHIP),
    "back": (NONE, Phase.AFTER),
    "silos": (0, 127),
    "silo_mode": (0, len(SiloMode) - 1),
    "spare": (0, 0),
}
AT_REST = {  # of a seat that is not in the game
    0: ("pieces", "near", "took", "held", "fresh", "used", "lines", "paid", "supply", "unit_supply", "tokens", "held_pieces",
        "due", "bonus_used", "rovers", "n_hand"),
    NONE: ("warriors", "wagon", "ship", "hall", "hand"),
}  # fmt: skip
HEX_AT: list[list[int]] = make_rules()["hex_at"][0].tolist()
STEPS = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


def lifter_of(game: np.void) -> int:
    """The seat whose piece is lifted; NONE if none is."""
    return NONE if game["lifted"] == NONE else int(game["seat"])


def piece_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with things on the board and in supplies. Each check relies on those before it."""
    n_players = int(board["n_players"])
    yield from range_flaws(game, RANGES)
    for name in ("seat", "turn_seat"):
        if game[name] >= n_players:
            yield f"{name} is {game[name]}, with {n_players} players"
    for value, names in AT_REST.items():
        for name in names:
            if (game[name][n_players:] != value).any():
                yield f"{name} of a seat that is not in the game is not {value}"
    yield from _place_flaws(game, board)
    for seat in range(n_players):
        yield from _hall_flaws(seat, game, board)
        yield from _unit_flaws(seat, game)
        yield from _supply_flaws(seat, game, board)
    yield from _line_flaws(game, board)
    yield from _stock_flaws(game, board)


def _place_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """Every hex has at most one thing, and special hexes have none."""
    ground = cells_of(board["terrain"][WHOLE]) & ~cells_of(board["terrain"][SPECIAL])
    seen = 0
    for seat in range(board["n_players"]):
        pieces = cells_of(game["pieces"][seat])
        if pieces & ~ground:
            yield f"pieces of seat {seat} has a hex that does not exist or is special"
        if pieces & seen:
            yield f"pieces of seat {seat} has a hex with a piece of another seat"
        if pieces and game["round"] == 1 and seat > game["turn_seat"]:
            yield f"pieces of seat {seat} is not empty before its first turn"
        seen |= pieces
    on_cards = sum(cells_of(board["terrain"][terrain]) for terrain in range(N_BASIC + 1))
    for name, allowed in (("walls", on_cards), ("scouts", ground)):
        cells = cells_of(game[name])
        if cells & ~allowed:
            yield f"{name} has a hex on which none can be"
        if cells & seen:
            yield f"{name} has a hex with something else"
        seen |= cells
    if cells_of(game["scouts"]).bit_count() > SCOUTS:
        yield f"scouts has more than {SCOUTS} hexes"
    lifted = int(game["lifted"])
    if lifted != NONE and not (ground & ~seen) >> CELLS[lifted] & 1:
        yield f"lifted is {lifted}, a hex that no piece can have left"


def around(centre: int) -> list[int]:
    """A hex and its neighbours; NONE where there is none."""
    row, column = divmod(CELLS[centre], 32)
    first, last = (0, SIDE) if centre < ISLAND_FIRST else (SIDE, ROWS)
    return [
        HEX_AT[row + down][column + right] if first <= row + down < last and column + right >= 0 else NONE
        for down, right in STEPS
    ]


def hall_cells(seat: int, game: np.void) -> int:
    """The seven hexes of a city hall that was checked; empty without one."""
    centre = int(game["hall"][seat])
    return 0 if centre == NONE else sum(1 << CELLS[hex_id] for hex_id in around(centre))


def _hall_flaws(seat: int, game: np.void, board: np.void) -> Iterator[str]:
    centre = int(game["hall"][seat])
    if centre == NONE:
        return
    if NONE in around(centre) or hall_cells(seat, game) & ~(
        cells_of(game["pieces"][seat]) & cells_of(board["terrain"][LAND])
    ):
        yield f"hall of seat {seat} is {centre}, which lacks one of its seven pieces on land"


def _unit_flaws(seat: int, game: np.void) -> Iterator[str]:
    """Units stand on own pieces, each on one of its own."""
    first, second = game["warriors"][seat].tolist()
    if second != NONE and not NONE < first < second:
        yield f"warriors of seat {seat} is {[first, second]}; they are ascending, then {NONE}"
    free = cells_of(game["pieces"][seat]) & ~hall_cells(seat, game)
    for name in ("warriors", "wagon", "ship"):
        for hex_id in np.ravel(game[name][seat]).tolist():
            if hex_id == NONE:
                continue
            if not free >> CELLS[hex_id] & 1:
                yield f"{name} of seat {seat} has hex {hex_id}, without a piece of its own"
            free &= ~(1 << CELLS[hex_id])


def _supply_flaws(seat: int, game: np.void, board: np.void) -> Iterator[str]:
    """No settlement and no unit is lost or doubled."""
    lifted = Unit(game["lifted_unit"]) if lifter_of(game) == seat else None
    n_warriors = int((game["warriors"][seat] != NONE).sum())
    units = [n_warriors, *(int(game[name][seat] != NONE) for name in ("wagon", "ship", "hall"))]
    n_settlements = (cells_of(game["pieces"][seat]) & ~hall_cells(seat, game)).bit_count() - sum(units[:3])
    if lifted == Unit.SETTLEMENT:
        n_settlements += 1
    elif lifted is not None:
        units[lifted - 1] += 1
    n_settlements += int(game["lines"][seat]).bit_count()
    n_settlements += sum(int(game[name][seat]) for name in ("supply", "held_pieces", "due"))
    if n_settlements != SETTLEMENTS:
        yield f"supply of seat {seat} is {game['supply'][seat]}, which makes {n_settlements} settlements in all"
    wanted = [WARRIORS, 1, 1, 1] if board["sets"] & CROSSROADS else [0, 0, 0, 0]
    found = [n + int(left) for n, left in zip(units, game["unit_supply"][seat], strict=True)]
    if found != wanted:
        yield f"unit_supply of seat {seat} is {game['unit_supply'][seat].tolist()}, which makes {found} units in all"
    if game["due"][seat] and not sites_with(board, Tile.TEMPLE) & int(game["took"][seat]):
        yield f"due of seat {seat} is {game['due'][seat]}, although it never had a temple"


def _line_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """Markers of Mayors: one per line of the board (p. 23)."""
    n_rows = (SIDE if board["island"] == NONE else ROWS) if Measure.MARKED_LINES in measures_of(board) else 0
    seen = 0
    for seat, lines in enumerate(game["lines"].tolist()):
        if lines >> n_rows or lines & seen:
            yield f"lines of seat {seat} is {lines:#x}, with a line that has no marker or another one"
        seen |= lines


def _stock_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """Walls and tokens."""
    n_walls = cells_of(game["walls"]).bit_count()
    if n_walls + game["walls_left"] != WALLS:
        yield f"walls_left is {game['walls_left']}, with {n_walls} walls on the board"
    if game["tokens"].sum() + game["token_stock"] != TOKENS:
        yield f"token_stock is {game['token_stock']}, with tokens {game['tokens'].tolist()}"
    cathedrals = sites_with(board, Tile.CATHEDRAL)
    for seat, n_tokens in enumerate(game["tokens"].tolist()):
        if n_tokens and not cathedrals & int(game["held"][seat]):
            yield f"tokens of seat {seat} is {n_tokens}, without a cathedral"
    if n_walls and not any(sites_with(board, Tile.QUARRY) & took for took in game["took"].tolist()):
        yield "walls is not empty, although nobody had a quarry"
