"""Files of network weights (safetensors, without code), and their validation."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import one_line, quoted
from winterkingdom_env.games import get_game, named_game
from winterkingdom_env.search.network import parts_of
from winterkingdom_env.search.tensors import Tensors, TensorsError, digest_of, read_tensors, write_tensors
from winterkingdom_env.search.turn_network import turn_parts

FORMAT, WITHOUT_DIGEST = "winterkingdom_env policy 2", "winterkingdom_env policy 1"
TEXTS = ("format", "game", "env", "layout", "network", "sizes", "facts")
SIZES: dict[str, tuple[str, ...]] = {
    "moves": (),
    "turn": (),
    "conv": ("channels", "layers"),
    "flat": ("width",),
}  # of each network
LARGEST_SIZE = 4096
SHIPPED = Path(__file__).parent / "shipped"  # a file per game
MOVES, TURN = "moves", "turn"  # the networks that kernels know: of actions, and of turn ends
PARTS = {MOVES: parts_of, TURN: turn_parts}
NEEDED_BY = {MOVES: "a search, or the agent policy, in kernels", TURN: "the agent turn"}
HOW = "winterkingdom train writes such files"


class WeightsError(ValueError):
    """A file without a usable network."""


@dataclass(frozen=True)
class Weights:
    """A network from a file. ``facts``: information from its trainer."""

    path: Path
    game: str
    network: str
    sizes: dict[str, int]
    tensors: dict[str, NDArray[np.float32]]
    facts: dict[str, Any]

    @property
    def digest(self) -> str:
        """The digest of the weights, as stored in the file."""
        return digest_of(self.tensors)

    def flat(self, network: str = MOVES) -> NDArray[np.float32]:
        """All weights in the order of the kernels. Raises WeightsError if this is not the kind of network that is needed."""
        if self.network != network:
            raise WeightsError(
                f"{self.path} holds a {self.network!r} network; {NEEDED_BY[network]} needs a {network!r} network"
            )
        found = []
        for name, n_in, n_out, has_bias, _ in PARTS[network](get_game(self.game).World):
            found.append(self.tensors[f"parts.{name}"].reshape(n_in * n_out))
            if has_bias:
                found.append(self.tensors[f"parts.{name}_bias"].reshape(n_out))
        return np.concatenate(found).astype(np.float32)


def shipped_file(game: str, name: str = "") -> Path:
    """The file of the network that is shipped for a game, the first or one with a name. Raises WeightsError if there is none."""
    first = get_game(game).NAME
    path = SHIPPED / f"{first}{'-' * bool(name)}{name}.safetensors"
    if not path.is_file():
        others = [found.stem.removeprefix(f"{first}-") for found in sorted(SHIPPED.glob(f"{first}-*.safetensors"))]
        which, there = f" {quoted(name)}" * bool(name), f"; further ones are: {', '.join(others)}" * bool(others)
        raise WeightsError(
            f"no network{which} is shipped for {game}{there}; train one with "
            f"'winterkingdom train{' turn' * (name == TURN)} --game {game}' and give its path"
        )
    return path


def layout_of(game: str, network: str = MOVES) -> str:
    """A short digest of the layout of what a network of this kind reads of a game."""
    module = get_game(game)
    if network == TURN:
        told: list[Any] = [list(module.STANDING), [list(part[:4]) for part in turn_parts(module.World)]]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
    spec = module.OBSERVATION
    told = [
        [plane.name for plane in spec.planes],
        [[field.name, int(field.kind), field.size, field.count, field.scale] for field in spec.fields],
        module.N_ACTIONS, module.FEATURES, [list(part[:4]) for part in parts_of(module.World)],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def save_weights(
    path: Path, game: str, name: str, sizes: dict[str, int], tensors: dict[str, Any], facts: dict[str, Any]
) -> None:
    """Write a network to a file atomically; ``tensors``: arrays by name."""
    told = {
        "format": FORMAT, "game": game, "env": get_game(game).ENV_VERSION, "layout": layout_of(game, name), "network": name,
        "sizes": json.dumps(sizes), "facts": json.dumps(facts), "digest": digest_of(tensors),
    }  # fmt: skip
    write_tensors(path, tensors, told)


def load_weights(path: str | Path) -> Weights:
    """The network in a file. Raises WeightsError, saying why and what would work, if it cannot be used."""
    path = Path(path)
    tensors, told = _read(path)
    if told.get("format") == WITHOUT_DIGEST:
        raise WeightsError(
            f"{path} was written by version 0.4.0: the rules have changed since; train again, or use the version of this project that made it"
        )
    found = _checked(path, tensors, told)
    if told.get("digest") != digest_of(tensors):
        raise WeightsError(
            f"{path} is damaged: the digest does not fit its weights; restore it from a copy, or train again"
        )
    return found


def _read(path: Path) -> tuple[Tensors, dict[str, str]]:
    """Arrays and texts of a file, unchecked."""
    try:
        return read_tensors(path)
    except FileNotFoundError:
        raise WeightsError(f"{path} is not a file; {HOW}") from None
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror}; {HOW}") from None
    except TensorsError as error:
        raise WeightsError(f"{path} is damaged or not a file of weights: {error}; {HOW}") from None


def _checked(path: Path, tensors: Tensors, told: dict[str, str]) -> Weights:
    """The network, after all checks except the digest."""
    if told.get("format") != FORMAT:
        raise WeightsError(f"{path} is a safetensors file of something else, not {FORMAT!r}; {HOW}")
    missing = [name for name in TEXTS if name not in told]
    if missing:
        raise WeightsError(f"{path} is damaged or not a file of weights: it lacks {missing[0]}; {HOW}")
    try:
        _check_version(path, told)
        sizes, facts = (parse_json(told[name].encode()) for name in ("sizes", "facts"))
    except JsonError as error:
        raise WeightsError(f"{path} is damaged or not a file of weights: {error}; {HOW}") from None
    if not isinstance(facts, dict):
        raise WeightsError(f"{path}: facts is {quoted(facts)}, an object is needed; {HOW}")
    _check_sizes(path, told["network"], sizes)
    if told["network"] in PARTS:
        check_shapes(path, tensors, _shapes_of(told["game"], told["network"]))
    for name, tensor in sorted(tensors.items()):
        if not np.isfinite(tensor).all():
            n = int((~np.isfinite(tensor)).sum())
            raise WeightsError(
                f"{path}: {n} weights of {quoted(name)} are not numbers; the run that made it has failed"
            )
    return Weights(path, told["game"], told["network"], sizes, tensors, facts)


def _check_sizes(path: Path, name: str, sizes: Any) -> None:
    """Check the name of the network, and that its sizes are reasonable."""
    if name not in SIZES:
        raise WeightsError(f"{path}: no network is called {quoted(name)}; the networks are: {', '.join(SIZES)}")
    if not isinstance(sizes, dict) or not set(sizes) <= set(SIZES[name]):
        raise WeightsError(
            f"{path}: sizes is {quoted(sizes)}; a {name!r} network has: {', '.join(SIZES[name]) or 'none'}"
        )
    for size, value in sizes.items():
        if type(value) is not int or not 1 <= value <= LARGEST_SIZE:
            raise WeightsError(f"{path}: {size} is {quoted(value)}, a number from 1 to {LARGEST_SIZE} is needed")


def _check_version(path: Path, told: dict[str, str]) -> None:
    """Check that the network was trained for this version of the game."""
    try:
        module = named_game(told["game"])
    except ValueError as error:
        raise WeightsError(f"{path}: {one_line(str(error), 200)}") from None
    if told["env"] != module.ENV_VERSION:
        raise WeightsError(
            f"{path} was trained on {told['game']} {one_line(told['env'], 20)}, this is {module.ENV_VERSION}: the rules have changed since; "
            "train again, or use the version of this project that made it"
        )
    layout = layout_of(told["game"], told["network"])
    if told["layout"] != layout:
        raise WeightsError(
            f"{path} was trained with another layout of actions or observations (layout {one_line(told['layout'], 20)}, here "
            f"{layout}); train again, or use the version of this project that made it"
        )


def _shapes_of(game: str, network: str) -> dict[str, tuple[int, ...]]:
    parts = PARTS[network](get_game(game).World)
    shapes: dict[str, tuple[int, ...]] = {f"parts.{part.name}": (part.n_in, part.n_out) for part in parts}
    return shapes | {f"parts.{part.name}_bias": (part.n_out,) for part in parts if part.has_bias}


def check_shapes(path: Path, tensors: Tensors, wanted: dict[str, tuple[int, ...]]) -> None:
    """Raise WeightsError, naming the array, unless names and shapes are exactly those of the network."""
    for name in sorted(wanted.keys() | tensors.keys()):
        if name not in tensors:
            raise WeightsError(f"{path}: {name} is missing, with the shape {wanted[name]}")
        if name not in wanted:
            raise WeightsError(f"{path}: {quoted(name)} is not an array of this network")
        if tensors[name].shape != wanted[name]:
            raise WeightsError(f"{path}: {name} has the shape {tensors[name].shape}, {wanted[name]} is needed")
