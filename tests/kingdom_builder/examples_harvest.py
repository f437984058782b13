"""Worked examples T67 to T78 of the rules: Harvest (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.script import Case, read_script

FARMLAND_AND_SILO = """
[T67, R 21] MB; card canyon; own r02c13
-                       | offers use farmland
use farmland            | phase build; house r01c12 r01c13 r02c12; refuses done
house r01c12            | phase before; refuses use farmland; supply0 38
house r08c00 r08c01 r08c02 | phase after; refuses use farmland
done                    | seat 1
others                  | seat 0; offers use farmland
[T67, R 21] MB; card canyon; own r04c13
-                       | refuses use farmland

[T68, R 21] MB; turn 1; phase after; end; own r05c13 r06c13 r09c09
done                    | phase silo; seat 0; lift r05c13 r06c13 r09c09; offers done
-                       | house r04c13 r04c14 r05c12 r05c14 r06c14 r07c12 r07c13 r08c09 r08c10 r09c08 r09c10 r10c09 r10c10
house r04c13            | phase silo; seat 0; lift none; offers done; supply0 36
house r04c12 r03c12     | phase over; supply0 34; tiles0 none; left r03c13 2
[T68, R 21] MB; turn 1; phase after; end; own r05c13 r06c13 r09c09
done                    | phase silo
lift r06c13             | phase silo move; house r04c13 r04c14 r05c12 r05c14 r06c14 r08c09 r08c10 r09c08 r09c10 r10c09 r10c10
house r06c14            | phase silo; house none; lift r05c13 r06c14 r09c09; offers done
lift r09c09             | phase silo move
house r05c14            | phase silo; offers done
lift r05c14             | phase silo move
house r04c14            | phase over; supply0 37; pieces0 r04c14 r05c13 r06c14
[T68, R 21] MB; turn 1; phase after; end; own r05c13 r06c13 r09c09
done                    | phase silo
done                    | phase over
[T69, R 21] MB; turn 1; phase after; end; own r06c11; other r06c13
done                    | phase silo; seat 0; house has r05c11; house lacks r05c12
house r05c11            | phase silo; seat 0; house has r05c12
house r05c12            | phase silo; seat 0
house r07c11            | phase silo; seat 1; house r05c13 r06c14 r07c12 r07c13; lift none
house r05c13            | phase silo; seat 1
done                    | phase over
"""

TILES = """
[T70, R 21] MB; card desert; own r00c00; tiles0 bazaar, farm
-                       | offers use farm; never use bazaar
use farm                | phase build
house r00c01            | phase before; offers use bazaar farm; refuses use farm
use bazaar farm         | phase build; house r00c02 r01c00; tiles0 bazaar used, farm used
house r00c02            | phase before; never use; supply0 37
[T70, R 21] MB; card desert; own r00c00; tiles0 bazaar, farm; nomads0 donation grass
use donation grass      | phase build
house r00c01            | phase build
done                    | phase before; offers use farm; never use bazaar
[T70, R 21] MB; card desert; own r02c13; tiles0 bazaar, farm
use farmland            | phase build
house r01c12            | phase before; offers use farm; never use bazaar

[T71, R 22] MB; card grass; own r04c15; tiles0 scout cabin
-                       | house r03c14 r03c15
use scout cabin         | phase scout; legal scout r03c14 r03c15 r04c14 r04c16 r05c14 r05c15
scout r04c16            | phase scout; offers done; scouts r04c16; scout r03c14 r03c15 r04c14 r05c14 r05c15
done                    | phase before; house r03c14 r03c15 r03c16 r04c17; tiles0 scout cabin used
house r04c17 r03c17 r03c18 | phase after; scouts r04c16
done                    | scouts none; seat 1
[T71, R 22] MB; card grass; own r04c15; tiles0 scout cabin
use scout cabin         | phase scout
scout r04c14            | tiles0 scout cabin used; left r03c13 2
scout r05c15            | phase before; scouts r04c14 r05c15
[T72, R 22] MB; card grass; next grass, flower, grass
house r03c12            | tiles0 cathedral r03c13 fresh; tokens0 1; stock 17
house r03c11 r03c10     | phase after; refuses use cathedral
done                    | seat 1
others                  | seat 0; offers use cathedral
use cathedral           | phase cathedral; offers token, house r03c09; refuses done
token                   | phase before; tokens0 2; stock 16; refuses use cathedral
house r03c09 r03c08 r03c07 | phase after; tokens0 2
done                    | seat 1
others                  | seat 0; offers use cathedral
use cathedral           | offers token; supply0 34
house r03c06            | phase cathedral; tokens0 1; offers done; refuses token; supply0 33
house r03c05            | phase before; tokens0 0; stock 18; supply0 32; tiles0 cathedral r03c13 used; terrain grass

[T73, R 22] MB; card canyon; own r03c06; tiles0 water mill
use water mill          | phase build; house r02c06 r03c07
[T73, R 22] MB; card canyon; own r03c06; tiles0 mountain station
use mountain station    | phase build; house r03c05 r04c07
[T74, R 22] MB; card canyon; own r04c02; tiles0 university
use university          | phase build; house r03c02 r04c03 r05c01 r05c02
[T74, R 22] MB; card canyon; own r04c02; other r04c04; tiles0 watchtower
use watchtower          | phase build; house r04c03
[T75, R 22] MB; card canyon; own r05c13 r06c13 r09c09; tiles0 palisade
use palisade            | phase lift; lift r05c13 r06c13
lift r05c13             | phase move; house r05c12 r06c14 r07c12 r07c13
"""

GOLD = """
[T76, R 23] FG; card desert; scoring Mayors; own r00c16; other r00c07 r00c08 r00c09; hand1 canyon; tiles0 refuge, paddock
house r00c17 r00c18     | lines0 none; supply0 37
house r00c19            | lines0 0; supply0 35; score Mayors 4, 0; phase after
use refuge              | phase lift
lift r00c19             | phase move
house r01c19            | lines0 0; supply0 35
use paddock             | phase lift
lift r00c17             | phase move
house r02c16            | lines0 0; supply0 35; score Mayors 4, 0
done                    | seat 1
house r00c10            | lines1 none; supply1 36; lines0 0
house r00c11 r00c12     | lines1 none; supply1 34; score Mayors 4, 0
[T77, R 23] FG; card grass; scoring Rovers
house r09c08            | gold0 1
house r09c09            | gold0 1
house r10c09            | gold0 2
[T78, R 23] (3) FG; lines0 0 1; lines1 2 3 4; lines2 5
-                       | score Mayors 8, 12, 4
[T78, R 23] FG; own r00c00 r02c00 r04c00 r06c00
-                       | score Rangers 8, 0
"""

CASES: list[Case] = read_script(FARMLAND_AND_SILO) + read_script(TILES) + read_script(GOLD)
