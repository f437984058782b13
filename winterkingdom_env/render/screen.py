"""A position on a terminal's screen: the board or a part of it, a panel beside it, what is legal and the last moves below it.

Nothing here reads or writes a terminal: ``compose`` makes the lines of a screen of a given size. The hexes that can be chosen show their
column, the rows their number at both ends: whoever wants r12c06 reads 12 at the row and 06 in the hex.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from winterkingdom_env.core.drawing import HEAD, SEAT_LETTERS, OnPlace, on_place, seat_words, style_on
from winterkingdom_env.core.picture import HexCell, HexMap, Screen, Span, Style, Words
from winterkingdom_env.render.text import GAP, as_rich, as_rich_style, hex_rows

LEAST_WIDTH, LEAST_HEIGHT = 80, 24  # of a terminal with a screen; smaller ones are printed on line by line
NARROWEST, WIDEST = 22, 44  # of the panel
LONGEST_NAME = 13  # in its small table
# Rows of the board that always stay in view: while something on it can be chosen, and otherwise.
FEW_ROWS, FEWER_ROWS = 12, 10
MOST_LOG, MOST_MESSAGE = 3, 4  # lines, where there is no room for more
MOST_NOTED = 6  # places that a hint names
OWN_FACTS = 3  # the first facts, which stay in a low panel
ELLIPSIS = "..."
PLAIN, DIM, BOLD = Style(), Style(dim=True), HEAD
FRESH = "!"  # on a piece that came since one looked last

_WRAPPER = Console(
    width=LEAST_WIDTH, color_system=None, _environ={}
)  # rich wraps for a console; this one is never printed on


@dataclass(frozen=True)
class Shown:
    """What stands on the screen beside what the game says.

    title    the first line
    legal    labels of the legal actions
    listed   those of them that have a number, in their order
    fresh    labels of what the others did since the viewer's last turn
    own      labels of what the viewer did in this turn
    points   rows of the panel: what scores, and the points per seat
    log      what was done, a line per turn, the last one at the end
    n_news   how many of them are new
    message  an answer to what was typed
    top      the first row of the board in view; None: wherever something can be chosen
    """

    title: str
    legal: Sequence[str] = ()
    listed: Sequence[str] = ()
    fresh: Sequence[str] = ()
    own: Sequence[str] = ()
    points: Sequence[tuple[str, Sequence[str]]] = ()
    log: Sequence[str] = ()
    n_news: int = 0
    message: str = ""
    top: int | None = None


@dataclass(frozen=True)
class Composed:
    """The lines of a screen, without that of the prompt, and from which row on they show how much of the board."""

    lines: list[Text] = field(repr=False)
    top: int
    last: int  # row of the board
    n_rows: int  # in view


def wrapped(words: Words | Text, width: int) -> list[Text]:
    """Words in lines of at most this width."""
    text = words if isinstance(words, Text) else as_rich(words)
    return list(text.wrap(_WRAPPER, max(1, width), overflow="fold")) or [Text()]


def _cut(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(width, overflow="crop")
    return line


# --- board ------------------------------------------------------------------------------------------------------------


def _has_piece(cell: HexCell) -> bool:
    """Whether something stands on a hex: it is the first of several spans then, the ground is the last."""
    return not isinstance(cell.words, str | Span)  # a Span is a tuple, too


def _front(cell: HexCell) -> Style:
    """The style of what is seen first in a hex: a piece, or else the ground."""
    words: Words = cell.words[0] if _has_piece(cell) else cell.words
    return words.style if isinstance(words, Span) else PLAIN


def _target(cell: HexCell, has_note: bool = False) -> HexCell:
    """A hex that can be chosen shows its column; every second one is underlined, so that neighbours do not run together.

    One with a note has ink and ground exchanged, for it differs from the others.
    """
    ground = _front(cell).ground
    style = style_on(ground, bold=True) if ground else BOLD
    if has_note and ground:
        style = style._replace(ink=ground, ground=style.ink)
    return cell._replace(words=Span(f"{cell.col:02d}", style._replace(underline=cell.col % 2 == 1)))


def _fresh(cell: HexCell) -> HexCell:
    return cell._replace(words=Span(as_rich(cell.words).plain[:1] + FRESH, _front(cell)._replace(bold=True)))


def _places(labels: Sequence[str]) -> set[tuple[int, int]]:
    return {(place.row, place.col) for place in map(on_place, labels) if place is not None}


def board_lines(board: HexMap, shown: Shown, notes: Mapping[str, str] | None = None) -> dict[int, Text]:
    """A map by its rows, in which what can be chosen, what has a note and what is new can be read."""
    targets, new = _places(shown.legal), _places(shown.fresh) - _places(shown.own)
    noted = _places([label for label in shown.legal if notes and label in notes])
    cells = []
    for cell in board.cells:
        at = cell.row, cell.col
        cells.append(
            _target(cell, at in noted) if at in targets else _fresh(cell) if at in new and _has_piece(cell) else cell
        )
    dim, lines = as_rich_style(DIM), {}
    for row, _, _, indent, hexes in hex_rows(cells, board.is_offset):
        line = Text(" " * indent, no_wrap=True)
        line.append(f"{row:02d} ", dim)
        line.append_text(hexes)
        line.append(f" {row:02d}", dim)
        lines[row] = line
    return lines


def _window(rows: Sequence[int], n: int, shown: Shown) -> int:
    """The place in ``rows`` from which ``n`` are shown: as many as possible that can be chosen, then that are new, then the middle."""
    last = max(0, len(rows) - n)
    if shown.top is not None:
        return min(last, sum(row < shown.top for row in rows))
    wanted = [place[0] for place in _places(shown.legal)]
    new = [place[0] for place in _places([*shown.fresh, *shown.own])]

    def how_many(start: int) -> tuple[int, int, int]:
        seen = range(rows[start], rows[min(start + n, len(rows)) - 1] + 1)
        return sum(row in seen for row in wanted), sum(row in seen for row in new), -abs(2 * start - last)

    return max(range(last + 1), key=how_many)


# --- panel ------------------------------------------------------------------------------------------------------------


def _room(width: int, n_seats: int) -> int:
    """The width of a column of the small table."""
    return max(3, min(7, (width - LONGEST_NAME) // n_seats))


def _row(name: str, words: Sequence[str], width: int, style: Style = PLAIN) -> Text:
    """A name and a word per seat, right-aligned; for a word that is too long there is a question mark."""
    each = _room(width, len(words))
    room = max(0, width - each * len(words))
    told = "".join(f"{word if len(word) < each else '?':>{each}}" for word in words)
    return Text(f"{name[: max(0, room)]:{room}}{told}", as_rich_style(style), no_wrap=True)


def panel_lines(screen: Screen, shown: Shown, width: int, height: int) -> list[Text]:
    """The small table of seats with its points, then the facts.

    In a low panel the totals, the first count and the first facts stay, then come the other counts, the points and the other facts.
    """
    n_seats = len(shown.points[0][1]) if shown.points else 0
    parts: list[tuple[int, list[Text]]] = []  # how soon it is left out, and its lines
    if n_seats:
        head = _row("", [f"{seat}{SEAT_LETTERS[seat]}" for seat in range(n_seats)], width)
        for seat in range(n_seats):  # the letter in its colour
            start = width - _room(width, n_seats) * (n_seats - 1 - seat) - 1
            head.stylize(as_rich_style(seat_words(seat)[1].style), start, start + 1)
        parts.append((0, [head]))
    parts += [(2 if not i else 4, [_row(name, words, width)]) for i, (name, words) in enumerate(screen.counts)]
    parts += [(5, [_row(name, words, width)]) for name, words in shown.points[:-1]]
    parts += [(1, [_row(name, words, width, BOLD)]) for name, words in shown.points[-1:]]
    parts += [(3 if i < OWN_FACTS else 6, wrapped(fact, width)) for i, fact in enumerate(screen.facts)]
    kept, room = set(), height
    for i in sorted(range(len(parts)), key=lambda i: parts[i][0]):
        if len(parts[i][1]) <= room:
            kept.add(i)
            room -= len(parts[i][1])
    return [line for i, (_, lines) in enumerate(parts) if i in kept for line in lines]


# --- below the board --------------------------------------------------------------------------------------------------


def _verbs(legal: Sequence[str]) -> dict[str, list[OnPlace]]:
    """The legal actions on places, by their verb."""
    verbs: dict[str, list[OnPlace]] = {}
    for place in filter(None, map(on_place, legal)):
        verbs.setdefault(place.verb, []).append(place)
    return verbs


def places_hint(legal: Sequence[str], rows: Sequence[int] = (), notes: Mapping[str, str] | None = None) -> str:
    """How to type an action on a place, with one in these rows as the example, and the places with a note; empty if there is no place."""
    verbs = _verbs(legal)
    if not verbs:
        return ""
    parts = []
    for i, (verb, places) in enumerate(verbs.items()):
        at = next((place for place in places if place.row in rows), places[0])
        n = f"{len(places)} place{'' if len(places) == 1 else 's'}"
        typed = f"{verb} {at.row} {at.col}" if i else f"{at.row} {at.col}"
        parts.append(f"{typed} = {verb} r{at.row:02d}c{at.col:02d} ({n})" if not i else f"{typed} ({n})")
    return "row column: " + "; ".join([*parts, *_noted(legal, notes or {})])


def _noted(legal: Sequence[str], notes: Mapping[str, str]) -> list[str]:
    """The places with a note, by the note."""
    found: dict[str, list[str]] = {}
    for label in legal:
        at = on_place(label)
        if at is not None and label in notes:
            found.setdefault(notes[label], []).append(f"{at.row} {at.col}")
    told = []
    for note, places in found.items():
        more = f" {ELLIPSIS}" if len(places) > MOST_NOTED else ""
        told.append(f"{note}: {', '.join(places[:MOST_NOTED])}{more}")
    return told


def _actions(shown: Shown, notes: Mapping[str, str], width: int, room: int, ample: int) -> list[Text]:
    """A line for the hint, if there are places, then what has a number, with its note.

    The notes are whole if all of that needs no more than ``ample`` lines. Otherwise there is a line per action, or half a line, and at
    last their names only: whatever fits in ``room``.
    """
    head = [Text()] if _verbs(shown.legal) else []
    numbered = list(enumerate(shown.listed, 1))
    whole = [line for number, label in numbered for line in _entry(number, label, notes.get(label, ""), width)]
    if len(head) + len(whole) <= ample:
        return head + whole
    names = flow([f"{number} {label}" for number, label in numbered], width)
    half = (width - GAP) // 2
    for each, lines in ((width, len(numbered)), (half, (len(numbered) + 1) // 2)):
        short = [_short_entry(number, label, notes.get(label, ""), each) for number, label in numbered]
        if len(head) + lines <= room and all(len(f"{number:2d} {label}") <= each for number, label in numbered):
            return head + (short if each == width else _beside(short[:lines], short[lines:], half, width))
    lines_of = head + names
    if len(lines_of) > room:
        lines_of = [*lines_of[: max(0, room - 1)], Text("... help lists all", as_rich_style(DIM))]
    return lines_of


def _short_entry(number: int, label: str, note: str, width: int) -> Text:
    """An action with its number, and as much of its note as fits in one line."""
    line = Text(f"{number:2d} {label}", as_rich_style(BOLD))
    said = f"  {note}" if note else ""
    room = width - line.cell_len
    if len(said) > room:
        kept = said[: max(0, room - len(ELLIPSIS) + 1)].rpartition(" ")[0].rstrip(" ,;:")  # whole words
        said = f"{kept}{ELLIPSIS}" if kept else ""
    return line.append(said, as_rich_style(DIM))


def _entry(number: int, label: str, note: str, width: int) -> list[Text]:
    """An action with its number and its note, which goes on in further lines."""
    line = Text(f"{number:2d} {label}", as_rich_style(BOLD))
    line = Text.assemble(line, (f"  {note}" if note else "", as_rich_style(DIM)))
    first, *rest = wrapped(line, width)
    return [first, *(Text("     ").append_text(part) for more in rest for part in wrapped(more, width - 5))]


def flow(items: Sequence[str], width: int) -> list[Text]:
    """Items one after the other, as many in a line as fit."""
    lines = [""]
    for item in items:
        joined = f"{lines[-1]}   {item}" if lines[-1] else item
        if len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(item)
    return [Text(line) for line in lines]


def _shortened(lines: list[Text], most: int) -> list[Text]:
    """The first lines of a text; three dots stand for the others."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], _cut(lines[most - 1], lines[most - 1].cell_len - 4).append(" ...")]


