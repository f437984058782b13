"""Validation of untrusted games: saved bytes, pickles, states of environments, checkpoints.

``check_records`` is the only entry point. It looks for flaws in the records (check.py), then runs the engine: a saved game must be at a
decision or over, and its last step must have been possible.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from winterkingdom_env.core._jit import Quick, kernel
from winterkingdom_env.core.batch import advance_to_decision_all
from winterkingdom_env.games.base import copied
from winterkingdom_env.games.errors import ConfigError, SavedGameError
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.check_turn import find_flaw_all
from winterkingdom_env.games.winter_kingdom.config import Config
from winterkingdom_env.games.winter_kingdom.flaws import (
    FLAW_CODE,
    FLAW_INDEX,
    FLAW_ROW,
    FLAW_VALUE,
    N_FLAW,
    Flaw,
    describe,
)
from winterkingdom_env.games.winter_kingdom.house import COLUMNS, KEPT, TOLD, house_rules_told, told_by
from winterkingdom_env.games.winter_kingdom.layout import GAME, NONE, Phase
from winterkingdom_env.games.winter_kingdom.pieces import find_facts
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.games.winter_kingdom.setup import lay_cards
from winterkingdom_env.games.winter_kingdom.world import World, world_from_records

RULES = make_rules()
# The fields of a BOARD that hold columns of card tables, by kind of card and as KIND.COLUMN.
FIELDS = {kind: tuple(dict.fromkeys(field for field, *_ in columns.values())) for kind, columns in COLUMNS.items()}
FIELD_OF = {f"{kind}.{name}": field for kind, columns in COLUMNS.items() for name, (field, *_) in columns.items()}
IN_PLAY = {
    "scoring": layout.N_SCORING,
    "economy": layout.N_ECONOMIES,
    "twist": layout.N_TWISTS + 1,
}  # kinds of which some are
BEFORE, MANDATORY, AFTER, BUILD, MOVE, FOLLOW, OVER = (
    int(getattr(Phase, name)) for name in ("BEFORE", "MANDATORY", "AFTER", "BUILD", "MOVE", "FOLLOW", "OVER")
)


@kernel
def refresh_all(games, boards):
    """Recompute the sets derived from the pieces, after records were filled by hand."""
    for i in range(games.shape[0]):
        find_facts(games[i], boards[i])


FIND, REFRESH, ADVANCE = Quick(find_flaw_all), Quick(refresh_all), advance_to_decision_all.quick(World)


# Entry point ----------------------------------------------------------------------------------------------------------


def check_records(games: Any, boards: Any) -> np.ndarray:
    """The LEGAL records of these games. Raises SavedGameError, naming the first invalid field.

    ``games`` and ``boards``: arrays of GAME and BOARD records, equally long.
    """
    games, boards = _as_records(games, GAME, "GAME"), _as_records(boards, layout.BOARD, "BOARD")
    if len(games) != len(boards):
        raise SavedGameError(f"the saved game is refused: {len(games)} GAME records and {len(boards)} BOARD records")
    suspects = np.arange(1) if len(boards) == 1 else np.flatnonzero(~_are_printed(boards))
    for row, told in zip(suspects.tolist(), told_by(boards[suspects]), strict=True):
        field = _forged(told)
        if field:
            raise SavedGameError(
                f"{_which(row, len(games))} is refused: {field} has a value that is invalid under any house rules"
            )
    flaw = np.zeros(N_FLAW, np.int64)
    FIND.call(games, boards, RULES, np.zeros(1, layout.BOARD), flaw)
    if flaw[FLAW_CODE] != Flaw.NOTHING:
        raise _refused(flaw[FLAW_ROW], len(games), flaw[FLAW_CODE], flaw[FLAW_INDEX], flaw[FLAW_VALUE])
    legals = _check_decisions(games, boards)
    phases = games["phase"]
    if FOLLOW in phases:
        _check_follow(games, boards)
    if AFTER in phases:
        _check_mandatory(games, boards)
    return legals


def _are_printed(boards: np.ndarray) -> np.ndarray:
    """Which boards have the printed card values; the others are checked one by one."""
    printed, found = Config().request()[0], np.ones(len(boards), bool)
    for kind, names in FIELDS.items():
        for name in names:
            said = printed[name]
            if kind in IN_PLAY:
                said = said[
                    boards[kind].clip(0, IN_PLAY[kind] - 1)
                ]  # an invalid card number is reported as another flaw
            found &= (boards[name] == said).reshape(len(boards), -1).all(axis=1)
    return found


@lru_cache(maxsize=KEPT)
def _forged(told: bytes) -> str:
    """The first field with a value that is invalid under any house rules; an empty text if there is none."""
    content = bytes(TOLD.start) + told + bytes(layout.BOARD.itemsize - TOLD.stop)
    found, dealt = np.frombuffer(content, layout.BOARD), np.zeros(1, layout.BOARD)
    for name, n in IN_PLAY.items():
        if found[name].min() < 0 or found[name].max() >= n or len(set(found[name].flat)) < found[name].size:
            return ""  # reported as another flaw, before the card values are used
        dealt[name] = found[name]
    try:
        lay_cards(dealt[0], Config(house_rules=house_rules_told(told)).request()[0])
    except ConfigError as error:
        return FIELD_OF.get(error.column, "link")
    return next((name for name in FIELD_OF.values() if (dealt[name] != found[name]).any()), "")


def _as_records(records: Any, dtype: np.dtype, name: str) -> np.ndarray:
    """A contiguous copy of the records with the kernels' dtype."""
    if not isinstance(records, np.ndarray) or records.ndim != 1:
        raise SavedGameError(f"the saved game is refused: {name} is not an array of records")
    if records.dtype is not dtype and records.dtype != dtype:  # != on record dtypes is slow
        raise SavedGameError(f"the saved game is refused: {name} has records of another layout")
    return copied(np.ascontiguousarray(records)).view(dtype)


