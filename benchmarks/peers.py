"""Our environments and others in the same run. Each peer has its own process, so that the number of threads is as stated and a crash affects no other.

``python -m benchmarks.peers NAME THREADS LEVEL RUNS SEED GAME`` is such a process and prints one timing as JSON.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from msgspec import json
from msgspec.structs import replace

from benchmarks import envs
from benchmarks.peer_loops import BATCH, PEERS, Loop, Peer
from benchmarks.positions import Source, source_of
from benchmarks.report import ROOT
from benchmarks.stepping import time_engine
from benchmarks.timing import Budget, Failure, Level, Result, Timing, in_threads, measure
from winterkingdom_env.cli.options import FIRST_GAME
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.games import address_of, get_game

PART = "peers"
PATIENCE = 600  # seconds for one peer
YARDSTICKS = (
    ("PettingZoo connect_four", "PettingZoo connect_four_v3, raw_env"),
    ("OpenSpiel go(19)", "OpenSpiel go(19), mask and observation"),
    ("fastcatan", f"fastcatan, mask and observation, batch {BATCH}, 1 thread"),
)


def full_name(peer: Peer, threads: int) -> str:
    """The name of the timing, with the number of threads if the peer can use several."""
    return peer.name if peer.threads == (1,) else f"{peer.name}, {in_threads(threads)}"


def cores_used(loop: Loop) -> float:
    """CPU time divided by wall time while the loop runs."""
    start, begun = time.perf_counter(), time.process_time()
    while time.perf_counter() - start < 0.05:
        loop()
    return round((time.process_time() - begun) / (time.perf_counter() - start), 1)


def time_here(peer: Peer, threads: int, budget: Budget) -> Timing:
    """Time a peer in this process."""
    loop = peer.make(budget)
    name = full_name(peer, threads)
    timing = measure(name, PART, peer.unit, loop, budget, threads=threads, version=version(peer.package), **peer.facts)
    return replace(timing, parameters={**timing.parameters, "cores": cores_used(loop)})


def time_apart(peer: Peer, threads: int, budget: Budget, game: str = FIRST_GAME) -> Result:
    """Time a peer in a new process with ``threads`` threads; a Failure with its last line of output if that fails.

    ``game``: which it stands beside.
    """
    name = full_name(peer, threads)
    try:
        version(peer.package)
    except PackageNotFoundError:
        return Failure(name, PART, f"{peer.package} is not installed")
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "NPROC": str(threads), "JAX_PLATFORMS": "cpu"}
    if threads == 1:
        environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    order = [peer.name, str(threads), budget.level.name, str(budget.n_runs), str(budget.seed), game]
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.peers", *order]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return Failure(name, PART, f"not finished after {PATIENCE} seconds")
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        words = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return Failure(name, PART, words[-1])
    return json.decode(lines[-1], type=Timing)


def time_us(source: Source, budget: Budget) -> Iterator[Timing]:
    """Time our own environments with the same loops, and the bare engine."""
    n = budget.choose(8, BATCH, BATCH)
    kinds = [(form, threads) for form in envs.FORMS for threads in envs.usable_threads()]
    yield from envs.time_aec(source, budget, PART, ("raw_env",))
    for form, threads in kinds:
        yield envs.time_vector(source, n, threads, form, budget, PART)
    yield replace(time_engine(source.mixed, source, source.rules.PLAYERS, budget)[0], name="bare engine", part=PART)
    for timing in source.whole_games(budget):
        yield replace(timing, part=PART)


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """Time our environments, then every peer."""
    for timing in time_us(source, budget):
        yield replace(timing, name=f"{source.rules.TITLE}, {timing.name}", parameters={**timing.parameters, "ours": 1})
    for peer in (*PEERS, *source.peers()):
        for threads in peer.threads:
            if threads <= (os.cpu_count() or 1):
                yield time_apart(peer, threads, budget, address_of(source.rules.NAME))


def main(arguments: list[str]) -> int:
    """Time one peer and print the timing."""
    name, threads, level, n_runs, seed, game = arguments
    peer = next(peer for peer in (*PEERS, *source_of(get_game(game)).peers()) if peer.name == name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own warnings
        timing = time_here(peer, int(threads), Budget(Level[level], int(n_runs), int(seed)))
    print(json.encode(timing.as_json()).decode())
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
