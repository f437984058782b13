"""Many games at once for a vector environment: the arrays, and methods that call the kernels on them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numba
import numpy as np

from winterkingdom_env.core._jit import SETTINGS as NUMBA
from winterkingdom_env.core.rows import ROW, Form, aligned
from winterkingdom_env.games.winter_kingdom import batch, layout
from winterkingdom_env.games.winter_kingdom.batch_check import check_batch, check_settings, check_sides
from winterkingdom_env.games.winter_kingdom.config import GENERATED, Config
from winterkingdom_env.games.winter_kingdom.game import Game
from winterkingdom_env.games.winter_kingdom.observe import SPEC
from winterkingdom_env.games.winter_kingdom.rules import make_rules

CHUNKS_PER_THREAD = 4  # a thread that is held up leaves its later chunks to the others
FEWEST_PER_THREAD = 32  # games; below that starting threads costs more than it gains
SETTINGS_SHOWN = ("penalty", "reward", "autoreset", "form", "skip_forced")
SAVED = ("rows", "games", "boards", "legals", "sheets", "finals", "masks", "packed", "planes", "vectors")


class GameBatch:
    """``n`` games that step together. Each new game draws one of ``configs`` by its seed.

    ``rows`` (core.rows.ROW) says what happened; ``masks`` int8 (n, 1409); ``packed`` or ``planes`` and ``vectors`` what the seats to
    move see; ``finals`` int16 (n, 4 seats, 3 cards and castles) the points of each row's last finished game.
    """

    def __init__(
        self,
        configs: Sequence[Config],
        n: int,
        settings: np.ndarray,
        n_threads: int = 1,
        sides: np.ndarray | None = None,
    ) -> None:
        """Make the arrays; ``settings`` is a core.rows.SETTINGS array of length 1. ``begin`` begins the games.

        ``sides``: what an equal batch made of the configs before, for generated boards take long.
        """
        form = settings["form"][0]
        self.configs = tuple(configs)
        self.n_threads = n_threads if n >= n_threads * FEWEST_PER_THREAD else 1
        n_chunks = self.n_threads * CHUNKS_PER_THREAD if self.n_threads > 1 else 1
        self._settings = settings
        self._sides, self._requests = self._pool(sides)
        self.rows, self.games, self.boards = np.zeros(n, ROW), aligned(n, layout.GAME), aligned(n, layout.BOARD)
        self.legals, self.actions = aligned(n, layout.LEGAL), np.zeros(n, np.int64)
        self.sheets = np.zeros((n, layout.MAX_PLAYERS, layout.SCORING_IN_PLAY + 1), np.int16)
        self.finals = np.zeros_like(self.sheets)
        self.masks = np.zeros((n, layout.N_ACTIONS), np.int8)
        self.packed = np.zeros((1 if form == Form.NOTHING else n, SPEC.n_words), np.uint32)  # planes are made from it
        n_planes = n if form == Form.PLANES else 1
        self.planes = np.zeros((n_planes, *SPEC.planes_shape), np.uint8)
        self.vectors = np.zeros((n_planes, SPEC.n_entries), np.float32)
        self._totals = np.zeros((n_chunks, 2, layout.MAX_PLAYERS), np.int64)

    def _pool(self, sides: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """The sets of board sides that the configs need, and a REQUEST per config."""
        names = sorted({config.boards for config in self.configs})
        if GENERATED in names:
            raise ValueError(
                'boards="generated" makes new boards for every seed; a batch needs fixed ones: "generated:SEED"'
            )
        requests = np.concatenate([config.request(0) for config in self.configs])
        requests["sides"] = [names.index(config.boards) for config in self.configs]
        if sides is None:
            sides = np.stack([Config(boards=name).sides(0).terrain for name in names])
        check_sides(sides, len(names))
        return sides, requests

    def begin(self, which: np.ndarray, seeds: np.ndarray) -> None:
        """Begin new games in the rows ``which`` (numbers) with these seeds (uint64)."""
        self.rows["seed"][which] = seeds
        batch.begin_rows(
            which.astype(np.int64), self.rows, self.games, self.boards, make_rules(), SPEC.table, self._sides, self._requests,
            self._settings, self.legals, self.sheets, self.masks, self.packed, self.planes,
            self.vectors,
        )  # fmt: skip

    def _arrays(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        """The arguments of the stepping kernels, after those that say which rows."""
        return (
            self.rows, actions, self.games, self.boards, make_rules(), SPEC.table, self._sides, self._requests,
            self._settings, self.legals, self.sheets, self.finals, self.masks, self.packed,
            self.planes, self.vectors, self._totals,
        )  # fmt: skip

    def step(self, actions: np.ndarray) -> None:
        """Step every row by its action (int64); layout.NOTHING leaves a row as it is."""
        if self.n_threads == 1:
            batch.step_rows(0, len(self.rows), 0, *self._arrays(actions))
            return
        before = numba.get_num_threads()
        numba.set_num_threads(self.n_threads)
        try:
            batch.step_chunks(len(self._totals), *self._arrays(actions))
        finally:
            numba.set_num_threads(before)

    def pick(self, word: int) -> np.ndarray:
        """A random legal action per row, drawn from 64 random bits; the array is the batch's own."""
        batch.pick_all(np.uint64(word), make_rules(), self.legals, self.actions)
        return self.actions

    def game(self, row: int) -> Game:
        """The game of a row as it stands, as an independent object."""
        return Game(
            self.games[row : row + 1].copy(), self.boards[row : row + 1].copy(),
            config=self.configs[self.rows["config"][row]], seed=int(self.rows["seed"][row]),
        )  # fmt: skip

    @property
    def is_begun(self) -> bool:
        """Whether there are games in it."""
        return bool(self.boards["n_players"].any())

    @property
    def settings(self) -> dict[str, Any]:
        """How the batch is run, by name."""
        return {name: self._settings[name][0].item() for name in SETTINGS_SHOWN}

    def save(self) -> dict[str, np.ndarray]:
        """Copies of everything that decides the future and of what was shown last."""
        return {name: getattr(self, name).copy() for name in SAVED}

    def load(self, saved: Mapping[str, np.ndarray], is_begun: bool = True) -> None:
        """Go back to what ``save`` gave; ValueError names the field, and nothing changes, if this batch cannot have saved it.

        ``is_begun``: whether there were games in it.
        """
        for name in SAVED:
            mine = getattr(self, name)
            found = saved[name] if isinstance(saved, Mapping) and name in saved else None
            if type(found) is not np.ndarray or found.shape != mine.shape or found.dtype != mine.dtype:
                raise ValueError(
                    f"{name} does not fit: the state was saved by a batch of another size, form or version"
                )
        if is_begun:
            check_batch(saved, self.configs, self._settings)
        elif any(np.ascontiguousarray(saved[name]).view(np.uint8).any() for name in SAVED):
            raise ValueError("the saved batch is refused: games have not begun, but there is something in it")
        for name in SAVED:
            getattr(self, name)[...] = saved[name]

    def __deepcopy__(self, memo: dict[int, Any]) -> GameBatch:
        twin: GameBatch = object.__new__(type(self))  # not by __setstate__: one's own games need no check
        twin.__dict__.update({name: copy.deepcopy(value, memo) for name, value in self.__dict__.items()})
        return twin

    def __getstate__(self) -> dict[str, Any]:
        told = {"configs": self.configs, "settings": self._settings, "n_threads": self.n_threads}
        return told | {"n": len(self.rows), "sides": self._sides, "saved": self.save(), "is_begun": self.is_begun}

    def __setstate__(self, state: dict[str, Any]) -> None:
        configs, n_threads = state.get("configs"), state.get("n_threads")
        check_settings(state.get("settings"), state.get("n"))
        if type(configs) is not tuple or not configs or not all(isinstance(config, Config) for config in configs):
            raise ValueError("the saved batch is refused: configs are no tuple of Config")
        if type(n_threads) is not int or n_threads < 1:
            raise ValueError(f"the saved batch is refused: n_threads is {n_threads!r}")
        most: int = NUMBA.NUMBA_NUM_THREADS  # here; where it was saved there may have been more
        self.__init__(configs, state["n"], state["settings"], min(n_threads, most), state.get("sides"))  # type: ignore[misc]  # made as ever
        self.load(state.get("saved", {}), state.get("is_begun") is True)


def pool_of(config: Config, n_players: Sequence[int], n_boards: int) -> tuple[Config, ...]:
    """A config for each number of players and, with generated boards, for each of ``n_boards`` sets of them."""
    boards = [f"{GENERATED}:{i}" for i in range(n_boards)] if config.boards == GENERATED else [config.boards]
    return tuple(
        msgspec.structs.replace(config, num_players=players, boards=name) for players in n_players for name in boards
    )
