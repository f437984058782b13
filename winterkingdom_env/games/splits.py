"""The split of a game's set-ups into those seen in training and those held out to measure generalization.

For each field of its Config that matters, a game lists the values of both sides. A set-up belongs to a side if all its values do.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import Stream, derive

SPLIT_SEED = 20201  # never change it: held-out set-ups must stay unseen for agents that were trained earlier
T = TypeVar("T")


class Split(StrEnum):
    """Which side of the split a set-up is on."""

    SEEN = "seen"
    HELD_OUT = "held-out"


@dataclass(frozen=True)
class Part:
    """A field of a game's Config and its values on both sides. The order within a tuple does not matter."""

    field: str
    title: str  # for people: scoring cards
    seen: Sequence[Any]
    held_out: Sequence[Any]
    texts: tuple[str, str]  # a short description of each side

    def of(self, which: Split) -> Sequence[Any]:
        """The values of one side."""
        return self.seen if which is Split.SEEN else self.held_out


@dataclass(frozen=True)
class Splits:
    """A split of a game's set-ups. ``everything``: the Config fields that make a set-up draw all that can be drawn.

    ``always``: fields that all its set-ups have. ``others``: further splits of the game by name, such as one with its expansions.
    """

    parts: tuple[Part, ...]
    everything: Mapping[str, Any]
    always: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Splits] = field(default_factory=dict)

    def named(self, name: str) -> Splits:
        """The split of this name, "" for this one. Raises ValueError with the names that there are."""
        if name and name not in self.others:
            there = (
                f"there {'is' if len(self.others) == 1 else 'are'} {', '.join(self.others)}"
                if self.others
                else "it has one"
            )
            raise ValueError(f"the game has no split {quoted(name)}; {there}, and its own if none is named")
        return self.others[name] if name else self

    @property
    def sides(self) -> tuple[Split, ...]:
        """Both sides, or only the seen one if nothing is held out."""
        return tuple(Split) if self.parts else (Split.SEEN,)

    def of(self, which: Split) -> dict[str, Sequence[Any]]:
        """The values of one side by field."""
        return {part.field: part.of(which) for part in self.parts}

    def values(self, name: str) -> tuple[Any, ...]:
        """The values of a part's field on both sides, the seen ones first."""
        (part,) = (part for part in self.parts if part.field == name)
        return (*part.seen, *part.held_out)

    def draw(self, which: Split, stream: Stream) -> dict[str, Any]:
        """Draw the Config fields of one side uniformly; ``everything`` if the game has no parts."""
        if which not in self.sides:
            raise ValueError(f"{which.value}: this game has no held-out set-ups; use {Split.SEEN.value}")
        drawn = {part.field: part.of(which)[stream.draw(len(part.of(which)))] for part in self.parts}
        return {**(self.always if self.parts else self.everything), **drawn}

    def side_of(self, config: Any, fixed: Collection[str] = ()) -> Split | None:
        """The side on which a Config is with all its parts; None if they are mixed, or drawn only when the game is set up.

        ``fixed``: fields that do not count, since they were not drawn.
        """
        parts = [part for part in self.parts if part.field not in fixed]
        if self.parts and not parts:
            return None
        if any(_key(getattr(config, name)) != _key(value) for name, value in self.always.items() if name not in fixed):
            return None
        for which in self.sides:
            if all(_key(getattr(config, part.field)) in map(_key, part.of(which)) for part in parts):
                return which
        return None


def _key(value: Any) -> Hashable:
    return frozenset(value) if isinstance(value, tuple) else value


def parted(items: Sequence[T], n_held_out: int, purpose: str) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Split ``items`` into seen and held-out ones, both in order. The split depends only on SPLIT_SEED and ``purpose``."""
    numbers = list(range(len(items)))
    Stream(derive(SPLIT_SEED, purpose)).shuffle(numbers)
    held_out = set(numbers[:n_held_out])
    seen = tuple(item for i, item in enumerate(items) if i not in held_out)
    return seen, tuple(items[i] for i in sorted(held_out))
