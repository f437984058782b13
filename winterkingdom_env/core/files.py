"""Files from outside, read up to a limit; files of ours, written whole or not at all.

Nothing here waits: what is no regular file (a FIFO, a device, a folder) is refused before a byte is read from it.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MB = 1 << 20
MOST_BYTES = 64 * MB  # of a file that people or strangers give us, decompressed
MOST_MEMBERS = 100  # of a gzip file; ours have one
GZIP_WINDOW = 31  # zlib: largest window, gzip header and trailer
PIECE = 1 << 16  # bytes that are decompressed at a time
PART = ".part"  # how the name of a file ends while it is written
KINDS = {
    stat.S_IFIFO: "a FIFO", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder",
}  # fmt: skip


class FileError(OSError):
    """A file that is not read or written; ``strerror`` says why, without the file's name."""


class DamagedError(FileError):
    """A file whose compressed content is damaged."""


def _check_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise FileError(errno.EINVAL, f"it is {KINDS.get(stat.S_IFMT(mode), 'something else')}, not a regular file")


def read_limited(path: str | os.PathLike[str], limit: int = MOST_BYTES) -> bytes:
    """The content of a regular file; FileError if it is something else or larger than ``limit`` bytes, OSError if it cannot be read."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a NUL in the name
        raise FileError(errno.EINVAL, f"it is no name of a file: {error}") from None
    try:
        _check_regular(os.fstat(number).st_mode)
        with open(number, "rb", closefd=False) as file:
            content = file.read(limit + 1) or b""  # None where a system's own file has nothing to say yet
    finally:
        os.close(number)
    if len(content) > limit:
        raise FileError(errno.EFBIG, f"it is larger than {_size(limit)}, the most that is read")
    return content


def _size(n_bytes: int) -> str:
    return f"{n_bytes // MB} MB" if n_bytes >= MB else f"{n_bytes // 1024} kB"


def gunzip(content: bytes, limit: int = MOST_BYTES) -> tuple[bytes, bool]:
    """What was compressed, and whether it breaks off; FileError if it is larger than ``limit``, DamagedError if it is no gzip file."""
    found, n_found, n_members = [], 0, 1
    unpacker = zlib.decompressobj(GZIP_WINDOW)
    for start in range(0, len(content), PIECE):
        piece = content[start : start + PIECE]
        while piece:
            if unpacker.eof:
                unpacker, n_members = zlib.decompressobj(GZIP_WINDOW), n_members + 1
                if n_members > MOST_MEMBERS:
                    raise FileError(
                        errno.EFBIG, f"it has more than {MOST_MEMBERS} gzip members, the most that are read"
                    )
            try:
                found.append(unpacker.decompress(piece, limit - n_found + 1))
            except zlib.error as error:
                raise DamagedError(errno.EINVAL, f"damaged or no gzip file ({error})") from None
            n_found += len(found[-1])
            if n_found > limit:
                raise FileError(errno.EFBIG, f"it is larger than {_size(limit)} decompressed, the most that is read")
            piece = unpacker.unused_data if unpacker.eof else b""
    return b"".join(found), bool(content) and not unpacker.eof


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Write a file so that, whatever happens, either the old one or the whole new one is there; text as UTF-8, folders are made."""
    write_together({Path(path): content})


def write_together(files: Mapping[Path, bytes | str]) -> None:
    """Write several files beside their places, and give them their names when all are whole; OSError, and nothing left, if one fails."""
    parts: dict[Path, Path] = {}  # the part of each place
    made: list[Path] = []
    try:
        for path, content in files.items():
            place = Path(os.path.realpath(path))  # a link stays a link
            _check_place(place)
            made += _make_folders(place.parent)
            parts[place] = _write_part(place, content.encode() if isinstance(content, str) else content)
        for place, part in parts.items():
            os.replace(part, place)
    except BaseException:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()
        for folder in reversed(made):
            with suppress(OSError):  # a file that has its name already stays
                folder.rmdir()
        raise
    for folder in {place.parent for place in parts}:
        _sync_folder(folder)


def _check_place(place: Path) -> None:
    """Only a regular file is replaced: a device must not be, and a FIFO would keep us waiting."""
    with suppress(FileNotFoundError):
        _check_regular(os.stat(place).st_mode)


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder with those above it; the new ones, outermost first."""
    new = [each for each in (folder, *folder.parents) if not each.exists()][::-1]
    folder.mkdir(parents=True, exist_ok=True)
    return new


def _write_part(place: Path, content: bytes) -> Path:
    """Write the content beside its place, on the disk when this returns; nothing is left if that fails."""
    part = place.with_name(f".{place.name[:40]}.{secrets.token_hex(6)}{PART}")
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):  # who may read the old file may read the new one
            os.chmod(part, stat.S_IMODE(os.stat(place).st_mode))
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    return part


def _sync_folder(folder: Path) -> None:
    """Have the system remember the new names, where it can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
