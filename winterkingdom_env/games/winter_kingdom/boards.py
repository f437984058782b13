"""Terrain boards as text: read, check and write the fourteen board sides, one letter per hex.

A side is a hexagon of radius 4. Its 61 hexes are numbered by row, then column; as text they are nine rows of
5, 6, 7, 8, 9, 8, 7, 6, 5 letters. ``boards/standard.txt`` is the example to copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from os import PathLike
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.files import MB, read_limited
from winterkingdom_env.core.plain_text import quoted, shortened
from winterkingdom_env.games.errors import SavedGameError
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.layout import (
    BOARD_HEXES,
    BOARD_RADIUS,
    N_BOARDS,
    N_CARD_TERRAINS,
    N_TERRAINS,
    Terrain,
)
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_LETTERS, TERRAIN_NAMES

FACES = ("front", "back")
N_SIDES = N_BOARDS * len(FACES)
ROW_LENGTHS = tuple(2 * BOARD_RADIUS + 1 - abs(dr) for dr in range(-BOARD_RADIUS, BOARD_RADIUS + 1))
N_SIDE_ROWS = len(ROW_LENGTHS)
SPECIAL_COUNTS = {Terrain.CASTLE: 1, Terrain.TUNNEL: 1, Terrain.VILLAGE: 2}  # p. 2, on every side

# (row, column) of each hex, seen from the middle of the side
SIDE_HEXES = tuple(
    (dr, dc)
    for dr in range(-BOARD_RADIUS, BOARD_RADIUS + 1)
    for dc in range(max(-BOARD_RADIUS, -BOARD_RADIUS - dr), min(BOARD_RADIUS, BOARD_RADIUS - dr) + 1)
)
_INDEX = {place: index for index, place in enumerate(SIDE_HEXES)}
_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
SIDE_NEIGHBOURS = tuple(
    tuple(sorted(_INDEX[dr + r, dc + c] for r, c in _STEPS if (dr + r, dc + c) in _INDEX)) for dr, dc in SIDE_HEXES
)
RIM = frozenset(index for index, near in enumerate(SIDE_NEIGHBOURS) if len(near) < len(_STEPS))

_LETTER = {key: terrain for terrain, letter in enumerate(TERRAIN_LETTERS) for key in (letter, letter.lower())}
_VALID = ", ".join(f"{letter} {name}" for letter, name in zip(TERRAIN_LETTERS, TERRAIN_NAMES, strict=True))
_HEADER = re.compile(rf"board\s+([1-{N_BOARDS}])\s+({'|'.join(FACES)})\s*:\s*(\S.*)", re.IGNORECASE)
_LOOKS_LIKE_HEADER = re.compile(r"^board|:|front|back", re.IGNORECASE)
_EXAMPLE = "'board 1 front: 3 fell field'"
_HOW_TO_WRITE = "'python -m winterkingdom_env.games.winter_kingdom.board_maker' prints a file to start from"

LEGEND = """\
# Terrain boards of Winter Kingdom: 7 boards with a front and a back, 61 hexes a side, one letter per hex.
#
#   buildable, on terrain cards   L fell field   T tundra      F flower field   G grassland   S snowscape   W forest
#   buildable, without a card     I ice
#   not buildable                 M mountain     U tunnel      V village        C castle
#
# Every side has 1 castle, 1 tunnel and 2 villages, none of them on the rim, no two of them adjacent, and all six
# terrains of the cards. A side is a line 'board <1-7> <front|back>: <name>' and 9 rows from top to bottom, each from
# left to right. Small letters, indentation, blank lines and lines beginning with '#' do not matter.
"""


class BoardFileError(ValueError):
    """An unreadable file of terrain boards; the message says where, what was found and what would work."""


@dataclass(frozen=True, eq=False)
class Sides:
    """The fourteen sides; 2k and 2k + 1 are front and back of board k. ``terrain`` is int8 (14, 61), read-only."""

    names: tuple[str, ...]
    terrain: NDArray[np.int8]

    def __post_init__(self) -> None:
        """Make a read-only copy of the terrain, and reject values that cannot be written as text."""
        terrain = np.array(self.terrain, dtype=np.int8)
        if len(self.names) != N_SIDES or terrain.shape != (N_SIDES, BOARD_HEXES):
            raise ValueError(
                f"found {len(self.names)} names and terrain of shape {terrain.shape}; "
                f"need {N_SIDES} names and shape {(N_SIDES, BOARD_HEXES)}"
            )
        if terrain.min() < 0 or terrain.max() >= N_TERRAINS:
            raise ValueError(f"found terrain {terrain.min()} to {terrain.max()}; need 0 to {N_TERRAINS - 1}")
        for name in self.names:
            if not name or name != name.strip() or not name.isprintable():
                raise ValueError(f"found the side name {quoted(name)}; need one line of text without spaces around it")
        terrain.setflags(write=False)
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "terrain", terrain)

    def __eq__(self, other: object) -> bool:
        """Whether names and terrain are the same."""
        if not isinstance(other, Sides):
            return NotImplemented
        return self.names == other.names and bool(np.array_equal(self.terrain, other.terrain))

    def __hash__(self) -> int:
        """Equal sides have equal hashes."""
        return hash((self.names, self.terrain.tobytes()))


@dataclass
class _Draft:
    """A side being read."""

    side: int
    name: str
    source: str
    line: int
    rows: list[list[int]]
    row_lines: list[int]

    def fail(self, problem: str, line: int | None = None) -> NoReturn:
        """Raise an error that names file, line and side."""
        where = f"{self.source}, line {line or self.line}, {side_label(self.side)} ({shortened(self.name)})"
        raise BoardFileError(f"{where}: {problem}")


def side_label(side: int) -> str:
    """The name of a side in a file: 'board 1 front' for side 0."""
    return f"board {side // len(FACES) + 1} {FACES[side % len(FACES)]}"


def load_sides(path: str | PathLike[str]) -> Sides:
    """The sides in a file, see ``parse_sides``."""
    try:
        data = read_limited(path, MB)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BoardFileError(
            f"{path}: cannot read terrain boards: {reason}; need a readable text file; {_HOW_TO_WRITE}"
        ) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BoardFileError(
            f"{path}, line {line}: found byte 0x{data[error.start]:02x}, which is not UTF-8; save the file as UTF-8"
        ) from error
    return parse_sides(text, source=str(path))


def parse_sides(text: str, source: str = "<text>") -> Sides:
    """The fourteen sides in ``text``, in any order; raises ``BoardFileError`` naming ``source`` and line.

    Sizes of regions are not checked: the printed boards may differ from ours.
    """
    drafts: dict[int, _Draft] = {}
    for draft in _drafts(text, source):
        earlier = drafts.get(draft.side)
        if earlier is not None:
            draft.fail(f"this side is already in line {earlier.line}; need each of the {N_SIDES} sides once")
        _check_side(draft)
        drafts[draft.side] = draft
    _check_complete(drafts, text, source)
    ordered = [drafts[side] for side in range(N_SIDES)]
    terrain = np.array([[hex_ for row in draft.rows for hex_ in row] for draft in ordered], dtype=np.int8)
    return Sides(tuple(draft.name for draft in ordered), terrain)


def format_sides(sides: Sides) -> str:
    """The sides as text, with the legend; ``parse_sides`` reads it back."""
    return LEGEND + "".join(
        f"\n{side_label(side)}: {name}\n{format_side(sides.terrain[side])}"
        for side, name in enumerate(sides.names)
    )  # fmt: skip


def format_side(terrain: NDArray[np.int8] | list[int]) -> str:
    """The nine rows of one side (61 terrains), in the shape of a hexagon."""
    letters = iter([TERRAIN_LETTERS[hex_] for hex_ in terrain])
    return "".join(
        " " * (max(ROW_LENGTHS) - length) + " ".join(next(letters) for _ in range(length)) + "\n"
        for length in ROW_LENGTHS
    )  # fmt: skip


@cache
def standard_sides() -> Sides:
    """The project's own fourteen sides, ``boards/standard.txt``."""
    resource = files("winterkingdom_env.games.winter_kingdom").joinpath("boards", "standard.txt")
    return parse_sides(resource.read_text(encoding="utf-8"), source="boards/standard.txt")


