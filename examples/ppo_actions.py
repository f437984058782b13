"""PPO by self-play on the observation "actions", in one file: python examples/ppo_actions.py --minutes 30

One network plays both seats of many two-player games. It gives each legal action a logit from the action's features, and each position a value: the
lead still to come. A seat's reward is its points minus the other's, at every step. At the end the network plays against the agent greedy.
pip install "winterkingdom_env[train]"
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import nn

from winterkingdom_env import winter_kingdom_v1

Observation = dict[str, torch.Tensor]


@dataclass
class Args:
    """The settings of a run."""

    minutes: float = 30.0  # of training
    seed: int = 1  # of games, weights and sampled actions
    threads: int = 1  # of torch
    num_envs: int = 128  # games at a time
    num_steps: int = 64  # decisions per game and rollout
    learning_rate: float = 2e-3  # falls to 0 in the course of the run
    gae_lambda: float = 0.95  # of generalized advantage estimation; gamma is 1, because games are finite
    minibatch: int = 1024  # decisions
    epochs: int = 2  # passes over a rollout
    clip: float = 0.2  # of the probability ratio
    entropy: float = 0.01  # weight of the entropy bonus
    value: float = 0.5  # weight of the value loss
    grad_norm: float = 0.5  # largest norm of the gradient
    width: int = 64  # of all layers
    games: int = 300  # against greedy, at the end
    save: str = ""  # a file for the weights


class Network(nn.Module):
    """A logit per row from the position, the action's kind and its features; and the value of the position."""

    def __init__(self, space: Any, width: int) -> None:
        """``space``: of one observation."""
        super().__init__()
        n_numbers, n_features = space["observation"].shape[0], space["features"].shape[1]
        self.position = nn.Sequential(nn.Linear(n_numbers, width), nn.ReLU(), nn.Linear(width, width))
        self.kind = nn.Embedding(int(space["kinds"].high.max()) + 1, width)
        self.features = nn.Linear(n_features, width)
        self.logit = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.value = nn.Sequential(nn.Linear(n_numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))  # fmt: skip
        nn.init.zeros_(self.kind.weight)

    def forward(self, seen: Observation) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """The distribution over the rows of each position, and the values. Unused rows cost no time."""
        used = seen["row_mask"].bool()
        shared = self.position(seen["observation"])[used.nonzero()[:, 0]]
        rows = shared + self.kind(seen["kinds"][used].long()) + self.features(seen["features"][used])
        logits = torch.full(used.shape, -1e8).masked_scatter(used, self.logit(rows))
        return torch.distributions.Categorical(logits=logits), self.value(seen["observation"])[:, 0]


def tensors(observation: dict[str, np.ndarray]) -> Observation:
    """A copy: the environment overwrites its arrays."""
    return {name: torch.from_numpy(part.copy()) for name, part in observation.items() if name != "actions"}


def chosen(observation: dict[str, np.ndarray], rows: torch.Tensor) -> np.ndarray:
    """The actions in these rows, by the game's numbers."""
    actions: np.ndarray = observation["actions"][np.arange(len(rows)), rows.numpy()]
    return actions.astype(np.int64)


