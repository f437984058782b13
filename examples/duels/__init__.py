"""Duels: a small card game for 2 to 5 players. This package is the example of docs/adding_a_game.md.

The rules
    There are 45 weapons, five of each strength from 1 to 9, and 26 prizes, two of each value from -5 to 8 but 0. Everybody is dealt four
    weapons, which nobody else sees.

    The seats take turns. Whoever's turn it is draws a weapon, turns up a prize, and plays a weapon face up against another seat. That seat
    answers: it tops with a stronger weapon, or it yields. Weapons that were played are out of the game.

    If the seat yields, the attacker has won the duel; if it tops, the defender has. A prize above 0 goes to the winner of the duel, one below
    0 to the loser. Then it is the next seat's turn.

    The game ends after three rounds, or as many as were agreed, one to five. A 9 that is left in a hand then costs a point. Whoever has
    most points wins; in a tie, whoever has more weapons left. Seats that are equal in both share their place.

    House rules may have three or four copies of a prize.
"""

from examples.duels.config import Config
from examples.duels.game import Game, Rules

RULES = Rules()

__all__ = ["RULES", "Config", "Game", "Rules"]
