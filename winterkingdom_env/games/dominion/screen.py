"""Dominion for somebody who plays at a terminal: the piles, one's hand, numbers per seat, cards with words and prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from winterkingdom_env.core.drawing import DIM, HEAD, SEAT_LETTERS, SEAT_STYLES
from winterkingdom_env.core.picture import Card, Lines, Look, Screen, Span, Style, Words, is_seat
from winterkingdom_env.games.dominion.cards import words_of
from winterkingdom_env.games.dominion.picture import asked, cards_text, hand_text, n_draw, piles_to_take, table_lines
from winterkingdom_env.games.dominion.tables import N_BASIC
from winterkingdom_env.games.dominion.why import why

PER_LINE = 3
COLUMN = 18  # three of them beside the panel of an 80-column terminal
PLAIN = Style()


def _board(snapshot: Mapping[str, Any], look: Look) -> Lines:
    lines: list[Words] = [*_supply(snapshot, look), ""]
    lines += [*table_lines(snapshot), ""]
    if is_seat(look.viewer):
        player = snapshot["players"][look.viewer]
        lines += [
            (Span("hand: ", HEAD), Span(cards_text(player["hand"]))),
            f"your deck: {cards_text(player['deck'])}"
            + (f", on top {', '.join(player['top'])}" if player["top"] else ""),
            f"your discards: {cards_text(player['discard'])}",
        ]
    return Lines(tuple(lines))


def _supply(snapshot: Mapping[str, Any], look: Look) -> Iterator[Words]:
    """The piles, three in a line: name, cost and how many are left."""
    marked = piles_to_take(snapshot, look)
    names = list(snapshot["supply"])
    for group in (names[:N_BASIC], names[N_BASIC:]):
        for i in range(0, len(group), PER_LINE):
            spans = []
            for name in group[i : i + PER_LINE]:
                text = f"{snapshot['costs'][name]} {name} {snapshot['supply'][name]}"
                spans.append(
                    Span(text.ljust(COLUMN), HEAD if name in marked else DIM if not snapshot["supply"][name] else PLAIN)
                )
            yield tuple(spans)


def _facts(snapshot: Mapping[str, Any], viewer: int | None) -> Iterator[Words]:
    for seat, player in enumerate(snapshot["players"]):
        if seat != viewer:
            yield Span(SEAT_LETTERS[seat], SEAT_STYLES[seat]), Span(f" holds {hand_text(player, viewer is None)}")
            top = f"; on its deck {', '.join(player['top'])}" if player["top"] else ""
            yield Span(f"  discards {cards_text(player['discard'])}{top}", DIM)


def _counts(snapshot: Mapping[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    players = snapshot["players"]
    is_turn = [seat == snapshot["turn_seat"] for seat in range(len(players))]
    return (
        *(
            (name, tuple(str(snapshot[name]) if own else "" for own in is_turn))
            for name in ("actions", "buys", "coins")
        ),
        ("hand", tuple(str(sum(player["hand"].values())) for player in players)),
        ("draw pile", tuple(str(n_draw(player)) for player in players)),
        ("turns", tuple(str(player["turns"]) for player in players)),
    )


def _cards(snapshot: Mapping[str, Any], viewer: int | None) -> Iterator[Card]:
    hand = snapshot["players"][viewer]["hand"] if is_seat(viewer) else {}
    for name in hand:
        yield Card("hand", name, str(snapshot["costs"][name]), words_of(name))
    for name in snapshot["supply"]:
        if name not in hand:
            yield Card("supply", name, str(snapshot["costs"][name]), words_of(name))


NOTES = {
    ("chancellor", "yes"): "put the deck into the discard pile", ("chancellor", "done"): "keep the deck",
    ("library", "yes"): "set it aside", ("library", "done"): "keep it",
    ("moat", "yes"): "show the Moat", ("moat", "done"): "show nothing",
    ("spy", "yes"): "discard it", ("spy", "done"): "leave it",
    ("action", "done"): "go on to buying", ("buy", "done"): "end the turn",
}  # fmt: skip


def _note(label: str, snapshot: Mapping[str, Any]) -> str:
    """What a legal action means."""
    verb, _, name = label.partition(" ")
    if not name:
        return NOTES.get((snapshot["phase"], verb), "no more, or nothing to choose")
    cost = f"{snapshot['costs'][name]}: " if verb in ("buy", "gain") else ""
    return cost + words_of(name)


LEGEND = "cost, card, cards left; bold: you may take it now"
MARKS = (
    ("3 Silver 40", "a pile: its cost, the card, how many are left"),
    ("bold", "you may buy or gain it now"),
    ("faint", "an empty pile; three of them, or no Provinces, end the game"),
    ("in play", "the cards of the seat whose turn it is; they are discarded when it ends"),
    ("on top, on its deck", "cards that everybody saw on a draw pile; the next one comes first"),
    ("holds", "what everybody knows of a hand, and how many cards more"),
)


def screen(snapshot: dict[str, Any], look: Look) -> Screen:
    """A position for somebody who plays at a terminal."""
    return Screen(
        _board(snapshot, look),
        "nothing: the game is over" if snapshot["phase"] == "over" else asked(snapshot, look.viewer),
        _counts(snapshot),
        tuple(_facts(snapshot, look.viewer)),
        tuple(_cards(snapshot, look.viewer)),
        {label: _note(label, snapshot) for label in look.legal},
        LEGEND,
        MARKS,
        why(snapshot, look.legal),
    )
