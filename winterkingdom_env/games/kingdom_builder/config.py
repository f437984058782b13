"""The options of a game, validated in the constructor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import msgspec
import numpy as np

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import PRINTED, RANDOM, Sheets, read_house_rules
from winterkingdom_env.games.kingdom_builder import layout, tables
from winterkingdom_env.games.kingdom_builder.board_maker import STANDARD, layouts_of
from winterkingdom_env.games.kingdom_builder.boards import BoardFileError, Layouts
from winterkingdom_env.games.kingdom_builder.house import KEPT, SHEETS, cards_of
from winterkingdom_env.games.kingdom_builder.layout import NONE
from winterkingdom_env.games.kingdom_builder.tables import (
    ISLAND_NAMES,
    QUADRANT_NAMES,
    QUADRANTS,
    SCORING_NAMES,
    SCORINGS,
    SETS,
    TASK_NAMES,
)
from winterkingdom_env.games.variants import variants_of

PLAYERS = range(2, layout.MAX_PLAYERS + 1)
TURNED = ":180"  # after the name of a quadrant that lies turned
AUTO = "auto"
BOARD_WAYS = 'give "standard", "own", "generated", "generated:SEED" or the path of a file of quadrants'


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a game. ``None`` draws at random.

    num_players  2 to 5
    sets         what is drawn from besides the base game: any of "nomads", "crossroads", "marshlands", "harvest"
    quadrants    names of four quadrants (top left, top right, bottom left, bottom right), each with ":180" if it lies
                 turned, such as "oracle" or "oracle:180"; or None
    scoring      names of three different scoring cards, or None
    exclude      scoring cards that are not drawn
    tasks        names of different tasks, or None: as many as quadrants of Crossroads lie on the table
    swamp_cards  whether the five swamp cards are in the deck: True, False, or "auto" (with marshlands)
    capitol      True: a capitol on a castle of each of oracle and harbor that lies on the table
    caves        True: a cave on a mountain of each quadrant, where one can lie
    island       "rope bridge", "tree house", "random", or None for a game without the island
    first_game   True: the quadrants and scoring cards of the rulebook's first game
    boards       "standard" (the printed quadrants that are known), "own" (these, and our own for the others), "generated"
                 (new quadrants from the game's seed), "generated:5" (from seed 5, independent of the game's seed), or the
                 path of a file of quadrants
    round_limit  the game ends after so many rounds, 1 to 1000
    house_rules  "" for the cards as printed, the path or the content of a TOML file (docs/house_rules.md), "random"
                 (moderate variations from the game's seed), or "random:5" (from seed 5); stored as content
    """

    NAME: ClassVar[str] = "kingdom_builder"
    SHEETS: ClassVar[Sheets] = SHEETS

    num_players: int = 2
    sets: tuple[str, ...] = ()
    quadrants: tuple[str, ...] | None = None
    scoring: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    tasks: tuple[str, ...] | None = None
    swamp_cards: bool | str = AUTO
    capitol: bool = False
    caves: bool = False
    island: str | None = None
    first_game: bool = False
    boards: str = STANDARD
    round_limit: int = layout.ROUND_LIMIT
    house_rules: str = PRINTED

    def __post_init__(self) -> None:
        if not is_integer(self.num_players) or self.num_players not in PLAYERS:
            raise ConfigError(f"num_players={quoted(self.num_players)}: Kingdom Builder is for 2, 3, 4 or 5 players")
        self._put("num_players", int(self.num_players))
        if not is_integer(self.round_limit) or not 1 <= self.round_limit <= layout.MOST_ROUNDS:
            raise ConfigError(f"round_limit={quoted(self.round_limit)}: 1 to {layout.MOST_ROUNDS} rounds are possible")
        self._put("round_limit", int(self.round_limit))
        for name in ("capitol", "caves", "first_game"):
            self._put(name, _as_bool(name, getattr(self, name)))
        self._put("swamp_cards", _as_swamp_cards(self.swamp_cards))
        sets = _names("sets", self.sets or (), SETS)
        self._put("sets", tuple(name for name in SETS if name in sets))
        self._read_cards()
        self._put("quadrants", None if self.quadrants is None else _quadrants(self.quadrants))
        if self.island is not None and self.island not in (*ISLAND_NAMES, RANDOM):
            raise ConfigError(
                f'island={quoted(self.island)}: give "rope bridge", "tree house", "random", or None for no island'
            )
        if self.first_game and (self.quadrants is not None or self.scoring is not None):
            raise ConfigError("first_game=True says which quadrants and scoring cards are in play; leave both None")
        self._put("boards", _as_boards(self.boards))
        self._check_layouts()
        self._put("house_rules", read_house_rules(self.house_rules, SHEETS))

    def _put(self, name: str, value: Any) -> None:
        msgspec.structs.force_setattr(self, name, value)

    def _read_cards(self) -> None:
        if self.scoring is not None:
            self._put("scoring", _names("scoring", self.scoring, SCORING_NAMES))
            if len(self.scoring) != layout.SCORING_IN_PLAY:
                raise ConfigError(f"scoring={quoted(self.scoring)}: give three different scoring cards, or None")
        self._put("exclude", _names("exclude", self.exclude or (), SCORING_NAMES))
        left = [card.name for card in SCORINGS if _is_in(card.set, self.sets) and card.name not in self.exclude]
        if self.scoring is None and not self.first_game and len(left) < layout.SCORING_IN_PLAY:
            raise ConfigError(
                f"exclude leaves {len(left)} scoring cards of the chosen sets; three are drawn, so exclude fewer"
            )
        if self.tasks is not None:
            self._put("tasks", _names("tasks", self.tasks, TASK_NAMES))

    @property
    def laid_quadrants(self) -> tuple[tuple[str, int], ...] | None:
        """Name and rotation (0, 1) of the four quadrants; None if they are drawn."""
        if self.first_game:
            return tables.FIRST_GAME
        if self.quadrants is None:
            return None
        return tuple((name.removesuffix(TURNED), int(name.endswith(TURNED))) for name in self.quadrants)

    @property
    def laid_scoring(self) -> tuple[str, ...] | None:
        """The three scoring cards; None if they are drawn."""
        return tables.FIRST_GAME_SCORING if self.first_game else self.scoring

    def _check_layouts(self) -> None:
        """Every quadrant and island that may be laid must have a layout."""
        laid = self.laid_quadrants
        needed = [name for name, _ in laid] if laid else [row.name for row in QUADRANTS if _is_in(row.set, self.sets)]
        if self.island is not None:
            needed += [self.island] if self.island in ISLAND_NAMES else ISLAND_NAMES
        known = self.layouts(0)
        lacking = [name for name in needed if not known.has(name)]
        if lacking:
            raise ConfigError(
                f'boards={quoted(self.boards)} has no layout of {", ".join(lacking)}; use boards="own" or "generated", or a file of quadrants that has it'
            )

    def request(self) -> np.ndarray:
        """The REQUEST record for the set-up kernel, a read-only array of length 1; house rules must not be "random"."""
        return _request(self)

    def layouts(self, seed: int) -> Layouts:
        """The quadrants and islands to draw from."""
        try:
            return layouts_of(self.boards, seed)
        except BoardFileError as error:
            raise ConfigError(f"boards: {error}; {BOARD_WAYS}") from None


