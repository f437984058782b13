"""A pool of threads for work in chunks. Threads are started once per process and sleep while idle.

The caller processes chunks itself. Helper threads that are awake take some of them; the caller does not wait for sleeping ones. Chunks
are taken inside compiled code (``chunks``), so no thread needs the GIL between rounds. A kernel for a team:

    def work(control, worker, ...):
        if not enter(control, worker):
            return WAITING
        chunk = take(control, worker)
        while chunk != NO_CHUNK:
            ...
            chunk = take(control, worker)
        return leave(control, worker)

A helper polls for the next round while it is expected soon, then sleeps; if rounds are far apart, it sleeps at once. On a busy machine it
may lose its core in the middle of a chunk; only then does the caller wait for it. The caller then works alone for a while, longer each
time this happens.
"""

from __future__ import annotations

import atexit
import operator
import os
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import numpy as np

from winterkingdom_env.core._jit import SETTINGS, Quick
from winterkingdom_env.core.chunks import (
    CALLER,
    END,
    FIRST,
    INSIDE,
    LATE,
    LEAVE,
    LINE,
    LOOKS,
    NEXT,
    TAKEN,
    WAITING,
    close_round,
    is_settled,
)
from winterkingdom_env.core.rows import aligned

NAP = 5e-5  # seconds between polls of a helper that has lost its core
LONGEST_GAP = 1.5e-4  # seconds between rounds for which a helper stays awake: several times its wake-up time
MOST_LOOKS = 240_000  # polls of a helper that stays awake: about 300 us
SHORT_WAIT = 3e-4  # seconds: a normal interruption by the system; a helper that shares its core is away for longer
ALONE_FOR = 4  # the caller works alone for this multiple of the time it waited; doubled each time it happens again
LONGEST_ALONE = 1.0  # seconds
MOST_MISSES = 6  # a helper that arrives too late is called every 2nd, 4th, ... 64th round


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Job:
    """A kernel, its arrays, and the state of its chunks."""

    def __init__(self, quick: Quick, n_threads: int, n_chunks: int, arrays: tuple[Any, ...]) -> None:
        """Assign chunks to workers; none can be taken before ``open_round``."""
        self._quick, self._arrays, self._forks = quick, arrays, HELPERS.forks
        self.error: BaseException | None = None
        self.is_begun = self._is_close = False
        self.is_called = [False] * n_threads  # per worker: it was called and has not left since
        self.control = aligned(n_threads * LINE, np.dtype(np.int64))
        lines = self.control.reshape(n_threads, LINE)
        shares = np.arange(n_threads + 1) * n_chunks // n_threads
        lines[:, FIRST], lines[:, END], lines[:, NEXT] = shares[:-1], shares[1:], shares[1:]

    def is_on(self, arrays: tuple[Any, ...]) -> bool:
        """Whether the job uses these arrays, and its helpers belong to this process and not to its parent."""
        return self._forks == HELPERS.forks and not any(map(operator.is_not, arrays, self._arrays))

    def expect(self, is_close: bool) -> None:
        """Set whether helpers stay awake after a round (the next one is close) or sleep at once."""
        if is_close != self._is_close:
            self._is_close = is_close
            self.control[LINE + LOOKS :: LINE] = MOST_LOOKS if is_close else 0

    def has_helped(self) -> bool:
        """Whether helpers have taken chunks since they were called."""
        return bool(self.control[LINE + TAKEN :: LINE].any())

    def work(self, worker: int) -> int:
        """Process chunks until there are none left, and return the result of the round (``chunks``)."""
        ending: int = self._quick.call(self.control, worker, *self._arrays)
        return ending

    def help(self, worker: int) -> None:
        """Process chunks of this round and of the next ones while they follow soon. Errors are stored for the caller."""
        self.control[worker * LINE + LEAVE] = 0
        try:
            self.work(worker)
        except BaseException as error:
            self.error = error
        self.control[worker * LINE + INSIDE] = 0
        self.is_called[worker] = False


class Helper:
    """A thread that sleeps until there is a job for it."""

    def __init__(self, worker: int) -> None:
        """Start the thread. Raises RuntimeError if the system has no more threads."""
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._run, args=(worker,), name=f"chunks-{worker}", daemon=True)
        self.thread.start()

    def _run(self, worker: int) -> None:
        while self._serve(self.jobs.get(), worker):
            pass  # no variable here references the job, so that its arrays can be freed while this thread sleeps

    @staticmethod
    def _serve(job: Job | None, worker: int) -> bool:
        if job is not None:
            job.help(worker)
        return job is not None


