"""``python -m agents.arena A B ...``: play agents against each other and rate them (docs/arena.md).

Only light modules are imported at the top, so that SIGTERM is handled while the rest is loading.
"""

from __future__ import annotations

import signal
import sys

from agents.interrupts import terminating_like_ctrl_c

INTERRUPTED = 128 + signal.SIGINT  # equals Exit.INTERRUPTED, which may not be imported yet


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    try:
        with terminating_like_ctrl_c():  # also during the imports
            from agents.arena_command import run_command

            return run_command(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
