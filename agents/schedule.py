"""The schedule of a tournament: line-ups, set-ups, the order of the games, and all seeds.

A *line-up* is the agents on the seats of a game. A *set-up* is a number: its cards and boards follow from the tournament's seed
and that number alone, so all line-ups play the same set-ups, once in each cyclic rotation of the seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any

import msgspec

from winterkingdom_env.core.plain_text import LONGEST_QUOTE, one_line, quoted
from winterkingdom_env.core.rng import derive

FORMAT = 4  # 4: fields of the game's Config that are not set have their defaults
SEED_BITS = 63
BLOCK = 16  # set-ups; a seat's process sees each of them once, so it plays up to 16 games in a row
MOST_GAMES = 1_000_000  # per tournament: results are kept in memory, and ids have six digits for the set-up
MOST_LINEUPS = 10_000  # ids have four digits for the line-up
MOST_SETUPS = 100_000  # in --setups
MOST_AGENTS, MOST_SEATS, LONGEST_TEXT = 1000, 64, 5000
LONGEST_MOVE, LARGEST_MEMORY = 1_000_000.0, 1 << 30  # seconds, megabytes
LARGEST_ELO, SMALLEST_RISK = 4000.0, 1e-9
MOST_PROCESSES = 256  # games in parallel
HUMAN = "human"


class ScheduleError(ValueError):
    """The settings of a tournament are invalid."""


class Mode(StrEnum):
    """Which line-ups are played."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    HEAD_TO_HEAD = "head-to-head"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides the results of a tournament; ``tournament.json`` keeps it.

    ``agents``: as written on the command line; ``games``: per line-up, before rounding; ``sprt``: elo0 and elo1 or None; limits in seconds per move and
    megabytes per seat. ``choices``: fields of the game's Config for all set-ups, the others have their defaults; or ``setups``: the fields of a Config
    for each set-up (``agents.setups``).
    """

    agents: tuple[str, ...]
    game: str
    players: int = 2
    games: int = 100
    mode: Mode = Mode.ROUND_ROBIN
    seed: int = 0
    time_limit: float = 60.0
    memory_limit: int = 4096
    choices: dict[str, Any] | None = None
    setups: tuple[dict[str, Any], ...] | None = None
    sprt: tuple[float, float] | None = None
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if self.choices is not None:
            msgspec.structs.force_setattr(self, "choices", as_file(self.choices))
        _check_agents(self)
        _check_numbers(self)
        if self.setups is not None:
            _check_setups(self, self.setups)
        if self.sprt is not None:
            _check_sprt(self)
        _check_size(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names: as written, numbered if an agent plays twice."""
        return names_of(self.agents)

    @property
    def n_setups(self) -> int:
        """The number of set-ups: enough for ``games``, in complete rotations."""
        return -(-self.games // self.players)

    def config(self, setup: int) -> dict[str, Any]:
        """The fields of the game's Config for this set-up."""
        if self.setups is not None:
            return {**self.setups[setup], "num_players": self.players}
        return {**(self.choices or {}), "num_players": self.players}


def as_file(choices: Any) -> dict[str, Any]:
    """A Config, or fields of one, as read from JSON: with lists instead of tuples."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(choices))
    return found


class Job(msgspec.Struct, frozen=True):
    """One game to play. ``seats``: the agent's number for every seat."""

    setup: int
    lineup: int
    rotation: int
    seats: tuple[int, ...]

    @property
    def id(self) -> str:
        """The name of the game in results and records; sorts by set-up, line-up and rotation."""
        return f"{self.setup:06}-{self.lineup:04}-{self.rotation}"


def game_seed(settings: Settings, job: Job) -> int:
    """The seed of the game; it does not depend on the agents."""
    return derive(settings.seed, "game", job.setup)


def agent_seed(settings: Settings, job: Job, seat: int) -> int:
    """The seed of the agent on this seat."""
    return derive(settings.seed, "agent", job.setup, seat, job.seats[seat])


def deal_seed(settings: Settings, job: Job, move: int) -> int:
    """The seed for resampling hidden information before a seat sees the game for its move."""
    return derive(settings.seed, "deal", job.id, move)


def names_of(agents: Sequence[str]) -> tuple[str, ...]:
    """A unique name for each agent: ``greedy`` twice becomes ``greedy#1`` and ``greedy#2``."""
    total, seen, names = Counter(agents), Counter[str](), []
    for text in agents:
        seen[text] += 1
        names.append(f"{text}#{seen[text]}" if total[text] > 1 else text)
    return tuple(names)


def lineups(settings: Settings) -> list[tuple[int, ...]]:
    """All line-ups of the tournament, as numbers of agents."""
    everybody, players = range(len(settings.agents)), settings.players
    if settings.mode is Mode.GAUNTLET:
        return [(0, *others) for others in _fill(everybody[1:], players - 1)]
    return [lineup for lineup in _fill(everybody, players) if len(set(lineup)) > 1]


def _fill(agents: Sequence[int], n_seats: int) -> Iterator[tuple[int, ...]]:
    """All ways to fill the seats, without repeating an agent if there are enough."""
    return combinations(agents, n_seats) if len(agents) >= n_seats else combinations_with_replacement(agents, n_seats)


def seated(lineup: Sequence[int], setup: int, rotation: int) -> tuple[int, ...]:
    """The line-up rotated by ``rotation`` seats, and reversed on odd set-ups so that no agent always plays right after the same one."""
    ordered = tuple(lineup) if setup % 2 == 0 else tuple(lineup[::-1])
    return ordered[rotation:] + ordered[:rotation]


def jobs(settings: Settings) -> Iterator[Job]:
    """All games, in the order in which they start.

    Within a block of set-ups, games of the same rotation and line-up are consecutive. A process must not see a set-up twice (it could remember the
    hand it had on another seat); in this order it can play the next set-up without a restart.
    """
    fields = lineups(settings)
    for first in range(0, settings.n_setups, BLOCK):
        for rotation in range(settings.players):
            for number, lineup in enumerate(fields):
                for setup in range(first, min(first + BLOCK, settings.n_setups)):
                    yield Job(setup, number, rotation, seated(lineup, setup, rotation))


def n_lineups(settings: Settings) -> int:
    """The number of line-ups."""
    is_gauntlet = settings.mode is Mode.GAUNTLET
    n_agents, n_seats = len(settings.agents) - is_gauntlet, settings.players - is_gauntlet
    if n_agents >= n_seats:
        return comb(n_agents, n_seats)
    return comb(n_agents + n_seats - 1, n_seats) - (
        0 if is_gauntlet else n_agents
    )  # no agent plays only against itself


def n_games(settings: Settings) -> int:
    """The number of games in the schedule."""
    return settings.n_setups * settings.players * n_lineups(settings)


def check_processes(number: int) -> None:
    """ScheduleError unless this number of games can run in parallel."""
    if number < 1:
        raise ScheduleError(f"--processes {number}: 1 or more is needed")
    if number > MOST_PROCESSES:
        raise ScheduleError(f"--processes {number}: at most {MOST_PROCESSES} games can run in parallel")


def _check_agents(settings: Settings) -> None:
    for text in settings.agents:
        if text.partition(":")[0].strip() == HUMAN:
            raise ScheduleError("a human cannot play in a tournament; use 'winterkingdom play --agents human,search'")
    if len(settings.agents) < 2:
        raise ScheduleError(
            f"{len(settings.agents)} agents are named; at least two are needed, as in 'random greedy'; "
            "the same agent may be named twice"
        )
    if len(settings.agents) > MOST_AGENTS:
        raise ScheduleError(f"{len(settings.agents):,} agents are named; a tournament has at most {MOST_AGENTS:,}")
    for text in settings.agents:
        if not text.isprintable():
            raise ScheduleError(
                f"agent '{one_line(text, LONGEST_QUOTE)}' has an unprintable character; a name as in --help is needed"
            )
        if len(text) > LONGEST_TEXT:
            raise ScheduleError(f"agent {quoted(text)}: at most {LONGEST_TEXT:,} characters are allowed")
    if settings.mode is Mode.HEAD_TO_HEAD and len(settings.agents) != 2:
        raise ScheduleError(
            f"--mode head-to-head needs two agents, {len(settings.agents)} are named; "
            "use round-robin for all against all, gauntlet for the first against the others"
        )


def _check_numbers(settings: Settings) -> None:
    for name, value, least, most in (
        ("--players", settings.players, 2, MOST_SEATS), ("--games", settings.games, 1, MOST_GAMES),
        ("--seed", settings.seed, 0, (1 << SEED_BITS) - 1), ("--memory-limit", settings.memory_limit, 1, LARGEST_MEMORY),
    ):  # fmt: skip
        if value < least:
            raise ScheduleError(f"{name} {value}: {least} or more is needed")
        if value > most:
            raise ScheduleError(f"{name} {value}: at most {most} is allowed")
    if not 0 < settings.time_limit <= LONGEST_MOVE:
        raise ScheduleError(
            f"--time-limit {settings.time_limit:g}: a number of seconds above 0 and up to {LONGEST_MOVE:g} is needed"
        )


def _check_size(settings: Settings) -> None:
    """ScheduleError if the tournament is too large for memory or for the ids of games."""
    n, planned = n_lineups(settings), n_games(settings)
    if n > MOST_LINEUPS:
        raise ScheduleError(
            f"{len(settings.agents)} agents make {n:,} line-ups of {settings.players}; at most {MOST_LINEUPS:,} are allowed; "
            "name fewer, or use --mode gauntlet for the first against the others"
        )
    if planned > MOST_GAMES:
        raise ScheduleError(
            f"--games {settings.games} makes {planned:,} games ({settings.n_setups:,} set-ups x {settings.players} rotations x "
            f"{n:,} line-ups); a tournament has at most {MOST_GAMES:,}"
        )


def _check_setups(settings: Settings, setups: Sequence[dict[str, Any]]) -> None:
    if settings.choices is not None:
        raise ScheduleError("--setups defines the set-ups completely; leave out --set")
    if len(setups) > MOST_SETUPS:
        raise ScheduleError(f"--setups: {len(setups):,} set-ups are given; a tournament has at most {MOST_SETUPS:,}")
    if settings.n_setups > len(setups):
        raise ScheduleError(
            f"--games {settings.games}: the {len(setups)} set-ups are enough for {len(setups) * settings.players} games "
            f"of {settings.players} players, one per set-up and rotation"
        )


def _check_sprt(settings: Settings) -> None:
    low, high = settings.sprt or (0.0, 0.0)
    if settings.mode is not Mode.HEAD_TO_HEAD:
        raise ScheduleError(f"--sprt compares two agents and needs --mode head-to-head, not {settings.mode.value}")
    if not low >= -LARGEST_ELO or not high <= LARGEST_ELO:
        raise ScheduleError(
            f"--sprt {low:g},{high:g}: Elo differences from -{LARGEST_ELO:g} to {LARGEST_ELO:g} are needed"
        )
    if not low < high:
        raise ScheduleError(f"--sprt {low:g},{high:g}: the first Elo difference must be the smaller one, as in 0,20")
    for name, value in (("--alpha", settings.alpha), ("--beta", settings.beta)):
        if not SMALLEST_RISK <= value < 0.5:
            raise ScheduleError(
                f"{name} {value:g}: an error probability from {SMALLEST_RISK:g} to less than 0.5 is needed, as in 0.05"
            )
