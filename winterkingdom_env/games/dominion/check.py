"""The check of untrusted records. Kernels check nothing, so what passes here must not lead them outside their arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from winterkingdom_env.core.counts import WORDS
from winterkingdom_env.games.dominion import layout, tables
from winterkingdom_env.games.dominion.check_turn import turn_flaws
from winterkingdom_env.games.dominion.config import PLAYERS
from winterkingdom_env.games.dominion.house import SHEETS, house_rules_of
from winterkingdom_env.games.dominion.layout import MAX_PLAYERS, MOST_COST, N_CARDS, NONE
from winterkingdom_env.games.dominion.plain import counts_of
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import rows_of

BASIC = (1 << tables.N_BASIC) - 1
SEAT_ZONES = ("hand", "deck", "discard", "known")
SHARED_ZONES = ("supply", "trash", "play", "aside")
STACKED = np.array(
    [card == tables.SILVER or layout.Class.VICTORY in row.classes for card, row in enumerate(tables.CARDS)]
)


def flaw(game: np.void, board: np.void) -> str:
    """What is wrong with a position; an empty text if it is valid."""
    for found in (board_flaws, zone_flaws, turn_flaws):
        for words in found(game, board):
            return words
    return ""


def board_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with the BOARD record."""
    if board["n_players"] not in PLAYERS:
        yield f"n_players is {board['n_players']}"
    if not 1 <= board["round_limit"] <= layout.MOST_ROUNDS:
        yield f"round_limit is {board['round_limit']}"
    piles = int(board["piles"])
    kingdom = piles >> tables.N_BASIC
    if piles & BASIC != BASIC or piles >> N_CARDS or kingdom.bit_count() != layout.KINGDOM_SIZE:
        yield f"piles is {piles:#x}: the basic cards and ten others are needed"
    if board["cost"].min() < 0 or board["cost"].max() > MOST_COST:
        yield f"cost is {board['cost'].tolist()}"
    wanted = [sum(1 << card for card in range(N_CARDS) if board["cost"][card] <= cost) for cost in range(MOST_COST + 1)]
    if board["up_to"].tolist() != wanted:
        yield "up_to does not follow from cost"
    try:
        rows_of(SHEETS, house_rules_of(board))
    except ConfigError as error:
        yield str(error)


def zone_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with the zones: cards that are lost or doubled, and lists that are no lists."""
    n_players = int(board["n_players"])
    for name in SEAT_ZONES:
        if game[name][n_players:].any():
            yield f"{name} of a seat that is not in the game is not empty"
    for name, n_cards in (("top", "n_top"), ("again", "n_again")):
        lists = game[name].reshape(-1, game[name].shape[-1])
        for cards, n in zip(lists, np.ravel(game[n_cards]), strict=True):
            is_list = 0 <= n <= len(cards) and (cards[:n] >= 0).all() and (cards[:n] < N_CARDS).all()
            if not is_list or (cards[n:] != NONE).any():
                yield f"{name} is not a list of {n} cards"
    if game["n_top"][n_players:].any():
        yield "top of a seat that is not in the game is not empty"
    for seat in range(n_players):
        if not STACKED[game["top"][seat][1 : game["n_top"][seat]]].all():
            yield f"top of seat {seat} has cards that nobody can have put there"
        if (counts_of(game["known"][seat]) > counts_of(game["hand"][seat])).any():
            yield f"known of seat {seat} is more than its hand"
    if game["revealed"].min() < NONE or game["revealed"].max() >= N_CARDS:
        yield f"revealed is {game['revealed'].tolist()}"
    yield from _total_flaws(game, board)


def _total_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """Every card must be somewhere, once."""
    assert game["supply"].shape == (WORDS,)
    n_players = int(board["n_players"])
    total = sum(counts_of(game[name]).astype(int) for name in SHARED_ZONES)
    for name in ("hand", "deck", "discard"):
        total = total + counts_of(game[name]).reshape(MAX_PLAYERS, N_CARDS).astype(int).sum(axis=0)
    listed = [*game["top"].ravel(), *game["revealed"]]
    total = total + np.bincount([card for card in listed if card != NONE], minlength=N_CARDS)
    for card in range(N_CARDS):
        wanted = int(board["pile"][card]) if int(board["piles"]) >> card & 1 else 0
        wanted += n_players * tables.START.get(card, 0)
        if total[card] != wanted:
            yield f"there are {total[card]} {tables.NAMES[card]} in all, not {wanted}"
