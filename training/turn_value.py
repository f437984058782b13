"""Training of the agent ``turn``: the value of the position at the end of a turn, learnt from its own games.

Each iteration plays some games in which every seat chooses among the plans of a beam search by the network's value of the turn end, sometimes a
random plan; some seats play as ``planner``. Every turn end becomes a sample: the standings of all seats, with a target between the final result and the
network's next estimates (TD(lambda)), and the final points. The samples of the last games stay in a memory, from which the network learns.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import typer
from rich.console import Console
from torch import nn
from torch.nn import functional as F

from training import trainer
from training.checkpoints import check_run
from training.options import SettingsCommand, settings_options
from training.run_folder import ALL_PLAYERS, RunFolder, check_settings, numbers_of
from training.splits import GAME
from winterkingdom_env.cli.options import examples, new_app, run_app
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.core.verbs import N_STANDING, SEATS
from winterkingdom_env.games import GameRules
from winterkingdom_env.search import turn
from winterkingdom_env.search.turn_agent import PLANS, WIDTH, TurnThinker
from winterkingdom_env.search.turn_network import POINTS_SCALE, count_turn_weights, turn_parts
from winterkingdom_env.search.weights import TURN

NOW_AND_THEN = 0.5  # minutes between two lines about the progress if nobody watches
CONFIGS = 4096  # set-ups to train on, drawn once
MOST_TURNS = 1024  # turn ends of a game that are kept
DECIDING = ("game", "seed", "setups", "split", "players", "memory", "choices", "house_rules")


@dataclass(frozen=True)
class TurnSettings:
    """The settings of a run. Presets change some of them."""

    game: str = GAME  # which game to learn, by its name or as module:attribute
    network: str = TURN  # the kind of network; there is one
    seed: int = 0  # seed of games and weights
    minutes: float = 60.0  # duration of the training, including evaluations; 0: until `steps`
    steps: int = 0  # turn ends after which the run ends; 0: until `minutes`
    setups: str = "seen"  # set-ups to train on: seen or all (training/splits.py), every or without:FACTOR=LEVEL (docs/generalisation.md)
    split: str = ""  # which of the game's splits (winterkingdom train splits lists them); its first without a name
    choices: tuple[str, ...] = ()  # NAME=VALUE: fix an option of the game in every set-up; may be given often
    house_rules: str = ""  # a TOML file that changes cards, random (different in every set-up) or random:SEED
    players: str = "all"  # numbers of players to draw from, as in 2,2,3,4; all: the game's, the fewest twice
    games: int = 256  # games between two updates
    width: int = WIDTH  # of the beam that proposes plans
    plans: int = PLANS  # turn ends that are valued
    explore: float = 0.1  # share of turns with a random plan
    worth_share: float = 0.2  # share of seats that play as the agent planner
    trace: float = 0.9  # lambda of TD(lambda); 1: only the final result counts
    memory: int = 400_000  # turn ends to learn from, the newest
    updates: int = 400  # optimizer steps between two batches of games
    minibatch: int = 1024  # turn ends per optimizer step
    learning_rate: float = 1e-3  # initial learning rate; decays to a tenth
    points: float = 1.0  # weight of the loss of the final points beside that of the win probabilities
    checkpoint_minutes: float = 5.0  # minutes between two checkpoints
    checkpoints: int = 3  # checkpoints to keep
    evaluate_minutes: float = 10.0  # minutes between two evaluations; 0: none
    evaluate_setups: int = 50  # set-ups per evaluation, opponent and split
    final_setups: int = 200  # the same for the final evaluation; a quarter for more than the fewest players
    opponents: str = "planner"  # opponents in evaluations
    code: str = ""  # a Python file of agents, named as file:Class
    threads: int = 2  # threads that play games
    device: str = "cpu"  # device to learn on
    processes: int = 2  # processes that play evaluations

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of players to draw from."""
        numbers = numbers_of(self)
        return (numbers[0], *numbers) if self.players == ALL_PLAYERS else numbers


DEFAULT_PRESET = "hour"  # it changes nothing: the fields above are its values
PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "minutes": 1.0, "games": 16, "width": 8, "plans": 8, "updates": 50, "minibatch": 256, "checkpoint_minutes": 0.3, "evaluate_minutes": 0.0,
        "final_setups": 4,
    },
    DEFAULT_PRESET: {},
    "overnight": {"minutes": 600.0, "games": 1024, "memory": 4_000_000, "checkpoint_minutes": 10.0, "evaluate_minutes": 60.0},
}  # fmt: skip


