"""The command line with every registered game: play, replay, perft, and what it says about the game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.house.games import CONFIGS, NAMES
from winterkingdom_env.cli.commands import app
from winterkingdom_env.games import address_of, get_game
from winterkingdom_env.games.base import perft
from winterkingdom_env.games.options import as_typed

every_game = pytest.mark.parametrize("name", NAMES)


def run(*arguments: object) -> Any:
    """A command that works; what it printed."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


def options(name: str, number: int) -> list[str]:
    """A config as it is typed."""
    fields = dict(CONFIGS[name][number])
    typed = [
        "--game",
        address_of(name),
        "--players",
        str(fields.pop("num_players", get_game(name).Config().num_players)),
    ]
    for key, value in fields.items():
        typed += ["--set", f"{key}={as_typed(value)}"]
    return typed


@every_game
def test_play_and_replay__agree(name: str, tmp_path: Path) -> None:
    for number in range(len(CONFIGS[name])):
        path, picture = tmp_path / f"{number}.jsonl", tmp_path / f"{number}.svg"
        files = ["--record", path, "--svg", picture]
        played = json.loads(run("play", *options(name, number), "--seed", number, "--json", *files).stdout)
        again = json.loads(run("replay", path, "--json", "--game", address_of(name)).stdout)
        assert again["ok"] and again["complete"] and again["seed_confirmed"]
        for key in ("game", "env_version", "seed", "agents", "scores", "winners"):
            assert again[key] == played[key], key
        assert (
            played["game"] == name
            and played["players"] == len(played["scores"])
            and again["actions"] == played["steps"]
        )
        assert picture.read_text(encoding="utf-8").startswith("<svg")
    shown = run("replay", path, "--show", "turns").stdout
    assert "scores and winners confirmed" in shown and "winner: seat " in shown


@every_game
def test_play__for_people__names_the_winner(name: str) -> None:
    shown = run("play", *options(name, 0), "--seed", 3).stdout
    assert (re.search(r"wins( -?\d+ to -?\d+|: )", shown) or "share the win: " in shown) and "seed 3, " in shown


@every_game
def test_perft__counts_as_the_game_does(name: str) -> None:
    rules = get_game(name)
    game = rules.new_game(rules.Config(**CONFIGS[name][0]), 7)
    data = json.loads(run("perft", *options(name, 0), "--seed", 7, "--depth", 2, "--divide", "--json").stdout)
    assert [row["nodes"] for row in data["counts"]] == [perft(game, 1), perft(game, 2)]
    assert sum(data["divide"].values()) == perft(game, 2) and data["players"] == game.n_players


@every_game
def test_options__are_those_of_the_config(name: str) -> None:
    rules = get_game(name)
    data = json.loads(run("options", "--game", address_of(name), "--json").stdout)
    assert data["players"] == list(rules.PLAYERS)
    assert {row["name"] for row in data["options"]} == {*rules.Config.__struct_fields__} - {"num_players"}
    assert "--players" in run("options", "--game", address_of(name)).stdout


@every_game
def test_players__too_many_or_too_few__are_refused_with_the_numbers_there_are(name: str) -> None:
    numbers = get_game(name).PLAYERS
    for wrong in (numbers[0] - 1, numbers[-1] + 1):
        result = CliRunner().invoke(app, ["play", "--game", address_of(name), "--players", str(wrong)])
        assert result.exit_code == 2 and f"numbers of players: {', '.join(map(str, numbers))}" in result.stderr


@every_game
def test_cards_and_boards__are_shown_or_said_to_be_missing(name: str) -> None:
    rules = get_game(name)
    data = json.loads(run("cards", "--game", address_of(name), "--json").stdout)
    assert len(data) == sum(len(table.rows) for table in rules.cards())
    result = CliRunner().invoke(app, ["boards", "--game", address_of(name)])
    assert result.exit_code == (0 if rules.PLACES else 2), result.output
    assert result.exit_code == 0 or result.stderr.startswith("error: ")
