"""A game for people: one pair of records, and methods that call the kernels on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from winterkingdom_env.core._jit import Quick
from winterkingdom_env.core.arguments import as_integer, is_integer
from winterkingdom_env.core.observation import FORMS
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games.winter_kingdom import actions, batch, layout, tables
from winterkingdom_env.games.winter_kingdom.actions import IllegalActionError
from winterkingdom_env.games.winter_kingdom.config import Config, ConfigError
from winterkingdom_env.games.winter_kingdom.explain import why_illegal
from winterkingdom_env.games.winter_kingdom.observe import SPEC
from winterkingdom_env.games.winter_kingdom.plain import (
    fill_from_setup,
    make_setup,
    make_snapshot,
)
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.games.winter_kingdom.saves import as_bytes, check_records, copied, from_saved

RULES = make_rules()
TABLE = SPEC.table
MASK_SHAPE, PACKED_SHAPE = (1, layout.N_ACTIONS), (1, SPEC.n_words)
PLANES_SHAPE, VECTOR_SHAPE = (1, *SPEC.planes_shape), (1, SPEC.n_entries)
PHASES = tuple(phase.name.lower() for phase in layout.Phase)
OVER, LIFTING, OK = int(layout.Phase.OVER), int(layout.Phase.LIFT), int(layout.Status.OK)
STATUS, SEAT, PHASE, ROUND = layout.REPORT_STATUS, layout.REPORT_SEAT, layout.REPORT_PHASE, layout.REPORT_ROUND
STEP, OBSERVE, EXPAND = Quick(batch.step_all), Quick(batch.observe_all), Quick(batch.expand_all)
DETERMINIZE = Quick(batch.determinize_all)
SEATS = tuple(np.array([seat]) for seat in range(layout.MAX_PLAYERS))
NO_PLANES, NO_VECTORS = np.empty((0, *SPEC.planes_shape), np.uint8), np.empty((0, SPEC.n_entries), np.float32)


class Game:
    """A game in progress. Everything that decides its future is in ``record`` and ``board``; copies are copies of these.

    A game is for one thread at a time, and does not notice if it is used by several: kernels run without Python's lock, in arrays that the
    game owns, and two at once leave a position that no rules lead to. Give each thread a ``clone()``.
    """

    __slots__ = (
        "_action", "_begun", "_legal", "_n_players", "_now", "_report", "_sheet", "_stale", "board", "config", "record", "seed",
    )  # fmt: skip

    def __init__(
        self,
        record: np.ndarray,
        board: np.ndarray,
        begun: np.ndarray | None = None,
        config: Config | None = None,
        seed: int | None = None,
    ) -> None:
        """Wrap a GAME and a BOARD array of length 1; use ``new_game``, ``from_setup`` or ``from_bytes`` to get one.

        Records are taken as they are. Those from outside must pass ``saves.check_records`` first: kernels check nothing.
        ``begun`` is the GAME with which it began, if that is known.
        """
        _check_records(record, layout.GAME, "GAME")
        _check_records(board, layout.BOARD, "BOARD")
        self.record = record
        self.board = board
        self._begun = begun
        self.config = config
        self.seed = seed
        self._n_players = int(board["n_players"][0])
        self._legal = np.zeros(1, layout.LEGAL)
        self._action = np.full(1, layout.NOTHING, np.int64)
        self._report = np.zeros((1, layout.N_REPORT), np.int64)
        self._now: list[int] = [0] * layout.N_REPORT  # the same as Python's numbers
        self._sheet = np.zeros((1, layout.MAX_PLAYERS, layout.SCORING_IN_PLAY + 1), np.int16)
        self._stale = np.ones(1, np.bool_)  # whether ``_sheet`` must be written anew
        batch.refresh_all(self.record, self.board)
        self._step(layout.NOTHING)

    def _step(self, action: int) -> bool:
        # Cards and coins score nothing: only actions that move a piece make the points stale.
        if action < layout.LIFT_FIRST or (action < layout.USE_FIRST and self._now[PHASE] != LIFTING):
            self._stale[0] = True
        self._action[0] = action
        STEP.call(self.record, self._action, self.board, RULES, self._legal, self._report)
        self._now = self._report[0].tolist()
        return self._now[STATUS] == OK

    # What is going on

    @property
    def n_players(self) -> int:
        """Number of seats."""
        return self._n_players

    @property
    def seat(self) -> int:
        """The seat to move; after the end, the seat that moved last."""
        return self._now[SEAT]

    @property
    def phase(self) -> str:
        """Name of the phase (docs/turn.md)."""
        return PHASES[self._now[PHASE]]

    @property
    def round(self) -> int:
        """Rounds are counted from 1."""
        return self._now[ROUND]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._now[PHASE] == OVER

    def snapshot(self) -> dict[str, Any]:
        """Everything on the table with open hands, as plain data (docs/turn.md)."""
        return make_snapshot(self.record[0], self.board[0])

    def setup(self) -> dict[str, Any]:
        """The set-up with which the game began, as plain data (docs/turn.md)."""
        if self._begun is None:
            raise ValueError(
                "the set-up is not known: from_bytes() restores a position without its beginning, and determinize() hides it; "
                "keep game.setup(), a record, or a pickle of the game instead"
            )
        return make_setup(self._begun[0], self.board[0])

    # Actions

    def legal_mask(self) -> np.ndarray:
        """uint8 (1409,): 1 for every action that is legal now."""
        mask = np.empty(MASK_SHAPE, np.int8)
        EXPAND.call(RULES, self._legal, mask)
        bits: np.ndarray = mask[0].view(np.uint8)
        return bits

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, in order; empty after the end."""
        legal: list[int] = (
            self.legal_mask().view(np.bool_).nonzero()[0].tolist()
        )  # of bytes it would take twice as long
        return legal

    def label(self, action: int) -> str:
        """What people call an action."""
        return actions.label(action)

    def parse(self, text: str) -> int:
        """The action that people call so."""
        return actions.parse(text)

    def apply(self, action: int) -> None:
        """Carry out an action; InvalidActionError or IllegalActionError, and no change, if it is none or not legal now."""
        number = actions.as_action(action)
        if not self._step(number):
            raise IllegalActionError(why_illegal(self, number))

    # Scores

    def _scored(self) -> np.ndarray:
        if self._stale[0]:
            batch.score_all(self.record, self.board, RULES, self._sheet)
            self._stale[0] = False
        return self._sheet

    def score_sheet(self) -> list[dict[str, int]]:
        """Per seat the points for each Winter Kingdom card in play and for the castles, if the game ended now."""
        sheet = self._scored()
        names = [tables.SCORINGS[i].name for i in self.board["scoring"][0]] + ["Castles"]
        return [dict(zip(names, map(int, row), strict=True)) for row in sheet[0, : self.n_players]]

    def scores(self) -> list[int]:
        """Per seat the victory points, if the game ended now."""
        return [int(points) for points in self._scored()[0, : self.n_players].sum(axis=1)]

    # What a seat sees

    def observe(self, seat: int | None = None, form: str = "planes") -> dict[str, np.ndarray]:
        """What a seat (None: the seat to move) sees, without anything hidden from it; docs/observation.md describes it.

        "planes": "observation" uint8 (36, 27, 27) and "vector" float32 (478,). "packed": "observation" uint32 (1042,), the same
        content in words; ``wk.OBSERVATION.unpack`` makes planes of it. Both: "action_mask" int8 (1409,), empty for a seat that is not to move.
        """
        seat = self._now[SEAT] if seat is None else seat
        if type(seat) is not int or not 0 <= seat < self._n_players:  # in a hurry: agents look all the time
            seat = self._as_seat(seat)
        if form not in FORMS:
            raise ValueError(f"form={form!r} is no form of an observation; there are: {', '.join(FORMS)}")
        mask, packed = np.empty(MASK_SHAPE, np.int8), np.empty(PACKED_SHAPE, np.uint32)
        planes, vectors = NO_PLANES, NO_VECTORS
        if form == "planes":
            planes, vectors = np.empty(PLANES_SHAPE, np.uint8), np.empty(VECTOR_SHAPE, np.float32)
        OBSERVE.call(
            SEATS[seat], self.record, self.board, RULES, TABLE, self._legal, self._sheet, self._stale, mask, packed, planes, vectors
        )  # fmt: skip
        if form == "packed":
            return {"observation": packed[0], "action_mask": mask[0]}
        return {"observation": planes[0], "vector": vectors[0], "action_mask": mask[0]}

    def _as_seat(self, seat: Any) -> int:
        if not is_integer(seat) or not 0 <= seat < self._n_players:
            raise ValueError(f"seat={seat!r}: this game has the seats 0 to {self._n_players - 1}")
        return int(seat)

    # Copies

    def clone(self) -> Game:
        """An independent copy."""
        copy = object.__new__(Game)
        copy.record, copy.board = copied(self.record), copied(self.board)
        copy._begun, copy.config, copy.seed, copy._n_players = self._begun, self.config, self.seed, self._n_players
        copy._legal = copied(self._legal)
        copy._sheet, copy._stale = self._sheet.copy(), self._stale.copy()
        copy._action, copy._report = np.empty(1, np.int64), np.empty((1, layout.N_REPORT), np.int64)
        copy._now = self._now
        return copy

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.record, self.board, self._begun, self.config, self.seed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        return f"<Winter Kingdom: {self.n_players} players, round {self.round}, seat {self.seat}, phase {self.phase}>"

    def to_bytes(self) -> bytes:
        """The two records with a checksum; equal games have equal bytes."""
        return as_bytes(self.record, self.board)

    def check(self) -> None:
        """ValueError names the field if the records are no position of a game; what follows from them is renewed."""
        _check_records(self.record, layout.GAME, "GAME")
        _check_records(self.board, layout.BOARD, "BOARD")
        _check_parts(self.record, self.board, self._begun, self.config, self.seed)
        self._n_players = int(self.board["n_players"][0])
        self._stale[0] = True
        self._step(layout.NOTHING)

    def determinize(self, seat: int, seed: int) -> Game:
        """A copy in which everything that ``seat`` cannot see is resampled from ``seed``.

        Hidden are the others' hands (and so the cards in the box), their terrain cards unless revealed, the order of the
        draw pile, and the random stream. Games that look the same to the seat give the same copy for the same seed.
        """
        seat, seed = self._as_seat(seat), _as_seed(seed)
        copy = self.clone()
        copy._begun, copy.seed = None, None  # from either one could deal the true game again
        word = np.array([seed_state(seed)], np.uint64)
        DETERMINIZE.call(SEATS[seat], word, copy.record, copy.board)
        copy._step(layout.NOTHING)  # another hand may buy other cards
        return copy


