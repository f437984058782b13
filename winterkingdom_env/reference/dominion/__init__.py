"""A reference implementation of Dominion (base game, first edition) in plain Python, written from the rules, to test the kernels."""

from winterkingdom_env.reference.dominion.game import ReferenceGame

__all__ = ["ReferenceGame"]
