"""Thinking about a game, for agents: rated actions, plans of a turn, tree search. The arrays, and methods that call the kernel on them."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.games.winter_kingdom import guided, layout, network, plan, prospect, tree, worth
from winterkingdom_env.games.winter_kingdom.game import Game
from winterkingdom_env.games.winter_kingdom.observe import SPEC
from winterkingdom_env.games.winter_kingdom.rules import make_rules

RULES = make_rules()
# Points that things are worth to come, in the order of worth.py: a coin, a card in play, an upgraded one, a free hex beside own pieces, a house
# built, a fort in the supply, a use that has begun. Found by letting planners with slightly different weights play each other.
WEIGHTS = np.array([0.4, 4.7, 1.5, 0.02, 0.0, 0.6, 1.0])
# Fields of tree.HOW.
SEARCH = {"explore": 0.3, "spread": 2.0, "scale": 8.0, "widen": 0.5, "horizon": 5, "tries": 4}
GUIDED = {"explore": 1.2, "doubt": 0.1}
MOST_DEPTH = 128  # of a tree: two turns of more actions than anybody takes
CHILDREN = 16  # nodes that a simulation of a guided search adds, as a rule fewer
MOST_PLANS = 63  # plans are bits of a word


class Thinker:
    """Thinks about one position at a time, for the seat to move: a world of which it sees everything.

    ``width``: how many positions the beam of a plan follows at a time. ``n_plans``: how many plans are kept. ``most_simulations``: how many
    a tree has room for.
    """

    def __init__(
        self,
        width: int = 1,
        n_plans: int = 1,
        most_simulations: int = 0,
        weights: np.ndarray | None = None,
        **how: float,
    ) -> None:
        """Make the arrays; ``how``: fields of tree.HOW that are to be others than those of SEARCH."""
        assert 1 <= n_plans <= MOST_PLANS
        n_worlds = max(2 + 2 * width, 3)
        self._games, self._legals = np.zeros(n_worlds, layout.GAME), np.zeros(n_worlds, layout.LEGAL)
        self._sheets = np.zeros((n_worlds, layout.MAX_PLAYERS, layout.SCORING_IN_PLAY + 1), np.int16)
        self._board = np.zeros(1, layout.BOARD)
        self._weights = WEIGHTS if weights is None else np.asarray(weights, np.float64)
        assert len(self._weights) == worth.N_WEIGHTS
        self._candidates, self._finals = np.zeros(width, plan.CANDIDATE), np.zeros(n_plans, plan.CANDIDATE)
        self._lines = np.zeros((2 * width, plan.MOST_ACTIONS), np.int16)
        self._plans, self._lengths = np.zeros((n_plans, plan.MOST_ACTIONS), np.int16), np.zeros(n_plans, np.int64)
        self._actions, self._values = np.zeros(layout.N_ACTIONS, np.int16), np.zeros(layout.N_ACTIONS)
        self._how = np.zeros(1, tree.HOW)
        for name, value in {**SEARCH, **how}.items():
            self._how[name] = value
        self._nodes = np.zeros(most_simulations + (n_plans + 2) * plan.MOST_ACTIONS, tree.NODE)
        self._path, self._movers = np.zeros(MOST_DEPTH, np.int64), np.zeros(MOST_DEPTH, np.int64)
        self._n_nodes = self._n_plans = 0

    def _think(self, job: int, n_simulations: int = 0) -> int:
        found: int = tree.think(
            job, n_simulations, self._n_nodes, self._n_plans, self._how, self._board, RULES, self._weights, self._games,
            self._legals, self._sheets, self._candidates, self._finals, self._lines, self._plans, self._lengths,
            self._actions, self._values, self._nodes, self._path, self._movers,
        )  # fmt: skip
        return found

    def _show(self, game: Game) -> None:
        self._games[0], self._legals[0], self._sheets[0] = (part[0] for part in (game.record, *game._world[2:4]))
        self._board = game.board

    def rate(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions, and what the position after each is worth to the seat to move, in points."""
        self._show(game)
        n = self._think(tree.RATE)
        return self._actions[:n].astype(np.int64), self._values[:n].copy()

    def plan(self, game: Game) -> list[list[int]]:
        """The best ways to end the turn, best first, each as actions; none if the turn cannot be ended within plan.MOST_ACTIONS."""
        self._show(game)
        n = self._think(tree.PLAN)
        return [self._plans[i, : self._lengths[i]].tolist() for i in range(n)]

    def begin(self, game: Game, seed: int) -> None:
        """Begin a tree for this position: plan the turn, and choose by this seed (64 bits) from now on."""
        self._n_plans = len(self.plan(game))
        self._how["rng"] = np.uint64(seed)
        self._n_nodes = 0

    def simulate(self, n: int) -> None:
        """So many simulations more; a full tree grows no further."""
        self._n_nodes = self._think(tree.SEARCH, n)

    def visits(self) -> dict[int, tuple[int, float]]:
        """For each action at the root of the tree that was visited: how often, and how it came out on average, from 0 to 1."""
        return visits_of(self._nodes)


