"""The long run of the vector environment: ``python -m tests.house.vector_soak --game dominion --steps 1000000``.

Random play over many games with random set-ups, 2 to 4 players, illegal actions among the legal ones. Every finished game is played
again by the reference from its record (config, seed, actions), and its scores and ranks must be the same. At every step no mask may be
empty, and the state of some games is examined. Memory must stay flat. Exit code 0: all well; 1: something is wrong; 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psutil
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from benchmarks.positions import source_of
from winterkingdom_env.envs.vector import WAIT, Turns, VectorEnv
from winterkingdom_env.games import GAMES, get_game

LOOKED_AT = 2  # games examined per step
ILLEGAL_EVERY = 50  # of so many actions one is any number, legal or not
MOST_GROWTH_KB = 30_000  # python's own ups and downs; a leak of 100 bytes per step would be 100 MB in a million


class Wrong(AssertionError):
    """The vector environment did something that it must not do."""


@dataclass
class Soak:
    """A vector environment, and what has been done in it."""

    env: VectorEnv
    seed: int
    steps: int = 0
    games: int = 0
    illegal: int = 0
    players: dict[int, int] = field(default_factory=dict)
    memory_kb: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin the games."""
        self.rules, self.rng = self.env.module, np.random.default_rng(self.seed)
        self.source = source_of(self.rules)
        self.turns = self.env.reset(seed=self.seed)
        n = self.env.num_envs
        self.actions: list[list[int]] = [[] for _ in range(n)]
        self.begun = self._begun(range(n))

    def _begun(self, rows: Any) -> dict[int, tuple[Any, int]]:
        return {row: (self.env.config(row), int(self.env.seeds[row])) for row in rows}

    def step(self) -> None:
        """One step of every game, with everything checked."""
        actions, n_actions = self.env.sample_actions(self.rng).copy(), self.rules.N_ACTIONS
        wild = self.rng.integers(ILLEGAL_EVERY, size=len(actions)) == 0
        actions[wild] = self.rng.integers(-1000, 2 * n_actions, size=int(wild.sum()))
        actions[actions == WAIT] = 0
        is_action = (actions >= 0) & (actions < n_actions)
        was_legal = is_action & (self.turns.action_mask[np.arange(len(actions)), actions % n_actions] == 1)
        self.turns = self.env.step(actions)
        if (self.turns.illegal == was_legal).any():
            raise Wrong(
                f"rows {np.flatnonzero(self.turns.illegal == was_legal)}: marked as illegal against their masks"
            )
        self.illegal += int(self.turns.illegal.sum())
        for row in np.flatnonzero(was_legal).tolist():
            self.actions[row].append(int(actions[row]))
        self.steps += int(was_legal.sum())
        self.check_turns(self.turns)
        for row in np.flatnonzero(self.turns.terminated).tolist():
            self.check_finished(row)
        for row in self.rng.integers(self.env.num_envs, size=LOOKED_AT).tolist():
            self.check_state(row)

    def check_turns(self, turns: Turns) -> None:
        """What must hold for all rows after every step."""
        if not turns.action_mask.any(axis=1).all():
            raise Wrong(f"empty mask in rows {np.flatnonzero(~turns.action_mask.any(axis=1))}")
        paid = turns.rewards[~turns.illegal]
        if not np.allclose(paid.sum(axis=1), 0, atol=1e-5):
            raise Wrong("rewards do not add up to zero")
        if (paid[~turns.terminated[~turns.illegal]] != 0).any():
            raise Wrong("a reward before the end")
        if ((turns.seat < 0) | (turns.seat >= turns.n_players)).any():
            raise Wrong("a seat that nobody sits on is to move")

    def check_finished(self, row: int) -> None:
        """The reference plays the same record to the same scores, and to the end."""
        config, seed = self.begun[row]
        game = self.rules.new_game(config, seed)
        reference: Any = self.source.reference(game.setup())
        for action in self.actions[row]:
            reference.apply(game.label(action))
            game.apply(action)
        n = config.num_players
        ours = self.env.final_scores[row, :n].tolist(), self.env.final_ranks[row, :n].tolist()
        theirs = reference.scores(), reference.ranks()
        if not reference.is_over or ours != theirs or len(self.actions[row]) != self.env.final_n_steps[row]:
            raise Wrong(f"{config}, seed {seed}, {len(self.actions[row])} actions: {ours}, the reference says {theirs}")
        winners = [rank == 1 for rank in theirs[1]]
        paid = self.turns.rewards[row, :n] > 0
        if not all(winners) and paid.tolist() != winners:
            raise Wrong(f"{config}, seed {seed}: ranks {theirs[1]}, but {paid} are paid")
        self.games += 1
        self.players[config.num_players] = self.players.get(config.num_players, 0) + 1
        self.actions[row] = []
        self.begun.update(self._begun([row]))

    def check_state(self, row: int) -> None:
        """A game's records make sense, and what is shown is what the game object shows."""
        game = self.env.game(row)
        try:
            game.check()
        except ValueError as error:
            raise Wrong(f"row {row}: {error} in {game}") from None
        seen = game.observe(form="packed")
        if not np.array_equal(seen["observation"], self.turns.observation["observation"][row]):
            raise Wrong(f"row {row}: not what {game} shows")
        if not np.array_equal(seen["action_mask"], self.turns.action_mask[row]):
            raise Wrong(f"row {row}: not the mask of {game}")

    def note_memory(self) -> None:
        """Note how much memory the process has."""
        self.memory_kb.append(psutil.Process().memory_info().rss // 1024)

    @property
    def growth_kb(self) -> int:
        """Memory now less memory after the first third, when everything has been met."""
        notes = self.memory_kb
        return notes[-1] - notes[len(notes) // 3] if notes else 0


def run(name: str, steps: int, games: int, threads: int, seed: int, console: Console) -> Soak:
    """Play and check; ``Wrong`` as soon as something is."""
    rules = get_game(name)
    source = source_of(rules)
    options = {**source.OPTIONS, **source.SOAK_OPTIONS}
    env = VectorEnv(rules, games, threads, num_players=tuple(rules.PLAYERS), **options)
    soak = Soak(env, seed)
    columns = (TextColumn("steps"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("steps", total=steps)
        while soak.steps < steps:
            for _ in range(10):
                soak.step()
            soak.note_memory()
            progress.update(task, completed=min(soak.steps, steps))
    if soak.growth_kb > MOST_GROWTH_KB:
        raise Wrong(f"memory grew by {soak.growth_kb} KB")
    return soak


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.house.vector_soak",
        description="Random play in the vector environment; every finished game is checked by the reference.",
        epilog="examples: python -m tests.house.vector_soak; "
        "python -m tests.house.vector_soak --game dominion --steps 20000 --games 64 --threads 1 --json",
    )
    parser.add_argument("--game", choices=[*GAMES], default=next(iter(GAMES)), help="which game")
    parser.add_argument("--steps", type=int, default=1_000_000, help="actions in all (default 1000000)")
    parser.add_argument("--games", type=int, default=1024, help="games in the batch (default 1024)")
    parser.add_argument("--threads", type=int, default=2, help="threads (default 2)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game and of the play")
    parser.add_argument("--json", action="store_true", help="one JSON line instead of a sentence")
    options = parser.parse_args(arguments)
    if options.steps < 1 or options.games < 1:
        parser.error("--steps and --games must be at least 1")
    start = time.monotonic()
    try:
        soak = run(options.game, options.steps, options.games, options.threads, options.seed, Console(stderr=True))
    except Wrong as wrong:
        print(f"wrong: {wrong}")
        return 1
    found = {
        "steps": soak.steps, "games": soak.games, "players": soak.players, "illegal": soak.illegal,
        "growth_kb": soak.growth_kb, "seconds": round(time.monotonic() - start, 1),
    }  # fmt: skip
    if options.json:
        print(json.dumps(found))
    else:
        by_players = ", ".join(f"{soak.players[n]:,} of {n}" for n in sorted(soak.players))
        print(
            f"{soak.steps:,} steps, {soak.games:,} finished games ({by_players} players), all scores and ranks equal the reference's; "
            f"{soak.illegal:,} illegal actions marked, no empty mask, memory {soak.growth_kb:+,} KB, {found['seconds']} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
