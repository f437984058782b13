"""The cache of compiled kernels with two games: an edit in one shows in the next process, and compiles nothing of the other again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from winterkingdom_env.core._jit import SETTINGS
from winterkingdom_env.games import GAMES, get_game

ROOT = Path(__file__).parents[2]
OTHER = next(iter(GAMES))
pytestmark = pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="there is nothing compiled to look at")

CODE = f"""
import json, sys
import numpy as np
from winterkingdom_env.core import batch
from winterkingdom_env.games import get_game
from winterkingdom_env.search.thinking import Thinker

def stats(kernel):
    return [sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values())]

duels, other = get_game("examples.duels:RULES"), get_game("{OTHER}")
game = duels.new_game(seed=3)
game.apply(game.legal_actions()[0])
_, ratings = Thinker.about(game).rate(game)  # through search
game.apply(game.legal_actions()[-1])  # through core
batch.report_all(other.make_world(1), np.zeros((1, batch.N_REPORT), np.int64))
told = {{"scores": game.scores(), "ratings": ratings.tolist()}}
told["own"] = stats(batch.score_all.of(duels.World))
told["other"] = stats(batch.report_all.of(other.World))
print(json.dumps(told))
"""


def run(folder: Path) -> dict[str, Any]:
    """A process of its own, with the copy of the game and a cache of its own."""
    variables = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
    }
    done = subprocess.run([sys.executable, "-c", CODE], cwd=folder, env=variables, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def kept(folder: Path, words: str) -> dict[str, int]:
    """The files of machine code of a game: their names hold the name of its room; and when they were written."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "cache").rglob("*.nb?") if words in path.name}


def test_cache__leaf_of_one_game_is_edited__shows_in_core_and_search__and_the_other_stays(tmp_path: Path) -> None:
    get_game(OTHER)
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    first = run(tmp_path)
    assert first["own"] == first["other"] == [0, 1], "a new cache holds nothing"
    again = run(tmp_path)
    assert again["own"] == again["other"] == [1, 0]
    assert (again["scores"], again["ratings"]) == (first["scores"], first["ratings"])
    files = kept(tmp_path, f"_{OTHER}")
    assert files

    leaf = tmp_path / "examples" / "duels" / "world.py"
    code = leaf.read_text(encoding="utf-8")
    edited = code.replace(
        "return prize - 5 if prize < 5 else prize - 4", "return prize - 15 if prize < 5 else prize + 6"
    )
    assert edited != code
    leaf.write_text(edited, encoding="utf-8")
    later = run(tmp_path)
    assert later["own"] == [0, 1], "an edited game is compiled again"
    assert later["other"] == [1, 0], "the other one is not"
    assert kept(tmp_path, f"_{OTHER}") == files
    assert later["scores"] != first["scores"] and later["ratings"] != first["ratings"]
    assert sum(map(abs, later["scores"])) == sum(map(abs, first["scores"])) + 10
