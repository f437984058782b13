"""The arena in which agents play each other (``python -m agents.arena random greedy``), and the agents that need more than the package."""

from winterkingdom_env.search.registry import AGENTS

AGENTS.update({"sb3": "agents.sb3:Sb3Agent", "human": "agents.human:HumanAgent"})
