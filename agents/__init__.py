"""The arena for tournaments between agents (``python -m agents.arena random greedy``), and agents with extra dependencies."""
