"""A short run of what ``make soak-vector`` does at length, and that it would notice something wrong."""

from __future__ import annotations

import json

import pytest

from tests.house import vector_soak
from winterkingdom_env.core.threads import usable_cores
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games.batch import GameBatch
from winterkingdom_env.reference.winter_kingdom import ReferenceGame

THREADS = str(min(2, usable_cores()))
SHORT = ["--steps", "30000", "--games", "64", "--threads", THREADS]


@pytest.mark.parametrize("game", GAMES)
def test_soak__random_play__every_finished_game_equals_the_reference(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert vector_soak.main(["--game", game, *SHORT, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["steps"] >= 30_000 and found["illegal"] > 100
    assert set(found["players"]) == set(map(str, get_game(game).PLAYERS))
    assert found["games"] == sum(found["players"].values()) > 25


def test_soak__scores_differ__is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    scores = ReferenceGame.scores
    monkeypatch.setattr(ReferenceGame, "scores", lambda self: [points + 1 for points in scores(self)])
    assert vector_soak.main([*SHORT]) == 1
    assert "wrong: Config(" in capsys.readouterr().out


def test_soak__empty_mask__is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    step = GameBatch.step

    def forget(self: GameBatch, actions: object) -> None:
        step(self, actions)  # type: ignore[arg-type]
        self.masks[3] = 0

    monkeypatch.setattr(GameBatch, "step", forget)
    assert vector_soak.main([*SHORT]) == 1
    assert "empty mask in rows [3]" in capsys.readouterr().out


def test_soak__wrong_use__exits_with_two() -> None:
    with pytest.raises(SystemExit) as stop:
        vector_soak.main(["--steps", "0"])
    assert stop.value.code == 2
