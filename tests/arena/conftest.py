"""One tournament that others are compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.arena import main
from tests.arena.helpers import AGENTS, OPTIONS


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that was played without any disturbance, one match at a time."""
    folder = tmp_path_factory.mktemp("arena") / "reference"
    assert main([*AGENTS, *OPTIONS, "--out", str(folder)]) == 0
    return folder
