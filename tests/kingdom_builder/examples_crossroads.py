"""Worked examples T43 to T53 of the rules: Crossroads (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.script import Case, read_script

UNITS = """
[T43, R 13] CB; card flower; own r12c11; tiles0 city hall
use city hall           | phase hall; legal hall r10c12, hall r13c12, hall r14c12
hall r13c12             | phase before; pieces0 r12c11 r12c12 r12c13 r13c11 r13c12 r13c13 r14c12 r14c13; supply0 39; units0 hall 0
-                       | refuses use city hall
[T43, R 14] CB; card flower; own r12c11; warriors0 r09c11; tiles0 city hall
use city hall           | hall r13c12 r14c12
[T43, R 14] CB; card flower; own r12c11; warriors1 r09c11; tiles0 city hall
use city hall           | hall r13c12 r14c12
[T44, R 13] CB; hall0 r13c12
-                       | pieces0 size 7; score Discoverers 3, 0; score Fortress 6, 0; supply0 40; units0 hall 0

[T45, R 4] CB; card desert; own r08c11
-                       | house r08c12
[T45, R 14] CB; card desert; own r08c11; warriors1 r09c12
-                       | house size 56; house lacks r08c12 r08c13 r10c12 r10c13
[T46, R 14] CB; card desert; own r08c12; warriors1 r09c12; tiles0 refuge
-                       | pieces0 r08c12; house r07c12
use refuge              | lift r08c12
lift r08c12             | house r07c11 r07c12 r08c11
house r08c11            | pieces0 r08c11
[T46, F] CB; card desert; own r08c12; warriors0 r09c12; tiles0 refuge, barracks
-                       | house r07c12
use barracks            | phase unit; back r09c12; refuses done
back r09c12             | phase before; units0 warrior 2; house r07c12 r08c13 r09c12
use refuge              | lift r08c12
lift r08c12             | house r07c11 r07c12 r08c11 r08c13 r09c11 r09c12

[T47, R 14] CB; card flower; own r06c05; tiles0 lighthouse r06c06; next grass
use lighthouse          | phase unit; unit r05c04 r05c05 r06c04; back none; refuses done
unit r05c04             | phase before; units0 ship 0; refuses use lighthouse; supply0 39
house r06c03 r06c02 r06c01 | phase after; refuses use lighthouse
done                    | tiles0 lighthouse r06c06 ready
others                  | offers use lighthouse
use lighthouse          | legal unit r04c04 r04c05 r05c03 r05c05 r06c04, back r05c04
unit r04c05             | phase unit; back none; offers done, unit r04c06; refuses unit r04c09
unit r04c06             | phase unit; offers done
unit r04c07             | phase before; refuses use lighthouse; pieces0 r04c07 r06c01 r06c02 r06c03 r06c05
[T47, R 14] CB; card flower; own r06c05; ship0 r05c04; tiles0 lighthouse r06c06
use lighthouse          | offers back r05c04
back r05c04             | phase before; units0 ship 1; pieces0 r06c05; refuses use lighthouse
[T47, R 14] CB; card flower; own r06c05; ship0 r05c04; tiles0 lighthouse r06c06
use lighthouse          | phase unit
unit r04c04             | phase unit
done                    | phase before; pieces0 r04c04 r06c05

[T48, F] CB; wagon0 r12c07
-                       | score Home country 5, 0; score Miners 0, 0
[T49, R 14] CB; card flower; own r07c07; tiles0 wagon
use wagon               | phase unit; legal unit r06c07 r06c08 r07c06 r07c08 r08c07 r08c08
unit r07c08             | pieces0 r07c07 r07c08; units0 wagon 0; supply0 39
[T50, F] CB; card flower; own r08c06; other r06c05; tiles0 wagon; scoring Ambassadors
use wagon               | unit has r07c05
unit r07c05             | tiles0 lighthouse r06c06 fresh, wagon used; gold0 1; gold1 0; supply0 39; phase before
[T50, C] CB; card flower; own r08c06; other r06c05; wagon0 r08c05; tiles0 wagon; scoring Ambassadors
use wagon               | unit has r07c05
unit r07c05             | tiles0 lighthouse r06c06 fresh, wagon used; gold0 0
"""

CARDS = """
[T51, R 13] CB; card canyon; tiles0 refuge; next grass, desert, flower, forest
house r05c17            | tiles0 crossroads r04c17 fresh, refuge
house r05c18 r06c17     | phase after; never use crossroads
done                    | hand0 grass, desert; tiles0 crossroads r04c17, refuge
others                  | seat 0; phase before; house all grass + r06c16 r07c16; never use crossroads
house r06c16            | terrain desert; played desert; house r06c15 r07c15 r07c16
house r07c16 r06c15     | phase after
use refuge              | phase lift
lift r05c17             | house r05c16 r06c18
house r06c18            | tiles0 refuge used; hand0 grass, desert
done                    | hand0 forest; discards canyon, grass, grass, desert
[T52, R 13] CB; card desert; own r06c18; tiles0 fort; nomads0 outpost; next canyon
use fort                | phase build; discards canyon; house r05c17 r05c18 r06c17 r06c19 r07c17; offers outpost; refuses done
outpost                 | phase build; house all canyon; nomads0 outpost used; refuses done
house r09c06            | phase before; supply0 38; tiles0 fort used; terrain none; hand0 desert
[T52, F] CB; card desert; own r06c18; tiles0 fort; next canyon
use fort                | phase build; refuses done
house r05c18            | phase before; supply0 38; tiles0 fort used
[T52, F] (3) CB; card desert; own r08c11; tiles0 fort; next canyon; fill canyon
use fort                | phase before; tiles0 fort used; supply0 39; discards canyon; out none; hand0 desert
"""

TASKS = """
[T53, R 15] MB; own r00c00 r01c00 r02c01 r03c01 r04c02 r05c02 r06c03
-                       | score Road 7, 0; score Advance 0, 0
[T53, R 15] MB; own r00c00 r00c01 r00c02 r00c03 r00c04 r00c05 r00c06
-                       | score Advance 9, 0; score Road 0, 0
[T53, R 15] MB; own r02c03 r02c04 r03c02 r03c04 r04c03 r04c04
-                       | score Place of refuge 8, 0; score Fortress 0, 0
[T53, R 15] MB; own r00c00 r19c19
-                       | score Compass points 10, 0; score Advance 0, 0
"""

CASES: list[Case] = read_script(UNITS) + read_script(CARDS) + read_script(TASKS)
