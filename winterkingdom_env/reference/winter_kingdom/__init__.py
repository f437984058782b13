"""A reference implementation of Winter Kingdom in plain Python, written from the rulebook, to test the kernels."""

from winterkingdom_env.reference.winter_kingdom.game import ReferenceGame

__all__ = ["ReferenceGame"]
