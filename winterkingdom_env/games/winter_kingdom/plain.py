"""Conversion between records and JSON-compatible data: set-ups and snapshots (docs/turn.md)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.errors import ConfigError, SetupError
from winterkingdom_env.games.house_rules import HOUSE_RULES
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.actions import HALVES, hex_label, hex_labels
from winterkingdom_env.games.winter_kingdom.house import cards_of, house_rules_of
from winterkingdom_env.games.winter_kingdom.rules import hex_cells, make_rules

SETUP_KEYS = (
    "num_players", "hexes", "scoring", "economy", "twist", "top_board", "bottom_board", "direction",
    "hands", "terrain_cards", "draw_pile", "discard_pile", "rng",
)  # fmt: skip
PHASES_WITH_CARD = (
    layout.Phase.BUILD, layout.Phase.LIFT, layout.Phase.MOVE, layout.Phase.FOLLOW,
    layout.Phase.TRIPLE, layout.Phase.INNOVATE,
)  # fmt: skip
PHASES_WITH_HALF = PHASES_WITH_CARD[:4]


# From records --------------------------------------------------------------------------------------------------------


def cells_to_labels(rows: np.ndarray) -> list[str]:
    """Labels of the hexes in a set, in hex order."""
    return list(_labels(rows.astype("<u4").tobytes()))


@lru_cache(maxsize=256)  # most players' pieces have not changed since the last call
def _labels(rows: bytes) -> tuple[str, ...]:
    bits = np.unpackbits(np.frombuffer(rows, np.uint8), bitorder="little").reshape(layout.WORDS, 32)
    numbers = make_rules()["hex_at"][0]
    return tuple(hex_labels()[numbers[row, col]] for row, col in zip(*np.nonzero(bits), strict=True))


def card_names(bits: int) -> list[str]:
    """Names of the ability cards in a bit set, in the table's order."""
    return [card.name for i, card in enumerate(tables.ABILITIES) if bits >> i & 1]


def terrain_name(terrain: int) -> str | None:
    """Name of a terrain; None for NONE."""
    return None if terrain == layout.NONE else tables.TERRAIN_NAMES[terrain]


def _pile(cards: np.ndarray) -> list[str]:
    return [tables.TERRAIN_NAMES[card] for card in cards]


def _table(board: np.void) -> dict[str, Any]:
    twist, house_rules = int(board["twist"]), house_rules_of(board)
    terrains = board["terrain_at"].tolist()  # plain integers index faster
    return {
        "scoring": [tables.SCORINGS[i].name for i in board["scoring"]],
        "economy": tables.ECONOMIES[board["economy"]].name,
        "twist": None if twist == layout.Twist.NONE else tables.TWISTS[twist - 1].name,
        "top_board": int(board["top"]),
        "bottom_board": int(board["bottom"]),
        "direction": tables.DIRECTION_NAMES[board["direction"]],
        "hexes": [
            {"hex": name, "row": row, "col": col, "terrain": tables.TERRAIN_NAMES[terrain], "board": place}
            for name, (row, col, place), terrain in zip(hex_labels(), hex_cells(), terrains, strict=True)
        ],
        **({HOUSE_RULES: house_rules} if house_rules else {}),
    }


def make_setup(record: np.void, board: np.void) -> dict[str, Any]:
    """The set-up of a game at its start."""
    n_players = int(board["n_players"])
    return {
        "num_players": n_players,
        **_table(board),
        "hands": [card_names(int(record["hand"][seat])) for seat in range(n_players)],
        "terrain_cards": [terrain_name(int(record["terrain_card"][seat])) for seat in range(n_players)],
        "draw_pile": _pile(record["draw_pile"][: record["n_draw"]][::-1]),
        "discard_pile": _pile(record["discard_pile"][: record["n_discard"]]),
        "rng": int(record["rng"]),
    }


def _card_in_play(card: int, record: np.void, board: np.void, seat: int) -> dict[str, Any]:
    is_upgraded = bool(int(record["upgraded"][seat]) >> card & 1)
    is_turn = seat == record["seat"]
    used = [half for i, half in enumerate(HALVES) if is_turn and int(record["used"][i]) >> card & 1]
    is_two = board["link"][card] != layout.Link.THEN and board["op"][card][1] != layout.Op.MANDATORY_ON_NEXT_TERRAIN
    both = is_upgraded and is_two
    return {
        "card": tables.ABILITIES[card].name,
        "upgraded": is_upgraded,
        "used": set(HALVES if both else HALVES[:1]) <= set(used),
        "used_halves": used,
    }


