"""The worked examples of the rules as scripts (script.py), by number; they know no implementation."""

from __future__ import annotations

from tests.dominion.script import Case, read_script

LAST = 69

SETUP_AND_TURN = """
[1] (2) set-up size_distortion
-               | phase buy; seat 0; mover 0; H0+play size 5; H1 size 5; D0 size 5; D1 size 5; coins_are_the_coppers_drawn
-               | supply 46 Copper, 40 Silver, 30 Gold, 8 Estate, 8 Duchy, 8 Province, 10 Curse, 10 Cellar, 10 Chapel, 10 Feast, 8 Gardens, 10 Laboratory, 10 Thief, 10 Village, 10 Witch, 10 Woodcutter, 10 Workshop
[1] (3) set-up size_distortion
-               | phase buy; seat 0; mover 0; H0+play size 5; H1 size 5; H2 size 5; coins_are_the_coppers_drawn
-               | supply 39 Copper, 40 Silver, 30 Gold, 12 Estate, 12 Duchy, 12 Province, 20 Curse, 10 Cellar, 10 Chapel, 10 Feast, 12 Gardens, 10 Laboratory, 10 Thief, 10 Village, 10 Witch, 10 Woodcutter, 10 Workshop
[1] (4) set-up size_distortion
-               | phase buy; seat 0; mover 0; H0+play size 5; H1 size 5; H2 size 5; H3 size 5; coins_are_the_coppers_drawn
-               | supply 32 Copper, 40 Silver, 30 Gold, 12 Estate, 12 Duchy, 12 Province, 30 Curse, 10 Cellar, 10 Chapel, 10 Feast, 12 Gardens, 10 Laboratory, 10 Thief, 10 Village, 10 Witch, 10 Woodcutter, 10 Workshop

[2] H0 Market, Smithy, Silver, 2 Estate; T0 Silver, Market, Copper; X0 Copper
play Market     | actions 1; buys 2; coins 1; phase action
play Smithy     | phase buy; coins 7; H0 Market, 2 Estate; D0 -; X0 -; T0 -
buy Village     | phase buy; coins 4; buys 1
buy Remodel     | seat 1; owned0 size 11; H0 size 5

[3] H0 5 Estate; T0 Gold, Silver; X0 Copper
done            | seat 1; H0 size 5; H0 has Gold, Silver; D0 size 3; K0 Gold, Silver; H0+D0 Gold, Silver, Copper, 5 Estate

[4] H0 Smithy; D0 Copper
play Smithy     | phase buy; coins 1; play Smithy, Copper; D0 -

[5] H0 Laboratory; D0 2 Estate; X0 3 Gold
play Laboratory | H0 2 Estate; D0 -; X0 3 Gold

[6] H0 2 Festival, Market; D0 Estate
play Festival   | actions 2
play Market     | actions 2
play Festival   | actions 3; buys 4; coins 5

[7] coins 8; pile Province 1
buy Province    | phase over; pile Province 0

[8] coins 5; buys 2; pile Curse 0; pile Gardens 0; pile Moat 1
buy Moat        | phase buy; seat 0; coins 3; buys 1
buy Village     | phase over

[9] coins 5; pile Curse 0; pile Moat 1
buy Moat        | phase buy; seat 1

[10] X0 Province; X1 Province; turns 10, 9
-               | winners 1
[10] X0 Province; X1 Province; turns 9, 9
-               | winners 0, 1

[11] H0 2 Estate
-               | phase buy; legal buy Copper, Curse, done
"""

