"""The networks of winterkingdom_env/search/torch_network.py as Stable-Baselines3 policies and features extractors.

conv, flat  features extractors over packed words, with SB3's own heads
moves       a policy whose network returns the logits of the listed moves, and the value
"""

from __future__ import annotations

from typing import Any

from winterkingdom_env.core.extras import needed

needed("sb3_contrib", "training.sb3_networks")  # before torch, which another extra has, too

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from training.sb3_env import MovesLayout
from training.splits import GAME
from winterkingdom_env.games import get_game
from winterkingdom_env.search.torch_network import ConvNet, Decisions, FlatNet, MovesNet

NETWORKS = ("conv", "flat", "moves")
IMPOSSIBLE = -1e8  # as a logit; what MaskablePPO writes for illegal actions


def words_of(shown: torch.Tensor) -> torch.Tensor:
    """Convert bytes, which SB3 has cast to floats, to packed words: (n, bytes) to int32 (n, words)."""
    return shown.to(torch.uint8).view(torch.int32)


class ConvFeatures(BaseFeaturesExtractor):
    """The body of winterkingdom_env.search.torch_network.ConvNet: a feature for every cell and kind of action, and an embedding of board and fields."""

    def __init__(
        self, observation_space: spaces.Space[Any], channels: int = 16, layers: int = 2, game: str = GAME
    ) -> None:
        """``channels`` and ``layers`` of the convolution."""
        rules = get_game(game)
        super().__init__(observation_space, rules.PLACE_KINDS * len(rules.PLACES) + 2 * channels)
        self.body = ConvNet(rules, channels, layers)
        del self.body.cards, self.body.ahead  # SB3 has its own heads

    def forward(self, shown: torch.Tensor) -> torch.Tensor:
        """(n, bytes) to (n, features)."""
        return torch.cat(self.body.look(words_of(shown)), 1)


class FlatFeatures(BaseFeaturesExtractor):
    """The body of winterkingdom_env.search.torch_network.FlatNet: a perceptron over all planes and fields."""

    def __init__(self, observation_space: spaces.Space[Any], width: int = 256, game: str = GAME) -> None:
        """``width`` of the hidden layers."""
        super().__init__(observation_space, width)
        self._spec, self.body = get_game(game).OBSERVATION, FlatNet(get_game(game), width).body

    def forward(self, shown: torch.Tensor) -> torch.Tensor:
        """(n, bytes) to (n, features)."""
        seen = self._spec.unpack_torch(words_of(shown))
        features: torch.Tensor = self.body(torch.cat([seen["observation"].flatten(1), seen["vector"]], 1))
        return features


class MovesExtractor(nn.Module):
    """A MovesNet in the place of SB3's layers before the heads: it returns the final logits of all actions and the value."""

    def __init__(self, game: str) -> None:
        """Create a network with new weights."""
        super().__init__()
        self.network, self._at = MovesNet(get_game(game)), MovesLayout(get_game(game))
        self._n_actions = get_game(game).N_ACTIONS

    def forward(self, shown: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """From observations in the form "moves" (n, numbers) to logits (n, actions) and values (n, 1)."""
        at, contexts = self._at, shown[:, self._at.contexts]
        moves, n_players = shown[:, at.moves], shown[:, at.n_players].long()
        rows, places = (moves >= 0).nonzero(as_tuple=True)
        features = shown[:, at.features].reshape(-1, at.n_moves, at.n_features)[rows, places]
        listed = moves[rows, places].long()
        listed_logits, values = self.network(Decisions(n_players, listed, rows, contexts, features))
        logits = listed_logits.new_full((len(shown), self._n_actions), IMPOSSIBLE)
        logits[rows, listed] = listed_logits
        # The reward for winning is 1, the others share -1 (core/rewards.py).
        return logits, ((n_players * values[:, 0].exp() - 1) / (n_players - 1))[:, None]

    def forward_actor(self, shown: torch.Tensor) -> torch.Tensor:
        """The logits."""
        return self(shown)[0]  # type: ignore[no-any-return]  # torch's calls have no type

    def forward_critic(self, shown: torch.Tensor) -> torch.Tensor:
        """The values."""
        return self(shown)[1]  # type: ignore[no-any-return]  # torch's calls have no type


class MovesPolicy(MaskableActorCriticPolicy):
    """SB3's policy with a MovesNet and no other layers."""

    def __init__(self, *arguments: Any, game: str = GAME, **options: Any) -> None:
        """``game``: its name; the other arguments are SB3's."""
        self._game = game
        super().__init__(*arguments, **options)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "game": self._game}

    def _build(self, lr_schedule: Any) -> None:
        make_optimizer: Any = self.optimizer_class  # the base class Optimizer has no lr parameter
        self.mlp_extractor = MovesExtractor(self._game)  # type: ignore[assignment]  # SB3 asks it for nothing but its three methods
        self.action_net, self.value_net = nn.Identity(), nn.Identity()  # type: ignore[assignment]  # nothing is left to do
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def policy_of(
    network: str, channels: int = 16, layers: int = 2, width: int = 256, game: str = GAME
) -> tuple[Any, dict[str, Any]]:
    """The SB3 policy class for a network, and its keyword arguments; ``channels`` and ``layers`` of "conv", ``width`` of "flat"."""
    name = get_game(game).NAME
    if network == "moves":
        return MovesPolicy, {"game": name}
    sizes: dict[str, Any] = {"channels": channels, "layers": layers} if network == "conv" else {"width": width}
    return "MlpPolicy", {
        "features_extractor_class": ConvFeatures if network == "conv" else FlatFeatures,
        "features_extractor_kwargs": {**sizes, "game": name},
        # The features include one per cell: a hidden layer would be a bottleneck before the logits of all cells.
        "net_arch": {"pi": [], "vf": [64]},
        "activation_fn": nn.ReLU,
    }
