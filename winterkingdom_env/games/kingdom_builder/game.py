"""Kingdom Builder's game object: what it adds to ``SimpleGame``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games import GAMES
from winterkingdom_env.games.base import PHASE, as_seed, copied
from winterkingdom_env.games.errors import InvalidActionError, SavedGameError, SetupError
from winterkingdom_env.games.house_rules import drawn
from winterkingdom_env.games.kingdom_builder import actions, check, kinds, layout, tables, world
from winterkingdom_env.games.kingdom_builder.config import PLAYERS, Config
from winterkingdom_env.games.kingdom_builder.explain import explain
from winterkingdom_env.games.kingdom_builder.kinds import Phase, Terrain
from winterkingdom_env.games.kingdom_builder.layout import (
    CAPITOLS_COLUMN,
    CASTLES_COLUMN,
    NONE,
    PALACES_COLUMN,
    SCORING_IN_PLAY,
    TREASURE_COLUMN,
)
from winterkingdom_env.games.kingdom_builder.observe_spec import SPEC
from winterkingdom_env.games.kingdom_builder.plain import PHASE_NAMES, make_snapshot
from winterkingdom_env.games.kingdom_builder.plain_setup import fill_from_setup, make_setup
from winterkingdom_env.games.kingdom_builder.rules import make_rules
from winterkingdom_env.games.kingdom_builder.world import World
from winterkingdom_env.games.simple import SimpleGame

COLUMNS = (
    *(f"scoring card {k + 1}" for k in range(SCORING_IN_PLAY)),
    *(f"task {k + 1}" for k in range(layout.MOST_TASKS)),
    "Castles", "Palaces", "Capitols", "Treasures",
)  # fmt: skip


class Game(SimpleGame):
    """A game of Kingdom Builder in progress."""

    __slots__ = ()

    NAME, TITLE, VERSION = "kingdom_builder", "Kingdom Builder", GAMES["kingdom_builder"]
    WORLD, CONFIG, SPEC = World, Config, SPEC
    GAME_DTYPE, BOARD_DTYPE, LEGAL_DTYPE = layout.GAME, layout.BOARD, layout.LEGAL
    PLAYERS = PLAYERS
    PHASES = PHASE_NAMES
    LABELS, EXAMPLES = actions.labels(Phase.BEFORE), actions.EXAMPLES
    COLUMNS = COLUMNS

    # Actions

    def label(self, action: int) -> str:  # type: ignore[override]  # it depends on the phase
        """The label of an action in this phase, which decides what is put on a hex or taken from it."""
        return actions.labels(self._now[PHASE])[self.as_action(action)]

    def parse(self, text: str) -> int:  # type: ignore[override]  # likewise
        """The action with this label in this phase; case and extra spaces are ignored."""
        plain = " ".join(text.split()).casefold() if isinstance(text, str) else ""
        number = actions.numbers(self._now[PHASE]).get(plain)
        if number is not None:
            return number
        for phase in Phase:
            number = actions.numbers(phase).get(plain)
            if number is not None:
                raise InvalidActionError(
                    f"{quoted(text)} is no action in the phase {self.phase}; there this is {quoted(self.label(number))}"
                )
        raise InvalidActionError(f"{quoted(text)} is not the label of an action; labels look like {self.EXAMPLES}")

    def explain(self, action: int) -> str:
        """The rule that an illegal action breaks, without a full stop."""
        return explain(action, self.snapshot(), [self.label(legal) for legal in self.legal_actions()])

    # Data

    @classmethod
    def make_rules(cls) -> np.ndarray:
        """Geometry and tables."""
        return make_rules()

    @classmethod
    def make_world(cls, n: int, configs: Sequence[Any] = (), shared: Mapping[str, np.ndarray] | None = None) -> World:
        """A World with room for ``n`` games of these configs."""
        return world.make_world(n, configs or (Config(),), shared)

    @classmethod
    def world_of(cls, record: np.ndarray, board: np.ndarray) -> World:
        """A World with these records."""
        return world.world_from_records(record, board)

    @classmethod
    def new_game(cls, config: Any = None, seed: int = 0) -> Self:
        """A new game. The same config and seed give the same game on every machine."""
        config, seed = cls._as_config(config) or Config(), as_seed(seed)
        own = world.make_world_of_one(drawn(config, Config.SHEETS, seed), seed)
        batch.set_up_all(own, np.array([seed_state(seed)], np.uint64))
        return cls(own, copied(own.games), config, seed)

    @classmethod
    def from_setup(cls, setup: Any, config: Any = None, seed: int | None = None) -> Self:
        """A game from a set-up (docs/turn_kingdom_builder.md). Raises SetupError, naming the problem, if it is invalid."""
        config, seed = cls._as_config(config), None if seed is None else as_seed(seed)
        own = world.make_world(1)
        fill_from_setup(setup, own.games[0], own.boards[0])
        world.begin_games(own)
        flaw = check.flaw(own.games[0], own.boards[0])
        if flaw:
            raise SetupError(f"set-up: {flaw}")
        return cls(own, copied(own.games), config, seed)

    def renew(self) -> None:
        """Recompute legal actions and scores: call it after editing the records."""
        world.refresh_games(self._world)
        super().renew()

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands."""
        return make_snapshot(self.record[0], self.board[0])

    def setup(self) -> dict[str, Any]:
        """The set-up as plain data."""
        return make_setup(self._beginning(), self.board[0])

    # Scores

    def _columns_in_play(self) -> dict[str, int]:
        """The columns of the score sheet that can pay in this game, by name."""
        board = self.board[0]
        found = {tables.SCORING_NAMES[card]: k for k, card in enumerate(board["scoring"])}
        found |= {
            tables.TASK_NAMES[task]: layout.TASK_COLUMN + k for k, task in enumerate(board["task"]) if task != NONE
        }
        found["Castles"] = CASTLES_COLUMN
        if (board["terrain_at"] == Terrain.PALACE).any():
            found["Palaces"] = PALACES_COLUMN
        if board["capitol"][0] != NONE:
            found["Capitols"] = CAPITOLS_COLUMN
        if (board["site_tile"] == kinds.Tile.TREASURE).any():
            found["Treasures"] = TREASURE_COLUMN
        return found

    def score_columns(self) -> list[str]:
        """Scoring cards and tasks in play, and what else can pay."""
        return list(self._columns_in_play())

    def score_sheet(self) -> list[dict[str, int]]:
        """Gold per seat and column of the score sheet if the game ended now."""
        columns = self._columns_in_play()
        rows = self._world.sheets[0, : self._n_players].tolist()
        return [{name: row[k] for name, k in columns.items()} for row in rows]

    # Saved games

    @classmethod
    def record_flaw(cls, game: np.void, board: np.void) -> str:
        """What is wrong with untrusted records; an empty text if they are valid."""
        return check.flaw(game, board)

    @classmethod
    def check_begun(cls, begun: np.ndarray) -> None:
        """Raise SavedGameError unless this is the start of a game."""
        is_begin = begun["round"][0] == 1 and begun["turn_seat"][0] == 0 and begun["phase"][0] == Phase.BEFORE
        if not is_begin or begun["pieces"].any() or begun["held"].any():
            raise SavedGameError("the saved game is refused: begun is not the start of a game")
