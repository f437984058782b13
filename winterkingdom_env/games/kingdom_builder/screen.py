"""Kingdom Builder for somebody who plays at a terminal: a compact board, numbers per seat, tiles and cards with their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from winterkingdom_env.core.drawing import DIM, HEAD, SEAT_LETTERS, SEAT_STYLES, hex_verbs, style_on
from winterkingdom_env.core.picture import Card, Look, Screen, Span, Words, is_seat
from winterkingdom_env.games.kingdom_builder import picture_facts as facts
from winterkingdom_env.games.kingdom_builder.layout import MANDATORY_PIECES
from winterkingdom_env.games.kingdom_builder.picture_facts import COLOURS, LETTERS
from winterkingdom_env.games.kingdom_builder.picture_text import (
    board,
    hand_words,
    island_lines,
    marks,
    terrains_in_play,
    tile_words,
)
from winterkingdom_env.games.kingdom_builder.why import why

# The words of the legend: the capital is the letter on the board.
LEGEND = {
    "grass": "Grass",
    "flower": "Flower",
    "forest": "foresT",
    "canyon": "Canyon",
    "desert": "Desert",
    "swamp": "swamP",
    "farmland": "fArm",
    "water": "Water",
    "mountain": "Mount",
    "castle": "caStle",
    "palace": "Palace",
    "silo": "silO",
}
REPEAT = "bazaar "

# --- notes ------------------------------------------------------------------------------------------------------------

DONE = {
    "before": "no piece can be built",
    "after": "end the turn",
    "react": "do not use the canoe",
    "silo": "give up what is left",
}


def _note(label: str, snapshot: Mapping[str, Any]) -> str:
    """What a legal action that is about no hex does."""
    verb, _, name = label.partition(" ")
    if verb == "done":
        return DONE.get(snapshot["now"]["phase"], "leave it at that")
    if verb == "outpost":
        return facts.TILE_WORDS["outpost"]
    if verb == "token":
        return "take a token instead of building"
    if name.startswith(REPEAT):
        return f"once more: {facts.TILE_WORDS[name.removeprefix(REPEAT)]}"
    return facts.TILE_WORDS.get(name, "")


def _gains(snapshot: Mapping[str, Any], name: str) -> str:
    """The tiles that a piece of the seat to act would take on a hex (p. 3, 9)."""
    taken = snapshot["seats"][snapshot["now"]["seat"]]["taken"]
    near = [other for other in facts.neighbours(name) if other not in taken]
    kinds = [snapshot["locations"][other] for other in near if snapshot["tiles"].get(other)]
    kinds += [snapshot["nomads"][other] for other in near if other in snapshot["nomads"]]
    return f"takes {' and '.join(kinds)}" if kinds and snapshot["now"]["phase"] not in facts.CLOSED else ""


def _place_note(verb: str, name: str, pieces: Mapping[str, facts.Piece], snapshot: Mapping[str, Any]) -> str:
    """What makes a hex differ from the others that can be chosen: a unit stands there, or a piece takes a tile there."""
    if name in pieces:
        return "" if pieces[name].kind == facts.SETTLEMENT else pieces[name].kind
    return _gains(snapshot, name) if verb in ("house", "unit") else ""


def _notes(snapshot: Mapping[str, Any], legal: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Notes about all actions that are about no hex, and about the hexes that differ from the others."""
    on_hexes, pieces = hex_verbs(legal), facts.pieces_on(snapshot)
    for label in legal:
        verb, _, name = label.rpartition(" ")
        if name not in on_hexes:
            yield label, _note(label, snapshot)
            continue
        note = _place_note(verb, name, pieces, snapshot)
        if note:
            yield label, note


# --- cards ------------------------------------------------------------------------------------------------------------


def _listed(snapshot: Mapping[str, Any], viewer: int | None) -> Iterator[Card]:
    """What matters to the viewer: terrain cards, tiles of each seat, what scores, then what lies on the board."""
    for seat in range(len(snapshot["seats"])):
        if facts.sees_hand(snapshot, seat, viewer):
            where = "hand" if viewer == seat else f"hand {SEAT_LETTERS[seat]}"
            yield from (Card(where, card) for card in facts.hand_of(snapshot, seat, viewer))
    for seat, player in enumerate(snapshot["seats"]):
        for kind, now in facts.tiles_of(player):
            yield Card(f"tile {SEAT_LETTERS[seat]}", tile_words(kind, now), "", facts.TILE_WORDS[kind])
    yield from (Card(kind, name, "", words) for kind, name, words in facts.scored_by(snapshot))
    for kind, letter in facts.location_letters(snapshot).items():
        yield Card(f"board {letter}", kind, "", facts.TILE_WORDS[kind])
    for name, tile in snapshot["nomads"].items():
        yield Card(f"nomad {name}", tile, "", facts.TILE_WORDS[tile])
    yield Card(
        "quadrants", " ".join(facts.quadrant_names(snapshot)), "", "top left, top right, bottom left, bottom right"
    )