def _refused(row: int, n: int, code: int, index: int, value: int) -> SavedGameError:
    return SavedGameError(f"{_which(row, n)} is refused: {describe(int(code), int(index), int(value))}")


def _which(row: int, n: int) -> str:
    return "the saved game" if n == 1 else f"game {row}"


def _changed(games: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which rows of two arrays of records differ."""
    shape = len(games), games.dtype.itemsize // 8
    found: np.ndarray = (games.view(np.uint64).reshape(shape) != others.view(np.uint64).reshape(shape)).any(axis=1)
    return found


def _step(games: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Advance games past phases without a decision, and return their LEGAL records."""
    world = world_from_records(games, boards)
    ADVANCE.call(world)
    legals: np.ndarray = world.legals
    return legals


def _check_decisions(games: np.ndarray, boards: np.ndarray) -> np.ndarray:
    """Raise SavedGameError for a game in a phase without a decision, which play leaves at once."""
    later = copied(games)
    legals = _step(later, boards)
    can_act = legals.view(np.uint64).reshape(len(games), -1).any(axis=1)
    wrong = _changed(games, later) | (can_act == (games["phase"] == OVER))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise _refused(row, len(games), Flaw.NO_DECISION, games["phase"][row], 0)
    return legals


def is_done_legal(legals: np.ndarray) -> np.ndarray:
    """Whether ``done`` is legal, per LEGAL record."""
    bit = layout.DONE - layout.USE_FIRST - 64
    found: np.ndarray = legals["others"][:, 1] >> np.uint64(bit) & np.uint64(1) == 1
    return found


def _is_hex(sets: np.ndarray, hexes: np.ndarray) -> np.ndarray:
    """Whether ``sets[i]`` holds the hex ``hexes[i]``."""
    cells = RULES["cell"][0][hexes]
    found: np.ndarray = sets[np.arange(len(hexes)), cells >> 5] >> (cells & 31).astype(np.uint32) & 1 == 1
    return found


def _check_follow(games: np.ndarray, boards: np.ndarray) -> None:
    """Undo the first half of the use and check that it can move the house to where it is."""
    rows = np.flatnonzero(games["phase"] == FOLLOW)
    before, lands, every = games[rows], boards[rows], np.arange(len(rows))
    seats, to, source = before["seat"], before["came_to"].copy(), before["left"].copy()
    moved = source != NONE
    cells = RULES["cell"][0][to]
    before["houses"][every, seats, cells >> 5] &= ~(np.uint32(1) << (cells & 31).astype(np.uint32))
    starts, movers = RULES["cell"][0][source[moved]], every[moved]
    before["houses"][movers, seats[moved], starts >> 5] |= np.uint32(1) << (starts & 31).astype(np.uint32)
    before["houses_left"][every[~moved], seats[~moved]] += 1
    before["phase"], before["half"] = np.where(moved, MOVE, BUILD), 0
    before["lifted"], before["came_to"], before["left"] = np.where(moved, source, NONE), NONE, NONE
    REFRESH.call(before, lands)
    reachable = _is_hex(_step(before, lands)["hexes"][:, layout.HOUSE], to)
    if not reachable.all():
        k = int(np.argmin(reachable))
        raise _refused(rows[k], len(games), Flaw.NO_WAY_HERE, 0, to[k])


def _check_mandatory(games: np.ndarray, boards: np.ndarray) -> None:
    """Check that the mandatory action is over in games in which nothing has happened since.

    That is the case if no card was used and no piece was salvaged this turn.
    """
    is_short = (games["phase"] == AFTER) & (games["n_placed"] < layout.MANDATORY_PIECES)
    is_still = ~games["used"].any(axis=1) & (games["salvaged"] == 0)
    rows = np.flatnonzero(is_short & is_still)
    if not len(rows):
        return
    before, lands = games[rows], boards[rows]
    before["phase"] = np.where(before["n_placed"] == 0, BEFORE, MANDATORY)
    legals = _step(before, lands)
    is_over = np.where(games["n_placed"][rows] == 0, is_done_legal(legals), before["phase"] == AFTER)
    if not is_over.all():
        raise _refused(rows[int(np.argmin(is_over))], len(games), Flaw.MANDATORY_LEFT, 0, 0)
