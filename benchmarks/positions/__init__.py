"""Positions that the parts time: those of random games, for any game, and whatever a game's own file adds.

``benchmarks/positions/<game>.py`` is optional. It has a class ``Source``, a subclass of the one here, which overrides as much of it as the
game has something to say about: its reference, a scene for everything that costs time in a way of its own, what its fingerprint must reach.
A game without such a file is timed on positions of uniformly random games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from benchmarks.timing import Budget, Facts
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import GameRules
from winterkingdom_env.games.base import BaseGame, perft

Row = tuple[str, str, tuple[str, ...]]  # of the README's table: words, part, names of timings side by side
Twin = Callable[[np.ndarray, np.ndarray], np.ndarray]  # GAME and BOARD records -> what is legal, in any form
MOST_STEPS = 200_000  # of random games, to look for positions in
MOST_NODES = {0: 200, 1: 200_000, 2: 2_000_000}  # of a perft, by level, where a game does not say its depth
DEEPEST = 8  # likewise


class Reference(Protocol):
    """A game of the slow and obvious rules."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def find_legal(self) -> Iterable[str]:
        """Labels of the legal actions, found again each time."""

    def legal_labels(self) -> Iterable[str]:
        """Labels of the legal actions; may be kept from the last call."""

    def apply(self, label: str) -> None:
        """Carry out an action."""

    def clone(self) -> Any:
        """An independent copy."""


class Pair(NamedTuple):
    """One position in both implementations; ``reference`` is None if the game has only one."""

    game: Any
    reference: Any = None

    def clone(self) -> Pair:
        """An independent copy."""
        return Pair(self.game.clone(), None if self.reference is None else self.reference.clone())

    def apply(self, action: int) -> None:
        """Carry out an action in both."""
        if self.reference is not None:
            self.reference.apply(self.game.label(action))
        self.game.apply(action)


class Scene(NamedTuple):
    """Positions in which the same is to be decided."""

    group: str  # "phase" or "op"
    name: str
    pairs: Sequence[Pair]


class Start(NamedTuple):
    """Where a perft begins, and how deep it goes at each level."""

    name: str
    game: Any
    depths: Sequence[int]


class Variation(NamedTuple):
    """The same positions with more or less of something, for ``scaling``."""

    name: str
    pairs: Sequence[Pair]
    facts: Facts