class Advisor:
    """Asks a network about one position at a time, and searches by its advice, for the seat to move: a world of which it sees everything.

    ``weights``: network.N_WEIGHTS of them, float32. ``most_simulations``: how many a tree has room for.
    """

    def __init__(self, weights: np.ndarray, most_simulations: int = 0, **how: float) -> None:
        """Make the arrays; ``how``: fields of tree.HOW that are to be others than those of GUIDED."""
        assert weights.shape == (network.N_WEIGHTS,) and weights.dtype == np.float32
        n_worlds = 4
        self._weights = weights
        self._games, self._legals = np.zeros(n_worlds, layout.GAME), np.zeros(n_worlds, layout.LEGAL)
        self._sheets = np.zeros((n_worlds, layout.MAX_PLAYERS, layout.SCORING_IN_PLAY + 1), np.int16)
        self._board = np.zeros(1, layout.BOARD)
        self._words, self._context = np.zeros(SPEC.n_words, np.uint32), np.zeros(network.N_CONTEXT, np.float32)
        self._room = np.zeros((network.N_BETWEEN, network.MOST_WIDTH), np.float32)
        self._actions, self._chances = np.zeros(2 * layout.N_ACTIONS, np.int16), np.zeros(layout.N_ACTIONS, np.float32)
        self._prospects = np.zeros((layout.N_ACTIONS, prospect.N_PROSPECT), np.float32)
        self._foreseen = np.zeros(network.N_FORESEEN, np.float32)
        self._how = np.zeros(1, tree.HOW)
        for name, value in {**GUIDED, **how}.items():
            self._how[name] = value
        self._nodes = np.zeros(most_simulations * CHILDREN + layout.N_ACTIONS, tree.NODE)
        self._path, self._movers = np.zeros(MOST_DEPTH, np.int64), np.zeros(MOST_DEPTH, np.int64)
        self._n_nodes = 0

    def _consult(self, job: int, n_simulations: int = 0) -> int:
        found: int = guided.consult(
            job, n_simulations, self._n_nodes, self._how, self._board, RULES, SPEC.table, self._weights, self._games, self._legals,
            self._sheets, self._words, self._context, self._room, self._actions, self._prospects, self._chances, self._foreseen,
            self._nodes, self._path, self._movers,
        )  # fmt: skip
        return found

    def _show(self, game: Game) -> None:
        self._games[0], self._legals[0], self._sheets[0] = (part[0] for part in (game.record, *game._world[2:4]))
        self._board = game.board

    def judge(self, game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The legal actions, the chance that the network gives each, and each seat's chance to win, the looker first."""
        self._show(game)
        n = self._consult(guided.JUDGE)
        foreseen = self._foreseen[: game.n_players].copy()
        return self._actions[:n].astype(np.int64), self._chances[:n].copy(), foreseen

    def begin(self, game: Game, seed: int) -> None:
        """Begin a tree for this position, and choose by this seed (64 bits) from now on."""
        self._show(game)
        self._how["rng"] = np.uint64(seed)
        self._n_nodes = 0

    def simulate(self, n: int) -> None:
        """So many simulations more; a full tree grows no further."""
        self._n_nodes = self._consult(guided.SEARCH, n)

    def visits(self) -> dict[int, tuple[int, float]]:
        """See Thinker."""
        return visits_of(self._nodes)


def visits_of(nodes: np.ndarray) -> dict[int, tuple[int, float]]:
    """What stands in a tree about the actions at its root."""
    found, child = {}, int(nodes[tree.ROOT]["child"])
    while child != layout.NONE:
        node = nodes[child]
        if node["visits"]:
            found[int(node["action"])] = (int(node["visits"]), float(node["value"] / node["visits"]))
        child = int(node["sibling"])
    return found
