"""Whatever happens to the folder of compiled kernels, they run: what cannot be used is compiled again, and nobody else's file is read."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest

from tests.fuzz.cache import Cache
from winterkingdom_env.core import _jit

PACKAGE = Path(_jit.__file__).parents[1]
SOMEBODY_ELSE = 12345
compiled = pytest.mark.skipif(_jit.SETTINGS.DISABLE_JIT, reason="nothing is compiled, so nothing is kept")
has_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
is_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")

KERNELS = """
import numpy as np
from winterkingdom_env.core._jit import kernel

@kernel
def add_0(x):
    return x + 0
@kernel
def add_1(x):
    return x + 1
@kernel
def add_2(x):
    return x + 2
@kernel
def add_3(x):
    return x + 3
@kernel
def add_4(x):
    return x + 4
@kernel
def add_5(x):
    return x + 5
@kernel
def add_6(x):
    return x + 6
@kernel(inline=True)
def add_7(x):
    return x + 7
@kernel
def fill(out):
    for i in range(len(out)):
        out[i] = add_7(i)
"""
CALL = """
import numpy as np
from winterkingdom_env.games import tiny
out = np.zeros(4, np.int64)
tiny.fill(out)
adders = [getattr(tiny, f"add_{i}") for i in range(7)]
print([adder(10) for adder in adders], out.tolist(), sum(sum(k.stats.cache_hits.values()) for k in (*adders, tiny.fill)))
"""
ANSWER = "[10, 11, 12, 13, 14, 15, 16] [7, 8, 9, 10]"
N_KERNELS = 8


class Room:
    """A package with the true ``core`` and some small kernels, and a folder for their machine code."""

    def __init__(self, folder: Path) -> None:
        package = folder / "winterkingdom_env"
        shutil.copytree(PACKAGE / "core", package / "core", ignore=shutil.ignore_patterns("__pycache__"))
        (package / "games").mkdir()
        for place in (package, package / "games"):
            (place / "__init__.py").touch()
        (package / "games" / "tiny.py").write_text(KERNELS, encoding="utf-8")
        self.root, self.cache = folder, folder / "cache"

    def start(self, code: str = CALL) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.root),
            "NUMBA_CACHE_DIR": str(self.cache),
            "WINTERKINGDOM_QUIET": "1",
        }
        command = [sys.executable, "-W", "always::RuntimeWarning", "-c", code]
        return subprocess.Popen(
            command, env=environment, cwd=self.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def run(self, code: str = CALL) -> tuple[str, str]:
        """What a process with this code prints and what it warns of; an error of its own is one of the test's."""
        process = self.start(code)
        printed, warned = process.communicate()
        assert process.returncode == 0, warned
        return printed.strip(), warned

    def files(self, kind: str) -> list[Path]:
        return sorted(path for path in self.cache.rglob(f"*.{kind}") if "core_" not in str(path.parent))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No folder of the user's own can be made; the temporary one would be made in here."""
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path / f"winterkingdom_env-{os.getuid() if hasattr(os, 'getuid') else 0}"


def become_folder(path: Path) -> None:
    path.unlink()
    (path / "inner").mkdir(parents=True)


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def write_with_checksum(path: Path, body: bytes) -> None:
    path.write_bytes(hashlib.blake2b(path.name.encode() + b"\0" + body, digest_size=16).digest() + body)


DAMAGES: tuple[Callable[[Path], object], ...] = (
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(path.read_bytes()[:-100]),
    lambda path: path.write_bytes(b"\xff" * 500),
    flip_a_bit,
    lambda path: write_with_checksum(path, pickle.dumps(["neither", "index", "nor", "code"])),
    lambda path: write_with_checksum(path, b"cno_such_module\nno_such_name\n."),
    become_folder,
)


@compiled
@pytest.mark.rule("core/_cache.py, damage")
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_cache__files_damaged_in_many_ways__one_warning_and_compiled_again(room: Room, kind: str) -> None:
    assert room.run() == (f"{ANSWER} 0", "")
    assert room.run() == (f"{ANSWER} {N_KERNELS}", "")
    files = [path for path in room.files(kind) if ".add_" in path.name]
    for damage, path in zip(DAMAGES, files, strict=True):
        damage(path)
    printed, warned = room.run()
    assert printed == f"{ANSWER} {N_KERNELS - len(DAMAGES)}"
    assert warned.count("RuntimeWarning") == 1
    assert str(room.cache) in warned and "compiled again" in warned
    assert room.run() == (f"{ANSWER} {N_KERNELS}", "")
    assert len(room.files(kind)) == N_KERNELS  # nothing damaged is left behind


