"""Float32 arrays in safetensors files: eight bytes with the header's length, the header as JSON, then the data.

The package safetensors reads and writes the same format. This module checks everything in the header against the file's size before it
allocates anything, and names the array in its errors.
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
ALIGNMENT = 8  # bytes; the data start at a multiple of it
Tensors = dict[str, NDArray[np.float32]]


class TensorsError(ValueError):
    """A file without valid float32 arrays; the message is one sentence without the file's name."""


def write_tensors(path: Path, tensors: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    """Write arrays and texts to a file atomically; the same content gives the same bytes."""
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
        raise OSError(errno.EFBIG, f"the network is larger than {MOST_BYTES // MB} MB, the limit for reading it again")
    write_whole(path, b"".join([len(head).to_bytes(LENGTH, "little"), head, *parts]))


def read_tensors(path: Path) -> tuple[Tensors, dict[str, str]]:
    """The arrays and texts of a file. Raises TensorsError if it is invalid, OSError if it cannot be read."""
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
        raise TensorsError("its header is not a JSON object")
    texts = header.pop(METADATA, {})
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise TensorsError(f"{METADATA} in its header has values that are not text")
    return _read_arrays(header, content[LENGTH + size :]), texts


def _read_arrays(header: dict[str, Any], numbers: bytes) -> Tensors:
    places = {name: _place(name, entry) for name, entry in header.items()}
    found: Tensors = {}
    end = 0
    for name, (shape, begin, stop) in sorted(places.items(), key=lambda item: item[1][1:]):
        if begin != end or stop > len(numbers):
            raise TensorsError(f"{quoted(name)} is at bytes {begin:,} to {stop:,}, which is not possible in this file")
        found[name] = np.frombuffer(numbers[begin:stop], "<f4").astype(np.float32).reshape(shape)
        end = stop
    if end != len(numbers):
        raise TensorsError(f"{len(numbers) - end:,} bytes at its end belong to no array")
    return found


def _place(name: str, entry: Any) -> tuple[tuple[int, ...], int, int]:
    """Shape, first byte and end of an array, from the header."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise TensorsError(f"{quoted(name)} is described by {quoted(entry)}; dtype, shape and data_offsets are needed")
    if entry["dtype"] != KIND:
        raise TensorsError(f"{quoted(name)} has the dtype {quoted(entry['dtype'])}, {KIND} is needed")
    shape, offsets = entry["shape"], entry["data_offsets"]
    if not _is_numbers(shape) or len(shape) > MOST_AXES or not _is_numbers(offsets) or len(offsets) != 2:
        raise TensorsError(f"{quoted(name)} has the shape {quoted(shape)} at {quoted(offsets)}, which is invalid")
    if offsets[1] - offsets[0] != 4 * math.prod(shape):
        raise TensorsError(
            f"{quoted(name)} has {offsets[1] - offsets[0]:,} bytes, which do not fit its shape {quoted(shape)}"
        )
    return tuple(shape), offsets[0], offsets[1]


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(type(number) is int and number >= 0 for number in value)


def digest_of(tensors: Mapping[str, Any]) -> str:
    """A digest of all names, shapes and numbers."""
    digest = hashlib.sha256()
    for name, array in sorted(tensors.items()):
        digest.update(json.dumps([name, KIND, list(np.shape(array))]).encode())
        digest.update(np.ascontiguousarray(array, "<f4").tobytes())
    return digest.hexdigest()
