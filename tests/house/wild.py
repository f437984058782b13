"""House rules as wild as a game's tables allow: any value that a column may have, in any row."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from winterkingdom_env.games.house_rules import (
    PRINTED,
    RANDOM,
    Choice,
    Kind,
    Number,
    Several,
    Sheet,
    Sheets,
    random_house_rules,
    text_of,
)

WILD = "wild"  # the name of this kind of house rules


def _value(kind: Kind, dice: random.Random) -> Any:
    if isinstance(kind, Number):
        return dice.randint(kind.least, kind.most)
    if isinstance(kind, Choice):
        return dice.choice(kind.members)
    if isinstance(kind, Several):
        return sum(1 << member for member in dice.sample(kind.members, dice.randint(1, len(kind.members))))
    return 0


def _row(sheet: Sheet, row: Any, dice: random.Random) -> Any:
    while True:
        changed = row
        for name in sheet.columns:  # an argument stands behind its choice
            is_free = dice.random() < 0.6
            kind = sheet.kind_of(name, changed)
            if is_free or kind.read(getattr(changed, name)) is None:
                changed = changed._replace(**{name: _value(kind, dice)})
        if not sheet.flaw(changed):
            return changed


def wild_house_rules(sheets: Sheets, seed: int, share: float = 0.7) -> str:
    """House rules in which about this share of the rows is changed."""
    dice = random.Random(seed)
    rows = [[_row(sheet, row, dice) if dice.random() < share else row for row in sheet.rows] for sheet in sheets]
    return text_of(sheets, rows)


# House rules from a seed, by kind.
HOUSE_RULES: dict[str, Callable[[Sheets, int], str]] = {
    PRINTED: lambda sheets, seed: PRINTED,
    RANDOM: random_house_rules,
    WILD: wild_house_rules,
}
