"""Chunks that several threads share: each is worked on once, nobody waits for a helper that does not come, a fork is safe."""

from __future__ import annotations

import copy
import gc
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

from winterkingdom_env.core import threads
from winterkingdom_env.core._jit import SETTINGS, Quick, kernel
from winterkingdom_env.core.chunks import (
    CALLER,
    INSIDE,
    LEAVE,
    LINE,
    LOOKS,
    NO_CHUNK,
    TAKEN,
    WAITING,
    atomic_load,
    atomic_store,
    close_round,
    enter,
    is_settled,
    leave,
    open_round,
    take,
)
from winterkingdom_env.core.threads import Job, Team

ROOT = Path(__file__).parents[2]
LONG = 300  # seconds: how long a thread may take to get a core
IS_COMPILED = not SETTINGS.DISABLE_JIT
pytestmark = pytest.mark.rule("core/threads.py, chunks")
compiled = pytest.mark.skipif(not IS_COMPILED, reason="with compilation off there are no helpers")
two_cores = pytest.mark.skipif(not IS_COMPILED or threads.usable_cores() < 2, reason="there are no helpers")


@kernel
def count_chunks(control, worker, counts, by_worker):
    """Count for each chunk how often it was worked on."""
    if not enter(control, worker):
        return WAITING
    chunk = take(control, worker)
    while chunk != NO_CHUNK:
        counts[chunk] += 1
        by_worker[worker] += 1
        chunk = take(control, worker)
    return leave(control, worker)


@kernel
def fail_in_helper(control, worker, flags):
    """If flags[0] is set the helper raises in the middle of a chunk, and the caller leaves it time for that."""
    if not enter(control, worker):
        return WAITING
    if worker == CALLER:
        for _ in range(100_000):
            if atomic_load(flags, 0) == 0 or atomic_load(flags, 1) == 1:
                break
        close_round(control)
    elif take(control, worker) != NO_CHUNK and flags[0] == 1:
        atomic_store(flags, 1, 1)
        raise ZeroDivisionError
    return leave(control, worker)


@kernel
def fail_in_caller(control, worker, flags):
    """If flags[0] is set the caller raises while chunks are left; whoever takes chunks counts them."""
    if not enter(control, worker):
        return WAITING
    if worker == CALLER and flags[0]:
        raise ZeroDivisionError
    chunk = take(control, worker)
    while chunk != NO_CHUNK:
        flags[1 + chunk] += 1
        chunk = take(control, worker)
    return leave(control, worker)


def wait_until(is_true: object) -> None:
    end = time.monotonic() + LONG
    while not is_true():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.001)


