"""Gold of a position: scoring cards (section 6.2), castles, palaces and capitols (6.4), the sheet and the places."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from winterkingdom_env.reference.kingdom_builder.grid import EDGE, N_MAIN, SEAM, quadrant_of
from winterkingdom_env.reference.kingdom_builder.names import CAPITOLS, CASTLES, PAID_IN_PLAY, PALACES, TASKS, TREASURE
from winterkingdom_env.reference.kingdom_builder.places import near_terrain
from winterkingdom_env.reference.kingdom_builder.state import State
from winterkingdom_env.reference.kingdom_builder.tasks import is_fulfilled

ALWAYS = (CASTLES, PALACES, CAPITOLS)


def score_card(state: State, name: str) -> list[int]:
    """What a card, a task or "castles", "palaces", "capitols" pays each seat for the present board, in play or not."""
    seats = range(len(state.seats))
    if name == "Lords":
        return _lords(state)
    if name in TASKS:
        return [state.board.gold_for(name) if is_fulfilled(state, p, name) else 0 for p in seats]
    if name in (PALACES, "Noblewomen"):
        hexes = state.board.specials if name == "Noblewomen" else state.board.hexes_of["palace"]
        return [state.board.gold_for(name) * n for n in _majorities(state, hexes)]
    if name not in CARDS:
        raise ValueError(
            f"{name!r} is not paid at the end: {', '.join([*CARDS, 'Lords', 'Noblewomen', PALACES, *TASKS])} are."
        )
    return [state.board.gold_for(name) * CARDS[name](state, p) for p in seats]


def gold_sheets(state: State) -> list[dict[str, int]]:
    """By seat: column -> gold if the game ended now."""
    sheets: list[dict[str, int]] = [{} for _ in state.seats]
    for name in (*state.board.scoring, *state.board.tasks, *ALWAYS):
        # p. 19: with Noblewomen in play the gold of palaces is in that card's.
        is_counted = name == PALACES and "Noblewomen" in state.board.scoring
        if name not in PAID_IN_PLAY:
            for p, gold in enumerate(score_card(state, name)):
                sheets[p][name] = 0 if is_counted else gold
    for p, seat in enumerate(state.seats):
        in_play = dict.fromkeys([card for card in state.board.scoring if card in PAID_IN_PLAY] + [TREASURE], 0)
        sheets[p] |= in_play | seat.paid
    return sheets


def scores(state: State) -> list[int]:
    """Gold by seat if the game ended now."""
    return [sum(sheet.values()) for sheet in gold_sheets(state)]


def ranks(state: State) -> list[int]:
    """Places by seat if the game ended now, 1 is the best; equals share the better place (p. 4)."""
    gold = scores(state)
    return [1 + sum(other > own for other in gold) for own in gold]


# Counting


def _own_neighbours(state: State, p: int) -> list[int]:
    """For each piece of a seat: how many own pieces it touches."""
    own = state.pieces_of(p)
    return [len(state.grid.neighbours[hex_id] & own) for hex_id in own]


def _touching(state: State, p: int, terrain: str) -> int:
    """Pieces that touch a terrain and do not stand on it."""
    return len((state.pieces_of(p) - state.board.hexes_of[terrain]) & near_terrain(state, terrain))


def _lines(state: State, p: int, with_island: bool) -> list[int]:
    """The number of pieces on each line that has some."""
    counts: dict[int, int] = {}
    for hex_id in state.pieces_of(p):
        if with_island or hex_id < N_MAIN:
            line = state.grid.line_of(hex_id)
            counts[line] = counts.get(line, 0) + 1
    return list(counts.values())


def _by_quadrant(state: State, p: int) -> list[int]:
    quadrants = [quadrant_of(hex_id) for hex_id in state.pieces_of(p)]
    return [quadrants.count(quadrant) for quadrant in range(4)]


def _joined(state: State, p: int, things: list[set[int]]) -> int:
    """How many things are joined to another one by a group: the group touches them or stands on them."""
    found: set[int] = set()
    for group in state.grid.groups(state.pieces_of(p)):
        near = group | state.grid.around(group)
        reached = {i for i, thing in enumerate(things) if thing & near}
        if len(reached) >= 2:
            found |= reached
    return len(found)


def _majorities(state: State, hexes: frozenset[int]) -> list[int]:
    """By seat: the hexes that it touches with most pieces of all, at least one."""
    won = [0] * len(state.seats)
    for hex_id in hexes:
        counts = [len(state.grid.neighbours[hex_id] & state.pieces_of(p)) for p in range(len(state.seats))]
        for p, n in enumerate(counts):
            if n > 0 and n == max(counts):
                won[p] += 1
    return won


# Cards that look at several seats, or need more than a line


def _lords(state: State) -> list[int]:
    gold, most = [0] * len(state.seats), state.board.gold_for("Lords")
    counts = [_by_quadrant(state, p) for p in range(len(state.seats))]
    for quadrant in range(4):
        places = sorted({row[quadrant] for row in counts}, reverse=True)
        for p, row in enumerate(counts):
            if row[quadrant] == places[0]:
                gold[p] += most
            elif row[quadrant] == places[1]:
                gold[p] += most // 2
    return gold


def _merchants(state: State, p: int) -> int:
    return _joined(state, p, [{hex_id} for hex_id in state.board.specials])


def _geologists(state: State, p: int) -> int:
    return _joined(state, p, state.board.areas["mountain"])


def _messengers(state: State, p: int) -> int:
    longest = 0
    for group in state.grid.groups(state.pieces_of(p)):
        for a, b in combinations(group, 2):
            longest = max(longest, state.grid.distance(a, b) or 0)
    return longest + 1 if longest else 0


def _scouts(state: State, p: int) -> int:
    removed = state.board.removed_terrain
    return 0 if removed is None else _touching(state, p, removed)


def _castles(state: State, p: int) -> int:
    return len(state.board.hexes_of["castle"] & state.grid.around(state.pieces_of(p)))


def _capitols(state: State, p: int) -> int:
    distances = [state.grid.distance(hex_id, c) for c in state.board.capitols for hex_id in state.pieces_of(p)]
    return sum(distance in (1, 2) for distance in distances)


# What each card counts for a seat.
CARDS: dict[str, Callable[[State, int], int]] = {
    "Fishermen": lambda state, p: _touching(state, p, "water"),
    "Miners": lambda state, p: _touching(state, p, "mountain"),
    "Workers": lambda state, p: len(state.pieces_of(p) & state.grid.around(state.board.specials)),
    "Merchants": _merchants,
    "Discoverers": lambda state, p: len(_lines(state, p, with_island=True)),
    "Knights": lambda state, p: max(_lines(state, p, with_island=False), default=0),
    "Hermits": lambda state, p: len(state.grid.groups(state.pieces_of(p))),
    "Citizens": lambda state, p: max(map(len, state.grid.groups(state.pieces_of(p))), default=0) // 2,
    "Farmers": lambda state, p: min(_by_quadrant(state, p)),
    "Geologists": _geologists,
    "Messengers": _messengers,
    "Vassals": lambda state, p: len(state.pieces_of(p) & SEAM),
    "Captains": lambda state, p: sum(n >= 3 for n in _own_neighbours(state, p)),
    "Scouts": _scouts,
    "Homesteaders": lambda state, p: max(_by_quadrant(state, p)),
    "Rangers": lambda state, p: _lines(state, p, with_island=True).count(1),
    "Chainers": lambda state, p: _own_neighbours(state, p).count(2),
    "Mayors": lambda state, p: len(state.seats[p].lines),
    "Travellers": lambda state, p: len(state.pieces_of(p) & EDGE),
    CASTLES: _castles,
    CAPITOLS: _capitols,
}
