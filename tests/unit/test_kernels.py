"""Properties of the records and of how kernels are compiled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytest

from winterkingdom_env.core import _jit, batch
from winterkingdom_env.core.rows import CACHE_LINE, aligned
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.world import begin_games

PACKAGE = Path(_jit.__file__).parents[1]
PUBLIC_KERNELS = (
    batch.set_up_all,
    batch.step_all,
    batch.expand_all,
    batch.score_all,
    batch.rank_all,
    batch.observe_all,
)
compiled = pytest.mark.skipif(_jit.SETTINGS.DISABLE_JIT, reason="there is nothing compiled to look at")


@pytest.mark.rule("layout.py, records")
@pytest.mark.parametrize("name", ["GAME", "BOARD", "LEGAL", "RULES", "REQUEST"])
def test_record__has_no_hidden_bytes(name: str) -> None:
    record: np.dtype = getattr(layout, name)
    assert record.names is not None and record.fields is not None
    assert sum(record.fields[field][0].itemsize for field in record.names) == record.itemsize


@pytest.mark.rule("layout.py, records")
@pytest.mark.parametrize("name", ["GAME", "BOARD", "LEGAL"])
def test_record__fills_whole_cache_lines__and_so_do_its_sets(name: str) -> None:
    record: np.dtype = getattr(layout, name)
    assert record.names is not None and record.fields is not None
    assert record.itemsize % CACHE_LINE == 0
    for field in record.names:
        kind, place = record.fields[field][:2]
        assert kind.shape[-1:] != (layout.WORDS,) or place % CACHE_LINE == 0
    records = aligned(3, record)
    assert records.ctypes.data % CACHE_LINE == 0 and records.shape == (3,) and not records.view(np.uint8).any()


@pytest.mark.rule("layout.py, records")
@pytest.mark.parametrize("place", [0, 20, 30, 1500, -1])
def test_from_bytes__one_byte_damaged__is_refused(place: int) -> None:
    data = bytearray(wk.new_game(seed=4).to_bytes())
    assert wk.from_bytes(bytes(data)).to_bytes() == bytes(data)
    data[place] ^= 1
    with pytest.raises(ValueError, match=r"not a saved Winter Kingdom game|damaged.*to_bytes"):
        wk.from_bytes(bytes(data))


@pytest.mark.rule("layout.py, records")
@pytest.mark.parametrize("data", [b"", b"x" * 7442, "text", None])
def test_from_bytes__something_else__is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"bytes from Game\.to_bytes"):
        wk.from_bytes(data)


@pytest.mark.rule("layout.py, records")
def test_game__of_other_arrays__is_refused() -> None:
    game = wk.new_game(seed=4)
    read_only = game.record.copy()
    read_only.flags.writeable = False
    for record in (np.zeros(1, layout.LEGAL), np.repeat(game.record, 2), read_only):
        with pytest.raises(ValueError, match="array of one GAME record"):
            wk.game_of(record, game.board)
    with pytest.raises(ValueError, match="array of one BOARD record"):
        wk.game_of(game.record, game.record)


@pytest.mark.rule("core/_jit.py, quick calls")
def test_quick__called_twice__is_the_kernel() -> None:
    @_jit.kernel
    def add(numbers, out):
        out[0] = numbers.sum()

    quick, out = _jit.Quick(add), np.zeros(1, np.int64)
    for n in (3, 5):
        quick.call(np.arange(n), out)
        assert out[0] == n * (n - 1) // 2


@pytest.mark.rule("layout.py, actions")
def test_actions__are_1409() -> None:
    assert layout.N_ACTIONS == 3 * 427 + 51 + 25 + 25 + 26 + 1 == 1409


@compiled
@pytest.mark.rule("core/_jit.py, one signature")
def test_public_kernels__after_a_game__are_compiled_once() -> None:
    game = wk.from_setup(wk.new_game(wk.Config(num_players=3, twist="random"), seed=3).setup())
    while not game.is_over:
        legal = game.legal_actions()
        game.apply(np.int32(legal[len(legal) // 2]))  # type: ignore[arg-type]  # any integer is taken
        game.ranks()
        game.observe()
    for kernel in (*(word.of(wk.World) for word in PUBLIC_KERNELS), begin_games):
        assert len(kernel.signatures) == 1, f"{kernel.__name__} is compiled for {kernel.signatures}"


HASHES = """
from winterkingdom_env.core._jit import CORE, PACKAGE, Room, source_hash
rooms = {name: Room(PACKAGE / name, PACKAGE.parent) for name in ("games/winter_kingdom", "games/other")}
print(*(source_hash({CORE, rooms[name]} if name else {CORE}) for name in ("", *rooms)))
"""


@pytest.mark.rule("core/_jit.py, cache")
def test_source_hash__one_byte_changes__is_another_for_the_rooms_that_it_decides(tmp_path: Path) -> None:
    package = tmp_path / "winterkingdom_env"
    for room in ("core", "games"):
        shutil.copytree(PACKAGE / room, package / room)
    (package / "__init__.py").touch()
    other = package / "games" / "other"
    other.mkdir()
    (other / "turn.py").write_text(
        "from winterkingdom_env.games.other import layout\n@kernel\ndef f(): ...\n", encoding="utf-8"
    )
    (other / "layout.py").touch()
    changes = {  # which of the three hashes an edit changes: core, core and one game, core and another game
        "games/winter_kingdom/__init__.py": (False, False, False),  # neither has a kernel nor is read by one
        "core/grid.py": (True, True, True),
        "core/sizes.py": (True, True, True),
        "games/winter_kingdom/tables.py": (False, True, False),
        "games/winter_kingdom/turn.py": (False, True, False),
        "games/other/layout.py": (False, False, True),
    }
    before = run_python(HASHES, tmp_path, tmp_path / "cache").split()
    assert len(set(before)) == 3
    for name, expected in changes.items():
        with (package / name).open("a", encoding="utf-8") as file:
            file.write("#\n")
        after = run_python(HASHES, tmp_path, tmp_path / "cache").split()
        assert tuple(one != two for one, two in zip(before, after, strict=True)) == expected, name
        before = after


def run_python(code: str, root: Path, cache: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True).stdout


@compiled
@pytest.mark.rule("core/_jit.py, cache")
def test_cache__edited_callee__is_not_served_stale(tmp_path: Path) -> None:
    package = tmp_path / "winterkingdom_env"
    (package / "games").mkdir(parents=True)
    shutil.copytree(PACKAGE / "core", package / "core")
    for folder in (package, package / "games"):
        (folder / "__init__.py").touch()
    (package / "games" / "callee.py").write_text(
        "from winterkingdom_env.core._jit import kernel\n@kernel\ndef callee(x):\n    return x + 1\n", encoding="utf-8"
    )
    (package / "games" / "caller.py").write_text(
        "from winterkingdom_env.core._jit import kernel\nfrom winterkingdom_env.games.callee import callee\n"
        "@kernel\ndef caller(x):\n    return callee(x) * 10\n", encoding="utf-8"
    )  # fmt: skip
    code = "from winterkingdom_env.games.caller import caller; print(caller(1))"
    assert run_python(code, tmp_path, tmp_path / "cache") == "20\n"
    callee = package / "games" / "callee.py"
    callee.write_text(callee.read_text(encoding="utf-8").replace("x + 1", "x + 3"), encoding="utf-8")
    assert run_python(code, tmp_path, tmp_path / "cache") == "40\n"


@pytest.mark.rule("core/_jit.py, cache")
def test_cache__nowhere_to_write__warns_and_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.touch()  # a folder below a file can never be made
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(blocked))
    with pytest.warns(RuntimeWarning, match="compiles them again.*NUMBA_CACHE_DIR"):
        assert _jit.find_cache_dir.__wrapped__() is None


@pytest.mark.rule("core/_jit.py, cache")
def test_cache__users_folder_is_read_only__falls_back_to_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(blocked / name))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    found = _jit.find_cache_dir.__wrapped__()
    assert found is not None
    assert tmp_path in found.parents


@pytest.mark.rule("core/_jit.py, cache")
def test_cache__many_edits__keeps_the_newest_only(tmp_path: Path) -> None:
    for i in range(_jit.KEEP_CACHES + 3):
        (tmp_path / f"{i:02d}").mkdir()
        os.utime(tmp_path / f"{i:02d}", (i, i))
    _jit._drop_old_caches(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"{i:02d}" for i in range(3, _jit.KEEP_CACHES + 3)]
