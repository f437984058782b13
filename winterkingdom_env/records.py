"""Game records: one JSON line per event, written during the game, read back and verified step by step.

    {"kind":"header","format":1,"game":...,"env_version":...,"package_version":...,"seed":...,"config":...,"setup":...,"agents":...}
    {"seat":0,"action":...}
    {"kind":"end","scores":[61,48],"winners":[0]}

A replay starts from the set-up in the header; seed and config are its origin. A file whose name ends in ``.gz`` is
compressed. A truncated record (crash, interrupt) is readable up to its last complete line.

Records are untrusted input: reading has limits (``_record_lines.py``), and every error is one printable line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from winterkingdom_env._record_format import FORMAT, End, Header, Record, Step, check_names, header_of, winners_of
from winterkingdom_env._record_lines import RecordError, parsed, whole_lines
from winterkingdom_env._record_writer import RecordWriter
from winterkingdom_env.core.plain_text import quoted, shortened
from winterkingdom_env.games import Game, GameRules, UnknownGameError, named_game

__all__ = [
    "FORMAT", "End", "Header", "Record", "RecordError", "RecordWriter", "ReplayReport", "Step", "header_of", "module_of", "read_record", "replay",
    "replay_steps", "report", "start_game", "winners_of",
]  # fmt: skip


@dataclass(frozen=True)
class ReplayReport:
    """The result of a verification. ``scores`` are those of the last position.

    ``is_seed_confirmed``: whether seed and config give the recorded set-up; None if that cannot be checked.
    """

    record: Record
    n_actions: int
    is_complete: bool
    scores: list[int]
    winners: list[int]
    is_seed_confirmed: bool | None
    game: Game

    def __str__(self) -> str:
        """A one-line summary: complete or not, and the number of verified actions."""
        if self.is_complete:
            return f"complete: {self.n_actions} actions verified, scores and winners confirmed"
        why = "the last line is cut off" if self.record.torn else "there is no closing line"
        return f"incomplete: {self.n_actions} actions verified; {why}"


S = TypeVar("S", Header, Step, End)


def _converted(path: Path, number: int, content: dict[str, Any], form: type[S]) -> S:
    try:
        return msgspec.convert(content, form)
    except msgspec.ValidationError as error:
        raise RecordError(
            path, number, f"not a valid {form.__name__.lower()} line of format {FORMAT}: {error}"
        ) from None


def _read_header(path: Path, number: int, content: dict[str, Any]) -> Header:
    if content.get("kind") != "header":
        raise RecordError(path, number, 'no header: a record begins with {"kind":"header",...}')
    if content.get("format") != FORMAT:
        why = f"record format {quoted(content.get('format'))}; this version reads format {FORMAT}"
        raise RecordError(path, number, why)
    return _converted(path, number, content, Header)


def read_record(path: Path | str) -> Record:
    """Read a record without replaying it. Raises RecordError, naming the line, if it is invalid."""
    path = Path(path)
    lines, torn = whole_lines(path)
    if not lines:
        why = (
            "truncated inside the header; nothing can be replayed"
            if torn
            else "is empty; a record begins with a header"
        )
        raise RecordError(path, 1 if torn else None, why)
    header = _read_header(path, lines[0][0], parsed(path, *lines[0]))
    steps: list[Step] = []
    end: End | None = None
    end_line = 0
    for number, text in lines[1:]:
        if end is not None:
            raise RecordError(
                path, number, f"something follows the end of the game (line {end_line}); one game per file"
            )
        content = parsed(path, number, text)
        kind = content.get("kind")
        if kind == "end":
            end, end_line = _converted(path, number, content, End), number
        elif kind is None:
            steps.append(_converted(path, number, content, Step))
        else:
            why = f'kind "{shortened(str(kind))}" does not belong here; actions have none, the last line is "end"'
            raise RecordError(path, number, why)
    numbers = tuple(number for number, _ in lines[1 : 1 + len(steps)])
    return Record(path, header, tuple(steps), numbers, end, end_line, torn)


def start_game(record: Record) -> Game:
    """The game at its start. Raises RecordError if this version cannot play it or the set-up is invalid."""
    module = module_of(record)
    try:
        game = module.from_setup(record.header.setup)
    except ValueError as error:
        raise RecordError(record.path, 1, f"damaged set-up: {error}") from error
    check_names(record.path, 1, record.header.agents, game)
    return game


def module_of(record: Record) -> GameRules:
    """The game's module. Raises RecordError if this version does not have it."""
    header = record.header
    try:
        module = named_game(header.game)
    except UnknownGameError as error:
        raise RecordError(record.path, 1, str(error)) from None
    if header.env_version != module.ENV_VERSION:
        why = f"played under the rules of {header.game} {header.env_version}, this is {module.ENV_VERSION}; "
        raise RecordError(record.path, 1, f"{why}install the package that wrote it ({header.package_version})")
    return module


def _is_seed_confirmed(record: Record) -> bool | None:
    header = record.header
    if header.seed is None or header.config is None:
        return None
    module = module_of(record)
    try:
        config = msgspec.convert(header.config, module.Config)
        return bool(module.new_game(config=config, seed=header.seed).setup() == header.setup)
    except (ValueError, OSError, msgspec.ValidationError):  # such as a config with a file that does not exist here
        return None


def _refuse(record: Record, line: int, step: Step, why: object) -> NoReturn:
    raise RecordError(record.path, line, f"seat {step.seat}: `{shortened(step.action)}`: {why}")


def _apply(record: Record, line: int, step: Step, game: Game) -> None:
    if game.is_over:
        _refuse(record, line, step, "the game is already over")
    if step.seat != game.seat:
        _refuse(record, line, step, f"it is seat {game.seat}'s turn (round {game.round}, phase {game.phase})")
    try:
        game.apply(game.parse(step.action))
    except ValueError as error:
        _refuse(record, line, step, error)


def _check_end(record: Record, game: Game) -> None:
    if record.end is None:
        return
    if not game.is_over:
        where = f"seat {game.seat} is to move (round {game.round}, phase {game.phase})"
        raise RecordError(
            record.path, record.end_line, f"the record ends, the game does not: {where}; actions are missing"
        )
    scores, winners = list(game.scores()), winners_of(game.ranks())
    pairs = (("scores", record.end.scores, scores), ("winners", record.end.winners, winners))
    for name, said, found in pairs:
        if said != found:
            raise RecordError(record.path, record.end_line, f"{name} {said} are recorded, the game gives {found}")


def replay_steps(record: Record, game: Game | None = None) -> Iterator[tuple[Step, Game]]:
    """Replay and verify a record: yield each step and the game after it, which is always the same object.

    The closing line is verified after the last step.
    """
    game = start_game(record) if game is None else game
    for line, step in zip(record.lines, record.actions, strict=True):
        _apply(record, line, step, game)
        yield step, game
    _check_end(record, game)


def replay(source: Path | str | Record) -> ReplayReport:
    """Replay a record to its end and verify every line. Raises RecordError at the first wrong line.

    A record without a closing line is not an error; ``is_complete`` is then False.
    """
    record = source if isinstance(source, Record) else read_record(source)
    game = start_game(record)
    for _ in replay_steps(record, game):
        pass
    return report(record, game)


def report(record: Record, game: Game) -> ReplayReport:
    """The report on a record whose steps were all verified and ended in ``game``."""
    scores, winners = list(game.scores()), winners_of(game.ranks())
    confirmed = _is_seed_confirmed(record)
    return ReplayReport(record, len(record.actions), record.is_complete, scores, winners, confirmed, game)
