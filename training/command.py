"""``winterkingdom train``: every command about training. Each is imported when it is asked for, since some need packages of their own."""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any

from winterkingdom_env.cli.options import DefaultGroup, add_door, new_app, run_app
from winterkingdom_env.core.plain_text import quoted

COMMANDS = {
    "ppo": ("training.ppo", "Train a network by PPO against itself and its past selves."),
    "turn": ("training.turn_value", "Train the value of turn ends for the agent turn, by self-play."),
    "sb3": ("training.maskable_ppo", "Train with MaskablePPO of Stable-Baselines3."),
    "report": ("training.report", "Draw a training run: one page, and its pictures beside it."),
    "splits": ("training.splits", "Print or draw seen and held-out set-ups."),
    "compare": ("training.compare", "Compare trainers or networks on this machine."),
}


def run(name: str, arguments: list[str]) -> int:
    """Run one of the commands; the exit code."""
    shown = "winterkingdom train" if name == next(iter(COMMANDS)) else f"winterkingdom train {name}"
    return run_app(import_module(COMMANDS[name][0]).app, shown, arguments)


class TrainGroup(DefaultGroup):
    """Trains with PPO unless another command is named. PPO takes options only, so any other word is a mistake."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse a word that is not a command, and list the commands."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            meant = "".join(f" Did you mean {name}?" for name in get_close_matches(args[0], COMMANDS, 1))
            ctx.fail(
                f"{quoted(args[0])} is not a command.{meant} There are: {', '.join(COMMANDS)}. Without a command, options follow, as in: "
                "winterkingdom train --preset smoke"
            )
        return super().parse_args(ctx, args)


app = new_app(cls=TrainGroup, help="Train a network.")
for _name, (_, _words) in COMMANDS.items():
    add_door(app, _name, _words, partial(run, _name))
