"""Positions for the benchmarks: from random games, for any game, and from a game's own file.

``benchmarks/positions/<game>.py`` is optional. Its class ``Source`` is a subclass of the one here and overrides what is special about the
game: its reference, scenes for decisions with different costs, the configs of its fingerprint.
A game without such a file is benchmarked on positions from uniformly random games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from benchmarks.timing import Budget, Facts, Timing
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import GameRules
from winterkingdom_env.games.base import BaseGame, perft

if TYPE_CHECKING:
    from benchmarks.peer_loops import Peer

Row = tuple[str, str, tuple[str, ...]]  # of the speed table: label, part, names of timings shown side by side
Twin = Callable[[np.ndarray, np.ndarray], np.ndarray]  # GAME and BOARD records -> legal actions, in any form
MOST_STEPS = 200_000  # of random games, when collecting positions
MOST_NODES = {0: 200, 1: 200_000, 2: 2_000_000}  # of a perft, by level, if a game does not define its depth
DEEPEST = 8  # of a perft, if a game does not define its depth


class Reference(Protocol):
    """A game in the reference implementation."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def find_legal(self) -> Iterable[str]:
        """Labels of the legal actions, computed on every call."""

    def legal_labels(self) -> Iterable[str]:
        """Labels of the legal actions; may be cached."""

    def apply(self, label: str) -> None:
        """Apply an action."""

    def clone(self) -> Any:
        """An independent copy."""


class Pair(NamedTuple):
    """One position in both implementations; ``reference`` is None if the game has no reference."""

    game: Any
    reference: Any = None

    def clone(self) -> Pair:
        """An independent copy."""
        return Pair(self.game.clone(), None if self.reference is None else self.reference.clone())

    def apply(self, action: int) -> None:
        """Apply an action in both."""
        if self.reference is not None:
            self.reference.apply(self.game.label(action))
        self.game.apply(action)


class Scene(NamedTuple):
    """Positions with the same kind of decision."""

    group: str  # "phase" or "op"
    name: str
    pairs: Sequence[Pair]


class Start(NamedTuple):
    """The start of a perft, and its depth at each level."""

    name: str
    game: Any
    depths: Sequence[int]


class Variation(NamedTuple):
    """Positions with one property changed, for ``scaling``."""

    name: str
    pairs: Sequence[Pair]
    facts: Facts


