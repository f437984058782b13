"""The one place that calls the engine's public kernels: if a signature changes, only this file does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games import GameRules, get_game, name_of
from winterkingdom_env.games.base import BaseGame


class Positions:
    """Positions side by side in memory, and what is legal in each."""

    def __init__(self, rules: GameRules, records: np.ndarray, boards: np.ndarray) -> None:
        """Take GAME and BOARD arrays of the same length."""
        self.rules = rules
        self.world = rules.make_world(len(records))._replace(games=records, boards=boards)

    @classmethod
    def of(cls, games: Sequence[BaseGame]) -> Positions:
        """Copies of the games as they stand."""
        rules = get_game(name_of(games[0]))
        parts = (np.concatenate([getattr(game, name) for game in games]) for name in ("record", "board"))
        return cls(rules, *parts)

    def __len__(self) -> int:
        return len(self.world.games)

    @property
    def records(self) -> np.ndarray:
        """The GAME records."""
        games: np.ndarray = self.world.games
        return games

    @property
    def boards(self) -> np.ndarray:
        """The BOARD records."""
        boards: np.ndarray = self.world.boards
        return boards

    @property
    def legals(self) -> np.ndarray:
        """What is legal, as records."""
        legals: np.ndarray = self.world.legals
        return legals

    def find_legal(self) -> int:
        """Find the legal actions of all, as records; the number of positions."""
        batch.find_legal_all.quick(type(self.world)).call(self.world)
        return len(self)

    def masks(self) -> np.ndarray:
        """What is legal, as int8 (n, actions)."""
        masks = np.zeros((len(self), self.rules.N_ACTIONS), np.int8)
        batch.expand_all(self.world, masks)
        return masks

    def clone(self, which: np.ndarray, clones: np.ndarray) -> int:
        """Copy the GAME records with these numbers into ``clones``; how many."""
        batch.clone_all(self.world, which, clones)
        return len(which)


class RandomPlay:
    """A batch of games in uniformly random play inside one kernel; a game that is over is set up again."""

    def __init__(self, rules: GameRules, configs: Sequence[object], seed: int) -> None:
        """Set up a game for each config."""
        n = len(configs)
        self._world = rules.make_world(n, configs)
        self._seeds = np.array([seed_state(seed + i) for i in range(n)], np.uint64)
        self._streams = np.arange(n, dtype=np.uint64)
        batch.set_up_all(self._world, self._seeds)
        batch.advance_to_decision_all(self._world)

    def play(self, n_steps: int) -> tuple[int, int]:
        """Play so many steps in each game; steps and finished games."""
        finished = batch.play_random(self._world, self._seeds, self._streams, n_steps)
        return n_steps * len(self._seeds), int(finished)
