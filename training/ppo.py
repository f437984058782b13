"""A PPO trainer with self-play: a network trains in games against itself and its past selves.

While one thread updates the network from a rollout, a second thread collects the next one with the previous weights. So two cores are busy,
and a run with a fixed seed and number of steps (not minutes) is reproducible.
"""

from __future__ import annotations

import json
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from training import trainer
from training.actors import make_actor
from training.checkpoints import check_state, need
from training.learning import learn, make_samples
from training.options import SettingsCommand, settings_options
from training.rollouts import Players, Rollout, results
from training.run_folder import (
    RunFolder,
    in_percent,
)
from training.settings import DEFAULT_PRESET, PRESETS, Settings
from winterkingdom_env.cli.options import examples, new_app, run_app
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.search.torch_network import make_network

NOW_AND_THEN = 1.0  # minutes between two lines about the progress if nobody watches a bar
CONFIGS = 4096  # set-ups to train on, drawn once


class Trainer(trainer.Trainer):
    """A training run: games, network, past selves, and logs."""

    SETTINGS, PRESETS = Settings, PRESETS
    AGENT, UNIT, COMMAND, FOLDER = "policy", "steps", "winterkingdom train", "{preset}-{seed}"

    def __init__(self, settings: Settings, folder: RunFolder, console: Console) -> None:
        """Start with new weights and games; ``load`` resumes from a checkpoint."""
        super().__init__(settings, folder, console)
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.sizes = {"channels": settings.channels, "layers": settings.layers} if settings.network == "conv" else {}
        self.network = make_network(settings.network, self.module, **self.sizes).to(settings.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.shuffle = torch.Generator().manual_seed(settings.seed)
        configs = trainer.setups_of(settings, CONFIGS)
        env = VectorEnv(self.module, settings.games, 1, configs=configs, skip_forced=True)
        env.reset(seed=settings.seed)
        self.actor = make_actor(env, self.network, settings.seed, settings.device)
        self.players = Players(env, self.actor, settings.league_share, settings.seed)
        self.rollouts = [Rollout(settings.horizon, env, self.actor) for _ in range(2)]
        self.league: list[Any] = []
        self.acting = self.actor.freeze(self.network)  # the weights that collect the next rollout
        self.before = self.snapshot()  # the state at the start of that rollout

    # Checkpoints

    def snapshot(self) -> dict[str, Any]:
        """The state of games and actors, as tensors and plain values."""
        batch = {
            name: torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())
            for name, array in self.players.env.batch.save().items()
        }
        return {
            "batch": batch, "actor": self.actor.get_state(), "rng": json.dumps(self.players.rng.bit_generator.state),
            "learner": torch.from_numpy(self.players.learner.copy()), "acting": self.acting,
        }  # fmt: skip

    def state(self) -> dict[str, Any]:
        """The content of a checkpoint: the network after the last update, and the state at the start of the next rollout."""
        return {
            "steps": self.steps, "games": self.games, "iteration": self.iteration, "seconds": dict(self.seconds),
            "settings": asdict(self.settings), "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(),
            "shuffle": self.shuffle.get_state(), "league": [_tensors(frozen) for frozen in self.league],
            "before": {**self.before, "acting": _tensors(self.before["acting"])},
            "spent": dict(self.players.seconds),
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Resume from a checkpoint. Raises ValueError, naming the field, if it does not fit; then load another one before going on."""
        check_state(state, self.state(), self.network)
        self.steps, self.games, self.iteration = state["steps"], state["games"], state["iteration"]
        self.seconds, self.players.seconds = dict(state["seconds"]), dict(state["spent"])
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.shuffle.set_state(state["shuffle"])
        self.league = [_frozen(weights) for weights in state["league"]]
        before = state["before"]
        self.acting = _frozen(before["acting"])
        batch = self.players.env.batch
        batch.load(
            {
                name: np.frombuffer(before["batch"][name].numpy().tobytes(), array.dtype).reshape(array.shape)
                for name, array in batch.save().items()
            }
        )
        is_seat = before["learner"].numpy() < batch.rows["n_players"]
        need(is_seat.all(), "before.learner", "names a seat that is not there")
        self.actor.set_state(before["actor"])
        self.players.rng.bit_generator.state = json.loads(before["rng"])
        self.players.learner[:] = before["learner"].numpy()
        self.before = self.snapshot()

    def tensors(self) -> dict[str, Any]:
        """The weights of the network by name."""
        return {name: tensor.detach().cpu().numpy() for name, tensor in self.network.state_dict().items()}

    # Training

    def run(self) -> None:
        """Train to the end of the budget, evaluate, and write the network for the agent."""
        pool = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
        playing = pool.submit(self.players.play, [self.acting, *self.league], self.rollouts[self.iteration % 2])
        with self.console.status("playing the first games and compiling new kernels"):
            playing.result()  # not part of the measured time
        first = time.monotonic() - self.seconds["run"]
        columns = (
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.percentage:.0f} %"),
            TextColumn("{task.fields[told]}"),
        )
        with Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal) as bar:
            task = bar.add_task("", total=1.0, told="")
            while self.progress() < 1.0:
                playing.result()
                rollout = self.rollouts[self.iteration % 2]
                self.acting = self.actor.freeze(self.network)
                if self.iteration % self.settings.league_rollouts == self.settings.league_rollouts - 1:
                    past = [*self.league, self.acting]
                    self.league = past[max(0, len(past) - self.settings.league) :]
                self.before = self.snapshot()
                playing = pool.submit(
                    self.players.play, [self.acting, *self.league], self.rollouts[(self.iteration + 1) % 2]
                )
                row = self.learn_from(rollout)
                self.seconds["run"] = time.monotonic() - first
                self.tell(row, bar, task)
                self.keep_up()
                self.seconds["run"] = time.monotonic() - first
                self.told = (self.steps, self.seconds["run"])
        playing.result()
        pool.shutdown()
        self.save()
        self.finish()

    def learn_from(self, rollout: Rollout) -> dict[str, float]:
        """Update the network from a rollout and return statistics for the log."""
        began = time.thread_time()
        samples, figures = make_samples(rollout, self.settings, self.module.SCORE_SCALE)
        figures |= learn(self.network, self.optimizer, samples, self.settings, self.progress(), self.shuffle)
        if not all(math.isfinite(figures[name]) for name in ("policy_loss", "value_loss")):
            raise ValueError(
                f"after {self.steps:,} steps the losses are not finite; the checkpoints are from before that: start again with "
                "another seed or a smaller learning_rate"
            )
        self.seconds["learning"] += time.thread_time() - began
        self.steps += len(samples.first)
        self.games += int(rollout.ends.sum())
        self.iteration += 1
        return figures | results(rollout)

    def shares(self) -> dict[str, float]:
        """Shares of the CPU time so far; the rest of this thread is snapshots, logs and the like."""
        spent = {**self.players.seconds, "learning": self.seconds["learning"]}
        total = sum(spent.values()) or 1.0
        return {name: seconds / total for name, seconds in spent.items()}

    def tell(self, row: dict[str, float], bar: Progress, task: TaskID) -> None:
        """Log the statistics of a rollout."""
        shares = {f"share_{name}": share for name, share in self.shares().items()}
        rate = self.log({"league": len(self.league), **row, **shares})
        told = f"{self.steps:,} steps, {rate:,.0f}/s, entropy {row['entropy']:.2f}"
        bar.update(task, completed=self.progress(), told=told)
        if not self.console.is_terminal and self.due("telling", NOW_AND_THEN):
            self.console.print(f"{self.seconds['run'] / 60:.1f} min: {told}", highlight=False, soft_wrap=True)

    def last_words(self) -> str:
        """Where the time went."""
        return f"; {in_percent(self.shares())}"


def _tensors(frozen: Any) -> Any:
    """An actor's frozen network as tensors, for a checkpoint."""
    return torch.from_numpy(frozen) if isinstance(frozen, np.ndarray) else frozen


def _frozen(kept: Any) -> Any:
    """The inverse of ``_tensors``."""
    return kept.numpy() if isinstance(kept, torch.Tensor) else kept


app = new_app()


@app.command(
    epilog=examples(
        "winterkingdom train --preset smoke",
        "winterkingdom train --preset hour --out runs/hour --seed 1",
        "winterkingdom train --resume runs/hour",
        "winterkingdom train report runs/hour",
        "winterkingdom train sb3 --preset smoke",
    ),
    cls=SettingsCommand,
)
@settings_options(Settings, f"Settings, with the values of the preset {DEFAULT_PRESET}", choices="set")
def ppo(
    context: typer.Context,
    given: dict[str, Any],
    preset: Annotated[
        str, typer.Option(help=f"Settings to begin with: {', '.join(PRESETS)}; docs/training.md lists their values.")
    ] = DEFAULT_PRESET,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the run (runs/PRESET-SEED).")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN_DIR", help="Go on with a run from its last checkpoint.")
    ] = None,
) -> None:
    """Train a network by PPO against itself and its past selves. Other commands: train sb3, report, splits, compare."""
    trainer.train(Trainer, context.obj, given, preset, out, resume)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.ppo", arguments)


if __name__ == "__main__":
    sys.exit(main())
