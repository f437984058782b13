"""The long differential run: ``python -m tests.house.soak --game winter_kingdom --games 20000``.

Plays games in lock-step in several processes and prints how often everything was exercised. Exit code 0: no
difference and nothing left out; 1: a difference, or something never exercised; 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from agents.interrupts import terminating_like_ctrl_c
from tests.house.lockstep import Difference, Tally
from tests.house.wild import WILD
from winterkingdom_env.games.house_rules import PRINTED, RANDOM

ROOT = Path(__file__).parents[1]
GAMES = tuple(sorted(path.parents[1].name for path in ROOT.glob("*/differential/lockstep.py")))
CHUNK = 27
NEWS = 1_000  # games between two lines where no progress bar can be shown


def lockstep_of(game: str) -> Any:
    """The module of a game that plays it in lock-step with its reference."""
    return import_module(f"tests.{game}.differential.lockstep")


def play(game: str, numbers: range, kind: str) -> Tally:
    """Play games in lock-step: what another process is asked for."""
    tally: Tally = lockstep_of(game).play_games(numbers, kind)
    return tally


def run(game: str, first: int, games: int, processes: int, console: Console, kind: str) -> tuple[Tally, list[str]]:
    """Play all games; what was exercised, and the differences found (the run goes on after one)."""
    tally, differences = Tally(), []
    chunks = [range(i, min(i + CHUNK, first + games)) for i in range(first, first + games, CHUNK)]
    columns = (
        TextColumn("lock-step games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    context = multiprocessing.get_context("spawn")
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(processes, context) as pool:
        task = progress.add_task("games", total=games)
        futures = {pool.submit(play, game, chunk, kind): chunk for chunk in chunks}
        for future in _until_interrupted(futures, pool, console):
            try:
                tally.add(future.result())
            except Difference as difference:
                differences.append(str(difference))
                console.print(f"[red]difference[/red] {difference}", highlight=False)
            progress.advance(task, len(futures[future]))
            if not console.is_terminal and tally.games // NEWS > (tally.games - CHUNK) // NEWS:
                console.print(f"{tally.games:,} of {games:,} games, {len(differences)} differences", highlight=False)
    return tally, differences


def _until_interrupted(
    futures: dict[Future[Tally], range], pool: ProcessPoolExecutor, console: Console
) -> Iterator[Future[Tally]]:
    try:
        yield from as_completed(futures)
    except KeyboardInterrupt:
        console.print("interrupted: what follows is about the games finished so far")
        pool.shutdown(wait=False, cancel_futures=True)


def show(tally: Tally, seconds: float, differences: list[str], things: list[str], console: Console) -> None:
    """Print the table for people."""
    table = Table("exercised", "times", "exercised", "times", "exercised", "times", title="What the games exercised")
    third = -(-len(things) // 3)
    for i in range(third):
        row = []
        for j in (i, i + third, i + 2 * third):
            row += [things[j], f"{tally.counts[things[j]]:,}"] if j < len(things) else ["", ""]
        table.add_row(*row)
    console.print(table)
    console.print(
        f"{tally.games:,} games, {tally.steps:,} steps compared, {tally.illegal:,} illegal actions refused, "
        f"{len(differences)} differences, {seconds / 60:.1f} minutes",
        highlight=False,
    )


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.house.soak",
        description="Play random games with the kernels and the reference in lock-step and compare every step.",
        epilog="examples: python -m tests.house.soak --games 20000; "
        "python -m tests.house.soak --game dominion --games 216 --first 1000 --processes 1 --json",
    )
    parser.add_argument("--game", choices=GAMES, default="winter_kingdom", help="which game (default winter_kingdom)")
    parser.add_argument("--games", type=int, default=20_000, help="number of games (default 20000)")
    parser.add_argument("--first", type=int, default=0, help="number, and so the seed, of the first game")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument(
        "--house-rules",
        choices=(RANDOM, WILD),
        default=PRINTED,
        help="other house rules in every game: moderate or any",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON line instead of the table")
    options = parser.parse_args(arguments)
    if options.games < 1 or options.processes < 1:
        parser.error("--games and --processes must be at least 1")
    console = Console(stderr=True)
    kind, things = options.house_rules, lockstep_of(options.game).things_to_exercise(options.house_rules)
    play(
        options.game, range(options.first, options.first + 1), kind
    )  # compiles the kernels once, before there are several processes
    start = time.monotonic()
    with terminating_like_ctrl_c():  # otherwise the other processes would go on after this one
        tally, differences = run(options.game, options.first, options.games, options.processes, console, kind)
    seconds = time.monotonic() - start
    never = [thing for thing in things if not tally.counts[thing]]
    if options.json:
        result = {"games": tally.games, "steps": tally.steps, "illegal": tally.illegal, "seconds": seconds,
                  "differences": differences, "never": never, "counts": dict(tally.counts)}  # fmt: skip
        print(json.dumps(result))
    else:
        show(tally, seconds, differences, things, Console())
        if never:
            print(f"never exercised: {', '.join(never)}")
    return 1 if differences or never else 0


if __name__ == "__main__":
    sys.exit(main())
