"""The process of a seat, which runs the agent and never has the true game.

The arena sends the game as the seat sees it, with hidden information resampled, and gets an action back. Only light modules are imported at the top: the
supervisor of the process imports this file too.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.frames import BEGIN, CHECK, LARGEST, LONGEST_REASON, LONGEST_TRACEBACK, framed, receive
from agents.supervisor import supervised

if TYPE_CHECKING:
    from winterkingdom_env.games import GameRules
    from winterkingdom_env.search.registry import Agent, AgentSpec

LONGEST_REFUSAL = 4000  # characters; the message may list every option
CUT = "\n  [...]\n"  # replaces the middle of a long traceback


def main(code: Sequence[str] = ()) -> None:
    """Serve a seat. The command line has two file descriptors, the agent and the game's address; ``code``: Python files with agents."""
    link_file, report, text, game = sys.argv[1:]
    sys.argv = sys.argv[:1]
    link = socket.socket(fileno=int(link_file))
    os.set_inheritable(link.fileno(), False)
    os.set_inheritable(int(report), False)
    supervised(link, int(report))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # it is a pipe, and a killed process does not flush its buffer
    serve(link, text, game, code)


def serve(link: socket.socket, text: str, game: str, code: Sequence[str] = ()) -> None:
    """Answer messages until the link is closed. ``text``: the agent; ``game``: the address of the game (``games.address_of``)."""
    player = _Player(text, game, code)
    while True:
        try:
            message = receive(link)
            link.sendall(framed(json.dumps(_answer(player, message[:1], message[1:])).encode()))
        except (EOFError, OSError):  # the arena closed the link, or is gone
            os._exit(0)


def _answer(player: _Player, kind: bytes, body: bytes) -> dict[str, Any]:
    if kind == CHECK:
        return player.check()
    return player.begin(int(body)) if kind == BEGIN else player.move(body[0], body[1:])


class _Player:
    """Runs the agent of this process, a new one for every game."""

    def __init__(self, text: str, game: str, code: Sequence[str]) -> None:
        self._text, self._address, self._code = text, game, code
        self._known_rules: GameRules | None = None
        self._spec: AgentSpec | None = None
        self._agent: Agent | None = None

    @property
    def _rules(self) -> GameRules:
        from winterkingdom_env.games import get_game
        from winterkingdom_env.search.view import practise

        if self._known_rules is None:
            self._known_rules = get_game(self._address)
            practise(self._known_rules)
        return self._known_rules

    def _prepared(self, seed: int, rules: GameRules) -> Agent:
        """A new agent, after its ``get_ready``."""
        from winterkingdom_env.search.registry import agent_spec, get_ready, load_code

        if self._spec is None:
            for path in self._code:
                load_code(path)
            self._spec = agent_spec(self._text)
        agent = self._spec.make(seed)
        get_ready(agent, rules)
        return agent

    def check(self) -> dict[str, Any]:
        """Check that the agent can be made and prepared."""
        rules = self._rules  # an error here is the game's, not the agent's
        try:
            self._prepared(0, rules)
        except BaseException as error:  # any error here is the agent's
            return {"refused": told(error, LONGEST_REFUSAL, with_place=not isinstance(error, ValueError))}
        return {}

    def begin(self, seed: int) -> dict[str, Any]:
        """Start a game: make and prepare a new agent, before its clock runs."""
        rules, self._agent = self._rules, None
        try:
            self._agent = self._prepared(seed, rules)
        except BaseException as error:
            return raised(error)
        return {}

    def move(self, seat: int, data: bytes) -> dict[str, Any]:
        """The agent's answer and the seconds it took. ``data``: the game as the seat sees it."""
        from winterkingdom_env.search.view import View

        assert self._agent is not None  # a game has started
        view = View(self._rules.from_bytes(data), seat)
        start = time.perf_counter()
        try:
            answer = self._agent(view)
        except BaseException as error:  # including SystemExit: an agent must answer, not exit
            return raised(error)
        return {**_as_action(answer), "seconds": time.perf_counter() - start}


def _as_action(answer: object) -> dict[str, Any]:
    """The answer as an action number, or its repr if it is not an integer."""
    try:
        if not isinstance(answer, bool):
            number = int(answer.__index__())  # type: ignore[attr-defined]  # may be missing
            if abs(number) <= LARGEST:
                return {"action": number}
    except BaseException:  # a hostile __index__ may raise anything
        pass
    try:
        return {"odd": _encodable(repr(answer)[:LONGEST_REASON])}
    except BaseException:
        return {"odd": f"a {type(answer).__name__} without a repr"}


def told(error: BaseException, longest: int, with_place: bool = True) -> str:
    """An error in one line, with its place in the agent's code."""
    kind, words = "Exception", "an error without a message"
    with contextlib.suppress(BaseException):  # a broken __str__ or metaclass may raise anything
        kind = str(type.__dict__["__name__"].__get__(type(error)))
        words = " ".join(str(error).split())
    if not with_place:
        return _encodable(words[:longest])
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return _encodable(f"{kind}: {words}".removesuffix(": ")[:longest] + place)


def raised(error: BaseException) -> dict[str, Any]:
    """The answer of an agent that raised: the error in one line, and its traceback."""
    return {"raised": told(error, LONGEST_REASON), "traceback": traced(error)}


def traced(error: BaseException) -> str | None:
    """The traceback, starting in the agent's code and shortened in the middle to the allowed length; None if it cannot be formatted."""
    try:
        own = error.__traceback__ and error.__traceback__.tb_next  # the first frame is in this file
        text = "".join(traceback.format_exception(type(error), error, own))
    except BaseException:  # a broken __str__ or metaclass may raise anything
        return None
    half = LONGEST_TRACEBACK // 2 - len(CUT)
    return _encodable(text if len(text) <= LONGEST_TRACEBACK else text[:half] + CUT + text[-half:])[:LONGEST_TRACEBACK]


def _encodable(text: str) -> str:
    """The text with lone surrogates escaped, which UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode()
