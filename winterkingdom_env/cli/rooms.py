"""Commands that live beside the package, in the folders agents/, training/ and benchmarks/ of the checkout."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from winterkingdom_env.cli.options import add_door, new_app, run_app
from winterkingdom_env.cli.terminal import tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.version import VERSION

FOLDERS = ("agents", "training", "benchmarks")


class Room(NamedTuple):
    """A command outside the package: the module whose ``app`` runs it, the extra that it needs, its line in the help."""

    module: str
    extra: str
    words: str


ROOMS = {
    "arena": Room("agents.arena_command", "arena", "Let agents play each other and rate them, with error bars."),
    "train": Room(
        "training.command", "train", "Train a network by PPO, with our own trainer or with Stable-Baselines3."
    ),
    "evaluate": Room("training.evaluate", "arena", "Measure how often an agent wins, on seen and on held-out set-ups."),
    "bench": Room("benchmarks.__main__", "viz", "Time legal moves, steps, environments and search."),
}


def checkout() -> Path | None:
    """The folder of the checkout; None if the package was installed from a wheel."""
    root = Path(__file__).resolve().parents[2]
    is_whole = (root / "pyproject.toml").is_file() and all((root / name / "__init__.py").is_file() for name in FOLDERS)
    return root if is_whole else None


def load(module: str) -> Any:
    """Import a module of the checkout, also from a folder that holds an ``agents/`` of its own."""
    root = checkout()
    if root is None:
        raise LookupError
    if str(root) in sys.path:
        sys.path.remove(str(root))
    sys.path.insert(0, str(root))
    return import_module(module)


def run_room(name: str, arguments: list[str]) -> int:
    """Run a command of the checkout and return its exit code; one sentence says how to get the checkout if it is not there."""
    try:
        interrupts = load("agents.interrupts")
    except LookupError:
        tell(
            f"error: winterkingdom {name} is part of the checkout, not of the wheel: clone the repository or unpack "
            f'winterkingdom_env-{VERSION}.tar.gz, then run: pip install -e "FOLDER[{ROOMS[name].extra}]"'
        )
        return Exit.WRONG_USE
    try:
        with interrupts.terminating_like_ctrl_c():  # while the rest is imported, too
            return run_app(load(ROOMS[name].module).app, f"winterkingdom {name}", arguments)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


app = new_app()
for _name, _room in ROOMS.items():
    add_door(app, _name, _room.words, partial(run_room, _name))
