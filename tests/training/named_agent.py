"""An agent of somebody else's, one per fold: it plays at random and knows its name."""

from __future__ import annotations

from winterkingdom_env.search.agents import RandomAgent


class Named(RandomAgent):
    """Made for a fold."""

    def __init__(self, seed: int = 0, name: str = "") -> None:
        super().__init__(seed)
        self.name = name
