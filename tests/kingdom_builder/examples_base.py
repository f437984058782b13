"""Worked examples T1 to T28 of the rules: the base game (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.boards import V_PIECES, hex_label
from tests.kingdom_builder.script import Case, read_script

POSITION_A = (
    "own r00c05 r00c06 r07c07 r07c08 r07c09 r07c10 r10c09 r10c11; other r06c08 r07c14 r07c16 r08c15 r10c10 r19c10"
)
POSITION_V = "; ".join(
    f"houses{seat} "
    + " ".join(hex_label(r, c) for r in range(20) for c in range(20) if V_PIECES[r][c] == str(seat + 1))
    for seat in range(4)
)

BUILDING = """
[T1, R 4] FG; card desert
-                       | house all desert; house size 53; seat 0; phase before; refuses done
[T2, R 7] FG; card canyon; own r08c07 r08c08 r09c07
-                       | house all canyon; house size 55
house r16c06            | phase mandatory; tiles0 oasis r17c05 fresh; left r17c05 1; supply0 36
[T3, R 4] FG; card canyon; own r08c07 r08c08 r09c07
house r16c06            | house r15c06 r16c07; refuses done
[T4, R 4] FG; card forest; own r08c07 r08c08 r09c07
-                       | house r08c06 r09c06
[T5, R 4] FG; card forest; own r07c12 r16c13
-                       | house r06c12 r06c13 r08c12 r08c13 r17c12 r17c13
house r06c12            | house has r08c12 r17c12 r17c13
house r17c12            | house has r06c13 r08c12 r08c13 r17c13
house r08c13            | phase after; terrain forest; played forest

[T6, R 3] FG; card grass; hand1 canyon; next canyon
house r07c07            | tiles0 tavern r06c07 fresh; left r06c07 1
house r07c06            | tiles0 tavern r06c07 fresh; left r06c07 1
house r08c08            | tiles0 tavern r06c07 fresh
done                    | seat 1; hand0 canyon; tiles0 tavern r06c07 ready
house r06c08 r05c07 r05c08 | tiles1 tavern r06c07 fresh; left r06c07 0
done                    | seat 0; house all canyon
house r05c02            | tiles0 tavern r06c07, tavern r06c02 fresh; left r06c02 1
[T7, R 3] (3) FG; card grass; other r06c08; third r07c06; tiles1 tavern r06c07; tiles2 tavern r06c07
-                       | left r06c07 0
house r07c07            | tiles0 none; left r06c07 0

[T8, R 3] FG; card canyon; own r08c07 r08c08 r09c07; next canyon
house r16c06            | tiles0 oasis r17c05 fresh
house r15c06            | refuses use oasis
house r16c07            | phase after; legal done
done                    | tiles0 oasis r17c05 ready; seat 1
others                  | seat 0; phase before; offers use oasis
use oasis               | phase build; tiles0 oasis r17c05 used; house has r17c06; refuses done
house r17c06            | phase before; refuses use oasis
house r15c07 r16c02 r17c02 | phase after; refuses use oasis; supply0 30
[T8, R 3] FG; card canyon; own r08c07 r08c08 r09c07; next canyon
house r16c06 r15c06 r16c07 | phase after; legal done
done                    | seat 1
others                  | offers use oasis
house r15c07 r16c02 r17c02 | phase after; offers use oasis, done
use oasis               | phase build
house r15c08            | phase after; legal done
done                    | tiles0 oasis r17c05 ready

[T9, R 3] FG; card grass; own r07c10; tiles0 paddock r06c11
use paddock             | phase lift; lift r07c10
lift r07c10             | phase move; house has r07c12
house r07c12            | phase before; tiles0 none; left r06c11 1
house r07c11            | tiles0 none; left r06c11 1
[T9, R 3] FG; card grass; own r07c10; tiles0 paddock r06c11, refuge
use paddock             | lift r07c10
lift r07c10             | phase move
house r07c12            | tiles0 refuge
use refuge              | phase lift
lift r07c12             | phase move
house r07c11            | tiles0 refuge used; left r06c11 1
[T10, R 3] FG; card grass; own r07c10; tiles0 paddock r06c11, refuge
use refuge              | lift r07c10
lift r07c10             | house r06c10 r07c09 r07c11 r08c10 r08c11
house r07c11            | tiles0 paddock r06c11, refuge used; offers use paddock

