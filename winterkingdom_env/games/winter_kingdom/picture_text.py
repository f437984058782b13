"""Text form of a snapshot. ``picture`` makes the drawn form.

A hex is two characters, and each row is shifted by half a hex. The first character is the piece, the second the terrain, so that pieces do
not hide the terrain:

     G    free grassland                    aG   house of seat 0, on grassland
    *G    free grassland, can be chosen     AG   its fort
    a^    the house that is being moved     a*   a piece that can be chosen

Colours repeat the letters. They differ in lightness, too, so that they work with red-green colour blindness.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from winterkingdom_env.core.drawing import (
    DIM,
    FAINT,
    HEAD,
    SEAT_COLOURS,
    SEAT_LETTERS,
    SEAT_STYLES,
    hex_targets,
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
    Table,
    Words,
)
from winterkingdom_env.games.winter_kingdom.boards import (
    SIDE_HEXES,
    Sides,
    format_side,
    format_sides,
    generated_sides,
    load_sides,
    parse_sides,
    side_label,
    standard_sides,
)
from winterkingdom_env.games.winter_kingdom.house import changed
from winterkingdom_env.games.winter_kingdom.tables import ECONOMIES, SCORINGS, TERRAIN_LETTERS, TERRAIN_NAMES, TWISTS

TERRAIN_COLOURS = (
    "#a07850", "#d6b656", "#d48fc8", "#9ccc65", "#f4f7fa", "#1f5c3a",
    "#8fd3f0", "#6b6b6b", "#3a3a3a", "#a8321f", "#5b3a94",
)  # fmt: skip
COLOURS = dict(zip(TERRAIN_NAMES, TERRAIN_COLOURS, strict=True))
LETTERS = dict(zip(TERRAIN_NAMES, TERRAIN_LETTERS, strict=True))
# Terrain letters are faint, so that pieces and targets stand out.
TERRAIN_STYLES = {name: style_on(colour, FAINT) for name, colour in COLOURS.items()}
TARGET_STYLES = {name: style_on(colour, bold=True)._replace(underline=True) for name, colour in COLOURS.items()}
FORT_STYLES = tuple(style_on(colour, FAINT) for colour in SEAT_COLOURS)
BLANK = Lines(("",))

# --- shared by both forms ---------------------------------------------------------------------------------------------


def pieces_on(snapshot: Mapping[str, Any]) -> dict[str, tuple[int, bool]]:
    """Hex label to (seat, whether it is a fort)."""
    kinds = (("houses", False), ("forts", True))
    seats = [*enumerate(snapshot["players"])]
    return {name: (seat, is_fort) for seat, player in seats for key, is_fort in kinds for name in player[key]}


def piece_letter(seat: int, is_fort: bool) -> str:
    """A lower-case letter for a house, an upper-case one for a fort."""
    return SEAT_LETTERS[seat].upper() if is_fort else SEAT_LETTERS[seat]


def played_by(snapshot: Mapping[str, Any]) -> list[tuple[str, str | None, str]]:
    """Kind, name and words of the cards that everybody plays by; a twist has no name if there is none."""
    words = {card.name: card.text for card in (*SCORINGS, *ECONOMIES, *TWISTS)}
    house_rules = snapshot.get("house_rules", "")
    named = [("scoring", name) for name in snapshot["scoring"]]
    named += [("economy", snapshot["economy"]), ("twist", snapshot["twist"])]
    told = [(kind, name, words.get(name, ""), changed(house_rules, kind, name or "")) for kind, name in named]
    return [(kind, name, f"{text} [house rules: {change}]" if change else text) for kind, name, text, change in told]


def card_name(card: Mapping[str, Any]) -> str:
    """An ability card in play: ``+`` if upgraded, and the halves used this turn."""
    name = card["card"] + ("+" if card["upgraded"] else "")
    if card["used"]:
        return f"{name} (used)"
    halves = " ".join(card["used_halves"])
    return f"{name} ({halves} used)" if halves else name


def is_to_move(snapshot: Mapping[str, Any], seat: int) -> bool:
    """Whether it is the seat's turn."""
    return bool(seat == snapshot["seat"] and snapshot["phase"] != "over")


