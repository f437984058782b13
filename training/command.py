"""``winterkingdom train``: every command about training. Each is imported when it is asked for, since some need packages of their own."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from winterkingdom_env.cli.options import DefaultGroup, add_door, new_app, run_app

COMMANDS = {
    "ppo": ("training.ppo", "Train a network by PPO against itself and its past selves."),
    "sb3": ("training.maskable_ppo", "Train with MaskablePPO of Stable-Baselines3."),
    "report": ("training.report", "Draw a training run: one page, and its pictures beside it."),
    "splits": ("training.splits", "Print or draw seen and held-out set-ups."),
    "compare": ("training.compare", "Compare trainers or networks on this machine."),
}


def run(name: str, arguments: list[str]) -> int:
    """Run one of the commands; the exit code."""
    shown = "winterkingdom train" if name == next(iter(COMMANDS)) else f"winterkingdom train {name}"
    return run_app(import_module(COMMANDS[name][0]).app, shown, arguments)


app = new_app(cls=DefaultGroup, help="Train a network.")
for _name, (_, _words) in COMMANDS.items():
    add_door(app, _name, _words, partial(run, _name))
