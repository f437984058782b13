"""Packages that are not part of the base install: which extra brings them, and the command that installs it."""

from __future__ import annotations

EXTRA_OF = {
    "PIL": "render",
    "choix": "arena",
    "matplotlib": "viz",
    "pandas": "notebooks",
    "ray": "ray",
    "safetensors": "agents",
    "sb3_contrib": "sb3",
    "scipy": "arena",
    "stable_baselines3": "sb3",
    "tensorboard": "train",
    "torch": "train",
    "torchrl": "torchrl",
}


def install_command(module: str) -> str:
    """The command that installs a missing module. It works beside a checkout and beside the wheel: pip adds to what is installed."""
    return f'pip install "winterkingdom_env[{EXTRA_OF[module]}]"'
