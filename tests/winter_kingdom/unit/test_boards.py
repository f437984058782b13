"""The terrain boards: their text files, the mistakes in them, the standard sides and the generated ones."""

from __future__ import annotations

import re
import zlib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.winter_kingdom import board_maker, boards
from winterkingdom_env.games.winter_kingdom.boards import (
    BoardFileError,
    Sides,
    format_sides,
    generated_sides,
    load_sides,
    parse_sides,
    standard_sides,
)
from winterkingdom_env.games.winter_kingdom.layout import Terrain
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_LETTERS, TERRAIN_NAMES

TEXT = files("winterkingdom_env.games.winter_kingdom").joinpath("boards", "standard.txt").read_text(encoding="utf-8")
ICE, MOUNTAIN = Terrain.ICE, Terrain.MOUNTAIN
SPECIALS = (Terrain.CASTLE, Terrain.TUNNEL, Terrain.VILLAGE, Terrain.VILLAGE)

# A side with known places of everything, for the mistakes.
SIDE = """\
    L L L T T
   L L L T T T
  L C F F F T T
 G G F F V F F W
G G G S S S S W W
 G G U S S V W W
  I I I S S W W
   I I I M M M
    I I M M M
"""
FIRST_ROW_LETTERS = (
    "LLL", "IIGGG", "WWW", "GG", "LLLL", "MWWW", "FFF", "G", "TTT", "W", "IISSS", "S", "MTTTT", "F",
)  # fmt: skip


def neighbours(place: tuple[int, int]) -> list[tuple[int, int]]:
    """Axial neighbours, written out once more so that the checks do not lean on the code they check."""
    r, c = place
    around = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r + 1, c - 1), (r - 1, c + 1)]
    return [(r, c) for r, c in around if max(abs(r), abs(c), abs(r + c)) <= 4]


def as_map(terrain: np.ndarray) -> dict[tuple[int, int], int]:
    """Terrain by axial place."""
    places = [(r, c) for r in range(-4, 5) for c in range(-4, 5) if abs(r + c) <= 4]
    return dict(zip(places, (int(t) for t in terrain), strict=True))


def region_sizes(side: dict[tuple[int, int], int], terrain: int) -> list[int]:
    """Sizes of the connected regions of a terrain, ascending."""
    left = {place for place, t in side.items() if t == terrain}
    sizes = []
    while left:
        stack = [left.pop()]
        size = 0
        while stack:
            size += 1
            for near in neighbours(stack.pop()):
                if near in left:
                    left.remove(near)
                    stack.append(near)
        sizes.append(size)
    return sorted(sizes)


def check_side(terrain: np.ndarray, without: Terrain | None = None) -> None:
    """Assert every constraint on a side of ours."""
    side = as_map(terrain)
    special = [place for place, t in side.items() if t in SPECIALS]
    assert sorted(side[place] for place in special) == sorted(SPECIALS)
    for place in special:
        assert len(neighbours(place)) == 6, "on the rim"
        assert not set(neighbours(place)) & set(special), "adjacent"
    for card_terrain in range(6):
        assert region_sizes(side, card_terrain) in ([7], [8], [3, 4], [3, 5], [4, 4])
    for barren in (Terrain.ICE, Terrain.MOUNTAIN):
        sizes = region_sizes(side, barren)
        assert bool(sizes) == (barren != without)
        assert all(1 <= size <= 12 for size in sizes)
    assert 9 <= sum(t in (Terrain.ICE, Terrain.MOUNTAIN) for t in side.values()) <= 15


def without_by_side(sides: Sides) -> dict[int, Terrain]:
    """Which sides have no ice or no mountain."""
    return {side: t for side in range(14) for t in (ICE, MOUNTAIN) if t not in sides.terrain[side]}


def file_with(first_side: str = SIDE, header: str = "board 1 front: drawn") -> str:
    """The standard file with another first side."""
    start, end = TEXT.index("board 1 front:"), TEXT.index("board 1 back:")
    return f"{TEXT[:start]}{header}\n{first_side}\n{TEXT[end:]}"


