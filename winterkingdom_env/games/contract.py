"""The interface of a game. A game that implements it works with every other part of the project (docs/adding_a_game.md).

A game has two halves. In Python it is a module, or any object, with the attributes of ``GameRules``; its ``Game`` is a subclass of
``games.base.BaseGame``, which implements most of the ``Game`` protocol. In kernels it is a ``World``, a named tuple of arrays, for which it
implements the verbs of ``core/verbs.py``. Code outside a game never compares scores to find a winner, never assumes a number of seats, and
never interprets a board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

if TYPE_CHECKING:
    from winterkingdom_env.core.observation import Spec
    from winterkingdom_env.core.picture import BoardSheet, CardTable, Look, Picture, Screen
    from winterkingdom_env.games.choices import Choice
    from winterkingdom_env.games.factors import Factor
    from winterkingdom_env.games.house_rules import Sheet
    from winterkingdom_env.games.splits import Splits


class World(Protocol):
    """The arrays that kernels work on. The first four have one row per game and are copied with a game; the others are shared."""

    @property
    def games(self) -> Any:
        """GAME records: all mutable state, including the random stream in the field ``rng``."""

    @property
    def boards(self) -> Any:
        """BOARD records: written at set-up, constant afterwards."""

    @property
    def legals(self) -> Any:
        """LEGAL records: the legal actions of the seat to move, computed from ``games`` and ``boards``."""

    @property
    def sheets(self) -> Any:
        """Score sheets (n, seats, columns), signed integers: points if the game ended now, computed from ``games`` and ``boards``."""

    @property
    def rules(self) -> Any:
        """RULES records: the card tables and all other constants, in the form that kernels read."""

    @property
    def requests(self) -> Any:
        """Set-up options, one record per config."""


class Game(Protocol):
    """A game in progress."""

    @property
    def config(self) -> Any:
        """The options that the game was created with; None if it was created from a set-up."""

    @property
    def seed(self) -> int | None:
        """The seed that the game was created with; None if it was created from a set-up."""

    @property
    def seat(self) -> int:
        """The seat to act, which need not be the seat whose turn it is."""

    @property
    def phase(self) -> str:
        """Name of the phase: the kind of decision to make now."""

    @property
    def round(self) -> int:
        """The round, counted from 1."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def n_players(self) -> int:
        """Number of seats."""

    def legal_actions(self) -> Sequence[int]:
        """The legal actions, ascending; empty only when the game is over."""

    def apply(self, action: int) -> None:
        """Apply an action. Raises ValueError, and changes nothing, if it is not an action or not legal now."""

    def history(self) -> list[int]:
        """All actions since the beginning. Raises ValueError if they are not known."""

    def label(self, action: int) -> str:
        """The label of an action, as shown to people and written to records."""

    def parse(self, text: str) -> int:
        """The action with this label."""

    def explain(self, action: int) -> str:
        """Why an action is not legal now, and what is asked for, without a full stop; may be empty."""

    def observe(self, seat: int | None = None, form: str = "planes") -> dict[str, NDArray[Any]]:
        """The observation of a seat (None: the seat to act) and its action mask, without hidden information."""

    def scores(self) -> list[int]:
        """Points per seat if the game ended now. They may be negative."""

    def score_sheet(self) -> list[dict[str, int]]:
        """Points per seat and column of the score sheet if the game ended now."""

    def ranks(self) -> list[int]:
        """Rank per seat if the game ended now: 1 for the winners. Ranks, not scores, decide who wins."""

    def replay_html(self, agents: Sequence[str] | None = None, viewer: int | None = None) -> str:
        """The game so far as an HTML page to step through. Raises ValueError if the actions since the beginning are not known."""

    def setup(self) -> dict[str, Any]:
        """The initial set-up as JSON-compatible data."""

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands, as JSON-compatible data."""

    def check(self) -> None:
        """Raise ValueError, naming the problem, if play cannot reach this position."""

    def clone(self) -> Game:
        """An independent copy."""

    def determinize(self, seat: int, seed: int) -> Game:
        """A copy in which everything hidden from a seat is resampled. The result does not depend on hidden information."""

    def to_bytes(self) -> bytes:
        """The position as bytes. Equal positions give equal bytes."""


class GameRules(Protocol):
    """A game: its name and sizes, the functions that create games, and what reports, training and rendering need."""

    NAME: str  # identifier in commands and files, such as winter_kingdom
    TITLE: str  # name for people, such as Winter Kingdom
    ENV_VERSION: str  # such as v1; bump it when observation, action numbering, reward or rules change
    PLAYERS: range  # allowed numbers of players
    MAX_PLAYERS: int
    N_ACTIONS: int
    PASS: int  # the only action in the mask of a finished game, so that no mask is empty
    SCORE_SCALE: float  # divides points in rewards, so that a typical margin is about 1
    OBSERVATION: Spec
    OBSERVATION_NOTES: str  # introduction of the generated page about the observation
    OBSERVATION_ORDERS: dict[str, tuple[str, ...]]  # names of a field's entries, for the same page
    SHARED: tuple[
        str, ...
    ]  # arrays of the World that are slow to make, so that ``make_world`` can take them from another one
    WORTH: tuple[float, ...]  # weights of the verb ``worth``, the heuristic value; may be empty
    FEATURES: tuple[str, ...]  # names of the features of an action, which networks take as input
    STANDING: tuple[
        str, ...
    ]  # names of the numbers of a seat's standing between two turns, which networks take as input
    PLACES: tuple[
        int, ...
    ]  # cells of the board, as 32 * row + column in the observation's planes; empty without a board
    PLACE_KINDS: int  # action k * len(PLACES) + i acts on place i, for every k below this
    SHEETS: tuple[Sheet, ...]  # card tables, and what house rules may change in them; may be empty
    AGENTS: dict[str, str]  # agents that the game brings, as ``module:Class`` by name; may be empty
    CHOICES: dict[str, Choice]  # for each text option of the Config: what a form offers (games/options.py)
    FACTS: dict[str, str]  # properties by which reports group games, each with its heading: twist, Twists
    World: type[Any]
    Config: type[Any]  # a frozen msgspec.Struct with ``num_players`` and ``house_rules``, validated in its constructor

    def new_game(self, config: Any = None, seed: int = 0) -> Game:
        """A new game. The same config and seed give the same game on every machine."""

    def from_setup(self, setup: dict[str, Any], config: Any = None, seed: int | None = None) -> Game:
        """A game from the result of ``Game.setup``. Raises ValueError, naming the problem, if the set-up is invalid."""

    def from_bytes(self, data: bytes) -> Game:
        """The position that ``Game.to_bytes`` saved. Raises ValueError, naming the field, if the data are invalid."""

    def game_of(self, record: NDArray[Any], board: NDArray[Any], config: Any = None, seed: int | None = None) -> Game:
        """A game that uses these records, arrays of length 1, without a copy or a check."""

    def check_records(self, games: NDArray[Any], boards: NDArray[Any]) -> NDArray[Any]:
        """The LEGAL records of untrusted games. Raises ValueError, naming the field, if play cannot reach a position."""

    def make_world(self, n: int, configs: Sequence[Any] = ..., shared: Mapping[str, NDArray[Any]] | None = None) -> Any:
        """A World with room for ``n`` games of these configs. ``shared``: arrays to reuse (SHARED)."""

    def variants(self, config: Any, players: Sequence[int], n: int) -> tuple[Any, ...]:
        """Copies of a config for a batch: one per number of players and, for random options, ``n`` draws of each."""

    # For reports and training

    def splits(self) -> Splits:
        """The fixed split of set-ups into training and held-out ones."""

    def factors(self) -> tuple[Factor, ...]:
        """What can differ between set-ups, and its levels, to train without one of them (docs/generalisation.md)."""

    def facts(self, snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
        """The FACTS of a game: a name, a list of names, or None. Names that are also score sheet columns come with points."""

    # For people

    def picture(self, snapshot: dict[str, Any], look: Look) -> Picture:
        """A position as shapes and text, for SVG, pixels and terminal output (render/), without what is hidden from the viewer.

        Its spots are the places and cards that can be clicked.
        """

    def screen(self, snapshot: dict[str, Any], look: Look) -> Screen:
        """A position for somebody who plays: a compact board, a few numbers per seat, words for cards and legal actions, and why these are legal."""

    def cards(self, house_rules: str = "") -> tuple[CardTable, ...]:
        """The card tables under these house rules, with changed cards marked."""

    def board_sheet(self, source: str, seed: int) -> BoardSheet:
        """The boards of ``source``, an option of the Config. Raises ValueError if the game has no boards."""
