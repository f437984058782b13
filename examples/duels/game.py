"""The game object, the check of untrusted games, and the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from examples.duels import layout, observe
from examples.duels.config import Config
from examples.duels.layout import COPIES, DEALT, MOST_COPIES, NONE, PRIZE_COPIES, VALUES, Phase
from examples.duels.world import World
from winterkingdom_env.core.drawing import Chip, seat_name, text_picture
from winterkingdom_env.core.picture import Look, Picture
from winterkingdom_env.games.errors import SavedGameError
from winterkingdom_env.games.simple import SimpleGame, SimpleRules


class Game(SimpleGame):
    """A game of Duels in progress."""

    __slots__ = ()

    NAME, TITLE, VERSION = "duels", "Duels", "v0"
    WORLD, CONFIG, SPEC = World, Config, observe.SPEC
    GAME_DTYPE, BOARD_DTYPE = layout.GAME, layout.BOARD
    PLAYERS = range(2, layout.MAX_PLAYERS + 1)
    PHASES = tuple(phase.name.lower() for phase in Phase)
    LABELS, EXAMPLES = layout.LABELS, "'play 7 against +1', 'top with 9' or 'yield'"
    COLUMNS = ("gains", "losses", "nines")

    @classmethod
    def flaw(cls, game: dict[str, Any], board: dict[str, Any]) -> str:
        """What is wrong with a saved position; an empty text if it is valid."""
        n, rounds = board["n_players"], board["rounds"]
        if n not in cls.PLAYERS or rounds not in Config.RANGES["rounds"]:
            return f"{n} players, {rounds} rounds"
        if any(number not in range(PRIZE_COPIES, MOST_COPIES + 1) for number in board["copies"]):
            return f"copies of prizes are {board['copies']}"
        phase, attacker, is_over = game["phase"], game["attacker"], game["phase"] == Phase.OVER
        ranges = {
            "phase": range(3),
            "round": range(1, rounds + 1),
            "attacker": range(n),
            "seat": range(n),
            "prize": range(NONE, NONE + 1) if is_over else range(len(VALUES)),
            "weapon": range(layout.STRENGTHS) if phase == Phase.ANSWER else range(NONE, NONE + 1),
        }
        wrong = [name for name, allowed in ranges.items() if game[name] not in allowed]
        if wrong:
            return f"{wrong[0]} is {game[wrong[0]]}"
        if (phase == Phase.ATTACK and game["seat"] != attacker) or (phase == Phase.ANSWER and game["seat"] == attacker):
            return f"seat {game['seat']} is asked in the turn of seat {attacker}"
        if is_over and (attacker, game["round"]) != (n - 1, rounds):
            return "it is over before its end"
        return cls._wrong_heaps(game, n, board["copies"])

    @staticmethod
    def _wrong_heaps(game: dict[str, Any], n: int, copies: list[int]) -> str:
        """Check that weapons and prizes add up, and that points match the prizes that were turned up."""
        hands, turn = game["hand"], n * (game["round"] - 1) + game["attacker"] + 1
        if min(min(row) for row in (*hands, game["deck"], game["prizes"])) < 0 or any(map(any, hands[n:])):
            return "a heap has a negative count, or an unused seat has weapons"
        played = [COPIES - sum(column) for column in zip(*hands, game["deck"], strict=True)]
        if game["phase"] == Phase.ANSWER:
            played[game["weapon"]] -= 1
        n_dealt = layout.STRENGTHS * COPIES - sum(game["deck"])
        n_duels = turn - (game["phase"] != Phase.OVER)
        if min(played) < 0 or n_dealt != DEALT * n + turn or not n_duels <= sum(played) <= 2 * n_duels:
            return "the weapons in hands and deck do not fit the turns played"
        out = [number - left for number, left in zip(copies, game["prizes"], strict=True)]
        if game["phase"] != Phase.OVER:
            out[game["prize"]] -= 1
        if min(out) < 0 or sum(out) != n_duels:
            return "the prizes left do not fit the turns played"
        for name, sign in (("gains", 1), ("losses", -1)):
            total = sum(value * number for value, number in zip(VALUES, out, strict=True) if value * sign > 0)
            if sum(game[name]) != total or min(sign * own for own in game[name]) < 0 or any(game[name][n:]):
                return f"{name} do not fit the prizes turned up"
        return ""

    @classmethod
    def check_begun(cls, begun: Any) -> None:
        """Raise SavedGameError unless this is the start of a game."""
        if (begun["round"][0], begun["attacker"][0], begun["phase"][0]) != (1, 0, Phase.ATTACK):
            raise SavedGameError("the saved game is refused: begun is not the start of a game")


class Rules(SimpleRules):
    """The game's rules object (games/contract.py)."""

    GAME = Game
    SCORE_SCALE = 10.0  # points that make about 1 in margins
    WORTH: tuple[float, ...] = (0.15,)  # points per strength in hand
    OBSERVATION_NOTES = "Seats are counted from the one that looks. Hidden are the others' hands and the random stream."
    OBSERVATION_ORDERS: dict[str, tuple[str, ...]] = {"prizes": tuple(map(str, VALUES))}

    def picture(self, snapshot: dict[str, Any], look: Look) -> Picture:
        """A few lines of text; a viewer sees only the number of the others' weapons."""
        phase, attacker = Phase(snapshot["phase"]), seat_name(snapshot["attacker"])
        lines = []
        if phase != Phase.OVER:
            lines.append(f"prize {VALUES[snapshot['prize']]}, turn of {attacker}; asked: {seat_name(snapshot['seat'])}")
        if phase == Phase.ANSWER:
            lines.append(f"{attacker} has played a {snapshot['weapon'] + 1}")
        for seat, hand in enumerate(snapshot["hand"][: snapshot["n_players"]]):
            weapons = " ".join(str(kind + 1) for kind, number in enumerate(hand) for _ in range(number))
            is_open = look.viewer in (None, seat)
            lines.append(
                f"{seat_name(seat)}: {weapons or 'nothing'}" if is_open else f"{seat_name(seat)}: {sum(hand)} weapons"
            )
        chips: tuple[Chip, ...] = ()
        if phase != Phase.OVER and look.viewer in (None, snapshot["seat"]):
            chips = tuple(weapon_chips(snapshot["hand"][snapshot["seat"]], phase))
        title = f"Duels, round {snapshot['round']} of {snapshot['rounds']}, {phase.name.lower()}"
        return text_picture(title, lines, look, chips=chips)

    def asked(self, snapshot: dict[str, Any]) -> str:
        """What the seat to move is asked to do."""
        if snapshot["phase"] == Phase.OVER:
            return "nothing: the game is over"
        if snapshot["phase"] == Phase.ATTACK:
            return "play a weapon against another seat"
        return f"top the {snapshot['weapon'] + 1} of seat {seat_name(snapshot['attacker'])}, or yield"

    def why(self, snapshot: dict[str, Any], legal: Sequence[str]) -> str:
        """Why just these actions are legal."""
        if not legal:
            return ""
        if snapshot["phase"] == Phase.ATTACK:
            return "each of your weapons can be played against each other seat: +1 is the next one"
        weapon = snapshot["weapon"] + 1
        if len(legal) == 1:
            return f"none of your weapons is stronger than {weapon}"
        return f"only a weapon stronger than {weapon} tops it"


def weapon_chips(hand: list[int], phase: Phase) -> Iterator[Chip]:
    """A hand as cards to click: attackers say ``play 7 against +1``, defenders ``top with 7``."""
    verb, start = ("play", "") if phase == Phase.ATTACK else ("top", "with ")
    for kind, number in enumerate(hand):
        if number:
            yield Chip(f"{start}{kind + 1}", (verb,), f"{kind + 1}" if number == 1 else f"{number} x {kind + 1}")
