"""What a hostile or broken browser could ask over HTTP: addresses, headers, and bytes that are no request."""

from __future__ import annotations

import random
from urllib.parse import quote

from tests.fuzz.mutate import dumped, mutate_bytes, strange
from tests.fuzz.web_requests import MB, Asked, Scene, new_game, study, upload
from tests.fuzz.web_server import handshake

METHODS = ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT", "HEAD", "get", "BREW", "X" * 300, "__init__")
OUTSIDE = ("etc/passwd", "{bait}", "app.py", "../app.py", "games", "table.json")
UPS = (
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..\\",
    "..%5c",
    "....//",
    "%c0%ae%c0%ae/",
    "..%00/",
    "/",
    "//",
    "./",
    "%252e%252e%252f",
    "C:\\",
)
SUFFIXES = (
    "",
    "%00",
    "%00.css",
    "/",
    "/.",
    "?",
    "%20",
    "%0d%0aX-More: 1",
    "%ff",
    "\\",
    ";x",
    "#",
    "%F0%9F%92%A9",
    "%u002e",
    "/" * 300,
    "a" * 5000,
)
QUERIES = ("", "?", "?viewer=", "?viewer=-1", "?viewer=0", "?viewer=99999999999", "?viewer=%D9%A1", "?viewer=1e3", "?viewer=%00", "?viewer=0&viewer=7", "?" + "a=1&" * 3000,
           "?game=winter_kingdom&players=2", "?game=dominion&players=-1", "?game=os:system", "?game=%ff%fe&players=999999999", "?game=&players=", "?x[]=1&;%", "?players=0&game=dominion")  # fmt: skip
HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.1:1@evil.example",
    "",
    "\xff\xfe",
    "x" * 9000,
    "[::2]:{port}",
    "127.0.0.2:{port}",
    "0x7f.1:{port}",
)
ORIGINS = (
    None,
    "",
    "null",
    "http://evil.example",
    "http://{host}.evil.example",
    "http://{host}1",
    "http://{host}/",
    "http://x@{host}",
    "://",
    "{host}",
    "http://127.0.0.1",
    "file://",
    "http://{host}, http://evil.example",
)
EXTRA = ("Range: bytes=0-", "Range: bytes=-1", "Range: bytes=9-2", "Range: bytes=99999999999999999999-", "Range: lines=1-2", "Range: bytes=" + ",".join(f"{i}-{i}" for i in range(500)),
         "Range: bytes=a-b", "If-Range: x\r\nRange: bytes=0-5", "If-None-Match: *", "If-Modified-Since: yesterday", "If-Modified-Since: Thu, 01 Jan 99999 00:00:00 GMT",
         "Accept-Encoding: gzip;q=nan", "Transfer-Encoding: chunked", "Content-Length: -5", "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 99999999999999999999",
         "Expect: 100-continue", "Upgrade: h2c", "Cookie: " + "a=b;" * 3000, "X-Forwarded-Host: evil.example", "X-Forwarded-For: ::1, \xff", "Content-Encoding: gzip", "X" * 3000 + ": 1", "a b: c",
         "Upgrade: websocket\r\nConnection: Upgrade", "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x")  # fmt: skip


def request(rng: random.Random, scene: Scene) -> Asked:
    """Any of them."""
    makers = (
        new_game,
        new_game,
        new_game,
        study,
        study,
        upload,
        upload,
        upload,
        upload,
        source,
        source,
        path,
        path,
        path,
        other_site,
        broken_off,
        odd,
        odd,
        raw,
    )
    return rng.choice(makers)(rng, scene)


def source(rng: random.Random, scene: Scene) -> Asked:
    """The film or the file of a record that one may not see, or that there is not."""
    victim = rng.choice(scene.victims).name
    known = rng.choice(scene.sources)
    name = rng.choice((f"game-{victim}", f"game-{victim}%00", f"file-{victim}", f"game-{victim.upper()}", f"game-..%2f{victim}", known, known + ".jsonl", f"file-..%2f..%2fgames%2f{victim}%2frecord",
                       f"arena-..-{victim}", "arena-a-..%2ftournament", "arena-a-..", "arena-a-.", "arena-x-..%2f..%2fx", "game-", f"file-{quote(scene.bait, safe='')}", "%00", "file-" + "\u0660" * 16, quote(str(strange(rng))[:2000], safe="")))  # fmt: skip
    never = name not in scene.sources
    return Asked(
        "GET",
        f"/api/{rng.choice(('film', 'record', 'record'))}/{quote(name, safe='%')}{rng.choice(QUERIES)}",
        never=never,
    )


