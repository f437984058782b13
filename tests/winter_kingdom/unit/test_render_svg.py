"""The drawn pictures: every hex, piece, card and number of a snapshot is there, for everyone's eyes, and nothing more."""

from __future__ import annotations

import builtins
import copy
import importlib
import json
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from winterkingdom_env.core.drawing import SEAT_COLOURS, channels, wrap
from winterkingdom_env.core.picture import Circle, Label, Look, Picture
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.picture import HEIGHT, HEX, WIDTH, hex_middle
from winterkingdom_env.games.winter_kingdom.picture_shapes import GROUND, GROUND_COLOURS, SYMBOLS
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES, TWISTS
from winterkingdom_env.render import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
# Machado, Oliveira and Fernandes 2009, full severity, on linear RGB.
SIGHT = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def played(n_actions: int, players: int = 4, phase: str | None = None, **options: Any) -> Any:
    """A game after so many random actions, then on to a phase."""
    game = wk.new_game(config=wk.Config(num_players=players, **options), seed=7)
    stream = Stream(7)
    while not game.is_over and (n_actions > 0 or (phase is not None and game.snapshot()["phase"] != phase)):
        legal = game.legal_actions()
        game.apply(int(legal[stream.draw(len(legal))]))
        n_actions -= 1
    return game


def labels_of(game: Any) -> list[str]:
    return [game.label(action) for action in game.legal_actions()]


def picture_of(snapshot: dict[str, Any], legal: Any = (), sheet: Any = None, viewer: int | None = None) -> Picture:
    return wk.picture(snapshot, Look(viewer, legal, sheet))


def drawn(snapshot: dict[str, Any], legal: Any = (), sheet: Any = None, viewer: int | None = None) -> str:
    return svg.render(picture_of(snapshot, legal, sheet, viewer))


def marked(picture: str, word: str) -> list[Any]:
    """Elements whose mark begins with the word."""
    return [node for node in ElementTree.fromstring(picture).iter() if node.get("class", "").split()[:1] == [word]]


def names_marked(picture: str, word: str) -> list[str]:
    """The last words of their marks: hex labels."""
    return [node.get("class").split()[-1] for node in marked(picture, word)]


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")]


@pytest.fixture(scope="module")
def game() -> Any:
    """A game in its middle."""
    return played(120, twist="Boom")


@pytest.mark.rule("docs/records.md, rendering: an SVG is complete")
def test_svg__any_position__is_well_formed_and_stands_alone(game: Any) -> None:
    for players in (2, 3, 4):
        for n_actions in (0, 40, 10_000):
            other = played(n_actions, players)
            picture = svg.render(picture_of(other.snapshot(), labels_of(other), other.score_sheet()), width=640)
            root = ElementTree.fromstring(picture)
            assert root.tag == f"{NAMESPACE}svg" and root.get("width") == "640"
            assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
            assert not any(key.endswith("href") or "url(" in text for node in root.iter() for key, text in node.items())
            assert "nan" not in picture and picture.isascii()


@pytest.mark.rule("docs/records.md, rendering: every hex is drawn")
def test_svg__hexes__are_427_with_terrain_colour_and_a_title(game: Any) -> None:
    snapshot = game.snapshot()
    nodes = marked(drawn(snapshot), "hex")
    assert len(nodes) == 427
    for node, place in zip(nodes, snapshot["hexes"], strict=True):
        assert node.get("class") == f"hex {place['hex']}" and node.get("fill") == GROUND[place["terrain"]]
        assert len(node.get("points").split()) == 6
        assert node[0].text.startswith(f"{place['hex']} {place['terrain']}")


@pytest.mark.rule("docs/turn.md, coordinates: neighbours")
def test_geometry__neighbours__are_one_hex_apart_and_no_others(game: Any) -> None:
    places = [(place["row"], place["col"]) for place in game.snapshot()["hexes"]]
    middles = np.array([hex_middle(*place) for place in places])
    distances = np.linalg.norm(middles[:, None] - middles[None], axis=-1) / HEX
    steps = {(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)}
    touching = np.array([[(a[0] - b[0], a[1] - b[1]) in steps for b in places] for a in places])
    assert np.array_equal(np.isclose(distances, 1), touching)
    assert distances[~touching & ~np.eye(427, dtype=bool)].min() > 1.7


