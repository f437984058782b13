"""The kernels as a table for scripts and for the comparison with the reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.dominion.position import Position
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.layout import N_CARDS, NONE, Phase
from winterkingdom_env.games.dominion.plain import counts_of
from winterkingdom_env.games.dominion.world import lay_table, resume_turn

COUNTS = ("supply", "trash", "play", "aside")  # of the game
SEAT_COUNTS = ("hand", "deck", "discard", "known")
NUMBERS = (
    "actions",
    "buys",
    "coins",
    "card",
    "subject",
    "immune",
    "floor",
    "count",
    "limit",
    "pending",
    "pending_known",
    "rng",
)


def plain(game: Game) -> dict[str, Any]:
    """The state of a game in the form of the reference's snapshot."""
    record, n = game.record[0], game.n_players
    return {
        **{name: counts_of(record[name]).tolist() for name in COUNTS},
        **{name: [counts_of(record[name][seat]).tolist() for seat in range(n)] for name in SEAT_COUNTS},
        **{name: int(record[name]) for name in NUMBERS},
        "phase": Phase(record["phase"]).name.lower(),
        "seat": int(record["turn_seat"]),
        "mover": int(record["seat"]),
        "turns": record["turns"][:n].tolist(),
        "top": [record["top"][seat][: record["n_top"][seat]][::-1].tolist() for seat in range(n)],
        "again": record["again"][: record["n_again"]].tolist(),
        "revealed": [card for card in record["revealed"].tolist() if card != NONE],
        "stolen": record["stolen"].tolist(),
        "legal": game.legal_actions(),
    }


class KernelTable:
    """A game of the kernels with the methods that scripts call."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def legal_labels(self) -> set[str]:
        return {self.game.label(action) for action in self.game.legal_actions()}

    def apply(self, label: str) -> None:
        self.game.apply(self.game.parse(label))

    def snapshot(self) -> dict[str, Any]:
        return plain(self.game)

    def scores(self) -> list[int]:
        return self.game.scores()

    def ranks(self) -> list[int]:
        return self.game.ranks()

    def redeal(self, looker: int, seed: int) -> None:
        self.game = self.game.determinize(looker, seed)


def make_table(position: Position, seed: int) -> KernelTable:
    """A position of the kernels; one with all piles is no game that could be saved."""
    n = position.num_players
    if position.setup:
        return KernelTable(
            Game.new_game(Config(num_players=n, kingdom=position.setup, round_limit=position.round_limit), seed)
        )
    return KernelTable(game_of(position.plain(seed_state(seed))))


def game_of(data: dict[str, Any]) -> Game:
    """A game at the position of a snapshot, before its seat is asked anything."""
    config = Config(num_players=data["num_players"], kingdom="first_game", round_limit=data["round_limit"])
    world = Game.make_world(1, (config,))
    lay_table(world)
    board, record = world.boards[0], world.games[0]
    board["piles"] = (1 << 7) - 1 | sum(1 << card for card in data["kingdom"])
    for name in COUNTS:
        record[name] = words(data[name])
    for name in SEAT_COUNTS:
        for seat, cards in enumerate(data[name]):
            record[name][seat] = words(cards)
    for seat, cards in enumerate(data["top"]):
        record["top"][seat][: len(cards)] = cards[::-1]
        record["n_top"][seat] = len(cards)
    record["turns"][: data["num_players"]] = data["turns"]
    for name in ("actions", "buys", "coins", "rng"):
        record[name] = data[name]
    record["turn_seat"] = data["seat"]
    resume_turn(world)
    return Game(world, None, config, None)


def words(counts: list[int]) -> np.ndarray:
    """A multiset of the kernels."""
    assert len(counts) == N_CARDS
    return np.array(counts, np.uint8).view("<u8")
