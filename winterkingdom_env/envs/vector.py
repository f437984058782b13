"""A vector environment for all seats: one kernel call steps a batch of games, into buffers that the environment owns.

Every row of the batch is a game. A step takes one action per row and returns, per row, the observation, action mask and seat of the seat to
act, and the rewards of all seats. When a game ends, the row continues with the next one, depending on the autoreset mode.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from winterkingdom_env.core.arguments import as_integer
from winterkingdom_env.core.rewards import Reward
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.core.rows import SETTINGS, Autoreset, Form
from winterkingdom_env.core.threads import usable_cores
from winterkingdom_env.envs import common
from winterkingdom_env.envs.states import check_about, check_seeds, check_stream, need, twin_of
from winterkingdom_env.games import Game, GameRules, get_game
from winterkingdom_env.games.batch import GameBatch
from winterkingdom_env.search.action_rows import ACTIONS, FORMS, ActionRows

WAIT = -1  # as an action: leave this row unchanged
OPTIONS = (
    "configs", "n_generated", "observation", "reward", "skip_forced", "illegal_reward", "autoreset_mode", "render_mode",
)  # fmt: skip
MOST_ROWS = (1 << 31) - 1  # indices of configs are int32
MOST_ACTION = np.iinfo(np.int64).max
FORM_OF = {None: Form.NOTHING, "planes": Form.PLANES}


class Turns(NamedTuple):
    """The result of a reset or step. The arrays belong to the environment: the next step overwrites them."""

    observation: dict[str, NDArray[Any]]
    """Observations of the seats to act, by the names in the observation space; empty with observation=None."""
    action_mask: NDArray[np.int8]
    """(n, actions): 1 for each legal action; at least one per row."""
    seat: NDArray[np.int8]
    """(n,): the seat to move."""
    rewards: NDArray[np.float32]
    """(n, seats): the rewards of the step; 0 for unused seats."""
    terminated: NDArray[np.bool_]
    """(n,): the step ended a game."""
    illegal: NDArray[np.bool_]
    """(n,): the action was illegal; the game did not change, and its seat got the penalty."""
    n_players: NDArray[np.int8]
    """(n,): number of seats of the game in progress."""

    def copy(self) -> Turns:
        """A copy with arrays of its own."""
        return copy.deepcopy(self)


class VectorEnv:
    """``num_envs`` games at once, for all seats. Created by ``vector_env`` of a game's module, which describes the options.

    Use it from one thread at a time, like a game: give each thread its own environment.
    """

    def __init__(
        self,
        module: GameRules,
        num_envs: int,
        num_threads: int = 1,
        *,
        configs: Sequence[Any] | None = None,
        n_generated: int = 16,
        observation: str | None = "packed",
        reward: str = "win",
        skip_forced: bool = False,
        illegal_reward: float = -1.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        """Check the options and allocate the arrays; ``reset`` starts the games. ``choices``: fields of the game's Config."""
        self.module = module
        common.check_names(module, choices, OPTIONS)
        self.num_envs = as_integer("num_envs", num_envs, 1, MOST_ROWS)
        self.num_threads = _threads(num_threads)
        self.render_mode = common.choose("render_mode", render_mode, (None, *common.RENDER_MODES))
        mode = _autoreset(autoreset_mode)
        self._observation = None if observation is None else common.choose("observation", observation, FORMS)
        form = FORM_OF.get(self._observation, Form.PACKED)  # rows of actions are made from packed observations
        settings = np.zeros(1, SETTINGS)
        settings["stride"], settings["penalty"], settings["score_scale"] = (
            self.num_envs, common.finite("illegal_reward", illegal_reward), module.SCORE_SCALE,
        )  # fmt: skip
        settings["reward"], settings["autoreset"] = common.reward_kind(reward), mode
        settings["form"], settings["skip_forced"] = form, common.flag("skip_forced", skip_forced)
        self.configs = _configs(module, configs, n_generated, choices)
        self.metadata = {
            "name": f"{module.NAME}_{module.ENV_VERSION}",
            "autoreset_mode": AutoresetMode[mode.name],
            "render_modes": list(common.RENDER_MODES),
        }
        self.single_observation_space = (
            spaces.Dict() if observation is None else common.observation_space(module, observation)
        )
        self.single_action_space: spaces.Discrete[np.int64] = spaces.Discrete(module.N_ACTIONS)
        self.batch = GameBatch(module, self.configs, self.num_envs, settings, self.num_threads)
        self._action_rows = ActionRows(module, self.num_envs) if observation == ACTIONS else None
        self._seeds = common.Seeds()
        self._picks = Stream(0)
        self._is_begun = False

    def __repr__(self) -> str:
        n, settings = len(self.configs), self.batch.about.settings[0]
        told = common.described(self.configs[0]) if n == 1 else {"n_configs": n}
        return common.repr_of(
            "VectorEnv",
            str(self.metadata["name"]),
            {
                "num_envs": self.num_envs,
                "num_threads": self.num_threads,
                **told,
                "observation": self._observation,
                "reward": Reward(settings["reward"]).name.lower(),
                "autoreset_mode": Autoreset(settings["autoreset"]).name.lower(),
            },
        )

    # Playing

    def reset(self, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None) -> Turns:
        """Start new games. The game in row i has the seed ``seed`` + i, or ``seed[i]``; each later game in a row adds ``num_envs``.

        Options: "reset_mask", bool (n,), starts new games in those rows only (without a seed, the next game of each row).
        """
        rows = self._rows_to_reset({} if options is None else options)
        if seed is None and self._is_begun and len(rows) < self.num_envs:
            seeds = self.batch.rows["seed"][rows] + np.uint64(self.num_envs)
        elif not _is_list(seed):
            first = self._seeds.next(None if seed is None else common.bounded_seed(seed))
            first = first if seed is not None else first >> 1  # room for num_envs more
            seeds = np.uint64(first) + rows.astype(np.uint64)
        else:
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: {len(seed)} seeds for {self.num_envs} games; give one number or one per game")
            seeds = np.array([common.bounded_seed(number) for number in seed], np.uint64)[rows]
        if seed is not None:
            self._picks = Stream(int(seeds[0]))
        self.batch.begin(rows, seeds)
        self._is_begun = True
        return self._turns()

    def step(self, actions: ArrayLike) -> Turns:
        """Apply one action per row; ``WAIT`` leaves a row unchanged. An illegal action is marked and gives the penalty."""
        self._check_begun()
        self.batch.step(as_actions(actions, self.num_envs))
        return self._turns()

    def sample_actions(self, rng: np.random.Generator | None = None) -> NDArray[np.int64]:
        """A uniformly random legal action per row, drawn inside the kernel; the next call overwrites the array.

        ``rng``: the source of randomness; None: a stream that the last seeded ``reset`` started.
        """
        self._check_begun()
        if rng is not None and not isinstance(rng, np.random.Generator):
            raise ValueError(f"rng={rng!r} is not a numpy.random.Generator; numpy.random.default_rng(seed) creates one")
        word = self._picks.next_word() if rng is None else int(rng.integers(1 << 64, dtype=np.uint64))
        picked: NDArray[np.int64] = self.batch.pick(word)
        return picked

    # State of the games

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """(n,): the seed of the game in progress in each row."""
        return self._rows("seed")

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """(n, actions): the action masks, as in ``Turns``."""
        masks: NDArray[np.int8] = self.batch.masks
        return masks

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """(n,): the game in this row has ended, and the next one has not started."""
        return self._rows("is_over")

    @property
    def n_steps(self) -> NDArray[np.int32]:
        """(n,): number of actions in the game in progress."""
        return self._rows("n_steps")

    @property
    def final_n_steps(self) -> NDArray[np.int32]:
        """(n,): number of actions in the last finished game of each row."""
        return self._rows("n_steps_final")

    @property
    def final_sheets(self) -> NDArray[np.int16]:
        """(n, seats, columns): the score sheets of the last finished game of each row."""
        sheets: NDArray[np.int16] = self.batch.finals
        return sheets

    @property
    def final_scores(self) -> NDArray[np.int64]:
        """(n, seats): the scores of the last finished game of each row."""
        scores: NDArray[np.int64] = self.final_sheets.sum(axis=2, dtype=np.int64)
        return scores

    @property
    def final_ranks(self) -> NDArray[np.int8]:
        """(n, seats): the ranks in the last finished game of each row, 1 for the winners; 0 for unused seats."""
        return self.batch.places

    def config(self, row: int) -> Any:
        """The config of a row's game: ``new_game(env.config(i), int(env.seeds[i]))`` creates the same game."""
        return self.configs[self.batch.rows["config"][self._row(row)]]

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        self._check_begun()
        game: Game = self.batch.game(self._row(row))
        return game

    def render(self, row: int = 0, viewer: int | None = None) -> Any:
        """Render a row's game in the render mode."""
        if self.render_mode is None:
            raise ValueError(f"create the environment with a render_mode: {', '.join(common.RENDER_MODES)}")
        game = self.game(row)
        return common.render(game, self.render_mode, common.choose("viewer", viewer, (None, *range(game.n_players))))

    # Copies

    def get_state(self) -> dict[str, Any]:
        """The full state, as copies of arrays and numbers; can be pickled."""
        told = {"name": self.metadata["name"], "about": self._about(), "batch": self.batch.save()}
        return copy.deepcopy(told | self._streams())

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Restore the result of ``get_state``. Raises ValueError, and changes nothing, if it does not fit this environment."""
        if not isinstance(state, Mapping) or state.get("name") != self.metadata["name"]:
            raise ValueError(
                f"this is not a state of {self.metadata['name']}: get_state() of such a vector environment returns one"
            )
        names = {"name", "about", "batch", *self._streams()}
        need(set(state) == names, "it", f"does not hold {', '.join(sorted(names))}")
        check_about(state["about"], self._about())
        _check_streams(state)
        self.batch.load(state["batch"], state["is_begun"])
        for name in self._streams():
            setattr(self, f"_{name}", copy.deepcopy(state[name]))

    def _about(self) -> dict[str, Any]:
        """The options that affect the games."""
        settings = self.batch.settings
        return {"num_envs": self.num_envs, "configs": self.configs, **settings}

    def clone(self) -> VectorEnv:
        """An independent copy at the same point of all games."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        memo[id(self.module)] = self.module  # a module cannot be copied
        return twin_of(self, memo)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "module": self.module.NAME, "_action_rows": None}  # they follow from the games

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({**state, "module": get_game(state["module"])})
        _check_streams(self._streams())
        n, form = len(self.batch.rows), FORM_OF.get(self._observation, Form.PACKED)
        need(n == self.num_envs, "num_envs", f"is {self.num_envs}, but the batch has {n}")
        need(
            self.batch.settings["form"] == form,
            "observation",
            f"is {self._observation!r}, which the batch does not write",
        )
        self._action_rows = ActionRows(self.module, n) if self._observation == ACTIONS else None
        need(not self._is_begun or self.batch.is_begun, "is_begun", "is True, but there are no games")

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _streams(self) -> dict[str, Any]:
        return {"seeds": self._seeds, "picks": self._picks, "is_begun": self._is_begun}

    def _rows(self, name: str) -> NDArray[Any]:
        field: NDArray[Any] = self.batch.rows[name]
        return field

    def _turns(self) -> Turns:
        arrays = self.batch.about
        rows, observation = arrays.rows, {}
        if self._action_rows is not None:
            observation = self._action_rows.write(self.batch.world, arrays.packed, rows["seat"].astype(np.int64))
        elif self._observation == "packed":
            observation = {"observation": arrays.packed}
        elif self._observation == "planes":
            observation = {"observation": arrays.planes, "vector": arrays.vectors}
        return Turns(
            observation, arrays.masks, rows["seat"], rows["rewards"], rows["terminated"], rows["illegal"], rows["n_players"]
        )  # fmt: skip

    def _row(self, row: Any) -> int:
        return as_integer("row", row, 0, self.num_envs - 1)

    def _check_begun(self) -> None:
        if not self._is_begun:
            raise RuntimeError("no games have been started: call reset() first")

    def _rows_to_reset(self, options: Mapping[str, Any]) -> NDArray[np.int64]:
        if not isinstance(options, Mapping):
            raise ValueError(f"options={options!r} is not a dictionary; its key can be: reset_mask")
        for name in options:
            common.choose("options", name, ("reset_mask",))
        which = np.asarray(options.get("reset_mask", np.ones(self.num_envs, bool)))
        if which.shape != (self.num_envs,) or which.dtype != bool or not which.any():
            raise ValueError(
                f"options: reset_mask is a bool for each of the {self.num_envs} rows, at least one of them True"
            )
        if not self._is_begun and not which.all():
            raise ValueError("options: the first reset starts all games; leave reset_mask out")
        return np.flatnonzero(which)


