"""The arena's end of the line: nothing blocks, and whatever comes is an answer or a reason to forfeit."""

from __future__ import annotations

import os
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.frames import HEADER, LONGEST_ANSWER, MAGIC, Frames, framed
from agents.line import Answer, DeskError, HungUpError, Line, read_answer
from tests.fuzz.messages import Messages
from winterkingdom_env.search.registry import LONGEST_OUTPUT


class Ends:
    """A line, and a seat's ends of it."""

    def __init__(self) -> None:
        near, self.far = socket.socketpair()
        output, self.printed = os.pipe()
        self.line = Line(near, output, "somebody")

    def close(self) -> None:
        self.line.close()
        self.far.close()
        os.close(self.printed)


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.close()


def test_answer__comes_in_pieces(ends: Ends) -> None:
    for byte in framed(b'{"action": 12, "seconds": 0.5}')[:-1]:
        ends.far.send(bytes([byte]))
        assert ends.line.exchange(0.0) is None
    assert ends.line.n_held > 0
    ends.far.send(b"}")
    assert ends.line.exchange(1.0) == Answer(action=12, seconds=0.5)
    assert ends.line.n_held == 0


def test_seat_that_does_not_read__blocks_nobody(ends: Ends) -> None:
    message = os.urandom(3_000_000)
    ends.line.queue(message)  # far more than the system keeps
    assert ends.line.exchange(0.0) is None
    frames, content = Frames(len(message)), None
    while content is None:
        content = frames.add(ends.far.recv(min(frames.n_wanted, 65536)))
        assert ends.line.exchange(0.0) is None
    assert content == message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\0", "are not a message: 00"),
        (b"WK\xff", "are not a message: 57 4b ff"),
        (HEADER.pack(MAGIC, LONGEST_ANSWER + 1), "65537 bytes; the limit is 65536"),
        (framed(b"{}") + b"x", "more than one message"),
        (framed(b""), "invalid answer"),
        (framed(b"[" * 60_000), "invalid answer"),
        (framed(b'{"x":' * 10_000), "invalid answer"),
        (framed(b'{"odd":' + b"[" * 60_000), "invalid answer"),
        (framed(b'{"action": true}'), "invalid answer"),
        (framed(b'{"action": 1.5}'), "invalid answer"),
        (framed(b'{"action": 9007199254740993}'), "invalid answer"),
        (framed(b'{"action": %s}' % (b"9" * 9000)), "invalid answer"),
        (framed(b'{"action": 1, "seconds": NaN}'), "invalid answer"),
        (framed(b'{"action": 1, "seconds": -1.0}'), "invalid answer"),
        (framed(b'{"action": 1, "seconds": 1e999}'), "invalid answer"),
        (framed(b'{"raised": ["x"]}'), "invalid answer"),
        (framed(b'{"surprise": 1}'), "invalid answer"),
    ],
)
def test_wrong_message__is_a_reason_to_forfeit(ends: Ends, data: bytes, words: str) -> None:
    ends.far.sendall(data)
    with pytest.raises(DeskError, match=words) as error:
        while ends.line.exchange(0.0) is None:
            pass
    assert error.value.kind == "message"


def test_bytes_that_are_no_text__are_replaced() -> None:
    assert read_answer(b'{"raised": "\xff\xfe boom"}').raised == "\ufffd\ufffd boom"


def test_message_before_the_question__is_a_reason_to_forfeit(ends: Ends) -> None:
    ends.far.sendall(framed(b'{"action": 1}'))
    with pytest.raises(DeskError, match="without being asked"):
        ends.line.begin_question()


def test_hanging_up__is_noticed_after_what_was_sent_before(ends: Ends) -> None:
    ends.far.sendall(framed(b'{"action": 1}'))
    ends.far.close()
    assert ends.line.exchange(0.0) == Answer(action=1)
    with pytest.raises(HungUpError):
        ends.line.exchange(0.0)


def test_output__is_printed_without_what_steers_a_terminal(ends: Ends, capsys: pytest.CaptureFixture[str]) -> None:
    os.write(ends.printed, "thinking\n\x1b[2J\u202e ü \x07".encode() + b"\xff\n")
    assert ends.line.exchange(1.0) is None
    assert capsys.readouterr().err == "somebody: thinking\nsomebody: \\x1b[2J\\u202e ü \\x07\ufffd\n"


def test_output__half_a_line__is_printed_when_it_ends_or_somebody_else_speaks(
    ends: Ends, capsys: pytest.CaptureFixture[str]
) -> None:
    for piece in (b"one", b" line\nhalf a", b" line", b"next", b"last"):
        os.write(ends.printed, piece)
        assert ends.line.exchange(1.0) is None
        if piece == b" line":
            ends.line.speaker = "another"
        if piece == b"next":
            ends.line.begin_question()
    ends.line.flush()
    assert capsys.readouterr().err == "somebody: one line\nsomebody: half a line\nanother: next\nanother: last\n"


def test_drain__takes_a_long_answer_that_is_there_and_waits_for_none(ends: Ends) -> None:
    answer = framed(b'{"odd": "%s"}' % (b"x" * (LONGEST_ANSWER - 11)))
    ends.far.sendall(answer[:-1])
    assert ends.line.drain() is None
    assert ends.line.n_held == len(answer) - 1
    ends.far.sendall(answer[-1:])
    assert ends.line.drain() == Answer(odd="x" * (LONGEST_ANSWER - 11))


def test_output__is_limited_for_each_question(ends: Ends, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        ends.line.begin_question()
        for _ in range(LONGEST_OUTPUT >> 15):
            os.write(ends.printed, b"x" * (1 << 15))
            assert ends.line.exchange(1.0) is None
    os.write(ends.printed, b"x")
    with pytest.raises(DeskError, match="printed more than 1024 KB"):
        ends.line.exchange(1.0)
    ends.line.flush()
    assert capsys.readouterr().err.count("x") == 2 * LONGEST_OUTPUT


def test_fuzz__messages_are_answers_or_forfeits(tmp_path: Path) -> None:
    part = Messages(tmp_path)
    outcomes = Counter(part.attempt(seed) for seed in range(600))
    assert set(outcomes) == {"answer", "forfeit"} and min(outcomes.values()) > 50
