"""The random stream in a game's record: splitmix64 (docs/turn.md, Random stream)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from winterkingdom_env.core._jit import kernel

U64 = np.uint64
GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
MASK_64 = 0xFFFF_FFFF_FFFF_FFFF
RENEWED = 0x2545F4914F6CDD1D  # an arbitrary odd word


@kernel
def mixed(state):
    """The 64 random bits of a state of the stream."""
    z = U64(state)
    z = (z ^ (z >> U64(30))) * U64(MIX_1)
    z = (z ^ (z >> U64(27))) * U64(MIX_2)
    return z ^ (z >> U64(31))


@kernel
def scaled(word, bound):
    """A random word as an integer from 0 to ``bound`` - 1. The bias is below bound / 2^32: 10^-8 for a deck of thirty."""
    return np.int64(((word >> U64(32)) * U64(bound)) >> U64(32))


@kernel
def draw(game, bound):
    """Advance ``game["rng"]`` and return an integer from 0 to ``bound`` - 1."""
    game["rng"] += U64(GAMMA)
    return scaled(mixed(game["rng"]), bound)


@kernel
def shuffle(game, cards, n):
    """Shuffle the first ``n`` entries of ``cards`` in place."""
    for i in range(n - 1, 0, -1):
        j = draw(game, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@kernel
def renew(game):
    """Replace ``game["rng"]`` by an unrelated stream."""
    game["rng"] = mixed(mixed(game["rng"] + U64(GAMMA)) ^ U64(RENEWED))


class Stream:
    """The same stream in plain Python, for results that must not depend on a library's version."""

    def __init__(self, seed: int) -> None:
        """Start in the state ``seed``; use ``seed_state`` to decorrelate similar seeds."""
        self.state = seed & MASK_64

    def next_word(self) -> int:
        """The next 64 random bits."""
        self.state = (self.state + GAMMA) & MASK_64
        z = self.state
        z = ((z ^ (z >> 30)) * MIX_1) & MASK_64
        z = ((z ^ (z >> 27)) * MIX_2) & MASK_64
        return z ^ (z >> 31)

    def draw(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1, the same as the kernel's."""
        return ((self.next_word() >> 32) * bound) >> 32

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle ``items`` in place, in the same order as the kernel."""
        for i in range(len(items) - 1, 0, -1):
            j = self.draw(i + 1)
            items[i], items[j] = items[j], items[i]


def derive(seed: int, purpose: str, *parts: int | str) -> int:
    """A seed for one purpose, from 0 to 2**63 - 1. One-way: neither ``seed`` nor other derived seeds can be computed from it."""
    text = json.dumps([seed, purpose, *parts]).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 1


def seed_state(seed: int) -> int:
    """The initial state of a stream with this seed; similar seeds give unrelated states."""
    return Stream(seed).next_word()