class Rollout:
    """``num_steps`` decisions in all games, of both seats."""

    def __init__(self, args: Args) -> None:
        """Start the games."""
        self.args, shape = args, (args.num_steps, args.num_envs)
        self.env = winter_kingdom_v1.vector_env(args.num_envs, observation="actions", reward="score", skip_forced=True)
        self.turns = self.env.reset(seed=args.seed)
        self.seen: Observation = {
            name: torch.zeros((*shape, *part.shape[1:]), dtype=part.dtype)
            for name, part in tensors(self.turns.observation).items()
        }
        self.rows = torch.zeros(shape, dtype=torch.int64)
        self.log_probs, self.rewards, self.values, self.goes_on, self.advantages = (
            torch.zeros(shape) for _ in range(5)
        )
        self.n_games = 0

    def play(self, network: Network) -> None:
        """Fill the arrays, and compute the advantages."""
        every = np.arange(self.args.num_envs)
        for t in range(self.args.num_steps):
            for name, part in tensors(self.turns.observation).items():
                self.seen[name][t] = part
            policy, self.values[t] = network({name: part[t] for name, part in self.seen.items()})
            self.rows[t] = policy.sample()
            self.log_probs[t] = policy.log_prob(self.rows[t])
            seats = self.turns.seat.copy()
            self.turns = self.env.step(chosen(self.turns.observation, self.rows[t]))
            points = 2 * self.turns.rewards[every, seats] - self.turns.rewards.sum(
                axis=1
            )  # own points minus the other's
            self.rewards[t] = torch.from_numpy(points / winter_kingdom_v1.SCORE_SCALE)
            # What is good for the seat that decides next is bad for this one, unless it is the same seat.
            sign = torch.from_numpy(np.where(self.turns.seat == seats, 1.0, -1.0).astype(np.float32))
            self.goes_on[t] = sign * torch.from_numpy(~self.turns.terminated)
            self.n_games += int(self.turns.terminated.sum())
        advantage, next_value = torch.zeros(self.args.num_envs), network(tensors(self.turns.observation))[1]
        for t in reversed(range(self.args.num_steps)):
            delta = self.rewards[t] + self.goes_on[t] * next_value - self.values[t]
            advantage = delta + self.args.gae_lambda * self.goes_on[t] * advantage
            self.advantages[t], next_value = advantage, self.values[t]


def learn(network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, args: Args) -> dict[str, float]:
    """PPO's update from a rollout; some numbers about its last minibatch."""
    seen = {name: part.flatten(0, 1) for name, part in rollout.seen.items()}
    rows, old, advantages = (part.flatten() for part in (rollout.rows, rollout.log_probs, rollout.advantages))
    returns = advantages + rollout.values.flatten()
    for _ in range(args.epochs):
        for which in torch.split(torch.randperm(len(rows)), args.minibatch):
            policy, values = network({name: part[which] for name, part in seen.items()})
            ratio = (policy.log_prob(rows[which]) - old[which]).exp()
            gain = (advantages[which] - advantages[which].mean()) / (advantages[which].std() + 1e-8)
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            value_loss, entropy = (values - returns[which]).square().mean(), policy.entropy().mean()
            optimizer.zero_grad()
            (policy_loss + args.value * value_loss - args.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.grad_norm)
            optimizer.step()
    return {"value loss": value_loss.item(), "entropy": entropy.item()}


@torch.no_grad()
def evaluate(network: Network, n_games: int, seed: int, opponent: str = "greedy") -> float:
    """The share of games won against an agent by the most probable action, on random seats; a shared first place counts half."""
    env = winter_kingdom_v1.learner_vector_env(
        n_games, opponents=opponent, learner_seat="random", observation="actions", skip_forced=True
    )
    observation, _ = env.reset(seed=seed)
    results = np.full(n_games, np.nan)  # of the first game in each row
    while np.isnan(results).any():
        policy, _ = network(tensors(observation))
        observation, rewards, terminated, _, _ = env.step(chosen(observation, policy.logits.argmax(1)))
        results[terminated & np.isnan(results)] = (rewards[terminated & np.isnan(results)] + 1) / 2
    return float(results.mean())


def main(args: Args) -> float:
    """Train, print the progress, and return the win rate against greedy."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rollout = Rollout(args)
    network = Network(rollout.env.single_observation_space, args.width)
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate, eps=1e-5)
    began, done, n_rollouts = time.monotonic(), 0.0, 0
    while done < 1:
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - done)
        with torch.no_grad():
            rollout.play(network)
        told = learn(network, optimizer, rollout, args)
        n_rollouts += 1
        seconds = time.monotonic() - began
        done = seconds / 60 / args.minutes
        if n_rollouts % 10 == 0 or done >= 1:
            decisions = n_rollouts * args.num_steps * args.num_envs
            words = ", ".join(f"{name} {number:.3f}" for name, number in told.items())
            print(f"{seconds / 60:5.1f} min {decisions:>10,} decisions ({decisions / seconds:,.0f}/s), {rollout.n_games:,} games, {words}", flush=True)  # fmt: skip
    if args.save:
        torch.save(network.state_dict(), args.save)
    rate = evaluate(network, args.games, seed=args.seed + 1_000_000)
    print(f"against greedy: {rate:.1%} of {args.games} games won")
    return rate


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Args):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    main(Args(**vars(parser.parse_args())))
