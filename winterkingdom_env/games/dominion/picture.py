"""A position of Dominion as a picture: supply piles, the table, and what every seat has, without what is hidden from the viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

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
    Part,
    Picture,
    Points,
    Polygon,
    Region,
    Shape,
    Span,
    Spot,
    Table,
    Words,
)
from winterkingdom_env.games.dominion.cards import words_of
from winterkingdom_env.games.dominion.explain import ASKED
from winterkingdom_env.games.dominion.layout import MAX_PLAYERS, Class
from winterkingdom_env.games.dominion.tables import CARDS, N_BASIC, NAMES

WIDTH, MARGIN = 980, 14
HALF = WIDTH // 2  # the width of status, table and seats
PILE_WIDTH, PILE_HEIGHT, GAP, EDGE = 128, 58, 8, 2
CHIP_HEIGHT = 24
SEAT_LEFT, HAND_TOP = MARGIN + 32, 22  # of a seat's text and chips
TEXT_SIZE = 12
SEAT_HEIGHT = 142
TOP_HEIGHT = 92  # of status and table
LINE = 15
N_TABLE, N_SEAT = 5, 4  # lines
N_COLUMNS = 7
N_ROWS = -(-N_BASIC // N_COLUMNS) + 2
SEATS_TOP = TOP_HEIGHT + N_ROWS * (PILE_HEIGHT + GAP) + GAP
HEIGHT = SEATS_TOP + -(-MAX_PLAYERS // 2) * SEAT_HEIGHT  # of any number of players: frames of one size make a film
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
    return ", ".join(
        f"{snapshot[what]} {what if snapshot[what] != 1 else what[:-1]}" for what in ("actions", "buys", "coins")
    )


def table_lines(snapshot: Mapping[str, Any], is_drawn: bool = False) -> Iterator[str]:
    """What lies on the table besides the supply. ``is_drawn``: without what a sheet shows as chips."""
    yield f"in play: {cards_text(snapshot['play'])}"
    yield f"trash: {cards_text(snapshot['trash'])}"
    if snapshot["aside"]:
        yield f"set aside: {cards_text(snapshot['aside'])}"
    if snapshot["revealed"] and not is_drawn:
        yield f"turned over: {', '.join(snapshot['revealed'])}"
    if snapshot["stolen"] and not is_drawn:
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
    piles = [_pile_region(i, snapshot) for i in range(len(snapshot["supply"]))]
    seats = [Region(f"seat {i}", *_seat_at(i), HALF, SEAT_HEIGHT) for i in range(snapshot["num_players"])]
    status, table = Region("status", 0, 0, HALF, TOP_HEIGHT), Region("table", HALF, 0, HALF, TOP_HEIGHT)

    def compose() -> Iterator[Part]:
        yield Part("sheet", lambda: (Polygon(box(0, 0, WIDTH, HEIGHT), PAPER),), "")
        yield Part("status", partial(_draw_status, snapshot), None, status.name)
        yield Part("table", partial(_draw_table, snapshot), None, table.name)
        yield from _supply_parts(snapshot, look, piles)
        for seat, at in enumerate(seats):
            yield Part(at.name, partial(_draw_seat, snapshot, look, seat, at.x, at.y), None, at.name)

    def write() -> Iterator[Block]:
        yield Lines((Span(title, HEAD), turn_text(snapshot)))
        yield _supply_table(snapshot, look)
        yield Lines(tuple(table_lines(snapshot)))
        yield Lines(tuple(_seat_words(snapshot, look)))
        if look.legal:
            yield Lines((f"can: {legal_summary(look.legal)}",))
        if look.sheet is not None:
            yield score_table(look.sheet, best_of(snapshot, look.sheet), look.agents)

    regions = (status, table, *piles, *seats)
    return Picture(title, WIDTH, HEIGHT, compose, write, regions, lambda: spots(snapshot, look))


def spots(snapshot: Mapping[str, Any], look: Look) -> Iterator[Spot]:
    """The piles, the cards that a Thief turned over or took, and the hand of the seat that is asked, as far as the viewer sees it."""
    phase, seat = snapshot["phase"], snapshot["seat"]
    if phase == "over":
        return
    is_stolen, is_shown = phase == "thief_gain", phase == "thief_trash"
    for i, name in enumerate(snapshot["supply"]):
        at = _pile_region(i, snapshot)
        points = box(at.x + EDGE, at.y + EDGE, PILE_WIDTH, PILE_HEIGHT)
        yield Spot(name, points, ("buy",) if is_stolen else ("buy", "gain"), at.name, pile_tip(name, snapshot))
    for chip, is_gain in table_chips(snapshot):
        if chip.card and is_gain == is_stolen:
            yield Spot(chip.card, chip.points, ("gain",) if is_gain else ("trash",), "table", words_of(chip.card))
    verbs = ("play", "discard", "topdeck") if is_shown else ("play", "discard", "topdeck", "trash")
    for chip in hand_chips(snapshot, seat, look.viewer):
        if chip.card:
            yield Spot(
                chip.card, chip.points, verbs, f"seat {seat}", f"{chip.card}: {words_of(chip.card)}".rstrip(": ")
            )


def best_of(snapshot: Mapping[str, Any], sheet: Any) -> list[int]:
    """The seats that would win: most points, then fewest turns."""
    keys = [(-sum(row.values()), player["turns"]) for row, player in zip(sheet, snapshot["players"], strict=True)]
    return [seat for seat, key in enumerate(keys) if key == min(keys)]


def _pile_at(i: int, snapshot: Mapping[str, Any]) -> tuple[float, float]:
    """Where a pile lies: basic cards in the first row, kingdom cards below."""
    n_columns = 5 if len(snapshot["supply"]) <= N_BASIC + 10 else N_COLUMNS
    column, row = (i, 0) if i < N_BASIC else ((i - N_BASIC) % n_columns, 1 + (i - N_BASIC) // n_columns)
    return MARGIN + column * (PILE_WIDTH + GAP), TOP_HEIGHT + row * (PILE_HEIGHT + GAP)


def _pile_region(i: int, snapshot: Mapping[str, Any]) -> Region:
    """The box of a pile with its edges."""
    x, y = _pile_at(i, snapshot)
    return Region(f"pile {i}", x - EDGE, y - EDGE, PILE_WIDTH + 2 * EDGE, PILE_HEIGHT + 2 * EDGE)


def _seat_at(seat: int) -> tuple[float, float]:
    return HALF * (seat % 2), SEATS_TOP + SEAT_HEIGHT * (seat // 2)


def _draw_lines(lines: Iterable[str], x: float, y: float, n_lines: int) -> Iterator[Shape]:
    """Text below each other in half a sheet; an ellipsis says that there is more."""
    parts = [part for line in lines for part in wrap(line, TEXT_SIZE, HALF - MARGIN - x % HALF)]
    if len(parts) > n_lines:
        parts = [*parts[: n_lines - 1], f"{parts[n_lines - 1].removesuffix(' ...')} ..."]
    for i, part in enumerate(parts):
        yield Label(x, y + LINE * i, part, TEXT_SIZE, INK)


def _seat_words(snapshot: Mapping[str, Any], look: Look) -> Iterator[Words]:
    for seat in range(snapshot["num_players"]):
        mark = " (turn)" if seat == snapshot["turn_seat"] else ""
        first, *rest = seat_lines(snapshot, seat, look.viewer)
        yield (*seat_words(seat), Span(f"{mark} {first}"))
        yield from (f"    {line}" for line in rest)


def piles_to_take(snapshot: Mapping[str, Any], look: Look) -> set[str]:
    """The piles from which a card can be bought or gained now; what a Thief gains was stolen."""
    verbs = ("buy",) if snapshot["phase"] == "thief_gain" else ("buy", "gain")
    return {label.partition(" ")[2] for label in look.legal if label.split()[0] in verbs}


def _supply_table(snapshot: Mapping[str, Any], look: Look) -> Table:
    """The piles in two columns: basic cards, kingdom cards."""
    names = list(snapshot["supply"])
    marked = piles_to_take(snapshot, look)

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


def _draw_status(snapshot: Mapping[str, Any]) -> Iterator[Shape]:
    for i, line in enumerate(wrap(title_of(snapshot), 15, HALF - MARGIN)):
        yield Label(MARGIN, 26 + 18 * i, line, 15, INK, bold=True)
    yield Label(MARGIN, 68, turn_text(snapshot) if snapshot["phase"] != "over" else "", 13, INK)


def _draw_table(snapshot: Mapping[str, Any]) -> Iterator[Shape]:
    shown = [chip for chip, _ in table_chips(snapshot)]
    n_lines = N_TABLE - 2 if shown else N_TABLE
    yield from _draw_lines(table_lines(snapshot, is_drawn=True), HALF + MARGIN, 22, n_lines)
    yield from _draw_chips(shown)


def _supply_parts(snapshot: Mapping[str, Any], look: Look, regions: Sequence[Region]) -> Iterator[Part]:
    """A part per pile."""
    marked = piles_to_take(snapshot, look)
    for (name, left), at in zip(snapshot["supply"].items(), regions, strict=True):
        told = name, left, snapshot["costs"][name], name in marked, pile_tip(name, snapshot)
        yield Part(at.name, partial(_draw_pile, *told, at.x + EDGE, at.y + EDGE), told, at.name)


def pile_tip(name: str, snapshot: Mapping[str, Any]) -> str:
    """What there is to know of a pile."""
    left, cost = snapshot["supply"][name], snapshot["costs"][name]
    return f"{name}, costs {cost}, {left} left: {CARDS[NAMES.index(name)].text}".rstrip(": ")


def _draw_pile(name: str, left: int, cost: int, is_marked: bool, tip: str, x: float, y: float) -> Iterator[Shape]:
    fill = colour_of(name) if left else "#d0ccc4"
    edge, width = ("#000000", 3.0) if is_marked else ("#7d7467", 1.0)
    yield Polygon(
        box(x, y, PILE_WIDTH, PILE_HEIGHT), fill, edge, width, f"pile {name.split(maxsplit=1)[0].lower()}", tip
    )
    yield Label(x + PILE_WIDTH / 2, y + 24, name, 14, ink_on(fill), "middle", bold=True)
    yield Label(x + 8, y + PILE_HEIGHT - 9, f"{cost}", 13, ink_on(fill))
    yield Label(x + PILE_WIDTH - 8, y + PILE_HEIGHT - 9, f"{left} left", 13, ink_on(fill), "end")


def _draw_seat(snapshot: Mapping[str, Any], look: Look, seat: int, x: float, y: float) -> Iterator[Shape]:
    player, colour, left = snapshot["players"][seat], SEAT_COLOURS[seat], x + SEAT_LEFT
    yield Polygon(box(x + MARGIN, y, 22, SEAT_HEIGHT - 12), colour, mark=f"seat s{seat}")
    yield Label(x + MARGIN + 11, y + 20, SEAT_LETTERS[seat], 14, ink_on(colour), "middle", bold=True)
    points = "" if look.sheet is None else f", {sum(look.sheet[seat].values())} points"
    turn = ", their turn" if seat == snapshot["turn_seat"] and snapshot["phase"] != "over" else ""
    name = "" if look.agents is None else f" {look.agents[seat]}"
    told = f"seat {seat_name(seat)}{name}: {sum(player['hand'].values())} cards in hand{points}{turn}"
    yield Label(left, y + 15, wrap(told, 13, HALF - MARGIN - left % HALF)[0], 13, INK, bold=True)
    found = list(hand_chips(snapshot, seat, look.viewer))
    yield from _draw_chips(found)
    _, *rest = seat_lines(snapshot, seat, look.viewer)
    below = max((chip.y for chip in found), default=y + HAND_TOP) + CHIP_HEIGHT + 18
    room = 1 + int((y + SEAT_HEIGHT - 4 - below) // LINE)  # less below a hand of several rows
    yield from _draw_lines(rest if room > 0 else (), left, below, min(N_SEAT, room))


class CardChip(NamedTuple):
    """A card on the table or in a hand, or another word: the name of the card, what is written, and the place."""

    card: str
    text: str
    x: float
    y: float

    @property
    def width(self) -> float:
        """As wide as its text needs."""
        return 7.4 * len(self.text) + 12

    @property
    def points(self) -> Points:
        """Its corners."""
        return box(self.x, self.y, self.width, CHIP_HEIGHT)


def _counted(card: str, n: int) -> str:
    return f"{n} hidden" if not card else card if n == 1 else f"{n} {card}"


def hand_chips(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> Iterator[CardChip]:
    """A hand as far as the viewer sees it, a chip per kind of card, in as many rows as it needs."""
    player, is_open, (left, top) = snapshot["players"][seat], viewer in (None, seat), _seat_at(seat)
    hand = player["hand"] if is_open else player["known"]
    hidden = 0 if is_open else sum(player["hand"].values()) - sum(hand.values())
    x, y, right = left + SEAT_LEFT, top + HAND_TOP, left + HALF - MARGIN
    for card, n in [*hand.items(), *([("", hidden)] if hidden else [])]:
        chip = CardChip(card, _counted(card, n), x, y)
        if x + chip.width > right:
            y += CHIP_HEIGHT + 2
            chip = chip._replace(x=left + SEAT_LEFT, y=y)
        yield chip
        x = chip.x + chip.width + 6


def table_chips(snapshot: Mapping[str, Any]) -> Iterator[tuple[CardChip, bool]]:
    """The cards that a Thief turned over and those that it took, and whether these are taken ones. Chips without a card say which."""
    x, y = float(HALF + MARGIN), TOP_HEIGHT - CHIP_HEIGHT - 4.0
    groups = (("turned over", Counter(snapshot["revealed"]), False), ("stolen", snapshot["stolen"], True))
    for word, cards, is_taken in groups:
        for card, text in [("", word)] * bool(cards) + [(card, _counted(card, n)) for card, n in cards.items()]:
            chip = CardChip(card, text, x, y)
            yield chip, is_taken
            x += chip.width + 4


def _draw_chips(chips: Iterable[CardChip]) -> Iterator[Shape]:
    for chip in chips:
        fill = colour_of(chip.card) if chip.card else BACK
        yield Polygon(chip.points, fill, "#7d7467", 1.0, "card")
        yield Label(chip.x + chip.width / 2, chip.y + 17, chip.text, TEXT_SIZE, ink_on(fill), "middle")


def asked(snapshot: Mapping[str, Any], viewer: int | None) -> str:
    """What the seat to move is asked for. Only that seat sees a card that it has just drawn."""
    is_pending_seen = snapshot["pending_known"] or viewer in (None, snapshot["seat"])
    about = {
        "library": snapshot["pending"] if is_pending_seen else None,
        "spy": None if snapshot["subject"] is None else f"seat {snapshot['subject']}",
        "gain": f"up to {snapshot['limit']} coins",
    }.get(snapshot["phase"])
    return ASKED[snapshot["phase"]] + (f" ({about})" if about else "")
