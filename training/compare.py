"""``winterkingdom train compare``: what learns most per second here? Networks against each other, and our trainer against Stable-Baselines3.

sb3        the same network and batch in both trainers, alternating: training decisions per second, and where the time goes
networks   every network for the same time: training decisions, and the win rate against an agent afterwards
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from rich import box
from rich.console import Console
from rich.table import Table

from training import maskable_ppo
from training.evaluate import evaluate_apart
from training.options import failing_in_words, settings_options
from training.ppo import Trainer
from training.run_folder import RunFolder, in_percent
from training.settings import Settings
from training.splits import GAME
from training.winrates import by_split, overall
from winterkingdom_env.cli.options import Json, examples, new_app, run_app
from winterkingdom_env.cli.terminal import print_json
from winterkingdom_env.games import address_of, get_game
from winterkingdom_env.search.torch_network import NETWORKS

QUIET = Console(quiet=True)
Asked = TypeVar("Asked", "Trainers", "Networks")


def run_ours(settings: Settings, folder: Path) -> Trainer:
    """Run our own trainer, without evaluations."""
    run = RunFolder(folder)
    trainer = Trainer(replace(settings, evaluate_minutes=0.0, final_setups=0), run, QUIET)
    run.create(settings, "compare", "winterkingdom train compare")
    trainer.run()
    return trainer


@dataclass(frozen=True)
class Trainers:
    """What ``train compare sb3`` is asked for; the comments are its help."""

    game: str = GAME  # which game, by its name or as module:attribute
    network: str = "moves"  # which network: moves, conv or flat
    games: int = 256  # games at a time
    horizon: int = 32  # decisions per game and rollout
    minibatch: int = 1024  # decisions per optimizer step
    epochs: int = 2  # passes over a rollout
    steps: int = 65536  # decisions per run
    rounds: int = 5  # runs of each trainer
    seed: int = 0  # of everything


@dataclass(frozen=True)
class Networks:
    """What ``train compare networks`` is asked for; the comments are its help."""

    game: str = GAME  # which game, by its name or as module:attribute
    games: int = 128  # games at a time
    horizon: int = 64  # decisions per game and rollout
    minutes: float = 10.0  # to train each network
    against: str = "greedy"  # the agent to play then
    setups: int = 50  # set-ups of either split
    processes: int = 2  # games played at the same time
    seed: int = 0  # of everything


def same_settings(options: Trainers, seed: int) -> dict[str, Any]:
    """What both trainers are given alike."""
    named = {
        name: getattr(options, name) for name in ("game", "network", "steps", "games", "horizon", "minibatch", "epochs")
    }
    return {**named, "seed": seed, "minutes": 0.0, "setups": "all", "players": str(get_game(options.game).PLAYERS[0])}


def time_ours(options: Trainers, seed: int) -> dict[str, float]:
    """Steps per second of our trainer, and its shares of the processors' time."""
    settings = Settings(**same_settings(options, seed))
    with tempfile.TemporaryDirectory() as folder:
        trainer = run_ours(settings, Path(folder) / "run")
    return {"steps_per_second": trainer.steps / trainer.seconds["run"], **trainer.shares()}


def time_sb3(options: Trainers, seed: int) -> dict[str, float]:
    """The same of Stable-Baselines3: one seat learns, past selves play the other."""
    shares: dict[str, Any] = {"past_share": 1.0, "random_share": 0.0, "scripted_share": 0.0}
    report = maskable_ppo.train(maskable_ppo.Settings(**same_settings(options, seed), **shares))
    return {"steps_per_second": report.steps_per_second, **report.shares}


def compare_sb3(options: Trainers) -> dict[str, Any]:
    """Both trainers in turns; what each round gave."""
    rounds: dict[str, list[dict[str, float]]] = {"training.ppo": [], "training.maskable_ppo": []}
    for seed in range(options.seed, options.seed + options.rounds):
        rounds["training.ppo"].append(time_ours(options, seed))
        rounds["training.maskable_ppo"].append(time_sb3(options, seed))
    ours, theirs = ([found["steps_per_second"] for found in each] for each in rounds.values())
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {"rounds": rounds, "ratio": statistics.median(ratios), "lowest": min(ratios), "highest": max(ratios)}


def compare_networks(options: Networks) -> dict[str, Any]:
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


def table_of_trainers(found: dict[str, Any], options: Trainers) -> Table:
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


def table_of_networks(found: dict[str, Any], options: Networks) -> Table:
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


app = new_app(help="Compare trainers or networks on this machine.", no_args_is_help=True)


@app.command("sb3", epilog=examples("winterkingdom train compare sb3 --network moves --rounds 5"))
@settings_options(Trainers)
def sb3_command(given: dict[str, Any], json: Json = False) -> None:
    """Compare our trainer with Stable-Baselines3: same network, same batch, in turns."""
    with failing_in_words():
        options = _options(Trainers, given)
        if options.network not in NETWORKS:
            raise ValueError(f"--network {options.network}: no such network; there are: {', '.join(NETWORKS)}")
        found = compare_sb3(options)
    _show(found, table_of_trainers(found, options), json)


@app.command("networks", epilog=examples("winterkingdom train compare networks --minutes 10 --against greedy"))
@settings_options(Networks)
def networks_command(given: dict[str, Any], json: Json = False) -> None:
    """Compare networks that were trained for the same time."""
    with failing_in_words():
        options = _options(Networks, given)
        found = compare_networks(options)
    _show(found, table_of_networks(found, options), json)


def _options(kind: type[Asked], given: dict[str, Any]) -> Asked:
    options = kind(**given)
    return replace(options, game=get_game(options.game).NAME)  # module:attribute has made it known


def _show(found: dict[str, Any], table: Table, json: bool) -> None:
    if json:
        print_json(found)
    else:
        Console(width=150).print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.compare", arguments)


if __name__ == "__main__":
    sys.exit(main())
