"""The arena in which agents play each other (``python -m agents.arena random greedy``), and the agents that need more than the package."""
