"""Optional packages: the extra that contains each one, and the command that installs it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
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
    "starlette": "web",
    "tensorboard": "train",
    "torch": "train",
    "torchrl": "torchrl",
    "uvicorn": "web",
    "websockets": "web",
}


class MissingExtraError(ModuleNotFoundError, ValueError):
    """A package is missing that the base install does not have. ``name``: the package."""


def needed(module: str, what: str) -> ModuleType:
    """A module of an extra; MissingExtraError says what needs it, and has the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"{what} needs {module}: {install_command(module)}", name=module) from error


def checkout() -> Path | None:
    """The root folder of the checkout that this package is installed from; None if it was installed from a wheel."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() and (root / "constraints.txt").is_file() else None


def install_command(module: str) -> str:
    """The command that installs a missing module; from a checkout, the documented one, with the versions that the project is tested with."""
    extra, root = EXTRA_OF[module], checkout()
    if root is None:
        return f'pip install "winterkingdom_env[{extra}]"'
    return f'pip install -c constraints.txt -e ".[{extra}]" (in {root})'
