"""What a seat could send and print: answers, forged answers, damaged frames and noise, in pieces of any size."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import random
import re
import socket
import struct
from pathlib import Path
from typing import Any

from agents.frames import HEADER, LARGEST, LONGEST_ANSWER, MAGIC, framed
from agents.line import Answer, DeskError, HungUpError, Line

STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
KEYS = ("action", "odd", "raised", "refused", "seconds", "Action", "", "\ud800", "__class__", "x" * 9000)
TEXTS = ("", "boom", "\ud800", "\x1b[31m", "\u202e", "x" * 70_000, "[red]:smile:[/red]", "\0")
NUMBERS = (0, -1, 7, 2**53, 2**53 + 1, -(2**64), 10**400, 0.5, -0.0, 1e308, math.nan, math.inf, -math.inf, True, None)
MOST_PIECES = 6


class Messages:
    """Whatever comes over a line is an answer or a forfeit."""

    def __init__(self, folder: Path) -> None:
        """Nothing is written to the folder."""

    def attempt(self, seed: int) -> str:
        """Send something and read it as the arena does: "answer" or "forfeit"."""
        rng = random.Random(seed)
        is_honest = rng.random() < 0.1
        data = framed(honest(rng)) if is_honest else forged(rng)
        near, far = socket.socketpair()
        output, printed = os.pipe()
        line = Line(near, output, "seat")
        far.setblocking(False)
        shown = io.StringIO()
        try:
            with contextlib.redirect_stderr(shown):
                os.write(printed, noise(rng, 2000))
                got = hear(rng, line, far, data)
                line.flush()
        finally:
            line.close()
            far.close()
            os.close(printed)
        assert not STEERS.search(shown.getvalue()), "what a seat printed could steer a terminal"
        assert got is not None or not is_honest, f"an honest answer was refused: {data[:200]!r}"
        if got is None:
            return "forfeit"
        check(got)
        return "answer"


def hear(rng: random.Random, line: Line, far: socket.socket, data: bytes) -> Answer | None:
    """Send the data in pieces and read after each; None for a forfeit, that for half a message by its deadline included."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(MOST_PIECES)))
    pieces = [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    try:
        for piece in pieces:
            with contextlib.suppress(BlockingIOError):  # a flood: the rest does not fit
                far.send(piece)
            for _ in range(2 + len(piece) // 1000):
                answer = line.exchange(0.0)
                if answer is not None:
                    return answer
        if rng.random() < 0.5:
            far.close()
            line.exchange(0.0)
    except DeskError as error:
        assert error.kind in ("message", "output"), error
        assert len(error.reason) < 1000, "a reason is a sentence"
        error.reason.encode()
    except HungUpError:
        pass
    return None


def check(answer: Answer) -> None:
    """An answer holds what it says and nothing else."""
    assert answer.action is None or (type(answer.action) is int and abs(answer.action) <= LARGEST)
    assert answer.seconds is None or (math.isfinite(answer.seconds) and answer.seconds >= 0)
    for text in (answer.odd, answer.raised, answer.refused):
        assert text is None or text.encode() is not None


def honest(rng: random.Random) -> bytes:
    """An answer as a seat's process makes it."""
    told: dict[str, Any] = {"seconds": rng.random()}
    told |= rng.choice([{"action": rng.randrange(1000)}, {"raised": "RuntimeError: boom"}, {"odd": "None"}])
    return json.dumps(told).encode()


def forged(rng: random.Random) -> bytes:
    """Bytes that no seat's process should send."""
    kind = rng.randrange(6)
    if kind == 0:
        return noise(rng, 300)
    if kind == 1:  # a forged header
        magic = rng.choice([MAGIC, MAGIC[::-1], b"WKS2", noise(rng, 4).ljust(4)])
        return HEADER.pack(magic, rng.choice([0, 1, LONGEST_ANSWER, LONGEST_ANSWER + 1, 2**31, 2**32 - 1])) + noise(
            rng, 50
        )
    if kind == 2:  # a damaged frame
        return damaged(rng, framed(honest(rng)))
    if kind == 3:  # several frames
        return b"".join(framed(honest(rng)) for _ in range(rng.randrange(2, 5)))
    if kind == 4:  # nested
        opening = rng.choice([b"[", b'{"action":', b'{"x":[', b'{"odd":['])
        return framed(opening * rng.choice([2, 1000, 5000]))
    return framed(damaged(rng, forged_json(rng)) if rng.random() < 0.3 else forged_json(rng))


def forged_json(rng: random.Random) -> bytes:
    """JSON that is nearly an answer."""
    values: list[Any] = [*TEXTS, *NUMBERS, [], {}, [1], {"action": 1}]
    told = {rng.choice(KEYS): rng.choice(values) for _ in range(rng.randrange(4))}
    return json.dumps(rng.choice([told, told, told, rng.choice(values)])).encode()


def damaged(rng: random.Random, data: bytes) -> bytes:
    """The same with something wrong: bytes changed, left out, put in, or the length forged."""
    held = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(held) + 1)
        kind = rng.randrange(4)
        if kind == 0 and place < len(held):
            held[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del held[place : place + rng.randrange(1, 20)]
        elif kind == 2:
            held[place:place] = noise(rng, 8)
        elif len(held) >= HEADER.size:
            struct.pack_into(">I", held, 4, rng.choice([0, len(held), rng.randrange(2**32)]))
    return bytes(held)


def noise(rng: random.Random, most: int) -> bytes:
    """Random bytes, at most so many."""
    return rng.randbytes(rng.randrange(most + 1))
