"""``python -m training.compare``: what learns most per second here? Networks against each other, and our trainer against Stable-Baselines3.

sb3        the same network and batch in both trainers, in turns: decisions learnt from per second, and where the time goes
networks   every network for the same time: decisions learnt from, and how often it then beats an agent
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from training import maskable_ppo
from training.evaluate import evaluate_apart
from training.ppo import Trainer
from training.run_folder import RunFolder, in_percent
from training.settings import Settings
from training.splits import GAME
from training.winrates import by_split, overall
from winterkingdom_env._terminal import command_parser
from winterkingdom_env.games import address_of, get_game
from winterkingdom_env.search.torch_network import NETWORKS

QUIET = Console(quiet=True)
EXAMPLES = """examples:
  python -m training.compare sb3 --network moves --rounds 5
  python -m training.compare networks --minutes 10 --against greedy
"""


def run_ours(settings: Settings, folder: Path) -> Trainer:
    """A run of our own trainer, without evaluations."""
    run = RunFolder(folder)
    trainer = Trainer(replace(settings, evaluate_minutes=0.0, final_setups=0), run, QUIET)
    run.create(settings, "compare", ())
    trainer.run()
    return trainer


def same_settings(options: argparse.Namespace, seed: int) -> dict[str, Any]:
    """What both trainers are given alike."""
    named = {
        name: getattr(options, name) for name in ("game", "network", "steps", "games", "horizon", "minibatch", "epochs")
    }
    return {**named, "seed": seed, "minutes": 0.0, "setups": "all", "players": str(get_game(options.game).PLAYERS[0])}


def time_ours(options: argparse.Namespace, seed: int) -> dict[str, float]:
    """Steps per second of our trainer, and its shares of the processors' time."""
    settings = Settings(**same_settings(options, seed))
    with tempfile.TemporaryDirectory() as folder:
        trainer = run_ours(settings, Path(folder) / "run")
    return {"steps_per_second": trainer.steps / trainer.seconds["run"], **trainer.shares()}


def time_sb3(options: argparse.Namespace, seed: int) -> dict[str, float]:
    """The same of Stable-Baselines3: one seat learns, past selves play the other."""
    shares: dict[str, Any] = {"past_share": 1.0, "random_share": 0.0, "scripted_share": 0.0}
    report = maskable_ppo.train(maskable_ppo.Settings(**same_settings(options, seed), **shares))
    return {"steps_per_second": report.steps_per_second, **report.shares}


def compare_sb3(options: argparse.Namespace) -> dict[str, Any]:
    """Both trainers in turns; what each round gave."""
    rounds: dict[str, list[dict[str, float]]] = {"training.ppo": [], "training.maskable_ppo": []}
    for seed in range(options.seed, options.seed + options.rounds):
        rounds["training.ppo"].append(time_ours(options, seed))
        rounds["training.maskable_ppo"].append(time_sb3(options, seed))
    ours, theirs = ([found["steps_per_second"] for found in each] for each in rounds.values())
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {"rounds": rounds, "ratio": statistics.median(ratios), "lowest": min(ratios), "highest": max(ratios)}


def compare_networks(options: argparse.Namespace) -> dict[str, Any]:
    """Every network for the same time, then games against an agent on seen and held-out set-ups."""
    found = {}
    for network in NETWORKS:
        settings = Settings(
            game=options.game, network=network, seed=options.seed, minutes=options.minutes, games=options.games, horizon=options.horizon, minibatch=512
        )  # fmt: skip
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            trainer = run_ours(settings, folder / "run")
            rows = evaluate_apart(
                f"policy:path={trainer.export()}", [options.against], options.setups, trainer.module.PLAYERS[0], folder / "out",
                seed=options.seed, processes=options.processes, game=address_of(settings.game),
            )  # fmt: skip
        found[network] = {
            "weights": sum(part.numel() for part in trainer.network.parameters()), "steps": trainer.steps,
            "steps_per_second": trainer.steps / trainer.seconds["run"],
            "rows": [[row.split, row.games, row.win_rate, row.low, row.high] for row in [*by_split(rows), *overall(rows)]],
        }  # fmt: skip
    return found


