"""The operations that every game implements as kernels ("verbs"), and kernels that are written over them.

A *verb* is declared here and implemented by each game for its own ``World``, a named tuple of its arrays (see games/contract.py).
A kernel that calls verbs is *generic*: written once, compiled once per game::

    @implements(verbs.advance, World)       # in a game: its implementation
    @kernel
    def advance(world, i, action): ...

    @generic                                # in core or search: for all games
    def advance_all(world, actions, statuses):
        for i in range(actions.shape[0]):
            statuses[i] = advance(world, i, actions[i])

    advance_all(world, actions, statuses)   # anywhere: the type of the World selects the game

A generic function is a template. For each World its code is copied with globals in which the names of verbs, generic functions and
constants refer to that game's kernels and numbers, and the copy is compiled like any kernel. There is no dispatch at run time, and with
compilation off everything is plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from inspect import signature
from types import FunctionType
from typing import Any

import numpy as np

from winterkingdom_env.core._jit import Quick, home_of, kernel, room_of
from winterkingdom_env.core.bits import copy_record, hash_record, nth_bit, popcount
from winterkingdom_env.core.observation import Spec
from winterkingdom_env.core.rng import scaled

I64 = np.int64
U64 = np.uint64
F32 = np.float32
F64 = np.float64
NOTHING = -1  # no action: the kernel only finds the legal actions
OK, ILLEGAL = 0, 1  # results of ``advance``


class Word:
    """A name in a generic kernel that each game binds to its own kernel or number."""

    def of(self, world: type) -> Any:
        """The kernel or number of the game with this World."""
        raise NotImplementedError


class Constant(Word):
    """A number of each game, compiled into its kernels."""

    def __init__(self, text: str, default: Callable[[type], int] | None = None) -> None:
        """``text``: what it counts. ``default``: computes the number from the World of a game that does not set it."""
        self._text, self._default = text, default
        self._numbers: dict[type, int] = {}

    def of(self, world: type) -> int:
        """The number."""
        if world in self._numbers:
            return self._numbers[world]
        if self._default is None:
            raise NotImplementedError(
                f"{world.__module__}.{world.__qualname__} does not set the {self._text}; call tell_sizes"
            )
        return self._default(world)

    def set(self, world: type, number: int) -> None:
        """Set the number of the game with this World."""
        self._numbers[world] = number


class Verb(Word):
    """An operation that every game implements."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """``function`` has the name, the parameters and the docstring, and no body."""
        update_wrapper(self, function)
        self._kernels: dict[type, Any] = {}
        self._quick: dict[type, Quick] = {}

    def quick(self, world: type) -> Quick:
        """The same as ``of``, for repeated calls with arguments of the same types."""
        if world not in self._quick:
            self._quick[world] = Quick(self.of(world))
        return self._quick[world]

    def of(self, world: type) -> Any:
        """The kernel of the game with this World."""
        if world not in self._kernels:
            raise NotImplementedError(f"{world.__module__}.{world.__qualname__} does not implement {self.__name__!r}")  # type: ignore[attr-defined]  # by update_wrapper
        return self._kernels[world]

    def __call__(self, world: Any, *arguments: Any) -> Any:
        """Call the kernel of this World's game from Python."""
        return self.of(type(world))(world, *arguments)


