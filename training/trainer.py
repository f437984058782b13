"""What every trainer of the project does: opening and resuming a run, its clock, checkpoints, evaluations, and its command."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec
import typer
from rich.console import Console

from training.evaluate import evaluate_apart
from training.options import failing_in_words, preset_of
from training.run_files import EVALUATIONS, POLICY
from training.run_folder import FolderError, RunFolder, check_device, progress_of
from training.splits import training_setups
from training.winrates import ALL, Row, overall, write_rows
from winterkingdom_env.cli.options import load_codes
from winterkingdom_env.cli.terminal import say, tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.games import address_of, get_game, named_game
from winterkingdom_env.search.registry import agent_spec, agent_texts
from winterkingdom_env.search.weights import save_weights

TrainerT = TypeVar("TrainerT", bound="Trainer")


class Trainer(ABC):
    """A training run: a network that learns, the folder of the run, and how far it is."""

    SETTINGS: ClassVar[
        type[Any]
    ]  # a dataclass with game, seed, steps, minutes and the intervals of checkpoints and evaluations
    PRESETS: ClassVar[Mapping[str, dict[str, Any]]]
    AGENT: ClassVar[str]  # the agent that plays by the network's file
    UNIT: ClassVar[str]  # what a step is, in the plural
    COMMAND: ClassVar[str]  # of the command line
    FOLDER: ClassVar[str]  # name of a run's folder, with {preset} and {seed}

    def __init__(self, settings: Any, folder: RunFolder, console: Console) -> None:
        """Start at step 0; ``load`` resumes from a checkpoint."""
        self.settings, self.folder, self.console = settings, folder, console
        self.module = get_game(settings.game)
        self.sizes: dict[str, int] = {}  # of the network
        self.steps = self.games = self.iteration = 0
        self.seconds = {"run": 0.0, "learning": 0.0, "checkpoint": 0.0, "evaluation": 0.0, "telling": 0.0}
        self.told = (0, 0.0)  # steps and seconds of the last line in the log

    # What a trainer adds

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """The content of a checkpoint."""

    @abstractmethod
    def load(self, state: dict[str, Any]) -> None:
        """Resume from a checkpoint. Raises ValueError, naming the field, if it does not fit; then load another one before going on."""

    @abstractmethod
    def tensors(self) -> dict[str, Any]:
        """The weights of the network by name."""

    @abstractmethod
    def run(self) -> None:
        """Train to the end of the budget, evaluate, and write the network for the agent."""

    def last_words(self) -> str:
        """What the last line of a run says beside its length."""
        return ""

    # What all trainers share

    def facts(self) -> dict[str, Any]:
        """Information about the training, for the network's file."""
        told = self.folder.reopen()
        return {
            "command": told["command"], "preset": told["preset"], "started": told["started"], "machine": told["machine"], "versions": told["versions"],
            "settings": asdict(self.settings), "steps": self.steps, "games": self.games, "seconds": round(self.seconds["run"]),
        }  # fmt: skip

    def export(self) -> Path:
        """Write the network for the agent, and return the path."""
        path = self.folder.path / POLICY
        save_weights(path, self.module.NAME, self.settings.network, self.sizes, self.tensors(), self.facts())
        return path

    def progress(self) -> float:
        """The completed share of the run, 0 to 1."""
        return progress_of(self.settings, self.steps, self.seconds["run"])

    def due(self, what: str, minutes: float) -> bool:
        """Whether ``minutes`` have passed since this was last True for ``what``; then restart its timer."""
        if self.seconds["run"] - self.seconds[what] < 60 * minutes:
            return False
        self.seconds[what] = self.seconds["run"]
        return True

    def log(self, figures: Mapping[str, float]) -> float:
        """Add a line to the log; return the steps per second since the last one."""
        rate = (self.steps - self.told[0]) / max(self.seconds["run"] - self.told[1], 1e-9)
        self.folder.log(
            {
                "iteration": self.iteration, "steps": self.steps, "games": self.games, "seconds": round(self.seconds["run"], 2),
                "steps_per_second": round(rate, 1), **{name: round(value, 6) for name, value in figures.items()},
            }
        )  # fmt: skip
        return rate

    def save(self) -> None:
        """Write a checkpoint."""
        self.folder.save(self.state(), self.steps, self.settings.checkpoints)

    def keep_up(self) -> None:
        """Write a checkpoint and run an evaluation if they are due."""
        settings = self.settings
        if self.due("checkpoint", settings.checkpoint_minutes):
            self.save()
        if settings.evaluate_minutes and self.progress() < 1.0 and self.due("evaluation", settings.evaluate_minutes):
            with tempfile.TemporaryDirectory() as out:
                self.evaluate(settings.evaluate_setups, self.module.PLAYERS[0], Path(out))

    def evaluate(self, n_setups: int, n_players: int, out: Path) -> list[Row]:
        """Evaluate the network against the opponents on seen and held-out set-ups (training.evaluate, in a separate process).

        Win rates are written to ``out`` and, summarized, to the log. If an evaluation fails, the error is shown and the run continues.
        """
        settings = self.settings
        try:
            rows = evaluate_apart(
                f"{self.AGENT}:path={self.export()}", agent_texts(settings.opponents), n_setups, n_players, out,
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
            f"{self.steps:,} {self.UNIT} of {self.games:,} games in {self.seconds['run'] / 60:.1f} min, "
            f"{self.steps / max(self.seconds['run'], 1e-9):,.0f} {self.UNIT}/s{self.last_words()}\nplay it: {self.AGENT}:path={path}",
            highlight=False, soft_wrap=True,
        )  # fmt: skip


