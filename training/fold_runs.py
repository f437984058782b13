"""Trains and evaluates the agents of the generalisation benchmark, in a folder that an interrupted command goes on with.

protocol.json               what is the same in all folds
runs/full, runs/FOLD        training runs (training/run_folder.py), if this project trains the agents
games/FOLD                  games of the fold that is being evaluated
folds/FOLD.json             the row of a finished fold
generalisation.json, .png   the results
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console

from training.evaluate import played_games
from training.folds import (
    CONTROL,
    FULL,
    Fold,
    digest_of,
    has_seen_setups,
    held_out_setups,
    players_of,
    seen_setups,
)
from training.generalisation_file import (
    FORMAT,
    PICTURE,
    RESULTS,
    Protocol,
    Results,
    Row,
    Side,
    read,
    row_of,
    side_of,
    write,
)
from training.run_files import POLICY, PROGRESS, SETTINGS, read_run
from training.splits import EVERY
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.rng import derive
from winterkingdom_env.core.verbs import DEFAULT_STANDING
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import address_of, get_game
from winterkingdom_env.search.registry import agent_spec
from winterkingdom_env.search.view import View

PROTOCOL, FOLD = "protocol.json", "{fold}"
TRAINERS = {  # our trainers, by names that no agent has: the module, and the agent that plays the network
    "train turn": ("training.turn_value", "turn"),
    "train ppo": ("training.ppo", "policy"),
}
CHECKPOINT_MINUTES = 1.0  # of training that an interruption costs at most


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What protocol.json has."""

    game: str
    env_version: str
    protocol: Protocol


class Trained(NamedTuple):
    """An agent's text, and the steps of its training; None if it was trained elsewhere."""

    text: str
    steps: int | None


