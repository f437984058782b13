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

from agents.ratings import drawn_again, share_interval
from agents.report import csv_text
from agents.results import Result
from winterkingdom_env.core.files import write_whole

ALL, NONE, MIXED = "all", "none", "mixed"
SEEN, HELD_OUT = "seen", "held-out"
DIGITS = 6  # decimals of stored rates


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


def _row(games: Sequence[Played], split: str, fact: str = ALL, value: str = ALL) -> Row:
    place = {setup: i for i, setup in enumerate(sorted({game.setup for game in games}))}
    won, counts = np.zeros(len(place)), np.zeros(len(place))
    for game in games:
        won[place[game.setup]] += game.win
        counts[place[game.setup]] += 1
    rate = float(won.sum() / len(games))
    low, high = share_interval(drawn_again(len(place)), won, counts)
    return Row(
        agent=games[0].agent, opponent=games[0].opponent, split=split, num_players=games[0].num_players, fact=fact, value=value,
        setups=len(place), games=len(games), wins=round(float(won.sum()), DIGITS), win_rate=round(rate, DIGITS),
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
    gap = seen.win_rate - held_out.win_rate
    low = math.hypot(seen.win_rate - seen.low, held_out.high - held_out.win_rate)
    high = math.hypot(seen.high - seen.win_rate, held_out.win_rate - held_out.low)
    return Gap(agent=seen.agent, opponent=seen.opponent, num_players=seen.num_players, gap=gap, low=max(-1.0, gap - low), high=min(1.0, gap + high))  # fmt: skip


def gaps(rows: Iterable[Row]) -> list[Gap]:
    """A gap for every agent, opponent and number of players that has both splits."""
    sides: dict[tuple[str, str, int], dict[str, Row]] = defaultdict(dict)
    for row in by_split(rows):
        sides[row.agent, row.opponent, row.num_players][row.split] = row
    return [gap_of(side[SEEN], side[HELD_OUT]) for side in sides.values() if SEEN in side and HELD_OUT in side]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as CSV; missing folders are created."""
    write_whole(path, csv_text((msgspec.to_builtins(row) for row in rows), Row.__struct_fields__))
