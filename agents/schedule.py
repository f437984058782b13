"""Who plays whom, on which set-ups, in which order, and every seed of a tournament.

A *line-up* is the agents that fill the seats of a game. A *set-up* is a number: its cards and boards follow from the tournament's seed
and that number alone, so every line-up meets the same ones, once in each cyclic rotation over the seats.
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

FORMAT = 4  # 4: a field of the game's Config that is not chosen has its default
SEED_BITS = 63
BLOCK = 16  # set-ups; a seat's process meets each of them once, so it is used for up to so many games in a row
MOST_GAMES = 1_000_000  # of a tournament: every one is kept in memory, and ids have six digits for the set-up
MOST_LINEUPS = 10_000  # ids have four digits for the line-up
MOST_SETUPS = 100_000  # of a given list
MOST_AGENTS, MOST_SEATS, LONGEST_TEXT = 1000, 64, 5000
LONGEST_MOVE, LARGEST_MEMORY = 1_000_000.0, 1 << 30  # seconds, megabytes
LARGEST_ELO, SMALLEST_RISK = 4000.0, 1e-9
MOST_PROCESSES = 256  # matches at once
HUMAN = "human"


class ScheduleError(ValueError):
    """What was asked for is no tournament."""


class Mode(StrEnum):
    """Which line-ups there are."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    HEAD_TO_HEAD = "head-to-head"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides the results of a tournament; ``tournament.json`` keeps it.

    ``agents`` the texts as given, ``games`` per line-up as asked for, ``sprt`` elo0 and elo1 or None, limits in seconds per move and
    megabytes per seat. ``choices``: fields of the game's Config for every set-up, the others have their defaults; or ``setups``: the fields of a Config
    for each set-up by its number (``agents.setups``).
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
        """What each agent is called: its text, numbered if the same text plays twice."""
        return names_of(self.agents)

    @property
    def n_setups(self) -> int:
        """Set-ups to draw: enough for the games asked for, in whole rotations."""
        return -(-self.games // self.players)

    def config(self, setup: int) -> dict[str, Any]:
        """The options of the game's Config for this set-up."""
        if self.setups is not None:
            return {**self.setups[setup], "num_players": self.players}
        return {**(self.choices or {}), "num_players": self.players}


def as_file(choices: Any) -> dict[str, Any]:
    """A Config, or fields of one, as a JSON file gives them back: lists, not tuples."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(choices))
    return found


class Job(msgspec.Struct, frozen=True):
    """One game to play: ``seats`` has the number of an agent for every seat."""

    setup: int
    lineup: int
    rotation: int
    seats: tuple[int, ...]

    @property
    def id(self) -> str:
        """Its name in results and records; ids sort like the numbers in them."""
        return f"{self.setup:06}-{self.lineup:04}-{self.rotation}"


def game_seed(settings: Settings, job: Job) -> int:
    """The seed of the game itself: the same whoever plays."""
    return derive(settings.seed, "game", job.setup)


def agent_seed(settings: Settings, job: Job, seat: int) -> int:
    """The seed that the agent on this seat is made with."""
    return derive(settings.seed, "agent", job.setup, seat, job.seats[seat])


def deal_seed(settings: Settings, job: Job, move: int) -> int:
    """The seed from which everything hidden is resampled before a seat is shown the game for its move."""
    return derive(settings.seed, "deal", job.id, move)


def names_of(agents: Sequence[str]) -> tuple[str, ...]:
    """A name for each agent, all different: the same text twice is ``greedy#1`` and ``greedy#2``."""
    total, seen, names = Counter(agents), Counter[str](), []
    for text in agents:
        seen[text] += 1
        names.append(f"{text}#{seen[text]}" if total[text] > 1 else text)
    return tuple(names)


def lineups(settings: Settings) -> list[tuple[int, ...]]:
    """Every line-up of the tournament, as numbers of agents."""
    everybody, players = range(len(settings.agents)), settings.players
    if settings.mode is Mode.GAUNTLET:
        return [(0, *others) for others in _fill(everybody[1:], players - 1)]
    return [lineup for lineup in _fill(everybody, players) if len(set(lineup)) > 1]


def _fill(agents: Sequence[int], n_seats: int) -> Iterator[tuple[int, ...]]:
    """Ways to fill the seats, everybody at most once if there are enough."""
    return combinations(agents, n_seats) if len(agents) >= n_seats else combinations_with_replacement(agents, n_seats)


def seated(lineup: Sequence[int], setup: int, rotation: int) -> tuple[int, ...]:
    """The line-up moved on by so many seats, mirrored on every other set-up: nobody always plays right after the same agent."""
    ordered = tuple(lineup) if setup % 2 == 0 else tuple(lineup[::-1])
    return ordered[rotation:] + ordered[:rotation]


def jobs(settings: Settings) -> Iterator[Job]:
    """Every game, in the order in which they begin.

    Within a block of set-ups all games of one rotation and line-up come first. A process must not meet a set-up twice (it could remember the
    hand it held on another seat), and in this order it can go on to the next set-up instead of being started again.
    """
    fields = lineups(settings)
    for first in range(0, settings.n_setups, BLOCK):
        for rotation in range(settings.players):
            for number, lineup in enumerate(fields):
                for setup in range(first, min(first + BLOCK, settings.n_setups)):
                    yield Job(setup, number, rotation, seated(lineup, setup, rotation))


def n_lineups(settings: Settings) -> int:
    """How many line-ups there are, without making them."""
    is_gauntlet = settings.mode is Mode.GAUNTLET
    n_agents, n_seats = len(settings.agents) - is_gauntlet, settings.players - is_gauntlet
    if n_agents >= n_seats:
        return comb(n_agents, n_seats)
    return comb(n_agents + n_seats - 1, n_seats) - (0 if is_gauntlet else n_agents)  # nobody plays himself alone


def n_games(settings: Settings) -> int:
    """How many games the whole schedule has."""
    return settings.n_setups * settings.players * n_lineups(settings)


def check_processes(number: int) -> None:
    """ScheduleError if not so many matches can go on at once."""
    if number < 1:
        raise ScheduleError(f"--processes {number}: at least one match must go on at a time")
    if number > MOST_PROCESSES:
        raise ScheduleError(f"--processes {number}: {MOST_PROCESSES} matches at a time are the most")


def _check_agents(settings: Settings) -> None:
    for text in settings.agents:
        if text.partition(":")[0].strip() == HUMAN:
            raise ScheduleError(
                "a human cannot sit in a tournament: nobody plays every rotation of every set-up by hand; "
                "'winterkingdom play --agents human,search' is for that"
            )
    if len(settings.agents) < 2:
        raise ScheduleError(
            f"{len(settings.agents)} agents are named, at least two are needed, as in 'random greedy'; "
            "the same one twice tests the arena itself"
        )
    if len(settings.agents) > MOST_AGENTS:
        raise ScheduleError(f"{len(settings.agents):,} agents are named, a tournament has at most {MOST_AGENTS:,}")
    for text in settings.agents:
        if not text.isprintable():
            raise ScheduleError(
                f"agent '{one_line(text, LONGEST_QUOTE)}' has a character that cannot be printed; a text as in --help is needed"
            )
        if len(text) > LONGEST_TEXT:
            raise ScheduleError(f"agent {quoted(text)}: a text of at most {LONGEST_TEXT:,} characters is needed")
    if settings.mode is Mode.HEAD_TO_HEAD and len(settings.agents) != 2:
        raise ScheduleError(
            f"--mode head-to-head is for two agents, {len(settings.agents)} are named; "
            "round-robin lets all play all, gauntlet the first against the others"
        )


def _check_numbers(settings: Settings) -> None:
    for name, value, least, most in (
        ("--players", settings.players, 2, MOST_SEATS), ("--games", settings.games, 1, MOST_GAMES),
        ("--seed", settings.seed, 0, (1 << SEED_BITS) - 1), ("--memory-limit", settings.memory_limit, 1, LARGEST_MEMORY),
    ):  # fmt: skip
        if value < least:
            raise ScheduleError(f"{name} {value}: {least} or more is needed")
        if value > most:
            raise ScheduleError(f"{name} {value}: {most} is the most")
    if not 0 < settings.time_limit <= LONGEST_MOVE:
        raise ScheduleError(
            f"--time-limit {settings.time_limit:g}: seconds for a move, more than 0 and at most {LONGEST_MOVE:g}, are needed"
        )


def _check_size(settings: Settings) -> None:
    """What is asked for must fit into memory and into the ids of games."""
    n, planned = n_lineups(settings), n_games(settings)
    if n > MOST_LINEUPS:
        raise ScheduleError(
            f"{len(settings.agents)} agents make {n:,} line-ups of {settings.players}, at most {MOST_LINEUPS:,} can be played; "
            "name fewer, or let --mode gauntlet play the first against the others"
        )
    if planned > MOST_GAMES:
        raise ScheduleError(
            f"--games {settings.games} makes {planned:,} games ({settings.n_setups:,} set-ups x {settings.players} rotations x "
            f"{n:,} line-ups), a tournament has at most {MOST_GAMES:,}"
        )


def _check_setups(settings: Settings, setups: Sequence[dict[str, Any]]) -> None:
    if settings.choices is not None:
        raise ScheduleError("--setups says everything about the set-ups; leave out --set")
    if len(setups) > MOST_SETUPS:
        raise ScheduleError(f"--setups: {len(setups):,} are given, a tournament has at most {MOST_SETUPS:,}")
    if settings.n_setups > len(setups):
        raise ScheduleError(
            f"--games {settings.games}: there are {len(setups)} set-ups, enough for {len(setups) * settings.players} games "
            f"of {settings.players} players, each set-up once in every rotation"
        )


def _check_sprt(settings: Settings) -> None:
    low, high = settings.sprt or (0.0, 0.0)
    if settings.mode is not Mode.HEAD_TO_HEAD:
        raise ScheduleError(f"--sprt compares two agents; it needs --mode head-to-head, not {settings.mode.value}")
    if not low >= -LARGEST_ELO or not high <= LARGEST_ELO:
        raise ScheduleError(
            f"--sprt {low:g},{high:g}: Elo differences from -{LARGEST_ELO:g} to {LARGEST_ELO:g} are needed"
        )
    if not low < high:
        raise ScheduleError(f"--sprt {low:g},{high:g}: the first Elo difference must be the smaller one, as in 0,20")
    for name, value in (("--alpha", settings.alpha), ("--beta", settings.beta)):
        if not SMALLEST_RISK <= value < 0.5:
            raise ScheduleError(
                f"{name} {value:g}: a probability of error from {SMALLEST_RISK:g} to less than 0.5 is needed, as in 0.05"
            )
