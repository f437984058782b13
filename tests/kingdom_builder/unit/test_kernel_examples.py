"""The worked examples of the rules, as scripts, played by the kernels."""

from __future__ import annotations

import pytest

from tests.kingdom_builder.examples import CASES
from tests.kingdom_builder.kernel_table import KernelMake

NUMBERS = list(dict.fromkeys(case.number for case in CASES))


@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=pytest.mark.rule(f"Kingdom Builder, {number}"), id=number) for number in NUMBERS],
)
def test_example__comes_out(number: str) -> None:
    for case in CASES:
        if case.number == number:
            case.run(KernelMake())
