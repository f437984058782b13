"""The one way to compile a kernel, and the folder in which its machine code is kept (``_cache`` says how).

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs

from winterkingdom_env.core._cache import KernelCache, NotPrivateError, make_private

SETTINGS: Any = numba.config  # numba fills it from the environment; no type checker can know its names
PACKAGE = Path(__file__).resolve().parents[1]
IMPORTED = re.compile(r"^\s*from (winterkingdom_env[\w.]*) import (?:\(([^)]*)\)|([^\n(]+))", re.MULTILINE)
KEEP_CACHES = 8  # older source hashes are deleted: each edit of a kernel would leave some MB behind
OWN_FOLDER = "Set NUMBA_CACHE_DIR to a folder of your own that nobody else can write to."


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


def _drop_old_caches(parent: Path) -> None:
    """Keep the newest folders. Another process may be at it as well: what is gone is gone."""
    ages: list[tuple[float, Path]] = []
    with suppress(OSError):
        for folder in parent.iterdir():
            with suppress(OSError):
                if folder.is_dir():
                    ages.append((folder.stat().st_mtime, folder))
    for _, folder in sorted(ages)[:-KEEP_CACHES]:
        shutil.rmtree(folder, ignore_errors=True)


def _parents() -> Iterator[tuple[Path, bool]]:
    """Where the folder could lie, best first, and whether others can make folders there, too."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    with suppress(OSError):  # there may be no working directory
        usual = Path(own).absolute() if own else Path(platformdirs.user_cache_dir("winterkingdom_env")) / "kernels"
        if usual.is_absolute():  # without a home it is not
            yield usual, False
    with suppress(OSError):  # there may be no temporary directory
        user = os.getuid() if hasattr(os, "getuid") else 0
        yield Path(tempfile.gettempdir()).absolute() / f"winterkingdom_env-{user}", True


def find_cache_dir() -> Path | None:
    """Folder for compiled kernels, or None if there is none that can be written and trusted (then every process compiles anew).

    A user's NUMBA_CACHE_DIR is respected as the parent. The installation itself is never written to.
    """
    refused: list[str] = []
    is_foreign, name = False, source_hash()
    for parent, is_public in _parents():
        folder = parent / name
        try:
            if is_public:
                make_private(parent)
            make_private(folder)
        except OSError as error:
            refused.append(str(error))
            is_foreign |= isinstance(error, NotPrivateError)
            continue
        with suppress(OSError):
            os.utime(folder)  # the newest are those used last
        if is_public or not os.environ.get("NUMBA_CACHE_DIR"):
            _drop_old_caches(parent)
        if is_foreign:
            what = f"{refused[0]}: compiled kernels are kept in {folder} instead. {OWN_FOLDER}"
            warnings.warn(what, RuntimeWarning, stacklevel=2)
        return folder
    warnings.warn(
        f"no folder to keep compiled kernels in ({'; '.join(refused)}): every process compiles them anew, which takes "
        f"about a minute. {OWN_FOLDER}",
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
    compiled = numba.njit(  # type: ignore[call-overload]  # _nrt is not in numba's stubs
        nogil=True,
        error_model="numpy",
        boundscheck=None,
        inline="always" if inline else "never",
        parallel=parallel,
        _nrt=parallel,  # kernels allocate nothing, so no references need counting: a fifth of the time of a step
    )(function)
    if CACHE_DIR is not None and not SETTINGS.DISABLE_JIT:
        _keep(compiled, CACHE_DIR)
    return compiled


def _keep(compiled: Any, folder: Path) -> None:
    """Keep the machine code of a kernel in this folder, whatever numba is told about its other caches."""
    ours = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": ""}
    before = {name: getattr(SETTINGS, name, "") for name in ours}
    vars(SETTINGS).update(ours)
    try:
        compiled._cache = KernelCache(compiled.py_func)
    except (RuntimeError, OSError):  # a function that was typed in is in no file: nothing to tell it apart by
        pass
    finally:
        vars(SETTINGS).update(before)


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
