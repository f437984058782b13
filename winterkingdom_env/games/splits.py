"""How a game says which set-ups are seen in training, and which are held out to ask what was understood.

A game lists, for each field of its Config that matters, the values on either side. A set-up of a side has all its parts from that side.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from winterkingdom_env.core.rng import Stream, derive

SPLIT_SEED = (
    20201  # never changed: an agent that trained on the seen set-ups of yesterday has not seen those held out today
)
T = TypeVar("T")


class Split(StrEnum):
    """Which side of the split a set-up is on."""

    SEEN = "seen"
    HELD_OUT = "held-out"


@dataclass(frozen=True)
class Part:
    """A field of a game's Config, and the values that it has on either side. The order within a value that is a tuple does not matter."""

    field: str
    title: str  # for people: scoring cards
    seen: Sequence[Any]
    held_out: Sequence[Any]
    texts: tuple[str, str]  # both sides for people, who may not want to read every value

    def of(self, which: Split) -> Sequence[Any]:
        """The values of one side."""
        return self.seen if which is Split.SEEN else self.held_out


@dataclass(frozen=True)
class Splits:
    """Both sides of the split of a game. ``everything``: the fields of a Config with which a set-up draws whatever can be drawn."""

    parts: tuple[Part, ...]
    everything: Mapping[str, Any]

    @property
    def sides(self) -> tuple[Split, ...]:
        """Both; only the seen one if the game holds nothing out."""
        return tuple(Split) if self.parts else (Split.SEEN,)

    def of(self, which: Split) -> dict[str, Sequence[Any]]:
        """The values of one side by field."""
        return {part.field: part.of(which) for part in self.parts}

    def draw(self, which: Split, stream: Stream) -> dict[str, Any]:
        """The fields of a Config of one side, each value with the same probability; without parts they are ``everything``."""
        if which not in self.sides:
            raise ValueError(f"{which.value}: this game holds no set-ups out; draw {Split.SEEN.value} ones")
        drawn = {part.field: part.of(which)[stream.draw(len(part.of(which)))] for part in self.parts}
        return {**({} if self.parts else self.everything), **drawn}

    def side_of(self, config: Any, fixed: Collection[str] = ()) -> Split | None:
        """The side on which a Config is with all its parts; None if they are mixed, or drawn only when the game is set up.

        ``fixed``: fields that do not count, since they were not drawn.
        """
        parts = [part for part in self.parts if part.field not in fixed]
        if self.parts and not parts:
            return None
        for which in self.sides:
            if all(_key(getattr(config, part.field)) in map(_key, part.of(which)) for part in parts):
                return which
        return None


def _key(value: Any) -> Hashable:
    return frozenset(value) if isinstance(value, tuple) else value


def parted(items: Sequence[T], n_held_out: int, purpose: str) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Seen and held out, both in the order of ``items``: what is held out follows from SPLIT_SEED and the purpose alone, on every machine."""
    numbers = list(range(len(items)))
    Stream(derive(SPLIT_SEED, purpose)).shuffle(numbers)
    held_out = set(numbers[:n_held_out])
    seen = tuple(item for i, item in enumerate(items) if i not in held_out)
    return seen, tuple(items[i] for i in sorted(held_out))
