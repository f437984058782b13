"""The folder of a training run: settings, logs, crash-safe checkpoints, and the network for the agent.

settings.json        settings, command, machine, versions; written once
progress.csv         a line per rollout
evaluations.csv      win rates during training
checkpoints/*.pt     everything needed to resume; written atomically, the last few are kept
policy.safetensors   the network as the agent ``policy`` loads it
tensorboard/         the same figures for TensorBoard, if it is installed
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import torch

from agents.report import csv_text
from agents.schedule import MOST_PROCESSES, MOST_SETUPS
from benchmarks.report import machine
from training.run_files import EVALUATIONS, PROGRESS, SETTINGS
from winterkingdom_env.core.files import read_limited, write_whole
from winterkingdom_env.core.plain_json import parse_json
from winterkingdom_env.core.plain_text import one_line, quoted
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games.options import read_options

CHECKPOINTS = "checkpoints"
STEPS = re.compile(r"[0-9]{1,18}")
PLAYERS = re.compile(r"[0-9](,[0-9]){0,63}")
ALL_PLAYERS = "all"
MOST_MINUTES, MOST_STEPS = 10**6, 10**15
MOST_DECISIONS = 1 << 20  # limit of a rollout: two rollouts must fit into memory, at about 12 kB per decision
# Bounds of every numeric setting, of all trainers.
LIMITS: dict[str, tuple[float, float]] = {
    "channels": (1, 1024), "layers": (1, 64), "width": (1, 4096), "seed": (0, (1 << 63) - 1), "minutes": (0, MOST_MINUTES), "steps": (0, MOST_STEPS),
    "games": (1, MOST_DECISIONS), "horizon": (1, MOST_DECISIONS), "epochs": (1, 1000), "minibatch": (1, 1 << 17), "n_setups": (1, MOST_SETUPS),
    "learning_rate": (0, 1), "clip": (0, 10), "gamma": (0, 1), "gae_lambda": (0, 1), "entropy": (0, 100), "value": (0, 100), "margin": (0, 1),
    "grad_norm": (0, 10**6), "league": (0, 1000), "league_share": (0, 1), "league_rollouts": (1, 10**6), "past_share": (0, 1), "random_share": (0, 1),
    "scripted_share": (0, 1), "snapshot_steps": (1, MOST_STEPS), "checkpoint_minutes": (0, MOST_MINUTES), "checkpoints": (1, 1000),
    "evaluate_minutes": (0, MOST_MINUTES), "evaluate_setups": (1, MOST_SETUPS), "final_setups": (0, MOST_SETUPS), "threads": (1, 256),
    "processes": (1, MOST_PROCESSES), "plans": (1, 1024), "updates": (1, 10**6), "explore": (0, 1), "worth_share": (0, 1), "memory": (1, 10**8), "trace": (0, 1), "points": (0, 100),
}  # fmt: skip


class FolderError(ValueError):
    """The folder cannot be used for this run."""


class SettingsError(ValueError):
    """An unknown setting, or one that conflicts with another."""


def check_settings(settings: Any) -> None:
    """Raise SettingsError, naming the first invalid field of a trainer's settings; called by their constructors."""
    for field in fields(settings):
        value, kind = getattr(settings, field.name), type(field.default)
        if kind not in (int, float):
            continue
        least, most = LIMITS[field.name]
        is_number = type(value) is int or (kind is float and type(value) is float)
        if not is_number or not least <= value <= most:  # false for NaN, too
            word = "a whole number" if kind is int else "a number"
            raise SettingsError(f"{field.name}={quoted(value)}: {word} from {least:,} to {most:,} is needed")
    if settings.house_rules:  # read a file now and store its content
        kept = get_game(settings.game).Config(house_rules=settings.house_rules).house_rules
        object.__setattr__(settings, "house_rules", kept)
    object.__setattr__(settings, "choices", tuple(settings.choices))
    read_options(get_game(settings.game), settings.choices)  # ValueError names what is wrong
    get_game(settings.game).splits().named(settings.split)  # likewise
    horizon = getattr(settings, "horizon", 1)
    if settings.games * horizon > MOST_DECISIONS:
        raise SettingsError(
            f"games={settings.games} x horizon={horizon}: a rollout has {MOST_DECISIONS:,} decisions at most"
        )
    if settings.players != ALL_PLAYERS and not PLAYERS.fullmatch(settings.players):
        raise SettingsError(f"players={quoted(settings.players)}: up to 64 numbers of players are needed, as in 2,3,4")
    if not settings.minutes and not settings.steps:
        raise SettingsError("minutes=0 and steps=0: the run would never end; give one of them")


