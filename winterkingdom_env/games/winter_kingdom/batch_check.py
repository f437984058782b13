"""A saved batch of games, checked before it is used: the records, what a batch keeps beside them, and what follows from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from winterkingdom_env.core.rewards import Reward
from winterkingdom_env.core.rows import SETTINGS, Autoreset, Form
from winterkingdom_env.games.winter_kingdom import batch, layout
from winterkingdom_env.games.winter_kingdom.boards import N_SIDES, SPECIAL_COUNTS
from winterkingdom_env.games.winter_kingdom.config import Config
from winterkingdom_env.games.winter_kingdom.observe import SPEC
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.games.winter_kingdom.saves import SavedGameError, check_records, copied

OVER = int(layout.Phase.OVER)


def _need(is_right: Any, name: str, what: str) -> None:
    """SavedGameError names the first row in which something is not as it must be; ``is_right``: a bool, or bools by row."""
    right = np.asarray(is_right)
    if right.all():
        return
    where = f"{name}[{int(np.argmin(right.reshape(len(right), -1).all(axis=1)))}]" if right.ndim else name
    raise SavedGameError(f"the saved batch is refused: {where} {what}")


def check_settings(settings: Any, n: Any) -> None:
    """ValueError if a batch of ``n`` games cannot be run so."""
    is_one = type(settings) is np.ndarray and settings.shape == (1,) and settings.dtype == SETTINGS
    _need(is_one and settings.flags.carray, "settings", "are no SETTINGS record")
    _need(type(n) is int and n >= 1 and settings["stride"][0] == n, "stride", f"does not fit {n} games")
    for name, kinds in (("reward", Reward), ("autoreset", Autoreset), ("form", Form), ("skip_forced", range(2))):
        _need(settings[name][0] in [int(kind) for kind in kinds], name, f"is {settings[name][0]}")
    for name in ("penalty", "score_scale"):
        _need(np.isfinite(settings[name][0]), name, "is not finite")
    _need(not settings["spare"].any(), "spare", "is not 0")


def check_sides(sides: Any, n: int) -> None:
    """ValueError if these are not ``n`` sets of fourteen board sides."""
    is_one = type(sides) is np.ndarray and sides.dtype == np.int8 and sides.shape == (n, N_SIDES, layout.BOARD_HEXES)
    _need(is_one and sides.flags.carray, "sides", "are no int8 array of board sides")
    _need((sides >= 0) & (sides < layout.N_TERRAINS), "sides", "have something that is no terrain")
    for terrain, count in SPECIAL_COUNTS.items():
        _need((sides == terrain).sum(axis=2) == count, "sides", f"have not {count} of terrain {terrain} each")


def check_batch(saved: Mapping[str, np.ndarray], configs: Sequence[Config], settings: np.ndarray) -> None:
    """ValueError names the field by which ``saved``, whose shapes fit, can be no state of a batch that is run with these settings."""
    rows = saved["rows"]
    games = copied(np.ascontiguousarray(saved["games"])).view(layout.GAME)  # as kernels want them
    boards = copied(np.ascontiguousarray(saved["boards"])).view(layout.BOARD)
    legals = check_records(games, boards)
    _check_rows(rows, games, boards, configs, settings)
    is_over = games["phase"] == OVER
    followed = _derive(games, boards, legals, settings)
    for name, expected in followed.items():
        found = saved[name]
        if found.dtype.names is not None:
            found, expected = (np.ascontiguousarray(a).view(np.uint8).reshape(len(a), -1) for a in (found, expected))
        _need(_rows_equal(found, expected), name, "does not follow from the games")
    finals = saved["finals"]
    _need(finals >= 0, "finals", "has points that nobody can have")
    _need(_rows_equal(finals, 0) | (rows["n_steps_final"] > 0), "finals", "has points, but no game has ended")
    _need(_rows_equal(finals, saved["sheets"]) | ~is_over, "finals", "does not follow from the game that is over")


def _rows_equal(found: np.ndarray, expected: Any) -> np.ndarray:
    same: np.ndarray = (found == expected).reshape(len(found), -1).all(axis=1)
    return same


def _check_rows(
    rows: np.ndarray, games: np.ndarray, boards: np.ndarray, configs: Sequence[Config], settings: np.ndarray
) -> None:
    for name in ("terminated", "illegal", "is_over"):  # a bool of another byte than 0 and 1 is neither
        _need(rows[name].view(np.uint8) <= 1, f"rows.{name}", "is neither True nor False")
    _need(~rows["spare"].any(axis=1), "rows.spare", "is not 0")
    _need((rows["config"] >= 0) & (rows["config"] < len(configs)), "rows.config", f"is none of the {len(configs)}")
    n_players = np.array([config.num_players for config in configs])[rows["config"]]
    _need(rows["n_players"] == boards["n_players"], "rows.n_players", "does not follow from the game")
    _need(rows["n_players"] == n_players, "rows.n_players", "does not follow from its config")
    _need(rows["seat"] == games["seat"], "rows.seat", "does not follow from the game")
    _need(rows["is_over"] == (games["phase"] == OVER), "rows.is_over", "does not follow from the game")
    if settings["autoreset"][0] == Autoreset.SAME_STEP:
        _need(~rows["is_over"], "rows.is_over", "is True, but the next game would have begun")
    for name in ("n_steps", "n_steps_final"):
        _need(rows[name] >= 0, f"rows.{name}", "is negative")
    _need(np.isfinite(rows["rewards"]).all(axis=1), "rows.rewards", "is not finite")


def _derive(games: np.ndarray, boards: np.ndarray, legals: np.ndarray, settings: np.ndarray) -> dict[str, np.ndarray]:
    """What a batch keeps that follows from its games."""
    rules, n, form = make_rules(), len(games), settings["form"][0]
    is_over = games["phase"] == OVER
    sheets = np.zeros((n, layout.MAX_PLAYERS, layout.SCORING_IN_PLAY + 1), np.int16)
    batch.score_all(games, boards, rules, sheets)
    masks, packed = np.zeros((n, layout.N_ACTIONS), np.int8), np.zeros((n, SPEC.n_words), np.uint32)
    n_planes = n if form == Form.PLANES else 0
    planes, vectors = (
        np.zeros((n_planes, *SPEC.planes_shape), np.uint8),
        np.zeros((n_planes, SPEC.n_entries), np.float32),
    )
    batch.observe_all(
        games["seat"].astype(np.int64), games, boards, rules, SPEC.table, legals, sheets, np.zeros(n, np.bool_), masks, packed, planes, vectors
    )  # fmt: skip
    masks[is_over, layout.DONE] = 1  # the mask of a finished game is never empty
    if form == Form.NOTHING:
        packed = packed[:1] * 0
        if settings["reward"][0] != Reward.SCORE:  # nobody asks for points before the end
            sheets[~is_over] = 0
    if form != Form.PLANES:
        planes, vectors = np.zeros((1, *SPEC.planes_shape), np.uint8), np.zeros((1, SPEC.n_entries), np.float32)
    return {"legals": legals, "sheets": sheets, "masks": masks, "packed": packed, "planes": planes, "vectors": vectors}
