"""The check of untrusted records. Kernels check nothing, so what passes here must not lead them outside their arrays.

Every position that play reaches passes. That a position has a decision to make is checked by those who call this: they run the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from winterkingdom_env.core._jit import Quick, kernel
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.games.kingdom_builder.check_board import board_flaws
from winterkingdom_env.games.kingdom_builder.check_cards import card_flaws, gold_flaws, tile_flaws
from winterkingdom_env.games.kingdom_builder.check_pieces import piece_flaws
from winterkingdom_env.games.kingdom_builder.check_turn import turn_flaws
from winterkingdom_env.games.kingdom_builder.furnish import furnish
from winterkingdom_env.games.kingdom_builder.layout import BOARD, GAME
from winterkingdom_env.games.kingdom_builder.pieces import find_facts
from winterkingdom_env.games.kingdom_builder.rules import make_rules

RULES = make_rules()
KEPT = 64  # boards whose check is remembered: many positions of a game have the same one
BOARD_SETS = (
    "terrain", "touching", "links", "same", "caves", "capitols", "sites_at",
    "has_bonuses", "has_canoes", "has_swords", "has_walls", "has_scouts",
)  # fmt: skip
GAME_SETS = ("near", "taken", "blocked")


@kernel
def furnish_all(boards, rules):
    """Derive what BOARD records derive."""
    for i in range(boards.shape[0]):
        furnish(boards[i], rules[0])


@kernel
def find_facts_all(games, boards, rules):
    """Derive what GAME records derive."""
    for i in range(games.shape[0]):
        find_facts(games[i], boards[i], rules[0])


FURNISH, FIND = Quick(furnish_all), Quick(find_facts_all)


def flaw(game: np.void, board: np.void) -> str:
    """What is wrong with a position, the name of the field first; an empty text if it is valid."""
    words = board_flaw(board.tobytes())
    if words:
        return words
    for found in (piece_flaws, derived_flaws, tile_flaws, gold_flaws, card_flaws, turn_flaws):
        for words in found(game, board):
            return words
    return ""


@lru_cache(maxsize=KEPT)
def board_flaw(content: bytes) -> str:
    """What is wrong with a BOARD record, given as bytes; an empty text if it is valid."""
    boards, derived = np.frombuffer(content, BOARD), aligned(1, BOARD)
    for words in board_flaws(boards[0]):
        return words
    derived[:] = boards
    FURNISH.call(derived, RULES)
    return next(
        (
            f"{name} does not follow from terrain_at, site_tile, cave and capitol"
            for name in BOARD_SETS
            if (derived[name] != boards[name]).any()
        ),
        "",
    )


def derived_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """The derived sets of a GAME record that do not follow from the things on the board."""
    games, boards = aligned(1, GAME), aligned(1, BOARD)
    games[0], boards[0] = game, board
    FIND.call(games, boards, RULES)
    for name in GAME_SETS:
        if (games[name][0] != game[name]).any():
            yield f"{name} does not follow from pieces, walls, scouts and warriors"
