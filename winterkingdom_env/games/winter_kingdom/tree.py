"""Tree search with hidden information: one tree over actions, and for every simulation a game in which what is hidden is dealt anew.

A simulation goes down the tree as long as it finds actions there that are legal in its own game, adds one where the tree may grow, plays on by a
quick policy for some turns, and tells every node on its way how good the outcome is for the seat that chose it. How many actions a node
considers grows with its visits; they come in the order of their worth. In the turn that is thought about, the ways through it that a beam
has found (plan.py) are there from the beginning.
"""

from __future__ import annotations

import math

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.rng import GAMMA, mixed
from winterkingdom_env.games.winter_kingdom.hidden import deal_hidden
from winterkingdom_env.games.winter_kingdom.layout import NONE, NOTHING, Phase
from winterkingdom_env.games.winter_kingdom.legal import find_legal, is_legal, pick
from winterkingdom_env.games.winter_kingdom.plan import plan_turn
from winterkingdom_env.games.winter_kingdom.worth import (
    carry_on,
    copy_world,
    lead,
    rate_actions,
    worth,
)

I64 = np.int64
U64 = np.uint64
F64 = np.float64
ROOT = 0
RATE, PLAN, SEARCH = range(3)

NODE = np.dtype(
    [
        ("value", np.float64),  # sum over visits, for the seat that chose the action
        ("prior", np.float64),  # from 0 to 1: how good the action looked
        ("plans", np.uint64),  # bit i: plan i goes through here
        ("foreseen", np.float64),  # how good a network finds it for the seat to move here, from 0 to 1
        ("visits", np.int32),
        ("child", np.int32),  # the first one; NONE
        ("sibling", np.int32),  # the next one
        ("action", np.int16),
        ("spare", np.int8, (2,)),
    ],
    align=True,
)

# How to search; an array of length 1.
HOW = np.dtype(
    [
        ("rng", np.uint64),
        ("explore", np.float64),  # weight of what looked good against what came out well
        ("spread", np.float64),  # points by which an action may look worse and still have a prior of 1 / e
        ("scale", np.float64),  # points of lead that make the outcome nearly sure
        ("doubt", np.float64),  # by how much an action that was never tried is thought worse than its position
        ("widen", np.float64),  # actions that a node considers: this times the root of its visits, and one
        ("horizon", np.int32),  # turns after the tree
        ("tries", np.int32),  # actions that the quick policy compares
    ],
    align=True,
)


@kernel
def draw_word(search):
    """Advance the random stream of the search: 64 bits."""
    search["rng"] += U64(GAMMA)
    return mixed(search["rng"])


@kernel
def add_node(action, prior, plans, parent, nodes, n_nodes):
    """Add a node below ``parent``, or the root; its number is ``n_nodes``."""
    node = nodes[n_nodes]
    node["value"], node["prior"], node["plans"], node["foreseen"] = 0.0, prior, plans, 0.5
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
def add_planned(parent, depth, search, finals, plans, lengths, nodes, n_nodes):
    """Add the actions with which plans go on from here; how many nodes there are now."""
    rest = U64(nodes[parent]["plans"])
    for i in range(plans.shape[0]):
        if not (rest >> U64(i)) & U64(1) or depth >= lengths[i]:
            continue
        child = find_child(parent, I64(plans[i, depth]), nodes)
        if child == NONE:  # plans come in the order of their worth: the first one gives the prior
            prior = math.exp((finals[i]["value"] - finals[0]["value"]) / search["spread"])
            add_node(I64(plans[i, depth]), prior, U64(0), parent, nodes, n_nodes)
            child = n_nodes
            n_nodes += 1
        nodes[child]["plans"] |= U64(1) << U64(i)
    return n_nodes


@kernel
def choose_child(parent, search, rules, legal, nodes):
    """The best child whose action is legal here, or NONE, and how many there are."""
    n, best, chosen = 0, F64(-1e9), I64(NONE)
    visits = F64(nodes[parent]["visits"])
    bonus = search["explore"] * math.sqrt(visits + 1.0)
    child = I64(nodes[parent]["child"])
    while child != NONE:
        node = nodes[child]
        if is_legal(I64(node["action"]), rules, legal):
            n += 1
            times = F64(node["visits"])
            mean = node["value"] / times if times > 0 else 0.5
            value = mean + bonus * node["prior"] / (1.0 + times)
            if value > best:
                best, chosen = value, child
        child = I64(node["sibling"])
    return chosen, n


@kernel
def add_best(parent, k, search, board, rules, weights, games, legals, sheets, actions, values, nodes, n_nodes):
    """Add the action of most worth in world ``k`` that is no child yet; whether there was one. World ``k + 1`` is for trying."""
    n = rate_actions(k, k + 1, board, rules, weights, games, legals, sheets, actions, values)
    top, best, chosen = F64(-1e9), F64(-1e9), I64(NONE)
    for i in range(n):
        top = max(top, values[i])
        if values[i] > best and find_child(parent, I64(actions[i]), nodes) == NONE:
            best, chosen = values[i], I64(actions[i])
    if chosen == NONE:
        return False
    add_node(chosen, math.exp((best - top) / search["spread"]), U64(0), parent, nodes, n_nodes)
    return True


