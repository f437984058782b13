"""The rules as kernels: the implementation of the verbs (winterkingdom_env/core/verbs.py)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from examples.duels import observe
from examples.duels.layout import (
    COPIES,
    DEALT,
    MAX_PLAYERS,
    N_ACTIONS,
    NONE,
    OTHERS,
    PRIZES,
    STRENGTHS,
    TOP_FIRST,
    YIELD,
    Phase,
)
from winterkingdom_env.core import verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import draw, renew
from winterkingdom_env.core.verbs import ILLEGAL, NOTHING, OK, implements

I64, U64, F64 = np.int64, np.uint64, np.float64


class World(NamedTuple):
    """A game per row of the first four; the others are shared."""

    games: Any  # GAME
    boards: Any  # BOARD
    legals: Any  # the default's: a bit per action
    sheets: Any  # int32 (n, seats, 3): gains, losses, nines
    rules: Any  # nothing
    requests: Any  # the fields of a Config


verbs.tell_sizes(World, MAX_PLAYERS, N_ACTIONS, YIELD, observe.SPEC)
points = verbs.points.of(World)
is_legal = verbs.is_legal.of(World)


@kernel
def draw_kind(game, counts, n_kinds):
    """Draw one item of a heap, given as counts per kind, and return its kind."""
    total = I64(0)
    for kind in range(n_kinds):
        total += counts[kind]
    left = draw(game, total)
    kind = I64(0)
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind


@kernel
def begin_turn(game, seat):
    """The attacker draws a weapon and turns up a prize."""
    game["attacker"] = game["seat"] = seat
    game["phase"] = Phase.ATTACK
    game["weapon"] = NONE
    game["hand"][seat][draw_kind(game, game["deck"], STRENGTHS)] += 1
    game["prize"] = draw_kind(game, game["prizes"], PRIZES)


@implements(verbs.set_up, World)
@kernel
def set_up(world, i, config):
    """Deal, and begin the first turn."""
    game, board, request = world.games[i], world.boards[i], world.requests[config]
    board["n_players"], board["rounds"] = request["num_players"], request["rounds"]
    game["deck"][:] = COPIES
    for kind in range(PRIZES):
        board["copies"][kind] = game["prizes"][kind] = request["prize_copies"][kind]
    for seat in range(MAX_PLAYERS):
        game["gains"][seat] = game["losses"][seat] = 0
        world.sheets[i, seat, :] = 0
        game["hand"][seat][:] = 0
        for _ in range(DEALT if seat < board["n_players"] else 0):
            game["hand"][seat][draw_kind(game, game["deck"], STRENGTHS)] += 1
    game["round"] = 1
    begin_turn(game, I64(0))


@kernel
def value_of(prize):
    """The value of a kind of prize: -5 to -1, then 1 to 8."""
    return prize - 5 if prize < 5 else prize - 4


@kernel
def end_duel(game, board, winner, loser):
    """Give the prize to the winner or the loser; begin the next turn, or end the game."""
    value = value_of(I64(game["prize"]))
    if value > 0:
        game["gains"][winner] += value
    else:
        game["losses"][loser] += value
    following = (I64(game["attacker"]) + 1) % I64(board["n_players"])
    if following == 0 and game["round"] == board["rounds"]:
        game["phase"] = Phase.OVER
        game["weapon"] = game["prize"] = NONE
        return
    game["round"] += following == 0
    begin_turn(game, following)


@kernel
def find_legal(game, board, bits):
    """Write a bit per legal action."""
    bits[0] = U64(0)
    if game["phase"] == Phase.OVER:
        return
    for kind in range(STRENGTHS):
        if game["hand"][game["seat"]][kind] == 0:
            continue
        if game["phase"] == Phase.ATTACK:
            for other in range(I64(board["n_players"]) - 1):
                bits[0] |= U64(1) << U64(kind * OTHERS + other)
        elif kind > game["weapon"]:
            bits[0] |= U64(1) << U64(TOP_FIRST + kind)
    if game["phase"] == Phase.ANSWER:
        bits[0] |= U64(1) << U64(YIELD)


@implements(verbs.advance, World)
@kernel
def advance(world, i, action):
    """Play, top or yield; then find what is legal."""
    game, board = world.games[i], world.boards[i]
    if action != NOTHING:
        if not is_legal(world, i, action):
            return I64(ILLEGAL)
        seat, attacker = I64(game["seat"]), I64(game["attacker"])
        if action < TOP_FIRST:
            game["hand"][seat][action // OTHERS] -= 1
            game["weapon"] = action // OTHERS
            game["seat"] = (seat + 1 + action % OTHERS) % I64(board["n_players"])
            game["phase"] = Phase.ANSWER
        elif action == YIELD:
            end_duel(game, board, attacker, seat)
        else:
            game["hand"][seat][action - TOP_FIRST] -= 1
            end_duel(game, board, seat, attacker)
    find_legal(game, board, world.legals[i]["bits"])
    return I64(OK)


@implements(verbs.is_over, World)
@kernel(inline=True)
def is_over(world, i):
    """Whether all rounds are played."""
    return world.games[i]["phase"] == Phase.OVER


@implements(verbs.score, World)
@kernel
def score(world, i):
    """Gains and losses of every seat, and what its nines cost: points may depend on what others cannot see."""
    for seat in range(MAX_PLAYERS):
        world.sheets[i, seat, 2] = -world.games[i]["hand"][seat][STRENGTHS - 1]
        world.sheets[i, seat, 0] = world.games[i]["gains"][seat]
        world.sheets[i, seat, 1] = world.games[i]["losses"][seat]


@implements(verbs.is_before, World)
@kernel
def is_before(world, i, seat, other):
    """More points, or as many and more weapons left."""
    own, others = points(world, i, seat), points(world, i, other)
    if own != others:
        return own > others
    hands = world.games[i]["hand"]
    return observe.count(hands[seat]) > observe.count(hands[other])


@implements(verbs.deal_hidden, World)
@kernel
def deal_hidden(world, i, seat):
    """Return the others' weapons to the deck, and deal as many again. Heaps have no order, so nothing of the true hands remains."""
    game = world.games[i]
    for player in range(I64(world.boards[i]["n_players"])):
        if player != seat:
            for kind in range(STRENGTHS):
                game["deck"][kind] += game["hand"][player][kind]
    for player in range(I64(world.boards[i]["n_players"])):
        if player != seat:
            n = observe.count(game["hand"][player])
            game["hand"][player][:] = 0
            for _ in range(n):
                game["hand"][player][draw_kind(game, game["deck"], STRENGTHS)] += 1
    renew(game)


@implements(verbs.observe, World)
@kernel
def observe_game(world, i, seat, news, out):
    """Write the whole observation each time, so ``news`` does not matter."""
    observe.observe(seat, world.games[i], world.boards[i], out)


@implements(verbs.worth, World)
@kernel
def worth(world, i, seat, weights):
    """The points, plus a weight for the strength of the weapons in hand while the game lasts."""
    total = F64(points(world, i, seat))
    if world.games[i]["phase"] != Phase.OVER:
        for kind in range(STRENGTHS):
            total += weights[0] * F64(world.games[i]["hand"][seat][kind]) * F64(kind + 1)
    return total
