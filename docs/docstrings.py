"""Docstrings as the API reference shows them: lines of the form ``name   meaning`` become a list."""

from __future__ import annotations

import re
from typing import Any

import griffe

ENTRY = re.compile(r"([\w\"., ]*\w\"?) {2,}(\S.*)")
FENCE = "    "


def listed(text: str) -> str:
    """A docstring whose columns are a list; everything else stays."""
    lines: list[str] = []
    in_list = False
    for line in text.splitlines():
        bare = line.removeprefix(FENCE) if line.startswith(FENCE) and not in_list else line
        entry = ENTRY.fullmatch(bare) or ENTRY.fullmatch(line.removeprefix(FENCE))
        if entry and not line.startswith(FENCE * 2):
            lines += [] if in_list else [""]
            lines.append(f"- `{entry[1]}`: {entry[2]}")
            in_list = True
        elif in_list and line.startswith(" ") and line.strip():
            lines[-1] += f" {line.strip()}"
        else:
            in_list = in_list and not line.strip()
            lines.append(line)
    return "\n".join(lines)


class Columns(griffe.Extension):  # type: ignore[misc, unused-ignore]  # Any where griffe is not installed
    """Makes lists of the columns in every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = listed(obj.docstring.value)
