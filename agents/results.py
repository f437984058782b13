"""The files of a tournament, written so that an interruption cannot damage them.

tournament.json            settings and versions, with a digest; written once
results.jsonl              a line per finished game, in the order in which the games ended
records/<id>.jsonl.gz      the moves of every game; written before its line in results.jsonl
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from agents.schedule import FORMAT, Job, Settings, n_games
from agents.setups import checked
from winterkingdom_env.core.files import MB, MOST_BYTES, read_limited, write_whole
from winterkingdom_env.core.files import PART as WRITTEN_PART
from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import one_line, plain, quoted
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import Game, get_game, named_game
from winterkingdom_env.records import RecordError, RecordWriter

TOURNAMENT, RESULTS, RECORDS = "tournament.json", "results.jsonl", "records"
PART = ".part.gz"
LONGEST_RESULT, USUAL_RESULT = MB, 24576  # bytes of a line; a forfeit has a traceback
RESTORE = "restore the file from a copy, or start again in another folder"


class StoreError(Exception):
    """The folder of a tournament cannot be used as requested."""


class WriteError(Exception):
    """A file could not be written completely, for example because the disk is full. Earlier files are intact."""


class Forfeit(msgspec.Struct, frozen=True):
    """Why a game ended early. ``kind``: raised, illegal, timeout, died, memory, message or output; ``traceback`` if the agent raised."""

    seat: int
    agent: str
    kind: str
    reason: str
    traceback: str | None = None  # None in older results


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game. Lists have a value per seat.

    ``lineup``: its number; ``seats``: names; ``numbers``: the agents by number; ``ranks``: 1 for the first (ties share a rank); ``points``:
    the share of the others that a seat beat (a tie counts half); ``seconds``: total thinking time; ``slowest``: the longest move;
    ``cards``: the game's facts, by which reports group games.
    """

    id: str
    setup: int
    lineup: int
    rotation: int
    seats: list[str]
    numbers: list[int]
    scores: list[int]
    score_sheet: list[dict[str, int]]
    ranks: list[int]
    points: list[float]
    forfeit: Forfeit | None
    moves: int
    n_moves: list[int]
    seconds: list[float]
    slowest: list[float]
    rounds: int
    cards: dict[str, Any]
    restarts: int = 0  # how often the game was restarted because a signal ended a process
    killed: list[int] = []  # the seats of those processes; empty in older results


by_id: Callable[[Result], str] = attrgetter("id")