def run_script(words: str) -> str:
    """What a Python program prints; it must end well and say nothing on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_take__by_turns__own_share_first_then_the_others() -> None:
    control = Job(Quick(count_chunks), 2, 6, ()).control
    assert take(control, CALLER) == take(control, 1) == NO_CHUNK, "nothing can be taken before the round is open"
    assert open_round(control)
    assert [take(control, 1), take(control, CALLER), take(control, 1)] == [3, 0, 4]
    assert not is_settled(control, 3) and not open_round(control), "the helper is inside"
    assert [take(control, 1), take(control, 1), take(control, 1), take(control, CALLER)] == [5, 1, 2, NO_CHUNK]
    assert not is_settled(control, 3), "it works on its last chunk"
    assert take(control, 1) == NO_CHUNK
    assert is_settled(control, 0) and open_round(control)
    assert control[LINE + TAKEN] == 5
    close_round(control)
    control[LINE + LEAVE] = 1
    assert take(control, 1) == take(control, CALLER) == NO_CHUNK


@pytest.mark.parametrize("n_threads", [1, 2, 3, 5])
@pytest.mark.parametrize("n_chunks", [1, 4, 33])
def test_run__many_rounds__every_chunk_once_per_round(n_threads: int, n_chunks: int) -> None:
    team = Team(count_chunks, n_threads, n_chunks)
    counts, by_worker = np.zeros(n_chunks, np.int64), np.zeros(n_threads, np.int64)
    for n_rounds in range(1, 400):
        team.run(counts, by_worker)
        assert (counts == n_rounds).all()
    assert by_worker.sum() == counts.sum()


@compiled
def test_run__helper_gets_a_core__it_takes_chunks() -> None:
    team = Team(count_chunks, 2, 2000)
    counts, by_worker = np.zeros(2000, np.int64), np.zeros(2, np.int64)

    def has_helped() -> bool:
        team.run(counts, by_worker)
        return bool(by_worker[1])

    wait_until(has_helped)
    assert (counts == counts[0]).all()


def test_run__other_arrays__are_worked_on() -> None:
    team = Team(count_chunks, 2, 8)
    by_worker = np.zeros(2, np.int64)
    for counts in (np.zeros(8, np.int64), np.zeros(8, np.int64)):
        for _ in range(20):
            team.run(counts, by_worker)
        assert (counts == 20).all()


@compiled
def test_run__error_in_a_helper__reaches_the_caller_and_the_next_round_runs() -> None:
    team, flags = Team(fail_in_helper, 2, 2), np.zeros(2, np.int64)
    team.run(flags)  # the first round is the caller's
    flags[0] = 1
    with pytest.raises(ZeroDivisionError):
        wait_until(lambda: team.run(flags))  # a helper may come too late for a round
    flags[:] = 0
    team.run(flags)


def test_run__error_in_the_caller__is_raised_and_the_next_round_runs() -> None:
    team, flags = Team(fail_in_caller, 2, 64), np.zeros(65, np.int64)
    for n_rounds in range(1, 50):
        flags[0] = 1
        with pytest.raises(ZeroDivisionError):
            team.run(flags)
        flags[:] = 0
        team.run(flags)
        assert (flags[1:] == 1).all(), n_rounds


@compiled
def test_run__from_two_threads_at_once__teams_do_not_disturb_each_other() -> None:
    found = {}

    def play(name: int) -> None:
        team, counts = Team(count_chunks, 3, 40), np.zeros(40, np.int64)
        for _ in range(500):
            team.run(counts, np.zeros(3, np.int64))
        found[name] = counts

    callers = [threading.Thread(target=play, args=(name,)) for name in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert [found[name].tolist() for name in range(2)] == [[500] * 40] * 2


@compiled
def test_helpers__are_shared_and_let_go_of_arrays() -> None:
    counts, by_worker = np.zeros(8, np.int64), np.zeros(3, np.int64)
    for _ in range(4):
        team = Team(count_chunks, 3, 8)
        for _ in range(10):
            team.run(counts, by_worker)
    assert sum(thread.name.startswith("chunks-") for thread in threading.enumerate()) == len(threads.HELPERS._all)
    gone = weakref.ref(counts)
    del team, counts
    gc.collect()
    wait_until(lambda: gone() is None)


@compiled
def test_helpers__system_gives_no_threads__the_caller_does_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(worker: int) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "Helper", refuse)
    monkeypatch.setattr(threads.HELPERS, "_all", [])
    team, counts, by_worker = Team(count_chunks, 2, 8), np.zeros(8, np.int64), np.zeros(2, np.int64)
    for _ in range(5):
        team.run(counts, by_worker)
    assert by_worker.tolist() == [40, 0]


class Clock:
    """Time that passes only while somebody sleeps; after the first nap, of this length, the helper is done with its chunk."""

    def __init__(self, job: Job | None = None, nap: float = 0.01) -> None:
        self.now, self._job, self._nap = 100.0, job, nap

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert self._job is not None
        self.now += self._nap
        self._job.control[LINE + INSIDE] = 0


def test_settle__helper_without_a_core__caller_works_alone_for_longer_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    team = Team(count_chunks, 2, 8)
    job = Job(Quick(count_chunks), 2, 8, (np.zeros(8, np.int64), np.zeros(2, np.int64)))
    clock = Clock(job)
    monkeypatch.setattr(threads, "time", clock)
    periods = []
    team._job = job
    for later in (0, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 50, 0.01):  # seconds together after the time alone
        clock.now = max(clock.now, team._alone_until + later)
        job.control[LINE + INSIDE], job.control[LINE + LEAVE] = 1, 0
        team._settle(job)
        periods.append(round(team._alone_for, 6))
        assert job.control[LINE + LEAVE] == 1
        clock.now += 0.9 * periods[-1]
        assert not team.is_ready()
        clock.now += 0.2 * periods[-1]
        assert team.is_ready()
    assert periods == [0.04, 0.08, 0.16, 0.32, 0.64, 1, 1, 0.04, 0.08]


def test_settle__helper_is_away_for_a_moment__goes_on_with_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    team = Team(count_chunks, 2, 8)
    job = team._job = Job(Quick(count_chunks), 2, 8, (np.zeros(8, np.int64), np.zeros(2, np.int64)))
    monkeypatch.setattr(threads, "time", Clock(job, nap=threads.SHORT_WAIT / 2))
    job.control[LINE + INSIDE], job.control[LINE + LEAVE] = 1, 0
    team._settle(job)
    assert job.control[LINE + LEAVE] == 0 and team.is_ready()


def test_is_ready__rounds_are_far_apart__helpers_sleep_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    team, counts, by_worker = Team(count_chunks, 2, 8), np.zeros(8, np.int64), np.zeros(2, np.int64)
    monkeypatch.setattr(threads, "time", clock)
    monkeypatch.setattr(threads.HELPERS, "_all", [])
    monkeypatch.setattr(threads.HELPERS, "_is_closed", True)

    def looks_after(gaps: list[float]) -> int:
        for gap in gaps:
            clock.now += gap
            if team.is_ready():
                team.run(counts, by_worker)
            else:
                team.rest()
        assert team._job is not None
        return int(team._job.control[LINE + LOOKS])

    near, far = threads.LONGEST_GAP / 5, 10 * threads.LONGEST_GAP
    assert looks_after([near] * 20) == threads.MOST_LOOKS
    assert looks_after([far, near]) == threads.MOST_LOOKS, "one long pause says little"
    assert looks_after([far] * 5) == 0
    assert looks_after([near] * 20) == threads.MOST_LOOKS


@compiled
def test_call__helper_comes_too_late__is_called_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late:
        jobs = type("Jobs", (), {"put": staticmethod(lambda job: called.append(int(counts[0])))})

    called: list[int] = []
    monkeypatch.setattr(threads.HELPERS, "_all", [Late()])
    team, counts, by_worker = Team(count_chunks, 2, 8), np.zeros(8, np.int64), np.zeros(2, np.int64)
    for counts[:] in range(400):
        if team.is_ready():
            team.run(counts, by_worker)
            assert team._job is not None
            team._job.is_called[1] = False  # it has come, and found nothing to do
    gaps = np.diff(called)
    assert gaps.tolist()[:7] == [2, 4, 8, 16, 32, 64, 64]


def test_deepcopy__is_a_team_of_its_own() -> None:
    team, counts, by_worker = Team(count_chunks, 2, 8), np.zeros(8, np.int64), np.zeros(2, np.int64)
    team.run(counts, by_worker)
    twin = copy.deepcopy(team)
    other = counts.copy()
    twin.run(other, by_worker)
    assert twin._job is not team._job and (counts == 1).all() and (other == 2).all()


PLAY = """
import os, sys, threading
import numpy as np
from winterkingdom_env import winter_kingdom_v1

