"""The options of a game, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from winterkingdom_env.reference.kingdom_builder.names import ALL_SCORING, BASE, ISLANDS, SETS, TASKS

PLAYERS = (2, 3, 4, 5)
ISLAND_VALUES = (None, *ISLANDS, "random")
SWAMP_VALUES = ("auto", True, False)


@dataclass(frozen=True)
class Options:
    """The options of section 1.2 by name, the seed, and every layout that is known."""

    num_players: int = 2
    sets: Sequence[str] = ()
    quadrants: Sequence[tuple[str, int]] | None = None
    scoring: Sequence[str] | None = None
    exclude: Sequence[str] = ()
    tasks: Sequence[str] | None = None
    swamp_cards: str | bool = "auto"
    capitol: bool = False
    caves: bool = False
    island: str | None = None
    first_game: bool = False
    round_limit: int = 100
    seed: int = 0
    gold: Mapping[str, int] = field(default_factory=dict)  # other than printed, by card, task, "castles", "palaces"
    layouts: Mapping[str, Any] = field(default_factory=dict)
    islands: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_swamp_cards(self) -> bool:
        """Whether the five swamp cards are in the deck."""
        return "marshlands" in self.sets if self.swamp_cards == "auto" else bool(self.swamp_cards)


def read_options(setup: Mapping[str, Any]) -> Options:
    """The options of a mapping. Raises ValueError if one makes no sense."""
    names = list(Options.__dataclass_fields__)
    unknown = [name for name in setup if name not in names]
    if unknown:
        raise ValueError(f"unknown option {unknown[0]!r}: the options are {', '.join(names)}.")
    values = dict(setup)
    values["exclude"] = values.get("exclude") or ()
    values["sets"] = [name for name in SETS if name != BASE and name in (values.get("sets") or ())]
    if values.get("quadrants") is not None:
        values["quadrants"] = [(name, int(turned)) for name, turned in values["quadrants"]]
    options = Options(**values)
    _check_values(options, setup)
    _check_names(options)
    return options


def _check_values(options: Options, setup: Mapping[str, Any]) -> None:
    if options.num_players not in PLAYERS:
        raise ValueError(f"num_players is {options.num_players}: it has to be one of 2, 3, 4, 5.")
    for name in setup.get("sets") or ():
        if name not in SETS:
            raise ValueError(f"sets: {name!r} is no set; these are {', '.join(SETS)}.")
    if options.swamp_cards not in SWAMP_VALUES:
        raise ValueError(f"swamp_cards is {options.swamp_cards!r}: it has to be 'auto', True or False.")
    if options.island not in ISLAND_VALUES:
        raise ValueError(f"island is {options.island!r}: it has to be None, 'rope bridge', 'tree house' or 'random'.")
    if options.round_limit < 1:
        raise ValueError(f"round_limit is {options.round_limit}: it has to be 1 or more.")
    if options.first_game and not (options.quadrants is None and options.scoring is None):
        raise ValueError("first_game fixes quadrants and scoring: leave both None.")


def _check_names(options: Options) -> None:
    for option, names, known in (
        ("scoring", options.scoring, ALL_SCORING),
        ("exclude", options.exclude, ALL_SCORING),
        ("tasks", options.tasks, TASKS),
    ):
        wrong = [name for name in names or () if name not in known]
        if wrong:
            raise ValueError(f"{option}: {wrong[0]!r} is unknown; these are known: {', '.join(known)}.")
    if options.scoring is not None and (len(options.scoring) != 3 or len(set(options.scoring)) != 3):
        raise ValueError(f"scoring: three different cards are needed, found {', '.join(options.scoring)}.")
    if options.tasks is not None and len(set(options.tasks)) != len(options.tasks):
        raise ValueError(f"tasks: a task is named twice in {', '.join(options.tasks)}.")
    if options.quadrants is not None:
        names = [name for name, _ in options.quadrants]
        if len(names) != 4 or len(set(names)) != 4:
            raise ValueError(f"quadrants: four different ones are needed, found {', '.join(names)}.")
        if any(turned not in (0, 1) for _, turned in options.quadrants):
            raise ValueError("quadrants: a quadrant is turned 0 or 1 times by 180 degrees.")
