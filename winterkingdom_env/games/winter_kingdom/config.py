"""The options of a game, validated in the constructor."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import msgspec
import numpy as np

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import PRINTED, read_house_rules
from winterkingdom_env.games.house_rules import RANDOM as RANDOM
from winterkingdom_env.games.variants import variants_of
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.boards import (
    Sides,
    generated_sides,
    load_sides,
    standard_sides,
)
from winterkingdom_env.games.winter_kingdom.house import KEPT, SHEETS, cards_of
from winterkingdom_env.games.winter_kingdom.rules import fill_cards

STANDARD, GENERATED = "standard", "generated"
GENERATED_BY = re.compile(r"generated:([0-9]{1,40})")


def _index(name: str, cards: Sequence[object], what: str) -> int:
    names = [card.name for card in cards]  # type: ignore[attr-defined]  # every card table has names
    for i, known in enumerate(names):
        if isinstance(name, str) and known.casefold() == name.casefold():
            return i
    raise ConfigError(f"{what}={quoted(name)} is not a card of this game; there are: {', '.join(names)}")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # such as a name that is too long
        return False


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a game. ``None`` draws a card at random, except for the twist, where it means no twist.

    num_players  2 to 4
    scoring      names of three different Winter Kingdom cards, or None
    economy      name of an economy card, or None
    twist        name of a twist card, "random", or None for a game without one
    boards       "standard" (the 14 sides of this project), "generated" (14 new sides from the game's seed),
                 "generated:5" (from seed 5, independent of the game's seed), or the path of a board file
    house_rules  "" for the cards as printed, the path or the content of a TOML file (docs/house_rules.md), "random"
                 (moderate variations from the game's seed), or "random:5" (from seed 5); stored as content
    """

    NAME: ClassVar[str] = "winter_kingdom"

    num_players: int = 2
    scoring: tuple[str, str, str] | None = None
    economy: str | None = None
    twist: str | None = None
    boards: str = "standard"
    house_rules: str = PRINTED

    def __post_init__(self) -> None:
        if not is_integer(self.num_players) or self.num_players not in tables.START_COINS:
            raise ConfigError(f"num_players={quoted(self.num_players)}: Winter Kingdom is for 2, 3 or 4 players")
        msgspec.structs.force_setattr(self, "num_players", int(self.num_players))
        if self.scoring is not None:
            chosen = list(self.scoring) if isinstance(self.scoring, list | tuple) else [self.scoring]
            known = {_index(name, tables.SCORINGS, "scoring") for name in chosen}
            if len(chosen) != layout.SCORING_IN_PLAY or len(known) != layout.SCORING_IN_PLAY:
                raise ConfigError(f"scoring={quoted(chosen)}: give three different Winter Kingdom cards, or None")
            msgspec.structs.force_setattr(self, "scoring", tuple(tables.SCORINGS[i].name for i in self._scoring()))
        if self.economy is not None:
            name = tables.ECONOMIES[_index(self.economy, tables.ECONOMIES, "economy")].name
            msgspec.structs.force_setattr(self, "economy", name)
        if self.twist is not None and self.twist != RANDOM:
            name = tables.TWISTS[_index(self.twist, tables.TWISTS, "twist")].name
            msgspec.structs.force_setattr(self, "twist", name)
        if isinstance(self.boards, os.PathLike):
            msgspec.structs.force_setattr(self, "boards", os.fspath(self.boards))
        if not isinstance(self.boards, str):
            raise ConfigError(
                f'boards={quoted(self.boards)}: give "standard", "generated", "generated:SEED" or the path of a board file'
            )
        is_known = self.boards in (STANDARD, GENERATED) or GENERATED_BY.fullmatch(self.boards)
        if not is_known and not _is_file(self.boards):
            raise ConfigError(
                f'boards={quoted(self.boards)} is not an existing file; give "standard", "generated", "generated:SEED" or the path of a board file'
            )

        msgspec.structs.force_setattr(self, "house_rules", read_house_rules(self.house_rules, SHEETS))

    def _scoring(self) -> list[int]:
        return [_index(name, tables.SCORINGS, "scoring") for name in self.scoring or ()]

    def request(self) -> np.ndarray:
        """The REQUEST record for the set-up kernel, a read-only array of length 1; house rules must not be "random"."""
        return _request(self)

    def sides(self, seed: int) -> Sides:
        """The 14 board sides to draw from."""
        if self.boards == STANDARD:
            return standard_sides()
        if self.boards == GENERATED:
            return generated_sides(seed)
        own_seed = GENERATED_BY.fullmatch(self.boards)
        return generated_sides(int(own_seed[1])) if own_seed else load_sides(self.boards)


@lru_cache(maxsize=KEPT)
def _request(config: Config) -> np.ndarray:
    request = np.zeros(1, layout.REQUEST)
    request["n_players"] = config.num_players
    request["scoring"] = config._scoring() if config.scoring else layout.NONE
    request["economy"] = _index(config.economy, tables.ECONOMIES, "economy") if config.economy else layout.NONE
    if config.twist == RANDOM:
        request["twist"] = layout.NONE
    elif config.twist is not None:
        request["twist"] = tables.TWISTS[_index(config.twist, tables.TWISTS, "twist")].twist
    fill_cards(request[0], cards_of(config.house_rules))
    request.flags.writeable = False  # the array is cached and shared
    return request


def variants(config: Config, players: Sequence[int], n: int) -> tuple[Config, ...]:
    """Copies of a config for a batch."""
    return variants_of(config, players, n, SHEETS)