def generated_sides(seed: int) -> Sides:
    """Fourteen generated sides, the same for the same seed."""
    # Imported here because board_maker imports this module.
    from winterkingdom_env.games.winter_kingdom.board_maker import make_sides

    return make_sides(seed)


def _drafts(text: str, source: str) -> Iterator[_Draft]:
    """Each side of a text with its nine rows, nothing else checked."""
    draft: _Draft | None = None
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if _LOOKS_LIKE_HEADER.search(line):
            if draft is not None:
                yield _with_all_rows(draft)
            draft = _read_header(line, number, source)
        elif draft is None:
            raise BoardFileError(
                f"{source}, line {number}: found {quoted(line)} before the first side; need a line like {_EXAMPLE} first, "
                "or '#' before a comment"
            )
        else:
            _read_row(draft, line, number)
    if draft is not None:
        yield _with_all_rows(draft)


def _read_header(line: str, number: int, source: str) -> _Draft:
    """The empty side that a header announces."""
    match = _HEADER.fullmatch(line)
    if match is None:
        raise BoardFileError(
            f"{source}, line {number}: found {quoted(line)}, which does not announce a side; need 'board', a number "
            f"from 1 to {N_BOARDS}, 'front' or 'back', a colon and a name, like {_EXAMPLE}"
        )
    if not match[3].isprintable():
        raise BoardFileError(f"{source}, line {number}: the name {quoted(match[3])} cannot be printed; need another")
    side = (int(match[1]) - 1) * len(FACES) + FACES.index(match[2].lower())
    return _Draft(side, match[3], source, number, [], [])


