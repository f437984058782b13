"""The cards, tiles and quadrants of Kingdom Builder as tables for people and rows for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from winterkingdom_env.core.picture import CardTable, Column, Table
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import HOUSE_RULES, PRINTED, RANDOM, changes, read_house_rules, rows_of
from winterkingdom_env.games.kingdom_builder.house import SHEETS
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Tile
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD
from winterkingdom_env.games.kingdom_builder.picture_facts import TILE_WORDS
from winterkingdom_env.games.kingdom_builder.tables import ISLANDS, NOMAD_TILES, QUADRANTS, SETS, TILE_NAMES, USES

NAME, TEXT, PAGE, SET = Column("name"), Column("text", wraps=True), Column("rulebook"), Column("set")
# Tiles that are no special action of their own.
OTHER_PAGES = {
    Tile.CROSSROADS: "p. 13",
    Tile.CANOE: "p. 17",
    Tile.BAZAAR: "p. 21",
    Tile.OUTPOST: "p. 9",
    Tile.TREASURE: "p. 9",
}
TILE_NOTE = "a tile is used once in each turn of its owner, and not in the turn in which it was taken"


def set_name(bit: int) -> str:
    """The name of a set, from its bit."""
    return SETS[bit.bit_length() - 1] if bit else "base"


def _sources(tile: Tile) -> str:
    """Where a tile comes from."""
    if tile >= FIRST_NOMAD:
        return f"nomad hex, {NOMAD_TILES.count(tile)} in the box"
    found = [f"quadrant {quadrant.name}" for quadrant in QUADRANTS if tile in quadrant.tiles]
    return ", ".join(found + ["island" for island in ISLANDS if tile in island.tiles])


def _table(
    kind: str, title: str, columns: tuple[Column, ...], rows: Iterable[dict[str, Any]], note: str = ""
) -> CardTable:
    """A table whose columns are named like the keys of its rows, ``rulebook`` being the page."""
    data = tuple({"kind": kind, **row, HOUSE_RULES: row.get(HOUSE_RULES, "")} for row in rows)
    keys = [{"rulebook": "page", "house rules": HOUSE_RULES}.get(column.name, column.name) for column in columns]
    lines = tuple(tuple(_shown(row[key]) for key in keys) for row in data)
    return CardTable(kind, Table(columns, lines, title=title), data, note)


def _shown(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _tiles() -> CardTable:
    pages = {use.needs: use.page for use in USES if isinstance(use.needs, Tile)} | OTHER_PAGES
    rows = (
        {"name": TILE_NAMES[tile], "text": TILE_WORDS[TILE_NAMES[tile]], "source": _sources(tile), "page": pages[tile]}
        for tile in Tile
    )
    return _table("tile", "tiles", (NAME, TEXT, Column("source", wraps=True), PAGE), rows, TILE_NOTE)


def _bonuses() -> CardTable:
    rows = ({"name": use.name, "text": use.text, "page": use.page} for use in USES if isinstance(use.needs, Bonus))
    note = "once in a turn, without a tile of its own; refuge and canoe need two tiles of their kind"
    return _table("bonus", "bonuses", (NAME, TEXT, PAGE), rows, note)


def _paid(kind: str, cards: Iterable[Any], changed: dict[tuple[str, str], str]) -> CardTable:
    """Scoring cards, tasks and whatever else pays gold."""
    rows = []
    for card in cards:
        row = {"name": card.name, "gold": card.gold, "text": card.text, "page": card.page}
        row |= {"set": set_name(card.set)} if hasattr(card, "set") else {}
        rows.append(row | {HOUSE_RULES: changed.get((kind, card.name), "")})
    columns = (NAME, Column("gold", is_right=True), TEXT, *([SET] if "set" in rows[0] else []), PAGE)
    title = {"scoring": "scoring cards", "task": "tasks"}.get(kind, f"{kind}s")
    note = "gold for each" if kind == "scoring" else "gold once" if kind == "task" else ""
    return _table(kind, title, (*columns, Column("house rules", wraps=True)), rows, note)


def _quadrants() -> CardTable:
    islands = [(island, "queenies") for island in ISLANDS]
    rows = (
        {"name": row.name, "set": of_set, "tiles": [TILE_NAMES[tile] for tile in row.tiles], "page": row.page}
        for row, of_set in [*((quadrant, set_name(quadrant.set)) for quadrant in QUADRANTS), *islands]
    )
    return _table("quadrant", "quadrants", (NAME, SET, Column("tiles", wraps=True), PAGE), rows)


def cards(house_rules: str = PRINTED) -> tuple[CardTable, ...]:
    """Tiles, bonuses, scoring cards, tasks, landmarks and quadrants; what ``house_rules`` change is marked."""
    if house_rules == RANDOM:
        raise ConfigError(f'house_rules="{RANDOM}" depends on the seed of a game; give a seed, as in "{RANDOM}:5"')
    found = rows_of(SHEETS, read_house_rules(house_rules, SHEETS))
    changed = changes(SHEETS, found)
    paid = (_paid(sheet.kind, rows, changed) for sheet, rows in zip(SHEETS, found, strict=True))
    return (_tiles(), _bonuses(), *paid, _quadrants())
