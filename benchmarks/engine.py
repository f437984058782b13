"""What is timed: positions of real games, one kernel call over all of them, and the reference on the same."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import batch, layout
from winterkingdom_env.games.winter_kingdom.boards import standard_sides
from winterkingdom_env.games.winter_kingdom.rules import make_rules
from winterkingdom_env.reference import ReferenceGame

POSITIONS = 1024
RUNS = 7
FIVE_UPGRADED = 5


@dataclass(frozen=True)
class Timing:
    """Nanoseconds per unit, best and all of several runs."""

    name: str
    unit: str
    runs: tuple[float, ...]

    @property
    def best(self) -> float:
        """The best run: the one least disturbed by the machine's other work."""
        return min(self.runs)

    @property
    def spread(self) -> float:
        """Worst run relative to the best."""
        return max(self.runs) / min(self.runs) - 1

    def as_json(self) -> dict[str, object]:
        """For the machine-readable output."""
        return {"name": self.name, "unit": self.unit, "best_ns": self.best, "runs_ns": list(self.runs)}


def measure(name: str, unit: str, call: Callable[[], int], runs: int = RUNS) -> Timing:
    """Time a call that returns how many units it did; the first call is warm-up and not counted."""
    call()
    found = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        n = call()
        found.append((time.perf_counter_ns() - start) / n)
    return Timing(name, unit, tuple(found))


def random_games(seed: int) -> Iterator[wk.Game]:
    """Games of 2 to 4 players with all cards, at every step of random play that likes to buy."""
    stream = Stream(seed)
    while True:
        config = wk.Config(num_players=2 + stream.draw(3), twist="random")
        game = wk.new_game(config, seed=stream.draw(1 << 30))
        while not game.is_over:
            yield game
            legal = game.legal_actions()
            cards = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
            choice = cards if cards and stream.draw(2) else legal
            game.apply(choice[stream.draw(len(choice))])


def collect(wanted: Callable[[wk.Game], bool], n: int, seed: int) -> list[wk.Game]:
    """Copies of ``n`` positions that are wanted."""
    found: list[wk.Game] = []
    for game in random_games(seed):
        if wanted(game):
            found.append(game.clone())
            if len(found) == n:
                return found
    raise AssertionError("random_games never ends")


def with_five_abilities(game: wk.Game) -> wk.Game:
    """The same position with five upgraded, unused abilities in play for the seat to move."""
    copy = game.clone()
    seat = copy.seat
    cards = [card for card in range(layout.N_ABILITIES) if card % 5 == (game.round + seat) % 5][:FIVE_UPGRADED]
    bits = sum(1 << card for card in cards)
    copy.record["in_play"][0, seat] = bits | 1 << layout.TUNNEL_CARD
    copy.record["upgraded"][0, seat] = bits
    copy.record["used"][0] = 0
    return wk.Game(copy.record, copy.board)


def time_masks(name: str, games: list[wk.Game]) -> Timing:
    """Nanoseconds per legal mask, as bit rows, over a batch of positions."""
    records = np.concatenate([game.record for game in games])
    boards = np.concatenate([game.board for game in games])
    legals = np.zeros(len(games), layout.LEGAL)
    works = np.zeros((len(games), layout.N_SETS, layout.ROWS), np.uint32)

    def call() -> int:
        repeats = 20
        for _ in range(repeats):
            batch.legal_all(records, boards, make_rules(), legals, works)
        return repeats * len(games)

    return measure(name, "ns per mask", call)


def time_steps() -> Timing:
    """Nanoseconds per step of uniformly random legal play: choose, carry out, find what is legal next, set up anew."""
    n = 256
    records, boards = np.zeros(n, layout.GAME), np.zeros(n, layout.BOARD)
    legals, streams = np.zeros(n, layout.LEGAL), np.arange(n, dtype=np.uint64)
    works = np.zeros((n, layout.N_SETS, layout.ROWS), np.uint32)
    requests = np.concatenate([wk.Config(num_players=2 + i % 3, twist="random").request(i) for i in range(n)])
    sides = np.array(standard_sides().terrain)
    batch.new_games(records, boards, make_rules(), sides, requests, works)
    batch.step_all(records, np.full(n, layout.NOTHING), boards, make_rules(), legals, works, np.zeros(n, np.int8))

    def call() -> int:
        steps = 500
        batch.play_random_all(records, boards, make_rules(), sides, requests, legals, works, streams, steps)
        return n * steps

    return measure("random step, engine", "ns per step", call)


def time_reference() -> tuple[Timing, Timing]:
    """The reference: nanoseconds per set of legal actions, and per step of random play."""
    legal_ns, step_ns = [], []
    for run in range(RUNS):
        stream = Stream(run)
        game = ReferenceGame(wk.new_game(wk.Config(num_players=3, twist="random"), seed=run).setup())
        asked = carried = steps = 0
        while not game.is_over:
            start = time.perf_counter_ns()
            legal = game.legal_labels()
            asked += time.perf_counter_ns() - start
            label = sorted(legal)[stream.draw(len(legal))]
            start = time.perf_counter_ns()
            game.apply(label)
            carried += time.perf_counter_ns() - start
            steps += 1
        legal_ns.append(asked / steps)
        step_ns.append((asked + carried) / steps)
    return (
        Timing("legal actions, reference", "ns per set", tuple(legal_ns)),
        Timing("random step, reference", "ns per step", tuple(step_ns)),
    )


FIRST_GAME = """
import time
start = time.perf_counter_ns()
from winterkingdom_env.games import winter_kingdom as wk
game = wk.new_game(seed=7)
game.apply(game.legal_actions()[0])
game.score_sheet()
print(time.perf_counter_ns() - start)
"""


def time_compilation() -> tuple[Timing, Timing]:
    """A fresh process until its first game has moved and been scored: with an empty cache, and with a filled one."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}

        def run() -> float:
            command = [sys.executable, "-c", FIRST_GAME]
            return float(subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout)

        cold = run()
        warm = [run() for _ in range(5)]
    return Timing("first game, cold cache", "ns", (cold,)), Timing("first game, warm cache", "ns", tuple(warm))


def is_mandatory(game: wk.Game) -> bool:
    """The second or third mandatory piece is to be placed."""
    return game.phase == "mandatory"


def is_main(game: wk.Game) -> bool:
    """A main phase in the middle of the game."""
    return game.phase in ("before", "after") and 4 <= game.round <= 10