class Tournament(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``tournament.json``. ``command``: the command line; ``digest``: of everything else."""

    format: int = FORMAT
    digest: str = ""
    settings: Settings
    names: tuple[str, ...]
    env_version: str
    package_version: str
    command: str
    begun: str


def new_tournament(settings: Settings, command: str, begun: str) -> Tournament:
    """A new tournament with the versions of this installation."""
    version = get_game(settings.game).ENV_VERSION
    begins = Tournament(
        settings=settings,
        names=settings.names,
        env_version=version,
        package_version=VERSION,
        command=plain(command),  # paths need not be valid text
        begun=begun,
    )
    return msgspec.structs.replace(begins, digest=digest_of(begins))


def digest_of(tournament: Tournament) -> str:
    """A digest of everything else in ``tournament.json``, which shows that the settings are those of the results."""
    told = msgspec.json.encode(msgspec.structs.replace(tournament, digest=""))
    read = msgspec.json.encode(msgspec.json.decode(told, type=Tournament))  # as read from the file: 60 becomes 60.0
    return hashlib.sha256(read).hexdigest()


def standing(ranks: Sequence[int], last: int | None = None) -> tuple[list[int], list[float]]:
    """Ranks from 1 and points from 0 to 1 per seat, from the game's ranks. ``last``: the seat that forfeited."""
    keys = [float("inf") if seat == last else float(rank) for seat, rank in enumerate(ranks)]
    places = [1 + sum(other < key for other in keys) for key in keys]
    n_others = len(keys) - 1
    ties = [sum(other == key for other in keys) - 1 for key in keys]
    points = [(sum(other > key for other in keys) + tie / 2) / n_others for key, tie in zip(keys, ties, strict=True)]
    return places, points


def write_record(folder: Path, job: Job, start: Game, names: Sequence[str], moves: Sequence[tuple[int, str]], end: Game | None) -> None:  # fmt: skip
    """Write a game's record under a temporary name and rename it when it is complete; WriteError if that fails.

    ``start``: the game before its first move; ``end``: the finished game, None if it was not finished.
    """
    part, whole = folder / RECORDS / f"{job.id}{PART}", folder / RECORDS / f"{job.id}.jsonl.gz"
    try:
        with RecordWriter(part, start, names, overwrite=True) as writer:
            for seat, label in moves:
                writer.write(seat, label)
            writer.close(end)
        _sync(part)
        os.replace(part, whole)
    except (RecordError, OSError) as error:
        with suppress(OSError):
            part.unlink()
        raise WriteError(f"the record of game {job.id} cannot be written: {error}") from error


def _sync(path: Path) -> None:
    """Flush a file to the disk."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def check_new(folder: Path) -> None:
    """StoreError unless a tournament can start in this folder: it must be new, empty, or left by a tournament without a game."""
    if not folder.exists() or (folder.is_dir() and all(_is_beginning(path) for path in folder.iterdir())):
        return
    if (folder / RECORDS).is_dir() and not (folder / TOURNAMENT).exists():
        raise StoreError(
            f"{folder} has games but no {TOURNAMENT} with their settings; restore it from a copy, or name a new folder with --out"
        )
    raise StoreError(
        f"{folder} exists and is not an empty folder; name a new one with --out, or continue there with --resume"
    )


def _is_beginning(path: Path) -> bool:
    """Whether this is an empty remainder of a tournament that stopped before its first game ended."""
    if path.name == RECORDS and path.is_dir():
        return all(record.name.endswith(PART) for record in path.iterdir())
    return (path.name == RESULTS and path.is_file() and not path.stat().st_size) or _is_part(path)


def _is_part(path: Path) -> bool:
    return TOURNAMENT in path.name and path.name.endswith(WRITTEN_PART) and path.is_file()


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn OSError into WriteError."""
    try:
        yield
    except OSError as error:
        raise WriteError(f"{folder} cannot be written: {error.strerror}") from error


class Store:
    """The folder of a running tournament. Only one arena at a time can open it."""

    def __init__(self, folder: Path, tournament: Tournament, results: list[Result], file: int) -> None:
        """Use ``create`` or ``resume``."""
        self.folder, self.tournament = folder, tournament
        self.results = results
        self._file = file

    @classmethod
    def create(cls, folder: Path, tournament: Tournament) -> Store:
        """Create the folder of a new tournament; see ``check_new``."""
        check_new(folder)
        with _writing(folder):
            (folder / RECORDS).mkdir(parents=True, exist_ok=True)
            file = _open_results(folder)
            try:
                for part in filter(_is_part, list(folder.iterdir())):
                    part.unlink()
                write_whole(folder / TOURNAMENT, msgspec.json.format(msgspec.json.encode(tournament), indent=2) + b"\n")
            except OSError:
                os.close(file)
                raise
        return cls(folder, tournament, [], file)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Open the folder of an interrupted tournament. An incomplete last line is dropped, and its game is played again."""
        tournament = read_tournament(folder)
        _check_playable(folder, tournament)
        with _writing(folder):
            (folder / RECORDS).mkdir(exist_ok=True)
            file = _open_results(folder)
        try:
            results, whole = _read_lines(folder / RESULTS, tournament)
            os.ftruncate(file, whole)
            for part in (folder / RECORDS).glob(f"*{PART}"):
                part.unlink()
        except BaseException:
            os.close(file)
            raise
        return cls(folder, tournament, results, file)

    def add(self, result: Result) -> None:
        """Append a result and flush it to the disk; if that fails, WriteError, and the file is unchanged."""
        line = msgspec.json.encode(result) + b"\n"
        size = os.fstat(self._file).st_size
        try:
            n_written = os.write(self._file, line)
            if n_written != len(line):
                raise OSError(0, f"only {n_written} of {len(line)} bytes were written; the disk may be full")
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, size)
            raise WriteError(f"the result of game {result.id} cannot be written: {error.strerror}") from error
        self.results.append(result)

    def close(self) -> None:
        """Release the folder."""
        os.close(self._file)


def _open_results(folder: Path) -> int:
    """Open results.jsonl for appending, and lock it if the system can: two arenas would play every game twice."""
    file = os.open(folder / RESULTS, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        import fcntl
    except ImportError:
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released by the system however this process ends
    except OSError:
        os.close(file)
        raise StoreError(
            f"{folder} is in use: another arena is writing its results there; wait until it has ended"
        ) from None
    return file


def _check_playable(folder: Path, tournament: Tournament) -> None:
    """StoreError unless this installation can continue the tournament."""
    settings = tournament.settings
    module = get_game(settings.game)
    if tournament.env_version != module.ENV_VERSION:
        raise StoreError(
            f"{folder} was played under the rules of {settings.game} {one_line(tournament.env_version)}, this is {module.ENV_VERSION}; "
            f"install winterkingdom_env {one_line(tournament.package_version)} to continue"
        )
    try:
        module.Config(**settings.config(0))
    except ValueError as error:
        raise StoreError(f"{folder / TOURNAMENT}: {error}; restore what is missing to continue") from None


def read_tournament(folder: Path) -> Tournament:
    """Read ``tournament.json``; StoreError if it is missing, damaged, changed or of another format."""
    path = folder / TOURNAMENT
    try:
        content = parse_json(read_limited(path))
        if not isinstance(content, dict):
            raise JsonError("it is not an object")
        if content.get("format") != FORMAT or isinstance(content["format"], bool):
            version = content.get("package_version")
            told = (
                f"winterkingdom_env {one_line(version, 20)}"
                if isinstance(version, str)
                else "the version that wrote it"
            )
            raise StoreError(
                f"{path} has format {quoted(content.get('format'))}, but this version reads format {FORMAT}; {told} can read it"
            )
        tournament = msgspec.convert(content, Tournament)
        _check_told(path, tournament)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; start a tournament with --out DIR and without --resume") from None
    except (msgspec.ValidationError, JsonError) as error:
        raise StoreError(f"{path} is not a tournament of format {FORMAT}: {one_line(str(error))}; {RESTORE}") from None
    return tournament


def _check_told(path: Path, tournament: Tournament) -> None:
    """StoreError if the content was changed after the start, or is invalid."""
    settings = tournament.settings
    if digest_of(tournament) != tournament.digest:
        raise StoreError(f"{path} was changed after the tournament started: its digest does not match; {RESTORE}")
    try:
        named_game(settings.game)
        for i, entry in enumerate(settings.setups or ()):
            checked(entry, f"set-up {i}", settings.game, settings.players)
    except ValueError as error:
        raise StoreError(f"{path}: {one_line(str(error))}; {RESTORE}") from None
    if tournament.names != settings.names:
        raise StoreError(f"{path}: the names of the agents do not match the settings; {RESTORE}")


def read_results(folder: Path) -> list[Result]:
    """All complete lines of ``results.jsonl``, sorted by game id; StoreError if one does not belong to the tournament."""
    try:
        return sorted(_read_lines(folder / RESULTS, read_tournament(folder))[0], key=by_id)
    except OSError as error:
        raise StoreError(f"{folder / RESULTS}: {error.strerror}; name the --out folder of a tournament") from None


def _read_lines(path: Path, tournament: Tournament) -> tuple[list[Result], int]:
    """The results, and the number of bytes in complete lines; StoreError if a line before the last is damaged, or any is invalid."""
    from agents.result_check import Check  # it imports this module

    content = read_limited(path, max(MOST_BYTES, USUAL_RESULT * n_games(tournament.settings)))
    *lines, rest = content.split(b"\n")
    results: dict[str, Result] = {}
    check = Check(tournament.settings)
    for number, line in enumerate(lines, 1):
        try:
            if len(line) > LONGEST_RESULT:
                raise JsonError(f"it has {len(line):,} bytes; the limit is {LONGEST_RESULT:,}")
            result = msgspec.convert(parse_json(line), Result)
        except (msgspec.ValidationError, JsonError) as error:
            if number == len(lines) and not rest:  # a newline may have reached the disk before the rest of its line
                return list(results.values()), len(content) - len(line) - 1
            raise StoreError(f"{path}: line {number} is damaged: {one_line(str(error))}; {RESTORE}") from None
        if wrong := check.wrong_in(result):
            raise StoreError(f"{path}: line {number} is not a result of this tournament: {wrong}; {RESTORE}")
        if result.id in results:
            raise StoreError(f"{path}: line {number}: game {result.id} occurs twice; remove one of the lines")
        results[result.id] = result
    return list(results.values()), len(content) - len(rest)
