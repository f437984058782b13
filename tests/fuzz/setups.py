"""Set-ups with something changed: as data for ``from_setup``, and as a file for ``--setups``."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from agents.setups import SetupsError, read_setups
from tests.fuzz.mutate import check_told, dumped, mutate_bytes, mutate_plain, nested
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.errors import SetupError

MOST_STEPS = 100_000
ODD: tuple[Any, ...] = (object(), b"bytes", {1: 2}, nested(50_000), 10**9999, "\ud800", frozenset("ab"), range(3), float("nan"), float("inf"), type)  # fmt: skip
LISTED: list[dict[str, Any]] = [
    {"scoring": ["Knights", "Loners", "Scouts"], "economy": "Furs", "twist": None, "boards": "generated:3"},
    {"economy": "Marble", "twist": "Roads", "boards": "standard"}, {},
]  # fmt: skip


class Setups:
    """Set-ups with something changed: refused with a reason, or their game can be played to its end."""

    def __init__(self, folder: Path) -> None:
        """A set-up for every number of players."""
        self.file = folder / "setups.json"
        configs = [wk.Config(num_players=n, twist="random") for n in (2, 3, 4)]
        self.setups = [wk.new_game(config, seed).setup() for seed, config in enumerate(configs)]

    def attempt(self, seed: int) -> str:
        """Change a set-up, or a file of set-ups, and use it."""
        rng = random.Random(seed)
        return self._file(rng) if rng.random() < 0.3 else self._data(rng)

    def _file(self, rng: random.Random) -> str:
        content = (
            dumped(rng, mutate_plain(rng, LISTED))
            if rng.random() < 0.7
            else mutate_bytes(rng, json.dumps(LISTED).encode())
        )
        self.file.write_bytes(content)
        try:
            setups = read_setups(self.file, "winter_kingdom", 2)
        except SetupsError as error:
            check_told(error)
            return "file refused"
        finally:
            self.file.unlink()
        try:
            for setup in setups[:3]:
                wk.new_game(wk.Config(**setup), 1)
        except wk.BoardFileError as error:  # it names a file that is there and holds no boards
            check_told(error)
            return "board file refused"
        return "file taken"

    def _data(self, rng: random.Random) -> str:
        setup: Any = rng.choice(self.setups)
        if rng.random() < 0.3:
            setup = {**setup, rng.choice(list(setup)): rng.choice(ODD)}
        else:
            key = rng.choice(list(setup))  # the hexes are most of it: choose evenly first
            changed = mutate_plain(rng, {key: setup[key]})
            setup = {**setup, **changed} if isinstance(changed, dict) else changed
        try:
            game = wk.from_setup(setup)
        except SetupError as error:
            check_told(error)
            return "refused"
        for _ in range(MOST_STEPS):
            if game.is_over:
                return "played to its end"
            game.apply(rng.choice(game.legal_actions()))
        raise AssertionError("the game does not end")
