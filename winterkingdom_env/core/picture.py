"""What a game wants to show: shapes on a sheet, and blocks of text. ``render`` makes SVG, pixels and terminal text of them.

A game describes a picture with these types and knows nothing of how it is drawn; ``render`` draws any such description and knows
no game. Colours are ``#rrggbb``. Coordinates are units of the sheet, x to the right, y down. ``core.drawing`` has helpers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

# --- shapes -----------------------------------------------------------------------------------------------------------

Points = tuple[tuple[float, float], ...]


class Polygon(NamedTuple):
    """A closed area. ``mark``: what it shows, a word or two; ``tip``: a sentence for somebody who points at it."""

    points: Points
    fill: str | None
    stroke: str | None = None
    width: float = 1.0
    mark: str = ""
    tip: str = ""


class Line(NamedTuple):
    """A line through points."""

    points: Points
    stroke: str
    width: float
    mark: str = ""


class Circle(NamedTuple):
    """A disc."""

    x: float
    y: float
    radius: float
    fill: str
    mark: str = ""


class Label(NamedTuple):
    """One line of text; ``y`` is its base line."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    mark: str = ""


Shape = Polygon | Line | Circle | Label

# --- text -------------------------------------------------------------------------------------------------------------


class Style(NamedTuple):
    """The look of a piece of text; without colours it has those of the terminal."""

    ink: str | None = None
    ground: str | None = None
    bold: bool = False
    dim: bool = False
    underline: bool = False


class Span(NamedTuple):
    """A piece of text in one style."""

    text: str
    style: Style = Style()


Words = str | Span | tuple[Span, ...]
"""One line of text, or a cell of a table; a newline inside breaks it."""


class Lines(NamedTuple):
    """Lines below each other; one that is too long is wrapped."""

    lines: tuple[Words, ...]


class HexCell(NamedTuple):
    """A hex of a map: axial row and column, and two characters."""

    row: int
    col: int
    words: Words


class HexMap(NamedTuple):
    """Hexes as text, each row half a hex further right. ``has_labels``: rows and columns are named at the edges.

    ``title`` stands above the map if there is one.
    """

    cells: tuple[HexCell, ...]
    has_labels: bool = True
    title: Words = ""


class Column(NamedTuple):
    """A column of a table; only a column that ``wraps`` breaks its lines where the table is too wide."""

    name: str = ""
    wraps: bool = False
    is_right: bool = False


class Table(NamedTuple):
    """Rows in columns. ``has_head``: the names of the columns and a rule stand above the rows."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Words, ...], ...]
    has_head: bool = True
    title: str = ""


class Beside(NamedTuple):
    """Blocks next to each other, as many in a row as fit and at most ``most``; they are not wrapped."""

    blocks: tuple[Lines | HexMap, ...]
    most: int


Block = Lines | HexMap | Table | Beside

# --- pictures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """Who looks at a game, and what is shown beside what lies on the table.

    viewer  the seat that looks: it does not see what is hidden from it; None sees everything
    legal   labels of legal actions, which are marked
    sheet   what ``score_sheet()`` gave: points per seat and card
    agents  a name per seat, for the score sheet
    """

    viewer: int | None = None
    legal: Sequence[str] = ()
    sheet: Sequence[Mapping[str, int]] | None = None
    agents: Sequence[str] | None = None


@dataclass(frozen=True)
class Picture:
    """A sheet of ``width`` by ``height`` units with shapes from back to front, and the same as blocks of text from top to bottom.

    ``draw`` and ``write`` are called when the shapes or the blocks are asked for: a terminal needs no polygons.
    """

    title: str
    width: int
    height: int
    draw: Callable[[], Iterable[Shape]]
    write: Callable[[], Iterable[Block]]

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """What is drawn, from back to front."""
        return tuple(self.draw())

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """What is written, from top to bottom."""
        return tuple(self.write())


class CardTable(NamedTuple):
    """The cards of one kind: a table for people, a row of plain data per card for programs, and a note below the table."""

    kind: str
    table: Table
    rows: tuple[dict[str, Any], ...]
    note: str = ""


class BoardSheet(NamedTuple):
    """The boards of a game: blocks for people, plain data for programs, and one sentence that sums up."""

    blocks: tuple[Block, ...]
    content: dict[str, Any]
    summary: str
