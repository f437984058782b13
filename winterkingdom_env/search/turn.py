"""Whole turns as moves: a beam search proposes plans for the turn, and a network values the position at the end of each.

``choose_plan`` does so for one position; ``play_game`` plays a whole game in which every seat chooses its turns so, and keeps the turn ends to learn
from. Games of a World: 0 the position, 1 the end of a plan, the others scratch and beam; for ``play_game`` the last one is the game that is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.rng import GAMMA, mixed, scaled
from winterkingdom_env.core.verbs import (
    NOTHING,
    PER_POINT,
    advance,
    carry_on,
    copy_game,
    count_players,
    deal_hidden,
    generic,
    is_legal,
    is_over,
    nth_legal,
    points,
    score,
    seat_to_move,
    set_up,
    write_standing,
)
from winterkingdom_env.search.beam import plan_turn
from winterkingdom_env.search.rating import write_shares
from winterkingdom_env.search.turn_network import evaluate_turn_end

I64, U64 = np.int64, np.uint64
F32, F64 = np.float32, np.float64
PER_LEAD = 0.01  # value of a point of lead, beside a win probability between 0 and 1
UNIT = 1.0 / (1 << 53)


class TurnEnds(NamedTuple):
    """The turn ends of a game, a row each, in their order."""

    standings: Any  # float32 (rows, SEATS, N_STANDING)
    movers: Any  # int64 (rows,): whose turn has ended
    odds: Any  # float32 (rows, SEATS): the win probabilities by the network
    shares: Any  # float64 (SEATS,): each seat's share of the win at the end
    points: Any  # float64 (SEATS,): the final points
    explore: Any  # float64 (SEATS,): the probability with which a seat takes a random one of its plans
    plays_by_worth: Any  # bool (SEATS,): whether a seat takes the best plan of the beam, as the agent planner does


@generic
def follow_plan(world, k, arrays):
    """Carry out plan ``k`` of game 0 in game 1."""
    copy_game(world, I64(0), I64(1))
    for step in range(arrays.lengths[k]):
        carry_on(world, I64(1), I64(arrays.plans[k, step]))


@generic
def carry_out(world, i, plan, length):
    """Carry out a plan of the seat to act in game i; return False if something unexpected, such as a drawn card, makes the rest impossible."""
    seat = seat_to_move(world, i)
    for step in range(length):
        if is_over(world, i) or seat_to_move(world, i) != seat or not is_legal(world, i, I64(plan[step])):
            return False
        carry_on(world, i, I64(plan[step]))
    return True


@generic
def evaluate_end(world, mover, arrays, turns):
    """Write the outputs for every seat of game 1, where a turn of ``mover`` has ended; the other seats' standings, except points, are given."""
    n_players = I64(count_players(world, I64(1)))
    if is_over(world, I64(1)):
        write_shares(world, I64(1), arrays.outcomes)
        for seat in range(n_players):
            turns.outputs[seat, 0] = F32(arrays.outcomes[seat])
            turns.outputs[seat, 1] = F32(points(world, I64(1), I64(seat)))
    else:
        write_standing(world, I64(1), mover, I64(2), arrays.weights, arrays.evaluation.actions, turns.standings[mover])
        for seat in range(n_players):
            turns.standings[seat, 0] = F32(PER_POINT * points(world, I64(1), I64(seat)))
        evaluate_turn_end(world, n_players, mover, turns)


@kernel
def value_for(seat, n_players, outputs):
    """The value for a seat: its win probability, and a little for its lead in points."""
    best = F64(-1e9)
    for other in range(n_players):
        if other != seat:
            best = max(best, F64(outputs[other, 1]))
    return F64(outputs[seat, 0]) + PER_LEAD * (F64(outputs[seat, 1]) - best)


@generic
def value_of_end(world, seat, arrays, turns):
    """The value of game 1, where a turn of the seat has ended, for this seat."""
    evaluate_end(world, seat, arrays, turns)
    return value_for(seat, I64(count_players(world, I64(1))), turns.outputs)


@generic
def value_plans(world, arrays, turns, n_plans):
    """Write the value of each plan for the turn of the seat to act in game 0, and return the best plan.

    Of the other seats' standings only the points follow the plan; all else is taken from before the turn, which one's own turn hardly changes.
    """
    seat, best = I64(seat_to_move(world, I64(0))), I64(0)
    for other in range(count_players(world, I64(0))):
        if other != seat:
            write_standing(
                world, I64(0), I64(other), I64(2), arrays.weights, arrays.evaluation.actions, turns.standings[other]
            )
    for k in range(n_plans):
        follow_plan(world, I64(k), arrays)
        turns.values[k] = value_of_end(world, seat, arrays, turns)
        turns.odds[k] = turns.outputs[seat, 0]
        if turns.values[k] > turns.values[best]:
            best = I64(k)
    return best


@generic
def choose_plan(world, arrays, turns):
    """Plan the turn of the seat to act in game 0: the number of plans and the best one."""
    n_plans = plan_turn(world, arrays)
    return n_plans, value_plans(world, arrays, turns, n_plans)


@kernel
def next_word(parameters):
    """The next 64 bits of the stream."""
    parameters["rng"] += U64(GAMMA)
    return mixed(parameters["rng"])


@generic
def look_at(world, table, parameters):
    """Make game 0 what the seat to act in game ``table`` knows of it: everything hidden is resampled."""
    copy_game(world, table, I64(0))
    world.games[0]["rng"] = next_word(parameters)
    deal_hidden(world, I64(0), I64(seat_to_move(world, table)))
    advance(world, I64(0), I64(NOTHING))
    score(world, I64(0))


@generic
def take_turn(world, table, arrays, turns, ends, row):
    """Take the turn of the seat to act in game ``table``; return whether it ended as planned, so that ``row`` of the turn ends was written."""
    parameters, seat = arrays.parameters[0], I64(seat_to_move(world, table))
    look_at(world, table, parameters)
    n_plans, chosen = choose_plan(world, arrays, turns)
    if n_plans == 0:
        carry_on(world, table, I64(nth_legal(world, table, I64(0))))
        return False
    if ends.plays_by_worth[seat]:
        chosen = I64(0)
    if (next_word(parameters) >> U64(11)) * UNIT < ends.explore[seat]:
        chosen = I64(scaled(next_word(parameters), n_plans))
    follow_plan(world, chosen, arrays)
    value_of_end(world, seat, arrays, turns)
    if not carry_out(world, table, arrays.plans[chosen], arrays.lengths[chosen]):
        return False  # the seat plans again
    if is_over(world, table) or seat_to_move(world, table) == seat:
        return False
    for other in range(count_players(world, table)):
        for k in range(turns.standings.shape[1]):
            ends.standings[row, other, k] = turns.standings[other, k]
        ends.odds[row, other] = turns.outputs[other, 0]
    ends.movers[row] = seat
    return True


@generic
def play_game(world, config, seed, arrays, turns, ends):
    """Play a game of request ``config`` to its end; return the number of turn ends."""
    table, n = I64(world.games.shape[0] - 1), I64(0)
    world.games[table]["rng"] = seed
    set_up(world, table, config)
    advance(world, table, I64(NOTHING))
    score(world, table)
    for k in range(table):
        copy_record(world.boards, table, world.boards, k)
    while not is_over(world, table):
        if take_turn(world, table, arrays, turns, ends, n) and n + 1 < ends.movers.shape[0]:
            n += 1
    write_shares(world, table, ends.shares)
    for seat in range(count_players(world, table)):
        ends.points[seat] = F64(points(world, table, I64(seat)))
    return n
