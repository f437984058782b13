"""How quickly the server of ``winterkingdom serve`` answers, with 50 watched games and without, and whether its memory stays as it is.

The server has a core of its own, if the system can do this; the browsers without a screen are in this process. Times of a run become three timings:
the median, the 99th percentile and the worst.

``python -m benchmarks.web [page] [click] [load] [memory] [--games N] [--quick | --full]`` measures only this, with another number of games.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.positions import Source
from benchmarks.timing import SECOND, Budget, Facts, Failure, Level, Result, Timing
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.extras import MissingExtraError, needed
from winterkingdom_env.games import GAMES, GameRules, get_game
from winterkingdom_env.games.options import make_config
from winterkingdom_env.records import RecordWriter
from winterkingdom_env.search.registry import agent_spec, get_ready
from winterkingdom_env.search.view import View

if TYPE_CHECKING:  # they need the extra web
    from benchmarks.web_client import Browser, Heard, Made, Served

PART = "web"
DELAY = 0.5  # seconds between two moves of a watched game
TARGETS_MS = {"page": 100.0, "first byte": 50.0, "click": 100.0}
KEPT = 30.0  # seconds that a game stays in memory, as for users
KEPT_BRIEFLY = 0.5  # the same where memory is measured
MARKS = (0.1, 0.25, 0.5, 1.0)  # shares of the games after which the memory is read
AGENT = "greedy"
N_WATCHED_MOVES, N_OWN_MOVES = 10, 5  # in a game that is left
AT_ONCE = 4  # games that are visited at the same time
SETTLED = 2.0  # seconds from the first moves of all games to the measurement
DRAINED = 0.5  # seconds after it, for messages that are under way
QUESTIONS = ("page", "click", "load", "memory")


# --- figures ----------------------------------------------------------------------------------------------------------


def quantile(samples: Sequence[float], share: float) -> float:
    """The smallest sample that is not below this share of them."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def timings_of(name: str, unit: str, samples: Sequence[Sequence[float]], target: str = "") -> Iterator[Result]:
    """Median, 99th percentile and worst of each run's seconds."""
    if not all(samples):
        yield Failure(name, PART, "a run without a single answer")
        return
    facts: Facts = {"threads": 1, "what": name, "samples": sum(map(len, samples))}
    facts |= {"target_ms": TARGETS_MS[target]} if target else {}
    for words, share in (("median", 0.5), ("99 %", 0.99), ("worst", 1.0)):
        runs = tuple(SECOND * max(quantile(run, share), 1e-9) for run in samples)
        yield Timing(f"{name}, {words}", PART, unit, runs, {**facts, "statistic": words})


# --- load -------------------------------------------------------------------------------------------------------------


@dataclass
class Window:
    """What was seen in a stretch of time. Times are by the clock of ``moved_at``."""

    begin: float = math.inf
    end: float = math.inf
    delays: list[float] = field(default_factory=list)  # of messages
    pages: list[float] = field(default_factory=list)
    n_moves: int = 0
    cores: float = 0.0  # that the server used

    def note(self, heard: Heard, heard_at: float, n_before: int) -> None:
        """Count a message about a move, if the move was made in this window."""
        if heard.n > n_before and self.begin <= heard.moved_at < self.end:
            self.delays.append(heard_at - heard.moved_at)
            self.n_moves += heard.n - n_before

    @property
    def seconds_per_move(self) -> float:
        """The time over the moves of all games together."""
        return (self.end - self.begin) / max(1, self.n_moves)


def recorded(rules: GameRules, seed: int) -> tuple[bytes, int]:
    """The record of a game of agents, with a number of players that comes round with the seed; the number of its actions."""
    n_players = rules.PLAYERS[seed % len(rules.PLAYERS)]
    game, agent = rules.new_game(make_config(rules, n_players, ()), seed), agent_spec(AGENT).make(seed)
    get_ready(agent, rules)
    with tempfile.TemporaryDirectory() as folder:
        with RecordWriter(Path(folder) / "game.jsonl", game, [AGENT] * n_players) as writer:
            n = 0
            while not game.is_over:
                action = agent(View(game, game.seat))
                writer.write(game.seat, game.label(action))
                game.apply(action)
                n += 1
            writer.close(game)
        return writer.path.read_bytes(), n


@dataclass
class Begin:
    """A recorded game that others go on from."""

    source: str
    n_players: int
    n_moves: int


async def begins(served: Served, name: str, budget: Budget) -> list[Begin]:
    """Games of a kind that the server can go on from: one per number of players."""
    rules, found = get_game(name), []
    for seed in range(budget.seed, budget.seed + budget.choose(1, len(rules.PLAYERS), 2 * len(rules.PLAYERS))):
        content, n = recorded(rules, seed)
        n_players = rules.PLAYERS[seed % len(rules.PLAYERS)]
        found.append(Begin(await served.keep_record(content), n_players, n))
    return found


