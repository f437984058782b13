"""Taking back: which actions of an open turn a person may undo."""

from __future__ import annotations

from winterkingdom_env.games.contract import Game

N_DEALS = 64  # samples of the hidden information


class OpenTurn:
    """The actions of this turn that can be taken back, as the games before each of them."""

    def __init__(self) -> None:
        """No actions yet."""
        self.befores: list[Game] = []
        self.why_not = "nothing can be taken back: your turn has just begun"

    def add(self, before: Game, action: int, after: Game) -> None:
        """Add an action. If it ends the turn or reveals something, nothing so far can be taken back."""
        label = before.label(action)
        if after.is_over or (after.seat, after.round) != (before.seat, before.round):
            self.befores, self.why_not = [], "nothing can be taken back: your turn has just begun"
        elif reveals(before, action, after):
            self.befores, self.why_not = (
                [],
                f"{label} cannot be taken back: it revealed hidden information",
            )
        else:
            self.befores.append(before)


def reveals(before: Game, action: int, after: Game) -> bool:
    """Whether the action gave its seat new information, such as a drawn card.

    It did not if, in every game that the seat could not tell from the true one, the action leads to the same view.
    ``determinize`` samples such games, and is deterministic for equal views. Information with a probability below 1 / ``N_DEALS``
    may be missed.
    """
    seat = before.seat
    known = after.determinize(seat, 0).to_bytes()
    for seed in range(N_DEALS):
        dealt = before.determinize(seat, seed)
        try:
            dealt.apply(action)
        except ValueError:  # its legality depended on hidden information
            return True
        if dealt.determinize(seat, 0).to_bytes() != known:
            return True
    return False