def numbers_of(settings: Any) -> tuple[int, ...]:
    """The numbers of players in the settings."""
    if settings.players == ALL_PLAYERS:
        return tuple(get_game(settings.game).PLAYERS)
    return tuple(map(int, settings.players.split(",")))


def check_device(name: str) -> None:
    """Raise SettingsError unless torch can compute on this device."""
    try:
        torch.zeros(1, device=name).add(1).item()
    except Exception as error:  # devices fail in different ways
        why = one_line(str(error).partition("\n")[0], 200)
        raise SettingsError(f"device={quoted(name)} cannot be used here: {why}; cpu always works") from None


def check_place(path: Path) -> None:
    """Raise FolderError unless this folder can be read and written, or created."""
    try:
        there = _deepest(path)
        is_folder, is_mine = there.is_dir(), os.access(there, os.R_OK | os.W_OK | os.X_OK)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise FolderError(f"{path} cannot be the folder of a run: {why}; choose another one with --out") from None
    if not is_folder or not is_mine:
        why = "cannot be read and written" if is_folder else "is not a folder"
        raise FolderError(f"{path} cannot be the folder of a run: {there} {why}; choose another one with --out")


def check_empty(path: Path, otherwise: str = "") -> None:
    """Raise FolderError if a new run cannot start in this folder, or if it is not empty. ``otherwise``: what else the user can do."""
    check_place(path)
    if path.exists() and any(path.iterdir()):
        raise FolderError(f"{path} is not empty; choose another folder with --out{otherwise}")


def progress_of(settings: Any, steps: int, seconds: float) -> float:
    """The completed share of a run, 0 to 1, by steps or by time, whichever is larger."""
    by_steps = steps / settings.steps if settings.steps else 0.0
    by_time = seconds / 60 / settings.minutes if settings.minutes else 0.0
    return min(1.0, max(by_steps, by_time))


def in_percent(shares: Mapping[str, float]) -> str:
    """Shares of the time as text."""
    return ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())


def _deepest(path: Path) -> Path:
    """The path itself if it exists, or else its nearest existing parent."""
    for each in (path, *path.absolute().parents):
        with suppress(FileNotFoundError, NotADirectoryError):
            os.lstat(each)
            return each
    return Path(path.anchor)


