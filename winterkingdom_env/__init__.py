"""Winter Kingdom, Dominion and Kingdom Builder as environments for training, comparing and timing agents.

Importing the package registers ``WinterKingdom-v1``, ``Dominion-v0`` and ``KingdomBuilder-v0`` with Gymnasium,
``winterkingdom/winter_kingdom_v1``, ``winterkingdom/dominion_v0`` and ``winterkingdom/kingdom_builder_v0`` with PettingZoo.
"""

from winterkingdom_env.core.version import VERSION as __version__
from winterkingdom_env.envs.registration import register_all

__all__ = ["__version__"]

register_all()
