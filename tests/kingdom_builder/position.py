"""Positions of Kingdom Builder written as text, for any implementation.

A text is a board and parts, with semicolons between them:

    (3) FG; card desert; own r08c07 r08c08; other r07c10; tiles0 farm, tavern r06c07 used; supply0 9; next canyon

``(3)``: players, 2 if not said. The board is one of boards.py; ``MB canoe, bazaar, university`` names the kinds of its locations.
``island rope bridge`` adds the test island.

Pieces: ``own``, ``other``, ``third`` or ``houses0``, ``warriors0``, ``wagon0``, ``ship0``, ``hall0`` (its centre) with hexes. ``fill desert except r00c01``
gives the free hexes of a terrain to the other seats; ``spread0 8 11 5 12`` puts as many pieces on the first land of each quadrant.

Of a seat: ``tiles0`` (kind, source hex, state; without a hex the source is never left, without a state it is ready), ``nomads0``, ``took0``, ``hand0``,
``supply0``, ``held0``, ``due0``, ``tokens0``, ``gold0``, ``lines0``. ``card`` is the hand of the turn seat.

Of the table: ``turn 1``, ``phase after``, ``end``, ``round 3``, ``limit 3``, ``left r07c08 1``, ``lies r05c02 treasure``, ``walls``, ``walls_left``,
``scouts``, ``caves``, ``capitols``, ``scoring``, ``tasks``, ``removed``, ``next`` (the top of the deck), ``deck`` (all of it), both in the order in which they are
drawn, ``discards``. What is not said is as at the beginning of a game: full supplies, two tiles on a location, a donation on a nomad hex, 25 cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.kingdom_builder.boards import KINDS, LAND, NOMADS, SET_OF, SETS, board, number_of, terrain_of

NOTHING = "none"
CARDS = ("grass", "flower", "forest", "canyon", "desert")
STATES = ("fresh", "ready", "used")
SCORING = ("Fishermen", "Knights", "Merchants")  # fill up to three: none of them pays during play
PIECES = 40
RNG = 20261118  # the random stream of a position; only reshuffles use it
PARTS = re.compile(r"\s*;\s*")
SEATS = {"own": "houses0", "other": "houses1", "third": "houses2"}
NUMBERS = ("supply", "held", "due", "tokens", "gold")


def names_of(text: str) -> list[str]:
    """The members of a list with commas; "none" is the empty list."""
    return [] if text.strip() in ("", NOTHING) else [part.strip() for part in text.split(",")]


def hexes_of(text: str) -> list[str]:
    """The hexes of a list with spaces, ascending."""
    return sorted([] if text == NOTHING else text.split(), key=number_of)


def read_tile(text: str) -> list[Any]:
    """A location tile: kind, source hex or None, state."""
    found = re.fullmatch(r"(.+?)(?: ([ri]\d+c\d\d))?(?: (fresh|ready|used))?", text)
    assert found and found[1] in KINDS, f"{text!r} is no location tile"
    return [found[1], found[2], found[3] or "ready"]


def read_nomad(text: str) -> list[str]:
    """A nomad tile: kind, state."""
    found = re.fullmatch(r"(.+?)(?: (fresh|ready|used))?", text)
    assert found and found[1] in NOMADS, f"{text!r} is no nomad tile"
    return [found[1], found[2] or "ready"]


class Reader:
    """The parts of a text, by their first words."""

    def __init__(self, text: str) -> None:
        players = re.match(r"\((\d)\)\s*", text)
        self.num_players = int(players[1]) if players else 2
        self.parts: dict[str, list[str]] = {}
        head, *parts = PARTS.split(text[players.end() if players else 0 :].strip())
        name, _, kinds = head.partition(" ")
        for part in filter(None, parts):
            word, _, rest = part.partition(" ")
            self.parts.setdefault(SEATS.get(word, word), []).append(rest)
        self.board = board(name, names_of(kinds), self.one("island"))
        self.terrain = terrain_of(self.board)

    def one(self, word: str, default: str = "") -> str:
        """What a part says that may stand there once."""
        found = self.parts.pop(word, [default])
        assert len(found) == 1, f"{word} is said twice"
        return found[0]

    def number(self, word: str, default: int) -> int:
        return int(self.one(word, str(default)))

    def pairs(self, word: str) -> Iterator[tuple[str, str]]:
        """What the parts say of single hexes."""
        for rest in self.parts.pop(word, []):
            place, _, value = rest.partition(" ")
            yield place, value


def read_seat(reader: Reader, seat: int) -> dict[str, Any]:
    """Pieces and possessions of a seat, before the supplies are counted."""
    tiles = [read_tile(part) for part in names_of(reader.one(f"tiles{seat}"))]
    nomads = [read_nomad(part) for part in names_of(reader.one(f"nomads{seat}"))]
    taken = {tile[1] for tile in tiles if tile[1]} | set(reader.one(f"took{seat}").split())
    return {
        "settlements": reader.one(f"houses{seat}").split(),
        "warriors": hexes_of(reader.one(f"warriors{seat}")),
        "wagon": reader.one(f"wagon{seat}") or None,
        "ship": reader.one(f"ship{seat}") or None,
        "hall": reader.one(f"hall{seat}") or None,
        "tiles": sorted(tiles, key=lambda tile: (number_of(tile[1]) if tile[1] else -1, KINDS.index(tile[0]))),
        "nomads": sorted(nomads, key=lambda tile: (NOMADS.index(tile[0]), STATES.index(tile[1]))),
        "taken": sorted(taken, key=number_of),
        "bonus_used": [],
        "hand": names_of(reader.one(f"hand{seat}", "grass")),
        "rovers": [],
        "lines": [int(n) for n in reader.one(f"lines{seat}").split()],
    }


def place_many(reader: Reader, seats: list[dict[str, Any]]) -> None:
    """Pieces that are not named one by one."""
    quadrants = {place: 2 * (number_of(place) // 200) + number_of(place) % 20 // 10 for place in reader.terrain}
    for p, seat in enumerate(seats):
        for quadrant, n in enumerate(reader.one(f"spread{p}").split()):
            here = [h for h in reader.terrain if quadrants[h] == quadrant and reader.terrain[h] in LAND]
            seat["settlements"] += [h for h in here if h not in occupied(seats)][: int(n)]
    for terrain, rest in list(reader.pairs("fill")):
        assert terrain in LAND, f"{terrain!r} is no land"
        free = [h for h, name in reader.terrain.items() if name == terrain and h not in rest.split()]
        for place in [h for h in free if h not in occupied(seats)]:
            poorest = min(seats[1:], key=lambda seat: len(seat["settlements"]))
            poorest["settlements"].append(place)


def occupied(seats: list[dict[str, Any]]) -> set[str]:
    """The hexes of all settlements."""
    return {place for seat in seats for place in seat["settlements"]}


def count_supplies(reader: Reader, seats: list[dict[str, Any]], sets: list[str]) -> None:
    """Fill in the numbers of every seat."""
    for p, seat in enumerate(seats):
        seat["settlements"].sort(key=number_of)
        for name in NUMBERS[1:]:
            seat[name] = reader.number(f"{name}{p}", 0)
        rest = PIECES - len(seat["settlements"]) - seat["held"] - seat["due"] - len(seat["lines"])
        assert rest >= 0, f"seat {p} has more than {PIECES} settlements"
        seat["supply"] = reader.number(f"supply{p}", rest)
        units = int("crossroads" in sets)
        used = {
            "warrior": len(seat["warriors"]),
            **{name: int(seat[name] is not None) for name in ("wagon", "ship", "hall")},
        }
        seat["units"] = {name: units * (2 if name == "warrior" else 1) - n for name, n in used.items()}


def sets_of(reader: Reader, seats: list[dict[str, Any]]) -> list[str]:
    """The sets that a position needs, by its locations, tiles and pieces."""
    kinds = {*reader.board["locations"].values(), *(tile[0] for seat in seats for tile in seat["tiles"])}
    found = {SET_OF.get(kind) for kind in kinds}
    if any(seat["nomads"] for seat in seats):
        found.add("nomads")
    if any(seat["warriors"] or seat["wagon"] or seat["ship"] or seat["hall"] for seat in seats):
        found.add("crossroads")
    return [name for name in SETS if name in found]


def read_cards(reader: Reader, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """Deck, discards; what is in no hand and not named lies in the deck, under what is named."""
    top, discards = names_of(reader.one("next")), names_of(reader.one("discards"))
    if "deck" in reader.parts:
        return {"deck": names_of(reader.one("deck"))[::-1], "discards": discards, "out": []}
    gone = Counter([*top, *discards, *(card for seat in seats for card in seat["hand"])])
    rest = [card for card in CARDS for _ in range(5 - gone[card])]
    return {"deck": rest + top[::-1], "discards": discards, "out": []}


def read_tiles(reader: Reader, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """The tiles that still lie on the board."""
    taken = Counter(place for seat in seats for place in seat["taken"])
    tiles = {place: max(0, 2 - taken[place]) for place in reader.board["locations"]}
    nomads = {place: "donation grass" for place, name in reader.terrain.items() if name == "nomad" and not taken[place]}
    tiles |= {place: int(n) for place, n in reader.pairs("left")}
    nomads |= dict(reader.pairs("lies"))
    return {"tiles": tiles, "nomads": {place: kind for place, kind in nomads.items() if kind != NOTHING}}


def read_turn(reader: Reader, seats: list[dict[str, Any]], turn: int) -> dict[str, Any]:
    """The registers of the turn and of the phase; ``after`` has played the first card of the hand."""
    phase = reader.one("phase", "before")
    assert phase in ("before", "after"), f"a position begins before or after the mandatory action, not in {phase!r}"
    is_over = phase == "after"
    card = seats[turn]["hand"][0] if is_over and seats[turn]["hand"] else None
    return {
        "turn": {
            "seat": turn, "played": card, "terrain": card and card.split("/")[-1], "placed": [], "pieces": 3, "due_left": 0, "started": is_over,
            "ended": is_over, "used": [], "extra_cards": 0,
        },
        "now": {"phase": phase},
        "stack": [],
    }  # fmt: skip


def read_position(text: str) -> dict[str, Any]:
    """The snapshot of a text; ``now`` has the phase only."""
    reader = Reader(text)
    turn = reader.number("turn", 0)
    if "card" in reader.parts:
        reader.parts[f"hand{turn}"] = reader.parts.pop("card")
    seats = [read_seat(reader, seat) for seat in range(reader.num_players)]
    place_many(reader, seats)
    sets = sets_of(reader, seats)
    count_supplies(reader, seats, sets)
    scoring = names_of(reader.one("scoring"))
    walls = hexes_of(reader.one("walls"))
    data = {
        "num_players": reader.num_players,
        "sets": sets,
        **reader.board,
        "scoring": [*scoring, *(name for name in SCORING if name not in scoring)][:3],
        "tasks": names_of(reader.one("tasks")),
        "removed_terrain": reader.one("removed") or None,
        "caves": hexes_of(reader.one("caves")),
        "capitols": hexes_of(reader.one("capitols")),
        "round_limit": reader.number("limit", 100),
        **read_tiles(reader, seats),
        "walls": walls,
        "walls_left": reader.number("walls_left", 25 - len(walls)),
        "scouts": hexes_of(reader.one("scouts")),
        "tokens": 18 - sum(seat["tokens"] for seat in seats),
        **read_cards(reader, seats),
        "end": "end" in reader.parts and reader.one("end") == "",
        "round": reader.number("round", 1),
        "rng": RNG,
        "seats": seats,
        **read_turn(reader, seats, turn),
    }
    assert not reader.parts, f"{text!r}: nothing is known about {sorted(reader.parts)}"
    return data
