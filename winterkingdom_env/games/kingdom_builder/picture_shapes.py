"""The signs of drawn pictures: terrains, special hexes, pieces and marks. Nothing is shown by colour alone."""

from __future__ import annotations

from collections.abc import Iterator

from winterkingdom_env.core.drawing import (
    HEXAGON,
    SEAT_COLOURS,
    SEAT_LETTERS,
    Symbol,
    box,
    draw_symbol,
    ink_on,
    parse_points,
    placed,
)
from winterkingdom_env.core.picture import Circle, Label, Line, Polygon, Shape
from winterkingdom_env.games.kingdom_builder.picture_facts import (
    COLOURS,
    DONATION,
    HALL,
    PLACE,
    SETTLEMENT,
    SHIP,
    WAGON,
    WARRIOR,
    Piece,
    short_name,
)

Shapes = Iterator[Shape]

SHEET, CARD, DARK, INK, SOFT, FAINT, RULE = "#e4eaf0", "#ffffff", "#22303f", "#17202a", "#4c5a68", "#8793a0", "#c3ced9"
EDGE, TARGET, GOLD, STONE = "#6c7884", "#4df6ff", "#f6c945", "#55504a"

# fmt: off
SYMBOLS: dict[str, Symbol] = {
    "grass": (("line", "#3d7a1e", "-.24,-.12 -.15,.06 -.13,-.18 | -.15,.06 -.04,-.1 | .05,.02 .13,.2 .15,-.04 | .13,.2 .25,.04"),),
    "flower": (("dot", "#ffffff", "-.11,0 .09,0 | .11,0 .09,0 | 0,-.11 .09,0 | 0,.11 .09,0"), ("dot", "#8c2a64", "0,0 .075,0")),
    "forest": (("fill", "#74b48f", "-.13,-.3 -.28,-.04 -.2,-.04 -.32,.18 .06,.18 -.06,-.04 .02,-.04"), ("fill", "#4e9470", ".17,-.16 .06,.04 .12,.04 .03,.22 .31,.22 .22,.04 .28,.04")),
    "canyon": (("fill", "#c9976b", "-.28,.12 -.22,-.02 -.09,-.05 -.02,.06 -.05,.14 | -.08,-.1 -.03,-.21 .1,-.22 .17,-.12 .12,-.07"), ("fill", "#b98352", ".02,.17 .07,.03 .2,.01 .28,.11 .25,.18")),
    "desert": (("dot", "#6e4c06", "-.2,-.1 .035,0 | .02,-.18 .035,0 | .2,-.06 .035,0 | -.08,.04 .035,0 | .1,.14 .035,0 | -.2,.18 .035,0"),),
    "swamp": (("line", "#173f22", "-.14,.2 -.14,-.16 | .04,.2 .04,-.24 | .2,.2 .2,-.1 | -.28,.2 .3,.2"), ("fill", "#173f22", "-.19,-.1 -.14,-.26 -.09,-.1 | -.01,-.18 .04,-.34 .09,-.18 | .15,-.04 .2,-.2 .25,-.04")),
    "farmland": (("line", "#8a5a00", "-.28,-.12 -.06,-.24 | -.3,.06 .14,-.2 | -.22,.2 .28,-.1 | .02,.24 .3,.08"),),
    "water": (("line", "#ffffff", "-.28,-.08 -.18,-.16 -.06,-.06 .06,-.16 .18,-.06 .28,-.14 | -.24,.14 -.14,.06 -.02,.16 .1,.06 .24,.16"),),
    "mountain": (("fill", "#2d2136", "-.4,.24 -.12,-.3 .05,0 .15,-.14 .39,.24"), ("fill", "#ffffff", "-.12,-.3 -.23,-.08 -.15,-.12 -.1,-.05 -.05,-.11 0,-.08 | .15,-.14 .09,-.05 .15,-.03 .22,-.02")),
    "castle": (("fill", "#4a2c86", "-.39,.28 -.39,-.15 -.33,-.15 -.33,-.08 -.28,-.08 -.28,-.15 -.22,-.15 -.22,0 -.15,0 -.15,-.26 -.09,-.26 -.09,-.18 -.03,-.18 -.03,-.26 "
                                   ".03,-.26 .03,-.18 .09,-.18 .09,-.26 .15,-.26 .15,0 .22,0 .22,-.15 .28,-.15 .28,-.08 .33,-.08 .33,-.15 .39,-.15 .39,.28"),
               ("fill", PLACE, "-.08,.28 -.08,.12 0,.05 .08,.12 .08,.28"), ("fill", "#c0392b", "-.02,-.26 -.02,-.44 .18,-.38 .02,-.32 .02,-.26")),
    "location": (("line", "#8a6a10", "0,-.46 .4,-.23 .4,.23 0,.46 -.4,.23 -.4,-.23 0,-.46"),),
    "nomad": (("fill", "#a8321f", "0,-.46 .2,-.14 -.2,-.14"), ("fill", PLACE, "0,-.3 .06,-.14 -.06,-.14")),
    "palace": (("fill", "#7a2048", "-.38,.28 -.38,-.02 .38,-.02 .38,.28"), ("fill", "#d9a520", "-.26,-.02 -.2,-.2 0,-.32 .2,-.2 .26,-.02"), ("line", "#7a2048", "0,-.32 0,-.44"),
               ("fill", PLACE, "-.28,.28 -.28,.08 -.18,.08 -.18,.28 | -.05,.28 -.05,.08 .05,.08 .05,.28 | .18,.28 .18,.08 .28,.08 .28,.28")),
    "silo": (("fill", "#8a3b1e", "-.28,.3 -.28,-.12 -.02,-.12 -.02,.3 | .04,.3 .04,-.02 .3,-.02 .3,.3"), ("fill", "#3f4a54", "-.3,-.12 -.15,-.36 0,-.12 | .02,-.02 .17,-.22 .32,-.02"),
             ("line", PLACE, "-.28,.02 -.02,.02 | -.28,.16 -.02,.16 | .04,.12 .3,.12")),
}
CAVE: Symbol = (("fill", "#ffffff", "-.21,.29 -.21,.06 -.12,-.08 0,-.12 .12,-.08 .21,.06 .21,.29"), ("fill", "#14161a", "-.14,.29 -.14,.08 -.08,-.01 0,-.04 .08,-.01 .14,.08 .14,.29"))
WALL: Symbol = (("fill", "#ffffff", "-.42,-.22 .42,-.22 .42,.25 -.42,.25"), ("fill", STONE, "-.38,-.18 .38,-.18 .38,.21 -.38,.21"),
                ("line", "#ffffff", "-.38,-.05 .38,-.05 | -.38,.08 .38,.08 | -.12,-.18 -.12,-.05 | .14,-.18 .14,-.05 | 0,-.05 0,.08 | .26,-.05 .26,.08 | -.26,-.05 -.26,.08 | -.12,.08 -.12,.21 | .14,.08 .14,.21"))
