"""``python -m agents.play A B ...`` is ``winterkingdom play --agents A,B,...``: one game, an agent per seat."""

from __future__ import annotations

import sys

from winterkingdom_env.cli.commands import main as winterkingdom
from winterkingdom_env.cli.terminal import tell
from winterkingdom_env.core.exit_codes import Exit

HOW = "python -m agents.play AGENT AGENT ... [options]; the options are those of: winterkingdom play --help"


def main(arguments: list[str] | None = None) -> None:
    """Run ``winterkingdom play`` and exit with its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    n_agents = next((i for i, word in enumerate(given) if word.startswith("-")), len(given))
    agents, options = given[:n_agents], given[n_agents:]
    if not agents:
        tell(HOW)
        sys.exit(Exit.OK if options in (["--help"], ["-h"]) else Exit.WRONG_USE)
    winterkingdom(["play", "--agents", ",".join(agents), "--players", str(len(agents)), *options])


if __name__ == "__main__":
    main()
