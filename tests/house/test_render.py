"""Pictures, written once for all games: any picture in every form, and every registered game in every mode."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.house.games import NAMES, random_game
from winterkingdom_env.core.drawing import (
    DIM,
    HEAD,
    box,
    hex_targets,
    legal_summary,
    score_table,
    seat_words,
    style_on,
    text_picture,
)
from winterkingdom_env.core.picture import (
    Beside,
    Block,
    CardTable,
    Circle,
    Column,
    HexCell,
    HexMap,
    Label,
    Line,
    Lines,
    Look,
    Part,
    Picture,
    Polygon,
    Shape,
    Span,
    Table,
)
from winterkingdom_env.envs.common import RENDER_MODES, render
from winterkingdom_env.games import get_game
from winterkingdom_env.render import picture_of, svg, text

NAMESPACE = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("name", NAMES)

# --- a picture of no registered game: piles of cards, no board --------------------------------------------------------

PILES = (("Copper", 46, "#d8c27a"), ("Village", 10, "#efe9dc"), ("<Curse> & [b]", 0, "#7a5aa8"))
HANDS = (("Copper", "Copper", "Village"), ("Estate",))


def pile_shapes() -> Iterator[Shape]:
    yield Polygon(box(0, 0, 300, 160), "#e4eaf0")
    for i, (name, count, colour) in enumerate(PILES):
        x = 10.0 + 95 * i
        yield Polygon(box(x, 10, 80, 110), colour, "#17202a", 2, f"pile{i}", f"{name}: {count} left")
        yield Label(x + 40, 70, name, 11, "#000000", "middle", True)
        yield Circle(x + 66, 106, 9, "#ffffff", f"count{i}")
        yield Label(x + 66, 110, str(count), 10, "#000000", "middle")
        if not count:
            yield Line(((x, 10), (x + 80, 120)), "#c0392b", 3, "empty")


def pile_blocks(look: Look) -> Iterator[Block]:
    yield Lines((Span("turn 3, seat 0 to move", HEAD), ""))
    parts = []
    for name, count, colour in PILES:
        parts.append(Lines((Span(f" {name} ", style_on(colour)), (Span("left ", DIM), Span(str(count))))))
    yield Beside(tuple(parts), most=3)
    rows = []
    for seat, hand in enumerate(HANDS):
        is_open = look.viewer in (None, seat)
        rows.append((seat_words(seat), ", ".join(hand) if is_open else f"{len(hand)} cards"))
    yield Table((Column("seat"), Column("hand", wraps=True)), tuple(rows))
    if look.legal:
        yield Lines((f"can: {legal_summary(look.legal)}",))
    if look.sheet is not None:
        yield score_table(look.sheet, [1], look.agents)


def piles(look: Look | None = None) -> Picture:
    seen = look or Look()
    return Picture("Piles <& more>", 300, 160, lambda: (Part("piles", pile_shapes),), lambda: pile_blocks(seen))


def test_svg__any_shapes__are_all_there_with_marks_tips_and_title() -> None:
    drawn = svg.render(piles(), width=600)
    root = ElementTree.fromstring(drawn)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("600", "320", "0 0 300 160")
    assert root.findtext(f"{NAMESPACE}title") == "Piles <& more>"
    kinds = [node.tag.removeprefix(NAMESPACE) for node in root.iter()]
    assert [kinds.count(kind) for kind in ("polygon", "circle", "polyline", "text")] == [4, 3, 1, 6]
    tips = [node.findtext(f"{NAMESPACE}title") for node in root.iter(f"{NAMESPACE}polygon")]
    assert tips == [None, *(f"{name}: {count} left" for name, count, _ in PILES)]
    assert [node.text for node in root.iter(f"{NAMESPACE}text")][::2] == [name for name, _, _ in PILES]
    assert svg.render(piles()) != drawn and 'width="300"' in svg.render(piles())


def test_raster__any_shapes__have_their_colours_at_their_places() -> None:
    pytest.importorskip("PIL", reason="rendering to pixels needs Pillow")
    from winterkingdom_env.render import raster

    for width in (300, 450):
        pixels = raster.render(piles(), width)
        scale = width / 300
        assert pixels.shape == (round(160 * scale), width, 3) and pixels.dtype == np.uint8
        for i, (_, _, colour) in enumerate(PILES):
            found = pixels[round(25 * scale), round((80 + 95 * i) * scale)]
            assert "#" + "".join(f"{channel:02x}" for channel in found) == colour
    assert raster.render(piles()).shape == (160, 300, 3)


def test_text__any_blocks__plain_and_coloured_say_the_same() -> None:
    look = Look(0, ["play Village", "buy Copper"], [{"Copper": 0}, {"Copper": -2}], ["first", "second"])
    plain, coloured = (text.render(piles(look), colour) for colour in (False, True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).replace("\u2500", "-").split() == plain.split()
    lines = [line.rstrip() for line in plain.splitlines()]
    assert lines[0] == "turn 3, seat 0 to move"
    assert lines[2:4] == [" Copper    Village    <Curse> & [b]", "left 46   left 10    left 0"]
    rows = [line.split() for line in lines]
    assert ["0", "a", "Copper,", "Copper,", "Village"] in rows and ["1", "b", "1", "cards"] in rows
    assert "can: play Village, buy Copper" in lines
    assert ["1", "b", "second", "-2", "-2", "*"] in rows and ["0", "a", "first", "0", "0"] in rows
    assert "Estate" not in plain and "Estate" in text.render(piles())


def test_text__blocks_beside_each_other__go_below_where_the_width_ends() -> None:
    many = [Beside(tuple(Lines((f"{i:>30}", "")) for i in range(6)), most=most) for most in (2, 6)]
    starts = [
        [line.split() for line in text.to_text(text.view([block]), colour=False).splitlines() if line.strip()]
        for block in many
    ]
    assert starts == [[["0", "1"], ["2", "3"], ["4", "5"]], [["0", "1", "2"], ["3", "4", "5"]]]  # 3 x 30 of 100 columns


def test_text__hex_map__neighbours_stand_next_to_each_other() -> None:
    # The six around (1, 1), and a hole in its middle.
    around = ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    cells = tuple(HexCell(row, col, f" {row + col}") for row, col in around)
    shown = text.to_text(text.view([HexMap(cells)]), colour=False).splitlines()
    assert shown == [" r00c01  1 2 c02", "r01c00  1   3 c02", " r02c00  2 3 c01"]


@pytest.mark.parametrize(
    ("labels", "n_named", "expected"),
    [
        ([], 0, ""),
        (["buy Copper", "end turn"], 0, "buy Copper, end turn"),
        (["place r03c11", "place r12c07", "end turn"], 0, "place on 2 hexes, end turn"),
        (["place r03c11", "place r12c07"], 2, "place r03c11 r12c07"),
        (["place r03c11", "place r12c07"], 1, "place r03c11, on 2 hexes in all"),
        (["move house r03c11"], 0, "move house r03c11"),
    ],
)
def test_legal_summary__counts_hexes_and_names_the_rest(labels: list[str], n_named: int, expected: str) -> None:
    assert legal_summary(labels, n_named) == expected
    assert sum(map(len, hex_targets(labels).values())) == sum(label.startswith("place ") for label in labels)


def test_text_picture__says_the_same_as_text_and_as_shapes() -> None:
    look = Look(0, ["bid 3", "pass"], [{"won": 4}, {"won": -2}])
    picture = text_picture("Bids", ["the pot holds 7", "word " * 60], look, best=[0], n_lines=8)
    drawn = " ".join(shape.text for shape in picture.shapes if isinstance(shape, Label))
    written = text.render(picture, colour=False)
    for words in ("Bids", "the pot holds 7", "can: bid 3, pass"):
        assert words in drawn and words in written
    assert "1 (b): won -2, total -2" in drawn and "0 (a): won 4, total 4 *" in drawn
    assert ["1", "b", "-2", "-2"] in [line.split() for line in written.splitlines()]
    longer = text_picture("Bids", ["line"] * 20, look, n_lines=8)
    assert (longer.width, longer.height) == (picture.width, picture.height)
    assert all(shape.y <= longer.height for shape in longer.shapes if isinstance(shape, Label))
    assert text.render(longer, colour=False).count("line") == 20


# --- every registered game --------------------------------------------------------------------------------------------


def positions(name: str, n_seeds: int = 4, n_each: int = 4) -> Iterator[tuple[int, Any]]:
    """About so many positions of each of some random games, the first and the last included."""
    for seed in range(n_seeds):
        played = [game.clone() for game in random_game(get_game(name), seed)]
        every = max(1, len(played) // n_each)
        for step, game in enumerate(played):
            if step % every == 0 or game.is_over:
                yield seed, game


@every_game
def test_game__every_mode_and_viewer__is_drawn(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL", reason="rendering to pixels needs Pillow")
    sizes: set[tuple[int, ...]] = set()
    n_over = n_pictures = 0
    for _, game in positions(name):
        before, n_over = game.to_bytes(), n_over + game.is_over
        for viewer in (None, *range(game.n_players)):
            pictures = {mode: render(game, mode, viewer) for mode in RENDER_MODES}
            assert pictures["human"] is None and capsys.readouterr().out.strip()
            assert pictures["ansi"].isascii() and max(map(len, pictures["ansi"].splitlines())) <= text.WIDTH
            root = ElementTree.fromstring(pictures["svg"])
            assert root.tag == f"{NAMESPACE}svg" and root.findtext(f"{NAMESPACE}title")
            assert not re.search(r"\b(nan|inf)\b", pictures["svg"])
            assert pictures["rgb_array"].dtype == np.uint8 and len(np.unique(pictures["rgb_array"])) > 2
            sizes.add(pictures["rgb_array"].shape)
            n_pictures += 1
        assert game.to_bytes() == before, "a picture changed the game"
    assert len(sizes) == 1, "frames of one size make a film"
    assert n_over >= 4 and n_pictures > 30


@every_game
def test_game__shapes__lie_on_the_sheet(name: str) -> None:
    for _, game in positions(name):
        legal = [game.label(action) for action in game.legal_actions()]
        picture = picture_of(game, Look(legal=legal, sheet=game.score_sheet()))
        assert picture.title and picture.shapes and picture.blocks
        for shape in picture.shapes:
            corners = ((shape.x, shape.y),) if isinstance(shape, Circle | Label) else shape.points
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in corners), shape


@every_game
def test_game__viewer__is_shown_nothing_that_is_hidden_from_it(name: str) -> None:
    """Games that look the same to a seat are the same picture to it, in all forms, and different ones to somebody who sees all."""
    n = n_different = 0
    for seed, game in positions(name):
        dice = random.Random(seed)
        for seat in range(game.n_players):
            twins = [game.determinize(seat, dice.getrandbits(60)) for _ in range(2)]
            shown = [picture_of(each, Look(seat, sheet=game.score_sheet())) for each in (game, *twins)]
            assert len({svg.render(picture) for picture in shown}) == 1, f"seed {seed}, seat {seat} of {game}"
            assert len({text.render(picture, colour=False) for picture in shown}) == 1
            assert len({picture.title for picture in shown}) == 1
            n_different += len({svg.render(picture_of(each)) for each in (game, *twins)}) > 1
            n += 1
    assert n >= 40 and n_different > 0.6 * n, "nothing was hidden, so nothing was tested"


@every_game
def test_game__own_hand_and_legal_actions__change_what_is_shown(name: str) -> None:
    game = next(random_game(get_game(name), 0))
    legal = [game.label(action) for action in game.legal_actions()]
    looks = [Look(), Look(0), Look(1), Look(legal=legal), Look(sheet=game.score_sheet())]
    assert len({svg.render(picture_of(game, look)) for look in looks}) == len(looks)
    looks.append(Look(sheet=game.score_sheet(), agents=["someone"] * game.n_players))
    assert len({text.render(picture_of(game, look)) for look in looks}) == len(looks)


@every_game
def test_game__cards__every_kind_has_a_table_and_rows(name: str) -> None:
    tables: tuple[CardTable, ...] = get_game(name).cards()
    kinds = [table.kind for table in tables]
    assert len(set(kinds)) == len(kinds)
    for table in tables:
        shown = text.to_text(text.view([table.table]), colour=False)
        assert max(map(len, shown.splitlines())) <= text.WIDTH
        assert all(len(row) == len(table.table.columns) for row in table.table.rows)
        for row in table.rows:
            assert row["kind"] == table.kind and row["name"] in shown
