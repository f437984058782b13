"""Validation of a checkpoint before a run resumes from it.

Kernels and optimizers do not check their arrays. So every tensor must have the shape, dtype and strides of the run's own, every number must
be finite, and every index must be valid. Errors are ValueErrors that name the field.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

# Settings that must match those of the checkpoint; the others may be changed in the run's settings.json.
DECIDING = ("game", "network", "channels", "layers", "seed", "setups", "players", "games")
MOST = 1 << 62  # of steps and games


def need(is_right: Any, name: str, what: str) -> None:
    """Raise ValueError, naming the field, unless ``is_right``."""
    if not is_right:
        raise ValueError(f"the checkpoint is refused: {name} {what}")


def check_state(state: Any, own: Mapping[str, Any], network: torch.nn.Module) -> None:
    """Raise ValueError, naming the field, if a run of PPO whose own state is ``own`` cannot resume from ``state``.

    The batch that loads the games checks them.
    """
    check_run(state, own, network, DECIDING)
    _check_times("spent", state["spent"], own["spent"])
    check_like("shuffle", state["shuffle"], own["shuffle"])
    _try("shuffle", lambda: torch.Generator().set_state(state["shuffle"]))
    need(type(state["league"]) is list, "league", "is not a list")
    need(len(state["league"]) <= own["settings"]["league"], "league", "has more past selves than the setting allows")
    for i, frozen in enumerate(state["league"]):
        check_like(f"league[{i}]", frozen, own["before"]["acting"])
    _check_before(state["before"], own["before"], 1 + len(state["league"]))


def check_run(state: Any, own: Mapping[str, Any], network: torch.nn.Module, deciding: Sequence[str]) -> None:
    """The checks of every trainer's checkpoint: its fields, how far it was, its settings, network and optimizer."""
    _check_keys("it", state, own)
    for name in ("steps", "games", "iteration"):
        need(type(state[name]) is int and 0 <= state[name] < MOST, name, f"is {state[name]!r}")
    _check_times("seconds", state["seconds"], own["seconds"])
    need(type(state["settings"]) is dict, "settings", "is not a dict")
    for name in deciding:
        found, wanted = state["settings"].get(name), own["settings"][name]
        need(found == wanted, f"settings.{name}", f"is {found!r}; this run has {wanted!r}")
    check_like("network", state["network"], own["network"])
    _check_optimizer(state["optimizer"], own["optimizer"], list(network.parameters()))


def _check_times(name: str, found: Any, own: Mapping[str, Any]) -> None:
    _check_keys(name, found, own)
    for key, value in found.items():
        is_time = isinstance(value, int | float) and math.isfinite(value) and value >= 0
        need(is_time, f"{name}.{key}", f"is {value!r}")


def check_like(name: str, found: Any, own: Any) -> None:
    """Raise ValueError unless ``found`` has the structure of ``own``; numbers must be finite, values may differ."""
    if isinstance(own, Mapping):
        _check_keys(name, found, own)
        for key in own:
            check_like(f"{name}.{key}", found[key], own[key])
        return
    need(type(found) is type(own), name, f"is a {type(found).__name__}")
    if not isinstance(own, torch.Tensor):
        return
    shape = tuple(found.shape)
    need(shape == tuple(own.shape), name, f"has the shape {shape}; {tuple(own.shape)} is needed")
    is_plain = found.layout == own.layout and found.device.type == "cpu" and found.dtype == own.dtype
    need(is_plain and found.stride() == own.stride(), name, f"is not a plain tensor of {own.dtype}")
    if found.is_floating_point():
        need(bool(torch.isfinite(found).all()), name, "has numbers that are not finite")


def _check_keys(name: str, found: Any, own: Mapping[Any, Any]) -> None:
    need(isinstance(found, dict), name, f"is a {type(found).__name__}")
    missing, strange = set(own) - set(found), set(found) - set(own)
    need(not missing, name, f"lacks {', '.join(sorted(map(str, missing)))}")
    need(not strange, name, f"has {', '.join(sorted(map(str, strange)))}, which is unknown")


def _try(name: str, use: Any) -> None:
    try:
        use()
    except Exception as error:  # torch and numpy can raise anything on a bad state
        raise ValueError(f"the checkpoint is refused: {name} cannot be used: {error}") from None


def _check_optimizer(found: Any, own: Mapping[str, Any], parameters: list[torch.Tensor]) -> None:
    _check_keys("optimizer", found, own)
    groups = found["param_groups"]
    need(type(groups) is list and len(groups) == len(own["param_groups"]), "optimizer.param_groups", "does not match")
    for group, mine in zip(groups, own["param_groups"], strict=True):
        _check_keys("optimizer.param_groups", group, mine)
        for key, value in mine.items():
            is_rate = key == "lr" and isinstance(group["lr"], float) and 0 <= group["lr"] < 1
            need(
                is_rate or (key != "lr" and group[key] == value), f"optimizer.param_groups.{key}", f"is {group[key]!r}"
            )
    need(type(found["state"]) is dict, "optimizer.state", "is not a dict")
    need(set(found["state"]) in (set(), set(range(len(parameters)))), "optimizer.state", "has other parameters")
    for i, entry in found["state"].items():
        weight = torch.zeros_like(parameters[i], device="cpu", requires_grad=False)
        check_like(f"optimizer.state.{i}", entry, {"step": torch.tensor(0.0), "exp_avg": weight, "exp_avg_sq": weight})
        need(entry["step"] >= 0 and (entry["exp_avg_sq"] >= 0).all(), f"optimizer.state.{i}", "is negative")


def _check_before(found: Any, own: Mapping[str, Any], n_networks: int) -> None:
    """Check the start of the next rollout: games, their players, and random streams."""
    check_like("before", found, own)
    _try("before.rng", lambda: _check_stream(found["rng"]))
    if "rng" in own["actor"]:
        _try("before.actor.rng", lambda: _check_stream(found["actor"]["rng"]))
    who, learner = found["actor"]["who"], found["learner"]
    need(
        ((who >= 0) & (who < n_networks)).all(),
        "before.actor.who",
        f"names a network that is not there; {n_networks} are",
    )
    need(((learner >= -1) & (learner < who.shape[1])).all(), "before.learner", "names a seat that is not there")


def _check_stream(text: str) -> None:
    rng = np.random.default_rng(0)
    rng.bit_generator.state = json.loads(text)
    rng.random()
