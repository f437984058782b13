"""What the command line prints where no terminal is."""

from __future__ import annotations

import pytest

from agents.wide_table import Column, WideTable
from winterkingdom_env.cli.terminal import put

LADDER = WideTable(
    "Ladder",
    Column("agent", ["my_bots:MyAgent", "random"]),
    [Column(name, ["50.0 %\n30.0…70.0 %"] * 2) for name in ("share", "wins", "draws", "losses", "margin", "forfeits")],
)


@pytest.mark.parametrize(
    ("columns", "widest"), [("60", 60), ("80", 80), ("140", 140), ("", 100), ("wide", 100), ("0", 100)]
)
def test_put__piped__is_as_wide_as_columns_says(
    columns: str, widest: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    put(LADDER)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= widest
    assert any("my_bots:MyAgent" in line for line in lines) == (widest >= 80), (
        "a name is folded where there is little room"
    )
    assert (sum(line.startswith("Ladder") for line in lines) == 1) == (widest >= 100), "what does not fit stands below"
