"""Saved games with a right checksum and something forged."""

from __future__ import annotations

import random
import re
from pathlib import Path

from tests.fuzz.forge import NAMES, Pool, forge, play_on
from winterkingdom_env.games import winter_kingdom as wk

FIELD = re.compile(r"the saved game is refused: (\w+)")


def assert_named(error: ValueError) -> None:
    """A refusal names a field of the records."""
    found = FIELD.match(str(error))
    assert found and found[1] in NAMES, f"no field is named: {error}"


class Saves:
    """Saved games with a right checksum and something forged: refused by name, or played to their end."""

    def __init__(self, folder: Path, n_games: int = 72) -> None:
        self.pool = Pool(n_games)

    def attempt(self, seed: int) -> str:
        """One forged game."""
        dice = random.Random(seed)
        game = self.pool.draw(dice)
        data = before = game.to_bytes()
        while data == before:  # some changes change nothing
            forge(game, self.pool, dice)
            data = game.to_bytes()
        try:
            loaded = wk.from_bytes(data)
        except ValueError as error:
            assert_named(error)
            return "refused"
        assert loaded.to_bytes() == data, "a saved game was changed by loading it"
        play_on(loaded, dice)
        return "played on"
