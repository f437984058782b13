"""What all tests share: marks, and one warm set of kernels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

CLOCK = "agents.desk.monotonic"  # the arena's clock, by which agents are late
UNIT = Path(__file__).parent / "unit"


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that names the rule a test proves."""
    config.addinivalue_line(
        "markers", 'rule(text): page of the English rulebook (or page of ours) and rule, "p. 6, adjacent"'
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A unit test says which rule it proves, or it is not collected at all."""
    for item in items:
        if UNIT in item.path.parents and item.get_closest_marker("rule") is None:
            raise pytest.UsageError(f"{item.nodeid} needs @pytest.mark.rule: which rule does it prove, on which page?")


@pytest.fixture(scope="session", autouse=True)
def nobody_is_late() -> Iterator[None]:
    """The arena's clock stands still in this process, so that no test depends on a fast machine. Tests of being late bring a clock of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CLOCK, lambda: 0.0)
        yield
