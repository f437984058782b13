"""Why just these actions are legal, in words: the rule that leaves them, with its page. explain.py says why one is not.

All of this reads a snapshot and the labels of the legal actions. Nothing hidden from the seat to act is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

from winterkingdom_env.games.adjacent import words_on_some, words_on_terrain
from winterkingdom_env.games.kingdom_builder import layout
from winterkingdom_env.games.kingdom_builder.actions import HOUSE, PUT_WORDS
from winterkingdom_env.games.kingdom_builder.explain_hex import aim_of, why_nothing_to_put
from winterkingdom_env.games.kingdom_builder.kinds import Duty, Op
from winterkingdom_env.games.kingdom_builder.sight import SCOUT, UNIT_OF_USE, USE_ROWS, Sight, the
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_NAMES

BY_TERRAIN = (Op.CARD_TERRAIN, Op.DRAWN_CARD, Op.SWAMP_AND_WATER)  # each terrain is judged by itself
TO_PUT = (HOUSE, *PUT_WORDS.values())
BESIDE, TILES_FIRST = "p. 4", "tiles are used before the first piece or after the last one (p. 3)"


def why(snapshot: dict[str, Any], legal: Collection[str]) -> str:
    """Why just these actions are legal; empty without any. ``legal``: their labels."""
    if not legal or snapshot["now"]["phase"] == "over":
        return ""
    table = _Table(snapshot, legal)
    return WAYS[table.sight.phase](table)


class _Table:
    """The board around the seat to act, and its legal actions."""

    def __init__(self, snapshot: dict[str, Any], legal: Collection[str]) -> None:
        self.sight, self.verbs = Sight(snapshot), {label.partition(" ")[0] for label in legal}
        pairs = (label.partition(" ")[::2] for label in legal)
        self.puts = {place for verb, place in pairs if verb in TO_PUT and place in self.sight.terrain}

    @cached_property
    def near(self) -> set[str]:
        """The hexes next to own pieces or, in the own turn, to scouts."""
        sight = self.sight
        is_turn = sight.seat == sight.turn["seat"]
        own = (
            name for name, (kind, owner) in sight.things.items() if owner == sight.seat or (kind == SCOUT and is_turn)
        )
        return {other for name in own for other in sight.around(name)}

    @property
    def has_pieces(self) -> bool:
        """Whether the seat has pieces; one that is lifted counts."""
        return bool(self.near) or bool(self.sight.now["lifted"])

    def is_near(self, is_by_terrain: bool) -> dict[str, bool]:
        """Whether the hexes are next to own pieces, by terrain or all in one."""
        if not is_by_terrain:
            return {"": self.puts <= self.near}
        found = {}
        for terrain in TERRAIN_NAMES:
            hexes = {name for name in self.puts if self.sight.terrain[name] == terrain}
            if hexes:
                found[terrain] = hexes <= self.near
        return found

    @property
    def head(self) -> str:
        """The special action in use, and its words."""
        sight = self.sight
        return f"{the(sight.use)}: {USE_ROWS[sight.use].text}"

    @property
    def beside(self) -> str:
        """What the duty to touch own pieces leaves, as the end of a sentence."""
        aim, own = aim_of(self.sight), self.sight.own_words
        if self.sight.now["outpost"]:
            return "; the outpost frees it from going next to your pieces (p. 9)"
        if aim.duty == Duty.TOUCH:
            return f"; it must go next to {own}"
        if aim.duty == Duty.NONE or not self.puts:
            return ""
        return f"; {words_on_some(self.is_near(aim.op in BY_TERRAIN), self.has_pieces, BESIDE, own)}"


# --- phases -----------------------------------------------------------------------------------------------------------


def _mandatory(table: _Table) -> str:
    """The terrains of the mandatory piece, each judged by itself."""
    sight = table.sight
    uses = f"; {TILES_FIRST}" if "use" in table.verbs else ""
    if not table.puts:
        return (why_nothing_to_put(sight) or f"{sight.card_words}, and no hex of it is free") + uses
    if sight.now["outpost"]:
        return f"{sight.card_words}; the outpost frees this piece from going next to your pieces (p. 9)"
    if aim_of(sight).duty == Duty.NONE:
        return f"{sight.card_words}; two temple tiles let the first piece go anywhere on it (p. 18){uses}"
    told = (
        words_on_terrain(terrain, near, table.has_pieces, BESIDE, sight.own_words)
        for terrain, near in table.is_near(True).items()
    )
    return f"{sight.card_words}; {'; '.join(told)}{uses}"


def _after(table: _Table) -> str:
    if "use" in table.verbs:
        return "each tile is used once a turn, if its first piece is possible (p. 3, 4)"
    return "no tile of yours can be used now (p. 3, 4)"


def _build(table: _Table) -> str:
    if not table.puts:
        return f"{table.head}; no further piece is possible"
    drawn = f"; it drew {table.sight.now['fort']}" if table.sight.now["fort"] else ""
    return f"{table.head}{drawn}{table.beside}"


def _lift(table: _Table) -> str:
    return f"{table.head}; only pieces of yours that can do so, and never a city hall"


def _move(table: _Table) -> str:
    return f"{table.head}; to free hexes only{table.beside}"


def _unit(table: _Table) -> str:
    """A unit is placed as a settlement is built; then it takes steps."""
    sight = table.sight
    unit = UNIT_OF_USE[sight.use]
    start = sight.own.get(unit)
    if table.puts and not start:
        return f"{table.head}{table.beside}"
    if not table.puts:
        return f"{table.head}; it has no further step"
    steps = USE_ROWS[sight.use].most - sight.count
    return f"{table.head}; from {start} to free hexes around it, {steps} step{'s' * (steps > 1)} left (p. 14)"


def _hall(table: _Table) -> str:
    return "the city hall covers a free land hex and all six around it, and one of the seven must touch your pieces (p. 13)"


def _wall(table: _Table) -> str:
    return f"{table.head}; {table.sight.card_words} (p. 11)"


def _scout(table: _Table) -> str:
    return f"{table.head}, to free land, water or mountains next to your pieces (p. 22)"


def _remove(table: _Table) -> str:
    return f"{table.head}; any but the hexes of a city hall (p. 9)"


def _temple(table: _Table) -> str:
    return f"{table.head}; any of your settlements on the board (p. 18)"


def _cathedral(table: _Table) -> str:
    sight = table.sight
    n = int(sight.own["tokens"])
    parts = [f"{table.head} (p. 22)"]
    if "token" in table.verbs:
        parts.append(f"{sight.snapshot['tokens']} tokens are left to take")
    if table.puts:
        parts.append(f"you have {n} token{'s' * (n > 1)} to build with, {sight.card_words}{table.beside}")
    return "; ".join(parts)


def _react(table: _Table) -> str:
    return f"the last tile of a hex was taken, so your canoe may build on swamp or water (p. 17){table.beside}"


def _silo(table: _Table) -> str:
    n = layout.MANDATORY_PIECES
    return f"your pieces touch a silo: you may build or move up to {n} of them on land next to your pieces (p. 21)"


def _silo_move(table: _Table) -> str:
    return "a silo moves pieces to free land next to your other pieces (p. 21)"


WAYS: dict[str, Callable[[_Table], str]] = {
    "before": _mandatory,
    "mandatory": _mandatory,
    "after": _after,
    "build": _build,
    "lift": _lift,
    "move": _move,
    "unit": _unit,
    "hall": _hall,
    "wall": _wall,
    "scout": _scout,
    "remove": _remove,
    "temple": _temple,
    "cathedral": _cathedral,
    "react": _react,
    "silo": _silo,
    "silo move": _silo_move,
}
