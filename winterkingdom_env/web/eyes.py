"""What somebody who looks at a game receives. Nothing in it depends on what the viewer may not see.

A seat's picture, points and question are made from a game in which everything hidden from the seat is resampled, with a fixed seed; those of
somebody without a seat from one in which everything that is hidden from any seat is resampled.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from winterkingdom_env.core.drawing import SEAT_COLOURS, SEAT_LETTERS, ink_on, seat_name
from winterkingdom_env.core.picture import PUBLIC, Look, Picture, Spot
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import Game
from winterkingdom_env.render import picture_of
from winterkingdom_env.web.film import Changes, layout_of
from winterkingdom_env.web.spots import Spots
from winterkingdom_env.web.store import SeatPlan
from winterkingdom_env.web.table import Table

SHOWN = 0  # seed of what is resampled; nothing that is shown depends on it
View = int | None  # a seat, PUBLIC, or None: everything is shown


def shown_game(game: Game, view: View) -> Game:
    """The game as a viewer may know it; the game itself for somebody who sees everything."""
    if view is None:
        return game
    for seat in range(game.n_players) if view == PUBLIC else (view,):
        game = game.determinize(seat, SHOWN)
    return game


class Eye:
    """The picture of a table as one viewer sees it, part by part with the time of its last change."""

    def __init__(self, table: Table, view: View) -> None:
        """Nothing is drawn yet."""
        self._table, self._view = table, view
        self._changes = Changes()
        self._numbers: dict[str, int] = {}
        self._parts: dict[int, tuple[int, str]] = {}  # by number: stamp of the last change, text
        self._stamp = 0
        self._picture: Picture | None = None
        self._spots: Spots | None = None
        self._spots_at = 0  # stamp of the picture that the spots are of
        self._rows: dict[str, tuple[int, dict[str, Any] | None]] = {}  # of spots, by key: stamp of the last change, row
        self.sheet: list[list[int]] = []
        self.ranks: list[int] = []
        self.layout: dict[str, Any] = {}

    def look(self) -> None:
        """Draw what changed since the last look."""
        if self._stamp == self._table.stamp:
            return
        stamp = self._stamp = self._table.stamp
        game = shown_game(self._table.game, self._view)
        picture = picture_of(game, Look(self._view))
        self._picture = replace(picture)  # as long as it is kept: without its parts, thousands of objects
        if not self.layout:
            regions, parts = layout_of(picture)
            self._numbers = {part.name: i for i, part in enumerate(parts)}
            self.layout = {"width": picture.width, "height": picture.height, "regions": regions, "parts": parts}
        for name, text in self._changes.since(picture).items():
            if name in self._numbers:
                self._parts[self._numbers[name]] = stamp, text
        self.sheet = [list(row.values()) for row in game.score_sheet()]
        self.ranks = list(game.ranks())

    def spots(self) -> Spots:
        """The places and cards that can be clicked now."""
        self.look()
        assert self._picture is not None
        if self._spots is None or self._spots_at != self._stamp:
            self._spots, self._spots_at = Spots(self._picture), self._stamp
            rows: dict[str, Any] = dict.fromkeys(self._rows) | {row["name"]: row for row in self._spots.rows}
            for key, row in rows.items():
                if self._rows.get(key, (0, {}))[1] != row:
                    self._rows[key] = self._stamp, row
        return self._spots

    def spots_since(self, stamp: int) -> dict[str, Any]:
        """The spots that changed after this stamp, and the keys of those that are gone; empty if none did."""
        self.spots()
        changed = {key: row for key, (at, row) in self._rows.items() if at > stamp}
        if not changed:
            return {}
        gone = [key for key, row in changed.items() if row is None]
        return {"spots": [row for row in changed.values() if row is not None], "gone": gone}

    def parts_since(self, stamp: int) -> list[int | str]:
        """Numbers and texts of the parts that changed after this stamp, one after the other."""
        found: list[int | str] = []
        for number, (changed, text) in self._parts.items():
            if changed > stamp:
                found += (number, text)
        return found


def question_of(table: Table, seat: int, spots: Spots) -> dict[str, Any]:
    """What a person is asked, as the seat may know the game: the sentence, the reason, all legal actions, cards."""
    game = shown_game(table.game, seat)
    labels = [game.label(action) for action in game.legal_actions()]
    screen = table.rules.screen(game.snapshot(), Look(seat, labels))
    return {
        "seat": seat,
        "words": _sentence(screen.asked),
        "why": _sentence(screen.why),
        "can_undo": bool(table.turn.befores),
        "why_not_undo": table.turn.why_not,
        "actions": [{"label": label, "note": screen.notes.get(label, ""), "spot": spots.of(label)} for label in labels],
        "cards": [card._asdict() for card in screen.cards],
    }


def _sentence(words: str) -> str:
    """A part of a sentence as a sentence; a place, such as r00c05, keeps its name."""
    first = words[:1] if re.match(r"[a-z]+\d", words) else words[:1].upper()
    return f"{first}{words[1:]}." if words else ""


def why_not(table: Table, seat: int, spot: Spot | None, label: str) -> str:
    """Why an action, or what a spot is about, is not legal for the seat to act; as far as the seat may know."""
    game = shown_game(table.game, seat)
    legal = set(game.legal_actions())
    if spot is None:
        action = game.parse(label)
        return "That is legal." if action in legal else _sentence(game.explain(action))
    found = {action: game.label(action) for action in range(table.rules.N_ACTIONS) if spot.has(game.label(action))}
    if not legal.isdisjoint(found):
        return "That is legal."
    verbs = {game.label(action).partition(" ")[0] for action in legal}
    expected = [action for action, label in found.items() if label.partition(" ")[0] in verbs]
    if not found:
        return _sentence(spot.tip) or "Nothing can be done with this."
    return _sentence(game.explain((expected or list(found))[0]))


# --- messages ---------------------------------------------------------------------------------------------------------


def welcome(table: Table, eye: Eye, seats: list[int], can_control: bool) -> dict[str, Any]:
    """The first message: what does not change during the game."""
    return {
        "type": "welcome",
        "id": table.name,
        "game": table.rules.NAME,
        "title": table.rules.TITLE,
        "version": VERSION,
        "seats": [
            {
                "letter": SEAT_LETTERS[seat],
                "colour": SEAT_COLOURS[seat],
                "ink": ink_on(SEAT_COLOURS[seat]),
                "name": plan.name,
                "is_person": plan.is_person,
            }
            for seat, plan in enumerate(table.plan.seats)
        ],
        "yours": seats,
        "is_open": table.plan.is_open,
        "can_control": can_control,
        "picture": eye.layout,
        "columns": list(table.game.score_sheet()[0]),
    }


def told_of(table: Table) -> str:
    """One sentence about who is to act."""
    game = table.game
    if game.is_over:
        winners = [seat for seat, rank in enumerate(game.ranks()) if rank == 1]
        names = " and ".join(f"{seat_name(seat)} {_short(table.plan.seats[seat])}".strip() for seat in winners)
        return f"The game is over: seat {names} {'wins' if len(winners) == 1 else 'share the win'}."
    return f"Seat {seat_name(game.seat)} {_short(table.plan.seats[game.seat])} is to act."


def _short(seat: SeatPlan) -> str:
    """The name of a person, or of an agent without its options."""
    return seat.name if seat.is_person else seat.name.partition(":")[0]


def state(table: Table, eye: Eye, since: int, first_move: int) -> dict[str, Any]:
    """What changed for a viewer since this stamp; moves from number ``first_move`` on."""
    game = table.game
    return {
        "type": "state",
        "n": table.n,
        "parts": eye.parts_since(since),
        "from": first_move,
        "log": [
            {"n": n, "seat": move.seat, "label": move.label, "round": move.round}
            for n, move in enumerate(table.moves[first_move:], first_move + 1)
        ],
        "round": game.round,
        "asked": None if game.is_over else game.seat,
        "told": told_of(table),
        "sheet": eye.sheet,
        "ranks": eye.ranks,
        "is_over": game.is_over,
        "moved_at": table.moved_at,
    }
