"""There is one table of exit codes, and every command takes its codes from there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from winterkingdom_env.cli.commands import app
from winterkingdom_env.cli.options import run_app
from winterkingdom_env.core.exit_codes import Exit

ROOT = Path(__file__).parents[2]
MODULES = [path for folder in ("agents", "training", "benchmarks") for path in sorted((ROOT / folder).glob("*.py"))]


@pytest.mark.parametrize(
    ("command", "codes"),
    [
        (["arena"], set(Exit)),
        (["evaluate"], set(Exit)),
        (["generalisation"], set(Exit)),
        (["train", "report"], {0, 1, 2}),
    ],
)
def test_help__has_the_codes_that_the_command_knows(
    command: list[str], codes: set[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run_app(app, "winterkingdom", [*command, "--help"]) == Exit.OK
    told = capsys.readouterr().out
    assert {code for code in Exit if f"{code:d}  {code.meaning}" in told} == codes


def _literals(tree: ast.Module) -> list[int]:
    """Lines on which a main function, or a call of sys.exit, has a number of its own as exit code."""
    found = []
    mains = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in ("main", "run_command")
    ]
    for node in (inner for main in mains for inner in ast.walk(main)):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, int):
            found.append(node.lineno)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "sys.exit":
            found += [node.lineno for word in node.args if isinstance(word, ast.Constant)]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_commands__have_no_codes_of_their_own(path: Path) -> None:
    assert _literals(ast.parse(path.read_text(encoding="utf-8"))) == []


def test_literals__are_found() -> None:
    assert _literals(ast.parse("def main():\n    return 2\nsys.exit(3)")) == [2, 3]
