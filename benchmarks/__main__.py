"""``winterkingdom bench``: run the suite, list its parts, compare two checkouts or reports, print tables, draw plots."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.console import Console

from benchmarks import compare, markdown, plot, turns
from benchmarks.load import Meter
from benchmarks.positions import Source, source_of
from benchmarks.report import FIRST_GAME, ROOT, Report, duration, read_file, show
from benchmarks.timing import Budget, Level, Result, Timing
from winterkingdom_env.cli.options import DefaultGroup, GameName, Json, examples, new_app, run_app
from winterkingdom_env.cli.terminal import fail, say, tell, wrong_use
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.files import write_together, write_whole
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import get_game

PARTS = {
    "legal_moves": "ns per legal mask, by phase and by further groups of a game; kernel, numpy, reference",
    "perft": "action sequences per second, bulk counting and with every move made",
    "stepping": "random steps and games of the bare engine, without observations",
    "envs": "AEC raw and wrapped; vector environment by observation form, batch size and threads",
    "clone": "copies per second, for each way to copy",
    "compile": "cold and warm start, import times",
    "scaling": "cost by players, round, batch size and variations of a game; threads, also on a busy machine",
    "search": "simulations per second of the tree search, with one and two threads; turn plans",
    "peers": "the same random play in other installed environments; runs only if named",
    "web": "the server: 50 watched games at once, answers, clicks, memory; runs only if named",
}
MODULES = {"compile": "compilation"}
SHORT_PARTS = ("legal_moves", "stepping", "envs", "compile")
TURN_PARTS = ("legal_moves", "stepping", "envs")  # default parts of compare
NAMED_PARTS = ("peers", "web")  # run only if named
FULL_PARTS = tuple(part for part in PARTS if part not in NAMED_PARTS)
N_RUNS = {Level.QUICK: 2, Level.SHORT: 5, Level.FULL: 7}
Part = Callable[[Budget, Source], Iterator[Result]]


def part_of(name: str) -> Part:
    """The function that measures a part, imported on demand."""
    run: Part = import_module(f"benchmarks.{MODULES.get(name, name)}").run
    return run


def measure_parts(
    names: Sequence[str], budget: Budget, rounds: int, progress: Console, source: Source | None = None
) -> Report:
    """Run all parts ``rounds`` times, and print each result on ``progress``."""
    source = source_of(get_game(FIRST_GAME)) if source is None else source
    report = Report(level=budget.level.name.lower(), game=source.rules.NAME)
    meter = Meter()
    for part_round, name in itertools.product(range(1, rounds + 1), names):
        title = name if rounds == 1 else f"{name}, round {part_round} of {rounds}"
        with progress.status(f"{title}: preparing") as status:
            for found in part_of(name)(budget, source):
                load = meter.lap()
                is_timed = isinstance(found, Timing) and load is not None
                result = replace(found, loads=(load,)) if is_timed else found
                report.add(result)
                words = duration(result.best) if isinstance(result, Timing) else f"not measured: {result.reason}"
                progress.print(f"{title}: {result.name}: {words}", markup=False, highlight=False, soft_wrap=True)
                status.update(f"{title}: after {result.name}")
    return report


@contextmanager
def _told() -> Iterator[None]:
    """Turn errors into a one-line message and exit code 2."""
    try:
        with wrong_use():
            yield
    except plot.PlotError as error:
        fail(error)


app = new_app(cls=DefaultGroup, help="Run benchmarks.")
Reports = Annotated[list[Path], typer.Argument(metavar="FILE.json", help="Reports written by --out.")]


@app.command(
    "run",
    epilog=examples(
        "winterkingdom bench legal_moves stepping",
        "winterkingdom bench --full --out before.json --plot pictures",
        "winterkingdom bench list",
        "winterkingdom bench compare --before ../old-checkout stepping",
        "winterkingdom bench table before.json",
        "winterkingdom bench plot pictures before.json",
    ),
)
def run(
    parts: Annotated[
        list[str] | None,
        typer.Argument(metavar="PART", help=f"{', '.join(PARTS)}. Default: {', '.join(SHORT_PARTS)}."),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Longer runs; without PART: all parts except peers and web.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Smoke test of a few seconds, without cold compilation; the timings mean nothing."
        ),
    ] = False,
    runs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Runs per timing. Default: 5, with --full 7.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="Repeat all parts N times and merge the runs.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the report to this JSON file.")] = None,
    plot_to: Annotated[Path | None, typer.Option("--plot", metavar="DIR", help="Write plots to this folder.")] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the games.")] = 1,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Run benchmarks: best and spread of several runs, warm-up measured separately; docs/benchmarks.md."""
    with _told():
        source = source_of(get_game(game_name))
        names = _parts(parts or [], full, quick)
        if plot_to is not None:
            plot.load()
    level = Level.FULL if full else Level.QUICK if quick else Level.SHORT
    if quick:
        tell("--quick: the runs are too short for figures that mean something")
    report = measure_parts(names, Budget(level, runs or N_RUNS[level], seed), rounds, Console(stderr=True), source)
    if json:
        typer.echo(report.write())
    else:
        show_all(report)
    with _told():
        if out is not None:
            _write(report, out)
        if plot_to is not None:
            draw([report], plot_to)


