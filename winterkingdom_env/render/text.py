"""Render a picture to text, for a terminal or a file. Colours only repeat what the letters show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import StringIO
from typing import NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style as RichStyle
from rich.table import Table as RichTable
from rich.text import Text

from winterkingdom_env.core.drawing import DIM
from winterkingdom_env.core.picture import Beside, Block, HexCell, HexMap, Lines, Picture, Span, Style, Table, Words

WIDTH = 100
GAP = 2  # spaces between blocks, and between columns without heads


@lru_cache(maxsize=1024)
def as_rich_style(style: Style) -> RichStyle:
    """A style as rich knows it."""
    # What is not set stays unset: a head is bold in every column.
    return RichStyle(
        color=style.ink,
        bgcolor=style.ground,
        bold=style.bold or None,
        dim=style.dim or None,
        underline=style.underline or None,
    )


def as_rich(words: Words) -> Text:
    """Words as rich knows them."""
    if isinstance(words, str):
        return Text(words)
    if isinstance(words, Span):
        return Text(words.text, as_rich_style(words.style))
    return Text.assemble(*((span.text, as_rich_style(span.style)) for span in words))


class HexRow(NamedTuple):
    """A row of a map: its first and last column, where it begins, and its hexes as one text."""

    row: int
    first: int
    last: int
    indent: int
    line: Text


def hex_rows(cells: Iterable[HexCell], is_offset: bool = False) -> list[HexRow]:
    """The rows of a map from the top, so that neighbours stand next to each other.

    ``x = 2 * column + row``; if ``is_offset``, ``x = 2 * column + row % 2``.
    """
    rows: dict[int, dict[int, Text]] = {}
    for cell in cells:
        rows.setdefault(cell.row, {})[cell.col] = as_rich(cell.words)
    shifts = {row: row % 2 if is_offset else row for row in rows}
    left = min(2 * min(found) + shifts[row] for row, found in rows.items())
    shown = []
    for row, found in sorted(rows.items()):
        first, last = min(found), max(found)
        line = Text(no_wrap=True)
        for col in range(first, last + 1):
            line.append_text(found.get(col, Text("  ")))
        shown.append(HexRow(row, first, last, 2 * first + shifts[row] - left, line))
    return shown


def hex_lines(block: HexMap) -> list[Text]:
    """A map, one line per row, below its title. Labels are the row and its first column on the left, and its last column on the right."""
    lines = [as_rich(block.title)] if block.title else []
    for row, first, last, indent, shown in hex_rows(block.cells, block.is_offset):
        line = Text(" " * indent, no_wrap=True)
        if block.has_labels:
            line.append(f"r{row:02d}c{first:02d} ", as_rich_style(DIM))
        line.append_text(shown)
        if block.has_labels:
            line.append(f" c{last:02d}", as_rich_style(DIM))
        lines.append(line)
    return lines


class _Row:
    """Texts side by side, as many as fit the width of the console."""

    def __init__(self, texts: Sequence[Text], most: int) -> None:
        self._texts, self._most = texts, most

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = [max(map(cell_len, text.plain.split("\n"))) for text in self._texts]
        n = min(self._most, len(widths))
        while n > 1 and sum(max(widths[i::n]) for i in range(n)) + GAP * (n - 1) > options.max_width:
            n -= 1
        table = RichTable.grid(padding=(0, GAP, 0, 0))
        for _ in range(n):
            table.add_column(no_wrap=True)
        for start in range(0, len(self._texts), n):
            if start:
                table.add_row()
            table.add_row(*self._texts[start : start + n])
        yield table


def _table(block: Table) -> RichTable:
    if block.has_head:
        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    else:
        table = RichTable.grid(padding=(0, GAP, 0, 0))
    if block.title:
        table.title, table.title_justify = Text(block.title, "table.title"), "left"
    for column in block.columns:
        table.add_column(Text(column.name), justify="right" if column.is_right else "left", no_wrap=not column.wraps)
    for row in block.rows:
        table.add_row(*map(as_rich, row))
    return table


def _lines(block: Lines | HexMap) -> list[Text]:
    return hex_lines(block) if isinstance(block, HexMap) else [as_rich(words) for words in block.lines]


def _rendered(block: Block) -> RenderableType:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Beside):
        return _Row([Text("\n").join(_lines(part)) for part in block.blocks], block.most)
    return Group(*_lines(block))


def view(content: Picture | Iterable[Block]) -> RenderableType:
    """A picture, or blocks of text, for a rich console."""
    return Group(*map(_rendered, content.blocks if isinstance(content, Picture) else content))


def render(picture: Picture, colour: bool = True) -> str:
    """A picture as text of at most 100 columns, with ANSI escape codes if ``colour``."""
    return to_text(view(picture), colour)


def to_text(content: RenderableType, colour: bool, width: int = WIDTH) -> str:
    """The output of a rich console as text of at most ``width`` columns, with ANSI escape codes if ``colour``."""
    console = Console(
        file=StringIO(), width=width, force_terminal=colour, color_system="truecolor" if colour else None, _environ={}
    )
    console.print(content, highlight=False)
    text = str(console.file.getvalue())  # type: ignore[attr-defined]  # the StringIO of the line above
    if not colour:
        text = text.replace("\u2500", "-")  # the line under a table's head; everything else is ASCII
    return "\n".join(line.rstrip() for line in text.split("\n"))
