"""The games of this package by name. A game is imported when somebody asks for it: its kernels are not cheap."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

from numpy.typing import NDArray

from winterkingdom_env.core.plain_text import quoted

GAMES = {"winter_kingdom": "v0"}  # name and env version


class Game(Protocol):
    """What every game of this package can do, whatever its rules."""

    @property
    def config(self) -> Any:
        """The options it was made with."""

    @property
    def seed(self) -> int | None:
        """The seed it was made with; None if it was made from a set-up."""

    @property
    def seat(self) -> int:
        """The seat to move."""

    @property
    def phase(self) -> str:
        """Where in its turn the seat stands."""

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
        """Actions that may be taken now, ascending."""

    def apply(self, action: int) -> None:
        """Take an action."""

    def label(self, action: int) -> str:
        """What people and records call an action."""

    def parse(self, text: str) -> int:
        """The action with this label."""

    def observe(self, seat: int | None = None, form: str = "planes") -> dict[str, NDArray[Any]]:
        """What a seat sees, without anything hidden from it, and its action mask."""

    def scores(self) -> list[int]:
        """Points per seat if the game ended now."""

    def score_sheet(self) -> list[dict[str, int]]:
        """Points per seat and card if the game ended now."""

    def setup(self) -> dict[str, Any]:
        """The set-up the game began with, as plain data."""

    def snapshot(self) -> dict[str, Any]:
        """Everything on the table, with open hands, as plain data."""

    def check(self) -> None:
        """ValueError names what is wrong if this is no position that play can reach."""

    def clone(self) -> Game:
        """An independent copy."""

    def determinize(self, seat: int, seed: int) -> Game:
        """A copy in which everything hidden from a seat is resampled; it depends on nothing hidden."""


class UnknownGameError(ValueError):
    """No game has this name."""


def get_game(name: str) -> ModuleType:
    """The module of the game called ``name``."""
    if name not in GAMES:
        raise UnknownGameError(f"no game is called {quoted(name)}; known games: {', '.join(GAMES)}")
    return import_module(f"{__name__}.{name}")


def name_of(game: object) -> str:
    """The name under which the class of ``game`` is known here."""
    module = type(game).__module__
    for name in GAMES:
        if module == f"{__name__}.{name}" or module.startswith(f"{__name__}.{name}."):
            return name
    raise UnknownGameError(f"{type(game).__name__} from {module} is no game of this package: {', '.join(GAMES)}")
