"""Training checkpoints with something forged."""

from __future__ import annotations

import contextlib
import copy
import io
import random
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from tests.fuzz.forge import Pool, forge
from tests.fuzz.parts import Skip
from tests.fuzz.states import STRANGE
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout

try:
    import torch

    from training import ppo
    from training.run_folder import FolderError
    from training.trainer import reopen_run
except ImportError:
    torch = None  # type: ignore[assignment]  # Checkpoints says so

TINY = [
    "--preset=smoke", "--minutes=0", "--steps=600", "--games=6", "--horizon=48", "--minibatch=64", "--final-setups=0", "--league-rollouts=1",
    "--league=2", "--league-share=0.5", "--setups=all",
]  # fmt: skip


def holders(thing: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every (container, key) within a checkpoint."""
    for key, value in thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ():
        found.append((thing, key))
        holders(value, found)
    return found


def forge_tensor(tensor: Any, dice: random.Random) -> Any:
    """A number or a byte of a tensor, or the tensor itself, becomes another."""
    way = dice.randrange(5)
    if way == 0:
        return dice.choice(
            (
                tensor[:0] if tensor.ndim else tensor[None],
                tensor[None],
                tensor.double(),
                tensor.to_sparse(),
                tensor.bool(),
            )
        )
    changed = tensor.clone()
    if not changed.numel():
        return changed
    if way < 3:
        values = (-1, 0, 1, 2, 5, 100, 2**31, -(2**62), float("nan"), float("inf"), 1e30)
        value = dice.choice([v for v in values if changed.is_floating_point() or isinstance(v, int)])
        if not changed.is_floating_point():
            info = torch.iinfo(changed.dtype)
            value = min(max(int(value), info.min), info.max)
        changed.view(-1)[dice.randrange(changed.numel())] = value
        return changed
    data = changed.reshape(-1).view(torch.uint8)
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return changed


class Checkpoints:
    """Edited checkpoints of a tiny run: refused with a message, or trained on from."""

    def __init__(self, folder: Path) -> None:
        if torch is None:
            raise Skip("torch is not installed: the extra 'train' has it")
        self.folder, self.pool = folder / "run", Pool(9)
        with contextlib.redirect_stdout(io.StringIO()):
            assert ppo.main([*TINY, f"--out={self.folder}"]) == 0
        self.path = sorted((self.folder / "checkpoints").glob("*.pt"))[-1]
        self.state = torch.load(self.path, weights_only=True)
        for other in set((self.folder / "checkpoints").glob("*.pt")) - {self.path}:
            other.unlink()
        self.data = self.path.read_bytes()
        self.trainer = reopen_run(ppo.Trainer, self.folder, None, Console(file=io.StringIO()))

    def attempt(self, seed: int) -> str:
        """One edited checkpoint."""
        dice = random.Random(seed)
        if dice.random() < 0.1:
            data = bytearray(self.data)
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
            self.path.write_bytes(data)
        else:
            state = copy.deepcopy(self.state)
            self.forge(state, dice)
            torch.save(state, self.path)
        return self.resume()

    def forge(self, state: dict[str, Any], dice: random.Random) -> None:
        """Change something in a checkpoint."""
        places = holders(state, [])
        tensors = [(at, key) for at, key in places if isinstance(at[key], torch.Tensor)]
        way = dice.random()
        if way < 0.3:
            self.forge_game(state["before"]["batch"], dice)
        elif way < 0.75:
            # Half of the tensors are the optimiser's: those that reach kernels come more often.
            playing = [
                (at, key)
                for at, key in tensors
                if any(at is one for one in (state["before"], state["before"]["actor"], state["before"]["batch"]))
            ]
            at, key = dice.choice(playing if dice.random() < 0.6 else tensors)
            at[key] = forge_tensor(at[key], dice)
        else:
            at, key = dice.choice(places)
            if isinstance(at, dict) and dice.random() < 0.3:
                del at[key]
            else:
                at[key] = dice.choice(
                    [
                        make
                        for make in STRANGE
                        if not isinstance(make(), np.ndarray | type) and type(make()).__name__ != "Stream"
                    ]
                )()

    def forge_game(self, batch: dict[str, Any], dice: random.Random) -> None:
        """Change a game of the batch."""
        games, boards = (
            batch[name].numpy().view(kind) for name, kind in (("games", layout.GAME), ("boards", layout.BOARD))
        )
        row = dice.randrange(len(games))
        game = wk.game_of(games[row : row + 1].copy(), boards[row : row + 1].copy())
        forge(game, self.pool, dice)
        games[row : row + 1], boards[row : row + 1] = game.record, game.board

    def resume(self) -> str:
        """Go on with the checkpoint as ``--resume`` does, for one rollout."""
        trainer, errors = self.trainer, io.StringIO()
        try:
            with contextlib.redirect_stderr(errors):
                trainer.folder.load(trainer.load)
        except FolderError as error:
            assert "can be read" in str(error) and errors.getvalue(), error
            return "refused"
        rollout = trainer.rollouts[0]
        trainer.players.play([trainer.acting, *trainer.league], rollout)
        trainer.learn_from(rollout)
        for row in range(trainer.players.env.num_envs):
            trainer.players.env.game(row).check()
        return "trained on"
