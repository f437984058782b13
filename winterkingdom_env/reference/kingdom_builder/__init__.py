"""A reference implementation of Kingdom Builder (the whole Big Box) in plain Python, written from the rules, to test the kernels."""

from winterkingdom_env.reference.kingdom_builder.game import ReferenceGame

__all__ = ["ReferenceGame"]
