"""Runs a part of the fuzz run in processes of its own, which may die or hang: each names its seed before the attempt."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any

from tests.fuzz.parts import Skip, make_part

SPAWN = multiprocessing.get_context("spawn")
READY, SKIPPED, BEGIN, DONE, FAILED = "ready", "skipped", "begin", "done", "failed"
PREPARING = 900.0  # seconds for a part to be made: kernels may have to be compiled
MOST_TROUBLES = 20  # then a part ends: somebody should look at them first
LAST_LINES = 12  # of what a dead worker wrote


@dataclass
class Limits:
    """When a part ends, and when an attempt hangs."""

    seconds: float | None = None
    attempts: int | None = None
    hang: float = 60.0


@dataclass
class Tally:
    """What came of a part. ``troubles``: (kind, seed, text) with the kinds crash, hang and failure."""

    attempts: int = 0
    seconds: float = 0.0
    skipped: str = ""
    outcomes: Counter[str] = field(default_factory=Counter)
    troubles: list[tuple[str, int, str]] = field(default_factory=list)

    def seeds(self, kind: str) -> list[int]:
        """The seeds of all troubles of a kind."""
        return [seed for found, seed, _ in self.troubles if found == kind]


# In the worker --------------------------------------------------------------------------------------------------------


def work(target: str, folder: str, seeds: range, pipe: Connection) -> None:
    """Make a part and go through the seeds, telling of everything before and after."""
    with (Path(folder) / "stderr.txt").open("w") as errors:
        os.dup2(errors.fileno(), 2)
        faulthandler.enable(file=errors)
        (scratch := Path(folder) / "scratch").mkdir()
        try:
            part = make_part(target, scratch)
        except Skip as reason:
            pipe.send((SKIPPED, 0, str(reason)))
            return
        pipe.send((READY, 0, ""))
        for seed in seeds:
            pipe.send((BEGIN, seed, ""))
            try:
                pipe.send((DONE, seed, part.attempt(seed)))
            except Exception:
                pipe.send((FAILED, seed, traceback.format_exc()))


# Outside --------------------------------------------------------------------------------------------------------------


class Worker:
    """A process at work on some seeds."""

    def __init__(self, target: str, seeds: range) -> None:
        """Start it; ``seeds`` are those that it goes through."""
        self.seeds, self.is_ready = seeds, False
        self.seed: int | None = None  # of the attempt in progress
        self.folder = tempfile.TemporaryDirectory(prefix="fuzz-")
        (Path(self.folder.name) / "stderr.txt").touch()
        self.pipe, theirs = SPAWN.Pipe(duplex=False)
        self.process = SPAWN.Process(target=work, args=(target, self.folder.name, seeds, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.since = monotonic()

    def is_hanging(self, limit: float) -> bool:
        """Whether nothing was heard of it for too long. What it says and nobody has read yet counts: this process may be the slow one."""
        return monotonic() - self.since > (limit if self.is_ready else PREPARING) and not self.pipe.poll()

    def receive(self) -> tuple[str, int, str] | None:
        """What it says; None if it is gone."""
        try:
            message: tuple[str, int, str] = self.pipe.recv()
        except EOFError:
            return None
        self.since = monotonic()
        self.is_ready |= message[0] == READY
        self.seed = message[1] if message[0] == BEGIN else None
        return message

    def end(self) -> str:
        """End the process if it lives still; how it ended and the last that it wrote."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        code = self.process.exitcode or 0
        told = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        lines = (Path(self.folder.name) / "stderr.txt").read_text(errors="replace").splitlines()
        self.folder.cleanup()
        return "\n".join([told, *lines[-LAST_LINES:]])

    def seeds_left(self) -> range:
        """Those after the one at which it died."""
        return self.seeds if self.seed is None else self.seeds[self.seeds.index(self.seed) + 1 :]


@contextmanager
def workers_for(target: str, seeds: range, n: int) -> Iterator[list[Worker]]:
    """Workers that share the seeds, ended whatever happens."""
    workers = [Worker(target, seeds[i::n]) for i in range(n)]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.end()


def run_part(
    target: str, seeds: range, n_workers: int, limits: Limits, tell: Callable[[Tally], Any] = lambda tally: None
) -> Tally:
    """Attempts of a part with these seeds until a limit is reached; the clock begins when a worker is ready."""
    tally, began = Tally(), None
    if limits.attempts is not None:
        seeds = seeds[: limits.attempts]
    with workers_for(target, seeds, min(n_workers, len(seeds))) as workers:
        while workers and not tally.skipped and len(tally.troubles) < MOST_TROUBLES:
            ready = wait([worker.pipe for worker in workers], timeout=0.2)
            for worker in [worker for worker in workers if worker.pipe in ready]:
                message = worker.receive()
                began = monotonic() if began is None and worker.is_ready else began
                if message is None:
                    _bury(worker, workers, target, tally)
                else:
                    _note(message, tally)
            for worker in [worker for worker in workers if worker.is_hanging(limits.hang)]:
                _bury(worker, workers, target, tally, is_hang=True)
            tally.seconds = 0.0 if began is None else monotonic() - began
            tell(tally)
            if limits.seconds is not None and tally.seconds >= limits.seconds:
                break
    return tally


def _note(message: tuple[str, int, str], tally: Tally) -> None:
    kind, seed, text = message
    if kind == SKIPPED:
        tally.skipped = text
    if kind in (DONE, FAILED):
        tally.attempts += 1
        tally.outcomes[text if kind == DONE else "failed"] += 1
    if kind == FAILED:
        tally.troubles.append(("failure", seed, text))


def _bury(worker: Worker, workers: list[Worker], target: str, tally: Tally, is_hang: bool = False) -> None:
    """A worker is gone or hangs: note it if it did not just come to its end, and let another one go on behind the seed."""
    left, seed, was_ready = worker.seeds_left(), worker.seed, worker.is_ready
    if not is_hang:
        worker.process.join()  # it is going: nothing must be killed, or nobody would know why it died
    told = worker.end()
    workers.remove(worker)
    if seed is None and was_ready and worker.process.exitcode == 0:
        return
    if tally.skipped:
        return
    kind = "hang" if is_hang else "crash"
    tally.troubles.append((kind, -1 if seed is None else seed, told))
    if seed is None:  # it died while the part was made: so would the next one
        return
    tally.attempts += 1
    tally.outcomes["hung" if is_hang else "died"] += 1
    if len(left):
        workers.append(Worker(target, left))


def replay(target: str, seed: int, hang: float) -> Tally:
    """One attempt."""
    return run_part(target, range(seed, seed + 1), 1, Limits(attempts=1, hang=hang))
