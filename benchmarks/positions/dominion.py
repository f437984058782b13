"""Positions of Dominion: one scene per phase, and whole games of the Big Money players."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from benchmarks import positions
from benchmarks.peer_loops import Loop, Peer
from benchmarks.positions import Row
from benchmarks.timing import Budget, Timing, measure
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.bigmoney import as_array, wishes_of
from winterkingdom_env.games.dominion.bigmoney_games import play_games
from winterkingdom_env.games.dominion.house import changed_rows
from winterkingdom_env.games.dominion.layout import MAX_PLAYERS, N_CARDS
from winterkingdom_env.games.dominion.tables import KINGDOMS
from winterkingdom_env.games.house_rules import HOUSE_RULES, PRINTED
from winterkingdom_env.reference.dominion import ReferenceGame


def pyminion(budget: Budget) -> Loop:
    """Whole games of two Big Money bots of pyminion."""
    bots = import_module("pyminion.bots.examples.big_money")
    base, engine = import_module("pyminion.expansions.base"), import_module("pyminion.game")
    logging.getLogger().setLevel(logging.CRITICAL)  # it logs every move
    n_games = budget.choose(2, 20, 100)

    def call() -> int:
        for _ in range(n_games):
            players = [bots.BigMoney("one"), bots.BigMoney("two")]
            engine.Game(players=players, expansions=[base.base_set], log_stdout=False).play()
        return n_games

    return call


PYMINION = Peer("pyminion, Big Money: games", "pyminion", pyminion, {"interface": "Python"}, unit="game")


class Reference(ReferenceGame):
    """The reference, which keeps no list of legal actions."""

    find_legal = ReferenceGame.legal_labels


class Source(positions.Source):
    """Games with random kingdoms, in the engine and in the reference."""

    MAIN = "buy phase"
    TABLE_ROWS: ClassVar[tuple[Row, ...]] = (
        ("legal mask, buy phase, in a batch of 1,024 positions", "legal_moves", ("buy, kernel",)),
        ("the same by the reference", "legal_moves", ("buy, reference",)),
        ("legal mask, action phase", "legal_moves", ("action, kernel",)),
        ("game of two Big Money players, in a kernel", "stepping", ("Big Money: games",)),
    )
    N_FINGERPRINT = 48

    def reference(self, setup: dict[str, Any]) -> Reference:
        """The reference game with this set-up."""
        options = {name: value for name, value in setup.items() if name != HOUSE_RULES}
        changed = changed_rows(setup.get(HOUSE_RULES, PRINTED), setup["num_players"])
        return Reference({**options, "cards": changed})

    def pick(self, legal: Sequence[int], stream: Stream) -> int:
        """With probability 0.5 an action that plays a card, if there is one; otherwise any."""
        plays = [action for action in legal if action < N_CARDS]
        choice = plays if plays and stream.draw(2) else legal
        return choice[stream.draw(len(choice))]

    def is_main(self, game: Game) -> bool:
        """Whether cards are bought."""
        return game.phase == "buy"

    def is_middle(self, game: Game) -> bool:
        """Whether cards are bought, in the middle of the game."""
        return self.is_main(game) and 8 <= game.round <= 20

    def fingerprint_config(self, number: int) -> Config:
        """All numbers of players; the named kingdoms and as many drawn ones."""
        named = list(KINGDOMS)
        return Config(num_players=2 + number % 3, kingdom=named[number // 6 % len(named)] if number % 2 else None)

    def peers(self) -> tuple[Peer, ...]:
        """pyminion's bots."""
        return (PYMINION,)

    def whole_games(self, budget: Budget) -> Iterator[Timing]:
        """Games of two players of the rule BM."""
        n = budget.choose(200, 5_000, 20_000)
        world = Game.make_world(1, (Config(kingdom="first_game"),))
        states = np.array([seed_state(seed) for seed in range(n)], np.uint64)
        players = np.stack([as_array(wishes_of("BM"))] * MAX_PLAYERS)
        ranks, rounds, none = np.zeros((n, MAX_PLAYERS), np.int64), np.zeros(n, np.int64), np.zeros((n, 0), np.int64)

        def play() -> int:
            play_games(world, states, players, ranks, rounds, none)
            return n

        yield measure("Big Money: games", "stepping", "game", play, budget, players="2")
