"""Work in chunks that several threads share, on threads that are started once per process and sleep while nobody needs them.

The caller works on the chunks itself. Helpers that are awake take some of them; nobody waits for one that is not. Chunks are taken
inside compiled code (``chunks``), so no thread needs Python's lock from one round to the next. A kernel for a team:

    def work(control, worker, ...):
        if not enter(control, worker):
            return WAITING
        chunk = take(control, worker)
        while chunk != NO_CHUNK:
            ...
            chunk = take(control, worker)
        return leave(control, worker)

A helper looks for the next round as long as it can be expected soon, then sleeps; if rounds are far apart it sleeps at once. On a busy
machine it may lose its core in the middle of a chunk, and only then the caller waits for it. The caller then works alone for a while,
longer each time it happens again.
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

NAP = 5e-5  # seconds between looks at a helper that has lost its core
LONGEST_GAP = 1.5e-4  # seconds between rounds that a helper waits awake: some times what it takes to wake it up
MOST_LOOKS = 240_000  # about 300 us that it waits then
SHORT_WAIT = 3e-4  # seconds: what the system takes now and then; a helper that shares its core is away for longer
ALONE_FOR = 4  # times as long as the caller has waited in vain; twice as much each time it happens again
LONGEST_ALONE = 1.0  # seconds
MOST_MISSES = 6  # a helper that comes too late is called every second, fourth, ... 64th round


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Job:
    """A kernel, the arrays that it works on, and which chunks are taken."""

    def __init__(self, quick: Quick, n_threads: int, n_chunks: int, arrays: tuple[Any, ...]) -> None:
        """Share the chunks out; none can be taken before ``open_round``."""
        self._quick, self._arrays, self._forks = quick, arrays, HELPERS.forks
        self.error: BaseException | None = None
        self.is_begun = self._is_close = False
        self.is_called = [False] * n_threads  # per worker: it was told to help, and has not left since
        self.control = aligned(n_threads * LINE, np.dtype(np.int64))
        lines = self.control.reshape(n_threads, LINE)
        shares = np.arange(n_threads + 1) * n_chunks // n_threads
        lines[:, FIRST], lines[:, END], lines[:, NEXT] = shares[:-1], shares[1:], shares[1:]

    def is_on(self, arrays: tuple[Any, ...]) -> bool:
        """Whether it works on these arrays, and its helpers are in this process and not in the one that forked it."""
        return self._forks == HELPERS.forks and not any(map(operator.is_not, arrays, self._arrays))

    def expect(self, is_close: bool) -> None:
        """Helpers stay awake after a round if the next one is close, and sleep at once if not."""
        if is_close != self._is_close:
            self._is_close = is_close
            self.control[LINE + LOOKS :: LINE] = MOST_LOOKS if is_close else 0

    def has_helped(self) -> bool:
        """Whether helpers have taken chunks since they were called."""
        return bool(self.control[LINE + TAKEN :: LINE].any())

    def work(self, worker: int) -> int:
        """Take chunks until there are no more; how that ends (``chunks``)."""
        ending: int = self._quick.call(self.control, worker, *self._arrays)
        return ending

    def help(self, worker: int) -> None:
        """Take chunks of this round and of the next ones, as long as they follow soon. Errors are for the caller."""
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
        """Start it; RuntimeError if the system gives no more threads."""
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._run, args=(worker,), name=f"chunks-{worker}", daemon=True)
        self.thread.start()

    def _run(self, worker: int) -> None:
        while self._serve(self.jobs.get(), worker):
            pass  # no name here holds the job: its arrays can go while this thread sleeps

    @staticmethod
    def _serve(job: Job | None, worker: int) -> bool:
        if job is not None:
            job.help(worker)
        return job is not None


class Helpers:
    """The helpers of this process, for all teams; started when the first team needs them."""

    def __init__(self) -> None:
        """There are none yet."""
        self.forks = 0  # between this process and the one that made this
        self._all: list[Helper] = []
        self._lock = threading.Lock()
        self._is_closed = bool(SETTINGS.DISABLE_JIT)  # threads of plain Python would run one at a time
        atexit.register(self._close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin_again)

    def first(self, n: int) -> list[Helper]:
        """So many helpers, or as many as the system has threads for."""
        if len(self._all) < n and not self._is_closed:
            with self._lock, suppress(RuntimeError):
                while len(self._all) < n:
                    self._all.append(Helper(len(self._all) + 1))
        return self._all[:n]

    def _begin_again(self) -> None:
        """A fork copies the thread that forks and no other."""
        self.forks += 1
        self._all, self._lock = [], threading.Lock()

    def _close(self) -> None:
        """End the threads before the interpreter goes."""
        self._is_closed = True
        for helper in self._all:
            helper.jobs.put(None)
        for helper in self._all:
            helper.thread.join(1)
        self._all = []


HELPERS = Helpers()


class Team:
    """``n_threads`` threads, the caller's among them, for a kernel that takes chunks. How many of them help does not change what comes out.

    It is for one caller at a time, like the arrays that it works on.
    """

    def __init__(self, kernel: Any, n_threads: int, n_chunks: int) -> None:
        """``kernel(control, worker, *arrays)`` works on the chunks, numbers below ``n_chunks``, that it gets from ``take``."""
        self._made_of = kernel, n_threads, n_chunks
        self._quick = Quick(kernel)
        self._job: Job | None = None
        self._ended = self._gap = 0.0  # when the last round did, and how far rounds are apart, by the last few
        self._alone_for = self._alone_until = 0.0
        self._is_tried = False  # helpers were called, and have not been judged by what they took
        self._misses = 0
        self._pause = 0  # rounds until helpers are called again

    def __deepcopy__(self, memo: dict[int, Any]) -> Team:
        return type(self)(*self._made_of)

    def is_here(self) -> bool:
        """Whether a helper is awake: then even a short round is worth sharing."""
        return self._job is not None and any(self._job.is_called)

    def is_ready(self) -> bool:
        """Whether helpers are here or should be called. If not, do this round without the team: chunks cost a twentieth of the time.

        Ask before each round that is long enough for calling helpers, and tell ``rest`` of those that are done without the team.
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
        """A round is done."""
        self._ended = time.perf_counter()

    def run(self, *arrays: Any) -> None:
        """One round: every chunk once. Give the same arrays each time if you can: helpers leave for others."""
        job = self._job
        if job is None or not job.is_on(arrays):
            _, n_threads, n_chunks = self._made_of
            job = self._job = Job(self._quick, n_threads, n_chunks, arrays)
        if job.is_begun:
            job.expect(self._gap < LONGEST_GAP)
            self._is_tried |= self._call(job)
        else:  # it may have to compile: without helpers, who would wait, and with what they are waited for
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
        """Call the helpers that are not here; whether one was called."""
        is_called = False
        for worker, helper in enumerate(HELPERS.first(len(job.is_called) - 1), 1):
            if not job.is_called[worker]:
                job.is_called[worker] = is_called = True
                job.control[worker * LINE + TAKEN] = 0
                helper.jobs.put(job)
        return is_called

    def _settle(self, job: Job) -> None:
        """Wait for chunks that helpers still work on; if that takes long, work alone for a while."""
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