@pytest.mark.rule("docs/records.md, rendering: seams")
def test_svg__seams__run_around_the_seven_boards(game: Any) -> None:
    boards = {(place["row"], place["col"]): place["board"] for place in game.snapshot()["hexes"]}
    steps = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    sides = [(boards[at], boards.get((at[0] + step[0], at[1] + step[1]))) for at in boards for step in steps]
    n_outer = sum(other is None for _, other in sides)
    n_inner = sum(other is not None and other != board for board, other in sides) // 2
    usual = marked(drawn(game.snapshot()), "seam")
    assert len(usual) == n_outer + n_inner
    islands = marked(drawn(played(0, twist="Archipelago").snapshot()), "seam")
    assert float(islands[0].get("stroke-width")) > float(usual[0].get("stroke-width"))


@pytest.mark.rule("docs/records.md, rendering: every piece is drawn")
def test_svg__pieces__have_shape_colour_letter_and_place(game: Any) -> None:
    snapshot = game.snapshot()
    picture = drawn(snapshot)
    for kind in ("house", "fort"):
        expected = {name: seat for seat, player in enumerate(snapshot["players"]) for name in player[f"{kind}s"]}
        nodes = marked(picture, kind)
        assert {node.get("class").split()[2]: int(node.get("class").split()[1][4:]) for node in nodes} == expected
        assert len(nodes) == len(expected) > 2
        assert all(node.get("fill") == SEAT_COLOURS[expected[node.get("class").split()[2]]] for node in nodes)
        corners = {len(node.get("points").split()) for node in nodes}
        assert corners == {7 if kind == "house" else 12}
    letters = [text for text in texts(picture) if len(text) == 1]
    for seat, player in enumerate(snapshot["players"]):
        assert letters.count("ABCD"[seat]) == len(player["forts"])
        assert letters.count("abcd"[seat]) >= len(player["houses"])


@pytest.mark.rule("docs/records.md, rendering: hexes that can be chosen")
@pytest.mark.parametrize("phase", ["before", "after", "lift", "move", "mandatory"])
def test_svg__targets__are_marked_exactly_on_legal_hexes(phase: str) -> None:
    game = played(30, phase=phase)
    legal = labels_of(game)
    expected = {label.split()[1] for label in legal if label.split()[0] in ("house", "fort", "lift")}
    picture = drawn(game.snapshot(), legal)
    names = names_marked(picture, "target")
    assert len(names) == len(set(names)) and set(names) == expected
    assert not marked(drawn(game.snapshot()), "target")
    tips = {node.get("class").split()[1]: node[0].text for node in marked(picture, "hex")}
    assert {name for name, tip in tips.items() if "can: " in tip} == expected


@pytest.mark.rule("docs/records.md, rendering: the house being moved")
def test_svg__lifted_house__is_marked() -> None:
    game = played(30, phase="move")
    snapshot = game.snapshot()
    picture = drawn(snapshot)
    assert names_marked(picture, "lifted") == [snapshot["turn"]["lifted"]]
    assert snapshot["turn"]["lifted"] in names_marked(picture, "house")
    assert any(f"lifted {snapshot['turn']['lifted']}" in text for text in texts(picture))
    snapshot["turn"]["lifted"] = None
    assert not marked(drawn(snapshot), "lifted")


@pytest.mark.rule("docs/records.md, rendering: cards in play")
def test_svg__cards_boards_and_direction__are_named(game: Any) -> None:
    snapshot = game.snapshot()
    picture = drawn(snapshot)
    told = " ".join(texts(picture))
    for name in (*snapshot["scoring"], snapshot["economy"], snapshot["twist"]):
        assert name in texts(picture)
    assert next(card.text for card in TWISTS if card.name == "Boom") in told
    top, bottom, direction = (snapshot[key] for key in ("top_board", "bottom_board", "direction"))
    assert f"Top board {top}, bottom board {bottom}, Knights along a {direction}" in told
    assert [node.get("class") for node in marked(picture, "top")] == [f"top board{top}"]
    assert [node.get("class") for node in marked(picture, "bottom")] == [f"bottom board{bottom}"]
    (arrow,) = marked(picture, "knights")
    (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in arrow.get("points").split())
    lean = {"row": (1, 0), "column": (0.5, 3**0.5 / 2), "diagonal": (-0.5, 3**0.5 / 2)}[direction]
    assert abs((x1 - x0) * lean[1] - (y1 - y0) * lean[0]) < 0.1
    assert "no twist" in texts(drawn(played(0).snapshot()))


