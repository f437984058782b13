"""A trainer that learns nothing, for tests: it takes the options of the real ones, notes them, and leaves a network's file.

A file ``stop`` or ``fail`` beside the run's folder makes it end early, as an interruption or an error does, after a checkpoint.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    given = dict(word.removeprefix("--").split("=", 1) for word in sys.argv[1:])
    run = Path(given["resume"] if "resume" in given else given["out"])
    run.mkdir(parents=True, exist_ok=True)
    with (run / "calls.txt").open("a") as file:
        file.write(f"{' '.join(sys.argv[1:])}\n")
    (run / "settings.json").write_text("{}")
    for name, code in (("stop", 130), ("fail", 1)):
        if (run.parent.parent / name).exists():
            return code
    (run / "policy.safetensors").write_bytes(b"")
    return 0
