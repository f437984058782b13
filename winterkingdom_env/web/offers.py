"""The options of a game as a form shows them."""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

from winterkingdom_env.games import GameRules
from winterkingdom_env.games.options import NOTHING, as_typed, meanings_of, options_of


def offers(rules: GameRules) -> list[dict[str, Any]]:
    """A row per option: name, meaning, kind (values, flag or number), the values that can be chosen, how many at once, and what none of them means; the default."""
    meanings, rows = meanings_of(rules), []
    for name, option in options_of(rules).items():
        choice, kinds = rules.CHOICES.get(name), {option.type, *get_args(option.type)}
        kind = "values" if choice is not None else "flag" if bool in kinds else "number" if int in kinds else ""
        if not kind:
            continue  # a text that is not offered, such as the path of a file
        rows.append(
            {
                "name": name,
                "meaning": (choice.meaning if choice is not None else "") or meanings.get(name, ""),
                "kind": kind,
                "values": [value for value in choice.values if value != NOTHING] if choice is not None else [],
                "most": choice.most if choice is not None else 1,
                "nothing": choice.nothing if choice is not None else NOTHING,
                "default": as_typed(option.default),
                "may_be_none": NoneType in kinds,
            }
        )
    return rows