async def watched_games(
    served: Served, starts: Sequence[Begin], n_games: int, n_left: int, dice: random.Random
) -> list[Made]:
    """New games of agents alone, in every stage, with at least ``n_left`` actions to come as far as one can know."""
    made = []
    for i in range(n_games):
        start = starts[i % len(starts)]
        at = dice.randint(0, max(0, start.n_moves - n_left))
        seats = [{"agent": AGENT}] * start.n_players
        made.append(await served.new_game(seats, **{"from": {"source": start.source, "at": at}}))
    return made


@asynccontextmanager
async def spectators(served: Served, games: Sequence[Made], window: Window, dice: random.Random) -> AsyncIterator[None]:
    """A browser at each game, from when all games have moved."""
    from benchmarks.web_client import looking

    moving = [asyncio.Event() for _ in games]

    async def watch(made: Made, has_moved: asyncio.Event, seconds: float) -> None:
        await asyncio.sleep(seconds)
        async with looking(served, made) as browser:
            heard = await browser.hear()
            first = n = heard.n
            while not heard.is_over:
                heard = await browser.hear()
                window.note(heard, browser.heard_at, n)
                n = heard.n
                if n > first:
                    has_moved.set()
        has_moved.set()

    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(watch(made, has_moved, dice.uniform(0, DELAY)))
            for made, has_moved in zip(games, moving, strict=True)
        ]
        for has_moved in moving:
            await has_moved.wait()
        yield
        for task in tasks:
            task.cancel()


async def under_load(served: Served, starts: Sequence[Begin], budget: Budget, seed: int) -> Window:
    """One run: moves that arrive, and answers of the first page meanwhile."""
    dice, window, seconds = random.Random(seed), Window(), budget.choose(1, 10, 20)
    n_games, settled = budget.choose(4, 50, 50), budget.choose(0, 1, 1) * SETTLED
    n_left = int(2 * (seconds + settled + DRAINED) / DELAY)
    games = await watched_games(served, starts, n_games, n_left, dice)
    async with spectators(served, games, window, dice):
        await asyncio.sleep(settled)
        window.begin = time.time()
        window.end = window.begin + seconds
        used = served.seconds_used()
        while time.time() < window.end:
            window.pages.append((await served.page())[1])
            await asyncio.sleep(0.1)
        window.cores = (served.seconds_used() - used) / (time.time() - window.begin)
        await asyncio.sleep(DRAINED)
    return window


def time_load(served: Served, kinds: Sequence[str], budget: Budget) -> Iterator[Result]:
    """Moves and pages while games of these kinds are watched."""
    n_games = budget.choose(4, 50, 50)
    name = f"{n_games} games, {'mixed' if len(kinds) > 1 else kinds[0]}"

    async def all_runs() -> list[Window]:
        each = [await begins(served, kind, budget) for kind in kinds]
        starts = [some[i % len(some)] for i in range(max(map(len, each))) for some in each]
        return [await under_load(served, starts, budget, budget.seed + run) for run in range(budget.n_runs)]

    windows = asyncio.run(all_runs())
    yield from timings_of(f"{name}: move to message", "message", [window.delays for window in windows])
    yield from timings_of(f"{name}: page meanwhile", "page", [window.pages for window in windows], "page")
    runs = tuple(SECOND * window.seconds_per_move for window in windows)
    cores = round(statistics.median(window.cores for window in windows), 2)
    facts: Facts = {"threads": 1, "what": f"{name}: moves", "asked_per_second": n_games / DELAY, "cores": cores}
    yield Timing(f"{name}: moves", PART, "move", runs, facts)


# --- without load -----------------------------------------------------------------------------------------------------


def time_page(served: Served, budget: Budget) -> Iterator[Result]:
    """The first byte of the first page, one request after the other, each on a new connection."""

    async def all_runs() -> list[list[float]]:
        for _ in range(3):
            await served.page()
        n = budget.choose(5, 50, 100)
        return [[(await served.page())[0] for _ in range(n)] for _ in range(budget.n_runs)]

    yield from timings_of("first byte of the page", "page", asyncio.run(all_runs()), "first byte")


async def clicks(browser: Browser, n: float, dice: random.Random) -> list[float]:
    """Seconds from a person's move to the message with the board after it, for the first ``n`` moves or to the end of the game.

    The person moves at random. A message in which an agent has moved, too, does not count.
    """
    found: list[float] = []
    heard = await browser.hear()
    while not heard.is_over and len(found) < n:
        if heard.question is None:
            heard = await browser.hear()
            continue
        seat, before, label = heard.question.seat, heard.n, dice.choice(heard.question.actions).label
        begun = time.time()
        await browser.say("move", n=before, seat=seat, action=label)
        while heard.n == before:
            heard = await browser.hear()
        if heard.n == before + 1:
            found.append(browser.heard_at - begun)
    return found


def time_clicks(served: Served, name: str, budget: Budget) -> Iterator[Result]:
    """Whole games of a person against an agent."""
    from benchmarks.web_client import looking

    async def game(seed: int) -> list[float]:
        made = await served.new_game([{"person": "Ann"}, {"agent": AGENT}], game=name, seed=seed)
        async with looking(served, made) as browser:
            return await clicks(browser, math.inf if budget.level else N_OWN_MOVES, random.Random(seed))

    async def all_runs() -> list[list[float]]:
        await game(0)  # kernels are loaded
        return [await game(budget.seed + run) for run in range(budget.n_runs)]

    yield from timings_of(f"click to new board, {name}", "click", asyncio.run(all_runs()), "click")


