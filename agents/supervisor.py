"""Who starts an agent's process and ends it with everything that it started.

On Linux the supervisor is a child subreaper: a process whose parent has ended becomes its child, also one that called setsid and forked twice. When the
agent's process ends, or the arena closes its end of the link or is gone, the supervisor kills all of them and ends last. It says over a pipe of
its own which process is the agent's, and at the end its exit code, or that the link was closed first. Elsewhere there is no such thing: the agent runs in the process that was started,
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

NUMBER = struct.Struct("=i")  # what is said over the pipe: first a process id, then an exit code
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl
HUNG_UP = 1 << 16  # in the place of an exit code: the process lived, its link was closed, and it was ended for that
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PAUSE = 0.002  # seconds between two rounds of killing


def supervised(link: socket.socket, report: int) -> None:
    """Begin an agent's process; returns there. ``link`` leads to the arena; ``report`` is where the arena reads about the process."""
    if not _prctl(SET_CHILD_SUBREAPER, 1):
        os.write(report, NUMBER.pack(os.getpid()))
        threading.Thread(target=_watch_link, args=(link, report), daemon=True).start()
        return
    import psutil  # noqa: F401  # now, while nothing is wrong: at the end there may be no room to load anything

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
    """Whether the system knows the option and has set it."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        done: int = ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return done == 0


def _wait(link: socket.socket, agent: int) -> int | None:
    """Until the agent's process ends: its exit code. Or until it is to end: HUNG_UP if its link is closed, None if a signal asks for it."""
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    for number in (signal.SIGCHLD, *ENDING):
        signal.signal(number, lambda number, frame: None)  # to be woken by it, in place of being ended
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    poll = select.poll()
    poll.register(link, 0)  # nothing but its end: messages are the agent's
    poll.register(woken, select.POLLIN)
    while True:
        code = _reap(agent)
        if code is not None:
            return code
        ready = {file for file, _ in poll.poll()}
        signals = woken.recv(4096) if woken.fileno() in ready else b""
        if link.fileno() in ready:
            code = _reap(agent)  # it may have ended before
            return HUNG_UP if code is None else code
        if any(number in signals for number in ENDING):
            return None


def _reap(agent: int) -> int | None:
    """Take leave of every child that has ended; the exit code of the agent's process if it is among them."""
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
    """Kill every descendant of this process, again and again until none is left. Orphans come here, so none is missed."""
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        kill_all(descendants(os.getpid()))
        time.sleep(PAUSE)


def kill_all(pids: list[int]) -> None:
    """Kill processes; some may have ended by themselves."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def descendants(root: int) -> list[int]:
    """Processes that a process started, those that they started, and so on, as the system tells now."""
    import psutil

    try:
        return [child.pid for child in psutil.Process(root).children(recursive=True)]
    except psutil.Error:
        return []


def marked(mark: str) -> list[int]:
    """Processes that were started with this in their environment, as in NAME=value."""
    import psutil

    name, _, value = mark.partition("=")
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(name) == value:
                found.append(process.pid)
    return found


def _watch_link(link: socket.socket, report: int) -> None:
    """Without a supervisor: end with the arena even while the agent thinks."""
    poll = select.poll()
    poll.register(link, 0)
    poll.poll()
    with contextlib.suppress(OSError):  # the arena may be gone
        os.write(report, NUMBER.pack(HUNG_UP))
    end_group()


def end_group() -> None:
    """Leave at once, with the processes of the own group."""
    if os.getpgrp() == os.getpid():  # its own group, not the arena's
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
