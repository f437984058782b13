"""Imports point one way: core <- games <- envs, records, render; the reference knows no kernel."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "winterkingdom_env"
ROOT = "winterkingdom_env"


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith(ROOT)}


def without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [item for item in body if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined]  # every node with a list of statements
    return tree


def games_named(path: Path) -> list[str]:
    """The games that code names; docstrings may."""
    code = ast.unparse(without_docstrings(ast.parse(path.read_text(encoding="utf-8")))).lower()
    return [game for game in ("winter_kingdom", "winter kingdom", "kingdom_builder", "dominion") if game in code]


def room_imports(room: str) -> dict[str, set[str]]:
    return {str(path.relative_to(PACKAGE)): imports_of(path) for path in (PACKAGE / room).rglob("*.py")}


@pytest.mark.rule("architecture, direction of imports")
def test_core__imports_nothing_but_core_and_names_no_game() -> None:
    for name, imports in room_imports("core").items():
        assert all(other.startswith((f"{ROOT}.core",)) for other in imports), name
        text = (PACKAGE / name).read_text(encoding="utf-8").lower()
        assert "winter_kingdom" not in text, name
        assert "winter kingdom" not in text, name


@pytest.mark.rule("architecture, direction of imports")
def test_games__import_core_and_games_only() -> None:
    for name, imports in room_imports("games").items():
        assert all(other.startswith((f"{ROOT}.core", f"{ROOT}.games")) for other in imports), name


@pytest.mark.rule("architecture, direction of imports")
def test_envs__import_core_games_and_render_and_name_no_game() -> None:
    for name, imports in room_imports("envs").items():
        allowed = tuple(f"{ROOT}.{room}" for room in ("core", "games", "search", "envs", "render"))
        assert all(other.startswith(allowed) for other in imports), (name, imports)
        # Ids of registered environments may stand as examples in docstrings; code knows no game.
        assert not games_named(PACKAGE / name), name


@pytest.mark.rule("architecture, direction of imports")
def test_render_and_command_line__draw_any_game_and_name_none() -> None:
    for name, imports in room_imports("render").items():
        allowed = tuple(f"{ROOT}.{room}" for room in ("core", "games", "render"))
        assert all(other.startswith(allowed) for other in imports), (name, imports)
        assert "import_module" not in (PACKAGE / name).read_text(encoding="utf-8"), f"{name}: games say what is drawn"
    for path in (
        *(PACKAGE / "render").rglob("*.py"),
        *(PACKAGE / f"{name}.py" for name in ("cli", "_table", "_terminal")),
    ):
        assert not games_named(path), path.name
    assert "import_module" not in (PACKAGE / "cli.py").read_text(encoding="utf-8")


@pytest.mark.rule("architecture, an independent reference")
def test_reference__imports_card_tables_only() -> None:
    allowed = (f"{ROOT}.reference", f"{ROOT}.games.winter_kingdom.tables")
    for name, imports in room_imports("reference").items():
        assert all(other.startswith(allowed) for other in imports), (name, imports)


@pytest.mark.rule("architecture, an independent reference")
def test_reference__does_not_read_what_the_kernels_read() -> None:
    # The ops and arguments of ability cards: a wrong row must not be wrong twice.
    for path in (PACKAGE / "reference").rglob("*.py"):
        names = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute)
        }
        assert not names & {"first", "second", "first_arg", "second_arg", "measure", "condition", "twist_arg"}, (
            path.name
        )


@pytest.mark.rule("architecture, no numpy randomness")
def test_kernels__use_no_numpy_randomness() -> None:
    for path in [*(PACKAGE / "core").rglob("*.py"), *(PACKAGE / "games").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        assert "np.random" not in text, path.name
        assert "import random" not in text, path.name
