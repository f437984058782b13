"""A Gymnasium vector environment with one learner per game; opponents play the other seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.rng import derive
from winterkingdom_env.envs import vector
from winterkingdom_env.envs.common import RENDER_MODES, choose, observation_space, seat_of_learner
from winterkingdom_env.envs.opponents import (
    Opponent,
    let_move,
    make_opponent,
    one_per_seat,
    opponent_factory,
    opponent_name,
)
from winterkingdom_env.envs.states import check_array, need
from winterkingdom_env.envs.vector import WAIT, Turns, learner_actions
from winterkingdom_env.games import GameRules
from winterkingdom_env.search.action_rows import ACTIONS, FORMS, ActionRows, observe_as

# Maps observations (arrays with one row per game), action masks and seats to one action per row.
BatchFunction = Callable[[dict[str, NDArray[Any]], NDArray[np.int8], NDArray[np.int8]], NDArray[np.int64]]
BatchOpponent = str | type[Any] | BatchFunction
RANDOM = "random"


class LearnerVectorEnv(VectorEnv[dict[str, NDArray[Any]], NDArray[np.int64], NDArray[Any]]):
    """One learner in each of ``num_envs`` games; created by ``learner_vector_env`` of a game's module.

    Opponents take the seats after the learner, one for all seats or one per seat: "random", which runs inside the kernel; another agent's
    name or class, created for every game and called game by game; or a function of (observation, action_mask, seat) arrays, called for all
    games at once.

    Autoreset is NEXT_STEP, Gymnasium's default: the step after the end of a game ignores its action and starts the next one.
    """

    def __init__(
        self,
        module: GameRules,
        num_envs: int,
        num_threads: int = 1,
        *,
        learner_seat: int | str = 0,
        opponents: BatchOpponent | Sequence[BatchOpponent] = RANDOM,
        observation: str = "planes",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Check the options; the others are passed to the vector environment."""
        self._form = choose("observation", observation, FORMS)
        self._games = vector.VectorEnv(
            module, num_envs, num_threads,
            observation=_written(self._form), render_mode=render_mode,
            autoreset_mode=AutoresetMode.NEXT_STEP, **options,
        )  # fmt: skip
        fewest = min(config.num_players for config in self._games.configs)
        self._learner_seat: int | str = choose("learner_seat", learner_seat, (*range(fewest), RANDOM))
        self._opponents = _opponents(opponents, max(config.num_players for config in self._games.configs))
        self.num_envs = self._games.num_envs
        self.render_mode = render_mode
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": list(RENDER_MODES), "render_fps": 2}
        self.single_observation_space: spaces.Dict = observation_space(module, observation)
        self.single_action_space: spaces.Discrete[np.int64] = spaces.Discrete(module.N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._action_rows = ActionRows(module, self.num_envs) if self._form == ACTIONS else None
        self._seats = np.zeros(self.num_envs, np.int64)
        self._owed = np.zeros(self.num_envs)  # rewards from opponents' moves before the learner's first action
        self._agents: dict[tuple[int, int], Opponent] = {}  # agents of the games in progress, by row and place

    # Gymnasium's interface

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Start all games and let opponents act until it is the learner's turn. Rewards up to then are added to the first step."""
        if isinstance(seed, list) and None in seed:
            raise ValueError("seed: give one integer, or one per game")
        turns = self._games.reset(seed=seed, options=options)  # type: ignore[arg-type]  # there is no None in it
        super().reset(seed=int(seed) if is_integer(seed) else None)  # type: ignore[arg-type]  # it is an integer
        begins = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool)))
        self._seat_learners(begins)
        turns, paid, _ = self._let_opponents_move(turns)
        self._owed = np.where(begins, 0.0, self._owed) + paid
        return self._observations(turns), self._infos(turns, np.zeros(self.num_envs, bool))

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Apply the learner's actions, then those of opponents until it is the learner's turn again or the game ends.

        The reward is the sum of the rewards of the learner's seat in this time; the first step of a game includes rewards since its start. A
        step that starts a game has reward 0. ``infos["illegal"]`` marks illegal actions.
        """
        begins = self._games.is_over.copy()
        turns = self._games.step(self._checked(actions, self.num_envs))
        illegal = turns.illegal.copy()
        self._seat_learners(begins)
        rewards, terminated = np.where(begins, 0.0, self._owed) + paid_to(self._seats, turns), turns.terminated.copy()
        turns, later, ended = self._let_opponents_move(turns)
        terminated |= ended
        is_first = begins & ~ended  # the learner's first turn; there is none if opponents ended the game
        self._owed = np.where(is_first, later, 0.0)
        rewards += np.where(is_first, 0.0, later)
        infos = self._infos(turns, terminated)
        infos["illegal"], infos["_illegal"] = illegal, np.ones(self.num_envs, bool)
        return self._observations(turns), rewards, terminated, np.zeros(self.num_envs, bool), infos

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """(n,): the seed of the game in each row. Keep it from the learner: it reveals all hands."""
        return self._games.seeds.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """(n, actions): the learners' action masks; in a finished game only ``PASS``, which is ignored."""
        return self._games.action_mask.astype(bool)

    def sample_actions(self, rng: np.random.Generator | None = None) -> NDArray[np.int64]:
        """A random legal action for each learner."""
        return self._games.sample_actions(rng).copy()

    def render(self) -> tuple[Any, ...] | None:
        """Render every game from the learner's view."""
        return tuple(self._games.render(i, int(self._seats[i])) for i in range(self.num_envs))

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_action_rows": None}  # they follow from the games

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        games = self._games
        is_same = (games.num_envs, games._observation) == (self.num_envs, _written(self._form))
        need(is_same, "_games", "has another number of games or another observation")
        self._action_rows = ActionRows(games.module, self.num_envs) if self._form == ACTIONS else None
        check_array("_seats", self._seats, (self.num_envs,), np.int64)
        n_players = np.array([self._games.config(row).num_players for row in range(self.num_envs)])
        need(
            ((self._seats >= 0) & (self._seats < n_players)).all(),
            "_seats",
            "has a learner on a seat that does not exist",
        )
        check_array("_owed", self._owed, (self.num_envs,), np.float64)
        need(np.isfinite(self._owed).all(), "_owed", "is not finite")

    # Within

    def _checked(self, actions: Any, n: int) -> NDArray[np.int64]:
        return learner_actions(actions, n, self._games.module.N_ACTIONS)

    def _seat_learners(self, which: NDArray[np.bool_]) -> None:
        draw_seats(self._seats, np.flatnonzero(which), self._games, self._learner_seat)
        if self._agents and which.any():
            self._agents = {at: agent for at, agent in self._agents.items() if not which[at[0]]}

    def _let_opponents_move(self, turns: Turns) -> tuple[Turns, NDArray[np.float64], NDArray[np.bool_]]:
        """Step the rows in which an opponent is to act until none is left; return the learner's rewards and which games ended."""
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        names = ", ".join(map(opponent_name, self._opponents))
        while (waiting := (turns.seat != self._seats) & ~self._games.is_over).any():
            turns = step_opponents(self._games, self._choose(turns, waiting), names)
            rewards += paid_to(self._seats, turns)
            ended |= turns.terminated
        return turns, rewards, ended

    def _choose(self, turns: Turns, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        actions = np.full(self.num_envs, WAIT, np.int64)
        # Opponents take the seats after the learner: the first one takes the next seat, and so on.
        places = (turns.seat - self._seats) % np.maximum(turns.n_players, 1) - 1
        for place, opponent in enumerate(self._opponents):
            rows = np.flatnonzero(waiting & (places == place))
            if len(rows) and opponent == RANDOM:
                actions[rows] = self._games.sample_actions()[rows]
            elif is_agent(opponent):
                actions[rows] = [self._answer(row, place) for row in map(int, rows)]
            elif len(rows):
                seen = {name: part[rows] for name, part in self._seen(turns, rows).items()}
                answer = opponent(seen, turns.action_mask[rows], turns.seat[rows])  # type: ignore[operator]  # a function
                actions[rows] = self._checked(answer, len(rows))
        return actions

    def _answer(self, row: int, place: int) -> int:
        """The action of an agent in a row; the agent is the one that ``SingleEnv`` would create for this game."""
        spec, game = self._opponents[place], self._games.game(row)
        agent = self._agents.get((row, place))
        if agent is None:
            seed = derive(int(self._games.seeds[row]), "opponent", place)
            agent = self._agents[row, place] = make_opponent(spec, seed)
        return let_move(agent, spec, game)

    def _seen(self, turns: Turns, rows: NDArray[np.int64] | None = None) -> dict[str, NDArray[Any]]:
        """The observations of the seats to act. Rows of actions are slow to make, so they are made only when and where (None: everywhere) they are asked for."""
        if self._action_rows is None:
            return turns.observation
        batch = self._games.batch
        return self._action_rows.write(batch.world, batch.packed, turns.seat.astype(np.int64), rows)

    def _observations(self, turns: Turns) -> dict[str, NDArray[Any]]:
        """Copies of the learners' observations. A finished game shows the seat that acted last, so observe it again as the learner."""
        seen = {name: part.copy() for name, part in self._seen(turns).items()}
        for row in map(int, np.flatnonzero(self._games.is_over)):
            view = observe_as(self._games.game(row), int(self._seats[row]), self._form)
            for name, part in seen.items():
                part[row] = view[name]
        return seen

    def _infos(self, turns: Turns, terminated: NDArray[np.bool_]) -> dict[str, Any]:
        """Infos in Gymnasium's form: an array per name, and under _name which of its rows are valid."""
        everywhere = np.ones(self.num_envs, bool)
        infos: dict[str, Any] = {
            "action_mask": turns.action_mask.copy(), "_action_mask": everywhere,
            "seat": self._seats.copy(), "_seat": everywhere,
        }  # fmt: skip
        if terminated.any():
            infos["scores"], infos["_scores"] = self._games.final_scores, terminated
        return infos


def _written(form: str) -> str:
    """The form of the observations that the games write; rows of actions are made from packed ones."""
    return "packed" if form == ACTIONS else form


def draw_seats(seats: NDArray[np.int64], rows: NDArray[np.int64], games: vector.VectorEnv, choice: int | str) -> None:
    """Write the learners' seats of the games that start in these rows."""
    for row in map(int, rows):
        seats[row] = seat_of_learner(choice, int(games.seeds[row]), int(games.config(row).num_players))


def paid_to(seats: NDArray[np.int64], turns: Turns) -> NDArray[np.float64]:
    """The rewards of the last step for these seats, one per row."""
    paid: NDArray[np.float64] = turns.rewards[np.arange(len(seats)), seats].astype(np.float64)
    return paid


def step_opponents(games: vector.VectorEnv, actions: NDArray[np.int64], names: str) -> Turns:
    """Step with the actions of opponents. Raises ValueError, with their ``names``, if one is illegal."""
    turns = games.step(actions)
    if turns.illegal.any():
        row = int(np.flatnonzero(turns.illegal)[0])
        raise ValueError(
            f"an opponent's action {actions[row]} is not legal in game {row}, seat {turns.seat[row]}; it must choose from the mask. "
            f"Opponents: {names}"
        )
    return turns


def is_agent(opponent: BatchOpponent) -> bool:
    """Whether an opponent is called game by game: an agent's name or class, except "random", which runs in the kernel."""
    return (isinstance(opponent, str) and opponent != RANDOM) or isinstance(opponent, type)


def _opponents(given: Any, n_players: int) -> tuple[BatchOpponent, ...]:
    listed = one_per_seat(given, n_players)
    for opponent in listed:
        if is_agent(opponent):
            opponent_factory(opponent)
        elif opponent != RANDOM and not callable(opponent):
            raise ValueError(
                f"opponents: {opponent!r} is neither an agent's name or class nor a function of (observation, action_mask, seat) arrays"
            )
    return listed
