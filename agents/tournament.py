"""Runs a tournament: games in parallel, one writer, and a sequential test that may end it early."""

from __future__ import annotations

import contextlib
import datetime
import queue
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from agents.desk import DeskPool, Stopped
from agents.interrupts import terminating_like_ctrl_c
from agents.referee import Referee, check_agents
from agents.results import (
    TOURNAMENT,
    Result,
    Store,
    StoreError,
    by_id,
    check_new,
    new_tournament,
    read_tournament,
)
from agents.schedule import Job, Settings, jobs, n_games, n_lineups
from agents.sprt import Verdict, evaluate
from winterkingdom_env.cli.terminal import tell
from winterkingdom_env.cli.warming import warm_up
from winterkingdom_env.games import get_game

NOW_AND_THEN = 30.0  # seconds between progress lines without a progress bar


@dataclass(frozen=True)
class Outcome:
    """The outcome of a tournament: the results that count, by id, and the verdict of the sequential test, if there is one."""

    results: list[Result]
    verdict: Verdict | None
    is_interrupted: bool = False


class _Watch:
    """Shows the progress of the tournament on stderr."""

    def __init__(self, console: Console, total: int, results: list[Result]) -> None:
        self._console, self._total = console, total
        self._n_done, self._n_forfeits = len(results), sum(result.forfeit is not None for result in results)
        self._told = self._began = time.monotonic()
        self._n_before = len(results)
        self._bar: Progress | None = None
        self._task = TaskID(0)

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Show a progress bar on a terminal."""
        if not self._console.is_terminal:
            yield
            return
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn(),
                   TextColumn("forfeits {task.fields[forfeits]}"))  # fmt: skip
        with Progress(*columns, console=self._console, transient=True) as self._bar:
            self._task = self._bar.add_task("", total=self._total, completed=self._n_done, forfeits=self._n_forfeits)
            yield

    def see(self, result: Result) -> None:
        """Count a finished game."""
        self._n_done += 1
        if result.forfeit is not None:
            self._n_forfeits += 1
            lost = result.forfeit
            self._print(f"game {result.id}: {lost.agent} forfeits ({lost.kind}): {lost.reason}")
        if self._bar is not None:
            self._bar.update(self._task, completed=self._n_done, forfeits=self._n_forfeits)
        elif time.monotonic() - self._told > NOW_AND_THEN:
            self._told = time.monotonic()
            rate = (self._n_done - self._n_before) / (self._told - self._began)
            left = (self._total - self._n_done) / rate
            self._print(f"{self._n_done} of {self._total} games, {self._n_forfeits} forfeits, about {left:.0f} s left")

    def _print(self, text: str) -> None:
        tell(text, self._console)


class _Hall:
    """The threads that play games; each takes the next game of the schedule when its last one has ended."""

    def __init__(self, referee: Referee, todo: list[Job], n_threads: int, stop: threading.Event) -> None:
        self._referee, self._stop = referee, stop
        self._todo = iter(todo)
        self._lock = threading.Lock()
        self.ended: queue.SimpleQueue[Result | Exception] = queue.SimpleQueue()
        n_threads = min(n_threads, len(todo))
        self._threads = [threading.Thread(target=self._play, name=f"match {i}") for i in range(n_threads)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _next(self) -> Job | None:
        with self._lock:
            return None if self._stop.is_set() else next(self._todo, None)

    def _play(self) -> None:
        try:
            while (job := self._next()) is not None:
                self.ended.put(self._referee.play(job))
        except Stopped:
            pass
        except Exception as error:  # passed to the main thread, which stops the tournament
            self.ended.put(error)


def get_ready(settings: Settings, pool: DeskPool) -> None:
    """Check the set-ups, make every agent, and compile the kernels before the processes need them."""
    module = get_game(settings.game)
    n_kinds = (
        settings.n_setups if settings.setups is not None else 1
    )  # without a list, all set-ups have the same config
    configs = [module.Config(**settings.config(setup)) for setup in range(n_kinds)]
    # Making a batch reads every file that the configs name, once, and so finds damaged ones.
    module.make_world(1, [kind for config in configs for kind in module.variants(config, (settings.players,), 1)])
    game = module.new_game(config=configs[0], seed=settings.seed)
    warm_up(game)
    game.observe()
    check_agents(settings, pool)


def play(settings: Settings, folder: Path | None = None, processes: int = 1, console: Console | None = None) -> list[Result]:  # fmt: skip
    """Play a tournament from Python and return its results, sorted by id. Prints only if a console is given.

    Settings, results and records are kept in ``folder``; without one they are discarded. If the folder has a tournament with the
    same settings, its missing games are played. Ctrl-C and SIGTERM raise KeyboardInterrupt after the finished games are saved.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
            return play(settings, Path(scratch), processes, console)
    told = Console(quiet=True) if console is None else console
    with (
        terminating_like_ctrl_c(),
        DeskPool() as pool,
        contextlib.closing(_opened(settings, folder, pool)) as store,
    ):
        outcome = run(store, pool, processes, told)
    if outcome.is_interrupted:
        raise KeyboardInterrupt
    return outcome.results


