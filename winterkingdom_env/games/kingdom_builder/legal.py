"""The legal actions of the seat to move (4.2 of the rules). Targets of special actions are in effects.py, of moves in moves.py."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.grid import spread
from winterkingdom_env.core.hexset import count, is_empty, load, no_hexes, one_hex, store
from winterkingdom_env.games.kingdom_builder.effects import (
    build_targets,
    hall_centres,
    on_terrains,
    scout_targets,
    wall_targets,
)
from winterkingdom_env.games.kingdom_builder.kinds import Bonus, Duty, Form, Op, Phase, SiloMode, Terrain, Tile
from winterkingdom_env.games.kingdom_builder.layout import (
    DONE,
    FIRST_BONUS_USE,
    N_REPEATS,
    N_USES,
    NONE,
    OUTPOST_ACTION,
    PUT,
    REPEAT_FIRST,
    SCOUTS,
    TAKE,
    TOKEN,
    USE_FIRST,
)
from winterkingdom_env.games.kingdom_builder.moves import move_sources, targets_from
from winterkingdom_env.games.kingdom_builder.pieces import (
    free_hexes,
    hex_set,
    movable_pieces,
    reference_near,
    warrior_hexes,
)
from winterkingdom_env.games.kingdom_builder.reactions import canoe_targets
from winterkingdom_env.games.kingdom_builder.silos import silo_sources, silo_targets
from winterkingdom_env.games.kingdom_builder.terrain_cards import can_draw, card_terrains
from winterkingdom_env.games.kingdom_builder.tiles import (
    has_bonus,
    has_tile,
    ready_sites,
    sites_of,
    tile_kinds,
)

I64, U32, U64 = np.int64, np.uint32, np.uint64


@kernel
def allow(action, legal):
    """Allow an action that is not on a hex."""
    bit = action - USE_FIRST
    legal["others"][bit >> 6] |= U64(1) << U64(bit & 63)


# Mandatory pieces -------------------------------------------------------------------------------------------------------


@kernel
def pieces_due(game):
    """The pieces that the turn's seat has still to build: those of the supply, then those of the temple (4.3 of the rules)."""
    seat = game["turn_seat"]
    return min(I64(game["n_pieces"]) - game["n_placed"], I64(game["supply"][seat])) + game["due"][seat]


@kernel
def mandatory_duty(game, board):
    """The duty of the next mandatory piece."""
    is_first = game["phase"] == Phase.BEFORE
    if game["outpost"] or (is_first and has_bonus(Tile.TEMPLE, I64(game["turn_seat"]), game, board)):  # p. 18
        return I64(Duty.NONE)
    return I64(Duty.ADJ)


@kernel
def mandatory_targets(duty, game, board):
    """The hexes on which the next mandatory piece may be built."""
    seat = I64(game["turn_seat"])
    if pieces_due(game) == 0:
        return no_hexes()
    return on_terrains(card_terrains(game), duty, free_hexes(game, board), reference_near(seat, game, board), board)


@kernel
def has_outpost(seat, game, board):
    """Whether the seat may declare an outpost (p. 9)."""
    return not game["outpost"] and sites_of(Tile.OUTPOST, ready_sites(seat, game), board) != 0


@kernel
def find_mandatory(game, board, legal):
    """Allow the hexes of the next mandatory piece, and the outpost if it opens more of them."""
    duty = mandatory_duty(game, board)
    targets = mandatory_targets(duty, game, board)
    store(legal["hexes"], PUT, targets)
    if duty == Duty.ADJ and has_outpost(I64(game["turn_seat"]), game, board):
        if not is_empty(mandatory_targets(I64(Duty.NONE), game, board) & ~targets):
            allow(OUTPOST_ACTION, legal)


# Special actions --------------------------------------------------------------------------------------------------------


