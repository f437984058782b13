"""A strict parser for untrusted JSON."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

import numpy as np

from winterkingdom_env.core.plain_text import quoted, shortened

DEEPEST = 64  # nesting levels of lists and objects
MOST_DIGITS = 400  # of an integer
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class JsonError(ValueError):
    """Invalid or rejected JSON; the message is one sentence without the file's name."""


def depth(content: bytes) -> int:
    """The nesting depth of lists and objects in JSON, which may be invalid otherwise."""
    brackets = np.frombuffer(STRING.sub(b"", content).translate(None, NO_BRACKETS), np.uint8)
    if not len(brackets):
        return 0
    steps = np.where((brackets == ord("[")) | (brackets == ord("{")), np.int8(1), np.int8(-1))
    return int(np.cumsum(steps, dtype=np.int32).max())


def parse_json(content: bytes) -> Any:
    """Parse JSON. Raises JsonError if it is invalid, nested deeper than ``DEEPEST``, or has duplicate keys or unusable text or numbers."""
    if depth(content) > DEEPEST:
        raise JsonError(f"lists and objects are nested more than {DEEPEST} deep")
    try:
        found = json.loads(
            content.decode(),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_int,
        )
        if SURROGATE.search(content):
            json.dumps(found, ensure_ascii=False).encode()
    except JsonError:
        raise
    except UnicodeDecodeError as error:
        raise JsonError(f"byte {error.start} (0x{content[error.start]:02x}) is not UTF-8") from None
    except UnicodeEncodeError:
        raise JsonError("a string has an unpaired surrogate") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}" if error.lineno > 1 else f"character {error.colno}"
        raise JsonError(f"not valid JSON: {error.msg} ({where})") from None
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # add gives None
        raise JsonError(f"an object has the key {quoted(twice)} twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise JsonError(f"{shortened(text)} is too large for a number")
    return value


def _int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise JsonError(f"{shortened(text)} is too large for a number")
    return int(text)
