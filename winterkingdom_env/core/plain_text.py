"""Text from outside as text that can be stored and printed: what would steer a terminal is spelled out."""

from __future__ import annotations

import reprlib
from functools import cache

SPACES = "\t\n\v\f\r"
LONGEST_QUOTE = 80  # characters of a value that an error repeats
LONGEST_ERROR = 1000  # characters of an error


def plain(text: str, keep: str = "") -> str:
    r"""The text in characters that every file can hold and no terminal obeys: escape is ``\x1b``, a lone surrogate ``\ud800``.

    Tabs and newlines become blanks. ``keep`` names characters that stay, as ``"\n"`` in a text of several lines.
    """
    return text.translate(_spelling(keep))


@cache
def _spelling(keep: str) -> _Spelling:
    return _Spelling({ord(character): character for character in keep})


class _Spelling(dict[int, str]):
    """What each character becomes; worked out when it is met for the first time."""

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
    """The text, or its beginning if it is long."""
    return text if len(text) <= most else f"{text[:most]}..."


def one_line(text: str, most: int = LONGEST_ERROR) -> str:
    """The text as one printable line, not longer than ``most``."""
    return plain(shortened(text, most))


class _Quoter(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 3, LONGEST_QUOTE, LONGEST_QUOTE

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 4 * LONGEST_QUOTE else f"a number of {x.bit_length()} bits"


_QUOTER = _Quoter()


def quoted(value: object) -> str:
    """A value as an error repeats it: one short printable line, whatever it is."""
    return one_line(_QUOTER.repr(value), LONGEST_QUOTE * 2)
