"""The shapes of drawn pictures: terrains and pieces. Nothing is shown by colour alone."""

from __future__ import annotations

from collections.abc import Iterator

from winterkingdom_env.core.drawing import HEXAGON, SEAT_COLOURS, Symbol, draw_symbol, ink_on, parse_points, placed
from winterkingdom_env.core.picture import Circle, Label, Line, Polygon, Shape
from winterkingdom_env.games.winter_kingdom.picture_text import piece_letter
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES

Shapes = Iterator[Shape]

# --- colours and shapes -----------------------------------------------------------------------------------------------

PLACE = "#d9c8b0"  # tunnel, village and castle: distinguished by symbols
# Distinct under red-green and blue-yellow colour blindness, which a test simulates.
GROUND_COLOURS = (
    "#9a5b3a", "#e6b042", "#d678aa", "#b5e08a", "#f8fbfd", "#1d4f3f", "#84bdec", "#625c7c", PLACE, PLACE, PLACE,
)  # fmt: skip
GROUND = dict(zip(TERRAIN_NAMES, GROUND_COLOURS, strict=True))
SHEET, CARD, DARK, INK, SOFT, FAINT, RULE = "#e4eaf0", "#ffffff", "#22303f", "#17202a", "#4c5a68", "#8793a0", "#c3ced9"
EDGE, TARGET = "#6c7884", "#4df6ff"

# fmt: off
SYMBOLS: dict[str, Symbol] = {
    "fell field": (("fill", "#d3a487", "-.28,.12 -.22,-.02 -.09,-.05 -.02,.06 -.05,.14 | -.08,-.1 -.03,-.21 .1,-.22 .17,-.12 .12,-.07"), ("fill", "#c08c6c", ".02,.17 .07,.03 .2,.01 .28,.11 .25,.18")),
    "tundra": (("line", "#8a5c07", "-.26,-.06 -.08,-.06 | .04,-.14 .22,-.14 | .02,.06 .26,.06 | -.2,.16 0,.16"),),
    "flower field": (("dot", "#ffffff", "-.11,0 .09,0 | .11,0 .09,0 | 0,-.11 .09,0 | 0,.11 .09,0"), ("dot", "#8c2a64", "0,0 .075,0")),
    "grassland": (("line", "#4c8a1e", "-.24,-.12 -.15,.06 -.13,-.18 | -.15,.06 -.04,-.1 | .05,.02 .13,.2 .15,-.04 | .13,.2 .25,.04"),),
    "snowscape": (("line", "#9fb2c6", "-.2,0 .2,0 | -.1,-.17 .1,.17 | .1,-.17 -.1,.17"),),
    "forest": (("fill", "#74b48f", "-.13,-.3 -.28,-.04 -.2,-.04 -.32,.18 .06,.18 -.06,-.04 .02,-.04"), ("fill", "#4e9470", ".17,-.16 .06,.04 .12,.04 .03,.22 .31,.22 .22,.04 .28,.04")),
    "ice": (("line", "#ffffff", "-.24,.1 .02,-.24 | -.12,.2 .16,-.16 | .08,.16 .22,-.02"),),
    "mountain": (("fill", "#2f2b42", "-.4,.24 -.12,-.3 .05,0 .15,-.14 .39,.24"), ("fill", "#ffffff", "-.12,-.3 -.23,-.08 -.15,-.12 -.1,-.05 -.05,-.11 0,-.08 | .15,-.14 .09,-.05 .15,-.03 .22,-.02")),
    "tunnel": (("fill", "#857a68", "-.36,.28 -.36,-.02 -.3,-.18 -.17,-.29 0,-.33 .17,-.29 .3,-.18 .36,-.02 .36,.28"), ("fill", "#14161a", "-.23,.28 -.23,0 -.19,-.1 -.11,-.18 0,-.21 .11,-.18 .19,-.1 .23,0 .23,.28")),
    "village": (("fill", "#fffaf0", "-.33,.27 -.33,.03 -.02,.03 -.02,.27 | .08,.27 .08,-.12 .3,-.12 .3,.27"), ("fill", "#8f2b16", "-.4,.05 -.175,-.16 .05,.05 | .03,-.1 .19,-.4 .35,-.1"),
                ("fill", "#5a3a22", "-.22,.27 -.22,.13 -.12,.13 -.12,.27 | .14,.27 .14,.11 .24,.11 .24,.27")),
    "castle": (("fill", "#4a2c86", "-.39,.28 -.39,-.15 -.33,-.15 -.33,-.08 -.28,-.08 -.28,-.15 -.22,-.15 -.22,0 -.15,0 -.15,-.26 -.09,-.26 -.09,-.18 -.03,-.18 -.03,-.26 "
                                   ".03,-.26 .03,-.18 .09,-.18 .09,-.26 .15,-.26 .15,0 .22,0 .22,-.15 .28,-.15 .28,-.08 .33,-.08 .33,-.15 .39,-.15 .39,.28"),
               ("fill", PLACE, "-.08,.28 -.08,.12 0,.05 .08,.12 .08,.28"), ("fill", "#c0392b", "-.02,-.26 -.02,-.44 .18,-.38 .02,-.32 .02,-.26")),
}
HOUSE = "-.25,.3 -.25,.02 -.34,.02 0,-.35 .34,.02 .25,.02 .25,.3"
FORT = "-.32,.31 -.32,-.33 -.18,-.33 -.18,-.21 -.07,-.21 -.07,-.33 .07,-.33 .07,-.21 .18,-.21 .18,-.33 .32,-.33 .32,.31"
# fmt: on


def piece(seat: int, is_fort: bool, x: float, y: float, scale: float, name: str = "", tip: str = "") -> Shapes:
    """A house or a fort with the letter of its seat."""
    shape = placed(parse_points(FORT if is_fort else HOUSE), x, y, scale)
    colour, letter = SEAT_COLOURS[seat], piece_letter(seat, is_fort)
    yield Polygon(shape, None, "#ffffff", 0.16 * scale)
    mark = f"{'fort' if is_fort else 'house'} seat{seat} {name}" if name else ""
    yield Polygon(shape, colour, INK, 0.04 * scale, mark, tip)
    size, lower = (0.46, 0.25) if is_fort else (0.5, 0.235)
    yield Label(x, y + lower * scale, letter, size * scale, ink_on(colour), "middle", True)


def ring(x: float, y: float, scale: float, mark: str = "") -> Shapes:
    """The mark of a hex that can be chosen."""
    points = placed(HEXAGON, x, y, 0.84 * scale)
    yield Polygon(points, None, INK, 5)
    yield Polygon(points, None, TARGET, 2.6, mark)


def lifted(seat: int, x: float, y: float, scale: float, name: str = "", tip: str = "") -> Shapes:
    """A house that is being moved."""
    yield Circle(x, y, 0.5 * scale, INK)
    yield Circle(x, y, 0.44 * scale, "#ffffff", f"lifted {name}" if name else "")
    yield Line(placed(((-0.2, 0.34), (0.2, 0.34)), x, y, scale), INK, 0.08 * scale)
    yield from piece(seat, False, x, y - 0.16 * scale, scale, name, tip)


def ground(terrain: str, x: float, y: float, scale: float) -> Shapes:
    """A terrain hex."""
    yield Polygon(placed(HEXAGON, x, y, scale), GROUND[terrain], EDGE, 0.6)
    yield from draw_symbol(SYMBOLS[terrain], x, y, scale)
