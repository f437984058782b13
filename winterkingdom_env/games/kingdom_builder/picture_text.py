"""Text form of a snapshot. ``picture`` makes the drawn form.

A hex is two characters, and odd rows stand half a hex to the right. On most hexes the first character is the piece, the second the
terrain, so that settlements do not hide the terrain:

     g    free grass                            ag   settlement of seat 0, on grass
    *g    free grass, can be chosen             a*   a piece that can be chosen
    xg    blocked by a warrior                  A+   warrior of seat 0; A% wagon, A~ ship, A# a hex of its city hall
    =g    a wall                                ?g   a scout
    ^g    the hex that the lifted piece left    F2   location of kind F with 2 tiles left; Ng: nomad hex with a donation of grass

Colours repeat the letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from winterkingdom_env.core.drawing import (
    DIM,
    FAINT,
    HEAD,
    SEAT_LETTERS,
    SEAT_STYLES,
    hex_verbs,
    legal_summary,
    score_table,
    seat_words,
    style_on,
)
from winterkingdom_env.core.picture import (
    Beside,
    Block,
    BoardSheet,
    Column,
    HexCell,
    HexMap,
    Lines,
    Look,
    Span,
    Style,
    Table,
    Words,
)
from winterkingdom_env.games.kingdom_builder import picture_facts as facts
from winterkingdom_env.games.kingdom_builder.board_maker import GENERATED, GENERATED_BY, layouts_of
from winterkingdom_env.games.kingdom_builder.boards import Layouts, kinds_of
from winterkingdom_env.games.kingdom_builder.picture_facts import COLOURS, LETTERS, Piece
from winterkingdom_env.games.kingdom_builder.plain import FRESH, USED
from winterkingdom_env.games.kingdom_builder.tables import ISLANDS, QUADRANTS, TERRAIN_NAMES, TILE_NAMES, Quadrant

# Terrain letters are faint, so that pieces and targets stand out.
TERRAIN_STYLES = {name: style_on(colour, FAINT) for name, colour in COLOURS.items()}
SPECIAL_STYLES = {name: style_on(colour, bold=True) for name, colour in COLOURS.items()}
TARGET_STYLES = {name: style_on(colour, bold=True)._replace(underline=True) for name, colour in COLOURS.items()}
UNIT_MARKS = {facts.WARRIOR: "+", facts.WAGON: "%", facts.SHIP: "~", facts.HALL: "#"}
CAVE, CAPITOL = "v", "K"  # instead of the letters of mountain and castle
BLANK = Lines(("",))
TILE_MARKS = {FRESH: "{}+", USED: "({})"}  # ready tiles have none

# --- board ------------------------------------------------------------------------------------------------------------


class Cells:
    """The two characters of every hex of a snapshot."""

    def __init__(self, snapshot: Mapping[str, Any], look: Look) -> None:
        """Look up everything once."""
        self.snapshot, self.aims = snapshot, hex_verbs(look.legal)
        self.ground, self.pieces = facts.terrains(snapshot), facts.pieces_on(snapshot)
        self.letters, self.blocked = facts.location_letters(snapshot), facts.blocked(snapshot)
        up = facts.lifted(snapshot)
        self.left = up.left if up else None

    def special(self, name: str, terrain: str) -> str:
        """The characters of a special hex."""
        if terrain == "location":
            return f"{self.letters[self.snapshot['locations'][name]]}{self.snapshot['tiles'][name]}"
        if terrain == "nomad":
            tile = self.snapshot["nomads"].get(name)
            return f"N{facts.nomad_letter(tile) if tile else '-'}"
        return f" {CAPITOL if name in self.snapshot['capitols'] else LETTERS[terrain]}"

    def piece(self, piece: Piece, letter: str, is_target: bool, ground: Style) -> tuple[Span, ...]:
        """A piece on a hex."""
        seat, kind = piece
        own = SEAT_LETTERS[seat] if kind == facts.SETTLEMENT else SEAT_LETTERS[seat].upper()
        second = "*" if is_target and kind == facts.SETTLEMENT else UNIT_MARKS.get(kind, letter)
        return Span(own, SEAT_STYLES[seat]), Span(second, ground)

    def spans(self, name: str) -> tuple[Span, ...]:
        """The characters of a hex: one span, or two if something stands on it."""
        terrain = self.ground[name]
        if LETTERS[terrain].isupper():
            return (Span(self.special(name, terrain), SPECIAL_STYLES[terrain]),)
        is_target, letter = name in self.aims, CAVE if name in self.snapshot["caves"] else LETTERS[terrain]
        ground = TARGET_STYLES[terrain] if is_target else TERRAIN_STYLES[terrain]
        if name in self.pieces:
            return self.piece(self.pieces[name], letter, is_target, ground)
        for mark, names in (("=", self.snapshot["walls"]), ("?", self.snapshot["scouts"])):
            if name in names:
                return Span(mark, SPECIAL_STYLES[terrain]), Span(letter, ground)
        first = "*" if is_target else "^" if name == self.left else "x" if name in self.blocked else " "
        return (Span(first + letter, ground),)

    def words(self, name: str) -> Words:
        """The characters of a hex; a lone span stands for itself."""
        spans = self.spans(name)
        return spans[0] if len(spans) == 1 else spans


def board(snapshot: Mapping[str, Any], look: Look) -> HexMap:
    """The main board, in which the hexes of legal actions are marked."""
    cells = Cells(snapshot, look)
    places = {name: facts.place_of(name) for name in cells.ground}
    return HexMap(
        tuple(
            HexCell(place.row, place.col, cells.words(name)) for name, place in places.items() if not place.is_island
        ),
        is_offset=True,
    )


def island_lines(snapshot: Mapping[str, Any], look: Look) -> list[tuple[Span, ...]]:
    """The island, a line per row with its label; nothing without an island."""
    cells, lines = Cells(snapshot, look), list[tuple[Span, ...]]()
    for row, letters in enumerate(snapshot["island"] or ()):
        spans = [Span(f"i{row} ", DIM), Span(" " * (row % 2))]
        for col, letter in enumerate(letters.rstrip(".")):
            spans += cells.spans(f"i{row}c{col:02}") if letter != "." else (Span("  "),)
        lines.append((*spans, Span(f" c{len(letters.rstrip('.')) - 1:02}", DIM)))
    return lines


# --- legend -----------------------------------------------------------------------------------------------------------


def terrains_in_play(snapshot: Mapping[str, Any]) -> list[str]:
    """The terrains that some hex has, in the order of the tables."""
    found = set(facts.terrains(snapshot).values())
    return [name for name in TERRAIN_NAMES if name in found]


def terrain_key(name: str) -> tuple[Span, ...]:
    """The letter of a terrain in its colour, and its name."""
    return Span(f" {LETTERS[name]}", style_on(COLOURS[name])), Span(f" {name}")


def marks(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What stands on the board besides terrains, and its meaning; only what this game has."""
    found = set(terrains_in_play(snapshot))
    for kind, letter in facts.location_letters(snapshot).items():
        yield f"{letter}2", f"{kind}, 2 tiles left"
    if "nomad" in found:
        yield "Ng", "nomad hex, donation of grass"
        yield "Nr", "r resettlement, o outpost,"
        yield "", "s sword, $ treasure, - none"
    if snapshot["caves"]:
        yield f" {CAVE}", "mountain with a cave"
    if snapshot["capitols"]:
        yield f" {CAPITOL}", "castle with a capitol"
    yield "a ", "settlement of seat 0"
    if facts.has_units(snapshot):
        yield "A+", "warrior; A% wagon, A~ ship,"
        yield "", "A# city hall"
        yield "x ", "blocked by a warrior"
    if facts.uses_of(snapshot, "quarry") or snapshot["walls"]:
        yield "= ", "wall"
    if facts.uses_of(snapshot, "scout cabin") or snapshot["scouts"]:
        yield "? ", "scout"


