"""The check of the turn in untrusted GAME records: the phase, the registers that it uses, and reactions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.check_board import CELLS, cells_of, sites_with
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Duty, Form, Op, Phase, SiloMode, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import MANDATORY_PIECES, N_BASIC, NONE, SCOUTS, SWAMP_PIECES

PHASES = {  # of a special action, by its form
    Form.BUILD: (Phase.BUILD,),
    Form.MOVE: (Phase.LIFT, Phase.MOVE),
    Form.UNIT: (Phase.UNIT,),
    Form.HALL: (Phase.HALL,),
    Form.WALL: (Phase.WALL,),
    Form.SCOUT: (Phase.SCOUT,),
    Form.REMOVE: (Phase.REMOVE,),
    Form.TEMPLE: (Phase.TEMPLE,),
    Form.CATHEDRAL: (Phase.CATHEDRAL,),
}
OPEN = (Phase.BEFORE, Phase.MANDATORY, Phase.AFTER)
WITH_ARRIVAL = (*OPEN, Phase.BUILD, Phase.LIFT, Phase.UNIT, Phase.CATHEDRAL)  # that a reaction can interrupt
ONCE = (Phase.HALL, Phase.REMOVE, Phase.TEMPLE)
UNIT_FIELDS = {Tile.WAGON: "wagon", Tile.LIGHTHOUSE: "ship"}


def turn_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with the turn. Each check relies on those before it."""
    yield from _end_flaws(game, board)
    yield from _reaction_flaws(game, board)
    phase = Phase(game["resumed"] if game["n_frames"] else game["phase"])
    yield from _rest_flaws(phase, game)
    if phase >= Phase.SILO:
        yield from _silo_flaws(phase, game, board)
        return
    if not game["n_frames"] and game["seat"] != game["turn_seat"]:
        yield f"seat is {game['seat']}, although only seat {game['turn_seat']} can be asked"
    if phase not in OPEN:
        yield from _use_flaws(phase, game, board)
        yield from _step_flaws(phase, game)
    yield from _terrain_flaws(game)
    yield from _placed_flaws(phase, game, board)


def _end_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """The round, and the end that the last settlement of a seat announces (p. 4)."""
    if game["round"] > board["round_limit"]:
        yield f"round is {game['round']}, with a limit of {board['round_limit']} rounds"
    n_players = int(board["n_players"])
    left = (game["supply"] + game["held_pieces"] + game["due"])[:n_players]
    if game["phase"] < Phase.SILO:
        if not left.all() and not game["is_end"]:
            yield "is_end is 0, although a seat has built its last settlement"
        takers = sites_with(board, Tile.SWORD, Tile.TEMPLE)  # they take settlements off the board
        if left.all() and game["is_end"] and not any(took & takers for took in game["took"].tolist()):
            yield "is_end is 1, although every seat has settlements"
    elif not game["is_end"] and game["round"] < board["round_limit"]:
        yield f"phase is {Phase(game['phase']).name.lower()}, although the end was not reached"
    elif game["turn_seat"] != n_players - 1:
        yield f"turn_seat is {game['turn_seat']} after the last turn"


# Reactions --------------------------------------------------------------------------------------------------------------


def _reaction_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """Each reaction but the first is within the one before it, and the seat asked there took the tile (p. 17)."""
    n_frames, n_players = int(game["n_frames"]), int(board["n_players"])
    if (game["phase"] == Phase.REACT) != (n_frames > 0):
        yield f"n_frames is {n_frames}, which does not fit the phase"
    if (game["resumed"] != NONE) != (n_frames > 0) or (n_frames and game["resumed"] not in WITH_ARRIVAL):
        yield f"resumed is {game['resumed']}, which a reaction does not interrupt"
    if game["frames"][n_frames:].any():
        yield f"frames has more than {n_frames} reactions"
    if not n_frames:
        return
    asked = int(game["turn_seat"])
    for taker, n_asked, n_tiles in game["frames"][:n_frames].tolist():
        if taker != asked or n_asked >= n_players or n_tiles < 1:
            yield f"frames has {[taker, n_asked, n_tiles]}, in which seat {asked} must have taken a tile"
        asked = (taker + 1 + n_asked) % n_players
    if game["seat"] != asked:
        yield f"seat is {game['seat']}, but frames asks seat {asked}"
    yield from _canoe_flaws(game, board)


