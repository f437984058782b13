"""Compilation of kernels, and the folder of their machine code (``_cache`` handles the files).

Numba keys a cached function on its own file only: after an edit of a callee or of a table in another file it would load outdated machine
code. So the machine code is in a folder named after a hash of all sources that affect the kernel, and of the compiler's version and
settings. These sources are grouped in *rooms* (folders): ``core``, the kernel's own room and, for a generic kernel (``core.verbs``), the
room of the game that it is compiled for. An edit in one game's room does not invalidate the machine code of other games.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy as np
import platformdirs

from winterkingdom_env.core._cache import KernelCache, NotPrivateError, make_private

SETTINGS: Any = numba.config  # numba fills it from the environment, so its attributes have no types
PACKAGE = Path(__file__).resolve().parents[1]
IMPORTED = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]+))|^[ \t]*import[ \t]+([\w.]+)", re.MULTILINE)  # fmt: skip
MARKED = re.compile(r"^@(?:\w+\.)?(?:kernel|generic|implements)\b", re.MULTILINE)
KEEP_CACHES = (
    32  # older folders are deleted: each edit of a kernel leaves a few MB behind, in a folder per set of rooms
)
OWN_FOLDER = "Set NUMBA_CACHE_DIR to a folder that only you can write to."


class Room(NamedTuple):
    """A folder of sources that belong together, and the root folder of their absolute imports."""

    folder: Path
    root: Path


CORE = Room(PACKAGE / "core", PACKAGE.parent)


def room_of(module: str, file: str) -> Room:
    """The room of a module: ``core``, ``search`` or ``games/NAME``; for a module of another package, its folder."""
    path = Path(file).resolve()
    if PACKAGE in path.parents:
        parts = path.relative_to(PACKAGE).parts
        depth = 2 if parts[0] == "games" and len(parts) > 2 else 1
        return Room(PACKAGE.joinpath(*parts[:depth]), PACKAGE.parent)
    depth = 0 if module == "__main__" else module.count(".") + (path.name == "__init__.py")
    return Room(path.parent, path.parents[min(depth, len(path.parents) - 1)])


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _imports(path: Path, root: Path) -> Iterator[Path]:
    """The files of this package, and of the one below ``root``, that a file imports."""
    for module, listed, in_line, plain in IMPORTED.findall(_text(path)):
        parts = re.findall(r"\w+", listed + in_line)
        if module.startswith("."):
            above = len(module) - len(module.lstrip("."))
            base, name = path.parents[above - 1], module.lstrip(".")
        else:
            name = module or plain
            base = PACKAGE.parent if name.split(".")[0] == PACKAGE.name else root
        for names in (name, *(f"{name}.{part}" for part in parts)):
            file = base.joinpath(*filter(None, names.split("."))).with_suffix(".py")
            if file.is_file():
                yield file


def kernel_sources(rooms: Iterable[Room]) -> list[tuple[Path, Path]]:
    """The files that affect the kernels of these rooms, with their roots: files with a kernel, and everything that they import."""
    found: dict[Path, Path] = {}
    waiting = [
        (path, room.root)
        for room in rooms
        for path in (room.folder.rglob("*.py") if PACKAGE in room.folder.parents else room.folder.glob("*.py"))
        if MARKED.search(_text(path))
    ]
    while waiting:
        path, root = waiting.pop()
        if path not in found:
            found[path] = root
            waiting += [(file, root) for file in _imports(path, root)]
    return sorted(found.items())


def source_hash(rooms: Iterable[Room] = (CORE,)) -> str:
    """Hex digest of the sources of kernels and tables, and of the compiler's versions and settings."""
    digest = hashlib.sha256()
    for fact in (numba.__version__, llvmlite.__version__, np.__version__, SETTINGS.BOUNDSCHECK, SETTINGS.OPT):
        digest.update(repr(fact).encode())
    for path, root in kernel_sources(rooms):
        home = PACKAGE.parent if PACKAGE in path.parents else root
        digest.update(os.path.relpath(path, home).encode())
        digest.update(_text(path).encode())
    return digest.hexdigest()[:16]


def _drop_old_caches(parent: Path) -> None:
    """Delete all but the newest folders. Another process may do the same at the same time."""
    ages: list[tuple[float, Path]] = []
    with suppress(OSError):
        for folder in parent.iterdir():
            with suppress(OSError):
                if folder.is_dir():
                    ages.append((folder.stat().st_mtime, folder))
    for _, folder in sorted(ages)[:-KEEP_CACHES]:
        shutil.rmtree(folder, ignore_errors=True)


