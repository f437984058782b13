"""A game of Winter Kingdom as text: board, cards, players and score sheet of a snapshot, and the sides of the boards.

A hex is two characters, each row stands half a hex further right: ``x = 2 * column + row``. The second character is the
terrain's letter, the first what stands there, so nothing hides the terrain:

     G    free grassland                    aG   house of seat 0, on grassland
    *G    free grassland, can be chosen     AG   its fort
    a^    the house that is being moved     a*   a piece that can be chosen

Colours repeat what the letters say. They differ in lightness too, for those who do not tell red from green.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any, Protocol

from rich import box
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from winterkingdom_env.core.plain_text import plain
from winterkingdom_env.games.winter_kingdom.layout import BOARD_RADIUS
from winterkingdom_env.games.winter_kingdom.tables import ECONOMIES, SCORINGS, TERRAIN_LETTERS, TERRAIN_NAMES, TWISTS

WIDTH = 100
HEX_VERBS = ("house", "fort", "lift")
SEAT_LETTERS = "abcd"
SEAT_COLOURS = ("#0072b2", "#d55e00", "#f0e442", "#000000")
TERRAIN_COLOURS = (
    "#a07850", "#d6b656", "#d48fc8", "#9ccc65", "#f4f7fa", "#1f5c3a",
    "#8fd3f0", "#6b6b6b", "#3a3a3a", "#a8321f", "#5b3a94",
)  # fmt: skip
DIM, HEAD, UNDERLINE = Style(dim=True), Style(bold=True), Style(underline=True)


class SideSet(Protocol):
    """The fourteen sides: their names and the terrain of their hexes, row by row."""

    @property
    def names(self) -> Sequence[str]:
        """Name of each side."""

    @property
    def terrain(self) -> Any:
        """Terrain numbers, one row of 61 per side."""


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _on(colour: str, strength: float = 1.0, bold: bool = False) -> Style:
    """Black or white, whichever can be read, on a background; with less strength the letter sinks into it."""
    red, green, blue = _channels(colour)
    ink = 0 if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else 255
    mixed = (round(strength * ink + (1 - strength) * channel) for channel in (red, green, blue))
    return Style(color="#" + "".join(f"{channel:02x}" for channel in mixed), bgcolor=colour, bold=bold)


FAINT = 0.55  # of the terrain's letters: pieces and targets are to be seen first
TERRAIN_STYLES = {name: _on(colour, FAINT) for name, colour in zip(TERRAIN_NAMES, TERRAIN_COLOURS, strict=True)}
TARGET_STYLES = {name: _on(colour, bold=True) for name, colour in zip(TERRAIN_NAMES, TERRAIN_COLOURS, strict=True)}
LETTERS = dict(zip(TERRAIN_NAMES, TERRAIN_LETTERS, strict=True))
SEAT_STYLES = tuple(_on(colour, bold=True) for colour in SEAT_COLOURS)
FORT_STYLES = tuple(_on(colour, FAINT) for colour in SEAT_COLOURS)


def seat_name(seat: int) -> str:
    """A seat's number and its letter on the board."""
    return f"{seat} ({SEAT_LETTERS[seat]})"


def _seat_text(seat: int) -> Text:
    return Text.assemble(f"{seat} ", (SEAT_LETTERS[seat], SEAT_STYLES[seat]))


# --- board ------------------------------------------------------------------------------------------------------------


def _pieces(snapshot: Mapping[str, Any]) -> dict[str, tuple[int, str]]:
    """Hex label to (seat, letter of the piece)."""
    pieces = {}
    for seat, player in enumerate(snapshot["players"]):
        pieces.update(dict.fromkeys(player["houses"], (seat, SEAT_LETTERS[seat])))
        pieces.update({hex_label: (seat, SEAT_LETTERS[seat].upper()) for hex_label in player["forts"]})
    return pieces


def _cell(terrain: str, piece: tuple[int, str] | None, is_target: bool, is_lifted: bool) -> Text:
    ground = TARGET_STYLES[terrain] + UNDERLINE if is_target else TERRAIN_STYLES[terrain]
    if piece is None:
        return Text(("*" if is_target else " ") + LETTERS[terrain], ground)
    seat, letter = piece
    second = "^" if is_lifted else "*" if is_target else LETTERS[terrain]
    if is_lifted:
        ground = SEAT_STYLES[seat]
    elif letter.isupper() and not is_target:
        ground = FORT_STYLES[seat]
    return Text.assemble((letter, SEAT_STYLES[seat]), (second, ground))


def _terrain_key(name: str) -> Text:
    return Text.assemble((f" {LETTERS[name]}", _on(TERRAIN_COLOURS[TERRAIN_NAMES.index(name)])), f" {name}")


def targets(legal: Iterable[str]) -> set[str]:
    """Hexes that the labels of legal actions point at."""
    words = (label.split() for label in legal)
    return {word[1] for word in words if word[0] in HEX_VERBS}