class Generic(Verb):
    """A kernel over verbs. Every game gets its own copy on first use, unless it overrides the kernel with ``implements``."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        """``options``: those of ``kernel``."""
        super().__init__(function)
        self._function = function
        self._options = options

    def of(self, world: type) -> Any:
        """The copy for the game with this World."""
        if world not in self._kernels:
            self._kernels[world] = kernel(self._copy(world), world=world, **self._options)
        return self._kernels[world]

    def _copy(self, world: type) -> Callable[..., Any]:
        function: Any = self._function
        names = {name: function.__globals__.get(name) for name in function.__code__.co_names}
        own = {name: word.of(world) for name, word in names.items() if isinstance(word, Word)}
        copy: Any = FunctionType(
            function.__code__, {**function.__globals__, **own}, function.__name__, function.__defaults__
        )
        # Copies of one function need different names in tracebacks and for the linker.
        copy.__qualname__ = f"{function.__qualname__}_{room_of(*home_of(world)).folder.name}"
        return copy  # type: ignore[no-any-return]


def verb(function: Callable[..., Any]) -> Any:
    """Declare a verb."""
    return Verb(function)


def generic(function: Callable[..., Any] | None = None, **options: bool) -> Any:
    """A kernel over verbs; use as ``@generic`` or ``@generic(inline=True)``."""
    return (lambda f: Generic(f, **options)) if function is None else Generic(function)


def implements(word: Any, world: type) -> Any:
    """Register a kernel as the implementation of a verb for this World, or as the override of a generic kernel."""
    asked = tuple(signature(word).parameters)

    def register(function: Any) -> Any:
        if world in word._kernels:
            raise ValueError(f"{world.__module__} implements {word.__name__!r} twice, or after it was used")
        said = tuple(signature(function).parameters)
        if len(said) != len(asked):
            raise ValueError(
                f"{world.__module__} implements {word.__name__}({', '.join(asked)}) as a function of ({', '.join(said)})"
            )
        word._kernels[world] = function
        return function

    return register


WORLD_FIELDS = ("games", "boards", "legals", "sheets", "rules", "requests")  # see games/contract.py
N_PER_GAME = 4  # the first fields, which have one row per game
TRIED_STREAM = 0x5DEECE66D  # an arbitrary seed, with which the default of write_features resamples hidden information

# Constants of a game ----------------------------------------------------------------------------------------------------

SEATS = Constant("largest number of seats")
N_ACTIONS = Constant("number of actions")
PASS = Constant("action that the mask of a finished game holds")
PLANE_ROWS = Constant("rows of the observation's planes, 0 if there are none")
PLANE_COLUMNS = Constant("columns of the observation's planes, 0 if there are none")
N_ENTRIES = Constant("entries of the observation's vector")
N_EXTRA = Constant("numbers that write_extra writes", lambda world: 0)
DEFAULT_FEATURES = (
    "gain",
    "others_lead",
    "ends_turn",
    "ends_game",
)  # the columns that the default of write_features writes
N_FEATURES = Constant("features of an action", lambda world: len(DEFAULT_FEATURES))
N_KINDS = Constant("kinds of action", N_ACTIONS.of)
PER_POINT = 0.05  # scale of points in a standing
DEFAULT_STANDING = ("points", "worth")  # the numbers that the default of write_standing writes
N_STANDING = Constant("numbers of a seat's standing", lambda world: len(DEFAULT_STANDING))


def tell_sizes(world: type, seats: int, n_actions: int, pass_action: int, spec: Spec) -> None:
    """Set the constants of the game with this World. Raises ValueError if it is not a World."""
    fields = getattr(world, "_fields", ())
    if fields[:N_PER_GAME] != WORLD_FIELDS[:N_PER_GAME] or not set(WORLD_FIELDS) <= set(fields):
        raise ValueError(
            f"{world.__module__}.{world.__name__} is not a World: a named tuple is needed that starts with {', '.join(WORLD_FIELDS[:N_PER_GAME])} and "
            f"also has {', '.join(WORLD_FIELDS[N_PER_GAME:])}; found {', '.join(fields) or 'none'}"
        )
    SEATS.set(world, seats)
    N_ACTIONS.set(world, n_actions)
    PASS.set(world, pass_action)
    PLANE_ROWS.set(world, spec.rows)
    PLANE_COLUMNS.set(world, spec.columns)
    N_ENTRIES.set(world, spec.n_entries)


# Required verbs -------------------------------------------------------------------------------------------------------


@verb
def set_up(world, i, config):
    """Set up game i with request ``config``, from the random stream in its record. Legal actions are not computed, points are 0."""


@verb
def advance(world, i, action):
    """Apply an action to game i if it is legal, and find the next legal actions. Return OK or ILLEGAL (nothing changes). NOTHING: only find."""


@verb
def score(world, i):
    """Write the points of every seat of game i into its score sheet."""


@verb
def observe(world, i, seat, news, out):
    """Write the packed observation of a seat of game i into ``out``, uint32. ``news`` (core.observation.News): what ``out`` held before."""


@verb
def deal_hidden(world, i, seat):
    """Resample everything hidden from the seat with the stream in the record, and store a fresh stream. Legal actions are not computed."""


@verb
def is_over(world, i):
    """Whether game i has ended."""


# Verbs with defaults ----------------------------------------------------------------------------------------------------
#
# The defaults need these fields: ``seat``, ``phase`` and ``round`` in GAME, ``n_players`` in BOARD, and ``bits`` in LEGAL: uint64 words in
# which bit a % 64 of word a // 64 is action a. A game with other records must implement these verbs.


@generic
def carry_on(world, i, action):
    """Like ``advance``, and update the score sheet of game i, which must be up to date before."""
    status = advance(world, i, action)
    if status == OK and action != NOTHING:
        score(world, i)
    return status


@generic
def find_legal(world, i):
    """Find the legal actions of game i, which must be at a decision."""
    advance(world, i, I64(NOTHING))


@generic(inline=True)
def is_legal(world, i, action):
    """Whether an action is legal; False for numbers that are not actions."""
    if not 0 <= action < N_ACTIONS:
        return False
    return (world.legals[i]["bits"][action >> 6] >> U64(action & 63)) & U64(1) == U64(1)


@generic
def count_legal(world, i):
    """Number of legal actions; 0 after the end."""
    n = I64(0)
    for k in range(world.legals[i]["bits"].shape[0]):
        n += popcount(world.legals[i]["bits"][k])
    return n


@generic
def nth_legal(world, i, n):
    """The n-th legal action, counted from 0; it must exist."""
    before, k = I64(0), I64(0)
    while before + popcount(world.legals[i]["bits"][k]) <= n:
        before += popcount(world.legals[i]["bits"][k])
        k += 1
    return 64 * k + nth_bit(world.legals[i]["bits"][k], n - before)


@generic
def expand(world, i, mask):
    """Write the action mask into ``mask``, int8, one byte of 0 or 1 per action."""
    for action in range(N_ACTIONS):
        mask[action] = is_legal(world, i, I64(action))


@generic(inline=True)
def seat_to_move(world, i):
    """The seat to act, which need not be the seat whose turn it is; any seat after the end."""
    return I64(world.games[i]["seat"])


@generic(inline=True)
def count_players(world, i):
    """Number of seats of game i."""
    return I64(world.boards[i]["n_players"])


@generic(inline=True)
def phase_of(world, i):
    """The number of the current phase."""
    return I64(world.games[i]["phase"])


@generic(inline=True)
def round_of(world, i):
    """The round, counted from 1."""
    return I64(world.games[i]["round"])


@generic(inline=True)
def pick(world, i, word):
    """A uniformly random legal action, drawn with 64 random bits; NOTHING if there is none."""
    n = count_legal(world, i)
    if n == 0:
        return I64(NOTHING)
    return I64(nth_legal(world, i, scaled(word, n)))


@generic
def list_legal(world, i, actions):
    """Write the legal actions into ``actions``, int16, ascending, and return their number."""
    n = count_legal(world, i)
    for k in range(n):
        actions[k] = nth_legal(world, i, I64(k))
    return n


@generic
def points(world, i, seat):
    """The points of a seat: the sum of its row of the score sheet, as last written."""
    total = I64(0)
    for k in range(world.sheets.shape[2]):
        total += I64(world.sheets[i, seat, k])
    return total


@generic
def others_points(world, i, seat):
    """The points of all seats but this one, as last written."""
    total = I64(0)
    for other in range(count_players(world, i)):
        if other != seat:
            total += points(world, i, I64(other))
    return total


@generic
def is_before(world, i, seat, other):
    """Whether a seat ranks above another one; the default compares points."""
    return points(world, i, I64(seat)) > points(world, i, I64(other))


@generic
def rank(world, i, ranks):
    """Write each seat's rank if game i ended now: 1 plus the number of seats that rank above it, so that tied seats share a rank."""
    n_players = count_players(world, i)
    for seat in range(n_players):
        place = 1
        for other in range(n_players):
            if is_before(world, i, I64(other), I64(seat)):
                place += 1
        ranks[seat] = place