# --- panel ------------------------------------------------------------------------------------------------------------


def _short_hand(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> str:
    """The terrain cards as letters: two for a card with swamp."""
    cards = facts.hand_of(snapshot, seat, viewer)
    letters = ("".join(LETTERS[name] for name in facts.card_terrains(card)) or "?" for card in cards)
    return " ".join(letters) if len(cards) == 1 else "".join(letters) or "-"


def _counts(snapshot: Mapping[str, Any], viewer: int | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    players, seats = snapshot["seats"], range(len(snapshot["seats"]))
    rows = [
        ("supply", tuple(str(player["supply"]) for player in players)),
        ("terrain", tuple(_short_hand(snapshot, seat, viewer) for seat in seats)),
    ]
    if facts.has_units(snapshot):
        rows.append(("units, hall", tuple(str(sum(player["units"].values())) for player in players)))
    for key, name in (("tokens", "tokens"), ("due", "due"), ("gold", "gold paid")):
        if any(player[key] for player in players):
            rows.append((name, tuple(str(player[key]) for player in players)))
    return tuple(rows)


def _ending(snapshot: Mapping[str, Any]) -> Iterator[Words]:
    """p. 4: the round in which somebody builds the last settlement is the last one. Supplies are public."""
    if snapshot["now"]["phase"] in facts.CLOSED:
        return
    if snapshot["end"]:
        yield Span("this is the last round", HEAD)
        return
    near = [
        SEAT_LETTERS[seat]
        for seat, player in enumerate(snapshot["seats"])
        if seat >= snapshot["turn"]["seat"]
        and player["supply"] + player["due"] <= MANDATORY_PIECES + len(player["tiles"])
    ]
    if near:
        yield Span(f"may be the last round: few pieces left of {' and '.join(near)}", HEAD)


def _tiles(snapshot: Mapping[str, Any], viewer: int | None) -> Iterator[Words]:
    for seat, player in sorted(enumerate(snapshot["seats"]), key=lambda entry: entry[0] != viewer):
        names = [tile_words(kind, now) for kind, now in facts.tiles_of(player)]
        names += [f"({name})" for name in player["bonus_used"]]
        if names or seat == viewer:
            whose = " you have" if seat == viewer else " has"
            yield Span(SEAT_LETTERS[seat], SEAT_STYLES[seat]), Span(f"{whose} {', '.join(names) or 'no tiles'}")


def _island(snapshot: Mapping[str, Any], look: Look) -> Iterator[Words]:
    """The island as one fact, so that it is shown whole or not at all."""
    lines = island_lines(snapshot, look)
    if lines:
        yield tuple(span for i, line in enumerate(lines) for span in ((Span("\n"),) if i else ()) + line)


def _facts(snapshot: Mapping[str, Any], look: Look) -> Iterator[Words]:
    """Whether the game may end, the letters of locations, the island, the tiles of the seats, the viewer's hand, what is left."""
    yield from _ending(snapshot)
    letters = ", ".join(f"{letter} {kind}" for kind, letter in facts.location_letters(snapshot).items())
    yield Span("tiles: "), Span(letters, DIM)
    yield from _island(snapshot, look)
    yield from _tiles(snapshot, look.viewer)
    if is_seat(look.viewer):
        yield Span("hand: "), Span(hand_words(snapshot, look.viewer, look.viewer), DIM)
    yield Span("left: "), Span(", ".join(facts.stocks(snapshot)), DIM)


def _legend(snapshot: Mapping[str, Any]) -> tuple[Span, ...]:
    names = [name for name in terrains_in_play(snapshot) if name in LEGEND]
    words = ((Span(LEGEND[name], style_on(COLOURS[name])), Span(" ")) for name in names)
    return tuple(span for pair in words for span in pair)[:-1]


def _marks(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for mark, words in marks(snapshot):
        yield mark.strip(), words
    yield "^", "the piece that is being moved was here"
    yield "farm+", "the tile was taken in this turn and cannot be used yet"
    yield "(farm)", "the tile is used"
    yield from ((LETTERS[name], name) for name in terrains_in_play(snapshot) if name in LEGEND)
    if snapshot["island"]:
        yield "i2c04", "row 2, column 4 of the island; its hexes are chosen by number"


def screen(snapshot: dict[str, Any], look: Look) -> Screen:
    """A position for somebody who plays at a terminal."""
    return Screen(
        board(snapshot, Look(look.viewer)),
        facts.asked(snapshot, look.legal),
        _counts(snapshot, look.viewer),
        tuple(_facts(snapshot, look)),
        tuple(_listed(snapshot, look.viewer)),
        dict(_notes(snapshot, look.legal)),
        _legend(snapshot),
        tuple(_marks(snapshot)),
        why(snapshot, look.legal),
    )
