"""The worked examples of the rules against the kernels."""

from __future__ import annotations

import pytest

from tests.dominion.examples import LAST, cases_of
from tests.dominion.kernel_table import make_table
from tests.dominion.more_examples import CASES as MORE_CASES
from tests.dominion.script import Case, run

N_SEEDS = 10  # what an example says holds for any order of the cards

EXAMPLES = [
    pytest.param(number, marks=pytest.mark.rule(f"Dominion, example {number}"), id=str(number))
    for number in range(1, LAST + 1)
]


@pytest.mark.parametrize("number", EXAMPLES)
def test_example__played_by_the_kernels__comes_out(number: int) -> None:
    cases = cases_of(number)
    assert cases, f"example {number} is missing"
    for case in cases:
        for seed in range(N_SEEDS):
            run(case, make_table, seed)


@pytest.mark.rule("Dominion, examples of our own")
@pytest.mark.parametrize("case", MORE_CASES, ids=lambda case: str(case.number))
def test_example_of_our_own__played_by_the_kernels__comes_out(case: Case) -> None:
    for seed in range(N_SEEDS):
        run(case, make_table, seed)
