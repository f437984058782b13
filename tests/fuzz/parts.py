"""The parts of the fuzz run by name, each "module:class".

A part is made with an empty folder of its own and has ``attempt(seed) -> str``: one attempt, decided by the seed alone, and the name of its
outcome. It raises if something was accepted that must not be, or refused in the wrong way.
"""

from __future__ import annotations

PARTS = {
    "records": "tests.fuzz.records:Records",
    "setups": "tests.fuzz.setups:Setups",
    "boards": "tests.fuzz.boards:Boards",
    "policies": "tests.fuzz.policies:Policies",
    "tournaments": "tests.fuzz.tournaments:Tournaments",
}