def board_lines(snapshot: Mapping[str, Any], legal: Iterable[str] = ()) -> list[Text]:
    """The board, one line per row: the row and its first column on the left, its last column on the right."""
    pieces, aims, lifted = _pieces(snapshot), targets(legal), snapshot["turn"]["lifted"]
    rows: dict[int, dict[int, Text]] = {}
    for place in snapshot["hexes"]:
        name = place["hex"]
        cell = _cell(place["terrain"], pieces.get(name), name in aims, name == lifted)
        rows.setdefault(place["row"], {})[place["col"]] = cell
    left = min(2 * min(cells) + row for row, cells in rows.items())
    lines = []
    for row, cells in sorted(rows.items()):
        first, last = min(cells), max(cells)
        line = Text(" " * (2 * first + row - left), no_wrap=True)
        line.append(f"r{row:02d}c{first:02d} ", DIM)
        for col in range(first, last + 1):
            line.append_text(cells.get(col, Text("  ")))
        line.append(f" c{last:02d}", DIM)
        lines.append(line)
    return lines


def _legend(snapshot: Mapping[str, Any]) -> list[Text]:
    lines = [*map(_terrain_key, TERRAIN_NAMES), Text()]
    for seat in range(len(snapshot["players"])):
        letter, style = SEAT_LETTERS[seat], SEAT_STYLES[seat]
        lines.append(Text.assemble((letter, style), "  house  ", (f"{letter.upper()} ", style), " fort"))
    lines.append(Text("*  can be chosen now"))
    lines.append(Text("^  is being moved"))
    return lines


def _board(snapshot: Mapping[str, Any], legal: Iterable[str]) -> Table:
    lines, legend = board_lines(snapshot, legal), _legend(snapshot)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_row(Text("\n").join(lines), Text("\n").join(legend))
    return table


# --- cards, players, scores -------------------------------------------------------------------------------------------


def _cards(snapshot: Mapping[str, Any]) -> Table:
    words = {card.name: card.text for card in (*SCORINGS, *ECONOMIES, *TWISTS)}
    table = Table.grid(padding=(0, 2, 0, 0))
    named = [("scoring", name) for name in snapshot["scoring"]]
    named += [("economy", snapshot["economy"]), ("twist", snapshot["twist"])]
    for kind, name in named:
        table.add_row(Text(kind, DIM), Text(name or "none", HEAD), words[name] if name else "")
    where = f"top {snapshot['top_board']}, bottom {snapshot['bottom_board']}"
    table.add_row(Text("boards", DIM), where, f"Knights count along a {snapshot['direction']}")
    return table


def card_name(card: Mapping[str, Any]) -> str:
    """An ability card in play: ``+`` if upgraded, and what of it is used this turn."""
    name = card["card"] + ("+" if card["upgraded"] else "")
    if card["used"]:
        return f"{name} (used)"
    halves = " ".join(card["used_halves"])
    return f"{name} ({halves} used)" if halves else name


def _in_play(player: Mapping[str, Any]) -> str:
    tunnel = "Tunnel (used)" if player["tunnel_used"] else "Tunnel"
    return ", ".join([*(card_name(card) for card in player["in_play"] if card["card"] != "Tunnel"), tunnel])