CARDS_A_TO_G = """
[12] H0 Adventurer; T0 Estate, Gold, Duchy
play Adventurer | phase buy; coins 3; X0 Estate, Duchy

[13] actions 2; H0 Adventurer, Village; T0 Estate, Copper; X0 3 Silver
play Adventurer | phase action; H0 Village, Copper, Silver; K0 Village, Copper, Silver; D0 2 Silver; X0 Estate

[14] H0 Bureaucrat; X0 3 Gold; H1 Estate, 4 Copper; X1 2 Gold
play Bureaucrat | phase bureaucrat; mover 1; subject 1; legal topdeck Estate
topdeck Estate  | phase buy; T0 Silver; T1 Estate; D0 -; D1 -; X0 3 Gold; X1 2 Gold; H1 4 Copper

[15] H0 Bureaucrat; pile Silver 0; H1 Curse, 4 Copper; D1 3 Estate
play Bureaucrat | phase bureaucrat; mover 1; legal done
done            | phase buy; T0 -; K1 Curse, 4 Copper

[16] H0 Bureaucrat; H1 Curse, 4 Copper; D1 3 Gold
play Bureaucrat | phase buy; seat 0; K1 Curse, 4 Copper; T0 Silver; pile Silver 39

[17] H0 Bureaucrat; H1 Estate, Province, Gardens, 2 Gold; T1 Duchy
play Bureaucrat | mover 1; legal topdeck Estate, Province, Gardens
topdeck Gardens | T1 Gardens, Duchy; phase buy

[18] H0 2 Cellar, Estate, 2 Copper; X0 Gold
play Cellar     | phase cellar; actions 1; legal discard Copper, Estate, Cellar, done
discard Estate  | legal discard Cellar, done; count 1
discard Cellar  | count 2
done            | actions 1; H0 size 4; H0 has 2 Copper; D0 size 1; X0 -; H0+D0 2 Copper, Gold, Estate, Cellar

[19] H0 Cellar, 3 Estate
play Cellar     | phase cellar
discard Estate x3 | phase buy; H0 3 Estate; D0 -; X0 -

[20] H0 Cellar, Estate; D0 Gold
play Cellar     | phase cellar
done            | phase buy; H0 Estate; D0 Gold

[21] H0 Chancellor, Estate; D0 4 Copper; T0 Silver; X0 Gold
play Chancellor | phase chancellor; mover 0; legal yes, done
yes             | X0 4 Copper, Silver, Gold; D0 -; T0 -; phase buy; coins 2

[22] H0 Chancellor; X0 Gold
play Chancellor | phase buy; X0 Gold; coins 2

[23] H0 2 Chapel, 3 Copper, 2 Estate
play Chapel     | phase chapel; legal trash Copper, Estate, Chapel, done
trash Copper x2 | count 2
trash Estate    | legal trash Estate, Chapel, done
trash Chapel    | phase buy; trash 2 Copper, Estate, Chapel; play Chapel, Copper

[24] (3) H0 Council Room; D0 4 Estate; H1 5 Copper; H2 5 Copper; X1 Silver; D2 Gold
play Council Room | H0 4 Estate; H1 size 6; H2 size 6; K1 5 Copper; K2 -; phase buy; buys 2

[25] H0 Council Room; D0 4 Copper; H1 Moat, 4 Copper; D1 Gold
play Council Room | phase buy; mover 0; H1 Moat, 4 Copper, Gold; K1 -; coins 4

[26] H0 Feast, 3 Gold
play Feast      | phase gain; refuses gain Gold, done; offers gain Duchy
gain Duchy      | trash Feast; X0 Duchy; play 3 Gold

[27] H0 Throne Room, Feast
play Throne Room | legal play Feast
play Feast      | phase gain
gain Duchy      | phase gain; trash Feast
gain Laboratory | phase buy; trash Feast; X0 Duchy, Laboratory; play Throne Room

[28] D0 Gardens, 38 Copper
-               | scores 3, 0
[28] D0 Gardens, 39 Copper
-               | scores 4, 0
"""

