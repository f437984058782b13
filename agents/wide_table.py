"""A table for narrow terminals: names are folded, and columns that do not fit go into another block below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.table import Table

from winterkingdom_env.cli.terminal import as_text

SHORT_HEAD = 8  # characters of a column head; longer heads are folded
NARROWEST = 5  # names get at least a fifth of the width
BETWEEN = 2  # characters between two columns


def titled_table(title: str, gap: int = 1) -> Table:
    """A table without a frame, with a left-aligned title; ``gap``: blanks between columns."""
    return Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", padding=(0, gap, 0, 0))


@dataclass(frozen=True)
class Column:
    """A column: head, and a cell per row, which may have several lines."""

    head: str
    cells: Sequence[str]

    @property
    def width(self) -> int:
        """The width in characters without wrapping cells; a long head is folded."""
        lines = [line for cell in self.cells for line in as_text(cell, keep="\n").plain.split("\n")]
        return max(min(cell_len(as_text(self.head).plain), SHORT_HEAD), *map(cell_len, lines))


@dataclass(frozen=True)
class WideTable:
    """Columns in blocks that fit the terminal; each block starts with ``rank``, if given, and the names."""

    title: str
    names: Column
    columns: Sequence[Column]
    rank: Column | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """The blocks, as tables."""
        widths = [column.width + BETWEEN for column in self.columns]
        room = options.max_width - BETWEEN - (0 if self.rank is None else self.rank.width + BETWEEN)
        left = min(self.names.width, max(room - BETWEEN - sum(widths), options.max_width // NARROWEST))
        room -= left + BETWEEN
        blocks: list[list[Column]] = [[]]
        free = room
        for column, width in zip(self.columns, widths, strict=True):
            if width > free and blocks[-1]:
                blocks.append([])
                free = room
            blocks[-1].append(column)
            free -= width
        for block in blocks:
            yield self._table(block, left)

    def _table(self, block: Sequence[Column], left: int) -> Table:
        table = titled_table(self.title)
        ranks = [] if self.rank is None else [self.rank]
        for column in (*ranks, self.names, *block):
            is_name = column is self.names
            table.add_column(
                as_text(column.head), justify="left" if is_name else "right", overflow="fold", width=left if is_name else column.width
            )  # fmt: skip
        for row in zip(*(column.cells for column in (*ranks, self.names, *block)), strict=True):
            table.add_row(*(as_text(cell, keep="\n") for cell in row))
        return table
