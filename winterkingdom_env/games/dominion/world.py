"""The World of Dominion: the arrays that its kernels work on, and its implementation of the verbs (core/verbs.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import WORDS
from winterkingdom_env.core.rng import MIX_1, MIX_2
from winterkingdom_env.core.verbs import ILLEGAL, NOTHING, OK, implements
from winterkingdom_env.games.dominion import hidden, legal, observe, scoring, setup, turn
from winterkingdom_env.games.dominion.layout import DONE, MAX_PLAYERS, N_ACTIONS, Phase

I64, U64 = np.int64, np.uint64


class World(NamedTuple):
    """A game per row of the first four; the others are shared."""

    games: Any  # GAME
    boards: Any  # BOARD
    legals: Any  # the default's: a bit per action
    sheets: Any  # int32 (n, seats, kinds that score): the points if the game ended now
    rules: Any  # RULES, one: the card table
    requests: Any  # REQUEST, one per config


verbs.tell_sizes(World, MAX_PLAYERS, N_ACTIONS, DONE, observe.SPEC)
points = verbs.points.of(World)
is_legal = verbs.is_legal.of(World)


@implements(verbs.set_up, World)
@kernel
def set_up(world, i, config):
    setup.set_up(world.games[i], world.boards[i], world.rules[0], world.requests[config])
    for seat in range(MAX_PLAYERS):
        for k in range(len(scoring.SCORED)):
            world.sheets[i, seat, k] = 0


@implements(verbs.advance, World)
@kernel
def advance(world, i, action):
    game, board, rules = world.games[i], world.boards[i], world.rules[0]
    if action != NOTHING:
        if not is_legal(world, i, action):
            return I64(ILLEGAL)
        turn.answer(game, board, rules, action)
    legal.find_legal(game, board, rules, world.legals[i]["bits"])
    return I64(OK)


@implements(verbs.carry_on, World)
@kernel
def carry_on(world, i, action):
    """Cards change hands only over supply or trash: points are counted again if one of them changed.

    A Thief that is played twice can gain a treasure from the trash and lay another one of its kind there in one action.
    """
    game = world.games[i]
    before, may_regain = trace(game), game["phase"] == Phase.THIEF_GAIN
    status = advance(world, i, action)
    if may_regain or trace(game) != before:
        score(world, i)
    return status


@kernel(inline=True)
def trace(game):
    """A hash of supply and trash."""
    found = U64(0)
    for k in range(WORDS):
        found = (found ^ game["supply"][k]) * U64(MIX_1)
        found = (found ^ game["trash"][k]) * U64(MIX_2)
    return found


@implements(verbs.is_over, World)
@kernel(inline=True)
def is_over(world, i):
    return world.games[i]["phase"] == Phase.OVER


@implements(verbs.round_of, World)
@kernel(inline=True)
def round_of(world, i):
    return I64(world.games[i]["turns"][world.games[i]["turn_seat"]])


@implements(verbs.score, World)
@kernel
def score(world, i):
    scoring.score(world.games[i], world.boards[i], world.rules[0], world.sheets[i])


@implements(verbs.is_before, World)
@kernel
def is_before(world, i, seat, other):
    own, others = points(world, i, seat), points(world, i, other)
    turns = world.games[i]["turns"]
    return own > others or (own == others and turns[seat] < turns[other])


@implements(verbs.deal_hidden, World)
@kernel
def deal_hidden(world, i, seat):
    hidden.deal_hidden(seat, world.games[i], world.boards[i])


@implements(verbs.observe, World)
@kernel
def observe_game(world, i, seat, news, out):
    observe.observe(seat, news, world.games[i], world.boards[i], world.sheets[i], out)


# Games from set-up data -------------------------------------------------------------------------------------------------


@kernel
def lay_table(world):
    """Lay out the supply of one game, as the first request says."""
    setup.lay_table(world.games[0], world.boards[0], world.requests[0])


@kernel
def begin_game(world):
    """Begin the first turn of one game, whose hands are dealt."""
    turn.begin_turn(world.games[0], world.rules[0], I64(0))


@kernel
def resume_turn(world):
    """Go on with the action phase of one game, whose zones were filled by hand."""
    turn.next_action(world.games[0], world.rules[0])
