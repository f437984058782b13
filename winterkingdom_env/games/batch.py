"""A batch of games for a vector environment: the arrays, and methods that call the kernels on them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core.rows import Form, row_type
from winterkingdom_env.core.threads import Team, usable_cores
from winterkingdom_env.core.verbs import N_PER_GAME
from winterkingdom_env.games.base import copied
from winterkingdom_env.games.batch_check import check_batch, check_settings

if TYPE_CHECKING:
    from winterkingdom_env.games.contract import Game, GameRules

FEWEST_PER_THREAD = 32  # games; with fewer, synchronization costs more than the threads gain
SETTINGS_SHOWN = ("penalty", "reward", "autoreset", "form", "skip_forced")
OF_WORLD = ("games", "boards", "legals", "sheets")
OF_BATCH = ("rows", "finals", "places", "masks", "packed", "planes", "vectors")
SAVED = (*OF_WORLD, *OF_BATCH)


class GameBatch:
    """``n`` games that step together. Each new game draws one of ``configs`` by its seed.

    ``rows`` (core.rows.row_type): the results of the last step. ``masks`` int8 (n, actions): action masks. ``packed``, or ``planes`` and
    ``vectors``: observations of the seats to act. ``finals`` (n, seats, columns of the score sheet) and ``places`` int8 (n, seats): points
    and ranks of each row's last finished game.
    """

    def __init__(
        self, rules: GameRules, configs: Sequence[Any], n: int, settings: np.ndarray, n_threads: int = 1,
        shared: Mapping[str, np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        """Allocate the arrays; ``settings`` is a core.rows.SETTINGS array of length 1. ``begin`` starts the games.

        ``shared``: arrays of another batch with the same configs, to reuse because they are slow to make.
        """
        form, spec = settings["form"][0], rules.OBSERVATION
        self.rules, self.configs = rules, tuple(configs)
        self.n_threads = n_threads if n >= n_threads * FEWEST_PER_THREAD else 1
        self._team = Team(batch.work_chunks.of(rules.World), self.n_threads, -(-n // batch.ROWS_PER_CHUNK))
        self.world = rules.make_world(n, self.configs, shared)
        seats = rules.MAX_PLAYERS
        n_planes = n if form == Form.PLANES else 1
        self.about = batch.Batch(
            rows=np.zeros(n, row_type(seats)),
            finals=np.zeros_like(self.world.sheets),
            places=np.zeros((n, seats), np.int8),
            masks=np.zeros((n, rules.N_ACTIONS), np.int8),
            packed=np.zeros((1 if form == Form.NOTHING else n, spec.n_words), np.uint32),  # planes are made from it
            planes=np.zeros((n_planes, *spec.planes_shape), np.uint8),
            vectors=np.zeros((n_planes, spec.n_entries), np.float32),
            settings=settings,
            table=spec.table,
            news=spec.news,
            totals=np.zeros((self.n_threads, 3, seats), np.int64),
        )
        self._step_kernel, self._pick_kernel = batch.step_rows.quick(rules.World), batch.pick_rows.quick(rules.World)
        self.actions = np.zeros(n, np.int64)
        self._errand = np.zeros(2, np.uint64)  # the task of the threads, see core.batch.work_chunks
        self._given = np.zeros(n, np.int64)  # the actions of a step, always in the same array

    def __getattr__(self, name: str) -> np.ndarray:
        """The arrays of the World and of the batch by name."""
        if name in OF_BATCH and "about" in self.__dict__:
            array: np.ndarray = getattr(self.about, name)
        elif name in OF_WORLD and "world" in self.__dict__:
            array = getattr(self.world, name)
        else:
            raise AttributeError(f"a batch has no {name!r}; its arrays are: {', '.join(SAVED)}")
        return array

    def begin(self, which: np.ndarray, seeds: np.ndarray) -> None:
        """Start new games in the rows ``which`` (indices) with these seeds (uint64)."""
        self.rows["seed"][which] = seeds
        batch.begin_rows(self.world, self.about, which.astype(np.int64))

    def step(self, actions: np.ndarray) -> None:
        """Step every row with its action (int64); NOTHING leaves a row unchanged."""
        self._given[...] = actions
        if self.n_threads > 1 and self._team.is_ready():
            self._share(0, 0)
        else:
            self._step_kernel.call(self.world, self.about, self._given, 0, len(self._given), 0)
            if self.n_threads > 1:
                self._team.rest()

    def pick(self, word: int) -> np.ndarray:
        """A random legal action per row, drawn from 64 random bits; the next call overwrites the array."""
        if self.n_threads > 1 and self._team.is_here():
            self._share(1, word)
        else:
            self._pick_kernel.call(self.world, np.uint64(word), self.actions, 0, len(self.actions))
        return self.actions

    def _share(self, is_pick: int, word: int) -> None:
        """Step or pick on several threads."""
        self._errand[0], self._errand[1] = is_pick, word
        self._team.run(self.world, self.about, self._given, self.actions, self._errand)

    def game(self, row: int) -> Game:
        """An independent copy of the game in a row."""
        one = slice(row, row + 1)
        config, seed = self.configs[self.rows["config"][row]], int(self.rows["seed"][row])
        return self.rules.game_of(self.games[one].copy(), self.boards[one].copy(), config, seed)

    @property
    def is_begun(self) -> bool:
        """Whether games have been started."""
        return bool(self.rows["n_players"].any())

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        return {name: self.about.settings[name][0].item() for name in SETTINGS_SHOWN}

    def save(self) -> dict[str, np.ndarray]:
        """Copies of all state arrays and of the last results."""
        return {name: getattr(self, name).copy() for name in SAVED}

    def load(self, saved: Mapping[str, np.ndarray], is_begun: bool = True) -> None:
        """Restore the result of ``save``. Raises ValueError, naming the field, and changes nothing if it does not fit this batch.

        ``is_begun``: whether games had been started.
        """
        for name in SAVED:
            mine = getattr(self, name)
            found = saved[name] if isinstance(saved, Mapping) and name in saved else None
            if type(found) is not np.ndarray or found.shape != mine.shape or found.dtype != mine.dtype:
                raise ValueError(
                    f"{name} does not fit: the state was saved by a batch of another size, form or version"
                )
        if is_begun:
            check_batch(saved, self)
        elif any(np.ascontiguousarray(saved[name]).view(np.uint8).any() for name in SAVED):
            raise ValueError("the saved batch is refused: no game has been started, but the arrays are not empty")
        for name in SAVED:
            getattr(self, name)[...] = saved[name]

    def _shared(self) -> dict[str, np.ndarray]:
        """The arrays that ``make_world`` can reuse."""
        return {name: getattr(self.world, name) for name in self.rules.SHARED}

    def __deepcopy__(self, memo: dict[int, Any]) -> GameBatch:
        twin: GameBatch = object.__new__(type(self))  # not by __setstate__: these games need no check
        memo[id(self)] = twin
        parts, about = self.world[:N_PER_GAME], self.about
        twin.__dict__.update(
            self.__dict__
            | {
                "world": type(self.world)(*map(copied, parts), *self.world[N_PER_GAME:]),
                "about": type(about)(*map(copied, about)),
                "actions": self.actions.copy(),
                "_given": self._given.copy(),
                "_errand": self._errand.copy(),
                "_team": copy.deepcopy(self._team, memo),
            }
        )
        return twin

    def __getstate__(self) -> dict[str, Any]:
        told = {"rules": self.rules.NAME, "configs": self.configs, "settings": self.about.settings}
        told |= {"n_threads": self.n_threads, "n": len(self.rows), "shared": self._shared()}
        return told | {"saved": self.save(), "is_begun": self.is_begun}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from winterkingdom_env.games import get_game

        rules, configs, n_threads = get_game(state.get("rules", "")), state.get("configs"), state.get("n_threads")
        check_settings(state.get("settings"), state.get("n"))
        if type(configs) is not tuple or not configs or not all(isinstance(config, rules.Config) for config in configs):
            raise ValueError("the saved batch is refused: configs is not a tuple of Config")
        if type(n_threads) is not int or n_threads < 1:
            raise ValueError(f"the saved batch is refused: n_threads is {n_threads!r}")
        shared = state.get("shared")
        if not isinstance(shared, dict) or set(shared) != set(rules.SHARED):
            raise ValueError("the saved batch is refused: what its games share is missing")
        n_threads = min(n_threads, usable_cores())  # the machine that saved it may have had more
        self.__init__(rules, configs, state["n"], state["settings"], n_threads, shared)  # type: ignore[misc]  # on a new object
        self.load(state.get("saved", {}), state.get("is_begun") is True)
