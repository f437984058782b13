"""Tree search with hidden information: one tree over actions, and for every simulation a game in which what is hidden is resampled.

A simulation goes down the tree as long as it finds actions there that are legal in its own game, adds to the tree where it ends, and tells
every node on its way how the outcome is for the seat that chose it. Plain: how many actions a node considers grows with its visits, in
the order of their worth; in the turn that is thought about, the ways through it that a beam has found (beam.py) are there from the beginning;
the outcome is found by playing on with a quick policy for some turns. Guided: where the tree ends a network gives the actions their priors, and
the outcome.
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
from winterkingdom_env.search.beam import plan_turn
from winterkingdom_env.search.mind import NONE, ROOT
from winterkingdom_env.search.network import judge_position
from winterkingdom_env.search.rating import rate_actions, write_outcomes

I64 = np.int64
U64 = np.uint64
F64 = np.float64
RATE, PLAN, JUDGE, SEARCH = range(4)


@kernel
def draw_word(how):
    """Advance the random stream of the search: 64 bits."""
    how["rng"] += U64(GAMMA)
    return mixed(how["rng"])


@kernel
def add_node(action, prior, plans, parent, nodes, n_nodes):
    """Add a node below ``parent``, or the root; its number is ``n_nodes``."""
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
def add_planned(parent, depth, mind, n_nodes):
    """Add the actions with which plans go on from here; how many nodes there are now."""
    finals, nodes, rest = mind.finals, mind.nodes, U64(mind.nodes[parent]["plans"])
    for i in range(mind.plans.shape[0]):
        if not (rest >> U64(i)) & U64(1) or depth >= mind.lengths[i]:
            continue
        child = find_child(parent, I64(mind.plans[i, depth]), nodes)
        if child == NONE:  # plans come in the order of their worth: the first one gives the prior
            prior = math.exp((finals[i]["value"] - finals[0]["value"]) / mind.how[0]["spread"])
            add_node(I64(mind.plans[i, depth]), prior, U64(0), parent, nodes, n_nodes)
            child = n_nodes
            n_nodes += 1
        nodes[child]["plans"] |= U64(1) << U64(i)
    return n_nodes


@generic
def choose_child(world, i, parent, untried, how, nodes):
    """The best child whose action is legal in game i, or NONE, and how many there are: a good mean value, or a good prior and few visits.

    ``untried``: the mean value of a child without visits.
    """
    n, best, chosen = 0, F64(-1e9), I64(NONE)
    bonus = how["explore"] * math.sqrt(F64(nodes[parent]["visits"]) + 1.0)
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
def add_best(world, parent, mind, n_nodes):
    """Add the action of most worth in game 1 that is no child yet; whether there was one. Game 2 is for trying."""
    actions, ratings = mind.judge.actions, mind.ratings
    n = rate_actions(world, I64(1), I64(2), mind.weights, actions, ratings)
    top, best, chosen = F64(-1e9), F64(-1e9), I64(NONE)
    for i in range(n):
        top = max(top, ratings[i])
        if ratings[i] > best and find_child(parent, I64(actions[i]), mind.nodes) == NONE:
            best, chosen = ratings[i], I64(actions[i])
    if chosen == NONE:
        return False
    add_node(chosen, math.exp((best - top) / mind.how[0]["spread"]), U64(0), parent, mind.nodes, n_nodes)
    return True


@generic
def descend(world, parent, depth, mind, n_nodes):
    """The child to which a simulation in game 1 goes on, or NONE; whether it is new; how many nodes there are now."""
    how, nodes = mind.how[0], mind.nodes
    if mind.judge.net.shape[0] > 0:
        chosen, _ = choose_child(world, I64(1), parent, nodes[parent]["expected"] - how["doubt"], how, nodes)
        return chosen, False, n_nodes
    may_grow = n_nodes + mind.plans.shape[0] + 1 < nodes.shape[0]
    if may_grow and nodes[parent]["visits"] == 0 and nodes[parent]["plans"] != 0:
        n_nodes = add_planned(parent, depth, mind, n_nodes)
    chosen, n = choose_child(world, I64(1), parent, 0.5, how, nodes)
    is_wide = n >= 1 + how["widen"] * math.sqrt(F64(nodes[parent]["visits"]))
    if may_grow and not is_wide and add_best(world, parent, mind, n_nodes):
        return I64(n_nodes), True, n_nodes + 1
    return chosen, False, n_nodes


@generic
def quick_action(world, mind):
    """The best of some random legal actions of game 1; game 2 is for trying."""
    how, seat = mind.how[0], I64(seat_to_move(world, I64(1)))
    best, chosen = F64(-1e9), pick(world, I64(1), draw_word(how))
    for _ in range(how["tries"]):
        action = pick(world, I64(1), draw_word(how))
        copy_game(world, I64(1), I64(2))
        carry_on(world, I64(2), action)
        value = worth(world, I64(2), seat, mind.weights)
        if value > best:
            best, chosen = value, action
    return chosen


@generic
def play_on(world, mind):
    """Play on in game 1 by the quick policy, for some turns or to the end of the game."""
    turns, seat = I64(mind.how[0]["horizon"]), seat_to_move(world, I64(1))
    while not is_over(world, I64(1)):
        carry_on(world, I64(1), quick_action(world, mind))
        if seat_to_move(world, I64(1)) != seat:
            seat = seat_to_move(world, I64(1))
            turns -= 1
            if turns <= 0:
                return


@generic
def ask_network(world, node, mind, n_nodes):
    """Write the network's values of game 1 as its outcome and the legal actions as children of ``node``; how many nodes there are now."""
    judge, n_players = mind.judge, I64(count_players(world, I64(1)))
    looker = I64(seat_to_move(world, I64(1)))
    n = judge_position(world, I64(1), judge)
    for k in range(n_players):
        mind.outcomes[(looker + k) % n_players] = F64(judge.values[k])
    mind.nodes[node]["expected"] = judge.values[0]
    if n_nodes + n < mind.nodes.shape[0]:
        for i in range(n):
            if find_child(node, I64(judge.actions[i]), mind.nodes) == NONE:
                add_node(I64(judge.actions[i]), F64(judge.probabilities[i]), U64(0), node, mind.nodes, n_nodes)
                n_nodes += 1
    return n_nodes