def path(rng: random.Random, scene: Scene) -> Asked:
    """An address that leads out of where it should lead."""
    start = rng.choice(
        (
            "/static/",
            "/static/",
            "/static/",
            "/game/",
            "/replay/",
            "/tournament/",
            "/api/tournaments/",
            "/api/film/",
            "/api/",
            "/",
            "/ws/",
            "/api/surprise",
            "/api/games",
        )
    )
    up = "".join(rng.choice(UPS) for _ in range(rng.randrange(4)))
    end = rng.choice((*OUTSIDE, "page.css", "", quote(str(strange(rng))[:1000], safe="%/"))).replace(
        "{bait}", scene.bait
    )
    target = f"{start}{up}{end}{rng.choice(SUFFIXES)}{rng.choice(QUERIES)}"
    return Asked(
        rng.choice(("GET", "GET", "GET", "HEAD", *METHODS)),
        target,
        is_whole=is_plain(target),
        extra=[rng.choice(EXTRA[:10])] if rng.random() < 0.2 else [],
    )


def is_plain(target: str) -> bool:
    """Whether a target is one that HTTP allows, so that it is answered."""
    return target.isascii() and target.isprintable() and " " not in target


def other_site(rng: random.Random, scene: Scene) -> Asked:
    """A form or a socket that a page of another site sends."""
    port = scene.host.rpartition(":")[2]
    body = dumped(rng, {"game": "dominion", "seats": [{"agent": "greedy"}] * 2})
    asked = Asked("POST", rng.choice(("/api/games", "/api/study", "/api/records")), body, never=True)
    if rng.random() < 0.5:
        asked.host = rng.choice(HOSTS).format(port=port)
        asked.origin = rng.choice((None, f"http://{asked.host}", "-"))
        asked.method = rng.choice(("POST", "GET", "HEAD"))
    else:
        given = rng.choice(ORIGINS)
        asked.origin = "-" if given is None else given.format(host=scene.host)
        if rng.random() < 0.4:
            origin = None if asked.origin == "-" else asked.origin
            asked.data = handshake(scene.host, f"/ws/{rng.choice(scene.victims).name}", origin)
    return asked


def broken_off(rng: random.Random, scene: Scene) -> Asked:
    """A request whose end never comes, or that is too long."""
    where = rng.choice(("/api/games", "/api/study", "/api/records", "/", "/static/page.css"))
    body = rng.choice(
        (b"", b"{", rng.choice(scene.records), dumped(rng, {"game": "dominion", "seats": [{"agent": "greedy"}] * 2}))
    )
    if rng.random() < 0.3:
        return Asked("POST", where, b"x" * rng.choice((1 << 16, (1 << 16) + 1, 4 * MB, 5 * MB)), never=True)
    asked = Asked(
        "POST", where, body, never=True, is_whole=False, length=len(body) + rng.choice((1, 50, 10**6, 10**12))
    )
    if rng.random() < 0.3:
        sizes = (
            b"5\r\nab",
            b"zz\r\n",
            b"-1\r\n",
            b"ffffffffffffffff\r\n",
            b"5;x=" + b"y" * 9000,
            b"0\r\n",
            b"5\r\n{\n\n\n}XX0\r\n\r\n",
        )
        asked.extra, asked.body = ["Transfer-Encoding: chunked"], rng.choice(sizes)
    return asked


def odd(rng: random.Random, scene: Scene) -> Asked:
    """Methods, headers and queries that do not belong here."""
    target = rng.choice(
        (
            "/",
            "/api/about",
            "/api/games",
            "/api/surprise",
            "/api/tournaments",
            "/api/study",
            "/api/records",
            "/static/page.css",
            "/game/x",
            f"/ws/{scene.victims[0].name}",
            "*",
            "http://evil.example/",
            "x",
        )
    )
    method = rng.choice(("GET", "POST", *METHODS))
    extra = [rng.choice(EXTRA) for _ in range(rng.randrange(3))]
    body = b"" if rng.random() < 0.6 else dumped(rng, strange(rng))
    return Asked(method, target + rng.choice(QUERIES), body, extra=extra, is_whole=False)


def raw(rng: random.Random, scene: Scene) -> Asked:
    """The bytes of a request, some of them changed."""
    asked = rng.choice((new_game, study, upload, source, path))(rng, scene)
    said = rng.choice(
        (
            asked.bytes_for(scene),
            handshake(
                scene.host,
                f"/ws/{scene.victims[0].name}",
                scene.origin,
                key=rng.choice(("", "x", "dGhlIHNhbXBsZSBub25jZQ==")),
                version=rng.choice(("13", "8", "x")),
            ),
        )
    )
    data = mutate_bytes(rng, said[: 1 << 16]) or b"\0"
    return Asked("RAW", asked.target, is_whole=False, data=data * rng.choice((1, 1, 1, 3)))
