"""Examples of our own, E1 to E25, for rules that the numbered ones pass by (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.script import Case, read_script

TILES = """
[E1, R 6] FG; card flower; own r07c07 r07c08; tiles0 tavern r06c07
-                       | refuses use tavern
[E2, F] CB; phase after; card canyon; own r05c17; tiles0 crossroads r04c17, bazaar; next grass, desert, forest
-                       | legal use bazaar crossroads, done
use bazaar crossroads   | phase after; tiles0 has bazaar used; legal done
done                    | hand0 grass, desert, forest
[E2, F] CB; phase after; card canyon; own r05c17; tiles0 crossroads r04c17 fresh, bazaar; next grass, desert, forest
-                       | legal done
done                    | hand0 grass, desert

[E3, R 21] SB; turn 1; phase after; end; own r06c03 r06c11
done                    | phase silo; seat 0; lift r06c03 r06c11; offers done
house r05c03            | phase silo; lift none
done                    | phase silo; seat 0; house has r05c04; lift r05c03 r06c03 r06c11
lift r05c03             | phase silo move
house r06c04            | phase silo; house none
done                    | phase over
[E3, O 23] SB; turn 1; phase after; end; own r06c03 r06c09
done                    | phase silo; seat 0
house r06c10 r06c11 r05c10 | phase over
[E3, R 21] SB; turn 1; phase after; end; own r00c00; other r06c03
done                    | phase silo; seat 1; lift none
[E3, R 21] SB; turn 1; phase after; end; own r06c03 r06c11; supply0 0; due0 1
done                    | phase silo; seat 0; house none; lift r06c03 r06c11

[E4, R 22] MB; card grass; tokens1 18
house r03c12            | tiles0 cathedral r03c13 fresh; tokens0 0; stock 0
[E4, R 22] MB; card grass; own r00c00; tiles0 cathedral; tokens1 18
-                       | refuses use cathedral
[E4, R 22] MB; card grass; own r00c00; tiles0 cathedral; tokens0 1; tokens1 17
use cathedral           | legal house r00c01 r01c00
[E4, O 13] MB; card canyon; own r03c12; tiles0 cathedral r03c13, refuge; tokens0 3
use refuge              | phase lift
lift r03c12             | phase move
house r03c11            | tiles0 refuge used; tokens0 0; stock 18
[E4, O 13] MB fountain; card canyon; own r03c02 r03c12; tiles0 cathedral r03c13, fountain r03c03, refuge; tokens0 2
use refuge              | phase lift
lift r03c02             | phase move
house r03c01            | tiles0 cathedral r03c13, refuge used; tokens0 2; stock 16

[E5, O 16] CB; card desert; own r06c18; supply0 0; tiles0 fort
-                       | legal done
[E5, O 16] CB; card desert; own r06c18; tiles0 fort; deck none
-                       | refuses use fort
[E6, R 11] NB; card desert; own r02c06; tiles0 quarry
use quarry              | legal wall r02c05 r02c07 r03c06
wall r02c05             | phase wall; legal wall r02c07 r03c06, done
done                    | phase before; walls r02c05; walls_left 24; terrain desert
[E6, R 11] NB; card desert; own r02c06; tiles0 quarry
use quarry              | phase wall
wall r02c05 r02c07      | phase before; walls r02c05 r02c07; walls_left 23; house r03c06
[E6, F] NB; card desert; own r02c06; tiles0 quarry; walls_left 1
use quarry              | phase wall
wall r02c05             | phase before; walls_left 0

