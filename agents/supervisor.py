"""Starts an agent's process, and ends it with all its children.

On Linux the supervisor is a child subreaper: orphaned processes become its children, even after setsid and a double fork. When the
agent's process ends, or the arena closes its end of the link or is gone, the supervisor kills all of them and ends last. Over a separate pipe it
reports the pid of the agent's process, and at the end its exit code, or that the link was closed first. Other systems have no subreaper: the agent runs in the started process,
and only its process group ends with it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import sys
import threading
import time

NUMBER = struct.Struct("=i")  # a report over the pipe: first a pid, then an exit code
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # options of prctl
HUNG_UP = 1 << 16  # reported instead of an exit code: the link was closed while the process was alive
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PAUSE = 0.002  # seconds between two rounds of killing


def supervised(link: socket.socket, report: int) -> None:
    """Start the agent's process and return in it. ``link``: socket to the arena; ``report``: pipe for reports to the arena."""
    if not _prctl(SET_CHILD_SUBREAPER, 1):
        os.write(report, NUMBER.pack(os.getpid()))
        threading.Thread(target=_watch_link, args=(link, report), daemon=True).start()
        return
    import psutil  # noqa: F401  # loaded early: at the end there may be no memory left

    supervisor = os.getpid()
    agent = os.fork()
    if agent == 0:
        _prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)  # an agent that kills its supervisor ends too
        if os.getppid() != supervisor:
            os._exit(1)
        os.close(report)
        return
    os.write(report, NUMBER.pack(agent))
    code = _wait(link, agent)
    if code is None or code == HUNG_UP:
        os.kill(agent, signal.SIGKILL)
        killed = os.waitstatus_to_exitcode(os.waitpid(agent, 0)[1])
        code = killed if code is None else code
    end_children()
    with contextlib.suppress(OSError):  # the arena may be gone
        os.write(report, NUMBER.pack(code))
    os._exit(0)


def _prctl(option: int, value: int) -> bool:
    """Set an option; return whether that worked."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        done: int = ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return done == 0


def _wait(link: socket.socket, agent: int) -> int | None:
    """Wait for the agent's process to end and return its exit code; HUNG_UP if the link is closed first, None after a signal to end."""
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    for number in (signal.SIGCHLD, *ENDING):
        signal.signal(number, lambda number, frame: None)  # wakes the poll instead of ending this process
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    poll = select.poll()
    poll.register(link, 0)  # only the hang-up: messages are for the agent
    poll.register(woken, select.POLLIN)
    while True:
        code = _reap(agent)
        if code is not None:
            return code
        ready = {file for file, _ in poll.poll()}
        signals = woken.recv(4096) if woken.fileno() in ready else b""
        if link.fileno() in ready:
            code = _reap(agent)  # it may have ended just before
            return HUNG_UP if code is None else code
        if any(number in signals for number in ENDING):
            return None


def _reap(agent: int) -> int | None:
    """Reap all ended children; the exit code of the agent's process if it is one of them, else None."""
    code = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == agent:
                code = os.waitstatus_to_exitcode(status)
    return code


def end_children() -> None:
    """Kill all descendants of this process until none is left. As a subreaper it inherits orphans, so none is missed."""
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        kill_all(descendants(os.getpid()))
        time.sleep(PAUSE)


def kill_all(pids: list[int]) -> None:
    """Kill processes, ignoring those that have already ended."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def descendants(root: int) -> list[int]:
    """The pids of all current descendants of a process."""
    import psutil

    try:
        return [child.pid for child in psutil.Process(root).children(recursive=True)]
    except psutil.Error:
        return []


def marked(mark: str) -> list[int]:
    """The pids of all processes with ``mark``, written NAME=value, in their environment."""
    import psutil

    name, _, value = mark.partition("=")
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(name) == value:
                found.append(process.pid)
    return found


def _watch_link(link: socket.socket, report: int) -> None:
    """Without a supervisor: end when the arena does, even while the agent is thinking."""
    poll = select.poll()
    poll.register(link, 0)
    poll.poll()
    with contextlib.suppress(OSError):  # the arena may be gone
        os.write(report, NUMBER.pack(HUNG_UP))
    end_group()


def end_group() -> None:
    """Exit at once and kill the process group."""
    if os.getpgrp() == os.getpid():  # not the arena's group
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
