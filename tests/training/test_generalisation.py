"""The generalisation benchmark: folds are trained and played once, an interrupted command goes on, and forged results are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training import fake_trainer
from training import fold_runs
from training.folds import Fold
from training.generalisation import main
from training.generalisation_check import notes_of, problems_of
from training.generalisation_file import PICTURE, RESULTS, FileError, read_results
from training.winrates import MIXED, Played
from winterkingdom_env.games import GAMES
from winterkingdom_env.search.registry import AGENTS

FOLDS = ("economy=Salvage", "players=3", "everything", "control")
CHOSEN = [f"--folds={name}" for name in FOLDS]
GIVEN = ["--setups=6", "--seed=4", "--against=random", *CHOSEN]
THEIRS = [*GIVEN, "--agent-per-fold=tests.training.named_agent:Named:name={fold}"]
Forge = Callable[[dict[str, Any]], Any]


class Table:
    """Plays no games: results by chance, the full agent's a little better."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[Any]]] = []
        self.stop_at = 10**6

    def play(self, agent: str, opponents: Sequence[str], setups: Sequence[Any], seed: int, *rest: Any, **options: Any) -> list[Played]:  # fmt: skip
        if len(self.calls) >= self.stop_at:
            raise KeyboardInterrupt
        self.calls.append((agent, list(setups)))
        dice, players = np.random.default_rng(len(self.calls)), setups[0].num_players
        share = 0.9 if "full" in agent else 0.5
        return [
            Played(agent, opponents[0], MIXED, players, {}, i, float(dice.random() < share), False)
            for i in range(len(setups))
            for _ in range(players)
        ]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """The games are made up, and so are trainers."""
    made_up = Table()
    monkeypatch.setattr(fold_runs, "played_games", made_up.play)
    monkeypatch.setattr(fold_runs, "TRAINERS", {"train turn": (fake_trainer.__name__, "turn")})
    monkeypatch.setenv("COLUMNS", "200")
    return made_up


@pytest.fixture
def results(table: Table, tmp_path: Path) -> Path:
    """The file of a finished benchmark."""
    assert main([*THEIRS, f"--out={tmp_path / 'run'}"]) == 0
    return tmp_path / "run" / RESULTS


def calls_of(run: Path) -> list[str]:
    return (run / "calls.txt").read_text().splitlines()


# --- running ----------------------------------------------------------------------------------------------------------