def _opened(settings: Settings, folder: Path, pool: DeskPool) -> Store:
    """The folder of a tournament with these settings, new or resumed."""
    if not (folder / TOURNAMENT).exists():
        return begun(settings, folder, "agents.tournament.play", pool)
    if read_tournament(folder).settings != settings:
        raise StoreError(f"{folder} has a tournament with other settings; name another folder, or remove that one")
    return resumed(folder, pool)


def begun(settings: Settings, folder: Path, command: str, pool: DeskPool) -> Store:
    """Create the folder of a new tournament. Nothing is written if the tournament cannot be played."""
    check_new(folder)
    get_ready(settings, pool)
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    return Store.create(folder, new_tournament(settings, command, now))


def resumed(folder: Path, pool: DeskPool) -> Store:
    """Open the folder of an interrupted tournament. If games are left, check every agent first, so that none forfeits all of them."""
    store = Store.resume(folder)
    try:
        if len(store.results) < n_games(store.tournament.settings):
            get_ready(store.tournament.settings, pool)
    except BaseException:
        store.close()
        raise
    return store


def run(store: Store, pool: DeskPool, n_processes: int, console: Console) -> Outcome:
    """Play all games that are not in the store yet; WriteError if a result cannot be saved."""
    settings = store.tournament.settings
    verdict = judge(settings, store.results)
    played = {result.id for result in store.results}
    todo = [job for job in jobs(settings) if job.id not in played]
    if not todo or (verdict is not None and verdict.is_decided):
        return outcome_of(settings, store.results)
    stop = threading.Event()
    is_interrupted = False
    hall: _Hall | None = None
    try:
        referee = Referee(settings, store.folder, pool, stop.is_set)
        hall = _Hall(referee, todo, n_processes, stop)
        _collect(hall, store, len(todo), console)
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        stop.set()
        if hall is not None:
            hall.join()
    found = outcome_of(settings, store.results)
    return Outcome(found.results, found.verdict, is_interrupted)


def _collect(hall: _Hall, store: Store, n_todo: int, console: Console) -> None:
    """Start the games and save each result, until all are done or the sequential test has decided."""
    settings = store.tournament.settings
    watch = _Watch(console, n_games(settings), store.results)
    hall.start()
    with watch.shown():
        for _ in range(n_todo):
            ended = hall.ended.get()
            if isinstance(ended, Exception):
                raise ended
            store.add(ended)
            watch.see(ended)
            verdict = judge(settings, store.results)
            if verdict is not None and verdict.is_decided:
                return


def whole_setups(settings: Settings, results: list[Result]) -> list[Result]:
    """The results of the leading set-ups that all line-ups have played in all rotations."""
    wanted = settings.players * n_lineups(settings)
    counts = [0] * (settings.n_setups + 1)
    for result in results:
        counts[result.setup] += 1
    n_whole = next(i for i, count in enumerate(counts) if count < wanted)  # the extra one is never complete
    return [result for result in results if result.setup < n_whole]


def judge(settings: Settings, results: list[Result]) -> Verdict | None:
    """The verdict of the sequential test; None without one.

    Only complete set-ups count, in order, so the verdict does not depend on which games end first or how many run in parallel.
    """
    if settings.sprt is None:
        return None
    return evaluate(whole_setups(settings, results), settings.sprt, settings.alpha, settings.beta)


def outcome_of(settings: Settings, results: list[Result]) -> Outcome:
    """The results that count, sorted by id. After a decision of the sequential test, later set-ups do not count."""
    verdict = judge(settings, results)
    if verdict is not None and verdict.is_decided:
        results = [result for result in results if result.setup < verdict.n_setups]
    return Outcome(sorted(results, key=by_id), verdict)
