"""What a form offers for an option of a game. ``games/options.py`` checks what comes back."""

from __future__ import annotations

from typing import NamedTuple


class Choice(NamedTuple):
    """The values that a form offers for a text option, as typed text. None of them is the path of a file.

    ``most``: how many can be chosen at once; with more than one, the value is a list separated by commas. ``nothing``: what the game does if
    nothing is chosen. ``meaning``: for a form that offers less than the Config takes; "" is what the Config says of the option.
    """

    values: tuple[str, ...]
    most: int = 1
    nothing: str = "drawn at random"
    meaning: str = ""