[T11, F] FG; card forest; own r11c18 r15c11; tiles0 farm r11c17, farm r15c12, refuge
use farm                | tiles0 farm r11c17 used, farm r15c12, refuge
house r10c19            | phase before; offers use farm
use refuge              | lift r10c19 r11c18 r15c11
lift r15c11             | house has r15c10
house r15c10            | tiles0 farm r11c17 ready, refuge used; offers use farm
[T11, F] FG; card forest; own r11c18 r15c11; tiles0 farm r11c17, farm r15c12, refuge
use farm                | tiles0 farm r11c17 used, farm r15c12, refuge
house r10c19            | phase before
use refuge              | phase lift
lift r11c18             | house has r11c19
house r11c19            | tiles0 farm r15c12 ready, refuge used; offers use farm

[T12, R 4] FG; card grass; own r07c07; supply0 2; scoring Families
house r07c08            | phase mandatory; end no
house r07c09            | phase after; end yes; gold0 0; supply0 0
[T13, R 4] (3) FG; card desert; supply0 9; next canyon; fill desert except r16c08
-                       | house r16c08
house r16c08            | phase mandatory; hand0 canyon; out desert; house r15c07 r16c07 r16c09 r17c08; supply0 8
house r15c07            | phase mandatory
house r15c06            | phase after; supply0 6; pieces0 r15c06 r15c07 r16c08
[T14, R 4] (4) FG; turn 3; phase after; hand0 desert; hand3 flower; next flower, canyon, grass; fill desert; fill canyon
done                    | seat 0; turn 0; phase before; hand0 grass; out canyon, desert; discards flower; house all grass; round 2
[T15, F] (3) FG; card desert; tiles0 oracle; next canyon; fill desert except r15c08 r16c08 r17c07
house r16c08            | house r15c08 r17c07
house r15c08            | hand0 desert
house r17c07            | phase after; hand0 canyon; out desert; offers use oracle, done
use oracle              | phase build; house r15c07 r15c09 r16c07 r16c09 r17c08
house r16c09            | phase after; terrain canyon; played canyon
"""

TILES = """
[T16, O 5] HB; card grass; own r05c03 r05c04 r06c04; tiles0 barn
-                       | refuses use barn
[T17, O 5] HB; card desert; own r10c12 r10c13 r10c14; tiles0 barn
use barn                | phase lift; lift r10c12 r10c13 r10c14
lift r10c14             | phase move; house r09c11 r09c12 r10c11 r11c13
[T18, R 6] FG; card flower; own r01c02; tiles0 tower
use tower               | phase build; house r00c02
[T18, R 6] FG; card flower; own r07c07; tiles0 tower
use tower               | house all edge; house size 47
[T19, R 6] FG; card flower; own r07c07 r07c08 r07c09; tiles0 tavern r06c07
use tavern              | phase build; house r07c06 r07c10
[T19, R 6] FG; card flower; own r07c07 r07c08 r07c09; other r07c10; tiles0 tavern r06c07
use tavern              | house r07c06
[T19, R 6] FG; card flower; own r08c08 r09c08 r10c09; tiles0 tavern
use tavern              | house r07c07 r11c09
[T20, R 6] FG; card flower; own r07c14; tiles0 paddock
use paddock             | lift r07c14
lift r07c14             | house r05c15 r07c12 r07c16 r09c13 r09c15
[T21, R 5] FG; card flower; own r07c07 r07c08 r08c15; tiles0 harbor
use harbor              | lift r07c07 r07c08 r08c15
lift r07c07             | house r08c14 r09c14
house r08c14            | score Fishermen 1, 0; pieces0 r07c08 r08c14 r08c15; supply0 37
[T21, R 6] FG; card flower; own r07c07 r07c08 r08c15; tiles0 harbor
use harbor              | phase lift
lift r08c15             | house all water; house size 80
house r00c15            | score Fishermen 0, 0
[T22, R 6] (3) FG; card desert; tiles0 farm; fill grass
-                       | refuses use farm
[T22, R 6] (3) FG; card desert; phase after; tiles0 farm; fill grass
-                       | legal done

