"""The one way to compile a kernel, and the folder in which its machine code is kept (``_cache`` says how).

Numba keys a cached function on its own file only: after an edit of a callee or of a table in another file it would serve the old
machine code. So the machine code lies in a folder named after a hash of every source that decides what the kernel does, and of what
compiles it. These sources are those of some *rooms*: ``core``, the kernel's own room, and for a kernel that is written for every game
(``core.verbs``) the room of the game that it is compiled for. An edit in one game's room leaves the machine code of the others alone.
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

SETTINGS: Any = numba.config  # numba fills it from the environment; no type checker can know its names
PACKAGE = Path(__file__).resolve().parents[1]
IMPORTED = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]+))|^[ \t]*import[ \t]+([\w.]+)", re.MULTILINE)  # fmt: skip
MARKED = re.compile(r"^@(?:\w+\.)?(?:kernel|generic|implements)\b", re.MULTILINE)
KEEP_CACHES = (
    32  # older folders are deleted: each edit of a kernel would leave some MB behind, in a folder for each set of rooms
)
OWN_FOLDER = "Set NUMBA_CACHE_DIR to a folder of your own that nobody else can write to."


class Room(NamedTuple):
    """A folder whose sources belong together, and the folder from which their absolute imports are found."""

    folder: Path
    root: Path


CORE = Room(PACKAGE / "core", PACKAGE.parent)


def room_of(module: str, file: str) -> Room:
    """The room of a module: ``core``, ``search``, ``games/NAME``; of one that is not in this package, its folder."""
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
    """The files that decide what the kernels of these rooms do, and the root of each: those with a kernel, and all that these import."""
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


@cache
def find_cache_dir(rooms: frozenset[Room] = frozenset({CORE})) -> Path | None:
    """Folder for the compiled kernels of these rooms, or None if there is none that can be written and trusted (then every process compiles them).

    A user's NUMBA_CACHE_DIR is respected as the parent. The installation itself is never written to.
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
            os.utime(folder)  # the newest are those used last
        if is_public or not os.environ.get("NUMBA_CACHE_DIR"):
            _drop_old_caches(parent)
        if is_foreign:
            _warn_once(f"{refused[0]}: compiled kernels are kept in {parent} instead. {OWN_FOLDER}")
        return folder
    _warn_once(
        f"no folder to keep compiled kernels in ({'; '.join(_without(name, refused))}): every process compiles them again, which "
        f"takes about a minute. {OWN_FOLDER}"
    )
    return None


def _without(name: str, reasons: list[str]) -> list[str]:
    """The reasons without the folder's name: those of the next room are then the same."""
    return [reason.replace(f"{os.sep}{name}", "") for reason in reasons]


@cache
def _warn_once(what: str) -> None:
    warnings.warn(what, RuntimeWarning, stacklevel=2)


CACHE_DIR = find_cache_dir()


def rooms_of(*homes: tuple[str, str]) -> frozenset[Room]:
    """The rooms that decide what a kernel does: ``core``, and those of these modules, each a name and a file."""
    return frozenset({CORE, *(room_of(*home) for home in homes)})


def home_of(world: type) -> tuple[str, str]:
    """Name and file of the module of a game's World."""
    file = sys.modules[world.__module__].__file__
    assert file is not None, f"{world.__module__} is in no file"
    return world.__module__, file


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, world: type | None = None) -> Any:
    """Compile a function with the project's one set of options; use as ``@kernel`` or ``@kernel(inline=True)``.

    ``inline``: for a kernel with one caller, which it becomes a part of. Every level of calls is optimised again with all
    that lies below it, so this saves about a quarter of the time to compile an engine. ``world``: the World of the game that a copy of a
    generic kernel is for (core.verbs).
    """
    if function is None:
        return lambda f: kernel(f, inline=inline, world=world)
    compiled = numba.njit(  # type: ignore[call-overload]  # _nrt is not in numba's stubs
        nogil=True,
        error_model="numpy",
        boundscheck=None,
        inline="always" if inline else "never",
        _nrt=False,  # kernels allocate nothing, so no references need counting: a fifth of the time of a step
    )(function)
    own = function.__module__, function.__code__.co_filename
    if not SETTINGS.DISABLE_JIT and os.path.exists(
        own[1]
    ):  # a function that was typed in is in no file: nothing to tell it apart by
        folder = find_cache_dir(rooms_of(own) if world is None else rooms_of(own, home_of(world)))
        if folder is not None:
            _keep(compiled, folder)
    return compiled


def _keep(compiled: Any, folder: Path) -> None:
    """Keep the machine code of a kernel in this folder, whatever numba is told about its other caches."""
    ours = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": ""}
    before = {name: getattr(SETTINGS, name, "") for name in ours}
    vars(SETTINGS).update(ours)
    try:
        compiled._cache = KernelCache(compiled.py_func)
    except (RuntimeError, OSError):  # nowhere to keep it
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