class Folder:
    """The folder of a benchmark: trains, plays, and keeps what is finished."""

    def __init__(self, path: Path, plan: Plan, processes: int, tell: Callable[[str], None], console: Console) -> None:
        """``processes``: games at the same time; ``tell``: gets a line about each step; ``console``: shows the progress of games."""
        self.path, self.plan, self.processes = path, plan, processes
        self._tell, self._console = tell, console

    def open(self) -> None:
        """Create the folder, or go on with it. Raises ValueError if it belongs to another protocol."""
        path = self.path / PROTOCOL
        if not path.exists():
            if self.path.exists() and any(self.path.iterdir()):
                raise ValueError(f"{self.path} is not empty, and no benchmark; choose another folder with --out")
            write(path, self.plan)
            return
        kept = msgspec.to_builtins(read(path, Plan))
        asked = msgspec.to_builtins(self.plan)
        for name in (*kept["protocol"], "game", "env_version"):
            before, now = (told["protocol"].get(name, told.get(name)) for told in (kept, asked))
            if before != now:
                raise ValueError(
                    f"{self.path} has a benchmark with {name} {before}, not {now}; choose another folder with --out, or the same settings"
                )

    def finished(self, fold: Fold) -> Row | None:
        """The row of a fold that is finished."""
        path = self.path / "folds" / f"{fold.slug}.json"
        return read(path, Row) if path.exists() else None

    def row(self, fold: Fold) -> Row:
        """The row of a fold, measured now if it is not finished."""
        known = self.finished(fold)
        if known is not None:
            return known
        seed = self.plan.protocol.seed
        full = self._agent(FULL, EVERY, seed)
        agent = self._agent(fold.slug, fold.trains_on, derive(seed, CONTROL) if fold.factor == CONTROL else seed)
        row = self._evaluated(fold, full, agent)
        write(self.path / "folds" / f"{fold.slug}.json", row)
        shutil.rmtree(self.path / "games" / fold.slug, ignore_errors=True)
        return row

    def results(self, folds: Sequence[Fold]) -> Results:
        """The results of these folds, also written to the folder; finished ones are not measured again."""
        rows = []
        for i, fold in enumerate(folds, 1):
            is_new = self.finished(fold) is None
            self._tell(f"{i} of {len(folds)}: {fold.name}{'' if is_new else ', finished before'}")
            rows.append(self.row(fold))
        plan = self.plan
        results = Results(
            format=FORMAT, game=plan.game, env_version=plan.env_version, package_version=VERSION, protocol=plan.protocol,
            folds=[fold.name for fold in folds], rows=rows,
        )  # fmt: skip
        write(self.path / RESULTS, results)
        return results

    def _agent(self, name: str, setups: str, seed: int) -> Trained:
        """The agent that plays for a fold, trained now if that is left to us."""
        trainer = self.plan.protocol.trainer
        if trainer not in TRAINERS:
            return Trained(trainer.replace(FOLD, name), None)
        run = self.path / "runs" / name
        if not (run / POLICY).is_file():
            self._tell(f"training {name}: {self.plan.protocol.minutes:g} minutes on set-ups '{setups}'")
            self._train(run, TRAINERS[trainer][0], setups, seed)
        steps = read_run(run).steps if (run / PROGRESS).is_file() else None
        return Trained(f"{TRAINERS[trainer][1]}:path={run / POLICY}", steps)

    def _train(self, run: Path, module: str, setups: str, seed: int) -> None:
        """Train in a Python of its own, or go on with an interrupted run. Raises ValueError if that fails."""
        game = address_of(self.plan.game)
        options = [f"--game={game}"] if ":" in game else []
        if (run / SETTINGS).is_file():
            options += [f"--resume={run}"]
        else:
            shutil.rmtree(run, ignore_errors=True)  # it was killed before it began
            options = [
                f"--game={game}", f"--out={run}", f"--setups={setups}", f"--seed={seed}", f"--minutes={self.plan.protocol.minutes}",
                f"--checkpoint-minutes={CHECKPOINT_MINUTES}", "--evaluate-minutes=0", "--final-setups=0",
            ]  # fmt: skip
        program = f"import sys; sys.path[:] = {sys.path!r}; from {module} import main; sys.exit(main())"
        done = subprocess.run([sys.executable, "-c", program, *options], stdout=subprocess.DEVNULL, check=False)
        if done.returncode == Exit.INTERRUPTED:
            raise KeyboardInterrupt
        if done.returncode or not (run / POLICY).is_file():
            raise ValueError(f"the training in {run} failed with exit code {done.returncode}; the same command goes on")

    def _evaluated(self, fold: Fold, full: Trained, agent: Trained) -> Row:
        """Play the games of a fold: both agents on the same set-ups with the level, and the fold's agent on others."""
        game, protocol = self.plan.game, self.plan.protocol
        held_out = held_out_setups(game, fold, protocol.setups, protocol.seed)
        seen = seen_setups(game, fold, protocol.setups, protocol.seed) if has_seen_setups(fold) else []
        return row_of(
            fold, players_of(game, fold), digest_of(held_out),
            full=self._side(fold, FULL, full, held_out),
            held_out=self._side(fold, "held_out", agent, held_out),
            seen=self._side(fold, "seen", agent, seen) if seen else None,
        )  # fmt: skip

    def _side(self, fold: Fold, name: str, agent: Trained, setups: Sequence[Any]) -> Side:
        protocol, place = self.plan.protocol, self.path / "games" / fold.slug / name
        self._tell(f"{fold.name}: {agent.text} against {protocol.opponent}, {len(setups)} set-ups ({name})")
        games = played_games(
            agent.text, [protocol.opponent], setups, derive(protocol.seed, "games", fold.name), self.processes, folder=place, console=self._console,
        )  # fmt: skip
        return side_of(*agent, games, players_of(self.plan.game, fold))


def plan_of(game_name: str, minutes: float, setups: int, seed: int, opponent: str, agent: str) -> Plan:
    """The plan of a benchmark. ``agent``: the text of others' agents, with {fold}; without it this project's trainer makes them."""
    game = get_game(game_name)
    own = "train turn" if game.STANDING != DEFAULT_STANDING else "train ppo"
    protocol = Protocol(trainer=agent or own, minutes=minutes, setups=setups, seed=seed, opponent=opponent)
    return Plan(game=game.NAME, env_version=game.ENV_VERSION, protocol=protocol)


def picture_path(folder: Path) -> Path:
    """Where the picture goes."""
    return folder / PICTURE


def seconds_per_game(game_name: str, opponent: str, seed: int) -> float:
    """How long a game of the opponent against itself takes here, the fewest players, from the second of two."""
    rules, seconds = get_game(game_name), 0.0
    for number in range(2):
        game = rules.new_game(held_out_setups(game_name, Fold(CONTROL), 1, seed)[0], seed + number)
        agents = [agent_spec(opponent).make(seat) for seat in range(game.n_players)]
        began = time.perf_counter()
        while not game.is_over:
            game.apply(agents[game.seat](View(game, game.seat)))
        seconds = time.perf_counter() - began
    return seconds