def as_actions(given: Any, n: int) -> NDArray[np.int64]:
    """One action per row, int64. Raises ValueError unless all are integers that fit int64, which would otherwise wrap around."""
    try:
        actions = np.asarray(given)
    except (TypeError, ValueError) as error:  # such as lists of different lengths
        raise ValueError(f"actions: an integer for each of the {n} rows is needed; {error}") from error
    if actions.shape != (n,) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"actions: an integer for each of the {n} rows is needed, found {actions.dtype} of shape {actions.shape}"
        )
    if actions.dtype.kind == "u" and actions.max() > MOST_ACTION:
        row = int(actions.argmax())
        raise ValueError(f"actions: {actions[row]} in row {row} is not an action; take actions from the action mask")
    return np.ascontiguousarray(actions, np.int64)


def learner_actions(given: Any, n: int, n_actions: int) -> NDArray[np.int64]:
    """Like ``as_actions``, but without WAIT: it becomes a number that is not an action, and so is marked illegal."""
    actions = as_actions(given, n)
    return np.where(actions == WAIT, n_actions, actions)


def _is_list(seed: Any) -> TypeGuard[Sequence[int]]:
    return (isinstance(seed, Sequence) and not isinstance(seed, str | bytes)) or (
        isinstance(seed, np.ndarray) and seed.ndim == 1
    )


