"""What a hostile or broken browser could say on a socket."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.fuzz.mutate import dumped, mutate_bytes, mutate_plain, strange
from tests.fuzz.web_games import Victim
from tests.fuzz.web_server import BINARY, CLOSE, HUGE, PING, PONG, TEXT, frame
from winterkingdom_env.games import get_game, name_of

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>"
BIG = 10**300
NUMBERS: tuple[Any, ...] = (-1, -2, 0, 1, 2, 5, 17, 2**31, 2**63, 2**64, -(2**63) - 1, BIG, 0.0, 1.5, -0.0, 1e308, float("nan"), float("inf"), True, False, None, "0", "", [0], {})  # fmt: skip
TEXTS = ("", " ", "done ", "\0", "\ud800", "\udfff\ud800", "é\u202e", MARKUP, "x" * 5000, "'; drop table games;--", "../../etc/passwd", "%s%n{0}",
         "os:system", "place r99c99", "place r-1c00", "house", "done\ndone", "c", None, 7, ["done"], {"done": 1})  # fmt: skip
RAW = (b"", b"null", b"[]", b"{}", b'"move"', b"{", b"\xef\xbb\xbf{}", b"[" * 60_000, b'{"type":' * 5000, b'{"type":"move","type":"join"}', b"1e999999",
       b'{"type":"think","on":1e400}', b'{"type":"move","n":' + b"9" * 5000 + b',"seat":0,"action":"done"}', b'{"type":"__class__"}', b" " * 60_000,
       b'{"type":"show","seat":NaN}', b'{"type":"join","tokens":{"\\ud800":"\\udfff"}}', b'{"type":"why","n":0,"seat":0,"spot":"\\u0000"}')  # fmt: skip
LIMIT = 1 << 16  # characters of a message
MOST_BYTES = 2 * LIMIT


def message(rng: random.Random, victim: Victim, others: Sequence[Victim]) -> dict[str, Any]:
    """One of the known messages, with fields that are right, nearly right, or of another game."""
    kind = rng.choice(("move", "move", "move", "why", "why", "why", "undo", "show", "pace", "think", "join"))
    seat: Any = victim.game.seat if rng.random() < 0.75 else rng.choice((0, 1, *NUMBERS))
    n: Any = victim.n if rng.random() < 0.8 else rng.choice((victim.n - 1, victim.n + 1, *NUMBERS))
    asked = {"n": n, "seat": seat}
    if kind == "move":
        return {"type": kind, **asked, "action": label(rng, victim, others)}
    if kind == "why":
        spots = [*victim.spots, *rng.choice(others).spots]
        about = (
            {"spot": rng.choice((*spots, MARKUP, "\0"))}
            if rng.random() < 0.5
            else {"action": label(rng, victim, others)}
        )
        return {"type": kind, **asked, **about}
    if kind == "undo":
        return {"type": kind, **asked}
    if kind == "show":
        return {"type": kind, "seat": rng.choice((0, 1, None, *NUMBERS))}
    if kind == "pace":
        fields = {
            "playing": rng.choice((True, False, *NUMBERS)),
            "delay": rng.choice((0, 5000, 5001, *NUMBERS)),
            "step": True,
        }
        return {"type": kind, **{name: fields[name] for name in fields if rng.random() < 0.6}}
    if kind == "think":
        return {"type": kind, "on": rng.choice((True, False, *NUMBERS))}
    return {"type": kind, "tokens": tokens(rng, victim, others)}


def label(rng: random.Random, victim: Victim, others: Sequence[Victim]) -> Any:
    """An action: legal now, of this game, of another game or position, or nothing like it."""
    chance = rng.random()
    if chance < 0.12 and victim.legal:
        return rng.choice(victim.legal)
    if chance < 0.5:
        return victim.game.label(rng.randrange(get_game(name_of(victim.game)).N_ACTIONS))
    if chance < 0.75:
        return rng.choice(rng.choice(others).legal or ["done"])
    return rng.choice(TEXTS)


def tokens(rng: random.Random, victim: Victim, others: Sequence[Victim]) -> dict[str, Any]:
    """Secrets of this game, of others, guessed, and no secrets."""
    told: dict[str, Any] = {}
    for _ in range(rng.randrange(4)):
        key = rng.choice(("0", "1", "c", "-1", "2", "", "00", " 0", "0.0", "\u0660", "1e0", "x" * 9000, MARKUP))
        other = rng.choice(others)  # the last of the secrets are hashes, as if somebody had read them
        told[key] = rng.choice((*victim.tokens.values(), *other.tokens.values(), victim.secrets[-1].decode(), *TEXTS))
    return told


def text_of(rng: random.Random, victim: Victim, others: Sequence[Victim]) -> bytes:
    """The content of a text frame."""
    chance = rng.random()
    if chance < 0.12:
        return rng.choice(RAW)
    said: Any = message(rng, victim, others)
    if chance < 0.5:
        said = mutate_plain(rng, said)
        if isinstance(said, dict) and rng.random() < 0.2:
            said[rng.choice(("more", "", "Type", "__proto__", "\ud800", MARKUP))] = strange(rng)
    content = dumped(rng, said)
    if chance > 0.8:
        content = mutate_bytes(rng, content)
    if chance > 0.98:  # as long as a message may be, and a little longer
        content += b" " * max(0, rng.choice((LIMIT - 1, LIMIT, LIMIT + 1, MOST_BYTES, MOST_BYTES + 1)) - len(content))
    return content


def flood(rng: random.Random) -> list[bytes]:
    """More messages than the server takes at once; all of them right, or none."""
    said = rng.choice((b'{"type":"think","on":false}', b'{"type":"show","seat":null}', b'{"type":"dance"}', b"{"))
    return [said] * 150


def first_message(rng: random.Random, victim: Victim, others: Sequence[Victim]) -> bytes:
    """Instead of a join."""
    chance = rng.random()
    if chance < 0.5:
        said: Any = {"type": "join", "tokens": tokens(rng, victim, others)}
        return dumped(rng, mutate_plain(rng, said) if rng.random() < 0.5 else said)
    if chance < 0.7:
        return mutate_bytes(rng, dumped(rng, {"type": "join", "tokens": dict(victim.tokens)}))
    return text_of(rng, victim, others)


# --- frames -----------------------------------------------------------------------------------------------------------


@cache
def bomb() -> bytes:
    """A message that grows when it is decompressed, as the extension permessage-deflate sends it."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (packer.compress(bytes(20 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def broken_frames(rng: random.Random, content: bytes) -> bytes:
    """Frames that no browser sends."""
    return rng.choice((
        lambda: frame(TEXT, content, is_masked=False),
        lambda: frame(rng.choice((3, 4, 7, 11, 15)), content),
        lambda: frame(TEXT, content, spare=rng.randrange(1, 8)),
        lambda: frame(TEXT, b'{"type":"show","seat":"\xed\xa0\x80\xff"}'),
        lambda: frame(0, content),  # the continuation of nothing
        lambda: frame(TEXT, content[:5], is_last=False) + frame(TEXT, content),
        lambda: frame(PING, b"x" * rng.choice((0, 125, 126, 70_000))) * 20,
        lambda: frame(PONG, b"who asked") * 50,
        lambda: frame(CLOSE, rng.choice((b"", b"\0", b"\0\0", b"\x03\xed", b"\x03\xe8\xff\xfe", b"\x27\x10gone", b"\x03\xe8" + b"x" * 200))) + frame(TEXT, content),
        lambda: bytes([0x80 | TEXT, 0x80 | HUGE]) + rng.choice((2**63 - 1, 2**64 - 1, 2**40, MOST_BYTES + 1)).to_bytes(8) + bytes(4) + content,
        lambda: frame(TEXT, b"x" * (MOST_BYTES + 1)),
        lambda: b"".join(frame(0 if i else TEXT, b" " * 5000, is_last=False) for i in range(40)),  # without an end
        lambda: frame(TEXT, bomb(), spare=4),
        lambda: frame(TEXT, content, spare=4),
        lambda: mutate_bytes(rng, frame(TEXT, content)),
        lambda: rng.randbytes(rng.randrange(1, 400)),
        lambda: frame(TEXT, content)[: rng.randrange(1, 12)],
        lambda: b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ))()  # fmt: skip


def in_pieces(rng: random.Random, content: bytes) -> bytes:
    """A text in one frame or several, with pings between."""
    if rng.random() < 0.7:
        return frame(TEXT, content)
    cuts = sorted(rng.randrange(len(content) + 1) for _ in range(rng.randrange(1, 4)))
    pieces = [content[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(content)], strict=True)]
    sent = b""
    for i, piece in enumerate(pieces):
        sent += frame(0 if i else TEXT, piece, is_last=i == len(pieces) - 1) + frame(PING, b"?") * rng.randrange(2)
    return sent


def odd_frame(rng: random.Random, content: bytes) -> bytes:
    """A frame that is valid, and that the server does not want."""
    return frame(BINARY, rng.choice((content, b"", rng.randbytes(300))))