def _canoe_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """Reactions need canoes and hexes whose last tile was taken: so there is room for all of them in the record."""
    canoes, n_frames = sites_with(board, Tile.CANOE), int(game["n_frames"])
    n_empty = int((game["tiles_left"][: board["n_sites"]] == 0).sum())
    if game["frames"][:, 2].sum() > n_empty:
        yield f"frames has more tiles than the {n_empty} hexes without any"
    if n_frames - 1 > sum((used & canoes).bit_count() for used in game["used"].tolist()):
        yield f"n_frames is {n_frames}, more than canoes were used for"
    if not canoes:
        yield f"n_frames is {n_frames}, without canoes"


# Registers --------------------------------------------------------------------------------------------------------------


def _rest_flaws(phase: Phase, game: np.void) -> Iterator[str]:
    """Registers that a phase does not use are at rest."""
    is_use, is_silo = phase not in OPEN and phase < Phase.SILO, phase in (Phase.SILO, Phase.SILO_MOVE)
    in_use = {
        "use": is_use,
        "back": is_use,
        "lifted": phase in (Phase.MOVE, Phase.SILO_MOVE),
        "moving": phase == Phase.UNIT and game["count"] > 0,
        "drawn": phase == Phase.BUILD and game["use"] != NONE and tables.USES[game["use"]].op == Op.DRAWN_CARD,
    }
    for name, is_needed in in_use.items():
        if (game[name] != NONE) != is_needed:
            yield f"{name} is {game[name]}, which does not fit phase {phase.name.lower()}"
    may_be_set = {
        "repeats": is_use,
        "count": is_use or is_silo,
        "lifted_unit": phase in (Phase.MOVE, Phase.SILO_MOVE),
        "outpost": phase in (Phase.MANDATORY, Phase.BUILD, Phase.CATHEDRAL) and not game["n_frames"],
        "silos": is_silo,
        "silo_mode": is_silo,
    }
    for name, is_open in may_be_set.items():
        if game[name] and not is_open:
            yield f"{name} is {game[name]}, which does not fit phase {phase.name.lower()}"


def _use_flaws(phase: Phase, game: np.void, board: np.void) -> Iterator[str]:
    """The special action in progress, and what it needs."""
    use, seat = tables.USES[game["use"]], int(game["turn_seat"])
    if phase not in PHASES[use.form]:
        yield f"use is {use.name}, which does not ask what phase {phase.name.lower()} asks"
    if game["back"] not in (Phase.BEFORE, Phase.AFTER):
        yield f"back is {game['back']}, a phase in which nothing can be used"
    noted = int(game["used_tiles"])
    if isinstance(use.needs, Bonus):
        if game["repeats"] or not game["bonus_used"][seat] >> use.needs & 1:
            yield f"use is {use.name}, which bonus_used lacks"
    elif use.needs in tables.REPEATS or use.needs == Tile.CITY_HALL:
        if not noted >> use.needs & 1:
            yield f"use is {use.name}, which used_tiles lacks"
        if game["repeats"] and (use.needs == Tile.CITY_HALL or not noted >> Tile.BAZAAR & 1):
            yield f"repeats is 1, although no bazaar can repeat {use.name}"
    elif game["repeats"]:
        yield f"repeats is 1, although no bazaar can repeat {use.name}"
    elif not sites_with(board, use.needs) & int(game["used"][seat]):
        yield f"use is {use.name}, a nomad tile that used of seat {seat} lacks"
    if game["drawn"] != NONE and (not game["n_discards"] or game["discards"][game["n_discards"] - 1] != game["drawn"]):
        yield f"drawn is {game['drawn']}, which is not the last of the discards"


def _step_flaws(phase: Phase, game: np.void) -> Iterator[str]:
    """How far the special action is."""
    use, seat, count = tables.USES[game["use"]], int(game["turn_seat"]), int(game["count"])
    most = 0 if phase in ONCE or use.needs == Tile.BARRACKS else use.most
    if count > most or (game["n_frames"] and count == 0):
        yield f"count is {count} in phase {phase.name.lower()} of {use.name}"
    if phase == Phase.MOVE and count == most:
        yield f"count is {count}, but a piece is lifted for one more"
    if phase == Phase.SCOUT and (count != cells_of(game["scouts"]).bit_count() or count > SCOUTS):
        yield f"count is {count}, which does not fit scouts"
    if phase == Phase.UNIT and count and game["moving"] != game[UNIT_FIELDS[use.needs]][seat]:
        yield f"moving is {game['moving']}, where the unit does not stand"
    if phase == Phase.HALL and not game["unit_supply"][seat][3]:
        yield f"unit_supply of seat {seat} has no city hall to build"
    if game["outpost"] and phase != Phase.MANDATORY and use.duty != Duty.ADJ:
        yield f"outpost is 1, although {use.name} has no need of it"


