"""The only benchmark file that calls the engine's public kernels, so that a changed signature affects only this file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games import GameRules, get_game, name_of
from winterkingdom_env.games.base import BaseGame


class Positions:
    """A batch of positions and their legal actions."""

    def __init__(self, rules: GameRules, records: np.ndarray, boards: np.ndarray) -> None:
        """Take GAME and BOARD arrays of the same length."""
        self.rules = rules
        self.world = rules.make_world(len(records))._replace(games=records, boards=boards)

    @classmethod
    def of(cls, games: Sequence[BaseGame]) -> Positions:
        """Copies of the games in their current positions."""
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
        """The LEGAL records."""
        legals: np.ndarray = self.world.legals
        return legals

    def find_legal(self) -> int:
        """Update the LEGAL records and return the number of positions."""
        batch.find_legal_all.quick(type(self.world)).call(self.world)
        return len(self)

    def masks(self) -> np.ndarray:
        """The action masks, int8 (n, actions)."""
        masks = np.zeros((len(self), self.rules.N_ACTIONS), np.int8)
        batch.expand_all(self.world, masks)
        return masks

    def clone(self, which: np.ndarray, clones: np.ndarray) -> int:
        """Copy the GAME records with these indices into ``clones`` and return their number."""
        batch.clone_all(self.world, which, clones)
        return len(which)


class RandomPlay:
    """A batch of games in uniformly random play inside one kernel; finished games are replaced by new ones."""

    def __init__(self, rules: GameRules, configs: Sequence[object], seed: int) -> None:
        """Set up a game for each config."""
        n = len(configs)
        self._world = rules.make_world(n, configs)
        self._seeds = np.array([seed_state(seed + i) for i in range(n)], np.uint64)
        self._streams = np.arange(n, dtype=np.uint64)
        batch.set_up_all(self._world, self._seeds)
        batch.advance_to_decision_all(self._world)

    def play(self, n_steps: int) -> tuple[int, int]:
        """Play ``n_steps`` in each game and return the total steps and finished games."""
        finished = batch.play_random(self._world, self._seeds, self._streams, n_steps)
        return n_steps * len(self._seeds), int(finished)
