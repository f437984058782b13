"""The PPO update: decisions of a rollout as tensors, the losses, and the optimizer steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from training.rollouts import Rollout, advantages, value_targets
from training.settings import Settings
from winterkingdom_env.search.torch_network import Decisions, Network


@dataclass(frozen=True)
class Samples:
    """Decisions of a rollout as tensors on the network's device; ``first`` and ``n_moves`` locate the legal actions of each."""

    first: torch.Tensor
    n_moves: torch.Tensor
    choices: torch.Tensor
    logs: torch.Tensor
    advantages: torch.Tensor
    targets: torch.Tensor
    n_players: torch.Tensor
    contexts: torch.Tensor
    packed: torch.Tensor
    moves: torch.Tensor
    features: torch.Tensor

    def decisions(self, which: torch.Tensor) -> tuple[Decisions, torch.Tensor]:
        """The selected decisions as network input, and the indices of their chosen actions in the list of legal actions."""
        n_moves = self.n_moves[which]
        ends = n_moves.cumsum(0)
        rows = torch.repeat_interleave(torch.arange(len(which), device=which.device), n_moves)
        listed = torch.arange(len(rows), device=which.device) + (self.first[which] - ends + n_moves)[rows]
        has_board = self.packed.shape[1] > 0
        given = Decisions(
            self.n_players[which],
            self.moves[listed].long(),
            rows,
            None if has_board else self.contexts[which],
            None if has_board else self.features[listed],
            self.packed[which] if has_board else None,
        )
        return given, ends - n_moves + self.choices[which]


def make_samples(rollout: Rollout, settings: Settings, scale: float) -> tuple[Samples, dict[str, float]]:
    """The training data of a rollout, and statistics about it."""
    targets, found = value_targets(rollout, settings.gae_lambda, scale)
    if not found.any():
        raise ValueError(
            f"horizon={settings.horizon}: no seat has two decisions in a rollout; use a longer horizon, such as 64"
        )
    n_moves = rollout.n_moves.ravel()
    first = (np.cumsum(n_moves) - n_moves)[found.ravel()]
    values, targets, n_players = rollout.values[found], targets[found], rollout.n_players[found]
    advantage = advantages(targets, values, n_players, settings.margin)
    figures = {
        "explained_variance": 1.0 - float(np.var(targets[:, 0] - values[:, 0]) / max(np.var(targets[:, 0]), 1e-8))
    }
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)

    def tensor(array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(settings.device)

    samples = Samples(
        tensor(first), tensor(n_moves[found.ravel()]), tensor(rollout.choices[found]), tensor(rollout.log_probs[found]),
        tensor(advantage.astype(np.float32)), tensor(targets), tensor(n_players), tensor(rollout.contexts[found]),
        tensor(rollout.packed[found].view(np.int32)), tensor(rollout.moves[: rollout.n_listed]),
        tensor(rollout.features[: rollout.n_listed]),
    )  # fmt: skip
    return samples, figures


def log_probs_of(logits: torch.Tensor, rows: torch.Tensor, n_rows: int) -> torch.Tensor:
    """Log-probabilities of legal actions: a softmax within each decision."""
    most = logits.detach().new_full((n_rows,), -torch.inf).scatter_reduce(0, rows, logits.detach(), "amax")
    logits = logits - most[rows]
    total = logits.new_zeros(n_rows).index_add(0, rows, logits.exp())
    return logits - total.log()[rows]


def losses(network: Network, samples: Samples, which: torch.Tensor, settings: Settings) -> dict[str, torch.Tensor]:
    """The parts of the PPO loss for a minibatch, and diagnostics."""
    given, chosen = samples.decisions(which)
    logits, values = network(given)
    logs = log_probs_of(logits.float(), given.rows, len(which))
    ratio_log = logs[chosen] - samples.logs[which]
    ratio, advantage = ratio_log.exp(), samples.advantages[which]
    clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    targets = samples.targets[which]
    log_wins = values[:, :-1].float()
    log_wins = log_wins.masked_fill(log_wins.isinf(), 0.0)  # unused seats: the target is 0, too
    return {
        "policy_loss": -torch.minimum(ratio * advantage, clipped * advantage).mean(),
        "value_loss": -(targets[:, :-1] * log_wins).sum(1).mean()
        + F.smooth_l1_loss(values[:, -1].float(), targets[:, -1]),
        "entropy": -logs.new_zeros(len(which)).index_add(0, given.rows, logs.exp() * logs).mean(),
        "approx_kl": (ratio - 1 - ratio_log).mean().detach(),
        "clip_fraction": ((ratio - 1).abs() > settings.clip).float().mean().detach(),
    }


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    settings: Settings,
    progress: float,
    rng: torch.Generator,
) -> dict[str, float]:
    """Run the PPO epochs over the data of a rollout and return the mean losses. ``progress`` of the whole run: 0 to 1."""
    left = 1.0 - 0.9 * progress
    for group in optimizer.param_groups:
        group["lr"] = settings.learning_rate * left
    sums: dict[str, float] = {}
    n_steps, n = 0, len(samples.first)
    for _ in range(settings.epochs):
        order = torch.randperm(n, generator=rng).to(settings.device)
        for which in torch.split(order, settings.minibatch):
            if len(which) < min(settings.minibatch, n) // 2:
                continue  # skip a small last minibatch, whose step would be noisy; each epoch is shuffled differently
            with torch.autocast(torch.device(settings.device).type, torch.bfloat16, enabled=settings.mixed_precision):
                parts = losses(network, samples, which, settings)
            loss = (
                parts["policy_loss"] + settings.value * parts["value_loss"] - settings.entropy * left * parts["entropy"]
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # torch's
            torch.nn.utils.clip_grad_norm_(network.parameters(), settings.grad_norm)
            optimizer.step()
            n_steps += 1
            for name, part in parts.items():
                sums[name] = sums.get(name, 0.0) + float(part.detach())
    return {name: total / n_steps for name, total in sums.items()} | {"learning_rate": settings.learning_rate * left}
