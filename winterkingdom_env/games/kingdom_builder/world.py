"""The World of Kingdom Builder: the arrays that its kernels work on, and its implementation of the verbs (core/verbs.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core import hex_actions, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.core.verbs import ILLEGAL, implements
from winterkingdom_env.games.base import copied
from winterkingdom_env.games.house_rules import check_drawn
from winterkingdom_env.games.kingdom_builder import furnish, hidden, layout, observe, scoring, setup, turn
from winterkingdom_env.games.kingdom_builder.board_maker import GENERATED
from winterkingdom_env.games.kingdom_builder.config import Config
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import (
    MAX_PLAYERS,
    N_ACTIONS,
    N_HEX_KINDS,
    N_HEXES,
    N_SHEET,
    NONE,
    ROWS,
    USE_FIRST,
)
from winterkingdom_env.games.kingdom_builder.legal import find_legal as find_actions
from winterkingdom_env.games.kingdom_builder.observe_spec import SPEC
from winterkingdom_env.games.kingdom_builder.pieces import find_facts
from winterkingdom_env.games.kingdom_builder.rules import make_rules

I64 = np.int64


class World(NamedTuple):
    """The first four arrays have one row per game; the others are shared."""

    games: Any  # GAME
    boards: Any  # BOARD
    legals: Any  # LEGAL
    sheets: Any  # int16 (n, seats, columns): the gold if the game ended now
    rules: Any  # RULES, one: geometry and tables
    requests: Any  # REQUEST, one per config
    quadrants: Any  # int8 (layouts, 24, 100): the quadrants that the requests refer to
    islands: Any  # int8 (layouts, 2, 50): the islands, likewise


verbs.tell_sizes(World, MAX_PLAYERS, N_ACTIONS, layout.DONE, SPEC)
hex_actions.decode_legal(World, N_HEX_KINDS, N_HEXES, ROWS)


def make_world(
    n: int, configs: Sequence[Config] = (Config(),), shared: Mapping[str, np.ndarray] | None = None
) -> World:
    """A World with room for ``n`` games of these configs. ``shared``: "quadrants" and "islands" to reuse."""
    names = sorted({config.boards for config in configs})
    if shared is None and GENERATED in names:
        raise ValueError(
            'boards="generated" makes new quadrants for every seed; a batch needs fixed ones, such as "generated:5"'
        )
    check_drawn(configs)
    requests = np.concatenate([config.request() for config in configs])
    requests["layouts"] = [names.index(config.boards) for config in configs]
    if shared is not None:
        quadrants, islands = _checked(shared, len(names))
        return _empty(n, requests, quadrants, islands)
    known = [Config(boards=name).layouts(0) for name in names]
    return _empty(
        n,
        requests,
        np.stack([layouts.quadrants for layouts in known]),
        np.stack([layouts.islands for layouts in known]),
    )


def _checked(shared: Mapping[str, np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Shared layouts, if they fit. Raises ValueError if not."""
    shapes = {
        "quadrants": (n, layout.N_QUADRANTS, layout.QUADRANT_HEXES),
        "islands": (n, layout.N_ISLANDS, layout.ISLAND_ROWS * layout.ISLAND_COLUMNS),
    }
    for name, shape in shapes.items():
        if shared[name].shape != shape or shared[name].dtype != np.int8:
            raise ValueError(f"shared {name} of shape {shared[name].shape} were given; int8 of {shape} is needed")
    return shared["quadrants"], shared["islands"]


def make_world_of_one(config: Config, seed: int) -> World:
    """A World with room for one game of this config, whose house rules are fixed, and this seed."""
    layouts = config.layouts(seed)
    return _empty(1, copied(config.request()), np.array(layouts.quadrants)[None], np.array(layouts.islands)[None])


def _empty(n: int, requests: np.ndarray, quadrants: np.ndarray, islands: np.ndarray) -> World:
    records = aligned(n, layout.GAME), aligned(n, layout.BOARD)
    return World(*records, *_found(n), make_rules(), requests, quadrants, islands)


def _found(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Empty arrays for the derived data of ``n`` games: legal actions and gold."""
    return aligned(n, layout.LEGAL), np.zeros((n, MAX_PLAYERS, N_SHEET), np.int16)


@cache
def _shared() -> tuple[np.ndarray, ...]:
    return make_world(0)[verbs.N_PER_GAME :]


def world_from_records(games: np.ndarray, boards: np.ndarray) -> World:
    """A World with these records of games that are already set up; it cannot set up others."""
    return World(games, boards, *_found(len(games)), *_shared())


@implements(verbs.set_up, World)
@kernel(inline=True)
def set_up(world, i, config):
    request = world.requests[config]
    quadrants, islands = world.quadrants[request["layouts"]], world.islands[request["layouts"]]
    setup.set_up(world.games[i], world.boards[i], world.rules[0], quadrants, islands, request)
    for seat in range(MAX_PLAYERS):
        for k in range(N_SHEET):
            world.sheets[i, seat, k] = 0


@implements(verbs.advance, World)
@kernel(inline=True)
def advance(world, i, action):
    return turn.advance(world.games[i], action, world.boards[i], world.rules[0], world.legals[i])


@implements(verbs.carry_on, World)
@kernel(inline=True)
def carry_on(world, i, action):
    """Only an action on a hex changes the pieces, and so the gold; a sword those of another seat."""
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    mover = I64(NONE) if game["phase"] == Phase.REMOVE else I64(game["seat"])
    status = turn.advance(game, action, board, rules, world.legals[i])
    if 0 <= action < USE_FIRST and status != ILLEGAL:
        scoring.score(mover, game, board, rules, world.sheets[i])
    return status


@implements(verbs.score, World)
@kernel(inline=True)
def score(world, i):
    scoring.score(I64(NONE), world.games[i], world.boards[i], world.rules[0], world.sheets[i])


@implements(verbs.observe, World)
@kernel(inline=True)
def observe_game(world, i, seat, news, out):
    observe.observe(seat, news, world.games[i], world.boards[i], world.rules[0], world.legals[i], world.sheets[i], out)


@implements(verbs.deal_hidden, World)
@kernel(inline=True)
def deal_hidden(world, i, seat):
    hidden.deal_hidden(seat, world.games[i], world.boards[i])


@implements(verbs.find_legal, World)
@kernel(inline=True)
def find_legal(world, i):
    find_actions(world.games[i], world.boards[i], world.rules[0], world.legals[i])


@implements(verbs.is_over, World)
@kernel(inline=True)
def is_over(world, i):
    return world.games[i]["phase"] == Phase.OVER


# Games from set-up data -------------------------------------------------------------------------------------------------


@kernel
def begin_games(world):
    """Start games whose records hold a set-up."""
    for i in range(world.games.shape[0]):
        furnish.furnish(world.boards[i], world.rules[0])
        turn.begin_turn(world.games[i], world.boards[i])


@kernel
def refresh_games(world):
    """Recompute the sets that follow from the things on the board."""
    for i in range(world.games.shape[0]):
        find_facts(world.games[i], world.boards[i], world.rules[0])
