"""Commands outside the package, in the folders agents/, training/ and benchmarks/ of the checkout."""

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
    """A command outside the package: the module with its ``app``, the extra that it needs, its help line."""

    module: str
    extra: str
    words: str


ROOMS = {
    "arena": Room(
        "agents.arena_command", "arena", "Play agents against each other and rate them, with confidence intervals."
    ),
    "train": Room("training.command", "train", "Train a network with PPO: the project's trainer or Stable-Baselines3."),
    "evaluate": Room("training.evaluate", "arena", "Measure an agent's win rate on seen and held-out set-ups."),
    "generalisation": Room(
        "training.generalisation",
        "train",
        "Measure what agents lose on cards, boards and rules that training never had.",
    ),
    "bench": Room("benchmarks.__main__", "viz", "Measure the speed of legal moves, steps, environments and search."),
}


def checkout() -> Path | None:
    """The root folder of the checkout; None if the package was installed from a wheel."""
    root = Path(__file__).resolve().parents[2]
    is_whole = (root / "pyproject.toml").is_file() and all((root / name / "__init__.py").is_file() for name in FOLDERS)
    return root if is_whole else None


def load(module: str) -> Any:
    """Import a module of the checkout, even if the current folder has its own ``agents/``; LookupError without a checkout."""
    root = checkout()
    if root is None:
        raise LookupError
    if str(root) in sys.path:
        sys.path.remove(str(root))
    sys.path.insert(0, str(root))
    return import_module(module)


def run_room(name: str, arguments: list[str]) -> int:
    """Run a command of the checkout and return its exit code; without a checkout, print how to get one."""
    try:
        interrupts = load("agents.interrupts")
    except LookupError:
        tell(
            f"error: winterkingdom {name} is part of the checkout, not of the wheel: clone the repository or unpack "
            f'winterkingdom_env-{VERSION}.tar.gz, then run: pip install -e "FOLDER[{ROOMS[name].extra}]"'
        )
        return Exit.WRONG_USE
    try:
        with interrupts.terminating_like_ctrl_c():  # also during the imports
            return run_app(load(ROOMS[name].module).app, f"winterkingdom {name}", arguments)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


app = new_app()
for _name, _room in ROOMS.items():
    add_door(app, _name, _room.words, partial(run_room, _name))
