"""Drawn pictures of Kingdom Builder: every hex, piece, tile, card and number of a snapshot is there."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from tests.kingdom_builder.pictures import (
    LETTER,
    STEPS,
    cells_of,
    drawn,
    every_case,
    legal_of,
    marked,
    marks_of,
    names_marked,
    new_table,
    play_on,
    played,
    sheet_of,
    with_every_piece,
    written,
)
from winterkingdom_env.core.drawing import SEAT_COLOURS, channels, hex_targets
from winterkingdom_env.core.picture import Circle, Label, Look
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.kingdom_builder import layout, picture_facts, plain, tables
from winterkingdom_env.games.kingdom_builder.actions import hex_labels
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.picture import HEIGHT, HEX, WIDTH, hex_middle, picture
from winterkingdom_env.games.kingdom_builder.picture_facts import COLOURS, place_of
from winterkingdom_env.games.kingdom_builder.picture_shapes import PIECES, SYMBOLS
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_NAMES
from winterkingdom_env.render import svg

# Machado, Oliveira and Fernandes 2009, full severity, on linear RGB.
SIGHT = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


# --- drawn ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("docs/records.md, rendering: an SVG is complete")
@every_case
@pytest.mark.parametrize("n_actions", [*STEPS, 10_000])
def test_svg__any_position__is_well_formed_and_lies_on_the_sheet(case: str, n_actions: int) -> None:
    table = played(case, n_actions)
    shown = picture(table.snapshot(), Look(None, legal_of(table) if n_actions < 10_000 else (), sheet_of(table)))
    content = svg.render(shown, width=640)
    root = ElementTree.fromstring(content)
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}" and "nan" not in content and content.isascii()
    for shape in shown.shapes:
        if isinstance(shape, Label):
            length = 0.6 * shape.size * len(shape.text)
            start = shape.x - length * {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
            assert start >= 0 and start + length <= WIDTH and 0 < shape.y < HEIGHT, shape.text
        elif not isinstance(shape, Circle):
            xs, ys = zip(*shape.points, strict=True)
            assert min(xs) >= 0 and max(xs) <= WIDTH and min(ys) >= 0 and max(ys) <= HEIGHT


@pytest.mark.rule("docs/records.md, rendering: every hex is drawn")
@every_case
def test_svg__hexes__have_terrain_colour_and_title(case: str) -> None:
    snapshot = played(case, 45).snapshot()
    ground = picture_facts.terrains(snapshot)
    island = "".join(snapshot["island"] or ())
    assert len(ground) == 400 + len(island) - island.count(".")
    nodes = marked(drawn(snapshot), "hex")
    for node, (name, terrain) in zip(nodes, ground.items(), strict=True):
        assert node.get("class") == f"hex {name}" and node.get("fill") == COLOURS[terrain]
        assert node[0].text.startswith(f"{name} {terrain}")


@pytest.mark.rule("section 2.1, neighbours")
def test_geometry__neighbours__are_one_hex_apart_and_no_others() -> None:
    names = list(hex_labels()[: layout.ISLAND_FIRST])
    middles = np.array([hex_middle(place_of(name)) for name in names])
    distances = np.linalg.norm(middles[:, None] - middles[None], axis=-1) / HEX
    touching = np.array([[other in picture_facts.neighbours(name) for other in names] for name in names])
    assert np.array_equal(np.isclose(distances, 1), touching)
    assert distances[~touching & ~np.eye(len(names), dtype=bool)].min() > 1.7


@pytest.mark.rule("docs/records.md, rendering: every piece is drawn")
def test_svg__pieces__have_kind_seat_and_place() -> None:
    snapshot = with_every_piece()
    content, pieces = drawn(snapshot), picture_facts.pieces_on(snapshot)
    assert {piece.kind for piece in pieces.values()} == set(PIECES)
    assert sum(piece.kind == "hall" for piece in pieces.values()) == 7
    found = {}
    for kind in PIECES:
        for node in marked(content, kind):
            _, seat, name = node.get("class").split()
            found[name] = (int(seat[4:]), kind)
            assert node.get("fill") == SEAT_COLOURS[int(seat[4:])]
    assert found == pieces
    assert len(set(PIECES.values())) == len(PIECES)


@pytest.mark.rule("docs/records.md, rendering: walls, scouts, markers")
def test_svg__walls_scouts_and_line_markers__are_marked() -> None:
    snapshot = with_every_piece()
    content = drawn(snapshot)
    assert names_marked(content, "wall") == set(snapshot["walls"])
    assert names_marked(content, "scout") == set(snapshot["scouts"])
    expected = [["seat0", "line0"], ["seat0", "line4"], ["seat0", "line21"]]
    assert marks_of(content, "marker") == expected
    (extras,) = marked(content, "extras")
    assert "3 tokens, 2 due" in extras.text


@pytest.mark.rule("section 3.1, blocked hexes")
def test_blocked__hexes_next_to_warriors__are_those_of_the_kernel() -> None:
    table, stream, n_found = new_table("crossroads"), Stream(3), 0
    while table.game["phase"] != Phase.OVER:
        play_on(table, stream)
        snapshot = table.snapshot()
        if not any(player["warriors"] for player in snapshot["seats"]):
            continue
        blocked = set(plain.cells_to_labels(table.game["blocked"][0]))
        taken = set(plain.cells_to_labels(table.game["taken"][0]))
        ground = picture_facts.terrains(snapshot)
        expected = {name for name in blocked - taken if not LETTER[ground[name]].isupper()}
        assert picture_facts.blocked(snapshot) == expected
        n_found += len(expected)
    assert n_found
    snapshot = with_every_piece()
    assert names_marked(drawn(snapshot), "blocked") == picture_facts.blocked(snapshot) != set()


@pytest.mark.rule("docs/records.md, rendering: hexes that can be chosen")
@every_case
def test_targets__are_marked_exactly_on_legal_hexes(case: str) -> None:
    table, stream, n_island = new_table(case), Stream(3), 0
    for step in range(90):
        legal = legal_of(table)
        if step % 9 == 0:
            expected = {name for names in hex_targets(legal).values() for name in names}
            snapshot = table.snapshot()
            content, cells = drawn(snapshot, legal), cells_of(written(snapshot, legal))
            assert names_marked(content, "target") == expected
            units = {name for name, piece in picture_facts.pieces_on(snapshot).items() if piece.kind != "settlement"}
            assert {name for name, cell in cells.items() if "*" in cell} == {
                name for name in expected - units if name[0] == "r"
            }
            n_island += sum(name[0] == "i" for name in expected)
        play_on(table, stream)
    assert (case == "everything") == (n_island > 0)


@pytest.mark.rule("docs/records.md, rendering: the piece being moved")
def test_lifted_piece__is_marked_on_the_hex_that_it_left() -> None:
    table = played("nomads", 20, ("move",))
    snapshot = table.snapshot()
    kind, name = snapshot["now"]["lifted"]
    assert names_marked(drawn(snapshot), "lifted") == {name}
    assert f"lifted {name}" in " ".join(written(snapshot).split()) and cells_of(written(snapshot))[name][0] == "^"
    assert kind in picture_facts.asked(snapshot)
    snapshot["now"]["lifted"] = None
    assert not marked(drawn(snapshot), "lifted")


@pytest.mark.rule("docs/records.md, rendering: tiles on the board")
@every_case
def test_locations_and_nomads__show_kind_and_tiles_left(case: str) -> None:
    snapshot = played(case, 120).snapshot()
    content = drawn(snapshot)
    shown = {node.get("class").split()[1]: node.text for node in marked(content, "location")}
    assert shown == {name: picture_facts.short_name(kind) for name, kind in snapshot["locations"].items()}
    legend = 2
    assert len(marked(content, "tile")) == sum(snapshot["tiles"].values()) + legend
    shown = {node.get("class").split()[1]: node.text for node in marked(content, "nomad")}
    assert shown == {name: picture_facts.short_name(kind) for name, kind in snapshot["nomads"].items()}
    letters, cells = picture_facts.location_letters(snapshot), cells_of(written(snapshot))
    assert len(set(letters.values())) == len(letters)
    for name, kind in snapshot["locations"].items():
        if name[0] == "r":
            assert cells[name] == f"{letters[kind]}{snapshot['tiles'][name]}"
    assert all(cells[name][0] == "N" for name in snapshot["nomads"])


@pytest.mark.rule("docs/records.md, rendering: short names")
def test_short_names__every_tile__has_its_own() -> None:
    assert len({picture_facts.short_name(name) for name in tables.TILE_NAMES}) == len(tables.TILE_NAMES)
    nomads = tables.TILE_NAMES[layout.FIRST_NOMAD :]
    assert len({picture_facts.nomad_letter(name) for name in nomads}) == len(nomads)
    assert set(tables.TILE_NAMES) <= set(picture_facts.TILE_WORDS)


@pytest.mark.rule("docs/records.md, rendering: players")
def test_seats__gold_supplies_and_tiles_with_their_state__are_shown() -> None:
    snapshot = with_every_piece()
    content = drawn(snapshot)
    for seat, player in enumerate(snapshot["seats"]):
        assert [node.text for node in marked(content, "gold") if f"seat{seat}" in node.get("class")] == [
            str(player["gold"])
        ]
        states = [words[1] for words in marks_of(content, "chip") if words[0] == f"seat{seat}"]
        assert states == [now for _, now in picture_facts.tiles_of(player)]
    edge = {node.get("class"): float(node.get("stroke-width")) for node in marked(content, "player")}
    assert max(edge, key=lambda name: edge[name]) == f"player seat{snapshot['now']['seat']}"
    told = " ".join(written(snapshot).split())
    assert "farm+" in told and "(tower)" in told and "oasis" in told and "(sword)" in told


@pytest.mark.rule("docs/records.md, rendering: score sheet")
def test_score_sheet__every_number_and_total_is_there() -> None:
    table = played("everything", 120)
    sheet = sheet_of(table)
    content = drawn(table.snapshot(), sheet=sheet)
    numbers = [int(node.text) for node in marked(content, "points")]
    assert numbers == [number for row in sheet for number in (*row.values(), sum(row.values()))]
    assert not marked(drawn(table.snapshot()), "points")


@pytest.mark.rule("docs/records.md, rendering: cards in play")
def test_scoring__cards_and_tasks__are_named_with_their_gold() -> None:
    snapshot = played("crossroads", 45).snapshot()
    told = " ".join(written(snapshot).split())
    for kind, name, words in picture_facts.scored_by(snapshot):
        assert f"{kind} {name} {words}" in told and words[0].isdigit()
    names = [node.text for kind in ("scoring", "task") for node in marked(drawn(snapshot), kind)]
    assert names == [*snapshot["scoring"], *snapshot["tasks"]] and snapshot["tasks"]
    card = snapshot["scoring"][0]
    changed = picture_facts.scored_by(snapshot | {"house_rules": f"[scoring.{card}]\ngold = 17\n"})
    assert changed[0][2].startswith("17 gold per ") and changed[0][2].endswith("[house rules: gold 17]")


def perceived(colours: list[str], sight: str) -> np.ndarray:
    """CIELAB as seen by such eyes."""
    rgb = np.array([channels(colour) for colour in colours]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(SIGHT[sight]).T, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = seen @ to_xyz.T / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=-1)


@pytest.mark.rule("docs/records.md, rendering: colours for every eye")
@pytest.mark.parametrize("sight", SIGHT)
def test_colours__terrains__stay_apart_for_every_eye(sight: str) -> None:
    terrains = list(dict.fromkeys(COLOURS.values()))
    assert len(terrains) == 10  # special hexes share one: their signs differ
    lab = perceived(terrains, sight)
    distances = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
    assert distances[np.triu_indices(len(terrains), 1)].min() > 20
    assert set(SYMBOLS) == set(TERRAIN_NAMES) and len(set(SYMBOLS.values())) == len(SYMBOLS)


@pytest.mark.rule("docs/records.md, rendering: pixels")
def test_raster__hexes__have_their_colours_at_their_places() -> None:
    pytest.importorskip("PIL", reason="rendering to pixels needs Pillow")
    from winterkingdom_env.render import raster

    snapshot = played("everything", 45).snapshot()
    pixels = raster.render(picture(snapshot, Look()), WIDTH)
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    pieces = picture_facts.pieces_on(snapshot)
    for name, terrain in picture_facts.terrains(snapshot).items():
        x, y = hex_middle(place_of(name))
        if terrain in ("grass", "water", "desert") and name not in pieces and name not in snapshot["walls"]:
            assert tuple(pixels[round(y + 0.33 * HEX), round(x)]) == channels(COLOURS[terrain]), name
