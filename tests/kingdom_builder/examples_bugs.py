"""Known bugs of public engines (rules, after the table of section 10) as examples B1 to B9; B7 stands in examples_setup.py."""

from __future__ import annotations

from tests.kingdom_builder.examples_base import POSITION_A
from tests.kingdom_builder.script import Case, read_script

SCRIPT = f"""
[B1, R 5] FG; own r02c15 r08c14 r19c00
-                       | score Fishermen 0, 0
[B2, R 5] FG; {POSITION_A}; scoring Merchants, Fishermen, Knights
-                       | score Merchants 8, 0; score Fishermen 0, 3; score Knights 8, 4; always 3, 3; scores 19, 10
[B3, R 3] FG; card desert; own r07c07; tiles0 tavern r06c07, barn
use barn                | phase lift
lift r07c07             | house has r00c16
house r00c16            | tiles0 barn used; left r06c07 1
[B3, R 3] FG; card desert; own r07c06 r07c07; tiles0 tavern r06c07, refuge
use refuge              | phase lift
lift r07c07             | house has r07c08
house r07c08            | tiles0 tavern r06c07, refuge used
[B4, R 3] FG; card grass; own r07c07; tiles0 tavern r06c07
house r07c06            | tiles0 tavern r06c07; left r06c07 1
[B4, R 3] FG; card canyon; own r07c08; took0 r06c07
-                       | tiles0 none; left r06c07 1
house r06c08            | tiles0 none; left r06c07 1

[B5, R 11] NB; card flower; own r07c11 r07c12; other r09c12; tiles0 village
-                       | refuses use village
[B5, R 11] NB; card flower; own r01c11 r02c13 r03c11; tiles0 village
-                       | refuses use village
[B6, R 6] HB; card desert; own r10c12; tiles0 barn
use barn                | lift r10c12
lift r10c12             | house size 62; house has r07c03 r19c00; house lacks r10c12
[B6, R 6] HB; card desert; own r00c00 r10c12; tiles0 barn
use barn                | lift r00c00 r10c12
lift r10c12             | house size 62; house lacks r10c12
[B8, R 14] CB; card flower; own r08c11; warriors0 r09c12; tiles0 refuge
use refuge              | lift r08c11 r09c12
lift r09c12             | house r08c12 r08c13 r09c11 r10c12 r10c13
house r08c13            | pieces0 r08c11 r08c13; units0 warrior 1
[B9, R 14] CB; card flower; own r12c11; warriors1 r09c11; tiles0 city hall
use city hall           | refuses hall r10c12
[B9, R 14] CB; card flower; own r12c11; warriors1 r15c12; tiles0 city hall
use city hall           | hall r10c12
"""

CASES: list[Case] = read_script(SCRIPT)
