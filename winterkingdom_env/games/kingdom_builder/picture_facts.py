"""What a snapshot says, for pictures and screens: hexes, pieces, tiles, cards and questions, without what is hidden from the viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from winterkingdom_env.core.drawing import seat_name
from winterkingdom_env.core.picture import PUBLIC
from winterkingdom_env.games.house_rules import changes, rows_of
from winterkingdom_env.games.kingdom_builder.house import SHEETS
from winterkingdom_env.games.kingdom_builder.layout import TREASURE_GOLD
from winterkingdom_env.games.kingdom_builder.sight import UNIT_OF_USE, the
from winterkingdom_env.games.kingdom_builder.tables import (
    CARD_NAMES,
    REPEATS,
    TERRAIN_LETTERS,
    TERRAIN_NAMES,
    TILE_NAMES,
    UNIT_NAMES,
    USES,
)

SETTLEMENT, WARRIOR, WAGON, SHIP, HALL = UNIT_NAMES
NAMES_BY_LETTER = dict(zip(TERRAIN_LETTERS, TERRAIN_NAMES, strict=True))
LETTERS = dict(zip(TERRAIN_NAMES, TERRAIN_LETTERS, strict=True))
CLOSED = ("silo", "silo move", "over")  # phases after the last turn: no hand lies open
DONATION = "donation "
# Distinct under red-green and blue-yellow colour blindness, which a test simulates. Special hexes share one: their symbols differ.
PLACE = "#ebf1f1"
COLOURS = dict(
    zip(
        TERRAIN_NAMES,
        (
            "#9cdb87",
            "#da6aaa",
            "#1a4937",
            "#8e5425",
            "#cfa341",
            "#5b9b65",
            "#ffe256",
            "#71baf5",
            "#5f446d",
            *(PLACE,) * 5,
        ),
        strict=True,
    )
)

# --- hexes ------------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A hex: whether it is on the island, its row and its column."""

    is_island: bool
    row: int
    col: int


@lru_cache(maxsize=1024)
def place_of(label: str) -> Place:
    """The place of a hex label, such as r07c12 or i2c04."""
    row, col = label[1:].split("c")
    return Place(label[0] == "i", int(row), int(col))


def label_of(place: Place) -> str:
    """The label of a place."""
    return f"i{place.row}c{place.col:02}" if place.is_island else f"r{place.row:02}c{place.col:02}"


def neighbours(label: str) -> list[str]:
    """The labels around a hex; some may name no hex."""
    is_island, row, col = place_of(label)
    left = col - 1 + row % 2
    around = [(row, col - 1), (row, col + 1), *((row + down, left + right) for down in (-1, 1) for right in (0, 1))]
    return [label_of(Place(is_island, r, c)) for r, c in around if r >= 0 and c >= 0]


def terrains(snapshot: Mapping[str, Any]) -> Mapping[str, str]:
    """The terrain of every hex, the island's last."""
    return _terrains(tuple(snapshot["terrain"]), tuple(snapshot["island"] or ()))


@lru_cache(maxsize=256)  # it is the same for a whole game
def _terrains(main: tuple[str, ...], island: tuple[str, ...]) -> Mapping[str, str]:
    found = {}
    for is_island, rows in ((False, main), (True, island)):
        for row, line in enumerate(rows):
            for col, letter in enumerate(line):
                if letter != ".":
                    found[label_of(Place(is_island, row, col))] = NAMES_BY_LETTER[letter]
    return found


# --- pieces -----------------------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece on a hex; a city hall is seven of them."""

    seat: int
    kind: str


def pieces_on(snapshot: Mapping[str, Any]) -> dict[str, Piece]:
    """The piece on each hex that has one."""
    found: dict[str, Piece] = {}
    for seat, player in enumerate(snapshot["seats"]):
        hall = player["hall"]
        groups = (
            (SETTLEMENT, player["settlements"]),
            (WARRIOR, player["warriors"]),
            (WAGON, [player["wagon"]]),
            (SHIP, [player["ship"]]),
            (HALL, [hall, *neighbours(hall)] if hall else []),
        )
        found |= {name: Piece(seat, kind) for kind, names in groups for name in names if name}
    return found


def blocked(snapshot: Mapping[str, Any]) -> set[str]:
    """Hexes on which nothing can be put because they touch a warrior (p. 14); those that are filled anyway are left out."""
    ground, filled = terrains(snapshot), {*pieces_on(snapshot), *snapshot["walls"], *snapshot["scouts"]}
    special = TERRAIN_NAMES[TERRAIN_NAMES.index("castle") :]
    near = {name for player in snapshot["seats"] for warrior in player["warriors"] for name in neighbours(warrior)}
    return {name for name in near - filled if name in ground and ground[name] not in special}


class Lifted(NamedTuple):
    """The piece that was lifted and not yet set down, and the hex that it left."""

    piece: Piece
    left: str


