"""The facts of a script: each checks one word of the language that script.py describes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.kingdom_builder.boards import LAND, SIZE, neighbours_of, number_of, terrain_of
from tests.kingdom_builder.position import RNG, hexes_of, names_of, read_nomad, read_tile
from tests.kingdom_builder.stream import shuffled
from tests.kingdom_builder.table import Table
from winterkingdom_env.core.rng import Stream

VERBS = ("house", "lift", "unit", "back", "hall", "wall", "scout", "remove")
EDGE = ("r00", "r19", "c00", "c19")

TableFact = Callable[[Table, str, str, str], None]
SeatFact = Callable[[dict[str, Any], str, str, str], None]


def pieces_of(seat: dict[str, Any]) -> list[str]:
    """The hexes of all pieces of a seat."""
    hall = [seat["hall"], *neighbours_of(seat["hall"])] if seat["hall"] else []
    units = [place for place in (seat["wagon"], seat["ship"]) if place]
    return sorted([*seat["settlements"], *seat["warriors"], *units, *hall], key=number_of)


def empty_hexes(data: dict[str, Any], name: str) -> set[str]:
    """The empty hexes of a terrain, or the empty land on the edge of the main board."""
    gone = {*data["walls"], *data["scouts"], *(place for seat in data["seats"] for place in pieces_of(seat))}
    terrain = terrain_of(data)
    if name == "edge":
        assert SIZE == 20
        found = {h for h in terrain if h[0] == "r" and (h[:3] in EDGE or h[3:] in EDGE) and terrain[h] in LAND}
    else:
        assert name in terrain.values(), f"no hex is {name!r}"
        found = {place for place, here in terrain.items() if here == name}
    return found - gone


# The legal actions


def check_labels(legal: set[str], word: str, rest: str, where: str) -> None:
    """The complete list of labels, some that are among them, some that are not."""
    if word == "never":
        assert not any(label.startswith(rest) for label in legal), f"{where}, but legal are {sorted(legal)}"
        return
    named: set[str] = set()
    for part in names_of(rest):
        verb, _, places = part.partition(" ")
        named |= {f"{verb} {place}" for place in places.split()} if verb in VERBS else {part}
    holds = {"legal": legal == named, "offers": named <= legal, "refuses": not named & legal}
    assert holds[word], f"{where}, but legal are {sorted(legal)}"


def check_verb(table: Table, verb: str, rest: str, where: str) -> None:
    """The hexes of a verb among the legal actions."""
    found = {label.split()[1] for label in table.legal_labels() if label.startswith(f"{verb} ")}
    word, _, value = rest.partition(" ")
    if word == "size":
        assert len(found) == int(value), f"{where}, but there are {len(found)}"
    elif word == "has":
        assert set(hexes_of(value)) <= found, f"{where}, but it is {sorted(found)}"
    elif word == "lacks":
        assert not set(hexes_of(value)) & found, f"{where}, but it is {sorted(found)}"
    else:
        name, _, more = value.partition(" + ")
        wanted = empty_hexes(table.snapshot(), name) | set(more.split()) if word == "all" else set(hexes_of(rest))
        assert found == wanted, f"{where}, but missing {sorted(wanted - found)}, too many {sorted(found - wanted)}"


# The state of a seat


def seat_number(seat: dict[str, Any], word: str, rest: str, where: str) -> None:
    assert seat[word] == int(rest), f"{where}, but it is {seat[word]}"


def seat_cards(seat: dict[str, Any], word: str, rest: str, where: str) -> None:
    assert seat[word] == names_of(rest), f"{where}, but it is {seat[word]}"


def seat_tiles(seat: dict[str, Any], word: str, rest: str, where: str) -> None:
    """Tiles with their states; without a state in the text, a ready one is meant."""
    how, _, value = rest.partition(" ")
    read = read_tile if word == "tiles" else read_nomad
    if how == "lacks":
        assert not [tile for tile in seat[word] if tile[0] in names_of(value)], f"{where}, but it is {seat[word]}"
        return
    wanted = [read(part) for part in names_of(value if how == "has" else rest)]
    assert all(tile in seat[word] for tile in wanted), f"{where}, but it is {seat[word]}"
    assert how == "has" or sorted(map(str, wanted)) == sorted(map(str, seat[word])), f"{where}, but it is {seat[word]}"


def seat_units(seat: dict[str, Any], _: str, rest: str, where: str) -> None:
    for part in names_of(rest):
        kind, n = part.split()
        assert seat["units"][kind] == int(n), f"{where}, but it is {seat['units']}"


def seat_lines(seat: dict[str, Any], _: str, rest: str, where: str) -> None:
    assert seat["lines"] == [int(n) for n in rest.split() if n != "none"], f"{where}, but it is {seat['lines']}"


def seat_pieces(seat: dict[str, Any], _: str, rest: str, where: str) -> None:
    found = pieces_of(seat)
    word, _, value = rest.partition(" ")
    assert len(found) == int(value) if word == "size" else found == hexes_of(rest), f"{where}, but it is {found}"


SEAT_FACTS: dict[str, SeatFact] = {
    **dict.fromkeys(("supply", "gold", "held", "due", "tokens"), seat_number),
    "hand": seat_cards,
    "tiles": seat_tiles,
    "nomads": seat_tiles,
    "units": seat_units,
    "lines": seat_lines,
    "pieces": seat_pieces,
}


# The state of the table


def register(table: Table, word: str, rest: str, where: str) -> None:
    """A single value of the snapshot, as text."""
    data = table.snapshot()
    place = {
        "phase": ("now", "phase"), "seat": ("now", "seat"), "turn": ("turn", "seat"), "terrain": ("turn", "terrain"),
        "played": ("turn", "played"), "need": ("turn", "pieces"), "stock": ("tokens",), "removed": ("removed_terrain",),
    }.get(word, (word,))  # fmt: skip
    found: Any = data
    for key in place:
        found = found[key]
    words = {"True": "yes", "False": "no", "None": "none"}
    text = words.get(str(found), str(found))
    assert text == rest, f"{where}, but it is {text}"


def on_hex(table: Table, word: str, rest: str, where: str) -> None:
    """What is left on a location or nomad hex."""
    place, _, value = rest.partition(" ")
    data = table.snapshot()
    found = str(data["tiles"][place]) if word == "left" else data["nomads"].get(place, "none")
    assert found == value, f"{where}, but it is {found}"


def hex_list(table: Table, word: str, rest: str, where: str) -> None:
    found = table.snapshot()[word]
    assert found == hexes_of(rest), f"{where}, but it is {found}"


def card_list(table: Table, word: str, rest: str, where: str) -> None:
    """Cards in order; the deck from its top."""
    found = table.snapshot()[word]
    how, _, value = rest.partition(" ")
    if how == "size":
        assert len(found) == int(value), f"{where}, but there are {len(found)}"
    else:
        assert found[:: -1 if word == "deck" else 1] == names_of(rest), f"{where}, but it is {found}"


def shuffled_deck(table: Table, _: str, rest: str, where: str) -> None:
    """The deck is these cards, shuffled by the stream that the position began with, without those drawn from the top."""
    cards, _, n = rest.partition(" drawn ")
    wanted = shuffled(Stream(RNG), names_of(cards))
    wanted = wanted[: len(wanted) - int(n or 0)]
    assert table.snapshot()["deck"] == wanted, f"{where}, but it is {table.snapshot()['deck']}, not {wanted}"


def gold_of(table: Table, word: str, rest: str, where: str) -> None:
    """Gold by seat; after ``score`` stands the name of a card or task."""
    parts = re.fullmatch(r"(\D*)([\d, ]+)", rest)
    assert parts, f"{where}: numbers are missing"
    found = (
        table.scores()
        if word == "scores"
        else always_of(table)
        if word == "always"
        else table.score_card(parts[1].strip())
    )
    assert list(found) == [int(n) for n in parts[2].split(",")], f"{where}, but it is {found}"


def always_of(table: Table) -> list[int]:
    """What castles, palaces and capitols pay: the score without gold so far, cards and tasks."""
    data = table.snapshot()
    found = [score - seat["gold"] for score, seat in zip(table.scores(), data["seats"], strict=True)]
    in_play = ("Families", "Shepherds", "Ambassadors", "Rovers")
    for name in (*(card for card in data["scoring"] if card not in in_play), *data["tasks"]):
        found = [total - gold for total, gold in zip(found, table.score_card(name), strict=True)]
    return found


def winners(table: Table, _: str, rest: str, where: str) -> None:
    assert table.winners() == [int(n) for n in rest.split(",")], f"{where}, but it is {table.winners()}"


FACTS: dict[str, TableFact] = {
    **dict.fromkeys(
        ("phase", "seat", "turn", "round", "end", "terrain", "played", "need", "stock", "removed", "walls_left"),
        register,
    ),
    "left": on_hex,
    "lies": on_hex,
    "walls": hex_list,
    "scouts": hex_list,
    "deck": card_list,
    "discards": card_list,
    "out": card_list,
    "shuffled": shuffled_deck,
    **dict.fromkeys(("score", "scores", "always"), gold_of),
    "winners": winners,
}