CARDS_L_TO_M = """
[29] H0 Library, 4 Copper, 3 Estate; D0 3 Gold
play Library    | phase buy; H0 3 Estate; play Library, 4 Copper; D0 3 Gold

[30] H0 Library, 4 Estate; T0 Village, Gold; X0 Smithy
play Library    | phase library; T0 Gold; H0 4 Estate, Village; legal yes, done
yes             | phase library; aside Village; H0 4 Estate, Gold, Smithy; K0 4 Estate, Gold; D0 -; legal yes, done
done            | phase buy; X0 Village; aside -; H0 4 Estate, Smithy; coins 3

[31] H0 Library, 4 Estate; D0 2 Copper, Village
play Library    | phase library; yes_only_for_a_village
done            | phase library; yes_only_for_a_village
done            | phase library; yes_only_for_a_village
done            | phase buy; coins 2; H0 4 Estate, Village

[32] H0 Throne Room, Library; T0 Smithy, Village
play Throne Room | phase throne
play Library    | phase library; again Library
yes             | phase library; aside Smithy
yes             | phase library; H0 size 1; D0 size 1; H0+D0 Smithy, Village; aside -; again -
done            | phase library
done            | phase buy; H0 Smithy, Village

[33] (3) H0 Militia; H1 Copper, Silver, 2 Gold, Estate; H2 3 Gold
play Militia    | phase militia; mover 1; legal discard Copper, Silver, Gold
discard Copper  | phase militia; mover 1; legal discard Silver, Gold, Estate
discard Estate  | phase buy; mover 0; H1 Silver, 2 Gold; H2 3 Gold; X1 Copper, Estate; K1 -; coins 2

[34] (3) H0 Militia; H1 Copper, Silver, 2 Gold, Estate; H2 3 Gold
play Militia    | mover 1
discard Gold    | legal discard Gold, Estate

[35] (4) H0 Militia; H1 5 Copper; H2 Moat, 4 Copper; H3 Moat, 4 Copper
play Militia    | phase moat; mover 2; coins 0
yes             | phase moat; mover 3
done            | phase militia; mover 1
discard Copper x2 | phase militia; mover 3
discard Copper  | legal discard Copper, Moat
discard Moat    | phase buy; H1 3 Copper; H2 Moat, 4 Copper; H3 3 Copper; K2 Moat; K3 -

[36] H0 Mine, Copper, Estate
play Mine       | phase mine; legal trash Copper
trash Copper    | phase gain; legal gain Copper, Silver
gain Silver     | phase buy; coins 2; trash Copper; X0 -; play Mine, Silver

[37] H0 Mine, Estate; D0 Copper
play Mine       | phase mine; legal done
[37] H0 Mine, Estate; D0 Estate
play Mine       | phase buy

[38] H0 Throne Room, Mine, Copper
play Throne Room | phase throne
play Mine       | phase mine
trash Copper    | phase gain
gain Silver     | phase mine; H0 Silver; K0 Silver; legal trash Silver
trash Silver    | legal gain Copper, Silver, Gold
gain Gold       | phase buy; coins 3

[39] H0 Mine, Copper; pile Copper 0; pile Silver 0
play Mine       | phase mine
trash Copper    | phase buy; coins 0; H0 -; X0 -; trash Copper

[40] (3) H0 Witch; D0 2 Copper; H1 2 Moat, 3 Copper; H2 5 Copper
play Witch      | phase moat; mover 1; D0 2 Copper; H0 -
yes             | phase buy; X1 -; X2 Curse; K1 Moat; coins 2; pile Curse 19

[41] H0 Witch; H1 5 Copper; D1 Moat
play Witch      | phase moat; mover 1; legal done
[41] H0 Witch; H1 5 Copper; X1 Moat
play Witch      | phase buy; X1 Moat, Curse

[42] H0 Throne Room, Militia; H1 Moat, 4 Copper
play Throne Room | phase throne
play Militia    | phase moat; mover 1; coins 0
yes             | phase moat; mover 1; coins 2
done            | phase militia; mover 1; coins 4
"""

THRONE_ROOM = """
[43] H0 2 Throne Room, Village, Smithy, Market; D0 9 Estate
play Throne Room | phase throne
play Throne Room | phase throne; again Throne Room
play Village    | phase throne; actions 4; again -; H0 has 2 Estate
play Smithy     | phase action; actions 4; H0 8 Estate, Market

[44] H0 10 Throne Room, Workshop
play Throne Room x10 | phase throne; again 9 Throne Room
play Workshop   | phase gain; again 9 Throne Room, Workshop
gain Village x2 | phase buy; again -; X0 2 Village; play 10 Throne Room, Workshop

[45] H0 3 Throne Room, Festival, Village, Market, Estate; D0 9 Estate
play Throne Room x3 | phase throne
play Festival   | phase throne; actions 4
play Village    | phase throne; actions 8
play Market     | actions 10; buys 5; coins 6; phase buy; H0 5 Estate

[46] H0 Throne Room, Market; D0 2 Village
play Throne Room | phase throne
play Market     | phase action; actions 2; buys 3; coins 2; H0 2 Village

[47] H0 Throne Room, 3 Copper; D0 Village
play Throne Room | phase throne; legal done
done            | phase buy; coins 3
[47] H0 Throne Room, 3 Copper; D0 Gold
play Throne Room | phase buy; coins 3

[48] H0 Throne Room, Chapel
play Throne Room | phase throne; legal play Chapel

[49] H0 Throne Room, Chapel, 7 Copper
play Throne Room | phase throne
play Chapel     | phase chapel
trash Copper x4 | phase chapel; count 0; again -
trash Copper x2 | phase chapel; count 2
done            | phase buy; coins 1; trash 6 Copper

[50] H0 Throne Room, Bureaucrat; H1 2 Estate, 3 Copper
play Throne Room | phase throne
play Bureaucrat | phase bureaucrat; mover 1
topdeck Estate x2 | phase buy; T0 2 Silver; T1 2 Estate

[51] H0 Throne Room, Chancellor; D0 3 Copper
play Throne Room | phase throne
play Chancellor | phase chancellor; coins 2
yes             | phase buy; coins 4; X0 3 Copper

[52] (3) H0 Throne Room, Witch; D0 4 Copper; pile Curse 3
play Throne Room | phase throne
play Witch      | phase buy; X1 2 Curse; X2 Curse; pile Curse 0; coins 4

[53] (4) H0 Witch; D0 2 Gold; pile Curse 2
play Witch      | phase buy; X1 Curse; X2 Curse; X3 -; coins 6

[54] H0 Moneylender, Silver
play Moneylender | phase buy; coins 2; trash -
[54] H0 Moneylender, 2 Copper
play Moneylender | phase buy; coins 4; trash Copper
[54] H0 Throne Room, Moneylender, Copper
play Throne Room | phase throne
play Moneylender | phase buy; coins 3; trash Copper
"""

