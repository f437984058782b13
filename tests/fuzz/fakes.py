"""Parts that misbehave, to try the driver with."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.fuzz.parts import Skip

HANGS = "FUZZ_FAKE_HANGS"  # names that file


class Fine:
    """Nothing is wrong with it."""

    def __init__(self, folder: Path) -> None:
        assert not list(folder.iterdir())

    def attempt(self, seed: int) -> str:
        """Even seeds are refused."""
        return "played on" if seed % 2 else "refused"


class Troubled(Fine):
    """Dies at 3, fails at 8, hangs at 12; it leaves a file when it has begun to hang."""

    def attempt(self, seed: int) -> str:
        """One attempt."""
        if seed == 3:
            os.abort()
        if seed == 12:
            Path(os.environ[HANGS]).touch()
            time.sleep(86_400)
        assert seed != 8, "eight was accepted"
        return super().attempt(seed)


class Missing(Fine):
    """Cannot run here."""

    def __init__(self, folder: Path) -> None:
        raise Skip("something is not installed")


class Broken(Fine):
    """Cannot even be made."""

    def __init__(self, folder: Path) -> None:
        raise RuntimeError("no way")