class Helpers:
    """The helpers of this process, shared by all teams; started when a team first needs them."""

    def __init__(self) -> None:
        """Start with no helpers."""
        self.forks = 0  # forks since this object was created
        self._all: list[Helper] = []
        self._lock = threading.Lock()
        self._is_closed = bool(SETTINGS.DISABLE_JIT)  # without compilation, threads would run one at a time
        atexit.register(self._close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin_again)

    def first(self, n: int) -> list[Helper]:
        """The first ``n`` helpers, or as many as the system allows."""
        if len(self._all) < n and not self._is_closed:
            with self._lock, suppress(RuntimeError):
                while len(self._all) < n:
                    self._all.append(Helper(len(self._all) + 1))
        return self._all[:n]

    def _begin_again(self) -> None:
        """Reset after a fork, which copies only the forking thread."""
        self.forks += 1
        self._all, self._lock = [], threading.Lock()

    def _close(self) -> None:
        """End the threads before the interpreter exits."""
        self._is_closed = True
        for helper in self._all:
            helper.jobs.put(None)
        for helper in self._all:
            helper.thread.join(1)
        self._all = []


HELPERS = Helpers()


class Team:
    """``n_threads`` threads, including the caller's, for a kernel that takes chunks. The result does not depend on how many of them help.

    Use it from one thread at a time, like the arrays that it works on.
    """

    def __init__(self, kernel: Any, n_threads: int, n_chunks: int) -> None:
        """Prepare a team: ``kernel(control, worker, *arrays)`` processes the chunks, 0 to ``n_chunks`` - 1, that ``take`` returns."""
        self._made_of = kernel, n_threads, n_chunks
        self._quick = Quick(kernel)
        self._job: Job | None = None
        self._ended = self._gap = 0.0  # end of the last round, and the recent time between rounds
        self._alone_for = self._alone_until = 0.0
        self._is_tried = False  # helpers were called, and the chunks that they took are not evaluated yet
        self._misses = 0
        self._pause = 0  # rounds until helpers are called again

    def __deepcopy__(self, memo: dict[int, Any]) -> Team:
        return type(self)(*self._made_of)

    def is_here(self) -> bool:
        """Whether a helper is awake: then sharing pays off even for a short round."""
        return self._job is not None and any(self._job.is_called)

    def is_ready(self) -> bool:
        """Whether helpers are awake or should be called. If not, run this round without the team: chunks cost a twentieth of the time.

        Ask before each round that is long enough to call helpers, and call ``rest`` after each round without the team.
        """
        now = time.perf_counter()
        self._gap += (min(now - self._ended, 2 * LONGEST_GAP) - self._gap) / 4
        if self._job is None or self.is_here():
            return True
        if self._is_tried:
            self._is_tried = False
            self._misses = 0 if self._job.has_helped() else min(self._misses + 1, MOST_MISSES)
            self._pause = (1 << self._misses) - 1
        if self._pause:
            self._pause -= 1
            return False
        return self._alone_until < now

    def rest(self) -> None:
        """Record the end of a round."""
        self._ended = time.perf_counter()

    def run(self, *arrays: Any) -> None:
        """Run one round: every chunk once. Pass the same arrays each time if possible: helpers must leave for other arrays."""
        job = self._job
        if job is None or not job.is_on(arrays):
            _, n_threads, n_chunks = self._made_of
            job = self._job = Job(self._quick, n_threads, n_chunks, arrays)
        if job.is_begun:
            job.expect(self._gap < LONGEST_GAP)
            self._is_tried |= self._call(job)
        else:  # the kernel may have to compile: do that without helpers, which would wait
            job.is_begun = is_settled(job.control, 0)
        ending = LATE
        try:
            while (ending := job.work(CALLER)) == WAITING:
                time.sleep(NAP)  # the last round was interrupted
        except BaseException:
            close_round(job.control)
            raise
        finally:
            if ending == LATE:
                self._settle(job)
        self.rest()
        if job.error is not None:
            error, job.error = job.error, None
            raise error

    def _call(self, job: Job) -> bool:
        """Call the helpers that are asleep, and return whether one was called."""
        is_called = False
        for worker, helper in enumerate(HELPERS.first(len(job.is_called) - 1), 1):
            if not job.is_called[worker]:
                job.is_called[worker] = is_called = True
                job.control[worker * LINE + TAKEN] = 0
                helper.jobs.put(job)
        return is_called

    def _settle(self, job: Job) -> None:
        """Wait for chunks of helpers; if that takes long, work alone for a while."""
        start = time.perf_counter()
        while not is_settled(job.control, 0):
            time.sleep(NAP)
        now = time.perf_counter()
        if now - start < SHORT_WAIT:
            return
        is_again = now - self._alone_until < self._alone_for
        self._alone_for = min(max(ALONE_FOR * (now - start), 2 * self._alone_for * is_again), LONGEST_ALONE)
        self._alone_until = now + self._alone_for
        job.control[LINE + LEAVE :: LINE] = 1
