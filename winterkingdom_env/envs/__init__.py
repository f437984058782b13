"""Environments for all games: PettingZoo, Gymnasium, and vectorized. They contain no rules of a game."""
