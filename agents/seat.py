"""A seat's own process: the agent lives there, the true game never does.

The arena sends a game as the seat sees it, with everything hidden resampled, and gets an action back. Nothing heavy is imported at the top: the
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

LONGEST_REFUSAL = 4000  # characters; it may list every option
CUT = "\n  [...]\n"  # in the place of the middle of a long traceback


def main(code: Sequence[str] = ()) -> None:
    """Serve a seat: the command line has the numbers of two open files, the agent's text and the game's address; ``code``: files of agents."""
    link_file, report, text, game = sys.argv[1:]
    sys.argv = sys.argv[:1]
    link = socket.socket(fileno=int(link_file))
    os.set_inheritable(link.fileno(), False)
    os.set_inheritable(int(report), False)
    supervised(link, int(report))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # it is a pipe, and nobody waits for a buffer when the process ends
    serve(link, text, game, code)


def serve(link: socket.socket, text: str, game: str, code: Sequence[str] = ()) -> None:
    """Answer messages until the link is closed. ``text`` stands for the agent, ``game`` for the game (``games.address_of``)."""
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
    """The agent of one process, made for every game."""

    def __init__(self, text: str, game: str, code: Sequence[str]) -> None:
        self._text, self._address, self._code = text, game, code
        self._known_rules: GameRules | None = None
        self._spec: AgentSpec | None = None
        self._agent: Agent | None = None

    @property
    def _rules(self) -> GameRules:
        from winterkingdom_env.games import get_game

        if self._known_rules is None:
            self._known_rules = get_game(self._address)
            practise(self._known_rules)
        return self._known_rules

    def _prepared(self, seed: int, rules: GameRules) -> Agent:
        """An agent that has loaded and compiled what it needs, as far as its ``get_ready`` does that."""
        from winterkingdom_env.search.registry import agent_spec, get_ready, load_code

        if self._spec is None:
            for path in self._code:
                load_code(path)
            self._spec = agent_spec(self._text)
        agent = self._spec.make(seed)
        get_ready(agent, rules)
        return agent

    def check(self) -> dict[str, Any]:
        """Whether the agent can be made and get ready."""
        rules = self._rules  # an error of the game's own is not the agent's
        try:
            self._prepared(0, rules)
        except BaseException as error:  # whatever it is, it is the agent's
            return {"refused": told(error, LONGEST_REFUSAL, with_place=not isinstance(error, ValueError))}
        return {}

    def begin(self, seed: int) -> dict[str, Any]:
        """A new game: a new agent gets ready for it, before its clock runs."""
        rules, self._agent = self._rules, None
        try:
            self._agent = self._prepared(seed, rules)
        except BaseException as error:
            return raised(error)
        return {}

    def move(self, seat: int, data: bytes) -> dict[str, Any]:
        """The agent's answer to a game that could be the true one, and the seconds it took."""
        from winterkingdom_env.search.view import View

        assert self._agent is not None  # a game has begun
        view = View(self._rules.from_bytes(data), seat)
        start = time.perf_counter()
        try:
            answer = self._agent(view)
        except BaseException as error:  # SystemExit too: an agent must answer, not leave
            return raised(error)
        return {**_as_action(answer), "seconds": time.perf_counter() - start}


def practise(rules: GameRules) -> None:
    """Do once what the seat does with a game and what a view offers: a process loads its kernels now, and not on its agent's time."""
    from winterkingdom_env.games.base import perft
    from winterkingdom_env.search.view import View

    game = rules.from_bytes(rules.new_game(seed=0).to_bytes())
    view = View(game, game.seat)
    legal = view.legal_actions()
    view.parse(view.label(legal[0]))
    for form in ("planes", "packed"):
        view.observation(form)
    world = view.determinize(0)
    perft(world.clone(), 2)
    world.apply(legal[0])
    world.scores()


def _as_action(answer: object) -> dict[str, Any]:
    """The answer as a number, or as text if it is none."""
    try:
        if not isinstance(answer, bool):
            number = int(answer.__index__())  # type: ignore[attr-defined]  # that is the question
            if abs(number) <= LARGEST:
                return {"action": number}
    except BaseException:  # also what a hostile __index__ raises
        pass
    try:
        return {"odd": _encodable(repr(answer)[:LONGEST_REASON])}
    except BaseException:
        return {"odd": f"a {type(answer).__name__} that has no repr"}


def told(error: BaseException, longest: int, with_place: bool = True) -> str:
    """An error in one line: what, and where in the agent's code."""
    kind, words = "Exception", "an error that has no text"
    with contextlib.suppress(BaseException):  # what a broken __str__ or a metaclass raises
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
    """The traceback from the agent's own code on, not longer than allowed: what is left out is in the middle. None if it has none."""
    try:
        own = error.__traceback__ and error.__traceback__.tb_next  # the first frame is the seat's
        text = "".join(traceback.format_exception(type(error), error, own))
    except BaseException:  # what a broken __str__ or a metaclass raises
        return None
    half = LONGEST_TRACEBACK // 2 - len(CUT)
    return _encodable(text if len(text) <= LONGEST_TRACEBACK else text[:half] + CUT + text[-half:])[:LONGEST_TRACEBACK]


def _encodable(text: str) -> str:
    """The text with lone surrogates spelled out: JSON has no words for them."""
    return text.encode("utf-8", "backslashreplace").decode()