def play(env, n_steps):
    for _ in range(n_steps):
        env.step(env.sample_actions())
    return b"".join(part.tobytes() for part in env.batch.save().values())

def make(n_threads):
    env = winter_kingdom_v1.vector_env(128, n_threads, num_players=(2, 3), twist="random")
    env.reset(seed=1)
    return env
"""


@two_cores
def test_fork__after_two_threads__child_and_parent_go_on_with_two() -> None:
    assert (
        run_script(
            PLAY
            + """
one, two = make(1), make(2)
assert play(one, 50) == play(two, 50)
wanted = play(one, 50)
for _ in range(20):
    pid = os.fork()
    if pid == 0:
        assert threading.active_count() == 1
        same = play(two.clone(), 50) == wanted and play(two, 50) == wanted
        os._exit(0 if same and threading.active_count() == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert play(two, 50) == wanted
print("equal", threading.active_count())
"""
        )
        == "equal 2\n"
    )


@two_cores
def test_fork__by_multiprocessing__workers_step_with_two_threads() -> None:
    assert (
        run_script(
            PLAY
            + """
import multiprocessing
one, two = make(1), make(2)
play(one, 50), play(two, 50)
def go_on(n_steps):
    return play(two.clone(), n_steps)

with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map(go_on, [40] * 4)
print(set(found) == {play(one, 40)} == {play(two, 40)})
"""
        )
        == "True\n"
    )


@two_cores
@pytest.mark.parametrize(
    "end", ["", "sys.exit(0)", "del env", "threading.Thread(target=play, args=(env, 300)).start()"]
)
def test_exit__with_helpers__is_clean(end: str) -> None:
    assert run_script(PLAY + f"env = make(2)\nplay(env, 20)\nprint('done', flush=True)\n{end}") == "done\n"
