"""Two checkouts, or two interpreters, measured in turns: whatever the machine does besides meets both alike."""

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

LONGEST_WORDS = 600  # characters of what a run that failed has printed


class TurnsError(ValueError):
    """One of the two cannot be measured."""


@dataclass(frozen=True)
class Side:
    """A folder with a checkout, and the interpreter that runs it."""

    folder: Path
    python: Path


def side_of(named: str) -> Side:
    """What a path names: a checkout, with its own .venv if it has one, or an interpreter that runs this checkout."""
    path = Path(named).absolute()  # not resolved: the Python of a virtual environment is a link
    if (path / "benchmarks" / "__init__.py").is_file():
        own = path / ".venv" / "bin" / "python"
        return Side(path, own if own.is_file() else Path(sys.executable))
    if path.is_file() and os.access(path, os.X_OK):
        return Side(ROOT, path)
    raise TurnsError(
        f"{named} is neither a checkout, a folder with benchmarks in it, nor an interpreter that can be run"
    )


def measure_in_turns(
    before: Side, after: Side, parts: Sequence[str], options: Sequence[str], rounds: int, progress: Console
) -> tuple[Report, Report]:
    """The reports of both sides. Each part of each round is measured on one side and then on the other; who is first alternates."""
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
    """A part, measured in a process of its own."""
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
        raise TurnsError(f"{side.folder}: {part} wrote no report: {error}") from None
    if load is not None:  # a checkout from before there were loads does not say
        report.note_load(load)
    return report