def _log(shown: Shown, width: int) -> tuple[list[Text], int]:
    """The lines of the log, and how many of them at the end are news: these are kept short, for they are always shown."""
    n_old = len(shown.log) - shown.n_news
    most = max(1, MOST_LOG // max(1, shown.n_news))
    old = [line for entry in shown.log[:n_old] for line in wrapped(Span(entry, DIM), width)]
    news = [line for entry in shown.log[n_old:] for line in _shortened(wrapped(entry, width), most)]
    return old + news, len(news)


def _rule(rows: Sequence[int], start: int, n: int, shown: Shown, width: int) -> Text:
    """The line below the board: which rows are in view, and what can be chosen above and below them."""
    if n >= len(rows):
        return Text("-" * width, as_rich_style(DIM))
    at = [place[0] for place in _places(shown.legal)]
    above, below = sum(row < rows[start] for row in at), sum(row > rows[start + n - 1] for row in at)
    hidden = f"; legal: {above} above, {below} below" if above or below else ""
    said = f"-- rows {rows[start]}-{rows[start + n - 1]} of {rows[0]}-{rows[-1]}{hidden}; up, down, Enter: next part "
    return Text(f"{said:-<{width}}"[:width], as_rich_style(DIM))


def compose(screen: Screen, shown: Shown, width: int, height: int) -> Composed:
    """The lines of a screen of this size, all but that of the prompt: at most ``height - 1`` of at most ``width`` characters."""
    board = _board(screen, shown, width)
    rows, widest = sorted(board), max((line.cell_len for line in board.values()), default=0)
    message = wrapped(Span(shown.message, BOLD), width)[:MOST_MESSAGE] if shown.message else []
    told, n_log = _log(shown, width)
    legend = [as_rich(screen.legend)] if screen.legend else []
    free = height - 3 - len(legend) - len(message)  # title, rule and prompt are always there
    least = min(len(rows), FEW_ROWS if _places(shown.legal) else FEWER_ROWS)
    actions = _actions(shown, screen.notes, width, free - n_log - least, free - n_log - len(rows))
    room = free - len(actions) - n_log
    n = min(len(rows), room)
    start = _window(rows, n, shown)
    hint = places_hint(shown.legal, rows[start : start + n], screen.notes)
    if hint:  # its example is in view
        actions[0] = Text(hint, as_rich_style(DIM))
    panel = panel_lines(screen, shown, min(WIDEST, width - widest - GAP), room)
    body = _beside([board[row] for row in rows[start : start + n]], panel, widest, width)
    log = told[len(told) - min(len(told), free - len(actions) - len(body)) :]
    title = Text(shown.title, as_rich_style(BOLD))
    lines = [title, *legend, *body, _rule(rows, start, n, shown, width), *actions, *log, *message]
    return Composed([_cut(line, width) for line in lines], rows[start], rows[-1], n)


def _board(screen: Screen, shown: Shown, width: int) -> dict[int, Text]:
    """The lines of the board by their rows; there is one at least."""
    if isinstance(screen.board, HexMap):
        return board_lines(screen.board, shown, screen.notes)
    room = width - NARROWEST - GAP
    lines = [part for words in screen.board.lines for part in wrapped(words, room)]
    return dict(enumerate(lines or [Text()]))


def _beside(left: Sequence[Text], right: Sequence[Text], room: int, width: int) -> list[Text]:
    """Lines next to each other; without room for a panel only the board is shown."""
    if width - room - GAP < NARROWEST:
        return list(left)
    lines = []
    for i in range(max(len(left), len(right))):
        line = left[i].copy() if i < len(left) else Text()
        if i < len(right):
            line.append(" " * (room + GAP - line.cell_len))
            line.append_text(right[i])
        lines.append(line)
    return lines


def page(lines: Sequence[Text], first: int, height: int) -> tuple[list[Text], int]:
    """The part of a long text from its line ``first`` on, and the line with which the next part begins: 0 at its end."""
    room = max(1, height - 2)
    following = first + room
    return list(lines[first:following]), following if following < len(lines) else 0
