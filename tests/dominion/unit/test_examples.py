"""The worked examples of the rules, played by the reference and by the kernels."""

from __future__ import annotations

import pytest

from tests.dominion.examples import CASES, LAST, cases_of
from tests.dominion.kernel_table import make_table as make_kernel_table
from tests.dominion.more_examples import CASES as MORE_CASES
from tests.dominion.reference_table import make_table as make_reference_table
from tests.dominion.script import Case, Make, read_script, run

N_SEEDS = 10  # what an example says holds for any order of the cards

TABLES = pytest.mark.parametrize("make", [make_reference_table, make_kernel_table], ids=["reference", "kernels"])
EXAMPLES = [
    pytest.param(number, marks=pytest.mark.rule(f"Dominion, example {number}"), id=str(number))
    for number in range(1, LAST + 1)
]


@TABLES
@pytest.mark.parametrize("number", EXAMPLES)
def test_example__comes_out(number: int, make: Make) -> None:
    cases = cases_of(number)
    assert cases, f"example {number} is missing"
    for case in cases:
        for seed in range(N_SEEDS):
            run(case, make, seed)


@TABLES
@pytest.mark.rule("Dominion, examples of our own")
@pytest.mark.parametrize("case", MORE_CASES, ids=lambda case: str(case.number))
def test_example_of_our_own__comes_out(case: Case, make: Make) -> None:
    for seed in range(N_SEEDS):
        run(case, make, seed)


@pytest.mark.rule("Dominion, examples")
def test_examples__numbers__are_1_to_69_in_order() -> None:
    assert LAST == 69
    numbers = list(dict.fromkeys(case.number for case in CASES))
    assert numbers == list(range(1, LAST + 1))


@pytest.mark.rule("Dominion, examples")
def test_examples__every_case__states_a_fact() -> None:
    assert all(any(facts for _, facts in case.lines) for case in CASES)


@pytest.mark.rule("Dominion, examples")
@pytest.mark.parametrize(
    "line",
    [
        "play Feast | phase buy",
        "play Feast | coins 1",
        "play Feast | offers gain Gold",
        "play Feast | refuses gain Duchy",
        "play Feast | legal gain Duchy",
        "play Feast | trash -",
        "play Feast | H0 size 2",
        "play Feast | H0 has 4 Gold",
        "play Feast | H0 lacks Gold",
        "play Feast | pile Gold 29",
        "play Feast | scores 1, 0",
        "play Feast | winners 0",
        "play Smithy | phase gain",
    ],
)
def test_script__fact_that_does_not_hold__fails(line: str) -> None:
    (case,) = read_script(f"[26] H0 Feast, 3 Gold\n{line}")
    with pytest.raises(AssertionError):
        run(case, make_reference_table, 0)
