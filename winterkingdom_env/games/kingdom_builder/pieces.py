"""Pieces, walls and scouts on the board, the sets derived from them, and the free hexes.

``near`` (per seat), ``taken`` and ``blocked`` are derived from the things on the board. All changes of those go through this module.
"""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import join_others, put, spread, take
from winterkingdom_env.core.hexset import is_empty, load, no_hexes, one_hex, store
from winterkingdom_env.games.kingdom_builder.kinds import Unit
from winterkingdom_env.games.kingdom_builder.layout import MAX_PLAYERS, NONE, WARRIORS, WHOLE

I64 = np.int64  # every number that is passed on has this type: one signature per kernel


@kernel
def hex_set(hex_id, rules):
    """The set of one hex; empty for NONE."""
    return no_hexes() if hex_id == NONE else one_hex(rules["cell"][hex_id])


@kernel
def free_hexes(game, board):
    """The hexes on which something may be placed: nothing stands there, and no warrior touches them (p. 14)."""
    return load(board["terrain"], WHOLE) & ~load(game["taken"], 0) & ~load(game["blocked"], 0)


@kernel
def near_scouts(seat, game, board):
    """The hexes that scouts touch, in the turn of the seat (p. 22)."""
    if seat != game["turn_seat"] or is_empty(load(game["scouts"], 0)):
        return no_hexes()
    return spread(load(game["scouts"], 0), board["links"])


@kernel
def reference_near(seat, game, board):
    """The hexes touching a piece of the seat or, in its turn, a scout."""
    return load(game["near"], seat) | near_scouts(seat, game, board)


@kernel
def near_others(seat, game, board):
    """The hexes touching a piece of any player but the seat."""
    return join_others(game["near"], board["n_players"], seat)


@kernel
def hall_hexes(seat, game, board, rules):
    """The seven hexes of the seat's city hall, if it stands."""
    if game["hall"][seat] == NONE:
        return no_hexes()
    centre = one_hex(rules["cell"][game["hall"][seat]])
    return centre | spread(centre, board["links"])


@kernel
def warrior_hexes(seat, game, rules):
    """The hexes with a warrior of the seat."""
    found = no_hexes()
    for k in range(WARRIORS):
        found = found | hex_set(I64(game["warriors"][seat][k]), rules)
    return found


@kernel
def movable_pieces(seat, game, board, rules):
    """The pieces of a seat that may be moved or removed: all but the city hall."""
    return load(game["pieces"], seat) & ~hall_hexes(seat, game, board, rules)


@kernel
def unit_at(seat, hex_id, game):
    """The kind of a movable piece of the seat on a hex."""
    if game["wagon"][seat] == hex_id:
        return I64(Unit.WAGON)
    if game["ship"][seat] == hex_id:
        return I64(Unit.SHIP)
    for k in range(WARRIORS):
        if game["warriors"][seat][k] == hex_id:
            return I64(Unit.WARRIOR)
    return I64(Unit.SETTLEMENT)


# Derived sets -----------------------------------------------------------------------------------------------------------


@kernel
def find_near(seat, game, board):
    """Recompute ``near`` of a seat."""
    store(game["near"], seat, spread(load(game["pieces"], seat), board["links"]))


@kernel
def find_blocked(game, board, rules):
    """Recompute ``blocked``."""
    found = no_hexes()
    for seat in range(MAX_PLAYERS):
        found = found | warrior_hexes(seat, game, rules)
    store(game["blocked"], 0, found if is_empty(found) else spread(found, board["links"]))


@kernel
def find_facts(game, board, rules):
    """Recompute everything derived from the things on the board."""
    taken = load(game["walls"], 0) | load(game["scouts"], 0)
    for seat in range(MAX_PLAYERS):
        find_near(seat, game, board)
        taken = taken | load(game["pieces"], seat)
    store(game["taken"], 0, taken)
    find_blocked(game, board, rules)


# Changes ----------------------------------------------------------------------------------------------------------------


@kernel
def note_unit(seat, unit, before, after, game):
    """A unit of the seat is on the hex ``after`` instead of ``before``; NONE: off the board."""
    if unit == Unit.WAGON:
        game["wagon"][seat] = after
    elif unit == Unit.SHIP:
        game["ship"][seat] = after
    elif unit == Unit.WARRIOR:
        warriors = game["warriors"][seat]
        warriors[0 if warriors[0] == before else 1] = after
        first, second = warriors[0], warriors[1]
        if (first == NONE and second != NONE) or (second != NONE and second < first):
            warriors[0], warriors[1] = second, first


@kernel
def add_piece(seat, unit, hex_id, game, board, rules):
    """Put a piece of the seat on a hex."""
    cell = rules["cell"][hex_id]
    put(game["pieces"], seat, cell)
    put(game["taken"], 0, cell)
    store(game["near"], seat, load(game["near"], seat) | spread(one_hex(cell), board["links"]))
    if unit != Unit.SETTLEMENT:
        note_unit(seat, unit, I64(NONE), hex_id, game)
        if unit == Unit.WARRIOR:
            find_blocked(game, board, rules)


@kernel
def remove_piece(seat, hex_id, game, board, rules):
    """Remove a piece of the seat, not of its city hall, from a hex; return its kind."""
    cell, unit = rules["cell"][hex_id], unit_at(seat, hex_id, game)
    take(game["pieces"], seat, cell)
    take(game["taken"], 0, cell)
    find_near(seat, game, board)
    if unit != Unit.SETTLEMENT:
        note_unit(seat, unit, hex_id, I64(NONE), game)
        if unit == Unit.WARRIOR:
            find_blocked(game, board, rules)
    return unit


@kernel
def add_hall(seat, centre, game, board, rules):
    """Build the city hall of the seat."""
    game["hall"][seat] = centre
    store(game["pieces"], seat, load(game["pieces"], seat) | hall_hexes(seat, game, board, rules))
    store(game["taken"], 0, load(game["taken"], 0) | hall_hexes(seat, game, board, rules))
    find_near(seat, game, board)


@kernel
def clear_scouts(game):
    """The scouts leave the board."""
    store(game["taken"], 0, load(game["taken"], 0) & ~load(game["scouts"], 0))
    store(game["scouts"], 0, no_hexes())