def _as_bool(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ConfigError(f"{name}={quoted(value)}: True or False is needed")
    return bool(value)


def _as_swamp_cards(value: object) -> bool | str:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    words: dict[str, bool | str] = {AUTO: AUTO, "true": True, "false": False}
    if not isinstance(value, str) or value.strip().casefold() not in words:
        raise ConfigError(f'swamp_cards={quoted(value)}: True, False or "auto" is needed')
    return words[value.strip().casefold()]


def _is_in(belongs_to: int, sets: Iterable[str]) -> bool:
    return belongs_to == tables.BASE or any(belongs_to & 1 << SETS.index(name) for name in sets)


def _as_boards(boards: object) -> str:
    if isinstance(boards, os.PathLike):
        boards = os.fspath(boards)
    if not isinstance(boards, str) or not boards:
        raise ConfigError(f"boards={quoted(boards)}: {BOARD_WAYS}")
    return boards


def _names(what: str, given: object, known: Sequence[str]) -> tuple[str, ...]:
    """Names as the tables spell them. Raises ConfigError for an unknown one, or one that is there twice."""
    if isinstance(given, str):
        given = [part.strip() for part in given.split(",") if part.strip()]
    if not isinstance(given, Sequence) or not all(isinstance(name, str) for name in given):
        raise ConfigError(f"{what}={quoted(given)}: names are needed: {', '.join(known)}")
    spelled = {name.casefold(): name for name in known}
    unknown = [name for name in given if name.strip().casefold() not in spelled]
    if unknown:
        raise ConfigError(f"{what}: {quoted(unknown[0])} is unknown; there are: {', '.join(known)}")
    found = tuple(spelled[name.strip().casefold()] for name in given)
    if len(set(found)) != len(found):
        raise ConfigError(f"{what}={quoted(', '.join(found))}: every name may be there once")
    return found


def _quadrants(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        given = [part.strip() for part in given.split(",") if part.strip()]
    if not isinstance(given, Sequence) or not all(isinstance(name, str) for name in given):
        raise ConfigError(
            f"quadrants={quoted(given)}: four names are needed, such as oracle or oracle{TURNED}, or None"
        )
    bare = _names("quadrants", [name.strip().removesuffix(TURNED) for name in given], QUADRANT_NAMES)
    if len(bare) != layout.N_PLACES:
        raise ConfigError(f"quadrants: {len(bare)} were given; four different ones are needed")
    return tuple(name + TURNED * raw.strip().endswith(TURNED) for name, raw in zip(bare, given, strict=True))


@lru_cache(maxsize=KEPT)
def _request(config: Config) -> np.ndarray:
    request, cards = np.zeros(1, layout.REQUEST), cards_of(config.house_rules)
    row, laid, scoring = request[0], config.laid_quadrants, config.laid_scoring
    row["num_players"], row["round_limit"] = config.num_players, config.round_limit
    row["sets"] = sum(1 << SETS.index(name) for name in config.sets)
    row["quadrant"] = [QUADRANT_NAMES.index(name) for name, _ in laid] if laid else NONE
    row["is_turned"] = [turned for _, turned in laid] if laid else 0
    row["scoring"] = [SCORING_NAMES.index(name) for name in scoring] if scoring else NONE
    row["excluded"] = sum(1 << SCORING_NAMES.index(name) for name in config.exclude)
    row["n_tasks"] = NONE if config.tasks is None else len(config.tasks)
    row["task"][: len(config.tasks or ())] = [TASK_NAMES.index(name) for name in config.tasks or ()]
    row["swamp_cards"] = "marshlands" in config.sets if config.swamp_cards == AUTO else config.swamp_cards
    row["capitol"], row["caves"] = config.capitol, config.caves
    row["island"] = (
        NONE
        if config.island is None
        else layout.N_ISLANDS if config.island == RANDOM else ISLAND_NAMES.index(config.island)
    )  # fmt: skip
    row["gold"] = [card.gold for card in cards.scorings]
    row["task_gold"] = [card.gold for card in cards.tasks]
    row["castle_gold"], row["palace_gold"] = (landmark.gold for landmark in cards.landmarks)
    request.flags.writeable = False  # the array is cached and shared
    return request


def variants(config: Config, players: Sequence[int], n: int) -> tuple[Config, ...]:
    """Copies of a config for a batch."""
    return variants_of(config, players, n, SHEETS)
