"""``python -m benchmarks.fingerprint``: plays fixed seeded games and prints one number per game of this package.

The number changes when a rule, the action numbering or the random stream changes, and with nothing else. A changed
number needs a new env version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys

import numpy as np

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import tables

N_GAMES = 72


def fingerprint(n_games: int = N_GAMES) -> str:
    """Hash of what was legal at every step, what was done, and how it ended, over all twists, economies and player counts."""
    digest = hashlib.sha256()
    twists = [None, *(card.name for card in tables.TWISTS)]
    for number in range(n_games):
        config = wk.Config(
            num_players=2 + number % 3,
            twist=twists[number % 9],
            economy=tables.ECONOMIES[number % 8].name,
            boards="generated" if number % 24 == 23 else "standard",
        )
        game = wk.new_game(config, seed=number)
        stream = Stream(number)
        while not game.is_over:
            legal = np.flatnonzero(game.legal_mask())
            digest.update(legal.astype("<u2").tobytes())
            cards = legal[
                (legal >= 1281) & (legal < 1408)
            ]  # literal on purpose: a new numbering changes the fingerprint
            choice = cards if len(cards) and stream.draw(2) else legal
            game.apply(int(choice[stream.draw(len(choice))]))
        digest.update(json.dumps([game.score_sheet(), game.round, game.snapshot()["draw_pile"]]).encode())
    return digest.hexdigest()[:12]


def main(arguments: list[str] | None = None) -> int:
    """Print the fingerprint."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fingerprint",
        description="Play fixed seeded games and print one number per game: it changes when behaviour does.",
        epilog="examples: python -m benchmarks.fingerprint; python -m benchmarks.fingerprint --json",
    )
    parser.add_argument("--json", action="store_true", help="one JSON line")
    options = parser.parse_args(arguments)
    number = fingerprint()
    print(json.dumps({wk.NAME: {wk.ENV_VERSION: number}}) if options.json else f"{wk.NAME} {wk.ENV_VERSION} {number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
