"""Optional packages: the extra that contains each one, and the command that installs it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

EXTRA_OF = {
    "PIL": "render",
    "choix": "arena",
    "jinja2": "arena",
    "matplotlib": "viz",
    "pandas": "notebooks",
    "psutil": "arena",
    "ray": "ray",
    "safetensors": "agents",
    "sb3_contrib": "sb3",
    "scipy": "arena",
    "stable_baselines3": "sb3",
    "tensorboard": "train",
    "torch": "train",
    "torchrl": "torchrl",
}


class MissingExtraError(ValueError):
    """A package is missing that the base install does not have."""


def needed(module: str, what: str) -> ModuleType:
    """A module of an extra; MissingExtraError says what needs it, and the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"{what} needs {module}: {install_command(module)}") from error


def install_command(module: str) -> str:
    """The command that installs a missing module. It works for a checkout and for a wheel, because pip adds to the installed package."""
    return f'pip install "winterkingdom_env[{EXTRA_OF[module]}]"'
