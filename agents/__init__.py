"""Agents and the arena in which they play each other: ``python -m agents.arena random greedy``."""
