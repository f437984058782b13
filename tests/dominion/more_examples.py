"""Examples of our own, for rules that the numbered ones pass by; in the same form, numbered from 101."""

from __future__ import annotations

from tests.dominion.script import Case, read_script

SCRIPT = """
[101] H0 Library, Village, 3 Estate; K0 Village; D0 Village
play Library    | phase library; K0 Village; H0 2 Village, 3 Estate
yes             | phase buy; K0 Village; H0 Village, 3 Estate; X0 Village

[102] H0 Library, Village, 3 Estate; K0 Village; T0 Village
play Library    | phase library; K0 2 Village
yes             | phase buy; K0 Village; H0 Village, 3 Estate

[103] H0 Library; D0 2 Village, 2 Copper
play Library    | phase library; H0 size 1
redeal 1        | phase library; H0 size 1; D0 size 3; H0+D0 2 Village, 2 Copper; yes_only_for_a_village

[104] H0 Thief; T1 Silver, Gold; D1 Gardens, 7 Copper
play Thief      | phase thief_trash; scores 0, 1
trash Silver    | phase thief_gain; scores 0, 0
done            | phase buy; trash Silver; stolen -; X0 -

[105] (3) H0 Thief; T1 Silver, Gold; T2 Silver, Copper
play Thief      | phase thief_trash; subject 1; revealed Silver, Gold
trash Silver    | phase thief_trash; subject 2; revealed Silver, Copper; X1 Gold
trash Silver    | phase thief_gain; subject 0; legal gain Silver, done; trash 2 Silver
gain Silver     | phase thief_gain; legal gain Silver, done; trash Silver
gain Silver     | phase buy; trash -; X0 2 Silver

[106] H0 Mine, Estate; D0 Copper
play Mine       | phase mine
done            | phase buy; trash -; X0 -; H0 Estate

[107] H0 Bureaucrat; D1 Estate
play Bureaucrat | phase buy; T0 Silver; D1 Estate

[108] H0 Militia; H1 Copper, Silver, 2 Gold, Estate; D1 5 Copper
play Militia    | phase militia
discard Gold    | phase militia
redeal 0        | phase militia; mover 1; H1 size 4; X1 Gold; H1+D1 6 Copper, Silver, Gold, Estate

[109] H0 Throne Room, Smithy, Moat, Estate; D0 Village
play Throne Room | legal play Smithy, Moat
play Moat       | phase buy; H0 Smithy, Estate, Village; actions 0

[110] actions 2; H0 Throne Room, Feast, Feast
play Feast      | phase gain
gain Duchy      | phase action; trash Feast
play Throne Room | phase throne
play Feast      | phase gain; trash 2 Feast
gain Silver x2  | phase buy; trash 2 Feast; X0 Duchy, 2 Silver; play Throne Room

[111] H0 Chapel, Copper, Gold; K0 Copper
play Chapel     | phase chapel
trash Gold      | legal done; K0 Copper; H0 Copper
done            | phase buy; coins 1; K0 -

[112] H0 Chancellor; D0 Copper; X0 Gold
play Chancellor | phase chancellor
done            | phase buy; D0 Copper; X0 Gold

[113] (3) H0 Council Room; D0 3 Estate; X0 2 Duchy; D1 Gold; T1 Silver
play Council Room | H0 has 3 Estate, Duchy; D0 Duchy; H1 Silver; K1 Silver; H2 -

[114] H0 Bureaucrat; H1 Moat, Estate; K1 Moat
play Bureaucrat | phase moat; T0 -
yes             | phase buy; T0 Silver; T1 -; K1 Moat

[115] coins 3; buys 2; pile Province 0
buy Silver      | phase buy; seat 0
done            | phase over; seat 0; mover 0

[116] H0 Spy; H1 Copper; X1 Gold; T0 2 Copper
play Spy        | phase spy; subject 0
done            | phase spy; subject 1; T1 Gold; K1 Copper

[117] H0 Workshop; pile Copper 0; pile Curse 0; round_limit 1
play Workshop   | refuses gain Copper, Curse
gain Silver     | phase buy
done            | phase buy; seat 1
done            | phase over; turns 1, 1
"""

CASES: list[Case] = read_script(SCRIPT)
