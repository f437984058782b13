"""Perft files, ``tests/<game>/golden/perft.txt``: lines of position, depth and number of action sequences.

``python -m tests.house.perft_file GAME`` counts the positions of a file again and rewrites it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.positions import Pair, Source, source_of
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import get_game
from winterkingdom_env.games.base import perft
from winterkingdom_env.games.options import read_options

TESTS = Path(__file__).parents[1]
HEAD = "# seed | players | options | actions before | depth | sequences"
NOTHING = "-"


class Line(NamedTuple):
    """One line of a perft file."""

    seed: int
    players: int
    options: str  # as on the command line, with ; between them; - for none
    after: int
    depth: int
    total: int

    def pair(self, source: Source) -> Pair:
        """The position: a seeded set-up, then seeded actions as the game's benchmarks pick them; in both implementations."""
        pair, stream = source.pair(source.rules.new_game(self.config(source), seed=self.seed)), Stream(self.seed)
        for _ in range(self.after):
            pair.apply(source.pick(pair.game.legal_actions(), stream))
        return pair

    def config(self, source: Source) -> Any:
        """The config of the set-up."""
        options = [] if self.options == NOTHING else [option.strip() for option in self.options.split(";")]
        return source.rules.Config(num_players=self.players, **read_options(source.rules, options))

    def write(self) -> str:
        """The line as text."""
        return " | ".join(str(value) for value in self)


def file_of(game: str) -> Path:
    """The perft file of a game."""
    return TESTS / game / "golden" / "perft.txt"


def read(text: str) -> tuple[str, list[Line]]:
    """The version that the file was made for, and its lines."""
    rows = [line for line in text.splitlines() if line.strip()]
    version = rows[0].split()[2]
    lines = []
    for row in rows:
        if not row.startswith("#"):
            seed, players, options, *numbers = (word.strip() for word in row.split("|"))
            lines.append(Line(int(seed), int(players), options, *map(int, numbers)))
    return version, lines


def main(games: list[str] | None = None) -> None:
    """Write the files from the kernels as they are."""
    for game in sys.argv[1:] if games is None else games:
        rules, path = get_game(game), file_of(game)
        lines = [f"# {rules.NAME} {rules.ENV_VERSION}", HEAD]
        for line in read(path.read_text(encoding="utf-8"))[1]:
            lines.append(line._replace(total=perft(line.pair(source_of(rules)).game, line.depth)).write())
            print(lines[-1])
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
