"""Untrusted text made safe to store and print: control characters are escaped."""

from __future__ import annotations

import reprlib
from functools import cache

SPACES = "\t\n\v\f\r"
LONGEST_QUOTE = 80  # characters of a value quoted in an error
LONGEST_ERROR = 1000  # characters of an error


def plain(text: str, keep: str = "") -> str:
    r"""The text with control characters and lone surrogates escaped, as ``\x1b`` and ``\ud800``.

    Tabs and newlines become spaces. ``keep``: characters to leave as they are, such as ``"\n"`` in a text of several lines.
    """
    return text.translate(_spelling(keep))


@cache
def _spelling(keep: str) -> _Spelling:
    return _Spelling({ord(character): character for character in keep})


class _Spelling(dict[int, str]):
    """The replacement of each character, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character in SPACES:
            spelled = " "
        elif not character.isprintable():
            spelled = f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
        else:
            spelled = character
        return self.setdefault(code, spelled)


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """The text, cut to at most ``most`` characters."""
    return text if len(text) <= most else f"{text[:most]}..."


def one_line(text: str, most: int = LONGEST_ERROR) -> str:
    """The text as one printable line of at most ``most`` characters."""
    return plain(shortened(text, most))


class _Quoter(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 3, LONGEST_QUOTE, LONGEST_QUOTE

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 4 * LONGEST_QUOTE else f"a number of {x.bit_length()} bits"


_QUOTER = _Quoter()


def quoted(value: object) -> str:
    """Any value as one short printable line, to quote it in an error."""
    return one_line(_QUOTER.repr(value), LONGEST_QUOTE * 2)
