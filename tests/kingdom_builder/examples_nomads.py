"""Worked examples T29 to T42 of the rules: Nomads (script.py says how to read them)."""

from __future__ import annotations

from tests.kingdom_builder.script import Case, read_script

TILES = """
[T29, R 9] FG; card desert; nomads0 donation flower
house r01c02 r01c03 r00c02 | phase after; offers use donation flower, done
use donation flower     | phase build; house r01c01 r02c02 r02c03 r02c04; refuses done
house r02c04            | house r01c01 r02c02 r02c03 r02c05; offers done
house r02c05            | house r01c01 r02c02 r02c03 r02c06; offers done
house r02c06            | phase after; supply0 34; nomads0 donation flower used; legal done
done                    | nomads0 none
[T29, R 9] FG; card desert; nomads0 donation flower
house r01c02 r01c03 r00c02 | phase after
use donation flower     | phase build
house r02c04            | phase build
done                    | phase after; supply0 36; legal done

[T30, R 9] FG; card desert; nomads0 donation water
use donation water      | house all water
house r02c15            | score Fishermen 0, 0; score Miners 1, 0
[T30, R 9] FG; card desert; nomads0 donation mountain
use donation mountain   | house all mountain
house r03c15            | score Fishermen 1, 0; score Miners 0, 0
[T30, R 9] FG; card desert; nomads0 donation water, donation mountain
use donation water      | phase build
house r02c15            | phase build
done                    | phase before
use donation mountain   | house r02c14 r03c15
house r03c15            | score Fishermen 1, 0; score Miners 1, 0

[T31, R 9] NB; card flower; own r00c00 r03c05; nomads0 resettlement; lies r05c02 sword
use resettlement        | phase lift; lift r00c00 r03c05; refuses done
lift r03c05             | house has r04c05
house r04c05            | phase lift; offers done
lift r04c05             | phase move
house r04c04            | phase lift; nomads0 resettlement used
lift r04c04             | phase move
house r04c03            | phase lift; nomads0 resettlement used, sword fresh; lies r05c02 none
lift r00c00             | house r00c01 r01c00
house r00c01            | phase before; pieces0 r00c01 r04c03; refuses use sword, use resettlement; supply0 38
[T32, R 9] NB; card forest; nomads0 outpost; lies r03c13 sword
house r06c11            | tiles0 caravan r06c12 fresh; left r06c12 1
house r05c11            | tiles0 caravan r06c12 fresh; left r06c12 1; house lacks r03c14; offers outpost
outpost                 | phase mandatory; house has r03c14; nomads0 outpost used; refuses outpost
house r03c14            | phase after; nomads0 outpost used, sword fresh; lies r03c13 none
[T33, R 9] FG; card desert; nomads0 sword; other r07c07; tiles1 tavern r06c07
use sword               | phase remove; remove r07c07
remove r07c07           | phase before; supply1 40; tiles1 none; left r06c07 1; pieces1 none; nomads0 sword used
[T33, F] (3) FG; card desert; nomads0 sword; end; other r07c07; supply1 0
use sword               | phase remove
remove r07c07           | supply1 1; end yes
"""

GOLD = """
[T34, R 10] FG; card flower; scoring Shepherds
house r02c04            | gold0 0
house r02c05            | gold0 0
house r02c06            | gold0 2
[T34, R 10] FG; card flower; scoring Shepherds
house r02c06            | gold0 0
house r02c05            | gold0 0
house r02c04            | gold0 0; phase after
[T35, R 10] FG; card grass; scoring Families
house r07c07 r07c08     | gold0 0
house r07c09            | gold0 2
[T35, R 10] FG; card grass; scoring Families
house r07c08 r07c07 r07c09 | gold0 2
[T35, R 10] FG; card grass; scoring Families
house r08c08 r09c08 r10c09 | gold0 2
[T35, R 10] FG; card grass; scoring Families
house r08c08 r08c09 r09c09 | gold0 0
[T36, R 10] FG; card grass; scoring Ambassadors; tiles0 paddock; other r06c08 r10c09 r08c05
house r07c07            | gold0 1
house r08c08            | gold0 1
house r09c08            | gold0 2; phase after
use paddock             | phase lift
lift r08c08             | house has r08c06
house r08c06            | gold0 2; gold1 0
"""

QUARRY_CARAVAN_VILLAGE = """
[T37, R 9] NB; card grass; lies r05c02 treasure
house r04c02            | gold0 3; nomads0 none; lies r05c02 none
house r04c03            | gold0 3
[T37, R 9] NB; card grass; round 5; lies r05c02 outpost; next grass
house r04c02            | nomads0 outpost fresh; lies r05c02 none; refuses outpost
house r04c03            | refuses outpost
house r05c03            | phase after
done                    | nomads0 outpost ready; seat 1
others                  | round 6; seat 0; nomads0 outpost ready
house r06c03 r07c02 r07c03 | phase after; nomads0 outpost ready
done                    | nomads0 none

[T38, R 11] NB; card desert; own r01c04 r02c05 r02c06 r02c07 r03c06; other r04c07; tiles0 quarry r02c04
use quarry              | phase wall; legal wall r04c06
wall r04c06             | phase before; walls r04c06; walls_left 24; tiles0 quarry r02c04 used; terrain desert
[T39, R 11] NB; card flower; own r05c13; tiles0 caravan
use caravan             | lift r05c13
lift r05c13             | house r05c08 r05c19 r09c15 r15c08
[T40, R 11] NB; card flower; own r05c13; walls r05c16; tiles0 caravan
use caravan             | lift r05c13
lift r05c13             | house r05c08 r05c15 r09c15 r15c08
[T41, R 11] NB; card flower; own r07c11 r07c12 r09c12; tiles0 village
use village             | phase build; house r08c12
[T42, F] NB; card flower; own r04c03; nomads0 sword; took0 r05c02; tiles0 refuge
use refuge              | lift r04c03
lift r04c03             | house has r04c04
house r04c04            | nomads0 sword; lies r05c02 none
"""

CASES: list[Case] = read_script(TILES) + read_script(GOLD) + read_script(QUARRY_CARAVAN_VILLAGE)
