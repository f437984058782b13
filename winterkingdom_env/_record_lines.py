"""Reading of a record's lines with limits: untrusted files cannot block, exhaust memory, or put unprintable text into errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from winterkingdom_env.core.files import MB, DamagedError, gunzip, read_limited
from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import one_line

QUOTED = 60  # characters of a bad line quoted in an error
MOST_STEPS = 100_000  # limit of a game; the longest known has a few hundred
LONGEST_LINE = MB  # a header has about 40 kB


class RecordError(ValueError):
    """A record cannot be written, read or verified. ``line`` counts from 1; None if the error is not in a line."""

    def __init__(self, path: Path, line: int | None, reason: str) -> None:
        """Store the parts; the message contains all of them."""
        self.path, self.line, self.reason = path, line, one_line(reason)
        super().__init__(f"{one_line(str(path))}: {'' if line is None else f'line {line}: '}{self.reason}")


def _read_bytes(path: Path) -> tuple[bytes, bool]:
    """The decompressed content of the file, and whether the compressed data are truncated."""
    try:
        content = read_limited(path)
        return gunzip(content) if path.suffix == ".gz" else (content, False)
    except DamagedError as error:
        raise RecordError(path, None, f"{error.strerror}; restore it from a copy") from None
    except OSError as error:
        raise RecordError(path, None, f"cannot be read: {error.strerror}") from error


def whole_lines(path: Path) -> tuple[list[tuple[int, bytes]], bool]:
    """The numbered lines that are not blank, and whether a truncated last line was dropped."""
    content, torn = _read_bytes(path)
    if content.count(b"\n") > MOST_STEPS + 2:
        raise RecordError(path, MOST_STEPS + 3, f"there are more lines than a game of {MOST_STEPS:,} steps has")
    lines = [(number, text) for number, text in enumerate(content.split(b"\n"), 1) if text.strip()]
    for number, text in lines:
        if len(text) > LONGEST_LINE:
            raise RecordError(
                path, number, f"has {len(text):,} bytes; no line of a record has more than {LONGEST_LINE:,}"
            )
    if lines and not content.endswith(b"\n"):
        try:  # a prefix of an object does not parse: if it parses, the line is complete and only lacks its newline
            parse_json(lines[-1][1])
        except JsonError:
            lines.pop()
            torn = True
    return lines, torn


def parsed(path: Path, number: int, text: bytes) -> dict[str, Any]:
    """The object in a line."""
    try:
        found = parse_json(text)
        if isinstance(found, dict):
            return found
        why = "it is another value"
    except JsonError as error:
        why = str(error)
    raise RecordError(path, number, f"not a JSON object ({why}): {text[:QUOTED].decode(errors='replace')}")
