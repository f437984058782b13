"""What a caller gives as a number, checked before it means something."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_integer(value: Any) -> bool:
    """Whether this is an integer of Python's or numpy's. Truth values and numpy's time spans, which both take for integers, are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def as_integer(name: str, value: Any, first: int = 0, last: int | None = None) -> int:
    """The value as a plain number; ValueError if it is no integer, or not one from ``first`` to ``last`` (None: no bound)."""
    if not is_integer(value) or value < first or (last is not None and value > last):
        bounds = f"from {first} on" if last is None else f"from {first} to {last}"
        raise ValueError(f"{name}={value!r}: an integer {bounds} is needed")
    return int(value)
