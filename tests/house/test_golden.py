"""Behaviour does not drift: recorded games replay line by line, and seeded games come out as they did, or the env has a new version.

What is known of a game is in ``tests/<game>/golden``: records, fingerprints by version, perft counts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.fingerprint import fingerprint
from winterkingdom_env import records
from winterkingdom_env.games import GAMES, get_game

TESTS = Path(__file__).parents[1]
RECORDS = sorted(path for game in GAMES for path in (TESTS / game / "golden" / "records").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_record__replays(path: Path) -> None:
    report = records.replay(path)
    assert report.is_complete
    assert report.is_seed_confirmed, "seed and config no longer draw the set-up in the header"


def test_every_game__has_records_of_every_number_of_players() -> None:
    headers = [records.read_record(path).header for path in RECORDS]
    recorded = {(header.game, header.setup["num_players"]) for header in headers}
    assert recorded == {(game, players) for game in GAMES for players in get_game(game).PLAYERS}


@pytest.mark.parametrize("game", GAMES)
def test_fingerprint__of_this_version__is_unchanged(game: str) -> None:
    rules = get_game(game)
    known = json.loads((TESTS / game / "golden" / "fingerprints.json").read_text(encoding="utf-8")).get(
        rules.ENV_VERSION
    )
    number = fingerprint(rules)
    assert known is not None, f"{game} {rules.ENV_VERSION} is new: add its fingerprint {number} to fingerprints.json"
    assert number == known, (
        f"seeded games of {game} {rules.ENV_VERSION} come out differently ({known} -> {number}): if a rule, the action "
        "numbering or the random stream was meant to change, raise its version in games/__init__.py; if not, this is a bug"
    )


@pytest.mark.parametrize("game", GAMES)
def test_fingerprint__other_games__differ(game: str) -> None:
    rules = get_game(game)
    assert fingerprint(rules, 3) != fingerprint(rules, 4)
