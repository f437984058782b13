"""Judging a position by a network, and tree search that the network guides.

The same tree as tree.py: one over actions, and for every simulation a game in which what is hidden is dealt anew. Where the tree ends the
network says which actions look good, which become the node's children with these chances as priors, and how the game will end, which every
node on the way is told at once: nothing is played on.
"""

from __future__ import annotations

import math

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.games.winter_kingdom.hidden import deal_hidden
from winterkingdom_env.games.winter_kingdom.layout import NONE, NOTHING, Phase
from winterkingdom_env.games.winter_kingdom.legal import find_legal, is_legal
from winterkingdom_env.games.winter_kingdom.network import foresee, like_moves, make_chances, write_context
from winterkingdom_env.games.winter_kingdom.prospect import write_prospects
from winterkingdom_env.games.winter_kingdom.tree import ROOT, add_node, draw_word, find_child
from winterkingdom_env.games.winter_kingdom.worth import carry_on, copy_world, points_of

I64 = np.int64
U64 = np.uint64
F64 = np.float64
F32 = np.float32
JUDGE, SEARCH = range(2)


@kernel
def judge(
    k, board, rules, table, net, games, legals, sheets, words, context, room, actions, prospects, chances, foreseen
):
    """Write the legal actions of world ``k``, the chances that the network gives them, and what it foresees; how many actions there are.

    The two worlds behind it are for trying.
    """
    game, seat = games[k], I64(games[k]["seat"])
    n = write_prospects(k, board, rules, games, legals, sheets, actions, prospects)
    write_context(seat, game, board, rules, table, legals[k], sheets[k], words, context)
    like_moves(net, context, n, actions, prospects, room, chances)
    make_chances(n, chances)
    foresee(net, context, I64(board["n_players"]), room, foreseen)
    return n


@kernel
def write_outcome(seat, n_players, sheet, foreseen):
    """Write each seat's share of the win at the end of a game, in the order of what is foreseen: this seat first."""
    best, n_best = points_of(I64(0), sheet), 0
    for player in range(1, n_players):
        best = max(best, points_of(I64(player), sheet))
    for player in range(n_players):
        n_best += int(points_of(I64(player), sheet) == best)
    for player in range(n_players):
        share = F32(1.0 / n_best) if points_of(I64(player), sheet) == best else F32(0)
        foreseen[(player - seat + n_players) % n_players] = share


@kernel
def choose_likely(parent, search, rules, legal, nodes):
    """The best child whose action is legal here, or NONE: what came out well, and what the network likes and was rarely tried.

    A child that was never tried counts as what was foreseen here, less what such children cost.
    """
    best, chosen = F64(-1e9), I64(NONE)
    bonus = search["explore"] * math.sqrt(F64(nodes[parent]["visits"]) + 1.0)
    untried = nodes[parent]["foreseen"] - search["doubt"]
    child = I64(nodes[parent]["child"])
    while child != NONE:
        node = nodes[child]
        if is_legal(I64(node["action"]), rules, legal):
            times = F64(node["visits"])
            mean = node["value"] / times if times > 0 else untried
            value = mean + bonus * node["prior"] / (1.0 + times)
            if value > best:
                best, chosen = value, child
        child = I64(node["sibling"])
    return chosen


@kernel
def simulate_guided(
    seat, search, board, rules, table, net, games, legals, sheets, words, context, room, actions, prospects, chances, foreseen, nodes,
    n_nodes, path, movers,
):  # fmt: skip
    """One simulation from world 0, seen by ``seat``, in world 1; the two behind it are for trying. How many nodes there are now."""
    n_players = I64(board["n_players"])
    copy_world(0, 1, games, legals, sheets)
    games[1]["rng"] = draw_word(search)
    deal_hidden(seat, games[1], board)
    find_legal(games[1], board, rules, legals[1])  # another hand may buy other cards
    node, depth = I64(ROOT), 0
    while games[1]["phase"] != Phase.OVER and depth + 1 < path.shape[0]:
        chosen = choose_likely(node, search, rules, legals[1], nodes)
        if chosen == NONE:
            break
        movers[depth] = games[1]["seat"]
        carry_on(1, I64(nodes[chosen]["action"]), board, rules, games, legals, sheets)
        node = chosen
        path[depth] = node
        depth += 1
    looker = I64(games[1]["seat"])
    if games[1]["phase"] == Phase.OVER:
        write_outcome(looker, n_players, sheets[1], foreseen)
    else:
        n = judge(
            I64(1), board, rules, table, net, games, legals, sheets, words, context, room, actions, prospects, chances, foreseen
        )  # fmt: skip
        nodes[node]["foreseen"] = foreseen[0]
        if n_nodes + n < nodes.shape[0]:
            for i in range(n):
                if find_child(node, I64(actions[i]), nodes) == NONE:
                    add_node(I64(actions[i]), F64(chances[i]), U64(0), node, nodes, n_nodes)
                    n_nodes += 1
    nodes[ROOT]["visits"] += 1
    for i in range(depth):
        node = path[i]
        nodes[node]["visits"] += 1
        nodes[node]["value"] += F64(foreseen[(I64(movers[i]) - looker + n_players) % n_players])
    return n_nodes


@kernel
def consult(
    job, n_simulations, n_nodes, searches, boards, rules, table, net, games, legals, sheets, words, context, room, actions, prospects,
    chances, foreseen, nodes, path, movers,
):  # fmt: skip
    """JUDGE world 0 (see ``judge``), or SEARCH from it for the seat to move: how many nodes the tree has; ``n_nodes`` of 0 begins a new one."""
    if job == JUDGE:
        return judge(
            I64(0), boards[0], rules[0], table, net, games, legals, sheets, words, context, room, actions, prospects, chances, foreseen
        )  # fmt: skip
    seat = I64(games[0]["seat"])
    if n_nodes == 0:
        add_node(I64(NOTHING), 1.0, U64(0), I64(NONE), nodes, I64(0))
        n_nodes = 1
    for _ in range(n_simulations):
        n_nodes = simulate_guided(
            seat, searches[0], boards[0], rules[0], table, net, games, legals, sheets, words, context, room, actions, prospects, chances,
            foreseen, nodes, n_nodes, path, movers,
        )  # fmt: skip
    return n_nodes
