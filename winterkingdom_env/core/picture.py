"""Pictures of games: shapes on a sheet, and blocks of text. ``render`` converts them to SVG, pixels and terminal output.

A game describes a picture with these types and does not depend on ``render``, which draws any such description and depends on no game.
Colours are ``#rrggbb``. Coordinates are units of the sheet, x to the right, y down. ``core.drawing`` has helpers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeGuard

# --- shapes -----------------------------------------------------------------------------------------------------------

Points = tuple[tuple[float, float], ...]


class Polygon(NamedTuple):
    """A filled polygon. ``mark``: one or two words about what it shows (an SVG class); ``tip``: its tooltip."""

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


class Part(NamedTuple):
    """A piece of a picture, which a page replaces as a whole when it changes.

    ``name``: no two parts of a picture have the same, and all pictures of a game have the same names in the same order. ``key``: what the
    shapes depend on; two pictures of the same game with equal keys have equal shapes there. None: they may always differ. ``region``: the
    name of the region in which the part lies.
    """

    name: str
    draw: Callable[[], Iterable[Shape]]
    key: Hashable = None
    region: str = ""


class Region(NamedTuple):
    """A box of a picture with a name. On a narrow page, regions lie below each other; what is in none of them is left out there."""

    name: str
    x: float
    y: float
    width: float
    height: float


class Spot(NamedTuple):
    """A place or a card of a picture that can be clicked.

    ``name``: what a label names after its verb: r12c06 for ``build r12c06``, Gold for ``buy Gold``. ``points``: the polygon where
    the thing is drawn. ``verbs``: those of the actions that mean it; none: all. ``region``: the name of the region in which it lies.
    ``tip``: its tooltip.
    """

    name: str
    points: Points
    verbs: tuple[str, ...] = ()
    region: str = ""
    tip: str = ""

    def has(self, label: str) -> bool:
        """Whether the action with this label is on this spot: it has one of the verbs, and names the spot next."""
        verb, _, rest = label.partition(" ")
        return (not self.verbs or verb in self.verbs) and f"{rest} ".startswith(f"{self.name} ")


# --- text -------------------------------------------------------------------------------------------------------------


class Style(NamedTuple):
    """The style of a text; without colours, those of the terminal."""

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
    """Lines of text; long ones are wrapped."""

    lines: tuple[Words, ...]


class HexCell(NamedTuple):
    """A hex of a map: row and column, and two characters."""

    row: int
    col: int
    words: Words


class HexMap(NamedTuple):
    """Hexes as text, each row half a hex further right. ``has_labels``: rows and columns are labelled at the edges.

    ``title``: shown above the map, if not empty. ``is_offset``: odd rows stand half a hex to the right of even ones instead.
    """

    cells: tuple[HexCell, ...]
    has_labels: bool = True
    title: Words = ""
    is_offset: bool = False


class Column(NamedTuple):
    """A column of a table. ``wraps``: its lines may be broken if the table is too wide."""

    name: str = ""
    wraps: bool = False
    is_right: bool = False


class Table(NamedTuple):
    """A table. ``has_head``: show the names of the columns and a line above the rows."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Words, ...], ...]
    has_head: bool = True
    title: str = ""


class Beside(NamedTuple):
    """Blocks side by side, as many per row as fit and at most ``most``; they are not wrapped."""

    blocks: tuple[Lines | HexMap, ...]
    most: int


Block = Lines | HexMap | Table | Beside

# --- pictures ---------------------------------------------------------------------------------------------------------

PUBLIC = -1
"""A viewer without a seat, who sees only what everybody may see."""


def is_seat(viewer: int | None) -> TypeGuard[int]:
    """Whether a viewer sits at the table: None sees everything, PUBLIC what everybody may see."""
    return viewer is not None and viewer != PUBLIC


@dataclass(frozen=True)
class Look:
    """Options of a picture: the viewer, and what to show in addition to the position.

    viewer  the seat that looks, without what is hidden from it; PUBLIC shows what everybody may see, None everything
    legal   labels of legal actions to mark
    sheet   the result of ``score_sheet()``: points per seat and card
    agents  a name per seat, for the score sheet
    """

    viewer: int | None = None
    legal: Sequence[str] = ()
    sheet: Sequence[Mapping[str, int]] | None = None
    agents: Sequence[str] | None = None


@dataclass(frozen=True)
class Picture:
    """A sheet of ``width`` by ``height`` units with parts from back to front, and its text form as blocks from top to bottom.

    All pictures of a game have the same regions. ``compose`` and ``write`` are called lazily, because a terminal needs no polygons.
    ``spots`` makes the places and cards that the seat to act may mean, as far as the viewer sees them; none after the end.
    """

    title: str
    width: int
    height: int
    compose: Callable[[], Iterable[Part]]
    write: Callable[[], Iterable[Block]]
    regions: tuple[Region, ...] = ()  # none: the whole sheet
    spots: Callable[[], Iterable[Spot]] = tuple  # none: nothing can be clicked

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts, from back to front."""
        return tuple(self.compose())

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of all parts, from back to front."""
        return tuple(shape for part in self.parts for shape in part.draw())

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of text, from top to bottom."""
        return tuple(self.write())


class Card(NamedTuple):
    """A card as somebody who plays reads it: where it lies (hand, in play), its name, its price and its words."""

    where: str
    name: str
    price: str = ""
    text: str = ""


@dataclass(frozen=True)
class Screen:
    """A position for somebody who plays; what the viewer may not see is left out.

    board   a map, of which a low terminal shows a part, or lines
    asked   what the seat to move is asked for: a short instruction without a full stop
    counts  rows of a small table: a name and a short word per seat
    facts   further lines, the most important first; they are wrapped, and a low terminal shows the first of them
    cards   the cards that matter to the viewer, in the order in which they are listed
    notes   by the label of an action: what it does and costs; for an action on a place, what makes the place differ from the others
    legend  one line about the letters on the board, always shown
    marks   what stands on the board or beside it, and its meaning, for the help page
    why     why just these actions are legal, for the seat to move: words without a full stop
    """

    board: HexMap | Lines
    asked: str
    counts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    facts: tuple[Words, ...] = ()
    cards: tuple[Card, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    legend: Words = ""
    marks: tuple[tuple[str, str], ...] = ()
    why: str = ""


class CardTable(NamedTuple):
    """The cards of one kind: a table for people, a row of plain data per card for programs, and a note below the table."""

    kind: str
    table: Table
    rows: tuple[dict[str, Any], ...]
    note: str = ""


class BoardSheet(NamedTuple):
    """The boards of a game: blocks for people, plain data for programs, and a one-sentence summary."""

    blocks: tuple[Block, ...]
    content: dict[str, Any]
    summary: str