SCOUT: Symbol = (("fill", "#ffffff", "-.34,.36 0,-.2 .34,.36"), ("dot", "#ffffff", "0,-.16 .21,0"), ("fill", INK, "-.24,.3 0,-.1 .24,.3"), ("dot", INK, "0,-.16 .14,0"))
BLOCKED: Symbol = (("fill", "#ffffff", "-.3,-.22 -.22,-.3 .3,.22 .22,.3 | .3,-.22 .22,-.3 -.3,.22 -.22,.3"), ("line", "#b00020", "-.25,-.25 .25,.25 | .25,-.25 -.25,.25"))
PIECES = {
    SETTLEMENT: "-.25,.3 -.25,.02 -.34,.02 0,-.35 .34,.02 .25,.02 .25,.3",
    WARRIOR: "-.31,-.34 0,-.26 .31,-.34 .31,.06 .2,.24 0,.38 -.2,.24 -.31,.06",
    WAGON: "-.4,-.24 .4,-.24 .32,.2 -.32,.2",
    SHIP: "-.42,.04 -.28,.04 0,-.42 .28,.04 .42,.04 .26,.34 -.26,.34",
    HALL: "-.34,.33 -.34,-.33 -.2,-.33 -.2,-.21 -.07,-.21 -.07,-.33 .07,-.33 .07,-.21 .2,-.21 .2,-.33 .34,-.33 .34,.33",
}
# fmt: on
WHEELS = parse_points("-.19,.27 .19,.27")
LETTER_Y = {SETTLEMENT: 0.235, WARRIOR: 0.18, WAGON: 0.14, SHIP: 0.26, HALL: 0.25}


