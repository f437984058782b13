"""``python -m agents.arena A B ...``: let agents play each other and say how strong they are (docs/arena.md).

Nothing heavy is imported at the top: SIGTERM ends the command in order while everything else is loaded, too.
"""

from __future__ import annotations

import signal
import sys

from agents.interrupts import terminating_like_ctrl_c

INTERRUPTED = 128 + signal.SIGINT  # Exit.INTERRUPTED, whose import may be what was interrupted


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    try:
        with terminating_like_ctrl_c():  # from the first import on
            from agents.arena_command import run_command

            return run_command(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
