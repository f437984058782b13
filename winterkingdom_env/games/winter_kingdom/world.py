"""The World of Winter Kingdom: the arrays that its kernels work on, and its implementation of the verbs (core/verbs.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core import hex_actions, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.hexset import load, no_hexes
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.core.verbs import ILLEGAL, implements
from winterkingdom_env.games.base import copied
from winterkingdom_env.games.house_rules import check_drawn
from winterkingdom_env.games.winter_kingdom import hidden, layout, legal, observe, scoring, setup, turn
from winterkingdom_env.games.winter_kingdom.boards import check_sides
from winterkingdom_env.games.winter_kingdom.config import GENERATED, Config
from winterkingdom_env.games.winter_kingdom.layout import (
    LIFT_FIRST,
    MAX_PLAYERS,
    N_ACTIONS,
    N_HEX_KINDS,
    N_HEXES,
    NONE,
    ROWS,
    SCORING_IN_PLAY,
    USE_FIRST,
    Phase,
)
from winterkingdom_env.games.winter_kingdom.rules import make_rules

I64 = np.int64


class World(NamedTuple):
    """The first four arrays have one row per game; the others are shared."""

    games: Any  # GAME
    boards: Any  # BOARD
    legals: Any  # LEGAL
    sheets: Any  # int16 (n, seats, cards in play and castles): the points if the game ended now
    rules: Any  # RULES, one: geometry
    requests: Any  # REQUEST, one per config: options and card values
    sides: Any  # int8 (sets, 14, 61): the sets of board sides that the requests refer to


verbs.tell_sizes(World, MAX_PLAYERS, N_ACTIONS, layout.DONE, observe.SPEC)
hex_actions.decode_legal(World, N_HEX_KINDS, N_HEXES, ROWS)


def make_world(
    n: int, configs: Sequence[Config] = (Config(),), shared: Mapping[str, np.ndarray] | None = None
) -> World:
    """A World with room for ``n`` games of these configs. ``shared``: the sets of board sides ("sides") to reuse."""
    names = sorted({config.boards for config in configs})
    sides = None if shared is None else shared["sides"]
    if sides is None and GENERATED in names:
        raise ValueError(
            'boards="generated" makes new boards for every seed; a batch needs fixed ones, such as "generated:5"'
        )
    check_drawn(configs)
    requests = np.concatenate([config.request() for config in configs])
    requests["sides"] = [names.index(config.boards) for config in configs]
    if sides is None:
        sides = np.stack([Config(boards=name).sides(0).terrain for name in names])
    else:
        check_sides(sides, len(names))
    return _empty(n, requests, sides)


def make_world_of_one(config: Config, seed: int) -> World:
    """A World with room for one game of this config, whose house rules are fixed, and this seed."""
    return _empty(1, copied(config.request()), np.array(config.sides(seed).terrain)[None])


def _empty(n: int, requests: np.ndarray, sides: np.ndarray) -> World:
    return World(aligned(n, layout.GAME), aligned(n, layout.BOARD), *_found(n), make_rules(), requests, sides)


def _found(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Empty arrays for the derived data of ``n`` games: legal actions and points."""
    return aligned(n, layout.LEGAL), np.zeros((n, MAX_PLAYERS, SCORING_IN_PLAY + 1), np.int16)


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
    setup.set_up(world.games[i], world.boards[i], world.rules[0], world.sides[request["sides"]], request)
    for seat in range(MAX_PLAYERS):
        for k in range(SCORING_IN_PLAY + 1):
            world.sheets[i, seat, k] = 0


@implements(verbs.advance, World)
@kernel(inline=True)
def advance(world, i, action):
    return turn.advance(world.games[i], action, world.boards[i], world.rules[0], world.legals[i])


@implements(verbs.carry_on, World)
@kernel(inline=True)
def carry_on(world, i, action):
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    mover, before = I64(game["seat"]), load(game["taken"], 0)
    moves_a_piece = 0 <= action < LIFT_FIRST or (LIFT_FIRST <= action < USE_FIRST and game["phase"] != Phase.LIFT)
    status = turn.advance(game, action, board, rules, world.legals[i])
    if moves_a_piece and status != ILLEGAL:
        scoring.score(mover, before ^ load(game["taken"], 0), game, board, rules, world.sheets[i])
    return status


@implements(verbs.score, World)
@kernel(inline=True)
def score(world, i):
    scoring.score(I64(NONE), no_hexes(), world.games[i], world.boards[i], world.rules[0], world.sheets[i])


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
    legal.find_legal(world.games[i], world.boards[i], world.rules[0], world.legals[i])


@implements(verbs.is_over, World)
@kernel(inline=True)
def is_over(world, i):
    return world.games[i]["phase"] == Phase.OVER


# Games from set-up data -------------------------------------------------------------------------------------------------


@kernel
def begin_games(world):
    """Start games whose records hold a set-up, with the cards of the first request."""
    for i in range(world.games.shape[0]):
        setup.lay_cards(world.boards[i], world.requests[0])
        setup.furnish(world.boards[i], world.rules[0])
        turn.begin_turn(world.games[i], world.boards[i])