def with_row(row: int, letters: str) -> str:
    """The drawn side with one row (1 to 9) changed."""
    lines = SIDE.splitlines()
    lines[row - 1] = letters
    return "\n".join(lines)


def error(text: str) -> str:
    """The message with which a text is refused."""
    with pytest.raises(BoardFileError) as caught:
        parse_sides(text, source="mine.txt")
    return str(caught.value)


HEADER_LINE = TEXT[: TEXT.index("board 1 front:")].count("\n") + 1


@pytest.mark.rule("p. 2, terrain boards")
def test_standard_file__is_what_the_maker_makes() -> None:
    assert board_maker.standard_text() == TEXT


@pytest.mark.rule("p. 2, terrain boards")
def test_format__read_back__same_sides_and_same_text() -> None:
    for sides in (standard_sides(), generated_sides(3)):
        text = format_sides(sides)
        assert parse_sides(text) == sides
        assert hash(parse_sides(text)) == hash(sides)
        assert format_sides(parse_sides(text)) == text
    assert TEXT.endswith(format_sides(standard_sides()))
    assert standard_sides() != generated_sides(3)


@pytest.mark.rule("p. 2, terrain boards")
def test_sides__names_and_shape() -> None:
    sides = standard_sides()
    assert sides is standard_sides()
    assert len(sides.names) == 14
    assert sides.names[:2] == ("3 fell field", "2 ice 3 grassland")
    assert sides.terrain.shape == (14, 61)
    assert sides.terrain.dtype == np.int8
    with pytest.raises(ValueError, match="read-only"):
        sides.terrain[0, 0] = 0


@pytest.mark.rule("p. 2, terrain boards")
def test_sides__wrong_content__refused() -> None:
    sides = standard_sides()
    with pytest.raises(ValueError, match="need 14 names"):
        Sides(sides.names[1:], sides.terrain)
    with pytest.raises(ValueError, match="need one line"):
        Sides((*sides.names[1:], "two\nlines"), sides.terrain)
    with pytest.raises(ValueError, match="need 0 to 10"):
        Sides(sides.names, sides.terrain + 5)


@pytest.mark.rule("p. 3, terrain types")
def test_legend__names_every_letter() -> None:
    for letter, name in zip(TERRAIN_LETTERS, TERRAIN_NAMES, strict=True):
        assert re.search(rf"^# .*\b{letter} {name}\b", boards.LEGEND, re.MULTILINE)


@pytest.mark.rule("p. 2, terrain boards")
def test_parse__hexes_by_row_then_column() -> None:
    side = as_map(parse_sides(file_with()).terrain[0])
    assert (side[-4, 0], side[-4, 4]) == (Terrain.FELL_FIELD, Terrain.TUNDRA)
    assert side[-2, -1] == Terrain.CASTLE
    assert side[-1, 1] == Terrain.VILLAGE
    assert side[1, -2] == Terrain.TUNNEL
    assert (side[4, -4], side[4, 0]) == (Terrain.ICE, Terrain.MOUNTAIN)


@pytest.mark.rule("p. 2, terrain boards")
def test_geometry__same_neighbours_as_written_out_here() -> None:
    places = list(as_map(np.zeros(61, dtype=np.int8)))
    assert list(boards.SIDE_HEXES) == places
    for index, place in enumerate(places):
        assert {places[near] for near in boards.SIDE_NEIGHBOURS[index]} == set(neighbours(place))
    assert len(boards.RIM) == 24


@pytest.mark.rule("p. 2, terrain boards")
def test_parse__harmless_differences__same_sides() -> None:
    plain = parse_sides(file_with())
    assert parse_sides(file_with(SIDE.lower(), "BOARD 1 Front:drawn")) == plain
    assert parse_sides(file_with(SIDE.replace(" ", "").replace("\n", "\n\n# remark\n"))) == plain
    assert parse_sides(file_with().replace("\n", "\r\n")) == plain
    start, end = TEXT.index("board 1 front:"), TEXT.index("board 2 front:")
    assert parse_sides(TEXT[end:] + TEXT[start:end]) == standard_sides()  # any order of sides