[E7, O 16] FG; card grass; nomads0 outpost
-                       | refuses outpost
[E7, R 9] FG; card grass; own r07c07; nomads0 outpost
-                       | house r07c06 r07c08 r08c07 r08c08; offers outpost
outpost                 | phase mandatory; house all grass; refuses done
house r16c10            | nomads0 outpost used; refuses outpost; house r07c06 r07c08 r08c07 r08c08 r15c10 r16c11 r17c10
[E7, O 17] FG; card grass; own r07c07 r07c08 r07c09; nomads0 outpost; tiles0 harbor, tavern r06c07
use harbor              | refuses outpost
lift r07c09             | refuses outpost
house r00c15            | phase before; offers outpost
[E7, O 17] FG; card grass; own r07c07 r07c08 r07c09; nomads0 outpost; tiles0 tavern r06c07
use tavern              | legal house r07c06 r07c10
[E7, O 39] MB; card grass; own r02c13; nomads0 outpost
use farmland            | legal house r01c12 r01c13 r02c12
[E8, R 21] MB; card grass; own r04c15; tiles0 scout cabin, bazaar
use scout cabin         | phase scout
scout r04c16            | scouts r04c16
done                    | phase before; offers use bazaar scout cabin
use bazaar scout cabin  | phase scout; scouts none; legal scout r03c14 r03c15 r04c14 r04c16 r05c14 r05c15
scout r04c14            | scouts r04c14
done                    | phase before; tiles0 scout cabin used, bazaar used
"""

SUPPLY_CARDS_UNITS = """
[E9, O 27] FG; card forest; scoring Mayors; own r00c16 r00c17 r00c18 r01c18; supply0 0; tiles0 refuge
use refuge              | phase lift
lift r01c18             | phase move
house r00c19            | lines0 none; supply0 0; end no
[E9, O 27] FG; card forest; scoring Mayors; own r00c16 r00c17 r00c18 r01c18; supply0 1; tiles0 refuge
use refuge              | phase lift
lift r01c18             | phase move
house r00c19            | lines0 0; supply0 0; end yes
[E10, R 4] (3) FG; turn 2; phase after; hand2 flower; hand0 desert, grass; next flower, canyon; fill desert
done                    | seat 0; hand0 canyon, grass; out desert; house has r00c07 r07c07
[E10, R 4] (3) FG; turn 2; phase after; hand2 none; hand0 desert, grass; deck flower; fill desert
done                    | seat 0; hand0 grass; out desert; house all grass
[E11, R 4] (4) FG; card desert; next canyon, grass; fill desert except r16c08; fill canyon
house r16c08            | phase mandatory; hand0 grass; out canyon, desert; house all grass
[E16, O 14] (3) FG; card desert; tiles0 oracle; next canyon; fill desert except r16c08
use oracle              | house r16c08
house r16c08            | phase before; hand0 canyon; out desert; house r15c07 r16c07 r16c09 r17c08
house r15c07 r15c06     | phase mandatory
house r16c07            | phase after

[E12, O 6] CB; card flower; own r08c06; wagon0 r07c07; tiles0 harbor
use harbor              | lift r07c07 r08c06
lift r07c07             | house r09c05
house r09c05            | pieces0 r08c06 r09c05; units0 wagon 0; supply0 39
[E12, O 20] CB; card flower; nomads0 sword; other r00c00; wagon1 r07c07; warriors1 r17c11; hall1 r13c12
use sword               | legal remove r00c00 r07c07 r17c11
remove r07c07           | units1 wagon 1, warrior 1, hall 0; supply1 39
[E12, O 20] CB; card flower; nomads0 sword; other r00c00; warriors1 r17c11
use sword               | legal remove r00c00 r17c11
remove r17c11           | units1 warrior 2; supply1 39
[E12, O 18] CB; card flower; own r00c00; wagon0 r07c07; tiles0 temple
use temple              | legal lift r00c00
[E13, R 17] MB; card canyon; own r00c05 r00c06 r01c06; tiles0 canoe, canoe
use canoe bonus         | phase build; legal house r01c01 r01c02 r01c03 r01c07 r02c01 r02c02 r02c07
house r01c07            | phase before; never use; tiles0 canoe, canoe
[E13, R 17] MB; card canyon; own r00c05 r00c06 r01c06; tiles0 canoe
-                       | never use
[E14, R 15] MB; own r00c00 r01c00 r02c01 r03c01 r04c02 r05c02
-                       | score Road 0, 0
[E14, R 15] MB; own r00c00 r01c00 r02c01 r03c01 r04c02 r05c02 r06c03 r07c03
-                       | score Road 7, 0
[E15, R 24] FG; island tree house; card canyon; own i0c02; tiles0 water mill
use water mill          | house i0c01 i0c03
"""

UNITS_CANOE_ISLAND = """
[E17, R 13] CB; card flower; own r12c11; hall0 r13c12; tiles0 city hall
-                       | units0 hall 0; refuses use city hall
[E17, R 14] CB; card flower; own r06c05; ship0 r05c04; warriors1 r06c03; tiles0 lighthouse r06c06
use lighthouse          | legal unit r04c04 r04c05 r05c05, back r05c04
[E18, R 15] MB; own r00c00 r00c19
-                       | score Compass points 0, 0
[E18, R 15] MB; own r01c01 r01c02 r01c03 r02c01 r02c02
-                       | score Home country 5, 0
[E18, R 15] MB; own r01c01 r01c02 r01c03 r02c01
-                       | score Home country 0, 0
[E18, R 13] CB; hall0 r13c12
-                       | score Citizens 3, 0
[E18, O 32] FG; own r00c05
-                       | score Messengers 0, 0
[E19, R 21] MB; turn 1; phase after; end; own r00c00
done                    | phase over

