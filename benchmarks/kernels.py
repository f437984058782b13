"""The one place that calls the engine's public kernels: if a signature changes, only this file does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import batch, layout
from winterkingdom_env.games.winter_kingdom.boards import standard_sides
from winterkingdom_env.games.winter_kingdom.rules import make_rules


class Positions:
    """Positions side by side in memory, and what is legal in each."""

    def __init__(self, records: np.ndarray, boards: np.ndarray) -> None:
        """Take GAME and BOARD arrays of the same length."""
        self.records, self.boards = records, boards
        self.legals = np.zeros(len(records), layout.LEGAL)

    @classmethod
    def of(cls, games: Sequence[wk.Game]) -> Positions:
        """Copies of the games as they stand."""
        return cls(np.concatenate([game.record for game in games]), np.concatenate([game.board for game in games]))

    def __len__(self) -> int:
        return len(self.records)

    def find_legal(self) -> int:
        """Find the legal actions of all, as bit rows; the number of positions."""
        batch.legal_all(self.records, self.boards, make_rules(), self.legals)
        return len(self.records)

    def step(self, actions: np.ndarray) -> None:
        """Carry out one action in each."""
        reports = np.zeros((len(self.records), layout.N_REPORT), np.int64)
        # numpy's nonzero gives columns of a table; kernels are compiled for arrays without gaps.
        batch.step_all(self.records, np.ascontiguousarray(actions), self.boards, make_rules(), self.legals, reports)
        assert not reports[:, layout.REPORT_STATUS].any(), "an action was refused"

    def masks(self) -> np.ndarray:
        """What is legal, as int8 (n, actions)."""
        masks = np.zeros((len(self.records), layout.N_ACTIONS), np.int8)
        batch.expand_all(make_rules(), self.legals, masks)
        return masks

    def score(self) -> int:
        """Score all as they stand; the number of positions."""
        sheets = np.zeros((len(self.records), layout.MAX_PLAYERS, layout.SCORING_IN_PLAY + 1), np.int16)
        batch.score_all(self.records, self.boards, make_rules(), sheets)
        return len(self.records)

    def clone(self, which: np.ndarray, clones: np.ndarray) -> int:
        """Copy the GAME records with these numbers into ``clones``; how many."""
        batch.clone_all(which, self.records, clones)
        return len(which)

    def repeat(self, parents: np.ndarray) -> Positions:
        """Copies of the positions with these numbers, and of what is legal there."""
        children = Positions(self.records[parents], self.boards[parents])
        children.legals[:] = self.legals[parents]
        return children


class RandomPlay:
    """A batch of games in uniformly random play inside one kernel; a game that is over is set up anew."""

    def __init__(self, n_players: Sequence[int], seed: int) -> None:
        """Set up a game for each entry of ``n_players``."""
        n = len(n_players)
        configs = [wk.Config(num_players=players, twist="random") for players in n_players]
        self._requests = np.concatenate([config.request(seed + i) for i, config in enumerate(configs)])
        self._sides, self._streams = np.array(standard_sides().terrain), np.arange(n, dtype=np.uint64)
        self._games, self._boards, self._legals = (
            np.zeros(n, layout.GAME),
            np.zeros(n, layout.BOARD),
            np.zeros(n, layout.LEGAL),
        )
        batch.new_games(self._games, self._boards, make_rules(), self._sides, self._requests)
        nothing, reports = np.full(n, layout.NOTHING), np.zeros((n, layout.N_REPORT), np.int64)
        batch.step_all(self._games, nothing, self._boards, make_rules(), self._legals, reports)

    def play(self, n_steps: int) -> tuple[int, int]:
        """Play so many steps in each game; steps and finished games."""
        finished = batch.play_random_all(
            self._games, self._boards, make_rules(), self._sides, self._requests, self._legals, self._streams, n_steps
        )  # fmt: skip
        return n_steps * len(self._games), int(finished)
