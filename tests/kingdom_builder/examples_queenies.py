"""Worked examples T79 to T86 of the rules that a script can say: Queenies, deck, round limit (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.script import Case, read_script

QUEENIES = """
[T79, R 24] MB; capitols r14c12; own r13c11 r13c13 r14c11 r15c11 r16c10
-                       | always 7, 0
[T79, R 24] MB; own r13c11 r13c13 r14c11 r15c11 r16c10
-                       | always 3, 0
[T79, R 24] MB; capitols r14c12; own r16c10
-                       | always 0, 0
[T81, R 24] FG; card canyon; caves r17c14 r03c15 r03c08; own r09c15 r16c14
-                       | offers use cave
use cave                | phase lift; lift r16c14
lift r16c14             | phase move; house r02c16 r03c07 r03c16 r04c08 r04c09 r16c15 r17c13
house r04c09            | phase before; refuses use cave; pieces0 r04c09 r09c15
[T82, R 24] FG; island rope bridge; card desert; own r01c14; tiles0 oasis, farm
house r01c13 r00c14     | phase mandatory
house r00c13            | phase after
use oasis               | phase build; house all desert; house size 55; house has i0c03 i0c04 i0c05 i1c03 i1c04 i1c05
house i0c03             | phase after; tiles0 oasis used, farm, rope bridge i1c02 fresh; left i1c02 1
use farm                | house i0c02
[T83, R 24] FG; island rope bridge; own i0c03
-                       | score Fishermen 1, 0; score Discoverers 1, 0; score Lords 48, 48; score Farmers 0, 0; score Knights 0, 0
[T83, F] FG; island rope bridge; own r07c07 r07c08 i0c03
-                       | score Fishermen 1, 0; score Discoverers 2, 0; score Knights 4, 0; score Farmers 0, 0
-                       | score Lords 48, 42; score Homesteaders 2, 0; score Travellers 0, 0
"""

DECK = """
[T84, R 3] FG; phase after; card desert; deck none; discards grass, canyon, flower
done                    | seat 1; shuffled grass, canyon, flower, desert drawn 1; discards none; deck size 3
[T84, R 3] CB; card desert; tiles0 fort; deck none; discards canyon, flower, grass
use fort                | phase build; shuffled canyon, flower, grass drawn 1; deck size 2; discards size 1
[T84, R 3] (3) FG; turn 2; phase after; hand0 desert; hand2 flower; deck grass; discards canyon, forest; fill desert
done                    | seat 0; phase before; out desert; shuffled canyon, forest, flower drawn 1; discards none; deck size 2
[T84, R 4] (3) FG; turn 2; phase after; hand0 desert; hand2 none; deck flower; fill desert
done                    | seat 0; phase before; out desert; hand0 none; hand2 flower; deck none; discards none; legal done
done                    | phase after; legal done
done                    | seat 1; hand0 none
[T84, R 3] FG; hand0 none; turn 1; phase after; hand1 grass; deck flower, canyon
done                    | seat 0; phase before; hand1 flower; hand0 canyon; deck none; discards grass

[T86, O 41] FG; limit 3; round 1; card grass; own r07c07; supply0 1; tiles0 temple; next grass, flower, grass
use temple              | phase temple
lift r07c07             | held0 1; supply0 1
house r08c08            | phase after; supply0 0; end no
done                    | due0 1; held0 0
others                  | round 2; phase before
use temple              | lift r08c08
lift r08c08             | held0 1; due0 1
house r08c09            | phase after; end no; due0 0
done                    | due0 1; round 2
others                  | round 3; phase before
use temple              | lift r08c09
lift r08c09             | held0 1
house r08c08            | end no
done                    | seat 1; round 3
others                  | phase over; end no
"""

CASES: list[Case] = read_script(QUEENIES) + read_script(DECK)