# --- opening and resuming a run ---------------------------------------------------------------------------------------


def setups_of(settings: Any, n: int) -> list[Any]:
    """About ``n`` set-ups to train on, as the settings ask for them."""
    numbers = settings.numbers
    return training_setups(
        settings.setups, n // len(numbers), numbers, settings.seed, settings.game, settings.house_rules, settings.choices,
        settings.split,
    )  # fmt: skip


def check_usable(settings: Any) -> None:
    """Raise ValueError if the device or an opponent does not exist."""
    check_device(settings.device)
    load_codes([Path(settings.code)] if settings.code else None)
    for opponent in agent_texts(settings.opponents):
        agent_spec(opponent)


def open_run(
    kind: type[TrainerT], given: dict[str, Any], preset: str, out: Path | None, command: str, console: Console
) -> TrainerT:
    """A new run; ValueError if it cannot be had. ``given``: settings beside the preset, ``command`` for the run's files."""
    settings = replace(kind.SETTINGS(), **{**preset_of(kind.PRESETS, preset), **given})
    check_usable(settings)
    folder = RunFolder(out or Path("runs") / kind.FOLDER.format(preset=preset, seed=settings.seed))
    folder.check_new()
    trainer = kind(settings, folder, console)  # whatever is wrong with the settings shows before there is a folder
    folder.create(settings, preset, command)
    return trainer


def reopen_run(kind: type[TrainerT], path: Path, game: str | None, console: Console) -> TrainerT:
    """The run in a folder, ready to go on from its last checkpoint; ValueError if it cannot be had."""
    folder = RunFolder(path)
    settings = folder.settings(kind.SETTINGS)
    named_game(settings.game)
    if game not in (None, settings.game):
        raise FolderError(f"{folder.path} is a run of {settings.game}, not of {game}; leave out --game")
    check_usable(settings)
    trainer = kind(settings, folder, console)
    folder.load(trainer.load)
    folder.forget_after(trainer.steps)
    trainer.told = (trainer.steps, trainer.seconds["run"])
    console.print(f"{folder.path} resumes after {trainer.steps:,} {kind.UNIT}", highlight=False, soft_wrap=True)
    return trainer


def train(
    kind: type[Trainer], command: str, given: dict[str, Any], preset: str, out: Path | None, resume: Path | None
) -> None:
    """What the command of a trainer does."""
    console = Console(stderr=True)
    with failing_in_words():
        if "game" in given:
            given["game"] = get_game(given["game"]).NAME  # files keep the name; module:attribute has made it known
        if resume is None:
            trainer = open_run(kind, given, preset, out, command, console)
        else:
            game = given.pop("game", None)
            if given:
                raise FolderError(f"--resume uses the run's own settings; leave out {', '.join(given)}")
            trainer = reopen_run(kind, resume, game, console)
        try:
            trainer.run()
        except KeyboardInterrupt:
            game = address_of(trainer.settings.game)
            named = f" --game {game}" if ":" in game else ""
            tell(f"stopped; go on with: {kind.COMMAND} --resume {trainer.folder.path}{named}", console)
            raise typer.Exit(Exit.INTERRUPTED) from None
    say(str(trainer.folder.path))
