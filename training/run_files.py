"""The files of a training run, read and validated.

settings.json            settings, command, preset, network, env, machine, versions, started
progress.csv             a row per iteration; unknown columns are ignored, most columns may be missing
evaluations.csv          win rates during training, a row per opponent, split and number of players; may be missing
final/evaluation.csv     what ``winterkingdom evaluate`` writes; may be missing
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from agents.schedule import MOST_GAMES
from training.winrates import ALL, Row
from winterkingdom_env.core.files import read_limited
from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import one_line, quoted

SETTINGS, PROGRESS, EVALUATIONS, FINAL = "settings.json", "progress.csv", "evaluations.csv", "final/evaluation.csv"
POLICY = "policy.safetensors"  # the network for the agent; there when the run has ended
NEEDED = ("iteration", "steps", "seconds")  # required columns of progress.csv
KNOWN = (
    "games", "steps_per_second", "return", "score", "entropy", "explained_variance", "policy_loss", "value_loss", "approx_kl",
    "clip_fraction", "learning_rate", "league", "share_env", "share_inference", "share_learning", "share_other",
)  # fmt: skip  # further columns that must be numbers if they are there; others may be anything
ROW_TEXTS = ("agent", "opponent", "split", "fact", "value")
FACT = ("fact", "value")  # columns that evaluations during training may lack, because they are about all games
ROW_NUMBERS = ("num_players", "setups", "games", "win_rate", "low", "high")


class RunError(ValueError):
    """A folder is not a training run, or one of its files is damaged."""


class About(msgspec.Struct, kw_only=True):
    """The content of ``settings.json``."""

    settings: dict[str, Any]
    command: str = ""
    preset: str = ""
    network: str = ""
    env: str = ""
    machine: dict[str, Any] = {}
    versions: dict[str, Any] = {}
    started: str = ""


@dataclass(frozen=True)
class Evaluation:
    """A row of win rates, and when it was measured."""

    steps: float
    seconds: float
    row: Row


@dataclass(frozen=True)
class Run:
    """A training run. ``progress``: columns by name, a number per iteration, nan for an empty cell."""

    name: str
    about: About
    progress: dict[str, list[float]]
    evaluations: list[Evaluation]
    final: list[Row]

    @property
    def steps(self) -> int:
        """The number of training steps."""
        return int(self.progress["steps"][-1])

    @property
    def seconds(self) -> float:
        """The duration of the training."""
        return self.progress["seconds"][-1]

    def has(self, column: str) -> bool:
        """Whether a column of the progress has any number."""
        return any(math.isfinite(value) for value in self.progress.get(column, ()))

    def strengths(self) -> list[Row]:
        """The latest evaluation: the final one, or the last one during training."""
        if self.final:
            return self.final
        latest: dict[tuple[str, str, int, str], Evaluation] = {}
        for found in self.evaluations:
            row = found.row
            latest[row.agent, row.opponent, row.num_players, row.split] = found
        last = max((found.steps for found in latest.values()), default=0.0)
        return [found.row for found in latest.values() if found.steps == last]


def read_run(folder: Path) -> Run:
    """The run in a folder. Raises RunError, naming the file and line, if it is invalid."""
    about, path = _about(folder), folder / PROGRESS
    columns: dict[str, list[float]] = {}
    for line, cells in _rows(path, NEEDED):
        for name in cells:
            columns.setdefault(name, []).append(_progress_cell(path, line, name, cells))
        if len(columns["steps"]) > 1 and not columns["steps"][-1] > columns["steps"][-2]:
            raise RunError(f"{path}, line {line}: steps must ascend, {columns['steps'][-1]:g} does not")
    if not columns:
        raise RunError(f"{path} has no row yet; wait until the first iteration has ended")
    evaluations, final = folder / EVALUATIONS, folder / FINAL
    return Run(
        name=folder.resolve().name,
        about=about,
        progress=columns,
        evaluations=list(_evaluations(evaluations)) if evaluations.exists() else [],
        final=read_rows(final) if final.exists() else [],
    )


def _about(folder: Path) -> About:
    path = folder / SETTINGS
    if not path.is_file():
        raise RunError(f"{folder} is not a training run: it has no {SETTINGS}; give the output folder of a trainer")
    try:
        return msgspec.convert(parse_json(read_limited(path)), About)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; a training run has one") from None
    except (msgspec.ValidationError, JsonError) as error:
        why = one_line(str(error))
        raise RunError(f"{path} is damaged: {why}; an object with 'settings' in it is needed") from None


def _rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and cells of a CSV file. An incomplete last line is still being written and is skipped."""
    try:
        text = read_limited(path).decode()
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}; a training run has one") from None
    except UnicodeDecodeError as error:
        raise RunError(f"{path} is not text: {error}") from None
    lines = text.splitlines() if text.endswith(("\n", "\r")) else text.splitlines()[:-1]
    reader = _cells(path, lines)
    head = next(reader, None)
    if not head:
        raise RunError(f"{path} is empty; its first line names the columns: {', '.join(needed)}, ...")
    names = head[1]
    missing = [name for name in needed if name not in names]
    if missing:
        raise RunError(f"{path}, line 1: no column {', '.join(missing)}; there are {one_line(', '.join(names), 200)}")
    for line, cells in reader:
        if len(cells) != len(names):
            raise RunError(f"{path}, line {line}: {len(cells)} cells, the first line names {len(names)}")
        yield line, dict(zip(names, cells, strict=True))


