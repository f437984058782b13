"""Helpers for pictures of games: geometry of hexes and boxes, colours, styles of seats, summaries of legal actions, score sheets."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from winterkingdom_env.core.picture import (
    Block,
    Circle,
    Column,
    Label,
    Line,
    Lines,
    Look,
    Part,
    Picture,
    Points,
    Polygon,
    Shape,
    Span,
    Spot,
    Style,
    Table,
    Words,
)
from winterkingdom_env.core.plain_text import plain

# --- geometry ---------------------------------------------------------------------------------------------------------

# A hex of width 1 with a corner on top, around (0, 0), clockwise from that corner.
HEXAGON: Points = tuple((sin(pi / 3 * i) / sqrt(3), -cos(pi / 3 * i) / sqrt(3)) for i in range(6))
# Neighbour (rows, columns) and the two corners of the side towards it.
HEX_SIDES = ((-1, 1, 0, 1), (0, 1, 1, 2), (1, 0, 2, 3), (1, -1, 3, 4), (0, -1, 4, 5), (-1, 0, 5, 0))

Symbol = tuple[tuple[str, str, str], ...]
"""Parts of (kind, colour, points), in units of a hex's width around its centre; | separates shapes. fill: polygons; line: lines;
dot: x,y and a radius."""


@lru_cache
def parse_points(text: str) -> Points:
    """Points from ``x,y x,y ...``."""
    return tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in text.split()))


def placed(shape: Points, x: float, y: float, scale: float) -> Points:
    """A shape around (0, 0), scaled and moved."""
    return tuple((x + scale * px, y + scale * py) for px, py in shape)


def box(x: float, y: float, width: float, height: float) -> Points:
    """The corners of a box, starting with the upper left one."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