@dataclass(frozen=True)
class Source:
    """Where the positions of a game come from. Everything here works for any game."""

    rules: GameRules

    OPTIONS: ClassVar[dict[str, Any]] = {}  # fields of Config besides num_players, so that all of the game is in play
    MAIN: ClassVar[str] = "any choice"  # what names of timings call the positions of ``is_main``
    TWINS: ClassVar[dict[str, Twin]] = {}  # by name of a scene: the same in plain numpy
    TABLE_ROWS: ClassVar[tuple[Row, ...]] = ()  # about its own scenes, for the README's table
    N_FINGERPRINT: ClassVar[int] = 24  # games that make a fingerprint

    # What a game may say otherwise

    def reference(self, setup: dict[str, Any]) -> Reference | None:
        """The reference's game with this set-up; None if there is no reference."""
        return None

    def pick(self, legal: Sequence[int], stream: Stream) -> int:
        """The action by which a random game goes on: one that reaches more of the game, or any."""
        return legal[stream.draw(len(legal))]

    def is_main(self, game: Any) -> bool:
        """Whether this is a position by which the game is to be judged: there is something to choose."""
        return len(game.legal_actions()) > 1

    def is_middle(self, game: Any) -> bool:
        """The same in the middle of the game."""
        return self.is_main(game)

    def scenes(self, budget: Budget) -> Iterator[Scene]:
        """Everything for which legal masks are timed: each phase."""
        n = budget.choose(24, 1024, 1024)
        found: dict[str, list[Pair]] = {}
        for step, pair in enumerate(self.random_games(budget.seed)):
            pairs = found.setdefault(pair.game.phase, [])
            if len(pairs) < n:
                pairs.append(pair.clone())
            if step == 8 * n:
                break
        for phase, pairs in found.items():
            yield Scene("phase", phase, pairs)

    def starts(self, level: int) -> Iterator[Start]:
        """Where perft begins: an opening with the fewest players, and the middle of a game with more."""
        for name, players, part in (("opening", self.fewest, 0.0), ("middle game", self.usual, 0.5)):
            game = self.after(self.config(players), 7, part)
            yield Start(name, game, [_depth_for(game, MOST_NODES[level])] * len(MOST_NODES))

    def variations(self, pool: Sequence[Pair], budget: Budget) -> Iterator[Variation]:
        """What else the cost of a legal mask depends on, besides players, round and batch."""
        yield from ()

    def fingerprint_config(self, number: int) -> Any:
        """The config of a game of the fingerprint: together they use all of the game."""
        return self.config(self.rules.PLAYERS[number % len(self.rules.PLAYERS)])

    def ending(self, game: Any) -> list[Any]:
        """What the fingerprint says about a game that is over, as plain data."""
        return [game.score_sheet(), game.ranks(), game.round]

    # What follows

    @property
    def fewest(self) -> int:
        """The smallest number of players."""
        return self.rules.PLAYERS[0]

    @property
    def usual(self) -> int:
        """A number of players in the middle."""
        return self.rules.PLAYERS[len(self.rules.PLAYERS) // 2]

    @property
    def mixed(self) -> str:
        """What names call all numbers of players together."""
        numbers = self.rules.PLAYERS
        return f"{numbers[0]} players" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]} players"

    def config(self, players: int) -> Any:
        """A Config for so many players, with everything in play."""
        return self.rules.Config(num_players=players, **self.OPTIONS)

    def pair(self, game: Any) -> Pair:
        """A game that has just begun, with its reference."""
        return Pair(game, self.reference(game.setup()))

    def random_games(self, seed: int) -> Iterator[Pair]:
        """Games with all numbers of players at every step of random play, without end."""
        stream, numbers = Stream(seed), self.rules.PLAYERS
        while True:
            config = self.config(numbers[stream.draw(len(numbers))])
            pair = self.pair(self.rules.new_game(config, seed=stream.draw(1 << 30)))
            while not pair.game.is_over:
                yield pair
                pair.apply(self.pick(pair.game.legal_actions(), stream))

    def collect(self, wanted: Callable[[Any], bool], n: int, seed: int, most_steps: int = MOST_STEPS) -> list[Pair]:
        """Copies of up to ``n`` wanted positions: fewer if ``most_steps`` steps of random games have no more."""
        found: list[Pair] = []
        for step, pair in enumerate(self.random_games(seed)):
            if len(found) == n or step == most_steps:
                break
            if wanted(pair.game):
                found.append(pair.clone())
        return found

    def after(self, config: Any, seed: int, part: float) -> Any:
        """A game after this part of a random one."""
        game, whole = self.rules.new_game(config, seed=seed), self.rules.new_game(config, seed=seed)
        return played(game, seed, int(part * played(whole, seed)[1]))[0]


def played(game: Any, seed: int, n_actions: int | None = None) -> tuple[Any, int]:
    """The game after so many uniformly random actions, or at its end, and how many there were."""
    stream, done = Stream(seed), 0
    while not game.is_over and done != n_actions:
        legal = game.legal_actions()
        game.apply(legal[stream.draw(len(legal))])
        done += 1
    return game, done


def _depth_for(game: BaseGame, most_nodes: int) -> int:
    """A depth with about so many nodes at most, by how the last one grew; at least 1."""
    depth, before, count = 1, 1, perft(game, 1)
    while depth < DEEPEST and count * count <= most_nodes * before:
        depth, before, count = depth + 1, count, perft(game, depth + 1)
    return depth


def _own(name: str) -> type[Source]:
    """The class of a game's own file, if it has one."""
    module = f"{__name__}.{name}"
    if not name.isidentifier() or find_spec(module) is None:
        return Source
    own: type[Source] = import_module(module).Source
    return own


def source_of(rules: GameRules) -> Source:
    """Where the positions of a game come from."""
    return _own(rules.NAME)(rules)


def table_rows(name: str) -> tuple[Row, ...]:
    """What the README's table says about the scenes of the game of a report."""
    return _own(name).TABLE_ROWS
