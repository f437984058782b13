"""What a hostile or broken browser could ask over HTTP."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests.fuzz.mutate import dumped, mutate_bytes, mutate_plain
from tests.fuzz.web_games import CONFIGS, Victim
from tests.fuzz.web_run import TRAP

MB = 1 << 20
KINDS = (
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "",
    "\xff",
    "application/json; charset=utf-16",
)
SEEDS = (0, 7, 2**53 - 1)
NO_SEEDS = (-1, 2**53, 2**64, 2**63, -(2**63), 10**400, 1.5, "7", True, [7], 1e308)
NO_SEATS: tuple[Any, ...] = (
    [], [{}], [{"agent": "greedy"}] * 9, [{"agent": "greedy"}] * 1000, None, "greedy", [[]], [{"person": "x" * 99}] * 2, [{"person": "a\u202e"}] * 2,
)  # fmt: skip
OPTIONS = ("boards", "house_rules", "kingdom", "sets", "twist", "num_players", "scoring", "economy", "__class__")


@dataclass
class Scene:
    """What may be attacked."""

    host: str
    origin: str
    bait: str  # the path of a file that must not be opened
    victims: Sequence[Victim]
    sources: Sequence[str]  # records that were opened
    records: Sequence[bytes]  # records, as files


@dataclass
class Asked:
    """A request. ``never``: it must not be carried out; ``is_whole``: an answer comes without hanging up."""

    method: str
    target: str
    body: bytes = b""
    never: bool = False
    is_whole: bool = True
    host: str | None = None
    origin: str | None = None
    extra: list[str] = field(default_factory=list)
    length: int | None = None  # that the request says, if it lies
    data: bytes = b""  # instead of all that

    def bytes_for(self, scene: Scene) -> bytes:
        """What is sent."""
        if self.data:
            return self.data
        said = f"{self.method} {self.target} HTTP/1.1\r\nHost: {scene.host if self.host is None else self.host}\r\nConnection: close\r\n"
        origin = scene.origin if self.origin is None else self.origin
        said += f"Origin: {origin}\r\n" if origin != "-" else ""
        names = [line.partition(":")[0].lower() for line in self.extra]
        if "content-length" not in names and "transfer-encoding" not in names:
            said += f"Content-Length: {len(self.body) if self.length is None else self.length}\r\n"
        return (said + "".join(f"{line}\r\n" for line in self.extra) + "\r\n").encode("latin-1", "replace") + self.body


# --- forms ------------------------------------------------------------------------------------------------------------


def hostile(rng: random.Random, scene: Scene) -> str:
    """A text that must never be the name of a game or an agent, or the value of an option."""
    bait = scene.bait
    return rng.choice((
        bait, f"file://{bait}", f"policy:path={bait}", f"search:network={bait}", "../../../../etc/passwd", "/etc/passwd", "os:system", "os.path:join", "subprocess:Popen",
        f"{TRAP}:RULES", f"agents.weights:{bait}", "examples.duels:RULES", "human", "__class__", f"generated:{'9' * 50}", f"random:{bait}", f"standard,{bait}", f"{bait}\0", "\x00",
        '[cards]\nx = 1\n', "{{7*7}}", "$(id)", "tests.fuzz.web_trap", "winterkingdom_env.games.dominion:RULES",
    ))  # fmt: skip


def new_game(rng: random.Random, scene: Scene) -> Asked:
    """A new game that is not as the form offers it."""
    seats = [{"agent": "greedy"}, {"person": "Ann"}]
    said: dict[str, Any] = {"game": rng.choice(list(CONFIGS)), "seats": seats, "options": {}, "seed": rng.choice(SEEDS)}
    if rng.random() < 0.6:
        return Asked("POST", "/api/games", dumped(rng, spoilt(rng, scene, said)), never=True, extra=kind_of(rng))
    if rng.random() < 0.8:
        said = mutate_plain(rng, said)
    else:
        said = {
            "seats": seats,
            "from": {"source": rng.choice(scene.sources), "at": rng.choice((0, 3, -1, 10**6, 2**70))},
        }
    content = dumped(rng, said)
    if rng.random() < 0.4:
        content = mutate_bytes(rng, content)
    return Asked("POST", "/api/games", content, extra=kind_of(rng))


def spoilt(rng: random.Random, scene: Scene, said: dict[str, Any]) -> dict[str, Any]:
    """A form of a new game with something in it that must be refused."""
    bad = hostile(rng, scene)
    match rng.randrange(7):
        case 0:
            return said | {"game": bad}
        case 1:
            sitting = rng.choice(
                ({"agent": bad}, {"agent": bad, "milliseconds": 5}, {"agent": "search", "milliseconds": 10**9})
            )
            return said | {"seats": [sitting, {"agent": "greedy"}]}
        case 2:
            return said | {"seed": rng.choice(NO_SEEDS)}
        case 3:
            return said | {"seats": rng.choice(NO_SEATS)}
        case 4:
            victim = f"game-{rng.choice(scene.victims).name}"
            source = rng.choice((victim, victim, bad, f"file-{bad}", "arena-../x", "file-" + "0" * 16))
            return {
                "seats": [{"agent": "greedy"}, {"agent": "greedy"}],
                "from": {"source": source, "at": rng.choice((0, 1))},
            }
    return said | {"options": {rng.choice((*OPTIONS, bad)): bad}}


def study(rng: random.Random, scene: Scene) -> Asked:
    """A position to think about, somewhere."""
    victim = f"game-{rng.choice(scene.victims).name}"
    agent = rng.choice(("greedy", "random", "search", "policy", "planner"))
    said: dict[str, Any] = {"source": rng.choice(scene.sources), "at": rng.choice((0, 1, 5)), "agent": agent}
    said |= {"milliseconds": 5} if agent == "search" else {}
    never = rng.random() < 0.6
    if never:
        bad = hostile(rng, scene)
        said |= rng.choice(({"source": victim}, {"source": bad}, {"source": f"file-{bad}"}, {"agent": bad}, {"at": -1}, {"at": 10**400}, {"at": "0"}, {"milliseconds": 0},
                            {"agent": "search", "milliseconds": 5001}, {"agent": "greedy", "milliseconds": 5}, {"more": 1}))  # fmt: skip
    elif rng.random() < 0.8:
        said = mutate_plain(rng, said)
    return Asked("POST", "/api/study", dumped(rng, said), never, extra=kind_of(rng))


def kind_of(rng: random.Random) -> list[str]:
    """The header with the kind of content, often a wrong one."""
    return [f"Content-Type: {rng.choice(KINDS)}"] if rng.random() < 0.7 else []


# --- records ----------------------------------------------------------------------------------------------------------


def upload(rng: random.Random, scene: Scene) -> Asked:
    """A record with something wrong."""
    lines = rng.choice(scene.records).splitlines(keepends=True)
    makers: tuple[Callable[[], tuple[bytes, bool]], ...] = (
        lambda: (mutate_bytes(rng, b"".join(lines)), False),
        lambda: (b"".join(changed_line(rng, lines)), False),
        lambda: (b"".join(changed_line(rng, lines)), False),
        lambda: (b"".join(lines[: rng.randrange(len(lines))]), False),
        lambda: (b"".join(lines)[: rng.randrange(len(lines[0]) * 2)], False),
        lambda: (b"".join([with_header(rng, scene, lines[0], "game"), *lines[1:]]), True),
        lambda: (b"".join([with_header(rng, scene, lines[0], "config"), *lines[1:]]), False),
        lambda: (b"".join(lines) + lines[1] * rng.choice((1, 5000)), True),
        lambda: (lines[0] + b"\n" * rng.choice((200_000, 3 * MB)), True),
        lambda: (lines[0] + b"[" * rng.choice((1000, MB)) + b"\n", True),
        lambda: (b"".join(lines) + b"x" * (4 * MB), True),
        lambda: (b"\x1f\x8b" + rng.randbytes(rng.randrange(200)), True),
        lambda: (bomb(lines[0], rng.choice((5, 63, 80)) * MB, rng.randrange(6)), True),
        lambda: (mutate_bytes(rng, gzip.compress(b"".join(lines), 1, mtime=0)), False),
    )
    body, never = rng.choice(makers)()
    return Asked("POST", "/api/records", body, never, extra=kind_of(rng))


def changed_line(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """The lines with one of them changed, gone, doubled or moved."""
    found, i = list(lines), rng.choice((0, len(lines) - 1, rng.randrange(len(lines))))
    match rng.randrange(4):
        case 0:
            found[i] = mutate_bytes(rng, found[i])
        case 1:
            j = rng.randrange(len(lines))
            found[i : i + rng.randrange(3)] = found[j : j + rng.randrange(3)]
        case _:
            found[i] = dumped(rng, mutate_plain(rng, json.loads(found[i]))) + b"\n"
    return found


def with_header(rng: random.Random, scene: Scene, line: bytes, part: str) -> bytes:
    """A header that names what the server should import or open."""
    header, bad = json.loads(line), hostile(rng, scene)
    if part == "game":
        header["game"] = rng.choice((bad, f"{TRAP}:RULES", "examples.duels:RULES"))
    else:
        header["config"][rng.choice(("boards", "house_rules", "kingdom"))] = rng.choice((bad, scene.bait, scene.bait))
        header["agents"] = rng.choice((header["agents"], [bad, bad], [bad]))
    return dumped(rng, header) + b"\n"


@cache
def bomb(first: bytes, n: int, kind: int) -> bytes:
    """A small file that grows when it is decompressed."""
    content = (bytes(n), first + b"\n" * n, first + b'{"a":1}\n' * (n // 8), first.rstrip(b"\n") + b" " * n)[kind % 4]
    once = gzip.compress(content, 1, mtime=0)
    return once if kind < 4 else gzip.compress(b"", mtime=0) * 2000 + once
