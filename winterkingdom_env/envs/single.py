"""A Gymnasium environment with one learner; opponents play the other seats."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from numpy.typing import NDArray

from winterkingdom_env.core.rng import derive
from winterkingdom_env.envs import common, states
from winterkingdom_env.envs.opponents import (
    Opponent,
    OpponentSpec,
    let_move,
    make_opponent,
    one_per_seat,
    opponent_factory,
    opponent_name,
)
from winterkingdom_env.games import Game, GameRules, get_game
from winterkingdom_env.search.action_rows import observe_as
from winterkingdom_env.search.agents import RandomAgent

Observation = dict[str, NDArray[Any]]
Info = dict[str, Any]
OPTIONS = (
    "opponents", "learner_seat", "observation", "reward", "skip_forced", "illegal_reward", "render_mode", "viewer",
)  # fmt: skip
RANDOM_SEAT = "random"


@dataclass
class _Episode:
    """A game in progress, and the environment's data about it."""

    game: Game
    seat: int  # the learner's
    seed: int | None  # of the game, the learner's seat and the opponents; None if it must stay hidden
    purse: common.Purse
    opponents: list[Opponent]  # in seat order, starting after the learner
    mask: NDArray[np.bool_]  # the learner's action mask
    is_over: bool = False


class SingleEnv(gymnasium.Env[Observation, Any]):
    """A game from the learner's view: a step is the learner's action and all moves of opponents until its next turn.

    The reward is the sum of the rewards of the learner's seat in this time, so the last step includes the result. The action mask is not
    part of the observation: use ``action_masks()`` or ``info["action_mask"]``.

    Info: "action_mask" int8 (actions,); "phase"; "round"; "seat" of the learner; "illegal", whether the action was illegal. When the game is
    over, also "scores" per seat, "score_sheet" per seat and card, and "won", whether the learner has or shares the first place. Info has no
    seed, which would reveal all hands; see ``game_seed``.

    game            its name
    opponents       one for all other seats, or a sequence in seat order, starting after the learner; each a name, a function of a
                    View, or "package.module:Class" (envs/opponents.py)
    learner_seat    a seat, or "random": drawn from the game's seed
    observation     "planes", "packed" or "actions": the form of the observations
    reward          "win", "margin" or "score" (core/rewards.py)
    skip_forced     True: apply an action automatically if it is the only legal one
    illegal_reward  the reward for an illegal action, which does not change the game
    render_mode     "human" prints after every step; for "ansi", "rgb_array" and "svg", ``render()`` returns the picture
    viewer          the seat whose view is rendered; None renders everything
    choices         fields of the game's Config, including ``num_players``
    """

    metadata: dict[str, Any] = {"render_modes": list(common.RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str | GameRules,
        *,
        opponents: OpponentSpec | Sequence[OpponentSpec] = "random",
        learner_seat: int | str = 0,
        num_players: int = 2,
        observation: str = "planes",
        reward: str = "win",
        skip_forced: bool = False,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        viewer: int | None = None,
        **choices: Any,
    ) -> None:
        """Check all options. Raises ValueError, listing the valid values."""
        module = get_game(game) if isinstance(game, str) else game
        common.check_names(module, choices, OPTIONS)
        self._dealer = common.Dealer(module, num_players=num_players, **choices)
        num_players = self._dealer.config.num_players
        self._specs = _opponent_specs(opponents, num_players)
        self._learner_seat: int | str = common.choose("learner_seat", learner_seat, (*range(num_players), RANDOM_SEAT))
        self._form = observation
        self._reward = common.reward_kind(reward)
        self._skips_forced = common.flag("skip_forced", skip_forced)
        self._illegal_reward = common.finite("illegal_reward", illegal_reward)
        self.render_mode = common.choose("render_mode", render_mode, (None, *common.RENDER_MODES))
        self._viewer: int | None = common.choose("viewer", viewer, (None, *range(num_players)))
        self.observation_space = common.observation_space(module, observation)
        self.action_space = spaces.Discrete(module.N_ACTIONS)
        self._episode: _Episode | None = None

    def __repr__(self) -> str:
        module, names = self._dealer.module, [opponent_name(spec).strip("'") for spec in self._specs]
        told = {"opponents": names, "observation": self._form, "reward": self._reward.name.lower()}
        return common.repr_of(
            "SingleEnv", f"{module.NAME}_{module.ENV_VERSION}", {**common.described(self._dealer.config), **told}
        )

    # Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start a game and let opponents act until it is the learner's turn.

        ``seed`` determines the game, the learner's seat and the opponents; without a seed, games follow from the last given seed.
        ``options``: "config", Config fields for this game only; or "setup", a complete set-up.
        """
        seed = None if seed is None else common.bounded_seed(seed)
        episode = self._begin(self._dealer.deal(seed, options), seed)
        super().reset(seed=seed)  # seeds Gymnasium's own generator, which the game does not use
        self._episode = episode
        self._render_for_people()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Apply the learner's action, then those of opponents until it is the learner's turn again or the game ends.

        An illegal action gives ``illegal_reward`` and changes nothing; a value that is not an action raises the game's
        InvalidActionError. If an opponent fails, OpponentError is raised and the game is as before the step.
        """
        episode = self._running("step")
        if episode.is_over:
            raise ResetNeeded("step: the game is over; call reset() to start the next one")
        episode.game.label(action)  # raises if it is not an action
        number = index(action)
        if not episode.mask[number]:
            return self._observation(), self._illegal_reward, False, False, self._info(is_illegal=True)
        game = episode.game.clone()
        game.apply(number)
        self._advance(game, episode.seat, episode.opponents)
        episode.game, episode.is_over, episode.mask = game, game.is_over, self._mask(game)
        reward = episode.purse.pay(game)[episode.seat]
        self._render_for_people()
        return self._observation(), reward, episode.is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's action mask, bool (actions,). After the end only ``PASS``, because samplers need a legal action."""
        return self._running("action_masks").mask.copy()

    def render(self) -> Any:
        """Render in the render mode: text, pixels, SVG, or None after printing."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                f"render: create the environment with a render_mode: {', '.join(common.RENDER_MODES)}"
            )
            return None
        return common.render(self._running("render").game, self.render_mode, self._viewer)

    # For debugging and tests

    @property
    def game(self) -> Game:
        """The game itself, with all hidden information. The learner gets observations."""
        return self._running("game").game

    @property
    def game_seed(self) -> int | None:
        """The seed that, with the same options, gives the same episode; None in a copy from ``clone(reseed=...)``."""
        return self._running("game_seed").seed

    def legal_actions(self) -> Sequence[int]:
        """The learner's legal actions; empty after the end."""
        return self._running("legal_actions").game.legal_actions()

    # Copies

    def get_state(self) -> common.State:
        """The full state of the environment: the game, opponents, rewards, and the seeds of the next games."""
        return states.state_of(self, {"episode": self._running("get_state")})

    def set_state(self, state: common.State) -> None:
        """Restore the result of ``get_state``. Raises ValueError, and changes nothing, if it does not fit this environment."""
        values, seeds = states.values_of(state, self, ("episode",))
        self._check(values["episode"])
        self._episode, self._dealer.seeds = values["episode"], seeds

    def _about(self) -> dict[str, Any]:
        """The options that affect a game, in addition to those in ``_made_by``."""
        return {
            "config": self._dealer.config, "learner_seat": self._learner_seat, "illegal_reward": self._illegal_reward,
            "opponents": [opponent_name(spec) for spec in self._specs],
        }  # fmt: skip

    def _check(self, episode: Any) -> None:
        """Raise ValueError, naming the field, if an episode is invalid for this environment."""
        module, n_players = self._dealer.module, self._dealer.config.num_players
        names = {entry.name for entry in fields(_Episode)}
        states.need(type(episode) is _Episode and vars(episode).keys() == names, "episode", "is not an episode")
        states.check_game(episode.game, module, n_players)
        seat, game = episode.seat, episode.game
        states.need(type(seat) is int and 0 <= seat < n_players, "seat", f"is {seat!r}")
        states.need(self._learner_seat in (seat, RANDOM_SEAT), "seat", f"is {seat}, not the learner's")
        states.need(game.is_over or game.seat == seat, "seat", f"is {seat}, who is not to move")
        states.need(episode.is_over is game.is_over, "is_over", "does not follow from the game")
        states.need(episode.seed is None or type(episode.seed) is int, "seed", f"is a {type(episode.seed).__name__}")
        states.check_purse(episode.purse, common.Purse(self._reward, module.SCORE_SCALE, [0] * n_players))
        is_table = type(episode.opponents) is list and len(episode.opponents) == n_players - 1
        states.need(is_table and all(map(callable, episode.opponents)), "opponents", "are not one for each other seat")
        for spec, opponent in zip(self._specs, episode.opponents, strict=True):
            factory = opponent_factory(spec)
            if isinstance(factory, type):
                states.need(
                    isinstance(opponent, factory), "opponents", f"hold a {type(opponent).__name__} for {spec!r}"
                )
            if factory is RandomAgent:
                states.check_stream("opponents", getattr(opponent, "_stream", None))
        states.check_array("mask", episode.mask, (module.N_ACTIONS,), np.bool_)
        states.need(np.array_equal(episode.mask, self._mask(game)), "mask", "does not follow from the game")

    def __deepcopy__(self, memo: dict[int, Any]) -> SingleEnv:
        return states.twin_of(self, memo)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        states.check_seeds(self._dealer.seeds)
        if self._episode is not None:
            self._check(self._episode)

    def clone(self, reseed: int | None = None) -> SingleEnv:
        """An independent copy at the same point of the game.

        With ``reseed``, everything hidden from the learner is resampled from this seed, and the opponents and the next games are new,
        so a search in the copy cannot see the future. Opponents given as objects are copied with their memory, not created again: they
        may know their own hands in the true game.
        """
        # The observation space is large and not used for sampling, so it is shared.
        twin = copy.deepcopy(self, {id(self.observation_space): self.observation_space})
        if reseed is not None:
            number = common.bounded_seed(reseed)
            episode = twin._running("clone(reseed=...)")
            episode.game = episode.game.determinize(episode.seat, number)
            episode.mask = self._mask(episode.game)
            episode.opponents = twin._make_opponents(number)  # from its own copies of the specifications
            episode.seed = None  # the seed would reveal the true game
            twin._dealer.seeds.next(number)
            twin._np_random, twin._np_random_seed = seeding.np_random(
                number
            )  # Gymnasium's, seeded by reset with the true seed
        return twin

    def _made_by(self) -> str:
        module, n_players = self._dealer.module, self._dealer.config.num_players
        return (
            f"{type(self).__name__} of {module.NAME}_{module.ENV_VERSION} for {n_players} players, "
            f"reward={self._reward.name.lower()!r}, skip_forced={self._skips_forced}"
        )

    # Within

    def _running(self, what: str) -> _Episode:
        if self._episode is None:
            raise ResetNeeded(f"{what}: there is no game yet; call reset() first")
        return self._episode

    def _begin(self, game: Game, seed: int | None) -> _Episode:
        # A game from a set-up has no seed of its own, but the opponents need one.
        number = game.seed if game.seed is not None else self._dealer.seeds.next() if seed is None else seed
        seat = common.seat_of_learner(self._learner_seat, number, game.n_players)
        opponents = self._make_opponents(number)
        purse = common.Purse(self._reward, self._dealer.module.SCORE_SCALE, game.scores())
        self._advance(game, seat, opponents)
        return _Episode(game, seat, number, purse, opponents, self._mask(game), game.is_over)

    def _make_opponents(self, seed: int) -> list[Opponent]:
        return [make_opponent(spec, derive(seed, "opponent", place)) for place, spec in enumerate(self._specs)]

    def _advance(self, game: Game, seat: int, opponents: Sequence[Opponent]) -> None:
        """Let opponents act until it is the learner's turn or the game is over."""
        if self._skips_forced:
            common.skip_forced(game)
        while game.seat != seat and not game.is_over:
            place = (game.seat - seat) % game.n_players - 1
            let_move(opponents[place], self._specs[place], game)
            if self._skips_forced:
                common.skip_forced(game)

    def _render_for_people(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _mask(self, game: Game) -> NDArray[np.bool_]:
        mask = np.zeros(self._dealer.module.N_ACTIONS, np.bool_)
        legal = game.legal_actions()
        mask[list(legal) if legal else self._dealer.module.PASS] = True  # as in the vector environment
        return mask

    def _observation(self) -> Observation:
        episode = self._running("observation")
        seen = observe_as(episode.game, episode.seat, self._form)
        del seen["action_mask"]
        return seen

    def _info(self, is_illegal: bool = False) -> Info:
        episode = self._running("info")
        game = episode.game
        info: Info = {
            "action_mask": episode.mask.astype(np.int8),
            "phase": game.phase,
            "round": game.round,
            "seat": episode.seat,
            "illegal": is_illegal,
        }
        if episode.is_over:
            is_won = game.ranks()[episode.seat] == 1
            info |= {"scores": game.scores(), "score_sheet": game.score_sheet(), "won": is_won}
        return info


def _opponent_specs(given: Any, num_players: int) -> tuple[Any, ...]:
    """One valid specification per opponent."""
    specs = one_per_seat(given, num_players)
    for spec in specs:
        opponent_factory(spec)
    return specs
