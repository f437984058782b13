"""Drawing of a snapshot as shapes on a sheet of 1100 by 890 units. ``picture_text`` makes the text form.

Pointy-topped hexes, ``HEX`` units wide; odd rows stand half a hex to the right. All sheets have the same size, so that frames can form a
video. The panel at the right is in ``picture_panel``, the signs are in ``picture_shapes``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from math import sqrt
from typing import Any

from winterkingdom_env.core.drawing import (
    HEXAGON,
    SEAT_COLOURS,
    SEAT_LETTERS,
    box,
    draw_symbol,
    hex_verbs,
    ink_on,
    legal_summary,
    placed,
    wrap,
)
from winterkingdom_env.core.picture import Label, Line, Look, Part, Picture, Points, Polygon, Region, Shape, Spot
from winterkingdom_env.games.kingdom_builder import picture_facts as facts
from winterkingdom_env.games.kingdom_builder import picture_panel as panel
from winterkingdom_env.games.kingdom_builder import picture_shapes as signs
from winterkingdom_env.games.kingdom_builder.actions import HOUSE, LIFT, PUT_WORDS, TAKE_WORDS
from winterkingdom_env.games.kingdom_builder.layout import ISLAND_ROWS, QUADRANT_SIDE, SIDE
from winterkingdom_env.games.kingdom_builder.picture_facts import Piece, Place, place_of
from winterkingdom_env.games.kingdom_builder.picture_shapes import DARK, INK, SHEET, SOFT, Shapes
from winterkingdom_env.games.kingdom_builder.picture_text import blocks, terrains_in_play
from winterkingdom_env.games.kingdom_builder.plain import READY

WIDTH, HEIGHT = 1100, 890
HEX = 30.4
LEFT, TOP = 52.0, 44.0  # centre of r00c00
ISLAND_HEX = 26.0
ISLAND_LEFT, ISLAND_TOP = 48.0, 612.0  # centre of i0c00
LEGEND_TOP = 596.0
SHEET_TOP = 792.0
BELOW = 580.0  # where the board ends
BOARD, LOWER, SEATS = "board", "below the board", "seats"
REGIONS = (
    Region(BOARD, 0, 0, panel.PANEL - 8, BELOW),
    Region(LOWER, 0, BELOW, panel.PANEL - 8, HEIGHT - BELOW),
    Region(SEATS, panel.PANEL - 8, 0, WIDTH - panel.PANEL + 8, HEIGHT),
)
HEX_VERBS = (HOUSE, LIFT, *PUT_WORDS.values(), *TAKE_WORDS.values())
MARKS = (("caves", "cave"), ("capitols", "capitol"), ("walls", "wall"), ("scouts", "scout"))


def hex_size(place: Place) -> float:
    """The width of a hex."""
    return ISLAND_HEX if place.is_island else HEX


@cache
def hex_middle(place: Place) -> tuple[float, float]:
    """The centre of a hex on the sheet."""
    left, top = (ISLAND_LEFT, ISLAND_TOP) if place.is_island else (LEFT, TOP)
    size = hex_size(place)
    return left + size * (place.col + place.row % 2 / 2), top + size * place.row * sqrt(3) / 2


def outline(name: str) -> Points:
    """The corners of a hex."""
    place = place_of(name)
    return placed(HEXAGON, *hex_middle(place), hex_size(place))


def region_of(name: str) -> str:
    """The region of the picture in which a hex lies."""
    return LOWER if place_of(name).is_island else BOARD


# --- board ------------------------------------------------------------------------------------------------------------


class Drawn:
    """The hexes of a snapshot, with everything on them."""

    def __init__(self, snapshot: Mapping[str, Any], look: Look) -> None:
        """Look up everything once."""
        self.snapshot, self.can = snapshot, hex_verbs(look.legal)
        self.ground, self.pieces = facts.terrains(snapshot), facts.pieces_on(snapshot)
        self.blocked, self.lifted = facts.blocked(snapshot), facts.lifted(snapshot)
        self.marks = tuple((word, set(snapshot[key])) for key, word in MARKS)

    def tip(self, name: str) -> str:
        """The words about a hex."""
        snapshot, words = self.snapshot, f"{name} {self.ground[name]}"
        if name in snapshot["locations"]:
            words += f": {snapshot['locations'][name]}, {snapshot['tiles'][name]} tiles left"
        if name in snapshot["nomads"]:
            words += f": {snapshot['nomads'][name]}"
        if name in self.pieces:
            seat, kind = self.pieces[name]
            words += f": {kind} of seat {seat} ({SEAT_LETTERS[seat]})"
        for word, names in self.marks:
            if name in names:
                words += f", {word}"
        words += ", blocked by a warrior" if name in self.blocked else ""
        return f"{words}; can: {', '.join(self.can[name])}" if name in self.can else words

    def sign(self, name: str, x: float, y: float, size: float) -> Shapes:
        """What is printed on a hex or lies on it for the whole game."""
        snapshot, terrain = self.snapshot, self.ground[name]
        if terrain == "location":
            kind = snapshot["locations"][name]
            yield from signs.location(kind, snapshot["tiles"][name], x, y, size, f"location {name}")
        elif terrain == "nomad":
            yield from signs.nomad(snapshot["nomads"].get(name), x, y, size, f"nomad {name}")
        elif name in snapshot["capitols"]:
            yield from signs.capitol(x, y, size)
        else:
            yield from draw_symbol(signs.SYMBOLS[terrain], x, y, size)
        if name in snapshot["caves"]:
            yield from draw_symbol(signs.CAVE, x, y, size)

    def hex(self, name: str, tip: str) -> Shapes:
        """A hex and its sign, which a piece covers."""
        place = place_of(name)
        (x, y), size = hex_middle(place), hex_size(place)
        yield from signs.ground(self.ground[name], x, y, size, f"hex {name}", tip)
        if name not in self.pieces:
            yield from self.sign(name, x, y, size)

    def things(self, name: str, tip: str) -> Shapes:
        """What came onto a hex in play, and its marks."""
        place = place_of(name)
        (x, y), size = hex_middle(place), hex_size(place)
        for key, symbol in (("walls", signs.WALL), ("scouts", signs.SCOUT)):
            if name in self.snapshot[key]:
                yield from draw_symbol(symbol, x, y, size)
                yield Polygon(placed(HEXAGON, x, y, 0.6 * size), None, None, 1, f"{key[:-1]} {name}", tip)
        if name in self.blocked:
            yield from draw_symbol(signs.BLOCKED, x, y, size)
            yield Polygon(placed(HEXAGON, x, y, 0.6 * size), None, None, 1, f"blocked {name}", tip)
        if name in self.can:
            yield from signs.ring(x, y, size, f"target {name}")
        raised = self.raised(name)
        if raised is not None:
            yield from signs.raised(raised, x, y, size, name)
        elif name in self.pieces:
            yield from signs.piece(self.pieces[name], x, y, size, name, tip)

    def raised(self, name: str) -> Piece | None:
        """The piece that is drawn over a hex because it is being moved; None for most hexes."""
        piece = self.pieces.get(name)
        if piece is not None:
            return piece if name == self.snapshot["now"]["moving"] else None
        return self.lifted.piece if self.lifted and name == self.lifted.left else None

    def parts(self) -> Iterator[Part]:
        """All hexes, then everything that lies on them. A tip names all that is on a hex, but for a piece in the air."""
        tips = {name: self.tip(name) for name in self.ground}
        for name, tip in tips.items():
            yield Part(f"hex {name}", partial(self.hex, name, tip), tip, region_of(name))
        yield Part("seams", _seams, "", BOARD)
        for name, tip in tips.items():
            yield Part(f"on {name}", partial(self.things, name, tip), (tip, self.raised(name)), region_of(name))


@cache
def _seams() -> tuple[Shape, ...]:
    """Lines around the quadrants."""
    corners_of, lines = {}, list[Shape]()
    for row in range(SIDE):
        for col in range(SIDE):
            quadrant = 2 * (row // QUADRANT_SIDE) + col // QUADRANT_SIDE
            corners_of[row, col] = quadrant, placed(HEXAGON, *hex_middle(Place(False, row, col)), HEX)
    for (row, col), (quadrant, corners) in corners_of.items():
        right = col + row % 2
        near = (
            (row - 1, right),
            (row, col + 1),
            (row + 1, right),
            (row + 1, right - 1),
            (row, col - 1),
            (row - 1, right - 1),
        )
        for side, at in enumerate(near):
            if at not in corners_of or corners_of[at][0] < quadrant:
                ends = corners[side], corners[(side + 1) % 6]
                lines += [Line(ends, "#ffffff", 4.6), Line(ends, DARK, 2.4, "seam")]
    return tuple(lines)


def _coordinates() -> Shapes:
    for row in range(SIDE):
        x, y = hex_middle(Place(False, row, 0))
        yield Label(LEFT - 0.6 * HEX, y + 3, f"r{row:02}", 8.4, SOFT, "end")
    for col in range(SIDE):
        x, y = hex_middle(Place(False, 0, col))
        yield Label(x, y - 0.68 * HEX, f"c{col:02}", 8.4, SOFT, "middle")
        x, y = hex_middle(Place(False, SIDE - 1, col))
        yield Label(x, y + 0.92 * HEX, f"c{col:02}", 8.4, SOFT, "middle")


def _island_coordinates() -> Shapes:
    yield Label(16, ISLAND_TOP - 0.85 * ISLAND_HEX, "Island", 10, INK, bold=True)
    for row in range(ISLAND_ROWS):
        _, y = hex_middle(Place(True, row, 0))
        yield Label(ISLAND_LEFT - 0.6 * ISLAND_HEX, y + 3, f"i{row}", 8.4, SOFT, "end")


def _line_markers(lines: Sequence[Sequence[int]], is_island: bool) -> Shapes:
    """The markers of Mayors, at the right end of their lines of the main board or of the island."""
    first = SIDE if is_island else 0
    for seat, marked in enumerate(lines):
        for line in (line for line in marked if (line >= SIDE) == is_island):
            _, y = hex_middle(Place(is_island, line - first, 0))
            x = (ISLAND_LEFT + ISLAND_HEX * 10.1 if is_island else LEFT + HEX * (SIDE + 0.1)) + 8.6 * seat
            yield Polygon(box(x, y - 5, 8, 10), SEAT_COLOURS[seat], INK, 0.6, f"marker seat{seat} line{line}")
            yield Label(x + 4, y + 3, SEAT_LETTERS[seat], 8, ink_on(SEAT_COLOURS[seat]), "middle", True)


# --- below the board --------------------------------------------------------------------------------------------------


def _keys(snapshot: Mapping[str, Any]) -> list[str]:
    """What the legend explains: only what this game has."""
    keys = [name for name in terrains_in_play(snapshot) if name not in ("location", "nomad")]
    keys += ["location, 2 tiles left"] + (["nomad hex, its tile"] if "nomad" in terrains_in_play(snapshot) else [])
    keys += ["cave"] if snapshot["caves"] else []
    keys += ["capitol"] if snapshot["capitols"] else []
    keys += [facts.SETTLEMENT]
    if facts.has_units(snapshot):
        keys += [facts.WARRIOR, facts.WAGON, facts.SHIP, "city hall", "blocked by a warrior"]
    keys += ["wall"] if facts.uses_of(snapshot, "quarry") or snapshot["walls"] else []
    keys += ["scout"] if facts.uses_of(snapshot, "scout cabin") or snapshot["scouts"] else []
    return [*keys, "can be chosen", "being moved"]


def _key(name: str, seat: int, x: float, y: float) -> Shapes:
    if name in signs.SYMBOLS:
        yield from signs.signed(name, x, y, 18)
    elif name.startswith(("location", "nomad")):
        yield from signs.ground("location", x, y, 20)
        shapes = signs.location("Farm", 2, x, y, 20) if name[0] == "l" else signs.nomad("sword", x, y, 20)
        yield from shapes
    elif name == "cave":
        yield from signs.signed("mountain", x, y, 18)
        yield from draw_symbol(signs.CAVE, x, y, 18)
    elif name == "capitol":
        yield from signs.ground("castle", x, y, 20)
        yield from signs.capitol(x, y, 20)
    elif name in signs.PIECES or name == "city hall":
        yield from signs.piece(Piece(seat, facts.HALL if name == "city hall" else name), x, y, 20)
    elif name == "can be chosen":
        yield from signs.ring(x, y, 18)
    elif name == "being moved":
        yield from signs.raised(Piece(seat, facts.SETTLEMENT), x, y, 18)
    else:
        yield from draw_symbol({"wall": signs.WALL, "scout": signs.SCOUT}.get(name, signs.BLOCKED), x, y, 20)


def _legend(keys: Sequence[str], has_island: bool, seat: int) -> Shapes:
    left, per_row = (336.0, 3) if has_island else (30.0, 5)
    each = (panel.PANEL - 20 - left) / per_row
    step = 17.5 if has_island else 25.0
    for i, name in enumerate(keys):
        x, y = left + each * (i % per_row), LEGEND_TOP + 12 + step * (i // per_row)
        yield from _key(name, seat, x, y)
        yield Label(x + 14, y + 3.6, name, 9.6, INK)


def _words(told: str) -> Shapes:
    for i, line in enumerate(wrap(told, 10, panel.PANEL - 30)):
        yield Label(16, SHEET_TOP - 42 + 13 * i, line, 10, INK, mark="can")


def _board_parts(snapshot: Mapping[str, Any], look: Look) -> Iterator[Part]:
    """The boards."""
    lines = tuple(tuple(player["lines"]) for player in snapshot["seats"])
    yield from Drawn(snapshot, look).parts()
    yield Part("coordinates", _coordinates, "", BOARD)
    yield Part("line markers", partial(_line_markers, lines, False), lines, BOARD)
    if snapshot["island"]:
        yield Part("island coordinates", _island_coordinates, "", LOWER)
        yield Part("island line markers", partial(_line_markers, lines, True), lines, LOWER)


def _lower_parts(snapshot: Mapping[str, Any], look: Look) -> Iterator[Part]:
    """What is written below the board."""
    has_island, keys, seat = bool(snapshot["island"]), tuple(_keys(snapshot)), snapshot["now"]["seat"]
    yield Part("legend", partial(_legend, keys, has_island, seat), (keys, seat), LOWER)
    told = f"Can: {legal_summary(look.legal)}" if look.legal else ""
    yield Part("legal", partial(_words, told), told, LOWER)
    sheet = look.sheet or ()
    draw = partial(panel.score_sheet, sheet, 16, SHEET_TOP, panel.PANEL - 40)
    yield Part("score sheet", draw, tuple(tuple(row.items()) for row in sheet), LOWER)


def _panel_parts(snapshot: Mapping[str, Any], viewer: int | None) -> Iterator[Part]:
    """The panel, from top to bottom."""
    yield Part("status", partial(panel.status, snapshot, viewer), None, SEATS)
    cards = tuple(facts.scored_by(snapshot))
    yield Part("scoring", partial(panel.scoring, cards, 102), "", SEATS)
    yield Part("quadrants", partial(panel.quadrants, snapshot, panel.seat_top(snapshot, 0) - 8), "", SEATS)
    for seat in range(len(snapshot["seats"])):
        yield Part(f"seat {seat}", partial(panel.seat_box, snapshot, seat, viewer), None, SEATS)
    y = panel.seat_top(snapshot, len(snapshot["seats"]))
    yield Part("chip key", partial(panel.chip_key, y), "", SEATS)
    yield Part("locations", partial(panel.locations, snapshot, y + 30), bool(snapshot["nomads"]), SEATS)


def parts(snapshot: Mapping[str, Any], look: Look) -> Iterator[Part]:
    """All parts, from back to front."""
    yield Part("sheet", lambda: (Polygon(box(0, 0, WIDTH, HEIGHT), SHEET),), "")
    yield from _board_parts(snapshot, look)
    yield from _lower_parts(snapshot, look)
    yield from _panel_parts(snapshot, look.viewer)


def spots(snapshot: Mapping[str, Any], look: Look) -> Iterator[Spot]:
    """All hexes, and the tiles of the seat that is asked: one of each kind, a ready one if there is any."""
    if snapshot["now"]["phase"] == "over":
        return
    drawn, chips = Drawn(snapshot, look), dict[str, panel.Chip]()
    for name in drawn.ground:
        yield Spot(name, outline(name), HEX_VERBS, region_of(name), drawn.tip(name))
    for chip in panel.chips(snapshot, snapshot["now"]["seat"]):
        if chip.now == READY or chip.kind not in chips:
            chips[chip.kind] = chip
    for chip in chips.values():
        tip = f"{chip.kind}, {chip.now}: {facts.TILE_WORDS[chip.kind]}"
        yield Spot(chip.kind, chip.points, ("use",), SEATS, tip)


def picture(snapshot: dict[str, Any], look: Look) -> Picture:
    """The picture of a snapshot, as shapes and as text."""
    return Picture(
        f"Kingdom Builder, round {snapshot['round']}",
        WIDTH,
        HEIGHT,
        compose=lambda: parts(snapshot, look),
        write=lambda: blocks(snapshot, look),
        regions=REGIONS,
        spots=lambda: spots(snapshot, look),
    )
