"""Quadrants and islands: their text files, and the mistakes in them."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from winterkingdom_env.games.kingdom_builder import boards, tables
from winterkingdom_env.games.kingdom_builder.board_maker import generated_layouts
from winterkingdom_env.games.kingdom_builder.boards import (
    BoardFileError,
    Layouts,
    format_layouts,
    load_layouts,
    own_layouts,
    read_layouts,
    standard_layouts,
)
from winterkingdom_env.games.kingdom_builder.tables import ISLAND_NAMES, QUADRANT_NAMES

FOLDER = files("winterkingdom_env.games.kingdom_builder").joinpath("boards")
TEXT = FOLDER.joinpath("quadrants.txt").read_text(encoding="utf-8")
OWN = FOLDER.joinpath("own.txt").read_text(encoding="utf-8")
NAMES = (*QUADRANT_NAMES, *ISLAND_NAMES)
KNOWN = tuple(name for name in NAMES if standard_layouts().has(name))
UNKNOWN = tuple(name for name in NAMES if name not in KNOWN)
# Section 2.2 of the rules, written out: letters of the specials, in alphabetical order.
SPECIALS = {
    "oracle": "LSS", "harbor": "LSS",
    **dict.fromkeys(("farm", "oasis", "tower", "tavern", "barn", "paddock"), "LLS"),
    "quarry": "LNNN", **dict.fromkeys(("caravan", "village", "garden"), "LLN"),
    **dict.fromkeys(("lighthouse", "barracks", "cityhall", "monastery"), "12S"),
    **dict.fromkeys(("temple", "refuge", "canoe", "fountain"), "LLP"),
    **dict.fromkeys(("bazaar", "cathedral", "university"), "12O"), "mountainstation": "12OS",
    **dict.fromkeys(ISLAND_NAMES, "LS"),
}  # fmt: skip
ORACLE = """\
gggttwgttt
gggStwgttt
gffgttwggt
ffcgtwfLtt
fffccwffww
mmcggwwwdd
cccmgfffdd
ccSdmdffcc
wwwddddmcc
wwwwdddddc
"""
ISLAND = """\
.ggdddc.
ggLdddcc
ggfffcct
gttggSct
.ttggtt.
"""


def as_map(rows: list[str]) -> dict[tuple[int, int], str]:
    """The letters by place, without those that are no hex."""
    return {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != "."}


def with_row(row: int, letters: str, rows: str = ORACLE) -> str:
    """A drawing with one row (from 1) changed."""
    lines = rows.splitlines()
    lines[row - 1] = letters
    return "\n".join(lines) + "\n"


def error(text: str) -> str:
    """The message with which a text is refused."""
    with pytest.raises(BoardFileError) as caught:
        read_layouts(text, source="mine.txt")
    assert str(caught.value).isprintable() and len(str(caught.value)) < 1500
    return str(caught.value)


@pytest.mark.rule("section 2.2, quadrants")
def test_specials__table_of_the_loader__is_that_of_the_rules() -> None:
    for quadrant in (*tables.QUADRANTS, *tables.ISLANDS):
        letters = {boards._letter(code, quadrant): allowed for code, allowed in boards.specials_of(quadrant).items()}
        count = Counter(SPECIALS[quadrant.name])
        for letter, allowed in letters.items():
            is_unsure = letter == "S" and quadrant.name in UNKNOWN
            assert allowed == ((0, 1, 2) if is_unsure else (count[letter],))


@pytest.mark.rule("section 2.2, quadrants")
def test_format__read_back__same_layouts() -> None:
    text = format_layouts(standard_layouts(), KNOWN, "again")
    assert read_layouts(text) == standard_layouts()
    assert read_layouts(format_layouts(read_layouts(OWN), UNKNOWN, "again")) == read_layouts(OWN)
    assert text.startswith("[oracle] set=base L=oracle | again\n" + ORACLE)
    assert "[lighthouse] set=crossroads 1=lighthouse 2=forester | again" in text


@pytest.mark.rule("section 2.2, quadrants")
def test_layouts__shape_and_what_is_missing() -> None:
    layouts = read_layouts("[oracle]\n" + ORACLE)
    assert layouts.has("oracle") and not layouts.has("farm") and not layouts.has("tree house")
    assert layouts.rows("oracle") == ORACLE.split()
    with pytest.raises(ValueError, match="these layouts have no farm"):
        layouts.rows("farm")
    with pytest.raises(ValueError, match="read-only"):
        layouts.quadrants[0, 0] = 0
    with pytest.raises(ValueError, match=r"found islands of shape \(2, 49\); need \(2, 50\)"):
        Layouts(layouts.quadrants, layouts.islands[:, 1:])


@pytest.mark.rule("section 2.2, quadrants")
def test_read__harmless_differences__same_layouts() -> None:
    plain = read_layouts("[oracle]\n" + ORACLE)
    assert read_layouts("[ oracle ] set=base L=oracle | any words [or none]\n" + ORACLE) == plain
    assert read_layouts("[oracle]\n" + ORACLE.replace("\n", "\n\n# remark\n")) == plain
    assert read_layouts("[oracle]\n" + "\n".join("\t" + " ".join(row) for row in ORACLE.split())) == plain
    assert read_layouts("[oracle]\r\n" + ORACLE.replace("\n", "\r\n")) == plain
    assert read_layouts("[oracle]\r" + ORACLE.replace("\n", "\r")) == plain
    blocks = TEXT[TEXT.index("[oracle]") :].split("\n\n")
    assert read_layouts("\n\n".join(reversed(blocks))) == standard_layouts()


@pytest.mark.rule("section 2.3, island")
def test_read__island__short_rows_end_without_hexes() -> None:
    rows = read_layouts("[tree house]\n" + ISLAND.replace(".\n", "\n")).rows("tree house")
    assert rows == [row.ljust(10, ".") for row in ISLAND.split()]


@pytest.mark.rule("section 2.2, quadrants that are not known")
def test_read__castles_of_unknown_quadrants__none_to_two_are_accepted() -> None:
    # An owner's transcription counts more than what we believe.
    for n in range(3):
        island = ISLAND.replace("S", "g").replace("ggd", "S" * n + "ggd"[n:], 1)
        assert "".join(read_layouts("[rope bridge]\n" + island).rows("rope bridge")).count("S") == n


@pytest.mark.rule("section 2.2, quadrants")
def test_load__file_on_disk__same_layouts(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())  # some editors begin UTF-8 like this
    assert load_layouts(path) == load_layouts(str(path)) == standard_layouts()


@pytest.mark.rule("section 2.2, quadrants")
@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        pytest.param(ORACLE[: ORACLE.rindex("wwww")], 0, ("found 9 rows", "need 10 of 10 letters"), id="9 rows"),
        pytest.param("", 0, ("found 0 rows", "need 10"), id="no rows"),
        pytest.param(ORACLE + "gggggggggg\n", 11, ("a row too many, 'gggggggggg'", "need 10 rows"), id="11 rows"),
        pytest.param(with_row(3, "gffgttwgg"), 3, ("row 3: found 9 letters ('gffgttwgg')", "need 10"), id="short row"),
        pytest.param(with_row(3, "gffgttwgggg"), 3, ("row 3: found 11 letters", "need 10"), id="long row"),
        pytest.param(with_row(5, "fffcXwffww"), 5, ("row 5, hex 5: found 'X'", "g grass", "S castle", "L oracle"), id="letter"),
        pytest.param(with_row(5, "fffc.wffww"), 5, ("row 5, hex 5: found '.'",), id="no hex in a quadrant"),
        pytest.param(with_row(5, "fffc1wffww"), 5, ("row 5, hex 5: found '1'",), id="kind of another quadrant"),
        pytest.param(with_row(5, "fffc\u200bwffww"), 5, ("hex 5: found '\\u200b'",), id="invisible letter"),
        pytest.param(with_row(2, "gggttwgttt"), 0, ("found 1 castle hex S (row 8, hex 3)", "need 2"), id="1 castle"),
        pytest.param(with_row(5, "fSfccwffww"), 0, ("found 3 castle hexes S (row 2, hex 4; row 5, hex 2;", "need 2"), id="3 castles"),
        pytest.param(ORACLE.replace("L", "f"), 0, ("found 0 oracle location hexes L", "need 1"), id="no location"),
        pytest.param(with_row(9, "wwwLdddmcc"), 0, ("found 2 oracle location hexes L (row 4, hex 8; row 9, hex 4)",), id="2 locations"),
        pytest.param(with_row(9, "wwwNdddmcc"), 0, ("found 1 nomad hex N (row 9, hex 4)", "need 0"), id="nomad"),
        pytest.param(with_row(9, "wwwPdddmcc"), 0, ("found 1 palace hex P", "need 0"), id="palace"),
        pytest.param(with_row(9, "wwwOdddmcc"), 0, ("found 1 silo hex O", "need 0"), id="silo"),
    ],
)  # fmt: skip
def test_read__mistake_in_a_quadrant__error_names_line_and_quadrant(
    rows: str, line: int, words: tuple[str, ...]
) -> None:
    message = error(f"# remark\n[oracle] set=base\n{rows}\n")
    assert message.startswith(f"mine.txt, line {line + 2}, oracle: ")
    for word in words:
        assert word in message


@pytest.mark.rule("section 2.2, quadrants")
@pytest.mark.parametrize("name", [name for name in NAMES if name in SPECIALS])
def test_read__a_special_too_many_or_too_few__error_names_its_number(name: str) -> None:
    rows = generated_layouts(0).rows(name)
    cells = as_map(rows)
    for letter in dict.fromkeys(SPECIALS[name]):
        r, c = next(place for place in cells if cells[place] == letter)
        changed = [*rows[:r], rows[r][:c] + "g" + rows[r][c + 1 :], *rows[r + 1 :]]
        if letter == "S" and name in UNKNOWN:
            assert read_layouts(f"[{name}]\n" + "\n".join(changed)).has(name)
            continue
        n = SPECIALS[name].count(letter)
        message = error(f"[{name}]\n" + "\n".join(changed))
        assert message.startswith(f"mine.txt, line 1, {name}: found {n - 1} ")
        assert re.search(rf"hex(es)? {letter}\b.*; need {n}$", message)


@pytest.mark.rule("section 2.3, island")
@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        pytest.param(ISLAND[: ISLAND.rindex(".ttgg")], 0, ("found 4 rows", "need 5 of 10"), id="4 rows"),
        pytest.param(ISLAND + ".gg.\n", 6, ("a row too many", "need 5 rows"), id="6 rows"),
        pytest.param(with_row(3, "ggfffcctttt", ISLAND), 3, ("found 11 letters", "need at most 10"), id="long row"),
        pytest.param(with_row(3, "ggf?fcct", ISLAND), 3, ("row 3, hex 4: found '?'", ". no hex", "L tree house"), id="letter"),
        pytest.param(ISLAND.replace("L", "g"), 0, ("found 0 tree house location hexes L", "need 1"), id="no location"),
        pytest.param(with_row(3, "gSfSfSct", ISLAND), 0, ("found 4 castle hexes S", "need 0 to 2"), id="4 castles"),
        pytest.param("..........\n" * 5, 0, ("found 0 tree house location hexes L",), id="no hexes"),
    ],
)  # fmt: skip
def test_read__mistake_in_an_island__error_names_line_and_island(rows: str, line: int, words: tuple[str, ...]) -> None:
    message = error(f"[tree house]\n{rows}")
    assert message.startswith(f"mine.txt, line {line + 1}, tree house: ")
    for word in words:
        assert word in message


@pytest.mark.rule("section 2.2, quadrants")
@pytest.mark.parametrize(
    ("text", "start", "words"),
    [
        pytest.param("[oracel]\n" + ORACLE, "line 1: no quadrant is called 'oracel'", ("oracle, farm", "tree house"), id="name"),
        pytest.param("[]\n" + ORACLE, "line 1: no quadrant is called ''", ("need one of",), id="no name"),
        pytest.param("[Oracle]\n" + ORACLE, "line 1: no quadrant is called 'Oracle'", ("need one of",), id="capital"),
        pytest.param("[oracle\n" + ORACLE, "line 1: found '[oracle', a header without ']'", ("'[oracle]'",), id="bracket"),
        pytest.param("# one\noracle\n" + ORACLE, "line 2: found 'oracle' before the first header", ("'[oracle]'", "'#'"), id="no header"),
        pytest.param("", "line 1: found no quadrant", ("need at least one", "quadrants.txt"), id="empty"),
        pytest.param("# only a remark\n\n", "line 1: found no quadrant", ("need at least one",), id="remarks only"),
        pytest.param("[oracle]\n\x1b[2J" + ORACLE, "line 2: found the control character '\\x1b'", ("plain text",), id="escape"),
        pytest.param("[oracle]\n# a\x00b\n" + ORACLE, "line 2: found the control character '\\x00'", ("plain text",), id="NUL"),
        pytest.param("[oracle]\n" + ORACLE.replace("\n", "\f\n", 1), "line 2: found the control character '\\x0c'", (), id="form feed"),
        pytest.param("[" + "x" * 5000 + "]\n", "line 1: no quadrant is called 'xxx", ("...",), id="long name"),
        pytest.param("[oracle]\n" + "g" * 5000, "line 2, oracle: row 1: found 5000 letters", ("need 10",), id="long line"),
    ],
)  # fmt: skip
def test_read__mistake_outside_a_quadrant__error_names_the_line(text: str, start: str, words: tuple[str, ...]) -> None:
    message = error(text)
    assert message.startswith(f"mine.txt, {start}")
    for word in words:
        assert word in message


@pytest.mark.rule("section 2.2, quadrants")
def test_read__quadrant_twice__error_names_both_lines() -> None:
    message = error(f"# remark\n[oracle]\n{ORACLE}\n[ oracle ] again\n{ORACLE}")
    assert message.startswith("mine.txt, line 14, oracle: this quadrant is already in line 2")


@pytest.mark.rule("section 2.2, quadrants")
def test_load__unreadable__error_names_the_file(tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    big.write_bytes(b"#" * (1 << 20) + b"\n")
    for path, reason in (
        (tmp_path / "nowhere.txt", "No such file"),
        (tmp_path, "a folder"),
        (big, "larger than 1 MB"),
        ("a\0b", "not a file name"),
    ):
        with pytest.raises(
            BoardFileError, match=f"cannot read quadrants: .*{reason}.*; need a readable text file"
        ) as caught:
            load_layouts(path)
        assert str(path).replace("\0", "\\x00") in str(caught.value) and str(caught.value).isprintable()


@pytest.mark.rule("section 2.2, quadrants")
def test_load__mistake_in_a_file__error_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("[oracle]\n" + ORACLE.replace("L", "f"), encoding="utf-8")
    with pytest.raises(BoardFileError, match=re.escape(f"{path}, line 1, oracle: found 0 oracle location hexes L")):
        load_layouts(path)
    path.write_bytes("# one\n# B\u00f6den\n".encode("latin-1") + TEXT.encode())
    with pytest.raises(BoardFileError, match=re.escape(f"{path}, line 2: found byte 0xf6, which is not UTF-8")):
        load_layouts(path)
    path.write_bytes(b"")
    with pytest.raises(BoardFileError, match=re.escape(f"{path}, line 1: found no quadrant")):
        load_layouts(path)


@pytest.mark.rule("section 2.2, quadrants that are not known")
def test_own_layouts__are_the_printed_ones_where_these_are_known() -> None:
    own = read_layouts(OWN, "own.txt")
    for name in NAMES:
        assert own_layouts().rows(name) == (standard_layouts() if name in KNOWN else own).rows(name)
