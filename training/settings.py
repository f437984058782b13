"""The settings of ``winterkingdom train``, and presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from training.run_folder import ALL_PLAYERS, check_settings, numbers_of
from training.splits import GAME


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Presets change some of them."""

    game: str = GAME  # which game to learn, by its name or as module:attribute
    network: str = "moves"  # moves (made for two cores), conv or flat
    channels: int = 16  # of a conv network
    layers: int = 2  # of a conv network
    seed: int = 0  # seed of games, weights and sampled actions
    minutes: float = 60.0  # duration of the training, including evaluations; 0: until `steps`
    steps: int = 0  # training decisions after which the run ends; 0: until `minutes`
    setups: str = "seen"  # set-ups to train on: seen or all (training/splits.py), every or without:FACTOR=LEVEL (docs/generalisation.md)
    split: str = ""  # which of the game's splits (winterkingdom train splits lists them); its first without a name
    choices: tuple[str, ...] = ()  # NAME=VALUE: fix an option of the game in every set-up; may be given often
    house_rules: str = ""  # a TOML file that changes cards, random (different in every set-up) or random:SEED
    players: str = "all"  # numbers of players to draw from, as in 2,2,3,4; all: the game's, the fewest twice
    games: int = 512  # games at a time
    horizon: int = 128  # decisions per game and rollout
    epochs: int = 2  # passes over a rollout
    minibatch: int = 2048  # decisions per optimizer step
    learning_rate: float = 7e-4  # initial learning rate; decays to a tenth
    clip: float = 0.2  # clip range of the probability ratio
    gae_lambda: float = 0.95  # lambda of generalized advantage estimation
    entropy: float = 0.005  # initial weight of the entropy bonus; decays to a tenth
    value: float = 0.5  # weight of the value loss
    margin: float = 0.2  # weight of the lead in points in the advantage; the rest is winning
    grad_norm: float = 0.5  # largest norm of the gradient
    league: int = 16  # past selves to keep
    league_share: float = 0.2  # share of games against past selves
    league_rollouts: int = 20  # rollouts between two past selves
    checkpoint_minutes: float = 5.0  # minutes between two checkpoints
    checkpoints: int = 3  # checkpoints to keep
    evaluate_minutes: float = 10.0  # minutes between two evaluations; 0: none
    evaluate_setups: int = 50  # set-ups per evaluation, opponent and split
    final_setups: int = 200  # the same for the final evaluation; a quarter for more than the fewest players
    opponents: str = "greedy,planner"  # opponents in evaluations
    code: str = ""  # a Python file of agents, named as file:Class
    threads: int = 1  # threads of torch for updates; one more thread collects rollouts
    processes: int = 2  # processes that play evaluations
    device: str = "cpu"  # device to train on
    mixed_precision: bool = False  # bfloat16 where it helps; not on CPUs

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
        "minutes": 1.0, "games": 128, "horizon": 64, "minibatch": 512, "learning_rate": 3e-3, "league_rollouts": 4, "checkpoint_minutes": 0.3,
        "evaluate_minutes": 0.0, "final_setups": 4, "opponents": "random,greedy",
    },
    DEFAULT_PRESET: {},
    "overnight": {
        "minutes": 600.0, "games": 1024, "minibatch": 4096, "league": 32,
        "league_rollouts": 60, "checkpoint_minutes": 15.0, "evaluate_minutes": 60.0,
    },
    "gpu": {
        "minutes": 600.0, "network": "conv", "channels": 64, "layers": 8, "device": "cuda", "mixed_precision": True, "games": 1024,
        "minibatch": 8192, "learning_rate": 3e-4, "evaluate_minutes": 60.0,
    },
}  # fmt: skip