@generic
def copy_game(world, source, target):
    """Copy game ``source`` to game ``target``, which must have the same board."""
    copy_record(world.games, source, world.games, target)
    copy_record(world.legals, source, world.legals, target)
    for seat in range(world.sheets.shape[1]):
        for k in range(world.sheets.shape[2]):
            world.sheets[target, seat, k] = world.sheets[source, seat, k]


# For agents ---------------------------------------------------------------------------------------------------------------


@generic
def worth(world, i, seat, weights):
    """The heuristic value of game i for a seat, in points; its points at the end. ``weights``: float64, WORTH of the game."""
    return F64(points(world, i, seat))


@generic
def key_of(world, i, seat):
    """A 64-bit hash of a position within a turn of the seat. Positions that differ only in the order of actions may share one."""
    return hash_record(world.games, i)


@generic
def kind_of(world, action):
    """The kind of an action, 0 to N_KINDS - 1. Actions of one kind share weights in a network."""
    return action


@generic
def write_standing(world, i, seat, spare, weights, actions, out):
    """Write the standing of a seat between two turns into ``out``, float32 (N_STANDING): what a network values at the end of a turn.

    First its points times PER_POINT. The other numbers are what a card, a tile or a place does for the seat, not which it is, so that they mean the
    same under cards that no training saw. They must not depend on information hidden from the seat whose turn has ended, nor on later draws. ``weights``
    are those of ``worth``; games ``spare`` and ``spare`` + 1, and ``actions``, are scratch.
    """
    out[0] = F32(PER_POINT * points(world, i, seat))
    out[1] = F32(PER_POINT * worth(world, i, seat, weights))