def _write(report: Report, path: Path) -> None:
    try:
        write_whole(path, report.write() + "\n")
    except OSError as error:
        raise ValueError(f"--out {path}: {error.strerror}; choose another file") from None


def _parts(named: list[str], full: bool, quick: bool) -> list[str]:
    """The parts to measure, without duplicates; ValueError for an unknown part."""
    if full and quick:
        raise ValueError("--full and --quick exclude each other")
    for name in named:
        if name not in PARTS:
            hint = "; reports go to --out FILE" if name.endswith(".json") else ""
            raise ValueError(f"{quoted(name)} is not a part; the parts are: {', '.join(PARTS)}{hint}")
    return list(dict.fromkeys(named)) or list(FULL_PARTS if full else SHORT_PARTS)


def show_all(report: Report) -> None:
    """Print all tables, including the ratios to peers and the targets of the server."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    show(report, console)
    if report.of("peers"):
        console.print("\n".join(markdown.peers_table(report)), markup=False, highlight=False, soft_wrap=True)
    if report.of("web"):
        console.print("\n".join(markdown.web_table(report)), markup=False, highlight=False, soft_wrap=True)


def draw(reports: list[Report], folder: Path) -> None:
    """Draw all plots that the reports have data for and print their paths; PlotError if that fails."""
    try:
        drawn = plot.draw(reports, folder)
    except OSError as error:
        raise plot.PlotError(f"cannot write to {folder}: {error.strerror}; choose another folder") from None
    if not drawn:
        raise plot.PlotError("there is nothing to draw: plots need the parts legal_moves, envs or peers")
    for path in drawn:
        tell(f"plot: {path}")


@app.command("list", epilog=examples("winterkingdom bench list"))
def list_parts() -> None:
    """List the parts of the suite."""
    for name, words in PARTS.items():
        say(f"{name:12} {words}")


@app.command(
    "compare",
    epilog=examples(
        "winterkingdom bench compare --before ../old-checkout --rounds 10 stepping envs",
        "winterkingdom bench compare --before ../old-checkout --only kernel legal_moves",
        "winterkingdom bench compare old.json new.json --threshold 0.1",
    ),
)
def compare_files(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE|PART", help="OLD.json and NEW.json; with --before: the parts to measure."),
    ] = None,
    before: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|PYTHON", help="Measure now, alternating: another checkout or interpreter against --after."
        ),
    ] = None,
    after: Annotated[
        str,
        typer.Option(
            metavar="DIR|PYTHON", help="What to compare with --before. Default: this checkout.", show_default=False
        ),
    ] = str(ROOT),
    rounds: Annotated[int, typer.Option(min=compare.FEWEST, metavar="N", help="Alternating rounds.")] = 5,
    quick: Annotated[bool, typer.Option("--quick", help="Smoke test with short runs.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Long runs.")] = False,
    runs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Runs per timing and round. Default: 5, with --full 7.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the reports of --before to before.json and after.json.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, help="Ignore smaller relative changes; 0.03 is 3 %.")
    ] = compare.THRESHOLD,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Only lines with this text, as in --only kernel; can be repeated."),
    ] = None,
    game_name: GameName = FIRST_GAME,
) -> None:
    """Report significant speed changes. Exit code 1 if something got slower."""
    with _told():
        if before is None:
            if len(what or ()) != 2:
                raise ValueError("two files are needed, OLD.json and NEW.json, or --before with another checkout")
            old, new = (read_file(path) for path in what or ())
        else:
            parts = _parts(what or list(TURN_PARTS), full, quick)
            given = [*(["--quick"] if quick else []), *(["--full"] if full else []), "--game", game_name]
            given += [] if runs is None else ["--runs", str(runs)]
            sides = turns.side_of(before), turns.side_of(after)
            old, new = turns.measure_in_turns(*sides, parts, given, rounds, Console(stderr=True))
            if out is not None:
                named = {"before": old, "after": new}
                write_together({out / f"{name}.json": report.write() + "\n" for name, report in named.items()})
        for difference in compare.differences(old, new):
            tell(f"warning: {difference}")
        verdicts = compare.compare(old, new, threshold, only or ())
    # Names come from files and may look like markup.
    compare.show(verdicts, Console(width=None if sys.stdout.isatty() else 140, markup=False, emoji=False))
    slower = any(verdict.word == compare.SLOWER for verdict in verdicts)
    raise typer.Exit(Exit.FAILED if slower else Exit.OK)


@app.command("table", epilog=examples("winterkingdom bench table full.json peers.json"))
def print_table(files: Reports) -> None:
    """Print reports as the Markdown tables of docs/speed.md."""
    with _told():
        typer.echo(markdown.render([read_file(path) for path in files]))


@app.command("plot", epilog=examples("winterkingdom bench plot pictures full.json"))
def plot_files(folder: Annotated[Path, typer.Argument(metavar="DIR")], files: Reports) -> None:
    """Draw the plots of reports, as PNG and SVG."""
    with _told():
        draw([read_file(path) for path in files], folder)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    return run_app(app, "python -m benchmarks", arguments)


if __name__ == "__main__":
    sys.exit(main())
