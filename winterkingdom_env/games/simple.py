"""Base classes for small games: a game object whose plain data are its records, and a rules object with defaults.

The ``Game`` class of a small game declares records, labels and score sheet columns; its rules class does the rendering.
docs/adding_a_game.md walks through an example. A game that needs more (shared tables, a board, its own plain data) overrides methods, or
implements ``games/contract.py`` as a module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from winterkingdom_env.core import batch, verbs
from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.observation import Spec
from winterkingdom_env.core.picture import BoardSheet, CardTable, Lines, Look, Picture, Screen
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.games.base import BaseGame, as_seed, copied
from winterkingdom_env.games.choices import Choice
from winterkingdom_env.games.errors import ConfigError, SavedGameError, SetupError
from winterkingdom_env.games.factors import Factor, common_factors
from winterkingdom_env.games.house_rules import (
    HOUSE_RULES,
    HOUSE_RULES_CHOICE,
    PRINTED,
    RANDOM,
    Sheets,
    card_tables,
    check_drawn,
    columns_of,
    drawn,
    read_house_rules,
)
from winterkingdom_env.games.splits import Splits

ASKED = (
    "NAME", "TITLE", "VERSION", "CONFIG", "SPEC", "PHASES", "LABELS", "EXAMPLES", "GAME_DTYPE", "BOARD_DTYPE", "PLAYERS", "COLUMNS",
)  # fmt: skip  # of a game's class
SPARE = "spare"  # a padding field


def legal_type(n_actions: int) -> np.dtype:
    """The LEGAL record that the default verbs read: one bit per action."""
    return np.dtype([("bits", np.uint64, (-(-n_actions // 64),))])


def plain_record(record: np.void) -> dict[str, Any]:
    """The fields of a record as plain data."""
    return {name: record[name].tolist() for name in record.dtype.names or () if name != SPARE}


def fill_record(record: np.void, told: Any, what: str) -> None:
    """Fill a record from the result of ``plain_record``. Raises SetupError, naming the field that does not fit."""
    names = [name for name in record.dtype.names or () if name != SPARE]
    if not isinstance(told, Mapping) or set(told) != set(names):
        raise SetupError(f"set-up: {what} needs the fields {', '.join(names)}, and no others")
    for name in names:
        kind = record.dtype[name]
        try:
            found = np.array(told[name])
            is_whole = found.dtype.kind in "iu" and found.shape == kind.shape
            limits = np.iinfo(kind.base)
            if not is_whole or found.min() < limits.min or found.max() > limits.max:
                raise ValueError
        except (ValueError, TypeError, OverflowError):
            shape = f"integers of shape {kind.shape}" if kind.shape else "an integer"
            raise SetupError(f"set-up: {name} of {what} is {quoted(told[name])}; {shape} is needed") from None
        record[name] = found


class SimpleConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a game, all integers; RANGES holds the allowed values. Every game has ``num_players``.

    SHEETS: the card tables, and what house rules may change in them (docs/house_rules.md).
    """

    NAME: ClassVar[str]
    RANGES: ClassVar[dict[str, range]]
    SHEETS: ClassVar[Sheets] = ()

    num_players: int = 2
    house_rules: str = PRINTED

    def __post_init__(self) -> None:
        for name, allowed in self.RANGES.items():
            value = getattr(self, name)
            if not is_integer(value) or value not in allowed:
                raise ConfigError(f"{name}={quoted(value)} is not allowed; {allowed[0]} to {allowed[-1]} are")
            msgspec.structs.force_setattr(self, name, int(value))
        msgspec.structs.force_setattr(self, HOUSE_RULES, read_house_rules(self.house_rules, self.SHEETS))

    def request(self) -> np.ndarray:
        """The options as a record for the verb ``set_up``, an array of length 1.

        It includes the card table columns that house rules may change, as arrays KIND_COLUMN.
        """
        told: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__ if name != HOUSE_RULES}
        told |= columns_of(self.SHEETS, self.house_rules)
        kinds = [(name, np.int64, np.shape(value)) for name, value in told.items()]
        return np.array([tuple(told.values())], kinds)