@generic
def write_extra(world, i, seat, out, first):
    """Write N_EXTRA further network inputs about game i into ``out``, float32, from ``first`` on, after the observation's vector."""


@generic
def write_features(world, i, actions, features):
    """Write the legal actions of game i into ``actions``, int16, and their features into rows of ``features``, float32; return their number.

    Features must not depend on information hidden from the seat to act: neither other players' cards nor future random draws. Games i + 1 and
    i + 2 are scratch. The default applies each action to a determinized copy, which is the same for all positions with the same observation.
    """
    seat, n_players = seat_to_move(world, i), count_players(world, i)
    copy_game(world, i, i + 2)
    world.games[i + 2]["rng"] = U64(TRIED_STREAM)
    deal_hidden(world, i + 2, seat)
    advance(world, i + 2, I64(NOTHING))
    score(world, i + 2)
    own, others = points(world, i + 2, seat), I64(0)
    for player in range(n_players):
        others += points(world, i + 2, I64(player)) - own
    n = list_legal(world, i, actions)
    for k in range(n):
        copy_game(world, i + 2, i + 1)
        carry_on(world, i + 1, I64(actions[k]))
        gain = points(world, i + 1, seat)
        lead = I64(0)
        for player in range(n_players):
            lead += points(world, i + 1, I64(player)) - gain
        features[k, 0] = F32(gain - own)
        features[k, 1] = F32(lead - others)
        features[k, 2] = F32(seat_to_move(world, i + 1) != seat)
        features[k, 3] = F32(is_over(world, i + 1))
    return n
