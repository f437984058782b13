"""A position of Dominion as a picture: supply piles, the table, and what every seat has, without what is hidden from the viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from winterkingdom_env.core.drawing import (
    HEAD,
    INK,
    PAPER,
    SEAT_COLOURS,
    SEAT_LETTERS,
    box,
    ink_on,
    legal_summary,
    score_table,
    seat_name,
    seat_words,
    wrap,
)
from winterkingdom_env.core.picture import (
    Block,
    Column,
    Label,
    Lines,
    Look,
    Picture,
    Polygon,
    Shape,
    Span,
    Table,
    Words,
)
from winterkingdom_env.games.dominion.explain import ASKED
from winterkingdom_env.games.dominion.layout import MAX_PLAYERS, Class
from winterkingdom_env.games.dominion.tables import CARDS, N_BASIC, NAMES

WIDTH, MARGIN = 980, 14
PILE_WIDTH, PILE_HEIGHT, GAP = 128, 58, 8
CHIP_HEIGHT = 24
SEAT_HEIGHT = 104
N_COLUMNS = 7
TREASURE, VICTORY, CURSED, ACTION, ATTACK, REACTION = "#e8c95a", "#8fbf7a", "#b39bc8", "#e6e2d8", "#d98e7a", "#8fb4d9"
BACK = "#6b5b4a"  # of a card whose face is hidden


def colour_of(name: str) -> str:
    """The colour of a card, by its classes."""
    classes = CARDS[NAMES.index(name)].classes
    for kind, colour in (
        (Class.ATTACK, ATTACK),
        (Class.REACTION, REACTION),
        (Class.TREASURE, TREASURE),
        (Class.VICTORY, VICTORY),
    ):
        if kind in classes:
            return colour
    return ACTION if classes else CURSED


def cards_text(cards: Mapping[str, int]) -> str:
    """Cards as text: 3 Copper, Estate."""
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in cards.items()) or "none"


def hand_text(player: Mapping[str, Any], is_open: bool) -> str:
    """A hand as text; of another seat, its size and the part that everybody knows."""
    if is_open:
        return cards_text(player["hand"])
    n, known = sum(player["hand"].values()), player["known"]
    return f"{n} cards" + (f", among them {cards_text(known)}" if known else "")


def n_draw(player: Mapping[str, Any]) -> int:
    """Cards in the draw pile."""
    return int(sum(player["deck"].values())) + len(player["top"])


def title_of(snapshot: Mapping[str, Any]) -> str:
    """One line about where the game stands."""
    if snapshot["phase"] == "over":
        return f"Dominion, over after round {snapshot['round']}"
    turn = f"turn of {seat_name(snapshot['turn_seat'])}"
    asked = "" if snapshot["seat"] == snapshot["turn_seat"] else f", {seat_name(snapshot['seat'])} is asked"
    return f"Dominion, round {snapshot['round']}, {turn}{asked}: {snapshot['phase'].replace('_', ' ')}"


def turn_text(snapshot: Mapping[str, Any]) -> str:
    """What is left of the turn."""
    return f"{snapshot['actions']} actions, {snapshot['buys']} buys, {snapshot['coins']} coins"


def table_lines(snapshot: Mapping[str, Any]) -> Iterator[str]:
    """What lies on the table besides the supply."""
    yield f"in play: {cards_text(snapshot['play'])}"
    yield f"trash: {cards_text(snapshot['trash'])}"
    if snapshot["aside"]:
        yield f"set aside: {cards_text(snapshot['aside'])}"
    if snapshot["revealed"]:
        yield f"turned over: {', '.join(snapshot['revealed'])}"
    if snapshot["stolen"]:
        yield f"stolen: {cards_text(snapshot['stolen'])}"
    if snapshot["again"]:
        yield f"to be played again: {', '.join(reversed(snapshot['again']))}"


def seat_lines(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> Iterator[str]:
    """What a seat has. Its deck is known to its owner only."""
    player, is_open = snapshot["players"][seat], viewer in (None, seat)
    yield f"hand: {hand_text(player, is_open)}"
    top = f", on top {', '.join(player['top'])}" if player["top"] else ""
    deck = f": {cards_text(player['deck'])}" if is_open and player["deck"] else ""
    yield f"draw pile: {n_draw(player)}{top}{deck}"
    yield f"discards: {cards_text(player['discard'])}"


def picture(snapshot: dict[str, Any], look: Look) -> Picture:
    """The supply, the table and the seats."""
    title = title_of(snapshot)
    rows = -(-N_BASIC // N_COLUMNS) + 2
    seats_at = 60 + rows * (PILE_HEIGHT + GAP) + 70
    height = seats_at + MAX_PLAYERS * SEAT_HEIGHT + MARGIN  # of any number of players: frames of one size make a film

    def draw() -> Iterator[Shape]:
        yield Polygon(box(0, 0, WIDTH, height), PAPER)
        yield Label(MARGIN, 26, title, 16, INK, bold=True)
        yield Label(MARGIN, 46, turn_text(snapshot) if snapshot["phase"] != "over" else "", 13, INK)
        yield from _draw_supply(snapshot, look)
        for i, line in enumerate(list(table_lines(snapshot))[:4]):
            yield Label(MARGIN, seats_at - 62 + 17 * i, _cut(line), 12, INK)
        for seat in range(snapshot["num_players"]):
            yield from _draw_seat(snapshot, look, seat, seats_at + seat * SEAT_HEIGHT)

    def write() -> Iterator[Block]:
        yield Lines((Span(title, HEAD), turn_text(snapshot)))
        yield _supply_table(snapshot, look)
        yield Lines(tuple(table_lines(snapshot)))
        yield Lines(tuple(_seat_words(snapshot, look)))
        if look.legal:
            yield Lines((f"can: {legal_summary(look.legal)}",))
        if look.sheet is not None:
            yield score_table(look.sheet, best_of(snapshot, look.sheet), look.agents)

    return Picture(title, WIDTH, height, draw, write)


def best_of(snapshot: Mapping[str, Any], sheet: Any) -> list[int]:
    """The seats that would win: most points, then fewest turns."""
    keys = [(-sum(row.values()), player["turns"]) for row, player in zip(sheet, snapshot["players"], strict=True)]
    return [seat for seat, key in enumerate(keys) if key == min(keys)]


def _cut(line: str) -> str:
    parts = wrap(line, 12, WIDTH - 2 * MARGIN)
    return parts[0] + (" ..." if len(parts) > 1 else "") if parts else ""


def _seat_words(snapshot: Mapping[str, Any], look: Look) -> Iterator[Words]:
    for seat in range(snapshot["num_players"]):
        mark = " (turn)" if seat == snapshot["turn_seat"] else ""
        first, *rest = seat_lines(snapshot, seat, look.viewer)
        yield (*seat_words(seat), Span(f"{mark} {first}"))
        yield from (f"    {line}" for line in rest)


def _supply_table(snapshot: Mapping[str, Any], look: Look) -> Table:
    """The piles in two columns: basic cards, kingdom cards."""
    names = list(snapshot["supply"])
    marked = {label.partition(" ")[2] for label in look.legal if label.split()[0] in ("buy", "gain")}

    def cells(name: str | None) -> tuple[Words, ...]:
        if name is None:
            return "", "", ""
        left, cost = snapshot["supply"][name], snapshot["costs"][name]
        return Span(name, HEAD) if name in marked else name, str(cost), str(left)

    basic, kingdom = names[:N_BASIC], names[N_BASIC:]
    half = -(-len(kingdom) // 2)
    columns = (Column("pile"), Column("cost", is_right=True), Column("left", is_right=True))
    groups = (basic, kingdom[:half], kingdom[half:])
    rows = [
        tuple(word for group in groups for word in cells(group[i] if i < len(group) else None))
        for i in range(max(map(len, groups)))
    ]
    return Table(columns * len(groups), tuple(rows))


def _draw_supply(snapshot: Mapping[str, Any], look: Look) -> Iterator[Shape]:
    marked = {label.partition(" ")[2] for label in look.legal if label.split()[0] in ("buy", "gain")}
    names = list(snapshot["supply"])
    places = [(i, 0) for i in range(N_BASIC)]
    places += (
        [(i % 5, 1 + i // 5) for i in range(len(names) - N_BASIC)]
        if len(names) <= N_BASIC + 10
        else [(i % N_COLUMNS, 1 + i // N_COLUMNS) for i in range(len(names) - N_BASIC)]
    )
    for name, (column, row) in zip(names, places, strict=True):
        x, y = MARGIN + column * (PILE_WIDTH + GAP), 60 + row * (PILE_HEIGHT + GAP)
        left, cost = snapshot["supply"][name], snapshot["costs"][name]
        fill = colour_of(name) if left else "#d0ccc4"
        edge, width = ("#000000", 3.0) if name in marked else ("#7d7467", 1.0)
        tip = f"{name}, costs {cost}, {left} left: {CARDS[NAMES.index(name)].text}".rstrip(": ")
        yield Polygon(box(x, y, PILE_WIDTH, PILE_HEIGHT), fill, edge, width, f"pile {name.split()[0].lower()}", tip)
        yield Label(x + PILE_WIDTH / 2, y + 24, name, 14, ink_on(fill), "middle", bold=True)
        yield Label(x + 8, y + PILE_HEIGHT - 9, f"{cost}", 13, ink_on(fill))
        yield Label(x + PILE_WIDTH - 8, y + PILE_HEIGHT - 9, f"{left} left", 13, ink_on(fill), "end")


def _draw_seat(snapshot: Mapping[str, Any], look: Look, seat: int, y: float) -> Iterator[Shape]:
    player, is_open = snapshot["players"][seat], look.viewer in (None, seat)
    colour = SEAT_COLOURS[seat]
    yield Polygon(box(MARGIN, y, 22, SEAT_HEIGHT - 12), colour, mark=f"seat s{seat}")
    yield Label(MARGIN + 11, y + 20, SEAT_LETTERS[seat], 14, ink_on(colour), "middle", bold=True)
    points = "" if look.sheet is None else f", {sum(look.sheet[seat].values())} points"
    turn = ", their turn" if seat == snapshot["turn_seat"] and snapshot["phase"] != "over" else ""
    name = "" if look.agents is None else f" {look.agents[seat]}"
    yield Label(
        MARGIN + 32,
        y + 15,
        _cut(f"seat {seat_name(seat)}{name}: {sum(player['hand'].values())} cards in hand{points}{turn}"),
        13,
        INK,
        bold=True,
    )
    hand = player["hand"] if is_open else player["known"]
    hidden = 0 if is_open else sum(player["hand"].values()) - sum(hand.values())
    x: float = MARGIN + 32
    for card, n in [*hand.items(), *([("", hidden)] if hidden else [])]:
        text = f"{n} hidden" if not card else card if n == 1 else f"{n} {card}"
        fill, width = colour_of(card) if card else BACK, 8.0 * len(text) + 14
        if x + width > WIDTH - MARGIN:
            break
        yield Polygon(box(x, y + 22, width, CHIP_HEIGHT), fill, "#7d7467", 1.0, "card")
        yield Label(x + width / 2, y + 39, text, 12, ink_on(fill), "middle")
        x += width + 6
    _, *rest = seat_lines(snapshot, seat, look.viewer)
    for i, line in enumerate(rest):
        yield Label(MARGIN + 32, y + 64 + 17 * i, _cut(line), 12, INK)


def asked(snapshot: Mapping[str, Any]) -> str:
    """What the seat to move is asked for."""
    about = {
        "library": snapshot["pending"],
        "spy": None if snapshot["subject"] is None else f"seat {snapshot['subject']}",
        "gain": f"up to {snapshot['limit']} coins",
    }.get(snapshot["phase"])
    return ASKED[snapshot["phase"]] + (f" ({about})" if about else "")
