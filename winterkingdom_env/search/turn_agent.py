"""The agent ``turn``: plans of a beam search, chosen by a network's value of the position at the end of the turn, or by a search over whole turns."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search import turn
from winterkingdom_env.search.agents import MOST_WIDTH, PlannerAgent
from winterkingdom_env.search.policy import NetworkFile, rules_of
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.thoughts import VISITS, WIN_PROBABILITY, Thought, Thoughts, thoughts_by_visits
from winterkingdom_env.search.turn_halving import ARMS, REPLY, Budget, TurnSearcher
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

    With a budget it searches over whole turns before it takes a plan: simulations compare the best plans, the arms, by sequential halving. The
    budget is ``simulations`` per planned turn, or ``milliseconds`` per decision, all spent when the turn is planned: the time is ``milliseconds`` times
    the number of decisions in the best plan, without forced ones, and without those for which an interrupted plan has spent it already. The same seed
    gives the same actions, unless the budget is time.
    """

    def __init__(
        self,
        seed: int = 0,
        width: int = WIDTH,
        plans: int = PLANS,
        path: str = "",
        simulations: int = 0,
        milliseconds: int = 0,
        arms: int = ARMS,
        reply: int = REPLY,
        depth: int = 0,
    ) -> None:
        """``width``: of the beam. ``plans``: how many turn ends are valued. ``path``: the network's file; "" is the game's shipped one.

        ``arms``: plans that a search compares. ``reply``: width of the beam for all later turns of a simulation. ``depth``: the number of those
        turns; 0: as many as there are seats, so that the last one is the agent's own.
        """
        super().__init__(seed, width)
        if not 1 <= plans <= MOST_PLANS:
            raise ValueError(
                f"plans={plans}: 1 to {MOST_PLANS:,} plans can be valued; at most {MOST_WIDTH:,} are in a beam"
            )
        self._budget = Budget(simulations, milliseconds, arms, reply, depth)
        self._budget.check()
        self._plans, self._file = plans, NetworkFile(path or SHIPPED)
        self._net: np.ndarray | None = None
        self._searcher: Thinker | None = None
        self._ahead = 0  # decisions for which time is spent, and for which the agent was not asked yet
        self._found: tuple[Thought, ...] = ()  # by first action, if the last action began a plan
        if self._file.weights is not None:
            self._net = self._file.weights.flat(TURN)  # raises for a network of another kind

    def get_ready(self, rules: GameRules) -> None:
        """Load the network and compile. Raises ValueError if there is none for this game."""
        self._net = self._file.weights_for(rules).flat(TURN)
        game = rules.new_game()
        for _ in range(2 if self._budget.is_some else 1):  # the second time measures the simulations
            self._choose(game.determinize(game.seat, 0), 0)
        self._ahead = 0

    @property
    def thoughts(self) -> Thoughts | None:
        """The plan from this action on, and if it was made now, win probabilities by first action; None if the action was forced.

        With a budget there are the first actions of the simulated plans, with their shares of the visits.
        """
        if self._action is None:
            return None
        words = VISITS if self._found and self._found[0].weight is not None else ""
        return Thoughts(words, WIN_PROBABILITY if self._found else "", self._found, (self._action, *self._plan))

    def __call__(self, view: View) -> int:
        """The next action of the plan; a new plan at the start of a turn or if the position is not the expected one."""
        if self._net is None:
            self.get_ready(rules_of(view))
        self._found = ()
        legal = view.legal_actions()
        if self._budget.is_some and len(legal) == 1:
            return self._forced(legal[0])
        action = super().__call__(view)
        self._ahead -= 1
        return action

    def _forced(self, action: int) -> int:
        """Take the only action without a thought. If the plan is another one, the next decision needs a new plan."""
        self._action = None
        if self._plan[:1] != [action]:
            self._plan = []
            return action
        del self._plan[0]
        if self._plan and self._expected is not None:
            self._expected.apply(action)
        return action

    def _plan_turn(self, game: Game) -> list[int]:
        """The best plan; empty if there is none."""
        return self._choose(game, self._stream.next_word() if self._budget.is_some else 0)

    def _choose(self, game: Game, seed: int) -> list[int]:
        """The best plan by the network, or with a budget by the search."""
        start, known = time.perf_counter(), self._thinker
        assert self._net is not None
        self._thinker = thinker = TurnThinker.about(
            game, known, turn_net=self._net, width=self._width, n_plans=self._plans
        )
        assert isinstance(thinker, TurnThinker)
        plans, values, odds = thinker.choose(game)
        best = 0
        if self._budget.is_some and len(plans) > 1:
            best = self._search(game, plans, values, seed, start)
        if not self._found:
            by_action: dict[int, float] = {}
            for plan, odd in zip(plans, odds.tolist(), strict=True):
                by_action.setdefault(plan[0], odd)
            self._found = tuple(Thought(action, None, odd) for action, odd in by_action.items())
        return plans[best] if plans else []

    def _search(self, game: Game, plans: list[list[int]], values: np.ndarray, seed: int, start: float) -> int:
        """The index of the best plan by a search; ``start``: when thinking about this turn began."""
        assert self._net is not None
        known: Any = self._searcher
        budget = self._budget
        options = {"turn_net": self._net, "n_arms": budget.arms, "width": budget.reply, "depth": budget.depth}
        self._searcher = searcher = TurnSearcher.about(game, known, **options)
        assert isinstance(searcher, TurnSearcher)
        if budget.simulations:
            best = searcher.search(game, plans, values, seed, budget.simulations)
        else:
            n = max(0, count_decisions(game, plans[0]) - self._ahead)
            self._ahead += n
            best = searcher.search_until(game, plans, values, seed, start + n * budget.milliseconds / 1000)
        self._found = thoughts_by_arm(plans, best, *searcher.results())
        return best


def count_decisions(game: Game, plan: list[int]) -> int:
    """How many actions of the plan are not forced."""
    game, n = game.clone(), 0
    for action in plan:
        n += len(game.legal_actions()) > 1
        game.apply(action)
    return n


def thoughts_by_arm(plans: list[list[int]], best: int, visits: np.ndarray, wins: np.ndarray) -> tuple[Thought, ...]:
    """The simulated plans by first action, that of the best plan first."""
    times: dict[int, int] = {}
    totals: dict[int, float] = {}
    for plan, n, total in zip(plans, visits.tolist(), wins.tolist(), strict=False):  # only the first plans are arms
        times[plan[0]] = times.get(plan[0], 0) + n
        totals[plan[0]] = totals.get(plan[0], 0.0) + total
    found = thoughts_by_visits(times, totals).thoughts
    return tuple(sorted(found, key=lambda thought: thought.action != plans[best][0]))