def piece(of: Piece, x: float, y: float, scale: float, name: str = "", tip: str = "") -> Shapes:
    """A piece, with its seat's letter: a capital on everything but settlements."""
    shape, colour = placed(parse_points(PIECES[of.kind]), x, y, scale), SEAT_COLOURS[of.seat]
    letter = SEAT_LETTERS[of.seat] if of.kind == SETTLEMENT else SEAT_LETTERS[of.seat].upper()
    yield Polygon(shape, None, "#ffffff", 0.16 * scale)
    yield Polygon(shape, colour, INK, 0.04 * scale, f"{of.kind} seat{of.seat} {name}" if name else "", tip)
    if of.kind == WAGON:
        for wheel in placed(WHEELS, x, y, scale):
            yield Circle(*wheel, 0.12 * scale, "#ffffff")
            yield Circle(*wheel, 0.09 * scale, INK)
    yield Label(x, y + LETTER_Y[of.kind] * scale, letter, 0.46 * scale, ink_on(colour), "middle", True)


def raised(of: Piece, x: float, y: float, scale: float, name: str = "") -> Shapes:
    """A piece that is being moved, over the hex that it leaves."""
    yield Circle(x, y, 0.5 * scale, INK)
    yield Circle(x, y, 0.44 * scale, "#ffffff", f"lifted {name}" if name else "")
    yield Line(placed(((-0.2, 0.34), (0.2, 0.34)), x, y, scale), INK, 0.08 * scale)
    yield from piece(of, x, y - 0.14 * scale, 0.9 * scale)


def ring(x: float, y: float, scale: float, mark: str = "") -> Shapes:
    """The mark of a hex that can be chosen."""
    points = placed(HEXAGON, x, y, 0.84 * scale)
    yield Polygon(points, None, INK, 5)
    yield Polygon(points, None, TARGET, 2.6, mark)


def ground(terrain: str, x: float, y: float, scale: float, mark: str = "", tip: str = "") -> Shapes:
    """A hex without its sign."""
    yield Polygon(placed(HEXAGON, x, y, scale), COLOURS[terrain], EDGE, 0.6, mark, tip)


def signed(terrain: str, x: float, y: float, scale: float) -> Shapes:
    """A hex with its sign."""
    yield from ground(terrain, x, y, scale)
    yield from draw_symbol(SYMBOLS[terrain], x, y, scale)


def capitol(x: float, y: float, scale: float) -> Shapes:
    """A castle with a capitol: within a gold ring."""
    yield Circle(x, y, 0.47 * scale, INK)
    yield Circle(x, y, 0.43 * scale, GOLD)
    yield from draw_symbol(SYMBOLS["castle"], x, y, 0.88 * scale)


def location(kind: str, n_tiles: int, x: float, y: float, scale: float, mark: str = "") -> Shapes:
    """The sign of a location hex: its kind, and a small square for each tile that is left."""
    yield from draw_symbol(SYMBOLS["location"], x, y, scale)
    ink = INK if n_tiles else SOFT
    yield Label(x, y + 0.04 * scale, short_name(kind), 0.29 * scale, ink, "middle", True, mark)
    side = 0.16 * scale
    for i in range(n_tiles):
        left = x + (i - n_tiles / 2) * 1.4 * side + 0.2 * side
        yield Polygon(box(left, y + 0.14 * scale, side, side), GOLD, INK, 0.8, "tile")


def nomad(tile: str | None, x: float, y: float, scale: float, mark: str = "") -> Shapes:
    """The sign of a nomad hex: a tent and the name of its tile, or a line if it was taken."""
    yield from draw_symbol(SYMBOLS["nomad"], x, y, scale)
    if tile is None:
        yield Line(placed(((-0.2, 0.08), (0.2, 0.08)), x, y, scale), FAINT, 1.2)
        return
    yield Label(x, y + 0.17 * scale, short_name(tile), 0.29 * scale, INK, "middle", True, mark)
    if tile.startswith(DONATION):
        terrain = tile.removeprefix(DONATION)
        yield Polygon(box(x - 0.2 * scale, y + 0.24 * scale, 0.4 * scale, 0.11 * scale), COLOURS[terrain], INK, 0.6)