def _player(seat: int, record: np.void, board: np.void) -> dict[str, Any]:
    in_play = int(record["in_play"][seat])
    return {
        "coins": int(record["coins"][seat]),
        "houses_left": int(record["houses_left"][seat]),
        "forts_left": int(record["forts_left"][seat]),
        "houses": cells_to_labels(record["houses"][seat]),
        "forts": cells_to_labels(record["forts"][seat]),
        "hand": card_names(int(record["hand"][seat])),
        "in_play": [_card_in_play(i, record, board, seat) for i in range(layout.N_ABILITIES) if in_play >> i & 1],
        "tunnel_used": bool(seat == record["seat"] and int(record["used"][0]) >> layout.TUNNEL_CARD & 1),
        "terrain_card": terrain_name(int(record["terrain_card"][seat])),
    }


def _turn(record: np.void) -> dict[str, Any]:
    phase = layout.Phase(record["phase"])
    return {
        "placed": [hex_labels()[hex_id] for hex_id in record["placed"][: record["n_placed"]]],
        "terrain": terrain_name(int(record["terrain"])),
        "built": int(record["built"]),
        "card": tables.CARDS[record["card"]].name if phase in PHASES_WITH_CARD else None,
        "half": HALVES[record["half"]] if phase in PHASES_WITH_HALF else None,
        "lifted": hex_labels()[record["lifted"]] if phase == layout.Phase.MOVE else None,
        "uses_left": int(record["uses_left"]),
        "salvaged": bool(record["salvaged"]),
    }


def make_state(record: np.void, board: np.void) -> dict[str, Any]:
    """The mutable part of a snapshot."""
    return {
        "round": int(record["round"]),
        "seat": int(record["seat"]),
        "phase": layout.Phase(record["phase"]).name.lower(),
        "players": [_player(seat, record, board) for seat in range(board["n_players"])],
        "draw_pile": _pile(record["draw_pile"][: record["n_draw"]][::-1]),
        "discard_pile": _pile(record["discard_pile"][: record["n_discard"]]),
        "turn": _turn(record),
    }


def make_snapshot(record: np.void, board: np.void) -> dict[str, Any]:
    """The full state, including hidden hands."""
    return {**make_state(record, board), **_table(board)}


# To records ----------------------------------------------------------------------------------------------------------


def _number(name: object, names: tuple[str, ...] | list[str], what: str) -> int:
    if isinstance(name, str) and name in names:
        return names.index(name)
    raise SetupError(f"{what}: {quoted(name)} is unknown; valid are: {', '.join(names)}")


def _listed(found: object, most: int, what: str) -> list[Any]:
    """A list of the set-up."""
    if not isinstance(found, list | tuple) or len(found) > most:
        raise SetupError(f"{what}: a list of at most {most} is needed, found {quoted(found)}")
    return list(found)


def _fill_board(setup: dict[str, Any], board: np.void) -> None:
    hexes = setup["hexes"]
    if not isinstance(hexes, list) or len(hexes) != layout.N_HEXES:
        raise SetupError(f"hexes: {layout.N_HEXES} are needed, in hex order")
    for i, (entry, (row, col, place)) in enumerate(zip(hexes, hex_cells(), strict=True)):
        if not isinstance(entry, dict) or any(
            type(entry.get(key)) is not int or entry[key] != wanted
            for key, wanted in (("row", row), ("col", col), ("board", place))
        ):
            raise SetupError(f"hexes[{i}] should be {hex_label(i)} of board {place}, found {quoted(entry)}")
        board["terrain_at"][i] = _number(entry.get("terrain"), tables.TERRAIN_NAMES, f"hexes[{i}]")
    counts = np.bincount(board["terrain_at"], minlength=layout.N_TERRAINS)
    for terrain, wanted in ((layout.Terrain.CASTLE, 7), (layout.Terrain.TUNNEL, 7), (layout.Terrain.VILLAGE, 14)):
        if counts[terrain] != wanted:
            raise SetupError(f"hexes: {wanted} of {tables.TERRAIN_NAMES[terrain]} are needed, found {counts[terrain]}")