def _read_row(draft: _Draft, line: str, number: int) -> None:
    """Add one row of letters to a side."""
    row = len(draft.rows)
    if row == N_SIDE_ROWS:
        draft.fail(
            f"found a row too many, {quoted(line)}; need {N_SIDE_ROWS} rows, then a line like {_EXAMPLE}", number
        )
    letters = "".join(line.split())
    for place, letter in enumerate(letters, start=1):
        if letter not in _LETTER:
            draft.fail(f"row {row + 1}, hex {place}: found unknown letter {letter!r}; need one of {_VALID}", number)
    if len(letters) != ROW_LENGTHS[row]:
        lengths = ", ".join(map(str, ROW_LENGTHS))
        draft.fail(
            f"row {row + 1}: expected {ROW_LENGTHS[row]} hexes, found {len(letters)} ({quoted(line)}); "
            f"the {N_SIDE_ROWS} rows have {lengths} hexes",
            number,
        )
    draft.rows.append([_LETTER[letter] for letter in letters])
    draft.row_lines.append(number)


def _with_all_rows(draft: _Draft) -> _Draft:
    """The side itself, if it has its nine rows."""
    if len(draft.rows) != N_SIDE_ROWS:
        draft.fail(f"expected {N_SIDE_ROWS} rows, found {len(draft.rows)}; the next one has "
                   f"{ROW_LENGTHS[len(draft.rows)]} hexes")  # fmt: skip
    return draft


def _check_side(draft: _Draft) -> None:
    """Reject a side that differs from what is known of every printed side."""
    terrain = [hex_ for row in draft.rows for hex_ in row]
    places = [f"row {row + 1}, hex {place + 1}" for row, n in enumerate(ROW_LENGTHS) for place in range(n)]
    lines = [line for line, n in zip(draft.row_lines, ROW_LENGTHS, strict=True) for _ in range(n)]
    for special, count in SPECIAL_COUNTS.items():
        found = [index for index, hex_ in enumerate(terrain) if hex_ == special]
        if len(found) != count:
            where = f" ({'; '.join(places[index] for index in found)})" if found else ""
            draft.fail(f"expected {_counted(special, count)}, found {len(found)}{where}")
    specials = [index for index, hex_ in enumerate(terrain) if hex_ in SPECIAL_COUNTS]
    for index in specials:
        if index in RIM:
            name = TERRAIN_NAMES[terrain[index]]
            draft.fail(f"{places[index]}: found a {name} on the rim; castle, tunnel and villages stand at least "
                       "one hex away from it", lines[index])  # fmt: skip
    for first, second in combinations(specials, 2):
        if second in SIDE_NEIGHBOURS[first]:
            names = TERRAIN_NAMES[terrain[first]], TERRAIN_NAMES[terrain[second]]
            draft.fail(f"{places[first]}: found a {names[0]} next to the {names[1]} at {places[second]}; "
                       "no two of castle, tunnel and villages are adjacent", lines[first])  # fmt: skip
    for card_terrain in range(N_CARD_TERRAINS):
        if card_terrain not in terrain:
            letter, name = TERRAIN_LETTERS[card_terrain], TERRAIN_NAMES[card_terrain]
            draft.fail(f"found no {name} ({letter}); every side has all six terrains of the cards, "
                       f"{', '.join(TERRAIN_LETTERS[:N_CARD_TERRAINS])}")  # fmt: skip


def _counted(special: Terrain, count: int) -> str:
    """'2 villages (V)'."""
    return f"{count} {TERRAIN_NAMES[special]}{'s' if count > 1 else ''} ({TERRAIN_LETTERS[special]})"


def _check_complete(drafts: dict[int, _Draft], text: str, source: str) -> None:
    """Reject a text without all fourteen sides."""
    missing = [side for side in range(N_SIDES) if side not in drafts]
    if not missing:
        return
    last_line = text.rstrip("\n").count("\n") + 1
    names = ", ".join(side_label(side) for side in missing)
    halves = [side for side in missing if side ^ 1 in drafts]
    hint = ""
    if halves:
        present = drafts[halves[0] ^ 1]
        hint = (f"; board {halves[0] // 2 + 1} has a {FACES[present.side % 2]} (line {present.line}) "
                f"but no {FACES[halves[0] % 2]}")  # fmt: skip
    raise BoardFileError(
        f"{source}, line {last_line} (end): expected {N_SIDES} sides, found {len(drafts)}; missing: {names}{hint}. "
        f"Each begins with a line like {_EXAMPLE}; {_HOW_TO_WRITE}"
    )


def check_sides(sides: object, n: int) -> None:
    """Raise SavedGameError unless these untrusted data are ``n`` sets of fourteen board sides."""
    shape = n, N_SIDES, layout.BOARD_HEXES
    if not isinstance(sides, np.ndarray) or sides.dtype != np.int8 or sides.shape != shape or not sides.flags.carray:
        raise SavedGameError(f"the saved batch is refused: sides is not an int8 array of board sides of shape {shape}")
    if ((sides < 0) | (sides >= layout.N_TERRAINS)).any():
        raise SavedGameError("the saved batch is refused: sides has a value that is not a terrain")
    for terrain, count in SPECIAL_COUNTS.items():
        if ((sides == terrain).sum(axis=2) != count).any():
            raise SavedGameError(
                f"the saved batch is refused: sides does not have {count} hexes of terrain {terrain} on each side"
            )
