"""A PPO trainer with self-play: a network trains in games against itself and its past selves.

While one thread updates the network from a rollout, a second thread collects the next one with the previous weights. So two cores are busy,
and a run with a fixed seed and number of steps (not minutes) is reproducible.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import torch
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from training.actors import make_actor
from training.checkpoints import check_state, need
from training.evaluate import evaluate_apart
from training.learning import learn, make_samples
from training.options import SettingsCommand, failing_in_words, preset_of, settings_options
from training.rollouts import Players, Rollout, results
from training.run_files import EVALUATIONS
from training.run_folder import (
    POLICY,
    FolderError,
    RunFolder,
    check_device,
    in_percent,
    progress_of,
)
from training.settings import DEFAULT_PRESET, PRESETS, Settings
from training.splits import training_setups
from training.winrates import ALL, Row, overall, write_rows
from winterkingdom_env.cli.options import examples, load_codes, new_app, run_app
from winterkingdom_env.cli.terminal import say, tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import address_of, get_game, named_game
from winterkingdom_env.search.registry import agent_spec, agent_texts
from winterkingdom_env.search.torch_network import make_network
from winterkingdom_env.search.weights import save_weights

NOW_AND_THEN = 1.0  # minutes between two lines about the progress if nobody watches a bar
CONFIGS = 4096  # set-ups to train on, drawn once


class Trainer:
    """A training run: games, network, past selves, and logs."""

    def __init__(self, settings: Settings, folder: RunFolder, console: Console) -> None:
        """Start with new weights and games; ``load`` resumes from a checkpoint."""
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.settings, self.folder, self.console = settings, folder, console
        self.module = get_game(settings.game)
        self.sizes = {"channels": settings.channels, "layers": settings.layers} if settings.network == "conv" else {}
        self.network = make_network(settings.network, self.module, **self.sizes).to(settings.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.learning_rate, eps=1e-5)
        self.shuffle = torch.Generator().manual_seed(settings.seed)
        numbers = settings.numbers
        configs = training_setups(
            settings.setups,
            CONFIGS // len(numbers),
            numbers,
            settings.seed,
            settings.game,
            settings.house_rules,
            settings.choices,
            settings.split,
        )
        env = VectorEnv(self.module, settings.games, 1, configs=configs, skip_forced=True)
        env.reset(seed=settings.seed)
        self.actor = make_actor(env, self.network, settings.seed, settings.device)
        self.players = Players(env, self.actor, settings.league_share, settings.seed)
        self.rollouts = [Rollout(settings.horizon, env, self.actor) for _ in range(2)]
        self.league: list[Any] = []
        self.acting = self.actor.freeze(self.network)  # the weights that collect the next rollout
        self.before = self.snapshot()  # the state at the start of that rollout
        self.steps = self.games = self.iteration = 0
        self.seconds = {"run": 0.0, "learning": 0.0, "checkpoint": 0.0, "evaluation": 0.0, "telling": 0.0}
        self.told = (0, 0.0)  # steps and seconds of the last line in the log

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

    def facts(self) -> dict[str, Any]:
        """Information about the training, for the network's file."""
        told = self.folder.reopen()
        return {
            "command": told["command"], "preset": told["preset"], "started": told["started"], "machine": told["machine"], "versions": told["versions"],
            "settings": asdict(self.settings), "steps": self.steps, "games": self.games, "seconds": round(self.seconds["run"]),
        }  # fmt: skip

    def export(self) -> Path:
        """Write the network for the agent ``policy``, and return the path."""
        path = self.folder.path / POLICY
        tensors = {name: tensor.detach().cpu().numpy() for name, tensor in self.network.state_dict().items()}
        save_weights(path, self.module.NAME, self.settings.network, self.sizes, tensors, self.facts())
        return path

    # Training

    def progress(self) -> float:
        """The completed share of the run, 0 to 1."""
        return progress_of(self.settings, self.steps, self.seconds["run"])

    def due(self, what: str, minutes: float) -> bool:
        """Whether ``minutes`` have passed since this was last True for ``what``; then restart its timer."""
        if self.seconds["run"] - self.seconds[what] < 60 * minutes:
            return False
        self.seconds[what] = self.seconds["run"]
        return True

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
        self.folder.save(self.state(), self.steps, self.settings.checkpoints)
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
        rate = (self.steps - self.told[0]) / max(self.seconds["run"] - self.told[1], 1e-9)
        figures = row | {f"share_{name}": share for name, share in self.shares().items()}
        self.folder.log(
            {
                "iteration": self.iteration, "steps": self.steps, "games": self.games, "seconds": round(self.seconds["run"], 2),
                "steps_per_second": round(rate, 1), "league": len(self.league), **{name: round(value, 6) for name, value in figures.items()},
            }
        )  # fmt: skip
        told = f"{self.steps:,} steps, {rate:,.0f}/s, entropy {row['entropy']:.2f}"
        bar.update(task, completed=self.progress(), told=told)
        if not self.console.is_terminal and self.due("telling", NOW_AND_THEN):
            self.console.print(f"{self.seconds['run'] / 60:.1f} min: {told}", highlight=False, soft_wrap=True)

    def keep_up(self) -> None:
        """Write a checkpoint and run an evaluation if they are due."""
        settings = self.settings
        if self.due("checkpoint", settings.checkpoint_minutes):
            self.folder.save(self.state(), self.steps, settings.checkpoints)
        if settings.evaluate_minutes and self.progress() < 1.0 and self.due("evaluation", settings.evaluate_minutes):
            with tempfile.TemporaryDirectory() as out:
                self.evaluate(settings.evaluate_setups, self.module.PLAYERS[0], Path(out))

    def evaluate(self, n_setups: int, n_players: int, out: Path) -> list[Row]:
        """Evaluate the network against the scripted agents on seen and held-out set-ups (training.evaluate, in a separate process).

        Win rates are written to ``out`` and, summarized, to the log. If an evaluation fails, the error is shown and the run continues.
        """
        settings = self.settings
        try:
            rows = evaluate_apart(
                f"policy:path={self.export()}", agent_texts(settings.opponents), n_setups, n_players, out,
                seed=settings.seed, processes=settings.processes, game=address_of(settings.game), house_rules=settings.house_rules,
                choices=settings.choices, code=settings.code, split_name=settings.split,
            )  # fmt: skip
        except ValueError as error:
            tell(f"the evaluation failed: {error}", self.console)
            return []
        about = {"steps": self.steps, "seconds": round(self.seconds["run"], 1)}
        self.folder.log_all([about | msgspec.structs.asdict(row) for row in rows if row.fact == ALL], EVALUATIONS)
        for row in overall(rows):
            self.console.print(
                f"{self.seconds['run'] / 60:.1f} min: win rate against {row.opponent} {100 * row.win_rate:.1f} % "
                f"[{100 * row.low:.1f}, {100 * row.high:.1f}] in {row.games} games of {row.num_players}", highlight=False,
            )  # fmt: skip
        return rows

    def finish(self) -> None:
        """Run the final evaluation, for every number of players, and write the network's file."""
        path = self.export()
        final, rows = self.folder.path / "final", []
        for n_players in self.module.PLAYERS:
            share = 1 if n_players == self.module.PLAYERS[0] else 4  # games with more players take longer
            n_setups = -(-self.settings.final_setups // share)
            if n_setups:
                rows += self.evaluate(n_setups, n_players, final / f"{n_players}_players")
        if rows:
            write_rows(final / "evaluation.csv", rows)
        self.folder.close()
        self.console.print(
            f"{self.steps:,} steps of {self.games:,} games in {self.seconds['run'] / 60:.1f} min, "
            f"{self.steps / max(self.seconds['run'], 1e-9):,.0f} steps/s; {in_percent(self.shares())}\nplay it: policy:path={path}", highlight=False, soft_wrap=True,
        )  # fmt: skip


def _tensors(frozen: Any) -> Any:
    """An actor's frozen network as tensors, for a checkpoint."""
    return torch.from_numpy(frozen) if isinstance(frozen, np.ndarray) else frozen


def _frozen(kept: Any) -> Any:
    """The inverse of ``_tensors``."""
    return kept.numpy() if isinstance(kept, torch.Tensor) else kept


def check_usable(settings: Settings) -> None:
    """Raise ValueError if the device or an opponent does not exist."""
    check_device(settings.device)
    load_codes([Path(settings.code)] if settings.code else None)
    for opponent in agent_texts(settings.opponents):
        agent_spec(opponent)


def open_run(given: dict[str, Any], preset: str, out: Path | None, command: str, console: Console) -> Trainer:
    """A new run; ValueError if it cannot be had. ``given``: settings beside the preset, ``command`` for the run's files."""
    settings = replace(Settings(), **{**preset_of(PRESETS, preset), **given})
    check_usable(settings)
    folder = RunFolder(out or Path("runs") / f"{preset}-{settings.seed}")
    folder.check_new()
    trainer = Trainer(settings, folder, console)  # whatever is wrong with the settings shows before there is a folder
    folder.create(settings, preset, command)
    return trainer


def reopen_run(path: Path, game: str | None, console: Console) -> Trainer:
    """The run in a folder, ready to go on from its last checkpoint; ValueError if it cannot be had."""
    folder = RunFolder(path)
    settings = folder.settings(Settings)
    named_game(settings.game)
    if game not in (None, settings.game):
        raise FolderError(f"{folder.path} is a run of {settings.game}, not of {game}; leave out --game")
    check_usable(settings)
    trainer = Trainer(settings, folder, console)
    folder.load(trainer.load)
    folder.forget_after(trainer.steps)
    trainer.told = (trainer.steps, trainer.seconds["run"])
    console.print(f"{folder.path} resumes after {trainer.steps:,} steps", highlight=False, soft_wrap=True)
    return trainer


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
    console = Console(stderr=True)
    with failing_in_words():
        if "game" in given:
            given["game"] = get_game(given["game"]).NAME  # files keep the name; module:attribute has made it known
        if resume is None:
            trainer = open_run(given, preset, out, context.obj, console)
        else:
            game = given.pop("game", None)
            if given:
                raise FolderError(f"--resume uses the run's own settings; leave out {', '.join(given)}")
            trainer = reopen_run(resume, game, console)
        try:
            trainer.run()
        except KeyboardInterrupt:
            game = address_of(trainer.settings.game)
            named = f" --game {game}" if ":" in game else ""
            tell(f"stopped; go on with: winterkingdom train --resume {trainer.folder.path}{named}", console)
            raise typer.Exit(Exit.INTERRUPTED) from None
    say(str(trainer.folder.path))


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.ppo", arguments)


if __name__ == "__main__":
    sys.exit(main())
