"""Some hundred attempts against a running server, and cheats that the checks after an attempt must find."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed: pip install -e '.[web]'")
pytest.importorskip("starlette")
pytest.importorskip("websockets")

from tests.fuzz import web_talk
from tests.fuzz.web import Web
from tests.fuzz.web_games import CONFIGS, Victim, check_victim, played
from tests.fuzz.web_run import FORBIDDEN
from tests.fuzz.web_server import TEXT, check_answer, check_printed, check_told
from tests.fuzz.web_talk import Conversation

EXPECTED = {"told", "ended", "closed", "moved", "limited", "GET 4xx", "POST 4xx", "POST 2xx"}
OK = b"HTTP/1.1 200 OK\r\ncontent-security-policy: x\r\n\r\n"


def test_attempts__some_hundred__nothing_fails(tmp_path: Path) -> None:
    part = Web(tmp_path)
    try:
        found = Counter(part.attempt(seed) for seed in range(300))
        again = [part.attempt(seed) for seed in (0, 7, 31)]
        assert again == [part.attempt(seed) for seed in (0, 7, 31)]  # the seed alone decides
        assert set(found) >= EXPECTED, found
        assert part.world is not None
        victim = list(part.world.victims.values())[1]
        victim.path.write_bytes(
            victim.content + step(victim, victim.legal[0])
        )  # as if the server had let a stranger move
        cheat = next(seed for seed in range(1000) if fails(part, seed))
        assert cheat < 50
    finally:
        part.end()


def fails(part: Web, seed: int) -> bool:
    try:
        part.attempt(seed)
    except AssertionError as error:
        return "a game was changed" in str(error)
    return False


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told",
    [
        b"HTTP/1.1 500 Internal Server Error\r\ncontent-security-policy: x\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\n\r\nno headers",
        OK + b'Traceback (most recent call last):\n  File "x.py", line 3, in f',
        OK + b"/lib/python3.11/site-packages/starlette",
        OK + b"your secret",
    ],
)
def test_answer__with_what_nobody_may_know__is_a_failure(told: bytes) -> None:
    with pytest.raises(AssertionError):
        check_answer(told, [b"secret"])


def test_answer__without__is_none() -> None:
    assert check_answer(OK + b"fine", [b"secret"]) == 200
    assert check_answer(b"HTTP/1.1 100 Continue\r\n\r\n" + OK) == 200
    assert check_answer(b"") == 0
    check_told(b'{"type":"told"}')


@pytest.mark.parametrize(
    "told",
    [
        b"ERROR:    Exception in ASGI application\nTraceback (most recent call last):\n",
        f"{FORBIDDEN} open '/etc/passwd'\n".encode(),
        b"Task exception was never retrieved\n",
    ],
)
def test_printed__stack_trace_or_forbidden_act__is_a_failure(told: bytes) -> None:
    with pytest.raises(AssertionError):
        check_printed(told)


def test_printed__warnings_and_what_uvicorn_says_of_bad_text__are_none() -> None:
    bad = b"ERROR:    Invalid UTF-8 sequence received from client.\n"
    bad += (
        b"Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    y\nUnicodeDecodeError: 'utf-8' codec\n"
    )
    check_printed(b"WARNING:  Invalid HTTP request received.\n" + bad)
    with pytest.raises(AssertionError):
        check_printed(bad + b"Traceback (most recent call last):\n")


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def victim(tmp_path: Path) -> Victim:
    """A game in its middle, without a server."""
    path = played("kingdom_builder", tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    (tmp_path / "table.json").write_text('{"secrets":{"0":"hash"}}')
    return Victim("1234", {"0": "zero", "1": "one", "c": "cee"}, path)


def step(victim: Victim, label: str, seat: int | None = None) -> bytes:
    return json.dumps({"seat": victim.game.seat if seat is None else seat, "action": label}).encode() + b"\n"


def move(victim: Victim, **more: Any) -> bytes:
    said = {"type": "move", "n": victim.n, "seat": victim.game.seat, "action": victim.legal[0], **more}
    return json.dumps(said).encode()


def test_oracle__legal_action_of_the_seat__is_right(victim: Victim) -> None:
    seat, said = victim.game.seat, [b"rubbish", move(victim, n=99), move(victim)]
    with pytest.raises(AssertionError, match="not carried out"):
        check_victim(victim, said, [seat], is_heard=True)
    assert not check_victim(victim, said, [seat], is_heard=False)
    victim.path.write_bytes(victim.content + step(victim, victim.legal[0]))
    assert check_victim(victim, said, [seat], is_heard=True)


def test_oracle__cheats__are_found(victim: Victim) -> None:
    seat, said = victim.game.seat, [move(victim)]
    illegal = next(label for label in map(victim.game.label, range(50)) if label not in victim.legal)
    lines = victim.content.splitlines(keepends=True)
    done = victim.content + step(victim, victim.legal[0])
    for content, told, seats in (
        (done, said, []),
        (done, said, [1 - seat]),
        (done, [], [0, 1]),
        (done, [move(victim, n=victim.n + 1)], [seat]),
        (done, [move(victim, n=float(victim.n))], [seat]),
        (done, [move(victim, more=1)], [seat]),
        (victim.content + step(victim, illegal), [move(victim, action=illegal)], [seat]),
        (victim.content + step(victim, victim.legal[0], 1 - seat), said, [seat]),
        (b"".join(lines[:-1]), said, [0, 1]),
        (b"".join(lines[:1]), [b'{"type":"undo","n":%d,"seat":%d}' % (victim.n, seat)], [0, 1]),
        (b"", said, [seat]),
    ):
        victim.path.write_bytes(content)
        with pytest.raises(AssertionError):
            check_victim(victim, told, seats, is_heard=True)
    victim.path.write_bytes(victim.content)
    victim.path.with_name("table.json").write_text("{}")
    with pytest.raises(AssertionError, match="plan"):
        check_victim(victim, [], [], is_heard=True)


# --- messages of the server -------------------------------------------------------------------------------------------


class Fake:
    """A socket of a server that says these messages."""

    is_open, head = True, b""

    def __init__(self, said: Iterable[dict[str, Any]]) -> None:
        self.said = iter(said)

    def send(self, data: bytes) -> None:
        assert data

    def receive(self) -> tuple[int, bytes] | None:
        said = next(self.said, None)
        return None if said is None else (TEXT, json.dumps(said).encode())


STATE = {"type": "state", "question": None, "view": None, "pace": None}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({**STATE, "question": {"seat": 0}}, "question to seat 0"),
        ({**STATE, "view": 1}, "view of seat 1"),
        ({"type": "thoughts"}, "thoughts"),
        ({"type": "welcome", "yours": [0], "can_control": False}, "were given to"),
        ({"type": "welcome", "yours": [], "can_control": True}, "control was given to"),
        ({"type": "told", "words": "Traceback (most recent call last)"}, "tells"),
        ({"type": "told", "words": "the secret is zero"}, "tells"),
        ({"type": "dance"}, "dance"),
    ],
)
def test_conversation__somebody_without_a_secret__may_not_be_told(
    victim: Victim, said: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: Any = None
    for messages, is_fine in (([STATE], True), ([said], False)):
        monkeypatch.setattr(web_talk, "Socket", lambda *given, messages=messages: Fake(messages))
        talk = Conversation(served, victim, {})
        if is_fine:
            talk.mark()
        else:
            with pytest.raises(AssertionError, match=words):
                talk.mark()


def test_records__of_every_game__are_short(tmp_path: Path) -> None:
    assert all(played(name, tmp_path).read_bytes().count(b"\n") < 400 for name in CONFIGS)
