"""Information-set Monte Carlo tree search: one tree over actions, and a determinized game per simulation.

A simulation descends the tree along actions that are legal in its own game, expands it at the leaf, and backs up the outcome to every node on
its path, for the seat that chose it. Plain search: progressive widening, in the order of the heuristic value; plans for the current turn from
a beam search (beam.py) are in the tree from the start; a rollout of some turns with a fast policy gives the outcome. Guided search: at the
leaf a network gives the priors of the actions, and the outcome.
"""

from __future__ import annotations

import math

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import GAMMA, mixed
from winterkingdom_env.core.verbs import (
    NOTHING,
    advance,
    carry_on,
    copy_game,
    count_legal,
    count_players,
    deal_hidden,
    generic,
    is_legal,
    is_over,
    pick,
    score,
    seat_to_move,
    worth,
)
from winterkingdom_env.search.arrays import NONE, ROOT
from winterkingdom_env.search.beam import plan_turn
from winterkingdom_env.search.network import evaluate_position
from winterkingdom_env.search.rating import rate_actions, write_outcomes

I64 = np.int64
U64 = np.uint64
F64 = np.float64
RATE, PLAN, EVALUATE, SEARCH = range(4)


@kernel
def draw_word(parameters):
    """The next 64 bits of the search's random stream."""
    parameters["rng"] += U64(GAMMA)
    return mixed(parameters["rng"])


@kernel
def add_node(action, prior, plans, parent, nodes, n_nodes):
    """Add a node with index ``n_nodes`` below ``parent``, or the root."""
    node = nodes[n_nodes]
    node["value"], node["prior"], node["plans"], node["expected"] = 0.0, prior, plans, 0.5
    node["visits"], node["child"], node["action"] = 0, NONE, action
    node["sibling"] = NONE
    if parent != NONE:
        node["sibling"] = nodes[parent]["child"]
        nodes[parent]["child"] = n_nodes


@kernel
def find_child(parent, action, nodes):
    """The child with this action, or NONE."""
    child = I64(nodes[parent]["child"])
    while child != NONE and nodes[child]["action"] != action:
        child = I64(nodes[child]["sibling"])
    return child


@kernel
def add_planned(parent, depth, arrays, n_nodes):
    """Add the next actions of all plans through ``parent``; return the new number of nodes."""
    finals, nodes, rest = arrays.finals, arrays.nodes, U64(arrays.nodes[parent]["plans"])
    for i in range(arrays.plans.shape[0]):
        if not (rest >> U64(i)) & U64(1) or depth >= arrays.lengths[i]:
            continue
        child = find_child(parent, I64(arrays.plans[i, depth]), nodes)
        if child == NONE:  # plans are sorted by value: the first one gives the prior
            prior = math.exp((finals[i]["value"] - finals[0]["value"]) / arrays.parameters[0]["spread"])
            add_node(I64(arrays.plans[i, depth]), prior, U64(0), parent, nodes, n_nodes)
            child = n_nodes
            n_nodes += 1
        nodes[child]["plans"] |= U64(1) << U64(i)
    return n_nodes


@generic
def choose_child(world, i, parent, untried, parameters, nodes):
    """The child with the highest PUCT score among those legal in game i, or NONE, and the number of such children.

    ``untried``: the value of a child without visits.
    """
    n, best, chosen = 0, F64(-1e9), I64(NONE)
    bonus = parameters["explore"] * math.sqrt(F64(nodes[parent]["visits"]) + 1.0)
    child = I64(nodes[parent]["child"])
    while child != NONE:
        node = nodes[child]
        if is_legal(world, i, I64(node["action"])):
            n += 1
            times = F64(node["visits"])
            mean = node["value"] / times if times > 0 else untried
            value = mean + bonus * node["prior"] / (1.0 + times)
            if value > best:
                best, chosen = value, child
        child = I64(node["sibling"])
    return chosen, n


@generic
def add_best(world, parent, arrays, n_nodes):
    """Add the action with the highest heuristic value in game 1 that is not a child yet; return whether there was one. Game 2 is scratch."""
    actions, ratings = arrays.evaluation.actions, arrays.ratings
    n = rate_actions(world, I64(1), I64(2), arrays.weights, actions, ratings)
    top, best, chosen = F64(-1e9), F64(-1e9), I64(NONE)
    for i in range(n):
        top = max(top, ratings[i])
        if ratings[i] > best and find_child(parent, I64(actions[i]), arrays.nodes) == NONE:
            best, chosen = ratings[i], I64(actions[i])
    if chosen == NONE:
        return False
    add_node(chosen, math.exp((best - top) / arrays.parameters[0]["spread"]), U64(0), parent, arrays.nodes, n_nodes)
    return True


@generic
def descend(world, parent, depth, arrays, n_nodes):
    """The next child for the simulation in game 1, or NONE; whether it is new; the new number of nodes."""
    parameters, nodes = arrays.parameters[0], arrays.nodes
    if arrays.evaluation.net.shape[0] > 0:
        untried = nodes[parent]["expected"] - parameters["doubt"]
        chosen, n = choose_child(world, I64(1), parent, untried, parameters, nodes)
        # A drawn card may allow actions that no earlier simulation had here: the node is expanded again.
        return chosen if n == count_legal(world, I64(1)) else I64(NONE), False, n_nodes
    may_grow = n_nodes + arrays.plans.shape[0] + 1 < nodes.shape[0]
    if may_grow and nodes[parent]["visits"] == 0 and nodes[parent]["plans"] != 0:
        n_nodes = add_planned(parent, depth, arrays, n_nodes)
    chosen, n = choose_child(world, I64(1), parent, 0.5, parameters, nodes)
    is_wide = n >= 1 + parameters["widen"] * math.sqrt(F64(nodes[parent]["visits"]))
    if may_grow and not is_wide and add_best(world, parent, arrays, n_nodes):
        return I64(n_nodes), True, n_nodes + 1
    return chosen, False, n_nodes


