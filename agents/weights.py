"""Networks in files: the weights as safetensors, which hold numbers and texts and no code, and what must fit before they are used."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.games import get_game
from winterkingdom_env.games.winter_kingdom import network, prospect

FORMAT = "winterkingdom_env policy 1"
SHIPPED = Path(__file__).parent / "shipped" / "policy.safetensors"
MOVES = "moves"  # the network that kernels know
HOW = "python -m training.ppo makes such files"


class WeightsError(ValueError):
    """A file holds no network that can be used here."""


@dataclass(frozen=True)
class Weights:
    """A network from a file. ``facts``: how it was made, as its trainer wrote it down."""

    path: Path
    game: str
    network: str
    sizes: dict[str, int]
    tensors: dict[str, NDArray[np.float32]]
    facts: dict[str, Any]

    def flat(self) -> NDArray[np.float32]:
        """All weights in the order of the kernels; WeightsError if kernels do not know this network."""
        if self.network != MOVES:
            raise WeightsError(
                f"{self.path} holds a {self.network!r} network; only a {MOVES!r} network can be asked inside a search"
            )
        found = []
        for name, n_in, n_out, has_bias in network.PARTS:
            found.append(self.tensors[f"parts.{name}"].reshape(n_in * n_out))
            if has_bias:
                found.append(self.tensors[f"parts.{name}_bias"].reshape(n_out))
        return np.concatenate(found).astype(np.float32)


def layout_of(game: str) -> str:
    """A short text that changes whenever actions, observation or what networks are shown of a game change their meaning."""
    module = get_game(game)
    spec = module.OBSERVATION
    told = [
        [plane.name for plane in spec.planes],
        [[field.name, int(field.kind), field.size, field.count, field.scale] for field in spec.fields],
        module.N_ACTIONS, prospect.COLUMNS, [list(part) for part in network.PARTS],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def save_weights(
    path: Path, game: str, name: str, sizes: dict[str, int], tensors: dict[str, Any], facts: dict[str, Any]
) -> None:
    """Write a network to a file, whole or not at all; ``tensors``: arrays by name."""
    from safetensors.numpy import save_file

    told = {
        "format": FORMAT, "game": game, "env": get_game(game).ENV_VERSION, "layout": layout_of(game), "network": name,
        "sizes": json.dumps(sizes), "facts": json.dumps(facts),
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    save_file({key: np.ascontiguousarray(value, np.float32) for key, value in tensors.items()}, str(part), told)
    os.replace(part, path)


def load_weights(path: str | Path) -> Weights:
    """The network in a file; WeightsError, which says why and what would work, if it cannot be used here."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise WeightsError(
            'networks need the package safetensors: pip install -c constraints.txt -e ".[arena]"'
        ) from error
    path = Path(path)
    if not path.is_file():
        raise WeightsError(f"{path} is no file; {HOW}")
    try:
        with safe_open(str(path), framework="np") as file:
            told = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # it is no dict
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise WeightsError(f"{path} is damaged or no file of weights: {error}; {HOW}") from error
    if told.get("format") != FORMAT:
        raise WeightsError(f"{path} is a safetensors file of something else, not {FORMAT!r}; {HOW}")
    try:
        _check_version(path, told)
        found = Weights(
            path, told["game"], told["network"], json.loads(told["sizes"]), tensors, json.loads(told["facts"])
        )
    except (KeyError, json.JSONDecodeError) as error:
        raise WeightsError(f"{path} is damaged or no file of weights: {error!r}; {HOW}") from error
    if found.network == MOVES:
        _check_parts(found)
    return found


def _check_version(path: Path, told: dict[str, str]) -> None:
    """The network must have been made for the game as it is here."""
    module = get_game(told["game"])
    if told["env"] != module.ENV_VERSION:
        raise WeightsError(
            f"{path} was trained on {told['game']} {told['env']}, this is {module.ENV_VERSION}: the rules have changed since; "
            "train again, or use the version of this project that made it"
        )
    if told["layout"] != layout_of(told["game"]):
        raise WeightsError(
            f"{path} was trained with other numbers for actions or observations (layout {told['layout']}, here "
            f"{layout_of(told['game'])}); train again, or use the version of this project that made it"
        )


def _check_parts(found: Weights) -> None:
    wanted: dict[str, tuple[int, ...]] = {f"parts.{name}": (n_in, n_out) for name, n_in, n_out, _ in network.PARTS}
    wanted |= {f"parts.{name}_bias": (n_out,) for name, _, n_out, has_bias in network.PARTS if has_bias}
    shapes = {name: tensor.shape for name, tensor in found.tensors.items()}
    if shapes != wanted:
        wrong = sorted(name for name in wanted.keys() | shapes.keys() if wanted.get(name) != shapes.get(name))
        raise WeightsError(
            f"{found.path}: {wrong[0]} has the shape {shapes.get(wrong[0])}, {wanted.get(wrong[0])} is needed"
        )
    if not all(np.isfinite(tensor).all() for tensor in found.tensors.values()):
        raise WeightsError(f"{found.path}: some weights are not numbers; the run that made it has failed")
