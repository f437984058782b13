"""Limited reads of untrusted files, and atomic writes.

Nothing here blocks: anything but a regular file (a FIFO, a device, a folder) is rejected before reading.
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
MOST_BYTES = 64 * MB  # size limit of an untrusted file, decompressed
MOST_MEMBERS = 100  # limit of members of a gzip file; ours have one
GZIP_WINDOW = 31  # zlib: largest window, gzip header and trailer
PIECE = 1 << 16  # bytes that are decompressed at a time
PART = ".part"  # suffix of a file while it is being written
KINDS = {
    stat.S_IFIFO: "a FIFO", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder",
}  # fmt: skip


class FileError(OSError):
    """A file cannot be read or written; ``strerror`` is the reason, without the file's name."""


class DamagedError(FileError):
    """A file whose compressed content is damaged."""


def _check_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise FileError(errno.EINVAL, f"it is {KINDS.get(stat.S_IFMT(mode), 'something else')}, not a regular file")


def read_limited(path: str | os.PathLike[str], limit: int = MOST_BYTES) -> bytes:
    """The content of a regular file. Raises FileError if it is not one or is larger than ``limit`` bytes, OSError if it is unreadable."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a NUL in the name
        raise FileError(errno.EINVAL, f"it is not a file name: {error}") from None
    try:
        _check_regular(os.fstat(number).st_mode)
        with open(number, "rb", closefd=False) as file:
            content = file.read(limit + 1) or b""  # None for a non-blocking system file without data
    finally:
        os.close(number)
    if len(content) > limit:
        raise FileError(errno.EFBIG, f"it is larger than {_size(limit)}, the most that is read")
    return content


def _size(n_bytes: int) -> str:
    return f"{n_bytes // MB} MB" if n_bytes >= MB else f"{n_bytes // 1024} kB"


def gunzip(content: bytes, limit: int = MOST_BYTES) -> tuple[bytes, bool]:
    """The decompressed content, and whether it is truncated. Raises FileError above ``limit`` bytes, DamagedError if it is not a gzip file."""
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
                raise DamagedError(errno.EINVAL, f"damaged or not a gzip file ({error})") from None
            n_found += len(found[-1])
            if n_found > limit:
                raise FileError(errno.EFBIG, f"it is larger than {_size(limit)} decompressed, the most that is read")
            piece = unpacker.unused_data if unpacker.eof else b""
    return b"".join(found), bool(content) and not unpacker.eof


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Write a file atomically: either the old or the complete new file is there. Text is UTF-8; missing folders are created."""
    write_together({Path(path): content})


def write_together(files: Mapping[Path, bytes | str]) -> None:
    """Write several files under temporary names, and rename them when all are complete. Raises OSError, and leaves nothing, if one fails."""
    parts: dict[Path, Path] = {}  # the temporary file of each target
    made: list[Path] = []
    try:
        for path, content in files.items():
            place = Path(os.path.realpath(path))  # write through a link
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
            with suppress(OSError):  # a file that is already renamed stays
                folder.rmdir()
        raise
    for folder in {place.parent for place in parts}:
        _sync_folder(folder)


def _check_place(place: Path) -> None:
    """Allow to replace regular files only: not a device, and not a FIFO, which would block."""
    with suppress(FileNotFoundError):
        _check_regular(os.stat(place).st_mode)


def _make_folders(folder: Path) -> list[Path]:
    """Create a folder and its parents, and return the new ones, outermost first."""
    new = [each for each in (folder, *folder.parents) if not each.exists()][::-1]
    folder.mkdir(parents=True, exist_ok=True)
    return new


def _write_part(place: Path, content: bytes) -> Path:
    """Write and sync the content to a temporary file next to its target; leave nothing if that fails."""
    part = place.with_name(f".{place.name[:40]}.{secrets.token_hex(6)}{PART}")
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):  # keep the permissions of the old file
            os.chmod(part, stat.S_IMODE(os.stat(place).st_mode))
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    return part


def _sync_folder(folder: Path) -> None:
    """Sync the folder, where the system supports it, so that the new names survive a crash."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
