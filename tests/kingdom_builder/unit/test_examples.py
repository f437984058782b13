"""The worked examples of the rules, played by every implementation."""

from __future__ import annotations

import pytest

from tests.kingdom_builder.examples import CASES, EXAMPLES, NUMBERS, examples_of, pages_of
from tests.kingdom_builder.position import read_position
from tests.kingdom_builder.reference_table import ReferenceMake
from tests.kingdom_builder.script import read_script
from tests.kingdom_builder.table import Make

TABLES = pytest.mark.parametrize("make", [ReferenceMake()], ids=["reference"])


@TABLES
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=pytest.mark.rule(f"Kingdom Builder, {pages_of(number)}, {number}"), id=number)
        for number in NUMBERS
    ],
)
def test_example__comes_out(number: str, make: Make) -> None:
    examples = examples_of(number)
    assert examples, f"example {number} is missing"
    for example in examples:
        example.run(make)


@pytest.mark.rule("Kingdom Builder, examples")
def test_examples__numbers__are_all_there() -> None:
    assert {example.number for example in EXAMPLES} == set(NUMBERS)


@pytest.mark.rule("Kingdom Builder, examples")
def test_examples__every_case__states_a_fact() -> None:
    assert all(any(facts for _, facts in case.lines) for case in CASES)


@TABLES
@pytest.mark.rule("Kingdom Builder, examples")
def test_positions__are_given_back_as_snapshots(make: Make) -> None:
    for case in CASES:
        given = read_position(case.text)
        found = make.position(given).snapshot()
        for seat, wanted in zip(found["seats"], given["seats"], strict=True):
            assert {name: seat[name] for name in wanted} == wanted, case.text
        rest = [name for name in given if name not in ("seats", "now")]
        assert {name: found[name] for name in rest} == {name: given[name] for name in rest}, case.text


@TABLES
@pytest.mark.rule("Kingdom Builder, examples")
@pytest.mark.parametrize(
    "line",
    [
        "house r07c07 | phase after",
        "house r07c07 | seat 1",
        "house r07c07 | end yes",
        "house r07c07 | terrain none",
        "house r07c07 | need 2",
        "house r07c07 | house r07c06",
        "house r07c07 | house all grass",
        "house r07c07 | house size 2",
        "house r07c07 | house has r00c00",
        "house r07c07 | house lacks r07c06",
        "house r07c07 | house none",
        "house r07c07 | legal house r07c06, done",
        "house r07c07 | offers done",
        "house r07c07 | refuses house r07c06",
        "house r07c07 | never house",
        "house r07c07 | tiles0 none",
        "house r07c07 | tiles0 tavern r06c07 ready",
        "house r07c07 | tiles0 has farm",
        "house r07c07 | tiles0 lacks tavern",
        "house r07c07 | nomads0 sword",
        "house r07c07 | supply0 40",
        "house r07c07 | gold0 1",
        "house r07c07 | hand0 none",
        "house r07c07 | units0 wagon 1",
        "house r07c07 | lines0 7",
        "house r07c07 | pieces0 none",
        "house r07c07 | pieces0 size 2",
        "house r07c07 | left r06c07 2",
        "house r07c07 | walls r00c00",
        "house r07c07 | deck size 1",
        "house r07c07 | discards grass",
        "house r07c07 | shuffled grass",
        "house r07c07 | score Knights 0, 0",
        "house r07c07 | always 3, 0",
        "house r07c07 | scores 0, 0",
        "house r07c07 | winners 1",
        "house r00c00 | phase mandatory",
        "done         | phase after",
    ],
)
def test_script__fact_that_does_not_hold__fails(line: str, make: Make) -> None:
    (case,) = read_script(f"[T6, R 3] FG; card grass\n{line}")
    with pytest.raises(AssertionError):
        case.run(make)
