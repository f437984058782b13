"""``python -m benchmarks``: the suite, its list of parts, the comparison of two reports, the README's table, the pictures."""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from rich.console import Console

from benchmarks import compare, markdown, plot
from benchmarks.positions import Source, source_of
from benchmarks.report import FIRST_GAME, Report, ReportError, duration, read_file, show
from benchmarks.timing import Budget, Level, Result, Timing
from winterkingdom_env._terminal import command_parser
from winterkingdom_env.core.files import write_whole
from winterkingdom_env.core.plain_text import plain
from winterkingdom_env.games import UnknownGameError, get_game, known_games

PARTS = {
    "legal_moves": "ns per legal mask: by phase, and by whatever else a game tells apart; kernel, numpy twin, reference",
    "perft": "action sequences per second, in bulk and with every move made",
    "stepping": "random steps and games of the bare engine, no observation",
    "envs": "AEC raw and wrapped; the vector environment by form, batch and threads",
    "clone": "copies per second, by every way to copy",
    "compile": "cold and warm start, import time",
    "scaling": "cost against players, round, batch, and whatever else a game tells; threads, also beside busy loops",
    "search": "simulations per second of the tree search, one thread and two; plans of a turn",
    "peers": "the same random play in other environments that are installed; only if named",
}
MODULES = {"compile": "compilation"}
SHORT_PARTS = ("legal_moves", "stepping", "envs", "compile")
FULL_PARTS = tuple(part for part in PARTS if part != "peers")
N_RUNS = {Level.QUICK: 2, Level.SHORT: 5, Level.FULL: 7}
STDOUT = "-"
Part = Callable[[Budget, Source], Iterator[Result]]


def part_of(name: str) -> Part:
    """The function that measures a part; imported only when it is wanted."""
    run: Part = import_module(f"benchmarks.{MODULES.get(name, name)}").run
    return run


def measure_parts(
    names: Sequence[str], budget: Budget, rounds: int, progress: Console, source: Source | None = None
) -> Report:
    """Run the parts, so many times one after the other, and say on ``progress`` what has been measured."""
    source = source_of(get_game(FIRST_GAME)) if source is None else source
    report = Report(level=budget.level.name.lower(), game=source.rules.NAME)
    for part_round, name in itertools.product(range(1, rounds + 1), names):
        title = name if rounds == 1 else f"{name}, round {part_round} of {rounds}"
        with progress.status(f"{title}: getting ready") as status:
            for result in part_of(name)(budget, source):
                report.add(result)
                words = duration(result.best) if isinstance(result, Timing) else f"not measured: {result.reason}"
                progress.print(f"{title}: {result.name}: {words}", markup=False, highlight=False, soft_wrap=True)
                status.update(f"{title}: after {result.name}")
    return report


