"""Files of house rules with something changed: refused with a reason, or a game can be played by them to its end."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from tests.fuzz.mutate import check_told, mutate_bytes
from tests.house.wild import wild_house_rules
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.house_rules import template

LINE = re.compile(r"^(\w+) = (.*)$", re.MULTILINE)
VALUES = (
    "0",
    "-1",
    "7",
    "21",
    "true",
    '"ice"',
    '"build_on"',
    '["ice"]',
    "[]",
    "1e9",
    '"then"',
    "{}",
    "99999999999999999999",
    "1979-05-27",
)
MOST_BYTES = 20_000


class HouseRules:
    """Texts and files with something changed."""

    def __init__(self, folder: Path) -> None:
        """Rules to begin with: every card as printed, and some wild ones."""
        self.file = folder / "mine.toml"
        self.texts = [template(wk.SHEETS), *(wild_house_rules(wk.SHEETS, seed) for seed in range(5))]

    def attempt(self, seed: int) -> str:
        """Change some values, or some bytes, and use what comes out."""
        rng = random.Random(seed)
        content = rng.choice(self.texts)
        if rng.random() < 0.6:
            for found in rng.sample(list(LINE.finditer(content)), rng.randint(1, 3)):
                content = content.replace(found[0], f"{found[1]} = {rng.choice(VALUES)}", 1)
        else:
            content = mutate_bytes(rng, content.encode()[:MOST_BYTES]).decode(errors="surrogateescape")
        given: Any = content
        if rng.random() < 0.3:
            self.file.write_bytes(content.encode(errors="surrogateescape"))
            given = self.file
        try:
            config = wk.Config(num_players=2 + seed % 3, twist="random", house_rules=given)
        except wk.ConfigError as error:
            check_told(error)
            return "refused"
        if wk.Config(house_rules=config.house_rules).house_rules != config.house_rules:
            raise AssertionError("it is not kept in one form")
        game = wk.new_game(config, seed)
        while not game.is_over:
            game.apply(rng.choice(game.legal_actions()))
        game.check()
        return "played"
