"""The server that the part ``web`` measures: that of ``winterkingdom serve``, on one core, with limits and pauses that do not slow a benchmark down.

``python -m benchmarks.web_server DATA SECONDS_TO_KEEP CORE`` is such a process. CORE -1: any.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.web import limits

MANY = 1e6


def loosen(seconds_to_keep: float) -> None:
    """Lift the limits of what one browser may ask for, and the pause between two moves of agents beside a person.

    ``seconds_to_keep``: how long games stay in memory that nobody looks at. Must come before the server is imported, which reads the limits then.
    """
    limits.GAMES_PER_MINUTE = limits.MESSAGES_PER_SECOND = MANY
    limits.SECONDS_TO_KEEP = seconds_to_keep
    from winterkingdom_env.web import host

    host.AGENT_PAUSE = 0.0


def main(arguments: list[str]) -> int:
    """Serve a folder until the process is ended; prints its number and the address first."""
    folder, seconds_to_keep, core = arguments
    if int(core) >= 0:
        os.sched_setaffinity(0, {int(core)})
    loosen(float(seconds_to_keep))
    print(os.getpid(), flush=True)
    from winterkingdom_env.web.serve import serve

    serve("127.0.0.1", 0, Path(folder), tell=partial(print, flush=True))
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