@pytest.mark.rule("docs/records.md, rendering: players")
def test_svg__players__coins_supplies_and_cards_are_shown(game: Any) -> None:
    snapshot = game.snapshot()
    picture = drawn(snapshot)
    found = texts(picture)
    for seat, player in enumerate(snapshot["players"]):
        start = found.index(f"seat {seat}") + 1
        counts = [str(player[key]) for key in ("coins", "houses_left", "forts_left")]
        assert found[start : start + 4] == [*counts, player["terrain_card"] or "no card"]
        n_used = player["tunnel_used"] + sum(card["used"] for card in player["in_play"])
        looks = [node.get("class") for node in marked(picture, "card") if f"seat{seat}" in node.get("class")]
        assert looks.count(f"card seat{seat} used") == n_used
        assert looks.count(f"card seat{seat} in play") == len(player["in_play"]) + 1 - n_used
        assert looks.count(f"card seat{seat} in hand") == len(player["hand"])
    edge = {node.get("class"): float(node.get("stroke-width")) for node in marked(picture, "player")}
    assert max(edge, key=lambda name: edge[name]) == f"player seat{snapshot['seat']}"
    over = played(10_000)
    assert "the game is over" in texts(drawn(over.snapshot()))


@pytest.mark.rule("docs/records.md, rendering: upgraded and used cards")
def test_svg__upgraded_and_used_cards__are_told_apart(game: Any) -> None:
    snapshot = copy.deepcopy(game.snapshot())
    snapshot["players"][0]["in_play"] = [
        {"card": "Guide", "upgraded": True, "used": False, "used_halves": ["I"]},
        {"card": "Mule", "upgraded": True, "used": True, "used_halves": ["I", "II"]},
    ]
    found = texts(drawn(snapshot))
    assert "Guide+ (I used)" in found and "Mule+ (used)" in found


@pytest.mark.rule("docs/records.md, rendering: hidden hands")
def test_svg__viewer__does_not_see_the_hands_of_others() -> None:
    snapshot = played(0, players=3).snapshot()
    picture = drawn(snapshot, viewer=1)
    found = texts(picture)
    hidden = {name for seat in (0, 2) for name in snapshot["players"][seat]["hand"]}
    hidden -= set(snapshot["players"][1]["hand"])
    assert hidden and not any(name in picture for name in hidden)
    assert all(name in found for name in snapshot["players"][1]["hand"])
    assert found.count("?") == 10 + 1  # two hands, and the terrain card of seat 2: seat 0 has revealed its own
    everything = texts(drawn(snapshot))
    assert all(name in everything for player in snapshot["players"] for name in player["hand"])


@pytest.mark.rule("docs/records.md, rendering: score sheet")
def test_svg__sheet__every_number_and_total_is_there(game: Any) -> None:
    sheet = game.score_sheet()
    picture = drawn(game.snapshot(), sheet=sheet)
    numbers = [int(node.text) for node in marked(picture, "points")]
    assert numbers == [number for row in sheet for number in (*row.values(), sum(row.values()))]
    totals = [sum(row.values()) for row in sheet]
    assert texts(picture).count("*") == totals.count(max(totals))
    assert not marked(drawn(game.snapshot()), "points")


@pytest.mark.rule("docs/records.md, rendering: any text is escaped")
def test_svg__special_characters__are_escaped(game: Any) -> None:
    snapshot, name = copy.deepcopy(game.snapshot()), "<b>&\"Q'</b>"
    snapshot["economy"], snapshot["players"][0]["hand"] = name, [name]
    snapshot["phase"] = "<&>"
    picture = drawn(snapshot, legal=["use <&> I"])
    assert texts(picture).count(name) == 2
    assert "<b>" not in picture and "Can: use <&> I" in texts(picture)


@pytest.mark.rule("docs/records.md, rendering: reads only")
def test_svg__same_snapshot__same_text_and_nothing_is_changed(game: Any) -> None:
    snapshot, before, legal, sheet = game.snapshot(), game.to_bytes(), labels_of(game), game.score_sheet()
    kept = copy.deepcopy((snapshot, legal, sheet))
    first = drawn(snapshot, legal, sheet, viewer=0)
    snapshot_again, legal_again, sheet_again = json.loads(json.dumps(kept))
    assert drawn(snapshot_again, legal_again, sheet_again, viewer=0) == first
    assert (snapshot, legal, sheet) == kept and game.to_bytes() == before