# --- the network ------------------------------------------------------------------------------------------------------


class TurnNet(nn.Module):
    """The network of the kernels (search/turn_network.py), part by part."""

    def __init__(self, rules: GameRules) -> None:
        """Small weights; at first the outputs follow the difference in points."""
        super().__init__()
        self.n_weights, self._shapes = count_turn_weights(rules.World), turn_parts(rules.World)
        self.parts = nn.ParameterDict()
        for name, n_in, n_out, has_bias, _ in self._shapes:
            scale = 0.1 if name == "out" else 0.0 if name == "lead" else 1.0
            self.parts[name] = nn.Parameter(torch.randn(n_in, n_out) * scale * (1.0 / n_in) ** 0.5)
            if has_bias:
                self.parts[f"{name}_bias"] = nn.Parameter(torch.zeros(n_out))
        with torch.no_grad():
            self.parts["lead"][0, :] = torch.tensor([2.0, 1.0])

    def forward(
        self, standings: torch.Tensor, movers: torch.Tensor, n_players: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log win probabilities and final points minus their mean, in units of POINTS_SCALE, both (rows, seats)."""
        parts, (n_rows, n_seats, _) = self.parts, standings.shape
        seat = torch.arange(n_seats, device=standings.device)
        is_there = seat < n_players[:, None]
        others = (standings.sum(1, keepdim=True) - standings) / (n_players - 1)[:, None, None]
        points = standings[:, :, 0].masked_fill(~is_there, -torch.inf)
        rivals = (
            points[:, None, :]
            .masked_fill(torch.eye(n_seats, dtype=torch.bool, device=standings.device), -torch.inf)
            .argmax(2)
        )
        rival = standings.gather(1, rivals[:, :, None].expand_as(standings))
        wait = (seat - movers[:, None] - 1) % n_players[:, None] / (n_players - 1)[:, None]
        table = torch.cat(
            [F.one_hot(n_players - 2, n_seats - 1).float()[:, None].expand(n_rows, n_seats, -1), wait[:, :, None]], 2
        )
        hidden = standings @ parts["own"] + rival @ parts["rival"] + others @ parts["others"]
        hidden = F.relu(hidden + table @ parts["table"] + parts["table_bias"])
        hidden = F.relu(hidden @ parts["last"] + parts["last_bias"])
        out = hidden @ parts["out"] + parts["out_bias"] + (standings - others) @ parts["lead"]
        logits = out[:, :, 0].masked_fill(~is_there, -torch.inf)
        points = out[:, :, 1].masked_fill(~is_there, 0.0)
        mean = points.sum(1, keepdim=True) / n_players[:, None]
        return F.log_softmax(logits, 1), (points - mean).masked_fill(~is_there, 0.0)

    def flat(self) -> np.ndarray:
        """All weights in the order of the kernels."""
        found = []
        for name, _, _, has_bias, _ in self._shapes:
            found.append(self.parts[name].detach().cpu().numpy().ravel())
            if has_bias:
                found.append(self.parts[f"{name}_bias"].detach().cpu().numpy())
        return np.concatenate(found).astype(np.float32)


# --- the games --------------------------------------------------------------------------------------------------------


class Samples(NamedTuple):
    """Turn ends, a row each."""

    standings: np.ndarray  # float32 (rows, seats, numbers)
    movers: np.ndarray  # int64 (rows,)
    n_players: np.ndarray  # int64 (rows,)
    odds: np.ndarray  # float32 (rows, seats): targets of the win probabilities
    points: np.ndarray  # float32 (rows, seats): final points minus their mean, in units of POINTS_SCALE


def targets_of(odds: np.ndarray, shares: np.ndarray, trace: float) -> np.ndarray:
    """TD(lambda) targets of the win probabilities at the turn ends of a game, which ended with these shares of the win."""
    targets, after = np.empty_like(odds), shares.astype(np.float32)
    for row in range(len(odds) - 1, -1, -1):
        targets[row] = after
        after = (1 - trace) * odds[row] + trace * after
    return targets


class Player:
    """Plays games in one thread."""

    def __init__(self, rules: GameRules, settings: TurnSettings, configs: list[Any], net: np.ndarray) -> None:
        """Allocate a World and the arrays."""
        thinker = TurnThinker(rules, net, settings.width, settings.plans)
        self._arrays, self._turns = thinker._arrays, thinker._turns
        self._configs, self._settings = configs, settings
        self._world = rules.make_world(2 + 2 * settings.width + 1, configs)
        seats = SEATS.of(rules.World)
        self._ends = turn.TurnEnds(
            standings=np.zeros((MOST_TURNS, seats, N_STANDING.of(rules.World)), np.float32),
            movers=np.zeros(MOST_TURNS, np.int64), odds=np.zeros((MOST_TURNS, seats), np.float32),
            shares=np.zeros(seats), points=np.zeros(seats),
            explore=np.zeros(seats), plays_by_worth=np.zeros(seats, np.bool_),
        )  # fmt: skip

    def play(self, seed: int, net: np.ndarray, worth_share: float) -> Samples:
        """One game from this seed, which also decides its set-up and who plays as ``planner``."""
        stream = Stream(seed_state(seed))
        ends, settings = self._ends, self._settings
        which = stream.draw(len(self._configs))
        self._turns.net[:] = net
        self._arrays.parameters["rng"] = np.uint64(stream.next_word())
        ends.explore[:] = settings.explore
        for seat in range(len(ends.explore)):
            ends.plays_by_worth[seat] = stream.draw(1000) < 1000 * worth_share
        ends.standings[:], ends.shares[:], ends.points[:] = 0, 0, 0
        kernel = turn.play_game.quick(type(self._world))
        n = kernel.call(self._world, which, np.uint64(stream.next_word()), self._arrays, self._turns, ends)
        players = self._configs[which].num_players
        points = np.zeros(len(ends.points), np.float32)
        points[:players] = (ends.points[:players] - ends.points[:players].mean()) / POINTS_SCALE
        ends.odds[:n, players:] = 0
        return Samples(
            ends.standings[:n].copy(), ends.movers[:n].copy(), np.full(n, players),
            targets_of(ends.odds[:n], ends.shares, settings.trace), np.repeat(points[None], n, 0),
        )  # fmt: skip


# --- the trainer ------------------------------------------------------------------------------------------------------


class Trainer(trainer.Trainer):
    """A training run: games, memory, network, and logs."""

    SETTINGS, PRESETS = TurnSettings, PRESETS
    AGENT, UNIT, COMMAND, FOLDER = "turn", "turn ends", "winterkingdom train turn", "turn-{preset}-{seed}"

    def __init__(self, settings: TurnSettings, folder: RunFolder, console: Console) -> None:
        """Start with new weights; ``load`` resumes from a checkpoint."""
        super().__init__(settings, folder, console)
        torch.manual_seed(settings.seed)
        torch.set_num_threads(1)
        self.network = TurnNet(self.module).to(settings.device)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=settings.learning_rate, weight_decay=1e-3)
        configs = trainer.setups_of(settings, CONFIGS)
        self.players = [Player(self.module, settings, configs, self.network.flat()) for _ in range(settings.threads)]
        self.memory: Samples | None = None

    def state(self) -> dict[str, Any]:
        """The content of a checkpoint. The memory is not in it: a resumed run begins with new games."""
        return {
            "steps": self.steps, "games": self.games, "iteration": self.iteration, "seconds": dict(self.seconds),
            "settings": asdict(self.settings), "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(),
        }  # fmt: skip

    def load(self, state: dict[str, Any]) -> None:
        """Resume from a checkpoint. Raises ValueError, naming the field, if it does not fit."""
        check_run(state, self.state(), self.network, DECIDING)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.games, self.iteration = state["steps"], state["games"], state["iteration"]
        self.seconds = dict(state["seconds"])

    def tensors(self) -> dict[str, Any]:
        """The weights of the network by name."""
        return {name: tensor.detach().cpu().numpy() for name, tensor in self.network.state_dict().items()}

    def run(self) -> None:
        """Train to the end of the budget, evaluate, and write the network for the agent."""
        with self.console.status("playing the first game and compiling new kernels"):
            self.players[0].play(0, self.network.flat(), 1.0)  # not part of the measured time
        first = time.monotonic() - self.seconds["run"]
        with ThreadPoolExecutor(self.settings.threads) as pool:
            while self.progress() < 1.0:
                figures = self.learn(self.play(pool))
                self.seconds["run"] = time.monotonic() - first
                self.tell(figures)
                self.keep_up()
                self.seconds["run"] = time.monotonic() - first
                self.told = (self.steps, self.seconds["run"])
        self.save()
        self.finish()

    def play(self, pool: ThreadPoolExecutor) -> Samples:
        """The turn ends of the next games; the same for any number of threads."""
        net, share = self.network.flat(), self.settings.worth_share if self.iteration else 1.0
        first = (self.settings.seed << 32) + self.games
        n = len(self.players)

        def some(which: int) -> list[Samples]:
            return [self.players[which].play(first + k, net, share) for k in range(which, self.settings.games, n)]

        parts = list(pool.map(some, range(n)))
        in_order = [parts[k % n][k // n] for k in range(self.settings.games)]
        self.games += self.settings.games
        self.iteration += 1
        played = Samples(*map(np.concatenate, zip(*in_order, strict=True)))
        self.steps += len(played.movers)
        known = self.memory
        kept = played if known is None else Samples(*(np.concatenate(pair) for pair in zip(known, played, strict=True)))
        self.memory = Samples(*(array[-self.settings.memory :] for array in kept))
        return played

    def loss_of(self, rows: Samples, which: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The losses of win probabilities and of points, and the predicted points."""
        given = (torch.from_numpy(array[which]).to(self.settings.device) for array in rows)
        standings, movers, n_players, odds, points = given
        logs, predicted = self.network(standings, movers, n_players)
        wins = -(odds * logs.masked_fill(odds == 0, 0.0)).sum(1).mean()
        return wins, F.mse_loss(predicted, points), predicted

    def learn(self, played: Samples) -> dict[str, float]:
        """Update the network from the memory; statistics about the new games, before they were learnt from."""
        with torch.no_grad():
            wins, _, predicted = self.loss_of(played, np.arange(len(played.movers)))
        error, spread = float(np.var(played.points - predicted.cpu().numpy())), float(np.var(played.points))
        assert self.memory is not None
        rate = self.settings.learning_rate * (1.0 - 0.9 * self.progress())
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        dice = np.random.default_rng((self.settings.seed, self.iteration))
        losses = []
        for _ in range(self.settings.updates):
            which = dice.integers(len(self.memory.movers), size=self.settings.minibatch)
            of_wins, of_points, _ = self.loss_of(self.memory, which)
            loss = of_wins + self.settings.points * of_points
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            losses.append(float(loss.detach()))
        if not np.isfinite(losses).all():
            raise ValueError(
                f"after {self.steps:,} turn ends the losses are not finite; start again with a smaller learning_rate"
            )
        return {
            "explained_variance": 1.0 - error / max(spread, 1e-9), "win_loss": float(wins), "value_loss": float(np.mean(losses)), "learning_rate": rate,
        }  # fmt: skip

    def tell(self, figures: dict[str, float]) -> None:
        """Log an iteration."""
        rate = self.log(figures)
        if self.console.is_terminal or self.due("telling", NOW_AND_THEN):
            self.console.print(
                f"{self.seconds['run'] / 60:.1f} min: {self.games:,} games, {self.steps:,} turn ends, {rate:,.0f}/s, explained variance of the "
                f"final points {figures['explained_variance']:.3f}, loss of the win probabilities {figures['win_loss']:.4f}",
                highlight=False, soft_wrap=True,
            )  # fmt: skip


# --- the command ------------------------------------------------------------------------------------------------------


app = new_app()


@app.command(
    epilog=examples(
        "winterkingdom train turn --preset smoke",
        "winterkingdom train turn --preset hour --out runs/turn --seed 1",
        "winterkingdom train turn --resume runs/turn",
    ),
    cls=SettingsCommand,
)
@settings_options(TurnSettings, f"Settings, with the values of the preset {DEFAULT_PRESET}", choices="set")
def turn_value(
    context: typer.Context,
    given: dict[str, Any],
    preset: Annotated[str, typer.Option(help=f"Settings to begin with: {', '.join(PRESETS)}.")] = DEFAULT_PRESET,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the run (runs/turn-PRESET-SEED).")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN_DIR", help="Go on with a run from its last checkpoint.")
    ] = None,
) -> None:
    """Train the value of turn ends for the agent turn, by self-play."""
    trainer.train(Trainer, context.obj, given, preset, out, resume)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.turn_value", arguments)


if __name__ == "__main__":
    sys.exit(main())
