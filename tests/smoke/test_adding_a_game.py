"""docs/adding_a_game.md: what it shows of files stands in them, and its code runs from top to bottom and prints what stands below it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding_a_game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (examples/\S+\.py)\n")
BLOCKS = [(found[1], found[2]) for found in BLOCK.finditer(PAGE)]
SHOWN = [(FILE.match(code)[1], FILE.sub("", code, count=1)) for code, _ in BLOCKS if FILE.match(code)]  # type: ignore[index]
RUN = [(code, printed) for code, printed in BLOCKS if not FILE.match(code)]


@pytest.mark.parametrize(("file", "code"), SHOWN, ids=[file for file, _ in SHOWN])
def test_page__what_it_shows_of_a_file__stands_there(file: str, code: str) -> None:
    assert code in (ROOT / file).read_text(encoding="utf-8")


def test_page__every_file_of_the_game_is_named() -> None:
    files = {path.name for path in (ROOT / "examples" / "duels").glob("*.py")}
    assert files == set(re.findall(r"^\| `(\w+\.py)` \|", PAGE, re.MULTILINE))
    assert len(SHOWN) >= 8 and len(RUN) >= 4 and all(printed for _, printed in RUN)
    assert PAGE.count("```python") == len(BLOCKS)


def test_page__code__runs_and_prints_what_stands_below_it(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(code for code, _ in RUN), encoding="utf-8")
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "".join(printed for _, printed in RUN)
