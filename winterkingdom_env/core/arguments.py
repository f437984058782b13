"""Validation of integer arguments."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_integer(value: Any) -> bool:
    """Whether this is a Python or numpy integer, and not a bool or a numpy timedelta."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def as_integer(name: str, value: Any, first: int = 0, last: int | None = None) -> int:
    """The value as a plain int. Raises ValueError unless it is an integer from ``first`` to ``last`` (None: no bound)."""
    if not is_integer(value) or value < first or (last is not None and value > last):
        bounds = f"from {first} on" if last is None else f"from {first} to {last}"
        raise ValueError(f"{name}={value!r}: an integer {bounds} is needed")
    return int(value)