def _players(snapshot: Mapping[str, Any], viewer: int | None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "seat"):
        table.add_column(name, no_wrap=True)
    for name in ("coins", "houses\nleft", "forts\nleft"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("terrain", no_wrap=True)
    table.add_column("in play")
    table.add_column("hand")
    for seat, player in enumerate(snapshot["players"]):
        is_open = viewer is None or viewer == seat
        is_next = seat == snapshot["seat"] and snapshot["phase"] != "over"
        hand = ", ".join(player["hand"]) if is_open else f"{len(player['hand'])} cards"
        # The seat to move has revealed its terrain card; the others' are theirs alone to see.
        card = (player["terrain_card"] or "none") if is_open or is_next else "?"
        counts = (str(player[key]) for key in ("coins", "houses_left", "forts_left"))
        table.add_row(">" if is_next else "", _seat_text(seat), *counts, card, _in_play(player), hand)
    return table


def score_table(sheet: Sequence[Mapping[str, int]], agents: Sequence[str] | None = None) -> Table:
    """The score sheet: a row per seat, a column per card; the leaders are marked."""
    totals = [sum(row.values()) for row in sheet]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("seat", no_wrap=True)
    if agents is not None:
        table.add_column("agent")
    for name in (*sheet[0], "total"):
        table.add_column(name, justify="right")
    table.add_column("")
    for seat, (row, total) in enumerate(zip(sheet, totals, strict=True)):
        names = [] if agents is None else [Text(plain(agents[seat]))]
        numbers = [str(points) for points in row.values()]
        best = "*" if total == max(totals) else ""
        table.add_row(_seat_text(seat), *names, *numbers, Text(str(total), HEAD), best)
    return table


def _status(snapshot: Mapping[str, Any]) -> Text:
    turn, seat = snapshot["turn"], snapshot["seat"]
    if snapshot["phase"] == "over":
        return Text(f"round {snapshot['round']}, the game is over", HEAD)
    text = Text.assemble(
        (f"round {snapshot['round']}, seat ", HEAD), _seat_text(seat), (f" to move, phase {snapshot['phase']}", HEAD)
    )
    details = [f"{turn['card']} {turn['half'] or ''}".strip()] if turn["card"] else []
    details += [f"{len(turn['placed'])} mandatory on {turn['terrain']}"] if turn["placed"] else []
    details += [f"lifted {turn['lifted']}"] if turn["lifted"] else []
    details += [f"{turn['uses_left']} uses left"] if turn["uses_left"] else []
    return text.append(f"  ({', '.join(details)})") if details else text


def legal_summary(legal: Sequence[str], n_named: int = 0) -> str:
    """Legal actions in one sentence; of the hexes, which the board shows, at most ``n_named`` are named per verb."""
    parts = []
    for verb in HEX_VERBS:
        hexes = [label.split()[1] for label in legal if label.split()[0] == verb]
        if 0 < len(hexes) <= n_named:
            parts.append(f"{verb} {' '.join(hexes)}")
        elif hexes:
            named = f" {' '.join(hexes[:n_named])}, on" if n_named else " on"
            parts.append(
                f"{verb}{named} {len(hexes)} hex{'es' if len(hexes) > 1 else ''}{' in all' if n_named else ''}"
            )
    return ", ".join(parts + [label for label in legal if label.split()[0] not in HEX_VERBS])


def view(
    snapshot: Mapping[str, Any],
    legal: Sequence[str] | None = None,
    sheet: Sequence[Mapping[str, int]] | None = None,
    viewer: int | None = None,
    agents: Sequence[str] | None = None,
) -> RenderableType:
    """A snapshot for a rich console; arguments as in ``render``."""
    parts: list[RenderableType] = [_status(snapshot), Text(), _board(snapshot, legal or ()), Text(), _cards(snapshot)]
    parts.append(_players(snapshot, viewer))
    if legal:
        parts.append(Text(f"can: {legal_summary(legal)}"))
    if sheet is not None:
        parts.append(score_table(sheet, agents))
    return Group(*parts)


def render(
    snapshot: Mapping[str, Any],
    colour: bool = True,
    legal: Sequence[str] | None = None,
    sheet: Sequence[Mapping[str, int]] | None = None,
    viewer: int | None = None,
) -> str:
    """A snapshot as text of at most 100 columns; with ``colour`` it holds escape codes, else it is plain.

    ``legal``: labels of legal actions, whose hexes are marked. ``sheet``: what ``score_sheet()`` gave. ``viewer``: the
    seat that looks; it does not see the others' hands and terrain cards. None sees everything.
    """
    return to_text(view(snapshot, legal, sheet, viewer), colour)


def to_text(content: RenderableType, colour: bool) -> str:
    """What a rich console would print, as text of at most 100 columns; plain without ``colour``."""
    console = Console(
        file=StringIO(), width=WIDTH, force_terminal=colour, color_system="truecolor" if colour else None, _environ={}
    )
    console.print(content, highlight=False)
    text = str(console.file.getvalue())  # type: ignore[attr-defined]  # the StringIO of the line above
    if not colour:
        text = text.replace("\u2500", "-")  # the rule under a table's head; all else is ASCII: any file can hold it
    return "\n".join(line.rstrip() for line in text.split("\n"))


# --- sides ------------------------------------------------------------------------------------------------------------


def _side_lines(terrain: Sequence[int]) -> list[Text]:
    lines, start = [], 0
    for row in range(-BOARD_RADIUS, BOARD_RADIUS + 1):
        n_hexes = 2 * BOARD_RADIUS + 1 - abs(row)
        line = Text(" " * abs(row))
        for number in terrain[start : start + n_hexes]:
            line.append_text(_cell(TERRAIN_NAMES[number], None, False, False))
        lines.append(line)
        start += n_hexes
    return lines


def sides_view(sides: SideSet, per_row: int = 4) -> RenderableType:
    """All sides for a rich console, ``per_row`` next to each other; 1f and 1b are front and back of board 1."""
    table = Table.grid(padding=(0, 2, 0, 0))
    blocks = []
    for side, (name, terrain) in enumerate(zip(sides.names, sides.terrain, strict=True)):
        title = Text.assemble((f"{side // 2 + 1}{'fb'[side % 2]} ", DIM), (name, HEAD))
        lines = [title, *_side_lines([int(number) for number in terrain])]
        blocks.append(Text("\n", no_wrap=True).join(lines))
    for start in range(0, len(blocks), per_row):
        table.add_row(*blocks[start : start + per_row])
        table.add_row()
    keys = [Text("  ").join(map(_terrain_key, names)) for names in (TERRAIN_NAMES[:6], TERRAIN_NAMES[6:])]
    return Group(table, *keys, Text("1f, 1b: front and back of board 1", DIM))


def sides_text(sides: SideSet, colour: bool = True, per_row: int = 4) -> str:
    """The sides as text of at most 100 columns."""
    return to_text(sides_view(sides, per_row), colour)
