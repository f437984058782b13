"""Parses typed actions: labels and their prefixes, numbers of listed actions, rows and columns of places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from winterkingdom_env.core.drawing import legal_summary, on_place
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import Game, get_game, name_of

MOST_LISTED = 12  # places in one message
MOST_NEAR = 4  # suggested places or labels
MOST_REASONS = 3  # in one message
HELP = "type help for a list of commands"
# 12 6, 12,6, r12c06, R12 C6, 12/6; a word before or after it is a verb.
_PLACE = re.compile(r"(?<![a-z0-9])r?(\d{1,3})(?:\s*[,;:./]\s*|\s*c\s*|\s+)(\d{1,3})(?![a-z0-9])", re.IGNORECASE)


@dataclass
class Choices:
    """The legal actions of one decision, by label and by place; ``listed`` has those without a place, which are numbered."""

    labels: dict[str, int]
    places: dict[tuple[int, int], dict[str, str]] = field(default_factory=dict)  # verb to label, in action order
    listed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Sort the labels into places and others."""
        for label in self.labels:
            at = on_place(label)
            if at is None:
                self.listed.append(label)
            else:
                self.places.setdefault((at.row, at.col), {})[at.verb] = label

    @property
    def verbs(self) -> list[str]:
        """The verbs of actions on places, in action order."""
        return list(dict.fromkeys(verb for found in self.places.values() for verb in found))


def choices_of(game: Game) -> Choices:
    """The legal actions of the seat to move."""
    return Choices({game.label(action): int(action) for action in game.legal_actions()})


def understand(game: Game, typed: str, choices: Choices, known: Collection[str] = ()) -> tuple[int | None, str]:
    """The legal action that was typed and "", or None and the reason, with suggestions.

    ``known``: names of cards in view; of several actions that are not legal, those that name one are explained first.
    """
    typed = " ".join(typed.split())
    folded = {label.casefold(): label for label in choices.labels}
    if typed.casefold() in folded:
        return choices.labels[folded[typed.casefold()]], ""
    if typed.isdecimal():
        return _by_number(int(typed), choices)
    found = _PLACE.search(typed)
    if found is not None:
        verb = f"{typed[: found.start()]} {typed[found.end() :]}".strip()
        if choices.places and len(verb.split()) <= 1:
            return _by_place(game, verb, int(found[1]), int(found[2]), choices)
    return _by_words(game, typed, choices, known)


def _by_number(number: int, choices: Choices) -> tuple[int | None, str]:
    if 1 <= number <= len(choices.listed):
        return choices.labels[choices.listed[number - 1]], ""
    places = "; a place is a row and a column" if choices.places else ""
    if not choices.listed:
        return None, f"no action is numbered now{places}"
    return None, f"there is no action number {number}; the numbers are 1 to {len(choices.listed)}{places}"


def _by_place(game: Game, verb: str, row: int, col: int, choices: Choices) -> tuple[int | None, str]:
    """The first legal action on the place whose verb starts with ``verb``."""
    verbs = choices.places.get((row, col), {})
    for name, label in verbs.items():
        if name.casefold().startswith(verb.casefold()):
            return choices.labels[label], ""
    asked = next((name for name in choices.verbs if name.casefold().startswith(verb.casefold())), verb)
    name = f"{asked} r{row:02d}c{col:02d}"
    try:
        action = game.parse(name)
    except ValueError:
        return None, f"there is no place {row} {col}: {_extent(game, row)}{_near(row, col, choices)}"
    return (
        None,
        f"{name} is not legal: {_reason(game, action)}{_near(row, col, choices)}",
    )


def _every_label(game: Game) -> list[str]:
    return [game.label(action) for action in range(get_game(name_of(game)).N_ACTIONS)]


def _extent(game: Game, row: int) -> str:
    """Which columns a row has, or which rows there are."""
    places = [(at.row, at.col) for at in map(on_place, _every_label(game)) if at is not None]
    columns = [place[1] for place in places if place[0] == row]
    if columns:
        return f"row {row} has columns {min(columns)} to {max(columns)}"
    rows = [place[0] for place in places]
    return f"the rows are {min(rows)} to {max(rows)}" if rows else "the board has no places"


