"""There is one table of exit codes, and every command takes its codes from there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from agents import arena, arena_command
from benchmarks import __main__ as benchmarks
from training import evaluate, report
from winterkingdom_env import _terminal
from winterkingdom_env.core.exit_codes import Exit, exit_codes

ROOT = Path(__file__).parents[2]
MODULES = [path for folder in ("agents", "training", "benchmarks") for path in sorted((ROOT / folder).glob("*.py"))]


def test_names_of_old__mean_the_same() -> None:
    assert (_terminal.FAILED, _terminal.WRONG_USE, _terminal.BROKEN_OFF) == (1, 2, 130)
    assert arena.INTERRUPTED == Exit.INTERRUPTED


@pytest.mark.parametrize("text", [arena_command.EPILOG, evaluate.EPILOG])
def test_help__has_every_code(text: str) -> None:
    assert text.startswith(exit_codes(*Exit))
    assert all(code.meaning in text and f" {code:d}  " in text for code in Exit)


def test_help__has_the_codes_that_the_command_knows() -> None:
    told = exit_codes(Exit.OK, Exit.FAILED, Exit.WRONG_USE)
    assert told in report.EPILOG and told in str(benchmarks.run_parser().epilog)
    assert Exit.FORFEITS.meaning not in told


def _literals(tree: ast.Module) -> list[int]:
    """Lines on which a main function, or a call of sys.exit, has a number of its own as exit code."""
    found = []
    mains = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in ("main", "run_command")
    ]
    for node in (inner for main in mains for inner in ast.walk(main)):
        value = node.value if isinstance(node, ast.Return) else None
        found += [node.lineno] if isinstance(value, ast.Constant) and isinstance(value.value, int) else []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "sys.exit":
            found += [node.lineno for word in node.args if isinstance(word, ast.Constant)]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_commands__have_no_codes_of_their_own(path: Path) -> None:
    assert _literals(ast.parse(path.read_text(encoding="utf-8"))) == []


def test_literals__are_found() -> None:
    assert _literals(ast.parse("def main():\n    return 2\nsys.exit(3)")) == [2, 3]
