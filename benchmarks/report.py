"""The report of a run: machine, timings and failures, as JSON and as tables."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.load import Load, typical
from benchmarks.timing import SECOND, Failure, Result, Text, Timing
from winterkingdom_env.core.files import read_limited
from winterkingdom_env.core.plain_json import parse_json
from winterkingdom_env.core.plain_text import plain, quoted
from winterkingdom_env.games import GAMES

SCHEMA = 1  # version of the JSON; other versions are refused
MOST_TIMINGS = 1000  # in a file: several times the size of the suite, and as many as fit in a plot
ROOT = Path(__file__).parents[1]
FIRST_GAME = next(iter(GAMES))


class ReportError(ValueError):
    """A file is not a report as written by ``--json``."""


def processor() -> str:
    """The name of the processor from the system; psutil does not have it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
        return names[0] if names else platform.processor()
    except OSError:
        return platform.processor()


def commit() -> str | None:
    """The current commit, with a + if there are uncommitted changes; None outside a git checkout."""
    try:
        ask = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
        return subprocess.run(ask, capture_output=True, check=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def machine() -> dict[str, Any]:
    """The machine and the versions."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "winterkingdom_env": tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"],
        "numpy": version("numpy"),
        "numba": version("numba"),
        "commit": commit(),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


@dataclass
class Report:
    """One run of the suite."""

    machine: Mapping[str, Any] = field(default_factory=machine)
    level: str = "short"
    timings: list[Timing] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    game: str = FIRST_GAME
    session: str | None = None  # shared by reports that were measured alternately

    @property
    def loads(self) -> list[Load]:
        """The loads of all timings."""
        return [load for timing in self.timings for load in timing.loads]

    def note_load(self, load: Load) -> None:
        """Set the load of all timings without one."""
        self.timings = [msgspec.structs.replace(each, loads=each.loads or (load,)) for each in self.timings]

    def add(self, result: Result) -> None:
        """Add a result; if the timing exists from an earlier round, append the runs to it."""
        if isinstance(result, Failure):
            self.failures += [result] if result not in self.failures else []
            return
        for i, earlier in enumerate(self.timings):
            if earlier.key == result.key:
                rounds = earlier.rounds + (result.rounds or (len(result.runs),))
                runs, loads = earlier.runs + result.runs, earlier.loads + result.loads
                self.timings[i] = msgspec.structs.replace(earlier, runs=runs, rounds=rounds, loads=loads)
                return
        self.timings.append(msgspec.structs.replace(result, rounds=result.rounds or (len(result.runs),)))

    def merge(self, other: Report) -> None:
        """Add the results of another report: a further round, or other parts."""
        for timing in other.timings:
            self.add(timing)
        for failure in other.failures:
            self.add(failure)

    def find(self, part: str, name: str) -> Timing | None:
        """The first timing whose name matches, with * as a wildcard; None if there is none."""
        return next((timing for timing in self.of(part) if fnmatchcase(timing.name, name)), None)

    def of(self, part: str) -> list[Timing]:
        """The timings of a part."""
        return [timing for timing in self.timings if timing.part == part]

    def write(self) -> str:
        """The report as one line of JSON."""
        body = {
            "schema": SCHEMA,
            "game": self.game,
            "machine": dict(self.machine),
            "level": self.level,
            "timings": [timing.as_json() for timing in self.timings],
            "failures": msgspec.to_builtins(self.failures),
            **({} if self.session is None else {"session": self.session}),
        }
        return json.dumps(body)


class _Machine(msgspec.Struct):
    processor: Text
    cores: int | None
    system: Text
    python: Text
    numpy: Text
    numba: Text
    date: Text
    commit: Text | None = None


class _Written(msgspec.Struct):
    """The schema that a file must match."""

    machine: _Machine
    level: Text
    timings: Annotated[list[Timing], msgspec.Meta(max_length=MOST_TIMINGS)]
    failures: list[Failure]
    game: Text = FIRST_GAME  # missing in files from before there were several games
    session: Text | None = None


def read(text: str) -> Report:
    """Read a report written by ``Report.write``; ReportError names the invalid field."""
    try:
        data = parse_json(text.encode())
        schema = data.get("schema") if isinstance(data, dict) else SCHEMA  # anything but an object is refused below
        if type(schema) is not int or schema != SCHEMA:
            raise ReportError(f"schema is {quoted(schema)}, but this version reads {SCHEMA}; run the suite again")
        written = msgspec.convert(data, _Written)
    except ReportError:
        raise
    except ValueError as error:  # includes msgspec's errors
        raise ReportError(f"not a report: {plain(str(error))}; python -m benchmarks --json FILE writes one") from None
    _check_rounds(written.timings)
    return Report(data["machine"], written.level, written.timings, written.failures, written.game, written.session)


def _check_rounds(timings: Sequence[Timing]) -> None:
    for timing in timings:
        if timing.rounds and sum(timing.rounds) != len(timing.runs):
            raise ReportError(
                f"{quoted(timing.name)} has {len(timing.runs)} runs, but its rounds have {sum(timing.rounds)}; run the suite again"
            )


def read_file(path: str | Path) -> Report:
    """The report in a file; ReportError names the file."""
    try:
        return read(read_limited(path).decode())
    except OSError as error:
        raise ReportError(f"{plain(str(path))}: {error.strerror}") from error
    except ValueError as error:
        raise ReportError(f"{plain(str(path))}: {error}") from error


def duration(nanoseconds: float) -> str:
    """A time as text in a suitable unit."""
    for size, unit in ((SECOND, "s"), (1e6, "ms"), (1e4, "us")):
        if nanoseconds >= size:
            value = nanoseconds / (1e3 if unit == "us" else size)
            return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
    return f"{nanoseconds:,.0f} ns" if nanoseconds >= 100 else f"{nanoseconds:.3g} ns"


def rate(timing: Timing) -> str:
    """Units per second as text; "" if only the time matters."""
    return "" if timing.unit == "process" else f"{timing.rate:,.0f}"


def notes(timing: Timing) -> str:
    """The parameters that are not in the name."""
    return ", ".join(f"{name} {value}" for name, value in timing.parameters.items() if name in SHOWN)


def others(timing: Timing) -> str:
    """Cores used by other programs during the timing, as text; "" if unknown."""
    load = typical(timing.loads)
    return "" if load is None else f"{load.others:.1f}"


SHOWN = ("positions", "depth", "legal", "cores", "steps_per_game", "version")


def show(report: Report, console: Console) -> None:
    """Print the machine and a table per part."""
    facts = {"game": report.game, **report.machine}
    console.print(", ".join(f"{name} {value}" for name, value in facts.items() if value is not None), highlight=False)
    for part in dict.fromkeys(timing.part for timing in report.timings):
        table = Table(title=part, title_justify="left", title_style="bold")
        table.add_column("what")
        for column in ("best", "per second", "spread", "runs", "threads", "warm-up", "others"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("notes", overflow="fold")
        for timing in report.of(part):
            table.add_row(
                timing.name, f"{duration(timing.best)} / {timing.unit}", rate(timing), f"+{timing.spread:.0%}",
                str(len(timing.runs)), str(timing.parameters.get("threads", 1)), duration(timing.warm_up) if timing.warm_up else "", others(timing), notes(timing),
            )  # fmt: skip
        console.print(table)
    for failure in report.failures:
        console.print(
            f"{failure.part}: {failure.name} was not measured: {failure.reason}", markup=False, highlight=False
        )
