"""The options of a game, validated in the constructor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import msgspec
import numpy as np

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.dominion import layout, tables
from winterkingdom_env.games.dominion.house import KEPT, SHEETS, cards_of, pile_of
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import PRINTED, RANDOM, Sheets, read_house_rules
from winterkingdom_env.games.variants import variants_of

PLAYERS = range(2, layout.MAX_PLAYERS + 1)
WAYS = f'give {", ".join(map(repr, tables.KINGDOMS))}, "random", None, or ten different kingdom cards'


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a game.

    num_players  2 to 4
    kingdom      "first_game", "big_money", "interaction", "size_distortion" or "village_square", the sets of the rulebook;
                 ten different kingdom cards; "random" or None: ten cards drawn for every game
    attacks      False: a random kingdom has no attack cards
    round_limit  the game ends after so many turns of every player, 1 to 1000
    house_rules  "" for the cards as printed, the path or the content of a TOML file (docs/house_rules.md), "random"
                 (moderate variations from the game's seed), or "random:5" (from seed 5); stored as content
    """

    NAME: ClassVar[str] = "dominion"
    SHEETS: ClassVar[Sheets] = SHEETS

    num_players: int = 2
    kingdom: str | tuple[str, ...] | None = None
    attacks: bool = True
    round_limit: int = 100
    house_rules: str = PRINTED

    def __post_init__(self) -> None:
        if not is_integer(self.num_players) or self.num_players not in PLAYERS:
            raise ConfigError(f"num_players={quoted(self.num_players)}: Dominion is for 2, 3 or 4 players")
        msgspec.structs.force_setattr(self, "num_players", int(self.num_players))
        msgspec.structs.force_setattr(self, "kingdom", read_kingdom(self.kingdom))
        if not isinstance(self.attacks, bool | np.bool_):
            raise ConfigError(f"attacks={quoted(self.attacks)}: True or False is needed")
        msgspec.structs.force_setattr(self, "attacks", bool(self.attacks))
        if not is_integer(self.round_limit) or not 1 <= self.round_limit <= layout.MOST_ROUNDS:
            raise ConfigError(f"round_limit={quoted(self.round_limit)}: 1 to {layout.MOST_ROUNDS} rounds are possible")
        msgspec.structs.force_setattr(self, "round_limit", int(self.round_limit))
        msgspec.structs.force_setattr(self, "house_rules", read_house_rules(self.house_rules, SHEETS))

    def request(self) -> np.ndarray:
        """The REQUEST record for the set-up kernel, a read-only array of length 1; house rules must not be "random"."""
        return _request(self)


def read_kingdom(given: object) -> str | tuple[str, ...] | None:
    """A kingdom in canonical form: None if it is random, the name of a set, or ten cards in their order. Raises ConfigError if it is none."""
    if isinstance(given, list | tuple) and len(given) == 1:
        given = given[0]  # the name of a set, as it is typed
    if given is None or given == RANDOM:
        return None
    if isinstance(given, str) and given.strip().casefold().replace(" ", "_") in tables.KINGDOMS:
        return given.strip().casefold().replace(" ", "_")
    if isinstance(given, str):
        given = [part for part in given.split(",") if part.strip()] if "," in given else [given]
    if not isinstance(given, Sequence) or not all(isinstance(name, str) for name in given):
        raise ConfigError(f"kingdom={quoted(given)}: {WAYS}")
    numbers = {name.casefold(): card for card, name in enumerate(tables.NAMES) if card in tables.KINGDOM}
    unknown = [name for name in given if name.strip().casefold() not in numbers]
    if unknown:
        names = ", ".join(tables.NAMES[card] for card in tables.KINGDOM)
        raise ConfigError(f"kingdom: {quoted(unknown[0])} is neither a set nor a kingdom card; {WAYS}: {names}")
    cards = sorted({numbers[name.strip().casefold()] for name in given})
    if len(cards) != layout.KINGDOM_SIZE or len(given) != len(cards):
        raise ConfigError(f"kingdom: {len(given)} cards, {len(cards)} of them different; {WAYS}")
    return tuple(tables.NAMES[card] for card in cards)


def kingdom_bits(kingdom: str | tuple[str, ...] | None) -> int:
    """The cards of a kingdom in canonical form, a bit each; 0 if it is random."""
    names = tables.KINGDOMS[kingdom] if isinstance(kingdom, str) else kingdom or ()
    return sum(1 << tables.NAMES.index(name) for name in names)


@lru_cache(maxsize=KEPT)
def _request(config: Config) -> np.ndarray:
    request, cards = np.zeros(1, layout.REQUEST), cards_of(config.house_rules)
    request["num_players"], request["round_limit"] = config.num_players, config.round_limit
    request["kingdom"] = kingdom_bits(config.kingdom)
    request["candidates"] = sum(
        1 << card for card in tables.KINGDOM if config.attacks or layout.Class.ATTACK not in tables.CARDS[card].classes
    )
    request["cost"] = [card.cost for card in cards]
    request["pile"] = [pile_of(card, config.num_players) for card in cards]
    request.flags.writeable = False  # the array is cached and shared
    return request


def variants(config: Config, players: Sequence[int], n: int) -> tuple[Config, ...]:
    """Copies of a config for a batch."""
    return variants_of(config, players, n, SHEETS)
