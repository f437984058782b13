"""The pages of readings name the lines to change: each file exists, and has what is named in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from winterkingdom_env.render.observation_page import FIRST_GAME

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "winterkingdom_env"
PAGES = sorted((ROOT / "docs").glob("readings*.md"))
WORD = re.compile(r"`([^`]+)`")
NAME = re.compile(r"[A-Za-z_]\w*")


def folder_of(page: Path) -> Path:
    """The folder of the game that a page is about."""
    return PACKAGE / "games" / (page.stem.removeprefix("readings").removeprefix("_") or FIRST_GAME)


def lines_of(page: Path) -> Iterator[tuple[str, str]]:
    """File and name, from the last column of every row whose table ends with ``change``."""
    is_read = False
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            is_read = False
        elif cells[-1] == "change":
            is_read = True
        elif is_read:
            for part in cells[-1].split(";"):
                words = WORD.findall(part)
                files = [word for word in words if word.endswith(".py")]
                yield from ((files[0], word) for word in words if files and NAME.fullmatch(word))


@cache
def names_in(path: Path) -> frozenset[str]:
    """What a module defines at its top level, and the methods of its classes."""
    found = set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return frozenset(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_readings__files_and_functions__exist(page: Path) -> None:
    lines = set(lines_of(page))
    assert len(lines) > 10
    for file, name in sorted(lines):
        paths = [top / file for top in (folder_of(page), PACKAGE) if (top / file).is_file()]
        assert paths, f"{page.name} names {file}, which does not exist"
        assert name in names_in(paths[0]), f"{page.name} names `{name}`, which {file} does not define"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_readings__numbers__are_in_order(page: Path) -> None:
    numbers = [int(n) for n in re.findall(r"^\| (\d+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
