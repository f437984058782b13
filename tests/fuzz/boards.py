"""Files of terrain boards with something changed."""

from __future__ import annotations

import random
from pathlib import Path

from tests.fuzz.mutate import check_told, mutate_bytes
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.boards import (
    BoardFileError,
    format_sides,
    generated_sides,
    load_sides,
    parse_sides,
    standard_sides,
)


class Boards:
    """Board files with something changed: refused with a reason, or games can be set up on them."""

    def __init__(self, folder: Path) -> None:
        """The standard boards and some that were generated."""
        self.file = folder / "boards.txt"
        self.texts = [format_sides(sides).encode() for sides in (standard_sides(), generated_sides(1))]

    def attempt(self, seed: int) -> str:
        """Change a file, read it and set up a game."""
        rng = random.Random(seed)
        self.file.write_bytes(self._changed(rng, rng.choice(self.texts)))
        try:
            sides = load_sides(self.file)
            game = wk.new_game(wk.Config(boards=str(self.file)), seed)
        except BoardFileError as error:
            check_told(error)
            return "refused"
        finally:
            self.file.unlink()
        assert parse_sides(format_sides(sides)) == sides
        for _ in range(20):
            game.apply(rng.choice(game.legal_actions()))
        return "used"

    def _changed(self, rng: random.Random, text: bytes) -> bytes:
        if rng.random() < 0.5:
            return mutate_bytes(rng, text)
        lines = text.split(b"\n")
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(3):
            case 0:
                lines[i] = lines[j]
            case 1:
                lines[i], lines[j] = lines[j], lines[i]
            case _:
                letters = list(lines[i].decode())
                rng.shuffle(letters)
                lines[i] = "".join(letters).encode()
        return b"\n".join(lines)