def run_parser() -> argparse.ArgumentParser:
    """The command line of a run."""
    parser = command_parser(
        "benchmarks",
        "Time the project part by part: best and spread of several runs, warm-up apart; docs/benchmarks.md.",
        "other commands (each with --help):\n"
        "  python -m benchmarks list\n"
        "  python -m benchmarks compare OLD.json NEW.json\n"
        "  python -m benchmarks table FILE.json ...\n"
        "  python -m benchmarks plot DIR FILE.json ...\n\n"
        "examples:\n"
        "  python -m benchmarks legal_moves stepping\n"
        "  python -m benchmarks --full --json before.json --plot pictures",
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; none: {', '.join(SHORT_PARTS)}")
    parser.add_argument("--full", action="store_true", help="more of everything; without a part: all but peers")
    parser.add_argument(
        "--quick", action="store_true", help="only to see that it runs, in seconds; no cold compilation"
    )
    parser.add_argument("--runs", type=int, metavar="N", help="runs of each timing (5, with --full 7)")
    parser.add_argument(
        "--rounds", type=int, default=1, metavar="N", help="go through the parts so often and put the runs together (1)"
    )
    parser.add_argument(
        "--json",
        nargs="?",
        const=STDOUT,
        metavar="FILE",
        help="write JSON to FILE; alone: print it instead of the table",
    )
    parser.add_argument("--plot", metavar="DIR", help="draw the pictures into this folder (matplotlib)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which games are played (1)")
    games = f"{', '.join(known_games())}, or package.module:attribute"
    parser.add_argument("--game", default=FIRST_GAME, metavar="NAME", help=f"what is played: {games} (%(default)s)")
    return parser


def check_run(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """The options, or exit with code 2 and what is wrong with them."""
    options = parser.parse_args(arguments)
    if options.json in PARTS:  # "--json stepping": nobody calls a file so
        options.parts, options.json = [*options.parts, options.json], STDOUT
    for name in options.parts:
        if name not in PARTS:
            parser.error(f"{name!r} is no part; there are: {', '.join(PARTS)}")
    if options.full and options.quick:
        parser.error("--full and --quick exclude each other")
    if options.runs is not None and options.runs < 1:
        parser.error(f"--runs {options.runs}: at least one run is needed, five for a spread that means something")
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: at least one round is needed")
    if options.seed < 0:
        parser.error(f"--seed {options.seed}: a seed is a number from 0 on")
    return options


def source_for(parser: argparse.ArgumentParser, game: str) -> Source:
    """Where the positions of the game come from, or exit with code 2."""
    try:
        return source_of(get_game(game))
    except UnknownGameError as error:
        parser.error(plain(f"--game: {error}"))


def run(arguments: list[str]) -> int:
    """Measure, then print, write and draw what was asked for."""
    parser = run_parser()
    options = check_run(parser, arguments)
    level = Level.FULL if options.full else Level.QUICK if options.quick else Level.SHORT
    budget = Budget(level, options.runs or N_RUNS[level], options.seed)
    source = source_for(parser, options.game)
    if options.plot:
        try:
            plot.load()
        except plot.PlotError as error:
            parser.error(str(error))
    names = list(dict.fromkeys(options.parts)) or list(FULL_PARTS if options.full else SHORT_PARTS)
    report = measure_parts(names, budget, options.rounds, Console(stderr=True), source)
    if options.json == STDOUT:
        print(report.write())
    else:
        show_all(report)
    try:
        if options.json not in (None, STDOUT):
            write_whole(options.json, report.write() + "\n")
        if options.plot:
            draw([report], options.plot)
    except OSError as error:
        parser.error(plain(f"--json {options.json}: {error.strerror}; choose another file"))
    except plot.PlotError as error:
        parser.error(plain(str(error)))
    return 0


def show_all(report: Report) -> None:
    """Print the tables for people, the ratios to peers included."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    show(report, console)
    if report.of("peers"):
        console.print("\n".join(markdown.peers_table(report)), markup=False, highlight=False, soft_wrap=True)


def draw(reports: list[Report], folder: str) -> None:
    """Draw the pictures that the reports have figures for, and say where they are; PlotError if that cannot be."""
    try:
        drawn = plot.draw(reports, Path(folder))
    except OSError as error:
        raise plot.PlotError(
            f"{folder}: nothing can be written there: {error.strerror}; choose another folder"
        ) from None
    for path in drawn:
        print(f"drawn: {path}", file=sys.stderr)


def parser_of(command: str, words: str, *examples: str) -> argparse.ArgumentParser:
    """The command line of one of the other commands."""
    lines = [f"  python -m benchmarks {example}" for example in examples]
    return command_parser(f"benchmarks {command}", words, "\n".join(["examples:", *lines]))


def list_parts(arguments: list[str]) -> int:
    """Print the parts."""
    parser = parser_of("list", "Name the parts of the suite.", "list", "perft")
    parser.parse_args(arguments)
    for name, words in PARTS.items():
        print(f"{name:12} {words}")
    return 0


def read_all(parser: argparse.ArgumentParser, paths: Sequence[str]) -> list[Report]:
    """The reports in these files, or exit with code 2."""
    try:
        return [read_file(path) for path in paths]
    except ReportError as error:
        parser.error(str(error))


def compare_files(arguments: list[str]) -> int:
    """Print what changed between two reports; 1 if something got slower."""
    words = "Say what got faster or slower beyond the noise; exit code 1 if something got slower."
    parser = parser_of("compare", words, "compare old.json new.json", "compare old.json new.json --threshold 0.1")
    parser.add_argument("old", metavar="OLD.json")
    parser.add_argument("new", metavar="NEW.json")
    parser.add_argument(
        "--threshold", type=float, default=compare.THRESHOLD, help="smaller changes are noise (0.03 is 3 %%)"
    )
    options = parser.parse_args(arguments)
    if not 0 <= options.threshold < math.inf:
        parser.error(f"--threshold {options.threshold}: a share from 0 on is needed")
    old, new = read_all(parser, [options.old, options.new])
    for difference in compare.differences(old, new):
        print(f"careful, {difference}", file=sys.stderr)
    verdicts = compare.compare(old, new, options.threshold)
    # Names come from files: what looks like markup is none.
    compare.show(verdicts, Console(width=None if sys.stdout.isatty() else 140, markup=False, emoji=False))
    return int(any(verdict.word == "slower" for verdict in verdicts))


def print_table(arguments: list[str]) -> int:
    """Print the README's tables."""
    words = "Render reports as the Markdown tables of the README."
    parser = parser_of("table", words, "table benchmarks/results/full.json", "table full.json peers.json")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    print(markdown.render(read_all(parser, parser.parse_args(arguments).files)))
    return 0


def plot_files(arguments: list[str]) -> int:
    """Draw the pictures from reports."""
    words = "Draw the pictures of reports, as PNG and SVG."
    parser = parser_of("plot", words, "plot pictures full.json", "plot docs full.json peers.json")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    options = parser.parse_args(arguments)
    try:
        draw(read_all(parser, options.files), options.folder)
    except plot.PlotError as error:
        parser.error(plain(str(error)))
    return 0


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "list": list_parts,
    "compare": compare_files,
    "table": print_table,
    "plot": plot_files,
}


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in COMMANDS:
        return COMMANDS[given[0]](given[1:])
    return run(given)


if __name__ == "__main__":
    sys.exit(main())
