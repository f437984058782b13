"""``python -m benchmarks``: first figures of legal-move generation, stepping, the environments and compilation."""

from __future__ import annotations

import argparse
import json
import platform
import sys

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import engine, envs
from benchmarks.engine import Timing


def processor() -> str:
    """Name of the processor, as the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        return names[0] if names else platform.processor()
    except OSError:
        return platform.processor()


def machine() -> dict[str, str]:
    """What the figures were taken on."""
    return {
        "processor": processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def run(with_compilation: bool, console: Console) -> list[Timing]:
    """All timings, with a word on what is going on."""
    timings = []
    with console.status("collecting positions of random games") as status:
        mandatory = engine.collect(engine.is_mandatory, engine.POSITIONS, seed=1)
        main = [engine.with_five_abilities(game) for game in engine.collect(engine.is_main, engine.POSITIONS, seed=2)]
        status.update("timing legal masks")
        timings.append(engine.time_masks("legal mask, mandatory placement", mandatory))
        timings.append(engine.time_masks("legal mask, main phase, five upgraded abilities", main))
        status.update("timing random steps (compiles first)")
        timings.append(engine.time_steps())
        status.update("timing the reference")
        timings.extend(engine.time_reference())
        status.update("timing the environments")
        timings.extend(envs.time_aec())
        timings.extend(envs.time_vectors())
        if with_compilation:
            status.update("timing compilation in fresh processes")
            timings.extend(engine.time_compilation())
    return timings


def show(timings: list[Timing]) -> None:
    """A table for people."""
    for name, value in machine().items():
        print(f"{name}: {value}")
    table = Table("what", "best", "per second", "spread", "runs")
    for timing in timings:
        is_long = timing.unit == "ns"
        best = f"{timing.best / 1e9:.2f} s" if is_long else f"{timing.best:,.0f} {timing.unit}"
        rate = "" if is_long else f"{1e9 / timing.best:,.0f}"
        table.add_row(timing.name, best, rate, f"+{timing.spread:.0%}", str(len(timing.runs)))
    Console().print(table)
    by_name = {timing.name: timing.best for timing in timings}
    ratio = by_name["random step, reference"] / by_name["random step, engine"]
    print(f"{1e9 / by_name['random step, engine']:,.0f} random steps/s on one core, {ratio:,.0f} times the reference")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Time the engine and the environments: best and spread of several runs on one core, warm-up apart.",
        epilog="examples: python -m benchmarks; python -m benchmarks --no-compilation --json",
    )
    parser.add_argument("--json", action="store_true", help="one JSON line instead of the table")
    parser.add_argument("--no-compilation", action="store_true", help="leave out the compile times (a minute)")
    options = parser.parse_args(arguments)
    timings = run(not options.no_compilation, Console(stderr=True))
    if options.json:
        print(json.dumps({"machine": machine(), "timings": [timing.as_json() for timing in timings]}))
    else:
        show(timings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
