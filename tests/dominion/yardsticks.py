"""The yardsticks of Dominion: known figures of the Big Money players beside ours. ``python -m tests.dominion.yardsticks --games 20000``.

The figures are those of an independent engine, from 10,000 games or more. Fails if one of ours lies more than three standard errors off, beyond
the rounding of the known figure, both samples counted; the errors are printed.
"""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track

from winterkingdom_env.core.rng import derive, seed_state
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.bigmoney import Wish, as_array, choose, wishes_of
from winterkingdom_env.games.dominion.bigmoney_games import play_games
from winterkingdom_env.games.dominion.layout import MAX_PLAYERS
from winterkingdom_env.games.dominion.tables import NAMES
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.view import View

THEIR_GAMES = 10_000
MOST_ERRORS = 3.0


class Pair(NamedTuple):
    """Two players with seats in turn, and the percentages that each should win."""

    first: str
    second: str
    won: float
    lost: float
    cards: str = ""  # that the second one buys, too
    n: int = 1

    @property
    def name(self) -> str:
        """As the table of the rules names it."""
        return f"{self.first} : {self.second}" + (f"+{self.n} {self.cards}" if self.cards else "")


class Mirror(NamedTuple):
    """A player against itself, and the percentages of each seat."""

    player: str
    shares: tuple[float, ...]
    rounds: float | None = None

    @property
    def name(self) -> str:
        """For the table."""
        return f"{self.player} mirror, {len(self.shares)} players"


PAIRS = (
    Pair("BM", "BMS", 16.2, 57.4),
    Pair("BM", "BMU", 4.8, 93.9),
    Pair("BMS", "BMU", 18.6, 78.4),
    Pair("BM", "BM", 12.4, 60.5, "Smithy"),
    Pair("BM", "BM", 4.1, 95.9, "Witch"),
    Pair("BM", "BM", 4.6, 95.4, "Witch", 2),
    Pair("BM", "BM", 28.2, 36.6, "Laboratory", 2),
    Pair("BM", "BM", 18.7, 47.4, "Council Room"),
    Pair("BM", "BM", 16.5, 57.1, "Militia"),
    Pair("BM", "BM", 36.2, 30.3, "Market", 2),
    Pair("BM", "BM", 44.7, 23.0, "Festival", 2),
    Pair("BM", "BM", 24.9, 41.4, "Moat"),
    Pair("BM", "BM", 17.0, 51.4, "Library"),
    Pair("BM", "BM", 25.3, 42.5, "Moneylender"),
    Pair("BM", "BM", 26.5, 43.4, "Chancellor"),
    Pair("BM", "BM", 29.2, 37.7, "Mine"),
    Pair("BM", "BM", 28.0, 40.4, "Bureaucrat"),
    Pair("BM", "BM", 29.3, 38.3, "Adventurer"),
    Pair("BM", "BM", 33.1, 34.0, "Woodcutter"),
    Pair("BM", "BM", 53.8, 46.2, "Chapel"),
    Pair("WW", "BigSmithy", 26.1, 68.5),
    Pair("WW", "W1", 9.0, 89.6),
    Pair("WW", "W2", 4.9, 94.6),
    Pair("W1", "W2", 36.1, 61.4),
)
MIRRORS = (
    Mirror("BM", (24.9, 42.5), 17.4),
    Mirror("BMD", (47.9, 40.9)),
    Mirror("BMU", (51.8, 41.1)),
    Mirror("BMU", (36.7, 28.3, 24.8)),
    Mirror("BMU", (27.9, 22.0, 18.6, 17.0)),
)
ALONE = {
    "BM": (8.72, 16.80, 1.85),
    "BMS": (None, 15.18, None),
}  # turn of the first and the fourth Province; deviation of the latter
# With two Silvers bought first, coins of turns 3 and 4: once 7; once 6 or more; never 5 or more; twice 5 or more; and their sum. Exact.
OPENING = (("7 coins once", 8.84), ("6 or more once", 42.42), ("never 5", 8.84), ("twice 5 or more", 14.90))
OPENING_SUM = 9.1667
RANDOM_GAMES = 300


class Figure(NamedTuple):
    """A figure of ours beside the known one."""

    what: str
    known: float
    ours: float
    error: float  # standard error of ours
    difference_error: float  # of the difference
    digit: float = 0.1  # to which the known figure is rounded

    @property
    def errors(self) -> float:
        """The difference in standard errors, beyond what rounding explains."""
        difference = self.ours - self.known
        beyond = max(abs(difference) - self.digit / 2, 0.0)
        return math.copysign(beyond / self.difference_error, difference) if self.difference_error else 0.0


