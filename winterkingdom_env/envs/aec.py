"""One game as a PettingZoo AEC environment: the agents act one after the other. Which game it is, a module says."""

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

OPTIONS = ("observation", "reward", "skip_forced", "render_mode", "viewer")
API_TEST_OPTIONS = {"options": 1}  # PettingZoo's api_test passes these, and wants them taken without a word

# What there is from the first reset on, and what get_state() saves.
OF_A_GAME = (
    "agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
    "_skip_agent_selection", "_game", "_purse",
)  # fmt: skip
NEED_A_GAME = frozenset({*OF_A_GAME, "game", "game_seed", "num_agents"})


Action: TypeAlias = "spaces.Discrete[np.int64]"


class NoGameError(ResetNeeded, AttributeError):
    """There is no game to ask about or to play in: ``reset()`` begins one."""


class RawEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """A game whose seats are the agents player_0, player_1, ... An illegal action raises and changes nothing."""

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
        """Check all options; ValueError names what there is. ``choices`` are the fields of the game's Config.

        observation  "planes" or "packed": the form of the observations
        reward       "win", "margin" or "score"
        skip_forced  carry out by itself every action that is the only legal one
        render_mode  "human", "ansi", "rgb_array", "svg" or None
        viewer       the seat whose view is drawn; None draws everything, with open hands
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
        # A space of its own for each agent: seeding one must not seed the others.
        self.observation_spaces = {
            agent: common.observation_space(module.OBSERVATION, self._form, module.N_ACTIONS)
            for agent in self.possible_agents
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
        """Begin a game. Options: "config", fields of Config that hold for this game only; "setup", a whole set-up.

        Without a seed the next game of the stream begins that the last seed began.
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
        self._skip_agent_selection = None  # else a game that was left after an illegal move would reach into this one
        self._settle()

    def step(self, action: Any) -> None:
        """Carry out the selected agent's action, an integer; an agent whose game is over takes None and leaves."""
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
        """Bring everything that PettingZoo keeps beside the game up to where the game stands."""
        game = self._game
        is_over = game.is_over
        if is_over or self._reward == Reward.SCORE:  # at all other times there is nothing to pay
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
        """All agents have finished: each learns the result, then takes its last step, in the order of the seats."""
        scores, sheets = self._game.scores(), self._game.score_sheet()
        winners = [agent for agent, rank in zip(self.agents, self._game.ranks(), strict=True) if rank == 1]
        for agent, sheet in zip(self.agents, sheets, strict=True):
            self.infos[agent] |= {"score_sheet": sheet, "scores": list(scores), "winners": list(winners)}
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    # Looking

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees now; the action mask is empty unless it is to move."""
        seat = self._seats.get(agent) if isinstance(agent, str) else None
        if seat is None:
            common.choose("agent", agent, self._seats)  # raises, and says who there is
        return self._game.observe(seat, self._form)

    def state(self) -> NDArray[np.uint32]:
        """What all seats together know: uint32 (seats, words), the packed observation of every seat."""
        seats = range(len(self.possible_agents))
        return np.stack([self._game.observe(seat, "packed")["observation"] for seat in seats])

    def legal_actions(self) -> Sequence[int]:
        """The numbers of the actions that the selected agent may take."""
        return self._game.legal_actions()

    @property
    def game(self) -> Game:
        """The engine's game: the true state with everything hidden. For people and tests; agents get ``observe``."""
        game: Game = self._game
        return game

    @property
    def game_seed(self) -> int | None:
        """The seed of the game, for whoever called ``reset``: an agent that has it can rebuild all hands. None if it began with a set-up."""
        return self.game.seed

    def render(self) -> Any:
        """A picture in the render mode: text ("ansi"), pixels ("rgb_array"), SVG text ("svg"); "human" prints, and gives None."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                f"render() without a render mode shows nothing: make the environment with render_mode= one of {common.RENDER_MODES}"
            )
            return None
        return common.render(self._game, self.render_mode, self._viewer)

    def close(self) -> None:
        """Nothing is open."""

    # Copies

    def clone(self, reseed: int | None = None) -> RawEnv:
        """An independent copy, in the same place of the same game.

        With ``reseed`` everything that the selected agent cannot see is resampled from this seed: hidden cards, what chance will
        bring, and the next games. So a search that plays on in the copy cannot see the future. Through a wrapped environment this is a
        copy of the raw one inside; ``copy.deepcopy`` keeps the wrappers.
        """
        # Observation spaces are large and nobody draws from them to play, so they are shared.
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
        """Everything that decides how this environment goes on: the game, what is paid and told, and the next games."""
        return states.state_of(self, {name: getattr(self, name) for name in OF_A_GAME})

    def set_state(self, state: common.State) -> None:
        """Go back to what ``get_state`` gave; ValueError, and no change, if it comes from an environment of another kind.

        A new raw environment needs no reset before; a wrapped one does, for PettingZoo's OrderEnforcingWrapper asks for it.
        """
        values, seeds = states.values_of(state, self, OF_A_GAME)
        self._check(values)
        self._dealer.seeds = seeds
        self.__dict__.update(values)

    def _about(self) -> dict[str, Any]:
        """The options that decide how a game goes on, beside those that ``_made_by`` names."""
        return {"config": self._dealer.config}

    def _check(self, values: Mapping[str, Any]) -> None:
        """ValueError names what cannot belong to a game of this environment."""
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
    """PettingZoo's wrapper, behind a check of our own: it cannot tell truth values from actions, nor say that a number is too large."""

    def step(self, action: Any) -> None:
        """As RawEnv's: the game's InvalidActionError, and no change, for what is not an action at all."""
        if action is not None:
            self.unwrapped.game.label(action)
        super().step(action)


class TerminateIllegal(TerminateIllegalWrapper):  # type: ignore[misc]  # PettingZoo ships no types
    """PettingZoo's wrapper: an illegal action ends the game, and costs its agent ``illegal_reward``."""

    def set_state(self, state: common.State) -> None:
        """As RawEnv's. The wrapper judges by the mask it saw last, which is another position's now."""
        self.env.set_state(state)
        self._prev_obs = self._prev_info = None


def wrap(env: RawEnv, illegal_reward: Any = -1.0) -> AECEnv:
    """The environment with PettingZoo's usual checks: an illegal action ends the game, a wrong order of calls is an error."""
    number = common.finite("illegal_reward", illegal_reward)
    return OrderEnforcingWrapper(InBounds(TerminateIllegal(env, illegal_reward=number)))
