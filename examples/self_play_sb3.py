"""Self-play with Stable-Baselines3: MaskablePPO against copies of itself: python examples/self_play_sb3.py

It shows how the parts fit together; training/maskable_ppo.py is the full trainer, on a batch of games. pip install "winterkingdom_env[sb3]"
"""

from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO

import winterkingdom_env  # noqa: F401  # registers WinterKingdom-v1
from winterkingdom_env.search.view import View


class PastSelf:
    """An opponent that plays a frozen copy of the policy; without one, it takes the first legal action."""

    def __init__(self) -> None:
        """Start without a policy."""
        self.policy: Any = None

    def __call__(self, view: View) -> int:
        """Sample from the policy's distribution over the legal actions."""
        seen = view.observation("planes")
        mask = seen.pop("action_mask")
        if self.policy is None:
            return int(view.legal_actions()[0])
        action, _ = self.policy.predict(seen, action_masks=mask)
        return int(action)


def main(rounds: int = 3, steps: int = 1024, path: str = "self_play.zip") -> int:
    """Train for some rounds, each against the policy from the end of the previous one, save the model, and return the total steps."""
    torch.set_num_threads(1)
    past = PastSelf()
    env = gymnasium.make("WinterKingdom-v1", opponents=past, learner_seat="random", reward="margin", skip_forced=True)
    model, frozen = (MaskablePPO("MultiInputPolicy", env, n_steps=256, batch_size=128, seed=7) for _ in range(2))
    for number in range(rounds):
        model.learn(steps, reset_num_timesteps=False)
        frozen.policy.load_state_dict(model.policy.state_dict())
        past.policy = frozen.policy
        print(f"round {number + 1}: {model.num_timesteps} steps")
    model.save(path)
    print(f"play against it: winterkingdom play --agents human,sb3:path={path}")
    return int(model.num_timesteps)


if __name__ == "__main__":
    main()
