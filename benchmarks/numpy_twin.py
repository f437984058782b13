"""Two kinds of legal mask in plain numpy, over the whole batch at once: what the kernels are compared with.

Sets of hexes are uint32 (n, WORDS). Only mandatory placement and the move by one hex are here: to show what vectorised numpy
gives, not to be a third engine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.layout import BUILDABLE, FORT, HOUSE, LIFT, WHOLE, Phase, Twist
from winterkingdom_env.games.winter_kingdom.rules import make_rules

Sets = NDArray[np.uint32]
ONE = np.uint32(1)


def spread(cells: Sets, links: Sets) -> Sets:
    """Every hex that touches a hex of ``cells``; ``links`` (n, 3, WORDS) as in core.grid."""
    east, south, south_west = links[:, 0], links[:, 1], links[:, 2]
    out = ((cells & east) << ONE) | ((cells >> ONE) & east)
    below, above = cells[:, 1:], cells[:, :-1]
    out[:, :-1] |= (below & south[:, :-1]) | ((below << ONE) & south_west[:, :-1])
    out[:, 1:] |= (above & south[:, :-1]) | ((above & south_west[:, :-1]) >> ONE)
    return out


def look(games: np.ndarray, boards: np.ndarray) -> tuple[Sets, Sets]:
    """Hexes that touch an own piece, and free hexes where a piece may come; from what the records keep about the pieces."""
    rows, seats = np.arange(len(games)), games["seat"]
    free = make_rules()["area"][0, WHOLE] & ~games["taken"][:, 0]
    impasse = boards["twist"] == Twist.IMPASSE
    if impasse.any():  # no piece comes next to another player's
        near = games["near"][impasse]
        near[np.arange(len(near)), seats[impasse]] = 0
        free[impasse] &= ~np.bitwise_or.reduce(near, axis=1)
    return games["near"][rows, seats], free


def mandatory(games: np.ndarray, boards: np.ndarray) -> Sets:
    """(n, 3, WORDS): legal hexes by kind for positions in the phase "mandatory"."""
    assert (games["phase"] == Phase.MANDATORY).all()
    rows, seats = np.arange(len(games)), games["seat"]
    near, free = look(games, boards)
    targets = boards["terrain"][rows, games["terrain"]] & free
    mobility = boards["twist"] == Twist.MOBILITY
    if mobility.any():
        near[mobility] |= spread(near[mobility], boards["links"][mobility])
    close = targets & near
    targets = np.where(close.any(axis=1, keepdims=True), close, targets)
    hexes = np.zeros((len(games), 3, layout.WORDS), np.uint32)
    hexes[:, HOUSE] = np.where(games["houses_left"][rows, seats, None] > 0, targets, np.uint32(0))
    hexes[:, FORT] = np.where(games["forts_left"][rows, seats, None] > 0, targets, np.uint32(0))
    return hexes


def move_one_sources(games: np.ndarray, boards: np.ndarray) -> Sets:
    """(n, 3, WORDS): legal hexes by kind where a house to be moved by one hex is to be lifted."""
    _, free = look(games, boards)
    hexes = np.zeros((len(games), 3, layout.WORDS), np.uint32)
    goal = free & boards["terrain"][:, BUILDABLE]
    hexes[:, LIFT] = spread(goal, boards["links"]) & games["houses"][np.arange(len(games)), games["seat"]]
    return hexes


def move_one_targets(games: np.ndarray, boards: np.ndarray) -> Sets:
    """(n, 3, WORDS): legal hexes by kind where the lifted house is to go one hex on."""
    _, free = look(games, boards)
    cells = make_rules()["cell"][0, games["lifted"]]
    start = np.zeros((len(games), layout.WORDS), np.uint32)
    start[np.arange(len(games)), cells >> 5] = ONE << (cells & 31).astype(np.uint32)
    hexes = np.zeros((len(games), 3, layout.WORDS), np.uint32)
    hexes[:, HOUSE] = spread(start, boards["links"]) & free & boards["terrain"][:, BUILDABLE]
    return hexes


TWINS = {
    "mandatory placement": mandatory,
    "placement, no adjacent hex": mandatory,
    "MOVE_ONE sources": move_one_sources,
    "MOVE_ONE targets": move_one_targets,
}
