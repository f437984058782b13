"""What house rules may change in the card tables, and the cards under house rules (games/house_rules.py)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from winterkingdom_env.games.house_rules import (
    Argument,
    Choice,
    Kind,
    Number,
    Several,
    Sheet,
    Sheets,
    changes,
    rows_of,
    text_of,
)
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.layout import Condition, Link, Measure, Op, Terrain, Twist
from winterkingdom_env.games.winter_kingdom.tables import Ability, Cards

_PLACES = {name: layout.BOARD.fields[name][1] for name in layout.BOARD.names}  # type: ignore[index, union-attr]  # it has fields
TOLD = slice(_PLACES["measure_arg"], _PLACES["twist"] + 1)  # the bytes of a BOARD that hold card values
KEPT = 256  # size of the caches: a batch may mix many house rules

# Where a BOARD stores the columns of the card tables: the field, and the half of an ability card.
COLUMNS: dict[str, dict[str, tuple[str, *tuple[int, ...]]]] = {
    "ability": {
        "first": ("op", 0), "first_arg": ("arg", 0), "acquire_cost": ("cost", 0),
        "second": ("op", 1), "second_arg": ("arg", 1), "upgrade_cost": ("cost", 1), "link": ("link",),
    },
    "scoring": {"measure": ("measure",), "arg": ("measure_arg",), "points": ("points",)},
    "economy": {"condition": ("condition",), "arg": ("condition_arg",), "coins": ("coins",)},
    "twist": {"arg": ("twist_arg",)},
}  # fmt: skip

ANY = Choice(tuple(Terrain))
STANDING = Choice(
    (*list(Terrain)[: layout.N_BUILDABLE], Terrain.MOUNTAIN)
)  # terrains on which a card can allow a house
BUILDABLE = Choice(tuple(Terrain)[: layout.N_BUILDABLE])
OP_ARGUMENTS: dict[int, Kind] = {
    Op.BUILD_ON: STANDING,
    Op.BUILD_ON_CARD_TERRAIN: Number(0, layout.N_CARD_TERRAINS - 1),
    Op.BUILD_NEXT_TO: ANY,
    Op.BUILD_NEXT_TO_GROUP_AT: ANY,
    Op.BUILD_AT_OWN_RUN: Number(2, 6),
    Op.BUILD_AT_OPPONENT_RUN: Number(2, 6),
    Op.BUILD_TOUCHING_EXACTLY: Number(0, 3),
    Op.BUILD_TOUCHING_AT_MOST: Number(0, 3),
    Op.MOVE_ACROSS: STANDING,
    Op.MOVE_ACROSS_ONTO: BUILDABLE,
}
MEASURE_ARGUMENTS: dict[int, Kind] = {
    Measure.IN_LARGEST_GROUP: Number(1, 9, vary=1),
    Measure.ON_OR_TOUCHING: Several(tuple(Terrain)),
    Measure.TOUCHING: Several(tuple(Terrain)),
    Measure.ON: Several(tuple(Terrain)),
    Measure.BOARDS_WITH: Number(1, 20, vary=1),
}
TWIST_ARGUMENTS: dict[int, Kind] = {
    Twist.WOLVES: Number(0, 20, vary=1),
    Twist.MOBILITY: Number(1, 6, vary=1),
    Twist.ROADS: Number(0, 9, vary=1),
}
COST = Number(0, 20, vary=1)
LATER_ONLY = (Op.BUILD_ON_HEX_JUST_LEFT, Op.MANDATORY_ON_NEXT_TERRAIN)  # valid only as a second half


def _moves(op: int) -> bool:
    return layout.FIRST_MOVE_OP <= op <= layout.LAST_MOVE_OP


def _flaw(card: Ability) -> str:
    """What is wrong with the halves of an ability card as a pair."""
    if card.link == Link.THEN:
        if not _moves(card.second) and not (card.second == Op.BUILD_ON_HEX_JUST_LEFT and _moves(card.first)):
            return "link=then moves the house of the first half on: second must be a move, or build_on_hex_just_left after a move"
    elif card.second == Op.BUILD_ON_HEX_JUST_LEFT:
        return "second=build_on_hex_just_left follows a move: link must be then"
    elif card.second == Op.MANDATORY_ON_NEXT_TERRAIN and card.link != Link.AND:
        return "second=mandatory_on_next_terrain cannot be chosen instead of the first half: link must be and"
    return ""


SHEETS: Sheets = (
    Sheet(
        "ability",
        tables.ABILITIES,
        {
            "first": Choice(tuple(op for op in Op if op != Op.NOTHING and op not in LATER_ONLY)),
            "first_arg": Argument("first", OP_ARGUMENTS),
            "second": Choice(tuple(op for op in Op if op != Op.NOTHING)),
            "second_arg": Argument("second", OP_ARGUMENTS),
            "link": Choice((Link.OR, Link.THEN, Link.AND)),
            "acquire_cost": COST,
            "upgrade_cost": COST,
        },
        _flaw,
    ),
    Sheet(
        "scoring",
        tables.SCORINGS,
        {
            "measure": Choice(tuple(Measure)),
            "arg": Argument("measure", MEASURE_ARGUMENTS),
            "points": Number(-10, 20, vary=1),
        },
    ),
    Sheet(
        "economy",
        tables.ECONOMIES,
        {
            "condition": Choice(tuple(Condition)),
            "arg": Argument("condition", {Condition.NEXT_TO: ANY}),
            "coins": Number(0, 9, vary=1),
        },
    ),
    Sheet("twist", tables.TWISTS, {"arg": Argument("twist", TWIST_ARGUMENTS)}),
)


@lru_cache(maxsize=KEPT)
def cards_of(house_rules: str) -> Cards:
    """The cards under house rules, given as content. Raises ConfigError if they are invalid."""
    return Cards(*rows_of(SHEETS, house_rules)) if house_rules else tables.PRINTED


def changed(house_rules: str, kind: str, name: str) -> str:
    """A text about what house rules change in a card; empty if nothing."""
    return changes(SHEETS, cards_of(house_rules)).get((kind, name), "")


# Card values in BOARD records ------------------------------------------------------------------------------------------


def told_by(boards: np.ndarray) -> list[bytes]:
    """The bytes of each BOARD that hold card values."""
    rows = boards.view(np.uint8).reshape(len(boards), layout.BOARD.itemsize)[:, TOLD]
    return [row.tobytes() for row in rows]


def house_rules_of(board: np.void) -> str:
    """The house rules of a game, restricted to the cards that are in it."""
    return house_rules_told(bytes(board.tobytes()[TOLD]))


@lru_cache(maxsize=KEPT)
def house_rules_told(told: bytes) -> str:
    """The same, from the bytes of ``told_by``. Nothing is checked here: parsing the result reports invalid values."""
    content = bytes(TOLD.start) + told + bytes(layout.BOARD.itemsize - TOLD.stop)
    return text_of(SHEETS, _rows(np.frombuffer(content, layout.BOARD)[0]))


def _rows(board: np.void) -> Cards:
    scorings, economies, twists = list(tables.SCORINGS), list(tables.ECONOMIES), list(tables.TWISTS)
    for k, i in enumerate(board["scoring"].tolist()):
        scorings[i] = _told(scorings[i], "scoring", board, k)
    i = int(board["economy"])
    economies[i] = _told(economies[i], "economy", board)
    if board["twist"] != Twist.NONE:
        i = int(board["twist"]) - 1
        twists[i] = _told(twists[i], "twist", board)
    abilities = [_told(card, "ability", board, i) for i, card in enumerate(tables.ABILITIES)]
    return Cards(tuple(abilities), tuple(scorings), tuple(economies), tuple(twists))


def _told(card: Any, kind: str, board: np.void, *at: int) -> Any:
    """The card with the values that a board stores for it at this index."""
    return card._replace(
        **{column: int(board[field][(*at, *half)]) for column, (field, *half) in COLUMNS[kind].items()}
    )
