"""A game as a PettingZoo AEC environment, in which agents act one after the other."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from winterkingdom_env.core.rewards import Reward
from winterkingdom_env.envs import common, states
from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search.action_rows import observe_as

OPTIONS = ("observation", "reward", "skip_forced", "render_mode", "viewer")
API_TEST_OPTIONS = {"options": 1}  # PettingZoo's api_test passes these and expects no error

# Attributes that exist after the first reset, and that get_state() saves.
OF_A_GAME = (
    "agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
    "_skip_agent_selection", "_game", "_purse",
)  # fmt: skip
NEED_A_GAME = frozenset({*OF_A_GAME, "game", "game_seed", "num_agents"})


Action: TypeAlias = "spaces.Discrete[np.int64]"


class NoGameError(ResetNeeded, AttributeError):
    """There is no game yet: ``reset()`` starts one."""


class RawEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """A game whose seats are the agents player_0, player_1, ... An illegal action raises an error and changes nothing."""

    def __init__(
        self,
        module: GameRules,
        *,
        observation: str = "planes",
        reward: str = "win",
        skip_forced: bool = False,
        render_mode: str | None = None,
        viewer: int | None = None,
        **choices: Any,
    ) -> None:
        """Check all options. Raises ValueError, listing the valid values. ``choices``: fields of the game's Config.

        observation  "planes", "packed" or "actions": the form of the observations
        reward       "win", "margin" or "score"
        skip_forced  apply an action automatically if it is the only legal one
        render_mode  "human", "ansi", "rgb_array", "svg" or None
        viewer       the seat whose view is rendered; None renders everything, including hidden hands
        """
        common.check_names(module, choices, OPTIONS)
        self._dealer = common.Dealer(module, **choices)
        n_players = self._dealer.config.num_players
        self._form, self._reward = observation, common.reward_kind(reward)
        self._skips_forced = common.flag("skip_forced", skip_forced)
        self.render_mode = common.choose("render_mode", render_mode, (None, *common.RENDER_MODES))
        self._viewer = common.choose("viewer", viewer, (None, *range(n_players)))
        self.metadata = {
            "name": f"{module.NAME}_{module.ENV_VERSION}",
            "render_modes": list(common.RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(n_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._make_spaces(module)

    def _make_spaces(self, module: GameRules) -> None:
        # One space per agent: seeding one must not seed the others.
        self.observation_spaces = {
            agent: common.observation_space(module, self._form, has_mask=True) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Action] = {
            agent: spaces.Discrete(module.N_ACTIONS) for agent in self.possible_agents
        }
        shape = len(self.possible_agents), module.OBSERVATION.n_words
        self.state_space = spaces.Box(0, np.iinfo(np.uint32).max, shape, np.uint32)

    def __getattr__(self, name: str) -> Any:
        if name in NEED_A_GAME:
            raise NoGameError(f"{name.strip('_')}: there is no game yet; call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __repr__(self) -> str:
        told = {"observation": self._form, "reward": self._reward.name.lower()}
        return common.repr_of("RawEnv", str(self.metadata["name"]), {**common.described(self._dealer.config), **told})

    # Spaces

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, the same object each time."""
        return self.observation_spaces[common.choose("agent", agent, self._seats)]

    def action_space(self, agent: str) -> Action:
        """The space of an agent's actions, the same object each time; ``sample(mask)`` draws a legal one."""
        return self.action_spaces[common.choose("agent", agent, self._seats)]

    # Playing

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game. Options: "config", Config fields for this game only; "setup", a complete set-up.

        Without a seed, the game's seed is the next one of the stream that the last seed started.
        """
        is_test = isinstance(options, dict) and isinstance(options.get("options"), int) and options == API_TEST_OPTIONS
        game = self._dealer.deal(seed, None if is_test else options)
        purse = common.Purse(self._reward, self._dealer.module.SCORE_SCALE, game.scores())
        if self._skips_forced:
            common.skip_forced(game)
        self._game, self._purse = game, purse
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None  # left over from a game that ended with an illegal action
        self._settle()

    def step(self, action: Any) -> None:
        """Apply the selected agent's action, an integer. After the end, each agent steps with None and is removed."""
        agent = self.agent_selection
        if agent not in self.terminations:
            raise NoGameError("step: the game is over and all agents have left it; call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._game.apply(action)  # if this raises, nothing has changed
        if self._skips_forced:
            common.skip_forced(self._game)
        self._cumulative_rewards[agent] = 0.0
        self._settle()

    def _settle(self) -> None:
        """Update PettingZoo's attributes from the game."""
        game = self._game
        is_over = game.is_over
        if is_over or self._reward == Reward.SCORE:  # otherwise all rewards are 0
            self.rewards = dict(zip(self.agents, self._purse.pay(game), strict=True))
            self._accumulate_rewards()
        phase, number = game.phase, game.round
        self.infos: dict[str, dict[str, Any]] = {agent: {"phase": phase, "round": number} for agent in self.agents}
        if is_over:
            self._conclude()
        else:
            self.agent_selection = self.possible_agents[game.seat]
        if self.render_mode == "human":
            self.render()

    def _conclude(self) -> None:
        """Terminate all agents: each gets its final info, then takes its last step, in the order of the seats."""
        scores, sheets = self._game.scores(), self._game.score_sheet()
        winners = [agent for agent, rank in zip(self.agents, self._game.ranks(), strict=True) if rank == 1]
        for agent, sheet in zip(self.agents, sheets, strict=True):
            self.infos[agent] |= {"score_sheet": sheet, "scores": list(scores), "winners": list(winners)}
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    # Observations

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The observation of an agent; the action mask is all zeros unless it is to act."""
        if not isinstance(agent, str) or agent not in self._seats:
            common.choose("agent", agent, self._seats)  # raises, and lists the agents
        return observe_as(self._game, self._seats[agent], self._form)

    def state(self) -> NDArray[np.uint32]:
        """The global state, uint32 (seats, words): the packed observations of all seats."""
        seats = range(len(self.possible_agents))
        return np.stack([self._game.observe(seat, "packed")["observation"] for seat in seats])

    def legal_actions(self) -> Sequence[int]:
        """The legal actions of the selected agent."""
        return self._game.legal_actions()

    @property
    def game(self) -> Game:
        """The game itself, with all hidden information. For debugging and tests; agents use ``observe``."""
        game: Game = self._game
        return game

    @property
    def game_seed(self) -> int | None:
        """The seed of the game; None if it was created from a set-up. Keep it from agents: it reveals all hands."""
        return self.game.seed

    def render(self) -> Any:
        """Render in the render mode: text ("ansi"), pixels ("rgb_array"), SVG text ("svg"); "human" prints and returns None."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                f"render() needs a render mode: create the environment with render_mode= one of {common.RENDER_MODES}"
            )
            return None
        return common.render(self._game, self.render_mode, self._viewer)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    # Copies

    def clone(self, reseed: int | None = None) -> RawEnv:
        """An independent copy at the same point of the game.

        With ``reseed``, everything hidden from the selected agent is resampled from this seed: hidden cards, future random draws, and the
        next games. So a search in the copy cannot see the future. Called on a wrapped environment, this copies the raw one inside;
        ``copy.deepcopy`` keeps the wrappers.
        """
        # Observation spaces are large and not used for sampling, so they are shared.
        twin = copy.deepcopy(self, {id(space): space for space in self.observation_spaces.values()})
        if reseed is not None:
            number = common.bounded_seed(reseed)
            twin._game = self._game.determinize(self._seats[self.agent_selection], number)
            twin._dealer.seeds.next(number)
        return twin

    def _made_by(self) -> str:
        return (
            f"{self} for {len(self.possible_agents)} players, reward={self._reward.name.lower()!r}, "
            f"skip_forced={self._skips_forced}"
        )

    def get_state(self) -> common.State:
        """The full state of the environment: the game, rewards and infos, and the seeds of the next games."""
        return states.state_of(self, {name: getattr(self, name) for name in OF_A_GAME})

    def set_state(self, state: common.State) -> None:
        """Restore the result of ``get_state``. Raises ValueError, and changes nothing, if it does not fit this environment.

        A new raw environment needs no reset before; a wrapped one does, because of PettingZoo's OrderEnforcingWrapper.
        """
        values, seeds = states.values_of(state, self, OF_A_GAME)
        self._check(values)
        self._dealer.seeds = seeds
        self.__dict__.update(values)

    def _about(self) -> dict[str, Any]:
        """The options that affect a game, in addition to those in ``_made_by``."""
        return {"config": self._dealer.config}

    def _check(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError, naming the field, if a value is invalid for this environment."""
        n_players = len(self.possible_agents)
        states.check_game(values["_game"], self._dealer.module, n_players)
        own = common.Purse(self._reward, self._dealer.module.SCORE_SCALE, [0] * n_players)
        states.check_purse(values["_purse"], own)
        states.check_agents(values, self.possible_agents)

    def __deepcopy__(self, memo: dict[int, Any]) -> RawEnv:
        return states.twin_of(self, memo)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        states.check_seeds(self._dealer.seeds)
        if "_game" in state:
            self._check({name: getattr(self, name) for name in OF_A_GAME})


class InBounds(AssertOutOfBoundsWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """PettingZoo's wrapper with an additional check, because it accepts bools and does not explain large numbers."""

    def step(self, action: Any) -> None:
        """Like ``RawEnv.step``. Raises the game's InvalidActionError, and changes nothing, for a value that is not an action."""
        if action is not None:
            self.unwrapped.game.label(action)
        super().step(action)


class TerminateIllegal(TerminateIllegalWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """PettingZoo's wrapper: an illegal action ends the game, and costs its agent ``illegal_reward``."""

    def set_state(self, state: common.State) -> None:
        """Like ``RawEnv.set_state``, and update the mask that the wrapper remembers."""
        self.env.set_state(state)
        self._prev_obs = self._prev_info = None


def wrap(env: RawEnv, illegal_reward: Any = -1.0) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game, a wrong order of calls raises an error."""
    number = common.finite("illegal_reward", illegal_reward)
    return OrderEnforcingWrapper(InBounds(TerminateIllegal(env, illegal_reward=number)))