@kernel
def unit_index(use, rules):
    """Index in ``unit_supply`` of the unit of a use."""
    tile = rules["use_tile"][use]
    return I64(0) if tile == Tile.BARRACKS else I64(1) if tile == Tile.WAGON else I64(2)


@kernel
def units_on_board(use, seat, game, rules):
    """The hexes with a unit of this use."""
    index = unit_index(use, rules)
    if index == 0:
        return warrior_hexes(seat, game, rules)
    return hex_set(I64(game["wagon"][seat]) if index == 1 else I64(game["ship"][seat]), rules)


@kernel
def can_begin_unit(use, seat, game, board, rules):
    """Whether a unit can be placed, moved or taken back."""
    if not is_empty(units_on_board(use, seat, game, rules)):
        return True
    if game["unit_supply"][seat][unit_index(use, rules)] == 0:
        return False
    return not is_empty(
        build_targets(rules["op"][use], rules["arg"][use], rules["duty"][use], seat, game, board, rules)
    )


@kernel
def can_begin_others(use, seat, game, board, rules):
    """Whether a use that is no build, move or unit can begin."""
    form = rules["form"][use]
    if form == Form.HALL:
        return game["unit_supply"][seat][3] > 0 and not is_empty(hall_centres(seat, game, board))
    if form == Form.WALL:
        return game["walls_left"] > 0 and not is_empty(wall_targets(seat, game, board))
    if form == Form.SCOUT:  # the bazaar picks up scouts first
        free = free_hexes(game, board) | (load(game["scouts"], 0) & ~load(game["blocked"], 0))
        return not is_empty(scout_targets(seat, free, game, board))
    if form == Form.REMOVE:
        return not is_empty(victims(seat, game, board, rules))
    if form == Form.TEMPLE:
        return not is_empty(settlements(seat, game, board, rules))
    can_build = game["tokens"][seat] > 0 and game["supply"][seat] > 0  # CATHEDRAL
    return game["token_stock"] > 0 or (
        can_build
        and not is_empty(
            build_targets(rules["op"][use], rules["arg"][use], rules["duty"][use], seat, game, board, rules)
        )
    )


@kernel
def can_begin(use, seat, game, board, rules):
    """Whether the first piece of a use can be placed, lifted or removed (decision 16)."""
    form, op = rules["form"][use], rules["op"][use]
    if form == Form.BUILD:
        if game["supply"][seat] == 0:
            return False
        if op == Op.DRAWN_CARD:
            return can_draw(game)
        return not is_empty(build_targets(op, rules["arg"][use], rules["duty"][use], seat, game, board, rules))
    if form == Form.MOVE:
        return not is_empty(move_sources(op, rules["arg"][use], rules["duty"][use], seat, game, board, rules))
    if form == Form.UNIT:
        return can_begin_unit(use, seat, game, board, rules)
    return can_begin_others(use, seat, game, board, rules)


@kernel
def victims(seat, game, board, rules):
    """The pieces that a sword may remove: not of city halls (p. 9; decision 20)."""
    found = no_hexes()
    for player in range(board["n_players"]):
        if player != seat:
            found = found | movable_pieces(I64(player), game, board, rules)
    return found


@kernel
def settlements(seat, game, board, rules):
    """The settlements of a seat on the board."""
    units = (
        warrior_hexes(seat, game, rules)
        | hex_set(I64(game["wagon"][seat]), rules)
        | hex_set(I64(game["ship"][seat]), rules)
    )
    return movable_pieces(seat, game, board, rules) & ~units


@kernel
def may_use_bonus(use, seat, game, board, rules):
    """Whether a use that needs no tile of its own is open to the seat in this turn."""
    bonus = rules["use_bonus"][use]
    if (game["bonus_used"][seat] >> bonus) & 1:
        return False
    if bonus == Bonus.REFUGE:
        return has_bonus(Tile.REFUGE, seat, game, board)
    if bonus == Bonus.CANOE:
        return has_bonus(Tile.CANOE, seat, game, board)
    if bonus == Bonus.FARMLAND:
        return not is_empty(load(board["terrain"], Terrain.FARMLAND))
    return not is_empty(load(board["caves"], 0))