@pytest.mark.rule("p. 2, terrain boards")
def test_load__file_on_disk__same_sides(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())  # some editors begin UTF-8 like this
    assert load_sides(path) == standard_sides()
    assert load_sides(str(path)) == standard_sides()


@pytest.mark.rule("p. 2, terrain boards")
def test_parse__unusual_region_sizes__accepted() -> None:
    # An owner's transcription counts more than what we believe of regions: forest in five places, one ice.
    rows = ("    W L L T W", "   L L L T T T", "  L C F F F T T", " G G F F V F F W", "G G G S S S S W W",
            " G G U S S V W W", "  W I S S S W W", "   S S S M M M", "    W S M M W")  # fmt: skip
    assert parse_sides(file_with("\n".join(rows))).terrain.shape == (14, 61)


@pytest.mark.rule("p. 2, terrain boards")
@pytest.mark.parametrize(
    ("side", "line", "words"),
    [
        pytest.param(with_row(3, "L C F F F T"), 3, ("row 3", "expected 7 hexes, found 6"), id="short row"),
        pytest.param(with_row(1, "L L L T T T"), 1, ("row 1", "expected 5 hexes, found 6"), id="long row"),
        pytest.param(with_row(5, "G G G S X S S W W"), 5, ("row 5, hex 5", "'X'", "L fell field", "C castle"),
                     id="letter"),
        pytest.param(with_row(5, "G G G S \u00df S S W W"), 5, ("row 5, hex 5", "'\u00df'"), id="letter that grows"),
        pytest.param(SIDE[: SIDE.rindex("    I")], 0, ("expected 9 rows, found 8", "5 hexes"), id="8 rows"),
        pytest.param(SIDE + "    I I M M M", 10, ("a row too many", "need 9 rows"), id="10 rows"),
        pytest.param(SIDE.replace("C", "L"), 0, ("expected 1 castle (C), found 0",), id="no castle"),
        pytest.param(with_row(7, "I I C S S W W"), 0, ("found 2 (row 3, hex 2; row 7, hex 3)",), id="2 castles"),
        pytest.param(SIDE.replace("U", "G"), 0, ("expected 1 tunnel (U), found 0",), id="no tunnel"),
        pytest.param(with_row(7, "I I I S U W W"), 0, ("found 2 (row 6, hex 3; row 7, hex 5)",), id="2 tunnels"),
        pytest.param(with_row(4, "G G F F F F F W"), 0, ("2 villages (V), found 1 (row 6, hex 6)",), id="1 village"),
        pytest.param(with_row(2, "L L L V T T"), 0, ("2 villages (V), found 3",), id="3 villages"),
        pytest.param(with_row(3, "L L F F F T T").replace("    I I M", "    I C M"), 9,
                     ("row 9, hex 2", "castle on the rim"), id="castle on rim"),
        pytest.param(with_row(6, "U G G S S V W W"), 6, ("row 6, hex 1", "tunnel on the rim"), id="tunnel on rim"),
        pytest.param(with_row(4, "G G F F F F F V"), 4, ("row 4, hex 8", "village on the rim"), id="village on rim"),
        pytest.param(with_row(4, "G V F F F F F W"), 3, ("row 3, hex 2", "castle next to the village at row 4, hex 2"),
                     id="castle at village"),
        pytest.param(with_row(6, "G G G S U V W W"), 6, ("row 6, hex 5", "tunnel next to the village at row 6, hex 6"),
                     id="tunnel at village"),
        pytest.param(with_row(4, "G G F F F F F W").replace("S S S S W W", "S S V S W W"), 5,
                     ("row 5, hex 6", "village next to the village at row 6, hex 6"), id="village at village"),
        *(
            pytest.param(SIDE.replace(letter, "I"), 0, (f"found no {name} ({letter})",), id=f"no {name}")
            for letter, name in zip(TERRAIN_LETTERS[:6], TERRAIN_NAMES[:6], strict=True)
        ),
    ],
)  # fmt: skip
def test_parse__mistake_in_a_side__error_names_line_side_and_hex(side: str, line: int, words: tuple[str, ...]) -> None:
    message = error(file_with(side))
    assert message.startswith(f"mine.txt, line {HEADER_LINE + line}, board 1 front (drawn): ")
    for word in words:
        assert word in message


