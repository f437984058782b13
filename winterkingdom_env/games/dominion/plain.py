"""Conversion between records and JSON-compatible data: set-ups and snapshots. A zone is a dict of names and counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.dominion import layout, tables
from winterkingdom_env.games.dominion.config import Config
from winterkingdom_env.games.dominion.house import house_rules_of
from winterkingdom_env.games.dominion.layout import N_CARDS, NONE, Phase
from winterkingdom_env.games.errors import ConfigError, SetupError
from winterkingdom_env.games.house_rules import HOUSE_RULES

SETUP_KEYS = ("num_players", "kingdom", "round_limit", "hands", "rng")


# From records ---------------------------------------------------------------------------------------------------------


def counts_of(zone: np.ndarray) -> np.ndarray:
    """The cards of a zone per kind, uint8 (..., 32)."""
    return np.ascontiguousarray(zone, "<u8").view(np.uint8)


def named(zone: np.ndarray) -> dict[str, int]:
    """The cards of a zone by name, in the table's order."""
    return {tables.NAMES[card]: int(n) for card, n in enumerate(counts_of(zone)) if n}


def card_name(card: int) -> str | None:
    """The name of a card; None for NONE."""
    return None if card == NONE else tables.NAMES[card]


def kingdom_of(board: np.void) -> list[str]:
    """The kingdom cards of a game."""
    return [tables.NAMES[card] for card in tables.KINGDOM if int(board["piles"]) >> card & 1]


def _listed(cards: np.ndarray) -> list[str]:
    return [tables.NAMES[card] for card in cards.tolist() if card != NONE]


def _table(board: np.void) -> dict[str, Any]:
    house_rules = house_rules_of(board)
    return {
        "num_players": int(board["n_players"]),
        "kingdom": kingdom_of(board),
        "round_limit": int(board["round_limit"]),
        **({HOUSE_RULES: house_rules} if house_rules else {}),
    }


def make_setup(record: np.void, board: np.void) -> dict[str, Any]:
    """The set-up of a game at its start. Seat 0 has played its treasures already: they belong to its first hand."""
    hands = [counts_of(record["hand"][seat]) for seat in range(board["n_players"])]
    hands[0] = hands[0] + counts_of(record["play"])
    return {
        **_table(board),
        "hands": [{tables.NAMES[card]: int(n) for card, n in enumerate(hand) if n} for hand in hands],
        "rng": int(record["rng"]),
    }


def _player(record: np.void, seat: int) -> dict[str, Any]:
    return {
        "hand": named(record["hand"][seat]),
        "known": named(record["known"][seat]),
        "deck": named(record["deck"][seat]),
        "top": _listed(record["top"][seat][::-1]),
        "discard": named(record["discard"][seat]),
        "turns": int(record["turns"][seat]),
    }


def make_snapshot(record: np.void, board: np.void) -> dict[str, Any]:
    """The full state, including hidden hands."""
    turn_seat = int(record["turn_seat"])
    return {
        **_table(board),
        "round": int(record["turns"][turn_seat]),
        "seat": int(record["seat"]),
        "turn_seat": turn_seat,
        "phase": Phase(record["phase"]).name.lower(),
        "actions": int(record["actions"]),
        "buys": int(record["buys"]),
        "coins": int(record["coins"]),
        "supply": {
            name: int(n)
            for card, (name, n) in enumerate(zip(tables.NAMES, counts_of(record["supply"]), strict=True))
            if int(board["piles"]) >> card & 1
        },
        "costs": {name: int(cost) for name, cost in zip(tables.NAMES, board["cost"], strict=True)},
        "trash": named(record["trash"]),
        "play": named(record["play"]),
        "aside": named(record["aside"]),
        "revealed": _listed(record["revealed"]),
        "stolen": {tables.NAMES[card]: int(n) for card, n in enumerate(record["stolen"]) if n},
        "again": _listed(record["again"]),
        "card": card_name(int(record["card"])),
        "subject": None if record["subject"] == NONE else int(record["subject"]),
        "immune": [seat for seat in range(board["n_players"]) if int(record["immune"]) >> seat & 1],
        "floor": int(record["floor"]),
        "count": int(record["count"]),
        "limit": int(record["limit"]),
        "pending": card_name(int(record["pending"])),
        "pending_known": bool(record["pending_known"]),
        "players": [_player(record, seat) for seat in range(board["n_players"])],
    }


# To records -----------------------------------------------------------------------------------------------------------


def config_of(setup: Any) -> Config:
    """The Config of a set-up. Raises SetupError, naming the problem, if there is none."""
    missing = [key for key in SETUP_KEYS if not isinstance(setup, Mapping) or key not in setup]
    if missing:
        raise SetupError(f"the set-up lacks {', '.join(missing)}; game.setup() returns a complete one")
    try:
        config = Config(
            num_players=setup["num_players"], kingdom=setup["kingdom"], round_limit=setup["round_limit"],
            house_rules=setup.get(HOUSE_RULES, ""),
        )  # fmt: skip
    except ConfigError as error:
        raise SetupError(f"the set-up is invalid: {error}") from error
    if config.kingdom is None or config.house_rules != setup.get(HOUSE_RULES, ""):
        raise SetupError(
            "the set-up is invalid: its kingdom and house rules must be fixed ones, as game.setup() returns them"
        )
    return config


def fill_hands(setup: Mapping[str, Any], record: np.void) -> None:
    """Fill in the first hands and the random stream. Raises SetupError if they are invalid."""
    n_players, hands, rng = setup["num_players"], setup["hands"], setup["rng"]
    if not is_integer(rng) or not 0 <= rng < 1 << 64:
        raise SetupError(f"rng: the state of the random stream is an unsigned 64-bit integer, found {quoted(rng)}")
    if not isinstance(hands, list | tuple) or len(hands) != n_players:
        raise SetupError(f"hands: {n_players} are needed, found {quoted(hands)}")
    start = np.zeros(N_CARDS, np.uint8)
    start[list(tables.START)] = list(tables.START.values())
    for seat, hand in enumerate(hands):
        counts = _counts(hand, f"hands[{seat}]")
        if counts.sum() != layout.HAND_SIZE or (counts > start).any():
            words = " and ".join(f"{n} {tables.NAMES[card]}" for card, n in tables.START.items())
            raise SetupError(f"hands[{seat}]: {layout.HAND_SIZE} cards of {words} are needed, found {quoted(hand)}")
        record["hand"][seat] = counts.view("<u8")
        record["deck"][seat] = (start - counts).view("<u8")
    record["rng"] = rng


def _counts(hand: object, what: str) -> np.ndarray:
    if not isinstance(hand, Mapping):
        raise SetupError(f"{what}: names and counts of cards are needed, found {quoted(hand)}")
    counts = np.zeros(N_CARDS, np.uint8)
    for name, n in hand.items():
        if name not in tables.NAMES or not is_integer(n) or not 0 <= n <= layout.HAND_SIZE:
            raise SetupError(f"{what}: {quoted(name)}: {quoted(n)} is not a card and its number")
        counts[tables.NAMES.index(name)] = n
    return counts