[E20, R 22] MB; phase after; card grass; own r03c12; supply0 0; tiles0 cathedral r03c13; tokens0 1
use cathedral           | legal token
token                   | phase after; tokens0 2; stock 16
[E20, R 22] MB; phase after; card grass; own r03c12; tiles0 cathedral r03c13; tokens0 2; nomads0 outpost
use cathedral           | offers token, outpost; refuses done
outpost                 | phase cathedral; house all grass; refuses token, outpost, done
house r00c01            | phase cathedral; tokens0 1; offers done; refuses token
done                    | phase after; tiles0 cathedral r03c13 used; nomads0 outpost used

[E21, O 10] MB refuge; turn 1; card forest; own r00c05 r00c06 r01c06; tiles0 canoe fresh; left r07c08 1
house r07c07            | phase mandatory; seat 1; left r07c08 0
[E21, O 21] MB refuge; turn 1; card forest; own r00c05 r00c06 r01c06; tiles0 canoe, canoe; left r07c08 1
house r07c07            | phase react; seat 0
house r01c07            | phase react; seat 0; tiles0 canoe used, canoe
house r02c07            | phase mandatory; seat 1; tiles0 canoe used, canoe used; supply0 35
[E21, O 11] MB; card canyon; own r00c05 r00c06 r01c06; tiles0 canoe used, canoe
-                       | offers use canoe bonus
[E21, O 11] MB; card canyon; own r00c05 r00c06 r01c06; tiles0 canoe fresh, canoe
-                       | never use

[E22, R 9] FG; card desert; own r01c00; nomads0 donation flower
use donation flower     | phase build; house r00c00 r01c01 r02c00 r02c01
house r02c01            | phase build; house lacks r03c03
done                    | phase before; terrain none; played none
[E22, R 9] FG; card grass; own r07c07; nomads0 donation grass, outpost
-                       | offers use donation grass, outpost
outpost                 | phase mandatory; never use; refuses outpost, done

[E23, R 24] FG; island rope bridge; card flower; own r07c07; tiles0 rope bridge
use rope bridge         | phase lift; lift r07c07
lift r07c07             | house all canyon; house has i0c06
[E23, R 24] FG; island tree house; card flower; own r07c07; tiles0 tree house
use tree house          | phase lift; lift r07c07
lift r07c07             | house all forest; house has i2c07

[E24, R 4] (3) FG; card desert, grass; next canyon; fill desert except r16c08
house r16c08            | phase mandatory; hand0 canyon, grass; played canyon; terrain none; out desert; house r15c07 r16c07 r16c09 r17c08
house r15c07 r15c06     | phase after; terrain canyon
done                    | discards canyon, grass; out desert
[E24, R 4] (3) FG; card desert, grass; deck none; fill desert except r16c08
house r16c08            | phase mandatory; hand0 grass; played none; terrain none; out desert; house all grass
house r07c07            | phase mandatory; played grass; terrain grass
house r07c08            | phase after; supply0 37

[E25, R 11] FG; card desert; own r00c02 r01c02 r01c03; tiles0 garden
use garden              | phase build; house r01c01 r02c02 r02c03 r02c04; refuses done
house r02c03            | phase before; supply0 36; tiles0 garden used; terrain none
[E25, R 13] FG; card desert; own r08c07 r08c08 r09c07; tiles0 forester, monastery
use monastery           | phase build; house all canyon; house size 55
house r16c06            | phase before; tiles0 forester, monastery used, oasis r17c05 fresh
use forester            | phase build; house has r08c06 r09c06; house lacks r06c12
house r08c06            | phase before; tiles0 forester used, monastery used, oasis r17c05 fresh; never use
"""

CASES: list[Case] = [case for text in (TILES, SUPPLY_CARDS_UNITS, UNITS_CANOE_ISLAND) for case in read_script(text)]