def _legend(snapshot: Mapping[str, Any]) -> Lines:
    names = [name for name in terrains_in_play(snapshot) if name not in ("location", "nomad")]
    lines: list[Words] = []
    for i in range(0, len(names), 2):
        spans: tuple[Span, ...] = terrain_key(names[i])
        if i + 1 < len(names):
            spans = (*spans, Span(" " * (10 - len(names[i]))), *terrain_key(names[i + 1]))
        lines.append(spans)
    lines += [f"{mark:2} {words}" for mark, words in marks(snapshot)]
    return Lines((*lines, "*  can be chosen now", "^  the lifted piece was here"))


# --- cards, players, scores -------------------------------------------------------------------------------------------


def tile_words(kind: str, now: str) -> str:
    """A tile in front of a player: + if it is fresh, in brackets if it is used."""
    return TILE_MARKS.get(now, "{}").format(kind)


def _cards(snapshot: Mapping[str, Any]) -> Table:
    rows: list[tuple[Words, ...]] = [
        (Span(kind, DIM), Span(name, HEAD), words) for kind, name, words in facts.scored_by(snapshot)
    ]
    names = facts.quadrant_names(snapshot)
    rows.append((Span("board", DIM), ", ".join(names[:2]), f"above {', '.join(names[2:])}"))
    rows.append((Span("left", DIM), "", ", ".join(facts.stocks(snapshot))))
    return Table((Column(wraps=True),) * 3, tuple(rows), has_head=False)


