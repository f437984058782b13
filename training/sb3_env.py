"""A Stable-Baselines3 ``VecEnv`` over the vector environment: one learner per row; opponents are played here, in batches.

SB3 expects every row to be at a decision of its learner after each step. So a step applies the learners' actions, lets opponents act in all
rows at once until it is every learner's turn again, and starts the next game where one has ended.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable
from operator import index
from typing import Any, Protocol

from winterkingdom_env.core.extras import needed

needed("sb3_contrib", "training.sb3_env")  # before torch, which another extra has, too

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import make_masked_proba_distribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import VecEnv

from winterkingdom_env.core.arguments import as_integer
from winterkingdom_env.core.rng import derive
from winterkingdom_env.envs.learner_vector import draw_seats, paid_to, step_opponents
from winterkingdom_env.envs.vector import WAIT, Turns, VectorEnv, learner_actions
from winterkingdom_env.games import GameRules, get_game, known_games
from winterkingdom_env.search.action_rows import ACTIONS, ActionRows, count_rows, observe_as
from winterkingdom_env.search.actor import Actor
from winterkingdom_env.search.network import count_context
from winterkingdom_env.search.registry import Agent, agent_spec
from winterkingdom_env.search.view import View

FORMS = ("bytes", "moves")
WORD = 4  # bytes
RANDOM, SCRIPTED, PAST = 0, 1, 2  # kinds of opponents; from PAST on: the past selves


class MovesLayout:
    """The layout of the form "moves" of a game: an observation "actions" in one row of numbers."""

    def __init__(self, rules: GameRules) -> None:
        """Compute the layout for this game."""
        n_context, self.n_moves, self.n_features = count_context(rules.World), count_rows(rules), len(rules.FEATURES)
        first = n_context + self.n_moves
        self.n_players = first + self.n_moves * self.n_features
        self.contexts, self.moves = slice(0, n_context), slice(n_context, first)
        self.features = slice(first, self.n_players)
        self.width = self.n_players + 1

    def flat(self, seen: dict[str, NDArray[Any]], n_players: Any) -> NDArray[np.float32]:
        """Observations "actions" (n, ...) and numbers of seats (n,) as a new array (n, width)."""
        n = len(seen["observation"])
        shown = np.empty((n, self.width), np.float32)
        shown[:, self.contexts], shown[:, self.moves] = seen["observation"], seen["actions"]
        shown[:, self.features], shown[:, self.n_players] = seen["features"].reshape(n, -1), n_players
        return shown


class PastSelves(Protocol):
    """Frozen copies of the learner, in numbered slots."""

    def put(self, place: int, policy: Any) -> None:
        """Store a copy of ``policy`` in this slot, replacing the old one."""

    def seed(self, seed: int) -> None:
        """Seed the sampling of actions."""

    def choose(self, env: LearnerVecEnv, rows: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of the rows, sampled by the copy in the slot given for it."""