@compiled
@pytest.mark.rule("core/_cache.py, damage")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_cache__fifo_in_the_place_of_a_file__does_not_keep_anybody_waiting(room: Room, kind: str) -> None:
    room.run()
    path = next(path for path in room.files(kind) if ".add_" in path.name)
    path.unlink()
    os.mkfifo(path, 0o600)
    printed, warned = room.run()
    assert printed == f"{ANSWER} {N_KERNELS - 1}" and warned.count("RuntimeWarning") == 1
    assert room.run() == (f"{ANSWER} {N_KERNELS}", "")


@compiled
@pytest.mark.rule("core/_cache.py, damage")
def test_cache__code_of_another_kernel__is_not_taken_for_ones_own(room: Room) -> None:
    room.run()
    first, second = room.files("nbc")[:2]
    shutil.copy(second, first)
    printed, warned = room.run()
    assert printed == f"{ANSWER} {N_KERNELS - 1}"
    assert warned.count("RuntimeWarning") == 1


@compiled
@pytest.mark.rule("core/_cache.py, damage")
def test_cache__everything_lost_but_the_index__is_compiled_again(room: Room) -> None:
    room.run()
    for path in room.files("nbc"):
        path.unlink()
    assert room.run() == (f"{ANSWER} 0", "")
    assert room.run() == (f"{ANSWER} {N_KERNELS}", "")


class Planted:
    """A pickle that leaves a mark when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return os.mkdir, (str(self.mark),)


@compiled
@has_owners
@pytest.mark.rule("core/_cache.py, who wrote it")
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "give_away",
    [
        pytest.param(lambda path: os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE), marks=is_root, id="another owner"),
        pytest.param(lambda path: path.chmod(0o666), id="anybody can write"),
    ],
)
def test_cache__file_from_somebody_else__is_not_read(room: Room, kind: str, give_away: Callable[[Path], None]) -> None:
    room.run()
    path, mark = room.files(kind)[0], room.root / "was here"
    write_with_checksum(path, pickle.dumps(Planted(mark)))
    give_away(path)
    printed, warned = room.run()
    assert not mark.exists()
    assert printed == f"{ANSWER} {N_KERNELS - 1}"
    assert warned.count("RuntimeWarning") == 1 and str(path) in warned
    assert room.run() == (f"{ANSWER} {N_KERNELS}", "")


@compiled
@pytest.mark.rule("core/_cache.py, damage")
def test_fuzz__damaged_caches__some_attempts(tmp_path: Path) -> None:
    part = Cache(tmp_path)
    assert {part.attempt(seed) for seed in range(60)} == {"loaded", "compiled again"}


@compiled
@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
@pytest.mark.rule("core/_cache.py, no room")
def test_cache__disk_is_full__runs_uncached_with_one_warning(room: Room) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n" + CALL
    printed, warned = room.run(full)
    assert printed == f"{ANSWER} 0"
    assert warned.count("RuntimeWarning") == 1
    assert str(room.cache) in warned and "Make room" in warned
    assert not [path for path in room.cache.rglob("*") if path.is_file()]  # no half of a file either
    assert room.run() == (f"{ANSWER} 0", "")


@compiled
@pytest.mark.rule("core/_cache.py, no room")
@pytest.mark.parametrize("then", ["pass", "CACHE_DIR.parent.touch()"])
def test_cache__folder_is_removed_after_the_import__runs(room: Room, then: str) -> None:
    remove = f"""
