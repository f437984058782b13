"""Networks that play a batch of games: the arrays, and methods that call the kernels."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.core.verbs import N_FEATURES, SEATS
from winterkingdom_env.games.batch import GameBatch
from winterkingdom_env.search import acting
from winterkingdom_env.search.network import MOST_WIDTH, N_LAYERS, count_context, count_weights


class Actor:
    """Chooses actions for all games of a batch. Results stay in its arrays (acting.Choices) until the next ``act``.

    ``moves`` and ``features``: the first ``n_moves`` of each row are valid. ``contexts``; ``choices``, the index of the chosen move; ``actions``,
    the chosen action; ``log_probs``, its log-probability; ``values``; ``who``, the network of each seat.
    """

    def __init__(self, batch: GameBatch, seed: int) -> None:
        """``batch``: a batch with packed observations. ``seed``: seeds the sampling of actions."""
        n, rules = len(batch.rows), batch.rules
        assert batch.packed.shape[0] == n, "the packed observation is needed"
        world, n_actions = rules.World, rules.N_ACTIONS
        self.n_context, self.n_features, self.n_values = count_context(world), N_FEATURES.of(world), SEATS.of(world) + 1
        self.n_weights = count_weights(world)
        self._batch, self._every = batch, np.arange(n)
        self._tries = rules.make_world(acting.TRIES)
        self.made = acting.Choices(
            who=np.zeros((n, SEATS.of(world)), np.int64),
            streams=np.zeros(n, np.uint64),
            n_moves=np.zeros(n, np.int64),
            moves=np.zeros((n, n_actions), np.int16),
            features=np.zeros((n, n_actions, self.n_features), np.float32),  # room for all actions
            contexts=np.zeros((n, self.n_context), np.float32),
            choices=np.zeros(n, np.int64),
            actions=np.zeros(n, np.int64),
            log_probs=np.zeros(n, np.float32),
            values=np.zeros((n, self.n_values), np.float32),
            layers=np.zeros((N_LAYERS, MOST_WIDTH), np.float32),
            listed=np.zeros(2 * n_actions, np.int16),
            probabilities=np.zeros(n_actions, np.float32),
        )
        self.reseed(seed)

    def __getattr__(self, name: str) -> np.ndarray:
        """The arrays by name."""
        if name in acting.Choices._fields and "made" in self.__dict__:
            array: np.ndarray = getattr(self.made, name)
            return array
        raise AttributeError(f"an actor has no {name!r}; its arrays are: {', '.join(acting.Choices._fields)}")

    def reseed(self, seed: int) -> None:
        """Restart the random streams of all rows."""
        self.streams[:] = [seed_state(seed * len(self._every) + i) for i in self._every.tolist()]

    def act(self, nets: np.ndarray, is_greedy: bool = False, which: np.ndarray | None = None) -> np.ndarray:
        """Choose an action per row. ``nets``: float32 (networks, weights), indexed by ``who`` (n, seats).

        ``which``: indices (int64) of the rows to act in; the other rows do not change.
        """
        assert nets.ndim == 2 and nets.shape[1] == self.n_weights and nets.dtype == np.float32
        batch, rows = self._batch, self._every if which is None else which
        acting.act_all(batch.world, rows, batch.packed, batch.about.table, nets, is_greedy, self._tries, self.made)
        return self.actions

    def look(self) -> None:
        """Write the network inputs of the seats to act, without choosing actions."""
        self.act(np.zeros((0, self.n_weights), np.float32))

    def gather(self, n_moves: np.ndarray, first: int, moves: np.ndarray, features: np.ndarray) -> int:
        """Append the first ``n_moves`` of each row to ``moves`` (int16) and ``features``, from ``first`` on; return the next free index.

        Raises ValueError if there is not enough room.
        """
        needed = first + int(n_moves.sum())
        if needed > min(len(moves), len(features)):
            raise ValueError(
                f"moves and features have room for {min(len(moves), len(features))} moves; {needed} are needed"
            )
        end: int = acting.gather_rows(n_moves, self.moves, self.features, first, moves, features)
        return end