class RunFolder:
    """The folder of a run, new or resumed."""

    def __init__(self, path: Path) -> None:
        """Call ``create`` or ``reopen`` before anything else."""
        self.path = path
        self._board: Any = None

    def create(self, settings: Any, preset: str, command: str) -> None:
        """Begin a new run, as the ``command`` line asked for it; FolderError if that cannot be."""
        self.check_new()
        try:
            (self.path / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(
                f"{self.path} cannot be created: {error.strerror}; choose another folder with --out"
            ) from None
        game = get_game(settings.game)
        told = {
            "settings": asdict(settings), "command": command, "preset": preset, "network": settings.network,
            "env": f"{game.NAME}_{game.ENV_VERSION}",
            "machine": {key: str(value) for key, value in machine().items()},
            "versions": {name: version(name) for name in ("torch", "numpy", "numba")},
            "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        write_whole(self.path / SETTINGS, json.dumps(told, indent=1))

    def check_new(self) -> None:
        """Raise FolderError if a new run cannot start here, or if the folder is not empty."""
        check_empty(self.path, f", or resume the run with --resume {self.path}")

    def reopen(self) -> dict[str, Any]:
        """The content of settings.json of an existing run. Raises FolderError if there is none."""
        try:
            told: dict[str, Any] = parse_json(read_limited(self.path / SETTINGS))
            told["settings"]  # whether it is there
            return told
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FolderError(
                f"{self.path} is not the folder of a run: its {SETTINGS} cannot be read ({error}); start a run with --out"
            ) from error

    def settings(self, kind: type[Any]) -> Any:
        """The settings of an existing run, as a dataclass. Raises FolderError, naming the invalid field."""
        about = self.reopen()
        told = about["settings"]
        known = {field.name for field in fields(kind)}
        try:
            for name in told if isinstance(told, dict) else ():
                if name not in known:
                    raise SettingsError(f"{quoted(name)} is not a setting")
            settings = msgspec.convert(told, kind)
        except (SettingsError, msgspec.ValidationError) as error:
            raise FolderError(f"{self.path / SETTINGS} cannot be used: settings: {error}") from None
        own = f"{settings.game}_{GAMES.get(settings.game)}"
        if settings.game in GAMES and about.get("env", own) != own:
            raise FolderError(
                f"{self.path} was started under the rules of {quoted(about['env'])}, this is {own}; start a new run with "
                "--out, or resume with the version of this project that started it"
            )
        return settings

    # Logs

    def log(self, row: Mapping[str, float], name: str = PROGRESS) -> None:
        """Append a line to a log, and write its numbers to TensorBoard."""
        self.log_all([row], name)
        if name == PROGRESS and (board := self._tensorboard()) is not None:
            for key, value in row.items():
                if not math.isnan(value):
                    board.add_scalar(key, value, int(row["steps"]))

    def log_all(self, rows: Sequence[Mapping[str, Any]], name: str) -> None:
        """Append one or more lines to a log; the first line of the log determines the columns."""
        path = self.path / name
        columns = _header(path)
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns or list(rows[0]), extrasaction="ignore")
            if not columns:
                writer.writeheader()
            writer.writerows(rows)

    def forget_after(self, steps: int) -> None:
        """Delete the lines of the logs after this number of steps, from which the run resumes."""
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
        """Flush and close the logs."""
        if self._board is not None:
            self._board.close()

    # Checkpoints

    def save(self, state: Mapping[str, Any], steps: int, keep: int) -> Path:
        """Write a checkpoint, and delete all but the last ``keep``."""
        path, content = self.path / CHECKPOINTS / f"{steps:012}.pt", io.BytesIO()
        torch.save(dict(state), content)
        write_whole(path, content.getvalue())
        for old in self.checkpoints()[:-keep]:
            old.unlink()
        return path

    def checkpoints(self) -> list[Path]:
        """The checkpoints, oldest first."""
        return sorted((self.path / CHECKPOINTS).glob("*.pt"))

    def load(self, use: Callable[[dict[str, Any]], None]) -> bool:
        """Pass the latest valid checkpoint to ``use``, with a message about each invalid one. Return False if there are none yet."""
        found = self.checkpoints()
        for path in reversed(found):
            try:
                state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
                if not isinstance(state, dict) or "steps" not in state:
                    raise ValueError("it is not a checkpoint of a run")
                use(state)
                return True
            except Exception as error:  # torch can raise anything on a damaged file
                reason = str(error).splitlines()[0] if str(error) else type(error).__name__
                print(f"{path} cannot be read ({reason}); trying the one before", file=sys.stderr)
        if found:
            raise FolderError(
                f"none of the {len(found)} checkpoints in {self.path / CHECKPOINTS} can be read; start a new run with --out"
            )
        return False


def _read_log(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Columns and rows of a log, without extra cells. Raises FolderError if it cannot be read."""
    try:
        reader = csv.DictReader(io.StringIO(read_limited(path).decode(), newline=""))
        columns = list(reader.fieldnames or ())
        return columns, [{column: row[column] or "" for column in columns} for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FolderError(f"{path} cannot be read: {error}; move it away to resume without it") from None


def _header(path: Path) -> Sequence[str]:
    if not path.is_file():
        return ()
    with path.open(newline="", encoding="utf-8") as file:
        return list(next(csv.reader(file), ()))