@kernel
def find_uses(game, board, rules, legal):
    """Allow the special actions that the turn's seat may begin."""
    seat = I64(game["turn_seat"])
    kinds = tile_kinds(ready_sites(seat, game), board)
    rest = kinds
    while rest:
        use = rules["use_of"][first_bit(rest)]
        rest &= rest - U64(1)
        if use != NONE and can_begin(use, seat, game, board, rules):
            allow(USE_FIRST + use, legal)
    if board["has_bonuses"]:
        for use in range(FIRST_BONUS_USE, N_USES):
            if may_use_bonus(I64(use), seat, game, board, rules) and can_begin(I64(use), seat, game, board, rules):
                allow(USE_FIRST + use, legal)
    if (kinds >> U64(Tile.BAZAAR)) & U64(1):
        find_repeats(seat, game, board, rules, legal)


@kernel
def find_repeats(seat, game, board, rules, legal):
    """Allow what the bazaar may repeat (p. 21)."""
    for k in range(N_REPEATS):
        use = rules["repeat_use"][k]
        if use == NONE:
            sites = sites_of(Tile.CROSSROADS, game["held"][seat] & ~game["fresh"][seat], board)
            if sites != 0:
                allow(REPEAT_FIRST + k, legal)
            continue
        tile = rules["use_tile"][use]
        was_used = (game["used_tiles"] >> U64(tile)) & U64(1) != 0
        if was_used and has_tile(tile, seat, game, board) and can_begin(use, seat, game, board, rules):
            allow(REPEAT_FIRST + k, legal)


@kernel
def find_in_build(game, board, rules, legal):
    """Allow the next piece of a build."""
    seat, use = I64(game["turn_seat"]), I64(game["use"])
    op, arg, duty = rules["op"][use], rules["arg"][use], rules["duty"][use]
    if game["supply"][seat] > 0 and game["count"] < rules["most"][use]:
        now = I64(Duty.NONE) if game["outpost"] else duty
        targets = build_targets(op, arg, now, seat, game, board, rules)
        store(legal["hexes"], PUT, targets)
        if duty == Duty.ADJ and has_outpost(seat, game, board):
            if not is_empty(build_targets(op, arg, I64(Duty.NONE), seat, game, board, rules) & ~targets):
                allow(OUTPOST_ACTION, legal)
    if game["count"] > 0:
        allow(DONE, legal)


@kernel
def find_in_cathedral(game, board, rules, legal):
    """Allow the token, or the next piece of the cathedral."""
    seat = I64(game["turn_seat"])
    if game["tokens"][seat] > 0:
        find_in_build(game, board, rules, legal)
    elif game["count"] > 0:
        allow(DONE, legal)
    if game["count"] == 0 and not game["outpost"] and game["token_stock"] > 0:
        allow(TOKEN, legal)


@kernel
def find_in_unit(game, board, rules, legal):
    """Allow the placement, the steps and the return of a unit."""
    seat, use = I64(game["turn_seat"]), I64(game["use"])
    index = unit_index(use, rules)
    if game["count"] == 0:
        store(legal["hexes"], TAKE, units_on_board(use, seat, game, rules))
        if game["unit_supply"][seat][index] > 0:
            targets = build_targets(rules["op"][use], rules["arg"][use], rules["duty"][use], seat, game, board, rules)
            store(legal["hexes"], PUT, targets)
            return
    else:
        allow(DONE, legal)
    if index != 0 and game["count"] < rules["most"][use]:
        start = units_on_board(use, seat, game, rules)
        ground = load(board["terrain"], rules["arg"][use])
        store(legal["hexes"], PUT, spread(start, board["links"]) & ground & free_hexes(game, board))