def lifted(snapshot: Mapping[str, Any]) -> Lifted | None:
    """The piece that was lifted and not yet set down, if there is one."""
    for question in (snapshot["now"], *snapshot["stack"]):
        if question["lifted"]:
            kind, left = question["lifted"]
            return Lifted(Piece(question["seat"], kind), left)
    return None


# --- tiles ------------------------------------------------------------------------------------------------------------

OTHER_WORDS = {
    "crossroads": "draw one terrain card more at the end of each turn",
    "canoe": "build on swamp or water when the last tile of a hex is taken",
    "bazaar": "use a location tile of this turn once more",
    "outpost": "the next piece need not touch an own one",
    "treasure": f"{TREASURE_GOLD} gold at once",
}
TILE_WORDS = {use.name: use.text for use in USES} | OTHER_WORDS
REPEATED = tuple(TILE_NAMES[tile] for tile in REPEATS)
NOMAD_LETTERS = {"resettlement": "r", "outpost": "o", "sword": "s", "treasure": "$"}


def short_name(tile: str) -> str:
    """Four letters of a kind of tile; donations are the lower-case name of their terrain."""
    return tile.removeprefix(DONATION)[:4] if tile.startswith(DONATION) else tile[:4].capitalize()


def nomad_letter(tile: str) -> str:
    """One letter for a nomad tile: the terrain of a donation, or the first of its name."""
    return LETTERS[tile.removeprefix(DONATION)] if tile.startswith(DONATION) else NOMAD_LETTERS[tile]


def kinds_in_play(snapshot: Mapping[str, Any]) -> list[str]:
    """The kinds of location tile on the board, in the order of the tables."""
    return [name for name in TILE_NAMES if name in snapshot["locations"].values()]