def _near(row: int, col: int, choices: Choices) -> str:
    """The legal places closest to this one, by distance (each row is shifted half a place to the right)."""

    def steps(at: tuple[int, int]) -> int:
        down, right = at[0] - row, at[1] - col
        return max(abs(down), abs(right), abs(down + right))

    found = sorted(choices.places, key=steps)[:MOST_NEAR]
    return f"; nearest legal places: {', '.join(f'{r} {c}' for r, c in found)}" if found else ""


def matches(typed: str, labels: Iterable[str]) -> list[str]:
    """The labels that begin with what was typed, or else those whose words do."""
    labels, words = list(labels), typed.casefold().split()
    found = [label for label in labels if label.casefold().startswith(typed.casefold())]
    return found or [label for label in labels if words and _begins(words, label.casefold().split())]


def _by_words(game: Game, typed: str, choices: Choices, known: Collection[str]) -> tuple[int | None, str]:
    found = matches(typed, choices.labels)
    if len(found) == 1:
        return choices.labels[found[0]], ""
    at = on_place(found[0]) if found else None
    if at is not None and len(found) > MOST_LISTED:
        return (
            None,
            f"{quoted(typed)} matches {len(found)} places; type a row and a column, as in {at.verb} {at.row} {at.col}",
        )
    if found:
        return None, f"{quoted(typed)} is ambiguous: {legal_summary(found, MOST_LISTED)}"
    try:
        action = game.parse(typed)
    except ValueError:
        return None, _no_action(game, typed, choices, known)
    there = on_place(game.label(action))
    near = "" if there is None else _near(there.row, there.col, choices)
    return None, f"{game.label(action)} is not legal: {_reason(game, action)}{near}"


def _reason(game: Game, action: int) -> str:
    return game.explain(action) or f"the phase is {game.phase}"


def _no_action(game: Game, typed: str, choices: Choices, known: Collection[str]) -> str:
    """The answer to words that match nothing legal: why what they match is not legal, or what is spelled alike."""
    found = matches(typed, _every_label(game))
    if found:
        return _why_none(game, typed, found, known)
    close = get_close_matches(typed.casefold(), [label.casefold() for label in choices.listed], MOST_NEAR)
    hint = ", ".join(label for label in choices.listed if label.casefold() in close)
    return f"{quoted(typed)} is not an action; {f'did you mean {hint}? ' if hint else ''}{HELP}"


def _why_none(game: Game, typed: str, found: list[str], known: Collection[str]) -> str:
    """Why none of the matching actions is legal: one reason per line of thought, the cards in view first."""
    if len(found) == 1:
        return f"{found[0]} is not legal: {_reason(game, game.parse(found[0]))}"
    if on_place(found[0]) is not None:  # hundreds of places; one stands for all
        verb = found[0].partition(" ")[0]
        return f"{verb} is not legal on any place now: {_reason(game, game.parse(found[0]))}"
    seen = [label for label in found if _names(label, known)] or found
    reasons = list(dict.fromkeys(_reason(game, game.parse(label)) for label in seen))
    more = f"; and {len(reasons) - MOST_REASONS} more reasons" if len(reasons) > MOST_REASONS else ""
    what = seen[0] if len(seen) == 1 else quoted(typed)
    return f"{what} is not legal: {'; '.join(reasons[:MOST_REASONS])}{more}"


def _names(label: str, known: Collection[str]) -> bool:
    """Whether a label is about one of the cards; a card's name may carry marks, and the label a half of the card."""
    what = label.partition(" ")[2]
    return bool(what) and any(what.startswith(name) or name.startswith(what) for name in known if name)


def _begins(typed: list[str], label: list[str]) -> bool:
    """Whether the typed words are prefixes of words of the label, in the same order."""
    rest = iter(label)
    return all(any(word.startswith(part) for word in rest) for part in typed)