CARDS_R_TO_W = """
[55] H0 2 Remodel, Estate, Gold
play Remodel    | phase remodel; legal trash Gold, Estate, Remodel
trash Gold      | phase gain; offers gain Province, Gold, Copper; refuses done
gain Province   | X0 Province; trash Gold; H0 Estate, Remodel

[56] H0 2 Remodel, Estate, Gold
play Remodel    | phase remodel
trash Estate    | offers gain Smithy, Estate; refuses gain Duchy

[57] H0 Remodel
play Remodel    | phase buy; trash -; X0 -
[57] H0 Throne Room, Remodel, Estate
play Throne Room | phase throne
play Remodel    | phase remodel
trash Estate    | phase gain
gain Smithy     | phase buy; X0 Smithy; trash Estate

[58] (3) H0 Spy; T0 Copper, Estate; T1 Gold; X2 Silver
play Spy        | phase spy; mover 0; subject 0; H0 Copper; T0 Estate; legal yes, done
yes             | phase spy; mover 0; subject 1; X0 Estate
yes             | phase spy; mover 0; subject 2; X1 Gold; T2 Silver; X2 -; D2 -
done            | phase buy; T2 Silver; actions 1

[59] H0 Spy; T0 Copper; T1 Gold
play Spy        | phase spy; mover 0; subject 1

[60] H0 Spy; H1 Moat; T0 Copper, Estate; T1 Gold
play Spy        | phase moat; mover 1
yes             | phase spy; subject 0; mover 0
done            | phase buy; T1 Gold; T0 Estate

[61] H0 Thief; T1 Silver; X1 2 Gold
play Thief      | phase thief_trash; mover 0; subject 1; revealed Silver, Gold; legal trash Silver, Gold
trash Gold      | phase thief_gain; X1 Silver; D1 Gold; trash Gold; stolen Gold; legal gain Gold, done
gain Gold       | phase buy; X0 Gold; trash -; stolen -

[62] (4) H0 Thief; T1 2 Copper; T2 Silver, Estate; T3 Duchy, Curse; trash Gold
play Thief      | phase thief_gain; legal gain Copper, Silver, done; X1 Copper; X2 Estate; X3 Duchy, Curse
gain Silver     | phase buy; X0 Silver; trash Gold, Copper; stolen -

[63] H0 Thief; T1 Estate
play Thief      | phase buy; X1 Estate; T1 -

[64] H0 Workshop, Gold
play Workshop   | phase gain; offers gain Curse, Gardens; refuses gain Duchy, done
gain Gardens    | phase buy; X0 Gardens; coins 3

[65] H0 Village, Workshop; D0 Estate
play Village    | phase action; actions 2
play Workshop   | phase gain
gain Smithy     | phase buy; X0 Smithy; actions 1
"""

KNOWLEDGE_AND_END = """
[66] H0 2 Village, 2 Copper; X0 3 Gold
play Village    | phase action; K0 Village, 2 Copper; H0 Village, 2 Copper, Gold
play Village    | phase buy; coins 8; K0 -

[67] H0 Witch; D0 2 Copper; H1 Moat, 4 Copper; D1 5 Gold; T1 Estate
play Witch      | phase moat; mover 1
yes             | phase buy; K1 Moat
redeal 0        | H1 has Moat; H1 size 5; T1 Estate; H1+D1 Moat, 4 Copper, 5 Gold; K1 Moat; phase buy

[68] H0 Estate, Duchy; D0 4 Gold, Estate
-               | phase buy
redeal 1        | H0 lacks Gold; H0 size 2; H0+D0 2 Estate, Duchy, 4 Gold

[69] set-up first_game; round_limit 3
done x6         | phase over; turns 3, 3; winners 0, 1
"""

SCRIPTS = (SETUP_AND_TURN, CARDS_A_TO_G, CARDS_L_TO_M, THRONE_ROOM, CARDS_R_TO_W, KNOWLEDGE_AND_END)
CASES: list[Case] = [case for script in SCRIPTS for case in read_script(script)]


def cases_of(number: int) -> list[Case]:
    """The cases of an example."""
    return [case for case in CASES if case.number == number]
