"""The random stream of the rules, section 1.5: the project's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from winterkingdom_env.core.rng import Stream, seed_state


def stream_of(seed: int) -> Stream:
    """The stream of a game with this seed."""
    return Stream(seed_state(seed))


def shuffled(stream: Stream, things: Iterable[Any]) -> list[Any]:
    """The things after a shuffle."""
    found = list(things)
    stream.shuffle(found)
    return found