def table_of_trainers(found: dict[str, Any], options: argparse.Namespace) -> Table:
    """One line per trainer: the median, the spread, the shares of the median round."""
    title = (
        f"{options.network}: {options.games} games x {options.horizon}, minibatch {options.minibatch}, {options.epochs} epochs, "
        f"{options.steps:,} steps, {options.rounds} rounds"
    )
    table = Table("trainer", "steps/s", "lowest", "highest", "where the time goes", title=title, box=box.SIMPLE_HEAD)
    for name, rounds in found["rounds"].items():
        rates = sorted(each["steps_per_second"] for each in rounds)
        middle = sorted(rounds, key=lambda each: each["steps_per_second"])[len(rounds) // 2]
        shares = in_percent({part: share for part, share in middle.items() if part != "steps_per_second"})
        table.add_row(name, f"{statistics.median(rates):,.0f}", f"{rates[0]:,.0f}", f"{rates[-1]:,.0f}", shares)
    table.caption = f"ours / theirs: {found['ratio']:.2f} ({found['lowest']:.2f} to {found['highest']:.2f})"
    return table


def table_of_networks(found: dict[str, Any], options: argparse.Namespace) -> Table:
    """One line per network."""
    title = f"{options.minutes:g} minutes each, then games against {options.against}, with 95 % intervals"
    table = Table("network", "weights", "steps", "steps/s", "seen", "held out", "all", title=title, box=box.SIMPLE_HEAD)
    for name, each in found.items():
        rates = {
            split: f"{100 * rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
            for split, _, rate, low, high in each["rows"]
        }
        table.add_row(
            name, f"{each['weights']:,}", f"{each['steps']:,}", f"{each['steps_per_second']:,.0f}",
            *(rates[split] for split in ("seen", "held-out", "all")),
        )  # fmt: skip
    return table


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = command_parser("training.compare", "Compare trainers or networks on this machine.", EXAMPLES)
    kinds = found.add_subparsers(dest="what", required=True)
    sb3 = kinds.add_parser("sb3", help="our trainer against Stable-Baselines3, same network and batch")
    sb3.add_argument("--network", choices=NETWORKS, default="moves", help="which network (moves)")
    for name, default, told in (
        ("games", 256, "at a time"), ("horizon", 32, "decisions per game and rollout"), ("minibatch", 1024, "decisions per step of the optimiser"),
        ("epochs", 2, "times that a rollout is learnt from"), ("steps", 65536, "decisions per run"), ("rounds", 5, "runs of each"),
    ):  # fmt: skip
        sb3.add_argument(f"--{name}", type=int, default=default, help=f"{told} ({default})")
    networks = kinds.add_parser("networks", help="networks that have learnt for the same time")
    networks.add_argument("--games", type=int, default=128, help="at a time (128)")
    networks.add_argument("--horizon", type=int, default=64, help="decisions per game and rollout (64)")
    networks.add_argument("--minutes", type=float, default=10.0, help="to train each (10)")
    networks.add_argument("--against", default="greedy", help="whom to play then (greedy)")
    networks.add_argument("--setups", type=int, default=50, help="set-ups of either split (50)")
    networks.add_argument("--processes", type=int, default=2, help="games at a time (2)")
    for each in (sb3, networks):
        each.add_argument(
            "--game", default=GAME, metavar="NAME", help=f"which game, by its name or as module:attribute ({GAME})"
        )
        each.add_argument("--seed", type=int, default=0, help="of everything (0)")
        each.add_argument("--json", action="store_true", help="one JSON line")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print a table."""
    options = parser().parse_args(arguments)
    try:
        options.game = get_game(options.game).NAME  # module:attribute has made it known
        found = compare_sb3(options) if options.what == "sb3" else compare_networks(options)
    except ValueError as error:
        print(f"training.compare: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(found))
    else:
        draw = table_of_trainers if options.what == "sb3" else table_of_networks
        Console(width=150).print(draw(found, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