def share(what: str, known: float, won: int, n: int, their_games: int = THEIR_GAMES, digit: float = 0.1) -> Figure:
    """A percentage of ``n`` games. ``their_games``: 0 if the known figure is exact."""
    variance = 100.0**2 * max(known / 100 * (1 - known / 100), 1e-9)
    theirs = variance / their_games if their_games else 0
    return Figure(what, known, 100 * won / n, (variance / n) ** 0.5, (variance / n + theirs) ** 0.5, digit)


def mean(what: str, known: float, values: np.ndarray, their_games: int = THEIR_GAMES, digit: float = 0.01) -> Figure:
    """A mean over games."""
    variance = float(values.var())
    error = (variance / len(values)) ** 0.5
    theirs = variance / their_games if their_games else 0
    return Figure(what, known, float(values.mean()), error, (error**2 + theirs) ** 0.5, digit)


# Games ------------------------------------------------------------------------------------------------------------------


def kingdom_with(cards: str) -> tuple[str, ...]:
    """Ten kingdom cards with everything that a player may wish for."""
    wished = dict.fromkeys([*filter(None, [cards]), "Smithy", "Witch"])
    others = ("Cellar", "Village", "Moat", "Mine", "Market", "Militia", "Remodel", "Workshop", "Woodcutter")
    return tuple(dict.fromkeys([*wished, *others]))[:10]