def _check_records(records: np.ndarray, dtype: np.dtype, name: str) -> None:
    is_kind = records.dtype is dtype or records.dtype == dtype  # the second takes long
    if not is_kind or records.shape != (1,) or not records.flags.carray:
        raise ValueError(
            f"a writable array of one {name} record (layout.py) is needed, found {records.dtype.itemsize} bytes each, shape {records.shape}"
        )


def _empty_records() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(1, layout.GAME), np.zeros(1, layout.BOARD)


def _as_seed(seed: Any) -> int:
    if not is_integer(seed):
        raise ValueError(f"seed={seed!r}: a seed is an integer")
    return int(seed)


def _as_config(config: Any) -> Config | None:
    if config is not None and not isinstance(config, Config):
        raise ConfigError(f"config={config!r} is no Config; make one, such as Config(num_players=3), or give None")
    return config


def new_game(config: Config | None = None, seed: int = 0) -> Game:
    """A game set up from a seed: the same config and seed give the same game, on every machine."""
    config, seed = _as_config(config) or Config(), _as_seed(seed)
    record, board = _empty_records()
    sides = config.sides(seed).terrain
    batch.new_games(record, board, RULES, np.array(sides), config.request(seed))
    return Game(record, board, copied(record), config, seed)


def from_setup(setup: dict[str, Any], config: Config | None = None, seed: int | None = None) -> Game:
    """A game that begins with this set-up (docs/turn.md); SetupError says what is wrong with a damaged one."""
    config, seed = _as_config(config), None if seed is None else _as_seed(seed)
    record, board = _empty_records()
    fill_from_setup(setup, record[0], board[0])
    batch.begin_games(record, board, RULES)
    return Game(record, board, copied(record), config, seed)