def sees_hand(viewer: int | None, seat: int) -> bool:
    """Whether the viewer may see the hand of a seat."""
    return viewer is None or viewer == seat


def terrain_card(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> str | None:
    """The terrain card of a seat, or ? if it is hidden from the viewer; that of the seat to move is public."""
    card: str | None = snapshot["players"][seat]["terrain_card"]
    return card if sees_hand(viewer, seat) or is_to_move(snapshot, seat) else "?"


def turn_details(snapshot: Mapping[str, Any]) -> list[str]:
    """The state of the turn in progress."""
    turn = snapshot["turn"]
    details = [f"{turn['card']} {turn['half'] or ''}".strip()] if turn["card"] else []
    details += [f"{len(turn['placed'])} mandatory on {turn['terrain']}"] if turn["placed"] else []
    details += [f"lifted {turn['lifted']}"] if turn["lifted"] else []
    return details + ([f"{turn['uses_left']} uses left"] if turn["uses_left"] else [])


# --- board ------------------------------------------------------------------------------------------------------------


def _cell(
    terrain: str, piece: tuple[int, bool] | None = None, is_target: bool = False, is_lifted: bool = False
) -> Words:
    ground = TARGET_STYLES[terrain] if is_target else TERRAIN_STYLES[terrain]
    if piece is None:
        return Span(("*" if is_target else " ") + LETTERS[terrain], ground)
    seat, is_fort = piece
    second = "^" if is_lifted else "*" if is_target else LETTERS[terrain]
    if is_lifted:
        ground = SEAT_STYLES[seat]
    elif is_fort and not is_target:
        ground = FORT_STYLES[seat]
    return Span(piece_letter(seat, is_fort), SEAT_STYLES[seat]), Span(second, ground)


def terrain_key(name: str, width: int = 0) -> tuple[Span, ...]:
    """The letter of a terrain in its colour, and its name; ``width`` characters at least."""
    return Span(f" {LETTERS[name]}", style_on(COLOURS[name])), Span(f" {name:{max(0, width - 3)}}")


def board(snapshot: Mapping[str, Any], look: Look) -> HexMap:
    """The map, in which the hexes of legal actions are marked."""
    pieces, lifted = pieces_on(snapshot), snapshot["turn"]["lifted"]
    aims = {name for hexes in hex_targets(look.legal).values() for name in hexes}
    return HexMap(
        tuple(
            HexCell(
                place["row"],
                place["col"],
                _cell(place["terrain"], pieces.get(place["hex"]), place["hex"] in aims, place["hex"] == lifted),
            )
            for place in snapshot["hexes"]
        )
    )


def _legend(snapshot: Mapping[str, Any]) -> Lines:
    lines: list[Words] = [*map(terrain_key, TERRAIN_NAMES), ""]
    for seat in range(len(snapshot["players"])):
        house, fort, style = piece_letter(seat, False), piece_letter(seat, True), SEAT_STYLES[seat]
        lines.append((Span(house, style), Span("  house  "), Span(f"{fort} ", style), Span(" fort")))
    return Lines((*lines, "*  can be chosen now", "^  is being moved"))


# --- cards, players, scores -------------------------------------------------------------------------------------------


def _cards(snapshot: Mapping[str, Any]) -> Table:
    rows: list[tuple[Words, ...]] = [
        (Span(kind, DIM), Span(name or "none", HEAD), words) for kind, name, words in played_by(snapshot)
    ]
    where = f"top {snapshot['top_board']}, bottom {snapshot['bottom_board']}"
    rows.append((Span("boards", DIM), where, f"Knights count along a {snapshot['direction']}"))
    return Table((Column(wraps=True),) * 3, tuple(rows), has_head=False)


def _in_play(player: Mapping[str, Any]) -> str:
    tunnel = "Tunnel (used)" if player["tunnel_used"] else "Tunnel"
    return ", ".join([*(card_name(card) for card in player["in_play"] if card["card"] != "Tunnel"), tunnel])


PLAYER_COLUMNS = (
    Column(), Column("seat"), *(Column(name, is_right=True) for name in ("coins", "houses\nleft", "forts\nleft")),
    Column("terrain"), Column("in play", wraps=True), Column("hand", wraps=True),
)  # fmt: skip


def _players(snapshot: Mapping[str, Any], viewer: int | None) -> Table:
    rows: list[tuple[Words, ...]] = []
    for seat, player in enumerate(snapshot["players"]):
        is_next = is_to_move(snapshot, seat)
        hand = ", ".join(player["hand"]) if sees_hand(viewer, seat) else f"{len(player['hand'])} cards"
        card = terrain_card(snapshot, seat, viewer) or "none"
        counts = (str(player[key]) for key in ("coins", "houses_left", "forts_left"))
        rows.append((">" if is_next else "", seat_words(seat), *counts, card, _in_play(player), hand))
    return Table(PLAYER_COLUMNS, tuple(rows))


def _status(snapshot: Mapping[str, Any]) -> Words:
    if snapshot["phase"] == "over":
        return Span(f"round {snapshot['round']}, the game is over", HEAD)
    start, end = Span(f"round {snapshot['round']}, seat ", HEAD), Span(f" to move, phase {snapshot['phase']}", HEAD)
    details = turn_details(snapshot)
    return (start, *seat_words(snapshot["seat"]), end, *([Span(f"  ({', '.join(details)})")] if details else []))


def blocks(snapshot: Mapping[str, Any], look: Look) -> Iterator[Block]:
    """All blocks, from top to bottom."""
    yield Lines((_status(snapshot),))
    yield BLANK
    yield Beside((board(snapshot, look), _legend(snapshot)), most=2)
    yield BLANK
    yield _cards(snapshot)
    yield _players(snapshot, look.viewer)
    if look.legal:
        yield Lines((f"can: {legal_summary(look.legal)}",))
    if look.sheet is not None:
        totals = [sum(row.values()) for row in look.sheet]
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        yield score_table(look.sheet, best, look.agents)


# --- sides ------------------------------------------------------------------------------------------------------------


def _side(sides: Sides, side: int) -> HexMap:
    terrain = sides.terrain[side]
    cells = (
        HexCell(row, col, _cell(TERRAIN_NAMES[number])) for (row, col), number in zip(SIDE_HEXES, terrain, strict=True)
    )
    short = f"{side // 2 + 1}{'fb'[side % 2]} "
    return HexMap(tuple(cells), has_labels=False, title=(Span(short, DIM), Span(sides.names[side], HEAD)))


def side_blocks(sides: Sides) -> tuple[Block, ...]:
    """The fourteen sides; 1f and 1b are front and back of board 1."""
    keys: list[Words] = []
    for names in (TERRAIN_NAMES[:6], TERRAIN_NAMES[6:]):
        spans = [span for name in names for span in (Span("  "), *terrain_key(name))]
        keys.append(tuple(spans[1:]))
    shown = Beside(tuple(_side(sides, side) for side in range(len(sides.names))), most=4)
    return shown, BLANK, Lines((*keys, Span("1f, 1b: front and back of board 1", DIM)))


def board_sheet(source: str = "standard", seed: int = 0) -> BoardSheet:
    """The terrain boards: standard, generated from a seed, or from a file. Raises ValueError if they are invalid."""
    if source == "generated":
        sides = generated_sides(seed)
    else:
        sides = standard_sides() if source == "standard" else load_sides(source)
    sides = parse_sides(format_sides(sides), source)  # generated sides are checked like a file
    content = [
        {"side": side_label(side), "name": name, "rows": format_side(terrain).split("\n")[:-1]}
        for side, (name, terrain) in enumerate(zip(sides.names, sides.terrain, strict=True))
    ]
    summary = f"{len(content)} sides, all in order"
    found = {"boards": source, "seed": seed if source == "generated" else None, "sides": content}
    return BoardSheet(side_blocks(sides), found, summary)