@pytest.mark.rule("p. 2, terrain boards")
@pytest.mark.parametrize(
    "header",
    ["board 8 front: x", "board 0 front: x", "board one front: x", "board 1 top: x", "board 1: x", "board 1 front x",
     "board 1 front:", "bord 1 front: x", "1 front: x"],
)  # fmt: skip
def test_parse__header_malformed__error_shows_a_good_one(header: str) -> None:
    message = error(file_with(header=header))
    assert message.startswith(f"mine.txt, line {HEADER_LINE}: found {header!r}")
    assert "like 'board 1 front: 3 fell field'" in message


@pytest.mark.rule("p. 2, terrain boards")
def test_parse__row_before_the_first_side__error() -> None:
    message = error("# remark\nL L L T T\n" + TEXT)
    assert message.startswith("mine.txt, line 2: found 'L L L T T' before the first side")


@pytest.mark.rule("p. 2, terrain boards")
def test_parse__side_twice__error_names_both_lines() -> None:
    message = error(TEXT.replace("board 1 back:", "board 1 front:"))
    second = TEXT[: TEXT.index("board 1 back:")].count("\n") + 1
    assert message.startswith(f"mine.txt, line {second}, board 1 front (2 ice 3 grassland): ")
    assert f"already in line {HEADER_LINE}" in message


@pytest.mark.rule("p. 2, terrain boards")
@pytest.mark.parametrize(("number", "missing", "present"), [(3, "back", "front"), (5, "front", "back")])
def test_parse__board_with_one_side__error_names_the_missing_one(number: int, missing: str, present: str) -> None:
    start = TEXT.index(f"board {number} {missing}:")
    message = error(TEXT[:start] + TEXT[TEXT.index("\n\n", start) + 2 :])
    assert f"expected 14 sides, found 13; missing: board {number} {missing};" in message
    assert re.search(rf"board {number} has a {present} \(line \d+\) but no {missing}", message)


@pytest.mark.rule("p. 2, terrain boards")
def test_parse__too_few_sides__error_lists_them() -> None:
    message = error(TEXT[: TEXT.index("board 6 front:")])
    assert "found 10; missing: board 6 front, board 6 back, board 7 front, board 7 back." in message
    assert "mine.txt, line 1 (end): expected 14 sides, found 0" in error("")


