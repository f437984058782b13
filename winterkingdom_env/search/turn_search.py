"""Search over whole turns: a simulation carries out a plan for the turn, lets all seats reply by a narrow beam search, and values where that leads.

The plans are the arms of a bandit; turn_halving.py decides which are simulated how often. All arms of a deal meet the same hidden cards and the same draws
(common random numbers), so that their difference says more about the plans than about luck. Games of the World: those of turn.py for replies, then
the root and the table on which a simulation is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core.verbs import (
    carry_on,
    copy_game,
    count_players,
    generic,
    is_over,
    nth_legal,
    seat_to_move,
    write_standing,
)
from winterkingdom_env.search.beam import MOST_ACTIONS, plan_turn
from winterkingdom_env.search.turn import carry_out, evaluate_end, look_at, value_for, value_plans

I64, F64 = np.int64, np.float64
N_SPARE = 2  # the root and the table
MOST_SURPRISES = 3  # per turn, after which a simulation is cut off: each needs another reply


class Arms(NamedTuple):
    """The plans that are compared, and what simulations said of them."""

    plans: Any  # int16 (arms, MOST_ACTIONS)
    lengths: Any  # int64 (arms,)
    order: Any  # int64 (arms,): the arms still in the race come first
    visits: Any  # int64 (arms,)
    values: Any  # float64 (arms,): sum of the values over all visits
    wins: Any  # float64 (arms,): sum of the win probabilities


def make_arms(n: int) -> Arms:
    """Arrays for up to ``n`` arms."""
    return Arms(
        plans=np.zeros((n, MOST_ACTIONS), np.int16),
        lengths=np.zeros(n, np.int64),
        order=np.zeros(n, np.int64),
        visits=np.zeros(n, np.int64),
        values=np.zeros(n),
        wins=np.zeros(n),
    )


@generic
def reply(world, table, arrays, turns):
    """Let the seat to act in game ``table`` plan and take its turn, up to a surprise. With one plan it is the best of the beam, without the network."""
    look_at(world, table, arrays.parameters[0])
    n_plans, chosen = I64(plan_turn(world, arrays)), I64(0)
    if n_plans == 0:
        carry_on(world, table, I64(nth_legal(world, table, I64(0))))
        return
    if n_plans > 1:
        chosen = I64(value_plans(world, arrays, turns, n_plans))
    carry_out(world, table, arrays.plans[chosen], arrays.lengths[chosen])


@generic
def play_turns(world, table, seat, depth, arrays, turns):
    """Finish the turn of the seat in game ``table`` and play ``depth`` further turns; return the seat of the last one."""
    mover, left = seat, depth
    for _ in range((depth + 1) * (1 + MOST_SURPRISES)):
        if is_over(world, table):
            break
        if seat_to_move(world, table) != mover:
            if left == 0:
                break
            mover, left = I64(seat_to_move(world, table)), left - 1
        reply(world, table, arrays, turns)
    return mover


@generic
def evaluate_table(world, table, mover, arrays, turns):
    """Write the outputs for every seat of game ``table``, where a turn of ``mover`` has ended."""
    copy_game(world, table, I64(1))
    for seat in range(count_players(world, I64(1))):
        if seat != mover and not is_over(world, I64(1)):
            write_standing(
                world, I64(1), I64(seat), I64(2), arrays.weights, arrays.evaluation.actions, turns.standings[seat]
            )
    evaluate_end(world, mover, arrays, turns)


@generic
def simulate_arm(world, arm, depth, arrays, turns, arms):
    """Simulate an arm with the stream in ``arrays.parameters``, and add the value of where it leads for the seat to act in the root.

    ``depth``: turns after the plan; 0: one of each seat.
    """
    root, table = I64(world.games.shape[0] - 2), I64(world.games.shape[0] - 1)
    seat = I64(seat_to_move(world, root))
    look_at(world, root, arrays.parameters[0])
    copy_game(world, I64(0), table)
    carry_out(world, table, arms.plans[arm], arms.lengths[arm])
    n_turns = depth if depth > 0 else I64(count_players(world, root))
    mover = play_turns(world, table, seat, n_turns, arrays, turns)
    evaluate_table(world, table, mover, arrays, turns)
    arms.visits[arm] += 1
    arms.values[arm] += value_for(seat, I64(count_players(world, root)), turns.outputs)
    arms.wins[arm] += F64(turns.outputs[seat, 0])


@generic
def simulate_deal(world, word, n_arms, depth, arrays, turns, arms):
    """Simulate the first ``n_arms`` of ``arms.order`` once each, all with the stream that begins with ``word``."""
    for k in range(n_arms):
        arrays.parameters[0]["rng"] = word
        simulate_arm(world, I64(arms.order[k]), depth, arrays, turns, arms)