def _fill_table_cards(setup: dict[str, Any], board: np.void) -> None:
    names = [card.name for card in tables.SCORINGS]
    scoring = [_number(name, names, "scoring") for name in _listed(setup["scoring"], layout.SCORING_IN_PLAY, "scoring")]
    if len(set(scoring)) != layout.SCORING_IN_PLAY or len(scoring) != layout.SCORING_IN_PLAY:
        raise SetupError(f"scoring: three different cards are needed, found {quoted(setup['scoring'])}")
    board["scoring"] = scoring
    board["economy"] = _number(setup["economy"], [card.name for card in tables.ECONOMIES], "economy")
    if setup["twist"] is not None:
        board["twist"] = 1 + _number(setup["twist"], [card.name for card in tables.TWISTS], "twist")
    for key, field in (("top_board", "top"), ("bottom_board", "bottom")):
        if type(setup[key]) is not int or setup[key] not in range(1, layout.N_BOARDS):
            raise SetupError(f"{key}: an outer board, 1 to 6, is needed, found {quoted(setup[key])}")
        board[field] = setup[key]
    if board["top"] == board["bottom"]:
        raise SetupError(
            f"top_board, bottom_board: two different outer boards are needed, found {setup['top_board']} twice"
        )
    board["direction"] = _number(setup["direction"], tables.DIRECTION_NAMES, "direction")


def _fill_hands(setup: dict[str, Any], record: np.void, n_players: int) -> None:
    names = [card.name for card in tables.ABILITIES]
    hands = [
        [_number(name, names, "hands") for name in _listed(hand, layout.HAND_SIZE, "hands")]
        for hand in _listed(setup["hands"], n_players, "hands")
    ]
    dealt = [card for hand in hands for card in hand]
    if len(hands) != n_players or {len(hand) for hand in hands} != {layout.HAND_SIZE} or len(set(dealt)) != len(dealt):
        raise SetupError(f"hands: {n_players} hands of {layout.HAND_SIZE} different cards are needed")
    for seat, hand in enumerate(hands):
        record["hand"][seat] = sum(1 << card for card in hand)


def _fill_terrain_cards(setup: dict[str, Any], record: np.void, n_players: int) -> None:
    kinds = tables.TERRAIN_NAMES[: layout.N_CARD_TERRAINS]
    cards, draw, discards = (
        [_number(name, kinds, key) for name in _listed(setup[key], layout.N_TERRAIN_CARDS, key)]
        for key in ("terrain_cards", "draw_pile", "discard_pile")
    )
    counts = np.bincount([*cards, *draw, *discards], minlength=layout.N_CARD_TERRAINS)
    if len(cards) != n_players or set(counts) != {layout.TERRAIN_CARD_COPIES}:
        raise SetupError(
            f"terrain_cards, draw_pile and discard_pile: one card per seat and {layout.TERRAIN_CARD_COPIES} of each terrain "
            "in all are needed"
        )
    record["terrain_card"][:n_players] = cards
    record["draw_pile"][: len(draw)] = draw[::-1]
    record["n_draw"] = len(draw)
    record["discard_pile"][: len(discards)] = discards
    record["n_discard"] = len(discards)


def house_rules_in(setup: Any) -> str:
    """The house rules of a set-up, as content; empty if there are none. Raises SetupError if they are invalid."""
    found = setup.get(HOUSE_RULES, "") if isinstance(setup, dict) else ""
    if not isinstance(found, str):
        raise SetupError(f"{HOUSE_RULES}: their content as text is needed, found {quoted(found)}")
    try:
        cards_of(found)
    except ConfigError as error:
        raise SetupError(str(error)) from error
    return found


def fill_from_setup(setup: dict[str, Any], record: np.void, board: np.void) -> None:
    """Fill zeroed records with a set-up. Raises SetupError if it is invalid."""
    missing = [key for key in SETUP_KEYS if not isinstance(setup, dict) or key not in setup]
    if missing:
        raise SetupError(f"the set-up lacks {', '.join(missing)}; game.setup() returns a complete one")
    n_players = setup["num_players"]
    if type(n_players) is not int or n_players not in tables.START_COINS:
        raise SetupError(f"num_players: 2, 3 or 4 are needed, found {quoted(n_players)}")
    if type(setup["rng"]) is not int or not 0 <= setup["rng"] < 1 << 64:
        raise SetupError(
            f"rng: the state of the random stream is an unsigned 64-bit integer, found {quoted(setup['rng'])}"
        )
    try:
        board["n_players"] = n_players
        _fill_board(setup, board)
        _fill_table_cards(setup, board)
        _fill_hands(setup, record, n_players)
        _fill_terrain_cards(setup, record, n_players)
    except (TypeError, AttributeError) as error:
        raise SetupError(f"the set-up has a value of a wrong type: {error}") from error
    for name in ("placed", "lifted", "came_to", "left", "terrain", "card", "half", "back"):
        record[name] = layout.NONE
    record["terrain_card"][n_players:] = layout.NONE
    record["rng"] = setup["rng"]
    record["round"] = 1
    record["houses_left"][:n_players] = layout.HOUSES
    record["forts_left"][:n_players] = layout.FORTS
    record["in_play"][:n_players] = 1 << layout.TUNNEL_CARD
    record["coins"][:n_players] = tables.START_COINS[n_players]