class SimpleGame(BaseGame):
    """A game whose set-up and snapshot are its records as plain data (dicts of integers and lists)."""

    __slots__ = ()

    CONFIG: ClassVar[Any]  # a SimpleConfig, or another Config with NAME, SHEETS and request()
    PLAYERS: ClassVar[range]
    COLUMNS: ClassVar[tuple[str, ...]]  # of the score sheet
    LEGAL_DTYPE: ClassVar[np.dtype]

    def __init_subclass__(cls) -> None:
        """Check the class against its World, then look up the kernels."""
        if not hasattr(cls, "WORLD"):
            return
        cls._check_class()
        if "LEGAL_DTYPE" not in cls.__dict__:
            cls.LEGAL_DTYPE = legal_type(len(cls.LABELS))
        super().__init_subclass__()

    @classmethod
    def _check_class(cls) -> None:
        """Raise ValueError, naming what is missing or inconsistent, if the class is invalid."""
        lacking = [name for name in ASKED if not hasattr(cls, name)]
        config: Any = getattr(cls, "CONFIG", None)
        is_simple = isinstance(config, type) and issubclass(config, SimpleConfig)
        asked = ("NAME", "RANGES") if is_simple else ("NAME", "SHEETS", "request")
        lacking += [f"CONFIG.{name}" for name in asked if not hasattr(config, name)]
        if lacking:
            raise ValueError(f"{cls.__name__} does not define {', '.join(lacking)}")
        ranges = config.RANGES.items() if is_simple else ()
        wrong = [name for name, allowed in ranges if not isinstance(allowed, range) or not allowed]
        if wrong or cls.CONFIG.NAME != cls.NAME:
            raise ValueError(
                f"{cls.__name__}: CONFIG.NAME is {cls.CONFIG.NAME!r}, NAME {cls.NAME!r}; {', '.join(wrong) or 'every option'} needs a range in RANGES"
            )
        told = verbs.SEATS.of(cls.WORLD), verbs.N_ACTIONS.of(cls.WORLD)
        if told != (cls.PLAYERS[-1], len(cls.LABELS)):
            raise ValueError(
                f"{cls.__name__}: {cls.PLAYERS[-1]} seats and {len(cls.LABELS)} labels do not fit tell_sizes, which said {told[0]} and {told[1]}"
            )

    @classmethod
    def flaw(cls, game: dict[str, Any], board: dict[str, Any]) -> str:
        """What is wrong with untrusted records, given as plain data; an empty text if they are valid.

        Kernels check nothing: records that pass must at least not make them index out of bounds.
        """
        raise NotImplementedError

    @classmethod
    def record_flaw(cls, game: np.void, board: np.void) -> str:
        """The same for the records themselves."""
        return cls.flaw(plain_record(game), plain_record(board))

    @classmethod
    def make_rules(cls) -> np.ndarray:
        """The array ``rules`` of the World: tables that kernels read."""
        return np.zeros(1, np.int64)

    @classmethod
    def make_world(cls, n: int, configs: Sequence[Any] = (), shared: Mapping[str, np.ndarray] | None = None) -> Any:
        """A World with room for ``n`` games of these configs."""
        configs = configs or (cls.CONFIG(),)
        check_drawn(configs)
        return cls.WORLD(
            aligned(n, cls.GAME_DTYPE), aligned(n, cls.BOARD_DTYPE), aligned(n, cls.LEGAL_DTYPE),
            np.zeros((n, cls.PLAYERS[-1], len(cls.COLUMNS)), np.int32), cls.make_rules(),
            np.concatenate([config.request() for config in configs]),
        )  # fmt: skip

    @classmethod
    def world_of(cls, record: np.ndarray, board: np.ndarray) -> Any:
        """A World of one game with these records."""
        return cls.make_world(1)._replace(games=record, boards=board)

    @classmethod
    def new_game(cls, config: Any = None, seed: int = 0) -> Self:
        """A new game. The same config and seed give the same game on every machine."""
        config, seed = cls._as_config(config) or cls.CONFIG(), as_seed(seed)
        world = cls.make_world(1, (drawn(config, config.SHEETS, seed),))
        batch.set_up_all(world, np.array([seed_state(seed)], np.uint64))
        return cls(world, copied(world.games), config, seed)

    @classmethod
    def from_setup(cls, setup: Any, config: Any = None, seed: int | None = None) -> Self:
        """A game from the result of ``setup``. Raises SetupError, naming the problem, if it is invalid."""
        config, seed = cls._as_config(config), None if seed is None else as_seed(seed)
        if not isinstance(setup, Mapping) or set(setup) != {"game", "board"}:
            raise SetupError('set-up: a dictionary with "game" and "board" is needed, as Game.setup() returns it')
        world = cls.make_world(1)
        fill_record(world.games[0], setup["game"], "game")
        fill_record(world.boards[0], setup["board"], "board")
        try:
            cls.check_records(world.games, world.boards)
            cls.check_begun(world.games)
        except SavedGameError as error:
            raise SetupError(f"set-up: {error}") from error
        return cls(world, copied(world.games), config, seed)

    @classmethod
    def _as_config(cls, config: Any) -> Any:
        if config is not None and not isinstance(config, cls.CONFIG):
            raise ConfigError(f"config={config!r} is not a Config of {cls.TITLE}; give a {cls.CONFIG.__name__} or None")
        return config

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands: the fields of both records."""
        return plain_record(self.board[0]) | plain_record(self.record[0])

    def setup(self) -> dict[str, Any]:
        """The records at the start of the game."""
        return {"game": plain_record(self._beginning()), "board": plain_record(self.board[0])}

    def score_columns(self) -> list[str]:
        """Names of the columns of the score sheet."""
        return list(self.COLUMNS)

    @classmethod
    def check_records(cls, games: Any, boards: Any) -> np.ndarray:
        """The LEGAL records of these games. Raises SavedGameError, naming the first invalid row."""
        games, boards = cls._own(games, cls.GAME_DTYPE, "GAME"), cls._own(boards, cls.BOARD_DTYPE, "BOARD")
        if len(games) != len(boards):
            raise SavedGameError(
                f"the saved game is refused: {len(games)} GAME records and {len(boards)} BOARD records"
            )
        for row, (game, board) in enumerate(zip(games, boards, strict=True)):
            spare = any(record[SPARE].any() for record in (game, board) if SPARE in record.dtype.names)
            flaw = cls.record_flaw(game, board) or ("spare is not 0" if spare else "")
            if flaw:
                raise SavedGameError(f"game {row} is refused: {flaw}")
        return cls._decisions(games, boards)

    @classmethod
    def _own(cls, records: Any, dtype: np.dtype, name: str) -> np.ndarray:
        """A contiguous copy of the records with the kernels' dtype."""
        if not isinstance(records, np.ndarray) or records.ndim != 1 or records.dtype != dtype:
            raise SavedGameError(f"the saved game is refused: {name} is not an array of records of this layout")
        return copied(np.ascontiguousarray(records)).view(dtype)

    @classmethod
    def _decisions(cls, games: np.ndarray, boards: np.ndarray) -> np.ndarray:
        """The LEGAL records. Raises SavedGameError for a game that is not over and has no legal action."""
        world = cls.make_world(len(games))._replace(games=copied(games), boards=boards)
        batch.advance_to_decision_all(world)
        masks = np.zeros((len(games), len(cls.LABELS)), np.int8)
        reports = np.zeros((len(games), batch.N_REPORT), np.int64)
        batch.expand_all(world, masks)
        batch.report_all(world, reports)
        is_over = reports[:, batch.REPORT_OVER] == 1
        wrong = (masks.any(axis=1) == is_over) | (world.games != games)
        if wrong.any():
            raise SavedGameError(f"game {int(np.argmax(wrong))} is refused: no seat has a decision to make")
        legals: np.ndarray = world.legals
        return legals