def test_run__trains_every_agent_once_and_plays_on_the_same_set_ups(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main([*GIVEN, "--minutes=0.5", f"--out={out}"]) == 0
    told = capsys.readouterr()
    assert "economy=Salvage" in told.out and "gap" in told.out and (out / PICTURE).read_bytes().startswith(b"\x89PNG")
    wanted = {"economy_Salvage": "without:economy=Salvage", "everything": "seen", "full": "every", "control": "every"}
    for name, setups in wanted.items():
        (line,) = calls_of(out / "runs" / name)
        assert f"--setups={setups} " in line and "--minutes=0.5" in line and "--final-setups=0" in line
    seeds = {name: calls_of(out / "runs" / name)[0].partition("--seed=")[2].split()[0] for name in wanted}
    assert len(set(seeds.values())) == 2 and seeds["control"] != seeds["full"]  # the control differs by its seed alone
    full, held_out, seen = table.calls[:3]
    assert "runs/full/policy" in full[0] and "runs/economy_Salvage/policy" in held_out[0] and seen[0] == held_out[0]
    assert full[1] == held_out[1] and {config.economy for config in full[1]} == {"Salvage"}
    assert all(config.economy != "Salvage" for config in seen[1])
    rows = {row.fold: row for row in read_results(out / RESULTS).rows}
    assert tuple(rows) == FOLDS and not (out / "games" / "control").exists()
    assert rows["players=3"].players == 3 and rows["players=3"].seen is None and rows["control"].within is None
    assert rows["everything"].seen is not None and rows["economy=Salvage"].full.games == 12


def test_run__again__redoes_nothing_and_gives_the_same_file(table: Table, results: Path) -> None:
    before, n_calls = results.read_bytes(), len(table.calls)
    assert main([*THEIRS, f"--out={results.parent}"]) == 0
    assert len(table.calls) == n_calls and results.read_bytes() == before
    assert main([*THEIRS, "--folds=economy=Arms", f"--out={results.parent}"]) == 0
    assert len(table.calls) == n_calls + 3  # only the new fold is played


def test_run__interrupted_between_games__goes_on_with_the_fold(table: Table, tmp_path: Path) -> None:
    out = tmp_path / "run"
    table.stop_at = 4
    assert main([*GIVEN, f"--out={out}"]) == 130
    assert [path.stem for path in (out / "folds").iterdir()] == ["economy_Salvage"] and not (out / RESULTS).exists()
    table.stop_at = 10**6
    assert main([*GIVEN, f"--out={out}"]) == 0
    assert [row.fold for row in read_results(out / RESULTS).rows] == list(FOLDS)
    assert all(len(calls_of(run)) == 1 for run in (out / "runs").iterdir())


def test_run__interrupted_or_failed_training__is_resumed(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    begin = ["--setups=4", "--against=random", f"--out={out}"]
    assert main([*begin, "--folds=control"]) == 0
    for name, code in (("stop", 130), ("fail", 2)):
        (out / name).touch()
        assert main([*begin, "--folds=economy=Salvage"]) == code
        (out / name).unlink()
    told = capsys.readouterr().err
    assert "the same command goes on" in told and "failed with exit code 1" in told
    assert main([*begin, "--folds=economy=Salvage"]) == 0
    run = out / "runs" / "economy_Salvage"
    new, *resumed = calls_of(run)
    assert f"--out={run}" in new and resumed == [f"--resume={run}"] * 2


def test_run__agents_of_others__play_under_the_name_of_their_fold(table: Table, results: Path) -> None:
    assert {agent.rpartition("=")[2] for agent, _ in table.calls} == {
        "full", "economy_Salvage", "players_3", "everything", "control",
    }  # fmt: skip
    assert not (results.parent / "runs").exists()
    assert read_results(results).protocol.trainer == "tests.training.named_agent:Named:name={fold}"


def test_run__in_a_folder_of_other_settings__is_refused(
    table: Table, results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option, words in (("--seed=5", "with seed 4, not 5"), ("--minutes=1", "with minutes 10.0, not 1.0")):
        assert main([*THEIRS, option, f"--out={results.parent}"]) == 2
        assert words in capsys.readouterr().err
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").touch()
    assert main([*THEIRS, f"--out={tmp_path / 'mine'}"]) == 2
    assert "is not empty, and no benchmark" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["protocol.json", "folds/control.json"])
def test_run__damaged_file__is_named(
    name: str, table: Table, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (results.parent / name).write_text("{")
    assert main([*THEIRS, f"--out={results.parent}"]) == 2
    assert f"{results.parent / name} is not a file of results: not valid JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--folds=weather", "no fold is called 'weather'; there are: economy, scoring"),
        ("--folds=economy=Gold", "economy has no level 'Gold'; there are: Agriculture"),
        ("--minutes=11", "at most 10 minutes"),
        ("--minutes=0", "at most 10 minutes"),
        ("--setups=1", "2 to 10,000 set-ups"),
        ("--processes=0", "--processes 0"),
        ("--against=nobody", "no agent is called 'nobody'"),
        ("--agent-per-fold=nobody:{fold}=1", "no agent is called 'nobody"),
        ("--agent-per-fold=policy:path={fold}.safetensors", "full.safetensors"),
        ("--game=chess", "known games"),
    ],
)
def test_run__wrong_use__is_told_and_nothing_is_written(
    option: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*GIVEN, option, f"--out={tmp_path / 'run'}"]) == 2
    assert words in capsys.readouterr().err and not (tmp_path / "run").exists()


