"""House rules in every game that has tables: read, refused, kept, mixed in one batch, seen."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.house.games import NAMES
from tests.house.twin import play_beside
from tests.house.wild import wild_house_rules
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import GameRules, get_game
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import Number, random_house_rules, read_house_rules, rows_of, text_of
from winterkingdom_env.records import RecordWriter, replay

WITH_TABLES = tuple(name for name in NAMES if get_game(name).SHEETS)
every_game = pytest.mark.parametrize("name", WITH_TABLES)


def texts(rules: GameRules, n: int) -> list[str]:
    """Moderate house rules and wild ones, in turn."""
    drawn = (random_house_rules, wild_house_rules)
    return [drawn[seed % 2](rules.SHEETS, seed) for seed in range(n)]


def number_of(rules: GameRules) -> tuple[str, str, str, Number]:
    """A number that house rules may change: kind of card, card, column, limits."""
    for sheet in rules.SHEETS:
        for column in sheet.columns:
            kind = sheet.kind_of(column, sheet.rows[0])
            if isinstance(kind, Number):
                return sheet.kind, sheet.rows[0].name, column, kind
    raise AssertionError("no number to change")


def played(game: Any, seed: int) -> Any:
    dice = random.Random(seed)
    while not game.is_over:
        game.apply(dice.choice(game.legal_actions()))
    return game


@every_game
def test_printed_rows__follow_their_own_sheets(name: str) -> None:
    sheets = get_game(name).SHEETS
    rows = tuple(sheet.rows for sheet in sheets)
    everything = "".join(
        f"[{sheet.kind}.{json.dumps(row.name)}]\n"
        + "".join(f"{c} = {json.dumps(sheet.kind_of(c, row).write(getattr(row, c)))}\n" for c in sheet.columns)
        for sheet in sheets
        for row in sheet.rows
        if sheet.columns
    )
    assert rows_of(sheets, everything) == rows
    assert text_of(sheets, rows) == read_house_rules(everything, sheets) == ""


@every_game
def test_texts__are_kept_in_one_form(name: str) -> None:
    rules = get_game(name)
    for text in texts(rules, 40):
        assert rules.Config(house_rules=text).house_rules == text
        assert read_house_rules("# a remark\n\n" + text.replace(" = ", "="), rules.SHEETS) == text


@every_game
def test_random__same_seed_same_rules__other_seeds_others_and_moderate(name: str) -> None:
    rules = get_game(name)
    drawn = [rules.Config(house_rules=f"random:{seed}").house_rules for seed in range(30)]
    assert drawn == [rules.Config(house_rules=f"random:{seed}").house_rules for seed in range(30)]
    assert len(set(drawn)) > 25 and all(drawn)
    for text in drawn:
        for sheet, rows in zip(rules.SHEETS, rows_of(rules.SHEETS, text), strict=True):
            for row, printed in zip(rows, sheet.rows, strict=True):
                for column in sheet.columns:
                    kind, value, usual = sheet.kind_of(column, row), getattr(row, column), getattr(printed, column)
                    assert value == usual or (isinstance(kind, Number) and 0 < abs(value - usual) <= kind.vary)


@every_game
def test_file__is_kept_as_content(name: str, tmp_path: Path) -> None:
    rules = get_game(name)
    kind, card, column, limits = number_of(rules)
    path = tmp_path / "mine.toml"
    path.write_text(f"[{kind}.{json.dumps(card)}]\n{column} = {limits.most}\n")
    kept = rules.Config(house_rules=str(path)).house_rules
    assert rules.Config(house_rules=path).house_rules == kept and str(path) not in kept and f"= {limits.most}" in kept
    odd = path.rename(tmp_path / "mine=yours.toml")
    assert rules.Config(house_rules=str(odd)).house_rules == kept
    odd.unlink()
    assert rules.Config(house_rules=kept).house_rules == kept


@every_game
def test_wrong_rules__say_what_would_work(name: str, tmp_path: Path) -> None:
    rules = get_game(name)
    kind, card, column, limits = number_of(rules)
    head = f"[{kind}.{json.dumps(card)}]\n"
    (tmp_path / "latin.toml").write_bytes(b'[a."\xe4"]\nb = 1\n')
    for given, words in (
        (str(tmp_path / "none.toml"), "No such file"),
        (str(tmp_path), "a folder"),
        (str(tmp_path / "latin.toml"), "UTF-8"),
        (7, "a TOML file"),
        ("random:x", "a TOML file"),
        ("[a\n", "not valid TOML"),
        ("[nothing.here]\nx = 1\n", f"[{kind}.NAME]"),
        (f"{kind} = 1\n", f"[{kind}.NAME]"),
        (f"[{kind}.Nobody]\nx = 1\n", card),
        (f"[{kind}]\n{json.dumps(card)} = 1\n", card),
        (f"{head}nothing = 1\n", column),
        (f"{head}{column} = {limits.most + 1}\n", f"{limits.least} to {limits.most}"),
        (f"{head}{column} = true\n", f"{limits.least} to {limits.most}"),
        (f'{head}{column} = "many"\n', f"{limits.least} to {limits.most}"),
        (f"{head}{column} = {limits.most}.0\n", f"{limits.least} to {limits.most}"),
        ("# " + 70_000 * "x" + "\n", "the limit is 65,536"),
        ("a = " + "[" * 5000 + "]" * 5000 + "\n", "not valid TOML"),
    ):
        with pytest.raises(ConfigError) as caught:
            rules.Config(house_rules=given)
        assert words in str(caught.value) and len(str(caught.value)) < 2500


def test_game_without_tables__refuses_them() -> None:
    assert read_house_rules("", ()) == ""
    with pytest.raises(ConfigError, match="no tables"):
        read_house_rules("random:1", ())


@every_game
def test_games__keep_their_rules_in_set_ups_bytes_records_and_copies(name: str, tmp_path: Path) -> None:
    rules, changed = get_game(name), 0
    for seed, text in enumerate(texts(rules, 8)):
        config = rules.Config(house_rules=text)
        game: Any = rules.new_game(config, seed)
        changed += game.setup() != rules.new_game(seed=seed).setup()
        copies: list[Any] = [rules.from_setup(game.setup()), rules.from_bytes(game.to_bytes()), game.determinize(0, 1)]
        for copy in copies:
            assert copy.board.tobytes() == game.board.tobytes()
        told = json.loads(msgspec.json.encode(config))
        assert msgspec.convert(told, rules.Config) == config
        path = tmp_path / f"{seed}.jsonl"
        dice = random.Random(seed)
        with RecordWriter(path, game, ["random"] * game.n_players) as writer:
            while not game.is_over:
                action, seat = dice.choice(game.legal_actions()), game.seat
                writer.write(seat, game.label(action))
                game.apply(action)
            writer.close(game)
        report = replay(path)
        assert report.is_seed_confirmed
    assert changed > 4


@every_game
def test_random_without_a_seed__draws_from_the_games(name: str) -> None:
    rules = get_game(name)
    config = rules.Config(house_rules="random")
    for seed in range(5):
        game = rules.new_game(config, seed)
        assert game == rules.new_game(rules.Config(house_rules=f"random:{seed}"), seed)
        assert game.config.house_rules == "random"
    with pytest.raises(ValueError, match="random:5"):
        rules.make_world(1, (config,))
    pool = rules.variants(config, (2, 3), 6)
    assert len(pool) == 12 and len({kind.house_rules for kind in pool}) == 6


@every_game
def test_batch__mixes_house_rules(name: str) -> None:
    rules = get_game(name)
    pool = [rules.Config(num_players=2 + i % 2, house_rules=text) for i, text in enumerate(["", *texts(rules, 12)])]
    for form in ("packed", "planes"):
        env = VectorEnv(rules, 24, configs=pool, observation=form)
        play_beside(env, form, 120, seed=3)
        assert len({env.game(row).config.house_rules for row in range(24)}) > 6


@every_game
def test_observation__stays_in_its_limits(name: str) -> None:
    rules = get_game(name)
    spec = rules.OBSERVATION
    for seed, text in enumerate(texts(rules, 10)):
        game = rules.new_game(rules.Config(house_rules=text), seed)
        dice = random.Random(seed)
        while not game.is_over:
            seen = game.observe()["vector"]
            assert (seen >= spec.least).all() and (seen <= spec.most).all()
            game.apply(dice.choice(game.legal_actions()))


@every_game
def test_cards__mark_what_is_changed(name: str) -> None:
    rules = get_game(name)
    kind, card, column, limits = number_of(rules)
    text = f"[{kind}.{json.dumps(card)}]\n{column} = {limits.most}\n"
    for table in rules.cards(text):
        for row in table.rows:
            expected = f"{column} {limits.most}" if (row["kind"], row["name"]) == (kind, card) else ""
            assert row["house_rules"] == expected
    assert all(not row["house_rules"] for table in rules.cards() for row in table.rows)
    with pytest.raises(ConfigError, match="random:5"):
        rules.cards("random")
