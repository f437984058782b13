"""The factors of a game's set-ups: what can differ between them, one level at a time, to measure generalization (docs/generalisation.md).

A factor is a field of the game's Config and its levels. A level is a card, a board, a number of players: whatever an agent can be trained without.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.house_rules import HOUSE_RULES, RANDOM, Sheets, random_house_rules

PLAYERS = "players"  # the factor of the number of players, which set-ups of one evaluation share
PRINTED_RULES = "printed"  # the level of the rules as printed
N_HOUSE_RULES = 64  # random house rules to draw from


@dataclass(frozen=True)
class Factor:
    """A field of a Config and its levels: for each the values of the field that have it. A value of several cards has several levels."""

    name: str  # in the name of a fold: economy
    title: str  # for people: economies
    field: str
    levels: Mapping[str, Sequence[Any]]

    def values(self, level: str) -> Sequence[Any]:
        """The values that have a level. Raises ValueError with the levels that there are."""
        if level not in self.levels:
            raise ValueError(f"{self.name} has no level {quoted(level)}; there are: {', '.join(self.levels)}")
        return self.levels[level]

    def without(self, level: str) -> Mapping[str, Sequence[Any]]:
        """The other levels, with those of their values that do not have this one."""
        left_out = set(map(as_key, self.values(level)))
        rest = {name: [v for v in values if as_key(v) not in left_out] for name, values in self.levels.items()}
        return {name: values for name, values in rest.items() if values}

    def has(self, level: str, config: Any) -> bool:
        """Whether a Config has a level."""
        return as_key(getattr(config, self.field)) in self._keys[level]

    @cached_property
    def _keys(self) -> dict[str, frozenset[Hashable]]:
        return {level: frozenset(map(as_key, values)) for level, values in self.levels.items()}


def draw_value(levels: Mapping[str, Sequence[Any]], stream: Stream) -> Any:
    """One of the levels, and then one of its values, both drawn uniformly."""
    values = list(levels.values())[stream.draw(len(levels))]
    return values[stream.draw(len(values))]


def as_key(value: Any) -> Hashable:
    """A value of a field, to compare: the order of names does not matter."""
    return frozenset(value) if isinstance(value, tuple) else value


def of_values(name: str, title: str, field: str, values: Iterable[Any]) -> Factor:
    """A factor whose levels are the values themselves; None is the level ``none``, several names are joined."""
    return Factor(name, title, field, {_level(value): (value,) for value in values})


def of_members(name: str, title: str, field: str, values: Iterable[Sequence[str]], ending: str = "") -> Factor:
    """A factor whose values are tuples of names, and whose levels are the names, without ``ending`` where they have it."""
    levels: dict[str, list[Any]] = {}
    for value in values:
        for member in dict.fromkeys(each.removesuffix(ending) for each in value):
            levels.setdefault(member, []).append(value)
    return Factor(name, title, field, levels)


def common_factors(players: Iterable[int], sheets: Sheets) -> tuple[Factor, ...]:
    """The factors of every game: the number of players, and house rules if it has any. A factor needs two levels."""
    numbers = of_values(PLAYERS, "numbers of players", "num_players", players)
    rules = {PRINTED_RULES: ("",), RANDOM: tuple(random_house_rules(sheets, seed) for seed in range(N_HOUSE_RULES))}
    house = Factor(HOUSE_RULES, "house rules", HOUSE_RULES, rules)
    is_varied = any(rules[RANDOM])
    return tuple(factor for factor in (numbers, *([house] if is_varied else [])) if len(factor.levels) > 1)


def _level(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(value) or "none"
    return "none" if value is None else str(value)
