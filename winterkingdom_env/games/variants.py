"""The configs that a batch mixes, for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from winterkingdom_env.games.house_rules import HOUSE_RULES, RANDOM, Sheets, random_house_rules
from winterkingdom_env.games.options import GENERATED

ConfigT = TypeVar("ConfigT", bound=msgspec.Struct)


def variants_of(config: ConfigT, players: Sequence[int], n: int, sheets: Sheets) -> tuple[ConfigT, ...]:
    """Copies of a config: one per number of players and, with generated boards or random house rules, per each of ``n`` draws of them."""
    is_generated = getattr(config, "boards", None) == GENERATED
    is_random = getattr(config, HOUSE_RULES) == RANDOM
    kinds: list[dict[str, str]] = [{} for _ in range(n)] if is_generated or is_random else [{}]
    for i, kind in enumerate(kinds):
        if is_generated:
            kind["boards"] = f"{GENERATED}:{i}"
        if is_random:
            kind[HOUSE_RULES] = random_house_rules(sheets, i)
    return tuple(msgspec.structs.replace(config, num_players=number, **kind) for number in players for kind in kinds)