# The mandatory action ---------------------------------------------------------------------------------------------------


def _terrain_flaws(game: np.void) -> Iterator[str]:
    """The played card is in the hand, and the terrain on it."""
    seat, played, terrain = (int(game[name]) for name in ("turn_seat", "played", "terrain"))
    if played >= game["n_hand"][seat]:
        yield f"played is {played}, with {game['n_hand'][seat]} cards in hand"
    if terrain == NONE:
        return
    if played == NONE:
        yield f"terrain is {terrain}, although no card is played"
        return
    card = int(game["hand"][seat][played])
    if terrain != card % N_BASIC and (card < N_BASIC or terrain != Terrain.SWAMP):
        yield f"terrain is {terrain}, which is not on the played card"


def _placed_flaws(phase: Phase, game: np.void, board: np.void) -> Iterator[str]:
    """The mandatory pieces of this turn."""
    seat, n, n_pieces = (int(game[name]) for name in ("turn_seat", "n_placed", "n_pieces"))
    placed, where = game["placed"].tolist(), game["back"] if game["back"] != NONE else phase
    hexes = placed[:n]
    if NONE in hexes or placed[n:] != [NONE] * (MANDATORY_PIECES - n) or len(set(hexes)) < n:
        yield f"placed is {placed}, for {n} pieces"
    grounds = board["terrain_at"][hexes].tolist()
    if any(not 0 <= terrain <= Terrain.SWAMP for terrain in grounds):
        yield f"placed is {placed}, with a hex that is on no terrain card"
    if n > n_pieces or (n and where == Phase.BEFORE):
        yield f"n_placed is {n}, which does not fit the phase and n_pieces"
    is_swamp = bool(grounds) and grounds[0] == Terrain.SWAMP
    is_due = n == 0 and game["supply"][seat] == 0 and where != Phase.BEFORE  # pieces of the temple alone
    if (n_pieces == SWAMP_PIECES) != is_swamp and not is_due:
        yield f"n_pieces is {n_pieces}, which does not fit the first of placed"
    if phase == Phase.MANDATORY:
        if n == 0 and game["supply"][seat] and not game["outpost"]:
            yield "n_placed is 0 in phase mandatory"
        pieces = cells_of(game["pieces"][seat])
        if any(not pieces >> CELLS[hex_id] & 1 for hex_id in hexes):
            yield f"placed is {placed}, with a hex without a piece"
    if game["outpost"] and not int(game["used"][seat]) & sites_with(board, Tile.OUTPOST):
        yield "outpost is 1, although none was used"


# Silos ------------------------------------------------------------------------------------------------------------------


def _silo_flaws(phase: Phase, game: np.void, board: np.void) -> Iterator[str]:
    """After the last turn nothing of it is left, and silos are used one after the other (p. 21)."""
    for name, value in (
        ("n_placed", 0),
        ("n_pieces", MANDATORY_PIECES),
        ("extra_cards", 0),
        ("terrain", NONE),
        ("played", NONE),
    ):
        if game[name] != value:
            yield f"{name} is {game[name]} after the last turn"
    if (game["placed"] != NONE).any():
        yield f"placed is {game['placed'].tolist()} after the last turn"
    if phase == Phase.OVER:
        if game["seat"]:
            yield f"seat is {game['seat']}, although the game is over"
        return
    n_silos = int((board["terrain_at"] == Terrain.SILO).sum())
    if not 1 <= game["silos"] <= n_silos:
        yield f"silos is {game['silos']}, with {n_silos} on the board"
    mode, count = SiloMode(game["silo_mode"]), int(game["count"])
    if phase == Phase.SILO_MOVE:
        is_right = mode == SiloMode.MOVE
    else:
        is_right = (mode == SiloMode.NONE) == (count == 0)
    if not is_right:
        yield f"silo_mode is {mode}, which does not fit the phase and count {count}"
    if count >= MANDATORY_PIECES:
        yield f"count is {count}; a silo has at most {MANDATORY_PIECES} steps"
