"""What a page is made of: a record, its file, or a game so far."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from winterkingdom_env.games import Game, get_game, name_of
from winterkingdom_env.records import End, Record, Step, header_of, read_record, winners_of


def record_from(source: Path | str | Record | Game, agents: Sequence[str] | None = None) -> Record:
    """The record of what a page is made of. ``agents``: a name per seat of a game; a record has its own."""
    if not isinstance(source, Path | str | Record):
        return record_of(source, agents)
    if agents is not None:
        raise ValueError("agents: a record has its own names; give them with a game only")
    return source if isinstance(source, Record) else read_record(source)


def record_of(game: Game, agents: Sequence[str] | None = None) -> Record:
    """The record of a game so far, without a file. ``agents``: a name per seat. Raises ValueError if its actions since the beginning are not known."""
    actions, place = game.history(), Path("game")
    start = get_game(name_of(game)).from_setup(game.setup(), game.config, game.seed)
    header, steps = header_of(place, start, agents), []
    for action in actions:
        steps.append(Step(start.seat, start.label(action)))
        start.apply(action)
    if start.to_bytes() != game.to_bytes():
        raise ValueError(
            "the actions of this game do not lead to its position: its record was edited; no page or record of it can be made"
        )
    end = End(list(game.scores()), winners_of(game.ranks())) if game.is_over else None
    return Record(place, header, tuple(steps), tuple(range(2, len(steps) + 2)), end, len(steps) + 2, torn=False)