def from_bytes(data: bytes) -> Game:
    """The game that ``to_bytes`` saved; ValueError names the field if it is none, damaged, or no position of a game."""
    return Game(*from_saved(data))


def _check_parts(
    record: np.ndarray, board: np.ndarray, begun: np.ndarray | None, config: Config | None, seed: int | None
) -> None:
    """ValueError names what is wrong with the parts of a game that come from outside."""
    check_records(record, board)
    if begun is not None:
        check_records(begun, board)
        is_begin = begun["round"][0] == 1 and begun["seat"][0] == 0 and begun["phase"][0] == layout.Phase.BEFORE
        if not is_begin or begun["used"].any():
            raise ValueError("the saved game is refused: begun is no beginning of a game")
    if config is not None and not isinstance(config, Config):
        raise ValueError(f"the saved game is refused: config is a {type(config).__name__}")
    if seed is not None and type(seed) is not int:
        raise ValueError(f"the saved game is refused: seed is a {type(seed).__name__}")


def _restore(
    record: np.ndarray, board: np.ndarray, begun: np.ndarray | None, config: Config | None, seed: int | None
) -> Game:
    """A pickled game, checked as a saved one is."""
    _check_parts(record, board, begun, config, seed)
    return Game(record.view(layout.GAME), board.view(layout.BOARD), begun, config, seed)


def perft(game: Game, depth: int) -> int:
    """Number of action sequences of this length from here; a sequence that ends the game earlier counts once."""
    depth = as_integer("depth", depth)
    if depth == 0 or game.is_over:
        return 1
    legal = np.flatnonzero(game.legal_mask())
    return len(legal) if depth == 1 else _count_sequences(game.record, game.board, game._legal, legal, depth)


def _count_sequences(record: np.ndarray, board: np.ndarray, legal: np.ndarray, actions_: np.ndarray, depth: int) -> int:
    """Carry out every action on a copy of the game, all in one kernel call, and count on from there."""
    n = len(actions_)
    records, boards, legals = np.repeat(record, n), np.repeat(board, n), np.repeat(legal, n)
    batch.step_all(records, actions_, boards, RULES, legals, np.zeros((n, layout.N_REPORT), np.int64))
    masks = np.zeros((n, layout.N_ACTIONS), np.int8)
    batch.expand_all(RULES, legals, masks)
    if depth == 2:
        return int(np.maximum(masks.sum(axis=1, dtype=np.int64), 1).sum())
    total = 0
    for i in range(n):
        children = np.flatnonzero(masks[i])
        one = slice(i, i + 1)
        total += _count_sequences(records[one], board, legals[one], children, depth - 1) if len(children) else 1
    return total