def hand_words(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> str:
    """The terrain cards of a seat as far as the viewer sees them."""
    return ", ".join(facts.hand_of(snapshot, seat, viewer)) or "none"


def _others(player: Mapping[str, Any]) -> str:
    """What only some seats have: tokens, pieces of the temple, lines of Mayors, bonuses that were used."""
    found = [f"{player[key]} {key}" for key in ("tokens", "held", "due") if player[key]]
    found += [f"lines {' '.join(map(str, player['lines']))}"] if player["lines"] else []
    return ", ".join([*found, *(f"({name})" for name in player["bonus_used"])])


def _players(snapshot: Mapping[str, Any], viewer: int | None) -> Table:
    counted = [dict(facts.counts_of(snapshot, seat)) for seat in range(len(snapshot["seats"]))]
    heads = {facts.SETTLEMENT: "supply"} | {name: name for name in UNIT_MARKS}
    rows: list[tuple[Words, ...]] = []
    for seat, player in enumerate(snapshot["seats"]):
        is_next = snapshot["now"]["seat"] == seat and snapshot["now"]["phase"] != "over"
        tiles = ", ".join(tile_words(*tile) for tile in facts.tiles_of(player))
        others = _others(player)
        counts = (str(number) for number in (player["gold"], *counted[seat].values()))
        row = (">" if is_next else "", seat_words(seat), *counts, hand_words(snapshot, seat, viewer))
        rows.append((*row, "; ".join(filter(None, (tiles, others)))))
    numbers = (Column(name, wraps=True, is_right=True) for name in ("gold paid", *(heads[name] for name in counted[0])))
    columns = (Column(), Column("seat"), *numbers, Column("cards", wraps=True), Column("tiles: + fresh, () used", True))
    return Table(columns, tuple(rows))


def _status(snapshot: Mapping[str, Any], viewer: int | None) -> Words:
    now, seen = snapshot["now"], facts.seen_by(viewer)
    if now["phase"] == "over":
        return Span(f"round {snapshot['round']}, the game is over", HEAD), Span(f"  ({seen})" if seen else "")
    start, end = Span(f"round {snapshot['round']}, seat ", HEAD), Span(f": {facts.asked(snapshot)}", HEAD)
    details = [*facts.turn_details(snapshot), *filter(None, [seen])]
    return (start, *seat_words(now["seat"]), end, *([Span(f"  ({', '.join(details)})")] if details else []))


def blocks(snapshot: Mapping[str, Any], look: Look) -> Iterator[Block]:
    """All blocks, from top to bottom."""
    yield Lines((_status(snapshot, look.viewer),))
    yield BLANK
    yield Beside((board(snapshot, look), _legend(snapshot)), most=2)
    if snapshot["island"]:
        yield Lines((Span("island", HEAD), *island_lines(snapshot, look)))
    yield BLANK
    yield _cards(snapshot)
    yield _players(snapshot, look.viewer)
    if look.legal:
        yield Lines((f"can: {legal_summary(look.legal)}",))
    if look.sheet is not None:
        totals = [sum(row.values()) for row in look.sheet]
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        yield score_table(look.sheet, best, look.agents)


# --- quadrants --------------------------------------------------------------------------------------------------------


def _quadrant(layouts: Layouts, quadrant: Quadrant) -> HexMap:
    kinds, cells = kinds_of(quadrant), []
    for row, line in enumerate(layouts.rows(quadrant.name)):
        for col, letter in enumerate(line):
            name = "location" if letter in kinds else facts.NAMES_BY_LETTER.get(letter)
            if name is not None:
                style = SPECIAL_STYLES[name] if letter in kinds or letter.isupper() else TERRAIN_STYLES[name]
                cells.append(HexCell(row, col, Span(f" {letter}", style)))
    told = ", ".join(f"{letter} {TILE_NAMES[tile]}" for letter, tile in kinds.items())
    return HexMap(tuple(cells), False, (Span(f"{quadrant.name} ", HEAD), Span(told, DIM)), is_offset=True)


def _known(layouts: Layouts) -> list[Quadrant]:
    return [quadrant for quadrant in (*QUADRANTS, *ISLANDS) if layouts.has(quadrant.name)]


def quadrant_blocks(layouts: Layouts) -> tuple[Block, ...]:
    """The quadrants and islands that are known, and the letters."""
    keys: list[Words] = []
    for names in (TERRAIN_NAMES[:7], TERRAIN_NAMES[7:]):
        keys.append(tuple(span for name in names for span in (*terrain_key(name), Span("  "))))
    maps = Beside(tuple(_quadrant(layouts, quadrant) for quadrant in _known(layouts)), most=4)
    return maps, BLANK, Lines(tuple(keys))


def board_sheet(source: str = "standard", seed: int = 0) -> BoardSheet:
    """The quadrants of a value of the option ``boards``, or of a file. Raises ValueError if they cannot be read."""
    layouts, found = layouts_of(source, seed), GENERATED_BY.fullmatch(source)
    known = _known(layouts)
    content = [
        {
            "name": quadrant.name,
            "tiles": [TILE_NAMES[tile] for tile in quadrant.tiles],
            "rows": layouts.rows(quadrant.name),
        }
        for quadrant in known
    ]
    n_islands = sum(quadrant in ISLANDS for quadrant in known)
    summary = f"{len(known) - n_islands} quadrants and {n_islands} islands, all in order"
    own_seed = int(found[1]) if found else seed if source == GENERATED else None
    return BoardSheet(quadrant_blocks(layouts), {"boards": source, "seed": own_seed, "quadrants": content}, summary)
