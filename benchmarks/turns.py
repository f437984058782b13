"""Measures two checkouts or interpreters alternately, so that other load affects both alike."""

from __future__ import annotations

import itertools
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from benchmarks.load import Meter
from benchmarks.report import ROOT, Report, read
from winterkingdom_env.core.plain_text import plain

LONGEST_WORDS = 600  # characters of the output of a failed run


class TurnsError(ValueError):
    """One of the two sides cannot be measured."""


@dataclass(frozen=True)
class Side:
    """A checkout and the interpreter to run it."""

    folder: Path
    python: Path


def side_of(named: str) -> Side:
    """The side for a path: a checkout, with its .venv if it has one, or an interpreter to run this checkout."""
    path = Path(named).absolute()  # not resolved: the Python of a virtual environment is a symbolic link
    if (path / "benchmarks" / "__init__.py").is_file():
        own = path / ".venv" / "bin" / "python"
        return Side(path, own if own.is_file() else Path(sys.executable))
    if path.is_file() and os.access(path, os.X_OK):
        return Side(ROOT, path)
    raise TurnsError(
        f"{named} is neither a checkout (a folder that contains benchmarks) nor an executable Python interpreter"
    )


def measure_in_turns(
    before: Side, after: Side, parts: Sequence[str], options: Sequence[str], rounds: int, progress: Console
) -> tuple[Report, Report]:
    """The reports of both sides. Each part of each round is measured on both sides; the order alternates between rounds."""
    session = secrets.token_urlsafe(8)
    found: dict[str, Report] = {}
    sides = {"before": before, "after": after}  # by name: both may be the same checkout
    for turn, part in itertools.product(range(rounds), parts):
        for name in sides if turn % 2 == 0 else reversed(sides):
            progress.print(f"round {turn + 1} of {rounds}: {part}, {name}", highlight=False)
            report = _measured(sides[name], part, options)
            whole = found.setdefault(name, Report(report.machine, report.level, game=report.game, session=session))
            whole.merge(report)
    return found["before"], found["after"]


def _measured(side: Side, part: str, options: Sequence[str]) -> Report:
    """The report of one part, measured in a new process."""
    meter = Meter()
    command = [str(side.python), "-m", "benchmarks", part, *options, "--json"]
    done = subprocess.run(command, cwd=side.folder, capture_output=True, text=True, errors="replace", check=False)
    load = meter.lap()
    if done.returncode != 0:
        told = plain(done.stderr.strip()[-LONGEST_WORDS:])
        raise TurnsError(f"{side.folder}: {part} ended with exit code {done.returncode}: {told}")
    try:
        report = read(done.stdout)
    except ValueError as error:
        raise TurnsError(f"{side.folder}: {part} did not print a report: {error}") from None
    if load is not None:  # older checkouts do not record loads
        report.note_load(load)
    return report
