"""Win rates of an agent with intervals, by split, number of players and the facts of a game (GameRules.FACTS).

The statistical unit is the set-up: its games share cards, boards and hands. Intervals are those of the arena (``agents.ratings``): 95 %, from a
bootstrap over set-ups; Wilson intervals where all set-ups had the same result.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from agents.ratings import difference_interval, drawn_again, share_interval, wilson
from agents.report import csv_text
from agents.results import Result
from winterkingdom_env.core.files import write_whole

ALL, NONE, MIXED = "all", "none", "mixed"
SEEN, HELD_OUT = "seen", "held-out"
DIGITS = 6  # decimals of stored rates
Rate = tuple[float, float, float]  # an estimate and the ends of its 95 % interval


class Played(msgspec.Struct, frozen=True):
    """One game of the agent. ``win``: 1, or its share of a shared win; ``setup``: a number, the same for all rotations.

    ``facts``: the facts with one value in a game, by name.
    """

    agent: str
    opponent: str
    split: str
    num_players: int
    facts: dict[str, str]
    setup: int
    win: float
    is_forfeit: bool


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The win rate of an agent against copies of one opponent, in a subset of its games, with a 95 % interval.

    ``split``: seen, held-out, mixed or all; ``fact`` and ``value``: a fact of the games and what it is in them, or both all; ``wins`` counts a shared win as its share; ``forfeits`` are games that
    the agent itself forfeited, which are lost.
    """

    agent: str
    opponent: str
    split: str
    num_players: int
    fact: str
    value: str
    setups: int
    games: int
    wins: float
    win_rate: float
    low: float
    high: float
    forfeits: int = 0

    @property
    def chance(self) -> float:
        """The expected win rate among equal players."""
        return 1 / self.num_players


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """The win rate on seen set-ups minus the one on held-out set-ups, with a 95 % interval."""

    agent: str
    opponent: str
    num_players: int
    gap: float
    low: float
    high: float


def played(result: Result, opponent: str, split: str) -> Played:
    """A result of a tournament in which agent number 0 sits among copies of agent number 1."""
    seat = result.numbers.index(0)
    is_won = result.ranks[seat] == 1
    return Played(
        agent=result.seats[seat],
        opponent=opponent,
        split=split,
        num_players=len(result.seats),
        facts={name: value or NONE for name, value in result.cards.items() if not isinstance(value, list)},
        setup=result.setup,
        win=1 / result.ranks.count(1) if is_won else 0.0,
        is_forfeit=result.forfeit is not None and result.forfeit.seat == seat,
    )


def rows_of(games: Iterable[Played]) -> list[Row]:
    """For every agent, opponent and number of players: all games, those of each split, and those of each fact's values within its split."""
    groups: dict[tuple[str, str, int], list[Played]] = defaultdict(list)
    for game in games:
        groups[game.agent, game.opponent, game.num_players].append(game)
    rows = []
    for group in groups.values():
        rows.append(_row(group, ALL))
        splits = [name for name in (SEEN, HELD_OUT, MIXED) if any(game.split == name for game in group)]
        parts = {name: [game for game in group if game.split == name] for name in splits}
        rows += [_row(part, name) for name, part in parts.items()]
        for fact, (name, part) in product(group[0].facts, parts.items()):
            for value in sorted({game.facts[fact] for game in part}, key=lambda value: (value != NONE, value)):
                rows.append(_row([game for game in part if game.facts[fact] == value], name, fact, value))
    return rows


