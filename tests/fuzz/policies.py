"""Policy files with something changed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.mutate import check_told, dumped, mutate_bytes, mutate_plain, strange
from winterkingdom_env.games import GAMES
from winterkingdom_env.search.tensors import digest_of
from winterkingdom_env.search.weights import WeightsError, load_weights, shipped_file

GAME = next(iter(GAMES))


class Policies:
    """Policy files with something changed: refused with a reason, or every weight is a number and in its place."""

    def __init__(self, folder: Path) -> None:
        """The shipped network."""
        self.file = folder / "policy.safetensors"
        content = shipped_file(GAME).read_bytes()
        size = int.from_bytes(content[:8], "little")
        self.header, self.numbers = json.loads(content[8 : 8 + size]), content[8 + size :]
        self.shipped = load_weights(shipped_file(GAME))

    def attempt(self, seed: int) -> str:
        """Change the file and load it."""
        rng = random.Random(seed)
        self.file.write_bytes(self._changed(rng))
        try:
            found = load_weights(self.file)
        except WeightsError as error:
            check_told(error)
            return "refused"
        finally:
            self.file.unlink()
        flat = found.flat()
        assert np.isfinite(flat).all() and len(flat) == len(self.shipped.flat())
        assert found.digest == digest_of(found.tensors)
        return "the same" if np.array_equal(flat, self.shipped.flat()) else "other weights"

    def _changed(self, rng: random.Random) -> bytes:
        header, numbers = self.header, self.numbers
        size: int | None = None
        match rng.randrange(6):
            case 0:
                numbers = self._other_numbers(rng)
            case 1:  # with the digest of what is there now
                numbers = self._other_numbers(rng)
                header = self._with_digest(numbers)
            case 2:
                header = mutate_plain(rng, header)
            case 3:
                told = mutate_plain(rng, header["__metadata__"])
                header = {**header, "__metadata__": told}
                if isinstance(told, dict) and rng.random() < 0.5:
                    inner = mutate_plain(rng, json.loads(self.header["__metadata__"]["facts"]))
                    header = {
                        **header,
                        "__metadata__": {**told, rng.choice(("facts", "sizes")): dumped(rng, inner).decode("latin-1")},
                    }
            case 4:
                size = rng.choice((0, 1, 2**63, 2**64 - 1, 10**9, rng.randrange(5000)))
            case _:
                head = json.dumps(header).encode()
                return mutate_bytes(rng, len(head).to_bytes(8, "little") + head + numbers)
        head = dumped(rng, header)
        return (len(head) if size is None else size).to_bytes(8, "little") + head + numbers

    def _other_numbers(self, rng: random.Random) -> bytes:
        values = np.frombuffer(self.numbers, "<f4").copy()
        value: Any = strange(rng)
        number = (
            float(value)
            if isinstance(value, int | float) and abs(value) < 1e300
            else rng.choice((np.nan, np.inf, -np.inf))
        )
        with np.errstate(over="ignore"):
            values[rng.randrange(len(values))] = number
        return values.tobytes()

    def _with_digest(self, numbers: bytes) -> dict[str, Any]:
        tensors = {
            name: np.frombuffer(numbers[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
            for name, entry in self.header.items() if name != "__metadata__"
        }  # fmt: skip
        return {**self.header, "__metadata__": {**self.header["__metadata__"], "digest": digest_of(tensors)}}
