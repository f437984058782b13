"""The page about observations is what its generator prints, and what it shows happens."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from winterkingdom_env.core.observation import Field, Kind, Plane, Spec
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.layout import ROWS
from winterkingdom_env.render.observation_page import COMMAND, main, page, page_name

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "observation.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def run(example: str, names: dict[str, Any]) -> list[str]:
    """The lines that an example prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, PAGE.name, "exec"), names)
    return printed.getvalue().splitlines()


def promised(example: str) -> list[str]:
    """The comments behind its prints."""
    return re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_page__is_what_the_generator_prints(name: str) -> None:
    path = ROOT / "docs" / page_name(name)
    told = path.read_text(encoding="utf-8") if path.exists() else ""
    assert told == page(get_game(name)), f"{COMMAND} --game {name} > docs/{path.name} renews it"


def test_page_name__the_first_game_has_the_short_names() -> None:
    assert page_name("winter_kingdom") == PAGE.name
    assert (page_name("made_up"), page_name("made_up", "turn")) == ("observation_made_up.md", "turn_made_up.md")


def test_module__in_a_process_of_its_own__prints_the_page() -> None:
    command = [sys.executable, *COMMAND.split()[1:], "--game", "winter_kingdom"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (page(wk), "")


def test_module__wrong_use_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--game", "go"])
    assert stopped.value.code == 2 and "winter_kingdom" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert stopped.value.code == 0
    assert shown.partition("examples: ")[2].count(COMMAND) == 2


def test_examples__print_what_stands_behind_them() -> None:
    numpy_example, torch_example = EXAMPLES
    names: dict[str, Any] = {}
    assert run(numpy_example, names) == promised(numpy_example)
    assert len(promised(numpy_example)) == 2
    pytest.importorskip("torch", reason="torch comes with the extra winterkingdom_env[train]")
    assert run(torch_example, names) == promised(torch_example)
    assert len(promised(torch_example)) == 1


def made_up(spec: Spec) -> SimpleNamespace:
    """A game that has what the page needs."""
    orders = {"coins": ("copper", "silver")}
    return SimpleNamespace(
        NAME="made_up", OBSERVATION=spec, N_ACTIONS=3, OBSERVATION_NOTES="All is open.", OBSERVATION_ORDERS=orders
    )


def test_page__tables__tell_where_everything_lies() -> None:
    spec = Spec(
        (Plane("here", "a | b"), Plane("there", "more")),
        (Field("many", "forty, twice", Kind.BITS, 40, 2), Field("coins", "coins", Kind.NUMBER, scale=10)),
        ROWS,
        ROWS,
    )
    text = page(made_up(spec))
    for row in (
        r"| 0 | `here` | a \| b |",
        "| 1 | `there` | more |",
        "| `many` | forty, twice | 2 x bits of 40 | [0:80] |  | [54:58] |",
        "| `coins` | coins | number | [80:81] | 10 | [58:59] |",
        "| `packed` | `observation` | uint32 | (59,) | 54 words for the planes, then 5 for the fields |",
    ):
        assert row in text.splitlines()
    assert "\nAll is open.\n" in text and "| coins | copper, silver |" in text.splitlines()


def test_page__no_planes__says_nothing_about_planes() -> None:
    spec = Spec((), (Field("hand", "cards in hand", Kind.NUMBER, count=3, scale=10),), ROWS)
    text = page(made_up(spec))
    assert "cells" not in text and "## Planes" not in text and "plane" not in text.replace("`planes`", "")
    for line in (
        "| `planes` | `vector` | float32 | (3,) | the fields, one after the other |",
        "| `packed` | `observation` | uint32 | (3,) | words of the fields |",
        'print(packed.shape, seen["vector"].shape)  # (3,) (3,)',
        "print(hand.shape)  # (3,)",
    ):
        assert line in text.splitlines()
