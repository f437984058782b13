"""Files and plain data with something changed, decided by a ``random.Random`` alone."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

INTERESTING = (b"\0", b"\xff", b'"', b"\\", b"{", b"}", b"[", b"]", b"\n", b"\r", b",", b":", b"-", b"9" * 50, b"1e400", b"NaN", b"\\ud800",
               b"\x1b[2J", b"\xed\xa0\x80", b"null", b" ", b"\xe2\x80\xa8")  # fmt: skip


def nested(n: int) -> list[Any]:
    """A list in a list in a list ..."""
    found: list[Any] = []
    for _ in range(n):
        found = [found]
    return found


def strange(rng: random.Random) -> Any:
    """A value that JSON can hold and nobody expects."""
    return rng.choice([
        None, True, False, 0, 1, -1, 2, 7, 10**6, 2**31, 2**63, 2**64, -(2**63), 10**39, 0.5, -0.0, 1e308, "", "x", "\0", "\x1b[2J", "é\u2028\n",
        "Knights", "random", "../../etc/passwd", "x" * 5000, [], {}, [None], [[]], {"a": 1}, {"": {}}, nested(rng.choice((5, 70))), [0] * 500,
        list(range(40)), "generated:7", "standard", "/dev/zero", "winter_kingdom", rng.randint(-10, 500), rng.random(),
    ])  # fmt: skip


def mutate_bytes(rng: random.Random, content: bytes) -> bytes:
    """The bytes with a few of them changed, gone, new or moved."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at, n = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 8, 100))
        match rng.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                del data[at : at + n]
            case 2:
                data[at:at] = rng.choice(INTERESTING)
            case 3:
                data[at:at] = data[at : at + n]
            case 4:
                data[at : at + n] = rng.randbytes(n)
            case _:
                del data[at if rng.random() < 0.2 else len(data) :]
    return bytes(data)


def mutate_plain(rng: random.Random, value: Any) -> Any:
    """Plain data with something in it replaced, gone, added, swapped or doubled."""
    found = [copy.deepcopy(value)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder, key = _somewhere(rng, found)
        match rng.randrange(6):
            case 0 if isinstance(holder, dict) or len(holder) > 1 or holder is not found:
                del holder[key]
            case 1 if isinstance(holder[key], list):
                holder[key] = holder[key] * 2 if rng.random() < 0.5 else holder[key][::-1]
            case 2 if isinstance(holder[key], dict):
                holder[key][rng.choice(("more", "seed", "", "format"))] = strange(rng)
            case 3 if isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
                holder[key] += rng.choice((-1, 1, 0.5, 2**32))
            case 4:
                other, place = _somewhere(rng, found)
                holder[key] = copy.deepcopy(other[place])
            case _:
                holder[key] = strange(rng)
    return found[0] if found else None


def _somewhere(rng: random.Random, found: list[Any]) -> tuple[Any, Any]:
    """A list or an object within, and one of its keys."""
    holder: Any = found
    key: Any = 0
    while isinstance(holder[key], list | dict) and holder[key] and rng.random() < 0.8:
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    return holder, key


def dumped(rng: random.Random, value: Any) -> bytes:
    """JSON, one way or another."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, separators=rng.choice(((",", ":"), (", ", ": "))))
    return text.encode(errors="surrogatepass")


def check_told(error: BaseException) -> str:
    """What an error says: one printable line that is not too long."""
    told = str(error)
    assert told and told.isprintable(), f"not one printable line: {told!r}"
    assert len(told) < 3000, f"{len(told)} characters"
    return told