import shutil
from winterkingdom_env.games import tiny
from winterkingdom_env.core._jit import CACHE_DIR
shutil.rmtree(CACHE_DIR.parent)
{then}
"""
    printed, warned = room.run(remove + CALL)
    assert printed == f"{ANSWER} 0"
    assert warned.count("RuntimeWarning") == (then != "pass")


@compiled
@pytest.mark.rule("core/_cache.py, several processes")
def test_cache__several_processes_compile_at_once__all_run(room: Room) -> None:
    processes = [room.start() for _ in range(3)]
    for process in processes:
        printed, warned = process.communicate()
        assert (process.returncode, warned) == (0, "")
        assert printed.startswith(ANSWER)
    assert room.run() == (f"{ANSWER} {N_KERNELS}", "")


@pytest.mark.rule("core/_cache.py, several processes")
def test_cache__two_processes_save_different_signatures_at_once__none_gets_the_others_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from winterkingdom_env.core import _cache

    class Late(_cache._Files):
        """Another process saves between its index and its data, and had read the index before."""

        def _save_data(self, name: str, data: object) -> None:
            other = _cache._Files(str(tmp_path), "kernel", b"stamp")
            monkeypatch.setattr(other, "_load_index", dict)
            other.save("its signature", "its code")
            super()._save_data(name, data)

    Late(str(tmp_path), "kernel", b"stamp").save("our signature", "our code")
    files = _cache._Files(str(tmp_path), "kernel", b"stamp")
    assert files.load("its signature") == "its code"
    assert files.load("our signature") in (None, "our code")


@pytest.mark.rule("core/_jit.py, cache")
def test_old_caches__another_process_deletes_them_too__does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / f"{i:02d}" for i in range(_jit.KEEP_CACHES + 3)]
    for i, folder in enumerate(folders):
        folder.mkdir()
        os.utime(folder, (i, i))
    folders[1].rmdir()

    def listed_before(parent: Path) -> Iterator[Path]:
        return iter(folders)

    monkeypatch.setattr(Path, "iterdir", listed_before)
    monkeypatch.setattr(Path, "is_dir", lambda path: True)
    _jit._drop_old_caches(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [folder.name for folder in folders[3:]]
    _jit._drop_old_caches(tmp_path / "gone")


@has_owners
@pytest.mark.rule("core/_jit.py, cache")
def test_temporary_folder__is_made_for_this_user_alone(places: Path) -> None:
    before = os.umask(0)
    try:
        found = _jit.find_cache_dir.__wrapped__()
    finally:
        os.umask(before)
    assert found is not None and found.parent == places
    assert places.stat().st_mode & 0o777 == found.stat().st_mode & 0o777 == 0o700
    assert _jit.find_cache_dir.__wrapped__() == found


@has_owners
@pytest.mark.rule("core/_jit.py, cache")
@pytest.mark.parametrize(
    "take",
    [
        pytest.param(lambda path: os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE), marks=is_root, id="another owner"),
        pytest.param(lambda path: path.chmod(0o777), id="anybody can write"),
        pytest.param(lambda path: path.rename(path.parent / "x") and path.symlink_to("x"), id="link"),
    ],
)
def test_temporary_folder__somebody_was_there_before__is_not_used(places: Path, take: Callable[[Path], None]) -> None:
    places.mkdir(mode=0o755)
    (places / _jit.source_hash()).mkdir(mode=0o755)
    take(places)
    with pytest.warns(RuntimeWarning, match=f"{places}.*compiles them again.*NUMBA_CACHE_DIR"):
        assert _jit.find_cache_dir.__wrapped__() is None


@has_owners
@pytest.mark.rule("core/_jit.py, cache")
@pytest.mark.parametrize(
    "take",
    [
        pytest.param(lambda path: os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE), marks=is_root, id="another owner"),
        pytest.param(lambda path: path.chmod(0o775), id="a group can write"),
        pytest.param(lambda path: path.rmdir() or path.symlink_to("/"), id="link"),
    ],
)
def test_users_folder__others_can_write_to_it__the_next_is_used(
    places: Path, monkeypatch: pytest.MonkeyPatch, take: Callable[[Path], None]
) -> None:
    own = places.parent / "own"
    own.mkdir(mode=0o777)  # what lies above does not matter
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(own))
    folder = own / _jit.source_hash()
    assert _jit.find_cache_dir.__wrapped__() == folder
    take(folder)
    with pytest.warns(RuntimeWarning, match=f"{folder} .*saved in {places}.*NUMBA_CACHE_DIR"):
        found = _jit.find_cache_dir.__wrapped__()
    assert found is not None and found.parent == places


@pytest.mark.rule("core/_jit.py, cache")
def test_cache__neither_home_nor_temporary_directory__warns_and_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_directory() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: f"~/.cache/{name}")
    monkeypatch.setattr(tempfile, "gettempdir", no_directory)
    with pytest.warns(RuntimeWarning, match="compiles them again.*NUMBA_CACHE_DIR"):
        assert _jit.find_cache_dir.__wrapped__() is None
    assert not os.listdir(tmp_path)