@kernel
def find_in_use(phase, game, board, rules, legal):
    """Allow what a special action in progress asks for."""
    seat, use = I64(game["turn_seat"]), I64(game["use"])
    op, arg, duty = rules["op"][use], rules["arg"][use], rules["duty"][use]
    if phase == Phase.BUILD:
        find_in_build(game, board, rules, legal)
    elif phase == Phase.LIFT:
        if game["count"] < rules["most"][use]:
            store(legal["hexes"], TAKE, move_sources(op, arg, duty, seat, game, board, rules))
        if game["count"] > 0:
            allow(DONE, legal)
    elif phase == Phase.MOVE:
        start, pieces = one_hex(rules["cell"][game["lifted"]]), load(game["pieces"], seat)
        near = reference_near(seat, game, board)
        store(
            legal["hexes"], PUT, targets_from(op, arg, duty, start, pieces, free_hexes(game, board), near, game, board)
        )
    elif phase == Phase.UNIT:
        find_in_unit(game, board, rules, legal)
    elif phase == Phase.HALL:
        store(legal["hexes"], PUT, hall_centres(seat, game, board))
    elif phase == Phase.WALL:
        if game["walls_left"] > 0 and game["count"] < rules["most"][use]:
            store(legal["hexes"], PUT, wall_targets(seat, game, board))
        if game["count"] > 0:
            allow(DONE, legal)
    elif phase == Phase.SCOUT:
        if count(load(game["scouts"], 0)) < SCOUTS:
            store(legal["hexes"], PUT, scout_targets(seat, free_hexes(game, board), game, board))
        if game["count"] > 0:
            allow(DONE, legal)
    elif phase == Phase.REMOVE:
        store(legal["hexes"], TAKE, victims(seat, game, board, rules))
    elif phase == Phase.TEMPLE:
        store(legal["hexes"], TAKE, settlements(seat, game, board, rules))
    else:
        find_in_cathedral(game, board, rules, legal)


# Reactions and silos ----------------------------------------------------------------------------------------------------


@kernel
def find_in_silo(game, board, rules, legal):
    """Allow the builds and moves of a silo (p. 21)."""
    seat = I64(game["seat"])
    if game["phase"] == Phase.SILO_MOVE:
        start = one_hex(rules["cell"][game["lifted"]])
        store(legal["hexes"], PUT, silo_targets(load(game["near"], seat), game, board) & ~start)
        return
    if game["silo_mode"] != SiloMode.MOVE and game["supply"][seat] > 0:
        store(legal["hexes"], PUT, silo_targets(load(game["near"], seat), game, board))
    if game["silo_mode"] != SiloMode.BUILD:
        store(legal["hexes"], TAKE, silo_sources(seat, game, board, rules))
    allow(DONE, legal)


# Phases -----------------------------------------------------------------------------------------------------------------


@kernel
def find_legal(game, board, rules, legal):
    """Write the legal actions of the seat to move."""
    store(legal["hexes"], PUT, no_hexes())
    store(legal["hexes"], TAKE, no_hexes())
    legal["others"][0] = legal["others"][1] = U64(0)
    phase = game["phase"]
    if phase == Phase.MANDATORY:
        find_mandatory(game, board, legal)
    elif phase == Phase.BEFORE:
        find_mandatory(game, board, legal)
        find_uses(game, board, rules, legal)
        if is_empty(load(legal["hexes"], PUT)):
            allow(DONE, legal)
    elif phase == Phase.AFTER:
        find_uses(game, board, rules, legal)
        allow(DONE, legal)
    elif phase < Phase.REACT:
        find_in_use(phase, game, board, rules, legal)
    elif phase == Phase.REACT:
        store(legal["hexes"], PUT, canoe_targets(I64(game["seat"]), game, board, rules))
        allow(DONE, legal)
    elif phase != Phase.OVER:
        find_in_silo(game, board, rules, legal)
