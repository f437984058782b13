"""Behaviour does not drift: seeded games come out as they did, or the env has a new version."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.fingerprint import fingerprint
from winterkingdom_env.games import winter_kingdom as wk

KNOWN = json.loads((Path(__file__).parent / "fingerprints.json").read_text(encoding="utf-8"))


def test_fingerprint__of_this_version__is_unchanged() -> None:
    known = KNOWN[wk.NAME].get(wk.ENV_VERSION)
    number = fingerprint(wk)
    assert known is not None, f"{wk.NAME} {wk.ENV_VERSION} is new: add its fingerprint {number} to fingerprints.json"
    assert number == known, (
        f"seeded games of {wk.NAME} {wk.ENV_VERSION} come out differently ({known} -> {number}): if a rule, the action "
        "numbering or the random stream was meant to change, raise ENV_VERSION; if not, this is a bug"
    )


def test_fingerprint__other_games__differ() -> None:
    assert fingerprint(wk, 3) != fingerprint(wk, 4)
