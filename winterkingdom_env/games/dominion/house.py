"""What house rules may change in the card table: costs and piles (games/house_rules.py)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from winterkingdom_env.games.dominion import tables
from winterkingdom_env.games.dominion.layout import MOST_COST
from winterkingdom_env.games.dominion.tables import PLAYERS_COLUMNS, Card
from winterkingdom_env.games.house_rules import Number, Sheet, Sheets, rows_of, text_of

KEPT = 256  # size of the cache: a batch may mix many house rules
FIRST_PLAYERS = 2
MOST_PILE = 60


def _flaw(card: Card) -> str:
    """A box has so many cards and no more: zones are sized by it."""
    printed = tables.CARDS[tables.NAMES.index(card.name)]
    for column in PLAYERS_COLUMNS:
        most = (
            max(getattr(printed, name) for name in PLAYERS_COLUMNS)
            if card.name != "Copper"
            else getattr(printed, column)
        )
        if getattr(card, column) > most:
            return f"{column}={getattr(card, column)} are more than the box has; {most} at most"
    return ""


SHEETS: Sheets = (
    Sheet(
        "card",
        tables.CARDS,
        {"cost": Number(0, MOST_COST, vary=1), **{column: Number(1, MOST_PILE) for column in PLAYERS_COLUMNS}},
        _flaw,
    ),
)


@lru_cache(maxsize=KEPT)
def cards_of(house_rules: str) -> tuple[Card, ...]:
    """The cards under house rules, given as content. Raises ConfigError if they are invalid."""
    (cards,) = rows_of(SHEETS, house_rules)
    return cards


def pile_of(card: Card, n_players: int) -> int:
    """Cards of a pile at the beginning."""
    return int(getattr(card, PLAYERS_COLUMNS[n_players - FIRST_PLAYERS]))


def changed_rows(house_rules: str, num_players: int) -> dict[str, dict[str, int]]:
    """Cost and pile of the cards that these house rules change, by name."""
    return {
        card.name: {"cost": card.cost, "pile": pile_of(card, num_players)}
        for card, printed in zip(cards_of(house_rules), tables.CARDS, strict=True)
        if card != printed
    }


def house_rules_of(board: np.void) -> str:
    """The house rules of a game: costs, and piles for its number of players, as far as they are not printed ones."""
    column = PLAYERS_COLUMNS[int(board["n_players"]) - FIRST_PLAYERS]
    rows = [
        card._replace(**{"cost": int(cost), column: int(pile)})  # type: ignore[arg-type]  # the columns are integers
        for card, cost, pile in zip(tables.CARDS, board["cost"], board["pile"], strict=True)
    ]
    return text_of(SHEETS, (rows,))
