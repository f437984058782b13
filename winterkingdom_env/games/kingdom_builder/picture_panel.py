"""The panel of a drawn picture: the question, what scores, and the seats with their cards, tiles and supplies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from winterkingdom_env.core.drawing import SEAT_COLOURS, SEAT_LETTERS, box, parse_points, placed, wrap
from winterkingdom_env.core.picture import Circle, Label, Line, Points, Polygon
from winterkingdom_env.games.kingdom_builder import picture_facts as facts
from winterkingdom_env.games.kingdom_builder.picture_facts import SETTLEMENT, Piece
from winterkingdom_env.games.kingdom_builder.picture_shapes import (
    CARD,
    DARK,
    GOLD,
    INK,
    PIECES,
    RULE,
    SOFT,
    Shapes,
    piece,
    signed,
)
from winterkingdom_env.games.kingdom_builder.plain import FRESH, READY, USED

PANEL, PANEL_WIDTH = 712.0, 376.0
PER_ROW, CHIP_WIDTH = 8, 45.0
SEAT_HEIGHT, CARD_HEIGHT = 78.0, 23.0
CHIPS = {
    READY: ("#dcefe3", "#2c7a51", INK),
    FRESH: (CARD, "#2c7a51", SOFT),
    USED: ("#e3e6e9", "#b4bcc4", "#7b858f"),
}


def status(snapshot: Mapping[str, Any], viewer: int | None) -> Shapes:
    """The round, who is asked, and for what."""
    now, x = snapshot["now"], PANEL
    is_over = now["phase"] == "over"
    yield Polygon(box(x, 12, PANEL_WIDTH, 84), DARK)
    yield Label(x + 12, 33, f"Round {snapshot['round']}", 16, "#ffffff", bold=True)
    words = "the game is over" if is_over else f"seat {now['seat']} ({SEAT_LETTERS[now['seat']]}) to move"
    yield Label(x + PANEL_WIDTH - 12, 33, words, 13, "#ffffff", "end", True)
    if not is_over:
        yield Label(x + 12, 50, wrap(facts.asked(snapshot), 10.5, PANEL_WIDTH - 24)[0], 10.5, "#ffffff", bold=True)
    seen = filter(None, [facts.seen_by(viewer)])
    details = ", ".join([*seen, *facts.turn_details(snapshot), *facts.stocks(snapshot)])
    for i, line in enumerate(wrap(details, 10, PANEL_WIDTH - 24)):
        yield Label(x + 12, 66 + 13 * i, line, 10, "#dbe4ec", mark="details")


def scoring(cards: Sequence[tuple[str, str, str]], y: float) -> Shapes:
    """The scoring cards and tasks (``facts.scored_by``), one below the other."""
    for i, (kind, name, words) in enumerate(cards):
        top = y + CARD_HEIGHT * i
        yield Polygon(box(PANEL, top, PANEL_WIDTH, CARD_HEIGHT - 2), CARD, RULE)
        yield Label(PANEL + 6, top + 14, name, 10, INK, bold=True, mark=kind)
        lines = wrap(words, 8.4, PANEL_WIDTH - 98)
        for j, line in enumerate(lines):
            yield Label(PANEL + 94, top + 13.6 - 4.4 * (len(lines) - 1) + 8.8 * j, line, 8.4, SOFT)


class Chip(NamedTuple):
    """A tile in front of a player: its kind, whether it is fresh, ready or used, and its place."""

    kind: str
    now: str
    x: float
    y: float

    @property
    def points(self) -> Points:
        """Its corners."""
        return box(self.x, self.y, CHIP_WIDTH - 3, 15)


def chips(snapshot: Mapping[str, Any], seat: int) -> Iterator[Chip]:
    """The tiles of a seat."""
    top = seat_top(snapshot, seat) + 29
    for i, (kind, now) in enumerate(facts.tiles_of(snapshot["seats"][seat])):
        yield Chip(kind, now, PANEL + 8 + CHIP_WIDTH * (i % PER_ROW), top + 18.0 * (i // PER_ROW))


def seat_top(snapshot: Mapping[str, Any], seat: int) -> float:
    """Where the box of a seat begins; below the last one, where they end."""
    n_cards = len(snapshot["scoring"]) + len(snapshot["tasks"])
    return 122.0 + CARD_HEIGHT * n_cards + SEAT_HEIGHT * seat


def _chip(chip: Chip, mark: str = "") -> Shapes:
    kind, now, x, y = chip
    fill, line, ink = CHIPS[now]
    yield Polygon(chip.points, fill, line, 1.4 if now == READY else 1, mark, f"{kind}, {now}")
    name = facts.short_name(kind) + ("+" if now == FRESH else "")
    yield Label(x + (CHIP_WIDTH - 3) / 2, y + 11, name, 9.3, ink, "middle", now == READY)
    if now == USED:
        yield Line(((x + 4, y + 7.5), (x + CHIP_WIDTH - 7, y + 7.5)), ink, 1)


def chip_key(y: float) -> Shapes:
    """What the look of a tile in front of a player means."""
    for i, (now, words) in enumerate(((READY, "ready"), (FRESH, "taken in this turn"), (USED, "used"))):
        x = PANEL + 8 + 130 * i
        yield from _chip(Chip("tile", now, x, y))
        yield Label(x + CHIP_WIDTH + 2, y + 11, words, 9.3, SOFT)


def _hand(snapshot: Mapping[str, Any], seat: int, viewer: int | None, y: float) -> Shapes:
    """The terrain cards, from the right; only a lone card has room for its name."""
    x, hand = PANEL + PANEL_WIDTH - 8, facts.hand_of(snapshot, seat, viewer)
    for card in reversed(hand):
        found, is_named = facts.card_terrains(card), len(hand) == 1
        width = 8 + 14 * max(1, len(found)) + (5.8 * len(card) if found and is_named else 0)
        x -= width + 4
        is_played = seat == snapshot["turn"]["seat"] and card == snapshot["turn"]["played"]
        edge = (DARK, 2.2) if is_played else (RULE, 1.0)
        name = card if found else "hidden"
        yield Polygon(box(x, y, width, 19), CARD if found else "#8fa0b2", *edge, f"card seat{seat} {name}", name)
        for i, terrain in enumerate(found):
            yield from signed(terrain, x + 11 + 14 * i, y + 9.5, 14)
        if found and is_named:
            yield Label(x + 6 + 14 * len(found), y + 13, card, 9.3, INK)
        elif not found:
            yield Label(x + width / 2, y + 13.4, card, 11, "#ffffff", "middle", True)


def _supplies(snapshot: Mapping[str, Any], seat: int, y: float) -> Shapes:
    x = PANEL + 128
    for kind, number in facts.counts_of(snapshot, seat):
        yield Polygon(placed(parse_points(PIECES[kind]), x, y, 15), SEAT_COLOURS[seat], INK, 0.8)
        yield Label(x + 8, y + 4, str(number), 10.5, INK)
        x += 29 if kind == SETTLEMENT else 22


def _extras(player: Mapping[str, Any]) -> str:
    found = [f"{player[key]} {key}" for key in ("tokens", "held", "due") if player[key]]
    return ", ".join([*found, *(f"{name} used" for name in player["bonus_used"])])


def seat_box(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> Shapes:
    """A seat: gold, supplies, terrain cards, tiles."""
    player, x, now, y = snapshot["seats"][seat], PANEL, snapshot["now"], seat_top(snapshot, seat)
    is_next = now["seat"] == seat and now["phase"] != "over"
    edge = (DARK, 2.6) if is_next else (RULE, 1.0)
    yield Polygon(box(x, y, PANEL_WIDTH, SEAT_HEIGHT - 5), CARD, *edge, f"player seat{seat}")
    yield from piece(Piece(seat, SETTLEMENT), x + 17, y + 15, 24)
    yield Label(x + 32, y + 19, f"seat {seat}", 12, INK, bold=True)
    yield Circle(x + 86, y + 15, 6.5, "#a87a0c")
    yield Circle(x + 86, y + 15, 5.2, GOLD)
    yield Label(x + 95, y + 19, str(player["gold"]), 12, INK, mark=f"gold seat{seat}")
    yield from _supplies(snapshot, seat, y + 15)
    yield from _hand(snapshot, seat, viewer, y + 5)
    for chip in chips(snapshot, seat):
        yield from _chip(chip, f"chip seat{seat} {chip.now}")
    extras = _extras(player)
    if extras:
        yield Label(x + 8, y + SEAT_HEIGHT - 9, extras, 8.2, SOFT, mark=f"extras seat{seat}")


def score_sheet(sheet: Sequence[Mapping[str, int]], x: float, y: float, width: float) -> Shapes:
    """The gold of every seat by column, if a sheet is given; ``y`` is the base line of the heads."""
    if not sheet:
        return
    columns = [*sheet[0], "total"]
    each = min(66.0, (width - 40) / len(columns))
    size = min(8.6, each / 7.0)
    xs = [x + 32 + each * (i + 1) for i in range(len(columns))]
    for end, name in zip(xs, columns, strict=True):
        for i, word in enumerate(reversed(name.split())):
            yield Label(end, y - 9 * i, word, size, SOFT, "end", name == "total")
    best = max(sum(row.values()) for row in sheet)
    for seat, row in enumerate(sheet):
        base = y + 15 + 16 * seat
        yield Line(((x, base - 12), (xs[-1] + 12, base - 12)), RULE, 1)
        yield from piece(Piece(seat, SETTLEMENT), x + 10, base - 4, 17)
        for end, points in zip(xs, (*row.values(), sum(row.values())), strict=True):
            yield Label(end, base, str(points), 10.5, INK, "end", end == xs[-1], "points")
        if sum(row.values()) == best:
            yield Label(xs[-1] + 3, base, "*", 11, INK, bold=True)


def quadrants(snapshot: Mapping[str, Any], y: float) -> Shapes:
    """The names of the quadrants, as they lie."""
    names = facts.quadrant_names(snapshot)
    yield fitting(f"Quadrants: {', '.join(names[:2])} / {', '.join(names[2:])}", PANEL + 2, y, 8.6)


def fitting(words: str, x: float, y: float, size: float, ink: str = SOFT) -> Label:
    """A line of the panel that begins at x, smaller if it would not fit."""
    room = PANEL + PANEL_WIDTH - x
    return Label(x, y, words, min(size, room / (0.6 * max(1, len(words)))), ink)


def locations(snapshot: Mapping[str, Any], y: float) -> Shapes:
    """What each kind of location in play allows."""
    rows = [(kind.capitalize(), facts.TILE_WORDS[kind]) for kind in facts.kinds_in_play(snapshot)]
    if snapshot["nomads"]:
        rows.append(("Nomad tiles", "a terrain: build 3 there; Rese 4 steps; Outp; Swor; Trea 3 gold"))
    for i, (kind, words) in enumerate(rows):
        yield Label(PANEL + 4, y + 12.5 * i, kind, 9.3, INK, bold=True, mark="kind")
        yield fitting(words, PANEL + 96, y + 12.5 * i, 8.8)
