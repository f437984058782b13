"""Perft files: lines of position, depth and number of action sequences. ``python -m tests.winter_kingdom.perft.counts`` rewrites them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.reference.winter_kingdom import ReferenceGame

FILE = Path(__file__).parent / "winter_kingdom.txt"
POSITIONS = (
    # seed, players, twist, economy, random actions before, depth
    (7, 2, "-", "Furs", 0, 4),
    (7, 2, "-", "Salvage", 60, 3),
    (11, 3, "Wolves", "Salvage", 150, 3),
    (12, 2, "Impasse", "Exports", 90, 3),
    (13, 4, "Mobility", "Hunting", 120, 3),
    (14, 2, "Innovation", "Furs", 110, 4),
    (15, 3, "Boom", "Agriculture", 100, 4),
    (16, 2, "Longer Tunnels", "Arms", 100, 4),
    (17, 4, "Archipelago", "Livestock", 140, 3),
    (18, 2, "Roads", "Marble", 100, 3),
)


class Line(NamedTuple):
    """One line of a perft file."""

    seed: int
    players: int
    twist: str
    economy: str
    after: int
    depth: int
    total: int

    def game(self) -> tuple[wk.Game, ReferenceGame]:
        """The position: a seeded set-up, then seeded actions that prefer cards; in both implementations."""
        twist = None if self.twist == "-" else self.twist
        game = wk.new_game(wk.Config(num_players=self.players, twist=twist, economy=self.economy), seed=self.seed)
        reference = ReferenceGame(game.setup())
        stream = Stream(self.seed)
        for _ in range(self.after):
            legal = game.legal_actions()
            cards = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
            choice = cards if cards and stream.draw(2) else legal
            action = choice[stream.draw(len(choice))]
            game.apply(action)
            reference.apply(game.label(action))
        return game, reference

    def write(self) -> str:
        """The line as text."""
        return " | ".join(str(value) for value in self)


def read(text: str) -> tuple[str, list[Line]]:
    """The version the file was made for, and its lines."""
    rows = [line for line in text.splitlines() if line.strip()]
    version = rows[0].split()[2]
    lines = []
    for row in rows:
        if not row.startswith("#"):
            seed, players, twist, economy, after, depth, count = (word.strip() for word in row.split("|"))
            lines.append(Line(int(seed), int(players), twist, economy, int(after), int(depth), int(count)))
    return version, lines


def main() -> None:
    """Write the file from the kernels as they are."""
    lines = [f"# {wk.NAME} {wk.ENV_VERSION}", "# seed | players | twist | economy | actions before | depth | sequences"]
    for wanted in POSITIONS:
        line = Line(*wanted, 0)
        line = line._replace(total=wk.perft(line.game()[0], line.depth))
        lines.append(line.write())
        print(lines[-1])
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
