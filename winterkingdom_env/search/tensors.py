"""Arrays of float32 in safetensors files: eight bytes with the header's length, the header as JSON, then the numbers.

The format is that of the package safetensors, which reads and writes the same files. Here everything that a file says about itself is checked
against its size before anything is made of it, and what is wrong is told by the array's name.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.files import MB, read_limited, write_whole
from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import quoted

MOST_BYTES = 256 * MB
LONGEST_HEADER = MB
MOST_AXES = 8
METADATA, KIND = "__metadata__", "F32"
LENGTH = 8  # bytes that hold the header's length
ALIGNMENT = 8  # bytes; the numbers begin at a multiple of it
Tensors = dict[str, NDArray[np.float32]]


class TensorsError(ValueError):
    """A file that holds no arrays of float32; the message is one sentence without the file's name."""


def write_tensors(path: Path, tensors: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    """Write arrays and texts to a file, whole or not at all; the same ones give the same bytes."""
    header: dict[str, Any] = {METADATA: dict(sorted(texts.items()))}
    parts, place = [], 0
    for name, array in sorted(tensors.items()):
        part = np.ascontiguousarray(array, "<f4").tobytes()
        header[name] = {"dtype": KIND, "shape": list(np.shape(array)), "data_offsets": [place, place + len(part)]}
        parts.append(part)
        place += len(part)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-(LENGTH + len(head)) % ALIGNMENT)
    if len(head) > LONGEST_HEADER or LENGTH + len(head) + place > MOST_BYTES:
        raise OSError(errno.EFBIG, f"the network is larger than {MOST_BYTES // MB} MB, the most that is read again")
    write_whole(path, b"".join([len(head).to_bytes(LENGTH, "little"), head, *parts]))


def read_tensors(path: Path) -> tuple[Tensors, dict[str, str]]:
    """The arrays and texts of a file; TensorsError if it holds something else, OSError if it cannot be read."""
    content = read_limited(path, MOST_BYTES)
    size = int.from_bytes(content[:LENGTH], "little")
    if len(content) < LENGTH or size > len(content) - LENGTH:
        raise TensorsError(f"its header should have {size:,} bytes, the whole file has {len(content):,}")
    if size > LONGEST_HEADER:
        raise TensorsError(f"its header has {size:,} bytes, at most {LONGEST_HEADER:,} are read")
    try:
        header = parse_json(content[LENGTH : LENGTH + size])
    except JsonError as error:
        raise TensorsError(f"its header cannot be read: {error}") from None
    if not isinstance(header, dict):
        raise TensorsError("its header is no object")
    texts = header.pop(METADATA, {})
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise TensorsError(f"{METADATA} in its header holds something else than texts")
    return _read_arrays(header, content[LENGTH + size :]), texts


def _read_arrays(header: dict[str, Any], numbers: bytes) -> Tensors:
    places = {name: _place(name, entry) for name, entry in header.items()}
    found: Tensors = {}
    end = 0
    for name, (shape, begin, stop) in sorted(places.items(), key=lambda item: item[1][1:]):
        if begin != end or stop > len(numbers):
            raise TensorsError(f"{quoted(name)} should stand at bytes {begin:,} to {stop:,}, where it cannot be")
        found[name] = np.frombuffer(numbers[begin:stop], "<f4").astype(np.float32).reshape(shape)
        end = stop
    if end != len(numbers):
        raise TensorsError(f"{len(numbers) - end:,} bytes at its end belong to nothing")
    return found


def _place(name: str, entry: Any) -> tuple[tuple[int, ...], int, int]:
    """Shape, first byte and end of an array as the header tells them."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise TensorsError(f"{quoted(name)} is described by {quoted(entry)}; dtype, shape and data_offsets are needed")
    if entry["dtype"] != KIND:
        raise TensorsError(f"{quoted(name)} has the dtype {quoted(entry['dtype'])}, {KIND} is needed")
    shape, offsets = entry["shape"], entry["data_offsets"]
    if not _is_numbers(shape) or len(shape) > MOST_AXES or not _is_numbers(offsets) or len(offsets) != 2:
        raise TensorsError(f"{quoted(name)} has the shape {quoted(shape)} at {quoted(offsets)}, which is none")
    if offsets[1] - offsets[0] != 4 * math.prod(shape):
        raise TensorsError(
            f"{quoted(name)} has {offsets[1] - offsets[0]:,} bytes, its shape {quoted(shape)} needs others"
        )
    return tuple(shape), offsets[0], offsets[1]


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(type(number) is int and number >= 0 for number in value)


def digest_of(tensors: Mapping[str, Any]) -> str:
    """A text that changes with any name, shape or number."""
    digest = hashlib.sha256()
    for name, array in sorted(tensors.items()):
        digest.update(json.dumps([name, KIND, list(np.shape(array))]).encode())
        digest.update(np.ascontiguousarray(array, "<f4").tobytes())
    return digest.hexdigest()
