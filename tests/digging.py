"""How a hostile agent looks for the true game: through everything that can be reached from what it was given."""

from __future__ import annotations

import gc
from typing import Any


def games_within(thing: Any, kind: type) -> list[Any]:
    """Every game that can be reached from an object through attributes, closures and containers."""
    found, seen, waiting = [], set(), [thing]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type) or type(each).__name__ == "module":
            continue
        seen.add(id(each))
        if isinstance(each, kind):
            found.append(each)
        elif not isinstance(each, dict) or "__builtins__" not in each:  # not through a function's globals
            waiting += gc.get_referents(each)
    return found