def wins_by_setup(games: Sequence[Played]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wins and games of each set-up, in their order."""
    place = {setup: i for i, setup in enumerate(sorted({game.setup for game in games}))}
    won, counts = np.zeros(len(place)), np.zeros(len(place))
    for game in games:
        won[place[game.setup]] += game.win
        counts[place[game.setup]] += 1
    return won, counts


def paired_gap(first: Sequence[float], second: Sequence[float], each: int) -> Rate:
    """The difference of two win rates on the same set-ups, the first minus the second, with its 95 % interval.

    ``first``, ``second``: wins per set-up, in the same order; ``each``: games per set-up. The interval is from a bootstrap over the differences.
    Where all differences are the same it would have no width: then it is Newcombe's, from two Wilson intervals, as if the samples were independent.
    """
    differences = (np.asarray(first) - np.asarray(second)) / each
    n, gap = len(differences), float(differences.mean())
    if n < 2 or np.ptp(differences) == 0:
        rates = [float(np.mean(wins)) / each for wins in (first, second)]
        alone: list[Rate] = [(rate, *wilson(rate, n)) for rate in rates]
        return independent_gap(*alone)
    low, high = difference_interval(drawn_again(n), differences)
    return gap, max(-1.0, min(low, gap)), min(1.0, max(high, gap))


def rate_of(won: Sequence[float], each: int) -> Rate:
    """The win rate with its interval, from the wins of each set-up, which all had ``each`` games."""
    wins, counts = np.asarray(won, dtype=float), np.full(len(won), float(each))
    rate = float(wins.sum() / counts.sum())
    low, high = share_interval(drawn_again(len(wins)), wins, counts)
    return rate, min(low, rate), max(high, rate)


def _row(games: Sequence[Played], split: str, fact: str = ALL, value: str = ALL) -> Row:
    won, counts = wins_by_setup(games)
    rate = float(won.sum() / len(games))
    low, high = share_interval(drawn_again(len(won)), won, counts)
    return Row(
        agent=games[0].agent, opponent=games[0].opponent, split=split, num_players=games[0].num_players, fact=fact, value=value,
        setups=len(won), games=len(games), wins=round(float(won.sum()), DIGITS), win_rate=round(rate, DIGITS),
        low=round(min(low, rate), DIGITS), high=round(max(high, rate), DIGITS), forfeits=sum(game.is_forfeit for game in games),
    )  # fmt: skip


def overall(rows: Iterable[Row]) -> list[Row]:
    """The rows about all games of an agent against an opponent."""
    return [row for row in rows if row.split == ALL and row.fact == ALL]


def by_split(rows: Iterable[Row]) -> list[Row]:
    """The rows about all games of one split."""
    return [row for row in rows if row.split != ALL and row.fact == ALL]


def by_fact(rows: Iterable[Row]) -> list[Row]:
    """The rows about one value of a fact; each belongs to one split."""
    return [row for row in rows if row.fact != ALL]


def by_players(rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Rows by number of players, the fewest first. Win rates for different numbers are not comparable."""
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.num_players].append(row)
    return dict(sorted(groups.items()))


def gap_of(seen: Row, held_out: Row) -> Gap:
    """Seen minus held out. The two samples are independent, so the squared distances to the ends of their intervals add up (Newcombe)."""
    rates = (seen.win_rate, seen.low, seen.high), (held_out.win_rate, held_out.low, held_out.high)
    gap, low, high = independent_gap(*rates)
    return Gap(agent=seen.agent, opponent=seen.opponent, num_players=seen.num_players, gap=gap, low=low, high=high)


def independent_gap(first: Rate, second: Rate) -> Rate:
    """The difference of two rates of independent samples, the first minus the second, with Newcombe's interval."""
    gap = first[0] - second[0]
    below = math.hypot(first[0] - first[1], second[2] - second[0])
    above = math.hypot(first[2] - first[0], second[0] - second[1])
    return gap, max(-1.0, gap - below), min(1.0, gap + above)


def gaps(rows: Iterable[Row]) -> list[Gap]:
    """A gap for every agent, opponent and number of players that has both splits."""
    sides: dict[tuple[str, str, int], dict[str, Row]] = defaultdict(dict)
    for row in by_split(rows):
        sides[row.agent, row.opponent, row.num_players][row.split] = row
    return [gap_of(side[SEEN], side[HELD_OUT]) for side in sides.values() if SEEN in side and HELD_OUT in side]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as CSV; missing folders are created."""
    write_whole(path, csv_text((msgspec.to_builtins(row) for row in rows), Row.__struct_fields__))
