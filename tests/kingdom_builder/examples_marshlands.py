"""Worked examples T54 to T65 of the rules: Marshlands (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.script import Case, read_script

SWAMP_AND_CANOE = """
[T54, R 17] MB; card swamp/desert; own r03c01; scoring Families
-                       | house r02c01 r02c02 r04c01 r04c02
house r02c01            | phase mandatory; terrain swamp; played swamp/desert; need 2; house r01c01 r02c02
house r02c02            | phase after; supply0 37; gold0 0
[T54, R 17] MB; card swamp/desert; own r03c01; scoring Families
house r04c01            | phase mandatory; terrain desert; need 3; house lacks r02c01 r02c02
house r04c02            | phase mandatory
house r04c03            | phase after; supply0 36; gold0 2
[T55, R 17] MB; card swamp/desert; own r03c01; tiles0 oracle
use oracle              | phase build; house r02c01 r02c02 r04c01 r04c02
house r02c01            | phase before; terrain swamp; house r01c01 r02c02
house r02c02            | phase mandatory; need 2; house r01c01 r01c02
house r01c01            | phase after; supply0 36

[T56, R 17] MB refuge; turn 1; card forest; own r00c05 r00c06 r01c06; tiles0 canoe; left r07c08 1
house r07c07            | phase react; seat 0; turn 1; tiles1 refuge r07c08 fresh; left r07c08 0
-                       | legal house r01c01 r01c02 r01c03 r02c01 r02c02 r01c07 r02c07, done
done                    | phase mandatory; seat 1; turn 1; tiles0 canoe; house has r07c06
[T56, R 17] MB refuge; turn 1; card forest; own r00c05 r00c06 r01c06; tiles0 canoe; left r07c08 1
house r07c07            | phase react; seat 0
house r01c07            | phase mandatory; seat 1; turn 1; tiles0 canoe used; supply0 36; pieces0 r00c05 r00c06 r01c06 r01c07
house r07c06 r07c05     | phase after; seat 1
done                    | phase before; seat 0; tiles0 canoe used
house r00c04 r00c03 r00c02 | phase after
done                    | tiles0 canoe ready
[T57, F] (3) MB refuge; card forest; tiles0 canoe; tiles1 canoe; tiles2 canoe; other r16c15; left r07c08 1; left r17c16 1
house r07c07            | phase react; seat 1; house has r17c15
house r17c15            | phase react; seat 2; turn 0; tiles1 canoe used, harbor r17c16 fresh; left r17c16 0
done                    | phase react; seat 0
done                    | phase react; seat 2
done                    | phase react; seat 0; turn 0
done                    | phase mandatory; seat 0; turn 0; tiles0 canoe, refuge r07c08 fresh; tiles2 canoe
house r07c06 r07c05     | phase after; seat 0
[T57, O 21] (3) MB refuge; card forest; tiles0 canoe; tiles1 canoe; tiles2 canoe; other r16c15; left r07c08 1; left r17c16 1
house r07c07            | phase react; seat 1
house r17c15            | phase react; seat 2
house r01c01            | phase react; seat 0; tiles2 canoe used
done                    | phase react; seat 0
done                    | phase mandatory; seat 0
[T58, R 17] NB; card grass; tiles1 canoe; lies r05c02 treasure
house r04c02            | phase react; seat 1; gold0 3; house all water; offers done
done                    | phase mandatory; seat 0
[T58, R 17] NB; card grass; tiles1 canoe; lies r05c02 sword
house r04c02            | phase react; seat 1; nomads0 sword fresh
done                    | phase mandatory; seat 0
"""

PALACE_REFUGE_FOUNTAIN = """
[T59, R 17] (3) MB; own r05c01 r05c02 r06c01; other r06c03 r07c02; third r07c01
-                       | always 5, 0, 0
[T59, R 17] (3) MB; own r05c01 r05c02; other r06c03 r07c02; third r07c01
-                       | always 5, 5, 0
[T59, R 19] (3) MB; own r05c01 r05c02 r06c01; other r06c03 r07c02; third r07c01; scoring Noblewomen
-                       | score Noblewomen 5, 0, 0; score Knights 4, 2, 2; score Fishermen 0, 0, 0; scores 9, 2, 2
[T60, R 18] MB fountain; card canyon; own r03c06 r07c06; other r07c07; tiles0 refuge, refuge, fountain
use refuge bonus        | phase lift; lift r03c06 r07c06
lift r07c06             | phase move; house r06c06 r06c07 r07c05 r07c09 r08c06 r08c07
house r07c09            | phase before; tiles0 refuge, refuge, fountain, fountain r07c08 fresh; refuses use refuge bonus; offers use refuge
use fountain            | house r02c06 r03c05 r03c07 r04c07 r06c09 r06c10 r07c10 r08c09 r08c10
house r02c06            | refuses use fountain
house r08c10 r08c11 r08c12 | phase after
done                    | tiles0 refuge, refuge, fountain, fountain r07c08
others                  | seat 0; offers use refuge bonus, use fountain
use fountain            | house has r04c06
[T61, R 18] MB fountain; card canyon; own r04c00 r04c01; other r03c00 r03c01; tiles0 fountain
use fountain            | phase build; house r05c01
[T62, R 19] (3) FG; own r04c04 r06c08; other r10c11; third r07c06 r07c07 r07c10 r07c14
-                       | score Noblewomen 5, 5, 15
"""

TEMPLE_AND_GOLD = """
[T63, R 18] FG; card grass; own r07c07; due0 2; tiles0 temple, temple; scoring Families
-                       | house all grass; supply0 37
house r16c10            | phase mandatory; house r07c06 r07c08 r08c07 r08c08 r15c10 r16c11 r17c10
house r16c11            | gold0 0; due0 2; supply0 35
house r16c12            | phase mandatory; gold0 2; due0 2; supply0 34; house has r15c10 r07c08; house lacks r14c11
house r15c10            | phase mandatory; due0 1; supply0 34
house r15c11            | phase after; due0 0; supply0 34; gold0 2; pieces0 r07c07 r15c10 r15c11 r16c10 r16c11 r16c12; end no
[T63, F] FG; card grass; own r07c07; due0 2; tiles0 temple, temple; scoring Families
house r15c10 r16c10 r16c11 | gold0 0; phase mandatory; due0 2
house r16c12 r15c11     | gold0 0; phase after
[T64, F] FG; card grass; own r07c07; supply0 3; tiles0 temple; next grass
use temple              | phase temple; legal lift r07c07
lift r07c07             | phase before; held0 1; due0 0; supply0 3; pieces0 none
house r08c08 r08c09 r09c09 | phase after; supply0 0; end no
done                    | seat 1; held0 0; due0 1
others                  | seat 0; phase before; end no; house has r08c07
house r08c07            | phase after; due0 0; supply0 0; end yes
[T65, R 19] MB; own r00c00 r00c01 r00c02 r00c03 r00c04 r00c05 r00c06 r00c07
-                       | score Messengers 16, 0
[T65, R 19] FG; own r00c05
-                       | score Geologists 4, 0
"""

CASES: list[Case] = read_script(SWAMP_AND_CANOE) + read_script(PALACE_REFUGE_FOUNTAIN) + read_script(TEMPLE_AND_GOLD)
