"""The agent for models of Stable-Baselines3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from winterkingdom_env.core.extras import install_command
from winterkingdom_env.games import GameRules
from winterkingdom_env.search.action_rows import ACTIONS
from winterkingdom_env.search.view import View


class Sb3Agent:
    """Plays with a model saved by sb3-contrib's MaskablePPO (docs/recipes.md, docs/training_sb3.md).

    Such a file contains pickled Python objects: load only files that you trust.
    """

    def __init__(self, seed: int = 0, path: str = "", sample: bool = False) -> None:
        """``path``: the saved model; ``sample``: sample the action instead of taking the most probable one."""
        if not path or not Path(path).is_file():
            raise ValueError(f"path={path!r}: the path of a saved model is needed, as in sb3:path=model.zip")
        try:
            from sb3_contrib import MaskablePPO
        except ImportError as error:
            raise ValueError(f"sb3 needs sb3-contrib: {install_command('sb3_contrib')}") from error
        try:
            self._model: Any = MaskablePPO.load(path, device="cpu")
        except Exception as error:  # a file that is not a model can raise anything
            raise ValueError(f"{path} cannot be loaded as a MaskablePPO model: {error!r}") from error
        self._model.set_random_seed(seed % (1 << 31))
        self._sample = sample
        space = self._model.observation_space
        parts = getattr(space, "spaces", {})
        self._form = "planes" if "vector" in parts else ACTIONS if "row_mask" in parts else "packed"
        self._is_bytes = getattr(space, "dtype", None) == np.uint8  # the packed words as bytes (training/sb3_env.py)
        if getattr(space, "dtype", None) == np.float32:
            raise ValueError(
                f"{path} was trained on action features, not on observations: it plays only in training/sb3_env.py"
            )

    def get_ready(self, rules: GameRules) -> None:
        """Predict once without sampling, so that torch's preparation does not count as thinking time."""
        game = rules.new_game()
        self._predict(View(game, game.seat), is_drawn=False)

    def __call__(self, view: View) -> int:
        """The network's action."""
        return self._predict(view, self._sample)

    def _predict(self, view: View, is_drawn: bool) -> int:
        seen = view.observation(self._form)
        mask = seen["action_mask"].astype(bool)
        space = self._model.observation_space
        if hasattr(space, "spaces"):
            shown: Any = {name: seen[name] for name in space.spaces}
        else:
            shown = seen["observation"].astype("<u4").view(np.uint8) if self._is_bytes else seen["observation"]
        action, _ = self._model.predict(shown, action_masks=mask, deterministic=not is_drawn)
        return int(np.asarray(action).item())
