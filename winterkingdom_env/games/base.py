"""The base class of all games: a World with one game, and methods that call the kernels on it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from operator import index
from typing import Any, ClassVar, Self

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core._jit import Quick
from winterkingdom_env.core.arguments import as_integer, is_integer
from winterkingdom_env.core.observation import FORMS, Spec
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.core.verbs import NOTHING, OK
from winterkingdom_env.games.contract import Game
from winterkingdom_env.games.errors import IllegalActionError, InvalidActionError
from winterkingdom_env.games.saved import Saved

STATUS, SEAT, PHASE = batch.REPORT_STATUS, batch.REPORT_SEAT, batch.REPORT_PHASE
ROUND, OVER, PLAYERS = batch.REPORT_ROUND, batch.REPORT_OVER, batch.REPORT_PLAYERS


def copied(records: np.ndarray) -> np.ndarray:
    """Copy an array of records as bytes: ten times faster than numpy's copy, which goes field by field."""
    return np.ndarray(records.shape, records.dtype, records.view(np.uint8).copy())


def blank(dtype: np.dtype) -> np.ndarray:
    """An uninitialized array for one record: five times faster than ``np.empty`` with a record dtype."""
    return np.ndarray((1,), dtype, np.empty(dtype.itemsize, np.uint8))


class BaseGame(Saved):
    """A game in progress. ``record`` and ``board`` hold the full state, including the random stream.

    Use a game from one thread at a time; this is not checked. Kernels release the GIL and write to the game's own arrays, so two threads at
    once leave an invalid position. Give each thread a ``clone()``.
    """

    __slots__ = ("_action", "_begun", "_history", "_n_players", "_now", "_report", "_world", "config", "seed")

    # Set by a game's own class, in addition to those of ``Saved``.
    WORLD: ClassVar[Any]
    SPEC: ClassVar[Spec]
    PHASES: ClassVar[Sequence[str]]
    LABELS: ClassVar[Sequence[str]]  # one per action
    EXAMPLES: ClassVar[str]  # some labels, for error messages

    # Set by __init_subclass__.
    _numbers: ClassVar[dict[str, int]]
    _step_kernel: ClassVar[Quick]
    _observe_kernel: ClassVar[Quick]
    _expand_kernel: ClassVar[Quick]
    _determinize_kernel: ClassVar[Quick]
    _copy_kernel: ClassVar[Quick]
    _score_kernel: ClassVar[Quick]
    _rank_kernel: ClassVar[Quick]
    _shapes: ClassVar[tuple[tuple[int, ...], ...]]  # of mask, packed observation, planes and vector
    _none: ClassVar[tuple[np.ndarray, np.ndarray]]

    def __init_subclass__(cls) -> None:
        """Look up the kernels of this game's World; a class without a World is an abstract base class."""
        if not hasattr(cls, "WORLD"):
            return
        world, spec = cls.WORLD, cls.SPEC
        cls.MAGIC = cls._magic()
        cls._numbers = {text.casefold(): number for number, text in enumerate(cls.LABELS)}
        cls._step_kernel, cls._observe_kernel = batch.step_all.quick(world), batch.observe_all.quick(world)
        cls._expand_kernel, cls._determinize_kernel = batch.expand_all.quick(world), batch.determinize_all.quick(world)
        cls._copy_kernel = batch.copy_across.quick(world)
        cls._score_kernel, cls._rank_kernel = batch.score_all.quick(world), batch.rank_all.quick(world)
        cls._shapes = (1, len(cls.LABELS)), (1, spec.n_words), (1, *spec.planes_shape), (1, spec.n_entries)
        cls._none = np.empty((0, *spec.planes_shape), np.uint8), np.empty((0, spec.n_entries), np.float32)

    def __init__(
        self, world: Any, begun: np.ndarray | None = None, config: Any = None, seed: int | None = None
    ) -> None:
        """Wrap a World with one game; use ``new_game``, ``from_setup`` or ``from_bytes`` to create a game.

        Records are not checked, and kernels check nothing: check untrusted records first. ``begun``: the GAME record at the start of the
        game, if known.
        """
        self._check_kind(world.games, self.GAME_DTYPE, "GAME")
        self._check_kind(world.boards, self.BOARD_DTYPE, "BOARD")
        self._world = world
        self._begun = begun
        # (everything before, the last action), shared by clones; it ends in () at the beginning, or in None if that is not known.
        self._history: Any = None if begun is None else ()
        self.config = config
        self.seed = seed
        self._action = np.full(1, NOTHING, np.int64)
        self._report = np.zeros((1, batch.N_REPORT), np.int64)
        self._now: list[int] = [0] * batch.N_REPORT  # the report as Python integers
        self.renew()

    @staticmethod
    def _check_kind(records: np.ndarray, dtype: np.dtype, name: str) -> None:
        is_kind = records.dtype is dtype or records.dtype == dtype  # == on record dtypes is slow
        if not is_kind or records.shape != (1,) or not records.flags.carray:
            raise ValueError(
                f"a writable array of one {name} record (layout.py) is needed, found {records.dtype.itemsize} bytes each, shape {records.shape}"
            )

    def renew(self) -> None:
        """Recompute legal actions and scores: call it after editing the records."""
        self._step(NOTHING)
        self._n_players = self._now[PLAYERS]
        self._score_kernel.call(self._world)

    def _step(self, action: int) -> bool:
        self._action[0] = action
        self._step_kernel.call(self._world, self._action, self._report)
        self._now = self._report[0].tolist()
        return self._now[STATUS] == OK

    # State

    @property
    def n_players(self) -> int:
        """Number of seats."""
        return self._n_players

    @property
    def seat(self) -> int:
        """The seat to act; after the end, the seat that acted last."""
        return self._now[SEAT]

    @property
    def phase(self) -> str:
        """Name of the phase (docs/turn.md)."""
        return self.PHASES[self._now[PHASE]]

    @property
    def round(self) -> int:
        """The round, counted from 1."""
        return self._now[ROUND]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._now[OVER])

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands, as plain data (docs/turn.md)."""
        raise NotImplementedError

    def setup(self) -> dict[str, Any]:
        """The initial set-up as plain data (docs/turn.md)."""
        raise NotImplementedError

    def _beginning(self) -> np.void:
        """The GAME record at the start of the game. Raises ValueError if it is unknown."""
        if self._begun is None:
            raise ValueError(
                "the set-up is not known: from_bytes() restores a position without its beginning, and determinize() hides it; "
                "keep game.setup(), a record, or a pickle of the game instead"
            )
        begun: np.void = self._begun[0]
        return begun

    # Actions

    def legal_mask(self) -> np.ndarray:
        """The action mask, uint8 (actions,): 1 for every legal action."""
        mask = np.empty((1, len(self.LABELS)), np.int8)
        self._expand_kernel.call(self._world, mask)
        bits: np.ndarray = mask[0].view(np.uint8)
        return bits

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; empty after the end."""
        legal: list[int] = (
            self.legal_mask().view(np.bool_).nonzero()[0].tolist()
        )  # nonzero() takes twice as long on uint8
        return legal

    @classmethod
    def label(cls, action: int) -> str:
        """The label of an action."""
        return cls.LABELS[cls.as_action(action)]

    @classmethod
    def parse(cls, text: str) -> int:
        """The action with this label; case and extra spaces are ignored."""
        if isinstance(text, str):
            number = cls._numbers.get(" ".join(text.split()).casefold())
            if number is not None:
                return number
        raise InvalidActionError(f"{quoted(text)} is not the label of an action; labels look like {cls.EXAMPLES}")

    @classmethod
    def as_action(cls, action: object) -> int:
        """The action as a plain int. Raises InvalidActionError if it is not an action."""
        try:
            number = NOTHING if isinstance(action, bool | np.bool_) else index(action)  # type: ignore[arg-type]  # checked here
        except Exception:  # an agent may return any object, and its __index__ may raise anything
            number = NOTHING
        if not 0 <= number < len(cls.LABELS):
            raise InvalidActionError(
                f"{quoted(action)} is not an action: actions are the integers 0 to {len(cls.LABELS) - 1}; "
                f"parse(text) makes one from a label such as {cls.EXAMPLES}"
            )
        return number

    def apply(self, action: int) -> None:
        """Apply an action. Raises InvalidActionError or IllegalActionError, and changes nothing, if that is not possible."""
        number = self.as_action(action)
        if not self._step(number):
            raise IllegalActionError(self.why_illegal(number))
        self._history = self._history, number

    def history(self) -> list[int]:
        """All actions since the beginning. Raises ValueError if they are not known."""
        found, node = [], self._history
        while node:
            node, action = node
            found.append(action)
        if node is None:
            raise ValueError(
                "the actions of this game since its beginning are not known: from_bytes(), pickle and determinize() do not keep them; "
                "write a record while the game is played (records.RecordWriter) and use that"
            )
        return found[::-1]

    def why_illegal(self, action: int) -> str:
        """The error message for an illegal action."""
        head = f"seat {self.seat}: {self.label(action)} (action {action}) is illegal"
        if self.is_over:
            return f"{head}: the game is over. See game.scores()."
        legal = self.legal_actions()
        reason = self.explain(action)
        return (
            f"{head}: {reason}{'; ' if reason else ''}{len(legal)} legal actions, first: {self.label(legal[0])}. "
            "See game.legal_actions()."
        )

    def explain(self, action: int) -> str:
        """Why an action is illegal and what is expected instead, without a full stop; may be empty."""
        return f"asked for now: {self.phase}"

    # Scores

    def score_columns(self) -> list[str]:
        """Names of the columns of the score sheet."""
        raise NotImplementedError

    def score_sheet(self) -> list[dict[str, int]]:
        """Points per seat and column of the score sheet if the game ended now."""
        names = self.score_columns()
        return [dict(zip(names, row, strict=True)) for row in self._world.sheets[0, : self._n_players].tolist()]

    def scores(self) -> list[int]:
        """Victory points per seat if the game ended now."""
        return [sum(row) for row in self._world.sheets[0, : self._n_players].tolist()]

    def ranks(self) -> list[int]:
        """Rank per seat if the game ended now: 1 for the winners; tied seats share the better rank."""
        ranks = np.zeros((1, self._world.sheets.shape[1]), np.int64)
        self._rank_kernel.call(self._world, ranks)
        places: list[int] = ranks[0, : self._n_players].tolist()
        return places

    # Observations

    def observe(self, seat: int | None = None, form: str = "planes") -> dict[str, np.ndarray]:
        """The observation of a seat (None: the seat to act), without hidden information (docs/observation.md).

        Form "planes": "observation" uint8 (planes, rows, columns) and "vector" float32 (entries,). Form "packed": "observation" uint32
        (words,), the same content as bits; ``Spec.unpack`` converts it to planes. Both: "action_mask" int8 (actions,), all zeros for a seat
        that is not to act.
        """
        seat = self._now[SEAT] if seat is None else seat
        if type(seat) is not int or not 0 <= seat < self._n_players:  # the fast path
            seat = self._as_seat(seat)
        if form not in FORMS:
            raise ValueError(f"form={form!r} is not an observation form; the forms are: {', '.join(FORMS)}")
        mask_shape, packed_shape, planes_shape, vector_shape = self._shapes
        mask, packed = np.empty(mask_shape, np.int8), np.empty(packed_shape, np.uint32)
        planes, vectors = self._none
        if form == "planes":
            planes, vectors = np.empty(planes_shape, np.uint8), np.empty(vector_shape, np.float32)
        self._observe_kernel.call(self._world, SEATS[seat], self.SPEC.table, mask, packed, planes, vectors)
        if form == "packed":
            return {"observation": packed[0], "action_mask": mask[0]}
        return {"observation": planes[0], "vector": vectors[0], "action_mask": mask[0]}

    def _as_seat(self, seat: Any) -> int:
        if not is_integer(seat) or not 0 <= seat < self._n_players:
            raise ValueError(f"seat={seat!r}: this game has the seats 0 to {self._n_players - 1}")
        return int(seat)

    def replay_html(self, agents: Sequence[str] | None = None, viewer: int | None = None) -> str:
        """The game so far as an HTML page to step through (``web.Replay``). ``agents``: a name per seat; ``viewer``: the seat whose view is shown.

        Raises ValueError if the actions since the beginning are not known.
        """
        page: str = import_module("winterkingdom_env.web").Replay(self, viewer, agents).html
        return page

    # Copies

    def clone(self) -> Self:
        """An independent copy."""
        copy = object.__new__(type(self))
        games, boards, legals, sheets, *shared = self._world
        copy._world = self.WORLD(
            blank(games.dtype), blank(boards.dtype), blank(legals.dtype), np.empty_like(sheets), *shared
        )  # fmt: skip
        self._copy_kernel.call(self._world, 0, copy._world, 0)
        copy._begun, copy.config, copy.seed, copy._n_players = self._begun, self.config, self.seed, self._n_players
        copy._history = self._history
        copy._action, copy._report = np.empty(1, np.int64), np.empty((1, batch.N_REPORT), np.int64)
        copy._now = self._now
        return copy

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __repr__(self) -> str:
        return f"<{self.TITLE}: {self.n_players} players, round {self.round}, seat {self.seat}, phase {self.phase}>"

    def check(self) -> None:
        """Raise ValueError, naming the field, if the records are not a valid position; recompute what follows from them."""
        self._check_kind(self.record, self.GAME_DTYPE, "GAME")
        self._check_kind(self.board, self.BOARD_DTYPE, "BOARD")
        self._check_parts(self.record, self.board, self._begun, self.config, self.seed)
        self.renew()

    def determinize(self, seat: int, seed: int) -> Self:
        """A copy in which everything that ``seat`` cannot see is resampled from ``seed``, the random stream included.

        Games with the same observation for the seat give the same copy for the same seed.
        """
        seat, seed = self._as_seat(seat), as_seed(seed)
        copy = self.clone()
        copy._begun = copy._history = copy.seed = None  # each would reveal the true game
        word = np.array([seed_state(seed)], np.uint64)
        self._determinize_kernel.call(copy._world, SEATS[seat], word, copy._report)
        copy._now = copy._report[0].tolist()  # the resampled hand may have other legal actions
        return copy


SEATS = tuple(np.array([seat]) for seat in range(16))


def as_seed(seed: Any) -> int:
    """A seed as a plain int. Raises ValueError if it is not an integer."""
    if not is_integer(seed):
        raise ValueError(f"seed={seed!r}: a seed is an integer")
    return int(seed)


def perft(game: Game, depth: int, is_bulk: bool = True) -> int:
    """The number of action sequences of this length from here; a sequence that ends the game earlier counts once.

    ``is_bulk``: count the actions at the last level without applying them.
    """
    assert isinstance(game, BaseGame), f"{type(game).__name__} has no World to count in"
    depth = as_integer("depth", depth)
    if depth == 0 or game.is_over:
        return 1
    games, boards, legals, sheets, *shared = game._world
    parts = (copied(np.repeat(part, depth + 1)) for part in (games, boards, legals))
    world = game.WORLD(*parts, np.repeat(sheets, depth + 1, axis=0), *shared)
    scratch = np.zeros((depth, len(game.LABELS)), np.int16), np.zeros(depth, np.int64)
    return int(batch.count_sequences(world, depth, is_bulk, *scratch))
