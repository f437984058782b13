"""The results of the generalisation benchmark: one JSON file with the wins of every set-up, from which its numbers follow (docs/generalisation.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from training.folds import Fold
from training.winrates import DIGITS, Played, Rate, independent_gap, paired_gap, rate_of, wins_by_setup
from winterkingdom_env.core.files import read_limited, write_whole
from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import one_line

FORMAT = 1
RESULTS, PICTURE = "generalisation.json", "generalisation.png"
Told = TypeVar("Told")


class FileError(ValueError):
    """A file is not one of results, or cannot be read."""


class Estimate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An agent's games on some set-ups. ``wins``: of each set-up, a shared win as its share; ``forfeits``: its own, which are lost.

    ``steps``: of its training, in the trainer's unit; None if the agent was trained elsewhere.
    """

    agent: str
    steps: int | None = None
    games: int
    forfeits: int
    wins: list[float]
    win_rate: Estimate


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fold. ``full``, ``held_out``: the agent trained on every level and the one trained without this one, on the same set-ups with the level.

    ``seen``: the latter on set-ups without the level; None for folds in which that cannot be compared. ``gap``: ``full`` minus ``held_out``,
    paired by set-up; ``within``: ``seen`` minus ``held_out``. ``digest``: of the set-ups with the level.
    """

    fold: str
    factor: str
    level: str
    players: int
    setups: int
    digest: str
    full: Side
    held_out: Side
    seen: Side | None
    gap: Estimate
    within: Estimate | None


class Protocol(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is the same in all folds. ``trainer``: one of ours, or the agents' text with {fold}; ``minutes``: of training per agent."""

    trainer: str
    minutes: float
    setups: int
    seed: int
    opponent: str


class Results(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of the file. ``folds``: those that were asked for; ``rows`` has one for each, in this order."""

    format: int
    game: str
    env_version: str
    package_version: str
    protocol: Protocol
    folds: list[str]
    rows: list[Row]


def estimate_of(rate: Rate) -> Estimate:
    """A rate as it is stored."""
    return Estimate(*(round(number, DIGITS) for number in rate))


def side_of(agent: str, steps: int | None, games: Sequence[Played], players: int) -> Side:
    """The games of an agent with so many steps of training; every set-up was played once on each seat."""
    won, _ = wins_by_setup(games)
    wins = [round(float(win), DIGITS) for win in won]
    return Side(
        agent=agent, steps=steps, games=len(games), forfeits=sum(game.is_forfeit for game in games), wins=wins, win_rate=estimate_of(rate_of(wins, players)),
    )  # fmt: skip


def row_of(fold: Fold, players: int, digest: str, full: Side, held_out: Side, seen: Side | None) -> Row:
    """The row of a fold."""
    return Row(
        fold=fold.name, factor=fold.factor, level=fold.level, players=players, setups=len(held_out.wins), digest=digest,
        full=full, held_out=held_out, seen=seen, gap=estimate_of(paired_gap(full.wins, held_out.wins, players)),
        within=None if seen is None else estimate_of(within_gap(seen, held_out)),
    )  # fmt: skip


def within_gap(seen: Side, held_out: Side) -> Rate:
    """Seen minus held out, of the same agent on different set-ups."""
    first, second = seen.win_rate, held_out.win_rate
    return independent_gap((first.value, first.low, first.high), (second.value, second.low, second.high))


def write(path: Path, content: Any) -> None:
    """Write one of these structures; a missing folder is created."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(content), indent=1))


def read_results(path: Path) -> Results:
    """The results in a file. Raises FileError if they are none; ``generalisation_check`` says whether they are right."""
    return read(path, Results)


def read(path: Path, kind: type[Told]) -> Told:
    """The structure in a file. Raises FileError, naming the field."""
    try:
        return msgspec.convert(parse_json(read_limited(path)), kind)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}; a file of 'winterkingdom generalisation' is needed") from None
    except (JsonError, msgspec.ValidationError) as error:
        raise FileError(
            f"{path} is not a file of results: {one_line(str(error))}; see docs/generalisation.md"
        ) from None