@generic
def simulate(world, seat, mind, n_nodes):
    """One simulation from game 0, seen by ``seat``, in game 1; those behind it are for trying. How many nodes there are now."""
    copy_game(world, I64(0), I64(1))
    world.games[1]["rng"] = draw_word(mind.how[0])
    deal_hidden(world, I64(1), seat)
    advance(world, I64(1), I64(NOTHING))  # with another hand other actions may be legal
    score(world, I64(1))  # and points may be others
    node, depth, is_new = I64(ROOT), 0, False
    while not is_new and not is_over(world, I64(1)) and depth < mind.path.shape[0]:
        chosen, is_new, n_nodes = descend(world, node, I64(depth), mind, I64(n_nodes))
        if chosen == NONE:
            break
        mind.movers[depth] = seat_to_move(world, I64(1))
        carry_on(world, I64(1), I64(mind.nodes[chosen]["action"]))
        node = chosen
        mind.path[depth] = node
        depth += 1
    if mind.judge.net.shape[0] > 0 and not is_over(world, I64(1)):
        n_nodes = ask_network(world, node, mind, I64(n_nodes))
    else:
        play_on(world, mind)
        write_outcomes(world, I64(1), mind.weights, mind.how[0]["scale"], mind.outcomes)
    mind.nodes[ROOT]["visits"] += 1
    for i in range(depth):
        node = mind.path[i]
        mind.nodes[node]["visits"] += 1
        mind.nodes[node]["value"] += mind.outcomes[mind.movers[i]]
    return I64(n_nodes)


@generic
def think(world, mind, job, n_simulations, n_nodes, n_plans):
    """Do a job in game 0: RATE its actions, PLAN its turn, JUDGE it by the network, or SEARCH; what that returns.

    SEARCH: how many nodes the tree has; ``n_nodes`` of 0 begins a new one with so many plans. One kernel for all jobs is compiled once.
    """
    if job == RATE:
        return rate_actions(world, I64(0), I64(1), mind.weights, mind.judge.actions, mind.ratings)
    if job == PLAN:
        return plan_turn(world, mind)
    if job == JUDGE:
        return judge_position(world, I64(0), mind.judge)
    seat = I64(seat_to_move(world, I64(0)))
    if n_nodes == 0:
        add_node(I64(NOTHING), 1.0, (U64(1) << U64(n_plans)) - U64(1), I64(NONE), mind.nodes, I64(0))
        n_nodes = 1
    for _ in range(n_simulations):
        n_nodes = simulate(world, seat, mind, I64(n_nodes))
    return n_nodes
