"""A folder of compiled kernels with something wrong in it: a kernel in it gives the right answer, compiled again or not."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pickle
import random
import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from winterkingdom_env.core import _jit

SOURCE = "def plus(x):\n    return x + 5\ndef minus(x):\n    return x - 5\n"
NOT_CODE: tuple[object, ...] = (
    None,
    [],
    {},
    "text",
    (1, 2),
    {"a": ("b",)},
    [None] * 9,
    (b"stamp", b"no pickle"),
    ValueError,
)


def _sealed(path: Path, body: bytes) -> bytes:
    return hashlib.blake2b(path.name.encode() + b"\0" + body, digest_size=16).digest() + body


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 20))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


# Each makes the bytes of a file from its good ones and those of another file.
Damage = Callable[[Path, bytes, bytes, random.Random], bytes]
DAMAGES: tuple[Damage, ...] = (
    lambda path, good, other, rng: good,
    lambda path, good, other, rng: b"",
    lambda path, good, other, rng: _flip(good, rng),
    lambda path, good, other, rng: good[: rng.randrange(len(good))],
    lambda path, good, other, rng: good + rng.randbytes(rng.randrange(1, 100)),
    lambda path, good, other, rng: rng.randbytes(rng.randrange(2000)),
    lambda path, good, other, rng: other,
    lambda path, good, other, rng: _sealed(path, rng.randbytes(rng.randrange(200))),
    lambda path, good, other, rng: _sealed(path, pickle.dumps(rng.choice(NOT_CODE))),
    lambda path, good, other, rng: _sealed(path, good[16 : rng.randrange(16, len(good))]),
)


class Cache:
    """Damaged, exchanged and missing files of a kernel's cache."""

    def __init__(self, folder: Path) -> None:
        """Compile two kernels, and keep what their files look like."""
        source = folder / "fuzzed_kernels.py"
        source.write_text(SOURCE, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("fuzzed_kernels", source)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # a kernel's code names its module
        spec.loader.exec_module(module)
        self._cache = folder / "cache" / "sources"
        self._functions = {module.plus: 15, module.minus: 5}
        assert self._run() == 0
        assert self._run() == len(self._functions)
        self._good = {path: path.read_bytes() for path in sorted(self._cache.rglob("*.nb[ic]"))}

    def _run(self) -> int:
        """Call both kernels as a new process would; how many of them were loaded."""
        n_loaded = 0
        for function, answer in self._functions.items():
            kernel: Any = numba.njit(function)
            _jit._keep(kernel, self._cache)
            assert kernel(10) == answer, f"{function.__name__}: {kernel(10)} instead of {answer}"
            n_loaded += sum(kernel.stats.cache_hits.values())
        return n_loaded

    def attempt(self, seed: int) -> str:
        """Damage some files, call the kernels, and call them again: whatever was wrong, it is repaired then."""
        rng = random.Random(seed)
        shutil.rmtree(self._cache)
        for path, good in self._good.items():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_bytes(good)
            path.chmod(0o600)
        self._cache.chmod(0o700)
        for path in rng.sample(list(self._good), rng.randrange(1, len(self._good) + 1)):
            self._damage(path, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            n_loaded = self._run()
            assert self._run() == len(self._functions), "it stays broken"
        return "loaded" if n_loaded == len(self._functions) else "compiled again"

    def _damage(self, path: Path, rng: random.Random) -> None:
        kind = rng.randrange(len(DAMAGES) + 4)
        if kind < len(DAMAGES):
            path.write_bytes(DAMAGES[kind](path, self._good[path], self._good[rng.choice(list(self._good))], rng))
        elif kind == len(DAMAGES):
            path.unlink()
        elif kind == len(DAMAGES) + 1:
            path.unlink()
            path.mkdir()
        elif kind == len(DAMAGES) + 2:
            path.chmod(rng.choice((0o666, 0o620, 0o000)))
        else:
            path.unlink()
            os.symlink(rng.choice(("nowhere", path.name, "/")), path)
