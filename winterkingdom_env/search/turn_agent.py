"""The agent ``turn``: plans of a beam search, chosen by a network's value of the position at the end of the turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search import turn
from winterkingdom_env.search.agents import MOST_WIDTH, PlannerAgent
from winterkingdom_env.search.policy import NetworkFile, rules_of
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.thoughts import WIN_PROBABILITY, Thought, Thoughts
from winterkingdom_env.search.turn_network import make_turn_arrays
from winterkingdom_env.search.view import View
from winterkingdom_env.search.weights import TURN

SHIPPED = "shipped-turn"
WIDTH, PLANS = 64, 63  # of the beam, and turn ends that are valued
MOST_PLANS = 1024


class TurnThinker(Thinker):
    """A Thinker that values turn ends with a network. ``turn_net``: its weights."""

    def __init__(self, rules: GameRules, turn_net: np.ndarray, width: int = WIDTH, n_plans: int = PLANS) -> None:
        """Allocate the arrays."""
        super().__init__(rules, width=width, n_plans=n_plans)
        self._turns = make_turn_arrays(rules.World, turn_net, n_plans)

    def choose(self, game: Game) -> tuple[list[list[int]], np.ndarray, np.ndarray]:
        """The plans for the turn, the most valuable first; their values, a win probability plus a little for the lead; the win probabilities."""
        self._show(game)
        n, _ = turn.choose_plan.quick(type(self._world)).call(self._world, self._arrays, self._turns)
        order = np.argsort(-self._turns.values[:n], kind="stable")
        plans = [self._arrays.plans[i, : self._arrays.lengths[i]].tolist() for i in order]
        return plans, self._turns.values[order], self._turns.odds[order]


class TurnAgent(PlannerAgent):
    """Plans a complete turn: a beam search proposes plans, and a network values the position at the end of each.

    The agent follows the best plan until the turn ends or something unexpected happens, such as a drawn card.
    """

    def __init__(self, seed: int = 0, width: int = WIDTH, plans: int = PLANS, path: str = "") -> None:
        """``width``: of the beam. ``plans``: how many turn ends are valued. ``path``: the network's file; "" is the game's shipped one."""
        super().__init__(seed, width)
        if not 1 <= plans <= MOST_PLANS:
            raise ValueError(
                f"plans={plans}: 1 to {MOST_PLANS:,} plans can be valued; at most {MOST_WIDTH:,} are in a beam"
            )
        self._plans, self._file = plans, NetworkFile(path or SHIPPED)
        self._net: np.ndarray | None = None
        self._odds: dict[
            int, float
        ] = {}  # by first action, when the turn was planned: the win probability after the best plan
        if self._file.weights is not None:
            self._net = self._file.weights.flat(TURN)  # raises for a network of another kind

    def get_ready(self, rules: GameRules) -> None:
        """Load the network and compile. Raises ValueError if there is none for this game."""
        self._net = self._file.weights_for(rules).flat(TURN)
        game = rules.new_game()
        self._plan_turn(game.determinize(game.seat, 0))

    @property
    def thoughts(self) -> Thoughts | None:
        """The win probability by first action when the turn was planned, and the plan from this action on; None if the action was forced."""
        if self._action is None:
            return None
        found = tuple(Thought(action, None, odds) for action, odds in self._odds.items())
        return Thoughts("", WIN_PROBABILITY if found else "", found, (self._action, *self._plan))

    def __call__(self, view: View) -> int:
        """The next action of the plan; a new plan at the start of a turn or if the position is not the expected one."""
        if self._net is None:
            self.get_ready(rules_of(view))
        self._odds = {}
        return super().__call__(view)

    def _plan_turn(self, game: Game) -> list[int]:
        """The most valuable plan; empty if there is none."""
        assert self._net is not None
        known: Any = self._thinker
        self._thinker = thinker = TurnThinker.about(
            game, known, turn_net=self._net, width=self._width, n_plans=self._plans
        )
        assert isinstance(thinker, TurnThinker)
        plans, _, odds = thinker.choose(game)
        for plan, odd in zip(plans, odds.tolist(), strict=True):
            self._odds.setdefault(plan[0], odd)
        return plans[0] if plans else []
