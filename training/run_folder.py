"""The folder of a training run while it is written: settings, logs, checkpoints that survive a crash, and the network for the agent.

settings.json        settings, command, machine, versions; written once
progress.csv         a line per rollout
evaluations.csv      win rates on the way
checkpoints/*.pt     everything needed to go on; written whole or not at all, the last few are kept
policy.safetensors   the network as the agent ``policy`` loads it
tensorboard/         the same figures for TensorBoard, if it is installed
"""

from __future__ import annotations

import argparse
import csv
import datetime
import inspect
import io
import json
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import torch

from agents.report import csv_text
from benchmarks.report import machine
from winterkingdom_env.core.files import read_limited, write_whole
from winterkingdom_env.core.plain_json import parse_json
from winterkingdom_env.games import get_game

SETTINGS, PROGRESS, EVALUATIONS, CHECKPOINTS, POLICY = (
    "settings.json", "progress.csv", "evaluations.csv", "checkpoints", "policy.safetensors",
)  # fmt: skip
STEPS = re.compile(r"[0-9]{1,18}")
COMMENT = re.compile(r"^    (\w+): .*?  # (.*)$", re.MULTILINE)


class FolderError(ValueError):
    """The folder cannot be used as asked for."""


def settings_options(parser: argparse._ActionsContainer, kind: type[Any]) -> None:
    """An option for every field of a dataclass; the field's comment is the help."""
    comments = dict(COMMENT.findall(inspect.getsource(kind)))
    for field in fields(kind):
        shown = f"{comments[field.name].replace('%', '%%')} ({field.default})"
        option = f"--{field.name.replace('_', '-')}"
        if isinstance(field.default, bool):
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None, help=shown)
        else:
            parser.add_argument(option, type=type(field.default), metavar=type(field.default).__name__, help=shown)


def given_options(options: argparse.Namespace, kind: type[Any]) -> dict[str, Any]:
    """The fields that were given on the command line."""
    found = {field.name: getattr(options, field.name) for field in fields(kind)}
    return {name: value for name, value in found.items() if value is not None}


class RunFolder:
    """The folder of a run, new or to be gone on with."""

    def __init__(self, path: Path) -> None:
        """``create`` or ``reopen`` it before anything else."""
        self.path = path
        self._columns: dict[str, list[str]] = {}
        self._board: Any = None

    def create(self, settings: Any, preset: str, arguments: Sequence[str]) -> None:
        """Begin a new run, as the ``arguments`` of the command line asked for it; FolderError if there is something already."""
        if self.path.exists() and any(self.path.iterdir()):
            raise FolderError(
                f"{self.path} is not empty; choose another folder with --out, or go on with --resume {self.path}"
            )
        (self.path / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        command = shlex.join(["python", "-m", "training.ppo", *arguments])
        told = {
            "settings": asdict(settings), "command": command, "preset": preset, "network": settings.network,
            "env": f"{settings.game}_{get_game(settings.game).ENV_VERSION}",
            "machine": {key: str(value) for key, value in machine().items()},
            "versions": {name: version(name) for name in ("torch", "numpy", "numba")},
            "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        write_whole(self.path / SETTINGS, json.dumps(told, indent=1))

    def reopen(self) -> dict[str, Any]:
        """What settings.json says of a run that was begun before; FolderError if there is none."""
        try:
            told: dict[str, Any] = parse_json(read_limited(self.path / SETTINGS))
            told["settings"]  # noqa: B018  # whether it is there
            return told
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FolderError(
                f"{self.path} is no folder of a run: its {SETTINGS} cannot be read ({error}); begin one with --out"
            ) from error

    def settings(self, kind: type[Any]) -> Any:
        """The settings of a run that was begun before, as a dataclass; FolderError names the field that is none of them."""
        told = self.reopen()["settings"]
        try:
            return msgspec.convert(told, kind)
        except msgspec.ValidationError as error:
            raise FolderError(f"{self.path / SETTINGS} cannot be used: settings: {error}") from None

    # Logs

    def log(self, row: Mapping[str, float], name: str = PROGRESS) -> None:
        """Add a line to a log and show its numbers in TensorBoard."""
        self.log_all([row], name)
        if name == PROGRESS and (board := self._tensorboard()) is not None:
            for key, value in row.items():
                if not math.isnan(value):
                    board.add_scalar(key, value, int(row["steps"]))

    def log_all(self, rows: Iterable[Mapping[str, Any]], name: str) -> None:
        """Add lines to a log; the first one of all decides which columns there are."""
        path = self.path / name
        for row in rows:
            if name not in self._columns:
                self._columns[name] = list(_header(path) or row)
            is_new = not path.exists()
            with path.open("a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, self._columns[name], extrasaction="ignore")
                if is_new:
                    writer.writeheader()
                writer.writerow(row)

    def forget_after(self, steps: int) -> None:
        """Drop the lines of the logs beyond these steps: the run goes on from there."""
        for name in (PROGRESS, EVALUATIONS):
            path = self.path / name
            if not path.is_file():
                continue
            columns, rows = _read_log(path)
            kept = [row for row in rows if STEPS.fullmatch(row.get("steps") or "") and int(row["steps"]) <= steps]
            write_whole(path, csv_text(kept, columns))

    def _tensorboard(self) -> Any:
        if self._board is None:
            try:
                from torch.utils.tensorboard import SummaryWriter
            except ImportError:
                return None
            self._board = SummaryWriter(str(self.path / "tensorboard"))
        return self._board

    def close(self) -> None:
        """Write what waits to be written."""
        if self._board is not None:
            self._board.close()

    # Checkpoints

    def save(self, state: Mapping[str, Any], steps: int, keep: int) -> Path:
        """Keep everything that decides how the run goes on, and drop all but the last few such files."""
        path = self.path / CHECKPOINTS / f"{steps:012}.pt"
        part = path.with_name(f"{path.name}.part")
        with part.open("wb") as file:
            torch.save(dict(state), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        for old in self.checkpoints()[:-keep]:
            old.unlink()
        return path

    def checkpoints(self) -> list[Path]:
        """The checkpoints, oldest first."""
        return sorted((self.path / CHECKPOINTS).glob("*.pt"))

    def load(self, use: Callable[[dict[str, Any]], None]) -> bool:
        """Give ``use`` the last checkpoint that it takes, with a message about each that cannot be read or is refused; False if there is none at all yet."""
        found = self.checkpoints()
        for path in reversed(found):
            try:
                state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
                if not isinstance(state, dict) or "steps" not in state:
                    raise ValueError("it is no checkpoint of a run")
                use(state)
                return True
            except Exception as error:  # whatever a damaged file makes of torch
                reason = str(error).splitlines()[0] if str(error) else type(error).__name__
                print(f"{path} cannot be read ({reason}); going back to the one before", file=sys.stderr)
        if found:
            raise FolderError(
                f"none of the {len(found)} checkpoints in {self.path / CHECKPOINTS} can be read; begin anew with --out"
            )
        return False


def _read_log(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Columns and rows of a log; what stands beyond the columns is left out. FolderError if it cannot be read."""
    try:
        reader = csv.DictReader(io.StringIO(read_limited(path).decode(), newline=""))
        columns = list(reader.fieldnames or ())
        return columns, [{column: row[column] or "" for column in columns} for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FolderError(f"{path} cannot be read: {error}; move it away to go on without it") from None


def _header(path: Path) -> Sequence[str]:
    if not path.is_file():
        return ()
    with path.open(newline="", encoding="utf-8") as file:
        return list(next(csv.reader(file), ()))
