"""Search for agents: rated actions, plans of a turn, network evaluation, tree search. The arrays, and methods that call the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from winterkingdom_env.core.batch import copy_across
from winterkingdom_env.core.verbs import N_FEATURES, SEATS
from winterkingdom_env.games import Game, GameRules, get_game, name_of
from winterkingdom_env.games.base import BaseGame
from winterkingdom_env.search import tree
from winterkingdom_env.search.arrays import CANDIDATE, NODE, NONE, PARAMETERS, ROOT, Evaluation, SearchArrays
from winterkingdom_env.search.beam import MOST_ACTIONS
from winterkingdom_env.search.network import MOST_WIDTH, N_LAYERS, count_context, count_weights

# Defaults of PARAMETERS, for a plain search and for one that a network guides.
SEARCH = {"explore": 0.3, "spread": 2.0, "scale": 8.0, "widen": 0.5, "horizon": 5, "tries": 4}
GUIDED = {"explore": 1.2, "doubt": 0.1}
MOST_DEPTH = 128  # of a tree: two turns of MOST_ACTIONS
CHILDREN = 16  # nodes to reserve per simulation of a guided search, which usually adds fewer
MOST_PLANS = 63  # plans are bits of a word
NO_NETWORK = np.zeros(0, np.float32)


def make_evaluation(rules: GameRules, net: np.ndarray) -> Evaluation:
    """The arrays in which a network, if any, evaluates one position."""
    world, spec, n = rules.World, rules.OBSERVATION, rules.N_ACTIONS
    return Evaluation(
        net=net,
        table=spec.table,
        words=np.zeros(spec.n_words, np.uint32),
        context=np.zeros(count_context(world), np.float32),
        layers=np.zeros((N_LAYERS, MOST_WIDTH), np.float32),
        actions=np.zeros(2 * n, np.int16),
        features=np.zeros((n if len(net) else 1, N_FEATURES.of(world)), np.float32),
        probabilities=np.zeros(n, np.float32),
        values=np.zeros(SEATS.of(world) + 1, np.float32),
    )


class Thinker:
    """Searches one position at a time, for the seat to act. The position has no hidden information (a determinized game).

    ``net``: weights of a network (search.network) that guides the search. ``width``: the beam width of plans. ``n_plans``: the number of plans.
    ``most_simulations``: the capacity of a tree.
    """

    def __init__(
        self,
        rules: GameRules,
        net: np.ndarray | None = None,
        width: int = 1,
        n_plans: int = 1,
        most_simulations: int = 0,
        n_spare: int = 0,
        worth: Sequence[float] | None = None,
        **parameters: float,
    ) -> None:
        """Allocate the arrays. ``n_spare``: games of the World beyond those of a beam. ``worth``: weights instead of the game's WORTH.

        ``parameters``: fields of PARAMETERS that differ from the defaults.
        """
        assert 1 <= n_plans <= MOST_PLANS
        is_guided = net is not None
        if net is not None and (net.shape != (count_weights(rules.World),) or net.dtype != np.float32):
            raise ValueError(
                f"a network for {rules.TITLE} has {count_weights(rules.World)} weights, float32; found {net.dtype} {net.shape}"
            )
        self._world = rules.make_world(max(2 + 2 * width, 4) + n_spare)
        settings = np.zeros(1, PARAMETERS)
        for name, value in {**(GUIDED if is_guided else SEARCH), **parameters}.items():
            settings[name] = value
        n_nodes = most_simulations + (n_plans + 2) * MOST_ACTIONS
        if is_guided:
            n_nodes = most_simulations * CHILDREN + rules.N_ACTIONS
        self._arrays = SearchArrays(
            parameters=settings,
            weights=np.asarray(rules.WORTH if worth is None else worth, np.float64),
            candidates=np.zeros(width, CANDIDATE),
            finals=np.zeros(n_plans, CANDIDATE),
            lines=np.zeros((2 * width, MOST_ACTIONS), np.int16),
            plans=np.zeros((n_plans, MOST_ACTIONS), np.int16),
            lengths=np.zeros(n_plans, np.int64),
            ratings=np.zeros(rules.N_ACTIONS),
            nodes=np.zeros(n_nodes, NODE),
            path=np.zeros(MOST_DEPTH, np.int64),
            movers=np.zeros(MOST_DEPTH, np.int64),
            outcomes=np.zeros(SEATS.of(rules.World)),
            evaluation=make_evaluation(rules, NO_NETWORK if net is None else net),
        )
        self._kind: type | None = None  # class of the last game
        self._is_guided = is_guided
        self._n_nodes = self._n_plans = 0
        self._board = b""  # the board of all games of the World

    @classmethod
    def about(cls, game: Game, known: Thinker | None = None, **options: Any) -> Thinker:
        """A Thinker for this kind of game: the ``known`` one if it fits, else a new one."""
        if known is not None and type(game) is known._kind:
            return known
        thinker = cls(get_game(name_of(game)), **options)
        thinker._kind = type(game)
        return thinker

    @property
    def features(self) -> np.ndarray:
        """float32 (actions, N_FEATURES): action features of the last evaluated position."""
        features: np.ndarray = self._arrays.evaluation.features
        return features

    def _think(self, job: int, n_simulations: int = 0) -> int:
        think = tree.think.quick(type(self._world))
        found: int = think.call(self._world, self._arrays, job, n_simulations, self._n_nodes, self._n_plans)
        return found

    def _show(self, game: Game) -> None:
        assert isinstance(game, BaseGame)
        world, shown = self._world, game._world
        copy_across.quick(type(world)).call(shown, 0, world, 0)
        board = shown.boards.tobytes()
        if board != self._board:  # constant during a game
            world.boards.view(np.uint8).reshape(len(world.boards), -1)[:] = np.frombuffer(board, np.uint8)
            self._board = board

    def rate(self, game: Game) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions, and the heuristic value after each for the seat to act, in points."""
        self._show(game)
        n = self._think(tree.RATE)
        return self._arrays.evaluation.actions[:n].astype(np.int64), self._arrays.ratings[:n].copy()

    def plan(self, game: Game) -> list[list[int]]:
        """The best plans for the turn, best first, each a list of actions; empty if no plan ends within MOST_ACTIONS."""
        self._show(game)
        n = self._think(tree.PLAN)
        return [self._arrays.plans[i, : self._arrays.lengths[i]].tolist() for i in range(n)]

    def evaluate(self, game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The legal actions, their probabilities, and the win probability of each seat, own seat first."""
        assert self._is_guided, "a Thinker without a network cannot evaluate positions"
        self._show(game)
        n, evaluation = self._think(tree.EVALUATE), self._arrays.evaluation
        return (
            evaluation.actions[:n].astype(np.int64),
            evaluation.probabilities[:n].copy(),
            evaluation.values[: game.n_players].copy(),
        )

    def begin(self, game: Game, seed: int) -> None:
        """Start a tree for this position with this seed (64 bits); without a network, plan the turn first."""
        self._n_plans = 0
        if self._is_guided:
            self._show(game)
        else:
            self._n_plans = len(self.plan(game))
        self._arrays.parameters["rng"] = np.uint64(seed)
        self._n_nodes = 0

    def simulate(self, n: int) -> None:
        """Run ``n`` more simulations; a full tree does not grow further."""
        self._n_nodes = self._think(tree.SEARCH, n)

    def visits(self) -> dict[int, tuple[int, float]]:
        """Number of visits and mean value (0 to 1) of each visited action at the root."""
        nodes = self._arrays.nodes
        found, child = {}, int(nodes[ROOT]["child"])
        while child != NONE:
            node = nodes[child]
            if node["visits"]:
                found[int(node["action"])] = (int(node["visits"]), float(node["value"] / node["visits"]))
            child = int(node["sibling"])
        return found
