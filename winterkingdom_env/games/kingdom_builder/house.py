"""What house rules may change in the tables: the gold of scoring cards, tasks and landmarks (games/house_rules.py)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.games.house_rules import Number, Sheet, Sheets, rows_of, text_of
from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.layout import NONE
from winterkingdom_env.games.kingdom_builder.tables import Landmark, Scoring, TaskCard

KEPT = 256  # size of the cache: a batch may mix many house rules
MOST_GOLD = 20
GOLD = Number(0, MOST_GOLD, vary=1)
SHEETS: Sheets = (
    Sheet("scoring", tables.SCORINGS, {"gold": GOLD}),
    Sheet("task", tables.TASKS, {"gold": GOLD}),
    Sheet("landmark", tables.LANDMARKS, {"gold": GOLD}),
)


class Cards(NamedTuple):
    """The tables that house rules may change."""

    scorings: tuple[Scoring, ...]
    tasks: tuple[TaskCard, ...]
    landmarks: tuple[Landmark, ...]


@lru_cache(maxsize=KEPT)
def cards_of(house_rules: str) -> Cards:
    """The tables under house rules, given as content. Raises ConfigError if they are invalid."""
    return Cards(*rows_of(SHEETS, house_rules))


def house_rules_of(board: np.void) -> str:
    """The house rules of a game, restricted to the cards that are in it."""
    scorings, tasks = list(tables.SCORINGS), list(tables.TASKS)
    for card, gold in zip(board["scoring"].tolist(), board["gold"].tolist(), strict=True):
        scorings[card] = scorings[card]._replace(gold=gold)
    for task, gold in zip(board["task"].tolist(), board["task_gold"].tolist(), strict=True):
        if task != NONE:
            tasks[task] = tasks[task]._replace(gold=gold)
    paid = (int(board["castle_gold"]), int(board["palace_gold"]))
    landmarks = [row._replace(gold=gold) for row, gold in zip(tables.LANDMARKS, paid, strict=True)]
    return text_of(SHEETS, (scorings, tasks, landmarks))


def changed_gold(board: np.void) -> dict[str, int]:
    """The gold that house rules change in a game: see ``gold_changes``."""
    return gold_changes(cards_of(house_rules_of(board)))


def gold_changes(cards: Cards) -> dict[str, int]:
    """The gold that differs from the printed one, by card and task, and for "castles" and "palaces"."""
    printed: tuple[Any, ...] = (*tables.SCORINGS, *tables.TASKS, *tables.LANDMARKS)
    changed: tuple[Any, ...] = (*cards.scorings, *cards.tasks, *cards.landmarks)
    names = {"Castle": "castles", "Palace": "palaces"}
    rows = zip(printed, changed, strict=True)
    return {names.get(new.name, new.name): new.gold for old, new in rows if old.gold != new.gold}
