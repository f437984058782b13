"""A page for every game of a tournament, to step through it: games/<id>.html beside the report.

A page ends with a stamp: a digest of its record and of the version that made it. A page with the right stamp is not made again.
"""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import re
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from enum import StrEnum
from itertools import starmap
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents.results import RECORDS, Result
from winterkingdom_env.cli.terminal import tell
from winterkingdom_env.core.files import read_limited, write_whole
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import address_of, get_game
from winterkingdom_env.records import RecordError
from winterkingdom_env.search.registry import CODE, load_code
from winterkingdom_env.web import Replay

GAMES = "games"
MOST_LISTED = 500  # games in the table of the report
FEW = 40  # so many pages are made in this process: others need seconds to load
STAMP_BYTES = 16
PAGE = re.compile(r"\d{6}-\d{4}-\d+\.html")
NOW_AND_THEN = 30.0  # seconds between progress lines without a progress bar

Job = tuple[Path, Path, str]  # record, page, stamp


class Pages(StrEnum):
    """Which games of a report get a page."""

    LISTED = "listed"
    ALL = "all"
    NONE = "none"


def with_page(results: Sequence[Result], pages: Pages) -> Sequence[Result]:
    """The games that get a page."""
    return () if pages is Pages.NONE else results if pages is Pages.ALL else results[:MOST_LISTED]


def address_of_page(result: Result) -> str:
    """Where the page of a game is, seen from the report."""
    return f"{GAMES}/{result.id}.html"


@contextmanager
def written_pages(results: Sequence[Result], folder: Path, target: Path, game: str, processes: int, console: Console | None) -> Iterator[None]:  # fmt: skip
    """Write the pages of these games of the tournament in ``folder`` that are missing or old. Removes the new ones if the body or a page fails."""
    place = target / GAMES
    missing = [each for each in (place, *place.parents) if not each.exists()]
    jobs = [job for result in results if (job := _job(result, folder, target)) is not None]
    new = [page for _, page, _ in jobs if not page.exists()]
    try:
        _show(_made(jobs, game, processes), len(jobs), console)
        yield
    except Exception:
        for page in new:
            page.unlink(missing_ok=True)
        for each in missing:
            with suppress(OSError):
                each.rmdir()
        raise
    wanted = {f"{result.id}.html" for result in results}
    for old in place.glob("*.html"):
        if PAGE.fullmatch(old.name) and old.name not in wanted:
            old.unlink()


def _job(result: Result, folder: Path, target: Path) -> Job | None:
    """What is to be done for the page of a game; None if it is there."""
    record, page = folder / RECORDS / f"{result.id}.jsonl.gz", target / address_of_page(result)
    try:
        content = read_limited(record)
    except OSError as error:
        raise RecordError(record, None, f"cannot be read: {error.strerror}") from error
    told = hashlib.blake2b(VERSION.encode() + b"\0" + content, digest_size=STAMP_BYTES).hexdigest()
    stamp = f"<!-- {told} -->\n"
    return None if _has(page, stamp) else (record, page, stamp)


def _has(page: Path, stamp: str) -> bool:
    """Whether a page ends with this stamp."""
    with suppress(OSError), page.open("rb") as file:
        file.seek(-len(stamp), 2)
        return file.read() == stamp.encode()
    return False


def _make(record: Path, page: Path, stamp: str) -> None:
    try:
        write_whole(page, Replay(record).html + stamp)
    except RecordError as error:
        raise ValueError(str(error)) from None  # one that another process can send


def _made(jobs: Sequence[Job], game: str, processes: int) -> Iterator[None]:
    """Make the pages, with something yielded for each."""
    if len(jobs) <= FEW or processes == 1:
        try:
            if len(jobs) > 1:
                _load(game)
            yield from starmap(_make, jobs)
        finally:
            gc.unfreeze()
        return
    spawn = multiprocessing.get_context("spawn")
    n = min(processes, len(jobs))
    with ProcessPoolExecutor(n, spawn, _begin, (tuple(CODE), address_of(game))) as pool:
        try:
            for done in as_completed([pool.submit(_make, *job) for job in jobs]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(codes: Sequence[str], game: str) -> None:
    """Prepare a process that makes pages."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena's process stops them
    for path in codes:
        load_code(path)
    _load(game)


def _load(game: str) -> None:
    """Load everything that a page needs, and have the garbage collector pass over it, which halves the time of a page."""
    Replay(get_game(game).new_game())
    gc.freeze()


def _show(made: Iterable[None], n: int, console: Console | None) -> None:
    """Go through the pages, with a progress bar on a terminal."""
    console = Console(quiet=True) if console is None else console
    columns = TextColumn("pages of games"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn()
    told = time.monotonic()
    with Progress(*columns, console=console, transient=True, disable=not (n and console.is_terminal)) as bar:
        task = bar.add_task("", total=n)
        for done, _ in enumerate(made, 1):
            bar.update(task, completed=done)
            if not console.is_terminal and time.monotonic() - told > NOW_AND_THEN:
                told = time.monotonic()
                tell(f"{done} of {n} pages of games", console)
