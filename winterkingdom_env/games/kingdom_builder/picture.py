"""Drawing of a snapshot as shapes on a sheet of 1100 by 890 units. ``picture_text`` makes the text form.

Pointy-topped hexes, ``HEX`` units wide; odd rows stand half a hex to the right. All sheets have the same size, so that frames can form a
video. The panel at the right is in ``picture_panel``, the signs are in ``picture_shapes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from winterkingdom_env.core.drawing import (
    HEXAGON,
    SEAT_COLOURS,
    SEAT_LETTERS,
    box,
    draw_symbol,
    ink_on,
    legal_summary,
    placed,
    wrap,
)
from winterkingdom_env.core.picture import Label, Line, Look, Picture, Polygon, Shape
from winterkingdom_env.games.kingdom_builder import picture_facts as facts
from winterkingdom_env.games.kingdom_builder import picture_panel as panel
from winterkingdom_env.games.kingdom_builder import picture_shapes as signs
from winterkingdom_env.games.kingdom_builder.layout import ISLAND_ROWS, QUADRANT_SIDE, SIDE
from winterkingdom_env.games.kingdom_builder.picture_facts import Piece, Place, place_of
from winterkingdom_env.games.kingdom_builder.picture_shapes import DARK, INK, SHEET, SOFT, Shapes
from winterkingdom_env.games.kingdom_builder.picture_text import blocks, terrains_in_play

WIDTH, HEIGHT = 1100, 890
HEX = 30.4
LEFT, TOP = 52.0, 44.0  # centre of r00c00
ISLAND_HEX = 26.0
ISLAND_LEFT, ISLAND_TOP = 48.0, 612.0  # centre of i0c00
LEGEND_TOP = 596.0
SHEET_TOP = 792.0


def hex_size(place: Place) -> float:
    """The width of a hex."""
    return ISLAND_HEX if place.is_island else HEX


def hex_middle(place: Place) -> tuple[float, float]:
    """The centre of a hex on the sheet."""
    left, top = (ISLAND_LEFT, ISLAND_TOP) if place.is_island else (LEFT, TOP)
    size = hex_size(place)
    return left + size * (place.col + place.row % 2 / 2), top + size * place.row * sqrt(3) / 2


# --- board ------------------------------------------------------------------------------------------------------------


class Drawn:
    """The hexes of a snapshot, with everything on them."""

    def __init__(self, snapshot: Mapping[str, Any], look: Look) -> None:
        """Look up everything once."""
        self.snapshot, self.can = snapshot, facts.aims(look.legal)
        self.ground, self.pieces = facts.terrains(snapshot), facts.pieces_on(snapshot)
        self.blocked, self.lifted = facts.blocked(snapshot), facts.lifted(snapshot)

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
        marks = (("caves", "cave"), ("capitols", "capitol"), ("walls", "wall"), ("scouts", "scout"))
        words += "".join(f", {word}" for key, word in marks if name in snapshot[key])
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

    def things(self, name: str, x: float, y: float, size: float, tip: str) -> Shapes:
        """What came onto a hex in play, and its marks."""
        for key, symbol in (("walls", signs.WALL), ("scouts", signs.SCOUT)):
            if name in self.snapshot[key]:
                yield from draw_symbol(symbol, x, y, size)
                yield Polygon(placed(HEXAGON, x, y, 0.6 * size), None, None, 1, f"{key[:-1]} {name}", tip)
        if name in self.blocked:
            yield from draw_symbol(signs.BLOCKED, x, y, size)
            yield Polygon(placed(HEXAGON, x, y, 0.6 * size), None, None, 1, f"blocked {name}", tip)
        if name in self.can:
            yield from signs.ring(x, y, size, f"target {name}")
        if name in self.pieces:
            if name == self.snapshot["now"]["moving"]:
                yield from signs.raised(self.pieces[name], x, y, size, name)
            else:
                yield from signs.piece(self.pieces[name], x, y, size, name, tip)
        elif self.lifted and name == self.lifted.left:
            yield from signs.raised(self.lifted.piece, x, y, size, name)

    def shapes(self) -> Shapes:
        """All hexes, then everything that lies on them."""
        top: list[Shape] = []
        for name, terrain in self.ground.items():
            place = place_of(name)
            (x, y), size, tip = hex_middle(place), hex_size(place), self.tip(name)
            yield from signs.ground(terrain, x, y, size, f"hex {name}", tip)
            if name not in self.pieces:
                yield from self.sign(name, x, y, size)
            top += self.things(name, x, y, size, tip)
        yield from _seams()
        yield from top


def _seams() -> Shapes:
    """Lines around the quadrants."""
    corners_of = {}
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
                yield Line(ends, "#ffffff", 4.6)
                yield Line(ends, DARK, 2.4, "seam")


def _coordinates(snapshot: Mapping[str, Any]) -> Shapes:
    for row in range(SIDE):
        x, y = hex_middle(Place(False, row, 0))
        yield Label(LEFT - 0.6 * HEX, y + 3, f"r{row:02}", 8.4, SOFT, "end")
    for col in range(SIDE):
        x, y = hex_middle(Place(False, 0, col))
        yield Label(x, y - 0.68 * HEX, f"c{col:02}", 8.4, SOFT, "middle")
        x, y = hex_middle(Place(False, SIDE - 1, col))
        yield Label(x, y + 0.92 * HEX, f"c{col:02}", 8.4, SOFT, "middle")
    if snapshot["island"]:
        yield Label(16, ISLAND_TOP - 0.85 * ISLAND_HEX, "Island", 10, INK, bold=True)
        for row in range(ISLAND_ROWS):
            _, y = hex_middle(Place(True, row, 0))
            yield Label(ISLAND_LEFT - 0.6 * ISLAND_HEX, y + 3, f"i{row}", 8.4, SOFT, "end")


def _line_markers(snapshot: Mapping[str, Any]) -> Shapes:
    """The markers of Mayors, at the right end of their lines."""
    for seat, player in enumerate(snapshot["seats"]):
        for line in player["lines"]:
            place = Place(False, line, SIDE) if line < SIDE else Place(True, line - SIDE, 10)
            _, y = hex_middle(place)
            x = (LEFT + HEX * (SIDE + 0.1) if line < SIDE else ISLAND_LEFT + ISLAND_HEX * 10.1) + 8.6 * seat
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


def _legend(snapshot: Mapping[str, Any]) -> Shapes:
    left, per_row = (336.0, 3) if snapshot["island"] else (30.0, 5)
    each = (panel.PANEL - 20 - left) / per_row
    step = 17.5 if snapshot["island"] else 25.0
    for i, name in enumerate(_keys(snapshot)):
        x, y = left + each * (i % per_row), LEGEND_TOP + 12 + step * (i // per_row)
        yield from _key(name, snapshot["now"]["seat"], x, y)
        yield Label(x + 14, y + 3.6, name, 9.6, INK)


def _below(look: Look) -> Shapes:
    told = f"Can: {legal_summary(look.legal)}" if look.legal else ""
    for i, line in enumerate(wrap(told, 10, panel.PANEL - 30)):
        yield Label(16, SHEET_TOP - 42 + 13 * i, line, 10, INK, mark="can")
    if look.sheet:
        yield from panel.score_sheet(look.sheet, 16, SHEET_TOP, panel.PANEL - 40)


def _panel(snapshot: Mapping[str, Any], viewer: int | None) -> Shapes:
    yield from panel.status(snapshot, viewer)
    yield from panel.scoring(snapshot, 102)
    y = 104.0 + panel.CARD_HEIGHT * len(facts.scored_by(snapshot))
    names = facts.quadrant_names(snapshot)
    told = f"Quadrants: {', '.join(names[:2])} / {', '.join(names[2:])}"
    yield panel.fitting(told, panel.PANEL + 2, y + 10, 8.6)
    y += 18
    for seat in range(len(snapshot["seats"])):
        yield from panel.seat_box(snapshot, seat, viewer, y + panel.SEAT_HEIGHT * seat)
    y += panel.SEAT_HEIGHT * len(snapshot["seats"])
    yield from panel.chip_key(y)
    yield from panel.locations(snapshot, y + 30)


def shapes(snapshot: Mapping[str, Any], look: Look) -> Shapes:
    """All shapes, from back to front."""
    yield Polygon(box(0, 0, WIDTH, HEIGHT), SHEET)
    yield from Drawn(snapshot, look).shapes()
    for part in (_coordinates, _line_markers, _legend):
        yield from part(snapshot)
    yield from _below(look)
    yield from _panel(snapshot, look.viewer)


def picture(snapshot: dict[str, Any], look: Look) -> Picture:
    """The picture of a snapshot, as shapes and as text."""
    return Picture(
        f"Kingdom Builder, round {snapshot['round']}",
        WIDTH,
        HEIGHT,
        draw=lambda: shapes(snapshot, look),
        write=lambda: blocks(snapshot, look),
    )
