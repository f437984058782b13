"""What can be wrong with what somebody gives a game. Every one is a ValueError."""

from __future__ import annotations


class InvalidActionError(ValueError):
    """Not an action at all."""


class IllegalActionError(ValueError):
    """An action, but not now."""


class SavedGameError(ValueError):
    """A saved game cannot be one; the message names the field."""


class SetupError(ValueError):
    """Set-up data that cannot be a beginning of a game."""


class ConfigError(ValueError):
    """A choice that the game does not have. ``column``: of house rules, the kind of card and the column that is wrong, if it is one."""

    column: str = ""
