"""The benchmark suite runs, writes what it reads, and judges as it says; nothing here looks at how fast anything is."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import compare, compilation, markdown, report
from benchmarks.__main__ import FULL_PARTS, NAMED_PARTS, PARTS, SHORT_PARTS, main, part_of
from benchmarks.kernels import Positions
from benchmarks.peer_loops import PEERS, pick_bits
from benchmarks.peers import time_apart
from benchmarks.perft import count_by_reference
from benchmarks.positions import Source, source_of, winter_kingdom
from benchmarks.timing import Budget, Failure, Level, Timing
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.base import perft
from winterkingdom_env.games.winter_kingdom.layout import Op

ROOT = Path(__file__).parents[2]
QUICK = Budget(Level.QUICK, 2, 1)
US = wk.TITLE
SOURCE = source_of(wk)
MACHINE = {
    "processor": "p",
    "cores": 2,
    "system": "s",
    "python": "3",
    "numpy": "2",
    "numba": "1",
    "date": "d",
    "commit": None,
}


def timing(name: str, *runs: float, part: str = "stepping", unit: str = "step") -> Timing:
    return Timing(name, part, unit, runs, {"threads": 1})


def report_of(*timings: Timing) -> report.Report:
    return report.Report(MACHINE, "short", list(timings))


# Parts


@pytest.mark.parametrize("part", [part for part in PARTS if part not in NAMED_PARTS])
def test_part__runs_and_writes_a_report_that_can_be_read(
    part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / "report.json"
    assert main([part, "--quick", "--out", str(path)]) == 0
    found = report.read_file(path)
    assert {timing.part for timing in found.timings} == {part}
    assert len({timing.key for timing in found.timings}) == len(found.timings) > 3
    assert not found.failures
    assert all(len(timing.runs) == 2 and timing.parameters["threads"] in (1, 2) for timing in found.timings)
    assert report.read(found.write()) == found
    printed = capsys.readouterr()
    assert part in printed.out
    assert found.timings[0].name in printed.out
    assert f"{part}: {found.timings[0].name}" in printed.err


@pytest.mark.parametrize("part", [part for part in PARTS if part not in (*NAMED_PARTS, "compile")])
def test_part__of_a_game_without_positions_of_its_own__runs(part: str) -> None:
    found = list(part_of(part)(QUICK, Source(wk)))
    names = [timing.name for timing in found]
    assert len(set(names)) == len(names) >= 3 and all(isinstance(timing, Timing) for timing in found)
    assert not any("reference" in name or name.endswith(", numpy") for name in names)


def test_report__names_the_game_and_compare_warns_of_another() -> None:
    old, new = report_of(timing("x", 1.0)), report_of(timing("x", 1.0))
    told = list(compare.differences(old, new))
    assert old.game == wk.NAME and not any("game" in words for words in told)
    new.game = "another_game"
    assert report.read(new.write()).game == "another_game"
    assert list(compare.differences(old, new)) == ["game: winter_kingdom before, another_game after", *told]
    data = json.loads(old.write())
    del data["game"]  # as files from before there were more games
    assert report.read(json.dumps(data)).game == wk.NAME


def test_peers__what_is_not_there_is_named_and_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = PEERS[0]._replace(package="no-such-package")
    broken = PEERS[0]._replace(package="numpy", name="no such peer")
    monkeypatch.setattr("benchmarks.peers.PEERS", (absent, broken))
    assert main(["--quick", "--json", "peers"]) == 0
    found = report.read(capsys.readouterr().out)
    assert [(failure.name, failure.reason) for failure in found.failures] == [
        (absent.name, "no-such-package is not installed"),
        (broken.name, "StopIteration"),
    ]
    assert all(timing.name.startswith(US) for timing in found.timings)


def test_peers__one_that_is_there_is_timed_in_a_process_of_its_own() -> None:
    pytest.importorskip("pygame", reason="PettingZoo's tic-tac-toe draws with it")
    found = time_apart(next(peer for peer in PEERS if "tictactoe" in peer.name), 1, QUICK)
    assert isinstance(found, Timing)
    assert found.parameters["interface"] == "AEC"


@pytest.mark.parametrize(
    "code", [compilation.FIRST_GAME, compilation.FIRST_BATCH, compilation.EVERYTHING, *compilation.IMPORTS.values()]
)
def test_compile__what_a_new_process_imports_is_there(code: str) -> None:
    for statement in ast.walk(ast.parse(code.format(game="winter_kingdom"))):
        if isinstance(statement, ast.ImportFrom | ast.Import):
            exec(compile(ast.Module([statement], []), "<imports>", "exec"), {})


def test_compile__process_that_fails__is_a_failure_with_its_last_words(tmp_path: Path) -> None:
    for found in (
        compilation.time_warm("raise SystemExit('no such kernel')", "first", str(tmp_path), 2),
        compilation.time_cold("import no_such_module", "first", 1),
    ):
        assert isinstance(found, Failure) and "exit code 1: " in found.reason
        assert found.reason.endswith(("no such kernel", "No module named 'no_such_module'"))


def test_peers__whole_games__have_a_table_of_their_own() -> None:
    found = report.Report(level="quick", game="dominion")
    found.add(Timing("ours", "peers", "game", (5_000.0,), {"ours": 1}))
    found.add(Timing("theirs", "peers", "game", (1_000_000.0,), {}))
    assert markdown.peers_table(found) == []
    assert markdown.peers_table(found, "game")[2:] == ["| **ours** | 200,000 | 1 |", "| theirs | 1,000 | 1 |"]


def test_machine__says_what_ran() -> None:
    found = report.machine()
    assert {"processor", "cores", "system", "python", "numpy", "numba", "winterkingdom_env", "commit", "date"} == set(
        found
    )


def test_short_and_full__are_made_of_parts() -> None:
    assert set(SHORT_PARTS) < set(FULL_PARTS) < set(PARTS)


# What is measured


def test_numpy_twin__equals_the_kernel() -> None:
    pool = SOURCE.collect(SOURCE.is_middle, 300, seed=5)
    stream, uses, op = Stream(5), winter_kingdom.uses_of_ops(), Op.MOVE_ONE
    moves = winter_kingdom.op_positions(uses[op], pool, 300, stream)
    found = {
        "mandatory placement": SOURCE.collect(winter_kingdom.is_mandatory, 500, seed=6),
        "placement, no adjacent hex": SOURCE.collect(winter_kingdom.is_not_adjacent, 100, seed=7),
        **{f"MOVE_ONE {step}": pairs for step, pairs in moves.items()},
    }
    assert set(found) == set(SOURCE.TWINS)
    for name, pairs in found.items():
        batch = Positions.of([pair.game for pair in pairs])
        batch.find_legal()
        assert len(batch) >= 100
        assert batch.legals["hexes"].any()
        np.testing.assert_array_equal(SOURCE.TWINS[name](batch.records, batch.boards), batch.legals["hexes"])


def test_scenes__are_the_same_position_for_kernel_and_reference() -> None:
    names = []
    for _, name, pairs in SOURCE.scenes(QUICK):
        names.append(name)
        for game, reference in pairs[:8]:
            assert {game.label(action) for action in game.legal_actions()} == set(reference.find_legal()), name
    wanted = {op.name for op in winter_kingdom.uses_of_ops()}
    assert len(wanted) == 26
    assert {name.split()[0] for name in names if name.isupper() or "_" in name} >= wanted - {"BUILD_AT_OPPONENT_RUN"}


def test_five_abilities__are_upgraded_and_unused() -> None:
    pair = SOURCE.collect(SOURCE.is_middle, 1, seed=1)[0]
    pair = winter_kingdom.with_random_cards(pair, winter_kingdom.FIVE, Stream(1))
    seat = pair.game.snapshot()["players"][pair.game.seat]
    assert seat == pair.reference.snapshot()["players"][pair.game.seat]
    assert bin(int(pair.game.record["upgraded"][0, pair.game.seat])).count("1") == winter_kingdom.FIVE


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_perft__every_move_made_counts_the_same(depth: int) -> None:
    for start in (*SOURCE.starts(0), *Source(wk).starts(0)):
        assert perft(start.game, depth, is_bulk=False) == perft(start.game, depth), start.name
    opening = next(SOURCE.starts(0)).game
    reference = SOURCE.reference(opening.setup())
    assert reference is not None
    assert count_by_reference(reference, min(depth, 2)) == perft(opening, min(depth, 2))


def test_pick_bits__picks_every_set_bit_equally_often() -> None:
    words = np.zeros((9000, 3), np.uint64)
    words[:, 0], words[:, 2] = 1 << 5, 1 << 63 | 1
    actions = np.zeros(len(words), np.uint32)
    pick_bits(words, np.uint64(1), actions)
    values, counts = np.unique(actions, return_counts=True)
    assert list(values) == [5, 128, 191]
    assert (np.abs(counts - 3000) < 300).all()


# Tables and pictures


def test_table__renders_what_was_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(
        report_of(
            timing("engine, 2-4 players: steps", 1000, 1100),
            timing("first game, cold cache", 38.6e9, part="compile", unit="process"),
            timing(f"{US}, bare engine", 1000, part="peers"),
            timing("PettingZoo connect_four_v3, raw_env", 50_000, part="peers"),
        ).write()
    )
    assert main(["table", str(tmp_path / "a.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "| random step of the bare engine | 1,000 ns | 1,000,000 | +10% | 2 |" in lines
    assert "| first game in a fresh process, nothing compiled yet | 38.6 s |  |  | 1 |" in lines
    assert f"| {US}, bare engine | 1,000,000 | 1 | 50 |" in [line.replace("**", "") for line in lines]


def test_table__every_row_is_a_timing_of_the_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {part: set[str]() for part in PARTS}
    for part in ("perft", "clone"):
        assert main([part, "--quick", "--json"]) == 0
        names[part] = {timing.name for timing in report.read(capsys.readouterr().out).timings}
        assert all(set(wanted) <= names[part] for _, row_part, wanted in markdown.ROWS if row_part == part)


def test_plot__draws_three_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    facts: dict[str, Any] = {"scene": "MOVE_ONE sources", "group": "op", "implementation": "kernel", "threads": 1}
    phase: dict[str, Any] = {**facts, "scene": "mandatory placement", "group": "phase"}
    vector: dict[str, Any] = {"interface": "vector", "form": "packed", "batch": 64, "threads": 1}
    found = report_of(
        Timing("a", "legal_moves", "mask", (100.0,), facts),
        Timing("b", "legal_moves", "mask", (100.0,), phase),
        Timing("c", "envs", "step", (100.0,), vector),
        Timing("d", "envs", "step", (90.0,), {**vector, "batch": 128}),
        Timing("e", "peers", "step", (90.0,), {"ours": 1}),
        Timing("f", "peers", "step", (900.0,), {}),
    )
    (tmp_path / "a.json").write_text(found.write())
    assert main(["plot", str(tmp_path / "pictures"), str(tmp_path / "a.json")]) == 0
    drawn = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert drawn == {f"{name}.{suffix}" for name in ("phases", "throughput", "peers") for suffix in ("png", "svg")}


def test_plot__without_matplotlib__says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["clone", "--quick", "--plot", "pictures"]) == 2
    assert "pip install" in capsys.readouterr().err


# Wrong use


@pytest.mark.parametrize(
    "arguments",
    [
        ["no_such_part"],
        ["--runs", "0"],
        ["--runs", "many"],
        ["--seed", "-1"],
        ["--game", "go"],
        ["--game", "no.such.module:game"],
        ["--full", "--quick"],
        ["compare", "one.json"],
        ["compare", "--before", "no-such-folder"],
        ["compare", "--before", ".", "--rounds", "2"],
        ["compare", "--before", ".", "no_such_part"],
        ["compare", "missing.json", "missing.json"],
        ["compare", "missing.json", "missing.json", "--threshold", "-1"],
        ["compare", "missing.json", "missing.json", "--threshold", "nan"],
        ["table"],
        ["table", "missing.json"],
        ["plot", "folder", "missing.json"],
        ["list", "something"],
    ],
)
def test_wrong_use__exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "error" in capsys.readouterr().err.lower()


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", '{"schema": 99}', '{"schema": 1, "machine": {}, "level": "short", "timings": [{}], "failures": []}'],
)  # fmt: skip
def test_read__what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(report.ReportError):
        report.read(text)


def test_read__a_timing_without_runs_is_refused() -> None:
    data = json.loads(report_of(timing("x", 1.0)).write())
    data["timings"][0]["runs_ns"] = []
    with pytest.raises(report.ReportError):
        report.read(json.dumps(data))


PHASE: dict[str, Any] = {"scene": "mandatory placement", "group": "phase", "implementation": "kernel", "threads": 1}
VECTOR: dict[str, Any] = {"interface": "vector", "form": "packed", "batch": 64, "threads": 1}


def damaged(path: Path, field: str, value: object) -> str:
    """A file with a report in which one field is something else: timings.0.part, say."""
    found = report_of(
        Timing("a", "legal_moves", "mask", (100.0,), PHASE),
        Timing("b", "envs", "step", (100.0,), VECTOR),
        timing(f"{US}, bare engine", 1000, part="peers"),
    )
    data = json.loads(found.write())
    *way, last = [int(step) if step.isdigit() else step for step in field.split(".")]
    inner = data
    for step in way:
        inner = inner[step]
    inner[last] = value
    path.write_text(json.dumps(data))
    return str(path)


@pytest.mark.parametrize("command", ["table", "compare", "plot"])
@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("machine", None, "at `$.machine`"),
        ("machine", 5, "at `$.machine`"),
        ("machine", [], "at `$.machine`"),
        ("machine", {}, "missing required field `processor` - at `$.machine`"),
        ("machine.numba", None, "at `$.machine.numba`"),
        ("machine.processor", "\x1b[31m", "at `$.machine.processor`"),
        ("level", 1, "at `$.level`"),
        ("timings", None, "at `$.timings`"),
        ("timings.0", 7, "at `$.timings[0]`"),
        ("timings.0.part", 0, "at `$.timings[0].part`"),
        ("timings.1.parameters", 0, "at `$.timings[1].parameters`"),
        ("timings.1.parameters", {"form": []}, "at `$.timings[1].parameters[...]`"),
        ("timings.0.runs_ns", [], "at `$.timings[0].runs_ns`"),
        ("timings.0.runs_ns", [True], "at `$.timings[0].runs_ns[0]`"),
        ("timings.0.runs_ns", [10**300, 1], "at `$.timings[0].runs_ns[0]`"),
        ("timings.0.runs_ns", [1, 5e-324], "at `$.timings[0].runs_ns[1]`"),
        ("timings.0.warm_up_ns", "1", "at `$.timings[0].warm_up_ns`"),
        ("failures", [{}], "at `$.failures[0]`"),
        ("schema", True, "schema is True, but this version reads 1"),
    ],
)
def test_damaged_report__the_field_is_named(
    command: str, field: str, value: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = damaged(tmp_path / "a.json", field, value)
    given = {"table": [file], "compare": [file, file], "plot": [str(tmp_path / "pictures"), file]}[command]
    assert main([command, *given]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert words in told.err.splitlines()[-1]
    assert not (tmp_path / "pictures").exists()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("timings.0.parameters", {}, "parameters.group is None, one of phase, op is needed"),
        ("timings.0.parameters.group", "x", "parameters.group is 'x'"),
        ("timings.0.parameters.implementation", "numpy", "the timing of the kernel is missing"),
        ("timings.0.parameters.implementation", 5, "parameters.implementation is 5"),
        ("timings.1.parameters.form", "x", "parameters.form is 'x', one of mask only, packed, planes"),
        ("timings.1.parameters.threads", "two", "parameters.threads is 'two'"),
        ("timings.1.parameters.batch", 10**20, "parameters.batch is 1000"),
        ("timings.1.parameters.batch", None, "parameters.batch is None"),
    ],
)
def test_plot__of_figures_that_make_no_picture__names_the_field_and_writes_nothing(
    field: str, value: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    assert main(["plot", str(tmp_path / "pictures"), damaged(tmp_path / "a.json", field, value)]) == 2
    assert words in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "pictures").exists()


def test_read__more_timings_than_a_picture_has_room_for__is_refused() -> None:
    found = report_of(*(timing(str(i), 10.0) for i in range(report.MOST_TIMINGS)))
    assert report.read(found.write()) == found
    found.add(timing("one more", 10.0))
    with pytest.raises(report.ReportError, match="timings"):
        report.read(found.write())


@pytest.mark.parametrize("place", ["", "/x"])
def test_plot__into_what_is_no_folder__is_refused(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("mine")
    file = damaged(tmp_path / "a.json", "level", "full")
    assert main(["plot", f"{tmp_path / 'file'}{place}", file]) == 2
    assert (
        f"cannot write to {tmp_path / 'file'}{place}: Not a directory; choose another folder" in capsys.readouterr().err
    )
    assert (tmp_path / "file").read_text() == "mine"


def test_names__that_look_like_markup_or_formulas__stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "[/x] :smile: $\\nothing{$"
    file = damaged(tmp_path / "a.json", "timings.2.name", name)
    assert main(["compare", file, file]) == 0
    assert name in capsys.readouterr().out
    pytest.importorskip("matplotlib")
    assert main(["plot", str(tmp_path / "pictures"), file]) == 0


def test_json__into_what_is_no_folder__is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["clone", "--quick", "--out", str(tmp_path / "file" / "x.json")]) == 2
    assert "Not a directory; choose another file" in capsys.readouterr().err


def test_failures__are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    found = report_of()
    found.add(Failure("a peer", "peers", "it broke"))
    assert report.read(found.write()).failures == [Failure("a peer", "peers", "it broke")]


@pytest.mark.parametrize("command", [[], ["list"], ["compare"], ["table"], ["plot"]])
def test_help__has_two_examples(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    assert capsys.readouterr().out.split("Examples")[1].count("winterkingdom bench") >= 1


def test_list__names_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(PARTS)


def test_module__is_started_by_its_name() -> None:
    command = [sys.executable, "-m", "benchmarks", "list"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.startswith(
        "legal_moves"
    )


def test_rounds__runs_of_all_rounds_are_put_together() -> None:
    found = report.Report()
    for runs in ((3.0, 4.0), (2.0, 9.0)):
        found.add(Timing("a", "part", "step", runs))
        found.add(Timing("b", "part", "step", runs[:1]))
        found.add(Failure("c", "part", "it broke"))
    assert [(timing.name, timing.runs) for timing in found.timings] == [("a", (3.0, 4.0, 2.0, 9.0)), ("b", (3.0, 2.0))]
    assert len(found.failures) == 1
    assert main(["--rounds", "0"]) == 2
