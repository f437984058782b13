"""MaskablePPO of Stable-Baselines3 (sb3-contrib) on the batched environment, against past selves and scripted agents: a file to copy and adapt.

The environment is training/sb3_env.py, the networks are training/sb3_networks.py; here are the settings and the run (docs/training_sb3.md).

    winterkingdom train sb3 --preset smoke
    winterkingdom train sb3 --preset hour --network conv --out runs/sb3 --seed 1
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from winterkingdom_env.core.extras import needed

needed("sb3_contrib", "training.maskable_ppo")  # before torch, which another extra has, too

import numpy as np
import torch
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, configure

from training.options import SettingsCommand, failing_in_words, preset_of, settings_options
from training.run_folder import SettingsError as SettingsError
from training.run_folder import (
    check_device,
    check_empty,
    check_settings,
    in_percent,
    numbers_of,
    progress_of,
)
from training.sb3_env import LearnerVecEnv
from training.sb3_networks import NETWORKS, policy_of
from training.splits import GAME, check_kind, training_setups
from winterkingdom_env.cli.options import Json, examples, load_codes, new_app, run_app
from winterkingdom_env.cli.terminal import print_json, say
from winterkingdom_env.core.files import write_whole
from winterkingdom_env.games import get_game
from winterkingdom_env.search.registry import agent_texts

REWARDS = ("win", "margin", "score")
PARTS = ("env", "opponents", "inference", "learning", "other")
FOREVER = 10**15  # steps
ONLY_HERE = "the model takes features of moves, so it cannot be evaluated or play as sb3:path=...; conv and flat can"


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Presets change some of them. A run that ends by ``steps`` is reproducible for a seed."""

    game: str = GAME  # which game to learn, by its name or as module:attribute
    network: str = "conv"  # conv, flat (both take the board) or moves (takes features of each legal move; cannot be evaluated or play as sb3:path=...)
    seed: int = 0  # seed of games, weights and sampled actions
    steps: int = 200_000  # decisions of the learner, after which the run ends; 0: until `minutes`
    minutes: float = 0.0  # time after which the run ends, but not during an update; 0: until `steps`
    out: str = ""  # new folder for the model, the settings and the curves (runs/sb3-PRESET-SEED)
    setups: str = "seen"  # set-ups to train on: seen or all (training/splits.py), every or without:FACTOR=LEVEL (docs/generalisation.md)
    n_setups: int = 256  # seen set-ups per number of players
    split: str = ""  # which of the game's splits (winterkingdom train splits lists them); its first without a name
    choices: tuple[str, ...] = ()  # NAME=VALUE: fix an option of the game in every set-up; may be given often
    house_rules: str = ""  # a TOML file that changes cards, random (different in every set-up) or random:SEED
    players: str = "all"  # numbers of players to draw from, as in 2,3,4; all: the game's
    reward: str = "win"  # win, margin or score; the network moves predicts wins and needs win
    games: int = 256  # games at a time
    horizon: int = 32  # decisions per game and rollout
    minibatch: int = 256  # decisions per optimizer step, a divisor of games x horizon; small ones are faster
    epochs: int = 2  # passes over a rollout
    learning_rate: float = 3e-4  # of Adam
    clip: float = 0.2  # clip range of the probability ratio
    gamma: float = 1.0  # discount per decision; 1, because games are finite and rewards come at the end
    gae_lambda: float = 0.95  # lambda of generalized advantage estimation
    entropy: float = 0.01  # weight of the entropy bonus
    value: float = 0.5  # weight of the value loss
    grad_norm: float = 0.5  # largest norm of the gradient
    channels: int = 16  # of a conv network
    layers: int = 2  # of a conv network
    width: int = 256  # of a flat network
    past_share: float = 0.9  # share of opponents that are past selves
    random_share: float = 0.05  # share of opponents that play at random
    scripted_share: float = 0.05  # share of opponents that are scripted; slow, because they are called one by one
    scripted: str = "greedy"  # scripted agents, separated by commas: greedy,planner:width=4
    code: str = ""  # a Python file of agents, named as file:Class
    snapshot_steps: int = 50_000  # decisions between two past selves
    league: int = 4  # past selves to keep; each one costs a forward pass
    threads: int = 1  # threads of torch; more than there are free cores is many times slower
    device: str = "cpu"  # device to train on

    def __post_init__(self) -> None:
        check_settings(self)
        check_kind(self.setups)
        for name, choices in (("network", NETWORKS), ("reward", REWARDS)):
            if getattr(self, name) not in choices:
                raise SettingsError(f"{name}={getattr(self, name)!r} is not valid; choose from: {', '.join(choices)}")
        if self.network == "moves" and self.reward != "win":
            raise SettingsError(
                f"network='moves' has the win probability as its value, not reward={self.reward!r}; use reward='win', or the network conv or flat"
            )
        if self.games * self.horizon % self.minibatch:
            raise SettingsError(
                f"minibatch={self.minibatch} does not divide the {self.games * self.horizon} decisions of a rollout "
                f"(games={self.games} x horizon={self.horizon}); {self.games * self.horizon // 4} would"
            )

    @property
    def num_players(self) -> tuple[int, ...]:
        """Numbers of players to draw from."""
        return numbers_of(self)


PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {"steps": 4096, "games": 64, "horizon": 16, "minibatch": 256, "epochs": 2, "width": 64, "snapshot_steps": 1024},
    "hour": {"steps": 0, "minutes": 60.0},
}  # fmt: skip


# Running --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """The result of a run, and where its time went."""

    network: str
    steps: int  # decisions of the learner
    games: int  # finished games
    reward: float | None  # mean of the last 100 games; None if none ended
    snapshots: int  # number of snapshots taken as past selves
    seconds: float  # wall time of collection and updates, without compilation
    cpu_seconds: float  # CPU time of the same; less than ``seconds`` if the cores are shared with other processes
    parts: dict[str, float]  # seconds, by PARTS
    model: str = ""  # where it was saved

    @property
    def steps_per_second(self) -> float:
        """Decisions of the learner per second."""
        return self.steps / self.seconds

    @property
    def shares(self) -> dict[str, float]:
        """Each part's share of the time."""
        return {name: part / self.seconds for name, part in self.parts.items()}

    def __str__(self) -> str:
        return f"{self.steps_per_second:,.0f} steps/s; {in_percent(self.shares)}"


class TimedPPO(MaskablePPO):
    """MaskablePPO that measures the time of its policy during collection, and of its updates."""

    def _setup_model(self) -> None:
        super()._setup_model()
        self.seconds = {"inference": 0.0, "learning": 0.0}
        # SB3 calls the policy object itself only during collection.
        self.policy.register_forward_pre_hook(lambda *_: self._note("inference", -1))
        self.policy.register_forward_hook(lambda *_: self._note("inference", 1))

    def train(self) -> None:
        """Update the policy from the rollout."""
        self._note("learning", -1)
        super().train()
        self._note("learning", 1)

    def _note(self, part: str, sign: int) -> None:
        self.seconds[part] += sign * time.perf_counter()


class Conductor(BaseCallback):
    """Takes snapshots, ends the run in time, and shows the progress."""

    def __init__(self, env: LearnerVecEnv, settings: Settings, progress: Progress) -> None:
        """``progress``: the progress bar."""
        super().__init__()
        self._env, self._settings, self._progress = env, settings, progress
        self._task, self._began, self.n_games, self._next = progress.add_task("games", total=1.0), 0.0, 0, 0

    def _on_training_start(self) -> None:
        self._began = time.perf_counter()
        self._next = self.num_timesteps + self._settings.snapshot_steps

    def _on_step(self) -> bool:
        self.n_games += int(self.locals["dones"].sum())
        minutes = (time.perf_counter() - self._began) / 60
        return not self._settings.minutes or minutes < self._settings.minutes

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self._next:
            self._env.take_snapshot(self.model.policy)
            self._next += self._settings.snapshot_steps
        self.logger.record("games/played", self.n_games)
        self.logger.record("games/snapshots", self._env.n_snapshots)
        done = progress_of(self._settings, self.num_timesteps, time.perf_counter() - self._began)
        words = in_words(self.num_timesteps, self.n_games, mean_reward(self.model))
        self._progress.update(self._task, completed=done, description=words)


def mean_reward(model: Any) -> float | None:
    """The learner's mean reward in the last 100 games; None if none ended."""
    paid = [episode["r"] for episode in model.ep_info_buffer or ()]
    return float(np.mean(paid)) if paid else None


def in_words(steps: int, games: int, reward: float | None) -> str:
    """A short text about the progress of a run."""
    paid = "" if reward is None else f", reward {reward:+.2f} in the last 100"
    return f"{steps:,} steps, {games:,} games{paid}"


def make_env(settings: Settings) -> LearnerVecEnv:
    """The environment of a run, with its kernels compiled."""
    numbers = settings.num_players
    env = LearnerVecEnv(
        settings.games,
        settings.game,
        form="moves" if settings.network == "moves" else "bytes",
        shares=(settings.random_share, settings.scripted_share, settings.past_share),
        scripted=agent_texts(settings.scripted),
        n_past=settings.league,
        reward=settings.reward,
        skip_forced=True,
        configs=training_setups(
            settings.setups,
            settings.n_setups,
            numbers,
            settings.seed,
            settings.game,
            settings.house_rules,
            settings.choices,
            settings.split,
        ),
    )
    env.reset()
    env.step(env.action_masks().argmax(1))
    return env


