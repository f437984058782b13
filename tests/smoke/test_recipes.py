"""Every recipe of docs/recipes.md runs as it stands, and prints what stands below it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from winterkingdom_env.core._jit import CACHE_DIR

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"`(pip install [^`]+)`")

OURS = {"winterkingdom_env", "gymnasium", "numpy", "pettingzoo"}  # always there
ALSO = {"ray": {"tree"}}  # plain ray is installed without what its RLlib imports
WARN_THEMSELVES = {"ray", "torchrl"}  # about their own insides and about versions; nothing that a recipe could mend


@dataclass(frozen=True)
class Recipe:
    """A section of the page: its heading, how to install what it needs, its code and what that prints."""

    heading: str
    install: str
    code: str
    printed: str | None

    @property
    def needs(self) -> set[str]:
        """The modules that must be installed beside the package's own dependencies."""
        nodes = list(ast.walk(ast.parse(self.code)))
        names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
        tops = {name.partition(".")[0] for name in names} - OURS
        return tops.union(*(ALSO.get(top, set()) for top in tops))


def recipes() -> Iterator[Recipe]:
    for heading, text in SECTION.findall(PAGE):
        (example,) = EXAMPLE.finditer(text)
        command = COMMAND.search(text)
        yield Recipe(heading, command[1] if command else "", example[1], example[2])


RECIPES = list(recipes())


def run(recipe: Recipe) -> subprocess.CompletedProcess[str]:
    """The recipe in a process of its own; libraries that warn by themselves may, all other warnings are errors."""
    strict = [] if recipe.needs & WARN_THEMSELVES else ["-W", "error"]
    # Not pytest's folder: ray keeps sockets there, whose paths must be short.
    with tempfile.TemporaryDirectory(prefix="wk", ignore_cleanup_errors=True) as folder:
        file = Path(folder, "recipe.py")
        file.write_text(recipe.code, encoding="utf-8")
        variables = os.environ | {
            "HOME": folder,  # ray writes results there
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "OMP_NUM_THREADS": "1",
            "RAY_AUTH_MODE": "disabled",
            "RAY_TMPDIR": folder,
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        if CACHE_DIR is not None:
            variables["NUMBA_CACHE_DIR"] = str(CACHE_DIR.parent)  # found from HOME otherwise
        return subprocess.run(
            [sys.executable, *strict, str(file)],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_recipe__runs_and_prints_what_stands_below_it(recipe: Recipe) -> None:
    missing = sorted(name for name in recipe.needs if find_spec(name) is None)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}; {recipe.install}")
    done = run(recipe)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    if recipe.printed is not None:
        assert done.stdout == recipe.printed
    if not recipe.needs & WARN_THEMSELVES:
        assert done.stderr == ""


def test_page__has_a_recipe_for_every_library() -> None:
    assert {top for recipe in RECIPES for top in recipe.needs} == {"ray", "sb3_contrib", "torch", "torchrl", "tree"}
    assert len(RECIPES) == PAGE.count("```python") == 5


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_recipe__says_how_to_install_what_it_needs(recipe: Recipe) -> None:
    assert bool(recipe.install) == bool(recipe.needs)
    assert not recipe.install or "-c constraints.txt" in recipe.install
