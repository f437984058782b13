"""The cache of compiled kernels on disk. A kernel always runs: if a cache file is unusable, it is compiled again, with one warning.

A file of numba's cache is a pickle, and loading a pickle can run code. So a file is loaded only if no user other than this one (or root) can
have written it, and if its checksum fits, because damaged machine code can crash the process. Any other file is deleted.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import uuid
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import caching

NUMBA: Any = caching  # numba has no type hints
DIGEST_BYTES = 16
MOST_BYTES = 1 << 28  # of a file: the largest kernels take some MB
QUIET = "WINTERKINGDOM_QUIET"  # variable of the environment
COMPILING = f"winterkingdom_env: compiling kernels, once and for about a minute ({QUIET}=1 hides this line)"
_told: set[str] = set()


class NotPrivateError(OSError):
    """A folder or file that other users can write to."""


class UnreadableError(Exception):
    """A cache file that is damaged, unreadable, or possibly written by another user."""


def tell(reason: str, message: str) -> None:
    """Warn once per process and reason: a broken folder fails for every kernel in it."""
    if reason not in _told:
        _told.add(reason)
        warnings.warn(message, RuntimeWarning, stacklevel=3)


def announce() -> None:
    """Say on stderr, once in a process, that kernels are being compiled, unless QUIET is set: the first call takes long, and nobody should wonder."""
    if COMPILING not in _told and not os.environ.get(QUIET) and sys.stderr is not None:
        with suppress(OSError, ValueError):  # nobody hears
            print(COMPILING, file=sys.stderr, flush=True)
    _told.add(COMPILING)


def hush() -> None:
    """Let this process say nothing about compiling."""
    _told.add(COMPILING)


def check_private(path: str | Path, found: os.stat_result) -> None:
    """Raise NotPrivateError if a user other than this one or root can have written ``found``."""
    if not hasattr(os, "geteuid"):  # Windows protects a user's folders, and has no modes
        return
    if found.st_uid not in (os.geteuid(), 0):
        raise NotPrivateError(f"{path} belongs to another user")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotPrivateError(f"{path} can be written to by other users")


def make_private(folder: Path) -> None:
    """Create a folder, if missing, that only this user can enter. Raises OSError if it cannot be created, written to or trusted."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()  # of the link itself: its creator chose the target
    if stat.S_ISLNK(found.st_mode):
        raise NotPrivateError(f"{folder} is a link")
    check_private(folder, found)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _digest(path: str, body: bytes) -> bytes:
    """The checksum of a file. It includes the name, to detect one kernel's code under another's name."""
    digest = hashlib.blake2b(os.path.basename(path).encode() + b"\0", digest_size=DIGEST_BYTES)
    digest.update(body)
    return digest.digest()


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # do not block on a FIFO


def _read(path: str) -> bytes:
    """The content that ``_write`` wrote. Raises FileNotFoundError or UnreadableError."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
                raise UnreadableError(f"{path} is not a file of compiled code")
            check_private(path, found)
            data = file.read()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(path) from error
    except OSError as error:
        raise UnreadableError(str(error)) from error
    if _digest(path, data[DIGEST_BYTES:]) != data[:DIGEST_BYTES]:
        raise UnreadableError(f"{path} is damaged")
    return data[DIGEST_BYTES:]


def _write(path: str, body: bytes) -> None:
    """Write a file atomically, readable and writable only for this user."""
    handle, name = tempfile.mkstemp(prefix=".", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(path, body) + body)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


class _Files(NUMBA.IndexDataCacheFile):  # type: ignore[misc]  # it has no type
    """numba's index and data files of one kernel, with a checksum each."""

    def _load_index(self) -> dict[Any, str]:
        try:
            data = _read(self._index_path)
        except FileNotFoundError:
            return {}
        stamp, overloads = pickle.loads(data)
        if (
            stamp != self._source_stamp
        ):  # the source was edited: names in the index may no longer exist, so do not load it
            self.delete()
            return {}
        found: dict[Any, str] = pickle.loads(overloads)
        return found

    def _save_index(self, overloads: dict[Any, str]) -> None:
        _write(self._index_path, pickle.dumps((self._source_stamp, self._dump(overloads))))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_read(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        _write(self._data_path(name), self._dump(data))

    def _data_name(self, number: int) -> str:
        # Not numbered: two processes that compile different signatures at the same time would write to the same file.
        return f"{self._index_name.removesuffix('.nbi')}.{uuid.uuid4().hex[:16]}.nbc"

    def delete(self) -> None:
        """Delete all files of this kernel; ignore files that another process has deleted or holds open."""
        base = self._index_name.removesuffix(".nbi")
        with suppress(OSError):
            for entry in list(os.scandir(self._cache_path)):
                if entry.name == self._index_name or (
                    entry.name.startswith(f"{base}.") and entry.name.endswith(".nbc")
                ):
                    with suppress(OSError):
                        shutil.rmtree(entry) if entry.is_dir(follow_symlinks=False) else os.unlink(entry)


class _Locator(NUMBA.UserProvidedCacheLocator):  # type: ignore[misc]  # it has no type
    """Puts a kernel's files below numba's CACHE_DIR, which ``kernel`` sets to the folder of these sources."""

    def ensure_cache_path(self) -> None:
        """Create the folder again if it was deleted in the meantime."""
        folder = Path(self.get_cache_path())
        make_private(folder.parent)
        make_private(folder)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        """None, and so no cache, for a function without a source file. Nothing is written before the first save."""
        return cls(py_func, py_file) if os.path.exists(py_file) else None


class _Results(NUMBA.CompileResultCacheImpl):  # type: ignore[misc]  # it has no type
    _locator_classes = (_Locator,)


class KernelCache(NUMBA.FunctionCache):  # type: ignore[misc]  # it has no type
    """numba's cache of one kernel, which never raises an error to the caller of the kernel."""

    _impl_class = _Results

    def __init__(self, py_func: Any) -> None:
        """Raise RuntimeError, like numba's class, if the function has no source file."""
        super().__init__(py_func)
        locator = self._impl.locator
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None: then numba compiles it."""
        try:
            found = super().load_overload(sig, target_context)
            if found is None:
                announce()
            return found
        except Exception as error:  # whatever a pickle can raise
            self._cache_file.delete()
            tell(
                "unreadable",
                f"compiled kernels in {self._cache_path} cannot be used and are compiled again: {error!r}. "
                "Delete the folder if this happens again.",
            )
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled kernel if possible."""
        try:
            super().save_overload(sig, data)
        except Exception as error:  # such as a full disk, or a folder that was deleted or belongs to another user
            tell(
                "unwritable",
                f"compiled kernels cannot be saved in {self._cache_path}, so every process compiles them again: {error!r}. "
                "Make room there, or set NUMBA_CACHE_DIR to a folder of your own.",
            )

    def flush(self) -> None:
        """Delete the cached files."""
        self._cache_file.delete()