def play(
    players: Sequence[np.ndarray], config: Config, seeds: range, n_provinces: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ranks, rounds, and rounds of the first Provinces of seat 0."""
    world = Game.make_world(1, (config,))
    states = np.array([seed_state(derive(seed, "yardsticks")) for seed in seeds], np.uint64)
    seats = np.stack([players[seat % len(players)] for seat in range(MAX_PLAYERS)])
    ranks, rounds = np.zeros((len(states), MAX_PLAYERS), np.int64), np.zeros(len(states), np.int64)
    provinces = np.zeros((len(states), n_provinces), np.int64)
    play_games(world, states, seats, ranks, rounds, provinces)
    return ranks, rounds, provinces


def pair_figures(pair: Pair, n: int) -> Iterator[Figure]:
    """Both shares of a pair."""
    players = [as_array(wishes_of(pair.first)), as_array(wishes_of(pair.second, pair.cards, pair.n))]
    won = lost = 0
    for turned in (0, 1):
        seeds = range(turned * (n // 2), (turned + 1) * (n // 2))
        ranks, _, _ = play(players[:: -1 if turned else 1], Config(kingdom=kingdom_with(pair.cards)), seeds)
        won += int((ranks[:, turned] < ranks[:, 1 - turned]).sum())
        lost += int((ranks[:, turned] > ranks[:, 1 - turned]).sum())
    yield share(f"{pair.name}: won", pair.won, won, 2 * (n // 2))
    yield share(f"{pair.name}: lost", pair.lost, lost, 2 * (n // 2))


def mirror_figures(mirror: Mirror, n: int) -> Iterator[Figure]:
    """The share of every seat of a mirror; a tie is nobody's."""
    n_players = len(mirror.shares)
    config = Config(kingdom=kingdom_with(""), num_players=n_players)
    ranks, rounds, _ = play([as_array(wishes_of(mirror.player))], config, range(n))
    best = ranks[:, :n_players] == 1
    alone = best & (best.sum(1) == 1)[:, None]
    for seat, known in enumerate(mirror.shares):
        yield share(f"{mirror.name}: seat {seat}", known, int(alone[:, seat].sum()), n)
    if mirror.rounds is not None:
        yield mean(f"{mirror.name}: rounds", mirror.rounds, rounds, digit=0.1)


def alone_figures(n: int) -> Iterator[Figure]:
    """A player beside one that buys nothing: the turns in which it gets its Provinces."""
    nothing: tuple[Wish, ...] = ()
    for player, (first, fourth, deviation) in ALONE.items():
        seats = [as_array(wishes_of(player)), as_array(nothing)]
        _, _, provinces = play(seats, Config(kingdom=kingdom_with("")), range(n), n_provinces=4)
        if first is not None:
            yield mean(f"{player} alone: turn of the first Province", first, provinces[:, 0])
        yield mean(f"{player} alone: turn of the fourth Province", fourth, provinces[:, 3])
        if deviation is not None:
            spread = float(provinces[:, 3].std())
            error = spread / (2 * n) ** 0.5
            both = (error**2 + deviation**2 / (2 * THEIR_GAMES)) ** 0.5
            yield Figure(f"{player} alone: its deviation", deviation, spread, error, both, digit=0.01)


def opening_coins(seed: int) -> tuple[int, int] | None:
    """The coins of seat 0 in turns 3 and 4 after it bought two Silvers; None if its first hands did not have 3 and 4."""
    game = Game.new_game(Config(kingdom=kingdom_with("")), derive(seed, "openings"))
    found = list[int]()
    while len(found) < 4:
        snapshot = game.snapshot()
        if game.seat == 0:
            found.append(int(snapshot["coins"]))
        wants = game.seat == 0 and len(found) <= 2
        if wants and found[-1] not in (3, 4):
            return None
        game.apply(game.parse(f"buy {NAMES[1]}") if wants else game.parse("done"))
    return found[2], found[3]


def opening_figures(n: int) -> Iterator[Figure]:
    """What two Silvers lead to, and how often the first hand has 3 or 4 Coppers."""
    coins, tried, seed = list[tuple[int, int]](), 0, 0
    while len(coins) < n:
        found = opening_coins(seed)
        seed, tried = seed + 1, tried + 1
        if found is not None:
            coins.append(found)
    hands = np.array(coins)
    yes = ((hands == 7).any(1), (hands >= 6).any(1), (hands < 5).all(1), (hands >= 5).all(1))
    for (what, known), seen in zip(OPENING, yes, strict=True):
        yield share(f"two Silvers first, turns 3 and 4: {what}", known, int(seen.sum()), n, their_games=0, digit=0.01)
    yield mean("two Silvers first, turns 3 and 4: sum", OPENING_SUM, hands.sum(1), their_games=0, digit=1e-4)
    yield share("first hand with 3 or 4 Coppers", 100 * 210 / 252, n, tried, their_games=0, digit=0)


def random_figures() -> Iterator[Figure]:
    """Big Money against random play wins always."""
    won, wishes = 0, as_array(wishes_of("BM"))
    for seed in range(RANDOM_GAMES):
        game, other, own = Game.new_game(Config(), derive(seed, "random")), RandomAgent(seed), seed % 2
        while not game.is_over:
            world: Any = game._world
            mine = game.seat == own
            game.apply(
                int(choose(world.games[0], world.boards[0], world.rules[0], wishes))
                if mine
                else other(View(game, game.seat))
            )
        won += game.ranks()[own] < game.ranks()[1 - own]
    yield Figure(
        f"BM : random, {RANDOM_GAMES} games: won",
        100.0,
        100 * won / RANDOM_GAMES,
        0.0,
        0.0 if won == RANDOM_GAMES else 0.1,
    )


def figures(n: int) -> Iterator[Figure]:
    """All of them."""
    yield from alone_figures(n)
    yield from opening_figures(n)
    for mirror in MIRRORS:
        yield from mirror_figures(mirror, n)
    for pair in PAIRS:
        yield from pair_figures(pair, n)
    yield from random_figures()


def main(arguments: list[str] | None = None) -> int:
    """Print every figure; 1 if one lies outside three standard errors."""
    parser = ArgumentParser(
        prog="python -m tests.dominion.yardsticks", description="Known figures of the Big Money players beside ours."
    )
    parser.add_argument("--games", type=int, default=20_000, help="games per figure (default 20,000)")
    n = parser.parse_args(arguments).games
    if n < 2:
        parser.error(f"--games {n}: at least 2 are needed")
    console = Console(stderr=True)
    found = list(track(figures(n), "yardsticks", console=console, transient=True, disable=not console.is_terminal))
    print(f"{n:,} games each; percentages unless they are turns, rounds or coins")
    print(f"{'what':58}  {'known':>7}  {'ours':>7}  {'error':>6}  {'off by':>6}")
    for figure in found:
        off = f"{figure.errors:+.1f}" + (" !" if abs(figure.errors) > MOST_ERRORS else "")
        print(f"{figure.what:58}  {figure.known:7.2f}  {figure.ours:7.2f}  {figure.error:6.3f}  {off:>6}")
    outside = [figure.what for figure in found if abs(figure.errors) > MOST_ERRORS]
    print(f"{len(found) - len(outside)} of {len(found)} lie within {MOST_ERRORS:g} standard errors")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
