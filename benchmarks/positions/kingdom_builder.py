"""Positions of Kingdom Builder: by phase and by use, for the engine, the reference and, for mandatory placement, plain numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks import positions
from benchmarks.positions import Pair, Row, Scene, Start, played
from benchmarks.timing import Budget
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.kingdom_builder import Config, Game, layout, tables
from winterkingdom_env.games.kingdom_builder.house import changed_gold
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import NONE, PUT, WHOLE
from winterkingdom_env.reference.kingdom_builder import ReferenceGame
from winterkingdom_env.reference.kingdom_builder.legal import legal_labels

SETS = ("nomads", "crossroads")
WHOLE_BOX: dict[str, Any] = {
    "sets": tables.SETS,
    "boards": "generated:1",
    "island": "random",
    "caves": True,
    "capitol": True,
}
STARTS = (
    # name, options, seed, random actions before, depth: quick, short, full
    ("opening", {"first_game": True}, 7, 0, (2, 3, 3)),
    ("middle game", {"num_players": 3, "sets": SETS}, 11, 90, (2, 3, 4)),
)


def mandatory(games: np.ndarray, boards: np.ndarray) -> NDArray[np.uint32]:
    """(n, 2, WORDS): legal hexes by kind for positions in the phase "mandatory" with a bound terrain, no scouts and no outpost."""
    assert (games["phase"] == Phase.MANDATORY).all() and (games["terrain"] != NONE).all()
    rows, seats = np.arange(len(games)), games["turn_seat"]
    free = boards["terrain"][:, WHOLE] & ~games["taken"][:, 0] & ~games["blocked"][:, 0]
    targets = boards["terrain"][rows, games["terrain"]] & free
    close = targets & games["near"][rows, seats]
    hexes = np.zeros((len(games), layout.N_HEX_KINDS, layout.WORDS), np.uint32)
    hexes[:, PUT] = np.where(close.any(axis=1, keepdims=True), close, targets)
    return hexes


def is_mandatory(game: Game) -> bool:
    """Whether the second or third mandatory piece is placed next, by an ordinary card."""
    record = game.record[0]
    return bool(game.phase == "mandatory" and record["terrain"] != NONE and not record["outpost"])


def is_not_adjacent(game: Game) -> bool:
    """Whether a mandatory piece is placed next and no free hex of its terrain touches an own piece, so all of them are legal."""
    if not is_mandatory(game):
        return False
    near = game.record["near"][0, game.seat]
    return not (game._world.legals["hexes"][0, PUT] & near).any()


class Reference(ReferenceGame):
    """The reference, with a way to compute the legal actions again."""

    def find_legal(self) -> set[str]:
        """Labels of the legal actions, computed on every call."""
        return legal_labels(self._state)


class Source(positions.Source):
    """Games with Nomads and Crossroads, in the engine and in the reference."""

    OPTIONS: ClassVar[dict[str, Any]] = {"sets": SETS}
    KINDS: ClassVar[dict[str, dict[str, Any]]] = {"base game": {}, "whole box": WHOLE_BOX}
    SOAK_OPTIONS: ClassVar[dict[str, Any]] = {**WHOLE_BOX, "boards": "generated"}
    MAIN = "main phase"
    TWINS: ClassVar[dict[str, positions.Twin]] = {
        "mandatory placement": mandatory,
        "placement, no adjacent hex": mandatory,
    }
    TABLE_ROWS: ClassVar[tuple[Row, ...]] = (
        ("legal mask, mandatory placement, in a batch of 1,024 positions", "legal_moves", ("mandatory placement, kernel",)),
        ("the same where no hex of the terrain is adjacent", "legal_moves", ("placement, no adjacent hex, kernel",)),
        ("legal mask, main phase, tiles as played", "legal_moves", ("main phase, tiles as played, kernel",)),
        ("the same by the reference", "legal_moves", ("main phase, tiles as played, reference",)),
        ("random step of the bare engine: base game / whole box", "stepping", tuple(f"engine, {kind}, 2-5 players: steps" for kind in ("base game", "whole box"))),
        ("`vector_env`, 256 games, packed: base game / whole box", "envs", tuple(f"vector, packed, batch 256, 1 thread, {kind}" for kind in ("base game", "whole box"))),
    )  # fmt: skip
    N_FINGERPRINT = 48

    def reference(self, setup: dict[str, Any]) -> Reference:
        """The reference game with this set-up."""
        game = Game.from_setup(setup)
        # ``restore`` makes a game of the class that it is called on.
        return Reference.restore({**game.snapshot(), "gold": changed_gold(game.board[0])})  # type: ignore[return-value]

    def pick(self, legal: Sequence[int], stream: Stream) -> int:
        """With probability 0.5 a special action, if there is one; otherwise any."""
        uses = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
        choice = uses if uses and stream.draw(2) else legal
        return choice[stream.draw(len(choice))]

    def is_main(self, game: Game) -> bool:
        """Whether tiles may be used."""
        return game.phase in ("before", "after")

    def is_middle(self, game: Game) -> bool:
        """Whether tiles may be used, in the middle of the game."""
        return self.is_main(game) and 4 <= game.round <= 10

    def scenes(self, budget: Budget) -> Iterator[Scene]:
        """The phases, then what every special action asks for first."""
        n, seed = budget.choose(24, 1024, 1024), budget.seed
        yield Scene("phase", "mandatory placement", self.collect(is_mandatory, n, seed))
        most_steps = budget.choose(3_000, 60_000, 200_000)
        yield Scene("phase", "placement, no adjacent hex", self.collect(is_not_adjacent, n, seed + 1, most_steps))
        pool = self.collect(self.is_middle, n, seed + 2)
        yield Scene("phase", "main phase, tiles as played", pool)
        found: dict[str, list[Pair]] = {}
        for step, pair in enumerate(self.random_games(seed + 3)):
            use = int(pair.game.record["use"][0])
            if use != NONE and not pair.game.record["count"][0]:
                pairs = found.setdefault(f"{tables.USES[use].name} {pair.game.phase}", [])
                if len(pairs) < n:
                    pairs.append(pair.clone())
            if step == most_steps:
                break
        for name, pairs in sorted(found.items()):
            yield Scene("op", name, pairs)

    def starts(self, level: int) -> Iterator[Start]:
        """The first game of the rulebook, and a middle game with three players."""
        for name, options, seed, n_actions, depths in STARTS:
            game = Game.new_game(Config(**options), seed=seed)
            yield Start(name, played(game, seed, n_actions)[0], depths)

    def fingerprint_config(self, number: int) -> Config:
        """All numbers of players, base, Nomads and Crossroads, and generated quadrants of the whole box in every eighth game."""
        players = 2 + number % 4
        if number % 8 == 7:
            return Config(num_players=players, **{**WHOLE_BOX, "boards": "generated"})
        return Config(num_players=players, sets=((), ("nomads",), ("crossroads",), SETS)[number // 4 % 4])

    def ending(self, game: Game) -> list[Any]:
        """The score sheet, the round, and the remaining cards."""
        return [game.score_sheet(), game.ranks(), game.round, game.snapshot()["deck"]]
