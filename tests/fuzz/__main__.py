"""The fuzz run: ``python -m tests.fuzz``. Exit code 0: nothing crashed, hung or failed; 1: something did; 2: wrong use."""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.fuzz.driver import Limits, Tally, replay, run_part
from tests.fuzz.parts import PARTS

EXAMPLES = """examples:
  python -m tests.fuzz --seconds 600
  python -m tests.fuzz saves --attempts 100000 --seed 7 --json
  python -m tests.fuzz --replay saves 7000000123
"""
ROOM = 10**9  # seeds of one run; --seed N begins at N * ROOM
NEWS = 10.0  # seconds between two lines where no line can be written over


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="python -m tests.fuzz", formatter_class=argparse.RawDescriptionHelpFormatter, epilog=EXAMPLES,
        description=f"Things from outside with something wrong in them. Parts: {', '.join(PARTS)}.",
    )  # fmt: skip
    found.add_argument("parts", nargs="*", metavar="PART", help="which parts (all)")
    found.add_argument("--seconds", type=float, help="time for all parts together (600, or no limit with --attempts)")
    found.add_argument("--attempts", type=int, help="attempts of each part (no limit)")
    found.add_argument("--workers", type=int, default=2, help="processes (2)")
    found.add_argument("--seed", type=int, default=0, help="another seed makes other attempts (0)")
    found.add_argument("--hang-seconds", type=float, default=60.0, help="an attempt that takes longer hangs (60)")
    found.add_argument("--replay", nargs=2, metavar=("PART", "SEED"), help="one attempt again, with all that it says")
    found.add_argument("--json", action="store_true", help="one line for machines instead of a table")
    return found


class News:
    """Says now and then how far a part is."""

    def __init__(self, console: Console) -> None:
        self.console, self.last = console, time.monotonic()

    def tell(self, name: str, tally: Tally, is_last: bool = False) -> None:
        """A line on the way: over the last one in a terminal, else every few seconds."""
        if not is_last and time.monotonic() - self.last < (0.5 if self.console.is_terminal else NEWS):
            return
        self.last = time.monotonic()
        told = (
            ", ".join(f"{n:,} {outcome}" for outcome, n in tally.outcomes.most_common()) or tally.skipped or "preparing"
        )
        end = "\r" if self.console.is_terminal and not is_last else "\n"
        self.console.print(
            f"{name}: {tally.seconds:.0f} s, {told}", end=end, highlight=False, soft_wrap=True, markup=False
        )


def as_plain(tally: Tally) -> dict[str, Any]:
    """A tally for machines."""
    return {
        "attempts": tally.attempts, "seconds": round(tally.seconds, 1), "skipped": tally.skipped, "outcomes": dict(tally.outcomes),
        "crashes": tally.seeds("crash"), "hangs": tally.seeds("hang"), "failures": tally.seeds("failure"),
    }  # fmt: skip


def as_table(tallies: dict[str, Tally]) -> Table:
    """The tallies for people."""
    table = Table("part", "attempts", "outcomes", "crashes", "hangs", "failures")
    for name, tally in tallies.items():
        outcomes = ", ".join(f"{outcome} {n:,}" for outcome, n in tally.outcomes.most_common())
        troubles = [" ".join(map(str, tally.seeds(kind))) or "0" for kind in ("crash", "hang", "failure")]
        table.add_row(name, f"{tally.attempts:,}", outcomes or f"skipped: {tally.skipped}", *troubles)
    return table


def main(arguments: list[str] | None = None) -> int:
    """Run the parts one after the other."""
    options = parser().parse_args(arguments)
    console = Console(stderr=True)
    names = [options.replay[0]] if options.replay else options.parts or list(PARTS)
    unknown = [name for name in names if name not in PARTS]
    if unknown or options.workers < 1 or (options.replay and not options.replay[1].isdigit()):
        what = (
            f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}"
            if unknown
            else "--workers and seeds are numbers from 1 on"
        )
        print(f"tests.fuzz: {what}", file=sys.stderr)
        return 2
    tallies: dict[str, Tally] = {}
    news = News(console)
    seconds = 600.0 if options.seconds is None and options.attempts is None else options.seconds
    limits = Limits(seconds and seconds / len(names), options.attempts, options.hang_seconds)
    for name in names:
        if options.replay:
            tallies[name] = replay(PARTS[name], int(options.replay[1]), options.hang_seconds)
        else:
            first = options.seed * ROOM
            seeds = range(first, first + ROOM)
            tallies[name] = run_part(PARTS[name], seeds, options.workers, limits, partial(news.tell, name))
        news.tell(name, tallies[name], is_last=True)
        for kind, seed, text in tallies[name].troubles:
            console.print(f"{kind}: --replay {name} {seed}\n{text}", highlight=False, soft_wrap=True, markup=False)
    if options.json:
        print(json.dumps({"seed": options.seed, "parts": {name: as_plain(t) for name, t in tallies.items()}}))
    else:
        Console().print(as_table(tallies))
    return int(any(tally.troubles for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