@pytest.mark.rule("p. 2, terrain boards")
def test_load__file_missing_or_a_folder__error_names_it(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.txt", tmp_path):
        with pytest.raises(BoardFileError, match="cannot read terrain boards") as caught:
            load_sides(path)
        assert str(path) in str(caught.value)
        assert "board_maker" in str(caught.value)


@pytest.mark.rule("p. 2, terrain boards")
def test_load__mistake_in_a_file__error_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(file_with(SIDE.replace("C", "L")), encoding="utf-8")
    with pytest.raises(BoardFileError, match=re.escape(f"{path}, line {HEADER_LINE}, board 1 front (drawn): ")):
        load_sides(path)
    path.write_bytes("# one\n# B\u00f6den\n".encode("latin-1") + TEXT.encode())
    with pytest.raises(BoardFileError, match="line 2: found byte 0xf6, which is not UTF-8"):
        load_sides(path)


@pytest.mark.rule("p. 3, terrain types")
@pytest.mark.parametrize("side", range(14))
def test_standard__every_side_keeps_the_constraints(side: int) -> None:
    sides = standard_sides()
    check_side(sides.terrain[side], without_by_side(sides).get(side))


@pytest.mark.rule("p. 2, terrain boards")
@pytest.mark.parametrize("side", range(14))
def test_standard__top_row_begins_as_known(side: int) -> None:
    row = "".join(TERRAIN_LETTERS[t] for t in standard_sides().terrain[side, :5])
    known = FIRST_ROW_LETTERS[side]
    assert row.startswith(known)
    assert len(known) == 5 or row[len(known)] != known[-1]
    words = dict(zip(TERRAIN_LETTERS, TERRAIN_NAMES, strict=True))
    runs = [(letter, known.count(letter)) for letter in dict.fromkeys(known)]
    assert standard_sides().names[side] == " ".join(f"{n} {words[letter]}" for letter, n in runs)


@pytest.mark.rule("p. 3, terrain types")
def test_standard__one_side_without_ice_another_without_mountain() -> None:
    assert without_by_side(standard_sides()) == {6: Terrain.ICE, 9: Terrain.MOUNTAIN}


@pytest.mark.rule("p. 3, terrain types")
@pytest.mark.parametrize("seed", [*range(17), -1, 2**63, 10**30])
def test_generated__every_side_keeps_the_constraints(seed: int) -> None:
    sides = generated_sides(seed)
    without = without_by_side(sides)
    assert sorted(without.values()) == [Terrain.ICE, Terrain.MOUNTAIN]
    for side in range(14):
        check_side(sides.terrain[side], without.get(side))
    assert len({row.tobytes() for row in sides.terrain}) == 14
    assert (sides.names[0], sides.names[13]) == ("generated 1 front", "generated 7 back")


@pytest.mark.rule("p. 2, terrain boards")
def test_generated__same_seed_same_sides__other_seed_others() -> None:
    assert generated_sides(11) == generated_sides(11)
    assert generated_sides(11) != generated_sides(12)


@pytest.mark.rule("p. 2, terrain boards")
def test_generated__a_seed_means_the_same_for_ever() -> None:
    # A changed number means changed boards: that is a new version of the environment.
    assert zlib.crc32(generated_sides(0).terrain.tobytes()) == 0x40D210CA


@pytest.mark.rule("p. 2, terrain boards")
@pytest.mark.parametrize("first_row", [((ICE, 1),), ((MOUNTAIN, 2), (ICE, 2)), ((Terrain.FOREST, 5),)])
def test_make_side__first_row_asked_for__it_is_there(first_row: board_maker.Runs) -> None:
    for seed in range(5):
        side = board_maker.make_side(Stream(seed), first_row)
        check_side(np.array(side))
        known = [terrain for terrain, n in first_row for _ in range(n)]
        assert side[: len(known)] == known
        assert side[len(known)] != known[-1] or len(known) == 5


@pytest.mark.rule("p. 2, terrain boards")
@pytest.mark.parametrize(
    ("first_row", "without", "words"),
    [
        (((Terrain.CASTLE, 1),), None, "no side with first_row"),
        (((Terrain.TUNDRA, 6),), None, "no side with first_row"),
        ((), Terrain.FOREST, "need ice or mountain"),
        (((Terrain.ICE, 1),), Terrain.ICE, "need ice or mountain"),
    ],
)
def test_make_side__impossible__gives_up(first_row: board_maker.Runs, without: Terrain | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        board_maker.make_side(Stream(1), first_row, without)


@pytest.mark.rule("p. 2, terrain boards")
def test_command__prints_a_file_that_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    board_maker.main([])
    assert capsys.readouterr().out == TEXT
    board_maker.main(["--seed", "5"])
    assert parse_sides(capsys.readouterr().out) == generated_sides(5)
    with pytest.raises(SystemExit, match="0"):
        board_maker.main(["--help"])
    assert capsys.readouterr().out.count("board_maker") >= 3
    with pytest.raises(SystemExit, match="2"):
        board_maker.main(["--seed", "x"])
