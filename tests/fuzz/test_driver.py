"""The driver of the fuzz run finds what dies, hangs and fails; and a few attempts of every part that is about saved games."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import __main__ as command
from tests.fuzz import driver, parts
from tests.fuzz.driver import Limits, Tally, replay, run_part
from tests.fuzz.fakes import HANGS
from tests.fuzz.parts import PARTS, make_part

FAKES = {name.lower(): f"tests.fuzz.fakes:{name}" for name in ("Fine", "Troubled", "Missing", "Broken")}


@pytest.fixture(autouse=True)
def nothing_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock by which an attempt hangs stands still: no machine is too slow."""
    monkeypatch.setattr(driver, "monotonic", lambda: 0.0)


def test_run_part__death_and_failure__are_found_and_the_rest_is_tried() -> None:
    tally = run_part(FAKES["troubled"], range(12), 2, Limits(attempts=12))
    assert tally.attempts == 12
    assert tally.outcomes == {"refused": 5, "played on": 5, "died": 1, "failed": 1}
    assert {kind: tally.seeds(kind) for kind in ("crash", "hang", "failure")} == {
        "crash": [3],
        "hang": [],
        "failure": [8],
    }
    told = {kind: text for kind, _, text in tally.troubles}
    assert told["crash"].startswith("SIGABRT") and "fakes.py" in told["crash"]
    assert "eight was accepted" in told["failure"]


def test_run_part__hang__is_found_and_the_rest_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, seconds = tmp_path / "hangs", itertools.count(step=100)
    monkeypatch.setenv(HANGS, str(hangs))
    last = [0]

    def clock() -> float:  # time passes between two looks while the attempt hangs, and only then
        if hangs.exists():
            last[0] = next(seconds)
        return float(last[0])

    def tell(tally: Tally) -> None:
        if tally.troubles:
            hangs.unlink(missing_ok=True)

    monkeypatch.setattr(driver, "monotonic", clock)
    tally = run_part(FAKES["troubled"], range(10, 15), 1, Limits(attempts=5), tell)
    assert tally.outcomes == {"refused": 2, "played on": 2, "hung": 1}
    ((kind, seed, text),) = tally.troubles
    assert (kind, seed) == ("hang", 12) and text.startswith("SIGKILL")


def test_run_part__nothing_wrong__counts_outcomes() -> None:
    tally = run_part(FAKES["fine"], range(10, 10_000), 2, Limits(attempts=100))
    assert (tally.attempts, tally.outcomes, tally.troubles) == (100, {"refused": 50, "played on": 50}, [])


def test_run_part__cannot_run_here__is_skipped_with_the_reason() -> None:
    tally = run_part(FAKES["missing"], range(5), 2, Limits(attempts=5))
    assert (tally.skipped, tally.attempts, tally.troubles) == ("something is not installed", 0, [])


def test_run_part__cannot_be_made__is_a_crash_and_ends() -> None:
    tally = run_part(FAKES["broken"], range(5), 1, Limits(attempts=5))
    ((kind, _, text),) = tally.troubles
    assert kind == "crash" and "no way" in text


def test_replay__one_seed__does_the_same_again() -> None:
    assert replay(FAKES["troubled"], 8, 30.0).seeds("failure") == [8]
    assert replay(FAKES["troubled"], 9, 30.0).outcomes == {"played on": 1}


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (parts, command):
        monkeypatch.setattr(module, "PARTS", FAKES)


def test_command__json_and_exit_codes(fakes: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["fine", "--attempts=6", "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["parts"]["fine"]["outcomes"] == {"refused": 3, "played on": 3}
    assert command.main(["--replay", "troubled", "8"]) == 1
    captured = capsys.readouterr()
    assert "--replay troubled 8" in captured.err and "troubled" in captured.out
    assert command.main(["nothing"]) == 2
    assert "there are fine, troubled" in capsys.readouterr().err


@pytest.mark.parametrize("name", PARTS)
def test_parts__can_be_found(name: str) -> None:
    module, _, kind = PARTS[name].partition(":")
    assert hasattr(pytest.importorskip(module), kind)


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("saves", 400, {"refused", "played on"}),
        ("states", 300, {"forged, refused", "forged, played on", "foreign, refused", "pickled, refused", "pickled, played on"}),
        ("checkpoints", 25, {"refused", "trained on"}),
    ],
)  # fmt: skip
def test_attempts__a_few_of_each_part__nothing_fails(name: str, n: int, expected: set[str], tmp_path: Path) -> None:
    if name == "checkpoints":
        pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
    part = make_part(PARTS[name], tmp_path)
    outcomes = Counter(part.attempt(seed) for seed in range(n))
    assert expected <= set(outcomes)
