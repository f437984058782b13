"""The one way to compile a kernel, and where its machine code is kept.

Numba keys a cached function on its own file only: after an edit of a callee or of a table in another file it would serve
the old machine code. So the cache lies in a folder named after a hash of every source of ``core`` and ``games`` that has a kernel in it or
that such a file imports, and of what compiles them; an edit there opens a new, empty folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs

SETTINGS: Any = numba.config  # numba fills it from the environment; no type checker can know its names
PACKAGE = Path(__file__).resolve().parents[1]
IMPORTED = re.compile(r"^\s*from (winterkingdom_env[\w.]*) import (?:\(([^)]*)\)|([^\n(]+))", re.MULTILINE)
KEEP_CACHES = 8  # older source hashes are deleted: each edit of a kernel would leave some MB behind


def kernel_sources(package: Path = PACKAGE) -> list[Path]:
    """The files of ``core`` and ``games`` that decide what kernels do: those with a kernel, and all that these import."""
    found: set[Path] = set()
    waiting = [
        p for room in ("core", "games") for p in (package / room).rglob("*.py") if "@kernel" in p.read_text("utf-8")
    ]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for module, listed, in_line in IMPORTED.findall(path.read_text("utf-8")):
            parts = re.findall(r"\w+", listed + in_line)
            files = [
                package.joinpath(*name.split(".")[1:]).with_suffix(".py")
                for name in (module, *(f"{module}.{p}" for p in parts))
            ]
            waiting += [file for file in files if file.is_file()]
    return sorted(found)


def source_hash(package: Path = PACKAGE) -> str:
    """Hex digest of the sources of kernels and tables, and of the compiler's versions and settings."""
    digest = hashlib.sha256()
    for fact in (numba.__version__, llvmlite.__version__, np.__version__, SETTINGS.BOUNDSCHECK, SETTINGS.OPT):
        digest.update(repr(fact).encode())
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _drop_old_caches(parent: Path) -> None:
    folders = sorted((p for p in parent.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
    for folder in folders[:-KEEP_CACHES]:
        shutil.rmtree(folder, ignore_errors=True)


def find_cache_dir() -> Path | None:
    """Folder for compiled kernels, or None if nothing can be written anywhere (then every process compiles anew).

    A user's NUMBA_CACHE_DIR is respected as the parent. The installation itself is never written to.
    """
    own = os.environ.get("NUMBA_CACHE_DIR")
    parents = [Path(own)] if own else [Path(platformdirs.user_cache_dir("winterkingdom_env")) / "kernels"]
    parents.append(Path(tempfile.gettempdir()) / f"winterkingdom_env-{os.getuid() if hasattr(os, 'getuid') else 0}")
    for parent in parents:
        folder = parent / source_hash()
        if _is_writable(folder):
            if not own:
                _drop_old_caches(parent)
            return folder
    warnings.warn(
        "no folder to keep compiled kernels in; every process compiles them anew (about a minute). "
        "Set NUMBA_CACHE_DIR to a writable folder to keep them.",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


CACHE_DIR = find_cache_dir()


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, parallel: bool = False) -> Any:
    """Compile a function with the project's one set of options; use as ``@kernel`` or ``@kernel(inline=True)``.

    ``inline``: for a kernel with one caller, which it becomes a part of. Every level of calls is optimised again with all
    that lies below it, so this saves about a quarter of the time to compile an engine. ``parallel``: its ``prange`` loops run
    on several threads.
    """
    if function is None:
        return lambda f: kernel(f, inline=inline, parallel=parallel)
    before = SETTINGS.CACHE_DIR
    SETTINGS.CACHE_DIR = str(CACHE_DIR or "")
    try:
        compiled = numba.njit(  # type: ignore[call-overload]  # _nrt is not in numba's stubs
            cache=CACHE_DIR is not None,
            nogil=True,
            error_model="numpy",
            boundscheck=None,
            inline="always" if inline else "never",
            parallel=parallel,
            _nrt=parallel,  # kernels allocate nothing, so no references need counting: a fifth of the time of a step
        )(function)
    finally:
        SETTINGS.CACHE_DIR = before
    return compiled


class Quick:
    """A kernel that Python calls again and again with arrays of the same types: ``Quick(kernel).call(...)``.

    Every call of a kernel begins with a look at the types of its arguments, which for records takes longer than a small piece of work. Here
    only the first call does. Whoever calls answers for the types: nobody checks them any more.
    """

    __slots__ = ("_kernel", "call")

    def __init__(self, kernel: Any) -> None:
        """The kernel need not be compiled yet."""
        self._kernel = kernel
        self.call: Callable[..., Any] = kernel if SETTINGS.DISABLE_JIT else self._first_call

    def _first_call(self, *arguments: Any) -> Any:
        result = self._kernel(*arguments)
        (signature,) = self._kernel.signatures
        self.call = self._kernel.overloads[signature].entry_point
        return result
