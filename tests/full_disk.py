"""A disk that is full: files cannot grow beyond a few bytes for a while."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk(n_bytes: int = 3000) -> Iterator[None]:
    """No file of this process can get larger than that; writing on raises OSError (EFBIG), after what fits was written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def in_its_place(path: Path, make: Callable[[Path], None]) -> None:
    """Something else where a file was: os.mkdir makes a folder, os.mkfifo a FIFO."""
    path.unlink()
    make(path)
