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
    box,
    draw_symbol,
    hex_verbs,
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
    Spot,
)
from winterkingdom_env.games.winter_kingdom import picture_shapes as shapes
from winterkingdom_env.games.winter_kingdom.picture_shapes import (
    CARD,
    DARK,
    EDGE,
    FAINT,
    FORT,
    GROUND,
    HOUSE,
    INK,
    RULE,
    SHEET,
    SOFT,
    SYMBOLS,
    Shapes,
)
from winterkingdom_env.games.winter_kingdom.picture_text import (
    blocks,
    card_name,
    is_to_move,
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
        yield from shapes.ring(x, y, HEX, f"target {name}")
    if piece is not None:
        yield from (
            shapes.lifted(piece[0], x, y, HEX, name, tip) if is_up else shapes.piece(*piece, x, y, HEX, name, tip)
        )


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
            yield from shapes.ground(name, x, y, 18)
        elif name == "can be chosen":
            yield from shapes.ring(x, y, 18)
        else:
            x += 22  # the entry to its left is long
            yield from shapes.lifted(seat, x, y, 18)
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
    yield from shapes.piece(seat, False, x + 17, y + 15, 24)
    yield Label(x + 32, y + 19, f"seat {seat}", 12, INK, bold=True)
    yield Circle(x + 94, y + 15, 6.5, "#a87a0c")
    yield Circle(x + 94, y + 15, 5.2, "#f6c945")
    yield Label(x + 104, y + 19, str(player["coins"]), 12, INK)
    for at, shape, count in ((132, HOUSE, "houses_left"), (172, FORT, "forts_left")):
        yield Polygon(placed(parse_points(shape), x + at, y + 15, 17), SEAT_COLOURS[seat], INK, 0.8)
        yield Label(x + at + 10, y + 19, str(player[count]), 12, INK)
    card = terrain_card(snapshot, seat, viewer)
    if card in GROUND:
        yield from shapes.ground(card, x + 214, y + 15, 18)
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
        yield from shapes.piece(seat, False, PANEL + 10, base - 4, 19)
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
