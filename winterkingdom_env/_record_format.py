"""What the lines of a record say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from winterkingdom_env._record_lines import RecordError
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import Game, get_game, name_of

FORMAT = 1


class Header(msgspec.Struct, frozen=True, tag_field="kind", tag="header"):
    """The first line: the game and its set-up."""

    format: int
    game: str
    env_version: str
    package_version: str
    seed: int | None
    config: dict[str, Any] | None
    setup: dict[str, Any]
    agents: list[str] | None = None


class Step(msgspec.Struct, frozen=True):
    """One action."""

    seat: int
    action: str


class End(msgspec.Struct, frozen=True, tag_field="kind", tag="end"):
    """The last line of a finished game."""

    scores: list[int]
    winners: list[int]


@dataclass(frozen=True)
class Record:
    """The content of a file, not yet verified. ``torn``: the file is truncated inside a line, which is left out."""

    path: Path
    header: Header
    actions: tuple[Step, ...]
    lines: tuple[int, ...]  # line of each action
    end: End | None
    end_line: int
    torn: bool

    @property
    def is_complete(self) -> bool:
        """Whether the record has its closing line."""
        return self.end is not None


def winners_of(ranks: Sequence[int]) -> list[int]:
    """The seats with rank 1; tied seats share the win."""
    return [seat for seat, rank in enumerate(ranks) if rank == 1]


def check_names(path: Path, line: int | None, agents: Sequence[str] | None, game: Game) -> None:
    """Raise RecordError unless there is a printable agent's name per seat."""
    if agents is not None and len(agents) != game.n_players:
        why = f"{len(agents)} agent names for {game.n_players} seats; give one per seat"
        raise RecordError(path, line, why)
    for name in agents or ():
        if not name.isprintable():
            raise RecordError(path, line, f"the agent name {quoted(name)} cannot be printed; choose another")


def header_of(path: Path, game: Game, agents: Sequence[str] | None) -> Header:
    """The header of a record that begins with this position. Raises RecordError if the game has already begun, or a name does not fit."""
    name = name_of(game)
    module = get_game(name)
    try:
        setup = game.setup()
    except ValueError as error:
        raise RecordError(path, None, str(error)) from error
    if module.from_setup(setup).snapshot() != game.snapshot():
        raise RecordError(path, None, "the game has already begun; a record starts before the first action")
    check_names(path, None, agents, game)
    return Header(
        format=FORMAT,
        game=name,
        env_version=module.ENV_VERSION,
        package_version=VERSION,
        seed=game.seed,
        config=msgspec.to_builtins(game.config),
        setup=setup,
        agents=None if agents is None else list(agents),
    )
