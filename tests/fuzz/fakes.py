"""Parts that misbehave, to try the driver with."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.fuzz.parts import Skip


class Fine:
    """Nothing is wrong with it."""

    def __init__(self, folder: Path) -> None:
        assert not list(folder.iterdir())

    def attempt(self, seed: int) -> str:
        """Even seeds are refused."""
        return "played on" if seed % 2 else "refused"


class Troubled(Fine):
    """Dies at 3, hangs at 5, fails at 8."""

    def attempt(self, seed: int) -> str:
        """One attempt."""
        if seed == 3:
            os.abort()
        if seed == 5:
            time.sleep(600)
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
