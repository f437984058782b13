"""Quadrants and islands as text: read, check and turn them into the codes that set-up reads.

A quadrant is ten rows of ten letters, an island five rows of at most ten, with dots where there is no hex. ``boards/quadrants.txt`` is the
example to copy. A code is a terrain, or LOCATION_CODE plus the kind of tile for a location hex; NONE is no hex.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from os import PathLike
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.files import MB, read_limited
from winterkingdom_env.core.plain_text import one_line, quoted
from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.kinds import Terrain
from winterkingdom_env.games.kingdom_builder.layout import (
    ISLAND_COLUMNS,
    ISLAND_ROWS,
    N_ISLANDS,
    N_QUADRANTS,
    NONE,
    QUADRANT_HEXES,
    QUADRANT_SIDE,
)
from winterkingdom_env.games.kingdom_builder.tables import (
    BASE,
    CROSSROADS,
    HARVEST,
    ISLANDS,
    MARSHLANDS,
    NOMADS,
    QUADRANTS,
    SETS,
    TERRAIN_LETTERS,
    TERRAIN_NAMES,
    TILE_NAMES,
    Quadrant,
)

LOCATION_CODE = 32  # plus the kind of tile
MISSING = -2  # in the first place of a quadrant that no file has
_HEADER = re.compile(r"\[([^\]]*)\](.*)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LETTERS = {letter: terrain for terrain, letter in enumerate(TERRAIN_LETTERS) if terrain != Terrain.LOCATION}
_VALID = ", ".join(f"{TERRAIN_LETTERS[terrain]} {TERRAIN_NAMES[terrain]}" for terrain in _LETTERS.values())
_BY_NAME = {quadrant.name: quadrant for quadrant in (*QUADRANTS, *ISLANDS)}
_HOW = "boards/quadrants.txt of the package is an example to copy"
# 2.2 of the rules
_TWO_CASTLES = ("oracle", "harbor")
_ONE_LOCATION = (*_TWO_CASTLES, "quarry")
_UNSURE = (0, 1, 2)  # castles where the printed layouts are not known; no known quadrant has more


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

    def __eq__(self, other: object) -> bool:
        """Whether all codes are the same."""
        if not isinstance(other, Layouts):
            return NotImplemented
        return np.array_equal(self.quadrants, other.quadrants) and np.array_equal(self.islands, other.islands)

    def __hash__(self) -> int:
        """Equal layouts have equal hashes."""
        return hash((self.quadrants.tobytes(), self.islands.tobytes()))

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
        """A quadrant or an island as text. Raises ValueError if it is not known."""
        if not self.has(name):
            raise ValueError(f"these layouts have no {name}")
        quadrant, codes = _BY_NAME[name], self._codes(name)
        width = ISLAND_COLUMNS if quadrant in ISLANDS else QUADRANT_SIDE
        letters = [_letter(int(code), quadrant) for code in codes]
        return ["".join(letters[i : i + width]) for i in range(0, len(letters), width)]


def kinds_of(quadrant: Quadrant) -> dict[str, int]:
    """The letters of its location hexes, with the kinds of tile."""
    marks = "L" if len(quadrant.tiles) == 1 else "12"
    return dict(zip(marks, map(int, quadrant.tiles), strict=True))


def specials_of(quadrant: Quadrant) -> dict[int, tuple[int, ...]]:
    """The codes of special hexes, each with the numbers that a quadrant may have (2.2 of the rules)."""
    is_island, of_set = quadrant in ISLANDS, quadrant.set
    is_single = is_island or len(quadrant.tiles) == 2 or quadrant.name in _ONE_LOCATION
    n_nomads = 3 if quadrant.name == "quarry" else int(of_set == NOMADS)
    castles: tuple[int, ...] = (2,) if quadrant.name in _TWO_CASTLES else (int(of_set in (BASE, CROSSROADS)),)
    if is_island or of_set in (MARSHLANDS, HARVEST):
        castles = _UNSURE
    return {
        **{LOCATION_CODE + int(tile): (1 if is_single else 2,) for tile in quadrant.tiles},
        int(Terrain.CASTLE): castles,
        int(Terrain.NOMAD): (n_nomads,),
        int(Terrain.PALACE): (int(of_set == MARSHLANDS),),
        int(Terrain.SILO): (int(of_set == HARVEST),),
    }


def _letter(code: int, quadrant: Quadrant) -> str:
    """The letter of a code."""
    if code == NONE:
        return "."
    if code < LOCATION_CODE:
        return TERRAIN_LETTERS[code]
    return {tile: letter for letter, tile in kinds_of(quadrant).items()}[code - LOCATION_CODE]


def format_layouts(layouts: Layouts, names: Iterable[str], remark: str) -> str:
    """Quadrants and islands as the blocks of a file; ``read_layouts`` reads them back. ``remark``: ends each header."""
    blocks = []
    for name in names:
        quadrant = _BY_NAME[name]
        of_set = "island" if quadrant in ISLANDS else "base" if quadrant.set == BASE else _set_name(quadrant.set)
        kinds = " ".join(f"{mark}={TILE_NAMES[tile].replace(' ', '')}" for mark, tile in kinds_of(quadrant).items())
        blocks.append("\n".join([f"[{name}] set={of_set} {kinds} | {remark}", *layouts.rows(name)]) + "\n")
    return "\n".join(blocks)


def _set_name(bit: int) -> str:
    """The name of a set."""
    return SETS[bit.bit_length() - 1]


@dataclass
class _Block:
    """A quadrant or an island being read."""

    quadrant: Quadrant
    source: str
    line: int
    rows: list[list[int]] = field(default_factory=list)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return (ISLAND_ROWS, ISLAND_COLUMNS) if self.quadrant in ISLANDS else (QUADRANT_SIDE, QUADRANT_SIDE)

    def fail(self, problem: str, line: int | None = None) -> NoReturn:
        """Raise an error that names file, line and quadrant."""
        _fail(self.source, line or self.line, problem, f", {self.quadrant.name}")


def _fail(source: str, line: int, problem: str, name: str = "") -> NoReturn:
    """Raise an error that names file and line."""
    raise BoardFileError(f"{one_line(source)}, line {line}{name}: {problem}")


def _blocks(text: str, source: str) -> Iterator[_Block]:
    """The quadrants of a text, each with all its rows; their special hexes are not counted yet."""
    block: _Block | None = None
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if control := _CONTROL.search(raw):
            _fail(source, number, f"found the control character {quoted(control[0])}; need plain text; {_HOW}")
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if block:
                yield _with_all_rows(block)
            block = _Block(_named(line, number, source), source, number)
        elif block is None:
            _fail(source, number, f"found {quoted(line)} before the first header; need a line like '[oracle]' first, "
                  "or '#' before a comment")  # fmt: skip
        else:
            _read_row(block, line, number)
    if block:
        yield _with_all_rows(block)


def _named(line: str, number: int, source: str) -> Quadrant:
    """The quadrant that a header announces; what follows its name is a comment."""
    header = _HEADER.fullmatch(line)
    if header is None:
        _fail(source, number, f"found {quoted(line)}, a header without ']'; need a line like '[oracle]'")
    name = " ".join(header[1].split())
    if name not in _BY_NAME:
        _fail(source, number, f"no quadrant is called {quoted(name)}; need one of {', '.join(_BY_NAME)}")
    return _BY_NAME[name]


def _read_row(block: _Block, line: str, number: int) -> None:
    """Add one row of letters."""
    height, width = block.size
    kinds, is_island, codes = kinds_of(block.quadrant), block.quadrant in ISLANDS, list[int]()
    if len(block.rows) == height:
        block.fail(
            f"found a row too many, {quoted(line)}; need {height} rows, then a header like '[oracle]' or the end",
            number,
        )
    row = len(block.rows) + 1
    for place, letter in enumerate("".join(line.split()), 1):
        if letter == "." and is_island:
            codes.append(NONE)
        elif letter in kinds:
            codes.append(LOCATION_CODE + kinds[letter])
        elif letter in _LETTERS:
            codes.append(_LETTERS[letter])
        else:
            marks = ", ".join(f"{mark} {TILE_NAMES[tile]}" for mark, tile in kinds.items())
            no_hex = ", . no hex" if is_island else ""
            block.fail(f"row {row}, hex {place}: found {quoted(letter)}; need one of {_VALID}, {marks}{no_hex}", number)
    if len(codes) > width or (len(codes) < width and not is_island):
        need = f"at most {width}" if is_island else width
        block.fail(f"row {row}: found {len(codes)} letters ({quoted(line)}); need {need}", number)
    block.rows.append(codes + [NONE] * (width - len(codes)))


def _with_all_rows(block: _Block) -> _Block:
    """The block itself, if it is complete."""
    height, width = block.size
    if len(block.rows) != height:
        block.fail(f"found {len(block.rows)} rows; need {height} of {width} letters each")
    return block


def _check_specials(block: _Block) -> None:
    """Reject a quadrant with another number of castles, locations and so on than it must have."""
    codes = [code for row in block.rows for code in row]
    _, width = block.size
    for code, allowed in specials_of(block.quadrant).items():
        found = [f"row {i // width + 1}, hex {i % width + 1}" for i, each in enumerate(codes) if each == code]
        if len(found) not in allowed:
            name = TERRAIN_NAMES[code] if code < LOCATION_CODE else f"{TILE_NAMES[code - LOCATION_CODE]} location"
            where = f" ({'; '.join(found[: max(allowed) + 1])})" if found else ""
            need = f"{min(allowed)} to {max(allowed)}" if len(allowed) > 1 else str(*allowed)
            hexes = "hex" if len(found) == 1 else "hexes"
            block.fail(f"found {len(found)} {name} {hexes} {_letter(code, block.quadrant)}{where}; need {need}")


def read_layouts(text: str, source: str = "the text") -> Layouts:
    """The quadrants and islands of a text, in any order, not necessarily all. Raises BoardFileError naming ``source`` and line."""
    quadrants = np.full((N_QUADRANTS, QUADRANT_HEXES), MISSING, np.int8)
    islands = np.full((N_ISLANDS, ISLAND_ROWS * ISLAND_COLUMNS), MISSING, np.int8)
    seen: dict[str, int] = {}
    for block in _blocks(text, source):
        quadrant = block.quadrant
        if quadrant.name in seen:
            block.fail(f"this quadrant is already in line {seen[quadrant.name]}; need each name once at most")
        seen[quadrant.name] = block.line
        _check_specials(block)
        codes = np.array(block.rows, np.int8).ravel()
        if quadrant in ISLANDS:
            islands[ISLANDS.index(quadrant)] = codes
        else:
            quadrants[QUADRANTS.index(quadrant)] = codes
    if not seen:
        _fail(source, 1, f"found no quadrant; need at least one, such as '[oracle]' and ten rows; {_HOW}")
    return Layouts(quadrants, islands)


def load_layouts(path: str | PathLike[str]) -> Layouts:
    """The quadrants of a file, see ``read_layouts``. Raises BoardFileError, naming the file, if it cannot be read."""
    source = str(path)
    try:
        data = read_limited(path, MB)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BoardFileError(
            one_line(f"{source}: cannot read quadrants: {reason}; need a readable text file of at most 1 MB; {_HOW}")
        ) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        _fail(source, line, f"found byte 0x{data[error.start]:02x}, which is not UTF-8; save the file as UTF-8")
    return read_layouts(text, source)


@cache
def standard_layouts() -> Layouts:
    """The printed quadrants that are known."""
    return _shipped("quadrants.txt")


@cache
def own_layouts() -> Layouts:
    """The printed quadrants that are known, and our own quadrants and islands for the rest."""
    known, own = standard_layouts(), _shipped("own.txt")
    return Layouts(
        np.where(known.quadrants == MISSING, own.quadrants, known.quadrants),
        np.where(known.islands == MISSING, own.islands, known.islands),
    )


def _shipped(name: str) -> Layouts:
    """The layouts of a file of the package."""
    return read_layouts(files(tables.__package__).joinpath(f"boards/{name}").read_text("utf-8"), name)
