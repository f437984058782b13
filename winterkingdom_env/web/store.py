"""The folder of the server: a folder per game with its record, and the records that were opened.

games/ID/table.json     who sits where, and the hashes of the seats' secrets; written once
games/ID/record.jsonl   the record, a line per action as it is made
files/ID.jsonl          a record that somebody opened

A game can be continued from these two files: killing the server loses nothing but agents' thoughts.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from winterkingdom_env.core.files import read_limited, write_whole
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import Game
from winterkingdom_env.records import RecordError, RecordWriter, read_record, replay_steps
from winterkingdom_env.web.limits import LONGEST_RECORD, MOST_FILES, MOST_GAMES, Refused

try:
    import fcntl
except ImportError:  # Windows has no flock; two servers in one folder are not noticed there
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
ID = re.compile(r"[0-9a-f]{16}")
TABLE, RECORD, LOCK = "table.json", "record.jsonl", "lock"
CONTROL = "c"  # the name of the secret that allows to set the pace
PACKED = b"\x1f\x8b"  # how a gzip file begins


class SeatPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits on a seat: an agent by its text, or a person if that is empty."""

    name: str
    agent: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return not self.agent


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``table.json``. ``secrets``: hash by seat, and by CONTROL."""

    format: int = FORMAT
    game: str
    begun: float
    seats: tuple[SeatPlan, ...]
    secrets: dict[str, str]

    @property
    def is_open(self) -> bool:
        """Whether everything is shown to everybody: in games of agents alone."""
        return not any(seat.is_person for seat in self.seats)

    def admits(self, name: str, token: str) -> bool:
        """Whether a token is the secret of this name: a seat as text, or CONTROL."""
        return name in self.secrets and hmac.compare_digest(self.secrets[name], digest(token))


def digest(token: str) -> str:
    """The hash under which a secret is kept."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Progress(msgspec.Struct, frozen=True):
    """How far a recorded game is."""

    moves: int
    is_over: bool
    winners: list[int]


class FolderError(OSError):
    """The folder of data cannot be used."""


class Store:
    """The games and records in a folder."""

    def __init__(self, folder: Path) -> None:
        """Open or create the folder. Raises FolderError if it cannot be written to, or another server uses it."""
        self.folder = folder
        try:
            for part in (folder, folder / "games", folder / "files"):
                part.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock: IO[bytes] = open(folder / LOCK, "ab")  # noqa: SIM115  # open as long as the server runs
        except OSError as error:
            raise FolderError(
                error.errno, f"{folder} cannot be used: {error.strerror}; choose another folder"
            ) from error
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise FolderError(errno.EBUSY, f"another server uses {folder}; choose another folder") from None
        self.plans: dict[str, Plan] = {}
        for path in (folder / "games").iterdir():
            with suppress(OSError, msgspec.MsgspecError, FileNotFoundError):  # half a game that was being made
                plan = msgspec.json.decode(read_limited(path / TABLE), type=Plan)
                if plan.format == FORMAT and ID.fullmatch(path.name):
                    self.plans[path.name] = plan
        self._progress: dict[str, tuple[int, Progress]] = {}

    def close(self) -> None:
        """Let another server use the folder."""
        self._lock.close()

    # Games

    def create(self, plan: Plan, game: Game, earlier: Any = ()) -> str:
        """Make the folder of a new game and return its id. ``earlier``: steps with which it begins."""
        if len(self.plans) >= MOST_GAMES:
            raise Refused(f"there are {MOST_GAMES:,} games in {self.folder.name}; move some of them elsewhere", 507)
        name = secrets.token_hex(8)
        folder = self.folder / "games" / name
        try:
            folder.mkdir(mode=0o700)
            with RecordWriter(folder / RECORD, game, [seat.name for seat in plan.seats]) as writer:
                for step in earlier:
                    writer.write(step.seat, step.action)
            write_whole(folder / TABLE, msgspec.json.encode(plan))
        except (OSError, RecordError) as error:
            raise Refused(f"the game cannot be written: {getattr(error, 'strerror', None) or error}", 507) from error
        self.plans[name] = plan
        return name

    def plan(self, name: str) -> Plan:
        """The plan of a game; Refused if there is none."""
        if name not in self.plans:
            raise Refused("there is no such game here; perhaps its folder was moved", 404)
        return self.plans[name]

    def record_of(self, name: str) -> Path:
        """The file of a game's record."""
        self.plan(name)
        return self.folder / "games" / name / RECORD

    def progress(self, name: str) -> Progress:
        """How far a game is, by its record, which is not verified."""
        path = self.record_of(name)
        try:
            size = os.stat(path).st_size
            known = self._progress.get(name)
            if known is None or known[0] != size:
                lines = read_limited(path).splitlines()
                last = msgspec.json.decode(lines[-1])
                is_over = last.get("kind") == "end"
                winners = last.get("winners", []) if is_over else []
                known = size, Progress(len(lines) - 1 - is_over, is_over, winners)
                self._progress[name] = known
        except (OSError, msgspec.MsgspecError, IndexError, AttributeError):  # such as half a line after a crash
            return Progress(0, False, [])
        return known[1]

    # Records

    def keep_file(self, content: bytes) -> str:
        """Keep a record that somebody opened, and return its id. Refused if it is not a valid record."""
        if len(content) > LONGEST_RECORD:
            raise Refused(f"the file is larger than {LONGEST_RECORD >> 20} MB, the most that is read", 413)
        folder = self.folder / "files"
        name = hashlib.sha256(content).hexdigest()[:16]  # opened twice, it is kept once
        path = folder / f"{name}.jsonl{'.gz' if content.startswith(PACKED) else ''}"
        if path.exists():
            return name
        if len(os.listdir(folder)) >= MOST_FILES:
            raise Refused(f"{MOST_FILES:,} records were opened; delete some in the folder files of the server", 507)
        trial = folder / f"trial-{secrets.token_hex(8)}{''.join(path.suffixes)}"
        try:
            trial.write_bytes(content)
            # ``replay`` would also make the game of its config, which may name files.
            for _ in replay_steps(read_record(trial)):
                pass
            os.replace(trial, path)
        except RecordError as error:
            where = "" if error.line is None else f"line {error.line}: "
            raise Refused(f"this is not a record that can be replayed: {where}{error.reason}", 422) from None
        except OSError as error:
            raise Refused(f"the file cannot be kept: {error.strerror}", 507) from error
        finally:
            trial.unlink(missing_ok=True)
        return name

    def file_of(self, name: str) -> Path:
        """A record that was opened; Refused if there is none."""
        for suffix in (".jsonl", ".jsonl.gz"):
            path = self.folder / "files" / f"{name}{suffix}"
            if ID.fullmatch(name) and path.is_file():
                return path
        raise Refused(f"no record {quoted(name)} was opened here", 404)


def continued(path: Path) -> RecordWriter:
    """The writer of a game that goes on."""
    return RecordWriter.continued(read_record(path))