@lru_cache(maxsize=4096)  # most symbols repeat from picture to picture
def draw_symbol(symbol: Symbol, x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """The shapes of a symbol at (x, y)."""
    shapes: list[Shape] = []
    for kind, colour, numbers in symbol:
        for part in map(parse_points, numbers.split("|")):
            if kind == "dot":
                (dx, dy), (radius, _) = part
                shapes.append(Circle(x + scale * dx, y + scale * dy, scale * radius, colour))
            elif kind == "fill":
                shapes.append(Polygon(placed(part, x, y, scale), colour))
            else:
                shapes.append(Line(placed(part, x, y, scale), colour, 0.055 * scale))
    return tuple(shapes)


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break a text into at most two lines of a wide sans-serif font; an ellipsis replaces what does not fit."""
    return textwrap.wrap(text, int(width / size / 0.57), max_lines=2, placeholder=" ...")


# --- colours ----------------------------------------------------------------------------------------------------------

DIM, HEAD = Style(dim=True), Style(bold=True)
FAINT = 0.55  # strength of background text
# Text on a colour is black above these luminances; the thin letters of a terminal need a lower one than bold letters on a sheet.
DRAWN_LIGHT, WRITTEN_LIGHT = 125, 110


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _ink(colour: str, light: float) -> int:
    red, green, blue = channels(colour)
    return 0 if 0.299 * red + 0.587 * green + 0.114 * blue > light else 255


def ink_on(colour: str) -> str:
    """Black or white, whichever has more contrast with a colour."""
    return "#ffffff" if _ink(colour, DRAWN_LIGHT) else "#000000"


def style_on(colour: str, strength: float = 1.0, bold: bool = False) -> Style:
    """A style with black or white text on a background; a lower strength blends the text into it."""
    ink = _ink(colour, WRITTEN_LIGHT)
    mixed = (round(strength * ink + (1 - strength) * channel) for channel in channels(colour))
    return Style("#" + "".join(f"{channel:02x}" for channel in mixed), colour, bold)


# --- seats ------------------------------------------------------------------------------------------------------------

SEAT_LETTERS = "abcdef"
# Distinct under red-green and blue-yellow colour blindness, which a test simulates.
SEAT_COLOURS = ("#0072b2", "#d55e00", "#f0e442", "#000000", "#40e0d0", "#9933ff")
SEAT_STYLES = tuple(style_on(colour, bold=True) for colour in SEAT_COLOURS)


def seat_name(seat: int) -> str:
    """A seat's number and its letter."""
    return f"{seat} ({SEAT_LETTERS[seat]})"


def seat_words(seat: int) -> tuple[Span, ...]:
    """A seat's number and its letter in its colour."""
    return Span(f"{seat} "), Span(SEAT_LETTERS[seat], SEAT_STYLES[seat])


def score_table(
    sheet: Sequence[Mapping[str, int]], best: Collection[int], agents: Sequence[str] | None = None
) -> Table:
    """The score sheet: a row per seat, a column per card; the seats in ``best`` are marked."""
    columns = [Column("seat")] + ([] if agents is None else [Column("agent", wraps=True)])
    columns += [Column(name, wraps=True, is_right=True) for name in (*sheet[0], "total")]
    rows: list[tuple[Words, ...]] = []
    for seat, row in enumerate(sheet):
        names = () if agents is None else (plain(agents[seat]),)
        numbers = (str(number) for number in row.values())
        total = Span(str(sum(row.values())), HEAD)
        rows.append((seat_words(seat), *names, *numbers, total, "*" if seat in best else ""))
    return Table((*columns, Column(wraps=True)), tuple(rows))


# --- actions ----------------------------------------------------------------------------------------------------------

_ON_A_HEX = re.compile(r"(\S+) ([a-z]\d+c\d+)")
_ON_THE_BOARD = re.compile(r"(\S+) r(\d+)c(\d+)")


class OnPlace(NamedTuple):
    """What a label such as ``build r12c07`` says."""

    verb: str
    row: int
    col: int


def on_place(label: str) -> OnPlace | None:
    """The parts of a label such as ``build r12c07``; None for others, such as ``build i2c04`` on a board beside the main one."""
    found = _ON_THE_BOARD.fullmatch(label)
    return None if found is None else OnPlace(found[1], int(found[2]), int(found[3]))


def hex_targets(legal: Iterable[str]) -> dict[str, list[str]]:
    """The hexes of labels such as ``build r12c07`` or ``build i2c04``, by verb and in order; other labels are left out."""
    targets: dict[str, list[str]] = {}
    for found in filter(None, map(_ON_A_HEX.fullmatch, legal)):
        targets.setdefault(found[1], []).append(found[2])
    return targets


def hex_verbs(legal: Iterable[str]) -> dict[str, list[str]]:
    """The verbs that are legal on each hex."""
    found: dict[str, list[str]] = {}
    for verb, hexes in hex_targets(legal).items():
        for name in hexes:
            found.setdefault(name, []).append(verb)
    return found


def legal_summary(legal: Sequence[str], n_named: int = 0) -> str:
    """A one-sentence summary of legal actions; it lists at most ``n_named`` hexes per verb."""
    parts = []
    for verb, hexes in hex_targets(legal).items():
        if len(hexes) <= n_named:
            parts.append(f"{verb} {' '.join(hexes)}")
            continue
        named = f" {' '.join(hexes[:n_named])}, on" if n_named else " on"
        plural, in_all = "es" if len(hexes) > 1 else "", " in all" if n_named else ""
        parts.append(f"{verb}{named} {len(hexes)} hex{plural}{in_all}")
    return ", ".join(parts + [label for label in legal if not _ON_A_HEX.fullmatch(label)])


# --- games without a board --------------------------------------------------------------------------------------------

PAPER, INK = "#f6f3ec", "#17202a"
TEXT_WIDTH, LINE_HEIGHT, TEXT_SIZE = 640, 20, 13
CHIP_HEIGHT, CHIP_GAP = 26, 8


class Chip(NamedTuple):
    """A card that can be clicked: what its label names, the verbs of its actions (none: all), and what is written on it."""

    name: str
    verbs: tuple[str, ...]
    text: str


def chip_spots(chips: Iterable[Chip], y: float) -> tuple[Spot, ...]:
    """The places of chips in a row, from the left."""
    spots, x = list[Spot](), float(CHIP_GAP)
    for name, verbs, text in chips:
        width = 2 * CHIP_GAP + TEXT_SIZE * 0.6 * len(text)
        spots.append(Spot(name, box(x, y, width, CHIP_HEIGHT), verbs))
        x += width + CHIP_GAP
    return tuple(spots)


def text_picture(
    title: str,
    lines: Sequence[str],
    look: Look,
    best: Collection[int] = (),
    n_lines: int = 24,
    chips: Sequence[Chip] = (),
) -> Picture:
    """A picture of a game without a board: lines of text, legal actions, and the score sheet with the seats in ``best`` marked.

    ``n_lines``: the height of the sheet; further lines appear in the text form only. ``chips``: cards to click, below the lines.
    """
    height = (n_lines + 1) * LINE_HEIGHT + CHIP_HEIGHT + CHIP_GAP
    spots = chip_spots(chips, height - CHIP_HEIGHT - CHIP_GAP)
    told = [*lines, *([f"can: {legal_summary(look.legal)}"] if look.legal else [])]

    def draw() -> Iterator[Shape]:
        yield Polygon(box(0, 0, TEXT_WIDTH, height), PAPER)
        drawn = [part for line in (title, *told) for part in wrap(line, TEXT_SIZE, TEXT_WIDTH - 20) or [""]]
        for seat, row in enumerate(look.sheet or ()):
            parts = ", ".join(f"{name} {number}" for name, number in row.items())
            drawn.append(f"{seat_name(seat)}: {parts}, total {sum(row.values())}{' *' if seat in best else ''}")
        for i, line in enumerate(drawn[:n_lines]):
            yield Label(10, (i + 1) * LINE_HEIGHT, line, TEXT_SIZE, INK, bold=i == 0)
        for chip, spot in zip(chips, spots, strict=True):
            (left, top), (right, _) = spot.points[:2]
            yield Polygon(spot.points, "#ffffff", INK, 1, "card")
            yield Label((left + right) / 2, top + 18, chip.text, TEXT_SIZE, INK, "middle")

    def write() -> Iterator[Block]:
        yield Lines((Span(title, HEAD), *told))
        if look.sheet is not None:
            yield score_table(look.sheet, best, look.agents)

    return Picture(title, TEXT_WIDTH, height, lambda: (Part("sheet", draw),), write, spots=lambda: spots)
