"""Every registered game can be written down while it is played, and is verified line by line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.house.games import CONFIGS, NAMES, config_of
from winterkingdom_env.games import get_game
from winterkingdom_env.records import RecordError, RecordWriter, read_record, replay, winners_of

every_game = pytest.mark.parametrize("name", NAMES)


def write(path: Path, name: str, seed: int, is_whole: bool = True) -> Any:
    """Record a random game, or the first half of its actions; the game as it stood then."""
    game, dice = get_game(name).new_game(config_of(name, seed), seed), random.Random(seed)
    length = 0
    whole = game.clone()
    while not whole.is_over:
        whole.apply(dice.choice(whole.legal_actions()))
        length += 1
    dice = random.Random(seed)
    with RecordWriter(path, game, [f"agent {seat}" for seat in range(game.n_players)]) as writer:
        for _ in range(length if is_whole else length // 2):
            seat, action = game.seat, dice.choice(game.legal_actions())
            writer.write(seat, game.label(action))
            game.apply(action)
        if is_whole:
            writer.close(game)
    return game


@every_game
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
def test_replay__whole_game__is_confirmed(name: str, suffix: str, tmp_path: Path) -> None:
    for seed in range(len(CONFIGS[name])):
        path = tmp_path / f"{seed}.{suffix}"
        game = write(path, name, seed)
        report = replay(path)
        assert report.is_complete and report.is_seed_confirmed and report.game == game
        assert (report.scores, report.winners) == (game.scores(), winners_of(game.ranks()))
        assert report.record.header.game == name and len(report.record.header.agents or ()) == game.n_players


@every_game
def test_replay__half_a_game__is_verified_and_incomplete(name: str, tmp_path: Path) -> None:
    game = write(tmp_path / "half.jsonl", name, 1, is_whole=False)
    report = replay(tmp_path / "half.jsonl")
    assert not report.is_complete and report.game == game and not report.game.is_over


@every_game
def test_replay__changed_lines__are_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = write(path, name, 0)
    lines = path.read_text().splitlines()
    middle = len(lines) // 2
    step, end = json.loads(lines[middle]), json.loads(lines[-1])
    others = [seat for seat in range(game.n_players) if seat != step["seat"]]
    changes = (
        (middle, {**step, "seat": others[0]}),
        (middle, {**step, "action": "no such action"}),
        (len(lines) - 1, {**end, "scores": [score + 1 for score in end["scores"]]}),
        (len(lines) - 1, {**end, "winners": []}),
        (len(lines) - 2, end),
    )
    for number, content in changes:
        path.write_text("\n".join([*lines[:number], json.dumps(content), *lines[number + 1 :]]) + "\n")
        with pytest.raises(RecordError) as refused:
            replay(path)
        assert refused.value.line in (number + 1, number + 2), "the line itself, or what follows the end"


@every_game
def test_header__a_game_of_another_version__is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write(path, name, 0, is_whole=False)
    head, *lines = path.read_text().splitlines()
    changes: tuple[dict[str, Any], ...] = ({"env_version": "v999"}, {"game": "no_such_game"}, {"setup": {}})
    for change in changes:
        path.write_text("\n".join([json.dumps({**json.loads(head), **change}), *lines]) + "\n")
        assert read_record(path).header
        with pytest.raises(RecordError):
            replay(path)


@every_game
def test_write__a_number_instead_of_a_label__is_refused(name: str, tmp_path: Path) -> None:
    game = get_game(name).new_game(seed=1)
    with RecordWriter(tmp_path / "game.jsonl", game, ["a"] * game.n_players) as writer:
        with pytest.raises(RecordError, match="is not the label of an action"):
            writer.write(game.seat, game.legal_actions()[0])  # type: ignore[arg-type]
        writer.write(game.seat, game.label(game.legal_actions()[0]))
    assert replay(tmp_path / "game.jsonl").n_actions == 1
