"""Seconds until a fresh process has its first game: nothing compiled yet, kernels cached, and the bare imports."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.report import ROOT
from benchmarks.timing import Budget, Level, Result, Timing
from winterkingdom_env.core._jit import CACHE_DIR

PART = "compile"
HEAD = "import time; start = time.perf_counter_ns()\n"
TAIL = "\nprint(time.perf_counter_ns() - start)"
FIRST_GAME = """
from winterkingdom_env.games import winter_kingdom as wk
game = wk.new_game(seed=7)
game.apply(game.legal_actions()[0])
game.score_sheet()
"""
FIRST_BATCH = """
from winterkingdom_env import winter_kingdom_v1
env = winter_kingdom_v1.vector_env(64)
env.reset(seed=7)
env.step(env.sample_actions())
"""
EVERYTHING = """
from winterkingdom_env._table import warm_all
warm_all("winter_kingdom")
"""
IMPORTS = {
    "import numba": "import numba",
    "import winterkingdom_env": "import winterkingdom_env",
    "import the engine": "from winterkingdom_env.games import winter_kingdom",
    "import the environments": "from winterkingdom_env import winter_kingdom_v1",
}


def in_fresh_process(code: str, cache: str) -> float:
    """Nanoseconds that the code takes in a new interpreter which keeps its kernels in ``cache``."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", HEAD + code + TAIL]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, text=True)
    return float(done.stdout.split()[-1])


def time_cold(code: str, name: str, n_runs: int) -> Timing:
    """A fresh process with an empty cache, each time."""
    runs = []
    for _ in range(n_runs):
        with tempfile.TemporaryDirectory() as cache:
            runs.append(in_fresh_process(code, cache))
    return Timing(f"{name}, cold cache", PART, "process", tuple(runs), {"threads": 1})


def time_warm(code: str, name: str, cache: str, n_runs: int) -> Timing:
    """A fresh process with a cache that the first run, not counted, has filled."""
    warm_up = in_fresh_process(code, cache)
    return Timing(
        name, PART, "process", tuple(in_fresh_process(code, cache) for _ in range(n_runs)), {"threads": 1}, warm_up
    )


def usual_cache() -> str:
    """The folder in which this process keeps its kernels: warm runs find them there."""
    return os.environ.get("NUMBA_CACHE_DIR") or str(CACHE_DIR.parent if CACHE_DIR else "")


def run(budget: Budget) -> Iterator[Result]:
    """Cold, warm, imports. Quick leaves cold out; short compiles once; everything takes most of a minute."""
    n_cold = budget.choose(0, 1, 3)
    if n_cold:
        yield time_cold(FIRST_GAME, "first game", n_cold)
    if budget.level == Level.FULL:
        yield time_cold(EVERYTHING, "every kernel", n_cold)
    yield time_warm(FIRST_GAME, "first game, warm cache", usual_cache(), budget.n_runs)
    if budget.level:
        yield time_warm(FIRST_BATCH, "first vector step, warm cache", usual_cache(), budget.n_runs)
    for name, code in IMPORTS.items():
        yield time_warm(code, name, usual_cache(), budget.n_runs)
