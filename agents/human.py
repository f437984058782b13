"""Somebody at the terminal."""

from __future__ import annotations

from rich.console import Console

from winterkingdom_env._table import human_agent
from winterkingdom_env.search.view import View


class HumanAgent:
    """Shows the board and what is legal, and asks; ``?`` lists actions, ``quit`` ends the game."""

    def __init__(self, seed: int = 0) -> None:
        """Questions go to stderr, answers come from stdin."""
        self._seed = seed

    def __call__(self, view: View) -> int:
        """What was typed."""
        # The table shows a seat's own view; what that seat cannot see is resampled, so there is nothing to peek at.
        return human_agent(self._seed, view.seat, Console(stderr=True))(view.determinize(self._seed))
