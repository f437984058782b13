"""Quadrants and islands as text: read, check and turn them into the codes that set-up reads.

A quadrant is ten rows of ten letters, an island five rows of at most ten, with dots where there is no hex. ``boards/quadrants.txt`` is the
example to copy. A code is a terrain, or LOCATION_CODE plus the kind of tile for a location hex; NONE is no hex.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from os import PathLike
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.files import MB, read_limited
from winterkingdom_env.core.plain_text import quoted, shortened
from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.layout import (
    ISLAND_COLUMNS,
    ISLAND_ROWS,
    N_ISLANDS,
    N_QUADRANTS,
    NONE,
    QUADRANT_HEXES,
    QUADRANT_SIDE,
    Terrain,
)
from winterkingdom_env.games.kingdom_builder.tables import ISLANDS, QUADRANTS, TERRAIN_LETTERS, TERRAIN_NAMES, Quadrant

LOCATION_CODE = 32  # plus the kind of tile
MISSING = -2  # in the first place of a quadrant that no file has
_HEADER = re.compile(r"\[([^\]]*)\](.*)")
_LETTERS = {letter: terrain for terrain, letter in enumerate(TERRAIN_LETTERS) if terrain != Terrain.LOCATION}
_VALID = ", ".join(f"{letter} {name}" for letter, name in zip(TERRAIN_LETTERS, TERRAIN_NAMES, strict=True))
_BY_NAME = {quadrant.name: quadrant for quadrant in (*QUADRANTS, *ISLANDS)}
_HOW = "boards/quadrants.txt of the package is an example to copy"


class BoardFileError(ValueError):
    """An unreadable file of quadrants; the message says where, what was found and what would work."""


@dataclass(frozen=True, eq=False)
class Layouts:
    """The codes of all quadrants and islands, read-only; those that are not known are MISSING."""

    quadrants: NDArray[np.int8]  # (N_QUADRANTS, 100)
    islands: NDArray[np.int8]  # (N_ISLANDS, 50)

    def __post_init__(self) -> None:
        """Make read-only copies."""
        for name, shape in (
            ("quadrants", (N_QUADRANTS, QUADRANT_HEXES)),
            ("islands", (N_ISLANDS, ISLAND_ROWS * ISLAND_COLUMNS)),
        ):
            codes = np.array(getattr(self, name), np.int8)
            if codes.shape != shape:
                raise ValueError(f"found {name} of shape {codes.shape}; need {shape}")
            codes.setflags(write=False)
            object.__setattr__(self, name, codes)

    def has(self, name: str) -> bool:
        """Whether a quadrant or an island is known."""
        return bool(self._codes(name)[0] != MISSING)

    def _codes(self, name: str) -> NDArray[np.int8]:
        quadrant = _BY_NAME[name]
        codes: NDArray[np.int8] = (
            self.islands[ISLANDS.index(quadrant)] if quadrant in ISLANDS else self.quadrants[QUADRANTS.index(quadrant)]
        )
        return codes

    def rows(self, name: str) -> list[str]:
        """A quadrant or an island as text."""
        quadrant, codes = _BY_NAME[name], self._codes(name)
        width = ISLAND_COLUMNS if quadrant in ISLANDS else QUADRANT_SIDE
        letters = [_letter(int(code), quadrant) for code in codes]
        return ["".join(letters[i : i + width]) for i in range(0, len(letters), width)]


def kinds_of(quadrant: Quadrant) -> dict[str, int]:
    """The letters of its location hexes, with the kinds of tile."""
    marks = "L" if len(quadrant.tiles) == 1 else "12"
    return dict(zip(marks, map(int, quadrant.tiles), strict=True))


def _letter(code: int, quadrant: Quadrant) -> str:
    if code == NONE:
        return "."
    if code < LOCATION_CODE:
        return TERRAIN_LETTERS[code]
    return {tile: letter for letter, tile in kinds_of(quadrant).items()}[code - LOCATION_CODE]


def _fail(source: str, line: int, problem: str) -> NoReturn:
    raise BoardFileError(f"{shortened(source)}, line {line}: {problem}; {_HOW}")


def _blocks(text: str, source: str) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """The blocks of a file: line and name of the header, and the lines of the rows."""
    block: tuple[int, str, list[tuple[int, str]]] | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        header = _HEADER.fullmatch(line)
        if header:
            if block:
                yield block
            block = (number, header[1].strip(), [])
        elif block is None:
            _fail(source, number, f"found {quoted(line)} before the first header, such as [oracle]")
        else:
            block[2].append((number, line))
    if block:
        yield block


def _codes_of(quadrant: Quadrant, line: int, rows: list[tuple[int, str]], source: str) -> list[int]:
    is_island = quadrant in ISLANDS
    height, width = (ISLAND_ROWS, ISLAND_COLUMNS) if is_island else (QUADRANT_SIDE, QUADRANT_SIDE)
    if len(rows) != height:
        _fail(source, line, f"{quadrant.name} has {len(rows)} rows; it needs {height}")
    kinds, codes = kinds_of(quadrant), list[int]()
    for number, row in rows:
        if len(row) > width or (len(row) < width and not is_island):
            _fail(source, number, f"the row {quoted(row)} has {len(row)} letters; it needs {width}")
        for letter in row.ljust(width, "."):
            if letter == "." and is_island:
                codes.append(NONE)
            elif letter in kinds:
                codes.append(LOCATION_CODE + kinds[letter])
            elif letter in _LETTERS:
                codes.append(_LETTERS[letter])
            else:
                marks = " and ".join(kinds)
                _fail(
                    source,
                    number,
                    f"{quoted(letter)} is no letter of {quadrant.name}: {_VALID}; its location hexes are {marks}",
                )
    for letter, tile in kinds.items():
        if LOCATION_CODE + tile not in codes:
            _fail(source, line, f"{quadrant.name} has no location hex {letter}")
    return codes


def read_layouts(text: str, source: str = "the text") -> Layouts:
    """The quadrants and islands of a text. Raises BoardFileError, naming the line, if it cannot be read."""
    quadrants = np.full((N_QUADRANTS, QUADRANT_HEXES), MISSING, np.int8)
    islands = np.full((N_ISLANDS, ISLAND_ROWS * ISLAND_COLUMNS), MISSING, np.int8)
    seen: dict[str, int] = {}
    for line, name, rows in _blocks(text, source):
        if name not in _BY_NAME:
            _fail(source, line, f"no quadrant is called {quoted(name)}; the names are {', '.join(_BY_NAME)}")
        if name in seen:
            _fail(source, line, f"{name} is there twice, first in line {seen[name]}")
        seen[name] = line
        quadrant = _BY_NAME[name]
        codes = _codes_of(quadrant, line, rows, source)
        if quadrant in ISLANDS:
            islands[ISLANDS.index(quadrant)] = codes
        else:
            quadrants[QUADRANTS.index(quadrant)] = codes
    return Layouts(quadrants, islands)


def load_layouts(path: str | PathLike[str]) -> Layouts:
    """The quadrants of a file. Raises BoardFileError, naming the file, if it cannot be read."""
    try:
        text = read_limited(path, MB).decode("utf-8")
    except (OSError, ValueError) as error:
        raise BoardFileError(f"{shortened(str(path))} cannot be read: {error}") from None
    return read_layouts(text, str(path))


@cache
def standard_layouts() -> Layouts:
    """The quadrants that come with the package."""
    return read_layouts(files(tables.__package__).joinpath("boards/quadrants.txt").read_text("utf-8"), "quadrants.txt")
