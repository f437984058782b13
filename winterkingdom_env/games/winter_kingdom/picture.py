"""Drawing of a snapshot as shapes on a sheet of 1000 by 772 units. ``picture_text`` makes the text form.

Pointy-topped hexes, ``HEX`` units wide: ``x = column + row / 2``, ``y = row * sqrt(3) / 2``. Nothing is shown by colour alone: each
terrain has a symbol, each seat a letter, houses and forts a shape. All sheets have the same size, so that frames can form a video.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import cos, pi, sin, sqrt
from typing import Any, NamedTuple

from winterkingdom_env.core.drawing import (
    HEX_SIDES,
    HEXAGON,
    SEAT_COLOURS,
    SEAT_LETTERS,
    Symbol,
    box,
    draw_symbol,
    hex_verbs,
    ink_on,
    legal_summary,
    parse_points,
    placed,
    wrap,
)
from winterkingdom_env.core.picture import (
    Circle,
    Label,
    Line,
    Look,
    Part,
    Picture,
    Points,
    Polygon,
    Region,
    Shape,
    Spot,
)
from winterkingdom_env.games.winter_kingdom.picture_text import (
    blocks,
    card_name,
    is_to_move,
    piece_letter,
    pieces_on,
    played_by,
    sees_hand,
    terrain_card,
    turn_details,
)
from winterkingdom_env.games.winter_kingdom.screen import abilities, card_words
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES, TUNNEL

WIDTH, HEIGHT = 1000, 772
HEX = 25.6
LEFT, TOP = 44.0, 50.0  # sheet coordinates of x = 8.5 and y = 0, the centres of the leftmost and topmost hexes
PANEL, PANEL_WIDTH = 676.0, 312.0
SEATS_TOP, SEAT_HEIGHT = 329.0, 77.0
CHIP_WIDTH, CHIP_HEIGHT = 97.0, 16.0
BELOW = 677.0  # where the board ends
BOARD, LEGEND, SEATS = "board", "legend", "seats"
REGIONS = (
    Region(BOARD, 0, 0, PANEL - 8, BELOW),
    Region(LEGEND, 0, BELOW, PANEL - 8, HEIGHT - BELOW),
    Region(SEATS, PANEL - 8, 0, WIDTH - PANEL + 8, HEIGHT),
)

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
BOARD_MIDDLES = {1: (18, 17), 2: (9, 22), 3: (4, 18), 4: (8, 9), 5: (17, 4), 6: (22, 8)}
HEX_VERBS = ("house", "fort", "lift")
KNIGHTS = {"row": 0.0, "column": pi / 3, "diagonal": 2 * pi / 3}


def hex_middle(row: float, col: float) -> tuple[float, float]:
    """The centre of a hex on the sheet."""
    return LEFT + HEX * (col + row / 2 - 8.5), TOP + HEX * row * sqrt(3) / 2


def _outline(place: Mapping[str, Any]) -> Points:
    """The corners of a hex."""
    return placed(HEXAGON, *hex_middle(place["row"], place["col"]), HEX)


# --- board ------------------------------------------------------------------------------------------------------------


def _piece(seat: int, is_fort: bool, x: float, y: float, scale: float, name: str = "", tip: str = "") -> Shapes:
    shape = placed(parse_points(FORT if is_fort else HOUSE), x, y, scale)
    colour, letter = SEAT_COLOURS[seat], piece_letter(seat, is_fort)
    yield Polygon(shape, None, "#ffffff", 0.16 * scale)
    mark = f"{'fort' if is_fort else 'house'} seat{seat} {name}" if name else ""
    yield Polygon(shape, colour, INK, 0.04 * scale, mark, tip)
    size, lower = (0.46, 0.25) if is_fort else (0.5, 0.235)
    yield Label(x, y + lower * scale, letter, size * scale, ink_on(colour), "middle", True)


def _ring(x: float, y: float, scale: float, mark: str = "") -> Shapes:
    points = placed(HEXAGON, x, y, 0.84 * scale)
    yield Polygon(points, None, INK, 5)
    yield Polygon(points, None, TARGET, 2.6, mark)


def _lifted(seat: int, x: float, y: float, scale: float, name: str = "", tip: str = "") -> Shapes:
    yield Circle(x, y, 0.5 * scale, INK)
    yield Circle(x, y, 0.44 * scale, "#ffffff", f"lifted {name}" if name else "")
    yield Line(placed(((-0.2, 0.34), (0.2, 0.34)), x, y, scale), INK, 0.08 * scale)
    yield from _piece(seat, False, x, y - 0.16 * scale, scale, name, tip)


def _ground(terrain: str, x: float, y: float, scale: float) -> Shapes:
    yield Polygon(placed(HEXAGON, x, y, scale), GROUND[terrain], EDGE, 0.6)
    yield from draw_symbol(SYMBOLS[terrain], x, y, scale)


def _tip(place: Mapping[str, Any], piece: tuple[int, bool] | None, verbs: Sequence[str]) -> str:
    words = f"{place['hex']} {place['terrain']}, board {place['board']}"
    if piece:
        words += f": {'fort' if piece[1] else 'house'} of seat {piece[0]} ({SEAT_LETTERS[piece[0]]})"
    return f"{words}; can: {', '.join(verbs)}" if verbs else words


def _seams(snapshot: Mapping[str, Any]) -> Shapes:
    """Lines around the boards, thicker under Archipelago."""
    boards = {(place["row"], place["col"]): place["board"] for place in snapshot["hexes"]}
    sides = []
    for (row, col), board in boards.items():
        corners = placed(HEXAGON, *hex_middle(row, col), HEX)
        for d_row, d_col, first, second in HEX_SIDES:
            if boards.get((row + d_row, col + d_col), -1) < board:
                sides.append((corners[first], corners[second]))
    width = 4.4 if snapshot["twist"] == "Archipelago" else 2.8
    yield from (Line(side, "#ffffff", width + 2.4) for side in sides)  # visible between dark terrains, too
    yield from (Line(side, DARK, width, "seam") for side in sides)


def _hex(place: Mapping[str, Any], has_piece: bool, tip: str) -> Shapes:
    """A hex and its symbol, which a piece covers."""
    (x, y), terrain = hex_middle(place["row"], place["col"]), place["terrain"]
    yield Polygon(_outline(place), GROUND[terrain], EDGE, 0.6, f"hex {place['hex']}", tip)
    if not has_piece:
        yield from draw_symbol(SYMBOLS[terrain], x, y, HEX)


def _things(place: Mapping[str, Any], piece: tuple[int, bool] | None, is_target: bool, is_up: bool, tip: str) -> Shapes:
    """The marks and the piece on a hex."""
    (x, y), name = hex_middle(place["row"], place["col"]), place["hex"]
    if is_target:
        yield from _ring(x, y, HEX, f"target {name}")
    if piece is not None:
        yield from _lifted(piece[0], x, y, HEX, name, tip) if is_up else _piece(*piece, x, y, HEX, name, tip)


def _board(snapshot: Mapping[str, Any], can: Mapping[str, list[str]]) -> Iterator[Part]:
    """All hexes, the lines around the boards, then everything that lies on hexes. A tip says all that is on a hex."""
    pieces, lifted = pieces_on(snapshot), snapshot["turn"]["lifted"]
    top: list[Part] = []
    for place in snapshot["hexes"]:
        name = place["hex"]
        piece, verbs = pieces.get(name), can.get(name, ())
        tip = _tip(place, piece, verbs)
        yield Part(f"hex {name}", partial(_hex, place, piece is not None, tip), tip, BOARD)
        draw = partial(_things, place, piece, bool(verbs), name == lifted, tip)
        top.append(Part(f"on {name}", draw, (tip, name == lifted), BOARD))
    yield Part("seams", partial(_seams, snapshot), "", BOARD)
    yield from top


def _coordinates(snapshot: Mapping[str, Any]) -> Shapes:
    rows: dict[int, list[int]] = {}
    for place in snapshot["hexes"]:
        rows.setdefault(place["row"], []).append(place["col"])
    for row, cols in rows.items():
        first, last = hex_middle(row, min(cols) - 0.62), hex_middle(row, max(cols) + 0.62)
        yield Label(first[0], first[1] + 2.6, f"r{row:02d}c{min(cols):02d}", 7.2, SOFT, "end")
        yield Label(last[0], last[1] + 2.6, f"c{max(cols):02d}", 7.2, SOFT)


def _board_names(snapshot: Mapping[str, Any]) -> Shapes:
    for board, (row, col) in BOARD_MIDDLES.items():
        x, y = hex_middle(row, col)
        x += 0.2 * (x - hex_middle(13, 13)[0])
        y += 4.62 * HEX * (-1 if row < 13 else 1)  # above the upper three, below the lower three
        roles = [role for role in ("top", "bottom") if snapshot[f"{role}_board"] == board]
        if roles:
            text = f"{' and '.join(roles).upper()} board {board}"
            width = 6.6 * len(text) + 10
            yield Polygon(box(x - width / 2, y - 7.5, width, 15), DARK, mark=f"{' '.join(roles)} board{board}")
            yield Label(x, y + 3.4, text, 9.5, "#ffffff", "middle", True)
        else:
            yield Label(x, y + 3.0, f"board {board}", 8.5, SOFT, "middle")


def _knights(snapshot: Mapping[str, Any]) -> Shapes:
    """Three hexes in a row with an arrow, in the free corner: the direction in which Knights count."""
    angle, x, y = KNIGHTS[snapshot["direction"]], 62.0, 62.0
    for i in (-17, 0, 17):
        yield Polygon(placed(HEXAGON, x + i * cos(angle), y + i * sin(angle), 17), CARD, SOFT, 0.8)
    ends = tuple((x + i * cos(angle), y + i * sin(angle)) for i in (-27, 27))
    yield Line(ends, DARK, 2.4, f"knights {snapshot['direction']}")
    for (end_x, end_y), turn in zip(ends, (angle + pi, angle), strict=True):
        tip = tuple((end_x + r * cos(turn + a), end_y + r * sin(turn + a)) for r, a in ((7, 0), (5, 2.1), (5, -2.1)))
        yield Polygon(tip, DARK)
    yield Label(x + 44, y - 1, "Knights count", 9.5, INK, bold=True)
    yield Label(x + 44, y + 11, f"along a {snapshot['direction']}", 9.5, INK)


def _legend(seat: int) -> Shapes:
    for i, name in enumerate((*TERRAIN_NAMES, "can be chosen", "being moved")):
        x, y = 30 + 90.0 * (i % 7), 690 + 22.0 * (i // 7)
        if name in GROUND:
            yield from _ground(name, x, y, 18)
        elif name == "can be chosen":
            yield from _ring(x, y, 18)
        else:
            x += 22  # the entry to its left is long
            yield from _lifted(seat, x, y, 18)
        yield Label(x + 13, y + 3.6, name, 10, INK)


# --- panel ------------------------------------------------------------------------------------------------------------


def _status(snapshot: Mapping[str, Any]) -> Shapes:
    seat, x = snapshot["seat"], PANEL
    is_over = snapshot["phase"] == "over"
    yield Polygon(box(x, 12, PANEL_WIDTH, 68), DARK)
    yield Label(x + 12, 35, f"Round {snapshot['round']}", 16, "#ffffff", bold=True)
    words = "the game is over" if is_over else f"seat {seat} ({SEAT_LETTERS[seat]}) to move"
    yield Label(x + PANEL_WIDTH - 12, 35, words, 13, "#ffffff", "end", True)
    details = [] if is_over else [f"phase {snapshot['phase']}"]
    details += turn_details(snapshot)
    details += [f"draw pile {len(snapshot['draw_pile'])}"] if len(details) < 2 else []
    for i, line in enumerate(wrap(", ".join(details), 10.5, PANEL_WIDTH - 24)):
        yield Label(x + 12, 54 + 14 * i, line, 10.5, "#dbe4ec", mark="details")


def _cards(snapshot: Mapping[str, Any]) -> Shapes:
    for i, (kind, name, words) in enumerate(played_by(snapshot)):
        y = 88 + 44.0 * i
        yield Polygon(box(PANEL, y, PANEL_WIDTH, 41), CARD, RULE)
        yield Label(PANEL + 8, y + 14, name or "no twist", 11.5, INK, bold=True)
        yield Label(PANEL + PANEL_WIDTH - 8, y + 13, kind, 9, FAINT, "end")
        for j, line in enumerate(wrap(words, 9.5, PANEL_WIDTH - 16)):
            yield Label(PANEL + 8, y + 25.5 + 11.5 * j, line, 9.5, SOFT)
    where = "Top board {top_board}, bottom board {bottom_board}, Knights along a {direction}".format_map(snapshot)
    yield Label(PANEL + 2, 320, where, 10, INK)


class _Chip(NamedTuple):
    """An ability card of a player: its name, what is written on it, its style and its place."""

    name: str
    text: str
    look: str
    x: float
    y: float


def _chips(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> Iterator[_Chip]:
    """The ability cards of a player, in play and in hand."""
    player, is_open = snapshot["players"][seat], sees_hand(viewer, seat)
    found = [(card["card"], card_name(card), "used" if card["used"] else "in play") for card in player["in_play"]]
    is_used = player["tunnel_used"]
    found.append((TUNNEL.name, f"{TUNNEL.name}{' (used)' * is_used}", "used" if is_used else "in play"))
    found += [(name, name, "in hand") if is_open else ("", "?", "hidden") for name in player["hand"]]
    for i, (name, text, look) in enumerate(found):
        yield _Chip(name, text, look, PANEL + 7 + 100 * (i % 3), _seat_top(seat) + 31 + 19.5 * (i // 3))


def _seat_top(seat: int) -> float:
    """Where the box of a seat begins; below the last one, where they end."""
    return SEATS_TOP + SEAT_HEIGHT * seat


CHIPS = {"in play": ("#dcefe3", "#2c7a51", INK), "used": ("#e3e6e9", "#b4bcc4", "#7b858f"),
         "in hand": (CARD, RULE, SOFT), "hidden": ("#8fa0b2", "#8fa0b2", "#ffffff")}  # fmt: skip


def _chip(text: str, look: str, x: float, y: float, mark: str = "") -> Shapes:
    fill, line, ink = CHIPS[look]
    yield Polygon(box(x, y, CHIP_WIDTH, CHIP_HEIGHT), fill, line, 1, mark)
    yield Label(x + 48.5, y + 11.4, text, 9.3, ink, "middle", look == "in play")


def _player(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> Shapes:
    player, x, y = snapshot["players"][seat], PANEL, _seat_top(seat)
    edge = (DARK, 2.6) if is_to_move(snapshot, seat) else (RULE, 1.0)
    yield Polygon(box(x, y, PANEL_WIDTH, 72), CARD, *edge, f"player seat{seat}")
    yield from _piece(seat, False, x + 17, y + 15, 24)
    yield Label(x + 32, y + 19, f"seat {seat}", 12, INK, bold=True)
    yield Circle(x + 94, y + 15, 6.5, "#a87a0c")
    yield Circle(x + 94, y + 15, 5.2, "#f6c945")
    yield Label(x + 104, y + 19, str(player["coins"]), 12, INK)
    for at, shape, count in ((132, HOUSE, "houses_left"), (172, FORT, "forts_left")):
        yield Polygon(placed(parse_points(shape), x + at, y + 15, 17), SEAT_COLOURS[seat], INK, 0.8)
        yield Label(x + at + 10, y + 19, str(player[count]), 12, INK)
    card = terrain_card(snapshot, seat, viewer)
    if card in GROUND:
        yield from _ground(card, x + 214, y + 15, 18)
    yield Label(x + 227, y + 19, card or "no card", 11, INK)
    for chip in _chips(snapshot, seat, viewer):
        yield from _chip(*chip[1:], f"card seat{seat} {chip.look}")


def _sheet(sheet: Sequence[Mapping[str, int]], y: float) -> Shapes:
    if not sheet:
        return
    columns = [*sheet[0], "total"]
    xs = [PANEL + 82 + 55 * i for i in range(len(columns))]
    for x, name in zip(xs, columns, strict=True):
        for i, word in enumerate(reversed(name.split())):
            yield Label(x, y - 9.5 * i, word, 8.2, SOFT, "end", name == "total")
    best = max(sum(row.values()) for row in sheet)
    for seat, row in enumerate(sheet):
        base = y + 16 + 17 * seat
        yield Line(((PANEL, base - 12.5), (PANEL + PANEL_WIDTH, base - 12.5)), RULE, 1)
        yield from _piece(seat, False, PANEL + 10, base - 4, 19)
        for x, points in zip(xs, (*row.values(), sum(row.values())), strict=True):
            yield Label(x, base, str(points), 11, INK, "end", x == xs[-1], "points")
        if sum(row.values()) == best:
            yield Label(xs[-1] + 3, base, "*", 11, INK, bold=True)


def _words(told: str) -> Shapes:
    for i, line in enumerate(wrap(told, 10, PANEL - 30)):
        yield Label(18, 741 + 14 * i, line, 10, INK, mark="can")


def _chip_key(y: float) -> Shapes:
    for i, chip in enumerate([*CHIPS][:3]):
        yield from _chip(chip, chip, PANEL + 7 + 100 * i, y)


def parts(snapshot: Mapping[str, Any], look: Look) -> Iterator[Part]:
    """All parts, from back to front."""
    yield Part("sheet", lambda: (Polygon(box(0, 0, WIDTH, HEIGHT), SHEET),), "")
    yield from _board(snapshot, hex_verbs(look.legal))
    for name, draw in (("coordinates", _coordinates), ("boards", _board_names), ("knights", _knights)):
        yield Part(name, partial(draw, snapshot), "", BOARD)
    yield Part("legend", partial(_legend, snapshot["seat"]), snapshot["seat"], LEGEND)
    yield Part("status", partial(_status, snapshot), None, SEATS)
    yield Part("cards", partial(_cards, snapshot), "", SEATS)
    told = f"Can: {legal_summary(look.legal)}" if look.legal else ""
    yield Part("legal", partial(_words, told), told, LEGEND)
    for seat in range(len(snapshot["players"])):
        yield Part(f"seat {seat}", partial(_player, snapshot, seat, look.viewer), None, SEATS)
    bottom, sheet = _seat_top(len(snapshot["players"])), look.sheet or ()
    yield Part("chip key", partial(_chip_key, bottom), "", SEATS)
    yield Part("score sheet", partial(_sheet, sheet, bottom + 41), tuple(tuple(row.items()) for row in sheet), SEATS)


def spots(snapshot: Mapping[str, Any], look: Look) -> Iterator[Spot]:
    """All hexes, and the cards of the seat to move."""
    if snapshot["phase"] == "over":
        return
    pieces, can = pieces_on(snapshot), hex_verbs(look.legal)
    for place in snapshot["hexes"]:
        name = place["hex"]
        tip = _tip(place, pieces.get(name), can.get(name, ()))
        yield Spot(name, _outline(place), HEX_VERBS, BOARD, tip)
    cards = abilities(snapshot.get("house_rules", ""), snapshot["twist"])
    for chip in _chips(snapshot, snapshot["seat"], look.viewer):
        if chip.name:
            verbs = ("acquire",) if chip.look == "in hand" else ("use", "upgrade", "triple")
            tip = f"{chip.text}: {card_words(cards[chip.name])}"
            yield Spot(chip.name, box(chip.x, chip.y, CHIP_WIDTH, CHIP_HEIGHT), verbs, SEATS, tip)


def picture(snapshot: dict[str, Any], look: Look) -> Picture:
    """The picture of a snapshot, as shapes and as text."""
    return Picture(
        f"Winter Kingdom, round {snapshot['round']}",
        WIDTH,
        HEIGHT,
        compose=lambda: parts(snapshot, look),
        write=lambda: blocks(snapshot, look),
        regions=REGIONS,
        spots=lambda: spots(snapshot, look),
    )