def _check_streams(state: Mapping[str, Any]) -> None:
    check_seeds(state["seeds"])
    check_stream("picks", state["picks"])
    need(type(state["is_begun"]) is bool, "is_begun", "is neither True nor False")


def _threads(number: Any) -> int:
    most = usable_cores()
    if as_integer("num_threads", number, 1) > most:
        raise ValueError(f"num_threads={number}: this process may use {most} cores; give 1 to {most}")
    return int(number)


def _autoreset(mode: AutoresetMode | str) -> Autoreset:
    name = mode.name if isinstance(mode, AutoresetMode) else str(mode).upper()
    return Autoreset[common.choose("autoreset_mode", name, Autoreset.__members__)]


def _configs(
    module: GameRules,
    configs: Sequence[Any] | None,
    n_generated: int,
    choices: dict[str, Any],
) -> tuple[Any, ...]:
    """The configs from which every new game draws one."""
    usual = module.Config()
    num_players = choices.get("num_players", usual.num_players)
    others = {name: value for name, value in choices.items() if name != "num_players"}
    if configs is not None:
        if not all(common.is_same(value, getattr(usual, name)) for name, value in choices.items()):
            raise ValueError(
                "configs: they determine everything; leave num_players and the other fields of a Config out"
            )
        if (
            not isinstance(configs, Sequence)
            or not configs
            or not all(isinstance(config, module.Config) for config in configs)
        ):
            raise ValueError(f"configs: a list of at least one {module.NAME} Config is needed")
        return tuple(configs)
    counts = list(num_players) if isinstance(num_players, Iterable) else [num_players]
    if not counts:
        raise ValueError(f"num_players={num_players!r}: give a number of players, or several to draw from")
    base = module.Config(num_players=counts[0], **others)
    pool: tuple[Any, ...] = module.variants(base, counts, as_integer("n_generated", n_generated, 1, MOST_ROWS))
    return pool