def location_letters(snapshot: Mapping[str, Any]) -> dict[str, str]:
    """One capital letter for each kind of location in play: the first of its name that is free."""
    letters: dict[str, str] = {}
    for kind in kinds_in_play(snapshot):
        own = [letter for letter in kind.upper() if letter != " "]
        spare = (*own, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        letters[kind] = next(letter for letter in spare if letter not in letters.values())
    return letters


def tiles_of(player: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The tiles in front of a player: the kind and whether it is fresh, ready or used."""
    return [*((kind, now) for kind, _, now in player["tiles"]), *((kind, now) for kind, now in player["nomads"])]


def uses_of(snapshot: Mapping[str, Any], kind: str) -> bool:
    """Whether a kind of location tile is in this game."""
    return kind in snapshot["locations"].values() or any(
        kind == held for player in snapshot["seats"] for held, _ in tiles_of(player)
    )


def has_units(snapshot: Mapping[str, Any]) -> bool:
    """Whether there are warriors, wagons, ships and city halls in this game."""
    return "crossroads" in snapshot["sets"] or any(piece.kind != SETTLEMENT for piece in pieces_on(snapshot).values())


# --- cards ------------------------------------------------------------------------------------------------------------


def sees_hand(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> bool:
    """Whether the viewer sees the terrain cards of a seat: its own, and those of the seat whose turn it is (p. 2)."""
    is_open = seat == snapshot["turn"]["seat"] and snapshot["now"]["phase"] not in CLOSED
    return viewer is None or viewer == seat or is_open


def seen_by(viewer: int | None) -> str:
    """Whose view a picture is; empty if it shows everything."""
    if viewer == PUBLIC:
        return "seen by everybody"
    return "" if viewer is None else f"seen by seat {seat_name(viewer)}"


def hand_of(snapshot: Mapping[str, Any], seat: int, viewer: int | None) -> list[str]:
    """The terrain cards of a seat, ? for those that are hidden from the viewer; hidden cards have no order."""
    hand = snapshot["seats"][seat]["hand"]
    return list(hand) if sees_hand(snapshot, seat, viewer) else ["?"] * len(hand)


def card_terrains(card: str) -> list[str]:
    """The terrains of a terrain card, none of a hidden one."""
    return card.split("/") if card in CARD_NAMES else []


@lru_cache(maxsize=64)
def _cards(house_rules: str) -> dict[tuple[str, str], tuple[int, str, str]]:
    """Gold, words and changes of each scoring card and task under house rules."""
    rows = rows_of(SHEETS, house_rules)
    changed = changes(SHEETS, rows)
    return {
        (sheet.kind, card.name): (card.gold, card.text, changed.get((sheet.kind, card.name), ""))
        for sheet, cards in zip(SHEETS, rows, strict=True)
        for card in cards
        if sheet.kind in ("scoring", "task")
    }


def scored_by(snapshot: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Kind, name and words of the scoring cards and tasks in play."""
    cards, found = _cards(snapshot.get("house_rules", "")), []
    for kind, key in (("scoring", "scoring"), ("task", "tasks")):
        for name in snapshot[key]:
            gold, text, change = cards[kind, name]
            words = f"{gold} gold per {text}" if kind == "scoring" else f"{gold} gold: {text}"
            if name == "Scouts" and snapshot["removed_terrain"]:
                words += f" ({snapshot['removed_terrain']})"
            found.append((kind, name, f"{words} [house rules: {change}]" if change else words))
    return found


# --- questions --------------------------------------------------------------------------------------------------------

ASKED = {
    "before": "use tiles, or build {piece} on {terrain}",
    "mandatory": "build {piece} on {terrain}",
    "after": "use tiles, or end the turn",
    "build": "build a piece with {use}",
    "lift": "choose the piece that {use} moves",
    "move": "choose where the {unit} of {lifted} goes",
    "unit": "place, move or take back the {unit}",
    "hall": "choose the middle of the city hall",
    "wall": "lay a wall next to an own piece",
    "scout": "send a scout next to an own piece",
    "remove": "choose the piece that the sword removes",
    "temple": "choose the settlement that the temple takes up",
    "cathedral": "take a token, or build a settlement for each",
    "react": "build a piece with the canoe, or done",
    "silo": "build or move a piece by a silo, or done",
    "silo move": "choose where the {unit} of {lifted} goes",
    "over": "nothing: the game is over",
}
BARRACKS = "place or take back a warrior"  # instead of "unit"
NO_CARD = "use tiles, or go on without building"  # instead of "before"
WITH_TILES = "use tiles, or "


def terrain_now(snapshot: Mapping[str, Any]) -> str:
    """The terrain of the mandatory pieces: the one that binds, or those of the open hand."""
    turn = snapshot["turn"]
    if snapshot["now"]["phase"] in CLOSED:
        return ""
    cards = [turn["played"]] if turn["played"] else snapshot["seats"][turn["seat"]]["hand"]
    names = dict.fromkeys(name for card in cards for name in card_terrains(card))
    return str(turn["terrain"] or " or ".join(names))


def asked(snapshot: Mapping[str, Any], legal: Sequence[str] = ()) -> str:
    """What the seat to move is asked to do. ``legal``: labels of the legal actions, if known."""
    now, turn = snapshot["now"], snapshot["turn"]
    unit, hex_name = now["lifted"] or ("", "")
    number, terrain = len(turn["placed"]) + 1, terrain_now(snapshot)
    piece = f"piece {number} of {turn['pieces']}" if number <= turn["pieces"] else "a piece that is due"
    use = str(now["use"] or "").removeprefix("bazaar ")
    unit = unit or UNIT_OF_USE.get(use, "")
    is_without = now["phase"] == "before" and not terrain
    words = NO_CARD if is_without else BARRACKS if use == "barracks" and now["phase"] == "unit" else ASKED[now["phase"]]
    if legal and not any(label.startswith("use ") for label in legal):
        words = words.removeprefix(WITH_TILES)
    return words.format(terrain=terrain, piece=piece, use=the(use), unit=unit, lifted=hex_name)


def turn_details(snapshot: Mapping[str, Any]) -> list[str]:
    """The state of the turn in progress, and what is left of things that all share."""
    now, turn = snapshot["now"], snapshot["turn"]
    details = [f"terrain {turn['terrain']}"] if turn["terrain"] else []
    details += [f"placed {' '.join(turn['placed'])}"] if turn["placed"] else []
    details += [f"moving {now['moving']}"] if now["moving"] else []
    up = lifted(snapshot)
    details += [f"lifted {up.left}"] if up else []
    details += ["outpost"] if now["outpost"] else []
    details += [f"fort drew {now['fort']}"] if now["fort"] else []
    details += [f"used {', '.join(turn['used'])}"] if turn["used"] else []
    return details + (["last round"] if snapshot["end"] and now["phase"] != "over" else [])


def stocks(snapshot: Mapping[str, Any]) -> list[str]:
    """What is left of the things that all share."""
    found = [f"deck {len(snapshot['deck'])}", f"discards {len(snapshot['discards'])}"]
    found += [f"walls {snapshot['walls_left']}"] if uses_of(snapshot, "quarry") else []
    found += [f"tokens {snapshot['tokens']}"] if uses_of(snapshot, "cathedral") else []
    removed = snapshot["removed_terrain"]
    return found + ([f"removed {removed}"] if removed else [])


def quadrant_names(snapshot: Mapping[str, Any]) -> list[str]:
    """The quadrants from the top left one to the bottom right one, with a mark on turned ones."""
    return [f"{name} (turned)" if turned else name for name, turned in snapshot["quadrants"]]


def counts_of(snapshot: Mapping[str, Any], seat: int) -> Iterator[tuple[str, int]]:
    """What a seat has in its supply; expansions add to it."""
    player = snapshot["seats"][seat]
    yield SETTLEMENT, player["supply"]
    if has_units(snapshot):
        yield from player["units"].items()