@generic
def rollout_action(world, arrays):
    """The rollout policy: the best of some random legal actions of game 1. Game 2 is scratch."""
    parameters, seat = arrays.parameters[0], I64(seat_to_move(world, I64(1)))
    best, chosen = F64(-1e9), pick(world, I64(1), draw_word(parameters))
    for _ in range(parameters["tries"]):
        action = pick(world, I64(1), draw_word(parameters))
        copy_game(world, I64(1), I64(2))
        carry_on(world, I64(2), action)
        value = worth(world, I64(2), seat, arrays.weights)
        if value > best:
            best, chosen = value, action
    return chosen


@generic
def roll_out(world, arrays):
    """Roll out game 1 with the rollout policy, for some turns or to the end of the game."""
    turns, seat = I64(arrays.parameters[0]["horizon"]), seat_to_move(world, I64(1))
    while not is_over(world, I64(1)):
        carry_on(world, I64(1), rollout_action(world, arrays))
        if seat_to_move(world, I64(1)) != seat:
            seat = seat_to_move(world, I64(1))
            turns -= 1
            if turns <= 0:
                return


@generic
def expand_with_network(world, node, arrays, n_nodes):
    """Evaluate game 1 with the network: write its values as the outcome, and add the legal actions below ``node``; return the new number of nodes."""
    evaluation, n_players = arrays.evaluation, I64(count_players(world, I64(1)))
    observer = I64(seat_to_move(world, I64(1)))
    n = evaluate_position(world, I64(1), evaluation)
    for k in range(n_players):
        arrays.outcomes[(observer + k) % n_players] = F64(evaluation.values[k])
    arrays.nodes[node]["expected"] = evaluation.values[0]
    if n_nodes + n < arrays.nodes.shape[0]:
        for i in range(n):
            if find_child(node, I64(evaluation.actions[i]), arrays.nodes) == NONE:
                add_node(
                    I64(evaluation.actions[i]), F64(evaluation.probabilities[i]), U64(0), node, arrays.nodes, n_nodes
                )
                n_nodes += 1
    return n_nodes


@generic
def simulate(world, seat, arrays, n_nodes):
    """Run one simulation in game 1, from game 0 as ``seat`` observes it; later games are scratch. Return the new number of nodes."""
    copy_game(world, I64(0), I64(1))
    world.games[1]["rng"] = draw_word(arrays.parameters[0])
    deal_hidden(world, I64(1), seat)
    advance(world, I64(1), I64(NOTHING))  # a resampled hand may have other legal actions
    score(world, I64(1))  # and other points
    node, depth, is_new = I64(ROOT), 0, False
    while not is_new and not is_over(world, I64(1)) and depth < arrays.path.shape[0]:
        chosen, is_new, n_nodes = descend(world, node, I64(depth), arrays, I64(n_nodes))
        if chosen == NONE:
            break
        arrays.movers[depth] = seat_to_move(world, I64(1))
        carry_on(world, I64(1), I64(arrays.nodes[chosen]["action"]))
        node = chosen
        arrays.path[depth] = node
        depth += 1
    if arrays.evaluation.net.shape[0] > 0 and not is_over(world, I64(1)):
        n_nodes = expand_with_network(world, node, arrays, I64(n_nodes))
    else:
        roll_out(world, arrays)
        write_outcomes(world, I64(1), arrays.weights, arrays.parameters[0]["scale"], arrays.outcomes)
    arrays.nodes[ROOT]["visits"] += 1
    for i in range(depth):
        node = arrays.path[i]
        arrays.nodes[node]["visits"] += 1
        arrays.nodes[node]["value"] += arrays.outcomes[arrays.movers[i]]
    return I64(n_nodes)


@generic
def think(world, arrays, job, n_simulations, n_nodes, n_plans):
    """Run a job on game 0: RATE its actions, PLAN its turn, EVALUATE it with the network, or SEARCH; return the result of the job.

    SEARCH returns the number of nodes; ``n_nodes`` = 0 starts a new tree with ``n_plans`` plans. One kernel for all jobs compiles faster.
    """
    if job == RATE:
        return rate_actions(world, I64(0), I64(1), arrays.weights, arrays.evaluation.actions, arrays.ratings)
    if job == PLAN:
        return plan_turn(world, arrays)
    if job == EVALUATE:
        return evaluate_position(world, I64(0), arrays.evaluation)
    seat = I64(seat_to_move(world, I64(0)))
    if n_nodes == 0:
        add_node(I64(NOTHING), 1.0, (U64(1) << U64(n_plans)) - U64(1), I64(NONE), arrays.nodes, I64(0))
        n_nodes = 1
    for _ in range(n_simulations):
        n_nodes = simulate(world, seat, arrays, I64(n_nodes))
    return n_nodes
