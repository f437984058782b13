"""Winter Kingdom, and later its siblings, as an environment for training, comparing and timing agents.

Importing the package registers ``WinterKingdom-v1`` with Gymnasium and ``winterkingdom/winter_kingdom_v1`` with PettingZoo.
"""

from winterkingdom_env.core.version import VERSION as __version__
from winterkingdom_env.envs.registration import register_all

__all__ = ["__version__"]

register_all()