def test_list__is_dry_and_names_files_and_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--against=random", "--short", f"--out={tmp_path / 'run'}", "--list"]
    assert main(given) == 0
    told = capsys.readouterr().out
    assert "economy_" in told and "h of training" in told and "h of games" in told
    assert main([*given, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["minutes_of_training"] == 10.0 * (len(listed["folds"]) + 1)
    assert listed["folds"][0]["trains_on"].startswith("without:economy=") and not (tmp_path / "run").exists()


def test_run__of_real_games__pairs_them_by_set_up(tmp_path: Path) -> None:
    given = ["--setups=2", "--against=random", "--agent-per-fold=random", "--folds=control", f"--out={tmp_path / 'run'}"]  # fmt: skip
    assert main(given) == 0
    (row,) = read_results(tmp_path / "run" / RESULTS).rows
    assert row.full == row.held_out and row.gap.value == 0 and row.full.games == 4  # the same agent, set-ups and seeds
    assert main(["check", str(tmp_path / "run" / RESULTS)]) == 0


# --- checking ---------------------------------------------------------------------------------------------------------


def test_check__valid_results__are_shown_with_notes(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    picture = tmp_path / "again.png"
    assert main(["check", str(results), f"--picture={picture}"]) == 0
    told = capsys.readouterr().out
    assert "is valid: 4 folds of winter_kingdom_v1" in told and "6 set-ups per fold; the protocol has 1,000" in told
    assert "note: 4 of 44 folds, without economy=Agriculture" in told and picture.exists()
    read = read_results(results)
    assert problems_of(read) == [] and any("opponent is random" in note for note in notes_of(read))


def forge(results: Path, change: Forge) -> Path:
    content = json.loads(results.read_bytes())
    change(content)
    forged = results.with_name("forged.json")
    forged.write_text(json.dumps(content))
    return forged


def first(content: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = content["rows"][0]
    return row


FORGERIES: list[tuple[Forge, str]] = [
    (lambda c: c.update(format=2), "format is 2"),
    (lambda c: c.update(game="chess"), "no game is called 'chess'"),
    (
        lambda c: c.update(env_version="v0"),
        "played under the rules winter_kingdom_v0, this version has winter_kingdom_v1",
    ),
    (lambda c: c["rows"].pop(1), "the fold 'players=3' has no rows; it was asked for"),
    (lambda c: c["rows"].append(first(c)), "the fold 'economy=Salvage' has 2 rows"),
    (lambda c: c["folds"].remove("control"), "the fold 'control' has a row, but is not among the folds"),
    (lambda c: c.update(folds=[], rows=[]), "nothing was measured"),
    (lambda c: first(c).update(fold="economy=Gold"), "economy has no level 'Gold'"),
    (lambda c: first(c).update(level="Arms"), "are not those of its name"),
    (lambda c: c["rows"][1].update(players=2), "games of 2 players; its games are of 3"),
    (lambda c: c["protocol"].update(setups=7), "6 set-ups; the protocol of the file says 7"),
    (lambda c: c["protocol"].update(minutes=60.0), "at most 10 minutes"),
    (lambda c: c["protocol"].update(seed=5), "those of seed 5 have"),
    (lambda c: c["protocol"].update(opponent=""), "opponent=''"),
    (lambda c: first(c)["full"].update(games=120), "120 games; 6 set-ups, once on each of 2 seats, are 12"),
    (lambda c: first(c)["full"].update(forfeits=12), "12 forfeited games do not go with"),
    (lambda c: first(c)["full"]["wins"].append(2.0), "wins of 7 set-ups; 6 are needed"),
    (lambda c: first(c)["full"]["wins"].__setitem__(0, 3.0), "set-up 0 has 3 wins, which 2 games cannot give"),
    (lambda c: first(c)["full"]["wins"].__setitem__(0, 0.3), "set-up 0 has 0.3 wins"),
    (lambda c: first(c)["gap"].update(low=0.999), "the interval does not contain the estimate"),
    (lambda c: first(c)["gap"].update(low=-1.0, high=1.0), "the wins give the interval"),
    (lambda c: first(c)["gap"].update(value=first(c)["gap"]["value"] - 0.01), "the wins give"),
    (lambda c: first(c)["held_out"]["win_rate"].update(value=0.999, high=1.0), "held_out: win_rate 0.999"),
    (lambda c: first(c)["within"].update(value=first(c)["within"]["value"] + 0.01), "within"),
    (lambda c: first(c).update(seen=None), "seen and within are both needed"),
    (lambda c: c["rows"][3].update(within={"value": 0.0, "low": 0.0, "high": 0.0}), "must be null in this fold"),
    (lambda c: first(c).update(digest="0" * 16), "its set-ups have the digest"),
    (lambda c: first(c)["full"].update(agent="other"), "2 different agents"),
    (lambda c: first(c)["gap"].update(value=float("nan")), "NaN is not a JSON number"),
    (lambda c: c.pop("protocol"), "missing required field `protocol`"),
    (lambda c: c.update(more=1), "unknown field `more`"),
    (lambda c: first(c)["full"].update(games="many"), "Expected `int`, got `str`"),
]


@pytest.mark.parametrize(("change", "words"), FORGERIES, ids=[words for _, words in FORGERIES])
def test_check__forged_results__are_refused_in_a_sentence(
    change: Forge, words: str, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    forged = forge(results, change)
    assert main(["check", str(forged)]) == 1
    told = capsys.readouterr()
    assert words in told.err and told.out == ""
    assert main(["check", str(forged), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert not answer["ok"] and any(words in sentence for sentence in answer["problems"])


def test_check__agents_with_unequal_training__are_noted(results: Path) -> None:
    def uneven(content: dict[str, Any]) -> None:
        first(content)["full"]["steps"], first(content)["held_out"]["steps"] = 9000, 6000

    read = read_results(forge(results, uneven))
    assert problems_of(read) == [] and "another 6,000: the machine was busy" in notes_of(read)[-1]


def test_check__file_that_is_not_there__is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "no.json")]) == 1
    assert "a file of 'winterkingdom generalisation' is needed" in capsys.readouterr().err
    with pytest.raises(FileError, match="No such file"):
        read_results(tmp_path / "no.json")


def test_fold__trains_on_what_its_name_says() -> None:
    assert Fold("economy", "Arms").trains_on == "without:economy=Arms"
    assert Fold("everything").trains_on == "seen" and Fold("control").trains_on == "every"


def test_plan__games_that_describe_a_standing__are_learnt_by_whole_turns() -> None:
    trainers = {name: fold_runs.plan_of(name, 1.0, 2, 0, "random", "").protocol.trainer for name in GAMES}
    assert trainers == {"winter_kingdom": "train turn", "dominion": "train ppo", "kingdom_builder": "train turn"}
    assert not set(trainers.values()) & {*AGENTS}  # an agent of this name is not trained


def test_help__has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    assert capsys.readouterr().out.count("winterkingdom generalisation") >= 2
