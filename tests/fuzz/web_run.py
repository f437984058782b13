"""The server of the fuzz part ``web``: ``winterkingdom`` in a process that ends with the one that started it.

It says on stderr, with FORBIDDEN, when a request makes it open a bait, import the trap, or start a program.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading
from typing import Any

FORBIDDEN = "forbidden:"
BAIT = "bait-for-readers"  # part of the names of files that the server has no reason to open
TRAP = "tests.fuzz.web_trap"
STARTS = ("os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen", "socket.connect")


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: say what must not happen."""
    told = str(arguments[0]) if arguments else ""
    if (event == "open" and BAIT in told) or (event == "import" and told == TRAP) or event in STARTS:
        os.write(2, f"{FORBIDDEN} {event} {told!r}\n".encode(errors="replace"))


def end_with_parent() -> None:
    """End when nobody holds the other side of stdin any more."""
    while os.read(0, 1):
        pass
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    sys.addaudithook(watch)
    runpy.run_module("winterkingdom_env", run_name="__main__", alter_sys=True)