def _cells(path: Path, lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and cells of those lines that are not empty."""
    reader = csv.reader(lines)
    try:
        for cells in filter(None, reader):
            yield reader.line_num, cells
    except csv.Error as error:
        raise RunError(f"{path}, line {reader.line_num}: {error}") from None


def _number(path: Path, line: int, name: str, cells: Mapping[str, str]) -> float:
    """A cell that must be a number."""
    text = cells[name].strip()
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RunError(f"{path}, line {line}: {name} is {quoted(text)}, a number is needed")
    return value


def _progress_cell(path: Path, line: int, name: str, cells: Mapping[str, str]) -> float:
    """A cell of the progress: a number in required columns; a number, empty or nan in known ones; other columns are ignored if not a number."""
    if name in NEEDED:
        return _number(path, line, name, cells)
    text = cells[name].strip()
    try:
        value = float(text or "nan")
    except ValueError:
        if name in KNOWN:
            raise RunError(f"{path}, line {line}: {name} is {quoted(text)}, a number is needed") from None
        value = math.nan
    return value if math.isfinite(value) else math.nan


def _row_columns(has_fact: bool) -> tuple[str, ...]:
    return (*(name for name in ROW_TEXTS if has_fact or name not in FACT), *ROW_NUMBERS)


def _row(path: Path, line: int, cells: Mapping[str, str]) -> Row:
    numbers = {name: _number(path, line, name, cells) for name in ROW_NUMBERS}
    for name in ROW_TEXTS:
        if not cells.get(name, "").isprintable():
            raise RunError(f"{path}, line {line}: {name} is {quoted(cells[name])}, which cannot be printed")
    rate, low, high = (numbers[name] for name in ("win_rate", "low", "high"))
    for name in ("num_players", "setups", "games"):
        if not 1 <= numbers[name] <= MOST_GAMES or numbers[name] != int(numbers[name]):
            raise RunError(
                f"{path}, line {line}: {name} is {numbers[name]:g}, a whole number from 1 to {MOST_GAMES:,} is needed"
            )
    if not 0 <= low <= rate <= high <= 1:
        raise RunError(f"{path}, line {line}: low {low:g}, win_rate {rate:g}, high {high:g} must ascend from 0 to 1")
    return Row(
        agent=cells["agent"], opponent=cells["opponent"], split=cells["split"], fact=cells.get("fact", ALL), value=cells.get("value", ALL),
        num_players=int(numbers["num_players"]), setups=int(numbers["setups"]), games=int(numbers["games"]),
        wins=rate * numbers["games"], win_rate=rate, low=low, high=high,
    )  # fmt: skip


def read_rows(path: Path) -> list[Row]:
    """The win rates that ``training.evaluate`` wrote."""
    return [_row(path, line, cells) for line, cells in _rows(path, _row_columns(True))]


def _evaluations(path: Path) -> Iterator[Evaluation]:
    for line, cells in _rows(path, ("steps", "seconds", *_row_columns(False))):
        steps, seconds = (_number(path, line, name, cells) for name in ("steps", "seconds"))
        yield Evaluation(steps, seconds, _row(path, line, cells))
