"""Conversion of records to JSON-compatible data: snapshots."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.actions import hex_labels
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Phase, SiloMode
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD, NONE
from winterkingdom_env.games.kingdom_builder.rules import hex_cells, make_rules
from winterkingdom_env.games.kingdom_builder.tables import (
    CARD_NAMES,
    QUADRANT_NAMES,
    SCORING_NAMES,
    SETS,
    TASK_NAMES,
    TERRAIN_LETTERS,
    TERRAIN_NAMES,
    TILE_NAMES,
    UNIT_NAMES,
)

PHASE_NAMES = tuple(phase.name.lower().replace("_", " ") for phase in Phase)
BONUS_NAMES = {use.needs: use.name for use in tables.USES if isinstance(use.needs, Bonus)}
FRESH, READY, USED = "fresh", "ready", "used"
STATES = (FRESH, READY, USED)
UNIT_SUPPLIES = ("warrior", "wagon", "ship", "hall")


def cells_to_labels(rows: np.ndarray) -> list[str]:
    """Labels of the hexes in a set, in hex order."""
    return list(_labels(rows.astype("<u4").tobytes()))


@lru_cache(maxsize=512)  # most sets have not changed since the last call
def _labels(rows: bytes) -> tuple[str, ...]:
    bits = np.unpackbits(np.frombuffer(rows, np.uint8), bitorder="little").reshape(layout.WORDS, 32)
    numbers = make_rules()["hex_at"][0]
    return tuple(hex_labels()[numbers[row, column]] for row, column in zip(*np.nonzero(bits), strict=True))


def hex_name(number: int) -> str | None:
    """The label of a hex; None for NONE."""
    return None if number == NONE else hex_labels()[number]


def card_name(card: int) -> str | None:
    """The name of a terrain card; None for NONE."""
    return None if card == NONE else CARD_NAMES[card]


def terrain_name(terrain: int) -> str | None:
    """The name of a terrain; None for NONE."""
    return None if terrain == NONE else TERRAIN_NAMES[terrain]


def use_name(use: int) -> str:
    """The name of a use, as in its label."""
    return tables.USES[use].name


def _bits(word: int) -> list[int]:
    return [k for k in range(int(word).bit_length()) if word >> k & 1]


# What does not change ---------------------------------------------------------------------------------------------------


def table(board: np.void) -> dict[str, Any]:
    """What is decided at set-up."""
    letters = ["." if terrain == NONE else TERRAIN_LETTERS[terrain] for terrain in board["terrain_at"]]
    main = "".join(letters[: layout.ISLAND_FIRST])
    island = "".join(letters[layout.ISLAND_FIRST :])
    rows = [island[i : i + layout.ISLAND_COLUMNS] for i in range(0, len(island), layout.ISLAND_COLUMNS)]
    return {
        "num_players": int(board["n_players"]),
        "sets": [SETS[k] for k in _bits(board["sets"])],
        "quadrants": [
            [QUADRANT_NAMES[quadrant], int(turned)]
            for quadrant, turned in zip(board["quadrant"], board["is_turned"], strict=True)
        ],
        "terrain": [main[i : i + layout.SIDE] for i in range(0, layout.ISLAND_FIRST, layout.SIDE)],
        "island": None if board["island"] == NONE else rows,
        "locations": {
            hex_labels()[board["site_hex"][site]]: TILE_NAMES[board["site_tile"][site]]
            for site in range(layout.MOST_SITES)
            if board["site_hex"][site] != NONE and board["site_tile"][site] < FIRST_NOMAD
        },
        "scoring": [SCORING_NAMES[card] for card in board["scoring"]],
        "tasks": [TASK_NAMES[task] for task in board["task"] if task != NONE],
        "removed_terrain": terrain_name(int(board["removed"])),
        "caves": [hex_labels()[cave] for cave in sorted(board["cave"]) if cave != NONE],
        "capitols": [hex_labels()[capitol] for capitol in sorted(board["capitol"]) if capitol != NONE],
        "round_limit": int(board["round_limit"]),
    }


# What changes -----------------------------------------------------------------------------------------------------------


def state(game: np.void, board: np.void) -> dict[str, Any]:
    """The mutable part of a snapshot."""
    sites = [site for site in range(layout.MOST_SITES) if board["site_hex"][site] != NONE]
    nomads = [site for site in sites if board["site_tile"][site] >= FIRST_NOMAD and game["tiles_left"][site]]
    labels = {site: hex_labels()[board["site_hex"][site]] for site in sites}
    return {
        "tiles": {
            labels[site]: int(game["tiles_left"][site]) for site in sites if board["site_tile"][site] < FIRST_NOMAD
        },
        "nomads": {labels[site]: TILE_NAMES[board["site_tile"][site]] for site in nomads},
        "walls": cells_to_labels(game["walls"][0]),
        "walls_left": int(game["walls_left"]),
        "scouts": cells_to_labels(game["scouts"][0]),
        "tokens": int(game["token_stock"]),
        "deck": [CARD_NAMES[card] for card in game["deck"][: game["n_deck"]]],
        "discards": [CARD_NAMES[card] for card in game["discards"][: game["n_discards"]]],
        "out": [CARD_NAMES[card] for card in range(layout.N_CARDS) for _ in range(game["out"][card])],
        "end": bool(game["is_end"]),
        "round": int(game["round"]),
        "rng": int(game["rng"]),
        "seats": [_seat(seat, game, board) for seat in range(board["n_players"])],
        "turn": _turn(game),
        **_questions(game, board),
    }


def _seat(seat: int, game: np.void, board: np.void) -> dict[str, Any]:
    units = {int(number) for number in (*game["warriors"][seat], game["wagon"][seat], game["ship"][seat])}
    hall = int(game["hall"][seat])
    others = {hex_labels()[number] for number in units - {NONE}} | ({*_around(hall)} if hall != NONE else set())
    paid = {SCORING_NAMES[board["scoring"][k]]: int(game["paid"][seat][k]) for k in range(layout.SCORING_IN_PLAY)}
    paid["treasure"] = int(game["paid"][seat][layout.TREASURE_PAID])
    return {
        "supply": int(game["supply"][seat]),
        "settlements": [label for label in cells_to_labels(game["pieces"][seat]) if label not in others],
        "warriors": [hex_labels()[number] for number in game["warriors"][seat] if number != NONE],
        "wagon": hex_name(int(game["wagon"][seat])),
        "ship": hex_name(int(game["ship"][seat])),
        "hall": hex_name(hall),
        "units": {name: int(game["unit_supply"][seat][k]) for k, name in enumerate(UNIT_SUPPLIES)},
        **_tiles(seat, game, board),
        "bonus_used": [BONUS_NAMES[Bonus(k)] for k in _bits(game["bonus_used"][seat])],
        "hand": [CARD_NAMES[card] for card in game["hand"][seat][: game["n_hand"][seat]]],
        "tokens": int(game["tokens"][seat]),
        "held": int(game["held_pieces"][seat]),
        "due": int(game["due"][seat]),
        "gold": sum(paid.values()),
        "paid": {name: gold for name, gold in sorted(paid.items()) if gold},
        "rovers": _bits(game["rovers"][seat]),
        "lines": _bits(game["lines"][seat]),
    }


def _around(centre: int) -> list[str]:
    """The labels of a hex and its neighbours."""
    row, column = hex_cells()[centre]
    numbers = make_rules()["hex_at"][0]
    steps = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
    return [hex_labels()[numbers[row + dr, column + dc]] for dr, dc in steps]


def _tiles(seat: int, game: np.void, board: np.void) -> dict[str, Any]:
    tiles, nomads, took = list[list[Any]](), list[tuple[int, int]](), list[str]()
    held, fresh, used, ever = (int(game[name][seat]) for name in ("held", "fresh", "used", "took"))
    for site in _bits(held | ever):
        tile, label = int(board["site_tile"][site]), hex_name(int(board["site_hex"][site]))
        if ever >> site & 1 and label is not None:
            took.append(label)
        if not held >> site & 1:
            continue
        now = FRESH if fresh >> site & 1 else USED if used >> site & 1 else READY
        if tile < FIRST_NOMAD:
            tiles.append([TILE_NAMES[tile], label, now])
        else:
            nomads.append((tile, STATES.index(now)))
    named = [[TILE_NAMES[tile], STATES[number]] for tile, number in sorted(nomads)]
    return {"tiles": tiles, "nomads": named, "taken": took}


def _turn(game: np.void) -> dict[str, Any]:
    seat, played = int(game["turn_seat"]), int(game["played"])
    phase = Phase(int(game["resumed"] if game["n_frames"] else game["phase"]))
    where = Phase(int(game["back"])) if game["back"] != NONE else phase
    return {
        "seat": seat,
        "played": None if played == NONE else CARD_NAMES[game["hand"][seat][played]],
        "terrain": terrain_name(int(game["terrain"])),
        "placed": [hex_labels()[number] for number in game["placed"] if number != NONE],
        "pieces": int(game["n_pieces"]),
        "ended": where == Phase.AFTER,
        "used": [TILE_NAMES[tile] for tile in _bits(game["used_tiles"])],
        "extra_cards": int(game["extra_cards"]),
    }


def _questions(game: np.void, board: np.void) -> dict[str, Any]:
    """The question that is asked, and those that wait below it."""
    use, n_frames = int(game["use"]), int(game["n_frames"])
    repeated = "bazaar " if game["repeats"] else ""
    lifted = None if game["lifted"] == NONE else [UNIT_NAMES[game["lifted_unit"]], hex_name(int(game["lifted"]))]
    below = {
        "phase": PHASE_NAMES[game["resumed"] if n_frames else game["phase"]],
        "seat": int(game["turn_seat"] if n_frames else game["seat"]),
        "use": None if use == NONE else repeated + use_name(use),
        "count": int(game["count"]),
        "lifted": lifted,
        "moving": hex_name(int(game["moving"])),
        "outpost": bool(game["outpost"]),
        "back_to": None if game["back"] == NONE else PHASE_NAMES[game["back"]],
        "fort": card_name(int(game["drawn"])),
        "ask": [],
        "silos": int(game["silos"]),
        "silo_mode": (None, "build", "move")[SiloMode(int(game["silo_mode"]))],
    }
    stack = [below, *(_reaction(frame, int(board["n_players"])) for frame in game["frames"][:n_frames])]
    return {"now": stack[-1], "stack": stack[:-1]}


def _reaction(frame: np.ndarray, n_players: int) -> dict[str, Any]:
    taker, asked, _ = (int(number) for number in frame)
    seats = [(taker + 1 + k) % n_players for k in range(asked, n_players)]
    empty = {"use": None, "count": 0, "lifted": None, "moving": None, "outpost": False, "back_to": None, "fort": None}
    return {
        "phase": "react",
        "seat": seats[0] if seats else taker,
        **empty,
        "ask": seats[1:],
        "silos": 0,
        "silo_mode": None,
    }


def make_snapshot(game: np.void, board: np.void) -> dict[str, Any]:
    """The full state, including hidden hands."""
    return {**table(board), **state(game, board)}