@dataclass(frozen=True)
class Source:
    """The source of a game's positions. The defaults work for any game."""

    rules: GameRules

    OPTIONS: ClassVar[dict[str, Any]] = {}  # fields of Config besides num_players, to cover all rules
    KINDS: ClassVar[
        dict[str, dict[str, Any]]
    ] = {}  # other OPTIONS by name, with which the engine and the vector environment are timed, too
    SOAK_OPTIONS: ClassVar[dict[str, Any]] = {}  # further fields of Config, for long random runs
    MAIN: ClassVar[str] = "any choice"  # the name of ``is_main`` positions in timings
    TWINS: ClassVar[dict[str, Twin]] = {}  # plain numpy versions by name of the scene
    TABLE_ROWS: ClassVar[tuple[Row, ...]] = ()  # rows of the speed table for the game's own scenes
    N_FINGERPRINT: ClassVar[int] = 24  # games in a fingerprint

    # May be overridden

    def reference(self, setup: dict[str, Any]) -> Reference | None:
        """The reference game with this set-up; None if there is no reference."""
        return None

    def pick(self, legal: Sequence[int], stream: Stream) -> int:
        """The next action of a random game; a game may prefer actions that exercise more rules."""
        return legal[stream.draw(len(legal))]

    def is_main(self, game: Any) -> bool:
        """Whether this is a typical decision: by default, one with a choice."""
        return len(game.legal_actions()) > 1

    def is_middle(self, game: Any) -> bool:
        """Whether this is a typical decision in the middle of the game."""
        return self.is_main(game)

    def scenes(self, budget: Budget) -> Iterator[Scene]:
        """The scenes for legal masks: by default, one per phase."""
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
        """The starts of perft: an opening with the fewest players, and a middle game with more."""
        for name, players, part in (("opening", self.fewest, 0.0), ("middle game", self.usual, 0.5)):
            game = self.after(self.config(players), 7, part)
            yield Start(name, game, [_depth_for(game, MOST_NODES[level])] * len(MOST_NODES))

    def variations(self, pool: Sequence[Pair], budget: Budget) -> Iterator[Variation]:
        """Variations that affect the cost of a legal mask, besides players, round and batch size."""
        yield from ()

    def whole_games(self, budget: Budget) -> Iterator[Timing]:
        """Further timings of whole games, for the part "stepping": such as by the game's own agents inside a kernel."""
        yield from ()

    def peers(self) -> Sequence[Peer]:
        """Other projects that play this game."""
        return ()

    def fingerprint_config(self, number: int) -> Any:
        """The config of game ``number`` of the fingerprint; together they cover all rules."""
        return self.config(self.rules.PLAYERS[number % len(self.rules.PLAYERS)])

    def ending(self, game: Any) -> list[Any]:
        """The part of a finished game that enters the fingerprint, as plain data."""
        return [game.score_sheet(), game.ranks(), game.round]

    # Derived

    @property
    def fewest(self) -> int:
        """The smallest number of players."""
        return self.rules.PLAYERS[0]

    @property
    def usual(self) -> int:
        """A medium number of players."""
        return self.rules.PLAYERS[len(self.rules.PLAYERS) // 2]

    @property
    def mixed(self) -> str:
        """The name for all numbers of players together."""
        numbers = self.rules.PLAYERS
        return f"{numbers[0]} players" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]} players"

    def kinds(self) -> Iterator[tuple[str, Source]]:
        """The game with each of its other OPTIONS, by name."""
        for name, options in self.KINDS.items():
            yield name, type(type(self).__name__, (type(self),), {"OPTIONS": options})(self.rules)

    def config(self, players: int) -> Any:
        """A Config for ``players`` players with OPTIONS."""
        return self.rules.Config(num_players=players, **self.OPTIONS)

    def pair(self, game: Any) -> Pair:
        """A new game with its reference."""
        return Pair(game, self.reference(game.setup()))

    def random_games(self, seed: int) -> Iterator[Pair]:
        """An endless stream of positions from random games with all numbers of players."""
        stream, numbers = Stream(seed), self.rules.PLAYERS
        while True:
            config = self.config(numbers[stream.draw(len(numbers))])
            pair = self.pair(self.rules.new_game(config, seed=stream.draw(1 << 30)))
            while not pair.game.is_over:
                yield pair
                pair.apply(self.pick(pair.game.legal_actions(), stream))

    def collect(self, wanted: Callable[[Any], bool], n: int, seed: int, most_steps: int = MOST_STEPS) -> list[Pair]:
        """Copies of up to ``n`` positions that are ``wanted``, from at most ``most_steps`` steps of random games."""
        found: list[Pair] = []
        for step, pair in enumerate(self.random_games(seed)):
            if len(found) == n or step == most_steps:
                break
            if wanted(pair.game):
                found.append(pair.clone())
        return found

    def after(self, config: Any, seed: int, part: float) -> Any:
        """A game after the fraction ``part`` of a random game."""
        game, whole = self.rules.new_game(config, seed=seed), self.rules.new_game(config, seed=seed)
        return played(game, seed, int(part * played(whole, seed)[1]))[0]


def played(game: Any, seed: int, n_actions: int | None = None) -> tuple[Any, int]:
    """The game after ``n_actions`` uniformly random actions, or at its end, and the number of actions."""
    stream, done = Stream(seed), 0
    while not game.is_over and done != n_actions:
        legal = game.legal_actions()
        game.apply(legal[stream.draw(len(legal))])
        done += 1
    return game, done


def _depth_for(game: BaseGame, most_nodes: int) -> int:
    """A depth with at most about ``most_nodes`` nodes, extrapolated from the last growth; at least 1."""
    depth, before, count = 1, 1, perft(game, 1)
    while depth < DEEPEST and count * count <= most_nodes * before:
        depth, before, count = depth + 1, count, perft(game, depth + 1)
    return depth


def _own(name: str) -> type[Source]:
    """The Source class of a game: from its own file if it has one."""
    module = f"{__name__}.{name}"
    if not name.isidentifier() or find_spec(module) is None:
        return Source
    own: type[Source] = import_module(module).Source
    return own


def source_of(rules: GameRules) -> Source:
    """The Source of a game."""
    return _own(rules.NAME)(rules)


def table_rows(name: str) -> tuple[Row, ...]:
    """The speed table's rows for the scenes of a game."""
    return _own(name).TABLE_ROWS