def _parents() -> Iterator[tuple[Path, bool]]:
    """Candidates for the parent folder, best first, and whether other users can create folders there."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    with suppress(OSError):  # there may be no working directory
        usual = Path(own).absolute() if own else Path(platformdirs.user_cache_dir("winterkingdom_env")) / "kernels"
        if usual.is_absolute():  # False without a home directory
            yield usual, False
    with suppress(OSError):  # there may be no temporary directory
        user = os.getuid() if hasattr(os, "getuid") else 0
        yield Path(tempfile.gettempdir()).absolute() / f"winterkingdom_env-{user}", True


@cache
def find_cache_dir(rooms: frozenset[Room] = frozenset({CORE})) -> Path | None:
    """The cache folder of these rooms, or None if no folder is writable and trusted (then every process compiles the kernels).

    NUMBA_CACHE_DIR, if set, is the parent folder. The installation itself is never written to.
    """
    refused: list[str] = []
    is_foreign, name = False, source_hash(rooms)
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
            os.utime(folder)  # mark the folder as recently used
        if is_public or not os.environ.get("NUMBA_CACHE_DIR"):
            _drop_old_caches(parent)
        if is_foreign:
            _warn_once(f"{refused[0]}: compiled kernels are saved in {parent} instead. {OWN_FOLDER}")
        return folder
    _warn_once(
        f"no usable folder for compiled kernels ({'; '.join(_without(name, refused))}): every process compiles them again, which "
        f"takes about a minute. {OWN_FOLDER}"
    )
    return None


def _without(name: str, reasons: list[str]) -> list[str]:
    """The reasons without the folder's name, so that they are the same for every room."""
    return [reason.replace(f"{os.sep}{name}", "") for reason in reasons]


@cache
def _warn_once(what: str) -> None:
    warnings.warn(what, RuntimeWarning, stacklevel=2)


CACHE_DIR = find_cache_dir()


def rooms_of(*homes: tuple[str, str]) -> frozenset[Room]:
    """The rooms that affect a kernel: ``core``, and those of these modules, each given as (name, file)."""
    return frozenset({CORE, *(room_of(*home) for home in homes)})


def home_of(world: type) -> tuple[str, str]:
    """Name and file of the module of a game's World."""
    file = sys.modules[world.__module__].__file__
    assert file is not None, f"{world.__module__} is in no file"
    return world.__module__, file


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, world: type | None = None) -> Any:
    """Compile a function with the project's options; use as ``@kernel`` or ``@kernel(inline=True)``.

    ``inline``: inline the kernel into its only caller. LLVM optimizes every level of calls again with all levels below it, so this saves
    about a quarter of an engine's compile time. ``world``: for a copy of a generic kernel, the World of its game (core.verbs).
    """
    if function is None:
        return lambda f: kernel(f, inline=inline, world=world)
    compiled = numba.njit(  # type: ignore[call-overload]  # _nrt is not in numba's stubs
        nogil=True,
        error_model="numpy",
        boundscheck=None,
        inline="always" if inline else "never",
        _nrt=False,  # kernels do not allocate, so reference counting is off: saves a fifth of the time of a step
    )(function)
    own = function.__module__, function.__code__.co_filename
    if not SETTINGS.DISABLE_JIT and os.path.exists(
        own[1]
    ):  # no source file (interactive session): no hash, so no cache
        folder = find_cache_dir(rooms_of(own) if world is None else rooms_of(own, home_of(world)))
        if folder is not None:
            _keep(compiled, folder)
    return compiled


def _keep(compiled: Any, folder: Path) -> None:
    """Cache the machine code of a kernel in this folder, independent of numba's global cache settings."""
    ours = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": ""}
    before = {name: getattr(SETTINGS, name, "") for name in ours}
    vars(SETTINGS).update(ours)
    try:
        compiled._cache = KernelCache(compiled.py_func)
    except (RuntimeError, OSError):  # no usable folder
        pass
    finally:
        vars(SETTINGS).update(before)


class Quick:
    """A kernel for repeated calls from Python with arguments of the same types: ``Quick(kernel).call(...)``.

    A normal call resolves the types of all arguments, which for records can take longer than the kernel itself. Here only the first call
    does. Later calls do not check types: the caller must pass the same ones.
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