@kernel
def quick_action(k, search, board, rules, weights, games, legals, sheets):
    """The best of some random legal actions of world ``k``; world ``k + 1`` is for trying."""
    seat = I64(games[k]["seat"])
    best, chosen = F64(-1e9), pick(draw_word(search), rules, legals[k])
    for _ in range(search["tries"]):
        action = pick(draw_word(search), rules, legals[k])
        copy_world(k, k + 1, games, legals, sheets)
        carry_on(k + 1, action, board, rules, games, legals, sheets)
        value = worth(seat, games[k + 1], board, rules, sheets[k + 1], weights)
        if value > best:
            best, chosen = value, action
    return chosen


@kernel
def play_on(k, search, board, rules, weights, games, legals, sheets):
    """Play on in world ``k`` by the quick policy, for some turns or to the end of the game."""
    turns = I64(search["horizon"])
    seat = games[k]["seat"]
    while games[k]["phase"] != Phase.OVER:
        action = quick_action(k, search, board, rules, weights, games, legals, sheets)
        carry_on(k, action, board, rules, games, legals, sheets)
        if games[k]["seat"] != seat:
            seat = games[k]["seat"]
            turns -= 1
            if turns <= 0:
                return


@kernel
def outcome(seat, game, board, rules, sheet, weights, scale):
    """How good the position is for a seat, from 0 to 1; after the end: won, shared, lost."""
    ahead = lead(seat, game, board, rules, sheet, weights)
    if game["phase"] == Phase.OVER:
        return 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
    return 1.0 / (1.0 + math.exp(-ahead / scale))


@kernel
def simulate(
    seat,
    search,
    board,
    rules,
    weights,
    games,
    legals,
    sheets,
    finals,
    plans,
    lengths,
    actions,
    values,
    nodes,
    n_nodes,
    path,
    movers,
):
    """One simulation from world 0, seen by ``seat``, in world 1; world 2 is for trying. How many nodes there are now."""
    copy_world(0, 1, games, legals, sheets)
    games[1]["rng"] = draw_word(search)
    deal_hidden(seat, games[1], board)
    find_legal(games[1], board, rules, legals[1])  # another hand may buy other cards
    node, depth = I64(ROOT), 0
    path[0] = ROOT
    while games[1]["phase"] != Phase.OVER and depth + 1 < path.shape[0]:
        may_grow = n_nodes + plans.shape[0] + 1 < nodes.shape[0]
        if may_grow and nodes[node]["visits"] == 0 and nodes[node]["plans"] != 0:
            n_nodes = add_planned(node, depth, search, finals, plans, lengths, nodes, n_nodes)
        chosen, n = choose_child(node, search, rules, legals[1], nodes)
        is_new = False
        if may_grow and n < 1 + search["widen"] * math.sqrt(F64(nodes[node]["visits"])):
            is_new = add_best(
                node, I64(1), search, board, rules, weights, games, legals, sheets, actions, values, nodes, n_nodes
            )
            if is_new:
                chosen = I64(n_nodes)
                n_nodes += 1
        if chosen == NONE:  # a full tree without an action that is legal here
            break
        movers[depth] = games[1]["seat"]
        carry_on(1, I64(nodes[chosen]["action"]), board, rules, games, legals, sheets)
        node = chosen
        depth += 1
        path[depth] = node
        if is_new:
            break
    play_on(1, search, board, rules, weights, games, legals, sheets)
    nodes[ROOT]["visits"] += 1
    for i in range(depth):
        node = path[i + 1]
        nodes[node]["visits"] += 1
        nodes[node]["value"] += outcome(I64(movers[i]), games[1], board, rules, sheets[1], weights, search["scale"])
    return n_nodes


@kernel
def search_tree(
    n_simulations, n_nodes, n_plans, search, board, rules, weights, games, legals, sheets, finals, plans, lengths, actions, values, nodes,
    path, movers,
):  # fmt: skip
    """Simulate from world 0 for the seat to move there; how many nodes the tree has. ``n_nodes`` of 0 begins a new tree with so many plans."""
    seat = I64(games[0]["seat"])
    if n_nodes == 0:
        add_node(I64(NOTHING), 1.0, (U64(1) << U64(n_plans)) - U64(1), I64(NONE), nodes, I64(0))
        n_nodes = 1
    for _ in range(n_simulations):
        n_nodes = simulate(
            seat, search, board, rules, weights, games, legals, sheets, finals, plans, lengths, actions, values, nodes, n_nodes, path, movers
        )  # fmt: skip
    return n_nodes


@kernel
def think(
    job, n_simulations, n_nodes, n_plans, searches, boards, rules, weights, games, legals, sheets, candidates, finals, lines, plans, lengths,
    actions, values, nodes, path, movers,
):  # fmt: skip
    """Do a job in world 0: RATE its actions, PLAN its turn, or SEARCH; what that returns. One kernel for all three is compiled once."""
    if job == RATE:
        return rate_actions(I64(0), I64(1), boards[0], rules[0], weights, games, legals, sheets, actions, values)
    if job == PLAN:
        return plan_turn(
            boards[0], rules[0], weights, games, legals, sheets, candidates, finals, actions, lines, plans, lengths
        )
    return search_tree(
        n_simulations, n_nodes, n_plans, searches[0], boards[0], rules[0], weights, games, legals, sheets, finals, plans, lengths, actions,
        values, nodes, path, movers,
    )  # fmt: skip
