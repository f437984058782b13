"""What a game is. Whoever adds one writes these things, and everything else in the project works for it (docs/adding_a_game.md).

A game has two halves. In Python it is a module, or any object, with the attributes of ``GameRules``; its ``Game`` is a subclass of
``games.base.BaseGame``, which has most of what ``Game`` asks for. In kernels it is a ``World``, a named tuple of arrays, for which it implements
the verbs of ``core/verbs.py``. Nothing outside a game compares scores to find a winner, knows how many seats there are, or what a board is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

if TYPE_CHECKING:
    from winterkingdom_env.core.observation import Spec
    from winterkingdom_env.core.picture import BoardSheet, CardTable, Look, Picture
    from winterkingdom_env.games.house_rules import Sheet
    from winterkingdom_env.games.splits import Splits


class World(Protocol):
    """The arrays that kernels work on. The first four have a row per game and are what a copy copies; the others are shared."""

    @property
    def games(self) -> Any:
        """GAME records: everything that changes, the random stream in the field ``rng`` included."""

    @property
    def boards(self) -> Any:
        """BOARD records: made at set-up, then constant."""

    @property
    def legals(self) -> Any:
        """LEGAL records: what the seat to move may do. Follows from the two before."""

    @property
    def sheets(self) -> Any:
        """Points (n, seats, things that score), signed integers: if the game ended now. Follows likewise."""

    @property
    def rules(self) -> Any:
        """RULES records: the card tables, and whatever else never changes, in the form that kernels read."""

    @property
    def requests(self) -> Any:
        """What each config asks of a set-up, one record per config."""


class Game(Protocol):
    """A game in progress."""

    @property
    def config(self) -> Any:
        """The options it was made with; None if it was made from a set-up."""

    @property
    def seed(self) -> int | None:
        """The seed it was made with; None if it was made from a set-up."""

    @property
    def seat(self) -> int:
        """The seat that is asked, whoever's turn it is."""

    @property
    def phase(self) -> str:
        """What it is asked for."""

    @property
    def round(self) -> int:
        """The round, from 1."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def n_players(self) -> int:
        """Number of seats."""

    def legal_actions(self) -> Sequence[int]:
        """Actions that may be taken now, ascending; empty after the end, and at no other time."""

    def apply(self, action: int) -> None:
        """Take an action; a ValueError, and no change, if it is none or not legal now."""

    def label(self, action: int) -> str:
        """What people and records call an action."""

    def parse(self, text: str) -> int:
        """The action with this label."""

    def observe(self, seat: int | None = None, form: str = "planes") -> dict[str, NDArray[Any]]:
        """What a seat sees, without anything hidden from it, and its action mask."""

    def scores(self) -> list[int]:
        """Points per seat if the game ended now; may be negative."""

    def score_sheet(self) -> list[dict[str, int]]:
        """Points per seat and thing that scores, if the game ended now."""

    def ranks(self) -> list[int]:
        """Place per seat if the game ended now: 1 for the winners. This, and not the scores, says who has won."""

    def setup(self) -> dict[str, Any]:
        """The set-up the game began with, as plain data that JSON can hold."""

    def snapshot(self) -> dict[str, Any]:
        """Everything on the table, with open hands, as plain data."""

    def check(self) -> None:
        """ValueError names what is wrong if this is no position that play can reach."""

    def clone(self) -> Game:
        """An independent copy."""

    def determinize(self, seat: int, seed: int) -> Game:
        """A copy in which everything hidden from a seat is resampled; it depends on nothing hidden."""

    def to_bytes(self) -> bytes:
        """The position; equal games have equal bytes."""


class GameRules(Protocol):
    """A game: its name and numbers, how games are made, and what the rest of the project asks about it."""

    NAME: str  # as users and files write it: winter_kingdom
    TITLE: str  # as people say it: Winter Kingdom
    ENV_VERSION: str  # v1: goes up when observation, action numbering, reward or rules change
    PLAYERS: range  # numbers of players
    MAX_PLAYERS: int
    N_ACTIONS: int
    PASS: int  # the action that the mask of a finished game holds, so that no mask is empty
    SCORE_SCALE: float  # points that make about 1 in margins
    OBSERVATION: Spec
    OBSERVATION_NOTES: str  # what the page about its observation says before the tables
    OBSERVATION_ORDERS: dict[str, tuple[str, ...]]  # and what the entries of a field are, where that is a list
    SHARED: tuple[str, ...]  # arrays of the World that ``make_world`` takes by name, as they take long to make
    WORTH: tuple[float, ...]  # the weights that its ``worth`` takes; may be empty
    FEATURES: tuple[str, ...]  # names of the features of an action
    PLACES: tuple[
        int, ...
    ]  # places of its board, as 32 * row + column of the observation's planes; empty without a board
    PLACE_KINDS: int  # action k * len(PLACES) + i, for each k below this, is about place i
    SHEETS: tuple[Sheet, ...]  # its card tables, and what house rules may change in them; empty if nothing
    FACTS: dict[str, str]  # what reports group games by, and the heading of each in them: twist, Twists
    World: type[Any]
    Config: type[Any]  # a frozen msgspec.Struct with ``num_players`` and ``house_rules``, checked when it is made

    def new_game(self, config: Any = None, seed: int = 0) -> Game:
        """A game set up from a seed: the same config and seed give the same game, on every machine."""

    def from_setup(self, setup: dict[str, Any], config: Any = None, seed: int | None = None) -> Game:
        """A game that begins with what ``Game.setup`` gave; a ValueError says what is wrong with a damaged one."""

    def from_bytes(self, data: bytes) -> Game:
        """The position that ``Game.to_bytes`` saved; ValueError names the field if it is none."""

    def game_of(self, record: NDArray[Any], board: NDArray[Any], config: Any = None, seed: int | None = None) -> Game:
        """A game with these records, each an array of length 1, taken as they are."""

    def check_records(self, games: NDArray[Any], boards: NDArray[Any]) -> NDArray[Any]:
        """The LEGAL records of games from outside; ValueError names the field by which one is no position that play can reach."""

    def make_world(self, n: int, configs: Sequence[Any] = ..., shared: Mapping[str, NDArray[Any]] | None = None) -> Any:
        """A World with room for ``n`` games that these configs describe; ``shared``: see SHARED."""

    def variants(self, config: Any, players: Sequence[int], n: int) -> tuple[Any, ...]:
        """Configs like this one for each number of players, and of whatever else must be fixed for a batch, ``n`` kinds."""

    # What reports and training ask

    def splits(self) -> Splits:
        """Which set-ups are seen in training and which are held out, always the same."""

    def facts(self, snapshot: dict[str, Any]) -> dict[str, str | list[str] | None]:
        """The FACTS of a game: a name, several, or None for none; those in the score sheet's columns have points of their own."""

    # What it shows

    def picture(self, snapshot: dict[str, Any], look: Look) -> Picture:
        """A position as shapes and text, from which render/ makes SVG, pixels and terminal output; what the viewer may not see is left out."""

    def cards(self, house_rules: str = "") -> tuple[CardTable, ...]:
        """Its card tables, for people, under these house rules; changed cards are marked."""

    def board_sheet(self, source: str, seed: int) -> BoardSheet:
        """Its boards, for people: those of ``source``, as its Config names them; ValueError if it has none."""
