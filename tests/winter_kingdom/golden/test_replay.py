"""Recorded games replay line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from winterkingdom_env import records
from winterkingdom_env.games import GAMES

RECORDS = sorted((Path(__file__).parent / "records").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_replay(path: Path) -> None:
    report = records.replay(path)
    assert report.is_complete
    assert report.is_seed_confirmed, "seed and config no longer draw the set-up in the header"


def test_every_game__has_golden_records_and_a_perft_file() -> None:
    recorded = {records.read_record(path).header.game for path in RECORDS}
    assert recorded == set(GAMES)
    for game in GAMES:
        assert (Path(__file__).parents[1] / "perft" / f"{game}.txt").is_file()