class SimpleRules:
    """``games.contract.GameRules`` for a SimpleGame, with defaults. Create one instance of a subclass."""

    GAME: ClassVar[type[SimpleGame]]
    SCORE_SCALE: float = 10.0
    OBSERVATION_NOTES: str = ""
    OBSERVATION_ORDERS: dict[str, tuple[str, ...]] = {}
    SHARED: tuple[str, ...] = ()
    WORTH: tuple[float, ...] = ()
    FEATURES: tuple[str, ...] = verbs.DEFAULT_FEATURES
    STANDING: tuple[str, ...] = verbs.DEFAULT_STANDING
    PLACES: tuple[int, ...] = ()
    PLACE_KINDS: int = 0
    FACTS: dict[str, str] = {}
    AGENTS: dict[str, str] = {}
    CHOICES: dict[str, Choice] = {HOUSE_RULES: HOUSE_RULES_CHOICE}

    def __init__(self) -> None:
        """Copy names and sizes from the game class."""
        game = self.GAME
        self.NAME, self.TITLE, self.ENV_VERSION = game.NAME, game.TITLE, game.VERSION
        self.PLAYERS, self.MAX_PLAYERS = game.PLAYERS, game.PLAYERS[-1]
        self.N_ACTIONS, self.PASS = len(game.LABELS), verbs.PASS.of(game.WORLD)
        self.OBSERVATION: Spec = game.SPEC
        self.World, self.Config, self.SHEETS = game.WORLD, game.CONFIG, game.CONFIG.SHEETS
        self.new_game, self.from_setup, self.from_bytes = game.new_game, game.from_setup, game.from_bytes
        self.check_records, self.make_world = game.check_records, game.make_world

    def game_of(self, record: np.ndarray, board: np.ndarray, config: Any = None, seed: int | None = None) -> SimpleGame:
        """A game that uses these records, arrays of length 1, without a copy or a check."""
        return self.GAME(self.GAME.world_of(record, board), None, config, seed)

    def variants(self, config: Any, players: Sequence[int], n: int) -> tuple[Any, ...]:
        """Copies of a config: one per number of players and, with random house rules, per each of ``n`` draws of them."""
        kinds = [drawn(config, self.SHEETS, i) for i in range(n if config.house_rules == RANDOM else 1)]
        return tuple(msgspec.structs.replace(kind, num_players=number) for number in players for kind in kinds)

    def splits(self) -> Splits:
        """Hold nothing out; every set-up uses the default Config."""
        return Splits((), {})

    def factors(self) -> tuple[Factor, ...]:
        """The number of players, and house rules if the game has any."""
        return common_factors(self.PLAYERS, self.SHEETS)

    def facts(self, snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
        """No properties to group games by."""
        return {}

    def picture(self, snapshot: dict[str, Any], look: Look) -> Picture:
        """A position as shapes and text; ``core.drawing.text_picture`` makes both from lines of text."""
        raise NotImplementedError(f"{self.TITLE} does not implement picture(), so it cannot be rendered")

    def screen(self, snapshot: dict[str, Any], look: Look) -> Screen:
        """The lines of its picture; the house adds what is legal and the points."""
        shown = self.picture(snapshot, Look(look.viewer)).blocks
        lines = tuple(line for block in shown if isinstance(block, Lines) for line in block.lines)
        return Screen(Lines(lines), self.asked(snapshot), why=self.why(snapshot, look.legal))

    def asked(self, snapshot: dict[str, Any]) -> str:
        """What the seat to move is asked to do, without a full stop: the name of the phase."""
        phase: str = self.GAME.PHASES[snapshot["phase"]]
        return phase

    def why(self, snapshot: dict[str, Any], legal: Sequence[str]) -> str:
        """Why just these actions are legal, without a full stop; may be empty. ``legal``: their labels."""
        return ""

    def cards(self, house_rules: str = PRINTED) -> tuple[CardTable, ...]:
        """The card tables under these house rules."""
        return card_tables(self.SHEETS, house_rules)

    def board_sheet(self, source: str, seed: int) -> BoardSheet:
        """Raise ValueError: the game has no boards."""
        raise ValueError(f"{self.TITLE} has no boards")
