"""What the README shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from winterkingdom_env.cli.commands import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"^winterkingdom ([\w-]+)", README, re.MULTILINE)))


PAGES = (ROOT / "README.md", ROOT / "docs" / "environments.md", ROOT / "docs" / "house_rules.md")
EXAMPLES = [
    pytest.param(found[1], found[2], id=f"{page.name}-{i}")
    for page in PAGES
    for i, found in enumerate(
        re.finditer(r"```python\n(.*?)```\n```text\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    )
]


def test_pages__have_examples() -> None:
    assert len(EXAMPLES) == 9


@pytest.mark.parametrize(("code", "text"), EXAMPLES)
def test_example__prints_what_stands_below_it(code: str, text: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "example", "exec"), {})
    assert printed.getvalue() == text


@pytest.mark.parametrize("command", COMMANDS)
def test_command__exists_and_has_examples(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert result.output.count(f"winterkingdom {command}") >= 2


def test_make_targets__exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z-]+)", README)):
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), f"README names make {target}"


def test_links__lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
