"""Validation of a saved batch: the records, the other arrays of the batch, and everything derived from both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from winterkingdom_env.core import batch
from winterkingdom_env.core.rewards import Reward
from winterkingdom_env.core.rows import SETTINGS, Autoreset, Form
from winterkingdom_env.games.base import copied
from winterkingdom_env.games.errors import SavedGameError

if TYPE_CHECKING:
    from winterkingdom_env.games.batch import GameBatch


def need(is_right: Any, name: str, what: str) -> None:
    """Raise SavedGameError, naming the first bad row, unless ``is_right``, a bool or an array with bools per row, is all True."""
    right = np.asarray(is_right)
    if right.all():
        return
    where = f"{name}[{int(np.argmin(right.reshape(len(right), -1).all(axis=1)))}]" if right.ndim else name
    raise SavedGameError(f"the saved batch is refused: {where} {what}")


def check_settings(settings: Any, n: Any) -> None:
    """Raise ValueError unless these are valid settings of a batch of ``n`` games."""
    is_one = type(settings) is np.ndarray and settings.shape == (1,) and settings.dtype == SETTINGS
    need(is_one and settings.flags.carray, "settings", "is not a SETTINGS record")
    need(type(n) is int and n >= 1 and settings["stride"][0] == n, "stride", f"does not fit {n} games")
    for name, kinds in (("reward", Reward), ("autoreset", Autoreset), ("form", Form), ("skip_forced", range(2))):
        need(settings[name][0] in [int(kind) for kind in kinds], name, f"is {settings[name][0]}")
    for name in ("penalty", "score_scale"):
        need(np.isfinite(settings[name][0]), name, "is not finite")
    need(not settings["spare"].any(), "spare", "is not 0")


def check_batch(saved: Mapping[str, np.ndarray], mine: GameBatch) -> None:
    """Raise ValueError, naming the field, if ``saved``, whose shapes fit, is not a valid state of this batch."""
    rows, settings = saved["rows"], mine.about.settings
    games, boards = (
        copied(np.ascontiguousarray(saved[name])).view(getattr(mine, name).dtype) for name in ("games", "boards")
    )  # contiguous and with the kernels' dtype
    legals = mine.rules.check_records(games, boards)
    world = mine.world._replace(games=games, boards=boards, legals=legals, sheets=np.zeros_like(mine.sheets))
    reports = np.zeros((len(games), batch.N_REPORT), np.int64)
    batch.report_all(world, reports)
    _check_rows(rows, reports, mine)
    is_over = reports[:, batch.REPORT_OVER] == 1
    for name, derived in _derive(world, reports, mine).items():
        found, expected = saved[name], derived
        if found.dtype.names is not None:
            found, expected = (np.ascontiguousarray(a).view(np.uint8).reshape(len(a), -1) for a in (found, expected))
        need(_rows_equal(found, expected), name, "does not follow from the games")
    finals, places = saved["finals"], saved["places"]
    is_finished = rows["n_steps_final"] > 0
    need(_rows_equal(finals, 0) | is_finished, "finals", "has points, but no game has ended")
    need(_rows_equal(finals, saved["sheets"]) | ~is_over, "finals", "does not follow from the game that is over")
    need((places >= 0) & (places <= places.shape[1]), "places", "has a rank that is out of range")
    need(_rows_equal(places, 0) == ~is_finished, "places", "does not follow from the games that have ended")
    need((places == 1).any(axis=1) == is_finished, "places", "has no winner")
    need(_rows_equal(places, _ranks(world)) | ~is_over, "places", "does not follow from the game that is over")
    if settings["autoreset"][0] == Autoreset.SAME_STEP:
        need(~rows["is_over"], "rows.is_over", "is True, but with same-step autoreset the next game would have started")


def _rows_equal(found: np.ndarray, expected: Any) -> np.ndarray:
    same: np.ndarray = (found == expected).reshape(len(found), -1).all(axis=1)
    return same


def _ranks(world: Any) -> np.ndarray:
    batch.score_all(world)
    ranks = np.zeros((len(world.games), world.sheets.shape[1]), np.int64)
    batch.rank_all(world, ranks)
    return ranks


def _check_rows(rows: np.ndarray, reports: np.ndarray, mine: GameBatch) -> None:
    for name in ("terminated", "illegal", "is_over"):  # a bool with another byte than 0 or 1 is neither
        need(rows[name].view(np.uint8) <= 1, f"rows.{name}", "is neither True nor False")
    need(~rows["spare"].any(axis=1), "rows.spare", "is not 0")
    n_configs = len(mine.configs)
    need((rows["config"] >= 0) & (rows["config"] < n_configs), "rows.config", f"is none of the {n_configs}")
    n_players = np.array([config.num_players for config in mine.configs])[rows["config"]]
    need(rows["n_players"] == reports[:, batch.REPORT_PLAYERS], "rows.n_players", "does not follow from the game")
    need(rows["n_players"] == n_players, "rows.n_players", "does not follow from its config")
    need(rows["seat"] == reports[:, batch.REPORT_SEAT], "rows.seat", "does not follow from the game")
    need(rows["is_over"] == reports[:, batch.REPORT_OVER], "rows.is_over", "does not follow from the game")
    for name in ("n_steps", "n_steps_final"):
        need(rows[name] >= 0, f"rows.{name}", "is negative")
    need(np.isfinite(rows["rewards"]).all(axis=1), "rows.rewards", "is not finite")


def _derive(world: Any, reports: np.ndarray, mine: GameBatch) -> dict[str, np.ndarray]:
    """The arrays of a batch that are derived from its games."""
    about, spec, n, form = mine.about, mine.rules.OBSERVATION, len(world.games), mine.about.settings["form"][0]
    is_over = reports[:, batch.REPORT_OVER] == 1
    batch.score_all(world)
    sheets = world.sheets.copy()
    n_planes = n if form == Form.PLANES else 0
    masks, packed = np.zeros_like(about.masks), np.zeros((n, spec.n_words), np.uint32)
    planes, vectors = (
        np.zeros((n_planes, *spec.planes_shape), np.uint8),
        np.zeros((n_planes, spec.n_entries), np.float32),
    )
    batch.observe_all(world, reports[:, batch.REPORT_SEAT].copy(), spec.table, masks, packed, planes, vectors)
    masks[is_over, mine.rules.PASS] = 1  # the mask of a finished game is never empty
    if form == Form.NOTHING:
        packed = packed[:1] * 0
        if about.settings["reward"][0] != Reward.SCORE:  # points are computed only at the end
            sheets[~is_over] = 0
    if form != Form.PLANES:
        planes, vectors = np.zeros_like(about.planes), np.zeros_like(about.vectors)
    return {
        "legals": world.legals,
        "sheets": sheets,
        "masks": masks,
        "packed": packed,
        "planes": planes,
        "vectors": vectors,
    }
