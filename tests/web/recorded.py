"""Recorded games for tests of pages."""

from __future__ import annotations

import random
from pathlib import Path

from tests.house.games import config_of
from winterkingdom_env.games import get_game
from winterkingdom_env.records import Record, RecordWriter, read_record


def recorded(name: str, folder: Path, seed: int = 0, agent: str = "random") -> Record:
    """The record of a game that is played at random, in a config that comes round with the seed. ``agent``: the name of all seats."""
    game, dice = get_game(name).new_game(config_of(name, seed), seed), random.Random(seed)
    with RecordWriter(folder / f"{name}-{seed}.jsonl", game, [agent] * game.n_players) as writer:
        while not game.is_over:
            action = dice.choice(game.legal_actions())
            writer.write(game.seat, game.label(action))
            game.apply(action)
        writer.close(game)
    return read_record(writer.path)
