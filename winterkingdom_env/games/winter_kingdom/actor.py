"""Many games at once played by networks: the arrays, and methods that call the kernels on them."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.core.rows import aligned
from winterkingdom_env.games.batch import GameBatch
from winterkingdom_env.games.winter_kingdom import acting, layout
from winterkingdom_env.games.winter_kingdom.layout import MAX_PLAYERS, N_ACTIONS, SCORING_IN_PLAY
from winterkingdom_env.games.winter_kingdom.network import MOST_WIDTH, N_BETWEEN, N_CONTEXT, N_FORESEEN, N_WEIGHTS
from winterkingdom_env.games.winter_kingdom.observe import SPEC
from winterkingdom_env.games.winter_kingdom.prospect import N_PROSPECT
from winterkingdom_env.games.winter_kingdom.rules import make_rules


class Actor:
    """Chooses for all games of a batch. What it found stands in its arrays until the next ``act``.

    ``n_moves`` (n,), ``moves`` int16 (n, actions), ``prospects`` float32 (n, actions, N_PROSPECT): of each row the first ``n_moves``.
    ``contexts`` float32 (n, N_CONTEXT); ``choices`` (n,) which of the moves, ``actions`` (n,) the same as an action, ``logs`` (n,) the logarithm
    of its chance; ``foreseen`` float32 (n, N_FORESEEN).
    """

    def __init__(self, batch: GameBatch, seed: int) -> None:
        """``batch`` must be of the packed form; ``seed`` of what is drawn."""
        n = len(batch.rows)
        assert batch.packed.shape[0] == n, "the packed observation is needed"
        self._batch = batch
        self._every = np.arange(n)
        self.streams = np.zeros(n, np.uint64)
        self.reseed(seed)
        self.who = np.zeros((n, MAX_PLAYERS), np.int64)
        self.n_moves, self.moves = np.zeros(n, np.int64), np.zeros((n, N_ACTIONS), np.int16)
        self.prospects = np.zeros((n, N_ACTIONS, N_PROSPECT), np.float32)  # a row as long as all actions is never full
        self.contexts, self.foreseen = np.zeros((n, N_CONTEXT), np.float32), np.zeros((n, N_FORESEEN), np.float32)
        self.choices, self.actions, self.logs = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.float32)
        self._scratch = (
            aligned(acting.WORLDS, layout.GAME), aligned(acting.WORLDS, layout.LEGAL),
            np.zeros((acting.WORLDS, MAX_PLAYERS, SCORING_IN_PLAY + 1), np.int16), np.zeros((N_BETWEEN, MOST_WIDTH), np.float32),
            np.zeros(2 * N_ACTIONS, np.int16), np.zeros(N_ACTIONS, np.float32),
        )  # fmt: skip

    def reseed(self, seed: int) -> None:
        """Begin the rows' random streams anew."""
        self.streams[:] = [seed_state(seed * len(self._every) + i) for i in self._every.tolist()]

    def act(self, nets: np.ndarray, is_greedy: bool = False, which: np.ndarray | None = None) -> np.ndarray:
        """An action per row; ``nets`` float32 (networks, N_WEIGHTS), of which ``who`` (n, seats) names one for every seat.

        ``which``: only in the rows with these numbers (int64); the others keep what they have.
        """
        assert nets.ndim == 2 and nets.shape[1] == N_WEIGHTS and nets.dtype == np.float32
        batch = self._batch
        acting.act_all(
            self._every if which is None else which, batch.games, batch.boards, make_rules(), SPEC.table, batch.legals, batch.sheets, batch.packed, nets, self.who, self.streams,
            is_greedy, *self._scratch, self.n_moves, self.moves, self.prospects, self.contexts, self.choices, self.actions, self.logs,
            self.foreseen,
        )  # fmt: skip
        return self.actions

    def look(self) -> None:
        """Write what the seats to move see, and choose nothing."""
        self.act(np.zeros((0, N_WEIGHTS), np.float32))

    def gather(self, n_moves: np.ndarray, first: int, moves: np.ndarray, prospects: np.ndarray) -> int:
        """Append the first ``n_moves`` of each row to ``moves`` (int16) and ``prospects``, from ``first`` on; where the next ones begin."""
        end: int = acting.gather_rows(n_moves, self.moves, self.prospects, first, moves, prospects)
        return end
