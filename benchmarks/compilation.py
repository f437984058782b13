"""Start-up time of a new process: with a cold and a warm kernel cache, and the imports alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.positions import Source
from benchmarks.report import ROOT
from benchmarks.timing import Budget, Failure, Level, Result, Timing
from winterkingdom_env.core._jit import CACHE_DIR
from winterkingdom_env.games import address_of

PART = "compile"
HEAD = "import time; start = time.perf_counter_ns()\n"
TAIL = "\nprint(time.perf_counter_ns() - start)"
ENGINE = """
from winterkingdom_env.games import get_game
rules = get_game({game!r})
"""
FIRST_GAME = f"""
{ENGINE}
game = rules.new_game(seed=7)
game.apply(game.legal_actions()[0])
game.score_sheet()
"""
ENVIRONMENTS = f"""
{ENGINE}
from winterkingdom_env.envs import aec, learner_vector, single, vector
"""
FIRST_BATCH = f"""
{ENVIRONMENTS}
env = vector.VectorEnv(rules, 64)
env.reset(seed=7)
env.step(env.sample_actions())
"""
EVERYTHING = """
from winterkingdom_env.cli.warming import warm_all
warm_all({game!r})
"""
IMPORTS = {
    "import numba": "import numba",
    "import winterkingdom_env": "import winterkingdom_env",
    "import the engine": ENGINE,
    "import the environments": ENVIRONMENTS,
}


class ProcessFailed(RuntimeError):
    """A new process ended with an error, the last line of what it printed."""


def in_fresh_process(code: str, cache: str) -> float:
    """Nanoseconds that the code takes in a new interpreter with the kernel cache in ``cache``. Raises ProcessFailed."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", HEAD + code + TAIL]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, text=True)
    if done.returncode:
        *_, last = ["no message", *filter(None, done.stderr.splitlines())]
        raise ProcessFailed(f"a new process ended with exit code {done.returncode}: {last}")
    return float(done.stdout.split()[-1])


def time_cold(code: str, name: str, n_runs: int) -> Result:
    """Time new processes, each with an empty cache."""
    name = f"{name}, cold cache"
    runs = []
    try:
        for _ in range(n_runs):
            with tempfile.TemporaryDirectory() as cache:
                runs.append(in_fresh_process(code, cache))
    except ProcessFailed as error:
        return Failure(name, PART, str(error))
    return Timing(name, PART, "process", tuple(runs), {"threads": 1})


def time_warm(code: str, name: str, cache: str, n_runs: int) -> Result:
    """Time new processes with a warm cache; the first run fills it and is not counted."""
    try:
        warm_up, *runs = [in_fresh_process(code, cache) for _ in range(1 + n_runs)]
    except ProcessFailed as error:
        return Failure(name, PART, str(error))
    return Timing(name, PART, "process", tuple(runs), {"threads": 1}, warm_up)


def usual_cache() -> str:
    """The kernel cache folder of this process."""
    return os.environ.get("NUMBA_CACHE_DIR") or str(CACHE_DIR.parent if CACHE_DIR else "")


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """Cold start, warm start, imports. "quick" skips the cold start, "short" compiles once; all kernels take most of a minute."""
    n_cold, game = budget.choose(0, 1, 3), address_of(source.rules.NAME)
    first_game, first_batch = FIRST_GAME.format(game=game), FIRST_BATCH.format(game=game)
    if n_cold:
        yield time_cold(first_game, "first game", n_cold)
    if budget.level == Level.FULL:
        yield time_cold(EVERYTHING.format(game=game), "every kernel", n_cold)
    yield time_warm(first_game, "first game, warm cache", usual_cache(), budget.n_runs)
    if budget.level:
        yield time_warm(first_batch, "first vector step, warm cache", usual_cache(), budget.n_runs)
    for name, code in IMPORTS.items():
        yield time_warm(code.format(game=game), name, usual_cache(), budget.n_runs)
