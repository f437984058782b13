"""The exit codes of every command, and what they mean. Imports next to nothing."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a command's exit code says; ``meaning`` has it in words."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Exit:
        """A code with its meaning."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    OK = 0, "done"
    FAILED = 1, "a failure, such as a full disk, or a check that does not hold"
    WRONG_USE = 2, "wrong use; nothing was done"
    FORFEITS = 3, "finished, but an agent forfeited a game"
    INTERRUPTED = 130, "interrupted (Ctrl-C, SIGTERM); what was finished is kept"
