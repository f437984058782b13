"""``python -m benchmarks.fingerprint``: plays fixed seeded games and prints one number per registered game.

The number changes only if a rule, the action numbering or the random stream changes. A changed
number needs a new env version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys

import numpy as np

from benchmarks.positions import source_of
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import GameRules, UnknownGameError, get_game, known_games


def fingerprint(rules: GameRules, n_games: int | None = None) -> str:
    """Hash of the legal actions at every step and of the final results, over games whose configs cover all rules."""
    source, digest = source_of(rules), hashlib.sha256()
    width = "<u2" if rules.N_ACTIONS <= 1 << 16 else "<u4"
    for number in range(source.N_FINGERPRINT if n_games is None else n_games):
        game, stream = rules.new_game(source.fingerprint_config(number), seed=number), Stream(number)
        while not game.is_over:
            legal = game.legal_actions()
            digest.update(np.array(legal, width).tobytes())
            game.apply(source.pick(legal, stream))
        digest.update(json.dumps(source.ending(game)).encode())
    return digest.hexdigest()[:12]


def main(arguments: list[str] | None = None) -> int:
    """Print the fingerprints."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fingerprint",
        description="Play fixed seeded games and print one number per game, which changes if its behaviour does.",
        epilog="examples: python -m benchmarks.fingerprint; python -m benchmarks.fingerprint --json",
    )
    parser.add_argument(
        "--game", metavar="NAME", help="only this game; package.module:attribute for one from another package"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args(arguments)
    try:
        games = [get_game(name) for name in ((options.game,) if options.game else known_games())]
    except UnknownGameError as error:
        parser.error(f"--game: {error}")
    found = {rules.NAME: {rules.ENV_VERSION: fingerprint(rules)} for rules in games}
    lines = [f"{name} {version} {number}" for name, one in found.items() for version, number in one.items()]
    print(json.dumps(found) if options.json else "\n".join(lines))
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main())
