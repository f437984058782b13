"""Writing a record during a game, and continuing one that was interrupted."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import IO, NoReturn, cast

import msgspec

from winterkingdom_env._record_format import End, Header, Record, Step, header_of, winners_of
from winterkingdom_env._record_lines import RecordError
from winterkingdom_env.core.files import write_whole
from winterkingdom_env.games import Game


class RecordWriter:
    """Writes a record during a game: create it before the first action, ``write`` each action, ``close`` it with the finished game."""

    def __init__(
        self, path: Path | str, game: Game, agents: Sequence[str] | None = None, *, overwrite: bool = False
    ) -> None:
        """Open a new file and write the header. ``agents``: a name per seat. An existing file is replaced only after the header is on disk."""
        self.path = Path(path)
        self._starts: list[int] = []  # where the line of each action begins
        header, begun = self._encoded(header_of(self.path, game, agents)), io.BytesIO()
        if self.path.suffix == ".gz":  # without name and time inside, so that equal games give equal files
            packed = gzip.GzipFile("", "wb", fileobj=begun, mtime=0)
            packed.write(header)
            packed.flush()
            packed.fileobj = self._raw = self._open(begun.getvalue(), overwrite)
            self._file = cast("IO[bytes]", packed)
        else:
            self._file = self._raw = self._open(header, overwrite)

    @classmethod
    def continued(cls, record: Record) -> RecordWriter:
        """Go on with the record of an interrupted game, which was read and verified. A line that was cut off is removed."""
        if record.is_complete:
            raise RecordError(record.path, None, "the game is over; nothing can follow")
        if record.path.suffix == ".gz":
            raise RecordError(record.path, None, "a compressed record cannot be continued; unpack it first")
        writer = cls.__new__(cls)
        writer.path = record.path
        try:
            writer._file = writer._raw = file = open(record.path, "r+b")  # noqa: SIM115  # closed by close()
            lines = file.read().split(b"\n")
            ends = list(accumulate(len(line) + 1 for line in lines))
            writer._starts = [ends[number - 2] for number in record.lines]
            last = ends[record.lines[-1] - 1] if record.lines else ends[0]
            file.truncate(last)
            file.seek(last)
            if last > sum(map(len, lines)) + len(lines) - 1:  # the last line lacked its newline only
                file.seek(last - 1)
                file.write(b"\n")
        except OSError as error:
            raise RecordError(record.path, None, f"cannot be continued: {error.strerror}") from error
        return writer

    @property
    def n_actions(self) -> int:
        """Number of actions in the record."""
        return len(self._starts)

    def _encoded(self, content: Header | Step | End) -> bytes:
        try:
            return msgspec.json.encode(content) + b"\n"
        except UnicodeEncodeError:
            name = type(content).__name__.lower()
            why = f"the {name} line has text that is not UTF-8, such as the name of a file; choose another name for it"
            raise RecordError(self.path, None, f"cannot be written: {why}") from None

    def _open(self, begun: bytes, overwrite: bool) -> IO[bytes]:
        """Create a file with this content and open it for appending; if that fails, nothing has changed."""
        try:
            try:
                self._write_new(begun)
            except FileExistsError:
                self._check_old(overwrite)
                write_whole(self.path, begun)
            return open(self.path, "ab")
        except OSError as error:
            why = f"cannot be written: {error.strerror}; choose a file in a folder that exists, is yours and has room"
            raise RecordError(self.path, None, why) from error

    def _write_new(self, begun: bytes) -> None:
        with open(self.path, "xb") as file:
            try:
                file.write(begun)
                file.flush()
            except BaseException:  # half a header is useless
                self.path.unlink(missing_ok=True)
                raise

    def _check_old(self, overwrite: bool) -> None:
        """Raise RecordError unless the existing file may be replaced."""
        if not overwrite:
            why = "the file exists; choose another name or overwrite it (overwrite=True)"
        elif self.path.exists() and not self.path.is_file():
            why = "cannot be written: it is not a regular file; choose another name"
        elif self.path.exists() and not os.access(self.path, os.W_OK):
            why = "cannot be written: it is read-only; choose another name"
        else:
            return
        raise RecordError(self.path, None, why) from None

    def take_back(self) -> None:
        """Remove the last action. Not for compressed records."""
        if self._raw.closed or self._file is not self._raw or not self._starts:
            raise RecordError(self.path, None, "no action can be taken back: the record is closed, compressed or empty")
        try:
            self._raw.truncate(self._starts[-1])
            self._raw.seek(self._starts.pop())
        except OSError as error:
            self._give_up(error)

    def _line(self, content: Step | End) -> None:
        line = self._encoded(content)
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:  # such as a full disk; stop writing
            self._give_up(error)

    def _give_up(self, error: OSError) -> NoReturn:
        with suppress(OSError):
            self._raw.close()
        raise RecordError(self.path, None, f"cannot be written: {error.strerror}") from error

    def write(self, seat: int, action: str) -> None:
        """Add one action by its label, and flush it to the operating system."""
        if self._raw.closed:
            raise RecordError(self.path, None, f"seat {seat}: `{action}`: the record is closed")
        if not isinstance(action, str):
            raise RecordError(
                self.path, None, f"seat {seat}: {action!r} is not the label of an action; use game.label(action)"
            )
        start = self._raw.tell()
        self._line(Step(seat, action))
        self._starts.append(start)

    def close(self, game: Game | None = None) -> None:
        """Close the file; with the finished ``game``, write the closing line first."""
        if self._raw.closed:
            return
        if game is not None:
            self._line(End(list(game.scores()), winners_of(game.ranks())))
        try:
            if self._file is not self._raw:
                self._file.close()
            self._raw.close()
        except OSError as error:
            self._give_up(error)

    def __enter__(self) -> RecordWriter:
        """The writer itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the file, without a closing line unless ``close`` was called before."""
        self.close()