class TorchSelves:
    """Copies of any policy that takes the form "bytes"."""

    def __init__(self) -> None:
        """Start without copies."""
        self.policies: dict[int, MaskableActorCriticPolicy] = {}
        self._stream = torch.Generator()

    def put(self, place: int, policy: MaskableActorCriticPolicy) -> None:
        """See PastSelves."""
        # Copy everything except the optimizer's state and the last distribution, which references the autograd graph.
        kept = {id(policy.optimizer): None, id(policy.action_dist): make_masked_proba_distribution(policy.action_space)}
        frozen = copy.deepcopy(policy, kept)
        frozen.set_training_mode(False)
        self.policies[place] = frozen.requires_grad_(False)

    def seed(self, seed: int) -> None:
        """See PastSelves."""
        self._stream.manual_seed(seed)

    def choose(self, env: LearnerVecEnv, rows: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
        """See PastSelves."""
        actions = np.zeros(len(rows), np.int64)
        seen, masks = env.games_bytes(rows), env.games.action_mask[rows]
        for place in map(int, np.unique(places)):
            which, policy = places == place, self.policies[place]
            with torch.no_grad():
                shown = torch.as_tensor(seen[which], device=policy.device)
                found: Any = policy.get_distribution(shown, masks[which]).distribution
            actions[which] = torch.multinomial(found.probs.cpu(), 1, generator=self._stream)[:, 0].numpy()
        return actions


class KernelSelves:
    """Copies of a MovesNet, evaluated in a kernel, without torch."""

    def __init__(self, env: LearnerVecEnv, n_places: int) -> None:
        """Room for ``n_places`` sets of weights."""
        self._actor = Actor(env.games.batch, 0)
        self.weights = np.zeros((n_places, self._actor.n_weights), np.float32)

    def put(self, place: int, policy: Any) -> None:
        """See PastSelves; ``policy`` has the network as ``policy.mlp_extractor.network``."""
        self.weights[place] = policy.mlp_extractor.network.flat_weights()

    def seed(self, seed: int) -> None:
        """See PastSelves."""
        self._actor.reseed(seed)

    def choose(self, env: LearnerVecEnv, rows: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
        """See PastSelves."""
        self._actor.who[rows] = places[:, None]
        actions: NDArray[np.int64] = self._actor.act(self.weights, which=rows)[rows]
        return actions


class LearnerVecEnv(VecEnv):
    """``num_envs`` games with one learner each, on a seat that is drawn for every game.

    Reward: the sum of the rewards of the learner's seat from one decision to the next. ``infos`` of a finished game: "terminal_observation",
    "episode" (as from SB3's Monitor), "scores" and "seat". ``seconds``: time spent in this environment, and the part of opponents.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | None = None,
        *,
        form: str = "bytes",
        shares: tuple[float, float, float] = (1.0, 0.0, 0.0),
        scripted: Iterable[str] = ("greedy",),
        n_past: int = 4,
        **options: Any,
    ) -> None:
        """``options``: those of ``VectorEnv``; see ``vector_env`` of the game's module.

        game      its name, or module:attribute; None: the first registered game
        form      form of the observation: "bytes" (uint8: the packed words, because SB3 converts to float32, which cannot hold 32 bits) or
                  "moves" (float32: the observation "actions" of the environments, and the number of players; see MovesLayout)
        shares    probabilities of random, scripted and past-self opponents; drawn for every seat of every game
        scripted  agents (winterkingdom_env.search.registry) to draw from
        n_past    largest number of past selves
        """
        if form not in FORMS:
            raise ValueError(f"form={form!r} is not valid; choose from: {', '.join(FORMS)}")
        self._shares, self._specs = as_shares(shares), [agent_spec(text) for text in scripted]
        if self._shares[SCRIPTED] and not self._specs:
            raise ValueError(f"shares={shares}: there is no scripted agent to draw; name one, such as 'greedy'")
        n_past = as_integer("n_past", n_past, 1)
        self.render_mode = None
        self.rules = get_game(known_games()[0] if game is None else game)
        self.games = VectorEnv(self.rules, num_envs, autoreset_mode="disabled", **options)
        self.form, self.n_past, self.n_snapshots = form, n_past, 0
        self._at = MovesLayout(self.rules)
        self._agents: dict[tuple[int, int], tuple[int, Agent]] = {}
        self._action_rows = ActionRows(self.rules, self.games.num_envs) if form == "moves" else None
        self.past: PastSelves = KernelSelves(self, n_past) if form == "moves" else TorchSelves()
        if self._action_rows is None:
            space = spaces.Box(0, 255, (WORD * self.rules.OBSERVATION.n_words,), np.uint8)
        else:
            space = spaces.Box(-np.inf, np.inf, (self._at.width,), np.float32)
        num_envs, n_actions = self.games.num_envs, self.rules.N_ACTIONS
        super().__init__(num_envs, space, spaces.Discrete(n_actions))
        self.seats = np.zeros(num_envs, np.int64)  # the learners'
        self.who = np.zeros((num_envs, self.rules.MAX_PLAYERS), np.int64)  # RANDOM, SCRIPTED, PAST + place
        self.seconds = {"env": 0.0, "opponents": 0.0}
        self._rng = np.random.default_rng(0)
        self._masks = np.zeros((num_envs, n_actions), bool)
        self._actions = np.zeros(num_envs, np.int64)
        self._owed, self._sums = (
            np.zeros(num_envs),
            np.zeros(num_envs),
        )  # rewards before the first decision; sums per game
        self._lengths, self._began = np.zeros(num_envs, np.int64), time.time()

    def take_snapshot(self, policy: Any) -> None:
        """Add a copy of the learner to the past selves. If there are already ``n_past``, it replaces the oldest, also in games in progress."""
        self.past.put(self.n_snapshots % self.n_past, policy)
        self.n_snapshots += 1

    # SB3's interface

    def reset(self) -> NDArray[Any]:
        """Start all games; the same seed (see ``VecEnv.seed``) gives the same games and opponents."""
        began, seed = time.perf_counter(), self._seeds[0]
        turns = self.games.reset(seed=seed)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            self.past.seed(seed)
        self._reset_seeds()
        self._seat_players(np.arange(self.num_envs))
        self._owed[:], self._sums[:], self._lengths[:] = 0.0, 0.0, 0
        while len(waiting := self._waiting(turns)):
            turns = self._let_move(turns, waiting)
            self._owed += paid_to(self.seats, turns)
        shown = self._show()
        self.seconds["env"] += time.perf_counter() - began
        return shown

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Store the learners' actions."""
        self._actions = learner_actions(actions, self.num_envs, self.rules.N_ACTIONS)

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Apply the actions, let opponents act, and start the next game where one has ended."""
        began = time.perf_counter()
        rewards, self._owed = self._owed, np.zeros(self.num_envs)
        has_ended = np.zeros(self.num_envs, bool)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        turns = self.games.step(self._actions)
        for row in np.flatnonzero(turns.illegal):
            infos[row]["illegal"] = True
        self._lengths += 1
        while True:
            paid, ended = paid_to(self.seats, turns), np.flatnonzero(turns.terminated)
            rewards += np.where(has_ended, 0.0, paid)
            self._owed += np.where(has_ended, paid, 0.0)
            if len(ended):
                self._write_ends(ended, rewards, infos)
                has_ended[ended] = True
                turns = self.games.reset(options={"reset_mask": turns.terminated.copy()})
                self._seat_players(ended)
            if not len(waiting := self._waiting(turns)):
                break
            turns = self._let_move(turns, waiting)
        self._sums = np.where(has_ended, 0.0, self._sums + rewards)
        self._lengths[has_ended] = 0
        shown = self._show()
        self.seconds["env"] += time.perf_counter() - began
        return shown, rewards.astype(np.float32), has_ended, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """(n, actions): the learners' action masks, with at least one action per row; with "moves", only listed actions."""
        return self._masks

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this environment, repeated for each row, because rows have no attributes."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all rows."""
        if indices is not None:
            raise ValueError(f"{attr_name}: the rows have no attributes of their own; leave indices out")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The results of a method that returns one result per row, such as ``action_masks``, for the given rows."""
        found = getattr(self, method_name)(*method_args, **method_kwargs)
        return [found[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No row is wrapped."""
        return [False for _ in self._get_indices(indices)]

    # Observations

    def games_bytes(self, rows: NDArray[np.int64] | slice) -> NDArray[np.uint8]:
        """The packed observations of the seats to act in some rows, as bytes."""
        packed: NDArray[np.uint32] = self.games.batch.packed[rows]
        return packed.astype("<u4").view(np.uint8)

    def _show(self) -> NDArray[Any]:
        """A new array with the learners' observations; updates their masks."""
        self._masks = self.games.action_mask.astype(bool)
        if self._action_rows is None:
            return self.games_bytes(slice(None))
        batch = self.games.batch
        seen = self._action_rows.write(batch.world, batch.packed, batch.rows["seat"].astype(np.int64))
        rows, places = seen["row_mask"].nonzero()
        self._masks[:] = False
        self._masks[rows, seen["actions"][rows, places]] = True
        return self._at.flat(seen, batch.rows["n_players"])

    def _last_look(self, row: int) -> NDArray[Any]:
        """The learner's observation of a finished game."""
        game, seat = self.games.game(row), int(self.seats[row])
        if self._action_rows is None:
            packed = game.observe(seat, "packed")["observation"]
            return packed.astype("<u4").view(np.uint8)
        seen = {name: part[None] for name, part in observe_as(game, seat, ACTIONS).items()}
        shown: NDArray[np.float32] = self._at.flat(seen, game.n_players)[0]
        return shown

    # Playing

    def _waiting(self, turns: Turns) -> NDArray[np.int64]:
        """Rows in which an opponent is to act."""
        return np.flatnonzero(turns.seat != self.seats)

    def _seat_players(self, rows: NDArray[np.int64]) -> None:
        """Draw the learner's seat and the opponents of new games."""
        draw_seats(self.seats, rows, self.games, "random")
        shares, n_past = self._shares.copy(), min(self.n_snapshots, self.n_past)
        if not n_past:
            shares[PAST] = 0.0
        if not shares.any():
            shares[RANDOM] = 1.0
        size = (len(rows), self.rules.MAX_PLAYERS)
        who = self._rng.choice(3, size, p=shares / shares.sum())
        self.who[rows] = np.where(who == PAST, PAST + self._rng.integers(max(n_past, 1), size=size), who)

    def _let_move(self, turns: Turns, rows: NDArray[np.int64]) -> Turns:
        """Step these rows with the actions of opponents."""
        began = time.perf_counter()
        actions, who = np.full(self.num_envs, WAIT, np.int64), self.who[rows, turns.seat[rows]]
        if (is_random := who == RANDOM).any():
            actions[rows[is_random]] = self.games.sample_actions(self._rng)[rows[is_random]]
        for row in map(int, rows[who == SCRIPTED]):
            actions[row] = self._ask_agent(row, int(turns.seat[row]))
        if (is_past := who >= PAST).any():
            actions[rows[is_past]] = self.past.choose(self, rows[is_past], who[is_past] - PAST)
        self.seconds["opponents"] += time.perf_counter() - began
        return step_opponents(self.games, actions, ", ".join(spec.text for spec in self._specs))

    def _ask_agent(self, row: int, seat: int) -> int:
        """The action of the scripted agent on a seat; the agent is created per game."""
        seed = int(self.games.seeds[row])
        if self._agents.get((row, seat), (None,))[0] != seed:
            spec = self._specs[int(self._rng.integers(len(self._specs)))]
            self._agents[row, seat] = seed, spec.make(derive(seed, "agent", seat))
        game = self.games.game(row)
        action = self._agents[row, seat][1](View(game, seat))
        game.label(action)  # raises if it is not an action: an agent that returns WAIT would cause an endless loop
        return index(action)

    def _write_ends(self, rows: NDArray[np.int64], rewards: NDArray[Any], infos: list[dict[str, Any]]) -> None:
        for row in map(int, rows):
            paid = float(self._sums[row] + rewards[row])
            infos[row] |= {
                "terminal_observation": self._last_look(row),
                "episode": {"r": paid, "l": int(self._lengths[row]), "t": time.time() - self._began},
                "scores": self.games.final_scores[row, : self.games.config(row).num_players],
                "seat": int(self.seats[row]),
            }


def as_shares(given: Any) -> NDArray[np.float64]:
    """The shares of random, scripted and past opponents. Raises ValueError if they are invalid."""
    numbers = np.asarray(given)
    is_three = numbers.shape == (3,) and numbers.dtype.kind in "iuf" and np.isfinite(numbers).all()
    if not is_three or numbers.min() < 0 or numbers.sum() <= 0:
        raise ValueError(f"shares={given}: three numbers from 0 on are needed, not all 0: random, scripted, past")
    return numbers.astype(float)
