"""The parts of the fuzz run by name, each "module:class".

A part is made with an empty folder of its own and has ``attempt(seed) -> str``: one attempt, decided by the seed alone, and the name of its
outcome. It raises if something was accepted that must not be, or refused in the wrong way; ``Skip`` if it cannot run here.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

PARTS = {
    "saves": "tests.fuzz.saves:Saves",
    "states": "tests.fuzz.states:States",
    "checkpoints": "tests.fuzz.checkpoints:Checkpoints",
    "records": "tests.fuzz.records:Records",
    "setups": "tests.fuzz.setups:Setups",
    "boards": "tests.fuzz.boards:Boards",
    "house_rules": "tests.fuzz.house_rules:HouseRules",
    "policies": "tests.fuzz.policies:Policies",
    "tournaments": "tests.fuzz.tournaments:Tournaments",
    "messages": "tests.fuzz.messages:Messages",
    "cache": "tests.fuzz.cache:Cache",
    "arguments": "tests.fuzz.arguments:Arguments",
    "web": "tests.fuzz.web:Web",
}


class Skip(Exception):
    """A part cannot run here; the message says why."""


class Part(Protocol):
    """What the driver runs."""

    def attempt(self, seed: int) -> str: ...


def make_part(target: str, folder: Path) -> Part:
    """The part that "module:class" names."""
    module, _, name = target.partition(":")
    made: Any = getattr(import_module(module), name)(folder)
    part: Part = made
    return part