[T23, R 3] FG; own r02c03 r02c04 r03c02
-                       | always 3, 0
[T24, R 4] (3) FG; turn 1; card desert; supply1 3
house r00c16 r00c17     | end no
house r00c18            | end yes; phase after; seat 1
done                    | seat 2; phase before
house r07c07 r07c08 r07c09 | phase after; seat 2
done                    | phase over
[T24, R 4] (3) FG; turn 2; card desert; supply2 3
house r00c16 r00c17 r00c18 | end yes; phase after; seat 2
done                    | phase over
[T25, R 4] (3) FG; turn 2; phase after; end; own r02c03; other r08c16
done                    | phase over; scores 5, 5, 0; winners 0, 1
"""

GOLD = f"""
[T26, D] FG; {POSITION_A}; removed grass
-                       | score Fishermen 0, 3; score Miners 2, 1; score Workers 3, 4; score Merchants 8, 0
-                       | score Discoverers 3, 5; score Knights 8, 4; score Hermits 4, 5; score Citizens 2, 1
-                       | score Lords 36, 36; score Farmers 3, 0; score Geologists 4, 0; score Messengers 8, 4
-                       | score Noblewomen 15, 10; score Vassals 4, 2; score Scouts 1, 3; score Homesteaders 5, 3
-                       | score Rangers 0, 8; score Chainers 2, 0; score Travellers 2, 1; always 3, 3
[T26, D] FG; own r08c08 r08c09 r09c08 r09c09
-                       | score Captains 2, 0
[T26, R 5] FG; own r00c00 r00c01 r00c02 r01c00 r01c01 r01c02
-                       | score Knights 6, 0
[T26, C] FG; own r00c00 r00c01 r00c02 r01c00 r01c01 r01c02 r01c03
-                       | score Citizens 3, 0
[T27, C] (4) V; {POSITION_V}
-                       | always 18, 0, 15, 12; score Discoverers 14, 20, 12, 16; score Knights 14, 8, 28, 10
-                       | score Fishermen 13, 21, 10, 5; score Miners 4, 12, 11, 4; score Lords 18, 36, 12, 18
-                       | score Farmers 18, 0, 15, 27; score Hermits 7, 5, 6, 29; score Citizens 4, 10, 8, 2
-                       | score Workers 16, 5, 10, 8; score Merchants 40, 8, 24, 0; score Geologists 0, 0, 4, 0
-                       | score Messengers 16, 30, 32, 6; score Noblewomen 40, 10, 20, 20; score Vassals 3, 7, 15, 3
-                       | score Captains 8, 2, 1, 1; score Homesteaders 13, 15, 19, 11; score Rangers 8, 20, 8, 10
-                       | score Chainers 21, 28, 27, 6; score Travellers 1, 3, 6, 12
[T28, R 5] (4) FG; spread0 8 0 0 0; spread1 8 0 0 0; spread2 6 0 0 0; spread3 2 0 0 0
-                       | score Lords 48, 48, 42, 36
[T28, R 5] FG; spread0 5 4 6 7
-                       | score Farmers 12, 0
[T28, R 23] FG; spread0 8 11 5 12
-                       | score Homesteaders 12, 0
"""

CASES: list[Case] = read_script(BUILDING) + read_script(TILES) + read_script(GOLD)