# --- memory -----------------------------------------------------------------------------------------------------------


async def visit(served: Served, i: int) -> float:
    """Make the i-th game, play or watch it for a while, and leave it; seconds that this took."""
    from benchmarks.web_client import looking

    names = list(GAMES)
    has_person, begun = (i // len(names)) % 2 == 0, time.perf_counter()
    seats: list[dict[str, Any]] = [{"person": "Ann"} if has_person else {"agent": AGENT}, {"agent": AGENT}]
    made = await served.new_game(seats, game=names[i % len(names)], seed=i)
    async with looking(served, made) as browser:
        if has_person:
            await clicks(browser, N_OWN_MOVES, random.Random(i))
        else:
            await browser.say("pace", delay=0)
            while (await browser.hear()).n < N_WATCHED_MOVES:
                pass
    await served.ask("GET", "/api/games")
    return time.perf_counter() - begun


async def visits(served: Served, numbers: Sequence[int]) -> list[float]:
    """Some visits at the same time, until all are done; the seconds of each."""
    waiting, found = iter(numbers), list[float]()

    async def visitor() -> None:
        for i in waiting:
            found.append(await visit(served, i))

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(visitor())
    return found


def time_memory(served: Served, n_games: int, budget: Budget) -> Iterator[Result]:
    """The memory after so many games that were made, looked at and left; each time when they have left the memory."""
    marks = sorted({math.ceil(share * n_games) for share in MARKS})
    facts: Facts = {"threads": 1, "what": "memory", after(0): round(served.megabytes(), 1)}
    seconds: list[float] = []
    for mark in marks:
        seconds += asyncio.run(visits(served, range(len(seconds), mark)))
        time.sleep(3 * KEPT_BRIEFLY)
        facts[after(mark)] = round(served.megabytes(), 1)
    size = max(1, len(seconds) // budget.n_runs)
    runs = [SECOND * statistics.mean(seconds[i * size : (i + 1) * size] or seconds) for i in range(budget.n_runs)]
    yield Timing(f"games made, looked at and left, {AT_ONCE} at once", PART, "game", tuple(runs), facts)


def after(n_games: int) -> str:
    """The name of a parameter: the memory after so many games."""
    return f"MB after {n_games:,} games"


# --- the part ---------------------------------------------------------------------------------------------------------


def answers(asked: Sequence[str], budget: Budget, n_games: int) -> Iterator[Result]:
    """The figures for these questions. ``n_games``: whose memory is measured."""
    from benchmarks.web_client import core_of_its_own, serving

    with core_of_its_own() as core:
        if set(asked) - {"memory"}:
            with serving(KEPT, core) as served:
                if "page" in asked:
                    yield from time_page(served, budget)
                if "click" in asked:
                    for name in GAMES:
                        yield from time_clicks(served, name, budget)
                if "load" in asked:
                    for kinds in (*([name] for name in GAMES), list(GAMES)):
                        yield from time_load(served, kinds, budget)
        if "memory" in asked:
            with serving(KEPT_BRIEFLY, core) as served:
                yield from time_memory(served, n_games, budget)


def measured(asked: Sequence[str], budget: Budget, n_games: int | None = None) -> Iterator[Result]:
    """The figures for these questions; a Failure if something that is needed is not installed."""
    try:
        for module in ("uvicorn", "websockets", "psutil"):
            needed(module, "this part")
    except MissingExtraError as error:
        yield Failure("server", PART, str(error))
        return
    yield from answers(asked, budget, n_games or budget.choose(6, 200, 1000))


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """All figures, for all registered games whatever the source: one server has them all."""
    yield from measured(QUESTIONS, budget)


def main(arguments: list[str] | None = None) -> int:
    """Measure some of it, and print the tables."""
    from benchmarks.markdown import render
    from benchmarks.report import Report

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.web",
        description="How quickly the server answers, and its memory.",
        epilog="examples: python -m benchmarks.web memory --games 5000; python -m benchmarks.web load --full",
    )
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"{', '.join(QUESTIONS)}; default: all")
    parser.add_argument(
        "--games", type=int, metavar="N", help="games whose memory is measured; default 200, with --full 1,000"
    )
    level = parser.add_mutually_exclusive_group()
    for name in (Level.QUICK, Level.FULL):
        level.add_argument(
            f"--{name.name.lower()}", dest="level", action="store_const", const=name, default=Level.SHORT
        )
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of each; default 3")
    options = parser.parse_args(arguments)
    unknown = set(options.questions) - set(QUESTIONS)
    if unknown or options.runs < 1 or (options.games is not None and options.games < 1):
        parser.error(
            f"{', '.join(unknown) or 'numbers'}: the questions are {', '.join(QUESTIONS)}, numbers are at least 1"
        )
    report = Report(level=options.level.name.lower())
    for result in measured(options.questions or QUESTIONS, Budget(options.level, options.runs), options.games):
        report.add(result)
        print(result.name, file=sys.stderr)
    print(render([report]))
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main())
