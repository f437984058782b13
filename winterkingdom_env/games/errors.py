"""Exceptions of games. All are ValueErrors."""

from __future__ import annotations


class InvalidActionError(ValueError):
    """Not an action at all."""


class IllegalActionError(ValueError):
    """An action, but not now."""


class SavedGameError(ValueError):
    """An invalid saved game; the message names the field."""


class SetupError(ValueError):
    """Invalid set-up data."""


class ConfigError(ValueError):
    """An invalid option. ``column``: for an error in house rules, the kind of card and the column, if known."""

    column: str = ""