@pytest.mark.rule("docs/records.md, rendering: nothing is cut off")
def test_picture__everything__lies_on_the_sheet() -> None:
    for players in (2, 4):
        for twist in ("Archipelago", "Wolves"):
            game = played(150, players, twist=twist)
            for shape in picture_of(game.snapshot(), labels_of(game), game.score_sheet()).shapes:
                if isinstance(shape, Label):
                    # 0.6 of the size for each letter is what wide fonts need on average.
                    length = 0.6 * shape.size * len(shape.text)
                    start = shape.x - length * {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
                    assert start >= 0 and start + length <= WIDTH and 0 < shape.y < HEIGHT, shape.text
                elif not isinstance(shape, Circle):
                    xs, ys = zip(*shape.points, strict=True)
                    assert min(xs) >= 0 and max(xs) <= WIDTH and min(ys) >= 0 and max(ys) <= HEIGHT


@pytest.mark.rule("docs/records.md, rendering: long texts")
def test_wrap__long_text__has_two_lines_and_dots() -> None:
    assert wrap("", 10, 100) == []
    assert wrap("a few words", 10, 100) == ["a few words"]
    lines = wrap("many words " * 30, 10, 300)
    assert len(lines) == 2 and lines[-1].endswith(" ...") and max(map(len, lines)) <= 300 / 5.7


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
def test_colours__terrains_and_seats__stay_apart_for_every_eye(sight: str) -> None:
    terrains = list(dict.fromkeys(GROUND_COLOURS))
    assert len(terrains) == 9  # tunnel, village and castle share one: their symbols differ
    for colours, least in ((terrains, 17), (list(SEAT_COLOURS), 30)):
        lab = perceived(colours, sight)
        distances = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
        assert distances[np.triu_indices(len(colours), 1)].min() > least


@pytest.mark.rule("docs/records.md, rendering: symbols")
def test_symbols__every_terrain__has_its_own() -> None:
    assert set(SYMBOLS) == set(TERRAIN_NAMES)
    assert len(set(SYMBOLS.values())) == len(TERRAIN_NAMES)


@pytest.mark.rule("docs/records.md, rendering: pixels")
@pytest.mark.parametrize("width", [1000, 700])
def test_raster__hexes_and_pieces__have_their_colours_at_their_places(game: Any, width: int) -> None:
    pytest.importorskip("PIL", reason="rendering to pixels needs Pillow")
    from winterkingdom_env.render import raster

    snapshot = game.snapshot()
    picture = raster.render(picture_of(snapshot, sheet=game.score_sheet()), width=width)
    assert picture.shape == (round(width * HEIGHT / WIDTH), width, 3) and picture.dtype == np.uint8
    scale, pieces = width / WIDTH, {}
    for seat, player in enumerate(snapshot["players"]):
        pieces.update(dict.fromkeys([*player["houses"], *player["forts"]], seat))
    for place in snapshot["hexes"]:
        x, y = (scale * at for at in hex_middle(place["row"], place["col"]))
        reach = 0.3 * HEX * scale
        patch = picture[int(y - reach) : int(y + reach) + 1, int(x - reach) : int(x + reach) + 1].astype(int)
        owner = pieces.get(place["hex"])
        colour = GROUND[place["terrain"]] if owner is None else SEAT_COLOURS[owner]
        share = (np.abs(patch - channels(colour)).max(axis=-1) <= 2).mean()
        assert share > (0.02 if place["terrain"] == "tunnel" else 0.12), place  # the rest is symbol or letter
        if place["terrain"] == "tunnel":
            assert tuple(picture[round(y), round(x)]) == (0x14, 0x16, 0x1A), place


@pytest.mark.rule("docs/records.md, rendering: pixels of one size")
def test_raster__any_position__same_size_same_pixels_each_time(game: Any) -> None:
    pytest.importorskip("PIL", reason="rendering to pixels needs Pillow")
    from winterkingdom_env.render import raster

    snapshot = game.snapshot()
    kept = copy.deepcopy(snapshot)
    first = raster.render(picture_of(snapshot, labels_of(game), game.score_sheet(), 0))
    assert (
        np.array_equal(first, raster.render(picture_of(snapshot, labels_of(game), game.score_sheet(), 0)))
        and snapshot == kept
    )
    plain = raster.render(picture_of(snapshot))
    assert plain.shape == first.shape == raster.render(picture_of(played(0, 2).snapshot())).shape
    assert (plain != first).any()
    plain[:] = 0  # the caller's own
    assert (raster.render(picture_of(snapshot)) != 0).any()


@pytest.mark.rule("docs/records.md, rendering: pixels need Pillow")
def test_raster__without_pillow__says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == "PIL":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "winterkingdom_env.render.raster", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r'pip install (-c constraints.txt -e "\.|"winterkingdom_env)\[render\]"'):
        importlib.import_module("winterkingdom_env.render.raster")
