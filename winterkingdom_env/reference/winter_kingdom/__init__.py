"""Winter Kingdom once more, written from the rulebook in plain Python: the yardstick for the kernels."""

from winterkingdom_env.reference.winter_kingdom.game import ReferenceGame

__all__ = ["ReferenceGame"]