def make_model(settings: Settings, env: LearnerVecEnv) -> TimedPPO:
    """A newly initialized learner; its first snapshot is added to the environment as a past self."""
    policy, options = policy_of(settings.network, settings.channels, settings.layers, settings.width, settings.game)
    model = TimedPPO(
        policy, env, learning_rate=settings.learning_rate, n_steps=settings.horizon, batch_size=settings.minibatch,
        n_epochs=settings.epochs, gamma=settings.gamma, gae_lambda=settings.gae_lambda, clip_range=settings.clip,
        ent_coef=settings.entropy, vf_coef=settings.value, max_grad_norm=settings.grad_norm, seed=settings.seed,
        device=settings.device, policy_kwargs=options,
    )  # fmt: skip
    env.take_snapshot(model.policy)
    return model


def train(settings: Settings, console: Console | None = None) -> Report:
    """Train with these settings; the model is saved if they name a folder, which must be new or empty. ``console``: where to show the progress; None: nowhere."""
    folder = Path(settings.out) if settings.out else None
    check_device(settings.device)
    load_codes([Path(settings.code)] if settings.code else None)
    if folder is not None:
        check_empty(folder)
    console = console or Console(quiet=True)
    if settings.network == "moves":
        console.print(f"network moves: {ONLY_HERE}", highlight=False, soft_wrap=True)
    torch.set_num_threads(settings.threads)
    with console.status("creating the environment and compiling new kernels"):
        env = make_env(settings)
        model = make_model(settings, env)
    model.set_logger(make_logger(folder))
    env.seconds = dict.fromkeys(env.seconds, 0.0)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        conductor = Conductor(env, settings, progress)
        began, cpu_began = time.perf_counter(), time.process_time()
        with suppress(KeyboardInterrupt):  # an interrupted run keeps its model
            model.learn(settings.steps or FOREVER, callback=conductor)
        seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu_began
    model.logger.close()
    parts = {
        "env": env.seconds["env"] - env.seconds["opponents"],
        "opponents": env.seconds["opponents"],
        **model.seconds,
    }
    parts["other"] = seconds - sum(parts.values())
    report = Report(
        settings.network, model.num_timesteps, conductor.n_games, mean_reward(model), env.n_snapshots, seconds, cpu_seconds, parts,
        "" if folder is None else str(folder / "model.zip"),
    )  # fmt: skip
    if folder is not None:
        content = io.BytesIO()
        model.save(content)
        write_whole(report.model, content.getvalue())
        write_whole(folder / "settings.json", json.dumps(described(settings), indent=2) + "\n")
    return report


def default_folder(preset: str | None, seed: int) -> Path:
    """Where the command writes without --out: runs/sb3-PRESET-SEED, or runs/sb3-SEED without a preset."""
    return Path("runs") / "-".join(["sb3", *([preset] if preset else []), str(seed)])


def make_logger(folder: Path | None) -> Logger:
    """A logger for progress.csv and, if installed, TensorBoard; without a folder it writes nothing."""
    if folder is None:
        return Logger(None, [])
    return configure(str(folder), ["csv", *(["tensorboard"] if find_spec("tensorboard") else [])])


def described(settings: Settings) -> dict[str, Any]:
    """The settings, and the versions of the packages."""
    packages = ("winterkingdom_env", "torch", "stable_baselines3", "sb3_contrib", "numpy", "numba")
    game = get_game(settings.game)
    told, env = {**asdict(settings), "game": game.NAME}, f"{game.NAME}_{game.ENV_VERSION}"
    return {"settings": told, "env": env, "versions": {name: version(name) for name in packages}}


# Command line ---------------------------------------------------------------------------------------------------------


app = new_app()


@app.command(
    epilog=examples(
        "winterkingdom train sb3 --preset smoke",
        "winterkingdom train sb3 --preset hour --network conv --out runs/sb3 --seed 1",
    ),
    cls=SettingsCommand,
)
@settings_options(Settings, "Settings, with their values without a preset", choices="set")
def sb3(
    given: dict[str, Any],
    preset: Annotated[
        str | None, typer.Option(help=f"Settings for a purpose: {', '.join(PRESETS)}; other options change them.")
    ] = None,
    json: Json = False,
) -> None:
    """Train with MaskablePPO of Stable-Baselines3 on the batched environment; docs/training_sb3.md."""
    with failing_in_words():
        settings = replace(Settings(), **{**(preset_of(PRESETS, preset) if preset else {}), **given})
        if not settings.out:
            settings = replace(settings, out=str(default_folder(preset, settings.seed)))
        report = train(settings, Console(stderr=True))
    if json:
        print_json({**asdict(report), "steps_per_second": report.steps_per_second, "shares": report.shares})
        return
    say(f"{report.network}: {in_words(report.steps, report.games, report.reward)}")
    say(str(report))
    say(f"saved: {report.model}")
    if report.network != "moves":
        say(f"play it: sb3:path={report.model}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.maskable_ppo", arguments)


if __name__ == "__main__":
    sys.exit(main())
